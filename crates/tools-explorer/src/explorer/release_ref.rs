//! The tool `explorer.releaseRef`, `ReleaseRef` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.releaseRef",
    explorer: Some("ReleaseRef"),
    title: "Forget a Handle",
    category: "explorer",
    examples: &[Example {
        description: "Forget a handle that nobody gave out",
        input: r#"{ "refId": "ref:00000000:1" }"#,
        output: r#"{ "ok": true, "released": false }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Forget a handle; nothing happens to what it stands for.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A handle, as member reads give it.
    ref_id: String,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// Whether there was such a handle.
    released: bool,
}

fn run(cx: &Cx, Input { ref_id }: Input) -> Result<Output, ToolError> {
    Ok(Output { ok: true, released: cx.holder().refs.release(&ref_id)? })
}
