//! Every schema of every tool, against a whole implementation of JSON Schema.

use expect_test::{Expect, expect};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use scenewright_contract::JsonMap;
use scenewright_contract::echo::brief_of;
use scenewright_toolkit::Tool;
use scenewright_toolkit::arguments::check::{Fault, Rule};
use scenewright_tools::GROUPS;
use serde_json::{Value, json};

fn tools() -> impl Iterator<Item = (&'static Tool, JsonMap)> {
    GROUPS.iter().flat_map(|group| group.tools).map(|tool| (tool, (tool.input)()))
}

#[test]
fn every_keyword_of_every_tool_is_checked() {
    let problems: Vec<String> = tools()
        .filter_map(|(tool, schema)| Some(format!("{}: {}", tool.id, Rule::of(&schema).err()?)))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Where a schema has a text, a list or an object without a bound, as JSON pointers.
fn unbounded(schema: &Value, at: &str, found: &mut Vec<String>) {
    let Some(map) = schema.as_object() else { return };
    let is = |name: &str| match &schema["type"] {
        Value::Array(names) => names.iter().any(|one| one == name),
        one => one == name,
    };
    let is_open = schema["additionalProperties"] != json!(false);
    let keywords = [("string", "maxLength"), ("array", "maxItems"), ("object", "maxProperties")];
    for (name, keyword) in keywords {
        let needs = is(name) && !schema["enum"].is_array() && (name != "object" || is_open);
        if needs && schema[keyword].as_u64().is_none_or(|most| most > 4 << 20) {
            found.push(format!("{at} lacks {keyword}"));
        }
    }
    for (keyword, value) in map {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(parts)) => parts
                .iter()
                .for_each(|(name, part)| unbounded(part, &format!("{at}/{name}"), found)),
            ("anyOf", Value::Array(parts)) => {
                parts.iter().for_each(|part| unbounded(part, at, found));
            }
            ("items", part) => unbounded(part, &format!("{at}/items"), found),
            _ => {}
        }
    }
}

#[test]
fn nothing_that_a_tool_takes_is_without_a_bound() {
    let mut found = Vec::new();
    for (tool, schema) in tools() {
        unbounded(&Value::Object(schema), tool.id, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Values that are far too large for anything.
fn huge() -> [Value; 4] {
    let nested = json!([vec![vec![0; 1000]; 200]]);
    let members: JsonMap = (0..100_001).map(|at| (at.to_string(), json!(0))).collect();
    [json!(vec![0; 200_001]), json!(members), json!("x".repeat((4 << 20) + 1)), nested]
}

#[test]
fn what_is_too_large_is_refused_wherever_it_stands_and_not_repeated() {
    let (huge, mut refused) = (huge(), 0);
    for (tool, schema) in tools() {
        for (name, property) in schema["properties"].as_object().unwrap() {
            let rule = Rule::new(property).unwrap();
            for value in &huge {
                let mut longest = None;
                rule.check(value, name, &mut |_, fault| {
                    let length = match fault {
                        Fault::Other(problem) => problem.len(),
                        _ => 0,
                    };
                    longest = longest.max(Some(length));
                });
                let longest = longest.unwrap_or_else(|| panic!("{}: {name} takes it", tool.id));
                assert!(longest < 3000, "{}: {name} is told in {longest} bytes", tool.id);
                refused += 1;
            }
        }
    }
    assert!(refused > 2000, "{refused}");
}

#[test]
fn what_is_not_known_is_refused() {
    fn check(schema: Value, expected: Expect) {
        expected.assert_eq(&Rule::new(&schema).err().unwrap());
    }
    check(json!({ "items": { "pattern": "^a" } }), expect![[r#"'pattern: "^a"' is not checked"#]]);
    check(json!({ "enum": [1] }), expect!["'enum: [1]' is not checked"]);
    check(json!({ "type": "text" }), expect![[r#"'type: "text"' is not checked"#]]);
    check(json!({ "properties": { "a": false } }), expect!["false is no schema"]);
    check(
        json!({ "additionalProperties": { "type": "string" } }),
        expect![[r#"'additionalProperties: {"type":"string"}' is not checked"#]],
    );
}

#[test]
fn faults_are_those_that_json_schema_knows() {
    let (mut allowed, mut refused) = (0, 0);
    for (tool, schema) in tools() {
        let rule = Rule::of(&schema).unwrap();
        let schema = Value::Object(schema);
        let judge = jsonschema::draft202012::new(&schema).unwrap();
        let mut values = variants(&schema);
        for (index, example) in tool.examples.iter().enumerate() {
            let whole = serde_json::from_str(example.input).unwrap();
            if index == 0 {
                values.extend(variations(&schema, &whole));
            }
            values.push(whole);
        }
        for value in values {
            let faults = told(&rule, &value);
            let judged = judged(&judge, &value);
            assert_eq!(faults, judged, "{}: {value}", tool.id);
            *if faults.is_empty() { &mut allowed } else { &mut refused } += 1;
        }
    }
    assert!(allowed > 4_000 && refused > 30_000, "{allowed} allowed, {refused} refused");
}

#[test]
fn bounds_that_few_tools_have_agree_too() {
    let schema = json!({
        "type": "object",
        "properties": {
            "word": { "type": "string", "minLength": 2, "maxLength": 3 },
            "ratio": { "type": "number", "exclusiveMinimum": 0.5, "maximum": 1.5 },
            "list": { "type": ["array", "null"], "minItems": 1, "maxItems": 2, "items": {
                "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }],
            } },
        },
        "required": ["word", "ratio"],
    });
    let judge = jsonschema::draft202012::new(&schema).unwrap();
    let rule = Rule::new(&schema).unwrap();
    let mut values = variants(&schema);
    for word in ["", "ä", "äö", "äöü", "äöüß"] {
        for list in [json!([]), json!([0, "a"]), json!([-1, 0.5, "a"]), json!(null)] {
            values.push(json!({ "word": word, "ratio": 0.5, "list": list }));
        }
    }
    for value in values {
        let judged = judged(&judge, &value);
        assert_eq!(told(&rule, &value), judged, "{value}");
    }
}

/// Values of every kind for a schema, near its bounds and far from them, most of them wrong.
fn variants(schema: &Value) -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(2.0),
        json!(2.5),
        json!(1e300),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(""),
        json!("word"),
        json!([]),
        json!([null, 1, "a"]),
        json!({}),
        json!({ "other": 1 }),
    ];
    for bound in ["minimum", "maximum", "exclusiveMinimum"] {
        if let Some(limit) = schema[bound].as_f64() {
            values.extend([-1.0, -0.25, 0.0, 0.25, 1.0].map(|by| json!(limit + by)));
            values.push(schema[bound].clone());
        }
    }
    if let Some(options) = schema["enum"].as_array() {
        values.extend(options.iter().cloned());
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        values.extend(variants(choice));
    }
    if schema["items"].is_object() {
        let inner = variants(&schema["items"]);
        values.extend(inner.iter().map(|item| json!([item])));
        // Ours have thousands by default; the judge takes its time with each of them.
        let most = schema["maxItems"].as_u64().filter(|most| *most < 100).unwrap_or(3) as usize;
        let good = plausible(&schema["items"]);
        values.extend([most, most + 1].map(|count| json!(vec![good.clone(); count])));
    }
    if schema["properties"].is_object() {
        let whole = plausible(schema);
        values.extend(variations(schema, &whole));
        values.push(whole);
    }
    values
}

/// An object with one property after the other missing, or of another value.
fn variations(schema: &Value, whole: &Value) -> Vec<Value> {
    let mut values = Vec::new();
    for (name, property) in schema["properties"].as_object().unwrap() {
        let mut without = whole.clone();
        without.as_object_mut().unwrap().shift_remove(name);
        without["unheardOf"] = json!(1);
        values.push(without);
        for value in variants(property) {
            let mut among = whole.clone();
            among[name] = value.clone();
            values.extend([among, json!({ name: value })]);
        }
    }
    values
}

/// A value that a schema may well allow.
fn plausible(schema: &Value) -> Value {
    if let Some(option) = schema["enum"].get(0) {
        return option.clone();
    }
    let of_type = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match of_type {
        Some("boolean") => json!(true),
        Some("integer") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("number") => json!(1.0),
        Some("string") => json!("some"),
        Some("array") => json!([]),
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties.map(|(name, property)| (name.clone(), plausible(property))).collect()
        }
        _ => json!(null),
    }
}

/// What the other implementation tells. We do not look into a list that is too long; it does.
fn judged(judge: &jsonschema::Validator, value: &Value) -> Vec<String> {
    let mut judged: Vec<String> = judge.iter_errors(value).flat_map(sentences).collect();
    let long = judged.iter().filter(|fault| fault.ends_with(" items"));
    let long: Vec<String> =
        long.filter_map(|fault| Some(fault.split_once(':')?.0.to_owned())).collect();
    let is_inside = |fault: &str, at: &str| {
        fault.strip_prefix(at).is_some_and(|rest| at.is_empty() || rest.starts_with('.'))
    };
    judged.retain(|fault| fault.ends_with(" items") || !long.iter().any(|at| is_inside(fault, at)));
    judged
}

fn told(rule: &Rule, value: &Value) -> Vec<String> {
    let mut told = Vec::new();
    rule.check(value, "", &mut |at, fault| {
        told.push(match fault {
            Fault::Missing(name) => format!("{at}: without {name}"),
            Fault::Type { expected, actual } => format!("{at}: {actual} is not {expected}"),
            Fault::Unknown(name, _) => format!("{at}: {name} is unknown"),
            Fault::NotOneOf(options, _) => format!("{at}: none of {options}"),
            Fault::Below(limit) => format!("{at}: below {limit}"),
            Fault::Above(limit) => format!("{at}: above {limit}"),
            Fault::TooMany { noun, most, .. } => format!("{at}: more than {most} {noun}s"),
            Fault::Other(problem) => format!("{at}: {problem}"),
        });
    });
    told
}

/// The same of another's error.
fn sentences(error: ValidationError<'_>) -> Vec<String> {
    let at = error.instance_path().to_string().trim_start_matches('/').replace('/', ".");
    let one = match error.kind() {
        ValidationErrorKind::Required { property } => {
            format!("without {}", property.as_str().unwrap())
        }
        ValidationErrorKind::Type { kind } => {
            let expected = match kind {
                TypeKind::Single(one) => one.to_string(),
                TypeKind::Multiple(many) => {
                    let names = many.iter().map(|one| one.to_string());
                    names.filter(|name| name != "null").collect::<Vec<_>>().join(" or ")
                }
            };
            format!("{} is not {expected}", error.instance())
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            return unexpected.iter().map(|name| format!("{at}: {name} is unknown")).collect();
        }
        ValidationErrorKind::Enum { options } => format!("none of {options}"),
        ValidationErrorKind::Minimum { limit } => format!("below {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("above {limit}"),
        ValidationErrorKind::MaxLength { limit } => format!("more than {limit} characters"),
        ValidationErrorKind::MaxItems { limit } => format!("more than {limit} items"),
        ValidationErrorKind::MaxProperties { limit } => format!("more than {limit} members"),
        _ => {
            // We repeat no more of a value than a sentence needs.
            let value = error.instance();
            error.to_string().replacen(&value.to_string(), &brief_of(&**value), 1)
        }
    };
    vec![format!("{at}: {one}")]
}
