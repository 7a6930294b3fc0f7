//! EditorMCP, spec 000: `tools/call` with `params.tool`, `tools/list`, `tools/describe`,
//! `server/info`, and the later `tools/batchCall`.

use std::sync::Arc;

use scenewright_contract::echo::brief;
use scenewright_contract::{Call, Dialect, ErrorKind, JsonMap, Origin, Outcome, Output, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::envelope::{self, Envelope, Id, Members, Twice};
use crate::host::Host;
use crate::reply::{self, ReplyId};

/// The most calls in one `tools/batchCall`.
const MAX_BATCH: usize = 10;

/// Answer one message; silence only for `notifications/…`.
pub(crate) async fn answer(
    host: &Arc<dyn Host>,
    origin: &Origin,
    message: Envelope<'_>,
) -> Option<String> {
    if message.id == Id::Absent && message.method.starts_with("notifications/") {
        return None;
    }
    let id = message.id.token().map_or(ReplyId::Null, ReplyId::Token);
    Some(match run(host, origin, message).await {
        Ok(result) => reply::result(id, result),
        Err(error) => reply::failure(id, Dialect::Editor, &error),
    })
}

async fn run(
    host: &Arc<dyn Host>,
    origin: &Origin,
    message: Envelope<'_>,
) -> Result<Said, ToolError> {
    check(&message)?;
    let made = |tool: &str, arguments| {
        let mut call = Call::new(tool, arguments).from(origin);
        call.dialect = Dialect::Editor;
        call
    };
    let call = |tool: &str, arguments| host.call(made(tool, arguments));
    match &*message.method {
        "tools/call" => {
            let (tool, arguments) = CallParams::read(&message)?.into_parts(&message)?;
            Ok(Said::Called(call(&tool, arguments).await?.into()))
        }
        "tools/list" => {
            let outcome = call("mcp.tools.list", filter(&message)?).await.map_err(as_envelope)?;
            Ok(Said::Output(outcome.output))
        }
        "tools/describe" => {
            let (tool, _) = CallParams::read(&message)?.into_parts(&message)?;
            let arguments = JsonMap::from_iter([("toolId".to_owned(), json!(tool))]);
            let described = call("mcp.tool.describe", arguments).await;
            let outcome = described
                .map_err(|error| ToolError { tool: Some(brief(&tool).into_owned()), ..error })?;
            Ok(Said::Described { tool: outcome.output })
        }
        "server/info" => {
            tracing::debug!(
                "server/info is deprecated; tools/call with mcp.server.info replaces it"
            );
            filter(&message)?;
            let output = call("mcp.server.info", JsonMap::new()).await?.output;
            Ok(Said::Value(pick(
                &output,
                ["serverVersion", "unityVersion", "platform", "enabledToolCategories", "tier"],
            )))
        }
        "tools/batchCall" => batch_call(&message, call).await.map(Said::Batch),
        // Of the page alone; no specification has it.
        "scenewright/preview" => {
            let (tool, arguments) = CallParams::read(&message)?.into_parts(&message)?;
            let told = host.preview(made(&tool, arguments)).await?;
            Ok(Said::Value(json!({ "question": told.question, "changes": told.changes })))
        }
        method => {
            let message = format!("Method not found: {}", brief(method));
            Err(ToolError::new(ErrorKind::MethodNotFound, message)
                .hint("tools/call, tools/list, tools/describe and server/info are the methods"))
        }
    }
}

/// What must hold of any request of this dialect.
fn check(message: &Envelope<'_>) -> Result<(), ToolError> {
    message.versioned.clone()?;
    let problem = match message.id {
        Id::Token(_) => return Ok(()),
        Id::Absent => "Invalid request: notifications are not supported; every request needs an id",
        Id::Null | Id::Invalid => "Invalid request: id must be a string or a number",
    };
    Err(ToolError::new(ErrorKind::InvalidRequest, problem))
}

/// A result. Outputs go into it as their tools wrote them.
#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    Called(Called),
    Described { tool: Output },
    Output(Output),
    Batch(Batch),
    Value(Value),
}

#[derive(Serialize)]
struct Called {
    tool: &'static str,
    output: Output,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<String>,
}

impl From<Outcome> for Called {
    fn from(Outcome { tool, output, diagnostics, .. }: Outcome) -> Self {
        Self { tool, output, diagnostics }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Batch {
    total_calls: usize,
    successful_calls: usize,
    failed_calls: usize,
    results: Vec<Called>,
    errors: Vec<Value>,
}

/// The parameters of `tools/list` are the method's own, so what is wrong with them is -32602.
fn as_envelope(error: ToolError) -> ToolError {
    match error.kind {
        ErrorKind::BadArguments => ToolError {
            kind: ErrorKind::BadEnvelope,
            message: error.message.replace("Invalid tool arguments", "Invalid params"),
            tool: None,
            ..error
        },
        _ => error,
    }
}

fn pick<const N: usize>(from: &Value, keys: [&str; N]) -> Value {
    keys.into_iter().map(|key| (key.to_owned(), from[key].clone())).collect::<JsonMap>().into()
}

/// The parameters that name a tool. EditorMCP says `tool`; its own describe tool says `toolId`,
/// and standard MCP says `name`.
struct CallParams<'a> {
    tool: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    arguments: Option<&'a RawValue>,
}

impl<'a> CallParams<'a> {
    fn read(message: &Envelope<'a>) -> Result<Self, ToolError> {
        if message.params.is_none() {
            return Err(bad_params(format!("Params is required for {}", message.method)));
        }
        let read = |members: &Members<'a>| {
            Ok::<_, Twice>(Self {
                tool: members.one(&["tool", "toolId"])?,
                name: members.one(&["name"])?,
                arguments: members.one(&["arguments"])?,
            })
        };
        let read = message.members.as_ref().and_then(|members| read(members).ok());
        read.ok_or_else(|| bad_params(format!("Params must be an object for {}", message.method)))
    }

    fn into_parts(self, message: &Envelope<'_>) -> Result<(String, JsonMap), ToolError> {
        let tool = self
            .tool
            .or(self.name)
            .and_then(envelope::text)
            .filter(|name| !name.is_empty())
            .ok_or_else(|| {
                bad_params(format!("Params.tool (string) is required for {}", message.method))
            })?;
        let arguments = match self.arguments {
            None => JsonMap::new(),
            Some(raw) => serde_json::from_str(raw.get()).map_err(|_| {
                bad_params(format!("Params.arguments must be an object for {}", message.method))
            })?,
        };
        Ok((tool.into_owned(), arguments))
    }
}

fn filter(message: &Envelope<'_>) -> Result<JsonMap, ToolError> {
    if message.params.is_none() {
        return Ok(JsonMap::new());
    }
    message
        .object()
        .map_err(|_| bad_params(format!("Params must be an object for {}", message.method)))
}

fn bad_params(message: String) -> ToolError {
    ToolError::new(ErrorKind::BadEnvelope, message)
}

/// Up to ten calls, one after the other; one that fails does not stop the rest.
async fn batch_call(
    message: &Envelope<'_>,
    call: impl Fn(&str, JsonMap) -> crate::host::Answer<Outcome>,
) -> Result<Batch, ToolError> {
    #[derive(Deserialize)]
    struct Params {
        calls: Vec<One>,
    }
    #[derive(Deserialize)]
    struct One {
        tool: String,
        #[serde(default)]
        arguments: JsonMap,
    }
    let Params { calls } = message.object().map_err(|problem| {
        bad_params(format!("Params.calls must list {{tool, arguments}}: {}", brief(&problem)))
    })?;
    if calls.is_empty() || calls.len() > MAX_BATCH {
        let count = calls.len();
        return Err(bad_params(format!(
            "Params.calls must have 1 to {MAX_BATCH} entries, not {count}"
        )));
    }
    let total = calls.len();
    let (mut results, mut errors) = (Vec::new(), Vec::new());
    for (index, One { tool, arguments }) in calls.into_iter().enumerate() {
        match call(&tool, arguments).await {
            Ok(outcome) => results.push(outcome.into()),
            Err(error) => errors.push(json!({
                "index": index,
                "tool": brief(&tool),
                "code": crate::errors::of(error.kind).editor.0,
                "message": crate::errors::editor_message(&error),
                "data": crate::errors::editor_data(&error),
            })),
        }
    }
    Ok(Batch {
        total_calls: total,
        successful_calls: results.len(),
        failed_calls: errors.len(),
        results,
        errors,
    })
}
