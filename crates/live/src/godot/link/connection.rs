//! One connection, shared by all who call: requests go out as they come, a thread gives each answer
//! to whom it is for, and when the other side ends, everybody who waits hears it at once.

use std::collections::HashMap;
use std::io::{self, BufReader};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use serde_json::{Map, Value, json};

use super::announced::{Announced, Side};
use super::events::Events;
use super::message::{self, Kind, Message};
use super::{frames, handshake};

/// A port of this machine answers at once, or nobody is there.
const CONNECT_TIME: Duration = Duration::from_secs(2);
/// Who takes nothing for so long is not written to.
const WRITE_TIME: Duration = Duration::from_secs(5);
/// How often a waiting call looks whether its caller gave up.
const LOOK: Duration = Duration::from_millis(50);
/// After so long without an answer the other side is asked whether its main thread is busy.
const DOUBT: Duration = Duration::from_millis(1500);

pub(super) struct Connection {
    shared: Arc<Shared>,
    stream: TcpStream,
    writer: Mutex<TcpStream>,
    next: AtomicU64,
}

struct Shared {
    state: Mutex<State>,
}

struct State {
    is_open: bool,
    waiting: HashMap<u64, SyncSender<Value>>,
    events: Events,
}

/// Why there is no connection.
pub(super) enum Trouble {
    /// Nobody listens there.
    Nobody,
    /// Somebody does, and is not who was announced.
    Other(String),
}

impl Connection {
    /// Connects where both sides prove the token; with what the other side says of itself then.
    pub(super) fn open(to: &Announced) -> Result<(Self, Value), Trouble> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, to.port));
        let stream =
            TcpStream::connect_timeout(&address, CONNECT_TIME).map_err(|_| Trouble::Nobody)?;
        let other = |error: io::Error| Trouble::Other(error.to_string());
        stream.set_nodelay(true).map_err(other)?;
        stream.set_write_timeout(Some(WRITE_TIME)).map_err(other)?;
        let hello = handshake::shake(&stream, to).map_err(Trouble::Other)?;
        stream.set_read_timeout(None).map_err(other)?;
        Ok((Self::over(stream).map_err(other)?, hello))
    }

    fn over(stream: TcpStream) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                is_open: true,
                waiting: HashMap::new(),
                events: Events::default(),
            }),
        });
        let reader = BufReader::with_capacity(1 << 16, stream.try_clone()?);
        let heard = shared.clone();
        std::thread::Builder::new()
            .name("godot-link".to_owned())
            .spawn(move || heard.listen(reader))?;
        let writer = Mutex::new(stream.try_clone()?);
        Ok(Self { shared, stream, writer, next: AtomicU64::new(1) })
    }

    pub(super) fn is_open(&self) -> bool {
        self.shared.state().is_open
    }

    pub(super) fn events(&self, since: u64) -> (Vec<Value>, u64) {
        self.shared.state().events.since(since)
    }

    pub(super) fn dropped_events(&self) -> usize {
        self.shared.state().events.dropped()
    }

    pub(super) fn call(
        &self,
        side: Side,
        method: &str,
        params: Map<String, Value>,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Value, ToolError> {
        let (id, answer) = self.send(side, method, Value::Object(params))?;
        let asked = Instant::now();
        let mut doubt: Option<Receiver<Value>> = None;
        let mut busy = None;
        loop {
            match answer.recv_timeout(LOOK.min(timeout)) {
                Ok(said) => return read(method, said),
                Err(RecvTimeoutError::Disconnected) => return Err(ended(side, method)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(said) = doubt.as_ref().and_then(|answer| answer.try_recv().ok()) {
                busy = said["result"]["busyMs"].as_u64();
                doubt = None;
            }
            let waited = asked.elapsed();
            if cancel.is_cancelled() {
                self.shared.state().waiting.remove(&id);
                return Err(ToolError::cancelled());
            }
            if waited >= timeout {
                self.shared.state().waiting.remove(&id);
                return Err(late(side, method, waited, busy));
            }
            if waited >= DOUBT && doubt.is_none() {
                doubt =
                    self.send(side, "transport.healthCheck", Value::Null).ok().map(|sent| sent.1);
            }
        }
    }

    fn send(
        &self,
        side: Side,
        method: &str,
        params: Value,
    ) -> Result<(u64, Receiver<Value>), ToolError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (give, answer) = mpsc::sync_channel(1);
        {
            let mut state = self.shared.state();
            if !state.is_open {
                return Err(ended(side, method));
            }
            state.waiting.insert(id, give);
        }
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = frames::write(&mut *writer, &message) {
            // Half a frame may be on its way, so nothing can follow it.
            let _ = self.stream.shutdown(Shutdown::Both);
            self.shared.end();
            return Err(ToolError::new(
                ErrorKind::NotReady,
                format!("the {side} takes no more requests: {error}"),
            ));
        }
        Ok((id, answer))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen(&self, mut from: impl io::Read) {
        while let Ok(Some(text)) = frames::read(&mut from, frames::MAX_FRAME) {
            let Ok(message) = serde_json::from_slice::<Message<'_>>(&text) else { break };
            match message.kind() {
                Kind::Answer(id) => {
                    // What nobody waits for is not even read.
                    let Some(waiting) = self.state().waiting.remove(&id) else { continue };
                    let _ = waiting.try_send(message::answer(&text));
                }
                Kind::Event(event) => self.state().events.keep(event),
                Kind::Other => {}
            }
        }
        self.end();
    }

    /// Nobody waits any longer for what will not come.
    fn end(&self) {
        let mut state = self.state();
        state.is_open = false;
        state.waiting.clear();
    }
}

/// What an answer says.
fn read(method: &str, mut said: Value) -> Result<Value, ToolError> {
    if let Some(error) = said.get("error").filter(|error| !error.is_null()) {
        let message = error["message"].as_str().unwrap_or("it gave no reason");
        let kind = match error["code"].as_i64() {
            Some(-32602) => ErrorKind::BadArguments,
            Some(-32601 | 1000) => ErrorKind::NotReady,
            _ => ErrorKind::EngineError,
        };
        let mut told = ToolError::new(kind, message.to_owned());
        if let Some(known) = error["data"]["known"].as_array().filter(|known| !known.is_empty()) {
            let known: Vec<&str> = known.iter().take(20).filter_map(Value::as_str).collect();
            told = told.hint(format!("there are {}", known.join(", ")));
        }
        return Err(told);
    }
    match said.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err(ToolError::new(
            ErrorKind::EngineError,
            format!("the answer to {method} has neither a result nor an error"),
        )),
    }
}

fn ended(side: Side, method: &str) -> ToolError {
    ToolError::new(
        ErrorKind::NotReady,
        format!(
            "the {side} ended, or its link did, before it answered {method}; whether it did it is not known"
        ),
    )
}

fn late(side: Side, method: &str, waited: Duration, busy: Option<u64>) -> ToolError {
    let seconds = waited.as_secs_f64();
    let why = match busy {
        Some(busy) if busy > 1000 => format!(
            "its main thread has been busy for {:.1} s: an endless loop, a breakpoint, or something long",
            busy as f64 / 1000.0
        ),
        Some(_) => "it runs, and this takes longer".to_owned(),
        None => "it does not answer at all".to_owned(),
    };
    ToolError::new(
        ErrorKind::NotReady,
        format!("the {side} did not answer {method} within {seconds:.1} s: {why}"),
    )
}
