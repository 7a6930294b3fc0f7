//! The tool `godotEngine.getDebugStreamStatus`, which MCP clients call `get_debug_stream_status`.

use scenewright_contract::ToolError;
use scenewright_text::time::iso;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{GodotProject, InGodot, InProject, NAME};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.getDebugStreamStatus",
    keywords: "is the debug stream open streaming status",
    mcp: Some("get_debug_stream_status"),
    title: "Get Debug Stream Status",
    category: "godot.engine",
    examples: &[Example {
        description: "Ask before a stream was opened",
        input: "{}",
        output: r#"{ "success": true, "running": false, "clientCount": 0 }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell whether the debug stream is open, where, and how many listen.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
}

#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether it is open.
    running: bool,
    /// Its port.
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    /// Where to connect.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// How many clients listen.
    client_count: usize,
    /// When a line was sent last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_message_time: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let projects = match input.project.project_path.as_deref() {
        Some(wanted) => vec![cx.godot(Some(wanted))?.project],
        None => cx.workspace().candidates(Some(NAME)).collect(),
    };
    for project in projects {
        let Some(godot) = project.of::<GodotProject>() else { continue };
        let found = godot.streams.with(|stream| Output {
            success: true,
            running: true,
            port: Some(stream.port),
            url: Some(format!("ws://127.0.0.1:{}", stream.port)),
            client_count: stream.clients(),
            last_message_time: stream.last_sent().map(iso),
        });
        if let Some(found) = found {
            return Ok(found);
        }
    }
    Ok(Output { success: true, ..Output::default() })
}
