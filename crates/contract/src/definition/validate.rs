//! Checks tool definitions that others wrote against spec 003.
//!
//! Every function here takes the value and its JSON pointer, says what is wrong with it and goes
//! on; nothing stops at the first problem. Members are visited in the order of the text, so the
//! problems come out in that order without sorting.

mod cx;
mod examples;
mod identity;
mod schema;
#[cfg(test)]
mod tests;
mod value;
mod words;

use serde_json::Value;

use self::cx::{Cx, join};
use self::words::found;
use crate::JsonMap;

/// How strictly a definition is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Spec 003 v0.1 to the letter: lowercase ids, the closed category list, read-only, core.
    V01,
    /// What the published later tools use: camelCase id segments, open categories, all safety
    /// levels and tiers.
    Open,
}

/// Whether a problem makes a definition invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The definition breaks a "must" of the spec.
    Error,
    /// The definition goes against a "should" of the spec, or holds something nobody reads.
    Warning,
}

/// Which of the spec's six validation rules, or a constraint or advice of a field, is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Rule 1: all required fields are present and non-empty.
    RequiredFields,
    /// Rule 2: ids are unique across all tools.
    IdUniqueness,
    /// Rule 3: values are of the type that the spec or the definition itself declares.
    TypeConsistency,
    /// Rule 4: the safety level and the tier are among those of the profile.
    SafetyCompliance,
    /// Rule 5: the category is one of the standard ones.
    CategoryValidity,
    /// Rule 6: schemas say enough to validate with.
    SchemaCompleteness,
    /// A constraint listed with one field.
    Constraint,
    /// A recommendation listed with one field.
    Advice,
}

/// One thing that is wrong with a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The label of the file, as the caller gave it.
    pub source: String,
    /// Where in that file, as an RFC 6901 JSON pointer.
    pub pointer: String,
    /// What it breaks.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// What was found and what to write instead.
    pub message: String,
}

/// Check every definition of every source; the order of the answer is the order of the text.
///
/// A source is one definition, an array of them, or an object with them under `tools` or `tool`.
///
/// ```
/// use scenewright_contract::definition::validate::{Profile, validate};
///
/// let file = serde_json::json!({ "tools": [7] });
/// let problems = validate(&[("tools.json".to_owned(), file)], Profile::V01);
/// assert_eq!(problems[0].pointer, "/tools/0");
/// ```
pub fn validate(sources: &[(String, Value)], profile: Profile) -> Vec<Problem> {
    let mut cx = Cx::new(profile);
    for (source, root) in sources {
        cx.source = source;
        check_source(&mut cx, root);
    }
    cx.problems
}

impl Severity {
    /// The word for it: `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl Rule {
    /// The rule's stable name, such as `required-fields`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RequiredFields => "required-fields",
            Self::IdUniqueness => "id-uniqueness",
            Self::TypeConsistency => "type-consistency",
            Self::SafetyCompliance => "safety-compliance",
            Self::CategoryValidity => "category-validity",
            Self::SchemaCompleteness => "schema-completeness",
            Self::Constraint => "constraint",
            Self::Advice => "advice",
        }
    }
}

/// The required fields of a definition, each with what to write.
const REQUIRED: [(&str, &str); 8] = [
    ("id", "a string such as \"scene.hierarchy.dump\""),
    ("name", "a string such as \"Dump Scene Hierarchy\""),
    ("description", "one to three sentences"),
    ("category", "a string such as \"scene\""),
    ("safetyLevel", "a string such as \"read-only\""),
    ("tier", "a string such as \"core\""),
    ("inputs", "an object of parameters, {} if there are none"),
    ("outputs", "an object of output properties"),
];

const KEYS: [&str; 11] = [
    "id",
    "name",
    "description",
    "category",
    "safetyLevel",
    "tier",
    "inputs",
    "outputs",
    "notes",
    "examples",
    "schemaVersion",
];

fn check_source<'a>(cx: &mut Cx<'a>, root: &'a Value) {
    match root {
        Value::Array(definitions) => check_list(cx, "", definitions),
        Value::Object(object) if is_wrapper(object) => check_wrapper(cx, object),
        Value::Object(_) => check_definition(cx, "", root),
        other => cx.error(
            "",
            Rule::TypeConsistency,
            format!(
                "write a tool definition, an array of them or {{\"tools\": [...]}}; found {}",
                found(other)
            ),
        ),
    }
}

/// Whether `object` holds definitions rather than being one.
fn is_wrapper(object: &JsonMap) -> bool {
    let tools = object.get("tools");
    let tool = object.get("tool");
    tools.is_some_and(Value::is_array)
        || tool.is_some_and(Value::is_object)
        || ((tools.is_some() || tool.is_some()) && !object.contains_key("id"))
}

fn check_wrapper<'a>(cx: &mut Cx<'a>, object: &'a JsonMap) {
    for (key, value) in object {
        match (key.as_str(), value) {
            ("tools", Value::Array(definitions)) => check_list(cx, "/tools", definitions),
            ("tools", other) => cx.wrong_type("/tools", "an array of tool definitions", other),
            ("tool", definition) => check_definition(cx, "/tool", definition),
            // A server's answer has more beside its tools; that is not ours to judge.
            _ => {}
        }
    }
}

fn check_list<'a>(cx: &mut Cx<'a>, at: &str, definitions: &'a [Value]) {
    for (index, definition) in definitions.iter().enumerate() {
        check_definition(cx, &format!("{at}/{index}"), definition);
    }
}

fn check_definition<'a>(cx: &mut Cx<'a>, at: &str, value: &'a Value) {
    let Some(definition) = cx.object(at, "a tool definition (an object)", value) else { return };
    cx.start_definition();
    cx.check_present(at, definition, &REQUIRED);
    for (key, value) in definition {
        let at = &join(at, key);
        match key.as_str() {
            "id" => identity::check_id(cx, at, value),
            "name" => identity::check_name(cx, at, value),
            "description" => identity::check_description(cx, at, value),
            "category" => identity::check_category(cx, at, value, definition),
            "safetyLevel" => identity::check_safety_level(cx, at, value),
            "tier" => identity::check_tier(cx, at, value),
            "inputs" => schema::check_inputs(cx, at, value),
            "outputs" => schema::check_outputs(cx, at, value),
            "notes" => check_notes(cx, at, value),
            "examples" => examples::check_examples(cx, at, value, definition),
            "schemaVersion" => {}
            unknown => cx.unknown_key(at, unknown, &KEYS),
        }
    }
}

fn check_notes(cx: &mut Cx<'_>, at: &str, value: &Value) {
    if !value.is_string() {
        cx.wrong_type(at, "a string", value);
    }
}
