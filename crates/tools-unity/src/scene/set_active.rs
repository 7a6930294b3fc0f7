//! The tool `scene.setActive`: Set Active Scene.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::editor::not_connected;

pub(crate) const TOOL: Tool = Tool {
    id: "scene.setActive",
    keywords: "make loaded scene the active one in the editor",
    title: "Set Active Scene",
    notes: Some(
        "Needs a link to a running editor, which this version does not have. Where a tool here takes no scenePath, the first enabled scene of the build settings counts.",
    ),
    category: "scene",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    needs: Needs::Editor,
    at_once: true,
    idempotent: true,
    examples: &[Example {
        description: "Make a scene of the Unity sample the active one",
        input: r#"{ "project": "unity", "scenePath": "Assets/Scenes/Cellar.unity" }"#,
        output: r#"{ "success": true, "activeScenePath": "Assets/Scenes/Cellar.unity" }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a loaded scene the active one of a running editor.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The scene.
    scene_path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene that is active now.
    active_scene_path: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    unity.hierarchy(&input.scene_path)?;
    Err(not_connected(
        "scene.setActive",
        "pass scenePath to the tools that read or change it; without one the first enabled scene of the build settings counts",
    ))
}
