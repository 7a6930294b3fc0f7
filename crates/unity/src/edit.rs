//! Changes of Unity's text files, as edits by byte range.
//!
//! Everything here takes a [`Document`](crate::Document) and adds to
//! [`Edits`](scenewright_text::Edits); bytes that nobody asked to change stay as they are, and new text
//! copies the manners of the file.
//!
//! ```
//! use scenewright_text::Edits;
//! use scenewright_unity::{Document, FileId, edit::{Manner, New, set}};
//!
//! let document = Document::parse("--- !u!4 &2\nTransform:\n  m_LocalPosition: {x: 0, y: 1, z: 0}\n");
//! let mut edits = Edits::default();
//! let transform = document.object(FileId(2)).unwrap();
//! set(transform, "m_LocalPosition.y", &New::float(2.5), &Manner::of(&document), &mut edits).unwrap();
//! let after = edits.apply(document.as_bytes()).unwrap();
//! assert!(String::from_utf8(after).unwrap().ends_with("{x: 0, y: 2.5, z: 0}\n"));
//! ```

mod address;
pub mod enums;
pub mod fresh;
mod instance;
pub mod kind;
mod list;
mod manner;
mod map;
pub mod material;
mod new;
mod object;
mod overrides;
mod platforms;
pub mod rules;
pub mod scene;
pub mod script_fields;
mod set;
mod sheet;
mod stand_in;
#[cfg(test)]
mod tests;

pub use instance::{
    InstanceForm, InstanceLists, ListChanges, SourceRoot, change_lists, instance_fields,
    instance_lists,
};
pub(crate) use list::set_items;
pub use list::{Item, append, set_list};
pub use manner::{Habits, Manner};
pub use map::set_entries;
pub use new::New;
pub use object::{
    NewObject, fresh_asset_id, fresh_ids, inner_guid, insert_copy, insert_object, new_file,
    remove_object,
};
pub use overrides::{
    Override, entry as override_entry, remove_override, remove_overrides, set_overrides,
    sort_overrides,
};
pub(crate) use set::overwrite;
pub use set::{is_same_number, set, set_in};
pub use sheet::Sheet;
pub use stand_in::{Inner, is_old, links, script_head, stand_ins};

/// Why a value cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The file has something there that is written in another way.
    #[error("the file has {0} in another form")]
    Shape(String),
    /// There is no place for it.
    #[error("the file has no place for {0}")]
    NoPlace(String),
}

/// What a new component of a script has.
#[derive(Debug, Clone, Default)]
pub struct ScriptFields {
    /// Its saved fields, bases first, with what they begin with.
    pub values: Vec<(String, New)>,
    /// What each of them holds.
    pub kinds: Vec<(String, kind::Kind)>,
    /// Fields that Unity may save, and whose types are not declared here.
    pub unknown: Vec<String>,
    /// The `Reset` of the class does more than set them.
    pub does_more: bool,
    /// All fields are known, those of the bases too.
    pub is_whole: bool,
}

/// The JSON that a string holds, unless that is a string again.
pub fn json_inside(value: &serde_json::Value) -> Option<serde_json::Value> {
    let inside: serde_json::Value = serde_json::from_str(value.as_str()?).ok()?;
    (!inside.is_string()).then_some(inside)
}

/// The parts of a colour as `#rgb`, `#rrggbb` or `#rrggbbaa`.
pub fn hex_color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let long = match digits.len() {
        3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 | 8 => digits.to_owned(),
        _ => return None,
    };
    let part = |at: usize| match long.get(at..at + 2) {
        Some(pair) if is_hex => u8::from_str_radix(pair, 16).ok(),
        _ => None,
    };
    Some([part(0)?, part(2)?, part(4)?, if long.len() == 8 { part(6)? } else { 255 }])
}
