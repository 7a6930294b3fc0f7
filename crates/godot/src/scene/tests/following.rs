//! Changes of nodes that come from other scenes.

use super::*;

const OTHER: &str = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://coin.tscn" id="1_c"]

[node name="Main" type="Node2D"]
a = NodePath("Coin/Face/Eye:position")
b = NodePath("Coin/%Face")
c = NodePath("%Face")
d = NodePath("%Box/Face")

[node name="Coin" parent="." instance=ExtResource("1_c")]

[node name="Face" parent="Coin" index="1"]
visible = false

[node name="Hat" type="Node2D" parent="Coin/Face"]

[node name="Box" type="Node2D" parent="."]
unique_name_in_owner = true

[node name="Face" type="Node2D" parent="Box"]

[connection signal="ready" from="Coin/Face" to="." method="_on_face_ready"]

[editable path="Coin"]
"#;

#[test]
fn a_renamed_node_is_followed() {
    check_in(
        OTHER,
        |scene| scene.follow("Coin/Face", "Coin/Head", Some("Coin")).map(drop),
        expect![[r#"
            -a = NodePath("Coin/Face/Eye:position")
            -b = NodePath("Coin/%Face")
            +a = NodePath("Coin/Head/Eye:position")
            +b = NodePath("Coin/%Head")
            -[node name="Face" parent="Coin" index="1"]
            +[node name="Head" parent="Coin" index="1"]
            -[node name="Hat" type="Node2D" parent="Coin/Face"]
            +[node name="Hat" type="Node2D" parent="Coin/Head"]
            -[connection signal="ready" from="Coin/Face" to="." method="_on_face_ready"]
            +[connection signal="ready" from="Coin/Head" to="." method="_on_face_ready"]
        "#]],
    );
    // Without a unique name of its own, `%Face` is another one.
    check_in(
        OTHER,
        |scene| scene.follow("Coin/Face", "Coin/Head", None).map(drop),
        expect![[r#"
        -a = NodePath("Coin/Face/Eye:position")
        +a = NodePath("Coin/Head/Eye:position")
        -[node name="Face" parent="Coin" index="1"]
        +[node name="Head" parent="Coin" index="1"]
        -[node name="Hat" type="Node2D" parent="Coin/Face"]
        +[node name="Hat" type="Node2D" parent="Coin/Head"]
        -[connection signal="ready" from="Coin/Face" to="." method="_on_face_ready"]
        +[connection signal="ready" from="Coin/Head" to="." method="_on_face_ready"]
    "#]],
    );
}

#[test]
fn a_moved_node_is_followed() {
    check_in(
        OTHER,
        |scene| scene.follow("Coin/Face", "Coin/Body/Face", Some("Coin")).map(drop),
        expect![[r#"
            -a = NodePath("Coin/Face/Eye:position")
            +a = NodePath("Coin/Body/Face/Eye:position")
            -[node name="Face" parent="Coin" index="1"]
            +[node name="Face" parent="Coin/Body"]
            -[node name="Hat" type="Node2D" parent="Coin/Face"]
            +[node name="Hat" type="Node2D" parent="Coin/Body/Face"]
            -[connection signal="ready" from="Coin/Face" to="." method="_on_face_ready"]
            +[connection signal="ready" from="Coin/Body/Face" to="." method="_on_face_ready"]
        "#]],
    );
}

#[test]
fn what_follows_a_unique_name_is_renamed_too() {
    check_in(
        OTHER,
        |scene| scene.rename_node("Box/Face", "Lid").map(drop),
        expect![[r#"
        -d = NodePath("%Box/Face")
        +d = NodePath("%Box/Lid")
        -[node name="Face" type="Node2D" parent="Box"]
        +[node name="Lid" type="Node2D" parent="Box"]
    "#]],
    );
}

#[test]
fn overrides_stand_in_the_order_of_their_places() {
    check_in(
        OTHER,
        |scene| scene.add_override("Coin/Back", 0),
        expect![[r#"
        +[node name="Back" parent="Coin" index="0"]
        +
    "#]],
    );
    check_in(
        OTHER,
        |scene| scene.add_override("Coin/Rim", 2),
        expect![[r#"
        +[node name="Rim" parent="Coin" index="2"]
        +
    "#]],
    );
    check_in(
        OTHER,
        |scene| scene.add_override("Coin/Rim/Dent", 0),
        expect![[r#"
        +[node name="Dent" parent="Coin/Rim" index="0"]
        +
    "#]],
    );
    check_in(OTHER, |scene| scene.add_override("Coin/Face", 1), expect![[""]]);
    check_in(
        OTHER,
        |scene| scene.add_override("Box/Nothing", 0),
        expect![[r#"
        there is no node `Box/Nothing`
    "#]],
    );
}

#[test]
fn a_copied_instance_shows_its_children_too() {
    check_in(
        OTHER,
        |scene| scene.duplicate_node("Coin", "Coin2").map(drop),
        expect![[r#"
        +[node name="Coin2" parent="." instance=ExtResource("1_c")]
        +
        +[node name="Face" parent="Coin2" index="1"]
        +visible = false
        +
        +[node name="Hat" type="Node2D" parent="Coin2/Face"]
        +
        +[connection signal="ready" from="Coin2/Face" to="." method="_on_face_ready"]
        +[editable path="Coin2"]
    "#]],
    );
    check_in(
        OTHER,
        |scene| scene.set_editable("Coin/Inner", true),
        expect![[r#"
        +[editable path="Coin/Inner"]
    "#]],
    );
}

#[test]
fn a_property_stands_where_it_is_wanted() {
    let set = |scene: &mut Scene, key: &str, next: &str| {
        let section = scene.node("Box").unwrap().section().index();
        scene.change(|document| {
            document.set_property_before(section, key, &Variant::int(1), Some(next))
        })
    };
    let next = "unique_name_in_owner";
    check_in(
        OTHER,
        |scene| set(scene, "a", next),
        expect![[r#"
        +a = 1
    "#]],
    );
    check_in(
        OTHER,
        |scene| set(scene, "a", "none"),
        expect![[r#"
        +a = 1
    "#]],
    );
    check_in(
        OTHER,
        |scene| set(scene, next, next),
        expect![[r#"
        -unique_name_in_owner = true
        +unique_name_in_owner = 1
    "#]],
    );
}
