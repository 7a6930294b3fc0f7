//! Rectangles of groups, computed by hand. Places are counted from the upper left corner of the
//! group: left, top, width, height.

mod judged;
mod scroll;
mod shapes;

use std::sync::Arc;

use expect_test::{Expect, expect};

use crate::math::{Pose, Vec2, Vec3};
use crate::object::RectData;
use crate::value::{AssetRef, AssetSource, StructValue, Value};
use crate::{ComponentId, Estimated, ObjectId, SpriteSize, Sprites, World};

const COLUMN: &str = "UnityEngine.UI.VerticalLayoutGroup";
const ELEMENT: &str = "UnityEngine.UI.LayoutElement";
const FITTER: &str = "UnityEngine.UI.ContentSizeFitter";
const GRID: &str = "UnityEngine.UI.GridLayoutGroup";
const ROW: &str = "UnityEngine.UI.HorizontalLayoutGroup";

/// A canvas with a group of 300 × 100 in its middle.
struct Stage {
    world: World,
    group: ObjectId,
    layout: ComponentId,
}

impl Stage {
    fn new(class: &str, members: &[(&str, Value)]) -> Stage {
        let mut world = World::default();
        world.screen = (400, 200);
        let canvas = world.create("Canvas", None).unwrap();
        world.set_rect(canvas, RectData::default()).unwrap();
        world.add_component(canvas, "UnityEngine.Canvas").unwrap();
        let group = world.create("Group", Some(canvas)).unwrap();
        world.set_rect(group, sized(300.0, 100.0)).unwrap();
        let layout = add(&mut world, group, class, members);
        Stage { world, group, layout }
    }

    /// A child of a size that its file has.
    fn child(&mut self, name: &str, width: f32, height: f32) -> ObjectId {
        self.child_of(self.group, name, width, height)
    }

    fn child_of(&mut self, parent: ObjectId, name: &str, width: f32, height: f32) -> ObjectId {
        let child = self.world.create(name, Some(parent)).unwrap();
        self.world.set_rect(child, sized(width, height)).unwrap();
        child
    }

    /// A child as Unity saves it, with a say about its size.
    fn element(&mut self, name: &str, members: &[(&str, f32)]) -> ObjectId {
        let child = self.child(name, 0.0, 0.0);
        let members: Vec<_> =
            members.iter().map(|(name, value)| (*name, Value::Float(*value))).collect();
        add(&mut self.world, child, ELEMENT, &members);
        child
    }

    fn add(&mut self, object: ObjectId, class: &str, members: &[(&str, Value)]) -> ComponentId {
        add(&mut self.world, object, class, members)
    }

    fn set(&mut self, member: &str, value: Value) {
        self.world.set_member(self.layout, member, value).unwrap();
    }

    #[track_caller]
    fn check(&self, expected: Expect) {
        expected.assert_eq(&self.places(self.group));
    }

    /// The places of what is inside an object, one a line.
    fn places(&self, of: ObjectId) -> String {
        let outer = self.world.placed(of).rect.unwrap();
        let children = self.world.object(of).unwrap().children().iter();
        let lines = children.filter_map(|child| {
            let at = self.world.local_pose(*child).position;
            let rect = self.world.placed(*child).rect?;
            let left = at.x + rect.min.x - outer.min.x;
            let top = outer.min.y + outer.size.y - (at.y + rect.min.y + rect.size.y);
            let round = |number: f32| (number * 100.0).round() / 100.0 + 0.0;
            let name = self.world.object(*child).unwrap().name();
            let [left, top, width, height] = [left, top, rect.size.x, rect.size.y].map(round);
            Some(format!("{name}: {left} {top}, {width} x {height}\n"))
        });
        lines.collect()
    }
}

fn sized(width: f32, height: f32) -> RectData {
    RectData { size_delta: Vec2::new(width, height), ..RectData::default() }
}

fn add(world: &mut World, object: ObjectId, class: &str, members: &[(&str, Value)]) -> ComponentId {
    let id = world.add_component(object, class).unwrap();
    for (name, value) in members {
        world.set_member(id, name, value.clone()).unwrap();
    }
    id
}

fn padding(left: i64, right: i64, top: i64, bottom: i64) -> (&'static str, Value) {
    let sides = [("m_Left", left), ("m_Right", right), ("m_Top", top), ("m_Bottom", bottom)];
    let fields = sides.map(|(name, value)| (Arc::from(name), Value::Int(value)));
    let type_name = "UnityEngine.RectOffset".into();
    ("padding", Value::Struct(Arc::new(StructValue { type_name, fields: fields.into() })))
}

fn free(names: &[&'static str]) -> Vec<(&'static str, Value)> {
    names.iter().map(|name| (*name, Value::Bool(false))).collect()
}

#[test]
fn a_row_that_controls_and_expands_shares_its_room() {
    let mut stage = Stage::new(ROW, &[padding(10, 20, 5, 15), ("spacing", Value::Float(6.0))]);
    stage.child("a", 0.0, 0.0);
    stage.element("b", &[("preferredWidth", 50.0)]);
    stage.child("c", 0.0, 0.0);
    // 300 - 30 - 12 - 50 = 208 for three.
    stage.check(expect![[r#"
        a: 10 5, 69.33 x 80
        b: 85.33 5, 119.33 x 80
        c: 210.67 5, 69.33 x 80
    "#]]);
}

#[test]
fn a_column_that_controls_nothing_holds_its_children_at_the_lower_right() {
    let mut stage = Stage::new(
        COLUMN,
        &free(&[
            "childControlWidth",
            "childControlHeight",
            "childForceExpandWidth",
            "childForceExpandHeight",
        ]),
    );
    stage.set("childAlignment", Value::Int(8));
    stage.set("spacing", Value::Float(4.0));
    stage.child("a", 40.0, 20.0);
    stage.child("b", 60.0, 30.0);
    stage.check(expect![[r#"
        a: 260 46, 40 x 20
        b: 240 70, 60 x 30
    "#]]);
    // A part for each, and each held at the end of its part.
    stage.set("childForceExpandHeight", Value::Bool(true));
    stage.check(expect![[r#"
        a: 260 23, 40 x 20
        b: 240 70, 60 x 30
    "#]]);
}

#[test]
fn nested_groups_grow_with_their_content() {
    let mut stage = Stage::new(COLUMN, &free(&["childForceExpandHeight"]));
    let fit = [("horizontalFit", Value::Int(2)), ("verticalFit", Value::Int(2))];
    stage.add(stage.group, FITTER, &fit);
    let inner = stage.child("inner", 0.0, 0.0);
    stage.add(inner, ROW, &[padding(1, 2, 3, 4), ("spacing", Value::Float(10.0))]);
    for (name, width) in [("a", 30.0), ("b", 50.0)] {
        let child = stage.child_of(inner, name, 0.0, 0.0);
        let size = [("preferredWidth", width), ("preferredHeight", width / 2.0)];
        stage.add(child, ELEMENT, &size.map(|(name, value)| (name, Value::Float(value))));
    }
    stage.element("c", &[("minHeight", 9.0)]);
    let size = stage.world.placed(stage.group).rect.unwrap().size;
    assert_eq!(size, Vec2::new(93.0, 41.0));
    stage.check(expect![[r#"
        inner: 0 0, 93 x 32
        c: 0 32, 93 x 9
    "#]]);
    expect![[r#"
        a: 1 3, 30 x 25
        b: 41 3, 50 x 25
    "#]]
    .assert_eq(&stage.places(inner));
}

#[test]
fn what_is_left_is_shared_by_those_who_are_flexible() {
    let mut stage = Stage::new(ROW, &free(&["childForceExpandWidth", "childForceExpandHeight"]));
    stage.element("a", &[("preferredWidth", 60.0), ("preferredHeight", 30.0)]);
    stage.element("b", &[("flexibleWidth", 1.0), ("flexibleHeight", 1.0)]);
    stage.element("c", &[("flexibleWidth", 3.0)]);
    stage.check(expect![[r#"
        a: 0 0, 60 x 30
        b: 60 0, 60 x 100
        c: 120 0, 180 x 0
    "#]]);
}

#[test]
fn too_little_room_is_shared_between_the_least_and_the_preferred() {
    let mut stage = Stage::new(ROW, &[]);
    stage.element("a", &[("minWidth", 100.0), ("preferredWidth", 300.0)]);
    stage.element("b", &[("minWidth", 50.0), ("preferredWidth", 250.0)]);
    // 150 of the 400 between least and preferred.
    stage.check(expect![[r#"
        a: 0 0, 175 x 100
        b: 175 0, 125 x 100
    "#]]);
}

#[test]
fn who_ignores_the_layout_and_who_is_inactive_take_no_room() {
    let mut stage = Stage::new(ROW, &[]);
    stage.child("a", 0.0, 0.0);
    let ignoring = stage.child("ignoring", 20.0, 10.0);
    let element = stage.add(ignoring, ELEMENT, &[("ignoreLayout", Value::Bool(true))]);
    // Also when it is switched off.
    stage.world.set_member(element, "enabled", Value::Bool(false)).unwrap();
    let inactive = stage.child("inactive", 20.0, 10.0);
    stage.world.set_active(inactive, false).unwrap();
    stage.world.create("no rectangle", Some(stage.group)).unwrap();
    stage.child("b", 0.0, 0.0);
    stage.check(expect![[r#"
        a: 0 0, 150 x 100
        ignoring: 140 45, 20 x 10
        inactive: 140 45, 20 x 10
        b: 150 0, 150 x 100
    "#]]);
}

#[test]
fn a_reversed_row_starts_with_the_last() {
    let mut stage = Stage::new(ROW, &free(&["childControlWidth", "childForceExpandWidth"]));
    stage.set("reverseArrangement", Value::Bool(true));
    stage.child("a", 10.0, 0.0);
    stage.child("b", 20.0, 0.0);
    stage.check(expect![[r#"
        a: 20 0, 10 x 100
        b: 0 0, 20 x 100
    "#]]);
}

#[test]
fn scaled_children_take_the_room_that_they_show() {
    let mut stage = Stage::new(ROW, &free(&["childControlWidth", "childForceExpandWidth"]));
    stage.set("childScaleWidth", Value::Bool(true));
    let scaled = stage.child("a", 40.0, 0.0);
    let local = Pose { scale: Vec3::new(0.5, 1.0, 1.0), ..Pose::default() };
    stage.world.set_local(scaled, local).unwrap();
    stage.child("b", 20.0, 0.0);
    // The pivot of the first is in the middle of the 20 that it shows.
    stage.check(expect![[r#"
        a: -10 0, 40 x 100
        b: 20 0, 20 x 100
    "#]]);
}

#[test]
fn padding_that_is_larger_than_the_group_leaves_nothing() {
    let mut stage = Stage::new(ROW, &[padding(200, 200, 0, 0)]);
    stage.child("a", 0.0, 0.0);
    stage.element("b", &[("minWidth", 30.0)]);
    stage.check(expect![[r#"
        a: 200 0, 0 x 100
        b: 200 0, 30 x 100
    "#]]);
    // Across, what is left is less than nothing, and the least that a child has is zero.
    stage.set("padding", padding(0, 0, 80, 80).1);
    stage.check(expect![[r#"
        a: 0 80, 135 x 0
        b: 135 80, 165 x 0
    "#]]);
}

#[test]
fn a_group_that_is_switched_off_leaves_all_as_it_was_saved() {
    let mut stage = Stage::new(ROW, &[]);
    stage.child("a", 20.0, 10.0);
    stage.world.set_member(stage.layout, "enabled", Value::Bool(false)).unwrap();
    let saved = "a: 140 45, 20 x 10\n";
    assert_eq!(stage.places(stage.group), saved);
    stage.world.set_member(stage.layout, "enabled", Value::Bool(true)).unwrap();
    assert_eq!(stage.places(stage.group), "a: 0 0, 300 x 100\n");
    stage.world.set_active(stage.group, false).unwrap();
    assert_eq!(stage.places(stage.group), saved);
}

#[test]
fn a_fitter_in_a_group_gives_the_size_and_the_group_the_place() {
    let mut stage = Stage::new(ROW, &[("childAlignment", Value::Int(3))]);
    stage.set("childForceExpandHeight", Value::Bool(false));
    let child = stage.element("a", &[("minHeight", 20.0), ("preferredHeight", 40.0)]);
    stage.add(child, FITTER, &[("verticalFit", Value::Int(1))]);
    stage.check(expect![[r#"
        a: 0 40, 300 x 20
    "#]]);
}

#[test]
fn stretched_anchors_stay_where_only_the_size_is_driven() {
    let mut stage = Stage::new(ROW, &[]);
    let child = stage.element("a", &[("preferredHeight", 40.0)]);
    stage.add(child, FITTER, &[("verticalFit", Value::Int(2))]);
    stage.world.set_member(stage.layout, "enabled", Value::Bool(false)).unwrap();
    let stretched = RectData {
        anchor_min: Vec2::new(0.0, 0.0),
        anchor_max: Vec2::new(1.0, 1.0),
        pivot: Vec2::new(0.5, 1.0),
        ..sized(-20.0, -20.0)
    };
    stage.world.set_rect(child, stretched).unwrap();
    stage.check(expect![[r#"
        a: 10 0, 280 x 40
    "#]]);
    let transform = stage.world.object(child).unwrap().components()[0].id();
    let size = stage.world.member(transform, "sizeDelta");
    assert_eq!(size, Some(Value::Vec2(Vec2::new(-20.0, -60.0))));
}

/// A grid with cells of 50 × 20 and spaces of 10 × 5, and five children.
fn grid(members: &[(&str, Value)]) -> Stage {
    let pair = |x, y| Value::Vec2(Vec2::new(x, y));
    let mut stage =
        Stage::new(GRID, &[("cellSize", pair(50.0, 20.0)), ("spacing", pair(10.0, 5.0))]);
    for (name, value) in members {
        stage.set(name, value.clone());
    }
    for name in ["a", "b", "c", "d", "e"] {
        stage.child(name, 0.0, 0.0);
    }
    stage
}

#[test]
fn a_grid_fills_the_room_that_it_has() {
    let mut stage = grid(&[]);
    // 300 + 10 is room for five cells of 60.
    stage.check(expect![[r#"
        a: 0 0, 50 x 20
        b: 60 0, 50 x 20
        c: 120 0, 50 x 20
        d: 180 0, 50 x 20
        e: 240 0, 50 x 20
    "#]]);
    stage.set("padding", padding(11, 0, 0, 0).1);
    stage.set("childAlignment", Value::Int(4));
    // Four now, in the middle of 289 × 100.
    stage.check(expect![[r#"
        a: 40.5 27.5, 50 x 20
        b: 100.5 27.5, 50 x 20
        c: 160.5 27.5, 50 x 20
        d: 220.5 27.5, 50 x 20
        e: 40.5 52.5, 50 x 20
    "#]]);
}

#[test]
fn a_grid_may_have_a_number_of_columns() {
    grid(&[("constraint", Value::Int(1)), ("constraintCount", Value::Int(2))]).check(expect![[
        r#"
        a: 0 0, 50 x 20
        b: 60 0, 50 x 20
        c: 0 25, 50 x 20
        d: 60 25, 50 x 20
        e: 0 50, 50 x 20
    "#
    ]]);
}

#[test]
fn a_grid_may_have_a_number_of_rows_and_start_elsewhere() {
    let mut stage = grid(&[
        ("constraint", Value::Int(2)),
        ("constraintCount", Value::Int(2)),
        ("startAxis", Value::Int(1)),
        ("startCorner", Value::Int(3)),
    ]);
    // Three columns and two rows at the upper left, filled from the lower right, upwards first.
    stage.check(expect![[r#"
        a: 120 25, 50 x 20
        b: 120 0, 50 x 20
        c: 60 25, 50 x 20
        d: 60 0, 50 x 20
        e: 0 25, 50 x 20
    "#]]);
    stage.set("startCorner", Value::Int(1));
    stage.check(expect![[r#"
        a: 120 0, 50 x 20
        b: 120 25, 50 x 20
        c: 60 0, 50 x 20
        d: 60 25, 50 x 20
        e: 0 0, 50 x 20
    "#]]);
    stage.set("startCorner", Value::Int(2));
    stage.check(expect![[r#"
        a: 0 25, 50 x 20
        b: 0 0, 50 x 20
        c: 60 25, 50 x 20
        d: 60 0, 50 x 20
        e: 120 25, 50 x 20
    "#]]);
}

#[test]
fn a_grid_with_rows_keeps_their_number_when_it_goes_along_them() {
    // Five in rows of two would be three rows; four are wanted, so the last two start their own.
    grid(&[("constraint", Value::Int(2)), ("constraintCount", Value::Int(4))]).check(expect![[
        r#"
        a: 0 0, 50 x 20
        b: 60 0, 50 x 20
        c: 0 25, 50 x 20
        d: 0 50, 50 x 20
        e: 0 75, 50 x 20
    "#
    ]]);
}

#[test]
fn a_grid_asks_for_room() {
    let size_of = |members: &[(&str, Value)]| {
        let mut stage = grid(members);
        let fit = [("horizontalFit", Value::Int(2)), ("verticalFit", Value::Int(2))];
        stage.add(stage.group, FITTER, &fit);
        stage.world.placed(stage.group).rect.unwrap().size
    };
    // As square as can be: three columns, and so two rows.
    assert_eq!(size_of(&[]), Vec2::new(170.0, 45.0));
    let limit = |kind, count| {
        size_of(&[("constraint", Value::Int(kind)), ("constraintCount", Value::Int(count))])
    };
    assert_eq!(limit(1, 4), Vec2::new(230.0, 45.0));
    assert_eq!(limit(2, 4), Vec2::new(110.0, 95.0));
}

#[test]
fn numbers_that_are_none_break_nothing() {
    for bad in [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN, -1e30] {
        let pair = Value::Vec2(Vec2::new(bad, bad));
        for (class, member, value) in [
            (ROW, "spacing", Value::Float(bad)),
            (GRID, "cellSize", pair.clone()),
            (GRID, "spacing", pair),
        ] {
            let mut stage = Stage::new(class, &[(member, value)]);
            let children = ["a", "b", "c"].map(|name| stage.child(name, bad, bad));
            stage.element("d", &[("preferredWidth", bad), ("flexibleWidth", bad)]);
            for child in children {
                let driven = stage.world.driven_rect(stage.world.object(child).unwrap());
                let is_sound = driven.is_none_or(|driven| {
                    driven.rect.size_delta.x.is_finite()
                        && driven.rect.anchored_position.y.is_finite()
                });
                assert!(is_sound, "{class} {member} {bad}: {driven:?}");
            }
        }
    }
}

#[test]
fn ten_thousand_children_are_laid_out_together() {
    let mut stage = Stage::new(COLUMN, &[]);
    let children: Vec<ObjectId> = (0..10_000).map(|_| stage.child("a", 0.0, 0.0)).collect();
    let top = |world: &World, child: ObjectId| {
        let rect = world.laid_rect(world.object(child).unwrap()).unwrap();
        -rect.anchored_position.y - rect.size_delta.y / 2.0
    };
    for (number, child) in children.iter().enumerate() {
        assert!((top(&stage.world, *child) - number as f32 / 100.0).abs() < 0.1, "{number}");
    }
    stage.world.destroy(children[0]).unwrap();
    assert_eq!(top(&stage.world, children[1]), 0.0, "a change is seen");
}

#[test]
fn the_screen_counts_anew() {
    let mut stage = Stage::new(ROW, &[]);
    let stretched = RectData {
        anchor_min: Vec2::new(0.0, 0.0),
        anchor_max: Vec2::new(1.0, 1.0),
        ..sized(0.0, 0.0)
    };
    stage.world.set_rect(stage.group, stretched).unwrap();
    stage.child("a", 0.0, 0.0);
    assert_eq!(stage.places(stage.group), "a: 0 0, 400 x 200\n");
    stage.world.screen = (800, 100);
    assert_eq!(stage.places(stage.group), "a: 0 0, 800 x 100\n");
}

#[test]
fn members_tell_the_place_and_keep_what_was_saved() {
    let mut stage = Stage::new(ROW, &[]);
    let child = stage.child("a", 7.0, 8.0);
    let transform = stage.world.object(child).unwrap().components()[0].id();
    let pair = |x, y| Some(Value::Vec2(Vec2::new(x, y)));
    assert_eq!(stage.world.member(transform, "anchorMin"), pair(0.0, 1.0));
    assert_eq!(stage.world.member(transform, "anchoredPosition"), pair(150.0, -50.0));
    assert_eq!(stage.world.member(transform, "sizeDelta"), pair(300.0, 100.0));
    let saved = *stage.world.object(child).unwrap().rect().unwrap();
    let turned = Value::Vec3(Vec3::new(0.0, 0.0, 90.0));
    stage.world.set_member(transform, "localEulerAngles", turned).unwrap();
    let place = Value::Vec3(Vec3::new(1.0, 2.0, 3.0));
    stage.world.set_member(transform, "position", place).unwrap();
    assert_eq!(*stage.world.object(child).unwrap().rect().unwrap(), saved);
    assert_eq!(stage.world.member(transform, "anchoredPosition"), pair(150.0, -50.0));
}

#[test]
fn what_leaves_a_group_keeps_the_size_that_it_had_there() {
    let mut stage = Stage::new(ROW, &[]);
    let child = stage.child("a", 0.0, 0.0);
    let canvas = stage.world.object(stage.group).unwrap().parent();
    stage.world.reparent(child, canvas, true).unwrap();
    expect![[r#"
        Group: 50 50, 300 x 100
        a: 50 50, 300 x 100
    "#]]
    .assert_eq(&stage.places(canvas.unwrap()));
}

#[test]
fn a_text_is_estimated_and_counted_when_its_size_matters() {
    let mut stage = Stage::new(COLUMN, &free(&["childForceExpandHeight"]));
    let child = stage.child("a", 0.0, 0.0);
    let text = ("text", Value::text("nnnn"));
    stage.add(child, "UnityEngine.UI.Text", &[text, ("fontSize", Value::Int(20))]);
    stage.check(expect![[r#"
        a: 0 0, 300 x 23
    "#]]);
    assert_eq!(stage.world.sizes_estimated().texts, 1);
    stage.add(child, ELEMENT, &[("preferredHeight", Value::Float(30.0))]);
    assert_eq!(stage.world.sizes_estimated().texts, 0, "someone says how high it is");
}

/// Knows one sprite, of 80 × 60 pixels with borders of 10 on each side.
#[derive(Debug)]
struct OneSprite;

impl Sprites for OneSprite {
    fn size(&self, asset: &AssetRef) -> Option<SpriteSize> {
        let (whole, border) = (Vec2::new(80.0, 60.0), Vec2::new(20.0, 20.0));
        (&*asset.name == "known").then_some(SpriteSize { whole, border, pixels_per_unit: 50.0 })
    }
}

#[test]
fn an_image_asks_for_the_size_of_its_sprite() {
    let mut stage = Stage::new(ROW, &free(&["childForceExpandWidth", "childForceExpandHeight"]));
    stage.world.sprites = Arc::new(OneSprite);
    let images = ["none", "known", "unknown"].map(|name| {
        let child = stage.child(name, 0.0, 0.0);
        let image = stage.add(child, "UnityEngine.UI.Image", &[]);
        if name != "none" {
            stage.world.set_member(image, "sprite", sprite(name)).unwrap();
        }
        image
    });
    // Fifty of its pixels are one unit of the world, and a hundred units of the canvas.
    stage.check(expect![[r#"
        none: 0 0, 0 x 0
        known: 0 0, 160 x 100
        unknown: 160 0, 100 x 100
    "#]]);
    stage.world.set_member(images[1], "type", Value::Int(1)).unwrap();
    stage.check(expect![[r#"
        none: 0 0, 0 x 0
        known: 0 0, 40 x 40
        unknown: 40 0, 100 x 100
    "#]]);
    assert_eq!(stage.world.sizes_estimated().sprites, 1);
    stage.world.set_active(stage.world.component(images[2]).unwrap().0.id(), false).unwrap();
    assert_eq!(stage.world.sizes_estimated(), Estimated::default());
}

fn sprite(name: &str) -> Value {
    Value::Asset(Arc::new(AssetRef {
        type_name: "UnityEngine.Sprite".into(),
        name: name.into(),
        path: "".into(),
        id: 1,
        source: AssetSource::default(),
    }))
}
