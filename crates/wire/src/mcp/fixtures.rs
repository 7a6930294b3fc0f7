//! What the public conformance suites look for, behind `--test-fixtures` and in no shipped list.
//!
//! Names, texts and shapes are the suites', word for word; what a fixture does beyond that is
//! there so that a person can try it by hand.

mod content;
mod prompts;
mod questions;
mod resources;
mod rounds;
pub(super) mod tasks;
mod tools;

use std::sync::Arc;
use std::time::Duration;

use rmcp::model as m;
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionHandle, LocalSessionManager,
};
use rmcp::{ErrorData, RoleServer};
use scenewright_contract::Level;
use serde_json::{Value, json};

use crate::host::Change;
use crate::mcp::Handler;
use crate::mcp::report::Event;

pub(super) use prompts::{get_prompt, is_prompt, prompts};
pub(super) use resources::{read, resources, templates};
pub(super) use tools::{is_tool, tools};

type Response = Result<m::CallToolResponse, ErrorData>;

/// The suites want to see that a tool speaks while it runs, so it must run for a moment.
const PAUSE: Duration = Duration::from_millis(50);
/// The time after which a client whose stream was closed should come back.
const COME_BACK: Duration = Duration::from_millis(100);
/// A session that tests this has had no more streams than this.
const STREAMS: u64 = 64;

/// What the suites want declared on top.
pub(super) fn capabilities(mut shipped: m::ServerCapabilities, on: bool) -> m::ServerCapabilities {
    if on {
        let tasks = (m::TASKS_EXTENSION_ID.to_owned(), m::JsonObject::new());
        shipped.extensions.get_or_insert_default().extend([tasks]);
    }
    shipped
}

pub(super) async fn call_tool(
    handler: &Handler,
    request: &m::CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Response {
    let name = &*request.name;
    if let Some(result) = content::result(name) {
        return Ok(result.into());
    }
    match name {
        "json_schema_2020_12_tool" => done(json!(request.arguments).to_string()),
        "test_x_mcp_header" => done(format!("Region: {}", text_of(request, "region"))),
        "test_tool_with_logging" | "test_logging_tool" => log(handler, context).await,
        "test_tool_with_progress" => progress(context).await,
        "test_reconnection" => reconnection(context).await,
        "test_trigger_tool_change" => {
            handler.shared.changes.announce(Change::Tools);
            done("The list of tools was announced as changed.")
        }
        "test_trigger_prompt_change" => {
            handler.shared.changes.announce(Change::Prompts);
            done("The list of prompts was announced as changed.")
        }
        "test_missing_capability" => {
            questions::require(context, "sampling")?;
            done("The client can sample.")
        }
        "test_sampling"
        | "test_elicitation"
        | "test_elicitation_sep1034_defaults"
        | "test_elicitation_sep1330_enums" => questions::ask_one(request, context).await,
        _ if tasks::is_job(name) => tasks::call(request, context).await,
        _ => rounds::call(handler, request, context),
    }
}

/// A finished call that says `text`.
fn done(text: impl Into<String>) -> Response {
    Ok(m::CallToolResult::success(vec![m::ContentBlock::text(text.into())]).into())
}

/// A call that failed in a way that the model should read.
fn failed(text: impl Into<String>) -> Response {
    Ok(m::CallToolResult::error(vec![m::ContentBlock::text(text.into())]).into())
}

fn argument<'a>(request: &'a m::CallToolRequestParams, name: &str) -> &'a Value {
    request.arguments.as_ref().and_then(|all| all.get(name)).unwrap_or(&Value::Null)
}

fn text_of<'a>(request: &'a m::CallToolRequestParams, name: &str) -> &'a str {
    argument(request, name).as_str().unwrap_or_default()
}

async fn log(handler: &Handler, context: &RequestContext<RoleServer>) -> Response {
    let wanted = handler.log_level(context).is_some_and(|level| level <= Level::Info);
    let lines = ["Tool execution started", "Tool processing data", "Tool execution completed"];
    for (number, line) in lines.into_iter().enumerate() {
        if number > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        if wanted {
            let event = Event::Log { level: Level::Info, message: line.to_owned() };
            event.send(&context.peer, None).await;
        }
    }
    done("Tool with logging executed successfully")
}

async fn progress(context: &RequestContext<RoleServer>) -> Response {
    let token = context.meta.get_progress_token();
    for percent in [0.0, 50.0, 100.0] {
        if percent > 0.0 {
            tokio::time::sleep(PAUSE).await;
        }
        let event = Event::Progress { done: percent, total: Some(100.0), message: None };
        event.send(&context.peer, token.as_ref()).await;
    }
    done("Tool with progress executed successfully")
}

/// Close the stream of the call, so that the client has to come back for the result.
async fn reconnection(context: &RequestContext<RoleServer>) -> Response {
    if let Some(session) = session(context).await {
        // `rmcp` does not say which stream is ours, and others can be resumed just the same.
        for stream in 0..STREAMS {
            let _ = session.close_sse_stream(stream, Some(COME_BACK)).await;
        }
    }
    tokio::time::sleep(PAUSE).await;
    done("Reconnection test completed successfully.")
}

/// The HTTP session of the request. Only there can a client come back to a stream.
async fn session(context: &RequestContext<RoleServer>) -> Option<LocalSessionHandle> {
    let head = context.extensions.get::<http::request::Parts>()?;
    let sessions = head.extensions.get::<Arc<LocalSessionManager>>()?;
    let id = head.headers.get("mcp-session-id")?.to_str().ok()?;
    sessions.sessions.read().await.get(id).cloned()
}
