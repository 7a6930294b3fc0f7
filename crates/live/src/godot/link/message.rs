//! What comes over a link, read no further than is needed: a frame of some megabytes may be a million
//! values, each of which takes many times its text.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// An answer with more values is not read.
const MAX_VALUES: usize = 1_000_000;

/// A message, taken apart as text.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

/// What a message is.
pub(super) enum Kind<'a> {
    /// The answer to a request.
    Answer(u64),
    /// What the other side tells by itself.
    Event(&'a RawValue),
    /// Neither.
    Other,
}

impl<'a> Message<'a> {
    pub(super) fn kind(&self) -> Kind<'a> {
        match (self.id, self.params) {
            (Some(id), _) => id.get().parse().map_or(Kind::Other, Kind::Answer),
            (None, Some(params)) => Kind::Event(params),
            (None, None) => Kind::Other,
        }
    }
}

/// An answer whole, or an error in its place.
pub(super) fn answer(text: &[u8]) -> Value {
    let refused = |why: &str| json!({ "error": { "message": why } });
    if values(text) > MAX_VALUES {
        return refused("the answer has more than a million values, and is not read");
    }
    serde_json::from_slice(text).unwrap_or_else(|_| refused("the answer is no JSON"))
}

/// How many values a text in JSON has at most, counted without making any.
pub(super) fn values(text: &[u8]) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (1, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts() {
        for (text, most) in [("1", 1), ("[0,0,0]", 4), (r#"{"a":",,\",","b":[]}"#, 4)] {
            assert_eq!(values(text.as_bytes()), most, "{text}");
        }
    }

    #[test]
    fn an_answer_of_millions_of_values_is_an_error() {
        let many = format!(r#"{{"id":1,"result":[0{}]}}"#, ",0".repeat(MAX_VALUES));
        assert!(answer(many.as_bytes())["error"]["message"].to_string().contains("a million"));
        assert_eq!(answer(br#"{"id":1,"result":[0,0]}"#)["result"][1], 0);
    }
}
