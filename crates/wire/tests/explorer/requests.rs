//! Requests and their answers: "Transport & Handshake".

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::http::{ask, begin, call, connect, events, post, request, until};
use crate::world::{World, serve};

/// Send `message` to `/message` of a server that only shows itself.
async fn check(message: &str, expected: Expect) {
    let response = post(&serve(&World::new(false)), message).await;
    expected.assert_eq(&format!("{} {}", response.status, response.body));
}

/// "`initialize` response: …"
#[tokio::test]
async fn the_handshake_is_fixed() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
        expect![[r#"200 {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{"listChanged":true},"resources":{"listChanged":true},"experimental":{"streamEvents":{}}},"serverInfo":{"name":"UnityExplorer.Mcp","version":"4.12.8.0"},"instructions":"Look around."}}"#]],
    )
    .await;
    check(
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        expect![[r#"200 {"jsonrpc":"2.0","id":2,"result":{}}"#]],
    )
    .await;
}

/// "JSON-RPC notifications that omit `id` return HTTP 202 with an empty body […]; when an `id` is
/// present, the server returns a normal JSON-RPC `{ result: { ok: true } }` body."
#[tokio::test]
async fn notifications_are_accepted_in_silence() {
    for method in ["notifications/initialized", "notifications/cancelled", "Notifications/X"] {
        check(&format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#), expect!["202 "]).await;
        check(&format!(r#"{{"jsonrpc":"2.0","id":null,"method":"{method}"}}"#), expect!["202 "])
            .await;
        check(
            &format!(r#"{{"jsonrpc":"2.0","id":1.0,"method":"{method}"}}"#),
            expect![[r#"200 {"jsonrpc":"2.0","id":1.0,"result":{"ok":true}}"#]],
        )
        .await;
    }
}

/// "`list_tools`: each tool has `name`, `description`, `inputSchema`"; also those that a read-only
/// server refuses.
#[tokio::test]
async fn tools_are_listed() {
    let response = post(
        &serve(&World::new(false)),
        r#"{"jsonrpc":"2.0","id":1,"method":"list_tools","params":{}}"#,
    )
    .await;
    let tools = response.json()["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["GetStatus", "Fail", "Wait", "SetActive", "Refuse"]);
    expect![[r#"{"name":"GetStatus","description":"GetStatus.","inputSchema":{"type":"object","properties":{"kind":{"type":"string"}},"additionalProperties":false}}"#]]
        .assert_eq(&tools[0].to_string());
}

/// "`list_resources`: `resources: [{ uri, name, description, mimeType }]` for every `unity://...`
/// resource."
#[tokio::test]
async fn resources_are_listed_with_their_families_and_without_those_of_others() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"list_resources"}"#,
        expect![[r#"200 {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"unity://status","name":"Status","description":"How it is.","mimeType":"application/json"},{"uri":"unity://object/{id}","name":"Object","description":"One object.","mimeType":"application/json"}]}}"#]],
    )
    .await;
}

/// "`call_tool` result wrapper: …" and "`read_resource` result wrapper: …"
#[tokio::test]
async fn results_are_wrapped() {
    check(
        r#"{"jsonrpc":"2.0","id":"a","method":"call_tool","params":{"name":"getstatus","arguments":{"echo":"Ä"}}}"#,
        expect![[r#"200 {"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"{\"Version\":\"1\",\"Selection\":\"Ä\"}","mimeType":"application/json","json":{"Version":"1","Selection":"Ä"}}]}}"#]],
    )
    .await;
    check(
        r#"{"jsonrpc":"2.0","id":"b","method":"read_resource","params":{"uri":"unity://status"}}"#,
        expect![[r#"200 {"jsonrpc":"2.0","id":"b","result":{"contents":[{"uri":"unity://status","mimeType":"application/json","text":"{\"Version\":\"1\",\"Asked\":\"unity://status\"}"}]}}"#]],
    )
    .await;
}

/// "`POST /message` (alias `POST /mcp`)", and the root; the standard names mean the same, but on
/// `/mcp` they are standard MCP's.
#[tokio::test]
async fn the_dialect_follows_path_and_method() {
    let server = serve(&World::new(false));
    let list = |method: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
    for (line, method, first) in [
        ("POST /message", "list_tools", "GetStatus"),
        ("POST /message?x=1", "List_Tools", "GetStatus"),
        ("POST /message", "tools/list", "GetStatus"),
        ("POST /", "list_tools", "GetStatus"),
        ("POST /?x=1", "tools/list", "GetStatus"),
        ("POST /mcp", "list_tools", "GetStatus"),
        ("POST /mcp?x=1", "LIST_TOOLS", "GetStatus"),
        // Standard MCP sorts by its own names.
        ("POST /mcp", "tools/list", "world_fail"),
    ] {
        let response = ask(&server, line, &[], list(method).as_bytes()).await;
        let tools = response.json()["result"]["tools"].clone();
        assert_eq!(tools[0]["name"], first, "{line} {method}");
    }
    for (method, params) in [
        ("tools/call", r#"{"name":"GetStatus"}"#),
        ("call_tool", r#"{"tool":"GetStatus","arguments":null}"#),
        ("resources/read", r#"{"uri":"unity://status"}"#),
        ("resources/list", "null"),
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        assert_eq!(post(&server, &body).await.status, 200, "{method}");
    }
    for line in ["POST /messagefoo", "GET /read/more", "GET /nowhere"] {
        assert_eq!(ask(&server, line, &[], b"{}").await.status, 404, "{line}");
    }
    let page = ask(&server, "GET /", &[], b"").await;
    assert_eq!((page.status, page.body.as_str()), (200, "page"));
}

/// "`GET /read?uri=unity://...` […] returns HTTP 200/4xx JSON when available."
#[tokio::test]
async fn resources_can_be_read_without_json_rpc() {
    let world = World::new(false);
    let server = serve(&world);
    let read = ask(&server, "GET /read?uri=unity%3A%2F%2Fstatus%3Fa%3D1%26b%3D2", &[], b"").await;
    assert_eq!(read.status, 200);
    assert_eq!(read.head.get("content-type"), Some("application/json"));
    assert_eq!(read.json(), json!({ "Version": "1", "Asked": "unity://status?a=1&b=2" }));
    assert_eq!(ask(&server, "GET /read?uri=unity://status", &[], b"").await.status, 200);

    let missing = ask(&server, "GET /read?uri=unity://nothing", &[], b"").await;
    expect![[r#"404 {"error":{"code":-32004,"message":"resource not supported","data":{"kind":"NotFound","hint":null}}}"#]]
        .assert_eq(&format!("{} {}", missing.status, missing.body));
    assert_eq!(missing.head.get("content-type"), Some("application/json"));
    assert_eq!(world.lines(), ["[MCP] error -32004: resource not supported"]);
    let nothing = ask(&server, "GET /read", &[], b"").await;
    assert_eq!(
        (nothing.status, nothing.json()["error"]["message"].clone()),
        (400, json!("missing uri"))
    );
}

/// "JSON-RPC 2.0 on `POST /message`": bodies as any client sends them.
#[tokio::test]
async fn bodies_may_be_chunked_and_in_any_language() {
    let server = serve(&World::new(false));
    let text = "Ä日本🎮";
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":"{text}","method":"call_tool","params":{{"name":"GetStatus","arguments":{{"echo":"{text}"}}}}}}"#
    );
    let whole = post(&server, &message).await;
    assert_eq!(whole.json()["result"]["content"][0]["json"]["Selection"], text);
    assert_eq!(whole.json()["id"], text);

    // A chunk may end in the middle of a character.
    let (a, b) = message.as_bytes().split_at(24);
    let mut body = Vec::new();
    for part in [a, b, b""] {
        body.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
        body.extend_from_slice(part);
        body.extend_from_slice(b"\r\n");
    }
    let chunked = [("Transfer-Encoding", "chunked")];
    let chunked = ask(&server, "POST /message", &chunked, &body).await;
    assert_eq!(chunked.body, whole.body);
}

/// Ids are echoed as they were written; `null` is none, as absent is.
#[tokio::test]
async fn ids_come_back_as_written() {
    for id in ["1.0", "12345678901234567890123", r#""\u0041""#, "null"] {
        let answer = format!(r#"200 {{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        let response = post(
            &serve(&World::new(false)),
            &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"PING"}}"#),
        )
        .await;
        assert_eq!(format!("{} {}", response.status, response.body), answer);
    }
    check(r#"{"method":"ping"}"#, expect![[r#"200 {"jsonrpc":"2.0","id":null,"result":{}}"#]])
        .await;
}

/// "`/mcp` (or `/mcp?...`) accepts the same SSE stream": but a client of standard MCP, which shows
/// its session or its version, gets its own.
#[tokio::test]
async fn standard_clients_keep_their_streams() {
    let server = serve(&World::new(false));
    let initialize = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let accept = ("Accept", "text/event-stream");
    let version = [accept, ("MCP-Protocol-Version", "2025-06-18")];
    assert_eq!(begin(&server, "GET /mcp", &version, b"").await.head.status(), 400);
    let unknown = [accept, ("Mcp-Session-Id", "nobody")];
    assert_eq!(begin(&server, "GET /mcp", &unknown, b"").await.head.status(), 404);
    let opened = begin(&server, "POST /mcp", &[], initialize).await;
    assert!(opened.head.get("mcp-session-id").is_some(), "{:?}", opened.head);
    assert_eq!(events(&server, "GET /mcp").await.head.status(), 200);
    // Without the header it is no stream at all.
    let plain = ask(&server, "GET /mcp", &[], b"").await;
    assert!((400..500).contains(&plain.status), "{plain:?}");
}

/// "Concurrency: 32 in-flight requests."
#[tokio::test]
async fn of_forty_calls_at_once_thirty_two_are_taken() {
    let world = World::new(false);
    let server = serve(&world);
    let wait = br#"{"jsonrpc":"2.0","id":1,"method":"call_tool","params":{"name":"Wait"}}"#;
    let mut waiting = Vec::new();
    for _ in 0..32 {
        let mut stream = connect(&server, 1 << 16);
        stream.write_all(request("POST /message", &[], wait).as_bytes()).await.unwrap();
        stream.write_all(wait).await.unwrap();
        waiting.push(stream);
    }
    let ping = r#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#;
    // The thirty-two may still be on their way.
    until(async || post(&server, ping).await.status != 200).await;
    let refused = post(&server, ping).await;
    expect![[r#"429 {"jsonrpc":"2.0","id":"x","error":{"code":-32005,"message":"Cannot have more than 32 parallel requests. Please slow down.","data":{"kind":"RateLimited","hint":"wait for an answer before the next one"}}}"#]]
        .assert_eq(&format!("{} {}", refused.status, refused.body));
    assert_eq!(refused.head.get("retry-after"), Some("1"));
    for _ in 0..7 {
        assert_eq!(call(&server, "GetStatus", "{}").await.status, 429);
    }
    // Streams and what is no request take no place.
    assert_eq!(events(&server, "GET /").await.head.status(), 200);
    let noted = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(post(&server, noted).await.status, 202);
    world.gate.add_permits(32);
    until(async || call(&server, "GetStatus", "{}").await.status == 200).await;
}

/// "`call_tool` result wrapper": a tool that has nothing to say says `null`.
#[tokio::test]
async fn null_results_are_results() {
    let world = World::new(false);
    world.gate.add_permits(1);
    let response = call(&serve(&world), "Wait", "{}").await;
    assert_eq!(response.json()["result"]["content"][0]["json"], Value::Null);
}
