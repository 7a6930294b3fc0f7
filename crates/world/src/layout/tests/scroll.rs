//! Scroll views whose bars come and go, by what `ScrollRect` does with its viewport.

use expect_test::expect;

use super::{FITTER, Stage, sized};
use crate::math::Vec2;
use crate::object::RectData;
use crate::value::Value;
use crate::{ObjectId, World};

const SCROLL: &str = "UnityEngine.UI.ScrollRect";

fn transform(world: &World, id: ObjectId) -> Value {
    Value::Component(world.object(id).unwrap().components()[0].id())
}

/// A scroll view of 300 x 100 with a content of a size and two bars of 20, whose visibility is given.
fn scroll(width: f32, height: f32, visibility: i64) -> Stage {
    let mut stage = Stage::new(SCROLL, &[]);
    let view = stage.child("view", 100.0, 100.0);
    let content = stage.child_of(view, "content", width, height);
    let corner = |min: Vec2, max: Vec2, pivot: Vec2, size: Vec2| RectData {
        anchor_min: min,
        anchor_max: max,
        pivot,
        size_delta: size,
        ..RectData::default()
    };
    let (zero, one) = (Vec2::new(0.0, 0.0), Vec2::new(1.0, 1.0));
    let place = RectData { pivot: Vec2::new(0.0, 1.0), ..sized(100.0, 100.0) };
    stage.world.set_rect(view, place).unwrap();
    let below = stage.child("below", 0.0, 0.0);
    let rect = corner(zero, Vec2::new(1.0, 0.0), zero, Vec2::new(0.0, 20.0));
    stage.world.set_rect(below, rect).unwrap();
    let beside = stage.child("beside", 0.0, 0.0);
    let rect = corner(Vec2::new(1.0, 0.0), one, one, Vec2::new(20.0, 0.0));
    stage.world.set_rect(beside, rect).unwrap();
    for (bar, member) in [(below, "horizontalScrollbar"), (beside, "verticalScrollbar")] {
        let bar = stage.add(bar, "UnityEngine.UI.Scrollbar", &[]);
        stage.set(member, Value::Component(bar));
        stage.set(&format!("{member}Visibility"), Value::Int(visibility));
    }
    stage.set("verticalScrollbarSpacing", Value::Float(-3.0));
    for (part, member) in [(view, "viewport"), (content, "content")] {
        let part = transform(&stage.world, part);
        stage.set(member, part);
    }
    stage
}

#[test]
fn a_content_that_fits_is_seen_in_all_of_the_view() {
    scroll(300.0, 100.0, 2).check(expect![[r#"
        view: 0 0, 300 x 100
        below: 0 80, 300 x 20
        beside: 280 0, 20 x 100
    "#]]);
}

#[test]
fn a_high_content_makes_room_for_the_bar_at_the_side() {
    scroll(200.0, 150.0, 2).check(expect![[r#"
        view: 0 0, 283 x 100
        below: 0 80, 283 x 20
        beside: 280 0, 20 x 100
    "#]]);
}

#[test]
fn one_bar_may_leave_too_little_room_for_the_other_way() {
    // 290 would fit, but not beside a bar.
    scroll(290.0, 150.0, 2).check(expect![[r#"
        view: 0 0, 283 x 80
        below: 0 80, 283 x 20
        beside: 280 0, 20 x 80
    "#]]);
    scroll(400.0, 90.0, 2).check(expect![[r#"
        view: 0 0, 283 x 80
        below: 0 80, 283 x 20
        beside: 280 0, 20 x 80
    "#]]);
}

#[test]
fn bars_that_only_hide_leave_the_view_as_it_is() {
    for visibility in [0, 1] {
        scroll(200.0, 150.0, visibility).check(expect![[r#"
            view: 150 50, 100 x 100
            below: 0 80, 300 x 20
            beside: 280 0, 20 x 100
        "#]]);
    }
}

#[test]
fn a_view_that_is_elsewhere_is_not_driven() {
    let mut stage = scroll(200.0, 150.0, 2);
    let group = stage.group;
    let view = stage.world.object(group).unwrap().children()[0];
    let between = stage.child("between", 300.0, 100.0);
    stage.world.reparent(view, Some(between), false).unwrap();
    stage.world.set_rect(view, sized(50.0, 40.0)).unwrap();
    let size = stage.world.placed(view).rect.unwrap().size;
    assert_eq!((size.x, size.y), (50.0, 40.0));
}

#[test]
fn a_content_that_fits_itself_is_asked_for_what_it_comes_to() {
    let mut stage = scroll(0.0, 0.0, 2);
    let view = stage.world.object(stage.group).unwrap().children()[0];
    let content = stage.world.object(view).unwrap().children()[0];
    stage.add(content, super::COLUMN, &[]);
    stage.add(content, FITTER, &[("verticalFit", Value::Int(2))]);
    for name in ["a", "b"] {
        let line = stage.child_of(content, name, 0.0, 0.0);
        stage.add(line, super::ELEMENT, &[("preferredHeight", Value::Float(60.0))]);
    }
    let size = stage.world.placed(view).rect.unwrap().size;
    assert_eq!((size.x, size.y), (283.0, 100.0));
}
