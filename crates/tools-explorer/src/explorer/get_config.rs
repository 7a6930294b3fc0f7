//! The tool `explorer.getConfig`, `GetConfig` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getConfig",
    explorer: Some("GetConfig"),
    title: "Interface Settings",
    category: "explorer",
    examples: &[Example {
        description: "Ask for the settings",
        input: r#"{}"#,
        output: r#"{
            "ok": true,
            "enabled": true,
            "bindAddress": "127.0.0.1",
            "port": 51477,
            "allowWrites": false,
            "requireConfirm": false,
            "exportRoot": null,
            "logLevel": "Information",
            "componentAllowlist": null,
            "reflectionAllowlistMembers": null,
            "enableConsoleEval": false,
            "hookAllowlistSignatures": null
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what the Explorer interface lets happen.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// Whether the interface is served.
    enabled: bool,
    /// The address that it is served on.
    bind_address: String,
    /// The port that it is served on.
    port: u16,
    /// Whether tools that change the world may run.
    allow_writes: bool,
    /// Whether they need `confirm: true`.
    require_confirm: bool,
    /// The folder that holds `Scripts`, when it is not beside the config file.
    export_root: Option<String>,
    /// How much is logged.
    log_level: String,
    /// Classes that may be added and removed.
    component_allowlist: Option<Vec<String>>,
    /// `<Type>.<Member>` that may be set and called.
    reflection_allowlist_members: Option<Vec<String>>,
    /// Whether code may run.
    enable_console_eval: bool,
    /// Classes whose methods may be watched.
    hook_allowlist_signatures: Option<Vec<String>>,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    let config = cx.holder().config().clone();
    Ok(Output {
        ok: true,
        enabled: config.enabled,
        bind_address: config.bind_address,
        port: config.port,
        // What the operator forbids is closed, whatever the file says.
        allow_writes: config.allow_writes && cx.runner().settings().allow_writes,
        require_confirm: config.require_confirm,
        export_root: config.export_root,
        log_level: config.log_level,
        component_allowlist: config.component_allowlist,
        reflection_allowlist_members: config.reflection_allowlist_members,
        enable_console_eval: config.enable_console_eval,
        hook_allowlist_signatures: config.hook_allowlist_signatures,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::HasWorld;
    use crate::testing::UnitySample;

    #[test]
    fn the_address_is_the_one_that_is_served() {
        let sample = UnitySample::new();
        sample.runner().world().set_address("[::1]:7".parse().unwrap());
        let config = sample.ask(super::TOOL.id, json!({}));
        assert_eq!((&config["bindAddress"], &config["port"]), (&json!("::1"), &json!(7)));
    }

    #[test]
    fn no_list_is_not_an_empty_one() {
        let sample = UnitySample::new();
        sample.ask("explorer.setConfig", json!({ "componentAllowlist": [] }));
        let config = sample.ask(super::TOOL.id, json!({}));
        assert_eq!(config["componentAllowlist"], json!([]));
        assert_eq!(config["reflectionAllowlistMembers"], json!(null));
        assert_eq!(
            (&config["allowWrites"], &config["enableConsoleEval"]),
            (&json!(true), &json!(true))
        );
    }
}
