//! The tool `explorer.reparent`, `Reparent` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::ObjectId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.reparent",
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
    cx.world(|world| world.reparent(child, Some(parent), true).map_err(refused))?;
    Ok(Done::OK)
}
