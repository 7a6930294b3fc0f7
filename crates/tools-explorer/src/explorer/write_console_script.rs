//! The tool `explorer.writeConsoleScript`, `WriteConsoleScript` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, scripts};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.writeConsoleScript",
    keywords: "save cs script snippet",
    explorer: Some("WriteConsoleScript"),
    title: "Write a Console Script",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Write a script",
        input: r#"{ "path": "mcp-test.cs", "content": "return 123;" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Write a script into the interface's Scripts folder; one of that name is replaced.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A `.cs` file in the Scripts folder: a name, or a path inside it.
    path: String,
    /// The code, at most 256 KB.
    #[schemars(length(max = 4_194_304))]
    content: String,
}

fn run(cx: &Cx, Input { path, content }: Input) -> Result<Done, ToolError> {
    scripts::write(&scripts::resolve(&scripts::folder(cx)?, &path)?, &content)?;
    cx.holder().changed("unity://console");
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn what_is_refused_is_not_written() {
        let sample = UnitySample::with_scripts();
        sample.ask(super::TOOL.id, json!({ "path": "a.cs", "content": "return 1;" }));
        let refuse = |path: &str, content: &str| {
            sample.refusal(super::TOOL.id, json!({ "path": path, "content": content }))
        };
        expect!["BadArguments: Content too large; max 262144 bytes"]
            .assert_eq(&refuse("a.cs", &"x".repeat(256 * 1024 + 1)));
        assert_eq!(sample.read("Scripts/a.cs"), "return 1;");
        expect!["BadArguments: path must stay inside the Scripts folder; use a name such as test.cs, or a path below the folder"].assert_eq(&refuse("../b.cs", ""));
        expect!["BadArguments: Only .cs files are allowed"].assert_eq(&refuse("a.cs.txt", ""));
        assert!(!sample.has("b.cs") && !sample.has("Scripts/a.cs.txt"));
    }

    #[test]
    fn folders_on_the_way_are_made() {
        let sample = UnitySample::with_scripts();
        sample.ask(super::TOOL.id, json!({ "path": "tür/a.CS", "content": "" }));
        assert_eq!(sample.read("Scripts/tür/a.CS"), "");
    }
}
