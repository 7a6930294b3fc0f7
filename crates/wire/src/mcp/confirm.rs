//! Asking a person before a write: by elicitation where the client can ask, otherwise by telling
//! the model to come back with `confirm: true`.

use std::time::Duration;

use rmcp::model as m;
use rmcp::service::{RequestContext, ServiceError};
use rmcp::{ErrorData, Peer, RoleServer};
use scenewright_contract::JsonMap;
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
    /// This client cannot ask.
    CannotAsk,
}

/// Ask the person behind the client.
pub(crate) async fn ask(
    shared: &Shared,
    question: &str,
    request: &m::CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    modern: bool,
) -> Result<Asked, ErrorData> {
    if !can_ask(context) {
        return Ok(Asked::CannotAsk);
    }
    let elicitation = elicitation(question)?;
    if modern {
        let state = shared.seal.seal_with(
            b"ask",
            &m::SealOptions::new().associated_data(&binding(request)).ttl(VALID_FOR),
        );
        let asked = m::InputRequest::Elicitation(m::ElicitRequest::new(elicitation));
        let requests = m::InputRequests::from_iter([(QUESTION.to_owned(), asked)]);
        return Ok(Asked::Later(m::InputRequiredResult::new(Some(requests), Some(state))));
    }
    match elicit(&context.peer, elicitation).await {
        Ok(answer) => Ok(if agreed(&json!(answer)) { Asked::Agreed } else { Asked::Declined }),
        Err(error) => {
            tracing::warn!(%error, "the client could not be asked");
            Ok(Asked::CannotAsk)
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
) -> Result<Option<bool>, ErrorData> {
    let (Some(state), Some(responses)) = (&request.request_state, &request.input_responses) else {
        return Ok(None);
    };
    shared.seal.open_with(state, &binding(request)).map_err(|error| {
        ErrorData::invalid_params(
            format!("requestState does not belong to this call: {error}"),
            None,
        )
    })?;
    Ok(Some(responses.get(QUESTION).is_some_and(agreed)))
}

fn agreed(answer: &Value) -> bool {
    answer["action"] == "accept" && answer["content"]["confirm"] == true
}

fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let elicitation = context.client_capabilities().and_then(|can| can.elicitation);
    // Forms are what an empty declaration means.
    elicitation.is_some_and(|can| can.form.is_some() || can.url.is_none())
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
