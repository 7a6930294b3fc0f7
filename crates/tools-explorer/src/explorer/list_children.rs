//! The tool `explorer.listChildren`, `ListChildren` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{ObjectCard, PAGE, Page, Range};
use crate::world::{InWorld, found, object_id};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listChildren",
    keywords: "below under object sub",
    explorer: Some("ListChildren"),
    title: "Children of an Object",
    category: "explorer",
    examples: &[Example {
        description: "List what is directly below the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424" }"#,
        output: r#"{
            "Total": 1,
            "Items": [
                {
                    "Id": "obj:1533678696",
                    "Name": "Hand",
                    "Path": "/Player/Hand",
                    "Tag": "Untagged",
                    "Layer": 0,
                    "Active": true,
                    "ComponentCount": 1
                }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<ObjectCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the direct children of an object, in their order.
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

fn run(cx: &Cx, input: Input) -> Result<Page<ObjectCard>, ToolError> {
    let id = object_id(&input.object_id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        let range = Range { limit: input.limit, offset: input.offset };
        let page = range.page(object.children().iter().copied(), PAGE);
        Ok(Page { total: page.total, items: ObjectCard::of_all(world, &page.items) })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{HAND, LANTERNS, UnitySample};

    #[test]
    fn children_are_in_their_order_and_only_the_direct_ones() {
        let sample = UnitySample::new();
        let list = |given| sample.page(super::TOOL.id, given, "Name");
        expect!["3 of 3: Gate Lantern, Well Lantern, Altar Lantern"]
            .assert_eq(&list(json!({ "objectId": LANTERNS })));
        sample.eval(r#"GameObject.Find("Altar Lantern").transform.SetSiblingIndex(0);"#);
        expect!["2 of 3: Altar Lantern, Gate Lantern"]
            .assert_eq(&list(json!({ "objectId": LANTERNS, "limit": 2 })));
        expect!["1 of 3: Well Lantern"]
            .assert_eq(&list(json!({ "objectId": LANTERNS, "offset": 2 })));
        expect!["0 of 3: "].assert_eq(&list(json!({ "objectId": LANTERNS, "offset": 9 })));
        sample.ask("explorer.destroyObject", json!({ "objectId": LANTERNS }));
        let gone = sample.refusal(super::TOOL.id, json!({ "objectId": LANTERNS }));
        assert!(gone.starts_with("EngineError: Not found; no object has the id"), "{gone}");
    }

    #[test]
    fn one_without_children_has_none() {
        let sample = UnitySample::new();
        sample.eval(
            r#"var hand = GameObject.Find("Hand").transform;
            while (hand.childCount > 0) { Object.DestroyImmediate(hand.GetChild(0).gameObject); }"#,
        );
        let none = sample.ask(super::TOOL.id, json!({ "objectId": HAND }));
        assert_eq!(none, json!({ "Total": 0, "Items": [] }));
    }
}
