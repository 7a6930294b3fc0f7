//! A line for every write and every refusal: who asked for what, and what came of it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use scenewright_contract::{Call, Outcome, ToolError};
use serde_json::{Value, json};

use crate::Tool;

/// Arguments longer than this are cut in the audit file, and the cut is said.
const MAX_ARGUMENT_BYTES: usize = 4096;
/// More changed files are counted, not named.
const MAX_FILES: usize = 100;

/// An append-only file of JSON lines.
pub struct Audit {
    file: Mutex<File>,
}

impl Audit {
    /// Append to `path`, creating it when missing.
    #[expect(clippy::disallowed_methods, reason = "the audit is where the operator says")]
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: Mutex::new(file) })
    }

    /// A call that the policy or the schema turned down.
    pub(crate) fn refused(&self, call: &Call, error: &ToolError) {
        self.write(
            call,
            &call.tool,
            json!({ "event": "refused", "kind": error.kind.as_str(), "message": error.message }),
        );
    }

    /// A call that may have changed something.
    pub(crate) fn wrote(
        &self,
        call: &Call,
        tool: &Tool,
        result: &Result<Outcome, ToolError>,
        files: &[String],
        took: Duration,
    ) {
        let mut line = json!({
            "event": "write",
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
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        line["unixMs"] = json!(u64::try_from(now.as_millis()).unwrap_or(u64::MAX));
        line["tool"] = json!(tool);
        line["dialect"] = json!(call.dialect.as_str());
        line["listener"] = json!(call.listener.as_str());
        line["arguments"] = cut(Value::Object(call.arguments.clone()));
        let text = format!("{line}\n");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // The call must not fail because the audit cannot be written, but it must not be silent.
        if let Err(error) = file.write_all(text.as_bytes()) {
            tracing::error!(%error, "the audit line could not be written: {text}");
        }
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
