//! Inputs and outputs.

use super::*;

#[test]
fn inputs_are_no_array() {
    check_field(
        "inputs",
        r#"[{"name": "a"}]"#,
        expect![[r#"
            error /inputs type-consistency: must be an object of named schemas, such as {"path": {"type": "string"}}; found an array
        "#]],
    );
}

#[test]
fn inputs_may_be_empty() {
    check_field("inputs", "{}", expect![[""]]);
}

#[test]
fn outputs_should_not_be_empty() {
    check_field(
        "outputs",
        "{}",
        expect![["
        warning /outputs schema-completeness: no output is declared; name each property that the tool returns
    "]],
    );
}

#[test]
fn a_parameter_is_an_object() {
    check_field(
        "inputs",
        r#"{"a": "string"}"#,
        expect![[r#"
            error /inputs/a type-consistency: must be a schema object, such as {"type": "string"}; found the string "string"
        "#]],
    );
}

#[test]
fn a_parameter_has_three_required_keys() {
    check_field(
        "inputs",
        r#"{"a": {}}"#,
        expect![[r#"
            error /inputs/a required-fields: "type" is missing; write one of the six types, such as "string"
            error /inputs/a required-fields: "required" is missing; write true or false
            error /inputs/a required-fields: "description" is missing; write what it is, in a sentence
        "#]],
    );
}

#[test]
fn an_unknown_type_has_a_suggestion() {
    check_param(
        r#"{"type": "int"}"#,
        expect![[r#"
            error /inputs/a/type type-consistency: "int" is not a type; did you mean "integer"?
        "#]],
    );
    check_param(
        r#"{"type": "strng"}"#,
        expect![[r#"
            error /inputs/a/type type-consistency: "strng" is not a type; did you mean "string"?
        "#]],
    );
    check_param(
        r#"{"type": "any"}"#,
        expect![[r#"
            error /inputs/a/type type-consistency: "any" is not a type; write one of "string", "integer", "number", "boolean", "array", "object"
        "#]],
    );
    check_param(
        r#"{"type": ["string", "null"]}"#,
        expect![[r#"
            error /inputs/a/type type-consistency: must be the name of one of the six types; found an array
        "#]],
    );
    check_param(
        r#"{"type": ""}"#,
        expect![[r#"
            error /inputs/a/type type-consistency: "" is not a type; write one of "string", "integer", "number", "boolean", "array", "object"
        "#]],
    );
}

#[test]
fn required_is_a_boolean() {
    check_field(
        "inputs",
        r#"{"a": {"type": "string", "required": "yes", "description": "A"}}"#,
        expect![[r#"
            error /inputs/a/required type-consistency: must be true or false; found the string "yes"
        "#]],
    );
}

#[test]
fn a_required_parameter_has_no_default() {
    check_field(
        "inputs",
        r#"{"a": {"type": "string", "required": true, "description": "A", "default": null}}"#,
        expect![[r#"
            error /inputs/a/default constraint: a required parameter has no default; remove this or write "required": false
        "#]],
    );
}

#[test]
fn a_default_is_of_its_type() {
    check_param(
        r#"{"type": "integer", "default": "5"}"#,
        expect![[r#"
            error /inputs/a/default type-consistency: must be an integer; found the string "5"; write 5 without quotes
        "#]],
    );
}

#[test]
fn a_default_is_in_its_enum() {
    check_param(
        r#"{"type": "string", "default": "bth", "enum": ["both", "none"]}"#,
        expect![[r#"
            error /inputs/a/default constraint: the string "bth" is not in "enum"; did you mean "both"?
        "#]],
    );
}

#[test]
fn a_default_is_in_its_range() {
    check_param(
        r#"{"type": "integer", "default": 11, "minimum": 1, "maximum": 10}"#,
        expect![["
            error /inputs/a/default constraint: 11 is above the maximum; write 10 or less
        "]],
    );
}

#[test]
fn a_whole_float_is_an_integer() {
    check_param(r#"{"type": "integer", "default": 2.0, "enum": [1, 2]}"#, expect![[""]]);
}

#[test]
fn a_default_is_checked_inside() {
    check_param(
        r#"{"type": "array", "default": ["x", 1], "items": {"type": "string"}}"#,
        expect![["
            error /inputs/a/default/1 type-consistency: must be a string; found the number 1
        "]],
    );
}

#[test]
fn an_enum_is_an_array() {
    check_param(
        r#"{"type": "string", "enum": "x|y"}"#,
        expect![[r#"
            error /inputs/a/enum type-consistency: must be an array of the allowed values; found the string "x|y"
        "#]],
    );
}

#[test]
fn an_enum_is_not_empty() {
    check_param(
        r#"{"type": "string", "default": "x", "enum": []}"#,
        expect![["
            error /inputs/a/enum constraint: allows no value; list the allowed ones or remove it
        "]],
    );
}

#[test]
fn an_enum_is_of_its_type_and_unique() {
    check_param(
        r#"{"type": "integer", "enum": [1, "2", 1.0, null, 9007199254740993, 9007199254740992]}"#,
        expect![[r#"
            error /inputs/a/enum/1 type-consistency: must be an integer; found the string "2"
            error /inputs/a/enum/2 constraint: the number 1.0 repeats choice 0; remove one
            error /inputs/a/enum/3 type-consistency: must be an integer; found null
        "#]],
    );
}

#[test]
fn an_enum_stays_in_its_range() {
    check_param(
        r#"{"type": "number", "enum": [0.5, 2], "maximum": 1}"#,
        expect![["
            error /inputs/a/enum/1 constraint: 2 is above the maximum; write 1 or less
        "]],
    );
}

#[test]
fn a_minimum_is_not_above_its_maximum() {
    check_param(
        r#"{"type": "integer", "maximum": 1, "minimum": 2}"#,
        expect![["
            error /inputs/a/maximum constraint: 1 is below the minimum 2; swap or widen them
        "]],
    );
}

#[test]
fn bounds_are_numbers_on_numbers() {
    check_param(
        r#"{"type": "string", "minimum": 1}"#,
        expect![[r#"
            error /inputs/a/minimum constraint: "minimum" goes with integer and number; this is a string, so remove it or change the type
        "#]],
    );
    check_param(
        r#"{"type": "number", "maximum": "9"}"#,
        expect![[r#"
            error /inputs/a/maximum type-consistency: must be a number; found the string "9"
        "#]],
    );
}

#[test]
fn parameter_names_are_identifiers() {
    let parameter = json!({ "type": "string", "required": true, "description": "A" });
    let names = ["", "1a", "a-b", "_ok1", "größe"];
    let inputs: JsonMap =
        names.map(|name| (name.to_owned(), parameter.clone())).into_iter().collect();
    check_value_of(
        "inputs",
        inputs.into(),
        Profile::V01,
        expect![[r#"
            error /inputs/ constraint: "" is not an identifier; use letters, digits and _, and no digit first
            error /inputs/1a constraint: "1a" is not an identifier; use letters, digits and _, and no digit first
            error /inputs/a-b constraint: "a-b" is not an identifier; use letters, digits and _, and no digit first
        "#]],
    );
}

#[test]
fn pointers_are_escaped() {
    check_field(
        "inputs",
        r#"{"a/b~c": {"type": "string", "required": true}}"#,
        expect![[r#"
            error /inputs/a~1b~0c constraint: "a/b~c" is not an identifier; use letters, digits and _, and no digit first
            error /inputs/a~1b~0c required-fields: "description" is missing; write what it is, in a sentence
        "#]],
    );
}

#[test]
fn a_very_long_name_is_not_looked_into() {
    let inputs = json!({ "x".repeat(5000): { "type": 1 } });
    let problems = validate(&[file(patched(json!({ "inputs": inputs })))], Profile::V01);
    assert_eq!(problems.len(), 1);
    expect![[r#"the name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"... is longer than 128 bytes; its schema was not checked"#]].assert_eq(&problems[0].message);
}

#[test]
fn unknown_parameter_keys_have_a_suggestion() {
    check_param(
        r#"{"type": "string", "defualt": "x", "pattern": ".*"}"#,
        expect![[r#"
            warning /inputs/a/defualt advice: unknown key "defualt"; did you mean "default"?
            warning /inputs/a/pattern advice: unknown key "pattern"; the keys here are type, required, description, default, enum, minimum, maximum, items, properties, additionalProperties
        "#]],
    );
}

#[test]
fn outputs_have_type_and_description() {
    check_field(
        "outputs",
        r#"{"a": {"type": "string"}, "b": {"description": "B"}, "c": {"type": "string", "description": ""}}"#,
        expect![[r#"
            error /outputs/a required-fields: "description" is missing; write what it is, in a sentence
            error /outputs/b required-fields: "type" is missing; write one of the six types, such as "string"
            error /outputs/c/description required-fields: must not be empty
        "#]],
    );
}

#[test]
fn outputs_have_no_required() {
    check_field(
        "outputs",
        r#"{"a": {"type": "string", "description": "A", "required": true}}"#,
        expect![[r#"
            warning /outputs/a/required advice: unknown key "required"; the keys here are type, description, items, properties, additionalProperties
        "#]],
    );
}

#[test]
fn items_are_for_arrays() {
    check_field(
        "outputs",
        r#"{"a": {"type": "string", "description": "A", "items": {"type": "string"}}}"#,
        expect![[r#"
            error /outputs/a/items constraint: "items" goes with array; this is a string, so remove it or change the type
        "#]],
    );
}

#[test]
fn properties_are_for_objects() {
    check_field(
        "outputs",
        r#"{"a": {"type": "array", "description": "A", "items": {"type": "string"}, "properties": {}}}"#,
        expect![[r#"
            error /outputs/a/properties constraint: "properties" goes with object; this is an array, so remove it or change the type
        "#]],
    );
}

#[test]
fn outputs_should_be_complete() {
    check_field(
        "outputs",
        r#"{"a": {"type": "array", "description": "A"}, "b": {"type": "object", "description": "B"},
            "c": {"type": "array", "description": "C", "items": {}}}"#,
        expect![[r#"
            warning /outputs/a schema-completeness: an array should say what it holds; add "items": {"type": ...}
            warning /outputs/b schema-completeness: an object should define its properties; add "properties": {...}
            warning /outputs/c/items schema-completeness: a nested schema without "type" accepts anything; add one of the six types
        "#]],
    );
}

#[test]
fn maps_say_what_they_hold() {
    check_field(
        "outputs",
        r#"{"a": {"type": "object", "description": "A", "additionalProperties": {"type": "integer"}},
            "b": {"type": "object", "description": "B", "additionalProperties": 5}}"#,
        expect![[r#"
            error /outputs/b/additionalProperties type-consistency: must be a schema object, such as {"type": "string"}; found the number 5
        "#]],
    );
}

#[test]
fn nested_schemas_are_checked() {
    check_field(
        "outputs",
        r#"{"a": {"type": "array", "description": "A", "items": {"type": "object",
            "required": ["x", "z"], "properties": {"x": {"type": "int"}, "y": 5}}}}"#,
        expect![[r#"
            error /outputs/a/items/required/1 constraint: "z" is required but not declared; write one of "x", "y"
            error /outputs/a/items/properties/x/type type-consistency: "int" is not a type; did you mean "integer"?
            error /outputs/a/items/properties/y type-consistency: must be a schema object, such as {"type": "string"}; found the number 5
        "#]],
    );
}

#[test]
fn deep_nesting_stops_at_64() {
    let nested = (0..200)
        .fold(json!({ "type": "string" }), |inner, _| json!({ "type": "array", "items": inner }));
    let mut outputs = json!({ "a": nested });
    outputs["a"]["description"] = json!("A");
    let problems = validate(&[file(patched(json!({ "outputs": outputs })))], Profile::V01);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].pointer, format!("/outputs/a{}", "/items".repeat(65)));
    expect!["nested deeper than 64 levels and not checked; flatten it"]
        .assert_eq(&problems[0].message);
}

#[test]
fn deep_values_are_no_trouble() {
    let deep = (0..1000).fold(json!(1), |inner, _| json!([inner]));
    for key in KEYS {
        problems_of(patched(json!({ key: deep })), Profile::V01);
    }
    let parameter = json!({ "type": "array", "default": deep, "enum": [deep, deep] });
    let inputs = json!({ "a": parameter });
    shown(
        &validate(&[file(patched(json!({ "inputs": inputs })))], Profile::V01),
        expect![[r#"
            error /inputs/a required-fields: "required" is missing; write true or false
            error /inputs/a required-fields: "description" is missing; write what it is, in a sentence
        "#]],
    );
}

#[test]
fn counting_stops_at_ten_thousand() {
    let choices: Vec<usize> = (0..20_000).collect();
    let a = json!({ "type": "integer", "required": false, "description": "A", "enum": choices });
    check_value_of(
        "inputs",
        json!({ "a": a, "b": {} }),
        Profile::V01,
        expect![["
        error /inputs/a/enum/9999 schema-completeness: more than 10000 nested schemas and values; those from here on were not checked, so make the definition smaller
    "]],
    );
}
