//! The tool `godotResource.modifyResource`, which MCP clients call `modify_resource`.

use scenewright_contract::{JsonMap, Safety, ToolError, suggest};
use scenewright_godot::{Document, ResourceId, Section, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Expected, InGodot, InProject, Write, read_value_before, refused, resource_section,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotResource.modifyResource",
    keywords: "change value of a material theme tres edit stylebox color property tweak item data font size albedo style damage price",
    mcp: Some("modify_resource"),
    title: "Modify Resource",
    category: "godot.resource",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[
        Example {
            description: "Make the silver coin worth more",
            input: r#"{
                "projectPath": "godot",
                "resourcePath": "res://resources/coin_settings.tres",
                "properties": { "value": 7 },
                "remove": ["metadata/note"]
            }"#,
            output: r#"{
                "success": true,
                "resourcePath": "res://resources/coin_settings.tres",
                "resourceType": "Resource",
                "set": ["value"],
                "removed": ["metadata/note"],
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo"],
        },
        Example {
            description: "Widen a shape inside of a scene",
            input: r#"{
                "projectPath": "godot",
                "resourcePath": "res://scenes/coin.tscn",
                "subResourceId": "CircleShape2D_o7u2a",
                "properties": { "radius": 8 }
            }"#,
            output: r#"{
                "success": true,
                "resourcePath": "res://scenes/coin.tscn",
                "resourceType": "CircleShape2D",
                "set": ["radius"],
                "removed": [],
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set or remove properties of a .tres, or of one resource inside of a .tres or .tscn. Values are
/// checked against the class; a property that is removed has its default again.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file: `res://theme.tres`, or a scene together with `subResourceId`.
    resource_path: String,
    /// Id of a resource inside of the file; read_resource lists them.
    sub_resource_id: Option<String>,
    /// Properties by name: numbers, texts, `{"x": 1, "y": 2}`, `"#ff8800"`, `"res://icon.svg"`,
    /// or `{"type": "StyleBoxFlat", …}` for a resource inside of it.
    #[serde(default)]
    properties: JsonMap,
    /// Names of properties to remove.
    #[serde(default)]
    remove: Vec<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    resource_path: String,
    /// The class of what was changed.
    resource_type: String,
    /// Properties that were set.
    set: Vec<String>,
    /// Properties that were removed.
    removed: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut open = godot.open_document(godot.path(&input.resource_path)?)?;
    let document = &mut open.document;
    document.check_writable().map_err(refused)?;
    let id = input.sub_resource_id.map(ResourceId);
    let class = class(document, id.as_ref())?;
    let script = script(document, resource_section(document, id.as_ref())?);
    let of = Expected { class: &class, script: script.as_deref() };
    for key in &input.remove {
        let section = resource_section(document, id.as_ref())?;
        if section.property(key).is_none() {
            let keys: Vec<String> =
                section.properties().map(|field| field.key().into_owned()).collect();
            let known = keys.iter().map(String::as_str);
            return Err(ToolError::not_found("property", key).hint(suggest::did_you_mean(
                key,
                known,
                "read_resource shows what is set",
            )));
        }
        let index = section.index();
        document.remove_property(index, key).map_err(refused)?;
    }
    let mut set = Vec::new();
    for (key, value) in &input.properties {
        let value = read_value_before(&godot, document, of, key, value, id.as_ref())?;
        let index = resource_section(document, id.as_ref())?.index();
        document.set_property(index, key, &value).map_err(refused)?;
        set.push(key.clone());
    }
    Ok(Output {
        success: true,
        resource_path: format!("res://{}", open.path),
        set,
        removed: input.remove,
        written: open.save(&godot, input.write)?,
        resource_type: class,
    })
}

fn class(document: &Document, id: Option<&ResourceId>) -> Result<String, ToolError> {
    let section = resource_section(document, id)?;
    let class = match id {
        Some(_) => section.attribute_text("type"),
        None => document.resource_class(),
    };
    Ok(class.unwrap_or_default().into_owned())
}

/// The file of the script that a resource has.
fn script(document: &Document, section: Section<'_>) -> Option<String> {
    match section.property("script")?.decode() {
        Variant::ExtResource(id) => Some(document.ext_resource(&id)?.path().into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(arguments: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn values_have_the_types_of_the_script() {
        check(
            json!({
                "resourcePath": "resources/coin_settings.tres",
                "properties": { "tint": "#ff8000", "bob_height": 4, "tags": ["a", "b"], "metadata/count": 3 },
            }),
            expect![[r#"
                --- a/resources/coin_settings.tres
                +++ b/resources/coin_settings.tres
                @@ -7,7 +7,8 @@
                 title = "Silver coin"
                 value = 5
                 metal = 1
                -tint = Color(0.82, 0.86, 0.9, 1)
                -bob_height = 3.0
                -tags = Array[StringName]([&"pickup", &"shiny"])
                +tint = Color(1, 0.5019608, 0, 1)
                +bob_height = 4.0
                +tags = Array[StringName]([&"a", &"b"])
                 metadata/note = "Used by every coin unless a scene gives its own settings."
                +metadata/count = 3
            "#]],
        );
    }

    #[test]
    fn a_new_resource_stands_before_the_one_that_uses_it() {
        check(
            json!({
                "resourcePath": "scenes/level.tscn", "subResourceId": "ShaderMaterial_w1h6i",
                "properties": { "next_pass": { "type": "ShaderMaterial", "render_priority": 2 } },
                "remove": ["shader_parameter/speed"],
            }),
            expect![[r#"
                --- a/scenes/level.tscn
                +++ b/scenes/level.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=5 format=4 uid="uid://bh5yk7ny1n55l"]
                +[gd_scene load_steps=6 format=4 uid="uid://bh5yk7ny1n55l"]
 
                 [ext_resource type="TileSet" uid="uid://bun8qkv1mtnsr" path="res://resources/tiles.tres" id="1_f3j8r"]
                 [ext_resource type="Shader" uid="uid://bm33gnme0dfl8" path="res://resources/glow.gdshader" id="2_v9k4c"]
                @@ -6,12 +6,15 @@
                 [sub_resource type="RectangleShape2D" id="RectangleShape2D_x5e2n"]
                 size = Vector2(40, 96)
 
                +[sub_resource type="ShaderMaterial" id="ShaderMaterial_pbah5"]
                +render_priority = 2
                +
                 [sub_resource type="ShaderMaterial" id="ShaderMaterial_w1h6i"]
                 resource_local_to_scene = true
                 shader = ExtResource("2_v9k4c")
                 shader_parameter/glow_color = Color(1, 0.75, 0.3, 1)
                 shader_parameter/strength = 0.3
                -shader_parameter/speed = 3.0
                +next_pass = SubResource("ShaderMaterial_pbah5")
 
                 [node name="Level" type="Node2D"]
 
            "#]],
        );
    }

    #[test]
    fn keys_of_a_theme_hold_what_their_kind_says() {
        check(
            json!({
                "resourcePath": "resources/theme.tres",
                "properties": {
                    "Button/styles/hover": { "type": "StyleBoxFlat", "bg_color": "#ff0000" },
                    "Button/colors/font_color": { "r": 1, "g": 0.5, "b": 0 },
                    "Button/constants/h_separation": 4,
                    "Big/base_type": "Button",
                },
            }),
            expect![[r#"
                --- a/resources/theme.tres
                +++ b/resources/theme.tres
                @@ -1,4 +1,4 @@
                -[gd_resource type="Theme" load_steps=3 format=3 uid="uid://6m4sb6iad44t"]
                +[gd_resource type="Theme" load_steps=4 format=3 uid="uid://6m4sb6iad44t"]

                 [sub_resource type="StyleBoxFlat" id="StyleBoxFlat_h7w2c"]
                 content_margin_left = 10.0
                @@ -26,12 +26,17 @@
                 corner_radius_bottom_right = 4
                 corner_radius_bottom_left = 4

                +[sub_resource type="StyleBoxFlat" id="StyleBoxFlat_u3wq3"]
                +bg_color = Color(1, 0, 0, 1)
                +
                 [resource]
                 default_font_size = 14
                -Button/colors/font_color = Color(1, 0.95, 0.82, 1)
                -Button/styles/hover = SubResource("StyleBoxFlat_h7w2c")
                +Button/colors/font_color = Color(1, 0.5, 0, 1)
                +Button/styles/hover = SubResource("StyleBoxFlat_u3wq3")
                 Button/styles/normal = SubResource("StyleBoxFlat_n1r4b")
                 Label/colors/font_color = Color(1, 0.97, 0.9, 1)
                 Label/colors/font_shadow_color = Color(0, 0, 0, 0.5)
                 Label/constants/shadow_offset_x = 1
                 Label/constants/shadow_offset_y = 1
                +Button/constants/h_separation = 4
                +Big/base_type = &"Button"
            "#]],
        );
        let sample = GodotSample::new();
        let refuse = |key: &str, value: Value| {
            let properties = json!({ key: value });
            let theme = "resources/theme.tres";
            sample.error(super::TOOL.id, json!({ "resourcePath": theme, "properties": properties }))
        };
        expect![[r##"Theme.Button/colors/font_color takes Color, not 3; write "#ff8800" or {"r": 1, "g": 0.5, "b": 0}"##]].assert_eq(&refuse("Button/colors/font_color", json!(3)));
        expect!["StyleBox has no property 'bg_color'; there is resource_local_to_scene, content_margin_top, content_margin_left, content_margin_right, content_margin_bottom, script, resource_name, resource_path, resource_scene_unique_id"]
            .assert_eq(&refuse("Button/styles/normal", json!({ "bg_color": "#ff0000" })));
        expect!["Theme has no property 'Button/styls/normal'; there is resource_local_to_scene, default_font, default_font_size, default_base_scale, resource_name, resource_scene_unique_id, resource_path, script"]
            .assert_eq(&refuse("Button/styls/normal", json!({ "type": "StyleBoxFlat" })));
        expect!["icon.svg is a Texture2D, and a StyleBox is needed"]
            .assert_eq(&refuse("Button/styles/normal", json!("res://icon.svg")));
    }

    #[test]
    fn a_value_that_is_there_already_changes_nothing() {
        let sample = GodotSample::new();
        let arguments = json!({
            "resourcePath": "resources/theme.tres", "properties": { "default_font_size": 14 },
        });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["filesChanged"], 0);
    }

    #[test]
    fn mistakes_are_told_and_change_nothing() {
        let sample = GodotSample::new();
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        let coin = "resources/coin_settings.tres";
        expect!["Resource has no property 'vale'; did you mean value?"]
            .assert_eq(&refuse(json!({ "resourcePath": coin, "properties": { "vale": 1 } })));
        expect![[
            r#"Resource.value takes int, not "x"; write the value as Godot writes it in its files"#
        ]]
        .assert_eq(&refuse(json!({ "resourcePath": coin, "properties": { "value": "x" } })));
        expect!["property not found: tnt; did you mean tint?"]
            .assert_eq(&refuse(json!({ "resourcePath": coin, "remove": ["metal", "tnt"] })));
        expect!["the file is no resource but a scene or settings; name a subResourceId; nodes and settings have tools of their own"].assert_eq(&refuse(json!({ "resourcePath": "scenes/main.tscn" })));
        expect!["sub resource not found: x; there is none inside of this file"]
            .assert_eq(&refuse(json!({ "resourcePath": coin, "subResourceId": "x" })));
        assert!(sample.read(coin).contains("metal = 1"));
    }
}
