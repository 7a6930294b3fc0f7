//! Shaders as far as materials need them: a name, a reference, and the properties that are declared.
//!
//! Sources (`.shader`) and graphs (`.shadergraph`) are read; of the shaders that come with Unity and
//! its pipelines a table has what all their versions declare.

mod graph;
mod known;
mod source;
#[cfg(test)]
mod tests;

use crate::edit::material::{PropertyKind, Setting};
use crate::{FileId, Guid, Reference};

pub use graph::parse_graph;
pub use known::{KNOWN, KnownShader, known, known_by_reference};
pub use source::parse_source;

/// The id of the shader in a file of source.
pub const SOURCE_ID: FileId = FileId(4_800_000);
/// The id of the shader that a graph is imported as.
pub const GRAPH_ID: FileId = FileId(-6_465_566_751_694_194_690);

/// A shader, as far as materials need it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shader {
    /// Its name, such as `Universal Render Pipeline/Lit`.
    pub name: String,
    /// What it declares, in the order of its source.
    pub properties: Vec<Declared>,
}

/// A property that a shader declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Its name, such as `_MainTex`.
    pub name: String,
    /// What it is.
    pub kind: PropertyKind,
    /// What a new material has.
    pub default: Setting,
    /// Of four numbers, whether they are a vector and no colour.
    pub is_vector: bool,
    /// The keywords that its value turns on.
    pub switch: Option<Switch>,
}

/// Keywords that follow from a number, as an attribute of the property says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Switch {
    /// `[Toggle]`: on unless it is 0.
    On(String),
    /// `[ToggleOff]`: on when it is 0.
    Off(String),
    /// `[KeywordEnum]`: the one whose place it is.
    OneOf(Vec<String>),
}

impl Switch {
    /// Every keyword with whether a value turns it on.
    pub fn keywords(&self, value: f32) -> Vec<(&str, bool)> {
        let is_on = value.abs() > 0.001;
        match self {
            Switch::On(word) => vec![(word, is_on)],
            Switch::Off(word) => vec![(word, !is_on)],
            Switch::OneOf(words) => {
                let place = |at: usize| at == value.max(0.0) as usize;
                words.iter().enumerate().map(|(at, word)| (word.as_str(), place(at))).collect()
            }
        }
    }
}

impl Shader {
    /// The property of a name.
    pub fn property(&self, name: &str) -> Option<&Declared> {
        self.properties.iter().find(|property| property.name == name)
    }
}

/// How materials refer to the shader in a file.
pub fn reference_to(path: &str, guid: Guid) -> Option<Reference> {
    let (_, extension) = path.rsplit_once('.')?;
    let file_id = match extension.to_ascii_lowercase().as_str() {
        "shader" => SOURCE_ID,
        "shadergraph" => GRAPH_ID,
        _ => return None,
    };
    Some(Reference { file_id, guid: Some(guid), kind: 3 })
}

/// The shader in a file: its source, or its graph.
pub fn parse_file(path: &str, content: &[u8]) -> Option<Shader> {
    let text = String::from_utf8_lossy(content);
    let lower = path.to_ascii_lowercase();
    if lower.ends_with(".shadergraph") {
        let name = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'))?.0;
        return parse_graph(name, &text);
    }
    lower.ends_with(".shader").then(|| parse_source(&text)).flatten()
}

/// A texture that a material does not have yet.
const NO_TEXTURE: Setting = Setting::Texture { texture: None, scale: [None; 2], offset: [None; 2] };
