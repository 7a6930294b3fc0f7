//! The tool `explorer.hookRemove`, `HookRemove` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, console};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookRemove",
    keywords: "stop tracing unpatch",
    explorer: Some("HookRemove"),
    title: "Stop Watching a Method",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Stop watching objects being switched",
        input: r#"{ "signature": "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)" }"#,
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

/// Watch a method no longer.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The hook's signature, with or without names of parameters.
    signature: String,
}

fn run(cx: &Cx, Input { signature }: Input) -> Result<Done, ToolError> {
    cx.world(|world| hooks::remove(world, &signature).map_err(console::hook_error))?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{PLAYER, SET_ACTIVE, UnitySample};

    #[test]
    fn it_is_watched_no_longer() {
        let sample = UnitySample::with_hook();
        let lines = || {
            sample.ask("explorer.setActive", json!({ "objectId": PLAYER, "active": true }));
            let log = sample.ask("explorer.tailLogs", json!({}));
            log["Items"].as_array().unwrap().len()
        };
        let watched = lines();
        let refuse =
            |signature: &str| sample.refusal(super::TOOL.id, json!({ "signature": signature }));
        expect!["EngineError: Hook not found"].assert_eq(&refuse("SetActive"));
        assert!(lines() > watched, "a refusal removes nothing");
        sample.ask(super::TOOL.id, json!({ "signature": SET_ACTIVE }));
        assert_eq!(lines(), watched + 1);
        assert_eq!(refuse(SET_ACTIVE), refuse("SetActive"));
    }
}
