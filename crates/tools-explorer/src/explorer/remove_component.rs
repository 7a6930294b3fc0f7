//! The tool `explorer.removeComponent`, `RemoveComponent` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Refused;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, allowed, found, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.removeComponent",
    explorer: Some("RemoveComponent"),
    title: "Remove a Component",
    category: "explorer",
    safety: Safety::Destructive,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Take the rigidbody off the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "typeOrIndex": "UnityEngine.Rigidbody" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Take a component off an object, by its class (which must be on the component allowlist) or by
/// its place in the list of components.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the class, or the place from 0.
    type_or_index: String,
}

fn run(cx: &Cx, Input { object_id: id, type_or_index: which }: Input) -> Result<Done, ToolError> {
    let id = object_id(&id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        let component = match which.trim().parse::<usize>() {
            Ok(place) => object.components().get(place),
            Err(_) => {
                allowed::component(cx, &which)?;
                object.component(&which)
            }
        };
        let component = component.ok_or(Refused::NoComponent).map_err(refused)?.id();
        world.remove_component(component).map_err(refused)
    })?;
    Ok(Done::OK)
}
