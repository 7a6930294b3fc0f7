//! The short way of a plain call over stateless HTTP (2026-07-28): a tool that only reads, headers
//! and `_meta` that say no more than the protocol asks for. Such a request is a whole conversation;
//! `rmcp` would open and close one for it. Anything else about it, and `rmcp` has it.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use rmcp::model as m;
use scenewright_contract::{Cancel, Origin, echo};
use serde::Deserialize;

use crate::envelope::Envelope;
use crate::mcp::call::{Brief, Way};
use crate::mcp::handler::{SERVER_INFO, STATELESS};
use crate::mcp::{Shared, render};
use crate::reply::{self, ReplyId};

/// What every request of the protocol has. A progress token or a log level is one field too many.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: &'a str,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    client: m::Implementation,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    _capabilities: m::ClientCapabilities,
}

/// The answer to `message` with its status, if it is such a call.
pub(crate) async fn answer(
    shared: &Shared,
    origin: &Origin,
    headers: &HeaderMap,
    asks_for_data: bool,
    message: &Envelope<'_>,
) -> Option<(StatusCode, Bytes)> {
    let id = message.id.token()?;
    let brief = Brief::read(message)?;
    if !agree(headers, &brief.name) || !shared.plain.contains_key(&*brief.name) {
        return None;
    }
    let meta: Meta<'_> = serde_json::from_str(brief.meta?.get()).ok()?;
    if meta.version != STATELESS {
        return None;
    }
    let reads = shared.reads(origin.listener, Some(STATELESS), asks_for_data);
    let mut origin = origin.clone();
    let client = echo::brief(&meta.client.name).into_owned();
    Arc::make_mut(&mut origin.who).client = Some(client);
    let call = brief.call(Way { reads, ..Way::plain(origin) })?;
    let tool = call.tool.clone();
    // A client that goes away drops this future; its tool then stops at its next look.
    let _stop = CancelOnDrop(call.cancel.clone());
    Some(match render::response(&tool, shared.host.call(call).await) {
        Ok(mut result) => {
            let said = result.meta.get_or_insert_default();
            said.insert(SERVER_INFO.to_owned(), shared.server_info.clone());
            (StatusCode::OK, reply::called(ReplyId::Token(id), &result))
        }
        Err(error) => {
            let status = match error.code {
                m::ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
                _ => StatusCode::OK,
            };
            let id = ReplyId::Token(id);
            (status, reply::error(id, error.code.0, &error.message, error.data).into())
        }
    })
}

/// Whether the headers say what the message says, each once, and no more.
fn agree(headers: &HeaderMap, tool: &str) -> bool {
    let says = |name: &str, value: &str| {
        let mut given = headers.get_all(name).iter();
        given.next().is_some_and(|given| given == value) && given.next().is_none()
    };
    says("mcp-protocol-version", STATELESS)
        && says("mcp-method", "tools/call")
        && says("mcp-name", tool)
        && says(header::CONTENT_TYPE.as_str(), "application/json")
        && !headers
            .keys()
            .any(|name| name == "mcp-session-id" || name.as_str().starts_with("mcp-param-"))
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
