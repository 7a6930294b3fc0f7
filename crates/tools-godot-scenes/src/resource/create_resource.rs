//! The tool `godotResource.createResource`, which MCP clients call `create_resource`.

use scenewright_contract::{JsonMap, Safety, ToolError};
use scenewright_godot::Variant;
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Expected, Godot, InGodot, InProject, OpenDocument, Write, refused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotResource.createResource",
    keywords: "tres new material theme stylebox curve custom data item physics gradient noise font environment stats style resource weapon database",
    mcp: Some("create_resource"),
    title: "Create Resource",
    category: "godot.resource",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[
        Example {
            description: "Make a style for panels",
            input: r##"{
                "projectPath": "godot",
                "resourcePath": "res://resources/panel.tres",
                "resourceType": "StyleBoxFlat",
                "properties": { "bg_color": "#203850", "corner_radius_top_left": 6 }
            }"##,
            output: r#"{
                "success": true,
                "resourcePath": "res://resources/panel.tres",
                "resourceType": "StyleBoxFlat",
                "uid": "",
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo", "uid"],
        },
        Example {
            description: "Make a resource of a script's class",
            input: r#"{
                "projectPath": "godot",
                "resourcePath": "res://resources/copper_coin.tres",
                "resourceType": "CoinSettings",
                "properties": { "title": "Copper coin", "bob_height": 2, "tags": ["pickup"] }
            }"#,
            output: r#"{
                "success": true,
                "resourcePath": "res://resources/copper_coin.tres",
                "resourceType": "CoinSettings",
                "uid": "",
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo", "uid"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create a resource file of any class of Godot's, or of a script's `class_name`. Properties are
/// checked against the class.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Where to make it: `res://styles/panel.tres`.
    resource_path: String,
    /// Class: `StandardMaterial3D`, `Theme`, `Gradient`, or one of the project's scripts.
    resource_type: String,
    /// Properties by name: numbers, texts, `{"x": 1, "y": 2}`, `"#ff8800"`, `"res://icon.svg"`,
    /// or `{"type": "StyleBoxFlat", …}` for a resource inside of it.
    #[serde(default)]
    properties: JsonMap,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new file.
    resource_path: String,
    /// Its class.
    resource_type: String,
    /// Its uid.
    uid: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.new_path(&input.resource_path, &["tres"])?;
    let (class, script) = class_and_script(&godot, &input.resource_type)?;
    let mut open = godot.new_resource(path, &class)?;
    if let Some(script) = &script {
        add_script(&godot, &mut open, &input.resource_type, script)?;
    }
    let of = Expected { class: &class, script: script.as_deref() };
    let properties = godot.values(&mut open.document, of, &input.properties)?;
    for (key, value) in &properties {
        set(&mut open, key, value)?;
    }
    Ok(Output {
        success: true,
        resource_path: format!("res://{}", open.path),
        resource_type: input.resource_type,
        uid: open.document.uid().unwrap_or_default().into_owned(),
        written: open.save(&godot, input.write)?,
    })
}

/// The engine's class that a name means, and the script behind it if it is a script's.
fn class_and_script(godot: &Godot<'_>, name: &str) -> Result<(String, Option<String>), ToolError> {
    let Some(script) = godot.index.class(name) else {
        return Ok((godot.class_below(name, "Resource")?.to_owned(), None));
    };
    let base = godot.index.engine_base(name).unwrap_or("RefCounted");
    let class = godot.class_below(base, "Resource").map_err(|error| {
        error.hint(format!("{name} ({}) comes down to {base}", script.res_path()))
    })?;
    Ok((class.to_owned(), Some(script.res_path())))
}

fn add_script(
    godot: &Godot<'_>,
    open: &mut OpenDocument,
    name: &str,
    script: &str,
) -> Result<(), ToolError> {
    let id = godot.reference(&mut open.document, script, "Script")?;
    let class = Variant::String(name.to_owned());
    open.document.set_attribute(0, "script_class", &class).map_err(refused)?;
    set(open, "script", &Variant::ExtResource(id))
}

fn set(open: &mut OpenDocument, key: &str, value: &Variant) -> Result<(), ToolError> {
    let section = open.document.main_resource().map_or(0, |section| section.index());
    open.document.set_property(section, key, value).map_err(refused)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn resources_inside_come_first() {
        let arguments = json!({
            "resourcePath": "sky", "resourceType": "Environment",
            "properties": {
                "background_mode": "Sky",
                "sky": { "type": "Sky", "sky_material": { "type": "ProceduralSkyMaterial", "sky_top_color": "#4080ff" } },
            },
        });
        expect![[r#"
            --- /dev/null
            +++ b/sky.tres
            @@ -0,0 +1,11 @@
            +[gd_resource type="Environment" format=3 uid="uid://bhppb6d23cnfc"]
            +
            +[sub_resource type="ProceduralSkyMaterial" id="ProceduralSkyMaterial_n2pdb"]
            +sky_top_color = Color(0.2509804, 0.5019608, 1, 1)
            +
            +[sub_resource type="Sky" id="Sky_xo2kc"]
            +sky_material = SubResource("ProceduralSkyMaterial_n2pdb")
            +
            +[resource]
            +background_mode = 2
            +sky = SubResource("Sky_xo2kc")
        "#]]
        .assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_class_of_the_project_has_its_script_and_types() {
        let arguments = json!({
            "resourcePath": "a/b/coin.tres", "resourceType": "CoinSettings",
            "properties": { "title": "A \"new\" coin", "bob_height": 2, "tint": "#ff0000", "tags": ["x"] },
        });
        expect![[r#"
            --- /dev/null
            +++ b/a/b/coin.tres
            @@ -0,0 +1,10 @@
            +[gd_resource type="Resource" script_class="CoinSettings" format=3 uid="uid://bvvuorblifad0"]
            +
            +[ext_resource type="Script" uid="uid://ne2ahhq53jtv" path="res://scripts/coin_settings.gd" id="1_0np5m"]
            +
            +[resource]
            +script = ExtResource("1_0np5m")
            +title = "A \"new\" coin"
            +tint = Color(1, 0, 0, 1)
            +bob_height = 2.0
            +tags = Array[StringName]([&"x"])
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn mistakes_are_told() {
        let sample = GodotSample::new();
        let refuse = |change: Value| {
            let mut arguments = json!({ "resourcePath": "x.tres", "resourceType": "Gradient" });
            for (key, value) in change.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            sample.error(super::TOOL.id, arguments)
        };
        expect!["Godot 4.4 has no class 'Gradiant'; did you mean Gradient?"]
            .assert_eq(&refuse(json!({ "resourceType": "Gradiant" })));
        expect!["Node2D is no Resource; search_classes finds the classes below Resource"]
            .assert_eq(&refuse(json!({ "resourceType": "Node2D" })));
        expect!["Shape2D is abstract: Godot makes only the classes below it"]
            .assert_eq(&refuse(json!({ "resourceType": "Shape2D" })));
        expect!["CharacterBody2D is no Resource; Player (res://scripts/player.gd) comes down to CharacterBody2D"].assert_eq(&refuse(json!({ "resourceType": "Player" })));
        expect!["Gradient has no property 'ofsets'; did you mean offsets?"]
            .assert_eq(&refuse(json!({ "properties": { "ofsets": [] } })));
        expect![[r#"Gradient.offsets takes PackedFloat32Array, not "no"; write the value as Godot writes it in its files"#]].assert_eq(&refuse(json!({ "properties": { "offsets": "no" } })));
        expect!["resources/theme.tres exists already; nothing was changed; choose another name, or change the file that is there"].assert_eq(&refuse(json!({ "resourcePath": "resources/theme.tres" })));
        expect!["x.png ends in .png, and this makes .tres"]
            .assert_eq(&refuse(json!({ "resourcePath": "x.png" })));
    }
}
