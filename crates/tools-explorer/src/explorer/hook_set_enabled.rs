//! The tool `explorer.hookSetEnabled`, `HookSetEnabled` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, console};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookSetEnabled",
    keywords: "pause tracing hook off",
    explorer: Some("HookSetEnabled"),
    title: "Switch a Hook",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Let a hook rest",
        input: r#"{ "signature": "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)", "enabled": false }"#,
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

/// Let a hook rest, or work again.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The hook's signature, with or without names of parameters.
    signature: String,
    /// On or off.
    enabled: bool,
}

fn run(cx: &Cx, Input { signature, enabled }: Input) -> Result<Done, ToolError> {
    cx.world(|world| {
        console::known_hook(cx, world, &signature)?;
        hooks::set_enabled(world, &signature, enabled).map_err(console::hook_error)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::HasWorld;
    use crate::testing::{SET_ACTIVE, UnitySample};

    #[test]
    fn a_class_that_left_the_list_is_not_switched() {
        let sample = UnitySample::with_hook();
        let off = json!({ "signature": SET_ACTIVE, "enabled": false });
        sample.ask("explorer.setConfig", json!({ "hookAllowlistSignatures": [] }));
        expect![
            "Denied: Permission denied; SetConfig sets hookAllowlistSignatures: full names of types"
        ]
        .assert_eq(&sample.refusal(super::TOOL.id, off.clone()));
        let hooks = || sample.runner().world().hooks();
        assert_eq!(hooks(), [(SET_ACTIVE.to_owned(), true)]);
        let list = ["UnityEngine.GameObject"];
        sample.ask("explorer.setConfig", json!({ "hookAllowlistSignatures": list }));
        sample.ask(super::TOOL.id, off);
        assert_eq!(hooks(), [(SET_ACTIVE.to_owned(), false)]);
        let unknown = json!({ "signature": "Zork", "enabled": true });
        expect!["EngineError: Hook not found"].assert_eq(&sample.refusal(super::TOOL.id, unknown));
    }
}
