//! What kind of asset a file is, by its ending.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of asset a file is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[allow(missing_docs, reason = "a doc comment would become a description in schemas")]
#[serde(rename_all = "snake_case")]
pub enum AssetKind {
    Texture,
    Audio,
    Model,
    Font,
}

impl AssetKind {
    /// The kind of a file by its name; nothing for what Godot does not import as one of these.
    pub fn of_path(path: &str) -> Option<Self> {
        let extension = path.rsplit_once('.')?.1.to_ascii_lowercase();
        match extension.as_str() {
            "png" | "jpg" | "jpeg" | "webp" | "svg" | "svgz" | "bmp" | "tga" | "hdr" | "exr"
            | "ktx" | "dds" => Some(Self::Texture),
            "wav" | "ogg" | "mp3" => Some(Self::Audio),
            "glb" | "gltf" | "fbx" | "obj" | "dae" | "blend" => Some(Self::Model),
            "ttf" | "ttc" | "otf" | "otc" | "woff" | "woff2" | "pfb" | "pfm" | "fnt" | "font" => {
                Some(Self::Font)
            }
            _ => None,
        }
    }
}
