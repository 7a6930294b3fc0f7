//! What the merge has to know of a format: which lists are sets, what is derived, how values are spelt.

use std::borrow::Cow;

use crate::model::{Item, Kind, Node, Step, Version};
use crate::same::At;
use crate::{godot, json, unity};

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// Objects in Unity's YAML, and metas.
    Unity,
    /// Sections of Godot's scenes, resources and settings.
    Godot {
        /// Settings, and not a scene or resource.
        is_config: bool,
        /// The node is laid out by its parent.
        in_container: bool,
    },
    /// One JSON value.
    Json,
}

/// How a list is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListRule {
    /// Items have an identity; whether their order means something.
    Keyed(KeyOf, bool),
    /// Other values refer to items by their place.
    Indexed,
    /// Nothing is known.
    Free,
}

/// Where the identity of a list item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyOf {
    /// It is the value.
    Value,
    /// The number of the local object that is referred to anywhere in it.
    Reference,
    /// These fields.
    Fields(&'static [&'static str]),
    /// The one key of the item, or `name` below `first` in older files.
    FirstKey,
}

impl KeyOf {
    /// The identity of an item; nothing when it has none.
    pub(crate) fn of(self, item: At<'_>) -> Option<String> {
        let text = |at: At<'_>| String::from_utf8_lossy(at.inner().trim_ascii()).into_owned();
        match self {
            KeyOf::Value => (item.node.kind == Kind::Atom).then(|| squeezed(&text(item))),
            KeyOf::Reference => {
                let value = match item.node.kind {
                    Kind::Map => {
                        item.children().next().filter(|_| item.node.children.len() == 1)?
                    }
                    Kind::Atom => item,
                    Kind::List => return None,
                };
                let spelled = squeezed(&text(value));
                let local = spelled.strip_prefix("{fileID: ").and_then(|id| id.strip_suffix('}'));
                Some(local.unwrap_or(&spelled).to_owned())
            }
            KeyOf::Fields(fields) => {
                let values = fields.iter().map(|field| {
                    let value = item.child(field).filter(|value| value.node.kind == Kind::Atom)?;
                    Some(squeezed(&text(value)))
                });
                Some(values.collect::<Option<Vec<String>>>()?.join(" "))
            }
            KeyOf::FirstKey => {
                let first = item.children().next()?;
                if first.node.key != "first" {
                    return Some(first.node.key.clone());
                }
                match first.node.kind {
                    Kind::Atom => Some(text(first)),
                    _ => first.child("name").map(text),
                }
            }
        }
    }
}

/// The text with every run of white space as one blank: long values are cut into lines.
pub(crate) fn squeezed(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

impl Language {
    /// The tree of an item.
    pub(crate) fn tree(self, version: &Version, item: &Item) -> Node {
        match self {
            Language::Unity => unity::tree(version, item),
            Language::Godot { .. } => godot::tree(version, item),
            Language::Json => json::tree(version, item),
        }
    }

    /// How the list at a path is merged.
    pub(crate) fn list_rule(self, path: &[Step]) -> ListRule {
        match self {
            Language::Unity => unity::list_rule(path),
            Language::Godot { .. } => godot::list_rule(path),
            Language::Json => json::list_rule(path),
        }
    }

    /// Whether the engine makes the value from others.
    pub(crate) fn is_derived(self, path: &[Step]) -> bool {
        match self {
            Language::Unity => unity::is_derived(path),
            Language::Godot { in_container, .. } => godot::is_derived(path, in_container),
            Language::Json => false,
        }
    }

    /// What an atom says, however it is spelt.
    pub(crate) fn canonical(self, raw: &[u8]) -> Cow<'_, str> {
        match self {
            Language::Unity => unity::canonical(raw),
            Language::Godot { .. } => godot::canonical(raw),
            Language::Json => String::from_utf8_lossy(raw.trim_ascii()),
        }
    }

    /// The text of an atom, when it is one.
    pub(crate) fn text(self, raw: &[u8]) -> Option<String> {
        match self {
            Language::Unity => Some(unity::canonical(raw).into_owned())
                .filter(|_| matches!(raw.first(), Some(b'"' | b'\'' | b'|' | b'>'))),
            Language::Godot { .. } => godot::text(raw),
            Language::Json => None,
        }
    }

    /// A text as an atom, in the place of another.
    pub(crate) fn spell(self, text: &str, instead_of: At<'_>) -> Option<Vec<u8>> {
        match self {
            Language::Unity => unity::spell(text, instead_of),
            Language::Godot { .. } => Some(godot::spell(text, instead_of.inner())),
            Language::Json => None,
        }
    }

    /// What opens a comment that takes a whole line.
    pub(crate) fn comment(self) -> Option<&'static str> {
        match self {
            Language::Unity => Some("#"),
            Language::Godot { .. } => Some(";"),
            Language::Json => None,
        }
    }

    /// The class and the name of an item, for people.
    pub(crate) fn label(self, version: &Version, item: &Item) -> (String, String) {
        match self {
            Language::Unity => unity::label(version, item),
            Language::Godot { .. } => godot::label(item),
            Language::Json => (String::new(), item.key.clone()),
        }
    }
}
