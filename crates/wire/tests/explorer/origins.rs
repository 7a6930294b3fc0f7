//! "CORS", and who may look from a browser.

use scenewright_wire::Limits;

use crate::http::{ask, begin, events, post};
use crate::world::{World, serve, serve_with};

const PING: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PAGE: (&str, &str) = ("Origin", "http://localhost:6274");
const EVIL: (&str, &str) = ("Origin", "http://evil.example");

/// "All responses include `Access-Control-Allow-Origin: *`, `Access-Control-Allow-Headers:
/// Content-Type, Authorization`, and `Access-Control-Allow-Methods: GET, POST, OPTIONS` (max-age
/// 86400)": while nothing can be changed here.
#[tokio::test]
async fn every_answer_says_who_may_read_it() {
    let server = serve(&World::new(false));
    for line in [
        "POST /message",
        "POST /mcp",
        "POST /",
        "GET /",
        "GET /read",
        "GET /read?uri=unity://status",
        "GET /nowhere",
        "GET /message",
        "OPTIONS /message",
    ] {
        for headers in [&[][..], &[PAGE]] {
            let answer = ask(&server, line, headers, PING).await;
            let get = |name| answer.head.get(name).unwrap_or_default();
            assert_eq!(get("access-control-allow-origin"), "*", "{line}");
            assert!(get("access-control-allow-headers").starts_with("Content-Type, Authorization"));
            assert!(get("access-control-allow-methods").starts_with("GET, POST, "), "{line}");
            assert_eq!(get("access-control-max-age"), "86400", "{line}");
            assert!(get("access-control-expose-headers").contains("Mcp-Session-Id"), "{line}");
        }
    }
    let stream = events(&server, "GET /").await;
    assert_eq!(stream.head.get("access-control-allow-origin"), Some("*"));
}

/// "`OPTIONS /message` (and other paths) returns HTTP 204 + these headers for browser preflights."
#[tokio::test]
async fn preflights_are_answered_on_every_path() {
    let server = serve(&World::new(false));
    for path in ["/message", "/mcp", "/", "/read", "/editormcp", "/anything/else"] {
        let asks = [PAGE, ("Access-Control-Request-Headers", "mcp-protocol-version")];
        let answer = ask(&server, &format!("OPTIONS {path}"), &asks, b"").await;
        assert_eq!((answer.status, answer.body.as_str()), (204, ""), "{path}");
        let allowed = answer.head.get("access-control-allow-headers").unwrap();
        assert!(allowed.contains("MCP-Protocol-Version"), "{path}");
        let methods = answer.head.get("access-control-allow-methods").unwrap();
        assert_eq!(methods.contains("DELETE"), path == "/mcp", "{path}");
    }
}

/// A server that lets tools write names the page that may read its answers, and only one from here.
#[tokio::test]
async fn where_writes_are_possible_only_pages_from_here_may_read() {
    let server = serve(&World::new(true));
    for line in ["POST /message", "OPTIONS /message", "GET /read?uri=unity://status"] {
        let ours = ask(&server, line, &[PAGE], PING).await;
        assert_eq!(ours.head.get("access-control-allow-origin"), Some(PAGE.1), "{line}");
        assert_eq!(ours.head.get("vary"), Some("Origin"), "{line}");
        let nobodys = ask(&server, line, &[], PING).await;
        // It is no page; all answers say so.
        assert_eq!(nobodys.head.get("access-control-allow-origin"), Some("*"), "{line}");
        assert!(nobodys.status < 300, "{line}");
    }
}

/// Pages from elsewhere are turned away with or without writes, streams and preflights included.
#[tokio::test]
async fn pages_from_elsewhere_are_turned_away() {
    for writes in [false, true] {
        let server = serve(&World::new(writes));
        for line in ["POST /message", "POST /", "OPTIONS /message", "GET /read?uri=unity://status"]
        {
            for header in [EVIL, ("Host", "evil.example")] {
                let answer = ask(&server, line, &[header], PING).await;
                assert_eq!(answer.status, 403, "{line} {header:?}");
                assert_eq!(answer.head.get("access-control-allow-origin"), None, "{line}");
            }
        }
        let stream = [("Accept", "text/event-stream"), EVIL];
        assert_eq!(begin(&server, "GET /", &stream, b"").await.head.status(), 403);
    }
}

/// What is no host by the grammar is none of ours, whatever it begins or ends with.
#[tokio::test]
async fn a_host_is_read_to_its_end() {
    let server = serve(&World::new(false));
    for host in ["[::1].evil.example", "user@127.0.0.1", "127.0.0.1:80@bar.example"] {
        for line in ["POST /message", "POST /mcp", "GET /", "GET /read?uri=unity://status"] {
            let hosted = ask(&server, line, &[("Host", host)], PING).await;
            assert_eq!(hosted.status, 403, "{line} {host}");
            let origin = format!("http://{host}");
            let from = ask(&server, line, &[("Origin", &origin)], PING).await;
            assert_eq!(from.status, 403, "{line} {origin}");
        }
    }
}

/// An `<img src>` of a foreign page has no Origin. A link on one may lead a person to our page.
#[tokio::test]
async fn what_a_foreign_page_fetches_blindly_is_turned_away() {
    let server = serve(&World::new(true));
    let cross = ("Sec-Fetch-Site", "cross-site");
    for line in ["GET /read?uri=unity://status", "GET /", "POST /message", "GET /nowhere"] {
        let answer = ask(&server, line, &[cross, ("Sec-Fetch-Mode", "no-cors")], PING).await;
        assert_eq!(answer.status, 403, "{line}");
    }
    let read = "GET /read?uri=unity://status";
    let opened = [cross, ("Sec-Fetch-Mode", "navigate")];
    assert_eq!(ask(&server, read, &opened, b"").await.status, 403);
    assert_eq!(ask(&server, "GET /", &opened, b"").await.status, 200);
    assert_eq!(ask(&server, read, &[("Sec-Fetch-Site", "none")], b"").await.status, 200);
    assert_eq!(ask(&server, read, &[cross, PAGE], b"").await.status, 200);
}

/// `Authorization` is among the allowed headers: with a token, everything but the page and the
/// preflight asks for it.
#[tokio::test]
async fn a_token_is_asked_of_everyone() {
    let server = serve_with(&World::new(false), Some("s3cret"), Limits::default());
    for line in ["POST /message", "POST /", "GET /read?uri=unity://status"] {
        let without = ask(&server, line, &[PAGE], PING).await;
        assert_eq!(without.status, 401, "{line}");
        // The page may read why.
        assert_eq!(without.head.get("access-control-allow-origin"), Some("*"));
        let with = [("Authorization", "Bearer s3cret")];
        assert_eq!(ask(&server, line, &with, PING).await.status, 200, "{line}");
    }
    for line in ["GET /", "GET /mcp", "GET /?x"] {
        assert_eq!(events(&server, line).await.head.status(), 401, "{line}");
    }
    assert_eq!(ask(&server, "GET /", &[], b"").await.status, 200);
    assert_eq!(ask(&server, "OPTIONS /message", &[PAGE], b"").await.status, 204);
    assert_eq!(post(&server, "").await.status, 401);
}
