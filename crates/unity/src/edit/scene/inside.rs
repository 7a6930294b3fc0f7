//! What the values of an instance refer to, as the file of the instance calls it.
//!
//! A value that comes from a prefab is in the prefab's ids. Who writes it again, as a list does whose
//! items change places, has to name the same objects in the ids of this file.

use super::Editor;
use crate::FileId;
use crate::hierarchy::{Component, Data, Stated, Target};

impl Editor<'_> {
    /// A value of something inside an instance, with its references as this file has them.
    pub(super) fn as_seen_here(&mut self, at: Stated, path: &str, data: Data) -> Data {
        if !has_local(&data) {
            return data;
        }
        // Links are those of the tree, which does not know yet what was set since.
        self.settle();
        let id = self.id_of(at);
        let node = self.tree_and_came().find_by_id(id);
        let components = node.map(|node| node.components()).unwrap_or_default();
        let Some(component) = components.iter().find(|held| held.file_id() == id) else {
            return data;
        };
        let mut data = component.value(path).map_or(data, |value| value.data);
        for (rest, stated) in links(component, path) {
            let to = self.id_of(stated);
            if let Stated::Override { instance, target } = stated {
                self.inside.insert(to, (instance, target));
            }
            if let Some(Data::Reference(reference)) = part_at(&mut data, &rest) {
                reference.file_id = to;
            }
        }
        data
    }

    /// The object that a reference to something inside an instance is made to, when nothing stands for it
    /// in the file yet.
    pub(super) fn not_here(&self, id: FileId) -> Option<Stated> {
        let (instance, target) = self.inside.get(&id).copied()?;
        self.sheet.object(id).is_none().then_some(Stated::Override { instance, target })
    }
}

/// Where the references below a path lead, by the rest of their path.
fn links(component: &Component<'_>, path: &str) -> Vec<(String, Stated)> {
    let stated = |target: Target<'_>| match target {
        Target::Node(node) => node.stated(),
        Target::Component(component) => Some(component.stated()),
        _ => None,
    };
    let below = component.references().into_iter().filter_map(|link| {
        let rest = link.path.strip_prefix(path)?.to_owned();
        (link.reference.guid.is_none() && (rest.is_empty() || rest.starts_with('.')))
            .then(|| Some((rest, stated(link.target)?)))?
    });
    below.collect()
}

fn has_local(data: &Data) -> bool {
    match data {
        Data::Text(_) => false,
        Data::Reference(to) => to.guid.is_none() && !to.is_null(),
        Data::List(items) => items.iter().any(|item| has_local(&item.data)),
        Data::Map(fields) => fields.iter().any(|(_, value)| has_local(&value.data)),
    }
}

/// The value at `.Array.data[1].m_Target` from here.
fn part_at<'d>(data: &'d mut Data, path: &str) -> Option<&'d mut Data> {
    let Some(path) = path.strip_prefix('.') else { return path.is_empty().then_some(data) };
    match data {
        Data::List(items) => {
            let (index, rest) = path.strip_prefix("Array.data[")?.split_once(']')?;
            part_at(&mut items.get_mut(index.parse::<usize>().ok()?)?.data, rest)
        }
        Data::Map(fields) => {
            let (key, rest) = path.split_at(path.find('.').unwrap_or(path.len()));
            let (_, value) = fields.iter_mut().find(|(known, _)| known == key)?;
            part_at(&mut value.data, rest)
        }
        _ => None,
    }
}
