//! A message as a raw envelope: which method, which id token, which parameters; nothing decided.

mod bounds;
mod members;

use std::borrow::Cow;

use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, ToolError};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

pub(crate) use members::{Members, Twice, text};

/// A longer id than this, in bytes, is refused: every answer repeats it.
const MAX_ID: usize = 1024;

/// One message, as far as it can be read without knowing its dialect.
#[derive(Debug)]
pub enum Message<'a> {
    /// Something with a method: a request, or a notification when it has no id.
    Call(Envelope<'a>),
    /// An answer to a question of ours.
    Answer,
    /// A JSON array of messages.
    Batch(Vec<&'a RawValue>),
}

/// A request or a notification.
#[derive(Debug)]
pub struct Envelope<'a> {
    /// The `jsonrpc` member is `"2.0"`.
    pub versioned: Result<(), ToolError>,
    /// The id.
    pub id: Id<'a>,
    /// The method.
    pub method: Cow<'a, str>,
    /// The parameters; absent and `null` are the same.
    pub params: Option<&'a RawValue>,
    /// The parameters by their names, if they are an object.
    pub(crate) members: Option<Members<'a>>,
}

/// The id of a request, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Id<'a> {
    /// There is none: a notification.
    Absent,
    /// `null`, which some protocols forbid.
    Null,
    /// A string or a number, as its JSON token.
    Token(&'a str),
    /// Something else, which no protocol allows.
    Invalid,
}

/// A message that is none, with its id if that could be read.
#[derive(Debug)]
pub struct Broken<'a> {
    /// The id token.
    pub id: Option<&'a str>,
    /// What is wrong.
    pub error: ToolError,
}

#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Tell `null` from absent.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Read one message.
pub fn parse(bytes: &[u8]) -> Result<Message<'_>, Broken<'_>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        broken(None, ErrorKind::Parse, format!("Parse error: not UTF-8: {error}"))
    })?;
    bounds::check_shape(bytes).map_err(|error| Broken { id: None, error })?;
    match text.trim_start().as_bytes().first() {
        Some(b'[') => serde_json::from_str(text).map(Message::Batch).map_err(syntax),
        Some(b'{') => parse_object(text),
        _ => {
            serde_json::from_str::<&RawValue>(text).map_err(syntax)?;
            let message = "Invalid request: a message is a JSON object";
            Err(broken(None, ErrorKind::InvalidRequest, message))
        }
    }
}

fn parse_object(text: &str) -> Result<Message<'_>, Broken<'_>> {
    let raw: Raw<'_> = serde_json::from_str(text).map_err(syntax)?;
    let id = read_id(raw.id);
    let Some(method) = raw.method else {
        if raw.result.is_some() || raw.error.is_some() {
            return Ok(Message::Answer);
        }
        return Err(invalid(id, "Invalid request: Method is required."));
    };
    let Ok(method) = serde_json::from_str::<Text<'_>>(method.get()) else {
        return Err(invalid(id, "Invalid request: method must be a string"));
    };
    let members = raw.params.and_then(Members::of);
    check_id(raw.id)
        .and_then(|()| bounds::check_request(&method.0, raw.params, members.as_ref()))
        .map_err(|error| Broken { id: id.token(), error })?;
    Ok(Message::Call(Envelope {
        versioned: check_version(raw.jsonrpc),
        id,
        method: method.0,
        params: raw.params,
        members,
    }))
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn check_version(jsonrpc: Option<&RawValue>) -> Result<(), ToolError> {
    let found = match jsonrpc.map(RawValue::get) {
        Some("\"2.0\"") => return Ok(()),
        Some(other) => {
            format!("Unsupported JSON-RPC version: {}. Expected '2.0'.", brief(other))
        }
        None => "Invalid request: the member \"jsonrpc\": \"2.0\" is missing".to_owned(),
    };
    Err(ToolError::new(ErrorKind::InvalidRequest, found))
}

fn read_id(raw: Option<&RawValue>) -> Id<'_> {
    let Some(token) = raw.map(RawValue::get) else { return Id::Absent };
    match token.as_bytes().first() {
        _ if token.len() > MAX_ID => Id::Invalid,
        Some(b'"' | b'-' | b'0'..=b'9') => Id::Token(token),
        Some(b'n') => Id::Null,
        _ => Id::Invalid,
    }
}

/// What is no id whatever its length is left to the dialects, which say so in their own ways.
fn check_id(raw: Option<&RawValue>) -> Result<(), ToolError> {
    let length = raw.map_or(0, |token| token.get().len());
    if length <= MAX_ID || raw.is_some_and(|token| token.get().starts_with(['{', '['])) {
        return Ok(());
    }
    let problem = format!("Invalid request: the id has {length} bytes; at most {MAX_ID} are taken");
    Err(ToolError::new(ErrorKind::InvalidRequest, problem))
}

impl<'a> Envelope<'a> {
    /// The parameters as `T`. Only objects: serde would fill a struct from an array, too.
    pub(crate) fn object<T: Deserialize<'a>>(&self) -> Result<T, String> {
        match self.params.map(RawValue::get) {
            Some(text) if text.starts_with('{') => {
                serde_json::from_str(text).map_err(|error| error.to_string())
            }
            Some(_) => Err("they must be an object".to_owned()),
            None => Err("there are none".to_owned()),
        }
    }
}

impl<'a> Envelope<'a> {
    /// The id token of the request that a `notifications/cancelled` takes back.
    pub(crate) fn cancelled_id(&self) -> Option<&'a str> {
        let id = self.members.as_ref()?.one(&["requestId"]).ok()??;
        Some(id.get())
    }
}

impl<'a> Id<'a> {
    /// The token, when there is one.
    pub fn token(self) -> Option<&'a str> {
        match self {
            Self::Token(token) => Some(token),
            _ => None,
        }
    }
}

fn invalid<'a>(id: Id<'a>, message: &str) -> Broken<'a> {
    broken(id.token(), ErrorKind::InvalidRequest, message)
}

fn syntax<'a>(error: serde_json::Error) -> Broken<'a> {
    match error.classify() {
        serde_json::error::Category::Data => {
            broken(None, ErrorKind::InvalidRequest, format!("Invalid request: {error}"))
        }
        _ => broken(None, ErrorKind::Parse, format!("Parse error: {error}")),
    }
}

fn broken<'a>(id: Option<&'a str>, kind: ErrorKind, message: impl Into<String>) -> Broken<'a> {
    Broken { id, error: ToolError::new(kind, message) }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::bounds::MAX_VALUES;
    use super::*;

    fn check(text: &str, expected: Expect) {
        let seen = match parse(text.as_bytes()) {
            Ok(Message::Call(call)) => format!(
                "{} {:?} {} {}",
                call.method,
                call.id,
                call.params.map_or("-", RawValue::get),
                call.versioned.map_or_else(|error| error.message, |()| "2.0".to_owned())
            ),
            Ok(Message::Answer) => "answer".to_owned(),
            Ok(Message::Batch(items)) => format!("batch of {}", items.len()),
            Err(broken) => {
                format!("{:?} {} {}", broken.id, broken.error.kind.as_str(), broken.error.message)
            }
        };
        expected.assert_eq(&seen);
    }

    #[test]
    fn the_id_token_is_kept_as_written() {
        let ask = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#);
        check(&ask("1.0"), expect![[r#"m Token("1.0") - 2.0"#]]);
        check(
            &ask("12345678901234567890123"),
            expect![[r#"m Token("12345678901234567890123") - 2.0"#]],
        );
        check(&ask(r#""a\u0041""#), expect![[r#"m Token("\"a\\u0041\"") - 2.0"#]]);
        check(&ask("null"), expect!["m Null - 2.0"]);
        check(&ask("true"), expect!["m Invalid - 2.0"]);
        check(&ask("[1]"), expect!["m Invalid - 2.0"]);
        let most = format!("\"{}\"", "x".repeat(MAX_ID - 2));
        assert_eq!(read_id(serde_json::from_str(&most).ok()), Id::Token(&most));
        check(
            &ask(&format!("\"{}\"", "x".repeat(MAX_ID - 1))),
            expect![
                "None invalid_request Invalid request: the id has 1025 bytes; at most 1024 are taken"
            ],
        );
    }

    #[test]
    fn null_params_are_no_params() {
        check(r#"{"jsonrpc":"2.0","method":"m","params":null}"#, expect!["m Absent - 2.0"]);
        check(r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#, expect!["m Absent [1] 2.0"]);
    }

    #[test]
    fn what_is_no_message_is_said() {
        check(
            "{",
            expect!["None parse Parse error: EOF while parsing an object at line 1 column 1"],
        );
        check("7", expect!["None invalid_request Invalid request: a message is a JSON object"]);
        check(
            r#"{"id":7}"#,
            expect![[r#"Some("7") invalid_request Invalid request: Method is required."#]],
        );
        check(
            r#"{"id":7,"method":7}"#,
            expect![[r#"Some("7") invalid_request Invalid request: method must be a string"#]],
        );
        check(
            r#"{"id":7,"id":8,"method":"m"}"#,
            expect![
                "None invalid_request Invalid request: duplicate field `id` at line 1 column 12"
            ],
        );
        check(
            r#"{"id":7,"method":"m"}"#,
            expect![[r#"m Token("7") - Invalid request: the member "jsonrpc": "2.0" is missing"#]],
        );
        check(
            r#"{"jsonrpc":"1.0","id":7,"method":"m"}"#,
            expect![[r#"m Token("7") - Unsupported JSON-RPC version: "1.0". Expected '2.0'."#]],
        );
    }

    #[test]
    fn answers_and_batches_are_told_apart() {
        check(r#"{"jsonrpc":"2.0","id":1,"result":null}"#, expect!["answer"]);
        check(r#"{"jsonrpc":"2.0","id":1,"error":{}}"#, expect!["answer"]);
        check(r#" [{}, 1]"#, expect!["batch of 2"]);
    }

    #[test]
    fn millions_of_values_are_refused_before_they_are_read() {
        let message = |items: usize| {
            format!(r#"{{"method":"tools/call","params":[",,,\",,"{}]}}"#, ",1".repeat(items))
        };
        assert!(parse(message(MAX_VALUES - 4).as_bytes()).is_ok());
        let many = message(MAX_VALUES);
        let broken = parse(many.as_bytes()).unwrap_err();
        assert!(broken.error.message.contains("values in one message"), "{}", broken.error);
    }

    #[test]
    fn a_megabyte_of_nesting_is_refused_and_does_not_recurse() {
        let deep =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{}"#, "[".repeat(1 << 20));
        check(
            &deep,
            expect!["None invalid_request Invalid request: nested deeper than 128 levels"],
        );
        check(r#"{"jsonrpc":"2.0","method":"[[[\"[["}"#, expect![[r#"[[["[[ Absent - 2.0"#]]);
    }
}
