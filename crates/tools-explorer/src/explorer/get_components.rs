//! The tool `explorer.getComponents`, `GetComponents` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::cards::{PAGE, Page, Range};
use crate::world::{InWorld, found, object_id};

/// What stands for a script that is missing.
const MISSING: &str = "<null>";

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getComponents",
    keywords: "scripts object live",
    explorer: Some("GetComponents"),
    title: "Components of an Object",
    category: "explorer",
    examples: &[Example {
        description: "List the components of the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "limit": 1 }"#,
        output: r#"{
            "Total": 4,
            "Items": [
                { "Type": "UnityEngine.Transform", "Summary": "Player (UnityEngine.Transform)" }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<ComponentCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the components of an object in their order, the transform first.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

/// A component.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct ComponentCard {
    /// Full name of its class; `<null>` for a script that is missing.
    r#type: String,
    /// What it says of itself.
    summary: String,
}

fn run(cx: &Cx, input: Input) -> Result<Page<ComponentCard>, ToolError> {
    let id = object_id(&input.object_id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        let cards = object.components().iter().map(|component| match component.type_name() {
            Some(name) => ComponentCard {
                r#type: name.to_owned(),
                summary: world.describe(&Value::Component(component.id())),
            },
            None => ComponentCard { r#type: MISSING.to_owned(), summary: MISSING.to_owned() },
        });
        Ok(Range { limit: input.limit, offset: input.offset }.page(cards, PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{NOBODY, PLAYER, UnitySample};

    #[test]
    fn a_script_that_is_missing_has_its_place() {
        let sample = UnitySample::new();
        let meta = "fileFormatVersion: 2\nguid: 00000000000000000000000000000001\n";
        sample.write("Assets/Scripts/PlayerController.cs.meta", meta);
        let last = sample.ask(super::TOOL.id, json!({ "objectId": PLAYER, "offset": 3 }));
        let missing = json!({ "Type": "<null>", "Summary": "<null>" });
        assert_eq!(last, json!({ "Total": 4, "Items": [missing] }));
    }

    #[test]
    fn pages_and_ids_of_nothing() {
        let sample = UnitySample::new();
        let list = |given| sample.page(super::TOOL.id, given, "Type");
        expect!["2 of 4: UnityEngine.CapsuleCollider, UnityEngine.Rigidbody"]
            .assert_eq(&list(json!({ "objectId": PLAYER, "limit": 2, "offset": 1 })));
        expect!["1 of 4: UnityEngine.Transform"]
            .assert_eq(&list(json!({ "objectId": PLAYER, "limit": 0, "offset": -3 })));
        expect!["0 of 4: "].assert_eq(&list(json!({ "objectId": PLAYER, "offset": 4 })));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"]
            .assert_eq(&sample.refusal(super::TOOL.id, json!({ "objectId": NOBODY })));
        expect!["BadArguments: Invalid instance id; an instance id is a whole number of 32 bits"]
            .assert_eq(&sample.refusal(super::TOOL.id, json!({ "objectId": "obj:x" })));
    }
}
