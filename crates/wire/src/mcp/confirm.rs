//! Asking a person before a call that changes or runs something, by elicitation where the client can
//! ask. Where it cannot, the host has the call wait for a person.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model as m;
use rmcp::service::{RequestContext, ServiceError};
use rmcp::{ErrorData, Peer, RoleServer};
use scenewright_contract::{JsonMap, Shown};
use serde_json::{Value, json};

use crate::mcp::Shared;

/// The name of the one question.
const QUESTION: &str = "confirm";
/// A sealed question is good for so long.
const VALID_FOR: Duration = Duration::from_secs(600);

/// What came of asking.
pub(crate) enum Asked {
    /// A person agreed.
    Agreed,
    /// A person said no.
    Declined,
    /// The client takes the question with it and comes back (2026-07-28).
    Later(m::InputRequiredResult),
    /// The client could not ask after all.
    Failed,
}

/// What a client brings that took the question with it.
pub(crate) enum Returned {
    /// A person agreed to what they were shown.
    Agreed(Shown),
    /// A person said no.
    Declined,
}

/// Ask the person behind the client.
pub(crate) async fn ask(
    shared: &Shared,
    question: &str,
    shown: &Shown,
    request: &m::CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    modern: bool,
) -> Result<Asked, ErrorData> {
    let elicitation = elicitation(question)?;
    if modern {
        let state = shared.seal.seal_with(
            json!(shown).to_string().as_bytes(),
            &m::SealOptions::new().associated_data(&binding(request)).ttl(VALID_FOR),
        );
        let asked = m::InputRequest::Elicitation(m::ElicitRequest::new(elicitation));
        let requests = m::InputRequests::from_iter([(QUESTION.to_owned(), asked)]);
        return Ok(Asked::Later(m::InputRequiredResult::new(Some(requests), Some(state))));
    }
    match elicit(&context.peer, elicitation).await {
        // Nobody said no: the client has no one to ask, or the question was put away.
        Ok(answer) if answer.action == m::ElicitationAction::Cancel => Ok(Asked::Failed),
        Ok(answer) => Ok(if agreed(&json!(answer)) { Asked::Agreed } else { Asked::Declined }),
        Err(error) => {
            tracing::warn!(%error, "the client could not be asked");
            Ok(Asked::Failed)
        }
    }
}

/// Send a question and wait for the answer. `rmcp` has this too, but with helpers for questions that
/// open a page, and these bring a library of addresses and the tables of Unicode.
pub(crate) async fn elicit(
    peer: &Peer<RoleServer>,
    question: m::ElicitRequestParams,
) -> Result<m::ElicitResult, ServiceError> {
    let request = m::ServerRequest::ElicitRequest(m::ElicitRequest::new(question));
    match peer.send_request(request).await? {
        m::ClientResult::ElicitResult(answer) => Ok(answer),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

/// What a client that came back brings: an answer to the very call that we asked about.
pub(crate) fn returned(
    shared: &Shared,
    request: &m::CallToolRequestParams,
) -> Result<Option<Returned>, ErrorData> {
    let (Some(state), Some(responses)) = (&request.request_state, &request.input_responses) else {
        return Ok(None);
    };
    let foreign = |error: String| {
        let message = format!("requestState does not belong to this call: {error}");
        ErrorData::invalid_params(message, None)
    };
    let opened = shared.seal.open_with(state, &binding(request));
    let shown = opened.map_err(|error| foreign(error.to_string()))?;
    let shown = serde_json::from_slice(&shown).map_err(|error| foreign(error.to_string()))?;
    Ok(Some(match responses.get(QUESTION).is_some_and(agreed) {
        true => Returned::Agreed(shown),
        false => Returned::Declined,
    }))
}

fn agreed(answer: &Value) -> bool {
    answer["action"] == "accept" && answer["content"]["confirm"] == true
}

/// Whether the client declares that it can ask a person.
pub(crate) fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let elicitation = context.client_capabilities().and_then(|can| can.elicitation);
    // Forms are what an empty declaration means.
    elicitation.is_some_and(|can| can.form.is_some() || can.url.is_none())
}

/// The tool as a client sees it that can ask.
pub(crate) fn without_argument(tool: &mut m::Tool) {
    let has = tool.input_schema.get("properties").and_then(|all| all.get(QUESTION)).is_some();
    if has
        && let Some(Value::Object(all)) =
            Arc::make_mut(&mut tool.input_schema).get_mut("properties")
    {
        all.shift_remove(QUESTION);
    }
}

fn elicitation(question: &str) -> Result<m::ElicitRequestParams, ErrorData> {
    let schema: JsonMap = JsonMap::from_iter([
        ("type".to_owned(), json!("object")),
        (
            "properties".to_owned(),
            json!({ "confirm": {
                "type": "boolean",
                "title": "Run it",
                "description": "Whether the change may be made",
                "default": false,
            } }),
        ),
        ("required".to_owned(), json!(["confirm"])),
    ]);
    let requested_schema = m::ElicitationSchema::from_json_schema(schema)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(m::ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.to_owned(),
        requested_schema,
    })
}

/// The call that a sealed question belongs to: another tool or other arguments do not open it.
fn binding(request: &m::CallToolRequestParams) -> Vec<u8> {
    json!(["tools/call", request.name, request.arguments]).to_string().into_bytes()
}
