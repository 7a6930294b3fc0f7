//! The tool `go.delete`: Delete GameObject.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::editing::edit_scene;

pub(crate) const TOOL: Tool = Tool {
    id: "go.delete",
    title: "Delete GameObject",
    keywords: "remove destroy object from scene erase rid",
    notes: Some("References of other files are told, not changed."),
    category: "go",
    tier: Tier::Tier2,
    safety: Safety::Destructive,
    idempotent: false,
    examples: &[Example {
        description: "Delete the marker of the Unity sample",
        input: r#"{ "hierarchyPath": "Debug Marker" }"#,
        output: r#"{ "success": true, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Delete a GameObject with its children; references of the file to it are cleared and told.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the object, such as `Canvas/Panel/Button`.
    hierarchy_path: String,
    /// False moves its children to its parent instead.
    #[serde(default = "yes")]
    include_children: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What else is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn yes() -> bool {
    true
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let change = |editor: &mut Editor<'_>| {
        if !input.include_children {
            editor.lift_children(&input.hierarchy_path)?;
        }
        editor.delete(&input.hierarchy_path, false)
    };
    let project = input.project.as_deref();
    let (_, done, written) = edit_scene(cx, project, input.scene_path, input.dry_run, change)?;
    Ok(Output { success: true, remarks: done.remarks, written })
}
