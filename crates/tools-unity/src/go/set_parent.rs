//! The tool `go.setParent`: Set Parent.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::editing::edit_scene;

pub(crate) const TOOL: Tool = Tool {
    id: "go.setParent",
    title: "Set Parent",
    keywords: "reparent move object under another parent hierarchy child root attach unparent group put",
    notes: Some("unity_edit also takes a place among the siblings."),
    category: "go",
    tier: Tier::Core,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Take the hand of the Unity sample off the player",
        input: r#"{ "childPath": "Player/Hand" }"#,
        output: r#"{ "success": true, "childPath": "Player/Hand", "newParentPath": "", "newHierarchyPath": "Hand", "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Move a GameObject under another parent, or to the root of its scene; it stays where it is in the world.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the object.
    child_path: String,
    /// Path of its new parent; the root of the scene by default.
    parent_path: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The object that was moved.
    child_path: String,
    /// Its new parent; empty for the root.
    new_parent_path: String,
    /// Its path now.
    new_hierarchy_path: String,
    /// What else is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let parent = input.parent_path.unwrap_or_default();
    let child = &input.child_path;
    let change = |editor: &mut Editor<'_>| editor.reparent(child, Some(&parent), None, true);
    let project = input.project.as_deref();
    let (_, done, written) = edit_scene(cx, project, input.scene_path, input.dry_run, change)?;
    Ok(Output {
        success: true,
        child_path: input.child_path,
        new_parent_path: parent,
        new_hierarchy_path: done.path,
        remarks: done.remarks,
        written,
    })
}
