//! The tool `explorer.setActive`, `SetActive` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, found, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setActive",
    explorer: Some("SetActive"),
    title: "Activate an Object",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Switch the player of the Unity sample off",
        input: r#"{ "objectId": "obj:1616470424", "active": false }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Switch an object on or off.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// On or off.
    active: bool,
}

fn run(cx: &Cx, Input { object_id: id, active }: Input) -> Result<Done, ToolError> {
    let id = object_id(&id)?;
    cx.world(|world| {
        found(world, id)?;
        // Through the door for methods, so that hooks see it.
        let target = Value::Object(id);
        hooks::call(world, &target, "SetActive", vec![Value::Bool(active)]).map_err(refused)
    })?;
    Ok(Done::OK)
}
