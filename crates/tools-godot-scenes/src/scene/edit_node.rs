//! The tool `godotScene.editNode`, which MCP clients call `edit_node`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InScene, Write, find_node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.editNode",
    keywords: "set position rotation scale change property value modify rotate camera font color text visible hide move resize z index modulate speed override instance make bigger smaller higher faster assign texture shape where it is invisible show size turn exported variable material collision layer enable disable",
    mcp: Some("edit_node"),
    title: "Edit Node",
    category: "godot.scene",
    lean: true,
    safety: Safety::SafeWrite,
    examples: &[
        Example {
            description: "Make the player faster and draw it above the rest",
            input: r##"{
                "projectPath": "godot",
                "scenePath": "scenes/main.tscn",
                "nodePath": "Player",
                "properties": { "speed": 160, "modulate": "#ffeecc", "z_index": 2 }
            }"##,
            output: r#"{
                "success": true,
                "nodePath": "Player",
                "nodeType": "CharacterBody2D",
                "properties": ["speed", "modulate", "z_index"],
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo"],
        },
        Example {
            description: "Change a node that comes from an instance",
            input: r#"{
                "projectPath": "godot",
                "scenePath": "scenes/main.tscn",
                "nodePath": "Level/Lighthouse/Tower",
                "properties": { "color": { "r": 0.9, "g": 0.2, "b": 0.2 } }
            }"#,
            output: r#"{
                "success": true,
                "nodePath": "Level/Lighthouse/Tower",
                "nodeType": "Polygon2D",
                "properties": ["color"],
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

/// Set properties of a node of a Godot scene (position, text, colour, visibility, any other), checked against
/// its class and script. A node that comes from an instance or a base scene gets an override in this
/// scene. Needs --allow-writes; try `dryRun` first, project_undoLast takes it back.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root: `.` is the root, `Player/Body`, or `%Unique`.
    node_path: String,
    /// Properties by name: numbers, texts, `{"x": 1, "y": 2}`, `"#ff8800"`, `"res://icon.svg"`, or
    /// as Godot writes them: `"Vector2(1, 2)"`. null resets one.
    properties: JsonMap,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Its class.
    #[serde(skip_serializing_if = "Option::is_none")]
    node_type: Option<String>,
    /// The properties that were set or reset.
    properties: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = find_node(cx, &tree, &open.path, &input.node_path)?;
    if let Some(key) = ["name", "owner"].into_iter().find(|key| input.properties.contains_key(*key))
    {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("'{key}' is no property that scenes store"),
        )
        .hint("rename_node renames a node, and move_node moves it"));
    }
    godot.own_section(&mut open, &tree, node)?;
    godot.set_properties(&mut open, &tree, node, &input.properties)?;
    open.tidy()?;
    let written = open.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        node_path: node.path.clone(),
        node_type: node.class.clone(),
        properties: input.properties.keys().cloned().collect(),
        written,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(scene: &str, node: &str, properties: Value, expected: Expect) {
        let sample = GodotSample::new();
        let arguments = json!({ "scenePath": scene, "nodePath": node, "properties": properties });
        expected.assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn values_are_written_as_the_property_has_them() {
        check(
            "scenes/level.tscn",
            "Goal",
            json!({ "gizmo_extents": 20, "visible": false, "modulate": "#ff8800" }),
            expect![[r#"
                --- a/scenes/level.tscn
                +++ b/scenes/level.tscn
                @@ -40,5 +40,7 @@
                 position = Vector2(48, 288)

                 [node name="Goal" type="Marker2D" parent="."]
                +visible = false
                +modulate = Color(1, 0.53333336, 0, 1)
                 position = Vector2(692, 288)
                -gizmo_extents = 16.0
                +gizmo_extents = 20.0
            "#]],
        );
        check(
            "scenes/level.tscn",
            "Goal",
            json!({ "gizmo_extents": null }),
            expect![[r#"
            --- a/scenes/level.tscn
            +++ b/scenes/level.tscn
            @@ -41,4 +41,3 @@

             [node name="Goal" type="Marker2D" parent="."]
             position = Vector2(692, 288)
            -gizmo_extents = 16.0
        "#]],
        );
    }

    #[test]
    fn variables_of_scripts_have_types_too() {
        check(
            "scenes/main.tscn",
            "Main",
            json!({ "goal_radius": 12, "goal": "Level/Start" }),
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -19,8 +19,8 @@
                 [node name="Main" type="Node2D" node_paths=PackedStringArray("player", "goal")]
                 script = ExtResource("1_m2x7v")
                 player = NodePath("Player")
                -goal = NodePath("Level/Goal")
                -goal_radius = 40.0
                +goal = NodePath("Level/Start")
                +goal_radius = 12.0

                 [node name="Level" parent="." instance=ExtResource("2_e4l9h")]

            "#]],
        );
        check(
            "scenes/player.tscn",
            "/root/Player",
            json!({ "fall_limit": 500, "acceleration": 4 }),
            expect![[r#"
                --- a/scenes/player.tscn
                +++ b/scenes/player.tscn
                @@ -13,6 +13,8 @@
                 script = ExtResource("2_z8n4u")
                 speed = 140.0
                 jump_speed = 320.0
                +acceleration = 4.0
                +fall_limit = 500.0

                 [node name="Shape" parent="." index="0"]
                 shape = SubResource("CapsuleShape2D_c3o9q")
            "#]],
        );
        check(
            "scenes/level.tscn",
            "Ground",
            json!({ "script": "res://scripts/main.gd", "player": "../Start" }),
            expect![[r#"
                --- a/scenes/level.tscn
                +++ b/scenes/level.tscn
                @@ -1,7 +1,8 @@
                -[gd_scene load_steps=5 format=4 uid="uid://bh5yk7ny1n55l"]
                +[gd_scene load_steps=6 format=4 uid="uid://bh5yk7ny1n55l"]

                 [ext_resource type="TileSet" uid="uid://bun8qkv1mtnsr" path="res://resources/tiles.tres" id="1_f3j8r"]
                 [ext_resource type="Shader" uid="uid://bm33gnme0dfl8" path="res://resources/glow.gdshader" id="2_v9k4c"]
                +[ext_resource type="Script" uid="uid://by2cu0umwb6qr" path="res://scripts/main.gd" id="3_lntol"]

                 [sub_resource type="RectangleShape2D" id="RectangleShape2D_x5e2n"]
                 size = Vector2(40, 96)
                @@ -15,9 +16,11 @@

                 [node name="Level" type="Node2D"]

                -[node name="Ground" type="TileMapLayer" parent="."]
                +[node name="Ground" type="TileMapLayer" parent="." node_paths=PackedStringArray("player")]
                 tile_map_data = PackedByteArray("AAAhAAwAAAADAAAAAAAiAAwAAAADAAAAAAAjAAwAAAADAAAAAAAUAA4AAAADAAAAAAAVAA4AAAADAAAAAAAWAA4AAAADAAAAAAAXAA4AAAADAAAAAAAMAA8AAAADAAAAAAANAA8AAAADAAAAAAAOAA8AAAADAAAAAAAdAA8AAAADAAAAAAAeAA8AAAADAAAAAAAfAA8AAAADAAAAAAAAABIAAAAAAAAAAAABABIAAAAAAAAAAAACABIAAAAAAAAAAAADABIAAAAAAAAAAAAEABIAAAAAAAAAAAAFABIAAAAAAAAAAAAGABIAAAAAAAAAAAAHABIAAAAAAAAAAAAIABIAAAAAAAAAAAAJABIAAAAAAAAAAAAKABIAAAAAAAAAAAALABIAAAAAAAAAAAAMABIAAAAAAAAAAAANABIAAAAAAAAAAAAOABIAAAAAAAAAAAAPABIAAAAAAAAAAAA… (3959 bytes)
                 tile_set = ExtResource("1_f3j8r")
                +script = ExtResource("3_lntol")
                +player = NodePath("../Start")

                 [node name="Lighthouse" type="StaticBody2D" parent="."]
                 position = Vector2(728, 288)
            "#]],
        );
    }

    #[test]
    fn a_node_of_an_instance_gets_an_override() {
        check(
            "scenes/main.tscn",
            "Level/Lighthouse/Tower",
            json!({ "color": "#ff0000" }),
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -24,6 +24,9 @@

                 [node name="Level" parent="." instance=ExtResource("2_e4l9h")]

                +[node name="Tower" parent="Level/Lighthouse" index="1"]
                +color = Color(1, 0, 0, 1)
                +
                 [node name="Lamp" parent="Level/Lighthouse" index="2"]
                 color = Color(1, 0.93, 0.7, 1)

            "#]],
        );
        check(
            "scenes/main.tscn",
            "Player/Body",
            json!({ "visible": false }),
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -49,6 +49,9 @@
             [node name="Player" parent="." instance=ExtResource("5_y6b0n")]
             position = Vector2(48, 288)

            +[node name="Body" parent="Player" index="1"]
            +visible = false
            +
             [node name="Camera2D" type="Camera2D" parent="Player" index="4"]
             position = Vector2(0, -40)
             limit_left = 0
            @@ -113,3 +116,4 @@
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]

             [editable path="Level"]
            +[editable path="Player"]
        "#]],
        );
        check(
            "scenes/player.tscn",
            "AnimationPlayer",
            json!({ "autoplay": "hop" }),
            expect![[r#"
                --- a/scenes/player.tscn
                +++ b/scenes/player.tscn
                @@ -25,6 +25,9 @@
                 color = Color(0.98, 0.9, 0.6, 1)
                 polygon = PackedVector2Array(-6, -1, 6, -1, 6, 2, -3, 2, -9, 6, -8, 2, -6, 2)

                +[node name="AnimationPlayer" parent="." index="2"]
                +autoplay = &"hop"
                +
                 [node name="CoyoteTimer" type="Timer" parent="." index="3"]
                 process_callback = 0
                 wait_time = 0.1
            "#]],
        );
    }

    #[test]
    fn a_replaced_resource_goes() {
        check(
            "scenes/coin.tscn",
            "Shape",
            json!({ "shape": { "type": "RectangleShape2D", "size": [10, 12] } }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -3,8 +3,8 @@
                 [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                 [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]

                -[sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                -radius = 7.0
                +[sub_resource type="RectangleShape2D" id="RectangleShape2D_ulej1"]
                +size = Vector2(10, 12)

                 [node name="Coin" type="Area2D" groups=["coins"]]
                 collision_layer = 4
                @@ -13,7 +13,7 @@
                 settings = ExtResource("2_s0f5k")

                 [node name="Shape" type="CollisionShape2D" parent="."]
                -shape = SubResource("CircleShape2D_o7u2a")
                +shape = SubResource("RectangleShape2D_ulej1")

                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
            "#]],
        );
    }

    #[test]
    fn line_breaks_stay_as_they_are() {
        let sample = GodotSample::new();
        sample.write("scenes/main.tscn", &sample.read("scenes/main.tscn").replace('\n', "\r\n"));
        let arguments = json!({
            "scenePath": "scenes/main.tscn", "nodePath": "Player/Body", "properties": { "z_index": 1 },
        });
        sample.call(super::TOOL.id, arguments).unwrap();
        let text = sample.read("scenes/main.tscn");
        assert!(
            text.contains(
                "[node name=\"Body\" parent=\"Player\" index=\"1\"]\r\nz_index = 1\r\n\r\n"
            )
        );
        assert!(!text.replace("\r\n", "").contains('\n'));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let sample = GodotSample::new();
        let refuse = |node: &str, properties: Value| {
            let arguments = json!({ "scenePath": "scenes/main.tscn", "nodePath": node, "properties": properties });
            sample.error(super::TOOL.id, arguments)
        };
        expect!["node not found: Playr; did you mean Player?"]
            .assert_eq(&refuse("Playr", json!({ "speed": 1 })));
        expect!["CharacterBody2D has no property 'sped'; did you mean speed?"]
            .assert_eq(&refuse("Player", json!({ "sped": 1 })));
        expect![[r#"CharacterBody2D.speed takes float, not "fast"; write the value as Godot writes it in its files"#]].assert_eq(&refuse("Player", json!({ "speed": "fast" })));
        expect!["'name' is no property that scenes store; rename_node renames a node, and move_node moves it"].assert_eq(&refuse("Player", json!({ "name": "Hero" })));
        expect!["horizontal_alignment cannot be 'middle'; one of Left, Center, Right, Fill, HORIZONTAL_ALIGNMENT_LEFT, HORIZONTAL_ALIGNMENT_CENTER, HORIZONTAL_ALIGNMENT_RIGHT, HORIZONTAL_ALIGNMENT_FILL"].assert_eq(&refuse("HUD/Root/Hint", json!({ "horizontal_alignment": "middle" })));
        expect!["res://scripts/coin.gd extends Area2D, and a Control is none; Godot refuses such a script; use a node of the class Area2D"].assert_eq(&refuse("HUD/Root", json!({ "script": "res://scripts/coin.gd" })));
        expect!["icon.svg is a Texture2D, and a Theme is needed"]
            .assert_eq(&refuse("HUD/Root", json!({ "theme": "res://icon.svg" })));
    }

    const PATHS: &str = r#"[gd_scene format=3]

[ext_resource type="Script" path="res://points.gd" id="1_s"]
[ext_resource type="PackedScene" path="res://model.glb" id="2_m"]

[node name="A" type="Node3D"]

[node name="Points" type="Node3D" parent="."]
script = ExtResource("1_s")

[node name="Goal" type="Marker3D" parent="."]

[node name="Timer" type="Timer" parent="."]

[node name="Face" type="Sprite2D" parent="."]
hframes = 4

[node name="Slider" type="HSlider" parent="."]
min_value = -10.0
max_value = 20.0

[node name="Ui" type="Control" parent="."]
layout_mode = 3

[node name="Box" type="VBoxContainer" parent="Ui"]
layout_mode = 1
anchors_preset = 15
anchor_right = 1.0
anchor_bottom = 1.0

[node name="Press" type="Button" parent="Ui/Box"]
layout_mode = 2

[node name="Free" type="ColorRect" parent="Ui"]

[node name="Text" type="TextEdit" parent="Ui"]

[node name="Far" type="RemoteTransform3D" parent="."]

[node name="Model" parent="." instance=ExtResource("2_m")]
"#;

    fn paths() -> GodotSample {
        let sample = GodotSample::new();
        sample.write("a.tscn", PATHS);
        sample.write("model.glb", "glTF");
        sample.write(
            "points.gd",
            "extends Node3D\n@export var goal: Node3D\n@export var all: Array[Node]\n@export var way: NodePath\n",
        );
        sample
    }

    fn edit(sample: &GodotSample, node: &str, key: &str, value: Value) -> String {
        let properties = json!({ key: value });
        let arguments = json!({ "scenePath": "a.tscn", "nodePath": node, "properties": properties, "dryRun": true });
        match sample.call(super::TOOL.id, arguments) {
            Ok(_) => "fine".to_owned(),
            Err(error) => format!("{}; {}", error.message, error.hint.unwrap_or_default()),
        }
    }

    #[test]
    fn paths_that_lead_nowhere_are_refused_with_those_that_would() {
        let sample = paths();
        let check = |node: &str, key: &str, value: Value, expected: Expect| {
            expected.assert_eq(&edit(&sample, node, key, value));
        };
        check(
            "Points",
            "goal",
            json!("Goal"),
            expect![
                "goal cannot be 'Goal': from Points there is no 'Goal'; paths start at the node itself; '../Goal' would lead there"
            ],
        );
        check("Points", "goal", json!("../Goal"), expect!["fine"]);
        check(
            "Points",
            "goal",
            json!("Nobody"),
            expect![
                "goal cannot be 'Nobody': from Points there is no 'Nobody'; paths start at the node itself: '../Sibling', 'Child'; get_node_tree shows the nodes"
            ],
        );
        check("Points", "goal", json!(""), expect!["fine"]);
        check(
            "Points",
            "all",
            json!(["../Goal", "Timer"]),
            expect![
                "all cannot be 'Timer': from Points there is no 'Timer'; paths start at the node itself; '../Timer' would lead there"
            ],
        );
        check(
            "Points",
            "way",
            json!("Goal:position"),
            expect![
                "way cannot be 'Goal:position': from Points there is no 'Goal'; paths start at the node itself; '../Goal:position' would lead there"
            ],
        );
        check("Points", "way", json!("MadeLater"), expect!["fine"]);
        check("Far", "remote_path", json!("/root/A/Goal"), expect!["fine"]);
        check(
            "Far",
            "remote_path",
            json!("Goal"),
            expect![
                "remote_path cannot be 'Goal': from Far there is no 'Goal'; paths start at the node itself; '../Goal' would lead there"
            ],
        );
        check("Far", "remote_path", json!("../Model/Armature/Bone"), expect!["fine"]);
        check("Far", "remote_path", json!("../.."), expect!["fine"]);
    }

    #[test]
    fn numbers_that_the_engine_does_not_take_are_refused() {
        let sample = paths();
        let check = |node: &str, key: &str, value: Value, expected: Expect| {
            expected.assert_eq(&edit(&sample, node, key, value));
        };
        check(
            "Timer",
            "wait_time",
            json!(-5),
            expect![
                "Timer.wait_time cannot be -5.0; it takes more than 0: Godot itself keeps no other"
            ],
        );
        check("Timer", "wait_time", json!(0.0001), expect!["fine"]);
        check(
            "Timer",
            "process_mode",
            json!(77),
            expect![
                "Timer.process_mode cannot be 77; one of 0 (Inherit), 1 (Pausable), 2 (When Paused), 3 (Always), 4 (Disabled)"
            ],
        );
        check(
            "Timer",
            "process_callback",
            json!(42),
            expect!["Timer.process_callback cannot be 42; one of 0 (Physics), 1 (Idle)"],
        );
        check("Timer", "process_callback", json!(0), expect!["fine"]);
        check(
            "Face",
            "frame",
            json!(4),
            expect!["Sprite2D.frame cannot be 4; hframes * vframes is 4, so frames are 0 to 3"],
        );
        check("Face", "frame", json!(3), expect!["fine"]);
        check(
            "Face",
            "z_index",
            json!(5000),
            expect![
                "Sprite2D.z_index cannot be 5000; it takes -4096 to 4096: Godot itself keeps no other"
            ],
        );
        check("Face", "light_mask", json!(-1), expect!["fine"]);
    }

    /// What a real Godot made of random edits.
    #[test]
    fn a_number_that_others_of_the_node_bound_is_refused() {
        let check = |key: &str, value: Value, expected: Expect| {
            expected.assert_eq(&edit(&paths(), "Slider", key, value));
        };
        check(
            "value",
            json!(30),
            expect![
                "HSlider.value cannot be 30; it goes from -10 to 20 in steps of 1, so Godot would make it 20; set min_value, max_value, step, allow_greater or allow_lesser with it"
            ],
        );
        check(
            "value",
            json!(2.5),
            expect![
                "HSlider.value cannot be 2.5; it goes from -10 to 20 in steps of 1, so Godot would make it 3; set min_value, max_value, step, allow_greater or allow_lesser with it"
            ],
        );
        check("value", json!(-8), expect!["fine"]);
        // These have no range in the inspector, or no enum behind their names.
        check(
            "page",
            json!(-8.5),
            expect!["HSlider.page cannot be -8.5; it takes 0 or more: Godot itself keeps no other"],
        );
        check(
            "layout_mode",
            json!(-1),
            expect![
                "HSlider.layout_mode cannot be -1; one of 0 (Position), 1 (Anchors), 2 (Container), 3 (Uncontrolled)"
            ],
        );
    }

    /// What a real Godot makes of such scenes.
    #[test]
    fn what_the_engine_ignores_for_other_values_of_the_node_is_refused() {
        let check = |node: &str, key: &str, value: Value, expected: Expect| {
            expected.assert_eq(&edit(&paths(), node, key, value));
        };
        check(
            "Ui/Box/Press",
            "button_pressed",
            json!(true),
            expect![
                "Button.button_pressed cannot be true; without toggle_mode Godot ignores it; set toggle_mode to true with it"
            ],
        );
        check("Ui/Box/Press", "button_pressed", json!(false), expect!["fine"]);
        check(
            "Ui/Box/Press",
            "layout_mode",
            json!(1),
            expect![
                "Button.layout_mode cannot be 1; its parent makes it 2: 2 in a container, 3 below what is no control, otherwise 0 or 1"
            ],
        );
        check(
            "Ui/Box/Press",
            "anchors_preset",
            json!(8),
            expect![
                "Button.anchors_preset cannot be 8; a container places it; set size_flags_horizontal and size_flags_vertical"
            ],
        );
        check(
            "Ui",
            "layout_mode",
            json!(1),
            expect![
                "Control.layout_mode cannot be 1; its parent makes it 3: 2 in a container, 3 below what is no control, otherwise 0 or 1"
            ],
        );
        check("Ui", "anchors_preset", json!(8), expect!["fine"]);
        check(
            "Ui/Box",
            "vertical",
            json!(true),
            expect![
                "VBoxContainer.vertical cannot be true; use a BoxContainer, which can be turned"
            ],
        );
        check(
            "Ui/Text",
            "scroll_horizontal",
            json!(57),
            expect![
                "TextEdit.scroll_horizontal cannot be 57; Godot shows a text from its beginning; scroll it from a script"
            ],
        );
        check("Ui/Free", "layout_mode", json!(1), expect!["fine"]);
        check(
            "Ui/Free",
            "anchors_preset",
            json!(8),
            expect![
                "ColorRect.anchors_preset cannot be 8; without anchors Godot ignores it; set layout_mode to 1 with it"
            ],
        );
        check(
            "Ui/Box",
            "anchors_preset",
            json!(8),
            expect![
                "VBoxContainer.anchors_preset cannot be 8; its anchors make it -1; set anchor_left, anchor_top, anchor_right and anchor_bottom with it"
            ],
        );
        check("Ui/Box", "layout_mode", json!(0), expect!["fine"]);
        check(
            "Ui/Box",
            "anchor_left",
            json!(2),
            expect![
                "VBoxContainer.anchor_left cannot be 2; the opposite one makes it 1, as anchors do not pass each other; set both"
            ],
        );
        check("Ui/Box", "anchor_left", json!(0.5), expect!["fine"]);
    }

    #[test]
    fn as_many_changes_can_be_taken_back_as_are_remembered() {
        let sample = paths();
        for number in 1..=50 {
            let properties = json!({ "wait_time": number + 1 });
            let arguments =
                json!({ "scenePath": "a.tscn", "nodePath": "Timer", "properties": properties });
            sample.call(super::TOOL.id, arguments).unwrap();
        }
        (0..50).for_each(|_| sample.undo());
        assert_eq!(sample.read("a.tscn"), PATHS);
    }
}
