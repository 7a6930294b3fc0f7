//! The tool `mcp.console.inject`: Inject Console Message.

use scenewright_contract::ToolError;
use scenewright_contract::call::Level;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.console.inject",
    keywords: "test log capture message to console logging notification",
    title: "Inject Console Message",
    notes: Some(
        "The message goes to who watches this call, as MCP's log messages do. The console of a running editor is not connected.",
    ),
    category: "mcp.platform",
    idempotent: false,
    examples: &[Example {
        description: "See whether log messages arrive",
        input: r#"{ "message": "hello", "level": "warning" }"#,
        output: r#"{ "success": true, "message": "hello", "level": "warning", "watched": false }"#,
        varies: &["watched"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Send a log message to the client that calls, to test whether it captures them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// The message.
    #[serde(default = "usual")]
    message: String,
    /// How serious it is.
    #[serde(default)]
    level: Seriousness,
}

fn usual() -> String {
    "Test message of mcp.console.inject".to_owned()
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Seriousness {
    #[default]
    Info,
    Warning,
    Error,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The message.
    message: String,
    /// How serious it is.
    level: Seriousness,
    /// Whether anybody watches this call, to whom it went.
    watched: bool,
}

fn run(cx: &Cx, Input { message, level }: Input) -> Result<Output, ToolError> {
    let standard = match level {
        Seriousness::Info => Level::Info,
        Seriousness::Warning => Level::Warning,
        Seriousness::Error => Level::Error,
    };
    cx.log(standard, &message);
    cx.diagnose("No editor is connected: the message went to the client, not to Unity's console");
    Ok(Output { success: true, message, level, watched: cx.reporter().is_some() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::call_sample;

    #[test]
    fn says_where_it_went() {
        let outcome = call_sample(super::TOOL.id, json!({})).unwrap();
        assert_eq!(outcome.output["message"], "Test message of mcp.console.inject");
        assert_eq!(outcome.output["watched"], false);
        assert_eq!(
            outcome.diagnostics,
            ["No editor is connected: the message went to the client, not to Unity's console"]
        );
    }
}
