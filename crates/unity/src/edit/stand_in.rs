//! What ties objects of a file to prefabs: the fields that every object begins with, and stripped
//! objects, by which a file refers to what is inside of its prefab instances.

use std::collections::HashMap;

use super::{New, NewObject};
use crate::{ClassId, Document, FileId, Object, Reference};

/// What is to be stood for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inner {
    /// The `PrefabInstance` of the file.
    pub instance: FileId,
    /// The object's id in the source of that instance.
    pub target: FileId,
    /// Its native class.
    pub class: ClassId,
    /// The name of the class.
    pub key: String,
    /// The script of a `MonoBehaviour`.
    pub script: Option<Reference>,
}

impl Inner {
    /// What a file calls it by the rule of prefabs, when no object stands for it.
    pub fn id_by_rule(&self) -> FileId {
        FileId((self.instance.0 ^ self.target.0) & i64::MAX)
    }

    /// The stripped object that stands for it in a file, of an instance of `source`.
    pub fn stripped(&self, id: FileId, source: Reference, is_old: bool) -> NewObject {
        let mut fields = links(is_old);
        // What only stands for something has no flags.
        fields.remove(0);
        fields[0].1 = New::Reference(Reference { file_id: self.target, ..source });
        fields[1].1 = New::local(self.instance);
        let script = self.script.filter(|script| script.guid.is_some());
        fields.extend(script.into_iter().flat_map(|to| script_head(FileId::NULL, to, "")));
        NewObject { class: self.class, id, key: self.key.clone(), stripped: true, fields }
    }
}

/// Whether a file is from before 2018.3, which has other names for links to prefabs.
pub fn is_old(document: &Document) -> bool {
    const KEY: &str = "m_PrefabInternal";
    // Most files have it nowhere, and of a large one every object would be looked at.
    memchr::memmem::find(document.as_bytes(), KEY.as_bytes()).is_some()
        && document.objects().any(|object| object.glance_reference(KEY).is_some())
}

/// Fields that every object of a file begins with.
pub fn links(is_old: bool) -> Vec<(String, New)> {
    let keys: &[&str] = match is_old {
        true => &["m_PrefabParentObject", "m_PrefabInternal"],
        false => &["m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset"],
    };
    let mut fields = vec![("m_ObjectHideFlags".to_owned(), New::int(0))];
    fields.extend(keys.iter().map(|key| ((*key).to_owned(), New::local(FileId::NULL))));
    fields
}

/// What the component of a script has before its own fields.
pub fn script_head(owner: FileId, script: Reference, identifier: &str) -> Vec<(String, New)> {
    let fields = [
        ("m_GameObject", New::local(owner)),
        ("m_Enabled", New::int(1)),
        ("m_EditorHideFlags", New::int(0)),
        ("m_Script", New::Reference(script)),
        ("m_Name", New::Text(String::new())),
        ("m_EditorClassIdentifier", New::Text(identifier.to_owned())),
    ];
    fields.map(|(key, value)| (key.to_owned(), value)).to_vec()
}

/// The stripped objects of a file: by instance, and id in its source.
pub fn stand_ins(document: &Document) -> HashMap<(FileId, FileId), FileId> {
    let reference = |object: Object<'_>, keys: [&str; 2]| {
        keys.iter().find_map(|key| object.glance_reference(key))
    };
    let key = |object: Object<'_>| {
        let instance = reference(object, ["m_PrefabInstance", "m_PrefabInternal"])?;
        let inside = reference(object, ["m_CorrespondingSourceObject", "m_PrefabParentObject"])?;
        Some((instance.file_id, inside.file_id))
    };
    // Of several that stand for one the first counts.
    let stripped = document.objects().filter(|object| object.is_stripped()).rev();
    stripped.filter_map(|object| Some((key(object)?, object.file_id()))).collect()
}
