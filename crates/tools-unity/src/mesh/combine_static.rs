//! The tool `mesh.combineStatic`: Combine Static Meshes.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::editor::not_connected;

pub(crate) const TOOL: Tool = Tool {
    id: "mesh.combineStatic",
    keywords: "merge meshes batch static draw calls one mesh",
    title: "Combine Static Meshes",
    notes: Some(
        "Needs a link to a running editor, which this version does not have: meshes are not combined from files alone.",
    ),
    category: "mesh",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    examples: &[Example {
        description: "Combine the static meshes of a scene of the Unity sample",
        input: r#"{ "project": "unity", "scenePath": "Assets/Scenes/Main.unity" }"#,
        output: r#"{ "success": true, "combinedMeshPath": "Assets/Combined.asset", "vertexCount": 24, "savedDrawCalls": 1 }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make one mesh of the static meshes of a scene. Needs a link to a running editor.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The scene.
    scene_path: String,
    /// Only objects with this tag.
    #[expect(dead_code, reason = "the editor would have asked for it")]
    static_tag: Option<String>,
    /// More meshes than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 2, max = 50))]
    #[expect(dead_code, reason = "the editor would have asked for it")]
    max_meshes: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new mesh.
    combined_mesh_path: String,
    /// How many vertices it has.
    vertex_count: u64,
    /// How many draw calls it saves.
    saved_draw_calls: u64,
}

fn most() -> u32 {
    50
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    unity.hierarchy(&input.scene_path)?;
    Err(not_connected(
        "mesh.combineStatic",
        "static batching in the player settings combines meshes of static objects when the game is built",
    ))
}
