//! "Streams & Notifications".

use expect_test::expect;
use scenewright_wire::Limits;
use serde_json::{Value, json};

use crate::explorer::http::{Connection, event_name, events, post, stream_events, until};
use crate::explorer::support::{CAMERA, PLAYER, Setup, World};

/// The next message in short: the name of an event, or `result` or `error` and the id.
async fn next(stream: &mut Connection) -> (String, Value) {
    let message = stream.next().await.expect("the stream goes on");
    match message.get("id") {
        Some(id) if message.get("error").is_some() => (format!("error {id}"), message),
        Some(id) => (format!("result {id}"), message),
        None => (event_name(&message).to_owned(), message["params"]["payload"].clone()),
    }
}

async fn names(stream: &mut Connection, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..count {
        names.push(next(stream).await.0);
    }
    names
}

/// The payload of the next event of this name.
async fn event(stream: &mut Connection, name: &str) -> Value {
    loop {
        let (seen, payload) = next(stream).await;
        if seen == name {
            return payload;
        }
    }
}

/// A stream that has shown how things are.
async fn opened(world: &World) -> Connection {
    let mut stream = stream_events(&world.server).await;
    assert_eq!(names(&mut stream, 2).await, ["scenes", "selection"]);
    stream
}

/// "`stream_events`: chunked JSON lines; notifications use `{ "jsonrpc":"2.0", "method":"notification",
/// "params":{ "event": "<name>", "payload": { ... } } }`", "on open it emits a deterministic `scenes`
/// snapshot notification", "`scenes`: `Page<SceneDto>` (same as `unity://scenes`)". The selection
/// follows.
#[tokio::test]
async fn a_stream_begins_with_the_scenes() {
    let world = World::read_only();
    for _ in 0..2 {
        let mut stream = stream_events(&world.server).await;
        assert_eq!(stream.head.get("transfer-encoding"), Some("chunked"));
        assert_eq!(stream.head.get("content-type"), Some("application/json"));
        let scenes = world.read("unity://scenes").await;
        let params = json!({ "event": "scenes", "payload": scenes });
        let first = json!({ "jsonrpc": "2.0", "method": "notification", "params": params });
        assert_eq!(stream.next().await, Some(first));
        let (name, selection) = next(&mut stream).await;
        assert_eq!((&*name, selection), ("selection", world.read("unity://selection").await));
    }
}

/// "`selection`: `SelectionDto { ActiveId, Items[] }` (same as `unity://selection`)", which `SelectObject`
/// "triggers".
#[tokio::test]
async fn a_selection_is_told() {
    let world = World::writable();
    let mut stream = opened(&world).await;
    let mut frames = events(&world.server, "GET /").await;
    for id in [PLAYER, CAMERA] {
        world.done("SelectObject", json!({ "objectId": id })).await;
        let selection = world.read("unity://selection").await;
        assert_eq!(selection["ActiveId"], id);
        assert_eq!(event(&mut stream, "selection").await, selection);
        assert_eq!(event(&mut frames, "selection").await, selection);
    }
    world.done("DestroyObject", json!({ "objectId": CAMERA })).await;
    assert_eq!(
        event(&mut stream, "selection").await,
        json!({ "ActiveId": PLAYER, "Items": [PLAYER] })
    );
}

/// "`scenes_diff`: `{ added: [sceneId], removed: [sceneId] }` when scenes load/unload."
#[tokio::test]
async fn scenes_that_come_and_go_are_told() {
    let world = World::writable();
    let mut stream = opened(&world).await;
    world.done("LoadScene", json!({ "name": "Cellar", "mode": "additive" })).await;
    let added = json!({ "added": ["scn:1"], "removed": [] });
    assert_eq!(event(&mut stream, "scenes_diff").await, added);
    world.done("LoadScene", json!({ "name": "Main", "mode": "single" })).await;
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(event(&mut stream, "scenes_diff").await.to_string());
    }
    expect![[r#"
        {"added":[],"removed":["scn:1"]}
        {"added":[],"removed":["scn:0"]}
        {"added":["scn:0"],"removed":[]}"#]]
    .assert_eq(&seen.join("\n"));
}

/// "`log`: `{ level, message, source, category?, t }` (mirrors `logs/tail`)."
#[tokio::test]
async fn lines_of_the_log_are_told() {
    let world = World::writable();
    world.done("SetConfig", json!({ "enableConsoleEval": true })).await;
    let mut stream = opened(&world).await;
    world.done("ConsoleEval", json!({ "code": "Debug.LogWarning(\"Ä\\nb\");" })).await;
    let line = event(&mut stream, "log").await;
    let fields: Vec<&String> = line.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["level", "message", "source", "category", "t"]);
    let tail = world.call("TailLogs", json!({ "count": 2 })).await;
    let kept = &tail["Items"][0];
    for (field, name) in [
        ("level", "Level"),
        ("message", "Message"),
        ("source", "Source"),
        ("category", "Category"),
        ("t", "T"),
    ] {
        assert_eq!(line[field], kept[name], "{field}");
    }
    assert_eq!((&line["level"], &line["message"]), (&json!("warn"), &json!("Ä\nb")));
}

/// "`tool_result`: `{ name, ok: true, result }` or `{ name, ok: false, error: { code, message, data } }`
/// reflecting `call_tool` outcomes." A write that was refused is no success.
#[tokio::test]
async fn outcomes_of_tools_are_told() {
    let world = World::writable();
    let mut stream = opened(&world).await;
    for (tool, arguments, expected) in [
        (
            "gettimescale",
            json!({}),
            expect![[
                r#"{"name":"gettimescale","ok":true,"result":{"ok":true,"value":1.0,"locked":false}}"#
            ]],
        ),
        (
            "GetObject",
            json!({ "id": "obj:5" }),
            expect![[
                r#"{"name":"GetObject","ok":false,"error":{"code":-32004,"message":"Not found","data":{"kind":"NotFound","hint":null}}}"#
            ]],
        ),
        (
            "DestroyObject",
            json!({ "objectId": "obj:5" }),
            expect![[
                r#"{"name":"DestroyObject","ok":false,"error":{"code":-32004,"message":"Not found","data":{"kind":"NotFound","hint":null}}}"#
            ]],
        ),
        (
            "ConsoleEval",
            json!({ "code": "1" }),
            expect![[
                r#"{"name":"ConsoleEval","ok":false,"error":{"code":-32003,"message":"ConsoleEval disabled by config","data":{"kind":"PermissionDenied","hint":"SetConfig (explorer_setConfig) with allowWrites or enableConsoleEval changes that on a server that was started with --allow-writes"}}}"#
            ]],
        ),
        (
            "Zork",
            json!({}),
            expect![[
                r#"{"name":"Zork","ok":false,"error":{"code":-32602,"message":"Tool not found: Zork","data":{"kind":"InvalidArgument","hint":null}}}"#
            ]],
        ),
    ] {
        world.respond(tool, arguments).await;
        expected.assert_eq(&event(&mut stream, "tool_result").await.to_string());
    }
}

/// "JSON-RPC results and errors for other requests are also mirrored onto the stream for connected
/// clients", in one order for all: what happened, the answer, `tool_result`.
#[tokio::test]
async fn answers_are_mirrored_in_one_order() {
    let world = World::writable();
    let mut lines = opened(&world).await;
    let mut frames = events(&world.server, "GET /mcp").await;
    let select = world.respond("SelectObject", json!({ "objectId": PLAYER })).await.json();
    let failed = world.respond("GetObject", json!({ "id": "x" })).await.json();
    let read =
        r#"{"jsonrpc":"2.0","id":"r","method":"read_resource","params":{"uri":"unity://status"}}"#;
    let read = post(&world.server, read).await.json();
    let unknown = post(&world.server, r#"{"jsonrpc":"2.0","id":9,"method":"zork"}"#).await.json();
    for stream in [&mut lines, &mut frames] {
        // The selection, then the line that the write leaves.
        assert_eq!(names(stream, 2).await, ["selection", "log"]);
        assert_eq!(stream.next().await.as_ref(), Some(&select));
        assert_eq!(names(stream, 2).await, ["tool_result", "log"]);
        assert_eq!(stream.next().await.as_ref(), Some(&failed));
        assert_eq!(names(stream, 1).await, ["tool_result"]);
        assert_eq!(stream.next().await.as_ref(), Some(&read));
        assert_eq!(names(stream, 1).await, ["log"]);
        assert_eq!(stream.next().await.as_ref(), Some(&unknown));
    }
}

/// "Disconnects clean up their slots; HTTP connection stays open until client closes."
#[tokio::test]
async fn a_client_that_leaves_makes_room() {
    let limits = Limits { streams: 1, ..Limits::default() };
    let world = World::with(Setup { limits, ..Setup::default() });
    for _ in 0..3 {
        let mut open = None;
        // The server learns that the last one left when it looks at the connection.
        until(async || {
            let stream = events(&world.server, "GET /").await;
            open = (stream.head.status() == 200).then_some(stream);
            open.is_some()
        })
        .await;
        assert_eq!(events(&world.server, "GET /").await.head.status(), 429);
        world.call("GetStatus", json!({})).await;
        event(&mut open.unwrap(), "tool_result").await;
    }
}
