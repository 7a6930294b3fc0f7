//! The tool `explorer.inspectRef`, `InspectRef` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.inspectRef",
    explorer: Some("InspectRef"),
    title: "Look at a Handle",
    category: "explorer",
    examples: &[Example {
        description: "Look at what a member of the Unity sample holds",
        input: r#"{ "refId": "ref:unity:1" }"#,
        output: r#"{ "ok": true, "refId": "ref:unity:1", "type": "UnityEngine.Transform", "kind": "object", "count": null, "valueText": "Player (UnityEngine.Transform)" }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.readComponentMember",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.CapsuleCollider", "name": "transform" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what a handle of a member read stands for.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A handle, as member reads give it.
    ref_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The handle.
    ref_id: String,
    /// Full name of the value's type.
    r#type: String,
    /// `object` or `enumerable`.
    kind: &'static str,
    /// How many items it has, when it is a list.
    count: Option<usize>,
    /// What it says of itself.
    value_text: String,
}

fn run(cx: &Cx, Input { ref_id }: Input) -> Result<Output, ToolError> {
    let value = cx.holder().refs.get(&ref_id)?;
    cx.world(|world| {
        let (kind, count) = match &value {
            Value::List(items) => ("enumerable", Some(items.len())),
            _ => ("object", None),
        };
        let r#type = world.type_of(&value).to_string();
        Ok(Output { ok: true, ref_id, r#type, kind, count, value_text: world.describe(&value) })
    })
}
