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
