//! The tool `sobj.setField`: Set ScriptableObject Field.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::editing::{edit_file, given};

pub(crate) const TOOL: Tool = Tool {
    id: "sobj.setField",
    title: "Set ScriptableObject Field",
    keywords: "change data asset settings value scriptable object config balance damage price health stats",
    notes: Some("Lists, nested classes and references are set as unity_edit does."),
    category: "sobj",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Rename the object of a settings asset of the Unity sample",
        input: r#"{ "assetPath": "Assets/Data/LanternSettings.asset", "fieldPath": "m_Name", "value": "Lamps" }"#,
        output: r#"{ "success": true, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set a field of a ScriptableObject, or of another asset with one object.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The asset.
    asset_path: String,
    /// Field: its path in the file or its name in C#.
    field_path: String,
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
    let change = |editor: &mut Editor<'_>| editor.set(None, None, &input.field_path, &value);
    let project = input.project.as_deref();
    let (_, done, written) = edit_file(cx, project, &input.asset_path, input.dry_run, change)?;
    Ok(Output { success: true, remarks: done.remarks, written })
}
