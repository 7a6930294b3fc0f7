//! Examples.

use super::*;

#[test]
fn examples_are_an_array() {
    check_field(
        "examples",
        "{}",
        expect![["
        error /examples type-consistency: must be an array of examples; found an object
    "]],
    );
}

#[test]
fn there_are_one_to_three_examples() {
    check_field(
        "examples",
        "[]",
        expect![["
        warning /examples advice: 0 examples; give one to three
    "]],
    );
}

#[test]
fn an_example_has_three_parts() {
    check_field(
        "examples",
        r#"[{"inputs": {}}, 7, {"description": "", "input": [], "output": null}]"#,
        expect![[r#"
            error /examples/0 required-fields: "description" is missing; write what the example shows
            error /examples/0 required-fields: "input" is missing; write an object of arguments
            error /examples/0 required-fields: "output" is missing; write an object of output properties
            warning /examples/0/inputs advice: unknown key "inputs"; did you mean "input"?
            error /examples/1 type-consistency: must be an object with description, input and output; found the number 7
            error /examples/2/description required-fields: must not be empty
            error /examples/2/input type-consistency: must be an object; found an array
            error /examples/2/output type-consistency: must be an object; found null
        "#]],
    );
}

#[test]
fn example_inputs_match_their_schema() {
    check_value_of(
        "examples",
        example(r#"{"scenPath": "x"}"#, "{}"),
        Profile::V01,
        expect![[r#"
            error /examples/0/input required-fields: "scenePath" is required and missing; add it
            error /examples/0/input/scenPath type-consistency: "scenPath" is not declared; did you mean "scenePath"?
        "#]],
    );
}

#[test]
fn example_inputs_have_the_right_type() {
    check_value_of(
        "examples",
        example(r#"{"scenePath": 5}"#, "{}"),
        Profile::V01,
        expect![["
        error /examples/0/input/scenePath type-consistency: must be a string; found the number 5
    "]],
    );
}

#[test]
fn example_outputs_match_their_schema() {
    check_value_of(
        "examples",
        example(
            r#"{"scenePath": "x"}"#,
            r#"{"rootObjects": [{"name": 1, "components": ["a", 2], "color": "red"}, 5], "extra": 1}"#,
        ),
        Profile::V01,
        expect![[r#"
            error /examples/0/output/rootObjects/0/name type-consistency: must be a string; found the number 1
            error /examples/0/output/rootObjects/0/components/1 type-consistency: must be a string; found the number 2
            warning /examples/0/output/rootObjects/0/color type-consistency: "color" is not declared; declare it or remove it
            error /examples/0/output/rootObjects/1 type-consistency: must be an object; found the number 5
            warning /examples/0/output/extra type-consistency: "extra" is not declared; declare it or remove it
        "#]],
    );
}

#[test]
fn example_inputs_obey_enum_and_range() {
    let tool = patched(json!({
        "inputs": {
            "mode": {
                "type": "string", "required": false, "description": "M", "enum": ["fast", "full"],
            },
            "depth": {
                "type": "integer", "required": false, "description": "D", "default": null, "minimum": 1,
            },
            "at": {
                "type": "object", "required": false, "description": "A",
                "properties": { "x": { "type": "number", "required": true } },
            },
        },
        "examples": [
            {
                "description": "Bad", "output": {},
                "input": { "mode": "fasst", "depth": 0, "at": {} },
            },
            {
                "description": "Good", "output": {},
                "input": { "mode": "full", "depth": null, "at": { "x": 1 } },
            },
        ],
    }));
    check(
        &tool.to_string(),
        expect![[r#"
            error /examples/0/input/mode constraint: the string "fasst" is not in "enum"; did you mean "fast"?
            error /examples/0/input/depth constraint: 0 is below the minimum; write 1 or more
            error /examples/0/input/at required-fields: "x" is required and missing; add it
        "#]],
    );
}

#[test]
fn maps_in_examples_are_checked() {
    let counts = json!({
        "type": "object", "description": "C", "additionalProperties": { "type": "integer" },
    });
    let tool = patched(json!({
        "outputs": { "counts": counts },
        "examples": example(r#"{"scenePath": "x"}"#, r#"{"counts": {"png": 1, "wav": "2"}}"#),
    }));
    check(
        &tool.to_string(),
        expect![[r#"
            error /examples/0/output/counts/wav type-consistency: must be an integer; found the string "2"; write 2 without quotes
        "#]],
    );
}
