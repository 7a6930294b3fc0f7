//! The arguments that many Godot tools share.

use schemars::JsonSchema;
use serde::Deserialize;

/// The project of a call. Flatten it into the input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InProject {
    /// Folder or id of the project; the first open Godot project by default.
    pub(crate) project_path: Option<String>,
}

/// The scene of a call. Flatten it into the input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InScene {
    /// Folder or id of the project; the first open Godot project by default.
    pub(crate) project_path: Option<String>,
    /// The scene: `res://main.tscn`, or the path from the project's root.
    pub(crate) scene_path: String,
}

/// Whether to write. Flatten it into the input of a tool that does.
#[derive(Debug, Default, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Write {
    /// Return what would change instead of changing it.
    #[serde(default)]
    pub(crate) dry_run: bool,
}
