//! A file that several tries are made in: read and expanded once for all of them.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::hierarchy::{Hierarchy, Stated};
use scenewright_unity::{ClassId, Document, FileId, Object, Value};

/// How changes name an object: itself, or its GameObject and component.
pub(super) type Name = (String, Option<String>);

/// The list of the overrides of an instance.
pub(super) const LIST: &str = "m_Modification.m_Modifications";

/// A file as it is before every try.
pub(super) struct Ground {
    pub(super) document: Arc<Document>,
    pub(super) tree: Hierarchy,
    /// By instance, and what its source calls it.
    inside: OnceCell<HashMap<(FileId, FileId), Name>>,
}

impl Ground {
    pub(super) fn of(opened: &Opened<'_>) -> Ground {
        let document = Arc::new(Document::parse(opened.before.as_slice()));
        let tree = opened.unity.expander.scene(document.clone(), opened.guid());
        Ground { document, tree, inside: OnceCell::new() }
    }

    /// How changes name an object inside of an instance of the file.
    pub(super) fn inside(&self, instance: FileId, target: FileId) -> Option<&Name> {
        self.inside.get_or_init(|| names(&self.tree)).get(&(instance, target))
    }

    /// Which order the overrides of its instances show: a Unity before 2020.3 left them as they came.
    pub(super) fn order(&self) -> &'static str {
        let mut instances =
            self.document.objects().filter(|object| object.class_id() == ClassId::PREFAB_INSTANCE);
        match instances.all(is_sorted) {
            true => "lists in order",
            false => "lists as they came",
        }
    }
}

fn names(tree: &Hierarchy) -> HashMap<(FileId, FileId), Name> {
    let mut names = HashMap::new();
    for node in tree.objects() {
        let Some(own) = node.file_id() else { continue };
        if let Some(Stated::Override { instance, target }) = node.stated() {
            names.entry((instance, target)).or_insert_with(|| (format!("#{own}"), None));
        }
        for held in node.components() {
            if let Stated::Override { instance, target } = held.stated()
                && node.outer_instance() == Some(instance)
            {
                let name = (format!("#{own}"), Some(format!("#{}", held.file_id())));
                names.entry((instance, target)).or_insert(name);
            }
        }
    }
    names
}

/// Whether what an instance says of its source is in order: by target, length of the path, and path.
fn is_sorted(instance: Object<'_>) -> bool {
    let source = ["m_SourcePrefab", "m_ParentPrefab"].iter().find_map(|key| instance.get(key));
    let source = source.and_then(Value::as_reference);
    let items = instance.get(LIST).into_iter().flat_map(Value::items);
    let keys = items.filter_map(|item| {
        let target = item.get("target")?.as_reference()?;
        let path = item.get("propertyPath")?.text().into_owned();
        let is_own = source.is_some_and(|source| source.guid == target.guid);
        is_own.then_some((target.file_id, path.len(), path))
    });
    keys.collect::<Vec<_>>().is_sorted()
}
