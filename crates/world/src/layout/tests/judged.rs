//! Numbers that the tests of Unity's own layout groups expect.

use super::*;

/// The group that those tests lay out: its size, and what is in it.
fn group(class: &str, size: (f32, f32), members: &[(&str, Value)]) -> Stage {
    let mut stage = Stage::new(class, members);
    stage.world.set_rect(stage.group, sized(size.0, size.1)).unwrap();
    stage
}

#[track_caller]
fn check_places(stage: &Stage, expected: &[(f32, f32)]) {
    let children = stage.world.object(stage.group).unwrap().children();
    for (child, (x, y)) in children.iter().zip(expected) {
        let rect = stage.world.laid_rect(stage.world.object(*child).unwrap()).unwrap();
        let at = rect.anchored_position;
        assert!((at.x - x).abs() < 0.1 && (at.y - y).abs() < 0.1, "{at:?} is not {x} {y}");
    }
}

#[test]
fn a_row_and_its_reverse() {
    let mut stage = group(
        ROW,
        (100.0, 100.0),
        &[
            padding(2, 4, 3, 5),
            ("spacing", Value::Float(1.0)),
            ("childForceExpandWidth", Value::Bool(false)),
            ("childForceExpandHeight", Value::Bool(false)),
        ],
    );
    stage.element("1", &[("minWidth", 5.0), ("preferredWidth", 100.0), ("flexibleWidth", 0.0)]);
    stage.element("2", &[("minWidth", 10.0), ("flexibleWidth", 0.0)]);
    stage.element("3", &[("minWidth", 25.0), ("preferredWidth", 200.0), ("flexibleWidth", 1.0)]);
    check_places(&stage, &[(13.6, -3.0), (31.3, -3.0), (66.6, -3.0)]);
    stage.set("reverseArrangement", Value::Bool(true));
    check_places(&stage, &[(84.4, -3.0), (66.7, -3.0), (31.4, -3.0)]);
    stage.add(stage.group, FITTER, &[("horizontalFit", Value::Int(1))]);
    assert_eq!(stage.world.placed(stage.group).rect.unwrap().size.x, 48.0);
    let fitter = stage.world.component_of(stage.group, FITTER).unwrap();
    stage.world.set_member(fitter, "horizontalFit", Value::Int(2)).unwrap();
    assert_eq!(stage.world.placed(stage.group).rect.unwrap().size.x, 318.0);
}

/// Eight cells of 90 × 50, ten apart, whose pivots are at their lower left.
fn check_grid(limit: i64, count: i64, axis: i64, corner: i64, expected: &[(f32, f32); 8]) {
    let mut stage = group(GRID, (400.0, 500.0), &[]);
    let pair = |x, y| Value::Vec2(Vec2::new(x, y));
    for (name, value) in [("cellSize", pair(90.0, 50.0)), ("spacing", pair(10.0, 0.0))] {
        stage.set(name, value);
    }
    let kinds = [("constraint", limit), ("constraintCount", count), ("startAxis", axis)];
    for (name, value) in kinds.into_iter().chain([("startCorner", corner)]) {
        stage.set(name, Value::Int(value));
    }
    for number in 1..=8 {
        let child = stage.child(&number.to_string(), 0.0, 0.0);
        let rect = RectData { pivot: Vec2::default(), ..RectData::default() };
        stage.world.set_rect(child, rect).unwrap();
    }
    check_places(&stage, expected);
}

#[test]
fn grids() {
    let row = |y: f32| [0.0, 100.0, 200.0, 300.0].map(|x| (x, y));
    let rows: [(f32, f32); 8] = [row(-50.0), row(-100.0)].concat().try_into().unwrap();
    check_grid(0, 2, 0, 0, &rows);
    check_grid(2, 2, 0, 0, &rows);
    let pairs = [-50.0, -100.0, -150.0, -200.0].map(|y| [(0.0, y), (100.0, y)]);
    check_grid(1, 2, 0, 0, &pairs.concat().try_into().unwrap());
    let columns = [0.0, 100.0].map(|x| [-50.0, -100.0, -150.0, -200.0].map(|y| (x, y)));
    check_grid(1, 2, 1, 0, &columns.concat().try_into().unwrap());
    let backwards = [300.0, 200.0, 100.0, 0.0].map(|x| [(x, -100.0), (x, -50.0)]);
    check_grid(2, 2, 1, 3, &backwards.concat().try_into().unwrap());
}

#[test]
fn grids_that_keep_the_number_of_their_lines() {
    let mut pairs = [-50.0, -100.0, -150.0].map(|y| [(0.0, y), (100.0, y)]).concat();
    pairs.extend([(0.0, -200.0), (0.0, -250.0)]);
    check_grid(2, 5, 0, 0, &pairs.try_into().unwrap());
    let mut pairs = [0.0, 100.0, 200.0].map(|x| [(x, -50.0), (x, -100.0)]).concat();
    pairs.extend([(300.0, -50.0), (400.0, -50.0)]);
    check_grid(1, 5, 1, 0, &pairs.try_into().unwrap());
}
