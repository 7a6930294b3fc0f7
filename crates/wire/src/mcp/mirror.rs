//! Outputs of tools on their way into a message. A result has its JSON twice, as text and
//! structured, and `rmcp` wants the second one as a tree of values, which takes longer to build and
//! to write than all the rest of the answer. So only the text travels, and the bytes get the other.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    let size = |block: &m::ContentBlock| match block {
        m::ContentBlock::Text(text) => text.text.len(),
        m::ContentBlock::Image(image) => image.data.len(),
        _ => 0,
    };
    result.content.iter().map(size).sum()
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

/// A text that stays with its HTTP request, beside `rmcp`, and is put in at the end: on its way it
/// would be copied and escaped more often than the rest of the answer takes.
#[derive(Clone, Default)]
pub(crate) struct Beside {
    own: Arc<Mutex<Option<Aside>>>,
    replay: Replay,
}

/// A text and the number of the mark that stands for it.
#[derive(Clone)]
struct Aside {
    number: u64,
    text: Bytes,
    since: Instant,
}

/// The last texts, for clients that lost their connection and come back for what they missed.
#[derive(Clone, Default)]
pub(crate) struct Replay(Arc<Mutex<VecDeque<Aside>>>);

/// What travels in place of a text. No output begins like this: they are JSON.
const MARK: &str = "scenewright text ";
/// So many bytes of texts are kept for those who come back.
const MAX_REPLAY: usize = if cfg!(test) { 256 << 10 } else { 16 << 20 };
/// And for so long: `rmcp` keeps its messages no longer.
const REPLAY_FOR: Duration = Duration::from_secs(60);
/// Numbers of marks are never used again.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Beside {
    /// Shorter ones travel in the message.
    const LEAST: usize = 16 * 1024;

    /// For a request whose answer may be asked for again.
    pub(crate) fn new(replay: Replay) -> Self {
        Self { own: Arc::default(), replay }
    }

    /// Take the text out of a result that has it twice.
    pub(crate) fn keep(&self, result: &mut m::CallToolResult) {
        if mirrored(result).is_none_or(|text| text.len() < Self::LEAST) {
            return;
        }
        let Some(m::ContentBlock::Text(content)) = result.content.first_mut() else { return };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let text = std::mem::replace(&mut content.text, format!("{MARK}{number}"));
        let aside = Aside { number, text: text.into(), since: Instant::now() };
        self.replay.keep(aside.clone());
        *lock(&self.own) = Some(aside);
    }

    /// How long the text is.
    pub(crate) fn size(&self) -> usize {
        lock(&self.own).as_ref().map_or(0, |aside| aside.text.len())
    }

    fn take(&self, number: u64) -> Option<Bytes> {
        let own = lock(&self.own).take_if(|aside| aside.number == number);
        own.map(|aside| aside.text).or_else(|| self.replay.get(number))
    }
}

impl Replay {
    /// Let go of what nobody comes back for any more.
    pub(crate) fn prune(&self) {
        lock(&self.0).retain(|aside| aside.since.elapsed() < REPLAY_FOR);
    }

    fn keep(&self, aside: Aside) {
        self.prune();
        let mut texts = lock(&self.0);
        texts.push_back(aside);
        let mut bytes: usize = texts.iter().map(|aside| aside.text.len()).sum();
        while bytes > MAX_REPLAY
            && let Some(oldest) = texts.pop_front()
        {
            bytes -= oldest.text.len();
        }
    }

    fn get(&self, number: u64) -> Option<Bytes> {
        let texts = lock(&self.0);
        texts.iter().find(|aside| aside.number == number).map(|aside| aside.text.clone())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same for a message that `rmcp` wrote itself: an HTTP body, or one event of a stream. It comes
/// in pieces that belong behind each other: copying a large answer once more costs as much as
/// sending it.
pub(crate) fn fill(mut bytes: Bytes, beside: &Beside) -> Vec<Bytes> {
    let Some(place) = Place::find(&bytes) else { return vec![bytes] };
    let (shown, text) = match place.number {
        None => match unescaped(&bytes[place.quote..place.structured]) {
            Some(text) => (None, text),
            None => return vec![bytes],
        },
        Some(number) => match beside.take(number).and_then(|text| Some((escaped(&text)?, text))) {
            Some((shown, text)) => (Some(shown), text),
            None => return vec![gone(&bytes, &place)],
        },
    };
    let after = bytes.split_off(place.structured + NULL.len());
    let between = bytes.slice(place.end..place.structured);
    match shown {
        None => vec![bytes.slice(..place.structured), text, after],
        Some(shown) => vec![bytes.slice(..place.quote), shown, between, text, after],
    }
}

const NULL: &[u8] = b"null";

/// Where the texts of a message are.
struct Place {
    /// The first quote of the text.
    quote: usize,
    /// Behind its last one, if it is a mark.
    end: usize,
    /// The number of the mark.
    number: Option<u64>,
    /// Where the structured content belongs.
    structured: usize,
}

impl Place {
    fn find(bytes: &[u8]) -> Option<Self> {
        // The place is behind all texts, near the end.
        let at = memmem::rfind(bytes, BYTES)?;
        let quote = memmem::find(&bytes[..at], FIRST_TEXT)? + FIRST_TEXT.len();
        let structured = at + BYTES.len() - NULL.len();
        let mark = bytes[quote + 1..at].strip_prefix(MARK.as_bytes());
        let digits =
            mark.map(|mark| &mark[..mark.iter().take_while(|b| b.is_ascii_digit()).count()]);
        let number = digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let end = quote + 2 + MARK.len() + digits.map_or(0, <[u8]>::len);
        Some(Self { quote, end, number, structured })
    }
}

/// An answer that is no longer kept. Whoever came back for it must not take the mark for the answer.
fn gone(bytes: &[u8], place: &Place) -> Bytes {
    let text = br#""The answer is no longer kept here; call again.""#;
    let after = &bytes[place.structured + NULL.len()..];
    let (ok, error) = (br#""isError":false"#, br#""isError":true"#);
    let after = match memmem::find(after, ok) {
        Some(at) => [&after[..at], error, &after[at + ok.len()..]].concat(),
        None => [b",", &error[..], after].concat(),
    };
    let between = &bytes[place.end..place.structured];
    [&bytes[..place.quote], text, between, b"{}", &after].concat().into()
}

fn escaped(text: &[u8]) -> Option<Bytes> {
    serde_json::to_vec(std::str::from_utf8(text).ok()?).ok().map(Into::into)
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
    use crate::mcp::render::{Texts, outcome};

    const REMARK: &str = r#""structuredContent":null"#;

    fn message(output: Output) -> TxJsonRpcMessage<RoleServer> {
        let given =
            Outcome { tool: "a", output, diagnostics: vec![REMARK.into()], ..Outcome::default() };
        JsonRpcMessage::Response(JsonRpcResponse {
            jsonrpc: JsonRpcVersion2_0,
            id: NumberOrString::Number(7),
            result: ServerResult::CallToolResult(outcome(given, Texts::Both)),
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
            let told = Output::from(value.clone()).with_notes(&[REMARK.to_owned()]);
            result.structured_content = Some(told.into_value());
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

    /// A large answer as `rmcp` writes it, with its text aside.
    fn large(beside: &Beside, value: &Value) -> Vec<u8> {
        let mut message = message(Output::from(value.clone()));
        let JsonRpcMessage::Response(response) = &mut message else { unreachable!("a response") };
        let ServerResult::CallToolResult(result) = &mut response.result else {
            unreachable!("a result")
        };
        beside.keep(result);
        serde_json::to_vec(&message).unwrap()
    }

    #[test]
    fn a_long_text_stays_beside_the_message() {
        let value = json!({ "text": "\"".repeat(Beside::LEAST), "content": [{ "type": "text" }] });
        let beside = Beside::default();
        let by_rmcp = large(&beside, &value);
        assert!(by_rmcp.len() < 1000);
        // What comes before the answer leaves it alone.
        let notice = r#"{"method":"notifications/message","params":{"structuredContent":null}}"#;
        assert_eq!(filled(notice, &beside), notice);
        assert!(beside.size() > 0);
        assert_eq!(filled(by_rmcp, &beside), whole(&value));
        assert_eq!(beside.size(), 0);
    }

    #[test]
    fn who_comes_back_finds_the_last_texts() {
        let replay = Replay::default();
        let value = |n: usize| json!({ "n": n, "text": "x".repeat(MAX_REPLAY / 3) });
        let sent: Vec<Vec<u8>> =
            (0..3).map(|n| large(&Beside::new(replay.clone()), &value(n))).collect();
        let again = Beside::new(replay);
        for (n, bytes) in sent.into_iter().enumerate().skip(1) {
            assert_eq!(filled(bytes.clone(), &again), whole(&value(n)), "{n}");
            assert_eq!(filled(bytes, &again), whole(&value(n)), "{n}");
        }
    }

    #[test]
    fn an_answer_that_is_no_longer_kept_is_an_error() {
        let sent = large(&Beside::default(), &json!({ "text": "x".repeat(Beside::LEAST) }));
        let told: Value = serde_json::from_str(&filled(sent, &Beside::default())).unwrap();
        let result = &told["result"];
        assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(true), &json!({})));
        assert_eq!(result["content"][0]["text"], "The answer is no longer kept here; call again.");
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
