//! The tool `explorer.setConfig`, `SetConfig` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Gate, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Done;
use crate::world::config::ALL;
use crate::world::{ExplorerConfig, InWorld};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setConfig",
    keywords: "allow whitelist permissions settings interface enable console",
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
/// what is given changes; lists are replaced whole, and an empty one lets nothing pass. Without a
/// list all is allowed, with `*` in it all that the operator's list has.
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
    let (holder, restart) = (cx.holder(), input.restart);
    let mut config = holder.config();
    let before = config.clone();
    let allow = input.allow_writes.unwrap_or(config.allow_writes);
    config.allow_writes = allow && cx.runner().settings().allow_writes;
    config.require_confirm = input.require_confirm.unwrap_or(config.require_confirm);
    config.enable_console_eval = input.enable_console_eval.unwrap_or(config.enable_console_eval);
    let lists = set_lists(&mut config, input);
    if let Err(error) = lists.and_then(|()| config.save().map_err(ToolError::failed)) {
        *config = before;
        return Err(error);
    }
    drop(config);
    if restart {
        holder.restart();
    }
    Ok(Done::OK)
}

/// Lists that are given take the place of the old ones, but do not reach beyond the operator's.
fn set_lists(config: &mut ExplorerConfig, input: Input) -> Result<(), ToolError> {
    let bounds = config.bounds.clone();
    for (given, old, bound) in [
        (input.component_allowlist, &mut config.component_allowlist, bounds.components),
        (
            input.reflection_allowlist_members,
            &mut config.reflection_allowlist_members,
            bounds.members,
        ),
        (input.hook_allowlist_signatures, &mut config.hook_allowlist_signatures, bounds.hooks),
    ] {
        let Some(given) = given else { continue };
        if given.iter().any(|name| name == ALL) {
            *old = bound;
            continue;
        }
        let is_beyond = |name: &&String| bound.as_ref().is_some_and(|bound| !bound.contains(name));
        if let Some(beyond) = given.iter().find(is_beyond) {
            let message = format!("{beyond} is not on the operator's list");
            return Err(ToolError::new(ErrorKind::Denied, message)
                .hint("only the config file of the interface can make that list longer")
                .detail("name", beyond.as_str()));
        }
        *old = Some(given);
    }
    Ok(())
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
    fn without_a_list_all_is_allowed_and_an_operators_list_is_not_widened() {
        let sample = UnitySample::new();
        let add = |class: &str| {
            let given = json!({ "objectId": PLAYER, "type": format!("UnityEngine.{class}") });
            sample.call("explorer.addComponent", given).map_err(|error| error.message)
        };
        let set = |list: serde_json::Value| {
            let given = json!({ "componentAllowlist": list });
            sample.call(super::TOOL.id, given).map_err(|error| error.message)
        };
        add("Light").unwrap();
        let denied = |text: &str| Err(text.to_owned());
        set(json!([])).unwrap();
        assert_eq!(add("Light"), denied("No components are allowlisted"));
        set(json!(["*"])).unwrap();
        add("Light").unwrap();

        let file = sample.path("mcp.config.json");
        let operators = r#"{ "ComponentAllowlist": ["UnityEngine.Light"], "AllowWrites": true, "RequireConfirm": false }"#;
        sample.write("mcp.config.json", operators);
        let runner = sample.runner();
        runner.world().set_home(&file, runner.settings()).unwrap();
        assert_eq!(add("Camera"), denied("Denied by allowlist"));
        let wider = json!(["UnityEngine.Light", "UnityEngine.Camera"]);
        assert_eq!(set(wider), denied("UnityEngine.Camera is not on the operator's list"));
        set(json!([])).unwrap();
        assert_eq!(add("Light"), denied("No components are allowlisted"));
        set(json!(["*"])).unwrap();
        add("Light").unwrap();
        assert_eq!(add("Camera"), denied("Denied by allowlist"));
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
