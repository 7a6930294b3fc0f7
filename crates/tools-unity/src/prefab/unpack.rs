//! The tool `prefab.unpack`: Unpack Prefab Instance.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::editing::edit_scene;

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.unpack",
    title: "Unpack Prefab Instance",
    keywords: "unlink detach break connection instance plain objects ungroup completely disconnect from its prefab",
    notes: Some(
        "What the file shows stays the same. An instance of a variant becomes one of what that is a variant of, unless completely.",
    ),
    category: "prefab",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make plain objects of a room of the Unity sample; the lanterns in it stay instances",
        input: r#"{ "scenePath": "Assets/Scenes/Cellar.unity", "hierarchyPath": "Storage Room" }"#,
        output: r#"{ "success": true, "object": "Storage Room", "fileID": 0, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["fileID", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make plain objects of a prefab instance, with the values it has now; references to them follow.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the instance.
    hierarchy_path: String,
    /// True unpacks the prefabs in it as well.
    #[serde(default)]
    completely: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The path of the object.
    object: String,
    /// What the file calls it now.
    #[serde(rename = "fileID", skip_serializing_if = "Option::is_none")]
    file_id: Option<i64>,
    /// What else is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let (project, scene) = (input.project.as_deref(), input.scene_path);
    let (_, done, written) = edit_scene(cx, project, scene, input.dry_run, |editor| {
        editor.unpack(&input.hierarchy_path, input.completely)
    })?;
    Ok(Output {
        success: true,
        object: done.path,
        file_id: done.id.map(|id| id.0),
        remarks: done.remarks,
        written,
    })
}

#[cfg(test)]
mod tests;
