//! The tool `explorer.getStatus`, `GetStatus` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::SelectionCard;
use crate::world::relay::HostCard;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getStatus",
    keywords: "running ready connected paused",
    explorer: Some("GetStatus"),
    title: "World Status",
    category: "explorer",
    examples: &[Example {
        description: "Ask how the world of the Unity sample is",
        input: "{}",
        output: r#"{
            "Version": "0.1.0",
            "UnityVersion": "2022.3.20f1",
            "Platform": "LinuxPlayer",
            "Runtime": "scenewright",
            "ExplorerVersion": "0.1.0",
            "Ready": true,
            "ScenesLoaded": 1,
            "Selection": []
        }"#,
        varies: &["Platform"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell how the world is: versions, loaded scenes, what is selected.
#[derive(Deserialize, JsonSchema)]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Output {
    /// Version of the interface.
    version: String,
    /// Version of Unity that the project was saved with.
    unity_version: String,
    /// The system, as Unity calls a player for it.
    platform: String,
    /// What runs the world.
    runtime: String,
    /// Version of the program.
    explorer_version: String,
    /// Whether a scene is loaded.
    ready: bool,
    /// How many scenes are loaded.
    scenes_loaded: usize,
    /// Ids of the selected objects.
    selection: Vec<String>,
    /// The running host that answers, when the server is attached to one. While it is away,
    /// `Ready` is false and the versions are empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<HostCard>,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    let unity_version = cx.unity_version()?;
    cx.world(|world| {
        Ok(Output {
            version: super::VERSION.to_owned(),
            unity_version,
            platform: platform().to_owned(),
            runtime: super::RUNTIME.to_owned(),
            explorer_version: env!("CARGO_PKG_VERSION").to_owned(),
            ready: !world.scenes().is_empty(),
            scenes_loaded: world.scenes().len(),
            selection: SelectionCard::of(world).items,
            host: None,
        })
    })
}

fn platform() -> &'static str {
    match std::env::consts::OS {
        "windows" => "WindowsPlayer",
        "macos" => "OSXPlayer",
        _ => "LinuxPlayer",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::HasWorld;
    use crate::testing::{HAND, PLAYER, UnitySample};

    #[test]
    fn a_world_without_scenes_is_not_ready() {
        let status = UnitySample::of("").ask(super::TOOL.id, json!({}));
        assert_eq!((&status["Ready"], &status["ScenesLoaded"]), (&json!(false), &json!(0)));
        assert!(status.get("Host").is_none(), "no host answers: {status}");
    }

    #[test]
    fn a_first_scene_that_cannot_be_read_leaves_a_way_out() {
        let sample = UnitySample::new();
        sample.write(
            "Assets/Scenes/Main.unity",
            "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        );
        sample.runner().world().set_scene("Assets/Scenes/Main.unity".to_owned());
        let status = sample.ask(super::TOOL.id, json!({}));
        assert_eq!((&status["Ready"], &status["ScenesLoaded"]), (&json!(false), &json!(0)));
        let log = sample.ask("explorer.tailLogs", json!({})).to_string();
        assert!(log.contains("Main.unity cannot be expanded"), "{log}");
        assert_eq!(sample.ask("explorer.listBuildScenes", json!({}))["Total"], 2);
        sample.ask("explorer.loadScene", json!({ "name": "Cellar" }));
        assert_eq!(sample.ask(super::TOOL.id, json!({}))["Ready"], true);
    }

    #[test]
    fn scenes_and_the_selection_are_told() {
        let sample = UnitySample::new();
        sample.ask("explorer.loadScene", json!({ "name": "Cellar", "mode": "additive" }));
        for id in [PLAYER, HAND] {
            sample.ask("explorer.selectObject", json!({ "objectId": id }));
        }
        let status = sample.ask(super::TOOL.id, json!({}));
        assert_eq!(status["ScenesLoaded"], 2);
        assert_eq!(status["Selection"], json!([HAND, PLAYER]));
    }
}
