//! The tool `explorer.setClipboardObject`, `SetClipboardObject` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, found, object_id};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setClipboardObject",
    explorer: Some("SetClipboardObject"),
    title: "Put an Object into the Clipboard",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Keep the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put an object into the clipboard of the world.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
}

fn run(cx: &Cx, Input { object_id: id }: Input) -> Result<Done, ToolError> {
    let id = object_id(&id)?;
    cx.world(|world| {
        found(world, id)?;
        world.set_clipboard(Some(Value::Object(id)));
        Ok(Done::OK)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{NOBODY, PLAYER, UnitySample};

    #[test]
    fn nobody_takes_the_place_of_nothing() {
        let sample = UnitySample::new();
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER }));
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "objectId": id }));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(NOBODY));
        expect!["BadArguments: Invalid id; expected 'obj:<instanceId>'; ids come from ListObjects and SearchObjects"].assert_eq(&refuse("Player"));
        assert_eq!(sample.ask("explorer.getClipboard", json!({}))["ObjectId"], PLAYER);
    }
}
