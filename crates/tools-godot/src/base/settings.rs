//! `project.godot` on its way through a tool.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{Config, Document, Form, TupleKind, Variant};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use serde_json::Value;

use crate::base::values::{json_inside, tuple};
use crate::base::{Godot, Write, saved};

/// Values nested deeper are refused; no setting comes near it.
const MAX_DEPTH: usize = 32;

/// The project's settings, as they were read and as they are to be.
pub struct OpenSettings {
    path: ProjectPath,
    /// As they are to be.
    pub config: Config,
    before: Vec<u8>,
}

impl Godot<'_> {
    /// Open the project's settings for reading or changing.
    pub fn open_settings(&self) -> Result<OpenSettings, ToolError> {
        let path = self.path("project.godot")?;
        let before = self.read(&path)?;
        Ok(OpenSettings { path, config: Config::parse(before.clone()), before })
    }
}

impl OpenSettings {
    /// Write the settings, if they changed, through the door.
    pub fn save(&self, godot: &Godot<'_>, write: Write) -> Result<Written, ToolError> {
        let mut plan = Plan::new(godot.project);
        self.add_to(&mut plan);
        saved(godot, plan, write)
    }

    /// Make their change part of a plan.
    pub fn add_to<'a>(&'a self, plan: &mut Plan<'a>) {
        plan.write(&self.path, Some(&self.before), self.config.as_bytes());
    }
}

/// Read the value that a caller gives for a setting. What the setting holds `now` decides what a
/// text or a list of numbers means; where nothing does, the text is read as Godot writes values,
/// and is itself when it is none.
pub fn setting_value(now: Option<&Variant>, value: &Value) -> Result<Variant, ToolError> {
    as_given(now, value).or_else(|error| {
        let inside = json_inside(value).and_then(|inside| as_given(now, &inside).ok());
        inside.ok_or(error)
    })
}

fn as_given(now: Option<&Variant>, value: &Value) -> Result<Variant, ToolError> {
    let read = match (now, value) {
        (_, Value::Null) => Some(Variant::Nil),
        (Some(Variant::String(_) | Variant::StringName(_)), Value::String(text)) => {
            Some(quoted(text).unwrap_or_else(|| Variant::String(text.clone())))
        }
        (Some(now), Value::Number(number)) if now.type_name() == "float" => {
            number.as_f64().map(Variant::float)
        }
        (Some(now), _) => {
            TupleKind::of_name(now.type_name().as_bytes()).and_then(|kind| tuple(kind, value))
        }
        _ => None,
    };
    let read = match read {
        Some(read) => read,
        None => plain_value(value, 0)?,
    };
    let fits = |now: &Variant| {
        let (old, new) = (now.type_name(), read.type_name());
        let number = |name: &str| matches!(name, "int" | "float");
        let text = |name: &str| matches!(name, "String" | "StringName");
        let list = |name: &str| matches!(name, "Array" | "PackedStringArray");
        old == new
            || [old, new].contains(&"Nil")
            || (number(old) && number(new))
            || (text(old) && text(new))
            || (list(old) && list(new))
    };
    match now {
        Some(now) if !fits(now) => Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("the setting is a {}, and {value} is a {}", now.type_name(), read.type_name()),
        )
        .hint(format!("it is {} now; write the new value like that", now.to_text(3)))),
        Some(Variant::Strings(_)) if matches!(read, Variant::Array(..)) => {
            Ok(Variant::Strings(read.strings()))
        }
        _ => Ok(read),
    }
}

/// A value by itself.
fn plain_value(value: &Value, depth: usize) -> Result<Variant, ToolError> {
    if depth > MAX_DEPTH {
        return Err(ToolError::bad_argument("value", "is nested too deeply"));
    }
    Ok(match value {
        Value::Null => Variant::Nil,
        Value::Bool(truth) => Variant::Bool(*truth),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Variant::int(whole),
            None => Variant::float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => {
            Variant::parse(text.trim()).unwrap_or_else(|_| Variant::String(text.clone()))
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| plain_value(item, depth + 1));
            Variant::Array(None, items.collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let pairs = members.iter().map(|(key, value)| {
                Ok((Variant::String(key.clone()), plain_value(value, depth + 1)?))
            });
            Variant::Dictionary(None, pairs.collect::<Result<_, ToolError>>()?)
        }
    })
}

/// A text that somebody wrote with its quotes.
fn quoted(text: &str) -> Option<Variant> {
    let text = text.trim();
    let is_quoted = text.len() > 1 && text.ends_with('"');
    let starts = text.starts_with('"') || text.starts_with("&\"");
    Variant::parse(text).ok().filter(|_| is_quoted && starts)
}

/// A document to show values of settings with; they name no resources.
pub fn no_document() -> Document {
    Document::parse(Vec::new(), Form::Config)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(now: &str, value: Value, expected: &str) {
        let now = Some(now).filter(|now| !now.is_empty()).map(|now| Variant::parse(now).unwrap());
        let shown = match setting_value(now.as_ref(), &value) {
            Ok(value) => value.to_text(3),
            Err(error) => format!("{}; {}", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_there_decides() {
        check("\"a\"", json!("12"), "\"12\"");
        check("\"a\"", json!("\"12\""), "\"12\"");
        check("&\"a\"", json!("&\"b\""), "&\"b\"");
        check("1.5", json!(2), "2.0");
        check("1", json!("2"), "2");
        check("Vector2(1, 2)", json!({ "x": 3, "y": 4 }), "Vector2(3, 4)");
        check("Color(0, 0, 0, 1)", json!([1, 0, 0]), "Color(1, 0, 0, 1)");
        check("PackedStringArray()", json!(["a"]), "PackedStringArray(\"a\")");
        check("Color(0, 0, 0, 1)", json!("#ff0000"), "Color(1, 0, 0, 1)");
        check("Color(0, 0, 0, 1)", json!("Color(1, 1, 1, 1)"), "Color(1, 1, 1, 1)");
        check("true", json!("false"), "false");
    }

    #[test]
    fn without_anything_there_the_value_speaks_for_itself() {
        check("", json!("Some words"), "\"Some words\"");
        check("", json!("1280"), "1280");
        check("", json!("Vector2(1, 2)"), "Vector2(1, 2)");
        check("", json!("PackedStringArray(\"a\")"), "PackedStringArray(\"a\")");
        check("", json!({ "a": [1, 2.5] }), "{\n\"a\": [1, 2.5]\n}");
        check("", json!("res://icon.svg"), "\"res://icon.svg\"");
    }

    #[test]
    fn another_kind_is_refused_with_what_is_there() {
        check(
            "640",
            json!("wide"),
            "the setting is a int, and \"wide\" is a String; it is 640 now; write the new value like that",
        );
    }
}
