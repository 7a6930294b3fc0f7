//! One file of a snapshot: what it is, what it declares and what it uses.

use crate::Script;

/// A file of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The path from the project root, with `/`.
    pub path: String,
    /// What it is, by its name.
    pub kind: FileKind,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub modified: i64,
    /// The uid that is written in this file.
    pub uid: Option<String>,
    /// The class of a resource, the root's class of a scene, the importer of an `.import`.
    pub class: Option<String>,
    /// What it uses, in file order.
    pub uses: Vec<Use>,
    /// Groups that nodes of a scene are in.
    pub groups: Vec<String>,
    /// Input actions that settings define.
    pub actions: Vec<String>,
    /// What a script declares.
    pub script: Option<Script>,
    /// The first thing that is wrong with it.
    pub problem: Option<String>,
    /// True when it could not be read as text, so that nobody knows what it uses.
    pub is_unread: bool,
    /// True when it changed so shortly before it was read that a later change may have the same
    /// time.
    pub(super) is_racy: bool,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// `.tscn`.
    Scene,
    /// `.tres`.
    Resource,
    /// `.gd`.
    Script,
    /// `.cs`.
    CSharp,
    /// `.gdshader` and `.gdshaderinc`.
    Shader,
    /// `project.godot`, `.cfg`, `.gdextension`.
    Settings,
    /// `.import`, beside the file that it is about.
    Import,
    /// `.uid`, beside the file that it is about.
    Uid,
    /// Anything else: images, models, sounds, binary resources.
    Other,
}

impl FileKind {
    /// The kind of a file by its name.
    pub fn of_path(path: &str) -> FileKind {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "tscn" | "escn" => FileKind::Scene,
            "tres" => FileKind::Resource,
            "gd" => FileKind::Script,
            "cs" => FileKind::CSharp,
            "gdshader" | "gdshaderinc" | "shader" => FileKind::Shader,
            "godot" | "cfg" | "gdextension" | "gdnlib" => FileKind::Settings,
            "import" => FileKind::Import,
            "uid" => FileKind::Uid,
            _ => FileKind::Other,
        }
    }
}

/// A use of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// How.
    pub kind: UseKind,
    /// The `res://` path, when one is written.
    pub path: Option<String>,
    /// The `uid://`, when one is written.
    pub uid: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The byte where it is written.
    pub offset: usize,
}

/// How a file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// `[ext_resource]`.
    ExtResource,
    /// `Resource("…")` in a value.
    Value,
    /// `preload`, `load` or the base of a script.
    Load,
    /// `[autoload]` of the settings.
    Autoload,
    /// The main scene.
    MainScene,
    /// An enabled plugin.
    Plugin,
    /// What an `.import` is about.
    ImportSource,
    /// Any other text with such a path.
    Text,
}

impl FileEntry {
    /// The path with `res://`.
    pub fn res_path(&self) -> String {
        format!("res://{}", self.path)
    }

    /// The name without folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// True when nothing about the file differs but how sure its reading is.
    pub(super) fn says_the_same(&self, other: &FileEntry) -> bool {
        let other = FileEntry { is_racy: self.is_racy, ..other.clone() };
        *self == other
    }

    /// The file that an `.import` or `.uid` stands beside.
    pub fn companion_of(&self) -> Option<&str> {
        match self.kind {
            FileKind::Import => self.path.strip_suffix(".import"),
            FileKind::Uid => self.path.strip_suffix(".uid"),
            _ => None,
        }
    }
}
