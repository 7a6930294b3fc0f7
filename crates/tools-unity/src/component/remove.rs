//! The tool `component.remove`: Remove Component.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::editing::edit_scene;

pub(crate) const TOOL: Tool = Tool {
    id: "component.remove",
    title: "Remove Component",
    keywords: "detach script delete component from object missing script take off collider strip",
    notes: Some("References of the file to it are cleared and told."),
    category: "component",
    tier: Tier::Tier2,
    safety: Safety::Destructive,
    idempotent: false,
    examples: &[Example {
        description: "Take the collider off the marker of the Unity sample",
        input: r#"{ "hierarchyPath": "Debug Marker", "componentType": "SphereCollider" }"#,
        output: r#"{ "success": true, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Take a component off a GameObject; never its transform, and never one that another needs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the object, such as `Canvas/Panel/Button`.
    hierarchy_path: String,
    /// Class of the component, short or full.
    component_type: String,
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
    let (object, class) = (&input.hierarchy_path, &input.component_type);
    let project = input.project.as_deref();
    let (_, done, written) = edit_scene(cx, project, input.scene_path, input.dry_run, |editor| {
        editor.remove_component(object, class)
    })?;
    Ok(Output { success: true, remarks: done.remarks, written })
}
