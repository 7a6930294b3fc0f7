//! The tool `explorer.getClipboard`, `GetClipboard` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::{InWorld, cards};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getClipboard",
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
