//! Files that could not be looked at. Who moves or deletes something rewrites or asks all that use
//! it, and of these nobody knows whether they do.

use std::collections::BTreeMap;

use scenewright_contract::{ErrorKind, ToolError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::base::Godot;

/// More are counted.
const MAX_LISTED: usize = 100;

/// A file or folder that could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unread {
    /// The file or folder.
    pub file: String,
    /// Why nobody knows what it uses.
    pub why: String,
}

/// All that could not be looked at, by path.
#[derive(Debug, Default)]
pub struct Unreads(BTreeMap<String, String>);

impl Unreads {
    /// What the index could not read of a project.
    pub fn of(godot: &Godot<'_>) -> Self {
        let unread = godot.index.unread();
        Self(unread.map(|(path, why)| (path.to_owned(), why.to_owned())).collect())
    }

    /// One more.
    pub fn add(&mut self, file: &str, why: &str) {
        self.0.entry(file.to_owned()).or_insert_with(|| why.to_owned());
    }

    /// Fail when there are any, unless the caller said to go on without them.
    pub fn check(&self, skip: bool) -> Result<(), ToolError> {
        if skip || self.0.is_empty() {
            return Ok(());
        }
        let (count, few) = (self.0.len(), self.few());
        let what = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        Err(ToolError::new(
            ErrorKind::EngineError,
            format!("{what} could not be looked at and may use it: {few}"),
        )
        .hint("nothing was changed; repair what is named, or go on with skipUnreadable: true")
        .detail("unread", json!(self.list())))
    }

    /// Name them in the answer of a tool that goes on without them.
    pub fn diagnose(&self, godot: &Godot<'_>) {
        if !self.0.is_empty() {
            let few = self.few();
            godot.cx.diagnose(format!("Not looked at, though it may use the scene: {few}."));
        }
    }

    /// The first of them, for an answer.
    pub fn list(&self) -> Vec<Unread> {
        let all = self.0.iter().take(MAX_LISTED);
        all.map(|(file, why)| Unread { file: file.clone(), why: why.clone() }).collect()
    }

    fn few(&self) -> String {
        let shown: Vec<String> =
            self.0.iter().take(5).map(|(file, why)| format!("{file} ({why})")).collect();
        let more = if self.0.len() > shown.len() { ", …" } else { "" };
        format!("{}{more}", shown.join(", "))
    }
}
