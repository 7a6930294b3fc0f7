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

    /// The same with remarks in `notes`, for readers who are shown nothing beside the data. A tool's
    /// own list of that name goes on with them; what is no object has no place for any.
    #[must_use]
    pub fn with_notes(self, notes: &[String]) -> Self {
        if notes.is_empty() {
            return self;
        }
        let free = self.text.as_deref().filter(|text| !text.get().contains(r#""notes""#));
        if let Some(text) = free.and_then(|text| add(text, notes)) {
            return Self { text: Some(text), value: OnceLock::new() };
        }
        let mut value = self.into_value();
        if let Value::Object(members) = &mut value {
            let own = members.entry("notes").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(own) = own {
                own.extend(notes.iter().map(|note| Value::from(note.as_str())));
            }
        }
        value.into()
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

/// Notes behind the last member of a written object, without reading all of it.
fn add(text: &RawValue, notes: &[String]) -> Option<Box<RawValue>> {
    let members = text.get().trim_end().strip_suffix('}')?.trim_end();
    let comma = if members.ends_with('{') { "" } else { "," };
    let notes = serde_json::to_string(notes).ok()?;
    RawValue::from_string(format!(r#"{members}{comma}"notes":{notes}}}"#)).ok()
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
    fn remarks_are_told_in_the_data() {
        let notes = ["a".to_owned(), "\"b\"".to_owned()];
        let told = json!(notes);
        for (value, expected) in [
            (json!({}), json!({ "notes": told })),
            (json!({ "a": { "b": 1 } }), json!({ "a": { "b": 1 }, "notes": told })),
            (json!({ "notes": ["x"] }), json!({ "notes": ["x", "a", "\"b\""] })),
            (json!({ "notes": "x" }), json!({ "notes": "x" })),
            (json!([1]), json!([1])),
        ] {
            assert_eq!(Output::from(value.clone()).with_notes(&notes), expected);
            assert_eq!(Output::written(&value).unwrap().with_notes(&notes), expected);
            assert_eq!(Output::from(value.clone()).with_notes(&[]), value);
        }
        assert!(Output::written(&json!({ "a": 1 })).unwrap().with_notes(&notes).is_text());
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
