//! Progress and log lines of a running tool, on their way to the client that asked.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model as m;
use rmcp::{Peer, RoleServer};
use scenewright_contract::{Level, Reporter};
use tokio::sync::mpsc;

/// More often than this nobody wants to know.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// What a slow client may leave unread before more is dropped.
const QUEUE: usize = 256;

/// What the tool says.
pub(crate) enum Event {
    Progress { done: f64, total: Option<f64>, message: Option<String> },
    Log { level: Level, message: String },
}

/// The tool's end: it is called from a worker thread and never waits.
pub(crate) struct Sender {
    events: mpsc::Sender<Event>,
    progress: bool,
    level: Option<Level>,
    last: Mutex<Option<(f64, Instant)>>,
}

/// A sender for a client that wants progress, or log lines from `level` on.
pub(crate) fn channel(progress: bool, level: Option<Level>) -> (Sender, mpsc::Receiver<Event>) {
    let (events, receiver) = mpsc::channel(QUEUE);
    (Sender { events, progress, level, last: Mutex::new(None) }, receiver)
}

impl Reporter for Sender {
    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let finished = total.is_some_and(|total| done >= total);
        let too_soon = last.is_some_and(|(before, when)| {
            done <= before || (!finished && when.elapsed() < PROGRESS_INTERVAL)
        });
        if !self.progress || too_soon {
            return;
        }
        *last = Some((done, Instant::now()));
        let message = message.map(str::to_owned);
        let _ = self.events.try_send(Event::Progress { done, total, message });
    }

    fn log(&self, level: Level, message: &str) {
        if self.level.is_some_and(|wanted| level >= wanted) {
            let _ = self.events.try_send(Event::Log { level, message: message.to_owned() });
        }
    }
}

impl Event {
    /// Send it as the notification that it is.
    #[expect(deprecated, reason = "MCP deprecates logging but every deployed client still has it")]
    pub(crate) async fn send(self, peer: &Peer<RoleServer>, token: Option<&m::ProgressToken>) {
        let sent = match self {
            Self::Progress { done, total, message } => {
                let Some(token) = token else { return };
                let mut progress = m::ProgressNotificationParam::new(token.clone(), done);
                progress.total = total;
                progress.message = message;
                peer.notify_progress(progress).await
            }
            Self::Log { level, message } => peer.notify_logging_message(line(level, message)).await,
        };
        if let Err(error) = sent {
            tracing::debug!(%error, "a notification could not be sent");
        }
    }
}

/// A log line as MCP has it.
#[expect(deprecated, reason = "see Event::send")]
pub(crate) fn line(
    level: Level,
    message: impl Into<serde_json::Value>,
) -> m::LoggingMessageNotificationParam {
    m::LoggingMessageNotificationParam::new(to_mcp(level), message.into())
        .with_logger("scenewright")
}

/// The level from which on a conversation wants log lines (`logging/setLevel`).
#[derive(Clone)]
pub(crate) struct LogLevel(Arc<AtomicU8>);

impl Default for LogLevel {
    fn default() -> Self {
        Self(Arc::new(AtomicU8::new(Level::Info as u8)))
    }
}

impl LogLevel {
    pub(crate) fn get(&self) -> Level {
        use Level::{Alert, Critical, Debug, Emergency, Error, Info, Notice, Warning};
        let levels = [Debug, Info, Notice, Warning, Error, Critical, Alert, Emergency];
        levels.get(usize::from(self.0.load(Ordering::Relaxed))).copied().unwrap_or(Info)
    }

    pub(crate) fn set(&self, level: Level) {
        self.0.store(level as u8, Ordering::Relaxed);
    }
}

#[expect(deprecated, reason = "see Event::send")]
fn to_mcp(level: Level) -> m::LoggingLevel {
    match level {
        Level::Debug => m::LoggingLevel::Debug,
        Level::Info => m::LoggingLevel::Info,
        Level::Notice => m::LoggingLevel::Notice,
        Level::Warning => m::LoggingLevel::Warning,
        Level::Error => m::LoggingLevel::Error,
        Level::Critical => m::LoggingLevel::Critical,
        Level::Alert => m::LoggingLevel::Alert,
        Level::Emergency => m::LoggingLevel::Emergency,
    }
}

/// MCP's level as ours.
#[expect(deprecated, reason = "see Event::send")]
pub(crate) fn from_mcp(level: m::LoggingLevel) -> Level {
    match level {
        m::LoggingLevel::Debug => Level::Debug,
        m::LoggingLevel::Info => Level::Info,
        m::LoggingLevel::Notice => Level::Notice,
        m::LoggingLevel::Warning => Level::Warning,
        m::LoggingLevel::Error => Level::Error,
        m::LoggingLevel::Critical => Level::Critical,
        m::LoggingLevel::Alert => Level::Alert,
        m::LoggingLevel::Emergency => Level::Emergency,
    }
}
