//! The tool `explorer.getObject`, `GetObject` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::ObjectCard;
use crate::world::{InWorld, found, object_id};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getObject",
    explorer: Some("GetObject"),
    title: "Object of the World",
    category: "explorer",
    examples: &[Example {
        description: "Look at the player of the Unity sample",
        input: r#"{ "id": "obj:1616470424" }"#,
        output: r#"{
            "Id": "obj:1616470424",
            "Name": "Player",
            "Path": "/Player",
            "Tag": "Player",
            "Layer": 0,
            "Active": true,
            "ComponentCount": 4
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<ObjectCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell of one object: its name, path, tag, layer, whether it is active, how many components.
#[derive(Deserialize, JsonSchema)]
struct Input {
    /// `obj:<instanceId>`.
    id: String,
}

fn run(cx: &Cx, Input { id }: Input) -> Result<ObjectCard, ToolError> {
    let id = object_id(&id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        Ok(ObjectCard::of(world, object))
    })
}
