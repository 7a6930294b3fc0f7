//! Answers as text, with the id as it was written.

use bytes::Bytes;
use rmcp::model as m;
use scenewright_contract::{Dialect, ToolError};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::aside;
use crate::errors::{self, ExplorerError, McpForm};
use crate::mcp::weight;

/// How an answer names the request it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplyId<'a> {
    /// The id token of the request.
    Token(&'a str),
    /// No id could be read.
    Null,
    /// No id could be read, and the protocol wants none then (MCP from 2026-07-28 on).
    Omitted,
}

#[derive(Serialize)]
struct Reply<'a, R: Serialize> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<R>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// A result.
pub(crate) fn result(id: ReplyId<'_>, result: impl Serialize) -> String {
    write(Reply { jsonrpc: "2.0", id: raw(id), result: Some(result), error: None })
}

/// The result of a standard MCP tool call.
pub(crate) fn called(id: ReplyId<'_>, result: &m::CallToolResult) -> Bytes {
    let reply = Reply { jsonrpc: "2.0", id: raw(id), result: Some(result), error: None };
    let written = aside::run(weight::of_result(result), || serde_json::to_vec(&reply));
    written.map_or_else(|error| broken(&error).into(), Bytes::from)
}

/// An error with exactly these words.
pub(crate) fn error(id: ReplyId<'_>, code: i32, message: &str, data: Option<Value>) -> String {
    let mut error = json!({ "code": code, "message": message });
    if let Some(data) = data {
        error["data"] = data;
    }
    write(Reply::<()> { jsonrpc: "2.0", id: raw(id), result: None, error: Some(error) })
}

/// An error as Unity Explorer says it.
pub(crate) fn explorer(id: ReplyId<'_>, said: &ExplorerError) -> String {
    write(Reply::<()> { jsonrpc: "2.0", id: raw(id), result: None, error: Some(said.to_json()) })
}

/// An error in the words of `dialect`.
pub(crate) fn failure(id: ReplyId<'_>, dialect: Dialect, failed: &ToolError) -> String {
    let row = errors::of(failed.kind);
    match dialect {
        Dialect::Editor => {
            let data = errors::editor_data(failed);
            error(id, row.editor.0, &errors::editor_message(failed), Some(data))
        }
        Dialect::Explorer => explorer(id, &errors::explorer(failed)),
        Dialect::Framed => error(id, row.framed, &failed.message, framed_data(failed)),
        Dialect::Mcp => {
            let code = match row.mcp {
                McpForm::Error(code) => code,
                // Only tool calls have results to say it in; here it can only be an error.
                McpForm::Result => -32603,
            };
            error(id, code, &failed.text(), Some(json!({ "kind": failed.kind.as_str() })))
        }
    }
}

/// Spec 002's examples carry no data, so it appears only where there is something to add.
fn framed_data(failed: &ToolError) -> Option<Value> {
    let mut data = (*failed.details).clone();
    if let Some(hint) = &failed.hint {
        data.insert("hint".to_owned(), json!(hint));
    }
    (!data.is_empty()).then_some(Value::Object(data))
}

fn raw(id: ReplyId<'_>) -> Option<&RawValue> {
    let token = match id {
        ReplyId::Token(token) => token,
        ReplyId::Null => "null",
        ReplyId::Omitted => return None,
    };
    Some(serde_json::from_str(token).expect("an id token was parsed as JSON before"))
}

fn write(reply: impl Serialize) -> String {
    serde_json::to_string(&reply).unwrap_or_else(|error| broken(&error))
}

fn broken(error: &serde_json::Error) -> String {
    tracing::error!(%error, "an answer could not be written");
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}"#.to_owned()
}
