//! The arguments that many Godot tools share.

use schemars::JsonSchema;
use serde::Deserialize;

/// The project of a call. Flatten it into the input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InProject {
    /// Folder or id of the project; the only open Godot project by default.
    pub project_path: Option<String>,
}

/// The scene of a call. Flatten it into the input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InScene {
    /// Folder or id of the project; the only open Godot project by default.
    pub project_path: Option<String>,
    /// The scene: `res://main.tscn`, or the path from the project's root.
    pub scene_path: String,
}

/// A node to be made. Flatten it into the input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InNewNode {
    /// Name of the new node.
    pub node_name: String,
    #[allow(missing_docs, reason = "its own fields are described")]
    #[serde(flatten)]
    pub parent: InParent,
}

/// The parent of a node to be made. Flatten it into the input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InParent {
    /// Path of its parent from the scene's root: `.` is the root itself.
    #[serde(default = "root_path")]
    pub parent_node_path: String,
}

fn root_path() -> String {
    ".".to_owned()
}

/// Whether to write. Flatten it into the input of a tool that does.
#[derive(Debug, Default, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Write {
    /// Return what would change instead of changing it.
    #[serde(default)]
    pub dry_run: bool,
}

/// Which part of a long list to return. Flatten it into the input of a tool that lists.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: usize,
    /// The `nextCursor` of the answer before.
    #[serde(default)]
    pub cursor: usize,
}

fn most() -> usize {
    200
}

impl Page {
    /// The part of a list, and the cursor of the next one unless this is the last.
    pub fn of<T>(self, list: Vec<T>) -> (Vec<T>, Option<usize>) {
        let end = self.cursor.saturating_add(self.limit);
        let next = Some(end).filter(|end| *end < list.len());
        (list.into_iter().skip(self.cursor).take(self.limit).collect(), next)
    }
}
