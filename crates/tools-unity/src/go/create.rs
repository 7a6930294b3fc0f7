//! The tool `go.create`: Create GameObject.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Create;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::editing::edit_scene;
use crate::base::{INSTANCE_IDS, InUnity, instance_id};

pub(crate) const TOOL: Tool = Tool {
    id: "go.create",
    title: "Create GameObject",
    keywords: "new object add empty gameobject make spawn in scene with components cube hierarchy point",
    notes: Some("unity_edit makes many changes in one call and takes positions."),
    category: "go",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Put a marker with a collider into the player of the Unity sample",
        input: r#"{ "name": "Marker", "parentPath": "Player", "components": ["BoxCollider"] }"#,
        output: r#"{ "success": true, "instanceId": 0, "hierarchyPath": "Player/Marker", "fileID": 280921319, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["instanceId", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    for_programs: INSTANCE_IDS,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a GameObject in a scene, with components and a parent.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Its name.
    name: String,
    /// Path of its parent; the root of the scene by default.
    parent_path: Option<String>,
    /// Classes of its components.
    #[serde(default)]
    components: Vec<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// A number like the editor's for it, made from its file.
    instance_id: i32,
    /// Its path.
    hierarchy_path: String,
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
    let Input { name, parent_path, components, .. } = input;
    let parent = parent_path.unwrap_or_default();
    let wanted = Create { parent, name, components, ..Create::default() };
    let project = input.project.as_deref();
    let (path, done, written) =
        edit_scene(cx, project, input.scene_path, input.dry_run, |editor| editor.create(&wanted))?;
    let guid = cx.unity(project)?.asset(Some(&path), None)?.guid().unwrap_or_default();
    let file_id = done.id.unwrap_or_default().0;
    Ok(Output {
        success: true,
        instance_id: instance_id(guid, file_id),
        hierarchy_path: done.path,
        file_id,
        remarks: done.remarks,
        written,
    })
}
