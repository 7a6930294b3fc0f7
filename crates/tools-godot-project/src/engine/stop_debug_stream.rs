//! The tool `godotEngine.stopDebugStream`, which MCP clients call `stop_debug_stream`.

use scenewright_contract::{ErrorKind, Runs, Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Project, Tool, call, schema};
use scenewright_tools_godot::base::{GodotProject, InGodot, InProject, NAME};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.stopDebugStream",
    keywords: "end live log",
    mcp: Some("stop_debug_stream"),
    title: "Stop Debug Stream",
    category: "godot.engine",
    safety: Safety::SafeWrite,
    runs: Runs::Only,
    examples: &[Example {
        description: "Close the stream that was opened",
        input: "{}",
        output: r#"{ "success": true, "message": "the debug stream was closed", "disconnectedClients": 0 }"#,
        varies: &[],
    }],
    after: &[Earlier { tool: "godotEngine.startDebugStream", input: r#"{ "port": 0 }"# }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Close the WebSocket that start_debug_stream opened. The game goes on.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What was done.
    message: String,
    /// How many clients were listening.
    disconnected_clients: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let stopped = match input.project.project_path.as_deref() {
        Some(wanted) => cx.godot(Some(wanted))?.godot.streams.stop(),
        None => {
            let is_open = |project: &&Project| {
                let godot = project.of::<GodotProject>();
                godot.is_some_and(|godot| godot.streams.with(|_| ()).is_some())
            };
            let open: Vec<&Project> =
                cx.workspace().candidates(Some(NAME)).filter(is_open).collect();
            let meant = cx.choose_among(&open).transpose()?;
            meant.and_then(|project| project.of::<GodotProject>()?.streams.stop())
        }
    };
    let Some(disconnected_clients) = stopped else {
        return Err(ToolError::new(ErrorKind::NotReady, "no debug stream is open")
            .hint("start_debug_stream opens one"));
    };
    let message = "the debug stream was closed".to_owned();
    Ok(Output { success: true, message, disconnected_clients })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn without_a_stream_nothing_is_closed() {
        let error = GodotSample::new().error(super::TOOL.id, json!({}));
        assert_eq!(error, "no debug stream is open; start_debug_stream opens one");
    }
}
