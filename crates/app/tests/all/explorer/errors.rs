//! "Error Envelope & Rate Limits".

use expect_test::expect;
use serde_json::json;

use crate::explorer::http::{call, post};
use crate::explorer::support::{NOBODY, Setup, World};

/// How a request failed: the status, and the error as it was sent.
async fn failure(world: &World, message: &str) -> String {
    let response = post(&world.server, message).await;
    let body = response.json();
    assert_eq!(body["jsonrpc"], "2.0", "{body}");
    assert!(body.get("result").is_none(), "{body}");
    format!("{} {} {}", response.status, body["id"], body["error"])
}

/// "JSON-RPC errors: `{ error: { code, message, data: { kind, hint?, detail? } } }` with `code` from the
/// JSON-RPC spec".
#[tokio::test]
async fn requests_that_are_none() {
    let world = World::read_only();
    for (message, expected) in [
        (
            "{",
            expect![[
                r#"400 null {"code":-32700,"message":"Parse error","data":{"kind":"InvalidRequest","hint":null,"detail":"EOF while parsing an object at line 1 column 1"}}"#
            ]],
        ),
        (
            "",
            expect![[
                r#"400 null {"code":-32600,"message":"Invalid request: 'method' is required.","data":{"kind":"InvalidRequest","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4}"#,
            expect![[
                r#"400 4 {"code":-32600,"message":"Invalid request: 'method' is required.","data":{"kind":"InvalidRequest","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":" "}"#,
            expect![[
                r#"400 4 {"code":-32600,"message":"Invalid request: 'method' is required.","data":{"kind":"InvalidRequest","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":5}"#,
            expect![[
                r#"400 4 {"code":-32600,"message":"Invalid request: method must be a string","data":{"kind":"InvalidRequest","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"prompts/list"}"#,
            expect![[
                r#"400 4 {"code":-32601,"message":"Method not found: prompts/list","data":{"kind":"MethodNotFound","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"call_tool"}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Invalid params: 'params' object is required.","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"call_tool","params":[]}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Invalid params: 'params' object is required.","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"call_tool","params":{}}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Invalid params: 'name' is required.","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"call_tool","params":{"name":" "}}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Invalid params: 'name' is required.","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"call_tool","params":{"name":"GetStatus","arguments":[]}}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Invalid params: 'arguments' must be an object.","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"call_tool","params":{"name":"Zork"}}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Tool not found: Zork","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"read_resource"}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Invalid params: 'params' object is required.","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"read_resource","params":{}}"#,
            expect![[
                r#"400 4 {"code":-32602,"message":"Invalid params: 'uri' is required.","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        (
            r#"{"id":4,"method":"read_resource","params":{"uri":"unity://zork"}}"#,
            expect![[
                r#"404 4 {"code":-32004,"message":"resource not supported","data":{"kind":"NotFound","hint":null}}"#
            ]],
        ),
    ] {
        expected.assert_eq(&failure(&world, message).await);
    }
}

/// "or domain codes: `NotReady` (-32002, HTTP 503) `PermissionDenied` (-32003, HTTP 403) `NotFound`
/// (-32004, HTTP 404) […] `InvalidArgument` (-32602, HTTP 400) `Internal` (-32603, HTTP 500)": each of
/// them from a tool that only reads. `RateLimited` is in `transport`.
#[tokio::test]
async fn every_kind_has_its_code_and_status() {
    let homeless = World::with(Setup { has_home: false, ..Setup::default() });
    let world = World::read_only();
    for (world, tool, arguments, expected) in [
        (
            &homeless,
            "ReadConsoleScript",
            json!({ "path": "a.cs" }),
            expect![[
                r#"503 {"code":-32002,"message":"NotReady: no Scripts folder is set","data":{"kind":"NotReady","hint":"start the server with --explorer-home and a folder for it"}}"#
            ]],
        ),
        (
            &world,
            "HookListMethods",
            json!({ "type": "Zork" }),
            expect![[
                r#"403 {"code":-32003,"message":"Denied by hook allowlist","data":{"kind":"PermissionDenied","hint":"SetConfig sets hookAllowlistSignatures: full names of types"}}"#
            ]],
        ),
        (
            &world,
            "GetObject",
            json!({ "id": NOBODY }),
            expect![[
                r#"404 {"code":-32004,"message":"Not found","data":{"kind":"NotFound","hint":null}}"#
            ]],
        ),
        (
            &world,
            "GetObject",
            json!({ "id": "nobody" }),
            expect![[
                r#"400 {"code":-32602,"message":"Invalid id; expected 'obj:<instanceId>'","data":{"kind":"InvalidArgument","hint":"ids come from ListObjects and SearchObjects"}}"#
            ]],
        ),
        (
            &world,
            "GetObject",
            json!({ "id": 5 }),
            expect![[
                r#"400 {"code":-32602,"message":"id must be string, not integer","data":{"kind":"InvalidArgument","hint":null}}"#
            ]],
        ),
        // A tool that takes longer than it may.
        (
            &world,
            "test.sleep",
            json!({ "ms": 5000 }),
            expect![[
                r#"500 {"code":-32603,"message":"Internal error","data":{"kind":"Internal","hint":"ask for less: a smaller folder, a filter, a lower limit","detail":"Tool execution timed out"}}"#
            ]],
        ),
    ] {
        let response = world.respond(tool, arguments).await;
        expected.assert_eq(&format!("{} {}", response.status, response.json()["error"]));
    }
}

/// "Tool-level failures reuse the same `kind/hint` fields inside `{ ok: false, error: { kind, message,
/// hint? } }`."
#[tokio::test]
async fn tools_that_write_use_the_same_kinds() {
    let homeless = World::with(Setup { has_home: false, ..Setup::default() });
    let world = World::writable();
    let config = json!({ "enableConsoleEval": true, "componentAllowlist": [] });
    world.done("SetConfig", config).await;
    for (world, tool, arguments, expected) in [
        (
            &homeless,
            "WriteConsoleScript",
            json!({ "path": "a.cs", "content": "" }),
            expect![[
                r#"{"ok":false,"error":{"kind":"NotReady","message":"NotReady: no Scripts folder is set","hint":"start the server with --explorer-home and a folder for it"}}"#
            ]],
        ),
        (
            &world,
            "AddComponent",
            json!({ "objectId": NOBODY, "type": "A" }),
            expect![[
                r#"{"ok":false,"error":{"kind":"PermissionDenied","message":"No components are allowlisted","hint":"SetConfig sets componentAllowlist: full names of classes"}}"#
            ]],
        ),
        (
            &world,
            "SelectObject",
            json!({ "objectId": NOBODY }),
            expect![[
                r#"{"ok":false,"error":{"kind":"NotFound","message":"Not found","hint":null}}"#
            ]],
        ),
        (
            &world,
            "SelectObject",
            json!({ "objectId": "nobody" }),
            expect![[
                r#"{"ok":false,"error":{"kind":"InvalidArgument","message":"Invalid id; expected 'obj:<instanceId>'","hint":"ids come from ListObjects and SearchObjects"}}"#
            ]],
        ),
        (
            &world,
            "SelectObject",
            json!({}),
            expect![[
                r#"{"ok":false,"error":{"kind":"InvalidArgument","message":"objectId is required","hint":null}}"#
            ]],
        ),
        (
            &world,
            "ConsoleEval",
            json!({ "code": "int a = 0; 1 / a" }),
            expect![[
                r#"{"ok":false,"error":{"kind":"Internal","message":"System.DivideByZeroException: Attempted to divide by zero. (line 1)","hint":null}}"#
            ]],
        ),
    ] {
        let payload = world.call(tool, arguments).await;
        let fields: Vec<&String> = payload["error"].as_object().unwrap().keys().collect();
        assert_eq!(fields, ["kind", "message", "hint"], "{payload}");
        expected.assert_eq(&payload.to_string());
    }
}

/// "Errors log `[MCP] error <code>: <message>` into the MCP log buffer, visible via `unity://logs/tail`
/// or `TailLogs`": with the kind as their category. What a tool says itself is no error of a request.
#[tokio::test]
async fn errors_are_in_the_log() {
    let world = World::writable();
    call(&world.server, "GetObject", r#"{"id":"obj:5"}"#).await;
    call(&world.server, "Zork", "{}").await;
    post(&world.server, "{").await;
    post(&world.server, r#"{"id":1,"method":"zork"}"#).await;
    crate::explorer::http::ask(&world.server, "GET /read?uri=unity://zork", &[], b"").await;
    call(&world.server, "SelectObject", r#"{"objectId":"obj:5"}"#).await;
    let tail = world.call("TailLogs", json!({})).await;
    let lines = tail["Items"].as_array().unwrap().iter().map(|line| {
        let of = |name: &str| line[name].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}: {}\n", of("Level"), of("Source"), of("Category"), of("Message"))
    });
    expect![[r#"
        error mcp NotFound: [MCP] error -32004: Not found
        error mcp InvalidArgument: [MCP] error -32602: Tool not found: Zork
        error mcp InvalidRequest: [MCP] error -32700: Parse error: EOF while parsing an object at line 1 column 1
        error mcp MethodNotFound: [MCP] error -32601: Method not found: zork
        error mcp NotFound: [MCP] error -32004: resource not supported
        info mcp audit: tool=SelectObject ok=false args=objectId=obj:5 error=NotFound:Not found
    "#]].assert_eq(&lines.collect::<String>());
}
