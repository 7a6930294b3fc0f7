//! The tool `component.setProperty`: Set Component Property.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::editing::{edit_scene, given};

pub(crate) const TOOL: Tool = Tool {
    id: "component.setProperty",
    title: "Set Component Property",
    keywords: "change field value of component inspector serialized property set reference intensity speed color mass size text sprite enabled variable tweak font volume range health",
    notes: Some("Inside a prefab instance it becomes an override."),
    category: "component",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Give the sun of the Unity sample another colour",
        input: r##"{ "hierarchyPath": "Directional Light", "componentType": "Light", "propertyPath": "m_Color", "value": "#ffd080" }"##,
        output: r#"{ "success": true, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set a field of a component of a GameObject.
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
    /// Field: its path in files or its name in C#.
    property_path: String,
    /// New value: any JSON; references as unity_edit takes them.
    #[serde(default, deserialize_with = "given")]
    #[schemars(schema_with = "schema::any_value", required)]
    value: Option<Value>,
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
    let value = input.value.ok_or_else(|| ToolError::bad_argument("value", "must be given"))?;
    let change = |editor: &mut Editor<'_>| {
        editor.set(
            Some(&input.hierarchy_path),
            Some(&input.component_type),
            &input.property_path,
            &value,
        )
    };
    let project = input.project.as_deref();
    let (_, done, written) = edit_scene(cx, project, input.scene_path, input.dry_run, change)?;
    Ok(Output { success: true, remarks: done.remarks, written })
}
