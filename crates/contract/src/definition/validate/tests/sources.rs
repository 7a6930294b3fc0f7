//! Whole files: order, shapes, hostile values.

use super::*;

#[test]
fn notes_are_a_string() {
    check_field(
        "notes",
        r#"["a"]"#,
        expect![["
        error /notes type-consistency: must be a string; found an array
    "]],
    );
}

#[test]
fn unknown_top_level_keys_are_warned_about() {
    check(
        &patched(json!({ "safety_level": "read-only", "vendor/x": 1, "schemaVersion": "0.1.0" }))
            .to_string(),
        expect![[r#"
            warning /safety_level advice: unknown key "safety_level"; did you mean "safetyLevel"?
            warning /vendor~1x advice: unknown key "vendor/x"; the keys here are id, name, description, category, safetyLevel, tier, inputs, outputs, notes, examples, schemaVersion
        "#]],
    );
}

#[test]
fn problems_come_in_the_order_of_the_text() {
    check(
        r#"{"tier": 1, "outputs": 2, "id": 3, "name": 4, "inputs": 5, "category": 6,
            "safetyLevel": 7, "description": 8}"#,
        expect![[r#"
            error /tier type-consistency: must be a string; found the number 1
            error /outputs type-consistency: must be an object of named schemas, such as {"path": {"type": "string"}}; found the number 2
            error /id type-consistency: must be a string; found the number 3
            error /name type-consistency: must be a string; found the number 4
            error /inputs type-consistency: must be an object of named schemas, such as {"path": {"type": "string"}}; found the number 5
            error /category type-consistency: must be a string; found the number 6
            error /safetyLevel type-consistency: must be a string; found the number 7
            error /description type-consistency: must be a string; found the number 8
        "#]],
    );
}

#[test]
fn a_tools_array_is_looked_into() {
    check(
        r#"{"count": 2, "tools": [null, {"inputs": {"depth": {"type": "integer", "required": true,
            "description": "D", "default": 1}}}]}"#,
        expect![[r#"
            error /tools/0 type-consistency: must be a tool definition (an object); found null
            error /tools/1 required-fields: "id" is missing; write a string such as "scene.hierarchy.dump"
            error /tools/1 required-fields: "name" is missing; write a string such as "Dump Scene Hierarchy"
            error /tools/1 required-fields: "description" is missing; write one to three sentences
            error /tools/1 required-fields: "category" is missing; write a string such as "scene"
            error /tools/1 required-fields: "safetyLevel" is missing; write a string such as "read-only"
            error /tools/1 required-fields: "tier" is missing; write a string such as "core"
            error /tools/1 required-fields: "outputs" is missing; write an object of output properties
            error /tools/1/inputs/depth/default constraint: a required parameter has no default; remove this or write "required": false
        "#]],
    );
}

#[test]
fn a_tools_member_is_an_array() {
    check(
        r#"{"tools": {}}"#,
        expect![["
        error /tools type-consistency: must be an array of tool definitions; found an object
    "]],
    );
}

#[test]
fn a_described_tool_is_looked_into() {
    check(
        &json!({ "tool": patched(json!({ "tier": 1 })) }).to_string(),
        expect![["
        error /tool/tier type-consistency: must be a string; found the number 1
    "]],
    );
}

#[test]
fn other_roots_are_refused() {
    for root in ["null", "true", "1.5", r#""text""#] {
        assert_eq!(validate(&[file(parse(root))], Profile::Open).len(), 1, "{root}");
    }
    check(
        "12",
        expect![[r#"
            error  type-consistency: write a tool definition, an array of them or {"tools": [...]}; found the number 12
        "#]],
    );
}

#[test]
fn an_array_of_nonsense_is_reported_item_by_item() {
    check(
        r#"[1, [], "x"]"#,
        expect![[r#"
            error /0 type-consistency: must be a tool definition (an object); found the number 1
            error /1 type-consistency: must be a tool definition (an object); found an array
            error /2 type-consistency: must be a tool definition (an object); found the string "x"
        "#]],
    );
}

#[test]
fn nothing_to_check_is_no_problem() {
    assert_eq!(validate(&[], Profile::V01), []);
    assert_eq!(problems_of(json!([]), Profile::V01), "");
}

#[test]
fn any_value_in_any_place_is_survived() {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!([]),
        json!({}),
        json!([[null]]),
        json!({ "": { "": 0 } }),
    ];
    let whole = parse(COMPLETE);
    for pointer in pointers(&whole) {
        for value in &odd {
            let mut broken = whole.clone();
            if let Some(place) = broken.pointer_mut(&pointer) {
                *place = value.clone();
            }
            for problem in validate(&[file(broken.clone()), file(broken.clone())], Profile::V01) {
                assert!(broken.pointer(&problem.pointer).is_some(), "{problem:?}");
            }
        }
    }
}

#[test]
fn long_texts_are_cut_in_messages() {
    check_field(
        "tier",
        &json!("é".repeat(5000)).to_string(),
        expect![[r#"
            error /tier safety-compliance: "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé"... is not a known value; write "core"
        "#]],
    );
}

#[test]
fn rules_and_severities_have_stable_names() {
    let rules = [
        Rule::RequiredFields,
        Rule::IdUniqueness,
        Rule::TypeConsistency,
        Rule::SafetyCompliance,
        Rule::CategoryValidity,
        Rule::SchemaCompleteness,
        Rule::Constraint,
        Rule::Advice,
    ];
    let names = rules.map(Rule::as_str).join(" ");
    expect!["required-fields id-uniqueness type-consistency safety-compliance category-validity schema-completeness constraint advice"].assert_eq(&names);
}
