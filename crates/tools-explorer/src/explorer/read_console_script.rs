//! The tool `explorer.readConsoleScript`, `ReadConsoleScript` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::scripts::{self, ScriptFile};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.readConsoleScript",
    explorer: Some("ReadConsoleScript"),
    title: "Read a Console Script",
    category: "explorer",
    examples: &[Example {
        description: "Read a script",
        input: r#"{ "path": "hello.cs" }"#,
        output: r#"{ "Name": "hello.cs", "Path": "", "Content": "", "SizeBytes": 0, "LastModifiedUtc": "", "Truncated": false }"#,
        varies: &["Path", "Content", "SizeBytes", "LastModifiedUtc"],
    }],
    after: &[Earlier {
        tool: "explorer.writeConsoleScript",
        input: r#"{ "path": "hello.cs", "content": "return 1;" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<ScriptFile>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a script of the interface's Scripts folder.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A `.cs` file in the Scripts folder: a name, or a path inside it.
    path: String,
}

fn run(cx: &Cx, Input { path }: Input) -> Result<ScriptFile, ToolError> {
    scripts::read(&scripts::resolve(&scripts::folder(cx)?, &path)?)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn scripts_that_are_not_there() {
        let sample = UnitySample::with_scripts();
        sample.write("Scripts/folder.cs/inside.txt", "");
        sample.write("secret.cs", "");
        let refuse = |path: &str| sample.refusal(super::TOOL.id, json!({ "path": path }));
        expect![
            "EngineError: Not found; there is no script none.cs; WriteConsoleScript makes scripts"
        ]
        .assert_eq(&refuse("none.cs"));
        expect![
            "EngineError: Not found; there is no script folder.cs; WriteConsoleScript makes scripts"
        ]
        .assert_eq(&refuse("folder.cs"));
        expect!["BadArguments: Only .cs files are allowed"]
            .assert_eq(&refuse("folder.cs/inside.txt"));
        expect!["BadArguments: path must stay inside the Scripts folder; use a name such as test.cs, or a path below the folder"].assert_eq(&refuse("../secret.cs"));
        expect!["BadArguments: path is required"].assert_eq(&refuse("  "));
    }

    #[test]
    fn without_a_folder_there_are_no_scripts() {
        let refusal = UnitySample::new().refusal(super::TOOL.id, json!({ "path": "a.cs" }));
        expect!["NotReady: NotReady: no Scripts folder is set; start the server with --explorer-home and a folder for it"].assert_eq(&refusal);
    }
}
