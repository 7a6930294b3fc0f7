//! Whole objects that come and go, and ids for new ones. References to them are the caller's.

use std::collections::HashSet;

use scenewright_text::Edits;

use super::new::push_field;
use super::{Manner, New};
use crate::{ClassId, Document, FileId, Object};

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

/// Add an object: where its id belongs in a file that is in order, otherwise at the end.
pub fn insert_object(document: &Document, object: &NewObject, manner: &Manner, edits: &mut Edits) {
    let is_sorted = document.objects().is_sorted_by_key(Object::file_id);
    let is_behind = |other: &Object<'_>| match is_sorted {
        true => other.file_id() > object.id,
        // The order of the roots stays last.
        false => other.class_id() == ClassId::SCENE_ROOTS,
    };
    let next = document.objects().find(is_behind);
    let bytes = document.as_bytes();
    let at = next.map_or(bytes.len(), |next| next.span().start);
    let text = object.text(*manner);
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
