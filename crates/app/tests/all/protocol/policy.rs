//! The policy as clients meet it: limits over the network, audit lines, timeouts.

use std::time::Duration;

use scenewright_toolkit::{Rate, Settings};
use serde_json::{Value, json};

use crate::protocol::support::{Over, Setup, check, connect, http_server, post, server};

fn sleep(id: u32, ms: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"test_sleep","arguments":{{"ms":{ms}}}}}}}"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn one_call_too_many_over_http_is_429_in_both_dialects() {
    let settings = Settings { in_flight: Some(2), ..Setup::default().settings };
    let address = http_server(&server(Setup { settings, ..Setup::default() })).await;
    // On a machine that stands still meanwhile the slow ones end too early, and it is tried again.
    for _ in 0..20 {
        let slow = || {
            let address = address.clone();
            tokio::spawn(
                async move { post(&address, "/mcp", &[], sleep(1, 1500).as_bytes()).await },
            )
        };
        let slow = [slow(), slow()];
        // A third that came before them would have one of their places.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let refused = post(&address, "/mcp", &[], sleep(9, 1).as_bytes()).await;
        let editor = sleep(9, 1).replace("name", "tool");
        let refused_editor = post(&address, "/editormcp", &[], editor.as_bytes()).await;
        let in_time = slow.iter().all(|call| !call.is_finished()) && refused.status != 200;
        for call in slow {
            let status = call.await.unwrap().status;
            assert!(status == 200 || !in_time, "{status}");
        }
        if !in_time {
            continue;
        }
        assert_eq!(refused.status, 429, "{refused:?}");
        let words = "Cannot have more than 2 parallel requests. Please slow down.";
        assert!(refused.body.contains(words), "{refused:?}");
        assert_eq!(refused_editor.status, 429, "{refused_editor:?}");
        assert!(refused_editor.body.contains("-32000"), "{refused_editor:?}");
        assert_eq!(post(&address, "/mcp", &[], sleep(9, 1).as_bytes()).await.status, 200);
        return;
    }
    panic!("nothing was refused beside two calls that last");
}

/// Between a look whether there is room and the call itself another one may come.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_call_too_many_is_429_every_time() {
    let settings = Settings { in_flight: Some(1), ..Setup::default().settings };
    let address = http_server(&server(Setup { settings, ..Setup::default() })).await;
    let initialize = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let opened = post(&address, "/mcp", &[], initialize).await.head.to_lowercase();
    let session = opened.lines().find_map(|line| line.strip_prefix("mcp-session-id:")).unwrap();
    let session = session.trim().to_owned();
    let sleep = |id: u32| match id % 4 {
        0 => sleep(id, 5),
        1 => sleep(id, 5).replace("\"name\"", "\"tool\""),
        2 => sleep(id, 5),
        _ => format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/read","params":{{"uri":"unity://status"}}}}"#
        ),
    };
    let (mut refused, mut ran) = (0, 0);
    for round in 0..10 {
        let asked: Vec<_> = (0..24)
            .map(|at| {
                let (address, session, message) =
                    (address.clone(), session.clone(), sleep(round * 100 + at));
                let path = if at % 4 == 1 { "/editormcp" } else { "/mcp" };
                tokio::spawn(async move {
                    let with = [("Mcp-Session-Id", session.as_str())];
                    let headers = if at % 4 == 2 { &with[..] } else { &[] };
                    post(&address, path, headers, message.as_bytes()).await
                })
            })
            .collect();
        for answer in asked {
            let answer = answer.await.unwrap();
            match answer.body.contains("parallel requests") {
                true => assert_eq!(answer.status, 429, "{answer:?}"),
                false => assert_eq!(answer.status, 200, "{answer:?}"),
            }
            *(if answer.status == 429 { &mut refused } else { &mut ran }) += 1;
        }
    }
    assert!(refused > 0 && ran > 0, "{refused} were refused and {ran} ran");
}

#[tokio::test]
async fn stdio_calls_wait_instead() {
    let settings = Settings { in_flight: Some(2), ..Setup::default().settings };
    let mut client = connect(&server(Setup { settings, ..Setup::default() }), Over::Stdio).await;
    for id in 0..8 {
        client.send(&sleep(id, 20)).await;
    }
    for _ in 0..8 {
        let answer = client.receive().await.unwrap();
        assert!(answer.contains("slept"), "{answer}");
    }
}

#[tokio::test]
async fn the_editor_listener_takes_a_hundred_in_five_seconds() {
    // On a slow machine there would be too many at once before they are too many in that time.
    let settings = Settings { in_flight: None, ..Setup::default().settings };
    let server = server(Setup { settings, ..Setup::default() });
    let mut client = connect(&server, Over::WebSocket).await;
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"test.echo"}}"#;
    for _ in 0..400 {
        client.send(call).await;
    }
    let mut answer = client.receive().await.unwrap();
    for _ in 1..400 {
        if answer.contains("error") {
            break;
        }
        answer = client.receive().await.unwrap();
    }
    let limited = answer;
    let answer: Value = serde_json::from_str(&limited).unwrap();
    assert_eq!(answer["error"]["code"], -32000);
    assert_eq!(answer["error"]["data"]["details"]["maxRequests"], 100);
    assert_eq!(answer["error"]["data"]["details"]["windowSeconds"], 5);
}

#[tokio::test]
async fn a_rate_of_the_operator_holds_everywhere() {
    let rate = Some(Rate { burst: 1, window: Duration::from_secs(3600) });
    let settings = Settings { rate, ..Setup::default().settings };
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"test.echo"}}
< {"jsonrpc":"2.0","id":1,"result":"*"}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"tool":"test.echo"}}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Rate limited: Maximum 1 requests per 3600 seconds exceeded","data":"*"}}
"#;
    for over in [Over::Stdio, Over::Framed, Over::WebSocket, Over::Http("/editormcp")] {
        let settings = settings.clone();
        check(&server(Setup { settings, ..Setup::default() }), over, transcript).await;
    }
}

#[tokio::test]
async fn a_timed_out_call_frees_its_place_once_it_has_stopped() {
    let settings = Settings { in_flight: Some(1), ..Setup::default().settings };
    let address = http_server(&server(Setup { settings, ..Setup::default() })).await;
    let timed_out = post(&address, "/mcp", &[], sleep(1, 60_000).as_bytes()).await;
    assert!(timed_out.body.contains("timed out"), "{timed_out:?}");
    let mut answer = String::new();
    for _ in 0..50 {
        answer = post(&address, "/mcp", &[], sleep(2, 1).as_bytes()).await.body;
        if answer.contains("slept") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the place is still taken: {answer}");
}

#[tokio::test]
async fn writes_and_refusals_are_audited_and_reads_are_not() {
    let folder = scenewright_fixture::Folder::empty();
    let path = folder.path("audit.jsonl");
    let settings = Settings { allow_writes: true, ..Setup::default().settings };
    let server = server(Setup { settings, audit: Some(path.clone()), ..Setup::default() });
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"test.echo","arguments":{}}}
< {"jsonrpc":"2.0","id":1,"result":"*"}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"tool":"test.write","arguments":{"txt":"a"}}}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32002,"…":1}}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"tool":"test.write","arguments":{"text":"a"}}}
< {"jsonrpc":"2.0","id":3,"result":{"tool":"test.write","output":{"text":"a"}}}
> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"tool":"tools.call","arguments":{"tool":"test.write","arguments":{"text":"b"}}}}
< {"jsonrpc":"2.0","id":4,"result":{"tool":"tools.call","output":{"tool":"test.write","output":{"text":"b"}}}}
"#;
    check(&server, Over::WebSocket, transcript).await;
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<String> = lines
        .iter()
        .map(|line| {
            format!("{} {} {} {}", line["event"], line["tool"], line["listener"], line["arguments"])
        })
        .collect();
    assert_eq!(
        seen,
        [
            r#""refused" "test.write" "ws" {"txt":"a"}"#,
            r#""begin" "test.write" "ws" {"text":"a"}"#,
            r#""write" "test.write" "ws" {"text":"a"}"#,
            r#""begin" "test.write" "ws" {"text":"b"}"#,
            r#""write" "test.write" "ws" {"text":"b"}"#,
        ]
    );
    assert_eq!(lines[0]["kind"], "bad_arguments");
    assert_eq!((&lines[2]["ok"], &lines[2]["call"]), (&Value::Bool(true), &lines[1]["call"]));
    assert!(lines[1]["call"] != lines[3]["call"]);
    let peer = lines[0]["peer"].as_str().unwrap();
    assert!(peer.starts_with("127.0.0.1:"), "{peer}");
    assert_eq!(lines[0]["connection"], lines[4]["connection"]);
    assert!(lines[0]["connection"].is_u64());
}

fn lines_of(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn an_audit_line_says_who_asked() {
    let folder = scenewright_fixture::Folder::empty();
    let path = folder.path("audit.jsonl");
    let server = server(Setup { audit: Some(path.clone()), ..Setup::default() });
    let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a client","version":"1"}}}"#;
    let write = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.write","arguments":{"text":"a"}}}"#;
    for over in [Over::Stdio, Over::McpSocket] {
        let mut client = connect(&server, over).await;
        client.ask(initialize, true).await.unwrap();
        client.ask(write, true).await.unwrap();
    }
    let address = http_server(&server).await;
    let opened = post(&address, "/mcp", &[], initialize.as_bytes()).await;
    let session = opened.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
    let session = session.unwrap();
    post(&address, "/mcp", &[("Mcp-Session-Id", session)], write.as_bytes()).await;
    let lines = lines_of(&path);
    let listeners: Vec<_> = lines.iter().map(|line| line["listener"].as_str().unwrap()).collect();
    assert_eq!(listeners, ["stdio", "ws", "http"]);
    for line in &lines {
        assert_eq!((&line["event"], &line["client"]), (&"refused".into(), &"a client".into()));
        assert_eq!(line["peer"].is_string(), line["listener"] != "stdio", "{line}");
    }
    assert_eq!(lines[2]["session"], session);
}

#[tokio::test]
async fn an_audit_line_names_a_client_without_a_handshake() {
    let folder = scenewright_fixture::Folder::empty();
    let path = folder.path("audit.jsonl");
    let server = server(Setup { audit: Some(path.clone()), ..Setup::default() });
    let call = |tool: &str, client: &str| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool,
            "arguments": { "unknown": 1 },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        } })
        .to_string()
    };
    let address = http_server(&server).await;
    // One is answered on the short way around `rmcp`, the other is not.
    for (tool, client) in [("project_info", "zed"), ("test.write", "cline")] {
        let head = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
            ("Content-Type", "application/json"),
        ];
        post(&address, "/mcp", &head, call(tool, client).as_bytes()).await;
    }
    let mut stdio = connect(&server, Over::Stdio).await;
    stdio.ask(&call("project_info", "mcp"), true).await.unwrap();
    let lines = lines_of(&path);
    let names: Vec<_> = lines.iter().map(|line| line["client"].as_str()).collect();
    assert_eq!(names, [Some("zed"), Some("cline"), Some("mcp")]);
}

#[tokio::test]
async fn who_is_turned_away_is_audited() {
    let folder = scenewright_fixture::Folder::empty();
    let path = folder.path("audit.jsonl");
    let token = Some("s3cret");
    let server = server(Setup { audit: Some(path.clone()), token, ..Setup::default() });
    let address = http_server(&server).await;
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (header, status) in [
        (("Accept", "*/*"), 401),
        (("Authorization", "Bearer wrong"), 401),
        (("Origin", "http://evil.example"), 403),
        (("Authorization", "Bearer s3cret"), 200),
    ] {
        assert_eq!(post(&address, "/mcp", &[header], ping).await.status, status, "{header:?}");
    }
    let mut client = connect(&server, Over::Framed).await;
    for token in ["wrong", "s3cret"] {
        let ask = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"session.authenticate","params":{{"token":"{token}"}}}}"#
        );
        client.ask(&ask, true).await.unwrap();
    }
    let lines = lines_of(&path);
    let seen: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {} {}", line["event"], line["listener"], line["reason"]))
        .collect();
    assert_eq!(
        seen,
        [
            r#""turnedAway" "http" "no token""#,
            r#""turnedAway" "http" "wrong token""#,
            r#""turnedAway" "http" "foreign Origin""#,
            r#""turnedAway" "tcp" "wrong token""#,
        ]
    );
    assert!(lines[0]["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
    assert!(!std::fs::read_to_string(&path).unwrap().contains("s3cret"), "no secret in it");
}

#[tokio::test]
async fn a_write_is_audited_before_it_begins() {
    let folder = scenewright_fixture::Folder::empty();
    let path = folder.path("audit.jsonl");
    let settings = Settings { allow_writes: true, ..Setup::default().settings };
    let server = server(Setup { settings, audit: Some(path.clone()), ..Setup::default() });
    let address = http_server(&server).await;
    let write = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.linger","arguments":{"ms":900}}}"#;
    let running = tokio::spawn(async move { post(&address, "/mcp", &[], write.as_bytes()).await });
    let events = || {
        let lines = lines_of(&path);
        lines.iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    while events().is_empty() {
        assert!(!running.is_finished());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(events(), ["begin"]);
    assert_eq!(running.await.unwrap().status, 200);
    // The call is answered when its time is up; the tool sees that at its next look and ends.
    while events().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(events(), ["begin", "write"]);
}

#[tokio::test]
async fn a_resource_that_finds_no_place_is_refused_and_audited() {
    let folder = scenewright_fixture::Folder::empty();
    let path = folder.path("audit.jsonl");
    let rate = Some(Rate { burst: 1, window: Duration::from_secs(3600) });
    let settings = Settings { rate, ..Setup::default().settings };
    let server = server(Setup { settings, audit: Some(path.clone()), ..Setup::default() });
    let address = http_server(&server).await;
    let read =
        br#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"unity://status"}}"#;
    let first = post(&address, "/mcp", &[], read).await;
    assert!(first.body.contains("result"), "{first:?}");
    let second = post(&address, "/mcp", &[], read).await;
    assert!(second.body.contains("Rate limited"), "{second:?}");
    for other in [
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"explain_scene"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":""}}}"#,
    ] {
        let answer = post(&address, "/mcp", &[], other.as_bytes()).await;
        assert!(answer.body.contains("Rate limited"), "{answer:?}");
    }
    let seen: Vec<String> =
        lines_of(&path).iter().map(|line| format!("{} {}", line["event"], line["tool"])).collect();
    assert_eq!(
        seen,
        [
            r#""refused" "resources/read""#,
            r#""refused" "prompts/get""#,
            r#""refused" "resources/list""#,
            r#""refused" "completion/complete""#,
        ]
    );
}

/// Clients of the Explorer interface know its tools by heart and meet them where they look for them.
#[tokio::test]
async fn explorer_clients_see_the_writes_that_a_read_only_server_refuses() {
    let address = http_server(&server(Setup::default())).await;
    let listed = post(&address, "/message", &[], br#"{"id":1,"method":"list_tools"}"#).await;
    let listed: Value = serde_json::from_str(&listed.body).unwrap();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let has = |name: &str| tools.iter().any(|tool| tool["name"] == name);
    assert!(has("GetStatus") && has("SetActive") && has("ConsoleEval"), "{tools:?}");
    assert!(!has("project.info"));

    let call = r#"{"id":2,"method":"call_tool","params":{"name":"SetActive","arguments":{"objectId":"obj:1","active":true}}}"#;
    let refused = post(&address, "/message", &[], call.as_bytes()).await;
    assert_eq!(refused.status, 200);
    let refused: Value = serde_json::from_str(&refused.body).unwrap();
    let payload = &refused["result"]["content"][0]["json"];
    assert_eq!(payload["ok"], false);
    assert_eq!(payload["error"]["kind"], "PermissionDenied");
    assert_eq!(payload["error"]["message"], "Writes disabled");
}

#[tokio::test]
async fn a_path_that_a_resource_refuses_is_audited() {
    let folder = scenewright_fixture::Folder::empty();
    let path = folder.path("audit.jsonl");
    let server = server(Setup { audit: Some(path.clone()), ..Setup::default() });
    let address = http_server(&server).await;
    let outside = ["godot://script/../../secret.gd", "godot://script/..%2F..%2Fsecret.gd"];
    for uri in outside.iter().chain(&["godot://script/scripts/player.gd"]) {
        let read = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{"uri":"{uri}"}}}}"#
        );
        post(&address, "/mcp", &[], read.as_bytes()).await;
    }
    let seen: Vec<String> = lines_of(&path)
        .iter()
        .map(|line| format!("{} {} {}", line["event"], line["tool"], line["arguments"]["name"]))
        .collect();
    let refused = |uri: &str| format!(r#""refused" "resources/read" "{uri}""#);
    assert_eq!(seen, outside.map(refused));
}
