//! The tool `explorer.hookAdd`, `HookAdd` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, console};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookAdd",
    keywords: "hook a method patch intercept trace breakpoint log each call harmony spy monitor called",
    explorer: Some("HookAdd"),
    // The document has both names.
    argument_aliases: &[("methodOrSignature", "method")],
    title: "Watch a Method",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Watch objects being switched",
        input: r#"{ "type": "UnityEngine.GameObject", "method": "SetActive" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Watch a method: every call that the world runs is logged, and the hook's code runs with it. The
/// class must be on the interface's hook allowlist, if it has one.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Full name of the class.
    r#type: String,
    /// Name of the method, or its full signature.
    method: String,
}

fn run(cx: &Cx, Input { r#type: class, method }: Input) -> Result<Done, ToolError> {
    console::hook_allowed(cx, &class, "Denied by hook allowlist")?;
    cx.world(|world| hooks::add(world, &class, &method).map_err(console::hook_error))?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{SET_ACTIVE, UnitySample};

    #[test]
    fn what_cannot_be_watched_is_told() {
        let sample = UnitySample::with_hook();
        let list = ["UnityEngine.GameObject", "Zork"];
        sample.ask("explorer.setConfig", json!({ "hookAllowlistSignatures": list }));
        let refuse = |class: &str, method: &str| {
            sample.refusal(super::TOOL.id, json!({ "type": class, "method": method }))
        };
        let class = "UnityEngine.GameObject";
        expect!["Denied: Denied by hook allowlist; SetConfig sets hookAllowlistSignatures: full names of types"].assert_eq(&refuse("GameObject", "SetActive"));
        expect!["EngineError: Type not found"].assert_eq(&refuse("Zork", "SetActive"));
        expect!["EngineError: Method not found"].assert_eq(&refuse(class, "setActive"));
        expect!["EngineError: Method not found"].assert_eq(&refuse(class, ""));
        expect!["EngineError: Method not found"]
            .assert_eq(&refuse(class, "System.Void Zork::SetActive(System.Boolean)"));
        expect!["BadArguments: Method is already hooked"].assert_eq(&refuse(class, SET_ACTIVE));
    }
}
