//! The tool `explorer.listRefItems`, `ListRefItems` in the Explorer interface.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::cards::{PAGE, Page, Range};
use crate::world::values::ValueCard;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listRefItems",
    keywords: "iterate elements of an array list handle dictionary entries",
    explorer: Some("ListRefItems"),
    title: "Items of a Handle",
    category: "explorer",
    examples: &[Example {
        description: "List the materials of an object of the Unity sample",
        input: r#"{ "refId": "ref:unity:2" }"#,
        output: r#"{ "Total": 1, "Items": [] }"#,
        varies: &["Items"],
    }],
    after: &[Earlier {
        tool: "explorer.readComponentMember",
        input: r#"{ "objectId": "obj:1809311514", "componentType": "UnityEngine.MeshRenderer", "name": "sharedMaterials" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<ValueCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the items of the list that a handle stands for.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A handle of a list, as member reads give it.
    ref_id: String,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<ValueCard>, ToolError> {
    let refs = &cx.holder().refs;
    let Value::List(items) = refs.get(&input.ref_id)? else {
        let message = "NotSupported: ref is not enumerable/dictionary.";
        return Err(ToolError::new(ErrorKind::BadArguments, message));
    };
    cx.world(|world| {
        let page = Range { limit: input.limit, offset: input.offset }.page(items.iter(), PAGE);
        let card = |item: &Value| ValueCard::of(world, refs, &world.type_of(item), item);
        Ok(Page { total: page.total, items: page.items.into_iter().map(card).collect() })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn items_come_in_pages() {
        let sample = UnitySample::new();
        let lanterns = json!({ "query": "pulseWeights", "limit": 1 });
        let lantern = sample.ask("explorer.searchComponentMembers", lanterns)["Items"][0].clone();
        let member = json!({
            "objectId": lantern["ObjectId"],
            "componentType": lantern["ComponentType"],
            "name": "pulseWeights",
        });
        let handle = sample.ask("explorer.readComponentMember", member)["refId"].clone();
        let list = |limit: i64, offset: i64| {
            let given = json!({ "refId": handle, "limit": limit, "offset": offset });
            let page = sample.ask(super::TOOL.id, given);
            let items = page["Items"].as_array().unwrap().iter();
            let items: Vec<String> = items.map(|item| item["valueText"].to_string()).collect();
            format!("{} of {}", items.join(", "), page["Total"])
        };
        expect![[r#""0.6", "1", "0.8" of 3"#]].assert_eq(&list(100, 0));
        expect![[r#""1" of 3"#]].assert_eq(&list(1, 1));
        expect![" of 3"].assert_eq(&list(1, 9));
    }

    #[test]
    fn only_lists_have_items() {
        let sample = UnitySample::new();
        let member = json!({ "objectId": PLAYER, "componentType": "UnityEngine.Rigidbody", "name": "transform" });
        let handle = sample.ask("explorer.readComponentMember", member)["refId"].clone();
        let refuse = |handle| sample.refusal(super::TOOL.id, json!({ "refId": handle }));
        expect!["BadArguments: NotSupported: ref is not enumerable/dictionary."]
            .assert_eq(&refuse(handle));
        expect!["EngineError: Not found; handles come from member reads; the oldest of 1024 are forgotten"].assert_eq(&refuse(json!("ref:unity:99")));
    }
}
