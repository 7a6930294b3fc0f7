//! Ids that `rmcp` would not give back as they came (`1.0`, numbers beyond 64 bits, escaped
//! strings) travel through it as a marked string and are put back on the way out.

use bytes::Bytes;
use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Value, json};

use crate::envelope::{Envelope, Id};

const MARK: &str = "~raw:";
const HEAD: &[u8] = br#"{"jsonrpc":"2.0","id":"~raw:"#;

/// A message for `rmcp`, with an id that survives.
pub(crate) fn parse(
    bytes: &[u8],
    message: &Envelope<'_>,
) -> Result<ClientJsonRpcMessage, serde_json::Error> {
    match rewrite(bytes, message)? {
        Some(bytes) => serde_json::from_slice(&bytes),
        None => serde_json::from_slice(bytes),
    }
}

/// The message with its id marked, when it has to be.
pub(crate) fn rewrite(
    bytes: &[u8],
    message: &Envelope<'_>,
) -> Result<Option<Vec<u8>>, serde_json::Error> {
    let cancels = message.id == Id::Absent && message.method == "notifications/cancelled";
    match message.id {
        Id::Token(token) if !survives(token) => {
            let mut value: Value = serde_json::from_slice(bytes)?;
            value["id"] = json!(mark(token));
            serde_json::to_vec(&value).map(Some)
        }
        _ if cancels => rewrite_cancelled(bytes, message),
        _ => Ok(None),
    }
}

fn rewrite_cancelled(
    bytes: &[u8],
    message: &Envelope<'_>,
) -> Result<Option<Vec<u8>>, serde_json::Error> {
    let Some(token) = message.cancelled_id().filter(|token| !survives(token)) else {
        return Ok(None);
    };
    let mut value: Value = serde_json::from_slice(bytes)?;
    value["params"]["requestId"] = json!(mark(token));
    serde_json::to_vec(&value).map(Some)
}

/// Put the id of an outgoing message back as it came.
pub(crate) fn restore(bytes: Bytes) -> Bytes {
    if bytes.starts_with(HEAD) { restore_anywhere(&bytes) } else { bytes }
}

/// The same for a piece of an HTTP body, where the message may follow `data: `.
pub(crate) fn restore_anywhere(bytes: &[u8]) -> Bytes {
    let Some(start) = bytes.windows(HEAD.len()).position(|window| window == HEAD) else {
        return Bytes::copy_from_slice(bytes);
    };
    let hex_start = start + HEAD.len();
    let Some(hex_len) = bytes[hex_start..].iter().position(|byte| *byte == b'"') else {
        return Bytes::copy_from_slice(bytes);
    };
    let Some(token) = unhex(&bytes[hex_start..hex_start + hex_len]) else {
        return Bytes::copy_from_slice(bytes);
    };
    // The head ends with a quote and the mark, which the token replaces.
    let quote = hex_start - MARK.len() - 1;
    [&bytes[..quote], &token, &bytes[hex_start + hex_len + 1..]].concat().into()
}

fn survives(token: &str) -> bool {
    if let Some(text) = token.strip_prefix('"') {
        return !text.contains('\\') && !text.starts_with(MARK);
    }
    token.parse::<i64>().is_ok_and(|number| number.to_string() == token)
}

fn mark(token: &str) -> String {
    let hex: String = token.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{MARK}{hex}")
}

fn unhex(hex: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(hex).ok()?;
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(text.get(i..i + 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::{self, Message};

    fn round_trip(id: &str) -> String {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let Ok(Message::Call(message)) = envelope::parse(text.as_bytes()) else { panic!("{text}") };
        let ClientJsonRpcMessage::Request(request) = parse(text.as_bytes(), &message).unwrap()
        else {
            panic!("a request")
        };
        let answer = serde_json::to_string(&json!({
            "jsonrpc": "2.0", "id": request.id.into_json_value(), "result": {}
        }));
        let restored = restore(answer.unwrap().into());
        String::from_utf8(restored.to_vec()).unwrap()
    }

    #[test]
    fn every_id_comes_back_as_it_was_written() {
        for id in [
            "1",
            "-7",
            "1.0",
            "1e3",
            "123456789012345678901234567890",
            r#""a""#,
            r#""\u0041""#,
            r#""~raw:00""#,
        ] {
            assert_eq!(round_trip(id), format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        }
    }

    #[test]
    fn a_cancellation_names_the_marked_id() {
        let text =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.0}}"#;
        let Ok(Message::Call(message)) = envelope::parse(text.as_bytes()) else { panic!("{text}") };
        let bytes = rewrite(text.as_bytes(), &message).unwrap().unwrap();
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(value["params"]["requestId"], "~raw:312e30");
    }
}
