//! The tool `mesh.autoLOD`: Make LOD Levels.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::editor::not_connected;

pub(crate) const TOOL: Tool = Tool {
    id: "mesh.autoLOD",
    keywords: "simplify reduce polygons level of detail lodgroup decimate",
    title: "Make LOD Levels",
    notes: Some(
        "Needs a link to a running editor, which this version does not have: meshes are not made simpler from files alone.",
    ),
    category: "mesh",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    examples: &[Example {
        description: "Make two levels of a mesh",
        input: r#"{ "project": "unity", "meshPath": "Assets/Materials/Stone.mat", "lodLevels": 2 }"#,
        output: r#"{ "success": true, "lodGroupPath": "Assets/Rock LOD.prefab", "levels": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make simpler meshes of a mesh for larger distances, and a prefab with a LODGroup. Needs a link to a running editor.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The mesh.
    mesh_path: String,
    /// Levels besides the first.
    #[schemars(range(min = 1, max = 7))]
    lod_levels: u32,
    /// Share of vertices that each level keeps.
    #[serde(default = "shares")]
    reduction_targets: Vec<f64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The prefab.
    lod_group_path: String,
    /// The levels.
    levels: Vec<Level>,
}

#[derive(Serialize, JsonSchema)]
struct Level {
    /// From how far it is shown.
    distance: f64,
    /// The share of vertices that it keeps.
    reduction: f64,
}

fn shares() -> Vec<f64> {
    vec![0.5, 0.25, 0.1]
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    unity.asset(Some(&input.mesh_path), None)?;
    if let Some(wrong) = input.reduction_targets.iter().find(|share| !(0.0..=1.0).contains(*share))
    {
        let text = format!("has {wrong}, and a share is between 0 and 1");
        return Err(ToolError::bad_argument("reductionTargets", &text));
    }
    if (input.lod_levels as usize) > input.reduction_targets.len() {
        let text = "is more than reductionTargets has shares for";
        return Err(ToolError::bad_argument("lodLevels", text));
    }
    Err(not_connected(
        "mesh.autoLOD",
        "make the simpler meshes with the program that made the model; unity_edit adds and fills a LODGroup",
    ))
}
