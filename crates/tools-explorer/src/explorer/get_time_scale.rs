//! The tool `explorer.getTimeScale`, `GetTimeScale` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::cards::TimeScale;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getTimeScale",
    keywords: "is time frozen paused game speed slow fast",
    explorer: Some("GetTimeScale"),
    title: "Time Scale",
    category: "explorer",
    examples: &[Example {
        description: "Ask how fast time goes",
        input: "{}",
        output: r#"{ "ok": true, "value": 1.0, "locked": false }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<TimeScale>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell how fast time goes in the world, and whether that is locked.
#[derive(Deserialize, JsonSchema)]
struct Input {}

fn run(cx: &Cx, _: Input) -> Result<TimeScale, ToolError> {
    cx.world(|world| Ok(TimeScale::of(world)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn it_is_what_code_sets_while_it_is_not_locked() {
        let sample = UnitySample::new();
        let scale = || sample.ask(super::TOOL.id, json!({}));
        sample.eval("Time.timeScale = 0.1f;");
        assert_eq!(scale(), json!({ "ok": true, "value": 0.1, "locked": false }));
        sample.ask("explorer.setTimeScale", json!({ "value": 0, "lock": true }));
        sample.eval("Time.timeScale = 1f;");
        assert_eq!(scale(), json!({ "ok": true, "value": 0.0, "locked": true }));
    }
}
