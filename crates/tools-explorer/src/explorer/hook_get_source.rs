//! The tool `explorer.hookGetSource`, `HookGetSource` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookGetSource",
    explorer: Some("HookGetSource"),
    title: "Code of a Hook",
    category: "explorer",
    examples: &[Example {
        description: "Read the code of a hook",
        input: r#"{ "signature": "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)" }"#,
        output: r#"{ "ok": true, "signature": "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)", "source": "" }"#,
        varies: &["source"],
    }],
    after: &[Earlier {
        tool: "explorer.hookAdd",
        input: r#"{ "type": "UnityEngine.GameObject", "method": "SetActive" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the code that runs with a watched method.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The hook's signature, with or without names of parameters.
    signature: String,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The hook's signature.
    signature: String,
    /// Its code.
    source: String,
}

fn run(cx: &Cx, Input { signature }: Input) -> Result<Output, ToolError> {
    cx.world(|world| {
        let hook = hooks::of(world).find(&signature).ok_or_else(|| {
            ToolError::new(ErrorKind::BadArguments, "Hook not found")
                .hint("unity://hooks lists them")
        })?;
        Ok(Output { ok: true, signature: hook.signature.clone(), source: hook.source.clone() })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{SET_ACTIVE, UnitySample};

    #[test]
    fn it_needs_no_list_but_a_hook() {
        let sample = UnitySample::with_hook();
        sample.ask("explorer.setConfig", json!({ "hookAllowlistSignatures": [] }));
        let hook = sample.ask(super::TOOL.id, json!({ "signature": SET_ACTIVE }));
        assert!(hook["source"].as_str().unwrap().starts_with("static void Postfix("), "{hook}");
        let refuse =
            |signature: &str| sample.refusal(super::TOOL.id, json!({ "signature": signature }));
        expect!["BadArguments: Hook not found; unity://hooks lists them"]
            .assert_eq(&refuse("UnityEngine.GameObject.SetActive"));
        sample.ask("explorer.hookRemove", json!({ "signature": SET_ACTIVE }));
        assert_eq!(refuse(SET_ACTIVE), refuse(""));
    }
}
