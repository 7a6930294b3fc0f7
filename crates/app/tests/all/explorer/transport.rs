//! "Transport & Handshake".

use std::sync::Arc;

use expect_test::{Expect, expect};
use scenewright_wire::Server;
use serde_json::{Value, json};

use crate::explorer::http::{Response, ask, call, events, post};
use crate::explorer::support::{PLAYER, World};

fn message(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": "m", "method": method, "params": params }).to_string()
}

async fn result(server: &Arc<Server>, method: &str) -> Value {
    let response = post(server, &message(method, &json!({}))).await;
    assert_eq!(response.status, 200, "{}", response.body);
    response.json()["result"].clone()
}

/// "`POST /message` (alias `POST /mcp`) — JSON-RPC 2.0 methods": each of them, by its private name
/// at both paths, and by the standard name that was always its alias.
#[tokio::test]
async fn both_paths_answer_every_method_alike() {
    let world = World::read_only();
    let status = json!({ "name": "GetStatus", "arguments": {} });
    let version = json!({ "uri": "unity://status" });
    for (method, alias, params) in [
        ("list_tools", "tools/list", json!({})),
        ("list_resources", "resources/list", json!({})),
        ("call_tool", "tools/call", status),
        ("read_resource", "resources/read", version),
    ] {
        let body = message(method, &params);
        let here = ask(&world.server, "POST /message", &[], body.as_bytes()).await;
        assert_eq!(here.status, 200, "{method}: {}", here.body);
        assert!(here.json()["result"].is_object(), "{method}: {}", here.body);
        let there = ask(&world.server, "POST /mcp", &[], body.as_bytes()).await;
        assert_eq!((there.status, &there.body), (200, &here.body), "{method}");
        let standard = post(&world.server, &message(alias, &params)).await;
        assert_eq!(standard.body, here.body, "{alias}");
        let shouted = post(&world.server, &message(&method.to_uppercase(), &params)).await;
        assert_eq!(shouted.body, here.body, "{method} in capitals");
    }
}

/// "`ping`", and "JSON-RPC 2.0": ids come back as they were sent.
#[tokio::test]
async fn a_ping_is_answered_with_nothing() {
    let world = World::read_only();
    for id in ["7", "\"x\"", "-1", "null"] {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{}}}}"#);
        let said = post(&world.server, &ping).await;
        assert_eq!(said.body, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
    }
}

/// "`initialize` response: `{ protocolVersion: "2024-11-05", capabilities: { … }, serverInfo: { name,
/// version }, instructions: string }` (CoreCLR name `UnityExplorer.Mcp` …)".
#[tokio::test]
async fn the_handshake_is_the_documents() {
    let world = World::read_only();
    let hello = result(&world.server, "initialize").await;
    expect![[r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{"listChanged":true},"resources":{"listChanged":true},"experimental":{"streamEvents":{}}},"serverInfo":{"name":"UnityExplorer.Mcp","version":"0.1.0"},"instructions":"A Unity project's scenes as a world in memory, read from its files. Objects are named obj:<instanceId>; ListObjects and SearchObjects find them. Changes stay in memory, and need a server started with --allow-writes."}"#]]
    .assert_eq(&hello.to_string());
}

/// "JSON-RPC notifications that omit `id` return HTTP 202 with an empty body […]; when an `id` is
/// present, the server returns a normal JSON-RPC `{ result: { ok: true } }` body."
#[tokio::test]
async fn notifications_are_accepted() {
    let world = World::read_only();
    for method in ["notifications/initialized", "notifications/cancelled"] {
        let notice = json!({ "jsonrpc": "2.0", "method": method }).to_string();
        let silent = post(&world.server, &notice).await;
        assert_eq!((silent.status, &*silent.body), (202, ""), "{method}");
        let asked = post(&world.server, &message(method, &json!({}))).await;
        assert_eq!(asked.body, r#"{"jsonrpc":"2.0","id":"m","result":{"ok":true}}"#, "{method}");
        assert_eq!(asked.status, 200);
    }
}

/// "`GET /read?uri=unity://...` — wrappers `unity://...` resources; returns HTTP 200/4xx JSON".
#[tokio::test]
async fn resources_are_read_by_a_plain_get() {
    let world = World::read_only();
    let get = async |uri: &str| ask(&world.server, &format!("GET /read{uri}"), &[], b"").await;
    let status = get("?uri=unity://status").await;
    assert_eq!((status.status, status.head.get("content-type")), (200, Some("application/json")));
    assert_eq!(status.json(), world.read("unity://status").await);
    let search = get("?uri=unity%3A%2F%2Fsearch%3Fname%3Dflame%26limit%3D1").await;
    assert_eq!(search.json(), world.read("unity://search?name=flame&limit=1").await);
    for (query, expected) in [
        (
            "",
            expect![[
                r#"400 {"error":{"code":-32602,"message":"missing uri","data":{"kind":"InvalidArgument","hint":"GET /read?uri=unity://status"}}}"#
            ]],
        ),
        (
            "?uri=unity://object/nobody",
            expect![[
                r#"400 {"error":{"code":-32602,"message":"Invalid id; expected 'obj:<instanceId>'","data":{"kind":"InvalidArgument","hint":"ids come from ListObjects and SearchObjects"}}}"#
            ]],
        ),
        (
            "?uri=unity://object/obj:5",
            expect![[
                r#"404 {"error":{"code":-32004,"message":"Not found","data":{"kind":"NotFound","hint":null}}}"#
            ]],
        ),
        (
            "?uri=unity://weather",
            expect![[
                r#"404 {"error":{"code":-32004,"message":"resource not supported","data":{"kind":"NotFound","hint":null}}}"#
            ]],
        ),
    ] {
        let failed = get(query).await;
        assert_eq!(failed.head.get("content-type"), Some("application/json"), "{query}");
        expected.assert_eq(&format!("{} {}", failed.status, failed.body));
    }
}

/// "`GET /` (or `/?…`) with `Accept: text/event-stream` — Server-Sent Events channel […] `data:
/// <json>\n\n` frames […] (no chunked encoding). `/mcp` (or `/mcp?...`) accepts the same".
#[tokio::test]
async fn server_sent_events_are_at_every_base() {
    let world = World::read_only();
    for line in ["GET /", "GET /?a=b", "GET /mcp", "GET /mcp?a=b"] {
        let mut stream = events(&world.server, line).await;
        assert_eq!(stream.head.status(), 200, "{line}");
        assert_eq!(stream.head.get("content-type"), Some("text/event-stream"), "{line}");
        assert_eq!(stream.head.get("transfer-encoding"), None, "{line}");
        let answer = call(&world.server, "GetVersion", "{}").await.json();
        assert_eq!(stream.next().await, Some(answer), "{line}: the first frame is what happened");
    }
}

fn headers(response: &Response) -> String {
    let of = |name: &str| response.head.get(name).unwrap_or("(none)").to_owned();
    let names = ["allow-origin", "allow-headers", "allow-methods", "max-age"];
    names.map(|name| of(&format!("access-control-{name}"))).join(" | ")
}

/// "CORS: All responses include `Access-Control-Allow-Origin: *`, `Access-Control-Allow-Headers:
/// Content-Type, Authorization`, and `Access-Control-Allow-Methods: GET, POST, OPTIONS` (max-age
/// 86400)." The headers of standard MCP are allowed beside them.
#[tokio::test]
async fn every_answer_may_be_read_by_pages() {
    let world = World::read_only();
    let expected = expect![
        "* | Content-Type, Authorization, Accept, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID, Mcp-Method, Mcp-Name | GET, POST, OPTIONS | 86400"
    ];
    let ping = message("ping", &json!({}));
    for (line, body) in [
        ("POST /message", &*ping),
        ("POST /message", "{"),
        ("POST /message", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        ("POST /", &*ping),
        ("GET /read?uri=unity://status", ""),
        ("GET /read?uri=unity://weather", ""),
        ("GET /nothing", ""),
    ] {
        let response = ask(&world.server, line, &[], body.as_bytes()).await;
        expected.assert_eq(&headers(&response));
    }
}

/// "`OPTIONS /message` (and other paths) returns HTTP 204 + these headers for browser preflights".
#[tokio::test]
async fn preflights_are_answered() {
    let world = World::read_only();
    let origin = [("Origin", "http://localhost:6274")];
    for path in ["/message", "/", "/read", "/nothing"] {
        let response = ask(&world.server, &format!("OPTIONS {path}"), &origin, b"").await;
        assert_eq!((response.status, &*response.body), (204, ""), "{path}");
        let told = headers(&response);
        assert!(told.starts_with("* | Content-Type, Authorization"), "{path}: {told}");
        assert!(told.ends_with("GET, POST, OPTIONS | 86400"), "{path}: {told}");
    }
}

/// The same on a server that lets somebody write: there `*` would let every page in the world do so,
/// and only pages from this machine are told that they may read.
#[tokio::test]
async fn a_server_that_writes_names_the_page_it_trusts() {
    let world = World::writable();
    let body = message("ping", &json!({}));
    let origin = [("Origin", "http://localhost:6274")];
    let told = ask(&world.server, "POST /message", &origin, body.as_bytes()).await;
    assert_eq!(told.head.get("access-control-allow-origin"), Some("http://localhost:6274"));
    let foreign = [("Origin", "http://evil.example")];
    let told = ask(&world.server, "POST /message", &foreign, body.as_bytes()).await;
    assert_eq!((told.status, told.head.get("access-control-allow-origin")), (403, None));
}

/// "`list_resources`: `resources: [{ uri, name, description, mimeType }]` for every `unity://...`
/// resource listed below."
#[tokio::test]
async fn every_resource_of_the_document_is_listed() {
    let world = World::read_only();
    let listed = result(&world.server, "list_resources").await;
    let listed = listed["resources"].as_array().unwrap();
    for entry in listed {
        let fields: Vec<&String> = entry.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["uri", "name", "description", "mimeType"], "{entry}");
        assert_eq!(entry["mimeType"], "application/json", "{entry}");
        assert!(entry["uri"].as_str().unwrap().starts_with("unity://"), "{entry}");
        for field in ["name", "description"] {
            assert!(!entry[field].as_str().unwrap().is_empty(), "{entry}");
        }
    }
    for uri in [
        "unity://status",
        "unity://scenes",
        "unity://scene/{sceneId}/objects",
        "unity://object/{id}",
        "unity://object/{id}/components",
        "unity://search",
        "unity://selection",
        "unity://camera/active",
        "unity://logs/tail",
        "unity://console/scripts",
        "unity://console/script?path={path}",
        "unity://hooks",
        // Those of the first implementation, as it lists them.
        "unity://search/singletons",
        "unity://search/static-classes",
        "unity://type/{typeFullName}/static-members",
    ] {
        let count = listed.iter().filter(|entry| entry["uri"] == uri).count();
        assert_eq!(count, 1, "{uri}");
    }
}

/// "`list_tools`: each tool has `name`, `description`, `inputSchema` […]; cancellation tokens are
/// omitted": every tool of the document has exactly its parameters, `?` for those it can do without.
#[tokio::test]
async fn every_tool_of_the_document_has_its_parameters() {
    let world = World::writable();
    let listed = result(&world.server, "list_tools").await;
    let listed = listed["tools"].as_array().unwrap();
    let signature = |name: &str| {
        let tool = listed.iter().find(|tool| tool["name"] == name);
        let tool = tool.unwrap_or_else(|| panic!("{name} is not listed"));
        let fields: Vec<&String> = tool.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["name", "description", "inputSchema"], "{name}");
        assert!(!tool["description"].as_str().unwrap().is_empty(), "{name}");
        signature(name, &tool["inputSchema"])
    };
    let text: String = DOCUMENTED.iter().map(|name| signature(name) + "\n").collect();
    expect![[r#"
        GetStatus()
        ListScenes(limit?: integer, offset?: integer)
        ListObjects(sceneId?: string, name?: string, type?: string, activeOnly?: boolean, limit?: integer, offset?: integer)
        GetObject(id: string)
        GetComponents(objectId: string, limit?: integer, offset?: integer)
        GetVersion()
        SearchObjects(query?: string, name?: string, type?: string, path?: string, activeOnly?: boolean, limit?: integer, offset?: integer)
        GetCameraInfo()
        MousePick(mode?: string ["world","ui"]="world", x?: number, y?: number, normalized?: boolean=false)
        TailLogs(count?: integer=200)
        ReadConsoleScript(path: string)
        GetSelection()
        GetTimeScale()
        SetConfig(allowWrites?: boolean, requireConfirm?: boolean, enableConsoleEval?: boolean, componentAllowlist?: array, reflectionAllowlistMembers?: array, hookAllowlistSignatures?: array, restart?: boolean=false, confirm?: boolean=false)
        GetConfig()
        SetActive(objectId: string, active: boolean, confirm?: boolean=false)
        SelectObject(objectId: string, confirm?: boolean=false)
        SetMember(objectId: string, componentType: string, member: string, jsonValue: string, confirm?: boolean=false)
        CallMethod(objectId: string, componentType: string, method: string, argsJson?: string="[]", confirm?: boolean=false)
        AddComponent(objectId: string, type: string, confirm?: boolean=false)
        RemoveComponent(objectId: string, typeOrIndex: string, confirm?: boolean=false)
        HookAdd(type: string, method: string, confirm?: boolean=false)
        HookRemove(signature: string, confirm?: boolean=false)
        HookSetEnabled(signature: string, enabled: boolean, confirm?: boolean=false)
        HookSetSource(signature: string, source: string, confirm?: boolean=false)
        Reparent(objectId: string, newParentId: string, confirm?: boolean=false)
        DestroyObject(objectId: string, confirm?: boolean=false)
        ConsoleEval(code: string, confirm?: boolean=false)
        WriteConsoleScript(path: string, content: string, confirm?: boolean=false)
        DeleteConsoleScript(path: string, confirm?: boolean=false)
        SetTimeScale(value: number, lock?: boolean, confirm?: boolean=false)
        SpawnTestUi(confirm?: boolean=false)
        DestroyTestUi(confirm?: boolean=false)
        GetStartupScript()
        RunConsoleScript(path: string, confirm?: boolean=false)
        SetStartupScriptEnabled(enabled: boolean, confirm?: boolean=false)
        WriteStartupScript(content: string, confirm?: boolean=false)
        RunStartupScript(confirm?: boolean=false)
        HookListAllowedTypes()
        HookListMethods(type: string, filter?: string, limit?: integer, offset?: integer)
        HookGetSource(signature: string)
    "#]].assert_eq(&text);
}

/// A tool as the document writes it.
fn signature(name: &str, schema: &Value) -> String {
    assert_eq!(schema["type"], "object", "{name}");
    assert_eq!(schema["additionalProperties"], false, "{name}");
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let parameters = schema["properties"].as_object().unwrap().iter().map(|(parameter, about)| {
        let optional = if required.contains(&json!(parameter)) { "" } else { "?" };
        let kind = match &about["type"] {
            Value::Array(kinds) => kinds[0].as_str().unwrap(),
            kind => kind.as_str().unwrap(),
        };
        let choices = about.get("enum").map_or_else(String::new, |choices| format!(" {choices}"));
        let usual = about.get("default").map_or_else(String::new, |usual| format!("={usual}"));
        format!("{parameter}{optional}: {kind}{choices}{usual}")
    });
    format!("{name}({})", parameters.collect::<Vec<_>>().join(", "))
}

/// The tools in the order of the document, those that it plans among them.
const DOCUMENTED: [&str; 41] = [
    "GetStatus",
    "ListScenes",
    "ListObjects",
    "GetObject",
    "GetComponents",
    "GetVersion",
    "SearchObjects",
    "GetCameraInfo",
    "MousePick",
    "TailLogs",
    "ReadConsoleScript",
    "GetSelection",
    "GetTimeScale",
    "SetConfig",
    "GetConfig",
    "SetActive",
    "SelectObject",
    "SetMember",
    "CallMethod",
    "AddComponent",
    "RemoveComponent",
    "HookAdd",
    "HookRemove",
    "HookSetEnabled",
    "HookSetSource",
    "Reparent",
    "DestroyObject",
    "ConsoleEval",
    "WriteConsoleScript",
    "DeleteConsoleScript",
    "SetTimeScale",
    "SpawnTestUi",
    "DestroyTestUi",
    "GetStartupScript",
    "RunConsoleScript",
    "SetStartupScriptEnabled",
    "WriteStartupScript",
    "RunStartupScript",
    "HookListAllowedTypes",
    "HookListMethods",
    "HookGetSource",
];

async fn check_wrapped(world: &World, method: &str, params: Value, expected: Expect) {
    let answer = post(&world.server, &message(method, &params)).await.json();
    assert_eq!(answer["id"], "m");
    expected.assert_eq(&answer["result"].to_string());
}

/// "`call_tool` result wrapper: `{ content: [{ type: "text", mimeType: "application/json", text:
/// "<json>", json: <object> }] }`".
#[tokio::test]
async fn results_of_tools_are_wrapped() {
    let world = World::writable();
    let params = json!({ "name": "GetTimeScale", "arguments": {} });
    check_wrapped(&world, "call_tool", params, expect![[r#"{"content":[{"type":"text","text":"{\"ok\":true,\"value\":1.0,\"locked\":false}","mimeType":"application/json","json":{"ok":true,"value":1.0,"locked":false}}]}"#]]).await;
    // Names of tools are known in any case, and arguments may be left out.
    let params = json!({ "name": "gettimescale" });
    check_wrapped(&world, "call_tool", params, expect![[r#"{"content":[{"type":"text","text":"{\"ok\":true,\"value\":1.0,\"locked\":false}","mimeType":"application/json","json":{"ok":true,"value":1.0,"locked":false}}]}"#]]).await;
    // What a tool refuses is wrapped alike.
    let params =
        json!({ "name": "SetActive", "arguments": { "objectId": "obj:5", "active": true } });
    check_wrapped(&world, "call_tool", params, expect![[r#"{"content":[{"type":"text","text":"{\"ok\":false,\"error\":{\"kind\":\"NotFound\",\"message\":\"Not found\",\"hint\":null}}","mimeType":"application/json","json":{"ok":false,"error":{"kind":"NotFound","message":"Not found","hint":null}}}]}"#]]).await;
}

/// "`read_resource` result wrapper: `{ contents: [{ uri, mimeType: "application/json", text:
/// "<json>" }] }`."
#[tokio::test]
async fn resources_are_wrapped() {
    let world = World::read_only();
    let params = json!({ "uri": "unity://selection" });
    check_wrapped(&world, "read_resource", params, expect![[r#"{"contents":[{"uri":"unity://selection","mimeType":"application/json","text":"{\n  \"ActiveId\": null,\n  \"Items\": []\n}"}]}"#]]).await;
    let uri = format!("unity://object/{PLAYER}/components?limit=1");
    let answer =
        post(&world.server, &message("read_resource", &json!({ "uri": uri }))).await.json();
    assert_eq!(answer["result"]["contents"][0]["uri"], *uri, "as it was asked for");
}

/// "Concurrency: 32 in-flight requests (`RateLimited` error message `"Cannot have more than 32
/// parallel requests. Please slow down."`)."
#[tokio::test]
async fn of_forty_requests_at_once_thirty_two_are_taken() {
    let world = World::read_only();
    let calls = (0..40).map(|_| call(&world.server, "test.sleep", r#"{"ms":1500}"#));
    let answers = futures_util::future::join_all(calls).await;
    // On a busy machine some of those that were taken may not be done in time; they had their place.
    let (refused, taken): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.status == 429);
    assert_eq!((taken.len(), refused.len()), (32, 8));
    for answer in refused {
        expect![[r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Cannot have more than 32 parallel requests. Please slow down.","data":{"kind":"RateLimited","hint":"wait for an answer before the next one"}}}"#]]
        .assert_eq(&answer.body);
    }
    assert_eq!(call(&world.server, "GetStatus", "{}").await.status, 200, "there is room again");
}
