//! The tool `explorer.getStartupScript`, `GetStartupScript` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::scripts::{self, STARTUP};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getStartupScript",
    explorer: Some("GetStartupScript"),
    title: "Startup Script",
    category: "explorer",
    examples: &[Example {
        description: "Ask for the startup script",
        input: r#"{}"#,
        output: r#"{ "ok": true, "enabled": false, "path": "", "content": null }"#,
        varies: &["path", "enabled", "content"],
    }],
    after: &[Earlier {
        tool: "explorer.writeStartupScript",
        input: r#"{ "content": "return 1;" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the script that runs when the world starts, and whether it does.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// Whether it runs.
    enabled: bool,
    /// Where it is.
    path: String,
    /// Its code; null when there is none.
    content: Option<String>,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    let folder = scripts::folder(cx)?;
    let [enabled, disabled] = STARTUP.map(|name| folder.join(name));
    let is_enabled = enabled.is_file();
    let file = if is_enabled || !disabled.is_file() { enabled } else { disabled };
    let content = file.is_file().then(|| scripts::read(&file)).transpose()?;
    Ok(Output {
        ok: true,
        enabled: is_enabled,
        path: file.display().to_string(),
        content: content.map(|script| script.content),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn of_two_the_one_that_runs_is_told() {
        let sample = UnitySample::with_scripts();
        sample.write("Scripts/startup.disabled.cs", "return 1;");
        let told = |enabled: bool, name: &str, content: &str| {
            let path = sample.path("Scripts").join(name);
            json!({ "ok": true, "enabled": enabled, "path": path, "content": content })
        };
        let resting = told(false, "startup.disabled.cs", "return 1;");
        assert_eq!(sample.ask(super::TOOL.id, json!({})), resting);
        sample.write("Scripts/startup.cs", "");
        assert_eq!(sample.ask(super::TOOL.id, json!({})), told(true, "startup.cs", ""));
    }
}
