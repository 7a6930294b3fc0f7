//! The part of JSON Schema (draft 2020-12) that our tools' inputs are written in. A schema with
//! anything else in it is refused when it is compiled, so nothing goes unchecked.

use std::cmp::Ordering;
use std::collections::HashMap;

use scenewright_contract::echo::brief_of;
use scenewright_contract::{JsonMap, bounds};
use serde_json::{Number, Value};

/// What a value must be, compiled from a schema.
#[derive(Default)]
pub struct Rule {
    /// None for a value of any type.
    types: Option<Vec<Type>>,
    /// Strings and null.
    options: Option<Value>,
    minimum: Option<Number>,
    maximum: Option<Number>,
    exclusive_minimum: Option<Number>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    min_items: Option<u64>,
    max_items: Option<u64>,
    max_properties: Option<u64>,
    required: Vec<String>,
    properties: HashMap<String, Rule>,
    /// Their names, in the order of the schema: what is used most comes first.
    names: Vec<String>,
    /// Other properties are refused.
    is_closed: bool,
    items: Option<Box<Rule>>,
    any_of: Vec<Rule>,
}

/// In the order in which messages list them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// One thing that is wrong.
pub enum Fault<'r, 'v> {
    /// A property is not there.
    Missing(&'r str),
    /// A value of another type than these.
    Type {
        /// The types that it may have.
        expected: String,
        /// What is there.
        actual: &'v Value,
    },
    /// A property that is not known, of an object with this rule.
    Unknown(&'v str, &'r Rule),
    /// None of a list of words.
    NotOneOf(&'r Value, &'v Value),
    /// Too small a number.
    Below(&'r Number),
    /// Too large a number.
    Above(&'r Number),
    /// Too many characters, items or members.
    TooMany {
        /// What is counted, such as `item`.
        noun: &'static str,
        /// How many there are.
        count: u64,
        /// How many may be.
        most: u64,
    },
    /// Anything else, said whole.
    Other(String),
}

impl Rule {
    /// The properties that an object may have, in the order of the schema.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Compile a schema; the error names what is not known here.
    pub fn new(schema: &Value) -> Result<Rule, String> {
        match schema {
            Value::Bool(true) => Ok(Rule::default()),
            Value::Object(schema) => Rule::of(schema),
            _ => Err(format!("{schema} is no schema")),
        }
    }

    /// The same, for the schema of an object.
    pub fn of(schema: &JsonMap) -> Result<Rule, String> {
        let mut rule = Rule::default();
        for (keyword, value) in schema {
            rule.set(keyword, value)
                .ok_or_else(|| format!("'{keyword}: {value}' is not checked"))??;
        }
        Ok(rule)
    }

    /// None for what is not known.
    fn set(&mut self, keyword: &str, value: &Value) -> Option<Result<(), String>> {
        match keyword {
            "description" | "default" => {}
            "type" => self.types = Some(types(value)?),
            "enum" => {
                let options = value.as_array()?;
                if !options.iter().all(|option| option.is_string() || option.is_null()) {
                    return None;
                }
                self.options = Some(value.clone());
            }
            "minimum" => self.minimum = Some(value.as_number()?.clone()),
            "maximum" => self.maximum = Some(value.as_number()?.clone()),
            "exclusiveMinimum" => self.exclusive_minimum = Some(value.as_number()?.clone()),
            "minLength" => self.min_length = Some(value.as_u64()?),
            "maxLength" => self.max_length = Some(value.as_u64()?),
            "minItems" => self.min_items = Some(value.as_u64()?),
            "maxItems" => self.max_items = Some(value.as_u64()?),
            "maxProperties" => self.max_properties = Some(value.as_u64()?),
            "required" => {
                let names = value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
                self.required = names.collect::<Option<_>>()?;
            }
            "additionalProperties" => self.is_closed = !value.as_bool()?,
            "properties" => {
                let rules = value.as_object()?.iter();
                self.names = rules.clone().map(|(name, _)| name.clone()).collect();
                let rules = rules.map(|(name, schema)| Ok((name.clone(), Rule::new(schema)?)));
                return Some(rules.collect::<Result<_, _>>().map(|rules| self.properties = rules));
            }
            "items" => {
                return Some(Rule::new(value).map(|rule| self.items = Some(Box::new(rule))));
            }
            "anyOf" => {
                let rules: Result<_, _> = value.as_array()?.iter().map(Rule::new).collect();
                return Some(rules.map(|rules| self.any_of = rules));
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Tell every fault of `value`, with the place it is at, such as `nodes.0.name`.
    pub fn check<'r, 'v>(
        &'r self,
        value: &'v Value,
        at: &str,
        tell: &mut dyn FnMut(&str, Fault<'r, 'v>),
    ) {
        if let Some(types) = &self.types
            && !types.iter().any(|one| one.includes(value))
        {
            tell(at, Fault::Type { expected: names(types), actual: value });
        }
        if let Some(options) = &self.options
            && !options.as_array().is_some_and(|options| options.contains(value))
        {
            tell(at, Fault::NotOneOf(options, value));
        }
        if self.is_free() && !is_small(value) {
            return tell(at, Fault::Other(TOO_LARGE.to_owned()));
        }
        match value {
            Value::Number(number) => self.check_number(number, at, tell),
            Value::String(text) => self.check_text(value, text, at, tell),
            Value::Array(items) => self.check_items(value, items, at, tell),
            Value::Object(members) => self.check_members(members, at, tell),
            Value::Null | Value::Bool(_) => {}
        }
        if !self.any_of.is_empty() && !self.any_of.iter().any(|rule| rule.fits(value)) {
            let problem = "is not valid under any of the schemas listed in the 'anyOf' keyword";
            tell(at, Fault::Other(format!("{} {problem}", brief_of(value))));
        }
    }

    /// Whether anything may stand there, so that only its size can be judged.
    fn is_free(&self) -> bool {
        let is_any = self.types.is_none() && self.any_of.is_empty() && self.options.is_none();
        let is_map = self.max_properties.is_some() && self.properties.is_empty();
        is_any && self.properties.is_empty() || is_map
    }

    fn fits(&self, value: &Value) -> bool {
        let mut fits = true;
        self.check(value, "", &mut |_, _| fits = false);
        fits
    }

    fn check_number<'r, 'v>(
        &'r self,
        number: &Number,
        at: &str,
        tell: &mut dyn FnMut(&str, Fault<'r, 'v>),
    ) {
        let is_below = |limit: &&Number| compare(number, limit).is_lt();
        if let Some(limit) = self.minimum.as_ref().filter(is_below) {
            tell(at, Fault::Below(limit));
        }
        if let Some(limit) = self.maximum.as_ref().filter(|it| compare(number, it).is_gt()) {
            tell(at, Fault::Above(limit));
        }
        if let Some(limit) =
            self.exclusive_minimum.as_ref().filter(|it| compare(number, it).is_le())
        {
            let problem = format!("{number} is less than or equal to the minimum of {limit}");
            tell(at, Fault::Other(problem));
        }
    }

    fn check_text<'r, 'v>(
        &'r self,
        value: &Value,
        text: &str,
        at: &str,
        tell: &mut dyn FnMut(&str, Fault<'r, 'v>),
    ) {
        if self.min_length.is_none() && self.max_length.is_none() {
            return;
        }
        // Characters are one byte or more, so that few texts need to be counted.
        let most = self.max_length.unwrap_or(u64::MAX);
        if self.min_length.is_none() && text.len() as u64 <= most {
            return;
        }
        let length = text.chars().count() as u64;
        if let Some(limit) = self.min_length.filter(|limit| length < *limit) {
            tell(
                at,
                Fault::Other(format!(
                    "{} is shorter than {}",
                    brief_of(value),
                    count(limit, "character")
                )),
            );
        }
        if let Some(most) = self.max_length.filter(|most| length > *most) {
            tell(at, Fault::TooMany { noun: "character", count: length, most });
        }
    }

    fn check_items<'r, 'v>(
        &'r self,
        value: &Value,
        items: &'v [Value],
        at: &str,
        tell: &mut dyn FnMut(&str, Fault<'r, 'v>),
    ) {
        if let Some(limit) = self.min_items.filter(|limit| (items.len() as u64) < *limit) {
            tell(
                at,
                Fault::Other(format!("{} has less than {}", brief_of(value), count(limit, "item"))),
            );
        }
        if let Some(most) = self.max_items.filter(|most| items.len() as u64 > *most) {
            // What is too much is not looked at.
            return tell(at, Fault::TooMany { noun: "item", count: items.len() as u64, most });
        }
        let Some(rule) = &self.items else { return };
        for (index, item) in items.iter().enumerate() {
            rule.check(item, &super::join(at, &index.to_string()), tell);
        }
    }

    fn check_members<'r, 'v>(
        &'r self,
        members: &'v JsonMap,
        at: &str,
        tell: &mut dyn FnMut(&str, Fault<'r, 'v>),
    ) {
        if let Some(most) = self.max_properties.filter(|most| members.len() as u64 > *most) {
            return tell(at, Fault::TooMany { noun: "member", count: members.len() as u64, most });
        }
        // One missing name has always been told last and several first; answers stay the same.
        let is_told_last = self.required.len() == 1 && self.is_closed;
        let missing = || self.required.iter().filter(|name| !members.contains_key(*name));
        if !is_told_last {
            missing().for_each(|name| tell(at, Fault::Missing(name)));
        }
        for (name, value) in members {
            if let Some(rule) = self.properties.get(name) {
                rule.check(value, &super::join(at, name), tell);
            }
        }
        if self.is_closed {
            let unknown = members.keys().filter(|name| !self.properties.contains_key(*name));
            unknown.for_each(|name| tell(at, Fault::Unknown(name, self)));
        }
        if is_told_last {
            missing().for_each(|name| tell(at, Fault::Missing(name)));
        }
    }
}

impl Type {
    const NAMES: [(&str, Type); 7] = [
        ("null", Type::Null),
        ("boolean", Type::Boolean),
        ("integer", Type::Integer),
        ("number", Type::Number),
        ("string", Type::String),
        ("array", Type::Array),
        ("object", Type::Object),
    ];

    fn includes(self, value: &Value) -> bool {
        match self {
            Type::Null => value.is_null(),
            Type::Boolean => value.is_boolean(),
            // `2.0` is a whole number too.
            Type::Integer => {
                value.is_number()
                    && (!value.is_f64() || value.as_f64().is_some_and(|n| n.fract() == 0.0))
            }
            Type::Number => value.is_number(),
            Type::String => value.is_string(),
            Type::Array => value.is_array(),
            Type::Object => value.is_object(),
        }
    }
}

fn types(value: &Value) -> Option<Vec<Type>> {
    let find = |name: &Value| {
        Type::NAMES.iter().find(|(known, _)| *known == name).map(|(_, found)| *found)
    };
    let mut types = match value {
        Value::Array(names) => names.iter().map(find).collect::<Option<Vec<_>>>()?,
        name => vec![find(name)?],
    };
    types.sort();
    types.dedup();
    Some(types)
}

/// What to give; null is never worth telling beside others.
fn names(types: &[Type]) -> String {
    let is_told = |one: Type| one != Type::Null || types.len() == 1;
    let told = Type::NAMES.iter().filter(|(_, one)| types.contains(one) && is_told(*one));
    told.map(|(name, _)| *name).collect::<Vec<_>>().join(" or ")
}

const TOO_LARGE: &str = "it holds more than is taken";

/// Whether a value of any form is within bounds, as far as it takes to know.
fn is_small(value: &Value) -> bool {
    let (mut values, mut bytes) = (0, 0);
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        values += 1;
        match value {
            Value::String(text) => bytes += text.len() as u64,
            // Asked before they are put on the list, which would be as long as they are.
            Value::Array(items) if values + items.len() <= bounds::VALUES => open.extend(items),
            Value::Object(members) if values + members.len() <= bounds::VALUES => {
                bytes += members.keys().map(|key| key.len() as u64).sum::<u64>();
                open.extend(members.values());
            }
            Value::Array(_) | Value::Object(_) => return false,
            _ => {}
        }
        if values + open.len() > bounds::VALUES || bytes > bounds::CONTENT {
            return false;
        }
    }
    true
}

fn count(limit: u64, noun: &str) -> String {
    format!("{limit} {noun}{}", if limit == 1 { "" } else { "s" })
}

/// Exact also where a float has fewer digits than an integer.
fn compare(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        (None, Some(b)) => compare_float(float(a), b),
        (Some(a), None) => compare_float(float(b), a).reverse(),
        (None, None) => float(a).partial_cmp(&float(b)).unwrap_or(Ordering::Equal),
    }
}

fn compare_float(float: f64, whole: i128) -> Ordering {
    // The cast stops at the ends of `i128`, far beyond any integer of JSON here.
    let below = float.floor();
    (below as i128).cmp(&whole).then(if float > below {
        Ordering::Greater
    } else {
        Ordering::Equal
    })
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

#[cfg(test)]
mod tests;
