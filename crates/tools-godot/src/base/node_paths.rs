//! Paths to nodes that a caller gives for properties: whether they lead anywhere, and which ones
//! would.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::check::{Way, follow};
use scenewright_godot::{Tree, TreeNode, Variant, relative_path};

use crate::base::values::{Leading, leading};
use crate::base::{Expected, Godot, OpenScene};

impl Godot<'_> {
    /// Fail when a value that was set on a node is a path that leads nowhere from it.
    pub fn check_node_paths(
        &self,
        open: &OpenScene,
        node: &str,
        of: Expected<'_>,
        values: &[(&str, Variant)],
    ) -> Result<(), ToolError> {
        let leads = |(key, value)| leading(self, of, key).map(|leading| (leading, key, value));
        let paths: Vec<_> =
            values.iter().map(|(key, value)| (*key, value)).filter_map(leads).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let tree = self.tree_of(open);
        let Some(base) = tree.node(node) else { return Ok(()) };
        for (leading, key, value) in paths {
            for path in texts(value) {
                self.check_node_path(&tree, base, leading, (key, path))?;
            }
        }
        Ok(())
    }

    fn check_node_path(
        &self,
        tree: &Tree,
        base: &TreeNode,
        leading: Leading,
        (key, path): (&str, &str),
    ) -> Result<(), ToolError> {
        let step = match follow(tree, base, path) {
            Way::Node(_) => return Ok(()),
            Way::Unknown => {
                self.cx.diagnose(format!(
                    "{key}: '{path}' leads out of what the files of this scene tell, so nobody here knows whether it leads to a node"
                ));
                return Ok(());
            }
            Way::Broken(step) => step,
        };
        let meant = meant(tree, base, path);
        // A script may look for it from elsewhere, or make the node itself.
        if leading == Leading::Script && meant.is_none() {
            self.cx.diagnose(format!("{key}: '{path}' leads to no node of this scene yet"));
            return Ok(());
        }
        let message = format!("{key} cannot be '{path}': from {} there is no '{step}'", base.path);
        let hint = match meant {
            Some(meant) => format!("paths start at the node itself; '{meant}' would lead there"),
            None => "paths start at the node itself: '../Sibling', 'Child'; get_node_tree shows the nodes".to_owned(),
        };
        Err(ToolError::new(ErrorKind::BadArguments, message).hint(hint))
    }
}

fn texts(value: &Variant) -> Vec<&str> {
    match value.as_array() {
        Some(items) => items.iter().filter_map(Variant::as_str).collect(),
        None => value.as_str().into_iter().collect(),
    }
}

/// The path that was probably meant: the same one from the parent or from the root of the scene, or
/// the one node that has the last name.
fn meant(tree: &Tree, base: &TreeNode, path: &str) -> Option<String> {
    let names = path.split(':').next().unwrap_or_default();
    let rest = &path[names.len()..];
    let parent = base.parent.map(|parent| &tree.nodes()[parent]);
    let from = |node: Option<&TreeNode>| tree.resolve(node?, names).map(|node| node.path.clone());
    let by_name = || {
        let last = names.rsplit('/').next().filter(|last| !last.is_empty())?;
        let mut found = tree.nodes().iter().filter(|node| node.name == last);
        found.next().filter(|_| found.next().is_none()).map(|node| node.path.clone())
    };
    let target = from(parent).or_else(|| from(tree.root())).or_else(by_name)?;
    Some(relative_path(&base.path, &target) + rest)
}
