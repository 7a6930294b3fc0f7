//! Scenes, resources and settings of Godot, merged.

use std::path::Path;

use scenewright_merge::{Choice, Choices, Inputs, Merged, Refusal, merge};

const SCENE: &str = r#"[gd_scene load_steps=3 format=3 uid="uid://base"]

[ext_resource type="Texture2D" path="res://a.png" id="1_a"]

[sub_resource type="RectangleShape2D" id="Rect_1"]
size = Vector2(10, 10)

[node name="Root" type="Node2D"]

[node name="Player" type="Sprite2D" parent="." groups=["one"]]
position = Vector2(1, 2)
texture = ExtResource("1_a")
lines = ["a", "b"]
data = {
"x": 1,
"y": 2
}

[node name="Shape" type="CollisionShape2D" parent="Player"]
shape = SubResource("Rect_1")

[node name="Timer" type="Timer" parent="."]
wait_time = 2.0
autostart = true

[connection signal="timeout" from="Timer" to="." method="_on_timer"]
"#;

fn chosen(base: &str, ours: &str, theirs: &str, choices: &Choices) -> Merged {
    let inputs = Inputs { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    merge(Path::new("a.tscn"), inputs, choices).expect("it can be merged")
}

fn merged(ours: &str, theirs: &str) -> Merged {
    chosen(SCENE, ours, theirs, &Choices::new())
}

fn text(merged: &Merged) -> String {
    String::from_utf8(merged.bytes.clone()).expect("text")
}

fn clean(ours: &str, theirs: &str) -> String {
    let merged = merged(ours, theirs);
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    text(&merged)
}

fn goes_together(ours: (&str, &str), theirs: (&str, &str)) {
    let one = SCENE.replacen(ours.0, ours.1, 1);
    let two = SCENE.replacen(theirs.0, theirs.1, 1);
    assert!(one != SCENE && two != SCENE, "the edits change something");
    let both = one.replacen(theirs.0, theirs.1, 1);
    assert_eq!(clean(&one, &two), both);
    assert_eq!(clean(&two, &one), both);
}

#[test]
fn properties_and_parts_of_values_go_together() {
    goes_together(("Vector2(1, 2)", "Vector2(5, 2)"), ("wait_time = 2.0", "wait_time = 3.0"));
    goes_together(("position = Vector2(1, 2)\n", ""), ("\"x\": 1", "\"x\": 3"));
    goes_together(("\"y\": 2", "\"y\": 9"), ("\"x\": 1", "\"x\": 3"));
    goes_together(("[\"a\", ", "[\"z\", \"a\", "), ("\"b\"]", "\"b\", \"c\"]"));
    goes_together(("autostart = true\n", ""), ("wait_time = 2.0", "wait_time = 3.0"));
    goes_together(
        ("[\"one\"]", "[\"one\", \"two\"]"),
        ("\"Player\" type=\"Sprite2D\"", "\"Player\" type=\"AnimatedSprite2D\""),
    );
}

#[test]
fn new_resources_with_one_id_are_told_apart() {
    let add = |path: &str, node: &str| {
        SCENE
            .replace("\n\n[sub_resource", &format!("\n[ext_resource type=\"Texture2D\" path=\"{path}\" id=\"2_b\"]\n\n[sub_resource"))
            .replace("load_steps=3", "load_steps=4")
            .replace("\n[connection", &format!("\n[node name=\"{node}\" type=\"Sprite2D\" parent=\".\"]\ntexture = ExtResource(\"2_b\")\n\n[connection"))
    };
    let text = clean(&add("res://sheep.png", "Sheep"), &add("res://tree.png", "Tree"));
    assert!(text.contains("load_steps=5"));
    assert!(text.contains("path=\"res://sheep.png\" id=\"2_b\"]\n[ext_resource type=\"Texture2D\" path=\"res://tree.png\" id=\"2_b_2\"]"), "{text}");
    assert!(text.contains(
        "[node name=\"Sheep\" type=\"Sprite2D\" parent=\".\"]\ntexture = ExtResource(\"2_b\")"
    ));
    assert!(text.contains(
        "[node name=\"Tree\" type=\"Sprite2D\" parent=\".\"]\ntexture = ExtResource(\"2_b_2\")"
    ));
    // The same resource from both is one, whatever its id.
    let other = add("res://sheep.png", "Lamb").replace("2_b", "7_x");
    let text = clean(&add("res://sheep.png", "Sheep"), &other);
    assert_eq!(text.matches("sheep.png").count(), 1);
    assert_eq!(text.matches("ExtResource(\"2_b\")").count(), 2, "{text}");
}

#[test]
fn a_node_that_moved_takes_the_other_sides_changes_with_it() {
    let moved = SCENE
        .replace(
            "[node name=\"Timer\" type=\"Timer\" parent=\".\"]",
            "[node name=\"Timer\" type=\"Timer\" parent=\"Player\"]",
        )
        .replace("from=\"Timer\"", "from=\"Player/Timer\"");
    let changed = SCENE.replace("wait_time = 2.0", "wait_time = 4.0");
    let both = moved.replace("wait_time = 2.0", "wait_time = 4.0");
    assert_eq!(clean(&moved, &changed), both);
    assert_eq!(clean(&changed, &moved), both);
    let renamed = SCENE
        .replace("\"Timer\" type", "\"Clock\" type")
        .replace("from=\"Timer\"", "from=\"Clock\"");
    let child = SCENE.replace(
        "\n[connection",
        "\n[node name=\"Bell\" type=\"Node\" parent=\"Timer\"]\n\n[connection",
    );
    let text = clean(&renamed, &child);
    assert!(text.contains("[node name=\"Bell\" type=\"Node\" parent=\"Clock\"]"), "{text}");
    assert_eq!(clean(&child, &renamed), text);
}

#[test]
fn moved_twice_and_moved_against_deleted_are_conflicts() {
    let renamed = |name: &str| {
        SCENE
            .replace("\"Timer\" type", &format!("\"{name}\" type"))
            .replace("from=\"Timer\"", &format!("from=\"{name}\""))
    };
    let (one, two) = (renamed("Clock"), renamed("Watch"));
    let both = merged(&one, &two);
    assert_eq!(both.conflicts.len(), 1, "{:#?}", both.conflicts);
    assert_eq!(both.conflicts[0].id, "node Timer");
    assert_eq!(text(&both).matches("type=\"Timer\"").count(), 1);
    let choices = Choices::from([("node Timer".to_owned(), Choice::Theirs)]);
    assert_eq!(text(&chosen(SCENE, &one, &two, &choices)), two);
    let start = SCENE.find("[node name=\"Timer\"").expect("the timer");
    let gone = format!("{}\n", SCENE[..start].trim_end());
    let against = merged(&one, &gone);
    assert!(!against.is_clean());
    assert!(text(&against).contains("\"Clock\""));
    assert_eq!(text(&chosen(SCENE, &one, &gone, &choices)), gone);
}

#[test]
fn a_child_below_what_the_other_deleted_is_a_conflict() {
    let start = SCENE.find("[node name=\"Timer\"").expect("the timer");
    let gone = format!("{}\n", SCENE[..start].trim_end());
    let child = SCENE.replace(
        "\n[connection",
        "\n[node name=\"Bell\" type=\"Node\" parent=\"Timer\"]\n\n[connection",
    );
    let merged = merged(&gone, &child);
    assert!(!merged.is_clean());
    assert_eq!(merged.conflicts[0].id, "node Timer/Bell->node Timer");
    let choices = Choices::from([("node Timer/Bell->node Timer".to_owned(), Choice::Theirs)]);
    let kept = chosen(SCENE, &gone, &child, &choices);
    assert!(kept.is_clean() && text(&kept).contains("Bell") && text(&kept).contains("\"Timer\""));
}

#[test]
fn a_connection_to_a_deleted_node_is_a_conflict() {
    let start = SCENE.find("[node name=\"Timer\"").expect("the timer");
    let gone = format!("{}\n", SCENE[..start].trim_end());
    let wired = format!(
        "{SCENE}[connection signal=\"ready\" from=\"Timer\" to=\".\" method=\"_on_ready\"]\n"
    );
    assert!(!merged(&wired, &gone).is_clean());
    assert!(!merged(&gone, &wired).is_clean());
}

#[test]
fn nodes_of_one_path_and_fields_of_one_name_are_conflicts() {
    let add = |value: u32| {
        SCENE.replace("\n[connection", &format!("\n[node name=\"New\" type=\"Node\" parent=\".\"]\nprocess_priority = {value}\n\n[connection"))
    };
    let merged = merged(&add(1), &add(2));
    assert_eq!(merged.conflicts[0].id, "node New");
    assert!(text(&merged).contains("; <<<<<<< node New"));
}

#[test]
fn lists_by_names_of_properties_do_not_go_together_when_both_change() {
    let animation = |tracks: &[&str]| {
        let mut text = "[gd_resource type=\"Animation\" format=3]\n\n[resource]\n".to_owned();
        for (number, path) in tracks.iter().enumerate() {
            text += &format!(
                "tracks/{number}/type = \"value\"\ntracks/{number}/path = NodePath(\"{path}\")\n"
            );
        }
        text
    };
    let merge = |base: &[&str], ours: &[&str], theirs: &[&str]| {
        let inputs = [base, ours, theirs].map(animation);
        let [base, ours, theirs] = inputs.each_ref().map(|text| text.as_bytes());
        merge(Path::new("a.tres"), Inputs { base, ours, theirs }, &Choices::new()).expect("merged")
    };
    assert!(!merge(&["a", "b", "c"], &["a", "c"], &["a", "b", "c", "d"]).is_clean());
    assert!(!merge(&["a"], &["a", "b"], &["a", "c"]).is_clean());
    let grew = merge(&["a", "b"], &["a", "x"], &["a", "b", "c"]);
    assert!(grew.is_clean());
    assert_eq!(text(&grew), animation(&["a", "x", "c"]));
}

#[test]
fn settings_go_together_by_section_and_key() {
    let base = "; comment\nconfig_version=5\n\n[application]\n\nconfig/name=\"A\"\nconfig/icon=\"i\"\n\n[autoload]\n\nOne=\"*res://one.gd\"\n";
    let ours = base
        .replace("\n\n[autoload]", "\nconfig/x=1\n\n[autoload]")
        .replace("One=\"*res://one.gd\"\n", "One=\"*res://one.gd\"\nTwo=\"*res://two.gd\"\n");
    let theirs = format!(
        "{}Three=\"*res://three.gd\"\n\n[input]\n\njump={{\n\"deadzone\": 0.5\n}}\n",
        base.replace("\"A\"", "\"B\"")
    );
    let inputs = Inputs { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    let merged = merge(Path::new("project.godot"), inputs, &Choices::new()).expect("merged");
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    let expected = ours.replace("\"A\"", "\"B\"")
        + "Three=\"*res://three.gd\"\n\n[input]\n\njump={\n\"deadzone\": 0.5\n}\n";
    assert_eq!(text(&merged), expected);
}

#[test]
fn versions_of_other_formats_are_refused() {
    let old = "[gd_scene format=2]\n\n[node name=\"A\" type=\"Node\"]\n";
    let inputs = Inputs { base: old.as_bytes(), ours: SCENE.as_bytes(), theirs: old.as_bytes() };
    let refused = merge(Path::new("a.tscn"), inputs, &Choices::new()).expect_err("refused");
    assert!(matches!(refused.reason, Refusal::OtherFormat(_)));
}

#[test]
fn assembly_definitions_go_together() {
    let base = "{\n    \"name\": \"A\",\n    \"references\": [\n        \"X\"\n    ],\n    \"autoReferenced\": true\n}\n";
    let ours = base.replace("\"X\"", "\"X\",\n        \"Y\"");
    let theirs = base.replace("\"X\"", "\"X\",\n        \"Z\"").replace("true", "false");
    let inputs = Inputs { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    let merged = merge(Path::new("A.asmdef"), inputs, &Choices::new()).expect("merged");
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    assert_eq!(
        text(&merged),
        ours.replace("\"Y\"", "\"Y\",\n        \"Z\"").replace("true", "false")
    );
}
