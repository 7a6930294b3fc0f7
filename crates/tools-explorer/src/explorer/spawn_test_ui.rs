//! The tool `explorer.spawnTestUi`, `SpawnTestUi` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WORLD;
use crate::world::{InWorld, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.spawnTestUi",
    keywords: "dummy canvas buttons try",
    explorer: Some("SpawnTestUi"),
    title: "Spawn the Test Interface",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Make the test interface",
        input: r#"{}"#,
        output: r#"{ "ok": true, "rootId": "obj:-2", "blocks": [] }"#,
        varies: &["rootId", "blocks"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a canvas with two blocks to try MousePick on; the one that is there is given again.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The canvas.
    root_id: String,
    /// Its blocks.
    blocks: Vec<Block>,
}

/// A block of the test interface.
#[derive(Serialize, JsonSchema)]
struct Block {
    /// Its name.
    name: String,
    /// `obj:<instanceId>`.
    id: String,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    cx.world(|world| {
        let made = world.spawn_test_ui().map_err(refused)?;
        let blocks = made.blocks.iter();
        let blocks =
            blocks.map(|(name, id)| Block { name: (*name).to_owned(), id: id.to_string() });
        Ok(Output { ok: true, root_id: made.root.to_string(), blocks: blocks.collect() })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn there_is_one_until_it_is_destroyed() {
        let sample = UnitySample::new();
        let made = sample.ask(super::TOOL.id, json!({}));
        let canvases =
            || sample.page("explorer.searchObjects", json!({ "name": "McpTest" }), "Path");
        expect!["3 of 3: /McpTestCanvas, /McpTestCanvas/McpTestBlock_Left, /McpTestCanvas/McpTestBlock_Right"].assert_eq(&canvases());
        let right = &made["blocks"][1]["id"];
        sample.ask("explorer.destroyObject", json!({ "objectId": right }));
        let again = sample.ask(super::TOOL.id, json!({}));
        assert_eq!(again["rootId"], made["rootId"]);
        assert_eq!(again["blocks"], json!([made["blocks"][0]]), "what is left of it");
        sample.ask("explorer.destroyTestUi", json!({}));
        sample.ask(super::TOOL.id, json!({}));
        expect!["3 of 3: /McpTestCanvas, /McpTestCanvas/McpTestBlock_Left, /McpTestCanvas/McpTestBlock_Right"].assert_eq(&canvases());
    }
}
