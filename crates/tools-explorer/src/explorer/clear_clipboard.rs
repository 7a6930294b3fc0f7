//! The tool `explorer.clearClipboard`, `ClearClipboard` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.clearClipboard",
    keywords: "empty",
    explorer: Some("ClearClipboard"),
    title: "Clear the Clipboard",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Clear the clipboard",
        input: r#"{}"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Take out what lies in the clipboard of the world.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

fn run(cx: &Cx, _: Input) -> Result<Done, ToolError> {
    cx.world(|world| {
        world.set_clipboard(None);
        Ok(Done::OK)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn what_lay_there_is_only_out_of_the_clipboard() {
        let sample = UnitySample::new();
        let empty = sample.ask("explorer.getClipboard", json!({}));
        sample.ask("explorer.setClipboardObject", json!({ "objectId": PLAYER }));
        for _ in 0..2 {
            sample.ask(super::TOOL.id, json!({}));
            assert_eq!(sample.ask("explorer.getClipboard", json!({})), empty);
        }
        assert_eq!(sample.ask("explorer.getObject", json!({ "id": PLAYER }))["Name"], "Player");
    }
}
