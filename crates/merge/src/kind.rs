//! What a file is, by its name and its first bytes, and whether it is merged here at all.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use scenewright_godot::Form;

use crate::language::Language;
use crate::{Inputs, Refusal, Refused};

/// Larger files are not read, and left to git.
pub const MAX_BYTES: usize = 256 << 20;

/// The content of a file, unless it is larger than is read.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    // Room for all of it at once; growing bit by bit takes longer than reading.
    let size = file.metadata().map_or(0, |metadata| metadata.len()).min(MAX_BYTES as u64);
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() > MAX_BYTES {
        true => Err(io::Error::other(Refusal::TooLarge(bytes.len() >> 20).to_string())),
        false => Ok(bytes),
    }
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Scenes, prefabs, assets, settings and metas of Unity.
    Unity,
    /// Scenes and resources of Godot.
    Godot,
    /// Settings of Godot: `project.godot`, `.import` and the like.
    GodotConfig,
    /// Assembly definitions, input actions and manifests.
    Json,
}

impl FileKind {
    /// What a file of this name can be.
    pub fn of_path(path: &Path) -> Option<FileKind> {
        match Form::of_path(path) {
            Some(Form::Resource) => return Some(FileKind::Godot),
            Some(Form::Config) => return Some(FileKind::GodotConfig),
            None => {}
        }
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let extension = name.rsplit_once('.')?.1;
        match extension {
            "asmdef" | "asmref" | "inputactions" => Some(FileKind::Json),
            "json" if matches!(&*name, "manifest.json" | "packages-lock.json") => {
                Some(FileKind::Json)
            }
            _ if UNITY.contains(&extension) => Some(FileKind::Unity),
            _ => None,
        }
    }

    pub(crate) fn language(self) -> Language {
        match self {
            FileKind::Unity => Language::Unity,
            FileKind::Godot => Language::Godot { is_config: false, in_container: false },
            FileKind::GodotConfig => Language::Godot { is_config: true, in_container: false },
            FileKind::Json => Language::Json,
        }
    }
}

/// The names of Unity's text files, for `.gitattributes` too.
pub const UNITY: [&str; 29] = [
    "unity",
    "prefab",
    "asset",
    "mat",
    "anim",
    "controller",
    "overridecontroller",
    "mask",
    "meta",
    "playable",
    "preset",
    "lighting",
    "giparams",
    "mixer",
    "rendertexture",
    "customrendertexture",
    "physicmaterial",
    "physicsmaterial",
    "physicsmaterial2d",
    "physicmaterial2d",
    "spriteatlas",
    "spriteatlasv2",
    "terrainlayer",
    "fontsettings",
    "flare",
    "guiskin",
    "brush",
    "signal",
    "scenetemplate",
];

/// What three versions of a file are, or why they are left alone.
pub(crate) fn of_all(path: &Path, inputs: Inputs<'_>) -> Result<FileKind, Refused> {
    let versions = [("ours", inputs.ours), ("theirs", inputs.theirs), ("base", inputs.base)];
    let kind = FileKind::of_path(path).or_else(|| {
        // A temporary file has no name that tells.
        let is_unity = inputs.ours.starts_with(b"%YAML") && inputs.theirs.starts_with(b"%YAML");
        is_unity.then_some(FileKind::Unity)
    });
    let Some(kind) = kind else {
        return Err(Refused { version: "file", reason: Refusal::UnknownKind });
    };
    for (version, bytes) in versions {
        if let Some(reason) = refusal(bytes, version == "base") {
            return Err(Refused { version, reason });
        }
    }
    Ok(kind)
}

/// Why the bytes of one version are left alone.
pub(crate) fn refusal(bytes: &[u8], may_be_empty: bool) -> Option<Refusal> {
    let start = &bytes[..bytes.len().min(8000)];
    match () {
        () if bytes.len() > MAX_BYTES => Some(Refusal::TooLarge(bytes.len() >> 20)),
        () if memchr::memchr(0, start).is_some() => Some(Refusal::Binary),
        () if bytes.starts_with(b"version https://git-lfs") => Some(Refusal::LfsPointer),
        () if has_markers(bytes) => Some(Refusal::ConflictMarkers),
        () if bytes.trim_ascii().is_empty() && !may_be_empty => {
            Some(Refusal::NotReadable("it is empty".into()))
        }
        () => None,
    }
}

/// Whether a conflict of git, or one of ours, is in the text.
fn has_markers(bytes: &[u8]) -> bool {
    let starts_line = |at: usize| {
        let lead = &bytes[memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1)..at];
        lead.is_empty() || matches!(lead.trim_ascii(), b"#" | b";") && lead.ends_with(b" ")
    };
    let find = |mark: &'static [u8]| {
        memchr::memmem::find_iter(bytes, mark).any(|at| {
            starts_line(at) && matches!(bytes.get(at + 7), None | Some(b' ' | b'\r' | b'\n'))
        })
    };
    find(b"<<<<<<<") && memchr::memmem::find(bytes, b">>>>>>>").is_some()
}
