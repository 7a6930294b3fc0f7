//! The short way of a plain call in a frame: a tool that only reads, asked without `_meta`. Such a
//! call asks nobody, reports no progress and belongs to no version, so it needs no conversation
//! around it; programs that make many small calls get their answers sooner.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use scenewright_contract::{Call, Cancel, Level, Origin, Reporter};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio_util::task::TaskTracker;

use crate::envelope::Envelope;
use crate::mcp::call::{Brief, Way};
use crate::mcp::report::{self, LogLevel};
use crate::mcp::{Shared, render};
use crate::reply::{self, ReplyId};

/// What became of a message.
pub(crate) enum Plain {
    /// It is not plain; the conversation has it.
    No,
    /// Here is the answer.
    Answer(Bytes),
    /// The answer will be written when it is there, or there is none.
    Taken,
}

/// The plain calls of one connection.
pub(crate) struct PlainCalls {
    shared: Arc<Shared>,
    out: mpsc::Sender<Bytes>,
    level: LogLevel,
    origin: Origin,
    running: Arc<Mutex<HashMap<String, Running>>>,
}

struct Running {
    cancel: Cancel,
    task: AbortHandle,
}

impl PlainCalls {
    pub(crate) fn new(
        shared: Arc<Shared>,
        out: mpsc::Sender<Bytes>,
        level: LogLevel,
        origin: Origin,
    ) -> Self {
        Self { shared, out, level, origin, running: Arc::default() }
    }

    /// It is known who asks.
    pub(crate) fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// Take `message` if it is a plain call, or the end of one that runs.
    pub(crate) async fn take(&self, message: &Envelope<'_>, tasks: &TaskTracker) -> Plain {
        match (message.method.as_ref(), message.id.token()) {
            ("tools/call", Some(id)) => self.call(id, message, tasks).await,
            ("notifications/cancelled", None) => self.cancelled(message),
            _ => Plain::No,
        }
    }

    async fn call(&self, id: &str, message: &Envelope<'_>, tasks: &TaskTracker) -> Plain {
        // `_meta` makes it one for the conversation: a version, a progress token, a log level.
        let Some(brief) = Brief::read(message).filter(|brief| brief.meta.is_none()) else {
            return Plain::No;
        };
        let Some(instant) = self.shared.plain.get(&*brief.name).copied() else { return Plain::No };
        let reads = self.shared.reads(self.origin.listener, None, false);
        let mut way = Way { reads, ..Way::plain(self.origin.clone()) };
        // What answers at once has nothing to say but that it was called.
        if !instant || self.level.get() == Level::Debug {
            let lines = Lines { out: self.out.clone(), level: self.level.clone() };
            way.reporter = Some(Arc::new(lines));
        }
        let Some(call) = brief.call(way) else { return Plain::No };
        if instant {
            return Plain::Answer(answer(&self.shared, id, call).await);
        }
        self.start(id.to_owned(), call, tasks);
        Plain::Taken
    }

    /// Run a call beside the others of this connection.
    fn start(&self, id: String, call: Call, tasks: &TaskTracker) {
        let (shared, out) = (self.shared.clone(), self.out.clone());
        let (cancel, running) = (call.cancel.clone(), self.running.clone());
        // The entry is made before the task can look for it.
        let mut entries = self.entries();
        let key = id.clone();
        let task = tasks.spawn(async move {
            let answer = answer(&shared, &id, call).await;
            running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            let _ = out.send(answer).await;
        });
        entries.insert(key, Running { cancel, task: task.abort_handle() });
    }

    /// A cancelled call is not answered, and its tool stops at its next look.
    fn cancelled(&self, message: &Envelope<'_>) -> Plain {
        let running = message.cancelled_id().and_then(|id| self.entries().remove(id));
        let Some(Running { cancel, task }) = running else { return Plain::No };
        cancel.cancel();
        task.abort();
        Plain::Taken
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn answer(shared: &Shared, id: &str, call: Call) -> Bytes {
    let (id, tool) = (ReplyId::Token(id), call.tool.clone());
    match render::response(&tool, shared.host.call(call).await) {
        Ok(mut result) => {
            // The handshake versions know no result types.
            result.result_type = None;
            reply::called(id, &result)
        }
        Err(error) => reply::error(id, error.code.0, &error.message, error.data).into(),
    }
}

/// Log lines of a tool, straight into the connection.
struct Lines {
    out: mpsc::Sender<Bytes>,
    level: LogLevel,
}

impl Reporter for Lines {
    /// Nobody gave a token for it.
    fn progress(&self, _: f64, _: Option<f64>, _: Option<&str>) {}

    fn log(&self, level: Level, message: &str) {
        if level >= self.level.get() {
            let line = json!({
                "jsonrpc": "2.0",
                "method": "notifications/message",
                "params": report::line(level, message),
            });
            let _ = self.out.try_send(line.to_string().into());
        }
    }
}
