//! Arguments against a tool's schema, before it runs: every problem at once, sorted into the three
//! lists of spec 000 (missing parameters, type mismatches, constraint violations).

pub mod check;
pub mod spellings;

use scenewright_contract::echo::{brief, may_be_name};
use scenewright_contract::{ErrorKind, JsonMap, ToolError, suggest};
use serde_json::{Value, json};

use self::check::{Fault, Rule};

/// A tool's input schema, compiled.
pub(crate) struct Arguments {
    rule: Rule,
    known: Vec<String>,
    /// What the values of each must be.
    properties: JsonMap,
}

impl Arguments {
    /// Compile `schema`; ours are valid, which the table test proves.
    pub(crate) fn new(schema: &JsonMap) -> Result<Self, ToolError> {
        let rule = Rule::of(schema).map_err(|problem| {
            let message = format!("the tool's own schema is bad: {problem}");
            ToolError::new(ErrorKind::Internal, message)
        })?;
        let properties = match schema.get("properties") {
            Some(Value::Object(properties)) => properties.clone(),
            _ => JsonMap::new(),
        };
        Ok(Self { rule, known: properties.keys().cloned().collect(), properties })
    }

    /// Read other words for an argument as the one that is meant, `snake_case` as `camelCase` and the
    /// other way round; `2.0` as the whole number that it is; words of a list in any case; and a list or
    /// an object that was given as text.
    pub(crate) fn respell(&self, arguments: &mut JsonMap) {
        respell_names(&self.known, arguments);
        for (key, value) in arguments.iter_mut() {
            if let Some(property) = self.properties.get(key) {
                respell_value(property, value);
            }
        }
    }

    /// Check `arguments`; the error lists everything that is wrong.
    pub(crate) fn check(&self, arguments: &Value) -> Result<(), ToolError> {
        let mut problems = Problems::default();
        self.rule.check(arguments, "", &mut |at, fault| problems.add(at, fault));
        problems.into_result()
    }
}

fn respell_names(known: &[String], arguments: &mut JsonMap) {
    // So many names are no slip of the pen, and the check refuses them.
    if arguments.len() > known.len() + MAX_PROBLEMS {
        return;
    }
    let unknown: Vec<String> =
        arguments.keys().filter(|key| !known.contains(key)).cloned().collect();
    for key in unknown.into_iter().filter(|key| may_be_name(key)) {
        let meant = spellings::meant(&key, known);
        if let Some(meant) = meant.filter(|meant| !arguments.contains_key(*meant))
            && let Some(value) = arguments.shift_remove(&key)
        {
            arguments.insert(meant.to_owned(), value);
        }
    }
}

/// The same inside of objects and of lists of them, such as the steps of a batch: names only where all
/// members are known.
fn respell_items(items: &Value, list: &mut [Value]) {
    let members = Members::of(items);
    for item in list {
        match &members {
            Some(members) if item.is_object() => members.respell(item),
            _ => respell_value(items, item),
        }
    }
}

/// What an object of a schema may have.
struct Members<'s> {
    properties: &'s JsonMap,
    /// Their names, if there can be no others.
    known: Vec<String>,
}

impl<'s> Members<'s> {
    fn of(schema: &'s Value) -> Option<Self> {
        let properties = schema["properties"].as_object()?;
        let is_closed = schema["additionalProperties"] == false;
        let known = if is_closed { properties.keys().cloned().collect() } else { Vec::new() };
        Some(Self { properties, known })
    }

    fn respell(&self, object: &mut Value) {
        let Value::Object(members) = object else { return };
        if !self.known.is_empty() {
            respell_names(&self.known, members);
        }
        for (key, value) in members {
            if let Some(property) = self.properties.get(key) {
                respell_value(property, value);
            }
        }
    }
}

fn respell_value(property: &Value, value: &mut Value) {
    read_text(property, value);
    let items = &property["items"];
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
        Value::Array(list) => respell_items(items, list),
        Value::Object(_) => {
            if let Some(members) = Members::of(property) {
                members.respell(value);
            }
        }
        Value::Number(_) | Value::String(_) => respell_scalar(property, value),
        _ => {}
    }
}

/// Lists and objects that were written as the text of their JSON, as models do, and one text where a
/// list of texts is taken. Where texts are taken they stay texts.
fn read_text(property: &Value, value: &mut Value) {
    let alternatives = || {
        let others = property["anyOf"].as_array().into_iter().flatten();
        std::iter::once(property).filter(|one| one.get("anyOf").is_none()).chain(others)
    };
    let Value::String(text) = &*value else { return };
    if alternatives().any(takes_text) {
        return;
    }
    let is_wanted = |read: &Value| {
        let name = type_name(read);
        // One object may stand for a list of them.
        let is_one_of = |one: &Value| name == "object" && is_of(&one["items"], name);
        let is_vector = read.is_array() && parts_of_vector(property).is_some();
        let is_wanted = read.is_array() || read.is_object();
        is_vector || is_wanted && alternatives().any(|one| is_of(one, name) || is_one_of(one))
    };
    if let Some(read) = serde_json::from_str(text).ok().filter(is_wanted) {
        *value = read;
    } else if alternatives().any(|one| is_of(one, "array") && is_of(&one["items"], "string")) {
        *value = Value::Array(vec![value.take()]);
    }
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

/// The members of an object that is a vector or a colour, which may be written as a list.
fn parts_of_vector(property: &Value) -> Option<&'static [&'static str]> {
    const VECTORS: [&[&str]; 4] =
        [&["x", "y"], &["x", "y", "z"], &["x", "y", "z", "w"], &["r", "g", "b", "a"]];
    let alternatives = property["anyOf"].as_array().into_iter().flatten();
    let members =
        [property].into_iter().chain(alternatives).find_map(|one| one["properties"].as_object())?;
    VECTORS.into_iter().find(|names| {
        names.len() == members.len() && names.iter().all(|name| members.contains_key(*name))
    })
}

#[derive(Default)]
struct Problems {
    texts: Vec<String>,
    missing: Vec<Value>,
    mismatches: Vec<Value>,
    violations: Vec<Value>,
    /// Problems beyond those that are told.
    more: usize,
}

/// So many problems are told; who has more can mend these first.
const MAX_PROBLEMS: usize = 50;

impl Problems {
    fn add(&mut self, parameter: &str, fault: Fault<'_, '_>) {
        if self.texts.len() == MAX_PROBLEMS {
            self.more += 1;
            return;
        }
        let parameter = &*brief(parameter);
        match fault {
            Fault::Missing(name) => {
                let name = join(parameter, name);
                self.texts.push(format!("{name} is required"));
                self.missing.push(json!(name));
            }
            Fault::Type { expected, actual } => {
                let actual = type_name(actual);
                let name = if parameter.is_empty() { "arguments" } else { parameter };
                self.texts.push(format!("{name} must be {expected}, not {actual}"));
                self.mismatches
                    .push(json!({ "parameter": name, "expected": expected, "actual": actual }));
            }
            Fault::Unknown(name, rule) => {
                let hint = suggest::did_you_mean_in_order(name, rule.names(), "no such parameter");
                let name = join(parameter, &brief(name));
                self.violation(&name, &format!("is not known: {hint}"));
            }
            Fault::NotOneOf(options, given) => {
                self.violation(parameter, &format!("must be {}", one_of(options, given)));
            }
            Fault::Below(limit) => {
                self.violation(parameter, &format!("must be at least {limit}"));
            }
            Fault::Above(limit) => {
                self.violation(parameter, &format!("must be at most {limit}"));
            }
            Fault::TooMany { noun, count, most } => {
                self.violation(
                    parameter,
                    &format!("has {count} {noun}s, at most {most} are taken"),
                );
            }
            Fault::Other(problem) => {
                self.violation(parameter, &format!("is not valid: {problem}"));
            }
        }
    }

    fn violation(&mut self, parameter: &str, problem: &str) {
        self.texts.push(format!("{parameter} {problem}"));
        self.violations.push(json!({ "parameter": parameter, "problem": problem }));
    }

    fn into_result(self) -> Result<(), ToolError> {
        if self.texts.is_empty() {
            return Ok(());
        }
        let mut message = format!("Invalid tool arguments: {}", self.texts.join("; "));
        if self.more > 0 {
            message.push_str(&format!("; and {} more problems", self.more));
        }
        let mut error = ToolError::new(ErrorKind::BadArguments, message);
        for (key, list) in [
            ("missingParameters", self.missing),
            ("typeMismatches", self.mismatches),
            ("constraintViolations", self.violations),
        ] {
            if !list.is_empty() {
                error = error.detail(key, list);
            }
        }
        Err(error)
    }
}

/// A few words as a sentence has them; more as the list that they are, those first that may be meant.
fn one_of(options: &Value, given: &Value) -> String {
    let words = options.as_array().filter(|words| words.len() <= 3).map(Vec::as_slice);
    match words {
        Some([only]) => only.to_string(),
        Some([a, b]) => format!("{a} or {b}"),
        Some([a, b, c]) => format!("{a}, {b} or {c}"),
        _ => format!("one of {}", nearest_first(options, given)),
    }
}

/// The rest keeps the order of the schema: sorted by how much their letters are alike, words that nobody
/// meant seem to come in another order with every call.
fn nearest_first(options: &Value, given: &Value) -> Value {
    let words = options.as_array().into_iter().flatten().map(Value::as_str);
    match (words.collect::<Option<Vec<&str>>>(), given.as_str()) {
        (Some(words), Some(given)) => {
            let near = suggest::nearest(given, words.iter().copied());
            let rest = words.iter().copied().filter(|word| !near.contains(word));
            json!(near.iter().copied().chain(rest).collect::<Vec<_>>())
        }
        _ => options.clone(),
    }
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(arguments: Value, expected: Expect) {
        let schema = json!({
            "type": "object",
            "properties": {
                "scenePath": { "type": "string" },
                "depth": { "type": ["integer", "null"], "minimum": 1, "maximum": 10 },
                "mode": { "type": "string", "enum": ["fast", "strict"] },
            },
            "required": ["scenePath"],
            "additionalProperties": false,
        });
        let Value::Object(schema) = schema else { unreachable!("an object literal") };
        let text = match Arguments::new(&schema).unwrap().check(&arguments) {
            Ok(()) => "ok".to_owned(),
            Err(error) => format!("{}\n{}", error.message, Value::Object(*error.details)),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn good_arguments_pass() {
        check(json!({ "scenePath": "a", "depth": 10, "mode": "fast" }), expect!["ok"]);
        check(json!({ "scenePath": "a", "depth": null }), expect!["ok"]);
    }

    #[test]
    fn a_list_that_is_too_long_is_counted_and_not_repeated() {
        let schema = json!({ "properties": { "paths": {
            "type": "array", "maxItems": 1000, "items": { "type": "string", "maxLength": 3 },
        } } });
        let Value::Object(schema) = schema else { unreachable!("an object literal") };
        let arguments = Arguments::new(&schema).unwrap();
        let error = arguments.check(&json!({ "paths": vec![0; 39_000] })).unwrap_err();
        expect!["Invalid tool arguments: paths has 39000 items, at most 1000 are taken"]
            .assert_eq(&error.message);
        let error = arguments.check(&json!({ "paths": ["äöü", "abcd"] })).unwrap_err();
        expect!["Invalid tool arguments: paths.1 has 4 characters, at most 3 are taken"]
            .assert_eq(&error.message);
        let error = arguments.check(&json!({ "paths": vec![0; 1000] })).unwrap_err();
        assert_eq!(error.message.matches("must be string").count(), MAX_PROBLEMS);
    }

    #[test]
    fn what_is_meant_is_understood() {
        let schema = json!({ "properties": {
            "depth": { "type": ["integer", "null"] },
            "mode": { "enum": ["fast", "Fast"] },
            "ratio": { "type": "number" },
        } });
        let Value::Object(schema) = schema else { unreachable!("an object literal") };
        let respelled = |given: Value| {
            let Value::Object(mut given) = given else { unreachable!("an object literal") };
            Arguments::new(&schema).unwrap().respell(&mut given);
            Value::Object(given).to_string()
        };
        assert_eq!(
            respelled(json!({ "Depth": 2.0, "mode": "FAST", "ratio": 2.0 })),
            r#"{"mode":"fast","ratio":2.0,"depth":2}"#
        );
        assert_eq!(
            respelled(json!({ "depth": 2.5, "mode": "Fast" })),
            r#"{"depth":2.5,"mode":"Fast"}"#
        );
        assert_eq!(respelled(json!({ "depth": 1e300 })), r#"{"depth":1e+300}"#);
    }

    #[test]
    fn json_in_a_text_is_what_it_says() {
        let number = json!({ "type": "number" });
        let point = json!({ "properties": { "x": number, "y": number }, "type": "object" });
        let step = json!({
            "properties": { "op": { "enum": ["set"] }, "values": { "type": "object" } },
            "type": "object",
            "additionalProperties": false,
        });
        let words = json!({ "type": ["array", "null"], "items": { "type": "string" } });
        let schema = json!({ "properties": {
            "steps": { "type": "array", "items": step },
            "words": words,
            "at": { "anyOf": [point, { "type": "null" }] },
            "arguments": { "type": "object" },
            "any": {},
            "text": { "type": ["string", "null"] },
            "either": { "anyOf": [words, { "type": "string" }] },
        } });
        let Value::Object(schema) = schema else { unreachable!("an object literal") };
        let check = |given: Value, expected: Value| {
            let Value::Object(mut given) = given else { unreachable!("an object literal") };
            Arguments::new(&schema).unwrap().respell(&mut given);
            assert_eq!(Value::Object(given), expected);
        };
        let steps = json!({ "steps": [{ "op": "set", "values": { "a": 1 } }] });
        check(json!({ "steps": r#"[{"op":"Set","values":"{\"a\":1}"}]"# }), steps.clone());
        check(json!({ "steps": r#"{"op":"Set","properties":{"a":1}}"# }), steps);
        check(json!({ "arguments": "{}" }), json!({ "arguments": {} }));
        check(json!({ "at": "[1, 2]" }), json!({ "at": { "x": 1, "y": 2 } }));
        check(json!({ "words": r#"["a"]"# }), json!({ "words": ["a"] }));
        check(json!({ "words": "Assets/A.unity" }), json!({ "words": ["Assets/A.unity"] }));
        for same in [
            json!({ "arguments": "[]" }),
            json!({ "arguments": "{" }),
            json!({ "at": "here" }),
            json!({ "any": "[1]", "text": "{}", "either": "[]" }),
        ] {
            check(same.clone(), same);
        }
    }

    #[test]
    fn a_vector_may_be_a_list() {
        let number = json!({ "type": "number" });
        let at = json!({ "properties": { "x": number, "y": number }, "type": "object" });
        let schema = json!({ "properties": {
            "at": { "anyOf": [at, { "type": "null" }] },
            "size": { "properties": { "x": number, "width": number } },
        } });
        let Value::Object(schema) = schema else { unreachable!("an object literal") };
        let respelled = |given: Value| {
            let Value::Object(mut given) = given else { unreachable!("an object literal") };
            Arguments::new(&schema).unwrap().respell(&mut given);
            Value::Object(given).to_string()
        };
        assert_eq!(respelled(json!({ "at": [1, 2.5] })), r#"{"at":{"x":1,"y":2.5}}"#);
        for other in [json!({ "at": [1] }), json!({ "at": [1, "2"] }), json!({ "size": [1, 2] })] {
            assert_eq!(respelled(other.clone()), other.to_string());
        }
    }

    #[test]
    fn one_change_is_a_list_of_changes() {
        let step = json!({ "properties": { "op": {} }, "type": "object" });
        let words = json!({ "type": "array", "items": { "type": "string" } });
        let schema = json!({ "properties": {
            "steps": { "type": "array", "items": step },
            "words": words,
        } });
        let Value::Object(schema) = schema else { unreachable!("an object literal") };
        let mut given = JsonMap::new();
        given.insert("steps".to_owned(), json!({ "op": "a" }));
        given.insert("words".to_owned(), json!({ "op": "a" }));
        Arguments::new(&schema).unwrap().respell(&mut given);
        assert_eq!(given["steps"], json!([{ "op": "a" }]));
        assert_eq!(given["words"], json!({ "op": "a" }), "not a list of such");
    }

    #[test]
    fn the_valid_words_are_named_the_nearest_first() {
        let event =
            json!({ "properties": { "keycode": {}, "button": {} }, "additionalProperties": false });
        let schema = json!({
            "properties": {
                "events": { "items": event },
                "kind": { "enum": ["label", "line_edit", "slider", "button"] },
            },
            "additionalProperties": false,
        });
        let Value::Object(schema) = schema else { unreachable!("an object literal") };
        let arguments = json!({ "kind": "Buton", "zzz": 1, "events": [{ "zzz": 1 }] });
        let error = Arguments::new(&schema).unwrap().check(&arguments).unwrap_err();
        expect![[r#"Invalid tool arguments: kind must be one of ["button","label","line_edit","slider"]; events.0.zzz is not known: there is keycode, button; zzz is not known: there is events, kind"#]].assert_eq(&error.message);
        // Words that none is near to come as the schema has them, whatever was given.
        for far in ["x", "toggle", "ridge"] {
            let error = Arguments::new(&schema).unwrap().check(&json!({ "kind": far }));
            let message = error.unwrap_err().message;
            let listed = r#"["label","line_edit","slider","button"]"#;
            assert!(message.ends_with(listed), "{message}");
        }
    }

    #[test]
    fn a_missing_parameter_is_said_in_the_words_of_the_spec() {
        check(
            json!({}),
            expect![[r#"
                Invalid tool arguments: scenePath is required
                {"missingParameters":["scenePath"]}"#]],
        );
    }

    #[test]
    fn every_problem_is_listed() {
        check(
            json!({ "depth": 11, "mode": "slow", "scenepath": 1 }),
            expect![[r#"
                Invalid tool arguments: depth must be at most 10; mode must be "fast" or "strict"; scenepath is not known: did you mean scenePath?; scenePath is required
                {"missingParameters":["scenePath"],"constraintViolations":[{"parameter":"depth","problem":"must be at most 10"},{"parameter":"mode","problem":"must be \"fast\" or \"strict\""},{"parameter":"scenepath","problem":"is not known: did you mean scenePath?"}]}"#]],
        );
    }

    #[test]
    fn neither_a_long_name_nor_a_long_list_of_problems_is_repeated() {
        let arguments = |value: Value| {
            let properties = json!({ "list": { "items": { "type": "string", "maxLength": 3 } } });
            let schema = json!({ "properties": properties, "additionalProperties": false });
            let Value::Object(schema) = schema else { unreachable!("an object literal") };
            Arguments::new(&schema).unwrap().check(&value).unwrap_err()
        };
        let unknown = arguments(json!({ "x".repeat(10_000): 1 }));
        let name = format!("{}…", "x".repeat(200));
        let message = format!("Invalid tool arguments: {name} is not known: there is list");
        assert_eq!(unknown.message, message);
        let long = arguments(json!({ "list": ["y".repeat(10_000)] }));
        assert!(
            long.message.ends_with("list.0 has 10000 characters, at most 3 are taken"),
            "{long}"
        );
        let many = arguments(json!({ "list": vec![1; 1000] }));
        assert!(many.message.ends_with("; and 950 more problems"), "{many}");
        assert_eq!(many.details["typeMismatches"].as_array().map(Vec::len), Some(50));
    }

    #[test]
    fn a_wrong_type_names_both_types() {
        check(
            json!({ "scenePath": 7, "depth": "two" }),
            expect![[r#"
                Invalid tool arguments: scenePath must be string, not integer; depth must be integer, not string
                {"typeMismatches":[{"parameter":"scenePath","expected":"string","actual":"integer"},{"parameter":"depth","expected":"integer","actual":"string"}]}"#]],
        );
    }
}
