//! Arguments as callers write them, made into those that a schema has: other words for a name, `null` for
//! what is left out, JSON in a string, a list for a vector. What cannot be read stays, and the check
//! tells what is wrong with it.

use std::borrow::Cow;

use scenewright_contract::JsonMap;
use scenewright_contract::echo::may_be_name;
use serde_json::Value;

use super::{MAX_PROBLEMS, spellings, type_name};

/// The members of an object, by its schema.
pub(super) struct Members<'s> {
    properties: &'s JsonMap,
    required: Vec<&'s str>,
    /// There can be no others.
    is_closed: bool,
}

impl<'s> Members<'s> {
    /// Those of a schema, or of the one alternative in it that is an object; nothing where the schema
    /// names none.
    fn of(schema: &'s Value) -> Option<Self> {
        let mut objects = alternatives(schema).filter(|one| one["properties"].is_object());
        let object = objects.next()?.as_object()?;
        objects.next().is_none().then(|| Self::of_object(object)).flatten()
    }

    /// Those of the schema of an object.
    pub(super) fn of_object(schema: &'s JsonMap) -> Option<Self> {
        let required = schema.get("required").and_then(Value::as_array);
        Some(Self {
            properties: schema.get("properties")?.as_object()?,
            required: required.into_iter().flatten().filter_map(Value::as_str).collect(),
            is_closed: schema.get("additionalProperties") == Some(&Value::Bool(false)),
        })
    }

    /// The same, where there can be no others.
    pub(super) fn closed(self) -> Self {
        Self { is_closed: true, ..self }
    }

    pub(super) fn respell(&self, members: &mut JsonMap) {
        self.take_nulls(members);
        if self.is_closed {
            self.respell_names(members);
        }
        for (key, value) in members {
            if let Some(property) = self.properties.get(key) {
                respell_value(property, value);
            }
        }
    }

    /// `null` for what need not be given is as if it were left out, except where null is a value.
    pub(super) fn take_nulls(&self, members: &mut JsonMap) {
        if !members.values().any(Value::is_null) {
            return;
        }
        let is_left_out = |name: &str| {
            let property = self.properties.get(name);
            let is_optional = !self.required.contains(&name);
            property.is_some_and(|property| is_optional && !takes_null_as_value(property))
        };
        let names: Vec<String> = self.properties.keys().cloned().collect();
        members.retain(|key, value| {
            let is_known = || self.properties.contains_key(key);
            let other = || spellings::meant(key, &names).filter(|_| self.is_closed && !is_known());
            !value.is_null() || !(is_left_out(key) || other().is_some_and(is_left_out))
        });
    }

    /// Whether a member is a text that need not be given.
    pub(super) fn is_optional_text(&self, name: &str) -> bool {
        let property = self.properties.get(name);
        let is_text = property
            .is_some_and(|property| is_of(property, "string") && !takes_null_as_value(property));
        is_text && !self.required.contains(&name)
    }

    /// Other words for a name as the name that is meant. What has one meaning is settled first, so that
    /// it is known what is still open for words that could mean several.
    fn respell_names(&self, members: &mut JsonMap) {
        let is_known = |key: &String| self.properties.contains_key(key);
        // A slip of the pen has not this many names; the check refuses them.
        let are_too_many = members.len() > self.properties.len() + MAX_PROBLEMS;
        if are_too_many || members.keys().all(is_known) {
            return;
        }
        let names: Vec<String> = self.properties.keys().cloned().collect();
        for is_by_what_is_open in [false, true] {
            let unknown = members.keys().filter(|key| !is_known(key) && may_be_name(key));
            let unknown: Vec<String> = unknown.cloned().collect();
            for key in unknown {
                let value = &members[&key];
                let open = || names.iter().filter(|name| !members.contains_key(*name));
                let meant = if is_by_what_is_open {
                    let open: Vec<&str> = open().map(String::as_str).collect();
                    spellings::meant_of(&key, value, &open, &self.required)
                } else {
                    spellings::meant(&key, &names).filter(|name| !members.contains_key(*name))
                };
                let meant = meant.map(str::to_owned);
                if let Some(meant) = meant
                    && let Some(value) = members.shift_remove(&key)
                {
                    members.insert(meant, value);
                }
            }
        }
    }
}

/// A schema, or the alternatives that it has.
fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    let others = schema["anyOf"].as_array().into_iter().flatten();
    std::iter::once(schema).filter(|one| one.get("anyOf").is_none()).chain(others)
}

/// Whether anything may stand there, null too, so that null is a value like others.
fn takes_null_as_value(schema: &Value) -> bool {
    /// A value with all types of JSON but null, which an optional argument of one type adds.
    const MANY: usize = 4;
    let types = schema["type"].as_array().map_or(0, Vec::len);
    let is_free = ["type", "anyOf", "enum", "properties"].iter().all(|key| schema[*key].is_null());
    is_free || types > MANY && is_of(schema, "null")
}

fn respell_value(property: &Value, value: &mut Value) {
    read_text(property, value);
    let items = &property["items"];
    if let Some(numbers) = numbers_of_vector(property, value) {
        *value = numbers;
    }
    if value.is_object() && is_of(property, "array") && is_of(items, "object") {
        // One, where several are taken.
        *value = Value::Array(vec![value.take()]);
    }
    if let (Value::Array(numbers), Some(names)) = (&*value, parts_of_vector(property))
        && (2..=names.len()).contains(&numbers.len())
        && numbers.iter().all(Value::is_number)
    {
        let members = names.iter().map(|name| (*name).to_owned()).zip(numbers.iter().cloned());
        *value = Value::Object(members.collect());
    }
    match value {
        Value::Array(list) => list.iter_mut().for_each(|item| respell_value(items, item)),
        Value::Object(object) => {
            if let Some(members) = Members::of(property) {
                members.respell(object);
            }
        }
        Value::Number(_) | Value::String(_) => respell_scalar(property, value),
        _ => {}
    }
}

/// JSON that was written as a string, as models and command lines do, and one string where a list of
/// them is taken. Where strings are taken they stay strings.
fn read_text(property: &Value, value: &mut Value) {
    let Value::String(text) = &*value else { return };
    if alternatives(property).any(takes_text) {
        return;
    }
    let is_wanted = |read: &Value| {
        let takes = |one: &Value| {
            let is_whole = read.as_f64().is_some_and(|number| number.fract() == 0.0);
            let is_number = read.is_number() && is_of(one, "number");
            is_of(one, type_name(read)) || is_number || is_whole && is_of(one, "integer")
        };
        // One object may stand for a list of them.
        let is_one_of = |one: &Value| read.is_object() && is_of(&one["items"], "object");
        let is_vector = read.is_array() && parts_of_vector(property).is_some()
            || numbers_of_vector(property, read).is_some();
        is_vector || alternatives(property).any(|one| takes(one) || is_one_of(one))
    };
    if let Some(read) = json_of(text).filter(is_wanted) {
        *value = read;
    } else if alternatives(property)
        .any(|one| is_of(one, "array") && is_of(&one["items"], "string"))
    {
        *value = Value::Array(vec![value.take()]);
    }
}

/// The JSON in a string; `True` and `False` too, as Python has them.
fn json_of(text: &str) -> Option<Value> {
    let text = match text.trim() {
        "True" => Cow::from("true"),
        "False" => Cow::from("false"),
        text => Cow::from(text),
    };
    serde_json::from_str(&text).ok()
}

/// Whether a schema takes any text, or words.
fn takes_text(schema: &Value) -> bool {
    schema["type"].is_null() && schema["properties"].is_null() || is_of(schema, "string")
}

fn respell_scalar(property: &Value, value: &mut Value) {
    let is_whole = is_of(property, "integer");
    // Beyond this a float is no longer exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if is_whole
        && value.is_f64()
        && let Some(number) = value.as_f64().filter(|n| n.fract() == 0.0 && n.abs() <= EXACT)
    {
        *value = Value::from(number as i64);
    }
    if let (Value::Array(words), Value::String(text)) = (&property["enum"], &mut *value) {
        let meant = words
            .iter()
            .filter_map(Value::as_str)
            .filter(|word| word.eq_ignore_ascii_case(text))
            .min_by_key(|word| *word != text);
        if let Some(meant) = meant {
            *text = meant.to_owned();
        }
    }
}

/// Whether a schema takes values of this type.
fn is_of(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    }
}

const VECTORS: [&[&str]; 4] =
    [&["x", "y"], &["x", "y", "z"], &["x", "y", "z", "w"], &["r", "g", "b", "a"]];

/// The members of an object that is a vector or a colour, which may be written as a list.
fn parts_of_vector(property: &Value) -> Option<&'static [&'static str]> {
    let members = alternatives(property).find_map(|one| one["properties"].as_object())?;
    VECTORS.into_iter().find(|names| {
        names.len() == members.len() && names.iter().all(|name| members.contains_key(*name))
    })
}

/// The other way round: the numbers of a vector that was written as an object, where a list of numbers
/// is taken.
fn numbers_of_vector(property: &Value, value: &Value) -> Option<Value> {
    let takes = |one: &Value| is_of(one, "array") && is_of(&one["items"], "number");
    let members = value.as_object().filter(|_| alternatives(property).any(takes))?;
    let is_whole = |names: &&[&str]| {
        names.len() == members.len() && names.iter().all(|name| members.contains_key(*name))
    };
    let names = VECTORS.into_iter().find(is_whole)?;
    let numbers = names.iter().map(|name| members.get(*name).filter(|part| part.is_number()));
    numbers.map(|number| number.cloned()).collect::<Option<Vec<_>>>().map(Value::Array)
}
