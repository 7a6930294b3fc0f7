//! The tool `explorer.addComponent`, `AddComponent` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, allowed, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.addComponent",
    explorer: Some("AddComponent"),
    title: "Add a Component",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Put a light on the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "type": "UnityEngine.Light" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put a component on an object. Its class must be on the interface's component allowlist.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the class, as it is on the allowlist.
    r#type: String,
}

fn run(cx: &Cx, Input { object_id: id, r#type: class }: Input) -> Result<Done, ToolError> {
    allowed::component(cx, &class)?;
    let id = object_id(&id)?;
    cx.world(|world| world.add_component(id, &class).map_err(refused))?;
    Ok(Done::OK)
}
