//! One request to run a tool, and what came of it.

use std::any::Any;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Consent, JsonMap, Output, Witness};

/// One request to run a tool, free of any wire format.
#[derive(Clone)]
pub struct Call {
    /// The tool, by any of its names.
    pub tool: String,
    /// What the tool is given.
    pub arguments: JsonMap,
    /// No person need be asked: one has agreed, or was asked about the call around this one.
    pub confirmed: bool,
    /// Whoever calls says that it is confirmed, where the protocol has an argument for that.
    pub says_confirm: bool,
    /// The person's yes, where there is one.
    pub consent: Option<Arc<Consent>>,
    /// Who watches what it changes.
    pub witness: Option<Arc<dyn Witness>>,
    /// The client can ask a person, so that no argument stands for their word.
    pub asks: bool,
    /// Nothing that it changes is written: it is a part of a dry run.
    pub dry: bool,
    /// The protocol that the request came in.
    pub dialect: Dialect,
    /// The way it came in; limits differ by it.
    pub listener: Listener,
    /// Who asks.
    pub who: Arc<Who>,
    /// Where it runs, if a place was kept for it.
    pub place: Reserved,
    /// Set when the caller no longer wants the answer.
    pub cancel: Cancel,
    /// What of the answer the caller reads.
    pub reads: Reads,
    /// How large the answer may be; nothing for as large as it is.
    pub budget: Option<Budget>,
    /// How much of what it changes is shown.
    pub diffs: Diffs,
    /// Where progress and log lines go, when the caller listens.
    pub reporter: Option<Arc<dyn Reporter>>,
}

impl Call {
    /// A call with nothing but a tool and its arguments.
    pub fn new(tool: impl Into<String>, arguments: JsonMap) -> Self {
        Self {
            tool: tool.into(),
            arguments,
            confirmed: false,
            says_confirm: false,
            consent: None,
            witness: None,
            asks: false,
            dry: false,
            dialect: Dialect::Mcp,
            listener: Listener::CommandLine,
            who: Arc::default(),
            place: Reserved::default(),
            cancel: Cancel::default(),
            reads: Reads::Data,
            budget: None,
            diffs: Diffs::Full,
            reporter: None,
        }
    }

    /// The same call, asked from somewhere.
    #[must_use]
    pub fn from(mut self, origin: &Origin) -> Self {
        self.dialect = origin.dialect;
        self.listener = origin.listener;
        self.who = origin.who.clone();
        self.place = origin.place.clone();
        self
    }

    /// Whether so much was said that reading it takes time. The look itself ends as soon as it is.
    pub fn is_large(&self) -> bool {
        let mut left = LARGE;
        self.tool.len() > left || !fits_members(&self.arguments, &mut left)
    }
}

/// How large an answer may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of text.
    pub bytes: usize,
    /// Where an answer goes on that had no room before.
    pub cursor: Option<String>,
}

/// What of an answer its caller reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reads {
    /// The data: programs, and the protocols that have nothing else.
    #[default]
    Data,
    /// A text for a model.
    Text,
    /// The text, and the data that it shows.
    Both,
}

/// How much of what a call changes its answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Diffs {
    /// Which files, and how many lines.
    None,
    /// The changed lines, as far as a reader looks who made them.
    Short,
    /// Everything, with its surroundings.
    #[default]
    Full,
}

/// A call with more than about so many bytes is large.
pub const LARGE: usize = 64 * 1024;
/// What a value takes beside its text.
const VALUE: usize = 8;

/// Whether these members fit into what is left.
pub fn fits_members(members: &JsonMap, left: &mut usize) -> bool {
    members.iter().all(|(name, value)| take(left, name.len()) && fits(value, left))
}

fn fits(value: &Value, left: &mut usize) -> bool {
    match value {
        Value::String(text) => take(left, text.len() + VALUE),
        Value::Array(items) => take(left, VALUE) && items.iter().all(|item| fits(item, left)),
        Value::Object(members) => take(left, VALUE) && fits_members(members, left),
        Value::Null | Value::Bool(_) | Value::Number(_) => take(left, VALUE),
    }
}

fn take(left: &mut usize, size: usize) -> bool {
    let rest = left.checked_sub(size);
    *left = rest.unwrap_or_default();
    rest.is_some()
}

/// Where a request comes from.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The protocol that it came in.
    pub dialect: Dialect,
    /// The way it came in.
    pub listener: Listener,
    /// Who asks.
    pub who: Arc<Who>,
    /// The place that was kept for it.
    pub place: Reserved,
}

impl Origin {
    /// A request of somebody of whom nothing is known, and for which no place is kept.
    pub fn new(dialect: Dialect, listener: Listener) -> Self {
        Self { dialect, listener, who: Arc::default(), place: Reserved::default() }
    }
}

/// A place among the running calls that was taken before the call was read, so that a transport can
/// refuse it in a status of its own. Whoever runs calls knows what is in it; it is used once.
#[derive(Clone, Default)]
pub struct Reserved(Option<Arc<Mutex<Kept>>>);

/// What is kept, until it is used.
type Kept = Option<Box<dyn Any + Send>>;

impl Reserved {
    /// Keep `place` for one call.
    pub fn new(place: impl Any + Send) -> Self {
        Self(Some(Arc::new(Mutex::new(Some(Box::new(place))))))
    }

    /// The place, if it is a `T` and nobody has used it yet.
    pub fn take<T: Any>(&self) -> Option<T> {
        let mut kept = self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.take_if(|place| place.is::<T>())?;
        place.downcast().ok().map(|place| *place)
    }
}

impl fmt::Debug for Reserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Reserved(…)" } else { "Reserved" })
    }
}

/// Who asks, as far as it is known. For audit lines; nothing is decided by it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Who {
    /// The address of a client of the network.
    pub peer: Option<SocketAddr>,
    /// Its connection, counted from the server's start.
    pub connection: Option<u64>,
    /// Its MCP session over HTTP.
    pub session: Option<String>,
    /// What it calls itself.
    pub client: Option<String>,
}

/// What a tool gave back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The id of the tool that ran, whatever it was called by.
    pub tool: &'static str,
    /// The output, as its schema says.
    pub output: Output,
    /// The same for a model, remarks included; absent where nothing but the data is read.
    pub text: Option<String>,
    /// The caller reads the data beside the text.
    pub wants_data: bool,
    /// Remarks for the caller: partial results, best-effort limits. Never errors.
    pub diagnostics: Vec<String>,
    /// Pictures for those who can see them; the output says the same in words.
    pub images: Vec<Image>,
}

/// A picture, small enough to be looked at by a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// `image/png` or `image/jpeg`.
    pub mime: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// A protocol of the specifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Standard Model Context Protocol, every version.
    Mcp,
    /// EditorMCP (specs 000 and 003).
    Editor,
    /// Unity Explorer (spec 001).
    Explorer,
    /// The framed protocol's own methods (spec 002); it carries the others.
    Framed,
}

impl Dialect {
    /// The name used on the command line and in audit lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Editor => "editor",
            Self::Explorer => "explorer",
            Self::Framed => "framed",
        }
    }
}

/// The way a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Listener {
    /// `scenewright call`.
    CommandLine,
    /// Lines on stdin and stdout.
    Stdio,
    /// HTTP POST.
    Http,
    /// WebSocket text messages.
    WebSocket,
    /// Length-prefixed frames over TCP.
    Framed,
}

impl Listener {
    /// The name used in audit lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CommandLine => "cli",
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::WebSocket => "ws",
            Self::Framed => "tcp",
        }
    }
}

/// A flag that the caller raises and the tool looks at.
#[derive(Clone, Default)]
pub struct Cancel(Arc<(Mutex<bool>, Condvar)>);

impl Cancel {
    /// Ask the tool to stop at its next look.
    pub fn cancel(&self) {
        let (flag, changed) = &*self.0;
        *flag.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
    }

    /// Whether the caller has given up.
    pub fn is_cancelled(&self) -> bool {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleep for `time` at most; true when cancelled before it was over.
    pub fn wait(&self, time: Duration) -> bool {
        let (flag, changed) = &*self.0;
        let until = Instant::now() + time;
        let mut cancelled = flag.lock().unwrap_or_else(PoisonError::into_inner);
        while !*cancelled {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            cancelled =
                changed.wait_timeout(cancelled, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *cancelled
    }
}

/// How urgent a log line is; the eight levels of RFC 5424 that MCP uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // The names are the standard's.
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

/// Where a running tool reports to.
pub trait Reporter: Send + Sync {
    /// How far the work is.
    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>);
    /// A line for whoever watches.
    fn log(&self, level: Level, message: &str);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_large_by_its_name_its_texts_or_its_count() {
        let large = |tool: &str, arguments: Value| {
            let Value::Object(arguments) = arguments else { unreachable!("an object literal") };
            Call::new(tool, arguments).is_large()
        };
        assert!(!large("a", json!({ "b": "c".repeat(LARGE / 2), "d": [1, 2, { "e": null }] })));
        assert!(large(&"a".repeat(LARGE + 1), json!({})));
        assert!(large("a", json!({ "b": [{ "c": "d".repeat(LARGE) }] })));
        assert!(large("a", json!({ "b": vec![0; LARGE / VALUE] })));
        assert!(large("a", json!({ "b".repeat(LARGE): 1 })));
    }

    #[test]
    fn a_place_that_was_kept_is_used_once() {
        let kept = Reserved::new(7_u8);
        assert_eq!(kept.take::<u16>(), None);
        assert_eq!((kept.clone().take::<u8>(), kept.take::<u8>()), (Some(7), None));
        assert_eq!(Reserved::default().take::<u8>(), None);
    }

    #[test]
    fn waiting_ends_when_cancelled() {
        let cancel = Cancel::default();
        assert!(!cancel.wait(Duration::from_millis(1)));
        let other = cancel.clone();
        let thread = std::thread::spawn(move || other.wait(Duration::from_secs(60)));
        cancel.cancel();
        assert!(thread.join().unwrap());
    }
}
