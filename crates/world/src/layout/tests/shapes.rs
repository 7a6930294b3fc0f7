//! Rectangles that keep their shape, in a parent of 300 × 100.

use super::*;

const ASPECT: &str = "UnityEngine.UI.AspectRatioFitter";

fn check_shape(mode: i64, expected: Expect) {
    let mut stage = Stage::new(ROW, &[("enabled", Value::Bool(false))]);
    let child = stage.child("a", 40.0, 20.0);
    let shape = [("aspectMode", Value::Int(mode)), ("aspectRatio", Value::Float(1.5))];
    stage.add(child, ASPECT, &shape);
    stage.check(expected);
}

#[test]
fn one_side_follows_the_other() {
    check_shape(0, expect![["a: 130 40, 40 x 20\n"]]);
    check_shape(1, expect![["a: 130 36.67, 40 x 26.67\n"]]);
    check_shape(2, expect![["a: 135 40, 30 x 20\n"]]);
}

#[test]
fn both_follow_the_parent() {
    check_shape(3, expect![["a: 75 0, 150 x 100\n"]]);
    check_shape(4, expect![["a: 0 -50, 300 x 200\n"]]);
}

#[test]
fn in_a_group_the_place_is_the_groups_and_content_of_it_knows_the_size() {
    let mut stage = Stage::new(COLUMN, &free(&["childControlHeight", "childForceExpandHeight"]));
    let child = stage.child("a", 0.0, 0.0);
    let shape = [("aspectMode", Value::Int(1)), ("aspectRatio", Value::Float(5.0))];
    stage.add(child, ASPECT, &shape);
    stage.child("b", 0.0, 10.0);
    stage.check(expect![[r#"
        a: 0 0, 300 x 60
        b: 0 60, 300 x 10
    "#]]);
}

#[test]
fn a_width_that_follows_a_height_widens_its_group() {
    let mut stage = Stage::new(ROW, &free(&["childControlWidth", "childForceExpandWidth"]));
    stage.add(stage.group, FITTER, &[("horizontalFit", Value::Int(2))]);
    for name in ["a", "b"] {
        let child = stage.child(name, 0.0, 0.0);
        let shape = [("aspectMode", Value::Int(2)), ("aspectRatio", Value::Float(0.5))];
        stage.add(child, ASPECT, &shape);
    }
    stage.check(expect![[r#"
        a: 0 0, 50 x 100
        b: 50 0, 50 x 100
    "#]]);
    assert_eq!(stage.world.placed(stage.group).rect.unwrap().size, Vec2::new(100.0, 100.0));
}
