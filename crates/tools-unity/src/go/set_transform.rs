//! The tool `go.setTransform`: Set Transform.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::editing::edit_scene;

pub(crate) const TOOL: Tool = Tool {
    id: "go.setTransform",
    title: "Set Transform",
    keywords: "position rotation scale move rotate place object world turn bigger smaller teleport coordinates up down left right resize shift",
    notes: Some("unity_edit sets local values too."),
    category: "go",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Move the player of the Unity sample",
        input: r#"{ "hierarchyPath": "Player", "position": { "x": 1, "y": 0, "z": 2 } }"#,
        output: r#"{ "success": true, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set where a GameObject is in the world, its turn in degrees, and its local scale; what is left out stays.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the object, such as `Canvas/Panel/Button`.
    hierarchy_path: String,
    /// Position in the world: `{x, y, z}`.
    position: Option<Value>,
    /// Turn in the world, in degrees: `{x, y, z}`.
    rotation_euler: Option<Value>,
    /// Scale in its parent: `{x, y, z}`.
    scale: Option<Value>,
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

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let path = input.hierarchy_path.clone();
    let parts = [
        ("eulerAngles", input.rotation_euler),
        ("localScale", input.scale),
        ("position", input.position),
    ];
    if parts.iter().all(|(_, value)| value.is_none()) {
        return Err(ToolError::bad_argument("position", "or rotationEuler or scale must be given"));
    }
    let change = |editor: &mut Editor<'_>| {
        let mut remarks = Vec::new();
        for (field, value) in parts {
            if let Some(value) = value {
                remarks.extend(editor.set(Some(&path), Some("Transform"), field, &value)?.remarks);
            }
        }
        Ok(remarks)
    };
    let project = input.project.as_deref();
    let (_, remarks, written) = edit_scene(cx, project, input.scene_path, input.dry_run, change)?;
    Ok(Output { success: true, remarks, written })
}
