//! What a tool gives back.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// The JSON that a tool gives back: a value, or the text of one that is too large to be built only
/// to be written again. Looking into a text reads it first.
#[derive(Debug, Clone)]
pub struct Output {
    text: Option<Box<RawValue>>,
    value: OnceLock<Value>,
}

impl Output {
    /// The text of `output`, written once. It is on one line: messages are lines and events in
    /// some protocols, and it goes into them as it is.
    pub fn written(output: &impl Serialize) -> serde_json::Result<Self> {
        let text = serde_json::value::to_raw_value(output)?;
        // Only between tokens can there be any, so only where raw JSON of others was put in.
        if text.get().bytes().any(|byte| matches!(byte, b'\n' | b'\r')) {
            return serde_json::from_str::<Value>(text.get()).map(Self::from);
        }
        Ok(Self { text: Some(text), value: OnceLock::new() })
    }

    /// Whether it is a text that was not read yet.
    pub fn is_text(&self) -> bool {
        self.text.is_some() && self.value.get().is_none()
    }

    /// The bytes of a text that was not read yet.
    pub fn text_len(&self) -> usize {
        self.text.as_ref().map_or(0, |text| text.get().len())
    }

    /// The JSON as text.
    pub fn into_text(self) -> String {
        match self.text {
            Some(text) => Box::<str>::from(text).into_string(),
            None => self.to_string(),
        }
    }

    /// The JSON as a value.
    pub fn into_value(self) -> Value {
        match self.value.into_inner() {
            Some(value) => value,
            None => parse(self.text.as_deref()),
        }
    }
}

fn parse(text: Option<&RawValue>) -> Value {
    // Only what serde wrote itself is in it; a number beyond 64 bits is all that could fail.
    text.and_then(|text| serde_json::from_str(text.get()).ok()).unwrap_or_default()
}

impl From<Value> for Output {
    fn from(value: Value) -> Self {
        Self { text: None, value: value.into() }
    }
}

impl Default for Output {
    fn default() -> Self {
        Value::Null.into()
    }
}

impl Deref for Output {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.value.get_or_init(|| parse(self.text.as_deref()))
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.text {
            Some(text) => text.serialize(serializer),
            None => (**self).serialize(serializer),
        }
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text.get()),
            None => (**self).fmt(f),
        }
    }
}

impl PartialEq for Output {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq<Value> for Output {
    fn eq(&self, other: &Value) -> bool {
        **self == *other
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::Output;

    #[test]
    fn a_text_is_on_one_line() {
        let raw = |text: &str| serde_json::from_str::<Box<RawValue>>(text).unwrap();
        let one = Output::written(&raw(r#"{ "a" : [1, "\n"] }"#)).unwrap();
        assert_eq!(one.to_string(), r#"{ "a" : [1, "\n"] }"#);
        let more = Output::written(&raw("{\r\n \"a\": 1\n}")).unwrap();
        assert_eq!(more.to_string(), r#"{"a":1}"#);
    }

    #[test]
    fn a_text_is_the_value_it_was_written_from() {
        let value = json!({ "b": [1, null, "x\n"], "a": {} });
        let text = Output::written(&value).unwrap();
        assert!(text.is_text());
        assert_eq!(text.to_string(), value.to_string());
        assert_eq!(serde_json::to_value(&text).unwrap(), value);
        assert!(text.is_text());
        assert_eq!(text["b"][2], "x\n");
        assert!(!text.is_text());
        assert_eq!(text, Output::from(value.clone()));
        assert_eq!(text.clone().into_text(), value.to_string());
        assert_eq!(text.into_value(), value);
        assert_eq!(Output::written(&value).unwrap().into_value(), value);
    }
}
