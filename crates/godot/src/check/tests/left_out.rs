//! Files that are not here and that version control leaves out.

use expect_test::expect;

use super::{found, judge};

const SCENE: &str = r#"//- main.tscn
[gd_scene format=3]
[ext_resource type="Script" path="res://addons/paid/tool.gd" id="1"]
[ext_resource type="Texture2D" path="res://addons/paid.png" id="2"]
[node name="Main" type="Node2D"]
script = ExtResource("1")
texture = ExtResource("2")
//- main.gd
extends Node
var tool = preload("res://addons/paid/tool.gd")
"#;

#[test]
fn what_version_control_leaves_out_is_no_error() {
    judge(
        &format!("{SCENE}//- .gitignore\naddons/paid/\n"),
        expect![[r#"
            main.gd:2 LeftOut `preload` of `res://addons/paid/tool.gd`, which is not there; .gitignore leaves it out, so others may have it
            main.tscn:2 LeftOut `res://addons/paid/tool.gd` is not there; .gitignore leaves it out, so others may have it
            main.tscn:3 MissingResource `res://addons/paid.png` is not there
        "#]],
    );
    let notes = found(&format!(
        "//- project.godot\nconfig_version=5\n{SCENE}//- .gitignore\naddons/paid/\n"
    ))
    .notes;
    expect!["2 references lead to files that are not here and that .gitignore leaves out, so they are not judged"].assert_eq(&notes.join("\n"));
}

#[test]
fn rules_that_leave_out_something_else_change_nothing() {
    for rules in ["", "addons/other/", "addons/paid/\n!addons/paid/"] {
        judge(
            &format!("{SCENE}//- .gitignore\n{rules}\n"),
            expect![[r#"
                main.gd:2 MissingPreload `preload` of `res://addons/paid/tool.gd`, which is not there
                main.tscn:2 MissingResource `res://addons/paid/tool.gd` is not there
                main.tscn:3 MissingResource `res://addons/paid.png` is not there
            "#]],
        );
    }
}
