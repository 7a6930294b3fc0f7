//! An output that its tool has written goes as it is into every message that carries JSON: its spaces arrive, which
//! nobody would keep who reads JSON and writes it again.

use scenewright_contract::{JsonMap, Output, ToolError};
use scenewright_toolkit::{Cx, Group, Settings, Tool};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::protocol::support::{Over, Setup, connect, server};

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
    let settings = Settings { structured: false, ..Setup::default().settings };
    Setup { groups: GROUPS, settings, ..Setup::default() }
}

fn call(meta: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"large_dump","arguments":{{}}{meta}}}}}"#
    )
}

#[tokio::test]
async fn in_frames() {
    let server = server(setup());
    // Without `_meta` a call in a frame goes the short way.
    for meta in ["", r#","_meta":{"progressToken":1}"#] {
        let mut client = connect(&server, Over::Framed).await;
        let answer = client.ask(&call(meta), true).await.unwrap();
        let text = format!(r#""content":[{{"type":"text","text":{}}}]"#, json!(WRITTEN));
        assert!(answer.contains(&text), "{answer}");
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
