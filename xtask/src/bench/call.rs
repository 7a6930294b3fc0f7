//! The messages the load generator sends, and the check of what comes back.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

pub(crate) const STATELESS_VERSION: &str = "2026-07-28";
const HANDSHAKE_VERSION: &str = "2025-11-25";

/// A request built once, with a gap for the id.
pub(crate) struct Call {
    tail: String,
}

impl Call {
    pub(crate) fn new(method: &str, params: &Value) -> Call {
        Call { tail: format!(r#","method":{},"params":{params}}}"#, json!(method)) }
    }

    /// `tools/call` after a handshake.
    pub(crate) fn tool(name: &str, arguments: &Value) -> Call {
        Call::new("tools/call", &json!({ "name": name, "arguments": arguments }))
    }

    /// A request that carries all the server may know about the client: 2026-07-28.
    pub(crate) fn stateless(method: &str, mut params: Value) -> Call {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
            "io.modelcontextprotocol/clientInfo": client_info(),
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        Call::new(method, &params)
    }

    pub(crate) fn with_id(&self, id: u64) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id}{}"#, self.tail)
    }
}

pub(crate) fn initialize() -> Call {
    let params = json!({
        "protocolVersion": HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": client_info(),
    });
    Call::new("initialize", &params)
}

pub(crate) const INITIALIZED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}"#;

fn client_info() -> Value {
    json!({ "name": "scenewright-bench", "version": "1" })
}

/// What a message from the server is, told from its text: parsing would slow the generator.
#[derive(Debug, PartialEq)]
pub(crate) enum Reply {
    Result,
    Notification,
}

pub(crate) fn classify(message: &[u8]) -> Result<Reply> {
    let text = std::str::from_utf8(message).context("the answer is no UTF-8")?;
    if text.contains(r#""result":"#) && !text.contains(r#""isError":true"#) {
        return Ok(Reply::Result);
    }
    if text.contains(r#""method":"#) && !text.contains(r#""error":"#) {
        return Ok(Reply::Notification);
    }
    bail!("not a good answer: {text}")
}

/// The result of an answer, parsed; for the few answers that are read.
pub(crate) fn parse_result(message: &[u8]) -> Result<Value> {
    let mut message: Value = serde_json::from_slice(message).context("the answer is no JSON")?;
    match message.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => bail!("the answer has no result: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_id_into_the_gap() {
        assert_eq!(
            Call::tool("a", &json!({})).with_id(7),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{}}}"#
        );
    }

    #[test]
    fn tells_answers_apart() {
        assert_eq!(classify(br#"{"id":1,"result":{}}"#).ok(), Some(Reply::Result));
        assert_eq!(
            classify(br#"{"method":"notifications/message"}"#).ok(),
            Some(Reply::Notification)
        );
        assert!(classify(br#"{"id":1,"result":{"isError":true}}"#).is_err());
        assert!(classify(br#"{"id":1,"error":{}}"#).is_err());
    }
}
