//! The tool `explorer.setClipboardText`, `SetClipboardText` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setClipboardText",
    explorer: Some("SetClipboardText"),
    title: "Put Text into the Clipboard",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Keep a word",
        input: r#"{ "text": "lantern" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put a text into the clipboard of the world.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The text.
    #[schemars(length(max = 4_194_304))]
    text: String,
}

fn run(cx: &Cx, Input { text }: Input) -> Result<Done, ToolError> {
    cx.world(|world| {
        world.set_clipboard(Some(Value::text(text)));
        Ok(Done::OK)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn a_text_takes_the_place_of_what_was_there() {
        let sample = UnitySample::new();
        for text in ["größe 🏮\n", ""] {
            sample.ask(super::TOOL.id, json!({ "text": text }));
            let kept = json!({
                "HasValue": true,
                "Type": "System.String",
                "Preview": text,
                "ObjectId": null,
            });
            assert_eq!(sample.ask("explorer.getClipboard", json!({})), kept);
        }
    }
}
