//! `call_tool`: a tool that only reads fails as a request, one that writes answers `ok: false`.

use scenewright_contract::{Call, Dialect, ErrorKind, JsonMap, Listener, Safety, ToolError};
use serde_json::{Value, json};

use crate::envelope::Envelope;
use crate::errors::{self, ExplorerError};
use crate::explorer::{audit, bad_params, params, required, world};
use crate::host::Explorer;
use crate::server::Server;

/// How a call ended, for everyone who is told of it.
pub(super) struct Called {
    /// The answer to the caller.
    pub(super) answer: Result<Value, ToolError>,
    /// The payload of `tool_result`; none when no tool was named.
    pub(super) event: Option<Value>,
    /// The line for the log, when the tool may change something.
    pub(super) audit: Option<String>,
}

/// Run the tool that `message` names.
pub(super) async fn run(server: &Server, listener: Listener, message: &Envelope<'_>) -> Called {
    let read = world(server, &message.method).and_then(|world| {
        let (name, arguments) = read(message)?;
        Ok((writes(world, &name), name, arguments))
    });
    let (writes, name, arguments) = match read {
        Ok(read) => read,
        Err(error) => return Called { answer: Err(error), event: None, audit: None },
    };
    let summary = writes.then(|| audit::summary(&arguments));
    let mut call = Call::new(name.clone(), arguments);
    call.dialect = Dialect::Explorer;
    call.listener = listener;
    let (payload, failed) = match server.host.call(call).await {
        Ok(outcome) => {
            let payload = outcome.output.into_value();
            let refusal = refusal_in(&payload);
            (payload, refusal)
        }
        Err(error) if writes && !is_of_the_request(error.kind) => {
            let said = errors::explorer(&error);
            (refused(&error, &said), Some(said.to_json()))
        }
        Err(error) => {
            let error_json = errors::explorer(&error).to_json();
            let event = json!({ "name": name, "ok": false, "error": error_json });
            return Called { answer: Err(error), event: Some(event), audit: None };
        }
    };
    let audit = summary.map(|summary| audit::line(&name, &summary, failed.as_ref()));
    let event = match failed {
        None => json!({ "name": name, "ok": true, "result": payload }),
        Some(error) => json!({ "name": name, "ok": false, "error": error }),
    };
    Called { answer: Ok(wrap(payload)), event: Some(event), audit }
}

fn read(message: &Envelope<'_>) -> Result<(String, JsonMap), ToolError> {
    let params = params(message)?;
    // One of the original hosts takes `tool` as well.
    let name = required(message, "name").or_else(|error| match params.contains_key("tool") {
        true => required(message, "tool"),
        false => Err(error),
    })?;
    let arguments = match params.get("arguments").map(|raw| raw.get()) {
        None | Some("null") => JsonMap::new(),
        Some(text) => {
            serde_json::from_str(text).map_err(|error| match error.is_data() {
                true => bad_params("'arguments' must be an object."),
                // A number that no float holds is no JSON for us, though it was for the envelope.
                false => bad_params(&format!("'arguments' cannot be read: {error}")),
            })?
        }
    };
    Ok((name, arguments))
}

/// Whether this is a tool of the interface that may change something.
fn writes(world: &dyn Explorer, name: &str) -> bool {
    let is = |other: &str| other.eq_ignore_ascii_case(name);
    let tools = world.tools();
    let found = tools.iter().find(|tool| {
        is(tool.id)
            || is(&tool.mcp_name)
            || tool.explorer.is_some_and(is)
            || tool.aliases.iter().copied().any(is)
    });
    found.is_some_and(|tool| tool.safety != Safety::ReadOnly)
}

/// Errors that say nothing about the tool.
fn is_of_the_request(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::UnknownTool | ErrorKind::RateLimited | ErrorKind::BadEnvelope)
}

/// A write that failed, as a tool says it: with the cause itself as its message.
fn refused(error: &ToolError, said: &ExplorerError) -> Value {
    let message = if said.detail.is_some() { &error.message } else { &said.message };
    let error = json!({ "kind": said.kind, "message": message, "hint": said.hint });
    json!({ "ok": false, "error": error })
}

/// A tool may also say itself that it did nothing.
fn refusal_in(output: &Value) -> Option<Value> {
    if output.get("ok") != Some(&Value::Bool(false)) {
        return None;
    }
    let error = &output["error"];
    let kind = error["kind"].as_str().unwrap_or("Internal");
    let row = errors::TABLE.iter().find(|row| row.explorer.1 == kind);
    let code = row.map_or(-32603, |row| row.explorer.0);
    let data = json!({ "kind": kind, "hint": error["hint"] });
    Some(json!({ "code": code, "message": error["message"], "data": data }))
}

fn wrap(payload: Value) -> Value {
    let text = payload.to_string();
    json!({ "content": [
        { "type": "text", "text": text, "mimeType": "application/json", "json": payload }
    ] })
}
