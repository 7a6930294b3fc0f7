//! The output of a game for anybody on this machine who connects: a WebSocket on the loopback
//! address that sends each line as `{"type": "stdout", "timestamp": …, "content": …}`.
//!
//! The server's own transports are elsewhere; this one carries no calls, only a game's lines, and
//! exists while somebody asked for it.

mod websocket;

use std::io::ErrorKind as IoKind;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use scenewright_text::time::iso;
use serde_json::json;

use super::games::Games;
use super::output::StreamName;

/// More clients at once are turned away.
const MAX_CLIENTS: usize = 16;
/// How often the listener looks for somebody new.
const LOOK: Duration = Duration::from_millis(50);

/// The stream of a project, if one was started.
#[derive(Debug, Default)]
pub struct Streams(Mutex<Option<DebugStream>>);

/// A stream that runs.
#[derive(Debug)]
pub struct DebugStream {
    /// Where it listens.
    pub port: u16,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// The games go with the project; the stream does not keep them.
    games: Weak<Games>,
    interval: Duration,
    clients: AtomicUsize,
    last: Mutex<Option<SystemTime>>,
    stop: Flag,
}

/// [`Cancel`] with a face for debugging.
#[derive(Clone, Default)]
struct Flag(Cancel);

impl std::fmt::Debug for Flag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Flag({})", self.0.is_cancelled())
    }
}

impl Streams {
    /// Start a stream of what these games say. `port` 0 lets the system choose.
    pub fn start(
        &self,
        games: &Arc<Games>,
        port: u16,
        interval: Duration,
    ) -> Result<u16, ToolError> {
        let mut current = self.lock();
        if let Some(running) = current.as_ref() {
            return Err(ToolError::new(
                ErrorKind::EngineError,
                format!("the debug stream runs already, on port {}", running.port),
            )
            .hint("stop_debug_stream ends it"));
        }
        let stream = DebugStream::open(games, port, interval)?;
        let port = stream.port;
        *current = Some(stream);
        Ok(port)
    }

    /// End the stream; how many clients it had, or nothing when there was none.
    pub fn stop(&self) -> Option<usize> {
        self.lock().take().map(|stream| stream.clients())
    }

    /// Ask the stream that runs.
    pub fn with<T>(&self, ask: impl FnOnce(&DebugStream) -> T) -> Option<T> {
        self.lock().as_ref().map(ask)
    }

    fn lock(&self) -> MutexGuard<'_, Option<DebugStream>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DebugStream {
    fn open(games: &Arc<Games>, port: u16, interval: Duration) -> Result<Self, ToolError> {
        let refused = |error: std::io::Error| {
            ToolError::new(
                ErrorKind::EngineError,
                format!("port {port} of this machine cannot be listened on: {error}"),
            )
            .hint("choose another port; 0 takes any that is free")
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let port = listener.local_addr().map_err(refused)?.port();
        let shared = Arc::new(Shared {
            games: Arc::downgrade(games),
            interval,
            clients: AtomicUsize::new(0),
            last: Mutex::new(None),
            stop: Flag::default(),
        });
        let own = shared.clone();
        std::thread::spawn(move || accept(&listener, &own));
        Ok(Self { port, shared })
    }

    /// How many clients listen now.
    pub fn clients(&self) -> usize {
        self.shared.clients.load(Ordering::Relaxed)
    }

    /// When a line was sent last.
    pub fn last_sent(&self) -> Option<SystemTime> {
        *self.shared.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DebugStream {
    fn drop(&mut self) {
        self.shared.stop.0.cancel();
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.stop.0.is_cancelled() && shared.games.strong_count() > 0 {
        match listener.accept() {
            Ok((stream, _)) => {
                let count = shared.clients.fetch_add(1, Ordering::Relaxed);
                let shared = shared.clone();
                std::thread::spawn(move || {
                    if count < MAX_CLIENTS {
                        // A client that goes away is no news.
                        let _ = serve(stream, &shared);
                    }
                    shared.clients.fetch_sub(1, Ordering::Relaxed);
                });
            }
            Err(error) if error.kind() == IoKind::WouldBlock => {
                shared.stop.0.wait(LOOK);
            }
            Err(_) => {
                shared.stop.0.wait(LOOK);
            }
        }
    }
}

/// Send a client every line, from the first that is still known, until one of us leaves.
fn serve(stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut socket = websocket::accept(stream)?;
    socket.send(&frame("system", "the output of the game, line by line"))?;
    let mut game_id = None;
    let mut cursor = 0;
    loop {
        let game = shared.games.upgrade().and_then(|games| games.current());
        if let Some(game) = game {
            if game_id != Some(game.id) {
                (game_id, cursor) = (Some(game.id), 0);
            }
            for line in game.output.since(cursor) {
                let kind = match line.stream {
                    StreamName::Stdout => "stdout",
                    StreamName::Stderr => "stderr",
                };
                socket.send(&frame(kind, &line.text))?;
                cursor = line.number;
                *shared.last.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(SystemTime::now());
            }
        }
        if !socket.is_open()? {
            return Ok(());
        }
        if shared.stop.0.wait(shared.interval) || shared.games.strong_count() == 0 {
            socket.send(&frame("system", "the stream ends"))?;
            return socket.close();
        }
    }
}

fn frame(kind: &str, content: &str) -> String {
    json!({ "type": kind, "timestamp": iso(SystemTime::now()), "content": content }).to_string()
}
