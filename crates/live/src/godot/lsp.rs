//! Godot's language server: what it says of scripts, and what it knows of their symbols.
//!
//! Its columns count characters, whatever the protocol says, and every message it is given has to be
//! below four megabytes.

mod uris;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::frames::Frames;

/// The port that editors listen on unless they are told otherwise.
pub const DEFAULT_PORT: u16 = 6005;

/// A longer script is not given to the server.
pub const MAX_SCRIPT: usize = 1 << 20;
/// A server on this machine takes a connection at once.
const CONNECT_TIME: Duration = Duration::from_secs(1);
/// Questions about one place are answered in milliseconds.
const ANSWER_TIME: Duration = Duration::from_secs(20);
/// So many scripts are on their way at once.
const AT_ONCE: usize = 16;

/// A connection to the language server of an editor.
#[derive(Debug)]
pub struct Lsp {
    frames: Frames,
    next_id: u64,
    /// The project that the editor has open.
    root: PathBuf,
    said: BTreeMap<PathBuf, Vec<Diagnostic>>,
}

/// A place in a script; lines and columns count from 0, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub character: usize,
}

/// A part of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Range {
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
}

/// What the server says of a part of a script.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Diagnostic {
    /// The part: for most errors the whole line without its indentation.
    pub range: Range,
    /// 1 is an error, 2 a warning.
    #[serde(default = "error")]
    pub severity: u32,
    /// What it says.
    pub message: String,
}

fn error() -> u32 {
    1
}

/// A part of some file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub path: PathBuf,
    /// The part of it.
    pub range: Range,
}

/// A word that fits a place.
#[derive(Debug, Clone, Deserialize)]
pub struct Completion {
    /// What is shown.
    pub label: String,
    /// The kind, by the protocol's numbers.
    #[serde(default)]
    pub kind: u32,
    /// What is put in.
    #[serde(default, rename = "insertText")]
    pub insert: String,
    /// More about it.
    #[serde(default)]
    pub detail: String,
}

impl Lsp {
    /// Connect and ask which project the editor has open. It tells only those who name another one,
    /// so none is named.
    pub fn connect(port: u16, time: Duration, cancel: &Cancel) -> Result<Self, ToolError> {
        let until = Instant::now() + time;
        let connected =
            Frames::connect("language server", port, CONNECT_TIME.min(time), |message| {
                message["method"] != "gdscript/capabilities"
            });
        let mut frames = connected.map_err(|error| {
            ToolError::new(
                ErrorKind::NotReady,
                format!("nothing answers on port {port} of this machine: {error}"),
            )
        })?;
        let params =
            json!({ "processId": null, "rootUri": "", "rootPath": "", "capabilities": {} });
        frames.send(
            &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
        )?;
        let mut root = None;
        loop {
            let message = frames.next(until, cancel)?;
            if message["method"] == "gdscript_client/changeWorkspace" {
                root = message["params"]["path"].as_str().map(PathBuf::from);
            } else if message["id"] == 0 && message.get("method").is_none() {
                break;
            }
        }
        frames.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }))?;
        let Some(root) = root else {
            return Err(ToolError::new(
                ErrorKind::NotReady,
                format!("the server on port {port} does not say which project it has open"),
            ));
        };
        Ok(Self { frames, next_id: 1, root, said: BTreeMap::new() })
    }

    /// The folder of the project that the editor has open.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the server says of each of these scripts, in their order; none where it says nothing in
    /// time. `told` is called after each.
    pub fn diagnose(
        &mut self,
        scripts: &[(PathBuf, String)],
        until: Instant,
        cancel: &Cancel,
        told: &mut dyn FnMut(usize),
    ) -> Result<Vec<Option<Vec<Diagnostic>>>, ToolError> {
        self.said.clear();
        let mut done = 0;
        for group in scripts.chunks(AT_ONCE) {
            for (path, text) in group {
                self.open(path, text)?;
            }
            while group.iter().any(|(path, _)| !self.said.contains_key(path)) {
                let Some(message) = self.frames.next_within(until, cancel)? else { break };
                self.note(&message);
            }
            for (path, _) in group {
                self.close(path)?;
            }
            done += group.len();
            told(done);
            if Instant::now() >= until {
                break;
            }
        }
        Ok(scripts.iter().map(|(path, _)| self.said.remove(path)).collect())
    }

    /// Where the symbol at a place is declared.
    pub fn definition(
        &mut self,
        path: &Path,
        at: Position,
        cancel: &Cancel,
    ) -> Result<Vec<Location>, ToolError> {
        let found = self.ask("textDocument/definition", place(path, at), cancel)?;
        Ok(locations(&found))
    }

    /// Where the symbol at a place is used, its declaration included.
    pub fn references(
        &mut self,
        path: &Path,
        at: Position,
        cancel: &Cancel,
    ) -> Result<Vec<Location>, ToolError> {
        let mut params = place(path, at);
        params["context"] = json!({ "includeDeclaration": true });
        let mut found = locations(&self.ask("textDocument/references", params, cancel)?);
        found.sort_by(|a, b| (&a.path, a.range).cmp(&(&b.path, b.range)));
        found.dedup();
        Ok(found)
    }

    /// The signature and the documentation of the symbol at a place.
    pub fn hover(
        &mut self,
        path: &Path,
        at: Position,
        cancel: &Cancel,
    ) -> Result<Option<String>, ToolError> {
        let found = self.ask("textDocument/hover", place(path, at), cancel)?;
        Ok(found["contents"]["value"].as_str().map(|text| text.trim().to_owned()))
    }

    /// The words that fit a place.
    pub fn completion(
        &mut self,
        path: &Path,
        at: Position,
        cancel: &Cancel,
    ) -> Result<Vec<Completion>, ToolError> {
        let mut found = self.ask("textDocument/completion", place(path, at), cancel)?;
        let items = match found.get_mut("items") {
            Some(items) => items.take(),
            None => found,
        };
        Ok(serde_json::from_value(items).unwrap_or_default())
    }

    /// The parts of each file that a new name of the symbol at a place would replace.
    pub fn rename(
        &mut self,
        path: &Path,
        at: Position,
        name: &str,
        cancel: &Cancel,
    ) -> Result<BTreeMap<PathBuf, Vec<Range>>, ToolError> {
        let mut params = place(path, at);
        params["newName"] = json!(name);
        let found = self.ask("textDocument/rename", params, cancel)?;
        let mut changes = BTreeMap::new();
        for (uri, edits) in found["changes"].as_object().into_iter().flatten() {
            let ranges = edits.as_array().into_iter().flatten();
            let mut ranges: Vec<Range> = ranges
                .filter_map(|edit| serde_json::from_value(edit["range"].clone()).ok())
                .collect();
            ranges.sort();
            ranges.dedup();
            if let Some(path) = uris::path(uri) {
                changes.insert(path, ranges);
            }
        }
        Ok(changes)
    }

    /// Let the server know a script as it is now. It stays open until it is closed.
    pub fn open(&mut self, path: &Path, text: &str) -> Result<(), ToolError> {
        let document =
            json!({ "uri": uris::uri(path), "languageId": "gdscript", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }))
    }

    /// The server reads this script from its file again.
    pub fn close(&mut self, path: &Path) -> Result<(), ToolError> {
        let document = json!({ "uri": uris::uri(path) });
        self.tell("textDocument/didClose", json!({ "textDocument": document }))
    }

    fn tell(&mut self, method: &str, params: Value) -> Result<(), ToolError> {
        self.frames.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn ask(&mut self, method: &str, params: Value, cancel: &Cancel) -> Result<Value, ToolError> {
        let id = self.next_id;
        self.next_id += 1;
        self.frames
            .send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let until = Instant::now() + ANSWER_TIME;
        loop {
            let mut message = self.frames.next(until, cancel)?;
            if message["id"] != id || message.get("method").is_some() {
                self.note(&message);
                continue;
            }
            if let Some(text) = message["error"]["message"].as_str() {
                return Err(ToolError::failed(format!("the language server refuses: {text}")));
            }
            return Ok(message["result"].take());
        }
    }

    fn note(&mut self, message: &Value) {
        if message["method"] != "textDocument/publishDiagnostics" {
            return;
        }
        let params = &message["params"];
        if let Some(path) = params["uri"].as_str().and_then(uris::path) {
            let found = serde_json::from_value(params["diagnostics"].clone()).unwrap_or_default();
            self.said.insert(path, found);
        }
    }
}

fn place(path: &Path, at: Position) -> Value {
    json!({
        "textDocument": { "uri": uris::uri(path) },
        "position": { "line": at.line, "character": at.character },
    })
}

fn locations(found: &Value) -> Vec<Location> {
    let found = found.as_array().into_iter().flatten();
    let location = |value: &Value| {
        let path = uris::path(value["uri"].as_str()?)?;
        Some(Location { path, range: serde_json::from_value(value["range"].clone()).ok()? })
    };
    found.filter_map(location).collect()
}

#[cfg(test)]
mod tests;
