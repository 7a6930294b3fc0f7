//! Connections, groups, properties and resources.

use super::*;

#[test]
fn connections_come_and_go() {
    check(
        |scene| {
            let mut new = NewConnection::new("ready", "Main", "Body", "_on_ready");
            new.binds = vec![Variant::StringName("a".into())];
            new.flags = 3;
            scene.add_connection(&new)
        },
        expect![[r#"
            +[connection signal="ready" from="." to="Body" method="_on_ready" flags=3 binds= [&"a"]]
        "#]],
    );
    check(
        |scene| scene.remove_connection("hit", "Coin", ".", "_on_hit"),
        expect![[r#"
        -[connection signal="hit" from="Coin" to="." method="_on_hit"]
    "#]],
    );
    check(
        |scene| scene.remove_connection("hit", "Coin", ".", "_on_miss"),
        expect![[r#"
            there is no connection `Coin::hit -> .::_on_miss`
        "#]],
    );
    check(
        |scene| scene.add_connection(&NewConnection::new("hit", "Coin", ".", "_on_hit")),
        expect![[r#"
            there is already a connection `Coin::hit -> .::_on_hit`
        "#]],
    );
}

#[test]
fn groups_come_and_go() {
    check(
        |scene| scene.add_to_group("Body", "a \"b\"").map(|_| ()),
        expect![[r#"
        -[node name="Body" type="Node2D" parent="."]
        +[node name="Body" type="Node2D" parent="." groups=["a \"b\""]]
    "#]],
    );
    check(|scene| scene.add_to_group("Coin", "coins").map(|_| ()), expect![[""]]);
    check(
        |scene| scene.remove_from_group("Coin", "coins").map(|_| ()),
        expect![[r#"
        -[node name="Coin" parent="." groups=["coins"] instance=ExtResource("1_c")]
        +[node name="Coin" parent="." instance=ExtResource("1_c")]
    "#]],
    );
}

#[test]
fn shown_instances_come_and_go() {
    check(
        |scene| scene.set_editable("Coin", false),
        expect![[r#"
        -[editable path="Coin"]
        -
    "#]],
    );
    check(
        |scene| scene.set_editable("Body", true),
        expect![[r#"
        +[editable path="Body"]
    "#]],
    );
}

#[test]
fn properties_come_and_go() {
    let set = |scene: &mut Scene, node: &str, key: &str, value: &str| {
        scene.set_node_property(node, key, &Variant::parse(value).unwrap())
    };
    check(
        |scene| set(scene, "Body", "visible", "false"),
        expect![[r#"
        +visible = false
    "#]],
    );
    check(
        |scene| set(scene, "Coin", "far", "{\"a\": [1]}"),
        expect![[r#"
        -far = NodePath("%Arm")
        +far = {
        +"a": [1]
        +}
    "#]],
    );
    check(
        |scene| set(scene, "Coin", "b", "PackedVector4Array(1, 2, 3, 4)"),
        expect![[r#"
        -[gd_scene load_steps=3 format=3 uid="uid://abc"]
        +[gd_scene load_steps=3 format=4 uid="uid://abc"]
        +b = PackedVector4Array(1, 2, 3, 4)
    "#]],
    );
    check(
        |scene| scene.remove_node_property("Coin", "near").map(|_| ()),
        expect![[r#"
        -near = NodePath("../Body/Arm:position:x")
    "#]],
    );
    check(
        |scene| scene.remove_node_property("Player", "libraries").map(|_| ()),
        expect![[r#"
        -libraries = {
        -&"": SubResource("AnimationLibrary_a")
        -}
    "#]],
    );
}

#[test]
fn resources_stand_above_their_users() {
    check(
        |scene| {
            let user = ResourceId("AnimationLibrary_a".into());
            scene.change(|document| {
                document.add_sub_resource(
                    "Animation",
                    &[("length", Variant::float(2.0))],
                    Some(&user),
                )?;
                document.add_sub_resource("Curve", &[], None)
            })?;
            Ok(())
        },
        expect![[r#"
            -[gd_scene load_steps=3 format=3 uid="uid://abc"]
            +[gd_scene load_steps=6 format=3 uid="uid://abc"]
            +[sub_resource type="Animation" id="Animation_v7n7y"]
            +length = 2.0
            +
            +[sub_resource type="Curve" id="Curve_71jxg"]
            +
        "#]],
    );
    check(
        |scene| {
            scene.remove_node("Player")?;
            scene.change(|document| document.remove_unused_resources()).map(|_| ())
        },
        expect![[r#"
            -[gd_scene load_steps=3 format=3 uid="uid://abc"]
            +[gd_scene load_steps=2 format=3 uid="uid://abc"]
            -[sub_resource type="Animation" id="Animation_a"]
            -tracks/0/path = NodePath("Body/Arm:position")
            -tracks/1/path = NodePath(".:scale")
            -
            -[sub_resource type="AnimationLibrary" id="AnimationLibrary_a"]
            -_data = {
            -&"wave": SubResource("Animation_a")
            -}
            -
            -[node name="Player" type="AnimationPlayer" parent="."]
            -libraries = {
            -&"": SubResource("AnimationLibrary_a")
            -}
            -
        "#]],
    );
}

#[test]
fn a_broken_file_is_not_changed() {
    let mut scene = Scene::parse(SCENE.replace("NodePath(\"Body/Arm\")", "NodePath(Body)"));
    let error = scene.rename_node("Body", "A").unwrap_err();
    expect!["line 15: the value of `arm`: a text is expected, not `Body`; repair the file first"]
        .assert_eq(&error.to_string());
}

#[test]
fn paths_are_texts() {
    assert_eq!(resolve_path(".", "A/./B"), Some("A/B".into()));
    assert_eq!(resolve_path("A/B", ".."), Some("A".into()));
    assert_eq!(resolve_path("A", "/root/X"), None);
    assert_eq!(relative_path("A/B", "A/C/D"), "../C/D");
    assert_eq!(relative_path("A", "."), "..");
    assert_eq!(relative_path("A", "A"), ".");
}

#[test]
fn names_cannot_bring_text_of_their_own() {
    let sub = |scene: &mut Scene, class: &str| {
        scene.change(|document| document.add_sub_resource(class, &[], None)).map(|_| ())
    };
    check(
        |scene| sub(scene, "A\" b=\"c"),
        expect![[r#"
        `A" b="c` cannot be a name: letters, digits and `_` are allowed, and no digit first
    "#]],
    );
    let attribute = |scene: &mut Scene, key: &str| {
        scene.change(|document| document.set_attribute(0, key, &Variant::Nil))
    };
    check(
        |scene| attribute(scene, "a]\n[b"),
        expect![[r#"
        `a]
        [b` cannot be a name: letters, digits and `_` are allowed, and no digit first
    "#]],
    );
    let property = |scene: &mut Scene, text: &str| {
        scene.change(|document| document.set_property_text(4, "a", text))
    };
    check(
        |scene| property(scene, "1\nb = 2"),
        expect![[r#"
        byte 2 of the value: the end of the value is expected, not `b`
    "#]],
    );
    check(
        |scene| property(scene, "1\0"),
        expect![[r#"
        byte 1 of the value: the end of the value is expected, not the end of the file
    "#]],
    );
    check_in(
        SCENE,
        |scene| scene.set_node_property("Body", "a\n[b]", &Variant::Nil),
        expect![[r#"
        +"a
        +[b]" = null
    "#]],
    );
}
