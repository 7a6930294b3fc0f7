//! The tool `explorer.setConfig`, `SetConfig` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Gate, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Done;
use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setConfig",
    explorer: Some("SetConfig"),
    title: "Change the Interface Settings",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: Gate::OperatorAlone,
    at_once: true,
    examples: &[Example {
        description: "Let tools change components of one class",
        input: r#"{ "componentAllowlist": ["UnityEngine.Light"] }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Change what the Explorer interface lets happen, inside what the server was started with. Only
/// what is given changes; lists are replaced whole, and an empty one clears.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Let tools change the world.
    allow_writes: Option<bool>,
    /// Let them only with `confirm: true`.
    require_confirm: Option<bool>,
    /// Let code run.
    enable_console_eval: Option<bool>,
    /// Full names of classes that may be added and removed.
    component_allowlist: Option<Vec<String>>,
    /// `<Type>.<Member>` that may be set and called.
    reflection_allowlist_members: Option<Vec<String>>,
    /// Full names of classes whose methods may be watched.
    hook_allowlist_signatures: Option<Vec<String>>,
    /// Begin anew with these settings: the world is loaded again at the next call.
    #[serde(default)]
    restart: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Done, ToolError> {
    if input.require_confirm == Some(false) && cx.runner().settings().require_confirm {
        return Err(ToolError::new(ErrorKind::Denied, "Confirmation is the operator's wish")
            .hint("the server was started with --require-confirm")
            .detail("setting", "require-confirm"));
    }
    let holder = cx.holder();
    let mut config = holder.config();
    let before = config.clone();
    let allow = input.allow_writes.unwrap_or(config.allow_writes);
    config.allow_writes = allow && cx.runner().settings().allow_writes;
    config.require_confirm = input.require_confirm.unwrap_or(config.require_confirm);
    config.enable_console_eval = input.enable_console_eval.unwrap_or(config.enable_console_eval);
    let list = |given: Option<Vec<String>>, old: &mut Option<Vec<String>>| {
        if given.is_some() {
            *old = given;
        }
    };
    list(input.component_allowlist, &mut config.component_allowlist);
    list(input.reflection_allowlist_members, &mut config.reflection_allowlist_members);
    list(input.hook_allowlist_signatures, &mut config.hook_allowlist_signatures);
    if let Err(error) = config.save() {
        *config = before;
        return Err(ToolError::failed(error));
    }
    drop(config);
    if input.restart {
        holder.restart();
    }
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::HasWorld;
    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn settings_that_cannot_be_kept_are_not_set() {
        let sample = UnitySample::new();
        // A file has no files in it.
        let file = sample.path("ProjectSettings/ProjectVersion.txt/mcp.config.json");
        sample.runner().world().config().file = Some(file);
        sample.ask("explorer.setActive", json!({ "objectId": PLAYER, "active": false }));
        let before = sample.ask("explorer.getConfig", json!({}));
        let given = json!({ "requireConfirm": true, "componentAllowlist": ["A"], "restart": true });
        let refusal = sample.refusal(super::TOOL.id, given);
        assert!(refusal.starts_with("ToolFailed: "), "{refusal}");
        assert!(refusal.contains("mcp.config.json cannot be written: "), "{refusal}");
        assert_eq!(sample.ask("explorer.getConfig", json!({})), before);
        let player = sample.ask("explorer.getObject", json!({ "id": PLAYER }));
        assert_eq!(player["Active"], false, "nor does anything begin anew");
    }

    #[test]
    fn what_is_set_is_in_the_file() {
        let sample = UnitySample::new();
        sample.runner().world().config().file = Some(sample.path("mcp.config.json"));
        sample.ask(super::TOOL.id, json!({ "hookAllowlistSignatures": ["Größe"] }));
        let file: serde_json::Value =
            serde_json::from_str(&sample.read("mcp.config.json")).unwrap();
        assert_eq!(file["HookAllowlistSignatures"], json!(["Größe"]));
        assert_eq!(file["ComponentAllowlist"], json!(null));
    }

    #[test]
    fn a_gate_that_is_shut_stays_shut_for_the_rest() {
        let sample = UnitySample::new();
        sample.ask(super::TOOL.id, json!({ "allowWrites": false }));
        let switch = json!({ "objectId": PLAYER, "active": false });
        assert!(sample.refusal("explorer.setActive", switch.clone()).starts_with("Denied: "));
        sample.ask(super::TOOL.id, json!({ "allowWrites": true }));
        sample.ask("explorer.setActive", switch);
    }
}
