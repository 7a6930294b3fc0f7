//! The tool `explorer.reparent`, `Reparent` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::ObjectId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, found, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.reparent",
    keywords: "change parent child hierarchy live",
    explorer: Some("Reparent"),
    title: "Move an Object in the Hierarchy",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Put the player of the Unity sample into the camera",
        input: r#"{ "objectId": "obj:1616470424", "newParentId": "obj:1279963751" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put an object into another; it stays where it is in the world.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// The object to put it into, `obj:<instanceId>`.
    new_parent_id: String,
}

fn run(cx: &Cx, input: Input) -> Result<Done, ToolError> {
    let invalid = |message: &str| ToolError::new(ErrorKind::BadArguments, message);
    let child = ObjectId::parse(&input.object_id).map_err(|_| invalid("Invalid child id"))?;
    let parent = ObjectId::parse(&input.new_parent_id).map_err(|_| invalid("Invalid parent id"))?;
    cx.world(|world| {
        found(world, child)?;
        found(world, parent)?;
        world.reparent(child, Some(parent), true).map_err(refused)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{GROUND, HAND, NOBODY, PLAYER, UnitySample};

    #[test]
    fn what_cannot_be_moved_stays() {
        let sample = UnitySample::new();
        let refuse = |child: &str, parent: &str| {
            sample.refusal(super::TOOL.id, json!({ "objectId": child, "newParentId": parent }))
        };
        expect!["BadArguments: an object cannot be its own parent"]
            .assert_eq(&refuse(PLAYER, PLAYER));
        expect!["BadArguments: an object cannot be its own parent"]
            .assert_eq(&refuse(PLAYER, HAND));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(HAND, NOBODY));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(NOBODY, PLAYER));
        expect!["BadArguments: Invalid child id"].assert_eq(&refuse("Hand", PLAYER));
        expect!["BadArguments: Invalid parent id"].assert_eq(&refuse(HAND, ""));
        let hand = sample.ask("explorer.getObject", json!({ "id": HAND }));
        assert_eq!(hand["Path"], "/Player/Hand");
    }

    #[test]
    fn it_stays_where_it_is_in_a_parent_of_another_size() {
        let sample = UnitySample::new();
        let place = r#"GameObject.Find("Hand").transform.position.ToString()"#;
        sample.eval(r#"GameObject.Find("Ground").transform.localScale = new Vector3(2f, 2f, 2f);"#);
        let before = sample.eval(place);
        sample.ask(super::TOOL.id, json!({ "objectId": HAND, "newParentId": GROUND }));
        assert_eq!(sample.eval(place), before);
        let children = sample.page("explorer.listChildren", json!({ "objectId": GROUND }), "Name");
        assert_eq!(children, "1 of 1: Hand");
        let left = sample.page("explorer.listChildren", json!({ "objectId": PLAYER }), "Name");
        assert_eq!(left, "0 of 0: ");
    }
}
