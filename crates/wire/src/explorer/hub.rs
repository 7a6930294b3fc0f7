//! The open event streams and what waits for each of them. A client that reads slowly loses the
//! oldest of its own messages and holds up nobody.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use scenewright_contract::{ErrorKind, Level, Listener, ToolError};
use serde::Serialize;
use tokio::sync::Notify;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::TryRecvError;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::host::{Event, Explorer, Host};

/// Messages that wait for one stream at most.
const LIMIT: usize = 256;
/// And their size: results are mirrored, and some are long.
const LIMIT_BYTES: usize = 16 * 1024 * 1024;

/// Every open stream of a server.
pub(crate) struct Hub {
    most: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    opened: u64,
    streams: BTreeMap<u64, Arc<Queue>>,
    /// What happened in the world and is not passed on yet; none while nobody listens.
    events: Option<broadcast::Receiver<Event>>,
    /// Passes events on as they happen.
    pump: Option<AbortOnDropHandle<()>>,
}

/// How a stream carries its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON lines, the answer to `stream_events` over HTTP.
    Lines,
    /// Server-Sent Events.
    Events,
    /// Messages of a conversation. Its ids are its own, so other clients' results stay out of it.
    Messages(Listener),
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Lines => "http",
            Self::Events => "sse",
            Self::Messages(listener) => listener.as_str(),
        }
    }
}

/// Whom a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// A notification.
    Everyone,
    /// A copy of somebody's answer.
    Mirrors,
}

/// One open stream. Dropping it closes it.
pub(crate) struct Stream {
    hub: Arc<Hub>,
    id: u64,
    queue: Arc<Queue>,
    end: CancellationToken,
}

/// An overload has begun: a stream, and the messages it has lost by now.
struct Overload {
    id: u64,
    form: Form,
    dropped: u64,
}

impl Hub {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, state: Mutex::default() })
    }

    /// Open a stream that lasts until `end`.
    pub(crate) fn open(
        self: &Arc<Self>,
        host: &Arc<dyn Host>,
        world: &dyn Explorer,
        form: Form,
        end: CancellationToken,
    ) -> Result<Stream, ToolError> {
        // What happened before is not for the new one.
        self.pass_on(world);
        let mut state = self.state();
        if state.streams.len() >= self.most {
            let most = self.most;
            return Err(ToolError::new(
                ErrorKind::RateLimited,
                format!("Cannot have more than {most} parallel streams. Please slow down."),
            )
            .hint("close a stream that nobody reads"));
        }
        if state.events.is_none() {
            // The alarm listens first, so that it rings for everything.
            let pump = pump(self.clone(), host.clone(), world.events());
            state.events = Some(world.events());
            state.pump = Some(AbortOnDropHandle::new(tokio::spawn(pump)));
        }
        state.opened += 1;
        let id = state.opened;
        let queue = Arc::new(Queue::new(form));
        state.streams.insert(id, queue.clone());
        Ok(Stream { hub: self.clone(), id, queue, end })
    }

    /// Whether anyone listens.
    pub(crate) fn is_empty(&self) -> bool {
        self.state().streams.is_empty()
    }

    /// Send a message, after everything that happened in the world before it.
    pub(crate) fn send(&self, world: &dyn Explorer, message: Bytes, audience: Audience) {
        let mut state = self.state();
        let mut overloads = state.pass_on();
        state.push(&message, audience, &mut overloads);
        drop(state);
        warn(world, &overloads);
    }

    /// Send what happened in the world since the last time.
    fn pass_on(&self, world: &dyn Explorer) {
        let overloads = self.state().pass_on();
        warn(world, &overloads);
    }

    fn close(&self, id: u64) {
        let mut state = self.state();
        state.streams.remove(&id);
        if state.streams.is_empty() {
            state.events = None;
            state.pump = None;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pass_on(&mut self) -> Vec<Overload> {
        let mut overloads = Vec::new();
        while let Some(events) = &mut self.events {
            match events.try_recv() {
                Ok(event) => {
                    self.push(
                        &notification(&event.name, &event.payload),
                        Audience::Everyone,
                        &mut overloads,
                    );
                }
                Err(TryRecvError::Lagged(lost)) => {
                    tracing::warn!(lost, "events of the world came too fast");
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        overloads
    }

    fn push(&self, message: &Bytes, audience: Audience, overloads: &mut Vec<Overload>) {
        for (id, queue) in &self.streams {
            if audience == Audience::Mirrors && matches!(queue.form, Form::Messages(_)) {
                continue;
            }
            if let Some(dropped) = queue.push(message.clone()) {
                overloads.push(Overload { id: *id, form: queue.form, dropped });
            }
        }
    }
}

/// Pass events on as they happen. `alarm` only tells when; the events are taken from the one
/// receiver that requests take them from, too, so that their order is one.
async fn pump(hub: Arc<Hub>, host: Arc<dyn Host>, mut alarm: broadcast::Receiver<Event>) {
    let Some(world) = host.explorer() else { return };
    while !matches!(alarm.recv().await, Err(broadcast::error::RecvError::Closed)) {
        hub.pass_on(world);
    }
}

/// The warnings are events themselves, so they are written when the hub is free again.
fn warn(world: &dyn Explorer, overloads: &[Overload]) {
    for Overload { id, form, dropped } in overloads {
        let form = form.name();
        let text = format!(
            "[MCP] {form} stream {id} backpressure: dropped {dropped} pending message(s) (limit {LIMIT})."
        );
        world.log(Level::Warning, None, &text);
    }
}

/// An event as its message.
pub(crate) fn notification(name: &str, payload: &impl Serialize) -> Bytes {
    #[derive(Serialize)]
    struct Notification<'a, P> {
        jsonrpc: &'static str,
        method: &'static str,
        params: Params<'a, P>,
    }
    #[derive(Serialize)]
    struct Params<'a, P> {
        event: &'a str,
        payload: &'a P,
    }
    let params = Params { event: name, payload };
    let message = Notification { jsonrpc: "2.0", method: "notification", params };
    let text = serde_json::to_vec(&message);
    text.expect("payloads are JSON, and their names are texts").into()
}

impl Stream {
    /// The next message; none when the stream has come to its end.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(message) = self.queue.pop() {
                return Some(message);
            }
            tokio::select! {
                () = self.queue.wake.notified() => {}
                () = self.end.cancelled() => return self.queue.pop(),
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.hub.close(self.id);
        let dropped = self.queue.pending().dropped;
        if dropped > 0 {
            let form = self.queue.form.name();
            tracing::warn!(
                stream = self.id,
                form,
                dropped,
                "a stream ended that had lost messages"
            );
        }
    }
}

struct Queue {
    form: Form,
    pending: Mutex<Pending>,
    wake: Notify,
}

#[derive(Default)]
struct Pending {
    messages: VecDeque<Bytes>,
    bytes: usize,
    dropped: u64,
    overloaded: bool,
}

impl Queue {
    fn new(form: Form) -> Self {
        Self { form, pending: Mutex::default(), wake: Notify::new() }
    }

    /// Add a message. When that begins an overload: how many messages were lost by now.
    fn push(&self, message: Bytes) -> Option<u64> {
        let mut pending = self.pending();
        let before = pending.dropped;
        while pending.is_full(message.len()) {
            pending.take();
            pending.dropped += 1;
        }
        pending.bytes += message.len();
        pending.messages.push_back(message);
        self.wake.notify_one();
        let lost = pending.dropped - before;
        if lost == 0 || std::mem::replace(&mut pending.overloaded, true) {
            return None;
        }
        Some(lost)
    }

    /// Take the oldest message. A client that has read everything is overloaded no longer.
    fn pop(&self) -> Option<Bytes> {
        let mut pending = self.pending();
        let message = pending.take();
        pending.overloaded &= !pending.messages.is_empty();
        message
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    fn is_full(&self, more: usize) -> bool {
        let count = self.messages.len();
        count >= LIMIT || (count > 0 && self.bytes + more > LIMIT_BYTES)
    }

    fn take(&mut self) -> Option<Bytes> {
        let message = self.messages.pop_front()?;
        self.bytes -= message.len();
        Some(message)
    }
}
