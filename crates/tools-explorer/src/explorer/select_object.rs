//! The tool `explorer.selectObject`, `SelectObject` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD_UNASKED};
use crate::world::{InWorld, found, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.selectObject",
    keywords: "focus highlight inspect select object scene",
    explorer: Some("SelectObject"),
    title: "Select an Object",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD_UNASKED,
    at_once: true,
    examples: &[Example {
        description: "Select the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Select an object; what was selected stays behind it.
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
        world.select(id).map_err(refused)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{GROUND, HAND, NOBODY, PLAYER, UnitySample};

    #[test]
    fn what_was_selected_stays_behind_it() {
        let sample = UnitySample::new();
        for id in [PLAYER, HAND, GROUND, PLAYER] {
            sample.ask(super::TOOL.id, json!({ "objectId": id }));
        }
        let selection = sample.ask("explorer.getSelection", json!({}));
        assert_eq!(selection, json!({ "ActiveId": PLAYER, "Items": [PLAYER, GROUND, HAND] }));
    }

    #[test]
    fn what_is_not_there_leaves_the_selection() {
        let sample = UnitySample::new();
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER }));
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "objectId": id }));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(NOBODY));
        expect!["BadArguments: Invalid id; expected 'obj:<instanceId>'; ids come from ListObjects and SearchObjects"].assert_eq(&refuse("1616470424"));
        let selection = sample.ask("explorer.getSelection", json!({}));
        assert_eq!(selection["ActiveId"], PLAYER);
    }
}
