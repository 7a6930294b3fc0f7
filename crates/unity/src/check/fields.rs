//! The references of one object, each judged where it is written.

use std::sync::{Arc, LazyLock};

use memchr::memmem;

use super::{Finding, FindingKind};
use crate::document::{STRUCTURE, field_key, parse_reference};
use crate::judge::{Judge, ScriptGrade};
use crate::script::ClassIdentifier;
use crate::{ClassId, Document, FileId, Object, Reference, types};

/// What is known of the file around an object.
pub(super) struct Here<'a> {
    /// Whether the file has an object of an id.
    pub(super) is_here: &'a dyn Fn(FileId) -> bool,
    /// The class of an object of the file itself.
    pub(super) class_of: &'a dyn Fn(FileId) -> Option<ClassId>,
    /// What a stripped object stood for: its class, and the name of the prefab.
    pub(super) stood_for: &'a dyn Fn(FileId) -> Option<(String, String)>,
}

impl Here<'_> {
    /// Why a reference inside of the file leads nowhere, if it does.
    pub(super) fn missing(&self, to: Reference) -> Option<String> {
        let why = || match (self.stood_for)(to.file_id) {
            Some((part, source)) => format!("{source} no longer has that {part}"),
            None => "the object is not in the file".to_owned(),
        };
        (!(self.is_here)(to.file_id)).then(why)
    }
}

/// What is wrong with the references of an object.
pub(super) fn check(
    judge: &Judge<'_>,
    object: Object<'_>,
    here: &Here<'_>,
    findings: &mut Vec<Finding>,
) {
    if object.is_stripped() || object.class_id() == ClassId::SCENE_ROOTS {
        return;
    }
    let document = object.document();
    for (offset, to) in object.references().filter(|(_, to)| !to.is_null()) {
        let body = &document.as_bytes()[object.body_span().start..offset];
        let line = &body[memchr::memrchr(b'\n', body).map_or(0, |at| at + 1)..];
        let why = match (role(object, line), to.guid) {
            (Role::Script | Role::Structure, _) => continue,
            (Role::Field, Some(guid)) => judge.wrong(guid, to.file_id),
            (Role::Field, None) => here.missing(to),
        };
        let Some(why) = why else {
            findings.extend(mismatch(judge, object, here, offset, to));
            continue;
        };
        let field = path(body);
        let message: Arc<str> = missing(&judge.class_name(object), &field, &why).into();
        findings.push(Finding {
            line: Some(document.line(offset)),
            guid: to.guid,
            field: Some(field.into()),
            // What is gone from the file itself has nothing else behind it.
            cause: Some(to.guid.map_or_else(|| message.clone(), |_| why.into())),
            message,
            id: object.file_id(),
            to: to.file_id,
            ..Finding::new(FindingKind::BrokenReference)
        });
    }
}

/// A reference that leads to an object of a class which its field does not take.
fn mismatch(
    judge: &Judge<'_>,
    object: Object<'_>,
    here: &Here<'_>,
    offset: usize,
    to: Reference,
) -> Option<Finding> {
    if object.class_id() == ClassId::MONO_BEHAVIOUR {
        return None;
    }
    let document = object.document();
    let target = match to.guid {
        Some(guid) => judge.native_class(guid, to.file_id),
        None => (here.class_of)(to.file_id),
    }?;
    let body = object.body_span().start..offset;
    let key = field_key(document.as_bytes(), body.clone())?;
    let key = std::str::from_utf8(&document.as_bytes()[key]).ok()?;
    if types::takes(object.class_id(), key, target) != Some(false) {
        return None;
    }
    let (field, wanted) = (path(&document.as_bytes()[body]), types::taken(object.class_id(), key)?);
    let (wanted, is) = (types::one(wanted), types::one(target.name()?));
    let why = format!("it takes {wanted}, and this is {is}");
    Some(Finding {
        line: Some(document.line(offset)),
        guid: to.guid,
        message: format!(
            "{}.{} leads to an object of another class: {why}",
            object.class_name(),
            shown(&field)
        )
        .into(),
        field: Some(field.into()),
        cause: Some(why.into()),
        id: object.file_id(),
        to: to.file_id,
        ..Finding::new(FindingKind::MismatchedReference)
    })
}

/// That a field of a class refers to something that is gone.
pub(super) fn missing(class: &str, field: &str, why: &str) -> String {
    format!("{class}.{} is missing: {why}", shown(field))
}

/// The path of a property as people write it: `m_Calls[0].m_Target`.
pub(super) fn shown(field: &str) -> String {
    field.replace(".Array.data[", "[")
}

/// What a stripped object of a file stood for: its class, and the name of the prefab.
pub(super) fn stood_for(
    judge: &Judge<'_>,
    document: &Document,
    id: FileId,
) -> Option<(String, String)> {
    let object = document.object(id).filter(|object| object.is_stripped())?;
    let keys = ["m_CorrespondingSourceObject", "m_PrefabParentObject"];
    let source = keys.iter().find_map(|key| object.glance_reference(key))?.guid?;
    Some((judge.class_name(object).into_owned(), judge.asset_name(source)?))
}

/// What is wrong with the script of an object, if it should have one.
pub(super) fn check_script(
    judge: &Judge<'_>,
    object: Object<'_>,
    here: &Here<'_>,
) -> Option<Finding> {
    if object.class_id() != ClassId::MONO_BEHAVIOUR || object.is_stripped() {
        return None;
    }
    if has_script(judge, object) {
        return None;
    }
    let value = object.get("m_Script")?;
    let script = value.as_reference()?;
    // A class without a file of its own, which only code can add, has its script in the same file.
    let inside = script.guid.is_none().then(|| (here.class_of)(script.file_id)).flatten();
    if inside == Some(ClassId::MONO_SCRIPT) {
        return None;
    }
    let noted = object.get("m_EditorClassIdentifier").map(|value| value.text());
    let script = script.guid.map(|guid| (guid, script.file_id));
    let graded = judge.script(script, noted.as_deref().unwrap_or(""));
    let kind = match graded.grade {
        ScriptGrade::Present => return None,
        ScriptGrade::Undecided => FindingKind::UnknownScript,
        ScriptGrade::ClassMissing => FindingKind::ScriptWithoutClass,
        ScriptGrade::NameDiffers => FindingKind::ScriptNameDiffers,
        ScriptGrade::Null | ScriptGrade::FileGone | ScriptGrade::Unknown => {
            FindingKind::MissingScript
        }
    };
    // What nobody knows by its name is known by its values.
    let is_nameless = matches!(graded.grade, ScriptGrade::Undecided | ScriptGrade::Unknown);
    let values = if is_nameless { values(object, noted.as_deref()) } else { String::new() };
    Some(Finding {
        line: Some(object.document().line(value.span().start)),
        guid: script.map(|(guid, _)| guid),
        message: format!("{}{values}", graded.detail).into(),
        cause: Some(graded.detail.into()),
        field: Some("m_Script".into()),
        id: object.file_id(),
        ..Finding::new(kind)
    })
}

/// What tells a person which script an object had: the class that the editor noted, and its fields.
fn values(object: Object<'_>, noted: Option<&str>) -> String {
    let class = noted.and_then(ClassIdentifier::parse).map(|noted| noted.name);
    let class = class.map_or_else(String::new, |name| format!("; it was {name}"));
    let is_own = |key: &str| !OF_ALL.contains(&key);
    let mut fields: Vec<_> =
        object.fields().map(|(key, _)| key).filter(|key| is_own(key)).collect();
    let more = fields.len().saturating_sub(MOST_FIELDS);
    fields.truncate(MOST_FIELDS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match fields.as_slice() {
        [] => class,
        fields => format!("{class}; saved fields: {}{more}", fields.join(", ")),
    }
}

/// Fields that are named of a script.
const MOST_FIELDS: usize = 6;
/// What every script's object has.
const OF_ALL: [&str; 12] = [
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "m_GameObject",
    "m_Enabled",
    "m_EditorHideFlags",
    "m_Script",
    "m_Name",
    "m_EditorClassIdentifier",
];

/// Whether an object has its script for certain, told by one line: reading all its values costs many
/// times as much, and nearly all have theirs.
fn has_script(judge: &Judge<'_>, object: Object<'_>) -> bool {
    static KEY: LazyLock<memmem::Finder<'_>> =
        LazyLock::new(|| memmem::Finder::new(b"\n  m_Script: {"));
    let body = &object.document().as_bytes()[object.body_span()];
    let value = KEY.find(body).map(|at| &body[at + KEY.needle().len() - 1..]);
    let guid = value.and_then(parse_reference).and_then(|script| script.guid);
    guid.is_some_and(|guid| !guid.is_zero() && judge.grade(guid) == ScriptGrade::Present)
}

enum Role {
    Structure,
    Script,
    Field,
}

/// What a reference is, by the start of its line.
fn role(object: Object<'_>, line: &[u8]) -> Role {
    let key = line.trim_ascii();
    let is_item = key.first() == Some(&b'-');
    match object.class_id() {
        ClassId::GAME_OBJECT | ClassId::TRANSFORM | ClassId::RECT_TRANSFORM if is_item => {
            Role::Structure
        }
        // The overrides are asked for one by one, as not all of them have an effect.
        ClassId::PREFAB_INSTANCE if key != b"addedObject:" => Role::Structure,
        ClassId::MONO_BEHAVIOUR if line == b"  m_Script: " => Role::Script,
        _ if key.strip_suffix(b":").is_some_and(|key| STRUCTURE.contains(&key)) => Role::Structure,
        _ => Role::Field,
    }
}

/// The path of the property whose value follows a text, such as `m_Calls.Array.data[0].m_Target`.
fn path(text: &[u8]) -> String {
    // Each key with its indentation, and how many items of its list came by.
    let mut open: Vec<(usize, &[u8], Option<usize>)> = Vec::new();
    // The first line is the class.
    for line in text.split(|byte| *byte == b'\n').skip(1) {
        let mut indent = line.iter().take_while(|byte| **byte == b' ').count();
        let mut rest = &line[indent..];
        while let Some(item) = rest.strip_prefix(b"- ").or_else(|| rest.strip_prefix(b"-")) {
            open.retain(|(at, ..)| *at <= indent);
            if let Some((.., count)) = open.last_mut() {
                *count = Some(count.map_or(0, |count| count + 1));
            }
            (indent, rest) = (indent + 2, item);
        }
        let Some(end) = memchr::memchr(b':', rest) else { continue };
        open.retain(|(at, ..)| *at < indent);
        open.push((indent, &rest[..end], None));
    }
    let mut path = String::new();
    for (_, key, item) in open {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&String::from_utf8_lossy(key));
        if let Some(item) = item {
            path.push_str(&format!(".Array.data[{item}]"));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_property_is_read_from_the_lines_above_it() {
        let text = "MonoBehaviour:\n  m_Name: \n  m_List:\n  - {fileID: 1}\n  - ";
        assert_eq!(path(text.as_bytes()), "m_List.Array.data[1]");
        let text = "Button:\n  m_OnClick:\n    m_PersistentCalls:\n      m_Calls:\n      - m_Target: {fileID: 1}\n        m_Mode: 1\n      - m_Target: ";
        assert_eq!(
            path(text.as_bytes()),
            "m_OnClick.m_PersistentCalls.m_Calls.Array.data[1].m_Target"
        );
        let text =
            "Material:\n  m_SavedProperties:\n    m_TexEnvs:\n    - _MainTex:\n        m_Texture: ";
        assert_eq!(
            path(text.as_bytes()),
            "m_SavedProperties.m_TexEnvs.Array.data[0]._MainTex.m_Texture"
        );
        let text = "A:\n  rows:\n  - - 1\n    - {x: 1}\n  next: ";
        assert_eq!(path(text.as_bytes()), "next");
    }
}
