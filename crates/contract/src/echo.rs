//! What a caller sent, said back to it: never more than a sentence needs. An error that repeats a
//! long text costs its reader as much as the text itself.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};

use serde_json::Value;

use crate::{JsonMap, ToolError};

/// The longest name of anything that can be asked for, in characters; ours are far shorter.
pub const MAX_NAME: usize = 200;
/// The longest address of a resource, in bytes. Paths are in it, some of them percent-encoded.
pub const MAX_URI: usize = 4096;
/// The longest piece of a caller's text that an error repeats, in characters.
pub const MAX_ECHO: usize = 200;
/// An error to a call with long texts in it is cut to so many characters, whatever it says.
const MAX_MESSAGE: usize = 2000;
/// More long texts than these are not looked for in an error; it is only cut.
const MAX_TEXTS: usize = 16;

/// Whether a text can be a name at all. What cannot is refused without a further look.
pub fn may_be_name(text: &str) -> bool {
    text.len() <= MAX_NAME || text.chars().nth(MAX_NAME).is_none()
}

/// A text as errors repeat it.
pub fn brief(text: &str) -> Cow<'_, str> {
    cut(text, MAX_ECHO)
}

/// Anything that can be written, as errors repeat it. It is written no further than it is shown.
pub fn brief_of(value: &impl Display) -> String {
    struct Brief {
        text: String,
        left: usize,
    }
    impl Write for Brief {
        fn write_str(&mut self, piece: &str) -> fmt::Result {
            for letter in piece.chars() {
                if self.left == 0 {
                    self.text.push('…');
                    return Err(fmt::Error);
                }
                self.left -= 1;
                self.text.push(letter);
            }
            Ok(())
        }
    }
    let mut brief = Brief { text: String::new(), left: MAX_ECHO };
    // The one error is that there was enough.
    let _ = write!(brief, "{value}");
    brief.text
}

fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The long texts of a call's arguments, so that its error does not repeat them.
#[derive(Debug, Default)]
pub struct LongTexts(Vec<String>);

impl LongTexts {
    /// Those in `arguments`; nothing is copied when there are none.
    pub fn of(arguments: &JsonMap) -> Self {
        let mut found = Self::default();
        found.add_members(arguments);
        found
    }

    fn add_members(&mut self, members: &JsonMap) {
        for (name, value) in members {
            self.add(name);
            self.add_value(value);
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text),
            Value::Array(items) => items.iter().for_each(|item| self.add_value(item)),
            Value::Object(members) => self.add_members(members),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn add(&mut self, text: &str) {
        if self.0.len() < MAX_TEXTS && text.len() > MAX_ECHO && !may_be_name(text) {
            self.0.push(text.to_owned());
        }
    }

    /// `error` without them.
    pub fn cut_from(&self, mut error: ToolError) -> ToolError {
        if self.0.is_empty() {
            return error;
        }
        self.cut(&mut error.message);
        error.hint.iter_mut().for_each(|hint| self.cut(hint));
        error.tool.iter_mut().for_each(|tool| self.cut(tool));
        error.details.values_mut().for_each(|value| self.cut_value(value));
        error
    }

    fn cut_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.cut(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.cut_value(item)),
            Value::Object(members) => members.values_mut().for_each(|one| self.cut_value(one)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn cut(&self, said: &mut String) {
        if said.len() <= MAX_ECHO {
            return;
        }
        for text in &self.0 {
            if said.contains(text) {
                *said = said.replace(text, &brief(text));
            }
        }
        // The text may have been changed on its way: trimmed, escaped, put into another.
        if let Cow::Owned(shorter) = cut(said, MAX_MESSAGE) {
            *said = shorter;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ErrorKind;

    #[test]
    fn a_long_text_is_cut_between_letters() {
        assert_eq!(brief("short"), "short");
        let long = "ä".repeat(MAX_ECHO);
        assert_eq!(brief(&long), long);
        assert_eq!(brief(&format!("{long}b")), format!("{long}…"));
        assert_eq!(brief_of(&format!("{long}b")), format!("{long}…"));
        assert_eq!(brief_of(&json!([1, "a"])), r#"[1,"a"]"#);
        assert!(may_be_name(&long) && !may_be_name(&format!("{long}b")));
    }

    #[test]
    fn an_error_does_not_repeat_what_it_was_given() {
        let long = "x".repeat(10_000);
        let arguments = json!({ "path": long, "list": [{ "deep": "y".repeat(300) }] });
        let Value::Object(arguments) = arguments else { unreachable!("an object literal") };
        let error = ToolError::new(ErrorKind::ToolFailed, format!("no file res://{long} here"))
            .hint(format!("is {} meant?", "y".repeat(300)))
            .detail("path", json!([format!("/a/{long}")]));
        let error = LongTexts::of(&arguments).cut_from(error);
        let x = "x".repeat(MAX_ECHO);
        assert_eq!(error.message, format!("no file res://{x}… here"));
        assert_eq!(error.hint, Some(format!("is {}… meant?", "y".repeat(MAX_ECHO))));
        assert_eq!(error.details["path"], json!([format!("/a/{x}…")]));
        let changed = ToolError::failed(format!("{long:?}").replace('x', "z"));
        assert_eq!(LongTexts::of(&arguments).cut_from(changed).message.chars().count(), 2001);
    }

    #[test]
    fn a_call_without_long_texts_keeps_its_error() {
        let error = ToolError::failed("z".repeat(10_000));
        let texts = LongTexts::of(&JsonMap::from_iter([("a".to_owned(), json!("b"))]));
        assert_eq!(texts.cut_from(error.clone()), error);
    }
}
