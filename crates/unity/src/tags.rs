//! The tags and layers that a project gives names to.

use std::path::Path;

use crate::file::{self, Content};
use crate::{Document, DocumentKind, Value};

/// Tags that every project has.
pub const BUILT_IN_TAGS: [&str; 7] =
    ["Untagged", "Respawn", "Finish", "EditorOnly", "MainCamera", "Player", "GameController"];

/// The settings that have them.
pub const TAG_MANAGER: &str = "ProjectSettings/TagManager.asset";

/// The tags and layers of a project's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags {
    /// The project's own tags, without those that every project has.
    pub own: Vec<String>,
    /// The names of the layers, by index and empty for those without; nothing when the settings have
    /// no such list.
    pub layers: Option<Vec<String>>,
    /// The layers that sprites are sorted by, back to front, with the numbers that renderers have.
    pub sorting: Vec<(String, i64)>,
    /// Whether there are such settings at all.
    pub is_there: bool,
}

impl Tags {
    /// The tags of the project in this folder; nothing when its settings cannot be read.
    pub fn read(root: &Path) -> Option<Tags> {
        match file::read_inside(root, &root.join(TAG_MANAGER)) {
            Ok(Content::Absent) => Some(Tags::default()),
            Ok(Content::Bytes(bytes)) => Tags::parse(bytes),
            Ok(Content::LfsPointer) | Err(_) => None,
        }
    }

    /// The tags in the content of these settings, which may not be in their file yet; nothing when it
    /// cannot be read.
    pub fn parse(bytes: Vec<u8>) -> Option<Tags> {
        let document = Document::of_file(bytes);
        let is_read = document.kind() == DocumentKind::UnityYaml && document.problems().is_empty();
        if !is_read {
            return None;
        }
        let list = |key: &str| -> Option<Vec<String>> {
            let list = document.objects().find_map(|object| object.get(key))?;
            Some(list.items().map(|item| item.text().into_owned()).collect())
        };
        let sorting = document.objects().find_map(|object| object.get("m_SortingLayers"));
        let read = |item: Value<'_>| {
            // The settings have it without a sign, and renderers with one.
            let number: u32 = item.get("uniqueID")?.text().parse().ok()?;
            Some((item.get("name")?.text().into_owned(), i64::from(number.cast_signed())))
        };
        let sorting = sorting.into_iter().flat_map(Value::items).filter_map(read).collect();
        let (own, layers) = (list("tags").unwrap_or_default(), list("layers"));
        Some(Tags { own, layers, sorting, is_there: true })
    }

    /// All tags that objects may have.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        BUILT_IN_TAGS.into_iter().chain(self.own.iter().map(String::as_str))
    }
}
