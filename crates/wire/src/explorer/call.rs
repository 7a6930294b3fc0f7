//! `call_tool`: a tool that only reads fails as a request, one that writes answers `ok: false`.

use scenewright_contract::echo::brief;
use scenewright_contract::{Call, Dialect, ErrorKind, JsonMap, Origin, Output, Safety, ToolError};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::envelope::Envelope;
use crate::errors::{self, ExplorerError};
use crate::explorer::{audit, bad_params, params, required, world};
use crate::host::Explorer;
use crate::server::Server;

/// How a call ended, for everyone who is told of it.
pub(super) struct Called {
    /// The tool; none when no tool was named, and then nobody else is told.
    name: Option<String>,
    /// What the caller gets.
    output: Result<Output, ToolError>,
    /// Why nothing was done, when the tool ran into it or says so itself.
    refusal: Option<Value>,
    /// The line for the log, when the tool may change something.
    pub(super) audit: Option<String>,
}

/// The answer to the caller. The output goes into it as the tool wrote it.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    content: [Content<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Content<'a> {
    r#type: &'static str,
    text: String,
    mime_type: &'static str,
    json: &'a Output,
}

/// The payload of `tool_result`.
#[derive(Serialize)]
pub(super) struct Told<'a> {
    name: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a Output>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Value>,
}

impl Called {
    fn failed(name: Option<String>, error: ToolError) -> Self {
        let refusal = Some(errors::explorer(&error).to_json());
        // Everyone who listens is told the name.
        let name = name.map(|name| brief(&name).into_owned());
        Self { name, output: Err(error), refusal, audit: None }
    }

    /// The answer to the caller.
    pub(super) fn answer(&self) -> Result<Answer<'_>, &ToolError> {
        let json = self.output.as_ref()?;
        let content =
            Content { r#type: "text", text: json.to_string(), mime_type: "application/json", json };
        Ok(Answer { content: [content] })
    }

    /// What everyone else is told.
    pub(super) fn told(&self) -> Option<Told<'_>> {
        let (name, error) = (self.name.as_deref()?, self.refusal.as_ref());
        let result = self.output.as_ref().ok().filter(|_| error.is_none());
        Some(Told { name, ok: error.is_none(), result, error })
    }
}

/// Run the tool that `message` names.
pub(super) async fn run(server: &Server, origin: &Origin, message: &Envelope<'_>) -> Called {
    let read = world(server, &message.method).and_then(|world| {
        let (name, arguments) = read(message)?;
        Ok((writes(world, &name), name, arguments))
    });
    let (writes, name, arguments) = match read {
        Ok(read) => read,
        Err(error) => return Called::failed(None, error),
    };
    let summary = writes.then(|| audit::summary(&arguments));
    let mut call = Call::new(name.clone(), arguments).from(origin);
    call.dialect = Dialect::Explorer;
    let (output, refusal) = match server.host.call(call).await {
        Ok(outcome) => {
            let refusal = refusal_in(&outcome.output);
            (outcome.output, refusal)
        }
        Err(error) if writes && !is_of_the_request(error.kind) => {
            let said = errors::explorer(&error);
            (refused(&error, &said).into(), Some(said.to_json()))
        }
        Err(error) => return Called::failed(Some(name), error),
    };
    let audit = summary.map(|summary| audit::line(&name, &summary, refusal.as_ref()));
    Called { name: Some(name), output: Ok(output), refusal, audit }
}

fn read(message: &Envelope<'_>) -> Result<(String, JsonMap), ToolError> {
    let params = params(message)?;
    // One of the original hosts takes `tool` as well.
    let name = required(message, "name").or_else(|error| match params.last("tool").is_some() {
        true => required(message, "tool"),
        false => Err(error),
    })?;
    let arguments = match params.last("arguments").map(RawValue::get) {
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

/// A tool may also say itself that it did nothing. Those answers are short; an output that was
/// written because it is long is not one of them.
fn refusal_in(output: &Output) -> Option<Value> {
    if output.is_text() || output.get("ok") != Some(&Value::Bool(false)) {
        return None;
    }
    let error = &output["error"];
    let kind = error["kind"].as_str().unwrap_or("Internal");
    let row = errors::TABLE.iter().find(|row| row.explorer.1 == kind);
    let code = row.map_or(-32603, |row| row.explorer.0);
    let data = json!({ "kind": kind, "hint": error["hint"] });
    Some(json!({ "code": code, "message": error["message"], "data": data }))
}
