//! The tool `explorer.getSelection`, `GetSelection` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::cards::SelectionCard;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getSelection",
    keywords: "currently selected inspected",
    explorer: Some("GetSelection"),
    title: "Selection in the World",
    category: "explorer",
    examples: &[Example {
        description: "Ask what is selected before anything is",
        input: "{}",
        output: r#"{ "ActiveId": null, "Items": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<SelectionCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what is selected.
#[derive(Deserialize, JsonSchema)]
struct Input {}

fn run(cx: &Cx, _: Input) -> Result<SelectionCard, ToolError> {
    cx.world(|world| Ok(SelectionCard::of(world)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::{GROUND, PLAYER, UnitySample};

    #[test]
    fn what_is_gone_is_not_selected() {
        let sample = UnitySample::new();
        for id in [GROUND, PLAYER] {
            sample.ask("explorer.selectObject", json!({ "objectId": id }));
        }
        sample.ask("explorer.destroyObject", json!({ "objectId": PLAYER }));
        let left = json!({ "ActiveId": GROUND, "Items": [GROUND] });
        assert_eq!(sample.ask(super::TOOL.id, json!({})), left);
        sample.ask("explorer.loadScene", json!({ "name": "Cellar", "discard": true }));
        let nothing = json!({ "ActiveId": null, "Items": [] });
        assert_eq!(sample.ask(super::TOOL.id, json!({})), nothing);
    }
}
