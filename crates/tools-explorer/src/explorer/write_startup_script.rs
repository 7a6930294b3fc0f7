//! The tool `explorer.writeStartupScript`, `WriteStartupScript` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;
use crate::world::scripts::{self, STARTUP};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.writeStartupScript",
    keywords: "code that runs automatically at boot start run autoexec",
    explorer: Some("WriteStartupScript"),
    title: "Write the Startup Script",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Write a startup script",
        input: r#"{ "content": "Debug.Log(1);" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Write the script that runs when the world starts, and switch it on.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The code, at most 256 KB.
    #[schemars(length(max = 4_194_304))]
    content: String,
}

#[expect(
    clippy::disallowed_methods,
    reason = "scripts lie in the folder of the interface, not in the project"
)]
fn run(cx: &Cx, Input { content }: Input) -> Result<Done, ToolError> {
    let folder = scripts::folder(cx)?;
    let [on, off] = STARTUP.map(|name| folder.join(name));
    scripts::write(&on, &content)?;
    match std::fs::remove_file(&off) {
        Err(error) if off.exists() => Err(ToolError::failed(error.to_string())),
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
    fn one_that_rests_goes_only_when_the_new_one_is_written() {
        let sample = UnitySample::with_scripts();
        sample.write("Scripts/startup.disabled.cs", "return 1;");
        let large = "x".repeat(256 * 1024 + 1);
        expect!["BadArguments: Content too large; max 262144 bytes"]
            .assert_eq(&sample.refusal(super::TOOL.id, json!({ "content": large })));
        assert_eq!(sample.read("Scripts/startup.disabled.cs"), "return 1;");
        assert!(!sample.has("Scripts/startup.cs"));
        sample.ask(super::TOOL.id, json!({ "content": "return \"ü\";" }));
        assert_eq!(sample.read("Scripts/startup.cs"), "return \"ü\";");
        assert!(!sample.has("Scripts/startup.disabled.cs"));
    }
}
