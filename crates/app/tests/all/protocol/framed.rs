//! Spec 002: frames, who you are, and whether we are well.

use scenewright_toolkit::Settings;
use tokio::io::AsyncWriteExt;

use crate::protocol::support::{Client, Over, Setup, assert_like, check, connect, replay, server};

#[tokio::test]
async fn nothing_passes_before_the_token() {
    let server = server(Setup { token: Some("SECRET"), ..Setup::default() });
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"Authentication failed"}}
> {"jsonrpc":"2.0","id":2,"method":"transport.healthCheck","params":{"mode":"strict"}}
< {"jsonrpc":"2.0","id":2,"result":{"status":"ok"}}
> {"jsonrpc":"2.0","id":3,"method":"session.authenticate","params":{"token":"WRONG"}}
< {"jsonrpc":"2.0","id":3,"error":{"code":1000,"message":"Authentication failed"}}
> {"jsonrpc":"2.0","id":4,"method":"session.authenticate","params":{"token":"SECRET","maxFrame":65536}}
< {"jsonrpc":"2.0","id":4,"result":{"sessionId":"*","maxFrame":16777216}}
> {"jsonrpc":"2.0","id":5,"method":"transport.healthCheck","params":{"mode":"fast"}}
< {"jsonrpc":"2.0","id":5,"result":{"status":"ok","ready":true,"mode":"files","projects":["unity","godot"],"uptimeMs":"*"}}
> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"tool":"test.echo","arguments":{"text":"hi"}}}
< {"jsonrpc":"2.0","id":6,"result":{"tool":"test.echo","output":{"text":"hi"}}}
> {"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
< {"jsonrpc":"2.0","id":7,"result":{"protocolVersion":"2025-06-18","…":1}}
"#;
    check(&server, Over::Framed, transcript).await;
}

#[tokio::test]
async fn strangers_may_say_little() {
    let server = server(Setup { token: Some("SECRET"), ..Setup::default() });
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":"{}"}}}}"#,
        "x".repeat(70_000)
    );
    let mut stranger = connect(&server, Over::Framed).await;
    let refused = stranger.ask(&long, true).await.unwrap();
    assert!(refused.contains("is over the limit of 65536"), "{refused}");
    assert_eq!(stranger.receive().await, None, "the connection is closed");
    let mut client = connect(&server, Over::Framed).await;
    let known =
        r#"{"jsonrpc":"2.0","id":2,"method":"session.authenticate","params":{"token":"SECRET"}}"#;
    assert!(client.ask(known, true).await.unwrap().contains("sessionId"));
    let answer = client.ask(&long, true).await.unwrap();
    assert!(!answer.contains("limit"), "{answer}");
}

/// Nothing of the frame has to come for that, and nobody waits for it.
#[tokio::test]
async fn a_frame_that_is_announced_too_long_is_refused_at_once() {
    let server = server(Setup { token: Some("SECRET"), ..Setup::default() });
    let known =
        r#"{"jsonrpc":"2.0","id":1,"method":"session.authenticate","params":{"token":"SECRET"}}"#;
    for (first, announced, limit) in [(None, 4 << 20, 65_536), (Some(known), 17 << 20, 16 << 20)] {
        let mut client = connect(&server, Over::Framed).await;
        if let Some(first) = first {
            assert!(client.ask(first, true).await.unwrap().contains("sessionId"));
        }
        let Client::Framed(stream) = &mut client else { unreachable!("a framed client") };
        stream.write_all(&u32::to_le_bytes(announced)).await.unwrap();
        let refused = client.receive().await.unwrap();
        let expected = format!("a message of {announced} bytes is over the limit of {limit}");
        assert!(refused.contains("-32600") && refused.contains(&expected), "{refused}");
        assert_eq!(client.receive().await, None, "the connection is closed");
    }
}

#[tokio::test]
async fn three_wrong_tokens_close_the_connection() {
    let server = server(Setup { token: Some("SECRET"), ..Setup::default() });
    let mut client = connect(&server, Over::Framed).await;
    let guess =
        r#"{"jsonrpc":"2.0","id":1,"method":"session.authenticate","params":{"token":"?"}}"#;
    for _ in 0..3 {
        assert!(client.ask(guess, true).await.unwrap().contains("1000"));
    }
    assert_eq!(client.receive().await, None);
}

#[tokio::test]
async fn a_missing_engine_that_is_required_fails_the_health_check() {
    let settings = Settings { require_live: true, ..Setup::default().settings };
    let server = server(Setup { settings, ..Setup::default() });
    let transcript = r#"
> {"jsonrpc":"2.0","id":2,"method":"transport.healthCheck","params":null}
< {"jsonrpc":"2.0","id":2,"error":{"code":1001,"message":"Health check failed","data":{"reason":"no running engine is connected","hint":"*"}}}
"#;
    check(&server, Over::Framed, transcript).await;
}

#[tokio::test]
async fn bad_parameters_and_missing_ids_have_their_codes() {
    let server = server(Setup::default());
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"session.authenticate","params":{"token":7}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"*"}}
> {"jsonrpc":"2.0","id":1,"method":"transport.healthCheck","params":{"mode":"deep"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"*"}}
> {"jsonrpc":"2.0","method":"transport.healthCheck"}
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*"}}
> {"jsonrpc":"2.0","id":2,"method":"session.authenticate","params":{"token":"any"}}
< {"jsonrpc":"2.0","id":2,"result":{"sessionId":"*"}}
"#;
    let mut client = connect(&server, Over::Framed).await;
    replay(&mut client, transcript, "framed").await;
}

#[tokio::test]
async fn calls_that_are_answered_at_once_look_like_all_others() {
    let call = |id: &str, name: &str, more: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}"{more}}}}}"#
        )
    };
    let server = server(Setup::default());
    let mut framed = connect(&server, Over::Framed).await;
    let mut stdio = connect(&server, Over::Stdio).await;
    for message in [
        call("1", "mcp_tool_describe", r#","arguments":{"toolId":"mcp.health"}"#),
        call("2.0", "mcp.tools.list", r#","arguments":{"tier":"pro"}"#),
        call("3", "mcp_tool_describe", r#","arguments":{}"#),
        call("4", "mcp_tool_describe", r#","arguments":{"toolId":"no.such"}"#),
        call("5", "tools_search", r#","arguments":{"query":"x"},"_meta":{"progressToken":1}"#),
        call("6", "tools_search", r#","arguments":[]"#),
    ] {
        let (a, b) = (framed.ask(&message, true).await, stdio.ask(&message, true).await);
        assert_eq!(a, b, "{message}");
    }
}

#[tokio::test]
async fn plain_calls_log_from_the_level_on_that_was_set() {
    let call = |id: u8| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"test_report"}}}}"#
        )
    };
    let line = |step: u8| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","logger":"scenewright","data":"step {step}"}}}}"#
        )
    };
    let mut client = connect(&server(Setup::default()), Over::Framed).await;
    client.send(&call(1)).await;
    for step in 1..=3 {
        assert_like(&line(step), &client.receive().await.unwrap(), "a log line");
    }
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":"*"}"#;
    assert_like(answer, &client.receive().await.unwrap(), "the answer");
    let level =
        r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}"#;
    client.ask(level, true).await;
    let answer = r#"{"jsonrpc":"2.0","id":3,"result":"*"}"#;
    assert_like(answer, &client.ask(&call(3), true).await.unwrap(), "no log lines any more");
}
