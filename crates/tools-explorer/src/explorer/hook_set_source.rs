//! The tool `explorer.hookSetSource`, `HookSetSource` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, console};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookSetSource",
    explorer: Some("HookSetSource"),
    title: "Change the Code of a Hook",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Let a hook do nothing",
        input: r#"{ "signature": "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)", "source": "static void Postfix() { }" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.hookAdd",
        input: r#"{ "type": "UnityEngine.GameObject", "method": "SetActive" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Give a hook other code: functions named Prefix and Postfix, in the console's subset of C#.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The hook's signature, with or without names of parameters.
    signature: String,
    /// The code.
    source: String,
}

fn run(cx: &Cx, Input { signature, source }: Input) -> Result<Done, ToolError> {
    console::allowed(cx)?;
    cx.world(|world| {
        console::known_hook(cx, world, &signature)?;
        hooks::set_source(world, &signature, &source).map_err(console::hook_error)
    })?;
    Ok(Done::OK)
}
