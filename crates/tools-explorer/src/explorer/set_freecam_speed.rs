//! The tool `explorer.setFreecamSpeed`, `SetFreecamSpeed` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::MAX_SPEED;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WORLD;
use crate::world::InWorld;
use crate::world::cards::plain;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setFreecamSpeed",
    keywords: "fly faster slower camera",
    explorer: Some("SetFreecamSpeed"),
    title: "Set the Speed of the Free Camera",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Fly faster",
        input: r#"{ "speed": 25 }"#,
        output: r#"{ "ok": true, "speed": 25.0 }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set how fast the free camera flies, from 0 to 1000.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Units in a second; kept between 0 and 1000.
    speed: f64,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The speed that is set now.
    speed: f64,
}

fn run(cx: &Cx, Input { speed }: Input) -> Result<Output, ToolError> {
    if !speed.is_finite() {
        return Err(ToolError::bad_argument("speed", "must be a finite number"));
    }
    cx.world(|world| {
        let camera = world.freecam_mut();
        camera.speed = (speed as f32).clamp(0.0, MAX_SPEED);
        Ok(Output { ok: true, speed: plain(camera.speed) })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn it_is_kept_in_its_bounds() {
        let sample = UnitySample::new();
        let set =
            |speed: f64| sample.ask(super::TOOL.id, json!({ "speed": speed }))["speed"].clone();
        for (given, becomes) in
            [(0.1, 0.1), (-5.0, 0.0), (1000.5, 1000.0), (f64::MAX, 1000.0), (1e-300, 0.0)]
        {
            assert_eq!(set(given), becomes, "{given}");
            let camera = sample.ask("explorer.getFreecam", json!({}));
            assert_eq!(camera["Speed"], becomes, "{given}");
        }
    }
}
