//! The tool `explorer.destroyTestUi`, `DestroyTestUi` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.destroyTestUi",
    explorer: Some("DestroyTestUi"),
    title: "Destroy the Test Interface",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Remove the test interface",
        input: r#"{}"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Remove what SpawnTestUi made; fine when there is nothing.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

fn run(cx: &Cx, _: Input) -> Result<Done, ToolError> {
    cx.world(|world| {
        world.destroy_test_ui();
        Ok(Done::OK)
    })
}
