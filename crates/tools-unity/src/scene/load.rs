//! The tool `scene.load`: Load Scene.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::editor::not_connected;

pub(crate) const TOOL: Tool = Tool {
    id: "scene.load",
    keywords: "open scene in the editor additive level switch file",
    title: "Load Scene",
    notes: Some(
        "Needs a link to a running editor, which this version does not have. Tools that read or change a scene take its path and need none loaded.",
    ),
    category: "scene",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    needs: Needs::Editor,
    at_once: true,
    idempotent: true,
    examples: &[Example {
        description: "Open a scene of the Unity sample in the editor",
        input: r#"{ "project": "unity", "scenePath": "Assets/Scenes/Cellar.unity" }"#,
        output: r#"{ "success": true, "scenePath": "Assets/Scenes/Cellar.unity", "sceneName": "Cellar", "isLoaded": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Open a scene in a running editor. Without one nothing is loaded: name scenes by path instead.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The scene.
    scene_path: String,
    /// How it is opened.
    #[serde(default, rename = "mode")]
    _mode: Mode,
    /// Save other scenes first.
    #[serde(default = "yes", rename = "autoSaveModified")]
    _auto_save_modified: bool,
}

fn yes() -> bool {
    true
}

#[derive(Default, Deserialize, JsonSchema)]
enum Mode {
    #[default]
    Single,
    Additive,
    AdditiveWithoutLoading,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene.
    scene_path: String,
    /// Its name.
    scene_name: String,
    /// Whether it is loaded now.
    is_loaded: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    // A scene that is not there is told first.
    unity.hierarchy(&input.scene_path)?;
    Err(not_connected(
        "scene.load",
        "no scene has to be loaded here: pass scenePath to the tools that read or change it",
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_scene_that_is_not_there_is_told_before_the_editor() {
        let bench = bench();
        let error = |path: &str| bench.error(super::TOOL.id, json!({ "scenePath": path }));
        assert_eq!(
            error("Assets/Scenes/Celar.unity"),
            "Scene file not found; did you mean Assets/Scenes/Cellar.unity?"
        );
        assert!(error("Assets/Scenes/Cellar.unity").starts_with("scene.load needs Unity's editor"));
    }
}
