//! The tool `explorer.listChildren`, `ListChildren` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{ObjectCard, PAGE, Page, Range};
use crate::world::{InWorld, found, object_id};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listChildren",
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
