//! The examples of a definition, against its own schemas.

use serde_json::Value;

use super::Rule;
use super::cx::{Cx, join};
use super::schema::{Level, Side};
use super::value::{Rest, check_members};
use crate::JsonMap;

const REQUIRED: [(&str, &str); 3] = [
    ("description", "what the example shows"),
    ("input", "an object of arguments"),
    ("output", "an object of output properties"),
];

const KEYS: [&str; 3] = ["description", "input", "output"];

pub(super) fn check_examples(cx: &mut Cx<'_>, at: &str, value: &Value, definition: &JsonMap) {
    let Some(examples) = value.as_array() else {
        return cx.wrong_type(at, "an array of examples", value);
    };
    if !(1..=3).contains(&examples.len()) {
        let message = format!("{} examples; give one to three", examples.len());
        cx.warn(at, Rule::Advice, message);
    }
    for (index, example) in examples.iter().enumerate() {
        check_example(cx, &format!("{at}/{index}"), example, definition);
    }
}

fn check_example(cx: &mut Cx<'_>, at: &str, value: &Value, definition: &JsonMap) {
    if !cx.visit(at) {
        return;
    }
    let wanted = "an object with description, input and output";
    let Some(example) = cx.object(at, wanted, value) else { return };
    cx.check_present(at, example, &REQUIRED);
    for (key, value) in example {
        let at = &join(at, key);
        match key.as_str() {
            "description" => {
                cx.text(at, value);
            }
            "input" => check_half(cx, at, value, definition.get("inputs"), Side::Inputs),
            "output" => check_half(cx, at, value, definition.get("outputs"), Side::Outputs),
            unknown => cx.unknown_key(at, unknown, &KEYS),
        }
    }
}

fn check_half(cx: &mut Cx<'_>, at: &str, value: &Value, schemas: Option<&Value>, side: Side) {
    let Some(members) = cx.object(at, "an object", value) else { return };
    // Without readable schemas there is nothing to compare with; that is reported where they stand.
    let Some(Value::Object(properties)) = schemas else { return };
    check_members(cx, at, members, properties, Rest::Nothing, Level::top(side));
}
