//! Bad input gets its documented error, or silence, and the next request on the same connection
//! still works.

use std::time::Duration;

use scenewright_wire::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::protocol::support::{
    Over, Setup, check, connect, http_server, post, replay, request, server,
};

/// In standard MCP, over every transport that carries it.
const MCP: &str = r#"
> {"jsonrpc":"2.0","id":1,"method"
< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"*","…":1}}
> {"id":2,"method":"ping"}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"*","…":1}}
> {"jsonrpc":"2.0","id":null,"method":"ping"}
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","…":1}}
> {"jsonrpc":"2.0","id":true,"method":"ping"}
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","…":1}}
> [{"jsonrpc":"2.0","id":3,"method":"ping"}]
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","…":1}}
> []
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","…":1}}
> {"jsonrpc":"2.0","id":4,"method":"no/such/method"}
< {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found: no/such/method","…":1}}
> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}}
< {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"*","…":1}}
> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"project_info","arguments":[1]}}
< {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"*","…":1}}
> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"project_info","tool":"mcp.health"}}
< {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"*","…":1}}
> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":[1]}
< {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"*","…":1}}
> {"jsonrpc":"2.0","id":9,"method":7}
< {"jsonrpc":"2.0","id":9,"error":{"code":-32600,"message":"*","…":1}}
> 7
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","…":1}}
> {"jsonrpc":"2.0","method":"no/such/notification"}
> {"jsonrpc":"2.0","method":"notifications/nonsense","params":{"a":[]}}
> {"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"project_info","arguments":{"project":"unity"}}}
< {"jsonrpc":"2.0","id":10,"result":{"structuredContent":{"projectName":"Lantern Keep","…":1},"…":1}}
"#;

/// In EditorMCP.
const EDITOR: &str = r#"
> {"jsonrpc":"2.0","id":1,"method"
< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"*","data":"*"}}
> {"id":2,"method":"server/info"}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"*","data":"*"}}
> {"jsonrpc":"1.0","id":2,"method":"server/info"}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Unsupported JSON-RPC version: \"1.0\". Expected '2.0'.","data":"*"}}
> {"jsonrpc":"2.0","id":null,"method":"server/info"}
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","data":"*"}}
> {"jsonrpc":"2.0","id":false,"method":"server/info"}
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","data":"*"}}
> {"jsonrpc":"2.0","method":"server/info"}
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","data":"*"}}
> {"jsonrpc":"2.0","method":"notifications/initialized"}
> [{"jsonrpc":"2.0","id":3,"method":"server/info"}]
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"*","data":"*"}}
> {"jsonrpc":"2.0","id":4,"method":"no/such/method"}
< {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found: no/such/method","data":"*"}}
> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"tool":7}}
< {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Params.tool (string) is required for tools/call","data":"*"}}
> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"tool":"project.info","arguments":[1]}}
< {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"Params.arguments must be an object for tools/call","data":"*"}}
> {"jsonrpc":"2.0","id":7,"method":"tools/call"}
< {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Params is required for tools/call","data":"*"}}
> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"tool":"a","name":"b"}}
< {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"*","data":"*"}}
> {"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"tier":"gold"}}
< {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"*","data":"*"}}
> {"jsonrpc":"2.0","id":10.0,"method":"tools/call","params":{"tool":"project.info","arguments":{"project":"unity"}}}
< {"jsonrpc":"2.0","id":10.0,"result":{"tool":"project.info","output":{"projectName":"Lantern Keep","…":1},"…":1}}
"#;

#[tokio::test]
async fn standard_mcp_survives() {
    for over in [Over::Stdio, Over::Framed, Over::McpSocket, Over::Http("/mcp")] {
        check(&server(Setup::default()), over, MCP).await;
    }
}

#[tokio::test]
async fn editor_mcp_survives() {
    for over in [Over::WebSocket, Over::Http("/editormcp")] {
        check(&server(Setup::default()), over, EDITOR).await;
    }
}

#[tokio::test]
async fn a_megabyte_of_nesting_is_refused() {
    let nested = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}{}}}"#,
        "[".repeat(500_000),
        "]".repeat(500_000)
    );
    let transcript = format!(
        "> {nested}\n< {}\n> {}\n< {}",
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: nested deeper than 128 levels","…":1}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mcp.health"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":"*"}"#,
    );
    for over in
        [Over::Stdio, Over::Framed, Over::WebSocket, Over::Http("/mcp"), Over::Http("/editormcp")]
    {
        check(&server(Setup::default()), over, &transcript).await;
    }
}

#[tokio::test]
async fn seventeen_mebibytes_are_refused_and_the_next_message_is_read() {
    let long = "x".repeat(17 << 20);
    for over in [Over::Stdio, Over::Framed] {
        let server = server(Setup::default());
        let mut client = connect(&server, over).await;
        let answer = client.ask(&long, true).await.unwrap();
        assert!(answer.contains("-32600") && answer.contains("17825792 bytes"), "{answer}");
        if over == Over::Framed {
            // A frame is refused by its length; who goes on begins again.
            assert_eq!(client.receive().await, None);
            client = connect(&server, over).await;
        }
        let next = client.ask(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, true).await.unwrap();
        assert_eq!(next, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    }
    let server = server(Setup::default());
    let address = http_server(&server).await;
    let response = post(&address, "/mcp", &[], long.as_bytes()).await;
    assert_eq!(response.status, 413, "{response:?}");
    let next = post(&address, "/mcp", &[], br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    assert_eq!((next.status, next.body.as_str()), (200, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
}

/// In the words of each dialect, with the id that the request has.
#[tokio::test]
async fn what_is_too_long_to_be_a_name_is_refused_and_the_next_message_is_read() {
    let long = "x".repeat(2 << 20);
    let id = "i".repeat(1100);
    let transcript = format!(
        "{}{}{}{}",
        format_args!("> {{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{long}\"}}\n"),
        r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: the method has 2097152 bytes; a name has at most 200 characters","…":1}}
> {"jsonrpc":"2.0","id":2,"method":"server/info"}
< {"jsonrpc":"2.0","id":2,"…":1}
"#,
        format_args!("> {{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",\"method\":\"server/info\"}}\n"),
        r#"< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the id has 1102 bytes; at most 1024 are taken","…":1}}"#,
    );
    let prompt = format!(
        "> {}\n{}",
        request_of(
            "completion/complete",
            &format!(
                r#"{{"ref":{{"type":"ref/prompt","name":"{long}"}},"argument":{{"name":"a","value":""}}}}"#
            )
        ),
        r#"< {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Invalid params for completion/complete: ref has 2097152 bytes; a name has at most 200 characters","…":1}}"#,
    );
    let many: Vec<String> = (0..150_000).map(|at| format!(r#""{at}":1"#)).collect();
    let arguments = format!(
        "> {}\n{}",
        request_of(
            "tools/call",
            &format!(r#"{{"name":"scene_query","arguments":{{{}}}}}"#, many.join(","))
        ),
        r#"< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: an object with more than 100000 members","…":1}}"#,
    );
    for over in [Over::Stdio, Over::Framed, Over::McpSocket, Over::Http("/mcp")] {
        let server = server(Setup::default());
        for transcript in [&transcript, &prompt, &arguments] {
            check(&server, over, transcript).await;
        }
    }
    for over in [Over::WebSocket, Over::Http("/editormcp")] {
        let server = server(Setup::default());
        for transcript in [&transcript, &arguments] {
            check(&server, over, transcript).await;
        }
    }
}

fn request_of(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#)
}

#[tokio::test]
async fn a_frame_cut_in_the_middle_ends_only_its_connection() {
    let server = server(Setup::default());
    for cut in [&b"\x10"[..], b"\x10\x00\x00\x00{\"jso"] {
        let crate::protocol::support::Client::Framed(mut stream) =
            connect(&server, Over::Framed).await
        else {
            unreachable!("a framed client")
        };
        stream.write_all(cut).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await.unwrap();
        assert!(rest.is_empty(), "nobody can be answered");
    }
    let ping = "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
    check(&server, Over::Framed, ping).await;
}

#[tokio::test]
async fn a_big_endian_length_is_noise() {
    let server = server(Setup::default());
    let crate::protocol::support::Client::Framed(mut stream) = connect(&server, Over::Framed).await
    else {
        unreachable!("a framed client")
    };
    stream.write_all(&[0, 0, 1, 0x2c, 0x0a, 0x10]).await.unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    assert!(String::from_utf8_lossy(&rest).contains("-32600"));
}

#[tokio::test]
async fn a_slow_header_loses_its_connection_and_nobody_else_does() {
    let limits = Limits { header: Duration::from_millis(150), ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let address = http_server(&server).await;
    let mut slow = TcpStream::connect(&address).await.unwrap();
    slow.write_all(b"POST /mcp HTTP/1.1\r\nHost: lo").await.unwrap();
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(60), slow.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is closed");
    assert_eq!(request(&address, "GET", "/", &[], b"").await.status, 200);
}

#[tokio::test]
async fn a_kept_connection_that_asks_nothing_more_is_closed() {
    let limits = Limits { header: Duration::from_millis(150), ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let address = http_server(&server).await;
    let mut kept = TcpStream::connect(&address).await.unwrap();
    kept.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut text = String::new();
    let read = tokio::time::timeout(Duration::from_secs(60), kept.read_to_string(&mut text)).await;
    assert!(read.is_ok(), "the connection is closed");
    assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let limits = Limits { idle: Duration::from_millis(150), ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    for over in [Over::Framed, Over::WebSocket] {
        let mut client = connect(&server, over).await;
        assert_eq!(client.receive().await, None, "{over:?}");
    }
}

#[tokio::test]
async fn an_evil_origin_or_host_is_turned_away_on_every_path() {
    let server = server(Setup::default());
    let address = http_server(&server).await;
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for path in ["/mcp", "/editormcp", "/"] {
        for header in [("Origin", "http://evil.example"), ("Host", "evil.example")] {
            assert_eq!(
                post(&address, path, &[header], ping).await.status,
                403,
                "{path} {header:?}"
            );
        }
    }
    let local = post(&address, "/mcp", &[("Origin", "http://localhost:6274")], ping).await;
    assert_eq!(local.status, 200, "{local:?}");
}

#[tokio::test]
async fn other_dialects_are_understood_where_standard_mcp_is_the_default() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"tool":"mcp.health","arguments":{}}}
< {"jsonrpc":"2.0","id":"a","result":{"tool":"mcp.health","output":{"status":"healthy","…":1}}}
> {"jsonrpc":"2.0","id":"b","method":"server/info"}
< {"jsonrpc":"2.0","id":"b","result":{"serverVersion":"*","unityVersion":"2022.3.20f1","platform":"*","enabledToolCategories":"*","tier":"tier4"}}
> {"jsonrpc":"2.0","id":"c","method":"list_tools"}
< {"jsonrpc":"2.0","id":"c","result":{"tools":"*"}}
> {"jsonrpc":"2.0","id":"d","method":"transport.healthCheck","params":null}
< {"jsonrpc":"2.0","id":"d","result":{"status":"ok"}}
"#;
    for over in [Over::Stdio, Over::Framed, Over::Http("/mcp")] {
        let server = server(Setup::default());
        let mut client = connect(&server, over).await;
        replay(&mut client, transcript, &format!("{over:?}")).await;
    }
}
