//! What code loads and what only looks like it; and what is told once and with what was meant.

use super::*;

#[test]
fn only_what_is_surely_loaded_is_judged() {
    judge(
        r#"//- a.gd
extends Node
const ICONS = "res://icons/%s"
const A = preload(ICONS % "a.svg")
const B = preload("res://gone.tscn")
func _ready():
	load(ICONS + "/a.svg")
	load("res://gone/" + name)
	var config = ConfigFile.new()
	config.load("addons/x/settings.cfg")
	ResourceLoader.load("res://gone.tres")
	load("gone.png")
//- B.cs
class B {
  // GD.Load<Texture2D>("res://gone.png");
  void A() { GD.Load("res://gone.wav"); }
}
"#,
        expect![[r#"
            B.cs:3 MissingLoad the code loads `res://gone.wav`, which is not there
            a.gd:4 MissingPreload `preload` of `res://gone.tscn`, which is not there
            a.gd:10 MissingLoad `load` of `res://gone.tres`, which is not there
            a.gd:11 MissingLoad `load` of `res://gone.png`, which is not there
        "#]],
    );
}

#[test]
fn needless_steps_of_a_path_are_nothing_wrong() {
    judge_whole(
        r#"//- project.godot
config_version=5
[application]
config/features=PackedStringArray("4.6")
run/main_scene="res://x//main.tscn"
[autoload]
Audio="*res://x/./audio.gd"
Other="*res://x/../x/gone.gd"
//- x/audio.gd
extends Node
//- x/main.tscn
[gd_scene format=3]
[node name="Main" type="Node"]
"#,
        expect![[r#"
            project.godot:7 MissingStartFile the autoload `res://x/gone.gd` is not there
        "#]],
    );
}

#[test]
fn one_mistake_is_told_once_and_with_what_was_meant() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://model.glb" id="1"]
[node name="Main" type="Node2D"]
positon = Vector2(1, 2)
zzz = 1
[node name="Model" parent="." instance=ExtResource("1")]
[node name="Tree" type="AnimationTree" parent="."]
root_node = NodePath("../Model")
root_motion_track = NodePath("Armature/Skeleton3D:Hips")
[connection signal="ready" from="Gone" to="Gone" method="queue_free"]
//- model.glb
x
"#,
        expect![[r#"
            main.tscn:4 UnknownProperty [.] Node2D has no property `positon`; `position` is one
            main.tscn:5 UnknownProperty [.] Node2D has no property `zzz`
            main.tscn:10 BrokenConnection [Gone] `ready` is connected from `Gone`, which is not there
        "#]],
    );
}

#[test]
fn code_inside_of_a_scene_is_judged_like_a_file() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[sub_resource type="GDScript" id="S"]
script/source = "extends Node
const A = preload(\"res://main.tscn\")
const B = preload(\"res://gone.tscn\")
"
[node name="Main" type="Node"]
script = SubResource("S")
"#,
        expect![[r#"
            main.tscn:5 MissingLoad the code loads `res://gone.tscn`, which is not there
        "#]],
    );
}
