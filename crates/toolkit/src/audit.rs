//! A line before and after every write, and for every refusal: who asked for what, and what came of
//! it. The first is there when the process is killed in between.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use scenewright_contract::echo::brief;
use scenewright_contract::{By, Call, Origin, Outcome, ToolError, Who};
use serde_json::{Value, json};

use crate::{ProjectId, Tool};

/// Arguments longer than this are cut in the audit file, and the cut is said.
const MAX_ARGUMENT_BYTES: usize = 4096;
/// More changed files are counted, not named.
const MAX_FILES: usize = 100;

/// An append-only file of JSON lines.
pub struct Audit {
    file: Mutex<File>,
    begun: AtomicU64,
}

/// What the door found on its way to a project.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found {
    /// A change of ours that was interrupted, and is in order again.
    Settled,
    /// Records that are not proven to be ours.
    SetAside,
}

/// A write that was begun, by its number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Begun(u64);

impl Audit {
    /// Append to `path`, creating it when missing. Only its owner may read it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = scenewright_text::private::append(path)?;
        Ok(Self { file: Mutex::new(file), begun: AtomicU64::new(1) })
    }

    /// Somebody who was turned away before anything was read.
    pub(crate) fn turned_away(&self, origin: &Origin, reason: &str) {
        let mut line = json!({ "event": "turnedAway", "reason": reason });
        line["dialect"] = json!(origin.dialect.as_str());
        line["listener"] = json!(origin.listener.as_str());
        add_who(&mut line, &origin.who);
        self.append(line);
    }

    /// What was found in a project, and done about it without being asked.
    pub(crate) fn found(&self, found: Found, project: &ProjectId, message: &str) {
        let event = match found {
            Found::Settled => "settled",
            Found::SetAside => "setAside",
        };
        self.append(json!({ "event": event, "project": project, "message": message }));
    }

    /// A call that the policy or the schema turned down.
    pub(crate) fn refused(&self, call: &Call, error: &ToolError) {
        self.write(
            call,
            &call.tool,
            json!({ "event": "refused", "kind": error.kind.as_str(), "message": error.message }),
        );
    }

    /// A call that a person was asked about, who said no.
    pub(crate) fn declined(&self, call: &Call, by: &By) {
        let mut line = json!({ "event": "declined" });
        add_by(&mut line, "declined", by);
        self.write(call, &call.tool, line);
    }

    /// A call that is about to change something.
    pub(crate) fn begin(&self, call: &Call, tool: &Tool) -> Begun {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let line = json!({ "event": "begin", "call": number, "safety": tool.safety.as_str() });
        self.write(call, tool.id, line);
        Begun(number)
    }

    /// The same call afterwards.
    pub(crate) fn wrote(
        &self,
        Begun(number): Begun,
        call: &Call,
        tool: &Tool,
        result: &Result<Outcome, ToolError>,
        files: &[String],
        took: Duration,
    ) {
        let mut line = json!({
            "event": "write",
            "call": number,
            "safety": tool.safety.as_str(),
            "ok": result.is_ok(),
            "durationMs": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        });
        if !files.is_empty() {
            line["filesChanged"] = json!(files.len());
            line["files"] = json!(&files[..files.len().min(MAX_FILES)]);
        }
        if let Err(error) = result {
            line["kind"] = json!(error.kind.as_str());
            line["message"] = json!(error.message);
        }
        self.write(call, tool.id, line);
    }

    fn write(&self, call: &Call, tool: &str, mut line: Value) {
        line["tool"] = json!(brief(tool));
        line["dialect"] = json!(call.dialect.as_str());
        line["listener"] = json!(call.listener.as_str());
        add_who(&mut line, &call.who);
        if let Some(consent) = &call.consent {
            add_by(&mut line, "agreed", &consent.by);
        }
        line["arguments"] = cut(Value::Object(call.arguments.clone()));
        self.append(line);
    }

    fn append(&self, mut line: Value) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        line["unixMs"] = json!(u64::try_from(now.as_millis()).unwrap_or(u64::MAX));
        let text = format!("{line}\n");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // The call must not fail because the audit cannot be written, but it must not be silent.
        if let Err(error) = file.write_all(text.as_bytes()) {
            tracing::error!(%error, "the audit line could not be written: {text}");
        }
    }
}

/// Who it was, as far as that is known.
fn add_who(line: &mut Value, who: &Who) {
    let Who { peer, connection, session, client } = who;
    let known = [
        ("peer", peer.map(|peer| json!(peer.to_string()))),
        ("connection", connection.map(|id| json!(id))),
        ("session", session.as_ref().map(|id| json!(brief(id)))),
        ("client", client.as_ref().map(|name| json!(brief(name)))),
    ];
    for (name, value) in known {
        if let Some(value) = value {
            line[name] = value;
        }
    }
}

/// Where a person was asked, and about which call that waited.
fn add_by(line: &mut Value, word: &str, by: &By) {
    line[word] = json!({ "by": by.as_str() });
    if let By::Terminal(id) = by {
        line[word]["id"] = json!(id);
    }
}

fn cut(arguments: Value) -> Value {
    let text = arguments.to_string();
    if text.len() <= MAX_ARGUMENT_BYTES {
        return arguments;
    }
    let end = text.floor_char_boundary(MAX_ARGUMENT_BYTES);
    json!({ "cut": &text[..end], "bytes": text.len() })
}
