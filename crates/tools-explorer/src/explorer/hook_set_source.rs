//! The tool `explorer.hookSetSource`, `HookSetSource` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, console};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookSetSource",
    keywords: "prefix postfix code patch",
    explorer: Some("HookSetSource"),
    title: "Change the Code of a Hook",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Let a hook do nothing",
        input: r#"{ "signature": "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)", "source": "static void Postfix() { }" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.hookAdd",
        input: r#"{ "type": "UnityEngine.GameObject", "method": "SetActive" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Give a hook other code: functions named Prefix and Postfix, in the console's subset of C#.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The hook's signature, with or without names of parameters.
    signature: String,
    /// The code.
    #[schemars(length(max = 4_194_304))]
    source: String,
}

fn run(cx: &Cx, Input { signature, source }: Input) -> Result<Done, ToolError> {
    console::allowed(cx)?;
    cx.world(|world| {
        console::known_hook(cx, world, &signature)?;
        hooks::set_source(world, &signature, &source).map_err(console::hook_error)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::HasWorld;
    use crate::testing::{PLAYER, SET_ACTIVE, UnitySample};

    fn arguments(signature: &str, source: &str) -> Value {
        json!({ "signature": signature, "source": source })
    }

    #[test]
    fn where_code_may_not_run_none_is_taken() {
        let sample = UnitySample::with_hook();
        let source = || sample.ask("explorer.hookGetSource", json!({ "signature": SET_ACTIVE }));
        let before = source();
        sample.runner().world().config().enable_console_eval = false;
        let refuse = |signature: &str| sample.refusal(super::TOOL.id, arguments(signature, ""));
        expect!["Denied: ConsoleEval disabled by config; SetConfig sets enableConsoleEval"]
            .assert_eq(&refuse(SET_ACTIVE));
        assert_eq!(source(), before);
        sample.runner().world().config().enable_console_eval = true;
        expect!["EngineError: Hook not found"].assert_eq(&refuse("Zork"));
    }

    #[test]
    fn wrong_code_is_kept_to_be_mended_and_the_old_runs_on() {
        let sample = UnitySample::with_hook();
        let log = |text: &str| format!("static void Postfix() {{ Debug.Log(\"{text}\"); }}");
        sample.ask(super::TOOL.id, arguments(SET_ACTIVE, &log("first")));
        let wrong = arguments(SET_ACTIVE, "static void Postfix() { Zork(); }");
        expect!["BadArguments: Compile failed: (1,25): error CS0103: the name 'Zork' does not exist here; declare it, or find the object with GameObject.Find"].assert_eq(&sample.refusal(super::TOOL.id, wrong.clone()));
        let source = sample.ask("explorer.hookGetSource", json!({ "signature": SET_ACTIVE }));
        assert_eq!(source["source"], wrong["source"]);
        sample.ask("explorer.setActive", json!({ "objectId": PLAYER, "active": false }));
        let line = sample.ask("explorer.tailLogs", json!({ "count": 1 }));
        assert_eq!(line["Items"][0]["Message"], "first");
    }
}
