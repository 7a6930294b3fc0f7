//! One client's large message keeps no other waiting, whatever is in it and whichever way it comes.
//! The server has a runtime of its own, with one thread for messages as the program has.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use scenewright_wire::Server;
use scenewright_wire::transport;

use crate::protocol::support::{Client, Over, Setup, connect, server};

/// Messages that are handled sooner keep nobody waiting.
const LONG: Duration = Duration::from_millis(200);
const SIZE: usize = 4 << 20;

fn call(tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

/// A message of each kind, and what its answer has in it.
fn kinds() -> Vec<(&'static str, String, &'static str)> {
    let long = "x".repeat(SIZE);
    let ones = "1,".repeat(SIZE / 2);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"},"#;
    vec![
        ("a tool's name", call(&long, "{}"), "name has 4194304 bytes"),
        ("an unknown argument", call("mcp.health", &format!(r#"{{"{long}":1}}"#)), "is not known"),
        (
            "many words",
            call("tools_search", &format!(r#"{{"query":"{}"}}"#, "go ".repeat(SIZE / 3))),
            "at most 4096 are taken",
        ),
        ("deep nesting", call("mcp.health", &"[".repeat(SIZE)), "nested deeper"),
        (
            "a long list",
            call("mcp.health", &format!(r#"{{"a":[{ones}1]}}"#)),
            "values in one message",
        ),
        ("a batch", format!("[{}1]", ping.repeat(SIZE / ping.len())), "batch requests are not"),
    ]
}

/// Serve in a runtime like the program's; gives where frames are taken.
fn start() -> (tokio::runtime::Runtime, Arc<Server>, SocketAddr) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (server, address) = runtime.block_on(async {
        let server = server(Setup::default());
        let listener = transport::bind(&server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(transport::tcp::serve(server.clone(), listener));
        (server, address)
    });
    (runtime, server, address)
}

/// Ask for the server's health, again and again, until told to stop; gives how long each took.
fn keep_asking(address: SocketAddr, stop: &AtomicBool) -> Vec<Duration> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let ask = call("mcp.health", "{}");
    let mut took = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let started = Instant::now();
        stream.write_all(&u32::try_from(ask.len()).unwrap().to_le_bytes()).unwrap();
        stream.write_all(ask.as_bytes()).unwrap();
        let mut length = [0; 4];
        stream.read_exact(&mut length).unwrap();
        let mut answer = vec![0; u32::from_le_bytes(length) as usize];
        stream.read_exact(&mut answer).unwrap();
        took.push(started.elapsed());
        std::thread::sleep(Duration::from_millis(5));
    }
    took
}

/// A machine that stands still for a moment is not a server that does: that would do it each time.
const TRIES: usize = 4;

fn check(over: Over, kind: &str, message: &str, expected: &str) {
    let tries: Vec<_> = (0..TRIES).map_while(|_| stall(over, kind, message, expected)).collect();
    assert!(tries.len() < TRIES, "{kind} over {over:?}: {tries:?}");
}

/// Send `message` while another client asks; gives how few answers it got in how long a time.
fn stall(over: Over, kind: &str, message: &str, expected: &str) -> Option<(usize, Duration)> {
    let (runtime, server, address) = start();
    let stop = Arc::new(AtomicBool::new(false));
    let (told, asked) = mpsc::channel();
    let asking = {
        let stop = stop.clone();
        std::thread::spawn(move || told.send(keep_asking(address, &stop)))
    };
    let mut client = runtime.block_on(async { connect(&server, over).await });
    // The client's own work is not the server's.
    let own = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let started = Instant::now();
    let answer = own.block_on(ask(&mut client, message)).unwrap_or_default();
    let whole = started.elapsed();
    stop.store(true, Ordering::Relaxed);
    let took = asked.recv().unwrap();
    asking.join().unwrap().unwrap();
    assert!(answer.contains(expected), "{kind} over {over:?}: {:.400}", answer);
    assert!(answer.len() < 20_000, "{kind} over {over:?} is answered with {}", answer.len());
    // Who is kept waiting is answered once before the message and once after it.
    let answered = took.len();
    runtime.shutdown_background();
    (whole >= LONG && answered <= 3).then_some((answered, whole))
}

async fn ask(client: &mut Client, message: &str) -> Option<String> {
    client.ask(message, true).await
}

#[test]
fn nobody_waits_for_a_large_message_of_any_kind() {
    for (kind, message, expected) in kinds() {
        check(Over::Framed, kind, &message, expected);
    }
}

#[test]
fn nobody_waits_for_a_large_message_over_any_transport() {
    for over in [
        Over::Stdio,
        Over::WebSocket,
        Over::McpSocket,
        Over::Http("/mcp"),
        Over::Http("/editormcp"),
        Over::Http("/message"),
    ] {
        for (kind, message, expected) in kinds() {
            if kind == "a tool's name" || kind == "an unknown argument" {
                check(over, kind, &message, expected);
            }
        }
    }
}
