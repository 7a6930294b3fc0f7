//! The tool `explorer.hookListAllowedTypes`, `HookListAllowedTypes` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::config::ALL;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookListAllowedTypes",
    explorer: Some("HookListAllowedTypes"),
    title: "Classes that can be Watched",
    category: "explorer",
    examples: &[Example {
        description: "Ask which classes may be watched",
        input: r#"{}"#,
        output: r#"{ "ok": true, "items": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the classes whose methods may be watched.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// Full names of the classes; `*` alone for all of them.
    items: Vec<String>,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    let config = cx.holder().config();
    let all = config.allow_writes.then(|| ALL.to_owned());
    let items = config.hook_allowlist_signatures.clone();
    Ok(Output { ok: true, items: items.unwrap_or_else(|| all.into_iter().collect()) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn the_list_is_told_as_it_was_given() {
        let sample = UnitySample::new();
        let items = || sample.ask(super::TOOL.id, json!({}))["items"].clone();
        assert_eq!(items(), json!(["*"]), "there is no list");
        for list in [json!(["Zork", "UnityEngine.Light", "Größe", "Zork"]), json!([])] {
            sample.ask("explorer.setConfig", json!({ "hookAllowlistSignatures": list }));
            assert_eq!(items(), list);
        }
    }
}
