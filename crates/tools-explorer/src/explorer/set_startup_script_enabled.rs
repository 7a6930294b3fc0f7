//! The tool `explorer.setStartupScriptEnabled`, `SetStartupScriptEnabled` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::scripts::STARTUP;
use crate::world::{InWorld, scripts};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setStartupScriptEnabled",
    explorer: Some("SetStartupScriptEnabled"),
    title: "Switch the Startup Script",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Switch the startup script off",
        input: r#"{ "enabled": false }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let the startup script run when the world starts, or not. Fine when there is none.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// On or off.
    enabled: bool,
}

#[expect(
    clippy::disallowed_methods,
    reason = "scripts lie in the folder of the interface, not in the project"
)]
fn run(cx: &Cx, Input { enabled }: Input) -> Result<Done, ToolError> {
    let folder = scripts::folder(cx)?;
    let [on, off] = STARTUP.map(|name| folder.join(name));
    let (from, to) = if enabled { (off, on) } else { (on, off) };
    match std::fs::rename(&from, &to) {
        Err(error) if from.exists() => Err(ToolError::failed(error.to_string())),
        _ => {
            cx.holder().changed("unity://console");
            Ok(Done::OK)
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn a_script_is_switched_as_often_as_one_likes() {
        let sample = UnitySample::with_scripts();
        sample.ask(super::TOOL.id, json!({ "enabled": false }));
        assert!(!sample.has("Scripts"), "there is nothing to switch");
        sample.write("Scripts/startup.cs", "return 1;");
        for enabled in [true, false, false, true] {
            sample.ask(super::TOOL.id, json!({ "enabled": enabled }));
            let there =
                [sample.has("Scripts/startup.cs"), sample.has("Scripts/startup.disabled.cs")];
            assert_eq!(there, [enabled, !enabled]);
        }
        assert_eq!(sample.read("Scripts/startup.cs"), "return 1;");
    }

    #[test]
    fn without_a_folder_nothing_can_be_switched() {
        let refusal = UnitySample::new().refusal(super::TOOL.id, json!({ "enabled": true }));
        expect!["NotReady: NotReady: no Scripts folder is set; start the server with --explorer-home and a folder for it"].assert_eq(&refusal);
    }
}
