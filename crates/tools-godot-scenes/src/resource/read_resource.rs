//! The tool `godotResource.readResource`, which MCP clients call `read_resource`.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{Document, ResourceId, Section};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, resource_section, to_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Longer values are cut, which is said.
const MAX_VALUE: usize = 4_000;
/// More inner resources are counted, not listed.
const MAX_LISTED: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotResource.readResource",
    keywords: "open tres material theme contents values dump show content data inspect item",
    mcp: Some("read_resource"),
    title: "Read Resource",
    category: "godot.resource",
    examples: &[Example {
        description: "See what a coin is worth",
        input: r#"{ "projectPath": "godot", "resourcePath": "res://resources/coin_settings.tres" }"#,
        output: r#"{
            "success": true,
            "resourcePath": "res://resources/coin_settings.tres",
            "resourceType": "Resource",
            "scriptClass": "CoinSettings",
            "uid": "uid://b7462o8n3dnq3",
            "properties": {
                "script": "res://scripts/coin_settings.gd",
                "title": "Silver coin",
                "value": 5,
                "metal": 1,
                "tint": { "r": 0.82, "g": 0.86, "b": 0.9, "a": 1 },
                "bob_height": 3.0,
                "tags": ["pickup", "shiny"],
                "metadata/note": "Used by every coin unless a scene gives its own settings."
            },
            "subResources": [],
            "externalResources": [
                { "id": "1_q3k8d", "type": "Script", "path": "res://scripts/coin_settings.gd" }
            ],
            "cut": []
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a .tres, or one resource inside of a .tres or .tscn: its class, properties, and the
/// resources it consists of. What JSON cannot say stays as Godot writes it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file: `res://theme.tres`, or a scene together with `subResourceId`.
    resource_path: String,
    /// Id of a resource inside of the file.
    sub_resource_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    resource_path: String,
    /// Its class.
    resource_type: String,
    /// The class of its script.
    #[serde(skip_serializing_if = "Option::is_none")]
    script_class: Option<String>,
    /// Its uid.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    /// What is set, in file order.
    properties: Map<String, Value>,
    /// The resources inside of the file, in file order.
    sub_resources: Vec<SubResource>,
    /// The files it uses.
    external_resources: Vec<External>,
    /// Properties and lists that are longer than shown.
    cut: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct SubResource {
    /// Its id, as `subResourceId` takes it.
    id: String,
    /// Its class.
    r#type: String,
}

#[derive(Serialize, JsonSchema)]
struct External {
    /// Its id in this file.
    id: String,
    /// Its class.
    r#type: String,
    /// The file.
    path: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path(&input.resource_path)?;
    if path.as_str().ends_with(".res") || path.as_str().ends_with(".scn") {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{path} is binary: text resources are read here"),
        )
        .hint("save it as .tres or .tscn in the Godot editor"));
    }
    let open = godot.open_document(path)?;
    let document = &open.document;
    let id = input.sub_resource_id.map(ResourceId);
    let section = resource_section(document, id.as_ref())?;
    let mut cut = Vec::new();
    let properties = properties(document, section, &mut cut);
    let header = document.section(0).filter(|_| id.is_none());
    let text = |name: &str| Some(header?.attribute_text(name)?.into_owned());
    let sub: Vec<SubResource> = document
        .sub_resources()
        .map(|found| SubResource { id: found.id().0, r#type: found.class().into_owned() })
        .collect();
    let external: Vec<External> = document
        .ext_resources()
        .map(|found| External {
            id: found.id().0,
            r#type: found.class().into_owned(),
            path: found.path().into_owned(),
        })
        .collect();
    Ok(Output {
        success: true,
        resource_path: format!("res://{}", open.path),
        resource_type: text("type")
            .or_else(|| Some(section.attribute_text("type")?.into_owned()))
            .unwrap_or_default(),
        script_class: text("script_class"),
        uid: text("uid"),
        properties,
        sub_resources: listed("subResources", sub, &mut cut),
        external_resources: listed("externalResources", external, &mut cut),
        cut,
    })
}

fn properties(
    document: &Document,
    section: Section<'_>,
    cut: &mut Vec<String>,
) -> Map<String, Value> {
    let mut properties = Map::new();
    for field in section.properties() {
        let key = field.key().into_owned();
        let value = field.value();
        let shown = match value.raw_bytes().len() > MAX_VALUE {
            true => {
                cut.push(key.clone());
                let start: String = value.raw().chars().take(200).collect();
                format!("{start}… ({} bytes)", value.raw_bytes().len()).into()
            }
            false => to_json(document, &value.decode()),
        };
        properties.insert(key, shown);
    }
    properties
}

fn listed<T>(name: &str, mut list: Vec<T>, cut: &mut Vec<String>) -> Vec<T> {
    if list.len() > MAX_LISTED {
        cut.push(format!("{name}: {MAX_LISTED} of {}", list.len()));
        list.truncate(MAX_LISTED);
    }
    list
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn a_resource_inside_of_a_scene() {
        let sample = GodotSample::new();
        let arguments = json!({
            "resourcePath": "scenes/level.tscn", "subResourceId": "ShaderMaterial_w1h6i",
        });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        expect![[r#"
            {
              "success": true,
              "resourcePath": "res://scenes/level.tscn",
              "resourceType": "ShaderMaterial",
              "properties": {
                "resource_local_to_scene": true,
                "shader": "res://resources/glow.gdshader",
                "shader_parameter/glow_color": {
                  "r": 1,
                  "g": 0.75,
                  "b": 0.3,
                  "a": 1
                },
                "shader_parameter/strength": 0.3,
                "shader_parameter/speed": 3.0
              },
              "subResources": [
                {
                  "id": "RectangleShape2D_x5e2n",
                  "type": "RectangleShape2D"
                },
                {
                  "id": "ShaderMaterial_w1h6i",
                  "type": "ShaderMaterial"
                }
              ],
              "externalResources": [
                {
                  "id": "1_f3j8r",
                  "type": "TileSet",
                  "path": "res://resources/tiles.tres"
                },
                {
                  "id": "2_v9k4c",
                  "type": "Shader",
                  "path": "res://resources/glow.gdshader"
                }
              ],
              "cut": []
            }"#]]
        .assert_eq(&serde_json::to_string_pretty(&output).unwrap());
    }

    #[test]
    fn long_values_are_cut_and_that_is_said() {
        let sample = GodotSample::new();
        let long = "x".repeat(5000);
        let text =
            format!("[gd_resource type=\"Resource\" format=3]\n\n[resource]\na = \"{long}\"\n");
        sample.write("long.tres", &text);
        let output = sample.call(super::TOOL.id, json!({ "resourcePath": "long.tres" })).unwrap();
        assert_eq!(output["cut"], json!(["a"]));
        assert!(output["properties"]["a"].as_str().unwrap().ends_with("… (5002 bytes)"));
    }

    #[test]
    fn what_is_no_resource_is_said() {
        let sample = GodotSample::new();
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        expect!["the file is no resource but a scene or settings; name a subResourceId; nodes and settings have tools of their own"].assert_eq(&refuse(json!({ "resourcePath": "scenes/main.tscn" })));
        expect!["file not found: resources/none.tres; did you mean resources/theme.tres or resources/coin_settings.tres or resources/tiles.tres?"]
            .assert_eq(&refuse(json!({ "resourcePath": "resources/none.tres" })));
        expect!["icon.svg is no text file of Godot's; this works on .tscn, .tres, .cfg, .import, .gdextension and project.godot"].assert_eq(&refuse(json!({ "resourcePath": "icon.svg" })));
        expect!["a.res is binary: text resources are read here; save it as .tres or .tscn in the Godot editor"].assert_eq(&refuse(json!({ "resourcePath": "a.res" })));
        expect!["sub resource not found: StyleBoxFlat_h7w2x; did you mean StyleBoxFlat_h7w2c?"]
            .assert_eq(&refuse(json!({
                "resourcePath": "resources/theme.tres", "subResourceId": "StyleBoxFlat_h7w2x",
            })));
    }
}
