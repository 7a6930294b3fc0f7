//! A model that follows a script, for whichever API a client speaks. It keeps every request that it gets.

mod anthropic;
mod chat;
mod gemini;
mod responses;
mod seen;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use anyhow::Result;
use serde_json::{Value, json};

use super::listen::{Asked, Said, listen};
use super::plan::{self, Step};
pub(super) use seen::{Offered, Returned, Seen};

/// The name that clients are configured with.
pub(super) const NAME: &str = "fake-model";

/// What the model does next.
#[derive(Debug, PartialEq)]
pub(super) enum Turn {
    Say(String),
    Call { tool: Offered, arguments: Value, id: String },
}

/// How clients talk to models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    Anthropic,
    Chat,
    Responses,
    Gemini,
}

impl Api {
    fn of(path: &str) -> Option<Api> {
        match path {
            _ if path.ends_with("/messages") => Some(Api::Anthropic),
            _ if path.ends_with("/chat/completions") => Some(Api::Chat),
            _ if path.ends_with("/responses") => Some(Api::Responses),
            _ if path.ends_with("enerateContent") => Some(Api::Gemini),
            _ => None,
        }
    }

    /// What a request shows the model.
    pub(super) fn read(self, body: &Value) -> Seen {
        match self {
            Api::Anthropic => anthropic::read(body),
            Api::Chat => chat::read(body),
            Api::Responses => responses::read(body),
            Api::Gemini => gemini::read(body),
        }
    }

    /// The answer, streamed where it was asked for so.
    fn say(self, turn: Turn, asked: &Asked, serial: usize) -> Said {
        let streams = asked.body["stream"] == true;
        match self {
            Api::Anthropic => anthropic::say(turn, streams, serial),
            Api::Chat => chat::say(turn, streams, serial),
            Api::Responses => responses::say(turn, streams, serial),
            Api::Gemini => gemini::say(turn, asked.path.contains("stream")),
        }
    }
}

/// A model that is running.
#[derive(Debug, Clone)]
pub(super) struct Model {
    port: u16,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    steps: &'static [Step],
    /// Where requests are kept, for who wants to see them.
    folder: PathBuf,
    heard: Mutex<Vec<(Api, Value)>>,
    is_over: AtomicBool,
    serial: AtomicUsize,
}

impl Model {
    pub(super) fn start(steps: &'static [Step], folder: &Path) -> Result<Model> {
        std::fs::create_dir_all(folder)?;
        let state = Arc::new(State {
            steps,
            folder: folder.to_owned(),
            heard: Mutex::default(),
            is_over: AtomicBool::new(false),
            serial: AtomicUsize::new(0),
        });
        let own = Arc::clone(&state);
        let port = listen(move |asked| own.answer(asked))?;
        Ok(Model { port, state })
    }

    /// Its address, without a path.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Whether it has said its last word.
    pub(super) fn is_over(&self) -> bool {
        self.state.is_over.load(Ordering::Relaxed)
    }

    /// Every request for an answer so far.
    pub(super) fn heard(&self) -> Vec<(Api, Value)> {
        self.state.heard().clone()
    }
}

impl State {
    fn heard(&self) -> MutexGuard<'_, Vec<(Api, Value)>> {
        self.heard.lock().expect("nobody panics while holding the requests")
    }

    fn answer(&self, asked: &Asked) -> Said {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed) + 1;
        self.keep(serial, asked);
        match Api::of(&asked.path) {
            Some(api) if asked.method == "POST" => {
                self.heard().push((api, asked.body.clone()));
                let (turn, is_over) = plan::next(self.steps, &api.read(&asked.body), serial);
                self.is_over.fetch_or(is_over, Ordering::Relaxed);
                api.say(turn, asked, serial)
            }
            _ if asked.path.to_lowercase().contains("count") => {
                Said::Json(json!({ "input_tokens": 1000, "totalTokens": 1000 }))
            }
            _ if asked.path.ends_with("/models") => {
                let one = about();
                Said::Json(json!({ "object": "list", "data": [one], "models": [one] }))
            }
            _ if asked.path.contains("/models/") => Said::Json(about()),
            _ if asked.method == "POST" => Said::Json(json!({})),
            _ => Said::NotFound,
        }
    }

    /// A file that cannot be written is missed by nobody but who looks for a mistake here.
    fn keep(&self, serial: usize, asked: &Asked) {
        let text = serde_json::to_string_pretty(&json!({
            "method": asked.method, "path": asked.path, "body": asked.body,
        }));
        let file = self.folder.join(format!("{serial:03}.json"));
        let _ = std::fs::write(file, text.unwrap_or_default());
    }
}

/// What lists of models say of it.
fn about() -> Value {
    json!({
        "id": NAME, "name": format!("models/{NAME}"), "display_name": NAME, "object": "model", "type": "model",
        "created": 1, "owned_by": "nobody", "context_length": 200_000, "max_input_tokens": 200_000,
        "capabilities": { "supports": { "tool_calls": true }, "limits": {} },
    })
}

/// Events of a stream, under their names or without.
fn events(events: &[Value], are_named: bool) -> String {
    let lines = events.iter().map(|event| match event["type"].as_str() {
        Some(name) if are_named => format!("event: {name}\ndata: {event}\n\n"),
        _ => format!("data: {event}\n\n"),
    });
    lines.collect()
}
