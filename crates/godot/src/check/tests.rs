//! Findings in small projects, each written as one text.

use std::fmt::Write;

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;

use super::*;

mod again;
mod left_out;
mod loads;

struct Patient;

impl Watcher for Patient {
    fn step(&self, _: usize, _: usize) -> bool {
        true
    }
}

fn found(files: &str) -> Report {
    let dir = Folder::files(files);
    let index = Index::build(dir.root(), None);
    let facts = crate::Project::open(dir.root()).unwrap().facts().unwrap();
    check(&index.into(), &facts, &mut None, &Patient)
}

/// What is found in a project of Godot 4.6 with these files.
fn judge(files: &str, expected: Expect) {
    let settings = "//- project.godot\nconfig_version=5\n[application]\nconfig/features=PackedStringArray(\"4.6\")\n";
    judge_whole(&format!("{settings}{files}"), expected);
}

fn judge_whole(files: &str, expected: Expect) {
    let mut shown = String::new();
    for Finding { kind, file, line, object, message, .. } in found(files).findings {
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        let object = object.map_or(String::new(), |object| format!(" [{object}]"));
        writeln!(shown, "{file}{line} {kind:?}{object} {message}").unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn resources_that_are_not_there() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="Texture2D" uid="uid://gone" path="res://art/Icon.png" id="1"]
[ext_resource type="Texture2D" path="res://none.png" id="2"]
[node name="Main" type="Node2D"]
[node name="A" type="Sprite2D" parent="."]
texture = ExtResource("1")
[node name="B" type="Sprite2D" parent="."]
texture = ExtResource("2")
//- icon.png
x
"#,
        expect![[r#"
            main.tscn:2 MissingResource `res://art/Icon.png` is not there; `icon.png` is
            main.tscn:3 MissingResource `res://none.png` is not there
        "#]],
    );
}

#[test]
fn paths_and_uids_that_differ() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" uid="uid://known" path="res://old.tscn" id="1"]
[ext_resource type="PackedScene" uid="uid://other" path="res://new.tscn" id="2"]
[node name="Main" type="Node2D"]
[node name="A" parent="." instance=ExtResource("1")]
[node name="B" parent="." instance=ExtResource("2")]
//- new.tscn
[gd_scene format=3 uid="uid://known"]
[node name="New" type="Node2D"]
"#,
        expect![[r#"
            main.tscn:2 StalePath `res://old.tscn` is not there any more; its uid leads to `new.tscn`
            main.tscn:3 UnknownUid no file has uid://other; the path `res://new.tscn` serves
        "#]],
    );
}

/// The engine reads the uid in `a.gd.uid` as the one that the code names.
#[test]
fn a_uid_that_is_longer_than_godot_writes_them() {
    judge(
        r#"//- a.gd
extends Node
//- a.gd.uid
uid://bc2tn187qiatpcheck
//- b.gd
extends Node
var script_of_a = load("uid://b8hhnqsugykly")
"#,
        expect![""],
    );
}

#[test]
fn ids_that_are_not_declared_and_resources_that_are_not_used() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://b.tscn" id="1_b"]
[sub_resource type="BoxShape3D" id="Box_1"]
[node name="Main" type="Sprite2D"]
texture = ExtResource("9")
//- b.tscn
[gd_scene format=3]
[node name="B" type="Node2D"]
"#,
        expect![[r#"
            main.tscn:2 UnusedResource [1_b] `res://b.tscn` is declared and nothing uses it
            main.tscn:3 UnusedResource [Box_1] the BoxShape3D is declared and nothing uses it
            main.tscn:5 UndeclaredResource column 23: no `[ext_resource]` above has the id `9`
        "#]],
    );
}

#[test]
fn paths_of_nodes_that_lead_nowhere() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="Script" path="res://main.gd" id="1"]
[ext_resource type="PackedScene" path="res://model.glb" id="2"]
[ext_resource type="PackedScene" path="res://part.tscn" id="3"]
[sub_resource type="Animation" id="Anim_1"]
tracks/0/type = "value"
tracks/0/path = NodePath("Sprite:frame")
tracks/1/type = "value"
tracks/1/path = NodePath("Gone:frame")
tracks/2/type = "value"
tracks/2/path = NodePath(":position")
[sub_resource type="AnimationLibrary" id="Lib_1"]
_data = {
&"a": SubResource("Anim_1")
}
[node name="Main" type="Node2D" node_paths=PackedStringArray("sprite", "others")]
script = ExtResource("1")
sprite = NodePath("Lost")
others = [NodePath("Sprite"), NodePath("Part/Gone")]
free = NodePath("Anything")
[node name="Sprite" type="Sprite2D" parent="."]
unique_name_in_owner = true
[node name="Player" type="AnimationPlayer" parent="."]
libraries/ = SubResource("Lib_1")
[node name="Follow" type="RemoteTransform2D" parent="."]
remote_path = NodePath("../Sprit")
[node name="Good" type="RemoteTransform2D" parent="."]
remote_path = NodePath("%Sprite")
[node name="Outside" type="RemoteTransform2D" parent="."]
remote_path = NodePath("../../Elsewhere")
[node name="Model" parent="." instance=ExtResource("2")]
[node name="Inside" type="RemoteTransform2D" parent="."]
remote_path = NodePath("../Model/Skeleton")
[node name="Part" parent="." instance=ExtResource("3")]
[editable path="Nowhere"]
//- main.gd
extends Node2D
@export var sprite: Node
@export var others: Array[Node]
@export var free: NodePath
//- part.tscn
[gd_scene format=3]
[node name="Part" type="Node2D"]
//- model.glb
x
"#,
        expect![[r#"
            main.tscn:9 BrokenNodePath [Anim_1] a track leads to `Gone:frame`, and there is no `Gone`
            main.tscn:18 BrokenNodePath [.] `sprite` leads to `Lost`, and there is no `Lost`
            main.tscn:19 BrokenNodePath [.] `others` leads to `Part/Gone`, and there is no `Gone`
            main.tscn:26 BrokenNodePath [Follow] `remote_path` leads to `../Sprit`, and there is no `Sprit`
            main.tscn:35 BrokenNodePath [Nowhere] the editable instance `Nowhere` is not there: no `Nowhere`
        "#]],
    );
}

#[test]
fn connections_that_lead_nowhere() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="Script" path="res://main.gd" id="1"]
[sub_resource type="GDScript" id="Inner"]
script/source = "extends Timer
signal rang
func ring():
	pass
"
[node name="Main" type="Node2D"]
script = ExtResource("1")
[node name="Timer" type="Timer" parent="."]
script = SubResource("Inner")
[node name="Plain" type="Timer" parent="."]
[connection signal="timeout" from="Timer" to="." method="_on_timeout"]
[connection signal="timeout" from="Timer" to="." method="inherited"]
[connection signal="rang" from="Timer" to="Timer" method="ring"]
[connection signal="timeout" from="Timer" to="Timer" method="start"]
[connection signal="timeout" from="Gone" to="." method="_on_timeout"]
[connection signal="timeout" from="Timer" to="Lost" method="_on_timeout"]
[connection signal="tick" from="Timer" to="." method="_on_timeout"]
[connection signal="timeout" from="Timer" to="." method="_on_tick"]
[connection signal="timeout" from="Timer" to="Plain" method="_on_tick"]
//- main.gd
extends Base
func _on_timeout():
	pass
//- base.gd
class_name Base extends Node2D
func inherited(): pass
"#,
        expect![[r#"
            main.tscn:18 BrokenConnection [Gone] `timeout` is connected from `Gone`, which is not there
            main.tscn:19 BrokenConnection [Lost] `timeout` is connected to `Lost`, which is not there
            main.tscn:20 UnknownSignal [Timer] neither Timer nor a script of the node has a signal `tick`
            main.tscn:21 MissingMethod [.] neither the script of the node nor its class Node2D has a method `_on_tick`
            main.tscn:22 MissingMethod [Plain] the node has no script, and its class Timer has no method `_on_tick`
        "#]],
    );
}

#[test]
fn what_cannot_be_known_is_not_judged() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="Script" path="res://Main.cs" id="1"]
[ext_resource type="Script" path="res://free.gd" id="2"]
[node name="Main" type="Node2D"]
script = ExtResource("1")
anything = 1
[node name="Free" type="Node2D" parent="."]
script = ExtResource("2")
anything = 1
[connection signal="any" from="." to="." method="Any"]
[connection signal="made_up" from="Free" to="." method="Any"]
//- Main.cs
class Main {}
//- free.gd
extends Node2D
func _init():
	add_user_signal("made_up")
func _set(name, value):
	return true
"#,
        expect![""],
    );
}

#[test]
fn what_the_settings_start_with() {
    judge_whole(
        r#"//- project.godot
config_version=5
[application]
run/main_scene="res://main.tscn"
[autoload]
State="*res://state.gd"
[editor_plugins]
enabled=PackedStringArray("res://addons/a/plugin.cfg")
"#,
        expect![[r#"
            project.godot:3 MissingStartFile the main scene `res://main.tscn` is not there
            project.godot:5 MissingStartFile the autoload `res://state.gd` is not there
            project.godot:7 MissingStartFile the plugin `res://addons/a/plugin.cfg` is not there
        "#]],
    );
}

#[test]
fn code_that_needs_files() {
    judge(
        r##"//- a.gd
extends "res://base.gd"
const A = preload("res://a.tscn")
const B = preload("b.gd")
func _ready():
	load("res://c.tscn")
	load("res://levels/level_" + str(1) + ".tscn")
	load("res://part.tscn" + x)
	load("res://levels")
# load("res://comment.tscn")
//- b.gd
extends Missing
//- c.gd
extends KinematicBody2D
//- d.gd
extends Inner.Class
//- e.gdshader
#include "res://none.gdshaderinc"
//- levels/x.txt
"##,
        expect![[r#"
            a.gd:1 MissingPreload the script extends `res://base.gd`, which is not there
            a.gd:2 MissingPreload `preload` of `res://a.tscn`, which is not there
            a.gd:5 MissingLoad `load` of `res://c.tscn`, which is not there
            b.gd UnknownBase the script extends `Missing`, which neither Godot 4.6 nor a script declares
            c.gd UnknownBase the script extends `KinematicBody2D`, which neither Godot 4.6 nor a script declares; it is CharacterBody2D since Godot 4
            e.gdshader:1 MissingPreload `#include` of `res://none.gdshaderinc`, which is not there
        "#]],
    );
}

#[test]
fn companions_without_their_files() {
    judge(
        r#"//- a.png.import
[remap]
importer="texture"
[deps]
source_file="res://a.png"
//- b.gd.uid
uid://b
//- c.gd
extends Node
//- c.gd.uid
uid://c
"#,
        expect![[r#"
            a.png.import OrphanImport `a.png` is not there
            b.gd.uid OrphanUid `b.gd` is not there
        "#]],
    );
}

#[test]
fn types_that_are_not_there() {
    let scene = r#"//- main.tscn
[gd_scene format=3]
[sub_resource type="CubeMesh" id="Mesh_1"]
[node name="Main" type="Spatial"]
[node name="A" type="Nod3D" parent="."]
unknown = 1
[node name="B" type="AreaLight3D" parent="."]
[node name="C" type="Player" parent="."]
mesh = SubResource("Mesh_1")
//- player.gd
class_name Player extends Node3D
"#;
    judge(
        scene,
        expect![[r#"
        main.tscn:2 OtherVersionClass [Mesh_1] `CubeMesh` is a type of Godot 3; it is `BoxMesh` since Godot 4
        main.tscn:3 OtherVersionClass [.] `Spatial` is a type of Godot 3; it is `Node3D` since Godot 4
        main.tscn:4 UnknownClass [A] Godot 4.6 has no type `Nod3D`
        main.tscn:6 OtherVersionClass [B] Godot 4.6 has no type `AreaLight3D`; Godot 4.7 has it
        main.tscn:7 UnknownClass [C] Godot 4.6 has no type `Player`; it is the script `player.gd`, which a node has beside its type
    "#]],
    );
    judge(
        &format!("{scene}//- lib.gdextension\n[configuration]\n"),
        expect![[r#"
        main.tscn:2 OtherVersionClass [Mesh_1] `CubeMesh` is a type of Godot 3; it is `BoxMesh` since Godot 4
        main.tscn:3 OtherVersionClass [.] `Spatial` is a type of Godot 3; it is `Node3D` since Godot 4
        main.tscn:4 ExtensionClass [A] Godot 4.6 has no type `Nod3D`; an extension may add it
        main.tscn:6 OtherVersionClass [B] Godot 4.6 has no type `AreaLight3D`; Godot 4.7 has it
        main.tscn:7 ExtensionClass [C] Godot 4.6 has no type `Player`; an extension may add it
    "#]],
    );
}

#[test]
fn properties_that_are_not_there() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="Script" path="res://main.gd" id="1"]
[sub_resource type="RectangleShape2D" id="Shape_1"]
size = Vector2(1, 1)
extents = Vector2(1, 1)
[node name="Main" type="Node2D"]
script = ExtResource("1")
speed = 2
health = 3
metadata/_edit_lock_ = true
[node name="Shape" type="CollisionShape2D" parent="."]
shape = SubResource("Shape_1")
positon = Vector2(0, 0)
//- main.gd
extends Node2D
@export var speed = 1
//- theme.tres
[gd_resource type="Theme" format=3]
[resource]
default_font_size = 12
Label/colors/font_color = Color(1, 1, 1, 1)
default_font_sise = 12
"#,
        expect![[r#"
            main.tscn:5 UnknownProperty [Shape_1] RectangleShape2D has no property `extents`
            main.tscn:9 UnknownProperty [.] neither Node2D nor the script has a property `health`
            main.tscn:13 UnknownProperty [Shape] CollisionShape2D has no property `positon`; `position` is one
            theme.tres:5 UnknownProperty [resource] Theme has no property `default_font_sise`; `default_font_size` is one
        "#]],
    );
}

#[test]
fn nodes_that_contradict_each_other() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://part.tscn" id="1"]
[node name="Main" type="Node2D"]
[node name="A" type="Node2D" parent="."]
[node name="A" type="Node2D" parent="."]
[node name="B" type="Node2D" parent="Gone"]
[node name="Part" parent="." instance=ExtResource("1")]
[node name="Lost" parent="Part"]
visible = false
//- part.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://main.tscn" id="1"]
[node name="Part" type="Node2D"]
[node name="Main" parent="." instance=ExtResource("1")]
"#,
        expect![[r#"
            main.tscn:5 DuplicateName [A] another child of the same node is called `A` too
            main.tscn:6 MissingParent [Gone/B] the parent `Gone` of `B` is not there
            main.tscn:7 Cycle [Part] the scene is inside of itself, as `Part/Main`
            main.tscn:8 LostOverride [Part/Lost] `Part/Lost` is changed here but is not there any more
            part.tscn:4 Cycle [Main] the scene is inside of itself, as `Main/Part`
        "#]],
    );
}

#[test]
fn ids_hold_when_names_change() {
    judge(
        r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://part.tscn" id="1"]
[node name="Main" type="Node2D" unique_id=1]
[node name="Part" parent="." unique_id=2 instance=ExtResource("1")]
[node name="Child" parent="Part/Old" parent_id_path=PackedInt32Array(2, 11) index="0" unique_id=12]
visible = false
[node name="Lost" parent="Part/Old" parent_id_path=PackedInt32Array(2, 99) index="0" unique_id=13]
visible = false
[node name="Before" parent="Part" index="0" unique_id=11]
visible = false
[node name="Added" type="Node2D" parent="Part/Old" parent_id_path=PackedInt32Array(2, 11) unique_id=14]
[connection signal="ready" from="Part/Old/Child" to="." method="show" from_uid_path=PackedInt32Array(2, 12)]
//- part.tscn
[gd_scene format=3]
[node name="Part" type="Node2D" unique_id=10]
[node name="New" type="Node2D" parent="." unique_id=11]
[node name="Child" type="Node2D" parent="New" unique_id=12]
"#,
        expect![[r#"
            main.tscn:5 StaleName [Part/Old/Child] the ids of the nodes still lead to `Part/New/Child`
            main.tscn:7 LostOverride [Part/Old/Lost] `Part/Old/Lost` is changed here but is not there any more
            main.tscn:9 StaleName [Part/Before] the ids of the nodes still lead to `Part/New`
            main.tscn:11 StaleName [Part/Old/Added] the ids of the nodes still lead to `Part/New`
        "#]],
    );
}

#[test]
fn files_that_cannot_be_read() {
    judge(
        "//- a.tscn\n[gd_scene format=3]\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1,\n//- b.tres\n[gd_resource type=\"Theme\" format=3]\n<<<<<<< ours\n[resource]\n=======\n>>>>>>> theirs\n//- c.tscn\nversion https://git-lfs.github.com/spec/v1\noid sha256:00\n//- d.cfg\na=1\nnonsense\n//- e.gd\nextends Node\n<<<<<<< ours\n=======\n>>>>>>> theirs\n",
        expect![[r#"
            a.tscn:4 Syntax column 1: the value of `position`: a number is expected, not the end of the file
            b.tres:2 MergeConflict conflict markers are left in the file
            c.tscn:1 LfsPointer Git LFS keeps this file, and it was not fetched
            d.cfg:2 Doubt column 1: `nonsense` is neither a section nor `key=value`
            e.gd:2 MergeConflict conflict markers are left in the file
        "#]],
    );
}

#[test]
fn what_was_not_fetched_is_counted() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\n";
    let notes = |content: &str| {
        let scene = "[gd_scene format=3]\n[node name=\"A\" type=\"Node2D\"]\n";
        found(&format!("//- project.godot\nconfig_version=5\n//- a.tscn\n{content}//- b.tscn\n{content}//- c.tscn\n{scene}")).notes.join("\n")
    };
    expect!["2 files are pointers that Git LFS has not fetched, so what is in them is not judged"]
        .assert_eq(&notes(pointer));
    assert_eq!(notes("[gd_scene format=3]\n[node name=\"A\" type=\"Node2D\"]\n"), "");
}

#[test]
fn names_that_stand_twice() {
    judge(
        r#"//- a.gd
class_name One extends Node
//- b.gd
class_name One extends Node
//- a.gd.uid
uid://same
//- b.gd.uid
uid://same
"#,
        expect![[r#"
            b.gd DuplicateClass `a.gd` declares the class One too
            b.gd DuplicateUid `a.gd` has the same uid, uid://same
        "#]],
    );
}

#[test]
fn types_of_godot_3_are_not_judged_in_its_projects() {
    let files = r#"//- project.godot
config_version=4
//- main.tscn
[gd_scene load_steps=2 format=2]
[ext_resource path="res://main.gd" type="Script" id=1]
[node name="Main" type="Spatial"]
script = ExtResource( 1 )
whatever = 1
[node name="Button" type="Button" parent="."]
[connection signal="anything" from="Button" to="." method="_on_press"]
[connection signal="pressed" from="Button" to="." method="_on_gone"]
[connection signal="pressed" from="Button" to="." method="queue_free"]
//- main.gd
extends Spatial
remote func _on_press():
	pass
"#;
    judge_whole(
        files,
        expect![[r#"
        main.tscn:8 MissingMethod [.] neither the script of the node nor its class Spatial has a method `_on_gone`
    "#]],
    );
    assert_eq!(found(files).notes.len(), 1);
}

#[test]
fn stops_when_told() {
    struct Hasty;
    impl Watcher for Hasty {
        fn step(&self, _: usize, _: usize) -> bool {
            false
        }
    }
    let dir = Folder::files("//- project.godot\nconfig_version=5\n");
    let facts = crate::Project::open(dir.root()).unwrap().facts().unwrap();
    let report = check(&Index::build(dir.root(), None).into(), &facts, &mut None, &Hasty);
    assert_eq!((report.checked, report.total), (0, 1));
}

#[test]
fn the_sample_is_clean() {
    let root = scenewright_fixture::sample("godot");
    let facts = crate::Project::open(&root).unwrap().facts().unwrap();
    let report = check(&Index::build(&root, None).into(), &facts, &mut None, &Patient);
    assert_eq!(report.findings, []);
    assert!(report.checked > 20);
}

#[test]
fn scripts_that_the_engine_cannot_read() {
    let scripts = "//- good.gd\nextends Node\n\nfunc a() -> void:\n\tpass\n//- bad.gd\nextends Node\n\nfunc a() -> void\n\tpass\n";
    judge(
        scripts,
        expect![[r#"
            bad.gd:3 Syntax column 17: `:` is expected here, not the end of the line
        "#]],
    );
}
