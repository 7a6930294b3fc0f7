//! The tool `scene.save`: Save Scene.

use scenewright_contract::{Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::editor::not_connected;

pub(crate) const TOOL: Tool = Tool {
    id: "scene.save",
    keywords: "write scene to disk save changes persist opened",
    title: "Save Scene",
    notes: Some(
        "Every tool here writes its changes to the file at once, so that there is nothing left to save. What a running editor has changed and not saved is not known.",
    ),
    category: "scene",
    tier: Tier::Tier3,
    examples: &[Example {
        description: "Make sure that a scene of the Unity sample is on disk",
        input: r#"{ "project": "unity", "scenePath": "Assets/Scenes/Main.unity" }"#,
        output: r#"{ "success": true, "scenePath": "Assets/Scenes/Main.unity", "saved": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make sure that a scene is on disk, which it is after every change that tools here make.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The scene; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Save what a running editor has as a new scene; needs one.
    #[serde(default)]
    save_as: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene.
    scene_path: String,
    /// Whether it is on disk as tools here see it.
    saved: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let scene = unity.active_scene(input.scene_path)?;
    let (scene_path, _) = unity.hierarchy(&scene)?;
    if input.save_as {
        return Err(not_connected("scene.save with saveAs", "copy the scene's file instead"));
    }
    cx.diagnose(
        "The file is as tools here see it; what a running editor has not saved is not known",
    );
    Ok(Output { success: true, scene_path, saved: true })
}

#[cfg(test)]
mod tests {
    use scenewright_contract::ErrorKind;
    use serde_json::json;

    use crate::testing::call_sample;

    #[test]
    fn a_scene_is_there_or_told() {
        let outcome = call_sample(super::TOOL.id, json!({})).unwrap();
        assert_eq!(outcome.output["scenePath"], "Assets/Scenes/Main.unity");
        let error = call_sample(super::TOOL.id, json!({ "scenePath": "Assets/None.unity" }));
        assert_eq!(error.unwrap_err().message, "Scene file not found");
        let error = call_sample(super::TOOL.id, json!({ "saveAs": true })).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotReady);
    }
}
