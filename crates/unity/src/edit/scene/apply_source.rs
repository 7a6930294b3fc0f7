//! Overrides of instances that become values of their prefab. The file of the instances gives them
//! away here; the prefab, opened in an editor of its own, takes them.

use std::collections::HashSet;

use super::fields::Owner;
use super::matching::Matched;
use super::{Editor, Refusal, Seen};
use crate::hierarchy::Stated;
use crate::{FileId, Guid, Reference, Value};

/// A value that an instance gave away.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The object inside, by its id in the prefab.
    pub target: FileId,
    /// The path of the value.
    pub path: String,
    /// The value, when it is no reference.
    pub text: String,
    /// What it refers to, when it does.
    pub reference: Reference,
}

/// What the instances of one prefab gave away.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FromInstances {
    /// By the prefab that they are of, in the order of the file.
    pub given: Vec<(Guid, Given)>,
    /// What stays an override, and why.
    pub kept: Vec<String>,
    /// How many instances there are.
    pub instances: usize,
}

impl Editor<'_> {
    /// Take the overrides of the instances that some objects belong to away, to be given to their
    /// prefabs. What only makes sense here stays.
    pub fn give_overrides(&mut self, of: &Matched) -> Result<FromInstances, Refusal> {
        let mut instances: Vec<FileId> = Vec::new();
        for at in of.places() {
            if let Stated::Override { instance, .. } = at
                && !instances.contains(instance)
            {
                instances.push(*instance);
            }
        }
        let mut from = FromInstances { instances: instances.len(), ..FromInstances::default() };
        for instance in instances {
            let Some(guid) = self.source_of(instance).and_then(|source| source.guid) else {
                continue;
            };
            let mut gone = HashSet::new();
            for given in self.given_by(instance) {
                if self.is_kept(instance, given.target, &given.path) {
                    continue;
                }
                let is_there = self
                    .source(instance)
                    .is_some_and(|source| source.find_by_id(given.target).is_some());
                let is_local = given.reference.guid.is_none() && !given.reference.is_null();
                if is_local || !is_there {
                    let why = match is_local {
                        true => "refers to an object of this file",
                        false => "is of an object that the prefab does not have",
                    };
                    from.kept.push(format!("{} of #{instance} {why}", given.path));
                    continue;
                }
                gone.insert((given.target, given.path.clone()));
                from.given.push((guid, given));
            }
            self.drop_overrides(instance, |of, path| gone.contains(&(of, path.to_owned())))?;
            for (key, what) in SHAPES {
                let list = self.sheet.object(instance).and_then(|object| object.get(key));
                let count = list.map_or(0, |list| list.items().count());
                if count > 0 {
                    from.kept.push(format!("{count} {what} of #{instance} are not applied"));
                }
            }
        }
        self.forget_tree();
        Ok(from)
    }

    fn given_by(&self, instance: FileId) -> Vec<Given> {
        let object = self.sheet.object(instance);
        let list = object.and_then(|object| object.get("m_Modification.m_Modifications"));
        let read = |item: Value<'_>| {
            Some(Given {
                target: item.get("target")?.as_reference()?.file_id,
                path: item.get("propertyPath")?.text().into_owned(),
                text: item.get("value").map(|value| value.text().into_owned()).unwrap_or_default(),
                reference: item.get("objectReference")?.as_reference()?,
            })
        };
        list.into_iter().flat_map(Value::items).filter_map(read).collect()
    }

    /// Take a value that an instance of this prefab gave away. True when it was another one.
    pub fn take_override(&mut self, given: &Given) -> Result<bool, Refusal> {
        let classes = self.project.classes;
        let node = self.tree().find_by_id(given.target);
        let gone = || Refusal::new(format!("the prefab has no object #{}", given.target));
        let seen = Seen::of(&node.ok_or_else(gone)?, classes)?;
        let owner = match seen.id == given.target {
            true => Owner::of_object(&seen),
            false => Owner::of_component(&seen, seen.component(&format!("#{}", given.target))?),
        };
        let changed = self.take(&owner, &given.path, &given.text, given.reference)?;
        // Names and sizes are what later values are found by.
        self.forget_tree();
        Ok(changed)
    }
}

/// What an instance changes other than values.
const SHAPES: [(&str, &str); 4] = [
    ("m_Modification.m_AddedGameObjects", "added objects"),
    ("m_Modification.m_AddedComponents", "added components"),
    ("m_Modification.m_RemovedGameObjects", "removed objects"),
    ("m_Modification.m_RemovedComponents", "removed components"),
];
