//! The tool `explorer.releaseRef`, `ReleaseRef` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.releaseRef",
    explorer: Some("ReleaseRef"),
    title: "Forget a Handle",
    category: "explorer",
    examples: &[Example {
        description: "Forget a handle that nobody gave out",
        input: r#"{ "refId": "ref:00000000:1" }"#,
        output: r#"{ "ok": true, "released": false }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Forget a handle; nothing happens to what it stands for.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A handle, as member reads give it.
    ref_id: String,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// Whether there was such a handle.
    released: bool,
}

fn run(cx: &Cx, Input { ref_id }: Input) -> Result<Output, ToolError> {
    Ok(Output { ok: true, released: cx.holder().refs.release(&ref_id)? })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn a_handle_is_forgotten_once_and_never_given_again() {
        let sample = UnitySample::new();
        let member = json!({ "objectId": PLAYER, "componentType": "UnityEngine.Rigidbody", "name": "transform" });
        let handle = || sample.ask("explorer.readComponentMember", member.clone())["refId"].clone();
        let first = handle();
        assert_eq!(handle(), first, "the same thing has the same handle");
        let release = || sample.ask(super::TOOL.id, json!({ "refId": first }))["released"].clone();
        assert_eq!((release(), release()), (json!(true), json!(false)));
        assert_ne!(handle(), first);
    }

    #[test]
    fn what_is_no_handle_is_told() {
        let sample = UnitySample::new();
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "refId": id }));
        expect!["BadArguments: Invalid ref id; expected 'ref:<server>:<n>'"]
            .assert_eq(&refuse("ref:unity:one"));
        assert_eq!(refuse(""), refuse("ref:unity:one"));
    }
}
