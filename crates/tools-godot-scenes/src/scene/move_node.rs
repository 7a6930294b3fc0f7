//! The tool `godotScene.moveNode`, which MCP clients call `move_node`.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Code, DefaultPaths, Followed, InGodot, InScene, Write, find_node, must_be_free, must_be_own,
    relocate,
};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.moveNode",
    keywords: "reparent reorder swap drag under change parent order child index siblings put another node above below draw sort attach hand",
    mcp: Some("move_node"),
    title: "Move Node",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Move a coin of the main scene to its root",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/main.tscn",
            "nodePath": "Coins/Coin2",
            "newParentPath": "."
        }"#,
        output: r#"{
            "success": true,
            "oldPath": "Coins/Coin2",
            "nodePath": "Coin2",
            "referencesUpdated": 1,
            "otherScenes": [],
            "notTouched": [],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Followed>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Move a node with all below it to another parent, or to another place under its own. What leads
/// to the nodes follows, also in other scenes; its transform stays relative to its parent. Places in
/// scripts that name the old path are listed; with `updateScripts` those that are certain follow, too.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Path of its new parent; `.` is the root.
    new_parent_path: String,
    /// Place among the other children that this file has there, from 0; behind them by default.
    index: Option<usize>,
    #[serde(flatten)]
    code: Code,
    #[serde(flatten)]
    write: Write,
}

fn run(cx: &Cx, input: Input) -> Result<Followed, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = find_node(cx, &tree, &open.path, &input.node_path)?;
    let parent = find_node(cx, &tree, &open.path, &input.new_parent_path)?;
    if node.path != "." {
        must_be_own(&open, &tree, node)?;
    }
    if node.parent.map(|parent| &tree.nodes()[parent].path) != Some(&parent.path) {
        must_be_free(&tree, parent, &node.name)?;
    }
    godot.show_inside(&mut open, &tree, parent)?;
    let from = node.path.clone();
    let unwritten = DefaultPaths::of(&godot, &tree, node);
    relocate(&godot, open, &from, (input.write, input.code), |scene| {
        let (to, mut done) = scene.move_node(&from, &parent.path, input.index)?;
        unwritten.keep(scene, &to, &mut done)?;
        Ok((to, done))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(scene: &str, node: &str, parent: &str) -> Value {
        json!({ "scenePath": scene, "nodePath": node, "newParentPath": parent })
    }

    fn check(scene: &str, node: &str, parent: &str, expected: Expect) {
        let output =
            GodotSample::new().call(super::TOOL.id, arguments(scene, node, parent)).unwrap();
        let changes = output["changes"].as_array().unwrap().iter();
        let diffs = changes.map(|change| change["diff"].as_str().unwrap());
        // An unchanged empty line is a single space, which expectations cannot hold.
        let mut text: String = diffs.map(|diff| diff.replace("\n \n", "\n\n")).collect();
        for left in output["notTouched"].as_array().unwrap() {
            text += &format!("! {}:{}: {}\n", left["file"], left["line"], left["text"]);
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn paths_follow_in_this_scene_and_in_others() {
        check(
            "scenes/level.tscn",
            "Lighthouse/Lamp",
            ".",
            expect![[r#"
            --- a/scenes/level.tscn
            +++ b/scenes/level.tscn
            @@ -30,15 +30,15 @@
             color = Color(0.95, 0.94, 0.9, 1)
             polygon = PackedVector2Array(-20, 0, -12, -96, 12, -96, 20, 0)

            -[node name="Lamp" type="Polygon2D" parent="Lighthouse"]
            -material = SubResource("ShaderMaterial_w1h6i")
            -position = Vector2(0, -96)
            -color = Color(0.9, 0.85, 0.6, 1)
            -polygon = PackedVector2Array(-10, 0, -10, -16, 0, -24, 10, -16, 10, 0)
            -
             [node name="Start" type="Marker2D" parent="."]
             position = Vector2(48, 288)

             [node name="Goal" type="Marker2D" parent="."]
             position = Vector2(692, 288)
             gizmo_extents = 16.0
            +
            +[node name="Lamp" type="Polygon2D" parent="."]
            +material = SubResource("ShaderMaterial_w1h6i")
            +position = Vector2(0, -96)
            +color = Color(0.9, 0.85, 0.6, 1)
            +polygon = PackedVector2Array(-10, 0, -10, -16, 0, -24, 10, -16, 10, 0)
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -24,7 +24,7 @@

             [node name="Level" parent="." instance=ExtResource("2_e4l9h")]

            -[node name="Lamp" parent="Level/Lighthouse" index="2"]
            +[node name="Lamp" parent="Level"]
             color = Color(1, 0.93, 0.7, 1)

             [node name="Coins" type="Node2D" parent="."]
            ! "scripts/main.gd":11: "Level/Lighthouse/Lamp"
        "#]],
        );
        check(
            "scenes/main.tscn",
            "Player",
            "Coins",
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -18,7 +18,7 @@

             [node name="Main" type="Node2D" node_paths=PackedStringArray("player", "goal")]
             script = ExtResource("1_m2x7v")
            -player = NodePath("Player")
            +player = NodePath("Coins/Player")
             goal = NodePath("Level/Goal")
             goal_radius = 40.0

            @@ -46,10 +46,10 @@
             scale = Vector2(1.25, 1.25)
             settings = SubResource("Resource_g5a1z")

            -[node name="Player" parent="." instance=ExtResource("5_y6b0n")]
            +[node name="Player" parent="Coins" instance=ExtResource("5_y6b0n")]
             position = Vector2(48, 288)

            -[node name="Camera2D" type="Camera2D" parent="Player" index="4"]
            +[node name="Camera2D" type="Camera2D" parent="Coins/Player" index="4"]
             position = Vector2(0, -40)
             limit_left = 0
             limit_top = 0
            @@ -108,8 +108,8 @@
             [connection signal="collected" from="Coins/Coin3" to="." method="_on_coin_collected"]
             [connection signal="collected" from="Coins/Coin4" to="." method="_on_coin_collected"]
             [connection signal="collected" from="Coins/GoldCoin" to="." method="_on_coin_collected" binds= [&"bonus"]]
            -[connection signal="fell" from="Player" to="." method="_on_player_fell" flags=3]
            -[connection signal="interacted" from="Player" to="." method="_on_player_interacted"]
            +[connection signal="fell" from="Coins/Player" to="." method="_on_player_fell" flags=3]
            +[connection signal="interacted" from="Coins/Player" to="." method="_on_player_interacted"]
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]

             [editable path="Level"]
        "#]],
        );
    }

    #[test]
    fn a_node_may_move_into_an_instance() {
        check(
            "scenes/main.tscn",
            "Player/Camera2D",
            "Level/Lighthouse",
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -27,6 +27,14 @@
             [node name="Lamp" parent="Level/Lighthouse" index="2"]
             color = Color(1, 0.93, 0.7, 1)

            +[node name="Camera2D" type="Camera2D" parent="Level/Lighthouse"]
            +position = Vector2(0, -40)
            +limit_left = 0
            +limit_top = 0
            +limit_right = 768
            +limit_bottom = 360
            +position_smoothing_enabled = true
            +
             [node name="Coins" type="Node2D" parent="."]

             [node name="Coin1" parent="Coins" instance=ExtResource("3_c8r3i")]
            @@ -48,14 +56,6 @@

             [node name="Player" parent="." instance=ExtResource("5_y6b0n")]
             position = Vector2(48, 288)
            -
            -[node name="Camera2D" type="Camera2D" parent="Player" index="4"]
            -position = Vector2(0, -40)
            -limit_left = 0
            -limit_top = 0
            -limit_right = 768
            -limit_bottom = 360
            -position_smoothing_enabled = true

             [node name="HUD" type="CanvasLayer" parent="."]

        "#]],
        );
    }

    #[test]
    fn what_leads_to_the_parent_by_default_still_leads_there() {
        let sample = GodotSample::new();
        sample.write(
            "player.tscn",
            "[gd_scene format=3]\n\n[node name=\"Player\" type=\"AnimationPlayer\"]\n",
        );
        sample.write(
            "a.tscn",
            r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://player.tscn" id="1_p"]

[node name="A" type="Node3D"]

[node name="Arm" type="Skeleton3D" parent="."]

[node name="Hand" type="Node3D" parent="Arm"]

[node name="Anim" type="AnimationPlayer" parent="Arm"]
autoplay = "wave"

[node name="Anim2" parent="Arm" instance=ExtResource("1_p")]

[node name="Sync" type="MultiplayerSynchronizer" parent="Arm"]
public_visibility = false

[node name="Skin" type="MeshInstance3D" parent="Arm"]

[node name="Plain" type="MeshInstance3D" parent="Arm/Hand"]

[node name="Set" type="AnimationTree" parent="Arm"]
root_node = NodePath("../Hand")
"#,
        );
        let added = |node: &str, to: &str| {
            let diff = sample.diff(super::TOOL.id, arguments("a.tscn", node, to));
            let is_change = |line: &&str| line.starts_with(['+', '-']) && line.contains("NodePath");
            let lines = diff.lines().filter(is_change);
            lines.map(|line| format!("{node} {line}\n")).collect::<String>()
        };
        let all: String = [
            ("Arm/Anim", "."),
            ("Anim", "Arm"),
            ("Arm/Anim", "Arm/Hand"),
            ("Arm/Anim2", "."),
            ("Arm/Sync", "."),
            ("Arm/Skin", "."),
            ("Arm/Hand/Plain", "."),
            ("Arm/Set", "."),
        ]
        .map(|(node, to)| added(node, to))
        .concat();
        expect![[r#"
            Arm/Anim +root_node = NodePath("../Arm")
            Anim -root_node = NodePath("../Arm")
            Anim +root_node = NodePath("..")
            Arm/Anim +root_node = NodePath("../..")
            Arm/Anim -root_node = NodePath("..")
            Arm/Anim2 +root_node = NodePath("../Arm")
            Arm/Sync +root_path = NodePath("../Arm")
            Arm/Skin +skeleton = NodePath("../Arm")
            Arm/Set -root_node = NodePath("../Hand")
            Arm/Set +root_node = NodePath("../Arm/Hand")
        "#]]
        .assert_eq(&all);
    }

    #[test]
    fn places_count_from_zero() {
        let arguments = json!({
            "scenePath": "scenes/level.tscn", "nodePath": "Goal", "newParentPath": ".", "index": 1,
        });
        expect![[r#"
            --- a/scenes/level.tscn
            +++ b/scenes/level.tscn
            @@ -19,6 +19,10 @@
             tile_map_data = PackedByteArray("AAAhAAwAAAADAAAAAAAiAAwAAAADAAAAAAAjAAwAAAADAAAAAAAUAA4AAAADAAAAAAAVAA4AAAADAAAAAAAWAA4AAAADAAAAAAAXAA4AAAADAAAAAAAMAA8AAAADAAAAAAANAA8AAAADAAAAAAAOAA8AAAADAAAAAAAdAA8AAAADAAAAAAAeAA8AAAADAAAAAAAfAA8AAAADAAAAAAAAABIAAAAAAAAAAAABABIAAAAAAAAAAAACABIAAAAAAAAAAAADABIAAAAAAAAAAAAEABIAAAAAAAAAAAAFABIAAAAAAAAAAAAGABIAAAAAAAAAAAAHABIAAAAAAAAAAAAIABIAAAAAAAAAAAAJABIAAAAAAAAAAAAKABIAAAAAAAAAAAALABIAAAAAAAAAAAAMABIAAAAAAAAAAAANABIAAAAAAAAAAAAOABIAAAAAAAAAAAAPABIAAAAAAAAAAAA… (3959 bytes)
             tile_set = ExtResource("1_f3j8r")

            +[node name="Goal" type="Marker2D" parent="."]
            +position = Vector2(692, 288)
            +gizmo_extents = 16.0
            +
             [node name="Lighthouse" type="StaticBody2D" parent="."]
             position = Vector2(728, 288)

            @@ -38,7 +42,3 @@

             [node name="Start" type="Marker2D" parent="."]
             position = Vector2(48, 288)
            -
            -[node name="Goal" type="Marker2D" parent="."]
            -position = Vector2(692, 288)
            -gizmo_extents = 16.0
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_cannot_move_stays() {
        let sample = GodotSample::new();
        let refuse = |scene: &str, node: &str, parent: &str| {
            sample.error(super::TOOL.id, arguments(scene, node, parent))
        };
        expect!["the root cannot be moved"].assert_eq(&refuse("scenes/level.tscn", ".", "Goal"));
        expect!["`Lighthouse` cannot be moved below itself"].assert_eq(&refuse(
            "scenes/level.tscn",
            "Lighthouse",
            "Lighthouse/Tower",
        ));
        expect!["`Level/Goal` comes from res://scenes/level.tscn and can only be changed there; call this with scenePath res://scenes/level.tscn and nodePath Goal"].assert_eq(&refuse("scenes/main.tscn", "Level/Goal", "."));
        expect!["node not found: Nowhere; there is Lighthouse, Goal, Start, Ground, Lighthouse/Lamp, Lighthouse/Shape, Lighthouse/Tower, ."].assert_eq(&refuse(
            "scenes/level.tscn",
            "Lighthouse/Shape",
            "Nowhere",
        ));
        expect!["node not found: Hint; did you mean HUD/Root/Hint?"].assert_eq(&refuse(
            "scenes/main.tscn",
            "HUD/Root/Hint",
            "Hint",
        ));
    }

    #[test]
    fn scripts_follow_when_asked() {
        let sample = GodotSample::new();
        let mut arguments = arguments("scenes/level.tscn", "Lighthouse/Lamp", ".");
        arguments["updateScripts"] = json!(true);
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["scriptsUpdated"], json!(["scripts/main.gd"]));
        assert_eq!(output["notTouched"], json!([]));
        assert!(sample.read("scripts/main.gd").contains("$Level/Lamp\n"));
    }
}
