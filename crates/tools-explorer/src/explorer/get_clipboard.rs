//! The tool `explorer.getClipboard`, `GetClipboard` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::{InWorld, cards};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getClipboard",
    keywords: "paste copied",
    explorer: Some("GetClipboard"),
    title: "Clipboard of the World",
    category: "explorer",
    examples: &[Example {
        description: "Look into the empty clipboard",
        input: r#"{}"#,
        output: r#"{ "HasValue": false, "Type": null, "Preview": null, "ObjectId": null }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what lies in the clipboard of the world.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

/// What lies in the clipboard.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Output {
    /// Whether something does.
    has_value: bool,
    /// Full name of its type.
    r#type: Option<String>,
    /// What it says of itself, shortened.
    preview: Option<String>,
    /// Its id, when it is an object.
    object_id: Option<String>,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    cx.world(|world| {
        let Some(value) = world.clipboard() else {
            return Ok(Output { has_value: false, r#type: None, preview: None, object_id: None });
        };
        Ok(Output {
            has_value: true,
            r#type: Some(world.type_of(value).to_string()),
            preview: Some(cards::preview(&world.describe(value))),
            object_id: match value {
                Value::Object(id) if world.object(*id).is_some() => Some(id.to_string()),
                _ => None,
            },
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn long_texts_are_cut_between_letters() {
        let sample = UnitySample::new();
        let preview = |length: usize| {
            sample.ask("explorer.setClipboardText", json!({ "text": "ü".repeat(length) }));
            sample.ask(super::TOOL.id, json!({}))["Preview"].as_str().unwrap().to_owned()
        };
        assert_eq!(preview(256), "ü".repeat(256));
        assert_eq!(preview(257), format!("{}...", "ü".repeat(256)));
    }

    #[test]
    fn an_object_that_is_gone_has_no_id() {
        let sample = UnitySample::new();
        sample.ask("explorer.setClipboardObject", json!({ "objectId": PLAYER }));
        let class = "UnityEngine.GameObject";
        let kept = |preview: &str, id: Option<&str>| json!({ "HasValue": true, "Type": class, "Preview": preview, "ObjectId": id });
        let player = kept("Player (UnityEngine.GameObject)", Some(PLAYER));
        assert_eq!(sample.ask(super::TOOL.id, json!({})), player);
        sample.ask("explorer.destroyObject", json!({ "objectId": PLAYER }));
        assert_eq!(sample.ask(super::TOOL.id, json!({})), kept("null", None));
    }
}
