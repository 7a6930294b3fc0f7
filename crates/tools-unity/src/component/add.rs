//! The tool `component.add`: Add Component.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::editing::edit_scene;

pub(crate) const TOOL: Tool = Tool {
    id: "component.add",
    title: "Add Component",
    keywords: "attach script put component on object new collider rigidbody light monobehaviour audio source animator behaviour physics gravity",
    notes: Some("Inside a prefab instance it is added to the instance."),
    category: "component",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Give the hand of the Unity sample a collider",
        input: r#"{ "hierarchyPath": "Player/Hand", "componentType": "BoxCollider" }"#,
        output: r#"{ "success": true, "componentType": "BoxCollider", "fileID": 0, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["fileID", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a component to a GameObject, complete as Unity writes it, and what it needs.
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
    /// The class that was added.
    component_type: String,
    /// What the file calls it.
    #[serde(rename = "fileID")]
    file_id: i64,
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
        editor.add_component(object, class, &[])
    })?;
    let (component_type, id) = done.component.unwrap_or_default();
    Ok(Output { success: true, component_type, file_id: id.0, remarks: done.remarks, written })
}
