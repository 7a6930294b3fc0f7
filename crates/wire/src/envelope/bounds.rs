//! How long the names in a message are, how many members its objects have, and how much may be said
//! where no tool is called. What is over a bound is refused before anybody copies it.

use std::fmt;

use scenewright_contract::bounds::{MEMBERS, VALUES};
use scenewright_contract::echo::{MAX_NAME, brief, may_be_name};
use scenewright_contract::{ErrorKind, ToolError};
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::envelope::Members;

/// Deeper nesting than this is refused; no specification comes near it.
pub(super) const MAX_DEPTH: usize = 128;
/// More values are not read: each takes many times its bytes in memory.
pub(super) const MAX_VALUES: usize = 1_000_000;
/// Nor more members of one object; a tool's argument has no more values in all.
const MAX_MEMBERS: usize = VALUES;
/// Only tools are given more than this, in bytes.
const MAX_PARAMS: usize = 256 << 10;
/// The methods that call tools, as the dialects name them.
const CALLS: [&str; 3] = ["tools/call", "tools/batchCall", "call_tool"];
/// The most bytes of JSON that one character takes: two escapes, each of six.
const WIDEST: usize = 12;

/// Count the values of a message, and how they are nested, without reading them.
pub(super) fn check_shape(bytes: &[u8]) -> Result<(), ToolError> {
    let Shape { depth, values, members } = Shape::of(bytes);
    let problem = if depth > MAX_DEPTH {
        format!("nested deeper than {MAX_DEPTH} levels")
    } else if values > MAX_VALUES {
        format!("more than {MAX_VALUES} values in one message")
    } else if members > MAX_MEMBERS {
        format!("an object with more than {MAX_MEMBERS} members")
    } else {
        return Ok(());
    };
    Err(ToolError::new(ErrorKind::InvalidRequest, format!("Invalid request: {problem}")))
}

/// What is known of a message before it is read, each at most.
#[derive(Default)]
struct Shape {
    depth: usize,
    values: usize,
    /// Of the object that has the most.
    members: usize,
}

impl Shape {
    fn of(bytes: &[u8]) -> Self {
        let mut shape = Self { values: 1, ..Self::default() };
        let (mut in_string, mut escaped) = (false, false);
        let mut depth = 0_usize;
        // The members of each open object; what is nested deeper than that is refused anyway.
        let mut open = [0_usize; MAX_DEPTH + 1];
        for byte in bytes {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'{' | b'[' => {
                    depth += 1;
                    shape.values += 1;
                    shape.depth = shape.depth.max(depth);
                    open.get_mut(depth).into_iter().for_each(|count| *count = 0);
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                b',' => shape.values += 1,
                b':' => {
                    if let Some(count) = open.get_mut(depth) {
                        *count += 1;
                        shape.members = shape.members.max(*count);
                    }
                }
                _ => {}
            }
        }
        shape
    }
}

/// What must hold of a request, whatever it asks for.
pub(super) fn check_request(
    method: &str,
    params: Option<&RawValue>,
    members: Option<&Members<'_>>,
) -> Result<(), ToolError> {
    if !may_be_name(method) {
        let length = method.len();
        let problem = format!("Invalid request: the method has {length} bytes; {LONGEST_NAME}");
        return Err(ToolError::new(ErrorKind::InvalidRequest, problem));
    }
    if let Some(members) = members {
        check_members(method, members)?;
    }
    let length = params.map_or(0, |params| params.get().len());
    if length > MAX_PARAMS && !CALLS.iter().any(|call| call.eq_ignore_ascii_case(method)) {
        let problem = format!("{length} bytes; only tools are given more than {MAX_PARAMS}");
        return Err(bad_params(method, &problem));
    }
    Ok(())
}

fn check_members(method: &str, members: &Members<'_>) -> Result<(), ToolError> {
    for name in ["name", "tool", "toolId"] {
        members.every(name).try_for_each(|value| check_name(method, name, value))?;
    }
    for outer in ["ref", "argument"] {
        for inner in members.every(outer).filter_map(Members::of) {
            inner.every("name").try_for_each(|value| check_name(method, outer, value))?;
        }
    }
    members.every("arguments").try_for_each(|arguments| check_count(method, arguments))
}

const LONGEST_NAME: &str = "a name has at most 200 characters";
const _: () = assert!(MAX_NAME == 200, "the sentence above says it");

/// What is no text is left to who knows what should be there.
fn check_name(method: &str, name: &str, value: &RawValue) -> Result<(), ToolError> {
    let json = value.get();
    // What is far too long need not be decoded to know it.
    let is_long = json.len() > MAX_NAME * WIDEST + 2
        || serde_json::from_str::<String>(json).is_ok_and(|text| !may_be_name(&text));
    match is_long && json.starts_with('"') {
        true => {
            let length = json.len() - 2;
            Err(bad_params(method, &format!("{name} has {length} bytes; {LONGEST_NAME}")))
        }
        false => Ok(()),
    }
}

/// Arguments are counted as far as they may go, and not kept.
fn check_count(method: &str, arguments: &RawValue) -> Result<(), ToolError> {
    // `"":0,` is the shortest member; so much text has fewer.
    let json = arguments.get();
    if !json.starts_with('{') || json.len() as u64 <= 5 * MEMBERS {
        return Ok(());
    }
    // They are JSON already, so there is only one thing that can be wrong with them.
    serde_json::from_str::<Few>(json).map(drop).map_err(|_| {
        bad_params(method, &format!("more than {MEMBERS} arguments; no tool takes so many"))
    })
}

/// An object with no more members than any tool takes.
struct Few;

impl<'de> Deserialize<'de> for Few {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Few)
    }
}

impl<'de> Visitor<'de> for Few {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut count = 0;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            count += 1;
            if count > MEMBERS {
                return Err(A::Error::custom("more members than any tool takes"));
            }
        }
        Ok(self)
    }
}

fn bad_params(method: &str, problem: &str) -> ToolError {
    let method = brief(method);
    ToolError::new(ErrorKind::BadEnvelope, format!("Invalid params for {method}: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::{self, Message};

    fn check(message: &str, expected: Option<&str>) {
        let shown = &message[..message.floor_char_boundary(200)];
        match (envelope::parse(message.as_bytes()), expected) {
            (Ok(Message::Call(_)), None) => {}
            (Err(broken), Some(expected)) => {
                assert!(broken.error.message.contains(expected), "{shown}: {}", broken.error);
            }
            (read, _) => panic!("{shown}: {:?}", read.map(|_| "read")),
        }
    }

    fn request(method: &str, params: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)
    }

    #[test]
    fn a_name_that_is_too_long_is_refused_wherever_it_stands() {
        let (fits, long) = ("ä".repeat(MAX_NAME), "ä".repeat(MAX_NAME + 1));
        for (method, params) in [
            ("#", "{}"),
            ("tools/call", r##"{"name":"#"}"##),
            ("tools/call", r##"{"tool":"#"}"##),
            ("tools/call", r##"{"name":"#","name":"short"}"##),
            ("tools/describe", r##"{"toolId":"#"}"##),
            ("prompts/get", r##"{"name":"#"}"##),
            ("completion/complete", r##"{"ref":{"type":"ref/prompt","name":"#"}}"##),
            ("completion/complete", r##"{"ref":{},"argument":{"name":"#","value":""}}"##),
        ] {
            let with = |name: &str| request(&method.replace('#', name), &params.replace('#', name));
            check(&with(&fits), None);
            for long in [&*long, &"\\u00e4".repeat(MAX_NAME + 1), &"x".repeat(1 << 20)] {
                check(&with(long), Some(LONGEST_NAME));
            }
        }
    }

    #[test]
    fn a_refusal_has_the_id_of_its_request() {
        let long = request("tools/call", &format!(r#"{{"name":"{}"}}"#, "x".repeat(300)));
        let broken = envelope::parse(long.as_bytes()).unwrap_err();
        assert_eq!(broken.id, Some("1"));
        assert_eq!(broken.error.kind, ErrorKind::BadEnvelope);
    }

    #[test]
    fn more_arguments_than_any_tool_takes_are_refused() {
        let members = |count: u64| {
            let all: Vec<String> = (0..count).map(|at| format!(r#""a{at}":1"#)).collect();
            format!("{{{}}}", all.join(","))
        };
        let call = |arguments: &str| {
            request("tools/call", &format!(r#"{{"name":"a","arguments":{arguments}}}"#))
        };
        check(&call(&members(MEMBERS)), None);
        check(&call(&members(MEMBERS + 1)), Some("more than 1000 arguments"));
        // Deeper inside there may be a table of data.
        let most = members(MAX_MEMBERS as u64);
        check(&call(&format!(r#"{{"a":{{"b":{most},"c":{{"d":1}}}}}}"#)), None);
        let many = members(MAX_MEMBERS as u64 + 1);
        check(&call(&format!(r#"{{"a":{many}}}"#)), Some("more than 100000 members"));
        check(&format!(r#"{{"method":"m","params":{many}}}"#), Some("more than 100000 members"));
    }

    #[test]
    fn only_tools_are_given_much() {
        let much = format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_PARAMS));
        for method in CALLS {
            check(&request(method, &much), None);
        }
        for method in ["prompts/get", "completion/complete", "notifications/nonsense", "nonsense"] {
            check(&request(method, &much), Some("only tools are given more than 262144"));
        }
    }
}
