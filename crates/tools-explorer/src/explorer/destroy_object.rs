//! The tool `explorer.destroyObject`, `DestroyObject` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::ObjectId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.destroyObject",
    explorer: Some("DestroyObject"),
    title: "Destroy an Object",
    category: "explorer",
    safety: Safety::Destructive,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Destroy the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Destroy an object and everything inside it, in the world only; files stay as they are.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
}

fn run(cx: &Cx, Input { object_id: id }: Input) -> Result<Done, ToolError> {
    let id =
        ObjectId::parse(&id).map_err(|_| ToolError::new(ErrorKind::BadArguments, "Invalid id"))?;
    cx.world(|world| world.destroy(id).map_err(refused))?;
    Ok(Done::OK)
}
