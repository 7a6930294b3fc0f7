//! Groups and properties of a node.

use super::Scene;
use crate::{ChangeError, Variant};

impl Scene {
    /// Puts a node into a group; false when it is there already.
    pub fn add_to_group(&mut self, node: &str, group: &str) -> Result<bool, ChangeError> {
        if group.is_empty() || group.chars().any(char::is_control) {
            let why = "groups have a name on one line";
            return Err(ChangeError::BadName { name: group.into(), why });
        }
        let mut groups = self.expect_node(node)?.groups();
        if groups.iter().any(|found| found == group) {
            return Ok(false);
        }
        groups.push(group.into());
        self.set_groups(node, groups)?;
        Ok(true)
    }

    /// Takes a node out of a group; false when it is not in it.
    pub fn remove_from_group(&mut self, node: &str, group: &str) -> Result<bool, ChangeError> {
        let mut groups = self.expect_node(node)?.groups();
        let before = groups.len();
        groups.retain(|found| found != group);
        if groups.len() == before {
            return Ok(false);
        }
        self.set_groups(node, groups)?;
        Ok(true)
    }

    fn set_groups(&mut self, node: &str, groups: Vec<String>) -> Result<(), ChangeError> {
        let section = self.expect_node(node)?.section().index();
        let groups: Vec<_> = groups.into_iter().map(Variant::String).collect();
        self.change(|document| match groups.is_empty() {
            true => document.remove_attribute(section, "groups").map(|_| ()),
            false => document.set_attribute(section, "groups", &Variant::Array(None, groups)),
        })
    }

    /// Sets a property of a node.
    pub fn set_node_property(
        &mut self,
        node: &str,
        key: &str,
        value: &Variant,
    ) -> Result<(), ChangeError> {
        let section = self.expect_node(node)?.section().index();
        self.change(|document| document.set_property(section, key, value))
    }

    /// Removes a property of a node, which has its default then; false when there is none.
    pub fn remove_node_property(&mut self, node: &str, key: &str) -> Result<bool, ChangeError> {
        let section = self.expect_node(node)?.section().index();
        self.change(|document| document.remove_property(section, key))
    }
}
