//! The tool `explorer.saveScene`, `SaveScene` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::{SceneKey, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WORLD;
use crate::world::InWorld;
use crate::world::save::{NotSaved, save};

/// More lines are counted, not listed.
const MAX_LISTED: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.saveScene",
    keywords: "persist world keep modifications disk store",
    explorer: Some("SaveScene"),
    title: "Save Scenes",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "See what would be written after the player was switched off",
        input: r#"{ "sceneId": "scn:0", "dryRun": true }"#,
        output: r#"{
            "ok": true,
            "scenes": ["Assets/Scenes/Main.unity"],
            "saved": ["/Player active: true → false"],
            "savedCount": 1,
            "notSaved": [],
            "notSavedCount": 0,
            "dryRun": true,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes"],
    }],
    after: &[Earlier {
        tool: "explorer.setActive",
        input: r#"{ "objectId": "obj:1616470424", "active": false }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Write the world's changes back into the scene files. Objects of prefab instances are saved as
/// overrides of their instance. The answer says what was saved, and what a file cannot hold.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `scn:<n>`; every loaded scene with changes by default.
    scene_id: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The files of the scenes that had changes.
    scenes: Vec<String>,
    /// What was saved: object, member, old → new. At most 500.
    saved: Vec<String>,
    /// How many changes were saved.
    saved_count: usize,
    /// What no file got, and why. At most 500.
    not_saved: Vec<NotSaved>,
    /// How many changes were not saved.
    not_saved_count: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let mut saved = cx.world(|world| {
        let scenes = scenes(world, input.scene_id.as_deref())?;
        save(cx, world, &scenes, input.dry_run)
    })?;
    let (saved_count, not_saved_count) = (saved.lines.len(), saved.not_saved.len());
    saved.lines.truncate(MAX_LISTED);
    saved.not_saved.truncate(MAX_LISTED);
    Ok(Output {
        ok: true,
        scenes: saved.scenes,
        saved: saved.lines,
        saved_count,
        not_saved: saved.not_saved,
        not_saved_count,
        written: saved.written,
    })
}

/// The scenes that a call means.
fn scenes(world: &World, wanted: Option<&str>) -> Result<Vec<SceneKey>, ToolError> {
    let bad = |message: String| Err(ToolError::new(ErrorKind::BadArguments, message));
    match wanted.map(str::trim) {
        None | Some("") => Ok(world.scenes().iter().map(|scene| scene.key()).collect()),
        Some(id @ ("scn:ddol" | "scn:hide")) => {
            bad(format!("{id} has no file: what is in it lives as long as the world"))
        }
        Some(id) => {
            let index = id.strip_prefix("scn:").and_then(|index| index.parse::<usize>().ok());
            match index.and_then(|index| world.scenes().get(index)) {
                Some(scene) => Ok(vec![scene.key()]),
                None => bad(format!("no scene is '{id}'; ListScenes has their ids")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{LANTERNS, PLAYER, UnitySample};

    const MAIN: &str = "Assets/Scenes/Main.unity";

    #[test]
    fn scenes_without_a_file_cannot_be_saved() {
        let sample = UnitySample::new();
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "sceneId": id }));
        expect!["BadArguments: scn:ddol has no file: what is in it lives as long as the world"]
            .assert_eq(&refuse("scn:ddol"));
        expect!["BadArguments: scn:hide has no file: what is in it lives as long as the world"]
            .assert_eq(&refuse(" scn:hide "));
        expect!["BadArguments: no scene is 'scn:1'; ListScenes has their ids"]
            .assert_eq(&refuse("scn:1"));
        expect!["BadArguments: no scene is 'Main'; ListScenes has their ids"]
            .assert_eq(&refuse("Main"));
    }

    #[test]
    fn nothing_is_written_when_nothing_changed_or_in_a_dry_run() {
        let sample = UnitySample::new();
        let before = sample.read(MAIN);
        let nothing = sample.ask(super::TOOL.id, json!({ "sceneId": "" }));
        assert_eq!((&nothing["scenes"], &nothing["filesChanged"]), (&json!([]), &json!(0)));
        sample.ask("explorer.setActive", json!({ "objectId": PLAYER, "active": false }));
        let dry = sample.ask(super::TOOL.id, json!({ "dryRun": true }));
        assert_eq!((&dry["savedCount"], &dry["filesChanged"]), (&json!(1), &json!(1)));
        assert_eq!(sample.read(MAIN), before);
        sample.ask(super::TOOL.id, json!({}));
        assert_ne!(sample.read(MAIN), before);
        let again = sample.ask(super::TOOL.id, json!({}));
        assert_eq!(again["savedCount"], 0, "it is saved");
    }

    #[test]
    fn only_the_scene_that_is_named_is_written() {
        let sample = UnitySample::new();
        sample.ask("explorer.loadScene", json!({ "name": "Cellar", "mode": "additive" }));
        sample.ask("explorer.setActive", json!({ "objectId": LANTERNS, "active": false }));
        sample.eval(r#"GameObject.Find("Floor").SetActive(false);"#);
        let before = sample.read(MAIN);
        let saved = sample.ask(super::TOOL.id, json!({ "sceneId": "scn:1" }));
        expect![[r#"["/Floor active: true → false"]"#]].assert_eq(&saved["saved"].to_string());
        assert_eq!(saved["scenes"], json!(["Assets/Scenes/Cellar.unity"]));
        assert_eq!(sample.read(MAIN), before);
        let rest = sample.ask(super::TOOL.id, json!({}));
        expect![[r#"["/Lanterns active: true → false"]"#]].assert_eq(&rest["saved"].to_string());
    }

    #[test]
    fn more_lines_than_are_listed_are_counted() {
        let sample = UnitySample::new();
        sample.eval(r#"for (var n = 0; n < 501; n++) { new GameObject("Made " + n); }"#);
        let saved = sample.ask(super::TOOL.id, json!({ "dryRun": true }));
        assert_eq!(saved["savedCount"], 501);
        assert_eq!(saved["saved"].as_array().unwrap().len(), super::MAX_LISTED);
    }
}
