//! Outputs of tools on their way into a message. A result has its JSON twice, as text and
//! structured, and `rmcp` wants the second one as a tree of values, which takes longer to build and
//! to write than all the rest of the answer. So only the text travels, and the bytes get the other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use memchr::memmem;
use rmcp::RoleServer;
use rmcp::model::{self as m, JsonRpcMessage, ServerResult};
use rmcp::service::TxJsonRpcMessage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Stands for structured content that is the same as the first text.
pub(crate) const PLACE: Value = Value::Null;
/// The same in bytes. Inside a text its quotes would be escaped.
const BYTES: &[u8] = br#""structuredContent":null"#;
/// What the first text stands behind, up to its quote.
const FIRST_TEXT: &[u8] = br#""content":[{"type":"text","text":"#;

/// A message of a conversation as bytes, with the structured content in its place.
pub(crate) fn to_vec(message: &TxJsonRpcMessage<RoleServer>) -> serde_json::Result<Vec<u8>> {
    let result = match message {
        JsonRpcMessage::Response(response) => match &response.result {
            ServerResult::CallToolResult(result) => Some(result),
            _ => None,
        },
        _ => None,
    };
    write(message, result)
}

/// Any message as bytes, with the structured content of the `result` in it in its place.
pub(crate) fn write(
    message: &impl Serialize,
    result: Option<&m::CallToolResult>,
) -> serde_json::Result<Vec<u8>> {
    let Some(text) = result.and_then(mirrored) else { return serde_json::to_vec(message) };
    // The text with its quotes escaped, and once more as it is.
    let mut bytes = Vec::with_capacity(text.len() / 4 * 9 + 1024);
    serde_json::to_writer(&mut bytes, message)?;
    if let Some(at) = memmem::rfind(&bytes, BYTES) {
        let rest = bytes.split_off(at + BYTES.len());
        bytes.truncate(at + BYTES.len() - b"null".len());
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(&rest);
    }
    Ok(bytes)
}

/// About how many bytes of text a message has.
pub(crate) fn size(message: &TxJsonRpcMessage<RoleServer>) -> usize {
    let JsonRpcMessage::Response(response) = message else { return 0 };
    match &response.result {
        ServerResult::CallToolResult(result) => size_of(result),
        ServerResult::ReadResourceResult(result) => {
            let texts = result.contents.iter().map(|content| match content {
                m::ResourceContents::TextResourceContents { text, .. } => text.len(),
                m::ResourceContents::BlobResourceContents { blob, .. } => blob.len(),
                _ => 0,
            });
            texts.sum()
        }
        _ => 0,
    }
}

/// The same of a tool's result.
pub(crate) fn size_of(result: &m::CallToolResult) -> usize {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts.map(|text| text.text.len()).sum()
}

fn mirrored(result: &m::CallToolResult) -> Option<&str> {
    if result.structured_content != Some(PLACE) {
        return None;
    }
    match result.content.first()? {
        m::ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// A text that stays with its HTTP request, beside `rmcp`: taking the escapes out again would cost as
/// much as writing the answer.
#[derive(Clone, Default)]
pub(crate) struct Beside(Arc<Mutex<Option<Bytes>>>);

impl Beside {
    /// Shorter ones are read from the message.
    const LEAST: usize = 16 * 1024;

    /// Keep the text that the structured content of this result is.
    pub(crate) fn keep(&self, result: &m::CallToolResult) {
        if let Some(text) = mirrored(result).filter(|text| text.len() >= Self::LEAST) {
            *self.text() = Some(Bytes::copy_from_slice(text.as_bytes()));
        }
    }

    /// How long the text is.
    pub(crate) fn size(&self) -> usize {
        self.text().as_ref().map_or(0, Bytes::len)
    }

    fn text(&self) -> MutexGuard<'_, Option<Bytes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same for a message that `rmcp` wrote itself: an HTTP body, or one event of a stream. The text
/// is taken from beside it, if it was kept there, or else from the message. It comes in pieces that
/// belong behind each other: copying a large answer once more costs as much as sending it.
pub(crate) fn fill(mut bytes: Bytes, beside: &Beside) -> Vec<Bytes> {
    let Some((place, text)) = find_place(&bytes, beside) else { return vec![bytes] };
    let before = bytes.split_to(place);
    vec![before, text, bytes.slice(b"null".len()..)]
}

/// Where the structured content belongs, and what it is.
fn find_place(bytes: &[u8], beside: &Beside) -> Option<(usize, Bytes)> {
    // The place is behind all texts, near the end.
    let at = memmem::rfind(bytes, BYTES)?;
    let quote = memmem::find(&bytes[..at], FIRST_TEXT)? + FIRST_TEXT.len();
    let text = beside.text().take().or_else(|| unescaped(&bytes[quote..at]))?;
    Some((at + BYTES.len() - b"null".len(), text))
}

/// The text that begins here, without its escapes. It is not looked into.
fn unescaped(message: &[u8]) -> Option<Bytes> {
    let text = String::deserialize(&mut serde_json::Deserializer::from_slice(message)).ok()?;
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use rmcp::model::{JsonRpcResponse, JsonRpcVersion2_0, NumberOrString};
    use scenewright_contract::{Outcome, Output};
    use serde_json::json;

    use super::*;
    use crate::mcp::render::outcome;

    fn message(output: Output) -> TxJsonRpcMessage<RoleServer> {
        let given = Outcome { output, diagnostics: vec![r#""structuredContent":null"#.into()] };
        JsonRpcMessage::Response(JsonRpcResponse {
            jsonrpc: JsonRpcVersion2_0,
            id: NumberOrString::Number(7),
            result: ServerResult::CallToolResult(outcome(given)),
        })
    }

    fn text(bytes: impl Into<Vec<u8>>) -> String {
        String::from_utf8(bytes.into()).unwrap()
    }

    fn filled(bytes: impl Into<Bytes>, beside: &Beside) -> String {
        text(fill(bytes.into(), beside).concat())
    }

    /// As `rmcp` writes it when it has the value.
    fn whole(value: &Value) -> String {
        let JsonRpcMessage::Response(mut response) = message(Output::from(value.clone())) else {
            unreachable!("it is a response")
        };
        if let ServerResult::CallToolResult(result) = &mut response.result {
            result.structured_content = Some(value.clone());
        }
        serde_json::to_string(&response).unwrap()
    }

    #[test]
    fn the_bytes_are_the_same_either_way() {
        for value in [
            json!({ "structuredContent": null, "text": "\"structuredContent\":null\n" }),
            json!({ "content": [{ "type": "text", "text": "\\\"" }], "é": "\u{1f600}\u{7}" }),
            json!({}),
            Value::Null,
        ] {
            for output in [Output::from(value.clone()), Output::written(&value).unwrap()] {
                let message = message(output);
                assert_eq!(text(to_vec(&message).unwrap()), whole(&value));
                let by_rmcp = serde_json::to_vec(&message).unwrap();
                assert_eq!(filled(by_rmcp, &Beside::default()), whole(&value));
            }
        }
    }

    #[test]
    fn an_event_is_filled_like_a_body() {
        let value = json!({ "text": "\"\\" });
        let message = serde_json::to_string(&message(Output::from(value.clone()))).unwrap();
        let event = format!("data: {message}\nid: 1/7\n\n");
        let expected = format!("data: {}\nid: 1/7\n\n", whole(&value));
        assert_eq!(filled(event, &Beside::default()), expected);
    }

    #[test]
    fn a_long_text_is_taken_from_beside_the_message() {
        let value = json!({ "text": "\"".repeat(Beside::LEAST) });
        let message = message(Output::from(value.clone()));
        let by_rmcp = serde_json::to_vec(&message).unwrap();
        let JsonRpcMessage::Response(response) = message else { unreachable!("it is a response") };
        let ServerResult::CallToolResult(result) = &response.result else {
            unreachable!("it is a result")
        };
        let beside = Beside::default();
        beside.keep(result);
        // What comes before the answer leaves it alone.
        let notice = r#"{"method":"notifications/message","params":{"structuredContent":null}}"#;
        assert_eq!(filled(notice, &beside), notice);
        assert!(beside.text().is_some());
        assert_eq!(filled(by_rmcp, &beside), whole(&value));
        assert!(beside.text().is_none());
    }

    #[test]
    fn what_has_no_place_for_it_stays_as_it_is() {
        for bytes in [
            "",
            ": ping\n\n",
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"isError":true}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":null}}"#,
        ] {
            assert_eq!(filled(bytes, &Beside::default()), bytes);
        }
    }
}
