//! The tool `explorer.setFreecamEnabled`, `SetFreecamEnabled` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setFreecamEnabled",
    explorer: Some("SetFreecamEnabled"),
    title: "Switch the Free Camera",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Look through the free camera",
        input: r#"{ "enabled": true }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let the free camera see, or the game's own.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// On or off.
    enabled: bool,
}

fn run(cx: &Cx, Input { enabled }: Input) -> Result<Done, ToolError> {
    cx.world(|world| {
        // It begins where the game's camera is, and stays there when that moves.
        let place = world.freecam_place();
        let camera = world.freecam_mut();
        camera.enabled = enabled;
        camera.place = Some(place);
        Ok(Done::OK)
    })
}
