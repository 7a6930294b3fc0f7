//! The tool `godotScene.renameNode`, which MCP clients call `rename_node`.

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::check_node_name;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Code, Followed, InGodot, InScene, Write, find_node, must_be_free, must_be_own, refused,
    relocate,
};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.renameNode",
    keywords: "change name of a node give another call differently",
    mcp: Some("rename_node"),
    title: "Rename Node",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Rename the goal of the level, to which the main scene has a path",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/level.tscn",
            "nodePath": "Goal",
            "newName": "Finish"
        }"#,
        output: r#"{
            "success": true,
            "oldPath": "Goal",
            "nodePath": "Finish",
            "referencesUpdated": 1,
            "otherScenes": ["scenes/main.tscn"],
            "notTouched": [],
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Followed>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Rename a node and everything that leads to it: parents, connections, node paths, animation
/// tracks, `%Unique`, also in scenes that instance or inherit this one. Places in scripts that still
/// name the old path are listed; with `updateScripts` those that are certain follow, too.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root; `.` is the root.
    node_path: String,
    /// The new name, free among its siblings.
    new_name: String,
    #[serde(flatten)]
    code: Code,
    #[serde(flatten)]
    write: Write,
}

fn run(cx: &Cx, input: Input) -> Result<Followed, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = find_node(cx, &tree, &open.path, &input.node_path)?;
    check_node_name(&input.new_name).map_err(refused)?;
    if let Some(parent) = node.parent.map(|parent| &tree.nodes()[parent]) {
        must_be_own(&open, &tree, node)?;
        if node.name != input.new_name {
            must_be_free(&tree, parent, &input.new_name)?;
        }
    }
    let from = node.path.clone();
    let to = match from.rsplit_once('/') {
        Some((parent, _)) => format!("{parent}/{}", input.new_name),
        None if from == "." => from.clone(),
        None => input.new_name.clone(),
    };
    relocate(&godot, open, &from, (input.write, input.code), |scene| {
        scene.rename_node(&from, &input.new_name).map(|done| (to, done))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(scene: &str, node: &str, name: &str) -> Value {
        json!({ "scenePath": scene, "nodePath": node, "newName": name })
    }

    fn check(scene: &str, node: &str, name: &str, expected: Expect) {
        let output = GodotSample::new().call(super::TOOL.id, arguments(scene, node, name)).unwrap();
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
    fn scenes_that_override_it_follow() {
        check(
            "scenes/level.tscn",
            "Lighthouse/Lamp",
            "Light",
            expect![[r#"
            --- a/scenes/level.tscn
            +++ b/scenes/level.tscn
            @@ -30,7 +30,7 @@
             color = Color(0.95, 0.94, 0.9, 1)
             polygon = PackedVector2Array(-20, 0, -12, -96, 12, -96, 20, 0)

            -[node name="Lamp" type="Polygon2D" parent="Lighthouse"]
            +[node name="Light" type="Polygon2D" parent="Lighthouse"]
             material = SubResource("ShaderMaterial_w1h6i")
             position = Vector2(0, -96)
             color = Color(0.9, 0.85, 0.6, 1)
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -24,7 +24,7 @@

             [node name="Level" parent="." instance=ExtResource("2_e4l9h")]

            -[node name="Lamp" parent="Level/Lighthouse" index="2"]
            +[node name="Light" parent="Level/Lighthouse" index="2"]
             color = Color(1, 0.93, 0.7, 1)

             [node name="Coins" type="Node2D" parent="."]
            ! "scripts/main.gd":11: "Level/Lighthouse/Lamp"
        "#]],
        );
        check(
            "scenes/level.tscn",
            "Goal",
            "Finish",
            expect![[r#"
            --- a/scenes/level.tscn
            +++ b/scenes/level.tscn
            @@ -39,6 +39,6 @@
             [node name="Start" type="Marker2D" parent="."]
             position = Vector2(48, 288)

            -[node name="Goal" type="Marker2D" parent="."]
            +[node name="Finish" type="Marker2D" parent="."]
             position = Vector2(692, 288)
             gizmo_extents = 16.0
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -19,7 +19,7 @@
             [node name="Main" type="Node2D" node_paths=PackedStringArray("player", "goal")]
             script = ExtResource("1_m2x7v")
             player = NodePath("Player")
            -goal = NodePath("Level/Goal")
            +goal = NodePath("Level/Finish")
             goal_radius = 40.0

             [node name="Level" parent="." instance=ExtResource("2_e4l9h")]
        "#]],
        );
    }

    #[test]
    fn scenes_that_inherit_it_follow() {
        check(
            "scenes/actor.tscn",
            "Body",
            "Torso",
            expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -10,7 +10,7 @@
             tracks/0/type = "value"
             tracks/0/imported = false
             tracks/0/enabled = true
            -tracks/0/path = NodePath("Body:position")
            +tracks/0/path = NodePath("Torso:position")
             tracks/0/interp = 1
             tracks/0/loop_wrap = true
             tracks/0/keys = {
            @@ -22,7 +22,7 @@
             tracks/1/type = "value"
             tracks/1/imported = false
             tracks/1/enabled = true
            -tracks/1/path = NodePath("Body:skew")
            +tracks/1/path = NodePath("Torso:skew")
             tracks/1/interp = 1
             tracks/1/loop_wrap = true
             tracks/1/keys = {
            @@ -38,7 +38,7 @@
             tracks/0/type = "value"
             tracks/0/imported = false
             tracks/0/enabled = true
            -tracks/0/path = NodePath("Body:position")
            +tracks/0/path = NodePath("Torso:position")
             tracks/0/interp = 1
             tracks/0/loop_wrap = true
             tracks/0/keys = {
            @@ -69,7 +69,7 @@
             tracks/0/type = "value"
             tracks/0/imported = false
             tracks/0/enabled = true
            -tracks/0/path = NodePath("Body:skew")
            +tracks/0/path = NodePath("Torso:skew")
             tracks/0/interp = 1
             tracks/0/loop_wrap = true
             tracks/0/keys = {
            @@ -93,7 +93,7 @@
             position = Vector2(0, -10)
             shape = SubResource("RectangleShape2D_k2v7s")

            -[node name="Body" type="Polygon2D" parent="."]
            +[node name="Torso" type="Polygon2D" parent="."]
             color = Color(0.55, 0.55, 0.6, 1)
             polygon = PackedVector2Array(-6, 0, -6, -14, 0, -20, 6, -14, 6, 0)

            --- a/scenes/player.tscn
            +++ b/scenes/player.tscn
            @@ -17,10 +17,10 @@
             [node name="Shape" parent="." index="0"]
             shape = SubResource("CapsuleShape2D_c3o9q")

            -[node name="Body" parent="." index="1"]
            +[node name="Torso" parent="." index="1"]
             color = Color(0.93, 0.45, 0.25, 1)

            -[node name="Scarf" type="Polygon2D" parent="Body" index="0"]
            +[node name="Scarf" type="Polygon2D" parent="Torso" index="0"]
             position = Vector2(0, -13)
             color = Color(0.98, 0.9, 0.6, 1)
             polygon = PackedVector2Array(-6, -1, 6, -1, 6, 2, -3, 2, -9, 6, -8, 2, -6, 2)
            ! "scripts/player.gd":17: "Body"
        "#]],
        );
    }

    #[test]
    fn unique_names_and_instances_follow() {
        check(
            "scenes/main.tscn",
            "%ScoreLabel",
            "Points",
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -79,7 +79,7 @@
             offset_bottom = 40.0
             grow_horizontal = 2

            -[node name="ScoreLabel" type="Label" parent="HUD/Root/TopBar"]
            +[node name="Points" type="Label" parent="HUD/Root/TopBar"]
             unique_name_in_owner = true
             layout_mode = 2
             size_flags_horizontal = 3
            ! "scripts/main.gd":8: "%ScoreLabel"
        "#]],
        );
        check(
            "scenes/main.tscn",
            "Level",
            "Shore",
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -19,12 +19,12 @@
             [node name="Main" type="Node2D" node_paths=PackedStringArray("player", "goal")]
             script = ExtResource("1_m2x7v")
             player = NodePath("Player")
            -goal = NodePath("Level/Goal")
            +goal = NodePath("Shore/Goal")
             goal_radius = 40.0

            -[node name="Level" parent="." instance=ExtResource("2_e4l9h")]
            +[node name="Shore" parent="." instance=ExtResource("2_e4l9h")]

            -[node name="Lamp" parent="Level/Lighthouse" index="2"]
            +[node name="Lamp" parent="Shore/Lighthouse" index="2"]
             color = Color(1, 0.93, 0.7, 1)

             [node name="Coins" type="Node2D" parent="."]
            @@ -112,4 +112,4 @@
             [connection signal="interacted" from="Player" to="." method="_on_player_interacted"]
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]

            -[editable path="Level"]
            +[editable path="Shore"]
            ! "scripts/main.gd":10: "Level/Start"
            ! "scripts/main.gd":11: "Level/Lighthouse/Lamp"
        "#]],
        );
        check(
            "scenes/main.tscn",
            ".",
            "Game",
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -16,7 +16,7 @@
             bob_height = 5.0
             tags = Array[StringName]([&"pickup", &"bonus"])

            -[node name="Main" type="Node2D" node_paths=PackedStringArray("player", "goal")]
            +[node name="Game" type="Node2D" node_paths=PackedStringArray("player", "goal")]
             script = ExtResource("1_m2x7v")
             player = NodePath("Player")
             goal = NodePath("Level/Goal")
        "#]],
        );
    }

    #[test]
    fn unique_names_of_instances_follow_in_other_scenes() {
        let sample = GodotSample::new();
        sample.write(
            "scenes/menu.tscn",
            concat!(
                "[gd_scene format=3]\n\n",
                "[ext_resource type=\"PackedScene\" path=\"res://scenes/main.tscn\" id=\"1_m\"]\n\n",
                "[node name=\"Menu\" type=\"Control\"]\n",
                "metadata/a = NodePath(\"Game/%ScoreLabel:text\")\n",
                "metadata/b = NodePath(\"%ScoreLabel\")\n\n",
                "[node name=\"Game\" parent=\".\" instance=ExtResource(\"1_m\")]\n\n",
                "[node name=\"ScoreLabel\" type=\"Label\" parent=\".\"]\n",
                "unique_name_in_owner = true\n",
            ),
        );
        sample
            .call(super::TOOL.id, arguments("scenes/main.tscn", "%ScoreLabel", "Points"))
            .unwrap();
        let text = sample.read("scenes/menu.tscn");
        assert!(text.contains("metadata/a = NodePath(\"Game/%Points:text\")"), "{text}");
        assert!(text.contains("metadata/b = NodePath(\"%ScoreLabel\")"), "{text}");
    }

    #[test]
    fn paths_in_code_are_told() {
        let sample = GodotSample::new();
        sample.write(
            "scripts/cheats.gd",
            "extends Node\nfunc a():\n\tget_node(\"/root/Main/HUD/Root\").hide()\n\t$\"/root/Main/HUD\".show()\n\tget_node(\"/root/Other/HUD\")\n",
        );
        sample.write(
            "scripts/main.cs",
            "GetNode<Label>(\"HUD/Root/Hint\").Hide();\nPrint(\"HUDs\");\n",
        );
        let text = sample
            .read("scenes/main.tscn")
            .replace("res://scripts/main.gd", "res://scripts/main.cs");
        sample.write("scenes/main.tscn", &text.replace("uid=\"uid://by2cu0umwb6qr\" ", ""));
        let output =
            sample.call(super::TOOL.id, arguments("scenes/main.tscn", "HUD", "Screen")).unwrap();
        expect![[r#"[{"file":"scripts/cheats.gd","line":3,"text":"/root/Main/HUD/Root"},{"file":"scripts/cheats.gd","line":4,"text":"/root/Main/HUD"},{"file":"scripts/main.cs","line":1,"text":"HUD/Root/Hint"}]"#]].assert_eq(&output["notTouched"].to_string());
    }

    #[test]
    fn names_that_are_taken_anywhere_are_refused() {
        let sample = GodotSample::new();
        let refuse = |scene: &str, node: &str, name: &str| {
            sample.error(super::TOOL.id, arguments(scene, node, name))
        };
        expect!["there is already a node `Start`; nothing was changed; choose another name"]
            .assert_eq(&refuse("scenes/level.tscn", "Goal", "Start"));
        expect![[
            r#"`a/b` cannot be a name: Godot replaces . : @ / " and % in the names of nodes"#
        ]]
        .assert_eq(&refuse("scenes/level.tscn", "Goal", "a/b"));
        expect!["`Player/Body` comes from res://scenes/actor.tscn and can only be changed there; call this with scenePath res://scenes/actor.tscn and nodePath Body"].assert_eq(&refuse("scenes/main.tscn", "Player/Body", "Torso"));
        // The main scene has a camera of its own below the player.
        expect!["scenes/main.tscn has this scene in it and a node of its own at `Player/Camera2D`; nothing was changed; choose another name, or rename that node first"].assert_eq(&refuse("scenes/player.tscn", "CoyoteTimer", "Camera2D"));
    }

    fn not_touched(sample: &GodotSample, scene: &str, node: &str) -> String {
        let arguments =
            json!({ "scenePath": scene, "nodePath": node, "newName": "Other", "dryRun": true });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let left = output["notTouched"].as_array().unwrap().iter();
        left.map(|left| format!("{}:{} {}\n", left["file"], left["line"], left["text"])).collect()
    }

    #[test]
    fn tracks_in_binary_libraries_are_told() {
        let sample = GodotSample::new();
        let library = include_bytes!("../../../godot/src/binary/samples/wave_packed.res");
        std::fs::write(sample.path("wave.res"), library).unwrap();
        std::fs::write(sample.path("broken.res"), b"RSRC").unwrap();
        sample.write(
            "a.tscn",
            r#"[gd_scene format=3]

[ext_resource type="AnimationLibrary" path="res://wave.res" id="1"]
[ext_resource type="AnimationLibrary" path="res://broken.res" id="2"]

[node name="A" type="Node2D"]

[node name="Body" type="Node2D" parent="."]

[node name="Arm" type="Node2D" parent="Body"]

[node name="Leg" type="Node2D" parent="Body"]

[node name="Player" type="AnimationPlayer" parent="."]
libraries/ = ExtResource("1")
libraries/b = ExtResource("2")
"#,
        );
        expect![[r#"
            "broken.res":0 "not looked at: it is cut off or damaged"
            "wave.res":0 "Body/Arm:rotation"
        "#]]
        .assert_eq(&not_touched(&sample, "a.tscn", "Body/Arm"));
        expect![[r#"
            "broken.res":0 "not looked at: it is cut off or damaged"
        "#]]
        .assert_eq(&not_touched(&sample, "a.tscn", "Body/Leg"));
    }

    #[test]
    fn paths_from_what_a_variable_holds_are_told() {
        let sample = GodotSample::new();
        sample.write(
            "scripts/far.gd",
            r#"extends Node
var player
func a():
	player.get_node("Body/Face")
	player.get_node("Hat/Face")
	self.get_node("Body/Face")
	get_tree().current_scene.find_child("Face")
	print("Face")
"#,
        );
        sample.write("b.tscn", "[gd_scene format=3]\n[node name=\"B\" type=\"Node2D\"]\n[node name=\"Body\" type=\"Node2D\" parent=\".\"]\n[node name=\"Face\" type=\"Node2D\" parent=\"Body\"]\n");
        expect![[r#"
            "scripts/far.gd":4 "Body/Face"
            "scripts/far.gd":7 "Face"
        "#]]
        .assert_eq(&not_touched(&sample, "b.tscn", "Body/Face"));
    }

    #[test]
    fn csharp_is_told_where_it_names_nodes_and_not_where_it_has_the_word() {
        let sample = GodotSample::new();
        sample.write(
            "B.cs",
            r#"public partial class B : Node2D {
    [Export] NodePath way = "Face";
    void A() {
        GetNode<Node2D>("Face").Hide();
        var x = GetNodeOrNull("Body/Face:visible"); GD.Print("Face");
        // GetNode("Face");
        Play("Face"); Title = "Face";
    }
}
"#,
        );
        sample.write("b.tscn", "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://B.cs\" id=\"1\"]\n[node name=\"B\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n[node name=\"Face\" type=\"Node2D\" parent=\".\"]\n");
        expect![[r#"
            "B.cs":2 "Face"
            "B.cs":4 "Face"
            "B.cs":5 "Body/Face:visible"
        "#]]
        .assert_eq(&not_touched(&sample, "b.tscn", "Face"));
    }

    fn updated(sample: &GodotSample, scene: &str, node: &str, name: &str) -> Value {
        let mut arguments = arguments(scene, node, name);
        arguments["updateScripts"] = json!(true);
        sample.call(super::TOOL.id, arguments).unwrap()
    }

    #[test]
    fn scripts_follow_when_asked() {
        let sample = GodotSample::new();
        let output = updated(&sample, "scenes/main.tscn", "Level", "Shore 2");
        assert_eq!(output["scriptsUpdated"], json!(["scripts/main.gd"]));
        assert_eq!(output["notTouched"], json!([]));
        let text = sample.read("scripts/main.gd");
        assert!(text.contains("$\"Shore 2/Start\""), "{text}");
        assert!(text.contains("$\"Shore 2/Lighthouse/Lamp\""), "{text}");
        let output = updated(&sample, "scenes/main.tscn", "%ScoreLabel", "Points");
        assert_eq!(output["scriptsUpdated"], json!(["scripts/main.gd"]));
        assert!(sample.read("scripts/main.gd").contains("= %Points\n"));
        sample.undo();
        assert!(sample.read("scripts/main.gd").contains("= %ScoreLabel\n"));
        // A node of a scene that is in the one with the script.
        updated(&sample, "scenes/level.tscn", "Lighthouse", "Tower2");
        assert!(sample.read("scripts/main.gd").contains("$\"Shore 2/Tower2/Lamp\""));
    }

    #[test]
    fn paths_in_scripts_that_are_not_certain_stay_and_are_told() {
        let sample = GodotSample::new();
        let script = r#"extends Node2D
var player
func a():
	$Face.hide()
	get_node("Face").hide(); self.get_node(^"Face/Eye")
	player.get_node("Face")
	get_node("Face" + "s")
	find_child("Face")
	$Face.hide(); player.get_node("Face") # $Face
"#;
        sample.write("scripts/b.gd", script);
        let scene = |child: &str| {
            format!(
                "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://scripts/b.gd\" id=\"1\"]\n[node name=\"B\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n[node name=\"{child}\" type=\"Node2D\" parent=\".\"]\n[node name=\"Eye\" type=\"Node2D\" parent=\"{child}\"]\n"
            )
        };
        sample.write("b.tscn", &scene("Face"));
        let output = updated(&sample, "b.tscn", "Face", "Head");
        expect![[r#"
            extends Node2D
            var player
            func a():
            	$Head.hide()
            	get_node("Head").hide(); self.get_node(^"Head/Eye")
            	player.get_node("Face")
            	get_node("Face" + "s")
            	find_child("Face")
            	$Head.hide(); player.get_node("Face") # $Face
        "#]]
        .assert_eq(&sample.read("scripts/b.gd"));
        let lines = output["notTouched"].as_array().unwrap().iter().map(|left| &left["line"]);
        assert_eq!(lines.collect::<Vec<_>>(), [6, 7, 8, 9]);
        // Another scene needs the old name.
        sample.undo();
        sample.write("c.tscn", &scene("Face"));
        let output = updated(&sample, "b.tscn", "Face", "Head");
        assert_eq!(output.get("scriptsUpdated"), None);
        assert_eq!(sample.read("scripts/b.gd"), script);
        assert_eq!(output["notTouched"].as_array().unwrap().len(), 7);
    }
}
