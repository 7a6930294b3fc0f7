//! The tool `mcp.wait`: Wait for a Long Call.

use std::time::Duration;

use scenewright_contract::{JsonMap, Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, jobs, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.wait",
    keywords: "long running call result job still running cancel stop poll",
    title: "Wait for a Long Call",
    category: "mcp.platform",
    limits: Limits { timeout: Duration::from_secs(60), ..Limits::DEFAULT },
    examples: &[Example {
        description: "List the calls that take long",
        input: "{}",
        output: r#"{ "running": false, "calls": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Return the answer of a call that was still running after 50 seconds. Waits up to 50 seconds for it to end. Without an id
/// it lists the calls that take long.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// The `id` from the answer of that call.
    id: Option<String>,
    /// Whether to end the call.
    #[serde(default)]
    cancel: bool,
}

#[derive(Default, Serialize, JsonSchema)]
struct Output {
    /// The tool that was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// Whether it still runs.
    running: bool,
    /// How long it has been running, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
    /// Its output, once it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<JsonMap>")]
    output: Option<Value>,
    /// Without an id, the calls that take long.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<Vec<LongCall>>,
}

#[derive(Serialize, JsonSchema)]
struct LongCall {
    /// What to ask for its answer with.
    id: String,
    /// The tool that was called.
    tool: String,
    /// Whether it still runs.
    running: bool,
    /// How long it has been running, or ran, in seconds.
    seconds: u64,
}

fn run(cx: &Cx, Input { id, cancel }: Input) -> Result<Output, ToolError> {
    let Some(id) = id else { return Ok(list(cx)) };
    let job = cx.runner().jobs().find(&id)?;
    if cancel {
        job.cancel();
    }
    let tool = Some(job.tool.to_owned());
    let Some(result) = job.wait(jobs::PATIENCE, cx.cancel()) else {
        let seconds = Some(job.elapsed().as_secs());
        return Ok(Output { tool, running: true, seconds, ..Output::default() });
    };
    let outcome = result?;
    outcome.diagnostics.into_iter().for_each(|text| cx.diagnose(text));
    outcome.images.into_iter().for_each(|image| cx.show(image));
    if let Some(text) = outcome.text {
        cx.set_text(text);
    }
    Ok(Output { tool, output: Some(outcome.output.into_value()), ..Output::default() })
}

fn list(cx: &Cx) -> Output {
    let calls = cx.runner().jobs().all().into_iter().map(|job| LongCall {
        id: job.id.clone(),
        tool: job.tool.to_owned(),
        running: !job.is_ended(),
        seconds: job.elapsed().as_secs(),
    });
    Output { calls: Some(calls.collect()), ..Output::default() }
}
