//! Connections that never show the token and say as much as they can: the server does not grow.

use std::fs;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::Ground;
use super::client::Host;
use super::places;
use super::report::{Report, Tally};
use crate::bench::usage;

const CONNECTIONS: usize = 200;
/// Each would send so much if it were let.
const MOST: usize = 16 << 20;
const GROWTH_MB: f64 = 30.0;
const TOKEN: &str = "a-token-that-no-stranger-knows";

/// What stands before the flood.
type Flood = (&'static str, fn(&str) -> Vec<u8>);

const FLOODS: [Flood; 5] = [
    ("frames", |_| (MOST as u32).to_le_bytes().to_vec()),
    ("frames that claim 4 GiB", |_| vec![0xff; 4]),
    ("HTTP bodies", |host| {
        let head = "Content-Type: application/json\r\nAccept: application/json\r\n";
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\n{head}Content-Length: {MOST}\r\n\r\n").into()
    }),
    ("HTTP headers", |host| format!("GET /mcp HTTP/1.1\r\nHost: {host}\r\nX-Long: ").into()),
    ("WebSocket frames", |host| {
        let head = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
        let key = "Sec-WebSocket-Key: c2NlbmV3cmlnaHQgdGVzdA==\r\n";
        let mut said =
            format!("GET /editormcp HTTP/1.1\r\nHost: {host}\r\n{head}{key}\r\n").into_bytes();
        said.extend([0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        said
    }),
];

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    for (name, flood) in FLOODS {
        let kind = format!("strangers: {CONNECTIONS} connections, {name}");
        let tally = match flood_once(ground, name.starts_with("frames"), flood)? {
            Some((grown, sent)) => {
                let mut tally = Tally::of(CONNECTIONS);
                tally.notes = format!("{grown:.1} MB more, {} MB went out", sent >> 20);
                if grown > GROWTH_MB {
                    tally.fail(format!("the server grew by {grown:.1} MB, not {GROWTH_MB}"));
                }
                tally
            }
            None => Tally::skipped("the size of a process is known on Linux only"),
        };
        report.add(&kind, tally);
    }
    Ok(())
}

/// How much the server grew at most, and how much it took; nothing where the system does not tell.
fn flood_once(
    ground: &Ground,
    framed: bool,
    flood: fn(&str) -> Vec<u8>,
) -> Result<Option<(f64, usize)>> {
    let folder = ground.folder("strangers")?;
    let home = folder.join("home");
    fs::create_dir_all(&home)?;
    let project = places::copy_sample("godot", &folder)?;
    let host = Host::start(ground, &project, &home, &["--token", TOKEN])?;
    let address = if framed { host.server.framed_address()? } else { host.http()? };
    // A server that has answered nothing yet is smaller than one at rest.
    let _ = TcpStream::connect(&address)?.write_all(b"\0");
    thread::sleep(Duration::from_millis(300));
    let pid = host.server.pid();
    let Some(before) = usage::resident_mb(pid) else { return Ok(None) };
    let mut strangers = (0..CONNECTIONS)
        .map(|_| Stranger::open(&address, flood(&address)))
        .collect::<Result<Vec<_>>>()?;
    let mut most = before;
    let started = Instant::now();
    let time = Duration::from_secs(if ground.options.full { 12 } else { 4 });
    while started.elapsed() < time && strangers.iter().any(|stranger| stranger.is_talking) {
        let said: usize = strangers.iter_mut().map(Stranger::say).sum();
        most = most.max(usage::resident_mb(pid).context("the server is gone")?);
        if said == 0 {
            thread::sleep(Duration::from_millis(10));
        }
    }
    let log = host.server.log();
    ensure!(!log.contains("panicked"), "a panic: {}", host.server.stderr_tail());
    Ok(Some((most - before, strangers.iter().map(|stranger| stranger.sent).sum())))
}

/// Somebody without the token.
struct Stranger {
    stream: TcpStream,
    sent: usize,
    /// Neither refused nor through.
    is_talking: bool,
}

impl Stranger {
    fn open(address: &str, said: Vec<u8>) -> Result<Stranger> {
        let mut stream = TcpStream::connect(address)?;
        let is_talking = stream.write_all(&said).is_ok();
        stream.set_nonblocking(true)?;
        Ok(Stranger { stream, sent: 0, is_talking })
    }

    /// Say as much as goes out now.
    fn say(&mut self) -> usize {
        let block = [b'x'; 64 << 10];
        if !self.is_talking {
            return 0;
        }
        match self.stream.write(&block) {
            Ok(count) => {
                self.sent += count;
                self.is_talking = self.sent < MOST;
                count
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(_) => {
                self.is_talking = false;
                0
            }
        }
    }
}
