//! The tool `explorer.loadScene`, `LoadScene` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WORLD;
use crate::world::save::unsaved;
use crate::world::{InWorld, refused};

/// More changes are counted, not listed.
const MAX_LISTED: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.loadScene",
    keywords: "switch level open go",
    explorer: Some("LoadScene"),
    title: "Load a Scene",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Load the cellar of the Unity sample",
        input: r#"{ "name": "Cellar" }"#,
        output: r#"{ "ok": true, "name": "Cellar", "mode": "single" }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Load a scene of the project into the world: in place of the loaded ones, or beside them. Changes
/// that were not saved are lost with their scene, so that needs `discard`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A name of ListBuildScenes, or the path of a scene file.
    name: String,
    /// In place of the loaded scenes, or beside them.
    #[serde(default)]
    mode: Mode,
    /// Drop the changes of the loaded scenes that were not saved.
    #[serde(default)]
    discard: bool,
}

/// Where a scene is loaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// In place of the loaded scenes.
    #[default]
    Single,
    /// Beside them.
    Additive,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The scene, as it was asked for.
    name: String,
    /// How it was loaded.
    mode: Mode,
}

fn run(cx: &Cx, Input { name, mode, discard }: Input) -> Result<Output, ToolError> {
    if name.trim().is_empty() {
        return Err(ToolError::new(ErrorKind::BadArguments, "name is required"));
    }
    let listed = cx.world(|world| {
        let mut scenes = world.build_scenes().iter();
        Ok(scenes.find(|scene| *scene.name == *name).map(|scene| scene.path.to_string()))
    })?;
    let path = listed.unwrap_or_else(|| name.clone());
    let data = cx.scene_data(&path)?;
    cx.world(|world| {
        if mode == Mode::Single && !discard {
            nothing_is_lost(&unsaved(cx, world)?)?;
        }
        world.load(data, mode == Mode::Additive).map_err(refused)
    })?;
    Ok(Output { ok: true, name, mode })
}

/// Refuses to drop changes.
fn nothing_is_lost(unsaved: &[String]) -> Result<(), ToolError> {
    if unsaved.is_empty() {
        return Ok(());
    }
    let shown: Vec<&str> = unsaved.iter().take(MAX_LISTED).map(String::as_str).collect();
    let more = match unsaved.len() - shown.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let count = unsaved.len();
    let message = format!("{count} changes are not saved: {}{more}", shown.join(", "));
    Err(ToolError::new(ErrorKind::BadArguments, message)
        .hint("SaveScene saves them, discard: true drops them, mode: additive keeps them"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn a_scene_that_cannot_be_loaded_leaves_the_world_as_it_was() {
        let sample = UnitySample::new();
        sample.ask("explorer.setActive", json!({ "objectId": PLAYER, "active": false }));
        let refuse = |name: &str| sample.refusal(super::TOOL.id, json!({ "name": name }));
        expect!["EngineError: Scene file not found; there is Assets/Scenes, Assets/Scripts, Assets/Materials, Assets/Localization, Assets/Localization/Tables, Assets/Localization/Locales, Assets/AddressableAssetsData/AssetGroups/Schemas, Assets/Data, Assets/Audio, Assets/Prefabs, Assets/AddressableAssetsData, Assets/AddressableAssetsData/AssetGroups"].assert_eq(&refuse("Attic"));
        expect!["BadArguments: name is required"].assert_eq(&refuse(" "));
        expect!["EngineError: Assets/Scripts/GameState.cs cannot be expanded: the source is not a text file of Unity"].assert_eq(&refuse("Assets/Scripts/GameState.cs"));
        expect!["EngineError: Scene file not found; did you mean Assets/Scenes/Main.unity?"]
            .assert_eq(&refuse("../Main.unity"));
        let player = sample.ask("explorer.getObject", json!({ "id": PLAYER }));
        assert_eq!(player["Active"], false);
    }

    #[test]
    fn unsaved_changes_are_not_dropped_unasked() {
        let sample = UnitySample::new();
        let cellar = json!({ "name": "Cellar" });
        sample.ask("explorer.setActive", json!({ "objectId": PLAYER, "active": false }));
        sample.eval(r#"Object.DestroyImmediate(GameObject.Find("Ground"))"#);
        expect!["BadArguments: 2 changes are not saved: /Player active: true → false, /Ground destroyed; SaveScene saves them, discard: true drops them, mode: additive keeps them"]
            .assert_eq(&sample.refusal(super::TOOL.id, cellar.clone()));
        let player = sample.ask("explorer.getObject", json!({ "id": PLAYER }));
        assert_eq!(player["Active"], false, "all is as it was");
        sample.ask("explorer.saveScene", json!({}));
        sample.ask(super::TOOL.id, cellar);
        sample.eval(r#"new GameObject("Lost")"#);
        let main = |discard: bool| json!({ "name": "Main", "discard": discard });
        assert!(sample.refusal(super::TOOL.id, main(false)).contains("/Lost"));
        sample.ask(super::TOOL.id, main(true));
        assert_eq!(sample.eval(r#"GameObject.Find("Lost") == null"#)["result"], "True");
    }

    #[test]
    fn a_path_is_as_good_as_a_name() {
        let sample = UnitySample::new();
        let path = "Assets/Scenes/Cellar.unity";
        let loaded = sample.ask(super::TOOL.id, json!({ "name": path, "mode": "additive" }));
        assert_eq!(loaded, json!({ "ok": true, "name": path, "mode": "additive" }));
        let scenes = sample.page("explorer.listScenes", json!({ "limit": 2 }), "Name");
        expect!["2 of 4: Main, Cellar"].assert_eq(&scenes);
    }

    #[test]
    fn the_same_scene_twice_has_objects_of_its_own() {
        let sample = UnitySample::new();
        sample.ask(super::TOOL.id, json!({ "name": "Main", "mode": "additive" }));
        let players = sample.ask("explorer.listObjects", json!({ "name": "player" }));
        let ids = [&players["Items"][0]["Id"], &players["Items"][1]["Id"]];
        assert_eq!((&players["Total"], ids[0]), (&json!(2), &json!(PLAYER)));
        assert_ne!(ids[0], ids[1]);
        sample.ask("explorer.setActive", json!({ "objectId": ids[1], "active": false }));
        assert_eq!(sample.ask("explorer.getObject", json!({ "id": PLAYER }))["Active"], true);
    }
}
