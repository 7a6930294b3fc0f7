//! Arguments as callers write them, and what is said of those that are wrong.

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
    let text = match Arguments::new(&schema, &[]).unwrap().check(&arguments) {
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
    let arguments = Arguments::new(&schema, &[]).unwrap();
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
        Arguments::new(&schema, &[]).unwrap().respell(&mut given);
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
        Arguments::new(&schema, &[]).unwrap().respell(&mut given);
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
        Arguments::new(&schema, &[]).unwrap().respell(&mut given);
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
    Arguments::new(&schema, &[]).unwrap().respell(&mut given);
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
    let error = Arguments::new(&schema, &[]).unwrap().check(&arguments).unwrap_err();
    expect![[r#"Invalid tool arguments: kind must be one of ["button","label","line_edit","slider"]; events.0.zzz is not known: there is keycode, button; zzz is not known: there is events, kind"#]].assert_eq(&error.message);
    // Words that none is near to come as the schema has them, whatever was given.
    for far in ["x", "toggle", "ridge"] {
        let error = Arguments::new(&schema, &[]).unwrap().check(&json!({ "kind": far }));
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
        Arguments::new(&schema, &[]).unwrap().check(&value).unwrap_err()
    };
    let unknown = arguments(json!({ "x".repeat(10_000): 1 }));
    let name = format!("{}…", "x".repeat(200));
    let message = format!("Invalid tool arguments: {name} is not known: there is list");
    assert_eq!(unknown.message, message);
    let long = arguments(json!({ "list": ["y".repeat(10_000)] }));
    assert!(long.message.ends_with("list.0 has 10000 characters, at most 3 are taken"), "{long}");
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

/// Arguments of a schema as they are read.
fn read(properties: Value, required: Value, given: Value) -> Value {
    let schema = json!({ "properties": properties, "required": required });
    let (Value::Object(schema), Value::Object(mut given)) = (schema, given) else {
        unreachable!("object literals")
    };
    Arguments::new(&schema, &[("toolId", "tool")]).unwrap().respell(&mut given);
    Value::Object(given)
}

#[test]
fn empty_texts_are_left_out_where_they_mean_nothing() {
    let schema = json!({
        "properties": {
            "project": { "type": "string" },
            "root": { "type": ["string", "null"] },
            "pattern": { "type": "string" },
            "value": {},
        },
        "required": ["pattern"],
    });
    let given = json!({ "project": "", "cursor": "", "root": "", "pattern": "", "value": "" });
    let left = |only_reads: bool| {
        let (Value::Object(schema), Value::Object(mut given)) = (schema.clone(), given.clone())
        else {
            unreachable!("object literals")
        };
        Arguments::new(&schema, &[]).unwrap().take_blanks(&mut given, only_reads);
        Value::Object(given)
    };
    assert_eq!(left(true), json!({ "pattern": "", "value": "" }));
    assert_eq!(left(false), json!({ "root": "", "pattern": "", "value": "" }));
}

#[test]
fn null_is_as_if_it_were_left_out() {
    let any = json!(["string", "number", "boolean", "array", "object", "null"]);
    let point = json!({ "type": "object", "properties": { "x": {}, "y": { "type": "number" } } });
    let step = json!({
        "type": "object",
        "properties": { "op": { "type": "string" }, "count": { "type": "integer" } },
        "required": ["op"],
        "additionalProperties": false,
    });
    let properties = json!({
        "tool": { "type": "string" },
        "depth": { "type": ["integer", "null"] },
        "all": { "type": "boolean" },
        "value": { "description": "Any JSON." },
        "given": { "type": any },
        "at": { "anyOf": [point, { "type": "null" }] },
        "steps": { "type": "array", "items": step },
        "map": { "type": "object", "maxProperties": 9 },
        "scenePath": { "type": "string" },
        "needed": { "type": "string" },
    });
    let check = |given: Value, expected: Value| {
        assert_eq!(read(properties.clone(), json!(["needed"]), given.clone()), expected, "{given}");
    };
    check(json!({ "depth": null, "all": null, "scenePath": null, "at": null }), json!({}));
    check(json!({ "toolId": null, "scene": null, "maxTokens": null, "diff": null }), json!({}));
    check(json!({ "at": { "x": null, "y": null } }), json!({ "at": { "x": null } }));
    check(json!({ "steps": [{ "op": "a", "count": null }] }), json!({ "steps": [{ "op": "a" }] }));
    check(json!({ "scene": null, "scenePath": "a" }), json!({ "scenePath": "a" }));
    for same in [
        json!({ "value": null, "given": null }),
        json!({ "needed": null, "other": null }),
        json!({ "map": { "reference": null } }),
        json!({ "steps": [{ "op": null }] }),
    ] {
        check(same.clone(), same);
    }
}

#[test]
fn json_in_a_string_is_read_where_no_string_is_taken() {
    let number = json!({ "type": "number" });
    let properties = json!({
        "all": { "type": "boolean" },
        "count": { "type": "integer" },
        "depth": { "type": ["integer", "null"] },
        "ratio": number,
        "at": { "type": "array", "items": number },
        "name": { "type": "string" },
        "mode": { "type": "string", "enum": ["1", "2"] },
        "value": {},
    });
    let check = |name: &str, text: &str, expected: Value| {
        let read = read(properties.clone(), json!([]), json!({ name: text }));
        assert_eq!(read[name], expected, "{name}: {text}");
    };
    check("all", "true", json!(true));
    check("all", "False", json!(false));
    check("count", "3", json!(3));
    check("count", " 3.0 ", json!(3));
    check("depth", "null", Value::Null);
    check("ratio", "3", json!(3));
    check("ratio", "1e-3", json!(1e-3));
    check("at", "[1, 2, 3]", json!([1, 2, 3]));
    check("at", r#"{"x": 1, "y": 2}"#, json!([1, 2]));
    // What cannot be read so stays, and is refused.
    for (name, text) in [("all", "1"), ("all", "yes"), ("count", "3.5"), ("count", "three")] {
        check(name, text, json!(text));
    }
    for (name, text) in [("at", "{\"x\": 1, \"z\": 2}"), ("at", "1")] {
        check(name, text, json!(text));
    }
    // A string where strings are taken is a string.
    for (name, text) in [("name", "[1]"), ("name", "true"), ("mode", "1"), ("value", "[1]")] {
        check(name, text, json!(text));
    }
}

#[test]
fn a_list_of_numbers_may_be_a_vector() {
    let at = json!({ "at": { "type": ["array", "null"], "items": { "type": "number" } } });
    let check = |given: Value, expected: Value| {
        let read = read(at.clone(), json!([]), json!({ "at": given }));
        assert_eq!(read["at"], expected);
    };
    check(json!({ "x": 1, "y": 2, "z": 3 }), json!([1, 2, 3]));
    check(json!({ "w": 1, "z": 0, "y": 0, "x": 0 }), json!([0, 0, 0, 1]));
    check(json!({ "r": 1, "g": 1, "b": 1, "a": 0.5 }), json!([1, 1, 1, 0.5]));
    for same in [json!({ "x": 1 }), json!({ "x": 1, "y": "2" }), json!({ "x": 1, "q": 2 })] {
        check(same.clone(), same);
    }
}

#[test]
fn a_word_for_several_is_the_one_that_is_still_open() {
    let text = json!({ "type": "string" });
    let properties = json!({ "scenePath": text, "nodePath": text, "scriptPath": text });
    let check = |given: Value, expected: Value| {
        let required = json!(["scenePath", "nodePath", "scriptPath"]);
        assert_eq!(read(properties.clone(), required, given), expected);
    };
    let whole = json!({ "scenePath": "a.tscn", "nodePath": "Hero", "scriptPath": "b.gd" });
    check(json!({ "path": "a.tscn", "node": "Hero", "script": "b.gd" }), whole.clone());
    check(json!({ "scene": "a.tscn", "object": "Hero", "path": "b.gd" }), whole);
    check(json!({ "path": "b.gd" }), json!({ "scriptPath": "b.gd" }));
    check(json!({ "path": "x.tres" }), json!({ "path": "x.tres" }));
}
