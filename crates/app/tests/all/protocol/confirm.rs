//! A person is asked before a write: by elicitation where the client declares it.

use scenewright_toolkit::Settings;
use serde_json::{Value, json};

use crate::protocol::support::{Client, Over, Setup, assert_like, connect, replay, server};

fn asking() -> Setup {
    let settings =
        Settings { allow_writes: true, require_confirm: true, ..Setup::default().settings };
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
            r#"{"jsonrpc":"2.0","id":"*","method":"elicitation/create","params":{"message":"Write (test.write) changes the project, which can be undone. Run it?\n\nArguments: {\"text\":\"a\"}","requestedSchema":"*","…":1}}"#,
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
async fn a_model_does_not_confirm_itself() {
    let mut client = connect(&server(asking()), Over::Stdio).await;
    hello(&mut client, r#"{"elicitation":{}}"#).await;
    let confirmed = WRITE.replace(r#""text":"a""#, r#""text":"a","confirm":true"#);
    let through = WRITE.replace(
        r#""name":"test_write","arguments":{"text":"a"}"#,
        r#""name":"tools_call","arguments":{"tool":"test.write","arguments":{"text":"a","confirm":true}}"#,
    );
    for call in [confirmed, through] {
        let refused = client.ask(&call, true).await.unwrap();
        assert!(refused.contains("confirm stands for nobody's word"), "{refused}");
    }
    // A client that says it can ask and cannot is as good as one that never said so.
    let question: Value = serde_json::from_str(&client.ask(WRITE, true).await.unwrap()).unwrap();
    let failed = json!({
        "jsonrpc": "2.0", "id": question["id"], "error": { "code": -32601, "message": "no" },
    });
    let result = client.ask(&failed.to_string(), true).await.unwrap();
    assert!(result.contains("A person has to agree first"), "{result}");
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    assert!(!client.ask(list, true).await.unwrap().contains(r#""confirm""#));
}

/// A call that changes a scene of the sample, with what else it is given.
fn add_node(more: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"add_node","arguments":{{"projectPath":"godot","scenePath":"res://scenes/main.tscn","nodeType":"Timer","nodeName":"Clock"{more}}}}}}}"#
    )
}

async fn question(client: &mut Client, call: &str) -> String {
    let question = client.ask(call, true).await.unwrap();
    let question: Value = serde_json::from_str(&question).unwrap();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let answer =
        json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    let result = client.ask(&answer.to_string(), true).await.unwrap();
    assert!(result.contains("did not agree"), "{result}");
    question["params"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_question_shows_what_would_change() {
    let mut client = connect(&server(asking()), Over::Stdio).await;
    hello(&mut client, r#"{"elicitation":{}}"#).await;
    let asked = question(&mut client, &add_node("")).await;
    assert!(asked.contains("scenes/main.tscn (modified)"), "{asked}");
    assert!(asked.contains("\n  + Clock") && !asked.contains("[node"), "{asked}");
    // Nobody is asked about what would fail.
    let failing = add_node("").replace("main.tscn", "none.tscn");
    let result = client.ask(&failing, true).await.unwrap();
    assert!(result.contains("not found") && result.contains(r#""isError":true"#), "{result}");
}

#[tokio::test]
async fn a_dry_run_asks_nothing() {
    let mut client = connect(&server(asking()), Over::Stdio).await;
    hello(&mut client, r#"{"elicitation":{}}"#).await;
    let result = client.ask(&add_node(r#","dryRun":true"#), true).await.unwrap();
    assert!(result.contains(r#""dryRun":true"#), "{result}");
}

#[tokio::test]
async fn a_batch_asks_once_for_all() {
    let mut client = connect(&server(asking()), Over::Stdio).await;
    hello(&mut client, r#"{"elicitation":{}}"#).await;
    let node = |name: &str| {
        json!({ "tool": "add_node", "args": {
        "scenePath": "res://scenes/main.tscn", "nodeType": "Timer", "nodeName": name,
    } })
    };
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "batch_operations",
        "arguments": { "projectPath": "godot", "operations": [node("One"), node("Two")] },
    } });
    let asked = question(&mut client, &call.to_string()).await;
    assert!(
        asked.contains("\n  + One") && asked.contains("\n  + Two") && !asked.contains("[node"),
        "{asked}"
    );
    // What is only shown needs nobody's word.
    let mut plain = connect(&server(asking()), Over::Stdio).await;
    hello(&mut plain, "{}").await;
    let mut dry = call.clone();
    dry["params"]["arguments"]["dryRun"] = json!(true);
    let result = plain.ask(&dry.to_string(), true).await.unwrap();
    assert!(result.contains(r#""successCount":2"#), "{result}");
}

#[tokio::test]
async fn where_nothing_can_wait_nothing_runs() {
    // No word of the model's lets it run: with a person's state folder it would wait for them.
    for call in [WRITE.to_owned(), WRITE.replace(r#""text":"a""#, r#""text":"a","confirm":true"#)] {
        let mut client = connect(&server(asking()), Over::Stdio).await;
        hello(&mut client, "{}").await;
        let refused = client.ask(&call, true).await.unwrap();
        assert!(refused.contains(r#""isError":true"#) && refused.contains("Try: "), "{refused}");
        assert!(!refused.contains("`confirm: true`"), "{refused}");
    }
    // Where no person is asked for, an old habit harms nobody.
    let settings = Settings { allow_writes: true, ..Setup::default().settings };
    let mut client = connect(&server(Setup { settings, ..Setup::default() }), Over::Stdio).await;
    hello(&mut client, "{}").await;
    let confirmed = WRITE.replace(r#""text":"a""#, r#""text":"a","confirm":true"#);
    let result = client.ask(&confirmed, true).await.unwrap();
    assert!(result.contains(r#""structuredContent":{"text":"a"}"#), "{result}");
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
