//! Changes of small scenes, as the lines that go and come.

mod following;
mod parts;

use expect_test::{Expect, expect};

use super::*;
use crate::{ProblemKind, ResourceId, Variant};

pub(crate) const SCENE: &str = r#"[gd_scene load_steps=3 format=3 uid="uid://abc"]

[ext_resource type="PackedScene" path="res://coin.tscn" id="1_c"]

[sub_resource type="Animation" id="Animation_a"]
tracks/0/path = NodePath("Body/Arm:position")
tracks/1/path = NodePath(".:scale")

[sub_resource type="AnimationLibrary" id="AnimationLibrary_a"]
_data = {
&"wave": SubResource("Animation_a")
}

[node name="Main" type="Node2D" node_paths=PackedStringArray("arm")]
arm = NodePath("Body/Arm")

[node name="Body" type="Node2D" parent="."]

[node name="Arm" type="Sprite2D" parent="Body"]
unique_name_in_owner = true
target = NodePath("../../Coin")

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {
&"": SubResource("AnimationLibrary_a")
}

[node name="Coin" parent="." groups=["coins"] instance=ExtResource("1_c")]
near = NodePath("../Body/Arm:position:x")
far = NodePath("%Arm")

[connection signal="hit" from="Coin" to="." method="_on_hit"]
[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]

[editable path="Coin"]
"#;

/// The lines that a change takes away and brings.
fn check(change: impl Fn(&mut Scene) -> Result<(), ChangeError>, expected: Expect) {
    check_in(SCENE, &change, expected);
    // With other line breaks the same happens, and they stay.
    let mut scene = Scene::parse(SCENE.replace('\n', "\r\n"));
    if change(&mut scene).is_ok() {
        let text = String::from_utf8(scene.to_bytes()).unwrap();
        assert!(!text.replace("\r\n", "").contains(['\r', '\n']), "{text:?}");
    }
}

fn check_in(text: &str, change: impl Fn(&mut Scene) -> Result<(), ChangeError>, expected: Expect) {
    let mut scene = Scene::parse(text);
    let result = change(&mut scene);
    let new = String::from_utf8(scene.to_bytes()).unwrap();
    let problems = scene.problems().iter().filter(|problem| problem.kind != ProblemKind::Doubt);
    assert_eq!(problems.count(), 0, "{new}");
    let mut shown = result.map_or_else(|error| format!("{error}\n"), |()| String::new());
    shown += &difference(text, &new);
    expected.assert_eq(&shown);
}

fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.split('\n').collect(), new.split('\n').collect());
    // The longest common part, which for these sizes may be found slowly.
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (i, one) in old.iter().enumerate().rev() {
        for (j, two) in new.iter().enumerate().rev() {
            common[i][j] = match one == two {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut shown) = (0, 0, String::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            shown += &format!("-{}\n", old[i]);
            i += 1;
        } else {
            shown += &format!("+{}\n", new[j]);
            j += 1;
        }
    }
    shown
}

fn add(
    scene: &mut Scene,
    parent: &str,
    name: &str,
    position: Option<usize>,
) -> Result<(), ChangeError> {
    let source = NodeSource::Class("Timer");
    let new = NewNode { name, parent, source, position, groups: &[], properties: &[] };
    scene.add_node(&new).map(|_| ())
}

#[test]
fn lists_nodes_with_their_paths() {
    let scene = Scene::parse(SCENE);
    let paths: Vec<_> = scene.nodes().map(|node| node.path().to_owned()).collect();
    assert_eq!(paths, [".", "Body", "Body/Arm", "Player", "Coin"]);
    assert_eq!(scene.node("/root/Main/Body/Arm").unwrap().path(), "Body/Arm");
    assert_eq!(scene.node("Main").unwrap().path(), ".");
    assert_eq!(scene.node("./Body").unwrap().children().count(), 1);
    assert!(scene.node("Arm").is_none());
    assert_eq!(scene.node("Coin").unwrap().instance(), Some(ResourceId("1_c".into())));
    assert_eq!(scene.editables().collect::<Vec<_>>(), ["Coin"]);
}

#[test]
fn a_rename_takes_everything_along() {
    check(
        |scene| scene.rename_node("Body/Arm", "Hand").map(|_| ()),
        expect![[r#"
        -tracks/0/path = NodePath("Body/Arm:position")
        +tracks/0/path = NodePath("Body/Hand:position")
        -arm = NodePath("Body/Arm")
        +arm = NodePath("Body/Hand")
        -[node name="Arm" type="Sprite2D" parent="Body"]
        +[node name="Hand" type="Sprite2D" parent="Body"]
        -near = NodePath("../Body/Arm:position:x")
        -far = NodePath("%Arm")
        +near = NodePath("../Body/Hand:position:x")
        +far = NodePath("%Hand")
        -[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]
        +[connection signal="moved" from="Body/Hand" to="Coin" method="_on_moved" binds= [1]]
    "#]],
    );
    check(
        |scene| scene.rename_node("Body", "Torso").map(|_| ()),
        expect![[r#"
        -tracks/0/path = NodePath("Body/Arm:position")
        +tracks/0/path = NodePath("Torso/Arm:position")
        -arm = NodePath("Body/Arm")
        +arm = NodePath("Torso/Arm")
        -[node name="Body" type="Node2D" parent="."]
        +[node name="Torso" type="Node2D" parent="."]
        -[node name="Arm" type="Sprite2D" parent="Body"]
        +[node name="Arm" type="Sprite2D" parent="Torso"]
        -near = NodePath("../Body/Arm:position:x")
        +near = NodePath("../Torso/Arm:position:x")
        -[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]
        +[connection signal="moved" from="Torso/Arm" to="Coin" method="_on_moved" binds= [1]]
    "#]],
    );
    check(
        |scene| scene.rename_node("Coin", "Gold").map(|_| ()),
        expect![[r#"
        -target = NodePath("../../Coin")
        +target = NodePath("../../Gold")
        -[node name="Coin" parent="." groups=["coins"] instance=ExtResource("1_c")]
        +[node name="Gold" parent="." groups=["coins"] instance=ExtResource("1_c")]
        -[connection signal="hit" from="Coin" to="." method="_on_hit"]
        -[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]
        +[connection signal="hit" from="Gold" to="." method="_on_hit"]
        +[connection signal="moved" from="Body/Arm" to="Gold" method="_on_moved" binds= [1]]
        -[editable path="Coin"]
        +[editable path="Gold"]
    "#]],
    );
    check(
        |scene| scene.rename_node(".", "Level").map(|_| ()),
        expect![[r#"
        -[node name="Main" type="Node2D" node_paths=PackedStringArray("arm")]
        +[node name="Level" type="Node2D" node_paths=PackedStringArray("arm")]
    "#]],
    );
}

#[test]
fn a_rename_is_refused_where_it_cannot_work() {
    check(
        |scene| scene.rename_node("Body", "Coin").map(|_| ()),
        expect![[r#"
        there is already a node `Coin`
    "#]],
    );
    check(
        |scene| scene.rename_node("Body", "a/b").map(|_| ()),
        expect![[r#"
        `a/b` cannot be a name: Godot replaces . : @ / " and % in the names of nodes
    "#]],
    );
    check(
        |scene| scene.rename_node("Body", "").map(|_| ()),
        expect![[r#"
        `` cannot be a name: it is empty
    "#]],
    );
    check(
        |scene| scene.rename_node("Nobody", "A").map(|_| ()),
        expect![[r#"
        there is no node `Nobody`
    "#]],
    );
}

#[test]
fn a_new_node_stands_behind_its_siblings() {
    check(
        |scene| add(scene, "Body", "Clock", None),
        expect![[r#"
        +[node name="Clock" type="Timer" parent="Body"]
        +
    "#]],
    );
    check(
        |scene| add(scene, ".", "Clock", None),
        expect![[r#"
        +[node name="Clock" type="Timer" parent="."]
        +
    "#]],
    );
    check(
        |scene| add(scene, ".", "Clock", Some(1)),
        expect![[r#"
        +[node name="Clock" type="Timer" parent="."]
        +
    "#]],
    );
    check(
        |scene| add(scene, ".", "Clock", Some(0)),
        expect![[r#"
        +[node name="Clock" type="Timer" parent="."]
        +
    "#]],
    );
    check(
        |scene| add(scene, "Coin/Face", "Clock", Some(2)),
        expect![[r#"
        +[node name="Clock" type="Timer" parent="Coin/Face" index="2"]
        +
    "#]],
    );
    check(
        |scene| add(scene, "Body/Face", "Clock", None),
        expect![[r#"
        there is no node `Body/Face`
    "#]],
    );
    check(
        |scene| add(scene, ".", "Coin", None),
        expect![[r#"
        there is already a node `Coin`
    "#]],
    );
}

#[test]
fn a_new_instance_has_all_it_needs() {
    check(
        |scene| {
            let id = scene.change(|document| {
                document.add_ext_resource("PackedScene", "res://b.tscn", Some("uid://b"))
            })?;
            let properties =
                [("position", Variant::parse("Vector2(1, 2)").unwrap()), ("a=b", Variant::Nil)];
            scene.add_node(&NewNode {
                name: "B",
                parent: ".",
                source: NodeSource::Instance(&id),
                position: None,
                groups: &["x", "y"],
                properties: &properties,
            })?;
            Ok(())
        },
        expect![[r#"
            -[gd_scene load_steps=3 format=3 uid="uid://abc"]
            +[gd_scene load_steps=5 format=3 uid="uid://abc"]
            +[ext_resource type="PackedScene" uid="uid://b" path="res://b.tscn" id="2_nt5ox"]
            +[node name="B" parent="." groups=["x", "y"] instance=ExtResource("2_nt5ox")]
            +position = Vector2(1, 2)
            +"a=b" = null
            +
        "#]],
    );
}

#[test]
fn nodes_get_unique_ids_where_the_file_has_them() {
    let text =
        SCENE.replace("type=\"Node2D\" parent=\".\"", "type=\"Node2D\" parent=\".\" unique_id=7");
    check_in(
        &text,
        |scene| add(scene, ".", "Clock", None),
        expect![[r#"
        +[node name="Clock" type="Timer" parent="." unique_id=800244547]
        +
    "#]],
    );
}

#[test]
fn nodes_of_instances_are_overridden() {
    let change = |scene: &mut Scene, parent: &str| {
        let properties = [("visible", Variant::Bool(false))];
        let source = NodeSource::Override;
        let position = Some(0);
        let new = NewNode {
            name: "Face",
            parent,
            source,
            position,
            groups: &[],
            properties: &properties,
        };
        scene.add_node(&new).map(|_| ())
    };
    check(
        |scene| change(scene, "Coin"),
        expect![[r#"
        +[node name="Face" parent="Coin" index="0"]
        +visible = false
        +
    "#]],
    );
    check(
        |scene| change(scene, "Body"),
        expect![[r#"
        `Body` has no nodes from another scene to be changed
    "#]],
    );
}

#[test]
fn a_removed_node_takes_its_own_along() {
    check(
        |scene| scene.remove_node("Body").map(|_| ()),
        expect![[r#"
        -[node name="Body" type="Node2D" parent="."]
        -
        -[node name="Arm" type="Sprite2D" parent="Body"]
        -unique_name_in_owner = true
        -target = NodePath("../../Coin")
        -
        -[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]
    "#]],
    );
    check(
        |scene| scene.remove_node("Coin").map(|_| ()),
        expect![[r#"
            -[node name="Coin" parent="." groups=["coins"] instance=ExtResource("1_c")]
            -near = NodePath("../Body/Arm:position:x")
            -far = NodePath("%Arm")
            -
            -[connection signal="hit" from="Coin" to="." method="_on_hit"]
            -[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]
            -
            -[editable path="Coin"]
            -
        "#]],
    );
    let ends_well = |nodes: &[&str]| {
        let mut scene = Scene::parse(SCENE);
        nodes.iter().for_each(|node| drop(scene.remove_node(node).unwrap()));
        let text = String::from_utf8(scene.to_bytes()).unwrap();
        assert!(
            text.ends_with('\n') && !text.contains("\n\n\n") && !text.ends_with("\n\n"),
            "{text}"
        );
    };
    ends_well(&["Coin"]);
    ends_well(&["Body", "Coin"]);
    ends_well(&["Coin", "Player", "Body"]);
    check(
        |scene| scene.remove_node(".").map(|_| ()),
        expect![[r#"
        the root cannot be removed
    "#]],
    );
    let removed = Scene::parse(SCENE).remove_node("Body/Arm").unwrap();
    expect![[r#"
        Removed {
            nodes: [
                "Body/Arm",
            ],
            connections: 1,
            dangling: [
                Dangling {
                    holder: "Animation_a",
                    path: "Body/Arm:position",
                    line: 5,
                },
                Dangling {
                    holder: ".",
                    path: "Body/Arm",
                    line: 14,
                },
                Dangling {
                    holder: "Coin",
                    path: "../Body/Arm:position:x",
                    line: 28,
                },
                Dangling {
                    holder: "Coin",
                    path: "%Arm",
                    line: 28,
                },
            ],
        }
    "#]]
    .assert_debug_eq(&removed);
}

#[test]
fn a_moved_node_takes_its_own_along() {
    check(
        |scene| scene.move_node("Body/Arm", ".", None).map(|_| ()),
        expect![[r#"
        -tracks/0/path = NodePath("Body/Arm:position")
        +tracks/0/path = NodePath("Arm:position")
        -arm = NodePath("Body/Arm")
        +arm = NodePath("Arm")
        -[node name="Arm" type="Sprite2D" parent="Body"]
        -unique_name_in_owner = true
        -target = NodePath("../../Coin")
        -
        -near = NodePath("../Body/Arm:position:x")
        +near = NodePath("../Arm:position:x")
        +[node name="Arm" type="Sprite2D" parent="."]
        +unique_name_in_owner = true
        +target = NodePath("../Coin")
        +
        -[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]
        +[connection signal="moved" from="Arm" to="Coin" method="_on_moved" binds= [1]]
    "#]],
    );
    check(
        |scene| scene.move_node("Body", "Player", None).map(|_| ()),
        expect![[r#"
        -tracks/0/path = NodePath("Body/Arm:position")
        +tracks/0/path = NodePath("Player/Body/Arm:position")
        -arm = NodePath("Body/Arm")
        -
        -[node name="Body" type="Node2D" parent="."]
        -
        -[node name="Arm" type="Sprite2D" parent="Body"]
        -unique_name_in_owner = true
        -target = NodePath("../../Coin")
        +arm = NodePath("Player/Body/Arm")
        +[node name="Body" type="Node2D" parent="Player"]
        +
        +[node name="Arm" type="Sprite2D" parent="Player/Body"]
        +unique_name_in_owner = true
        +target = NodePath("../../../Coin")
        +
        -near = NodePath("../Body/Arm:position:x")
        +near = NodePath("../Player/Body/Arm:position:x")
        -[connection signal="moved" from="Body/Arm" to="Coin" method="_on_moved" binds= [1]]
        +[connection signal="moved" from="Player/Body/Arm" to="Coin" method="_on_moved" binds= [1]]
    "#]],
    );
    check(
        |scene| scene.move_node("Coin", ".", Some(0)).map(|_| ()),
        expect![[r#"
        +[node name="Coin" parent="." groups=["coins"] instance=ExtResource("1_c")]
        +near = NodePath("../Body/Arm:position:x")
        +far = NodePath("%Arm")
        +
        -[node name="Coin" parent="." groups=["coins"] instance=ExtResource("1_c")]
        -near = NodePath("../Body/Arm:position:x")
        -far = NodePath("%Arm")
        -
    "#]],
    );
    check(
        |scene| scene.move_node("Body", "Body/Arm", None).map(|_| ()),
        expect![[r#"
        `Body` cannot be moved below itself
    "#]],
    );
}

#[test]
fn a_copy_stands_beside_the_original() {
    check(
        |scene| scene.duplicate_node("Body", "Body2").map(|_| ()),
        expect![[r#"
        +[node name="Body2" type="Node2D" parent="."]
        +
        +[node name="Arm" type="Sprite2D" parent="Body2"]
        +target = NodePath("../../Coin")
        +
        +[connection signal="moved" from="Body2/Arm" to="Coin" method="_on_moved" binds= [1]]
    "#]],
    );
    check(
        |scene| scene.duplicate_node("Coin", "Body").map(|_| ()),
        expect![[r#"
        there is already a node `Body`
    "#]],
    );
}

/// Random edits judged by the engine: a path to what is above the root led into the scene.
#[test]
fn paths_out_of_the_scene_lead_as_far_out_from_another_place() {
    let text = r#"[gd_scene format=3]
[node name="Root" type="Node3D"]
[node name="A" type="Node3D" parent="."]
[node name="B" type="Node3D" parent="."]
[node name="Mesh" type="MeshInstance3D" parent="B"]
skeleton = NodePath("../../../Bones:x")
"#;
    check_in(
        text,
        |scene| scene.move_node("B", "A", None).map(drop),
        expect![[r#"
        -[node name="B" type="Node3D" parent="."]
        -[node name="Mesh" type="MeshInstance3D" parent="B"]
        -skeleton = NodePath("../../../Bones:x")
        +[node name="B" type="Node3D" parent="A"]
        +
        +[node name="Mesh" type="MeshInstance3D" parent="A/B"]
        +skeleton = NodePath("../../../../Bones:x")
        +
    "#]],
    );
    check_in(
        text,
        |scene| scene.move_node("B/Mesh", ".", None).map(drop),
        expect![[r#"
        -[node name="Mesh" type="MeshInstance3D" parent="B"]
        -skeleton = NodePath("../../../Bones:x")
        +[node name="Mesh" type="MeshInstance3D" parent="."]
        +skeleton = NodePath("../../Bones:x")
        +
    "#]],
    );
}

/// Random edits judged by the engine: what stood before a node of the base came behind it.
#[test]
fn siblings_keep_their_places_among_nodes_of_another_scene() {
    let text = r#"[gd_scene format=3]
[ext_resource type="PackedScene" path="res://base.tscn" id="1"]
[node name="Root" instance=ExtResource("1")]
[node name="Mode" type="Node" parent="." index="2"]
[node name="Brush" type="Node" parent="." index="3"]
[node name="Type" type="Node" parent="Brush" index="0"]
"#;
    check_in(
        text,
        |scene| scene.remove_node("Mode").map(drop),
        expect![[r#"
        -[node name="Mode" type="Node" parent="." index="2"]
        -[node name="Brush" type="Node" parent="." index="3"]
        +[node name="Brush" type="Node" parent="." index="2"]
    "#]],
    );
    check_in(
        text,
        |scene| scene.move_node("Mode", "Brush", None).map(drop),
        expect![[r#"
        -[node name="Mode" type="Node" parent="." index="2"]
        -[node name="Brush" type="Node" parent="." index="3"]
        +[node name="Brush" type="Node" parent="." index="2"]
        +[node name="Mode" type="Node" parent="Brush"]
        +
    "#]],
    );
}
