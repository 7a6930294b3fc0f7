//! The tool `explorer.mousePick`, `MousePick` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Estimated;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.mousePick",
    keywords: "ui element at screen coordinates pixel under cursor what is at mouse click point crosshair looking raycast pointing",
    explorer: Some("MousePick"),
    title: "Pick at a Point",
    category: "explorer",
    examples: &[Example {
        description: "Pick in the middle of the Unity sample",
        input: r#"{ "mode": "world", "x": 0.5, "y": 0.5, "normalized": true }"#,
        output: r#"{ "Mode": "world", "Hit": true, "Id": "obj:1616470424", "Items": null }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what is under a point of the screen: the nearest collider of the world, or the parts of the
/// user interface, top-most first. Without a point it is the middle: there is no mouse here.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// What to look at.
    #[serde(default)]
    mode: Mode,
    /// From the left, in pixels or parts of the screen.
    x: Option<f64>,
    /// From the bottom, in pixels or parts of the screen.
    y: Option<f64>,
    /// The point is given in parts of the screen, from 0 to 1.
    #[serde(default)]
    normalized: bool,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Colliders of the world.
    #[default]
    World,
    /// The user interface.
    Ui,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Output {
    /// What was looked at.
    mode: Mode,
    /// Whether anything is there.
    hit: bool,
    /// The nearest or top-most object.
    id: Option<String>,
    /// All parts of the user interface there, top-most first; null for the world.
    items: Option<Vec<UiHit>>,
}

/// A part of the user interface.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct UiHit {
    /// `obj:<instanceId>`.
    id: String,
    /// Its name.
    name: String,
    /// Names from the root on.
    path: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    cx.world(|world| {
        let (x, y) = point(&input, world.screen);
        Ok(match input.mode {
            Mode::World => {
                let hit = world.pick_world(x, y);
                let passed_over = world.colliders_passed_over();
                if passed_over > 0 {
                    cx.diagnose(format!(
                        "{passed_over} colliders were passed over: their shapes are in files that only Unity reads."
                    ));
                }
                let id = hit.map(|hit| hit.object.to_string());
                Output { mode: Mode::World, hit: id.is_some(), id, items: None }
            }
            Mode::Ui => {
                let hits = world.pick_ui(x, y);
                tell_estimated(cx, world.sizes_estimated());
                let items: Vec<UiHit> = hits
                    .iter()
                    .filter_map(|id| world.object(*id))
                    .map(|object| UiHit {
                        id: object.id().to_string(),
                        name: object.name().to_owned(),
                        path: world.path(object.id()),
                    })
                    .collect();
                let id = items.first().map(|item| item.id.clone());
                Output { mode: Mode::Ui, hit: id.is_some(), id, items: Some(items) }
            }
        })
    })
}

/// Say which places are not to be relied on to the pixel.
fn tell_estimated(cx: &Cx, Estimated { texts, sprites }: Estimated) {
    if texts > 0 {
        cx.diagnose(format!(
            "Sizes of {texts} texts in layouts are estimates: their fonts are not measured here."
        ));
    }
    if sprites > 0 {
        cx.diagnose(format!(
            "Sizes of {sprites} images in layouts are estimates: their sprites are in files that cannot be read here."
        ));
    }
}

/// The point in pixels. An axis that is not given is the middle, or the edge beside one that is.
fn point(input: &Input, (width, height): (u32, u32)) -> (f32, f32) {
    let axis = |given: Option<f64>, size: u32| {
        let size = f64::from(size);
        let none_given = input.x.is_none() && input.y.is_none();
        let at = match given {
            None if input.normalized && !none_given => 0.0,
            None => size / 2.0,
            Some(part) if input.normalized => part.clamp(0.0, 1.0) * size,
            Some(pixels) => pixels,
        };
        at as f32
    };
    (axis(input.x, width), axis(input.y, height))
}

#[cfg(test)]
mod layouts;

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Input, point};
    use crate::testing::{CAMERA, GROUND, PLAYER, UnitySample};

    fn check(given: Value, expected: (f32, f32)) {
        let input: Input = serde_json::from_value(given.clone()).unwrap();
        assert_eq!(point(&input, (200, 100)), expected, "{given}");
    }

    #[test]
    fn a_point_is_given_in_pixels_or_parts() {
        check(json!({}), (100.0, 50.0));
        check(json!({ "normalized": true }), (100.0, 50.0));
        check(json!({ "x": 7, "y": 9 }), (7.0, 9.0));
        check(json!({ "x": 7 }), (7.0, 50.0));
        check(json!({ "x": -7, "y": 1e6 }), (-7.0, 1e6));
        check(json!({ "x": 0.25, "y": 1, "normalized": true }), (50.0, 100.0));
        check(json!({ "x": -3, "y": 1.5, "normalized": true }), (0.0, 100.0));
        // Beside a part of the screen the axis that is not given is the edge.
        check(json!({ "y": 0.5, "normalized": true }), (0.0, 50.0));
    }

    #[test]
    fn points_outside_of_the_screen_hit_nothing() {
        let sample = UnitySample::new();
        let pick = |mode: &str, x: f64| {
            sample.ask(super::TOOL.id, json!({ "mode": mode, "x": x, "y": x }))
        };
        let nothing = |mode: &str, items: Value| json!({ "Mode": mode, "Hit": false, "Id": null, "Items": items });
        for x in [f64::MAX, f64::MIN] {
            assert_eq!(pick("world", x), nothing("world", json!(null)), "{x}");
            assert_eq!(pick("ui", x), nothing("ui", json!([])), "{x}");
        }
    }

    #[test]
    fn the_camera_of_the_game_sees_what_is_active() {
        let sample = UnitySample::new();
        let pick = || sample.ask(super::TOOL.id, json!({}))["Id"].clone();
        let switch = |id: &str| {
            sample.ask("explorer.setActive", json!({ "objectId": id, "active": false }));
        };
        assert_eq!(pick(), PLAYER);
        switch(PLAYER);
        assert_eq!(pick(), GROUND, "what was behind");
        switch(CAMERA);
        assert_eq!(pick(), json!(null), "nobody looks");
    }
}
