//! Definitions of tools: those of the spec are clean, and each rule is broken once.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;

mod examples;
mod schemas;
mod sources;

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
