//! The tool `explorer.destroyTestUi`, `DestroyTestUi` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.destroyTestUi",
    explorer: Some("DestroyTestUi"),
    title: "Destroy the Test Interface",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Remove the test interface",
        input: r#"{}"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Remove what SpawnTestUi made; fine when there is nothing.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

fn run(cx: &Cx, _: Input) -> Result<Done, ToolError> {
    cx.world(|world| {
        world.destroy_test_ui();
        Ok(Done::OK)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn the_world_is_as_it_was() {
        let sample = UnitySample::new();
        let objects = || sample.ask("explorer.listObjects", json!({}));
        let before = objects();
        sample.ask(super::TOOL.id, json!({}));
        assert_eq!(objects(), before, "there was nothing to destroy");
        sample.ask("explorer.spawnTestUi", json!({}));
        assert_ne!(objects(), before);
        sample.ask(super::TOOL.id, json!({}));
        assert_eq!(objects(), before);
        let saved = sample.ask("explorer.saveScene", json!({ "dryRun": true }));
        assert_eq!(saved["savedCount"], 0);
    }
}
