//! An output that its tool has written goes into every message as it is: its spaces, which no one
//! who reads JSON and writes it again would keep, arrive.

use scenewright_contract::{JsonMap, Output, ToolError};
use scenewright_toolkit::{Cx, Group, Settings, Tool};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::protocol::support::{
    Over, Response, Setup, connect, http_server, post, request, server,
};

/// Spaces, a number and an escape that would be spelled otherwise, names in no order.
const WRITTEN: &str = r#"{ "b" : [ 1.0, 1E2 ],  "a": "\u0041\/\"" }"#;

const GROUPS: &[Group] = &[Group { name: "large", engine: None, about: "Doubles", tools: &[DUMP] }];

const DUMP: Tool = Tool {
    id: "large.dump",
    title: "Dump",
    category: "scene",
    input: || object(json!({ "type": "object", "properties": {} })),
    output: || object(json!({ "type": "object", "properties": {} })),
    call: |_: &Cx, _: Value| -> Result<Output, ToolError> {
        let raw: &RawValue = serde_json::from_str(WRITTEN).unwrap();
        Ok(Output::written(&raw).unwrap())
    },
    ..Tool::READ
};

fn object(value: Value) -> JsonMap {
    value.as_object().cloned().unwrap_or_default()
}

fn setup() -> Setup {
    // A short text beside the data would be of the data as it was read.
    let settings = Settings { full_text: true, ..Setup::default().settings };
    Setup { groups: GROUPS, settings, ..Setup::default() }
}

fn call(meta: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"large_dump","arguments":{{}}{meta}}}}}"#
    )
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

/// The answer of standard MCP: the output as a text, and once more as it was written.
#[track_caller]
fn check_mcp(answer: &str) {
    let text = format!(r#""content":[{{"type":"text","text":{}}}]"#, json!(WRITTEN));
    assert!(answer.contains(&text), "{answer}");
    assert!(answer.contains(&format!(r#","structuredContent":{WRITTEN},"#)), "{answer}");
    serde_json::from_str::<Value>(answer).unwrap();
}

#[tokio::test]
async fn in_a_conversation_and_in_frames() {
    let server = server(setup());
    // Without `_meta` a call in a frame goes the short way.
    for over in [Over::Stdio, Over::Framed, Over::McpSocket] {
        for meta in ["", r#","_meta":{"progressToken":1}"#] {
            let mut client = connect(&server, over).await;
            check_mcp(&client.ask(&call(meta), true).await.unwrap());
        }
    }
}

#[tokio::test]
async fn in_a_batch() {
    let mut client = connect(&server(setup()), Over::Stdio).await;
    client.ask(INITIALIZE, true).await;
    check_mcp(&client.ask(&format!("[{}]", call("")), true).await.unwrap());
}

#[tokio::test]
async fn over_http_with_and_without_a_session() {
    let address = http_server(&server(setup())).await;
    let alone = post(&address, "/mcp", &[], call("").as_bytes()).await;
    assert!(alone.head.to_lowercase().contains("content-length:"), "{alone:?}");
    check_mcp(&alone.body);
    let opened = post(&address, "/mcp", &[], INITIALIZE.as_bytes()).await;
    let session = header(&opened, "mcp-session-id");
    let with = [("Mcp-Session-Id", session.as_str())];
    let called = post(&address, "/mcp", &with, call("").as_bytes()).await;
    assert!(called.head.contains("text/event-stream"), "{called:?}");
    check_mcp(&called.body);
    let batch = post(&address, "/mcp", &with, format!("[{}]", call("")).as_bytes()).await;
    check_mcp(&batch.body);
    let odd = call("").replace(r#""id":1"#, r#""id":1.0"#);
    for headers in [&with[..], &[]] {
        let odd = post(&address, "/mcp", headers, odd.as_bytes()).await;
        assert!(odd.body.contains(r#""id":1.0,"#), "{odd:?}");
        check_mcp(&odd.body);
    }
    request(&address, "DELETE", "/mcp", &with, b"").await;
}

#[tokio::test]
async fn over_stateless_http() {
    let address = http_server(&server(setup())).await;
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "large_dump"),
        ("Content-Type", "application/json"),
    ];
    // A key of somebody's own in `_meta` sends the call the long way.
    for more in ["", r#","example.com/trace":1"#] {
        let meta = format!(
            r#","_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"t","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}{more}}}"#
        );
        check_mcp(&post(&address, "/mcp", &headers, call(&meta).as_bytes()).await.body);
    }
}

#[tokio::test]
async fn in_the_other_dialects() {
    let server = server(setup());
    let editor = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"large.dump"}}"#;
    let batch = r#"{"jsonrpc":"2.0","id":1,"method":"tools/batchCall","params":{"calls":[{"tool":"large.dump"}]}}"#;
    let explorer =
        r#"{"jsonrpc":"2.0","id":1,"method":"call_tool","params":{"name":"large.dump"}}"#;
    for over in [Over::Stdio, Over::Framed, Over::WebSocket, Over::Http("/mcp")] {
        for (message, before) in [(editor, r#""output":"#), (batch, r#""output":"#)] {
            let mut client = connect(&server, over).await;
            let answer = client.ask(message, true).await.unwrap();
            assert!(answer.contains(&format!("{before}{WRITTEN}}}")), "{over:?}: {answer}");
        }
    }
    for over in [Over::Stdio, Over::Framed, Over::Http("/mcp"), Over::Http("/message")] {
        let mut client = connect(&server, over).await;
        let answer = client.ask(explorer, true).await.unwrap();
        assert!(answer.contains(&format!(r#""json":{WRITTEN}}}"#)), "{over:?}: {answer}");
    }
}

fn header(response: &Response, name: &str) -> String {
    let line = response.head.lines().find(|line| line.to_lowercase().starts_with(name));
    line.and_then(|line| line.split_once(':')).unwrap().1.trim().to_owned()
}
