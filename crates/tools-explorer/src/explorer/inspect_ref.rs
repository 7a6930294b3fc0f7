//! The tool `explorer.inspectRef`, `InspectRef` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.inspectRef",
    keywords: "object reference value details",
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

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{GROUND, PLAYER, UnitySample};

    #[test]
    fn a_list_has_a_count_and_what_is_gone_is_null() {
        let sample = UnitySample::new();
        let handle = |id: &str, class: &str, name: &str| {
            let member = json!({ "objectId": id, "componentType": class, "name": name });
            sample.ask("explorer.readComponentMember", member)["refId"].clone()
        };
        let inspect =
            |handle| sample.without_name(&sample.ask(super::TOOL.id, json!({ "refId": handle })));
        let list = handle(GROUND, "UnityEngine.MeshRenderer", "sharedMaterials");
        expect![[r#"{"ok":true,"refId":"ref:unity:2","type":"System.Collections.Generic.List`1[System.Object]","kind":"enumerable","count":1,"valueText":"[1 items]"}"#]].assert_eq(&inspect(list));
        let transform = handle(PLAYER, "UnityEngine.Rigidbody", "transform");
        sample.ask("explorer.destroyObject", json!({ "objectId": PLAYER }));
        expect![[r#"{"ok":true,"refId":"ref:unity:3","type":"UnityEngine.Component","kind":"object","count":null,"valueText":"null"}"#]].assert_eq(&inspect(transform));
    }

    #[test]
    fn handles_that_nobody_gave_out() {
        let sample = UnitySample::new();
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "refId": id }));
        expect!["EngineError: Not found; handles come from member reads; the oldest of 1024 are forgotten"].assert_eq(&refuse("ref:unity:1"));
        expect!["BadArguments: Invalid ref id; expected 'ref:<server>:<n>'"]
            .assert_eq(&refuse("obj:1"));
        expect!["BadArguments: Invalid ref id; expected 'ref:<server>:<n>'"]
            .assert_eq(&refuse("ref:1"));
        expect!["BadArguments: Invalid ref id; expected 'ref:<server>:<n>'"]
            .assert_eq(&refuse("ref:unity:-1"));
    }
}
