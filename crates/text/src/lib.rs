//! Text that survives: what is not edited keeps its bytes.
//!
//! An [`Edits`] is a list of byte ranges and what replaces them; [`diff::unified`] shows what came of
//! it. Everything works on bytes, so invalid UTF-8, byte order marks and odd line ends pass through.
//!
//! ```
//! use scenewright_text::Edits;
//!
//! let mut edits = Edits::default();
//! edits.replace(0..3, "new");
//! edits.insert(8, "!");
//! assert_eq!(edits.apply(b"old text").unwrap(), b"new text!");
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod beneath;
pub mod diff;
mod edit;
mod ignored;
mod json;
mod line_index;
mod lines;
pub mod links;
pub mod private;
pub mod proof;
pub mod regular;
mod repository;
mod room;
mod shared;
pub mod temporary;
pub mod time;
mod whole;
mod words;

pub use edit::{Edit, EditError, Edits};
pub use ignored::{Ignored, ignore_rules};
pub use json::{JsonNode, JsonParts, read_commented_json, read_json};
pub use line_index::LineIndex;
pub use lines::{LineEnding, line_column, line_ending};
pub use repository::repository;
pub use room::{Place, Room};
pub use shared::Shared;
pub use whole::{random_name, write_whole};
pub use words::{counted, errors_and_warnings, find_word, has_word};
