//! The tool `prefab.editProperty`: Edit Prefab Property.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::editing::{edit_file, given};

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.editProperty",
    title: "Edit Prefab Property",
    keywords: "change field value in prefab asset component inside file",
    notes: Some("In a variant it becomes an override of its base."),
    category: "prefab",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Give the light of the lantern of the Unity sample another colour",
        input: r##"{ "prefabPath": "Assets/Prefabs/Lantern.prefab", "componentType": "Light", "propertyPath": "m_Color", "value": "#ffd080" }"##,
        output: r#"{ "success": true, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set a field of a component in a prefab: on its root, or on the object of a path.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The prefab.
    prefab_path: String,
    /// Path of an object in it; its root, or the only object with such a component, by default.
    hierarchy_path: Option<String>,
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
        let object = match &input.hierarchy_path {
            Some(path) => path.clone(),
            None => editor.first_with(&input.component_type)?,
        };
        editor.set(Some(&object), Some(&input.component_type), &input.property_path, &value)
    };
    let project = input.project.as_deref();
    let (_, done, written) = edit_file(cx, project, &input.prefab_path, input.dry_run, change)?;
    Ok(Output { success: true, remarks: done.remarks, written })
}
