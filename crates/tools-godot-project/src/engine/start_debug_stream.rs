//! The tool `godotEngine.startDebugStream`, which MCP clients call `start_debug_stream`.

use std::time::Duration;

use scenewright_contract::{Runs, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.startDebugStream",
    keywords: "live log follow tail output of a game",
    mcp: Some("start_debug_stream"),
    title: "Start Debug Stream",
    notes: Some(
        "Listens on 127.0.0.1 only, refuses pages of other sites, and takes no commands. It ends with the server. get_debug_output reads the same lines without it.",
    ),
    category: "godot.engine",
    safety: Safety::SafeWrite,
    runs: Runs::Only,
    idempotent: false,
    examples: &[Example {
        description: "Open a stream on any free port",
        input: r#"{ "projectPath": "godot", "port": 0 }"#,
        output: r#"{
            "success": true,
            "url": "ws://127.0.0.1:9999",
            "port": 9999,
            "message": "every line of the game is sent as {\"type\", \"timestamp\", \"content\"}"
        }"#,
        varies: &["url", "port"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Open a WebSocket on this machine that sends every line that the running game prints, from the
/// first one that is still known.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Port to listen on; 0 takes any that is free.
    #[serde(default = "usual_port")]
    port: u16,
    /// How often to look for new lines, in milliseconds.
    #[serde(default = "usual_interval")]
    #[schemars(range(min = 10, max = 10000))]
    poll_interval_ms: u64,
}

fn usual_port() -> u16 {
    9999
}

fn usual_interval() -> u64 {
    100
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Where to connect.
    url: String,
    /// The port.
    port: u16,
    /// What comes over it.
    message: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let interval = Duration::from_millis(input.poll_interval_ms);
    let port = godot.godot.streams.start(&godot.godot.games, input.port, interval)?;
    Ok(Output {
        success: true,
        url: format!("ws://127.0.0.1:{port}"),
        port,
        message: r#"every line of the game is sent as {"type", "timestamp", "content"}"#.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::time::Duration;

    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    /// The next text that the server sends, without its frame.
    fn next_text(reader: &mut impl Read) -> Value {
        let mut head = [0; 2];
        reader.read_exact(&mut head).unwrap();
        let length = match head[1] {
            126 => {
                let mut long = [0; 2];
                reader.read_exact(&mut long).unwrap();
                usize::from(u16::from_be_bytes(long))
            }
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        reader.read_exact(&mut payload).unwrap();
        serde_json::from_slice(&payload).unwrap()
    }

    #[test]
    fn a_client_is_greeted_counted_and_told_of_the_end() {
        let sample = GodotSample::new();
        let started = sample.call(super::TOOL.id, json!({ "port": 0 })).unwrap();
        let port = u16::try_from(started["port"].as_u64().unwrap()).unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let key = "dGhlIHNhbXBsZSBub25jZQ==";
        write!(stream, "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").unwrap();
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            reader.read_line(&mut head).unwrap();
        }
        assert!(head.starts_with("HTTP/1.1 101 ") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        assert_eq!(next_text(&mut reader)["type"], "system");
        let status = sample.call("get_debug_stream_status", json!({})).unwrap();
        assert_eq!((&status["running"], &status["clientCount"]), (&json!(true), &json!(1)));
        let again = sample.error(super::TOOL.id, json!({ "port": 0 }));
        let text =
            format!("the debug stream runs already, on port {port}; stop_debug_stream ends it");
        assert_eq!(again, text);
        let stopped = sample.call("stop_debug_stream", json!({})).unwrap();
        assert_eq!(stopped["disconnectedClients"], 1);
        assert_eq!(next_text(&mut reader)["content"], "the stream ends");
    }

    #[test]
    fn a_port_in_use_is_said() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = GodotSample::new().error(super::TOOL.id, json!({ "port": port }));
        let start = format!("port {port} of this machine cannot be listened on: ");
        assert!(error.starts_with(&start), "{error}");
    }
}
