//! What the tools share: whom they ask, and how.

use std::sync::Arc;
use std::time::Duration;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::{Peer, Side};
use scenewright_toolkit::Cx;
use scenewright_tools_godot::base::InGodot;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An editor or a game answers within this time, or it is busy.
pub(crate) const USUAL: Duration = Duration::from_secs(10);
/// Opening, saving and drawing take longer.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// Which running program. Flatten it into the input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InLive {
    /// Folder or id of the project; the only open Godot project by default.
    pub(crate) project_path: Option<String>,
    /// The process, where several run; live_status lists them.
    pub(crate) process: Option<u32>,
}

/// A program that is asked for one call.
pub(crate) struct Asked<'a> {
    cx: &'a Cx,
    peer: Arc<Peer>,
}

/// The one that is meant.
pub(crate) fn find<'a>(cx: &'a Cx, input: &InLive, side: Side) -> Result<Asked<'a>, ToolError> {
    let godot = cx.godot(input.project_path.as_deref())?;
    let peer = godot.godot.links.peer(side, input.process)?;
    if let Some(other) = peer.other_version() {
        cx.diagnose(other);
    }
    Ok(Asked { cx, peer })
}

impl Asked<'_> {
    /// Ask, and read the answer as what it must be.
    pub(crate) fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
        timeout: Duration,
    ) -> Result<T, ToolError> {
        let params = match serde_json::to_value(params) {
            Ok(Value::Object(params)) => params,
            _ => Map::new(),
        };
        let said = self.peer.call(method, params, timeout, self.cx.cancel())?;
        serde_json::from_value(said).map_err(|error| {
            ToolError::new(
                ErrorKind::EngineError,
                format!("the {} answered {method} otherwise than expected: {error}", self.side()),
            )
        })
    }

    fn side(&self) -> Side {
        self.peer.side()
    }
}

/// The scene of a call as the engine names it.
pub(crate) fn scene_name(path: &str) -> String {
    match path.contains("://") {
        true => path.to_owned(),
        false => format!("res://{path}"),
    }
}

/// How bad a line of the log is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// What is printed.
    #[default]
    Info,
    /// Warnings.
    Warning,
    /// Errors.
    Error,
}

/// A line of the log.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Line {
    /// Its number.
    number: u64,
    /// How bad it is.
    severity: Severity,
    /// What was said.
    text: String,
    /// The script, or the engine's own source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<i64>,
}
