//! Whole objects that come and go, and ids for new ones. References to them are the caller's.

use std::collections::HashSet;

use scenewright_text::Edits;

use super::new::push_field;
use super::{Habits, Manner, New, Refused, set};
use crate::{ClassId, Document, FileId, Guid, Object};

/// An object to be added to a file.
#[derive(Debug, Clone, PartialEq)]
pub struct NewObject {
    /// Its native class.
    pub class: ClassId,
    /// Its id; see [`fresh_ids`].
    pub id: FileId,
    /// The key above its values: the name of the class.
    pub key: String,
    /// It stands for one inside a prefab instance.
    pub stripped: bool,
    /// Its values.
    pub fields: Vec<(String, New)>,
}

impl NewObject {
    /// The lines of the object.
    pub(crate) fn text(&self, manner: Manner) -> String {
        let stripped = if self.stripped { " stripped" } else { "" };
        let mut text = format!("--- !u!{} &{}{stripped}", self.class, self.id);
        text.push_str(manner.line_break);
        text.push_str(&self.key);
        text.push(':');
        for (key, value) in &self.fields {
            text.push_str(manner.line_break);
            push_field(&mut text, key, value, 2, manner);
        }
        text + manner.line_break
    }
}

/// The text of a new file with one object, as the editor of a project writes it.
pub fn new_file(object: &NewObject, habits: Habits) -> String {
    let text = object.text(Manner::fresh().in_project(habits));
    format!("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{text}")
}

/// Add an object: where its id belongs in a file that is in order, otherwise at the end.
pub fn insert_object(document: &Document, object: &NewObject, manner: &Manner, edits: &mut Edits) {
    insert_text(document, object.id, object.text(*manner), manner, edits);
}

/// Add a copy of an object under another id, with other values at some paths: what a file says of
/// its kind, keys and their order, the new one says, too.
pub fn insert_copy(
    object: Object<'_>,
    id: FileId,
    changes: &[(&str, New)],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let document = object.document();
    let alone = Document::parse(&document.as_bytes()[object.span()]);
    let copied = alone.object_at(0).ok_or_else(|| Refused::Shape(object.class_name().into()))?;
    let mut changed = Edits::default();
    for (path, value) in changes {
        set(copied, path, value, manner, &mut changed)?;
    }
    let header = String::from_utf8_lossy(&alone.as_bytes()[copied.header_span()]).into_owned();
    let old = format!("&{}", object.file_id());
    changed.replace(copied.header_span(), header.replacen(&old, &format!("&{id}"), 1));
    let text = changed.apply(alone.as_bytes()).map_err(|_| Refused::Shape(old))?;
    let text = String::from_utf8_lossy(&text).trim_end_matches(['\r', '\n']).to_owned();
    insert_text(document, id, text + manner.line_break, manner, edits);
    Ok(())
}

/// Puts the lines of an object where its id belongs.
fn insert_text(document: &Document, id: FileId, text: String, manner: &Manner, edits: &mut Edits) {
    let is_sorted = document.objects().is_sorted_by_key(Object::file_id);
    let is_behind = |other: &Object<'_>| match is_sorted {
        true => other.file_id() > id,
        // The order of the roots stays last.
        false => other.class_id() == ClassId::SCENE_ROOTS,
    };
    let next = document.objects().find(is_behind);
    let bytes = document.as_bytes();
    let at = next.map_or(bytes.len(), |next| next.span().start);
    match at > 0 && bytes[at - 1] != b'\n' {
        true => {
            edits.insert(at, manner.line_break.to_owned() + text.trim_end_matches(['\r', '\n']))
        }
        false => edits.insert(at, text),
    }
}

/// Remove an object from a file.
pub fn remove_object(object: Object<'_>, edits: &mut Edits) {
    edits.remove(object.span());
}

/// The first of `count` ids in a row that neither the file nor `taken` has; the same for the same
/// file and `seed`.
pub fn fresh_ids(document: &Document, taken: &HashSet<i64>, seed: &str, count: usize) -> FileId {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in seed.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    // Unity numbers the objects of scenes with 31 bits; small numbers are its settings.
    const FIRST: i64 = 1 << 20;
    const LAST: i64 = i32::MAX as i64;
    let count = i64::try_from(count).unwrap_or(1).max(1);
    let mut first = ((hash ^ (hash >> 32)) & 0x7fff_ffff) as i64;
    loop {
        if !(FIRST..=LAST - count).contains(&first) {
            first = FIRST + first.rem_euclid(LAST - FIRST - count);
        }
        let is_used = |id: &i64| taken.contains(id) || document.object(FileId(*id)).is_some();
        match (first..first + count).rev().find(is_used) {
            Some(used) => first = used + 1,
            None => return FileId(first),
        }
    }
}

/// An id for a new object of an asset, which Unity numbers with all 64 bits; the same for the same
/// file and `seed`.
pub fn fresh_asset_id(document: &Document, taken: &HashSet<i64>, seed: &str) -> FileId {
    // Below are the ids of main objects, such as 11400000.
    const FIRST: u64 = 1 << 32;
    let mut id = spread(seed, 0) as i64;
    while id.unsigned_abs() < FIRST || taken.contains(&id) || document.object(FileId(id)).is_some()
    {
        id = id.wrapping_add(0x9e37_79b9_7f4a_7c15_u64 as i64);
    }
    FileId(id)
}

/// A guid for something inside of one file; the same for the same `seed`.
pub fn inner_guid(seed: &str) -> Guid {
    let mut bytes = [0; 16];
    for (half, part) in bytes.chunks_exact_mut(8).enumerate() {
        part.copy_from_slice(&spread(seed, half as u64 + 1).to_be_bytes());
    }
    Guid(bytes)
}

/// A number in which every bit depends on all of a text.
fn spread(seed: &str, salt: u64) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325 ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in seed.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
