//! The tool `explorer.setTimeScale`, `SetTimeScale` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::MAX_SCALE;
use schemars::JsonSchema;
use serde::Deserialize;

use super::WORLD;
use crate::world::InWorld;
use crate::world::cards::TimeScale;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setTimeScale",
    keywords: "slow motion bullet time pause freeze speed up faster game",
    explorer: Some("SetTimeScale"),
    title: "Set the Time Scale",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Let time go at half its speed",
        input: r#"{ "value": 0.5 }"#,
        output: r#"{ "ok": true, "value": 0.5, "locked": false }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<TimeScale>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set how fast time goes, from 0 to 4, and lock or unlock it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// 1 is as fast as a clock, 0 is stopped; kept between 0 and 4.
    value: f64,
    /// Lock it at the value, or unlock it. While it is locked, nothing else changes it.
    lock: Option<bool>,
}

fn run(cx: &Cx, Input { value, lock }: Input) -> Result<TimeScale, ToolError> {
    if !value.is_finite() {
        return Err(ToolError::bad_argument("value", "must be a finite number"));
    }
    cx.world(|world| {
        // Before it becomes a float, which is too small for some numbers.
        let value = value.clamp(0.0, f64::from(MAX_SCALE)) as f32;
        world.clock_mut().set(value, lock);
        Ok(TimeScale::of(world))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn it_is_kept_in_its_bounds() {
        let sample = UnitySample::new();
        for (given, becomes) in [(f64::MAX, 4.0), (f64::MIN, 0.0), (1e-300, 0.0), (3.999, 3.999)] {
            let set = sample.ask(super::TOOL.id, json!({ "value": given }));
            assert_eq!(set["value"], becomes, "{given}");
            assert_eq!(sample.ask("explorer.getTimeScale", json!({})), set, "{given}");
        }
    }
}
