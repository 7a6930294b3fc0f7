//! HTTP: sessions, statuses, the token, and who gets turned away.

use scenewright_toolkit::Settings;

use crate::protocol::support::{Setup, assert_like, http_server, post, request, server};

const INITIALIZE: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const CALL: &[u8] = br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_echo","arguments":{"text":"hi"}}}"#;

fn session_of(head: &str) -> String {
    let line = head.lines().find(|line| line.to_lowercase().starts_with("mcp-session-id:"));
    line.expect("a session").split(':').nth(1).unwrap().trim().to_owned()
}

#[tokio::test]
async fn a_session_is_opened_used_and_closed() {
    let address = http_server(&server(Setup::default())).await;
    let opened = post(&address, "/mcp", &[], INITIALIZE).await;
    assert_eq!(opened.status, 200, "{opened:?}");
    let session = session_of(&opened.head);
    let with = [("Mcp-Session-Id", session.as_str())];
    let noted = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(post(&address, "/mcp", &with, noted).await.status, 202);
    let called = post(&address, "/mcp", &with, CALL).await;
    assert_like(
        r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"text: hi"}],"isError":false}}"#,
        &called.body,
        "session",
    );
    let batch =
        br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2.0,"method":"tools/call","params":{"name":"test_report","arguments":{}}}]"#;
    let both = post(&address, "/mcp", &with, batch).await;
    assert_eq!(both.status, 200, "{both:?}");
    assert!(both.body.starts_with('[') && both.body.contains(r#""id":2.0"#), "{both:?}");
    let closed = request(&address, "DELETE", "/mcp", &with, b"").await;
    assert!((200..300).contains(&closed.status), "{closed:?}");
    assert_eq!(post(&address, "/mcp", &with, CALL).await.status, 404);
    assert_eq!(post(&address, "/mcp", &with, batch).await.status, 400);
}

#[tokio::test]
async fn no_session_and_no_accept_header_are_needed() {
    let address = http_server(&server(Setup::default())).await;
    let called = post(&address, "/mcp", &[], CALL).await;
    assert_eq!(called.status, 200);
    assert_like(
        r#"{"jsonrpc":"2.0","id":2,"result":{"structuredContent":{"text":"hi"},"…":1}}"#,
        &called.body,
        "no session",
    );
}

#[tokio::test]
async fn the_address_can_ask_for_data() {
    let settings = Settings { structured: false, ..Setup::default().settings };
    let address = http_server(&server(Setup { settings, ..Setup::default() })).await;
    let stateless = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "test_echo"),
        ("Content-Type", "application/json"),
    ];
    let modern = String::from_utf8_lossy(CALL).replace(
        r#""params":{"#,
        r#""params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"#,
    );
    for (headers, call) in [(&[][..], CALL), (&stateless[..], modern.as_bytes())] {
        for (path, has_data) in
            [("/mcp", false), ("/mcp?structured", true), ("/mcp?structured=0", false)]
        {
            let called = post(&address, path, headers, call).await;
            let told: serde_json::Value = serde_json::from_str(&called.body).unwrap();
            assert_eq!(told["result"]["content"][0]["text"], "text: hi", "{called:?}");
            assert_eq!(
                told["result"]["structuredContent"].is_object(),
                has_data,
                "{path}: {called:?}"
            );
        }
    }
}

#[tokio::test]
async fn ids_come_back_as_written() {
    let address = http_server(&server(Setup::default())).await;
    for id in ["2.0", "1e2", "123456789012345678901234567890", r#""\u0041""#] {
        let body = String::from_utf8_lossy(CALL).replace("\"id\":2", &format!("\"id\":{id}"));
        let called = post(&address, "/mcp", &[], body.as_bytes()).await;
        assert!(called.body.contains(&format!(r#""id":{id},"#)), "{called:?}");
    }
}

#[tokio::test]
async fn a_batch_without_an_agreement_is_refused() {
    let address = http_server(&server(Setup::default())).await;
    let refused =
        post(&address, "/mcp", &[], br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).await;
    assert_eq!(refused.status, 400);
    assert_like(
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"…":1}}"#,
        &refused.body,
        "batch",
    );
}

#[tokio::test]
async fn the_newest_version_leaves_out_an_id_that_could_not_be_read() {
    let address = http_server(&server(Setup::default())).await;
    let headers = [("MCP-Protocol-Version", "2026-07-28")];
    let broken = post(&address, "/mcp", &headers, b"{").await;
    assert_eq!(broken.status, 400);
    assert_like(r#"{"jsonrpc":"2.0","error":{"code":-32700,"…":1}}"#, &broken.body, "modern");
}

#[tokio::test]
async fn a_session_that_is_being_answered_makes_no_room() {
    let limits = scenewright_wire::Limits { sessions: 1, ..Default::default() };
    let address = http_server(&server(Setup { limits, ..Setup::default() })).await;
    let first = session_of(&post(&address, "/mcp", &[], INITIALIZE).await.head);
    let sleep = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test.sleep","arguments":{"ms":5000}}}"#;
    let asked = {
        let (address, first) = (address.clone(), first.clone());
        tokio::spawn(
            async move { post(&address, "/mcp", &[("Mcp-Session-Id", &first)], sleep).await },
        )
    };
    let mut health = 0;
    while health == 0 {
        let call =
            br#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"mcp.health"}}"#;
        let said: serde_json::Value =
            serde_json::from_str(&post(&address, "/mcp", &[], call).await.body).unwrap();
        health = said["result"]["structuredContent"]["queueDepth"].as_u64().unwrap();
    }
    assert_eq!(post(&address, "/mcp", &[], INITIALIZE).await.status, 429);
    assert_eq!(asked.await.unwrap().status, 200);
    assert_eq!(post(&address, "/mcp", &[], INITIALIZE).await.status, 200);
}

#[tokio::test]
async fn a_token_is_asked_of_everyone() {
    let address = http_server(&server(Setup { token: Some("s3cret"), ..Setup::default() })).await;
    for path in ["/mcp", "/editormcp"] {
        let without = post(&address, path, &[], CALL).await;
        assert_eq!(without.status, 401);
        assert!(without.head.to_lowercase().contains("www-authenticate: bearer"), "{without:?}");
        let wrong = post(&address, path, &[("Authorization", "Bearer nope")], CALL).await;
        assert_eq!(wrong.status, 401);
        let right = post(&address, path, &[("Authorization", "Bearer s3cret")], CALL).await;
        assert_eq!(right.status, 200, "{right:?}");
    }
    // The page is where a person types the token, so it comes without; nothing else does.
    assert_eq!(request(&address, "GET", "/", &[], b"").await.status, 200);
    assert_eq!(request(&address, "GET", "/mcp", &[], b"").await.status, 401);
    let upgrade = [("Upgrade", "websocket"), ("Connection", "Upgrade")];
    assert_eq!(request(&address, "GET", "/", &upgrade, b"").await.status, 401);
}

#[tokio::test]
async fn browsers_are_told_who_may_read_an_answer() {
    let origin = "http://localhost:6274";
    for (allow_writes, told) in [(false, "*"), (true, origin)] {
        let settings = Settings { allow_writes, ..Setup::default().settings };
        let address = http_server(&server(Setup { settings, ..Setup::default() })).await;
        let headers = [("Origin", origin), ("Access-Control-Request-Method", "POST")];
        let preflight = request(&address, "OPTIONS", "/mcp", &headers, b"").await;
        assert_eq!(preflight.status, 204, "{preflight:?}");
        for answer in [preflight, post(&address, "/mcp", &headers, CALL).await] {
            let head = answer.head.to_lowercase();
            let line = format!("access-control-allow-origin: {told}\r\n");
            assert!(format!("{head}\r\n").contains(&line), "{head}");
            assert!(head.contains("mcp-session-id"), "{head}");
        }
        let evil = [("Origin", "http://evil.example")];
        let refused = request(&address, "OPTIONS", "/mcp", &evil, b"").await;
        assert_eq!(refused.status, 403);
        assert!(!refused.head.to_lowercase().contains("access-control"), "{refused:?}");
    }
}

#[tokio::test]
async fn no_answer_may_be_put_into_a_frame() {
    let address = http_server(&server(Setup { token: Some("s3cret"), ..Setup::default() })).await;
    let evil = [("Origin", "http://evil.example")];
    for (answer, status) in [
        (request(&address, "GET", "/", &[], b"").await, 200),
        (
            request(&address, "GET", "/nowhere", &[("Authorization", "Bearer s3cret")], b"").await,
            404,
        ),
        (post(&address, "/mcp", &[], CALL).await, 401),
        (post(&address, "/mcp", &evil, CALL).await, 403),
    ] {
        let head = answer.head.to_lowercase();
        assert_eq!(answer.status, status, "{head}");
        for line in [
            "frame-ancestors 'none'",
            "x-frame-options: deny",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(line), "{line} in {head}");
        }
    }
}

#[tokio::test]
async fn a_host_or_origin_that_is_there_twice_is_a_wrong_one() {
    let address = http_server(&server(Setup::default())).await;
    let local = "http://localhost:1";
    for twice in
        [[("Origin", local), ("Origin", local)], [("Host", "localhost"), ("Host", "localhost")]]
    {
        assert_eq!(post(&address, "/mcp", &twice, CALL).await.status, 403, "{twice:?}");
    }
}

#[tokio::test]
async fn only_loopback_is_served_without_a_token() {
    let address = "0.0.0.0:0".parse().unwrap();
    let open = server(Setup::default());
    let refused = scenewright_wire::transport::bind(&open, address).await.unwrap_err();
    assert!(refused.to_string().contains("--token"), "{refused}");
}

#[tokio::test]
async fn plain_stateless_calls_look_like_all_others() {
    let server = server(Setup::default());
    let address = http_server(&server).await;
    for (id, tool, arguments) in [
        ("1", "mcp_server_info", "{}"),
        ("2.0", "project_getVersion", "{}"),
        ("3", "mcp_tool_describe", "{}"),
        ("4", "mcp_tool_describe", r#"{"toolId":"no.such"}"#),
        (r#""\u0041""#, "project.listFiles", r#"{"limit":2}"#),
        ("5", "test_report", "{}"),
        ("6", "no_such_tool", "{}"),
    ] {
        // A key of somebody's own in `_meta` sends the call the long way.
        let mut answers = Vec::new();
        for more in ["", r#","example.com/trace":1"#] {
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"t","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}{more}}}}}}}"#
            );
            let headers = [
                ("MCP-Protocol-Version", "2026-07-28"),
                ("Mcp-Method", "tools/call"),
                ("Mcp-Name", tool),
                ("Content-Type", "application/json"),
            ];
            answers.push(post(&address, "/mcp", &headers, body.as_bytes()).await);
        }
        let [short, long] = &answers[..] else { unreachable!("two were asked") };
        assert_eq!((short.status, &short.body), (long.status, &long.body), "{tool}");
        assert!(short.body.contains(&format!(r#""id":{id},"#)), "{short:?}");
    }
}

/// It would be read as it came, and as something else by whoever else looks at it.
#[tokio::test]
async fn a_body_that_says_it_is_encoded_is_refused() {
    let address = http_server(&server(Setup::default())).await;
    for path in ["/mcp", "/editormcp", "/message", "/"] {
        for encoding in ["gzip", "identity, br", "X-Unknown"] {
            let answer = post(&address, path, &[("Content-Encoding", encoding)], CALL).await;
            assert_eq!(answer.status, 415, "{path} {answer:?}");
            assert!(answer.body.contains("is not taken"), "{path} {answer:?}");
        }
        let plain = post(&address, path, &[("Content-Encoding", "identity")], CALL).await;
        assert_ne!(plain.status, 415, "{path} {plain:?}");
    }
}
