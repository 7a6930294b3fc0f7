//! The tool `explorer.destroyObject`, `DestroyObject` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::ObjectId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, found, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.destroyObject",
    keywords: "delete remove game object",
    explorer: Some("DestroyObject"),
    title: "Destroy an Object",
    category: "explorer",
    safety: Safety::Destructive,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Destroy the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Destroy an object and everything inside it, in the world only; files stay as they are.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
}

fn run(cx: &Cx, Input { object_id: id }: Input) -> Result<Done, ToolError> {
    let id =
        ObjectId::parse(&id).map_err(|_| ToolError::new(ErrorKind::BadArguments, "Invalid id"))?;
    cx.world(|world| {
        found(world, id)?;
        world.destroy(id).map_err(refused)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{GROUND, HAND, NOBODY, PLAYER, UnitySample};

    #[test]
    fn what_is_inside_goes_too_and_is_no_longer_selected() {
        let sample = UnitySample::new();
        for id in [GROUND, HAND] {
            sample.ask("explorer.selectObject", json!({ "objectId": id }));
        }
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER }));
        let gone = sample.refusal("explorer.getObject", json!({ "id": HAND }));
        assert!(gone.starts_with("EngineError: Not found; no object has the id"), "{gone}");
        let selection = sample.ask("explorer.getSelection", json!({}));
        assert_eq!(selection, json!({ "ActiveId": GROUND, "Items": [GROUND] }));
        // Player, Hand, Hand Lantern and Flame.
        assert_eq!(sample.ask("explorer.listObjects", json!({}))["Total"], 16);
    }

    #[test]
    fn what_is_not_there_cannot_be_destroyed() {
        let sample = UnitySample::new();
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "objectId": id }));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(NOBODY));
        expect!["BadArguments: Invalid id"].assert_eq(&refuse("Player"));
        expect!["BadArguments: Invalid id"].assert_eq(&refuse("obj:"));
        assert_eq!(sample.ask("explorer.listObjects", json!({}))["Total"], 20);
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER }));
        let twice = refuse(PLAYER);
        assert!(twice.starts_with("EngineError: Not found; no object has the id"), "{twice}");
    }
}
