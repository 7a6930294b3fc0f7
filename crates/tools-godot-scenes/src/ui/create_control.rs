//! The tool `godotUi.createControl`, which MCP clients call `create_control`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, InGodot, InNewNode, InScene, NodeMade, Wanted, Write, given, layout,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotUi.createControl",
    keywords: "text input checkbox progress bar texture rect button label menu hud slider line edit field health image panel score widget title dialog",
    mcp: Some("create_control"),
    title: "Create Control",
    category: "godot.ui",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Show how many coins are collected",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/main.tscn",
            "nodeName": "CoinBar",
            "parentNodePath": "HUD/Root/TopBar",
            "controlType": "progress_bar",
            "maxValue": 5,
            "value": 2
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "HUD/Root/TopBar/CoinBar",
            "nodeType": "ProgressBar",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<NodeMade>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a control to a scene: a button, a label, an input, a picture. What the control does not have
/// is refused.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    #[serde(flatten)]
    new: InNewNode,
    /// The kind of control.
    control_type: ControlType,
    /// Its text; the first option of an option_button.
    #[schemars(length(max = 4_194_304))]
    text: Option<String>,
    /// What an empty line_edit or text_edit shows.
    #[schemars(length(max = 4_194_304))]
    placeholder_text: Option<String>,
    /// Picture of a texture_rect, icon of a button.
    texture_path: Option<String>,
    /// Colour of a color_rect: `{"r": 1, "g": 0.5, "b": 0, "a": 1}` or `"#ff8800"`.
    #[schemars(extend("type" = ["object", "string"]))]
    color: Option<Value>,
    /// Lowest value of a bar, slider or spin_box; 0 by default.
    min_value: Option<f64>,
    /// Highest value; 100 by default.
    max_value: Option<f64>,
    /// Value at first.
    value: Option<f64>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ControlType {
    Button,
    Label,
    LineEdit,
    TextEdit,
    RichText,
    TextureRect,
    ColorRect,
    ProgressBar,
    SliderH,
    SliderV,
    SpinBox,
    CheckBox,
    CheckButton,
    OptionButton,
    MenuButton,
}

impl ControlType {
    fn class(self) -> &'static str {
        match self {
            Self::Button => "Button",
            Self::Label => "Label",
            Self::LineEdit => "LineEdit",
            Self::TextEdit => "TextEdit",
            Self::RichText => "RichTextLabel",
            Self::TextureRect => "TextureRect",
            Self::ColorRect => "ColorRect",
            Self::ProgressBar => "ProgressBar",
            Self::SliderH => "HSlider",
            Self::SliderV => "VSlider",
            Self::SpinBox => "SpinBox",
            Self::CheckBox => "CheckBox",
            Self::CheckButton => "CheckButton",
            Self::OptionButton => "OptionButton",
            Self::MenuButton => "MenuButton",
        }
    }
}

fn run(cx: &Cx, input: Input) -> Result<NodeMade, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let class = input.control_type.class();
    let open = godot.open_scene(&input.scene)?;
    let parent = godot.node(&open, &input.new.parent.parent_node_path)?;
    let mut properties = layout(&godot, &open, &parent, None)?;
    properties.extend(own_properties(&godot, class, &input)?);
    let wanted =
        Wanted { class, name: &input.new.node_name, parent: &parent, properties: &properties };
    godot.make_only(&input.scene, &wanted, input.write)
}

fn bad(text: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, text)
}

/// What the call says about this control; an error for what such a control does not have.
fn own_properties(godot: &Godot<'_>, class: &str, input: &Input) -> Result<JsonMap, ToolError> {
    check_range(class, input)?;
    let texture = if class == "TextureRect" { "texture" } else { "icon" };
    let given = given([
        ("text", input.text.as_deref().map(Value::from)),
        ("placeholder_text", input.placeholder_text.as_deref().map(Value::from)),
        (texture, input.texture_path.as_deref().map(Value::from)),
        ("color", input.color.clone()),
        ("min_value", input.min_value.map(Value::from)),
        ("max_value", input.max_value.map(Value::from)),
        ("value", input.value.map(Value::from)),
    ]);
    let missing = given.keys().find(|key| godot.classes().property(class, key).is_none());
    if let Some(missing) = missing {
        let refusal = bad(format!("{class} has no {missing}"));
        return Err(match missing.as_str() {
            "color" => refusal.hint("edit_node sets modulate or theme_override_colors/font_color"),
            _ => refusal.hint("get_class_info lists what it has"),
        });
    }
    match input.text.as_deref().filter(|_| class == "OptionButton") {
        Some(text) => Ok(one_option(given, text)),
        None => Ok(given),
    }
}

/// The text of an option button is that of the chosen option.
fn one_option(mut given: JsonMap, text: &str) -> JsonMap {
    given.shift_remove("text");
    let option = json!({
        "selected": 0, "item_count": 1, "popup/item_0/text": text, "popup/item_0/id": 0,
    });
    given.extend(option.as_object().cloned().unwrap_or_default());
    given
}

/// Godot moves a value that is out of range, so that it would not be what was asked for.
fn check_range(class: &str, input: &Input) -> Result<(), ToolError> {
    let (min, max) = (input.min_value.unwrap_or(0.0), input.max_value.unwrap_or(100.0));
    if (input.min_value.is_some() || input.max_value.is_some()) && min > max {
        return Err(bad(format!("{class} cannot go from {min} to {max}")));
    }
    match input.value.filter(|value| !(min..=max).contains(value)) {
        Some(value) => Err(bad(format!("the value {value} is not between {min} and {max}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(parent: &str, more: Value) -> Value {
        let mut arguments = json!({
            "scenePath": "scenes/main.tscn", "nodeName": "New", "parentNodePath": parent,
        });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    fn check(parent: &str, more: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments(parent, more)));
    }

    #[test]
    fn a_control_says_how_its_parent_places_it() {
        let more = json!({ "controlType": "slider_h", "minValue": 1, "maxValue": 9, "value": 3 });
        check(
            "HUD/Root/TopBar",
            more,
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -90,6 +90,12 @@
                 focus_mode = 0
                 text = "Restart"
 
                +[node name="New" type="HSlider" parent="HUD/Root/TopBar"]
                +layout_mode = 2
                +min_value = 1.0
                +max_value = 9.0
                +value = 3.0
                +
                 [node name="Hint" type="Label" parent="HUD/Root"]
                 layout_mode = 1
                 anchors_preset = 12
            "#]],
        );
        let more = json!({ "controlType": "color_rect", "color": "#ff8800" });
        check(
            "HUD/Root",
            more,
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -103,6 +103,10 @@
                 text = "Collect every coin, then light the lamp."
                 horizontal_alignment = 1
 
                +[node name="New" type="ColorRect" parent="HUD/Root"]
                +layout_mode = 0
                +color = Color(1, 0.53333336, 0, 1)
                +
                 [connection signal="collected" from="Coins/Coin1" to="." method="_on_coin_collected"]
                 [connection signal="collected" from="Coins/Coin2" to="." method="_on_coin_collected"]
                 [connection signal="collected" from="Coins/Coin3" to="." method="_on_coin_collected"]
            "#]],
        );
        let more = json!({ "controlType": "texture_rect", "texturePath": "res://icon.svg" });
        check(
            "HUD",
            more,
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=8 format=3 uid="uid://dsckkculads6k"]
                +[gd_scene load_steps=9 format=3 uid="uid://dsckkculads6k"]
 
                 [ext_resource type="Script" uid="uid://by2cu0umwb6qr" path="res://scripts/main.gd" id="1_m2x7v"]
                 [ext_resource type="PackedScene" uid="uid://bh5yk7ny1n55l" path="res://scenes/level.tscn" id="2_e4l9h"]
                @@ -6,6 +6,7 @@
                 [ext_resource type="Script" uid="uid://ne2ahhq53jtv" path="res://scripts/coin_settings.gd" id="4_t1q5g"]
                 [ext_resource type="PackedScene" uid="uid://daw60r51yjit" path="res://scenes/player.tscn" id="5_y6b0n"]
                 [ext_resource type="Theme" uid="uid://6m4sb6iad44t" path="res://resources/theme.tres" id="6_u7d2m"]
                +[ext_resource type="Texture2D" uid="uid://dr6nbosst7erv" path="res://icon.svg" id="7_mad7a"]
 
                 [sub_resource type="Resource" id="Resource_g5a1z"]
                 script = ExtResource("4_t1q5g")
                @@ -103,5 +104,8 @@
                 text = "Collect every coin, then light the lamp."
                 horizontal_alignment = 1
 
                +[node name="New" type="TextureRect" parent="HUD"]
                +texture = ExtResource("7_mad7a")
                +
                 [connection signal="collected" from="Coins/Coin1" to="." method="_on_coin_collected"]
                 [connection signal="collected" from="Coins/Coin2" to="." method="_on_coin_collected"]
            "#]],
        );
    }

    #[test]
    fn the_text_of_an_option_button_is_an_option() {
        let more = json!({ "controlType": "option_button", "text": "Easy" });
        check(
            "HUD/Root/TopBar",
            more,
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -90,6 +90,13 @@
                 focus_mode = 0
                 text = "Restart"
 
                +[node name="New" type="OptionButton" parent="HUD/Root/TopBar"]
                +layout_mode = 2
                +selected = 0
                +item_count = 1
                +popup/item_0/text = "Easy"
                +popup/item_0/id = 0
                +
                 [node name="Hint" type="Label" parent="HUD/Root"]
                 layout_mode = 1
                 anchors_preset = 12
            "#]],
        );
    }

    #[test]
    fn what_a_control_does_not_have_is_said() {
        let sample = GodotSample::new();
        let refuse = |more| sample.error(super::TOOL.id, arguments("HUD/Root", more));
        expect!["Label has no placeholder_text; get_class_info lists what it has"]
            .assert_eq(&refuse(json!({ "controlType": "label", "placeholderText": "x" })));
        expect!["Label has no color; edit_node sets modulate or theme_override_colors/font_color"]
            .assert_eq(&refuse(
                json!({ "controlType": "label", "color": { "r": 1, "g": 0, "b": 0 } }),
            ));
        expect![[r##"ColorRect.color takes Color, not "redd"; write "#ff8800" or {"r": 1, "g": 0.5, "b": 0}"##]].assert_eq(&refuse(json!({ "controlType": "color_rect", "color": "redd" })));
        expect!["the value 101 is not between 0 and 100"]
            .assert_eq(&refuse(json!({ "controlType": "spin_box", "value": 101 })));
        expect!["scenes/coin.tscn is a PackedScene, and a Texture2D is needed"].assert_eq(&refuse(
            json!({ "controlType": "texture_rect", "texturePath": "res://scenes/coin.tscn" }),
        ));
    }
}
