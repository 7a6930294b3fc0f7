//! Large outputs on their way through `rmcp`. A result has its JSON twice, as text and structured,
//! and `rmcp` wants the second one as a tree of values, which takes longer to build and to write
//! than all the rest of the answer. So only the text travels, and the bytes get the other.

use rmcp::RoleServer;
use rmcp::model::{self as m, JsonRpcMessage, ServerResult};
use rmcp::service::TxJsonRpcMessage;
use serde_json::Value;

/// Stands for structured content that is the same as the first text. No output of a tool is null.
pub(crate) const PLACE: Value = Value::Null;
/// The same in bytes. Inside a text its quotes would be escaped.
const BYTES: &[u8] = br#""structuredContent":null"#;

/// A message as bytes, with the structured content in its place.
pub(crate) fn to_vec(message: &TxJsonRpcMessage<RoleServer>) -> serde_json::Result<Vec<u8>> {
    let Some(text) = mirrored(message) else { return serde_json::to_vec(message) };
    // The text with its quotes escaped, and once more as it is.
    let mut bytes = Vec::with_capacity(text.len() / 4 * 9 + 1024);
    serde_json::to_writer(&mut bytes, message)?;
    if let Some(at) = find_last(&bytes) {
        let rest = bytes.split_off(at + BYTES.len());
        bytes.truncate(at + BYTES.len() - b"null".len());
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(&rest);
    }
    Ok(bytes)
}

fn mirrored(message: &TxJsonRpcMessage<RoleServer>) -> Option<&str> {
    let JsonRpcMessage::Response(response) = message else { return None };
    let ServerResult::CallToolResult(result) = &response.result else { return None };
    if result.structured_content != Some(PLACE) {
        return None;
    }
    match result.content.first()? {
        m::ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// It stands behind the texts, near the end.
fn find_last(bytes: &[u8]) -> Option<usize> {
    bytes.windows(BYTES.len()).rposition(|window| window == BYTES)
}

#[cfg(test)]
mod tests {
    use rmcp::model::{JsonRpcResponse, JsonRpcVersion2_0, NumberOrString};
    use scenewright_contract::{Outcome, Output};
    use serde_json::json;

    use super::*;
    use crate::mcp::render::{Large, outcome};

    fn bytes(output: Output, large: Large) -> Vec<u8> {
        let given = Outcome { output, diagnostics: vec![r#""structuredContent":null"#.into()] };
        let message = JsonRpcMessage::Response(JsonRpcResponse {
            jsonrpc: JsonRpcVersion2_0,
            id: NumberOrString::Number(7),
            result: ServerResult::CallToolResult(outcome(given, large)),
        });
        to_vec(&message).unwrap()
    }

    #[test]
    fn the_bytes_are_the_same_either_way() {
        let value = json!({ "structuredContent": null, "text": "\"structuredContent\":null\n" });
        let whole = bytes(Output::from(value.clone()), Large::Whole);
        let parsed: Value = serde_json::from_slice(&whole).unwrap();
        assert_eq!(parsed["result"]["structuredContent"], value);
        for large in [Large::Mirrored, Large::Whole] {
            let written = Output::written(&value).unwrap();
            assert_eq!(String::from_utf8(bytes(written, large)), String::from_utf8(whole.clone()));
        }
    }
}
