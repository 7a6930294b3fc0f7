use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;

/// The spec's "Complete Example".
const COMPLETE: &str = r#"{
  "id": "scene.hierarchy.dump",
  "name": "Dump Scene Hierarchy",
  "description": "Returns the complete GameObject hierarchy for a scene, including components per node and object paths. Cornerstone tool for editor reasoning and structural analysis.",
  "category": "scene",
  "safetyLevel": "read-only",
  "tier": "core",
  "inputs": {
    "scenePath": {
      "type": "string",
      "required": true,
      "description": "Path to the scene file (e.g., 'Assets/Scenes/Main.unity')"
    }
  },
  "outputs": {
    "scenePath": {
      "type": "string",
      "description": "Path to the scene that was dumped"
    },
    "rootObjects": {
      "type": "array",
      "description": "Root GameObjects in the scene",
      "items": {
        "type": "object",
        "properties": {
          "name": {"type": "string"},
          "path": {"type": "string"},
          "instanceId": {"type": "integer"},
          "components": {"type": "array", "items": {"type": "string"}},
          "children": {"type": "array"}
        }
      }
    }
  },
  "notes": "Large scenes with thousands of objects may take several seconds to process.",
  "examples": [
    {
      "description": "Dump hierarchy for main scene",
      "input": {
        "scenePath": "Assets/Scenes/Main.unity"
      },
      "output": {
        "scenePath": "Assets/Scenes/Main.unity",
        "rootObjects": [
          {
            "name": "Main Camera",
            "path": "Main Camera",
            "instanceId": 12345,
            "components": ["Transform", "Camera"],
            "children": []
          }
        ]
      }
    }
  ]
}
"#;

/// The spec's example of inputs.
const INPUTS: &str = r#"{
  "scenePath": {
    "type": "string",
    "required": true,
    "description": "Path to the scene file (e.g., 'Assets/Scenes/Main.unity')"
  },
  "includeInBuild": {
    "type": "boolean",
    "required": false,
    "description": "Filter by scenes included in build settings",
    "default": null
  },
  "depth": {
    "type": "integer",
    "required": false,
    "description": "Maximum depth to traverse dependency graph",
    "default": 2,
    "minimum": 1,
    "maximum": 10
  }
}
"#;

/// The spec's example of outputs.
const OUTPUTS: &str = r#"{
  "scenes": {
    "type": "array",
    "description": "List of scenes in the project",
    "items": {
      "type": "object",
      "properties": {
        "path": {"type": "string"},
        "name": {"type": "string"},
        "enabledInBuild": {"type": "boolean"}
      }
    }
  }
}
"#;

/// Check one file strictly.
fn check(json: &str, expect: Expect) {
    shown(&validate(&[file(parse(json))], Profile::V01), expect);
}

/// Check the complete example (without its examples) with one field replaced.
fn check_field(field: &str, json: &str, expect: Expect) {
    check_value_of(field, parse(json), Profile::V01, expect);
}

/// Check one optional parameter `a` with these keys.
fn check_param(json: &str, expect: Expect) {
    let mut parameter = json!({ "required": false, "description": "A parameter" });
    let keys = parameter.as_object_mut().expect("it is an object");
    keys.extend(parse(json).as_object().expect("a parameter is an object").clone());
    check_value_of("inputs", json!({ "a": parameter }), Profile::V01, expect);
}

/// As [`check_field`], in the open profile.
fn check_open(field: &str, json: &str, expect: Expect) {
    check_value_of(field, parse(json), Profile::Open, expect);
}

fn check_value_of(field: &str, value: Value, profile: Profile, expect: Expect) {
    shown(&validate(&[file(patched(json!({ field: value })))], profile), expect);
}

fn shown(problems: &[Problem], expect: Expect) {
    expect.assert_eq(&lines(problems));
}

fn problems_of(root: Value, profile: Profile) -> String {
    lines(&validate(&[file(root)], profile))
}

fn lines(problems: &[Problem]) -> String {
    let line = |problem: &Problem| {
        let Problem { pointer, rule, severity, message, .. } = problem;
        format!("{} {pointer} {}: {message}\n", severity.as_str(), rule.as_str())
    };
    problems.iter().map(line).collect()
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("the test's JSON is well formed")
}

fn file(root: Value) -> (String, Value) {
    ("tool.json".to_owned(), root)
}

/// The complete example without its examples, with the members of `patch` put in.
fn patched(patch: Value) -> Value {
    let mut tool = parse(COMPLETE);
    let members = tool.as_object_mut().expect("the example is an object");
    members.shift_remove("examples");
    members.extend(patch.as_object().expect("a patch is an object").clone());
    tool
}

/// One example with this input and output.
fn example(input: &str, output: &str) -> Value {
    json!([{ "description": "An example", "input": parse(input), "output": parse(output) }])
}

/// The pointers to everything in `value`.
fn pointers(value: &Value) -> Vec<String> {
    let mut all = vec![String::new()];
    let members: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, value)| (join("", key), value)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().map(|(index, value)| (format!("/{index}"), value)).collect()
        }
        _ => Vec::new(),
    };
    for (step, value) in members {
        all.extend(pointers(value).into_iter().map(|rest| format!("{step}{rest}")));
    }
    all
}

#[test]
fn the_complete_example_of_the_spec_is_clean() {
    check(COMPLETE, expect![[""]]);
}

#[test]
fn the_input_example_of_the_spec_is_clean() {
    check_field("inputs", INPUTS, expect![[""]]);
}

#[test]
fn the_output_example_of_the_spec_is_clean() {
    check_field("outputs", OUTPUTS, expect![[""]]);
}

#[test]
fn the_examples_of_single_fields_are_clean() {
    let named = [
        ("mcp.server.info", "MCP Server Info", "mcp.platform"),
        ("project.scenes.list", "List Project Scenes", "project"),
        ("audio.mixer.snapshot.read", "Read Snapshot of a Mixer", "audio.mixer"),
    ];
    for (id, name, category) in named {
        let patch = json!({ "id": id, "name": name, "category": category, "inputs": {} });
        assert_eq!(problems_of(patched(patch), Profile::V01), "");
    }
}

#[test]
fn every_required_field_is_missed() {
    check(
        "{}",
        expect![[r#"
            error  required-fields: "id" is missing; write a string such as "scene.hierarchy.dump"
            error  required-fields: "name" is missing; write a string such as "Dump Scene Hierarchy"
            error  required-fields: "description" is missing; write one to three sentences
            error  required-fields: "category" is missing; write a string such as "scene"
            error  required-fields: "safetyLevel" is missing; write a string such as "read-only"
            error  required-fields: "tier" is missing; write a string such as "core"
            error  required-fields: "inputs" is missing; write an object of parameters, {} if there are none
            error  required-fields: "outputs" is missing; write an object of output properties
        "#]],
    );
}

#[test]
fn a_number_is_no_id() {
    check_field(
        "id",
        "5",
        expect![["
        error /id type-consistency: must be a string; found the number 5
    "]],
    );
}

#[test]
fn null_is_no_name() {
    check_field(
        "name",
        "null",
        expect![["
        error /name type-consistency: must be a string; found null
    "]],
    );
}

#[test]
fn a_blank_description_is_empty() {
    check_field(
        "description",
        r#"" \t""#,
        expect![["
        error /description required-fields: must not be empty
    "]],
    );
}

#[test]
fn an_id_needs_a_dot() {
    check_field(
        "id",
        r#""scene""#,
        expect![[r#"
            error /id constraint: "scene" has no dot; write category.action, such as "scene.list"
        "#]],
    );
}

#[test]
fn an_id_has_no_empty_segment() {
    check_field(
        "id",
        r#""scene..dump.""#,
        expect![[r#"
            error /id constraint: "scene..dump." has an empty segment; write one dot between words and none at the ends
        "#]],
    );
}

#[test]
fn an_id_has_no_special_characters() {
    check_field(
        "id",
        r#""scene.dump_all now""#,
        expect![[r#"
            error /id constraint: "scene.dump_all now" holds '_'; use only letters, digits, dots and hyphens
        "#]],
    );
}

#[test]
fn v01_ids_are_lowercase() {
    check_field(
        "id",
        r#""scene.setParent""#,
        expect![[r#"
            error /id constraint: "scene.setParent" is not lowercase; spec v0.1 wants it so: "scene.setparent"
        "#]],
    );
}

#[test]
fn open_ids_may_be_camel_case() {
    check_open("id", r#""scene.setParent""#, expect![[""]]);
}

#[test]
fn open_ids_should_not_be_pascal_case() {
    check_open(
        "id",
        r#""scene.SetParent""#,
        expect![[r#"
            warning /id advice: segment "SetParent" starts with a capital; prefer camelCase
        "#]],
    );
}

#[test]
fn all_faults_of_one_id_are_reported() {
    check_field(
        "id",
        r#""Scene Dump""#,
        expect![[r#"
            error /id constraint: "Scene Dump" has no dot; write category.action, such as "scene.list"
            error /id constraint: "Scene Dump" holds ' '; use only letters, digits, dots and hyphens
            error /id constraint: "Scene Dump" is not lowercase; spec v0.1 wants it so: "scene dump"
        "#]],
    );
}

#[test]
fn ids_are_unique_over_all_files() {
    let file = |label: &str| (label.to_owned(), parse(COMPLETE));
    let problems = validate(&[file("a.json"), file("b.json")], Profile::V01);
    assert_eq!(problems[0].source, "b.json");
    shown(
        &problems,
        expect![[r#"
            error /id id-uniqueness: "scene.hierarchy.dump" is already the id at a.json#/id; give each tool its own
        "#]],
    );
}

#[test]
fn ids_are_unique_in_one_file() {
    check(
        &format!("[{COMPLETE}, {COMPLETE}]"),
        expect![[r#"
            error /1/id id-uniqueness: "scene.hierarchy.dump" is already the id at tool.json#/0/id; give each tool its own
        "#]],
    );
}

#[test]
fn a_long_name_is_discouraged() {
    check_field(
        "name",
        r#""Dump the Whole Hierarchy of the Scene With All Its Objects""#,
        expect![["
            warning /name advice: 58 characters long; prefer fewer than 50
        "]],
    );
}

#[test]
fn a_name_is_in_title_case() {
    check_field(
        "name",
        r#""dump scene hierarchy of iOS""#,
        expect![[r#"
            warning /name advice: "dump scene hierarchy of iOS" is not in title case; write "Dump Scene Hierarchy of iOS"
        "#]],
    );
}

#[test]
fn a_description_has_at_most_three_sentences() {
    check_field(
        "description",
        r#""One. Two (e.g. Two). Three! Four? Five""#,
        expect![["
        warning /description advice: 5 sentences; write one to three and put the rest in notes
    "]],
    );
}

#[test]
fn abbreviations_and_numbers_do_not_end_sentences() {
    check_field(
        "description",
        r#""Reads v1.2 files, e.g. Main.unity, i.e. Unity scenes. It is fast. It is safe.""#,
        expect![[""]],
    );
}

#[test]
fn a_category_is_on_the_list() {
    check_field(
        "category",
        r#""scnee""#,
        expect![[r#"
            error /category category-validity: "scnee" is not a standard category; did you mean "scene"?
        "#]],
    );
}

#[test]
fn a_category_with_a_standard_root_is_pointed_there() {
    check_field(
        "category",
        r#""mcp.tools""#,
        expect![[r#"
            error /category category-validity: "mcp.tools" is not a standard category; did you mean "mcp.platform"?
        "#]],
    );
}

#[test]
fn a_category_far_from_all_lists_them() {
    check_field(
        "category",
        r#""zzz""#,
        expect![[r#"
            error /category category-validity: "zzz" is not a standard category; write one of "mcp.platform", "project", "scene", "asset", "audio", "editor"
        "#]],
    );
}

#[test]
fn a_category_is_lowercase() {
    check_field(
        "category",
        r#""Scene.Nodes""#,
        expect![[r#"
            error /category constraint: "Scene.Nodes" is not lowercase; spec v0.1 wants it so: "scene.nodes"
        "#]],
    );
}

#[test]
fn a_prefix_without_a_dot_is_no_sub_category() {
    check_field(
        "category",
        r#""sceneries""#,
        expect![[r#"
            error /category category-validity: "sceneries" is not a standard category; did you mean "scene"?
        "#]],
    );
}

#[test]
fn the_category_agrees_with_the_id() {
    check_field(
        "category",
        r#""audio.mixer""#,
        expect![[r#"
            warning /category advice: the id "scene.hierarchy.dump" starts with another category than "audio.mixer"; make the first words agree
        "#]],
    );
}

#[test]
fn open_categories_are_open() {
    check_open("category", r#""unityApi""#, expect![[""]]);
}

#[test]
fn open_categories_are_still_dotted_words() {
    check_open(
        "category",
        r#""unity api.""#,
        expect![[r#"
            error /category constraint: "unity api." has an empty segment; write one dot between words and none at the ends
            error /category constraint: "unity api." holds ' '; use only letters, digits, dots and hyphens
        "#]],
    );
}

#[test]
fn v01_is_read_only() {
    check_field(
        "safetyLevel",
        r#""safe-write""#,
        expect![[r#"
            error /safetyLevel safety-compliance: "safe-write" is not in spec v0.1; write "read-only"
        "#]],
    );
}

#[test]
fn a_safety_level_is_spelt_as_in_the_spec() {
    check_field(
        "safetyLevel",
        r#""ReadOnly""#,
        expect![[r#"
            error /safetyLevel safety-compliance: "ReadOnly" is not a known value; did you mean "read-only"?
        "#]],
    );
}

#[test]
fn v01_is_core() {
    check_field(
        "tier",
        r#""tier2""#,
        expect![[r#"
            error /tier safety-compliance: "tier2" is not in spec v0.1; write "core"
        "#]],
    );
}

#[test]
fn open_takes_all_safety_levels() {
    check_open("safetyLevel", r#""destructive""#, expect![[""]]);
}

#[test]
fn open_takes_the_later_tiers() {
    check_open("tier", r#""studio""#, expect![[""]]);
}

#[test]
fn open_tiers_are_a_list_too() {
    check_open(
        "tier",
        r#""tier9""#,
        expect![[r#"
            error /tier safety-compliance: "tier9" is not a known value; did you mean "tier1" or "tier2" or "tier3"?
        "#]],
    );
}

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
