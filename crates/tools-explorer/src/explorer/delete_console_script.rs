//! The tool `explorer.deleteConsoleScript`, `DeleteConsoleScript` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, scripts};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.deleteConsoleScript",
    explorer: Some("DeleteConsoleScript"),
    title: "Delete a Console Script",
    category: "explorer",
    safety: Safety::Destructive,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Delete a script",
        input: r#"{ "path": "hello.cs" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.writeConsoleScript",
        input: r#"{ "path": "hello.cs", "content": "return 1;" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Delete a script of the interface's Scripts folder.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A `.cs` file in the Scripts folder: a name, or a path inside it.
    path: String,
}

fn run(cx: &Cx, Input { path }: Input) -> Result<Done, ToolError> {
    scripts::delete(&scripts::resolve(&scripts::folder(cx)?, &path)?)?;
    cx.holder().changed("unity://console");
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn only_the_script_that_is_named_goes() {
        let sample = UnitySample::with_scripts();
        for name in ["Scripts/a.cs", "Scripts/b.cs", "outside.cs", "Scripts/folder.cs/b.cs"] {
            sample.write(name, "return 1;");
        }
        sample.ask(super::TOOL.id, json!({ "path": "a.cs" }));
        assert!(!sample.has("Scripts/a.cs") && sample.has("Scripts/b.cs"));
        let refuse = |path: &str| sample.refusal(super::TOOL.id, json!({ "path": path }));
        expect!["EngineError: Not found; there is no script a.cs; did you mean b.cs?"]
            .assert_eq(&refuse("a.cs"));
        expect!["BadArguments: path must stay inside the Scripts folder; use a name such as test.cs, or a path below the folder"].assert_eq(&refuse("../outside.cs"));
        let folder = refuse("folder.cs");
        assert!(folder.starts_with("ToolFailed: "), "{folder}");
        assert!(sample.has("outside.cs") && sample.has("Scripts/folder.cs/b.cs"));
    }
}
