//! Connections that are opened and never finished: the next client is served all the same.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::Ground;
use super::client::{Host, Transport};
use super::places;
use super::report::{Report, Tally};

/// As many as the server serves at once.
const CONNECTIONS: usize = 256;
const LATEST: Duration = Duration::from_secs(1);
/// New clients, one after the other.
const CLIENTS: usize = 3;

/// What a connection says before it falls silent: `{host}` is the server.
type Half = (&'static str, Transport, &'static str);

const HALVES: [Half; 6] = [
    ("HTTP, nothing sent", Transport::Http, ""),
    ("HTTP, half a header", Transport::Http, "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAcc"),
    (
        "HTTP, unfinished body",
        Transport::Http,
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n{\"jsonrpc\"",
    ),
    ("framed, nothing sent", Transport::Framed, ""),
    ("framed, half a length", Transport::Framed, "\u{10}\0"),
    ("framed, unfinished frame", Transport::Framed, "\0\u{10}\0\0{\"jsonrpc\""),
];

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    for (name, transport, said) in HALVES {
        let tally = try_once(ground, transport, |host, held| {
            let address = address(host, transport)?;
            let said = said.replace("{host}", &address);
            for _ in 0..CONNECTIONS {
                // The last ones may be refused, which is the server's right.
                let Ok(mut stream) = TcpStream::connect(&address) else { break };
                let _ = stream.write_all(said.as_bytes());
                held.push(stream);
            }
            Ok(())
        })?;
        report.add(&format!("half-open: {CONNECTIONS} × {name}"), tally);
    }
    let mut sessions = Vec::new();
    let tally = try_once(ground, Transport::Http, |host, _| {
        for _ in 0..CONNECTIONS {
            // Their connections stay open too; a client that is refused has no session to leave.
            sessions.extend(host.client(Transport::Http).ok());
        }
        sessions.clear();
        Ok(())
    })?;
    report.add(&format!("half-open: {CONNECTIONS} × HTTP, sessions nobody ends"), tally);
    Ok(())
}

fn address(host: &Host, transport: Transport) -> Result<String> {
    match transport {
        Transport::Framed => host.server.framed_address(),
        _ => host.http(),
    }
}

/// How long new clients wait after somebody was rude.
fn try_once(
    ground: &Ground,
    transport: Transport,
    be_rude: impl FnOnce(&mut Host, &mut Vec<TcpStream>) -> Result<()>,
) -> Result<Tally> {
    let folder = ground.folder("half-open")?;
    let home = folder.join("home");
    fs::create_dir_all(&home)?;
    let project = places::copy_sample("godot", &folder)?;
    let mut host = Host::start(ground, &project, &home, &[])?;
    let mut held = Vec::new();
    be_rude(&mut host, &mut held)?;
    let mut tally = Tally::of(CLIENTS);
    let mut slowest = Duration::ZERO;
    for client in 0..CLIENTS {
        let started = Instant::now();
        let answered = ask(&mut host, transport);
        let took = started.elapsed();
        slowest = slowest.max(took);
        match answered {
            Err(error) => {
                let why = error.root_cause();
                tally.fail(format!("client {client} after {took:.1?}: {why}"));
            }
            Ok(()) if took > LATEST => tally.fail(format!("client {client} waited {took:.1?}")),
            Ok(()) => {}
        }
    }
    tally.notes = format!("slowest new client {} ms", slowest.as_millis());
    Ok(tally)
}

fn ask(host: &mut Host, transport: Transport) -> Result<()> {
    let mut client = host.client(transport).context("no handshake")?;
    let answer = client.call("mcp_health", &json!({}))?;
    ensure!(answer.contains(r#""isError":false"#), "{answer}");
    Ok(())
}
