//! Stripped objects, by which a file refers to what is inside of its prefab instances.

use std::collections::HashSet;

use scenewright_text::Edits;

use super::overrides::source;
use super::{Manner, New, NewObject, Refused, fresh_ids, insert_object};
use crate::{ClassId, Document, FileId, Reference};

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

/// The id by which the file refers to an object inside of an instance; a stripped object is added
/// where none is there.
pub fn stand_in(
    document: &Document,
    inner: &Inner,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let known = document.objects().filter(|object| object.is_stripped()).find(|object| {
        let to = |key: &str| object.get(key)?.as_reference();
        let instance = to("m_PrefabInstance").or_else(|| to("m_PrefabInternal"));
        let inside = to("m_CorrespondingSourceObject").or_else(|| to("m_PrefabParentObject"));
        instance.is_some_and(|to| to.file_id == inner.instance)
            && inside.is_some_and(|to| to.file_id == inner.target)
    });
    if let Some(known) = known {
        return Ok(known.file_id());
    }
    let instance = document.object(inner.instance);
    let source =
        instance.and_then(source).ok_or_else(|| Refused::NoPlace("the instance".into()))?;
    // By the rule of prefabs, so that it is called as it was when no object stood for it.
    let mut id = FileId((inner.instance.0 ^ inner.target.0) & i64::MAX);
    if document.object(id).is_some() {
        let seed = format!("{}/{}", inner.instance, inner.target);
        id = fresh_ids(document, &HashSet::new(), &seed, 1);
    }
    let inside = Reference { file_id: inner.target, ..source };
    let mut fields = vec![
        ("m_CorrespondingSourceObject", New::Reference(inside)),
        ("m_PrefabInstance", New::local(inner.instance)),
        ("m_PrefabAsset", New::local(FileId::NULL)),
    ];
    if let Some(script) = inner.script {
        fields.extend([
            ("m_GameObject", New::local(FileId::NULL)),
            ("m_Enabled", New::int(1)),
            ("m_EditorHideFlags", New::int(0)),
            ("m_Script", New::Reference(script)),
            ("m_Name", New::Text(String::new())),
            ("m_EditorClassIdentifier", New::Text(String::new())),
        ]);
    }
    let fields = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let (class, key) = (inner.class, inner.key.clone());
    insert_object(document, &NewObject { class, id, key, stripped: true, fields }, manner, edits);
    Ok(id)
}
