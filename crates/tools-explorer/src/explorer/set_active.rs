//! The tool `explorer.setActive`, `SetActive` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, found, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setActive",
    keywords: "enable disable activate deactivate hide show game object visible turn off live",
    explorer: Some("SetActive"),
    title: "Activate an Object",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Switch the player of the Unity sample off",
        input: r#"{ "objectId": "obj:1616470424", "active": false }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Switch an object on or off.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// On or off.
    active: bool,
}

fn run(cx: &Cx, Input { object_id: id, active }: Input) -> Result<Done, ToolError> {
    let id = object_id(&id)?;
    cx.world(|world| {
        found(world, id)?;
        // Through the door for methods, so that hooks see it.
        let target = Value::Object(id);
        hooks::call(world, &target, "SetActive", vec![Value::Bool(active)]).map_err(refused)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{NOBODY, PLAYER, UnitySample};

    #[test]
    fn what_is_inside_follows_and_keeps_its_own_switch() {
        let sample = UnitySample::new();
        let flames = || {
            let wanted = json!({ "name": "flame", "activeOnly": true });
            sample.ask("explorer.listObjects", wanted)["Total"].clone()
        };
        assert_eq!(flames(), 4);
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER, "active": false }));
        assert_eq!(flames(), 3);
        assert_eq!(sample.ask("explorer.listObjects", json!({ "name": "flame" }))["Total"], 4);
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER, "active": true }));
        assert_eq!(flames(), 4);
    }

    #[test]
    fn nobody_is_switched() {
        let sample = UnitySample::new();
        let refuse =
            |id: &str| sample.refusal(super::TOOL.id, json!({ "objectId": id, "active": false }));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(NOBODY));
        expect!["BadArguments: Invalid id; expected 'obj:<instanceId>'; ids come from ListObjects and SearchObjects"].assert_eq(&refuse("Player"));
        expect!["BadArguments: Invalid instance id; an instance id is a whole number of 32 bits"]
            .assert_eq(&refuse("obj:4294967296"));
        let active = sample.ask("explorer.listObjects", json!({ "activeOnly": true }));
        assert_eq!(active["Total"], 19);
    }
}
