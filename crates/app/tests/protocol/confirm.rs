//! A person is asked before a write: by elicitation where the client declares it.

use scenewright_toolkit::Settings;
use serde_json::{Value, json};

use crate::support::{Client, Over, Setup, assert_like, connect, replay, server};

fn asking() -> Setup {
    let settings = Settings { allow_writes: true, require_confirm: true, ..Settings::default() };
    Setup { settings, ..Setup::default() }
}

const WRITE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_write","arguments":{"text":"a"}}}"#;

async fn hello(client: &mut Client, capabilities: &str) {
    let transcript = format!(
        r#"
> {{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"clientInfo":{{"name":"t","version":"1"}}}}}}
< {{"jsonrpc":"2.0","id":"hello","result":"*"}}
> {{"jsonrpc":"2.0","method":"notifications/initialized"}}
"#
    );
    replay(client, &transcript, "hello").await;
}

#[tokio::test]
async fn a_client_with_a_handshake_is_asked_on_the_spot() {
    for (action, confirm, expected) in [
        (
            "accept",
            true,
            r#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"text":"a"},"…":1}}"#,
        ),
        ("accept", false, r#"{"jsonrpc":"2.0","id":1,"result":{"isError":true,"…":1}}"#),
        ("decline", true, r#"{"jsonrpc":"2.0","id":1,"result":{"isError":true,"…":1}}"#),
    ] {
        let mut client = connect(&server(asking()), Over::Stdio).await;
        hello(&mut client, r#"{"elicitation":{}}"#).await;
        let question = client.ask(WRITE, true).await.unwrap();
        assert_like(
            r#"{"jsonrpc":"2.0","id":"*","method":"elicitation/create","params":{"message":"Write (test.write) changes the project, which can be undone. Run it?","requestedSchema":"*","…":1}}"#,
            &question,
            "the question",
        );
        let question: Value = serde_json::from_str(&question).unwrap();
        let answer = json!({
            "jsonrpc": "2.0", "id": question["id"],
            "result": { "action": action, "content": { "confirm": confirm } },
        });
        let result = client.ask(&answer.to_string(), true).await.unwrap();
        assert_like(expected, &result, action);
    }
}

#[tokio::test]
async fn a_client_that_cannot_ask_is_told_what_to_send() {
    let mut client = connect(&server(asking()), Over::Stdio).await;
    hello(&mut client, "{}").await;
    let told = client.ask(WRITE, true).await.unwrap();
    assert!(told.contains("confirm: true") && told.contains(r#""isError":true"#), "{told}");
    let confirmed = WRITE.replace(r#""text":"a""#, r#""text":"a","confirm":true"#);
    let result = client.ask(&confirmed, true).await.unwrap();
    assert_like(
        r#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"text":"a"},"…":1}}"#,
        &result,
        "confirmed",
    );
}

/// A call of the stateless protocol, by a client that can be asked.
fn modern(text: &str, more: Value) -> String {
    let mut params = json!({
        "name": "test_write",
        "arguments": { "text": text },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        },
    });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

#[tokio::test]
async fn the_stateless_protocol_takes_the_question_along() {
    let mut client = connect(&server(asking()), Over::Stdio).await;
    let asked = client.ask(&modern("a", json!({})), true).await.unwrap();
    assert_like(
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"confirm":{"method":"elicitation/create","params":"*"}},"requestState":"*","…":1}}"#,
        &asked,
        "the question",
    );
    let asked: Value = serde_json::from_str(&asked).unwrap();
    let answer = |action: &str| {
        json!({
            "requestState": asked["result"]["requestState"],
            "inputResponses": { "confirm": { "action": action, "content": { "confirm": true } } },
        })
    };
    let declined = client.ask(&modern("a", answer("decline")), true).await.unwrap();
    assert!(declined.contains(r#""isError":true"#), "{declined}");
    let other_call = client.ask(&modern("b", answer("accept")), true).await.unwrap();
    assert!(other_call.contains("-32602"), "the answer belongs to another call: {other_call}");
    let mut forged = answer("accept");
    forged["requestState"] = json!("rs1.AAAA.BBBB");
    let forged = client.ask(&modern("a", forged), true).await.unwrap();
    assert!(forged.contains("-32602"), "{forged}");
    let done = client.ask(&modern("a", answer("accept")), true).await.unwrap();
    assert_like(
        r#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"text":"a"},"…":1}}"#,
        &done,
        "done",
    );
}
