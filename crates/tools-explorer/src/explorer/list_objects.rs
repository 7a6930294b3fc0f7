//! The tool `explorer.listObjects`, `ListObjects` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Filter;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{self, ObjectCard, Page, Range};
use crate::world::{InWorld, search};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listObjects",
    explorer: Some("ListObjects"),
    title: "Objects of a Scene",
    category: "explorer",
    examples: &[Example {
        description: "List the first object of the Unity sample's scene",
        input: r#"{ "sceneId": "scn:0", "limit": 1 }"#,
        output: r#"{
            "Total": 20,
            "Items": [
                {
                    "Id": "obj:1279963751",
                    "Name": "Main Camera",
                    "Path": "/Main Camera",
                    "Tag": "MainCamera",
                    "Layer": 0,
                    "Active": true,
                    "ComponentCount": 3
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

/// List the objects of one scene or of all, parents before children, inactive ones too.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `scn:<n>`; every loaded scene by default. An unknown one has no objects.
    scene_id: Option<String>,
    /// Part of the name, in any case.
    name: Option<String>,
    /// Class of a component, with or without its namespace; derived ones count.
    r#type: Option<String>,
    /// Only objects that are active with all their parents.
    active_only: Option<bool>,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<ObjectCard>, ToolError> {
    cx.world(|world| {
        let roots = cards::roots_of(world, input.scene_id.as_deref());
        let filter = Filter {
            name: input.name,
            type_name: input.r#type,
            active_only: input.active_only.unwrap_or(false),
            ..Filter::default()
        };
        let range = Range { limit: input.limit, offset: input.offset };
        Ok(search::objects(world, &roots, &filter, range))
    })
}
