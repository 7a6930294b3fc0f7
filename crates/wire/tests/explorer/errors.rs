//! "Error Envelope & Rate Limits".

use expect_test::{Expect, expect};
use scenewright_contract::ErrorKind;
use serde_json::json;

use crate::http::{ask, call, post};
use crate::world::{World, serve};

/// Send `message` to `/message` of a server that only shows itself.
async fn check(message: &str, expected: &Expect) {
    let response = post(&serve(&World::new(false)), message).await;
    expected.assert_eq(&format!("{} {}", response.status, response.body));
}

/// "`code` from the JSON-RPC spec or domain codes": every kind of error, with its HTTP status.
#[tokio::test]
async fn every_kind_has_its_code_and_status() {
    let server = serve(&World::new(false));
    let mut table = String::new();
    for kind in ErrorKind::ALL {
        let kind = kind.as_str();
        let called = call(&server, "Fail", &json!({ "kind": kind }).to_string()).await;
        let error = &called.json()["error"];
        assert!(error["data"].get("hint").is_some(), "{error}");
        let read = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"read_resource","params":{{"uri":"unity://fail/{kind}"}}}}"#
        );
        assert_eq!(post(&server, &read).await.body, called.body);
        let line = format!("GET /read?uri=unity://fail/{kind}");
        assert_eq!(ask(&server, &line, &[], b"").await.status, called.status);
        let (code, name, message) = (&error["code"], &error["data"]["kind"], &error["message"]);
        table += &format!("{kind:18} {} {code} {name} {message}\n", called.status);
    }
    expect![[r#"
        parse              400 -32700 "InvalidRequest" "Parse error"
        invalid_request    400 -32600 "InvalidRequest" "as you wish"
        method_not_found   400 -32601 "MethodNotFound" "as you wish"
        bad_envelope       400 -32602 "InvalidArgument" "as you wish"
        unknown_tool       400 -32602 "InvalidArgument" "as you wish"
        bad_arguments      400 -32602 "InvalidArgument" "as you wish"
        tool_failed        500 -32603 "Internal" "Internal error"
        engine_error       404 -32004 "NotFound" "as you wish"
        resource_not_found 404 -32004 "NotFound" "as you wish"
        timeout            500 -32603 "Internal" "Internal error"
        denied             403 -32003 "PermissionDenied" "as you wish"
        confirm_required   403 -32003 "PermissionDenied" "Confirmation required"
        rate_limited       429 -32005 "RateLimited" "as you wish"
        not_ready          503 -32002 "NotReady" "as you wish"
        auth_failed        403 -32003 "PermissionDenied" "as you wish"
        cancelled          500 -32603 "Internal" "Internal error"
        internal           500 -32603 "Internal" "Internal error"
    "#]]
    .assert_eq(&table);
}

/// "JSON-RPC errors: `{ error: { code, message, data: { kind, hint?, detail? } } }`": what is no
/// request.
#[tokio::test]
async fn what_is_no_request_is_said() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method""#,
        &expect![[r#"400 {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"kind":"InvalidRequest","hint":null,"detail":"EOF while parsing an object at line 1 column 32"}}}"#]],
    )
    .await;
    let no_method = expect![[
        r#"400 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: 'method' is required.","data":{"kind":"InvalidRequest","hint":null}}}"#
    ]];
    for message in ["", " \r\n", "{}", r#"{"method":null}"#, r#"{"method":" "}"#, r#"{"result":1}"#]
    {
        check(message, &no_method).await;
    }
    check(
        r#"{"jsonrpc":"2.0","id":7}"#,
        &expect![[r#"400 {"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid request: 'method' is required.","data":{"kind":"InvalidRequest","hint":null}}}"#]],
    )
    .await;
    check(
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        &expect![[r#"400 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: batch requests are not supported; send one at a time","data":{"kind":"InvalidRequest","hint":null}}}"#]],
    )
    .await;
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        &expect![[r#"400 {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: method must be a string","data":{"kind":"InvalidRequest","hint":null}}}"#]],
    )
    .await;
    check(
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        &expect![[r#"400 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: id must be a string or a number","data":{"kind":"InvalidRequest","hint":null}}}"#]],
    )
    .await;
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#,
        &expect![[r#"400 {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: prompts/list","data":{"kind":"MethodNotFound","hint":null}}}"#]],
    )
    .await;
}

/// `InvalidArgument` (-32602, HTTP 400): parameters that a method needs.
#[tokio::test]
async fn parameters_that_are_missing_are_named() {
    let no_params = "Invalid params: 'params' object is required.";
    for (method, params, message) in [
        ("call_tool", "null", no_params),
        ("call_tool", "[1]", no_params),
        ("call_tool", "{}", "Invalid params: 'name' is required."),
        ("call_tool", r#"{"name":" "}"#, "Invalid params: 'name' is required."),
        ("call_tool", r#"{"name":7}"#, "Invalid params: 'name' is required."),
        (
            "call_tool",
            r#"{"name":"GetStatus","arguments":[1]}"#,
            "Invalid params: 'arguments' must be an object.",
        ),
        ("read_resource", "null", no_params),
        ("read_resource", r#"{"uri":""}"#, "Invalid params: 'uri' is required."),
    ] {
        let message_text =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let response = post(&serve(&World::new(false)), &message_text).await;
        let error = json!({ "code": -32602, "message": message, "data": { "kind": "InvalidArgument", "hint": null } });
        assert_eq!((response.status, &response.json()["error"]), (400, &error), "{message_text}");
    }
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"call_tool","params":{"name":"Nope"}}"#,
        &expect![[r#"400 {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Tool not found: Nope","data":{"kind":"InvalidArgument","hint":null}}}"#]],
    )
    .await;
}

/// "Tool-level failures reuse the same `kind/hint` fields inside `{ ok: false, error: … }`": tools
/// that write answer so, whoever it is that refuses.
#[tokio::test]
async fn a_write_that_fails_is_an_answer() {
    let world = World::new(false);
    let denied = call(&serve(&world), "SetActive", r#"{"active":true}"#).await;
    assert_eq!(denied.status, 200);
    let error = json!({ "kind": "PermissionDenied", "message": "Writes disabled", "hint": "--allow-writes" });
    let payload = &denied.json()["result"]["content"][0]["json"];
    assert_eq!(payload, &json!({ "ok": false, "error": error }));
    assert_eq!(
        world.lines(),
        ["tool=SetActive ok=false args=active=true error=PermissionDenied:Writes disabled"]
    );
    let world = World::new(true);
    let refused = call(&serve(&world), "Refuse", "{}").await;
    assert_eq!(
        (refused.status, &refused.json()["result"]["content"][0]["json"]["ok"]),
        (200, &json!(false))
    );
    let done = call(&serve(&world), "SetActive", "{}").await;
    assert_eq!(done.json()["result"]["content"][0]["json"], json!({ "ok": true }));
    assert_eq!(
        world.lines(),
        [
            "tool=Refuse ok=false args=none error=NotFound:Not found",
            "tool=SetActive ok=true args=none"
        ]
    );
}

/// "Errors log `[MCP] error <code>: <message>` into the MCP log buffer."
#[tokio::test]
async fn errors_are_in_the_log() {
    let world = World::new(false);
    let server = serve(&world);
    post(&server, "{").await;
    post(&server, r#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#).await;
    call(&server, "Fail", r#"{"kind":"not_ready"}"#).await;
    call(&server, "Fail", r#"{"kind":"tool_failed"}"#).await;
    post(&server, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    expect![[r#"
        [
            "[MCP] error -32700: Parse error: EOF while parsing an object at line 1 column 1",
            "[MCP] error -32601: Method not found: nope",
            "[MCP] error -32002: as you wish",
            "[MCP] error -32603: Internal error: as you wish",
        ]
    "#]]
    .assert_debug_eq(&world.lines());
}

/// A URI that is none is said so; one that nobody knows is not found.
#[tokio::test]
async fn a_text_that_is_no_uri_is_refused() {
    for (uri, status, message) in [
        ("nonsense", 400, "invalid uri"),
        ("://status", 400, "invalid uri"),
        ("unity://nonsense", 404, "resource not supported"),
    ] {
        let ask = format!(r#"{{"id":1,"method":"read_resource","params":{{"uri":"{uri}"}}}}"#);
        let response = post(&serve(&World::new(false)), &ask).await;
        let said = &response.json()["error"]["message"];
        assert_eq!((response.status, said), (status, &json!(message)), "{uri}");
    }
}
