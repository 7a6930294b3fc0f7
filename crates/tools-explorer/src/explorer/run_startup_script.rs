//! The tool `explorer.runStartupScript`, `RunStartupScript` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CONSOLE;
use crate::world::scripts::{self, STARTUP};
use crate::world::{InWorld, console};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.runStartupScript",
    explorer: Some("RunStartupScript"),
    title: "Run the Startup Script",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: CONSOLE,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Run the startup script",
        input: r#"{}"#,
        output: r#"{ "ok": true, "result": "1", "path": "" }"#,
        varies: &["path"],
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

/// Run the startup script in the world now, whether it is switched on or not.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// What the code returned, as text.
    result: String,
    /// The script that ran.
    path: String,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    let folder = scripts::folder(cx)?;
    let files = STARTUP.map(|name| folder.join(name));
    let file = files.iter().find(|file| file.is_file());
    let file = file.ok_or_else(|| ToolError::new(ErrorKind::EngineError, "Not found"))?;
    let script = scripts::read(file)?;
    let given = cx.world(|world| console::run(cx, world, &script.content))?;
    Ok(Output { ok: true, result: given.result, path: script.path })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn of_two_the_one_that_is_on_runs() {
        let sample = UnitySample::with_scripts();
        expect!["EngineError: Not found"].assert_eq(&sample.refusal(super::TOOL.id, json!({})));
        let run = || sample.ask(super::TOOL.id, json!({}))["result"].clone();
        sample.write("Scripts/startup.disabled.cs", "return \"off\";");
        assert_eq!(run(), "off");
        sample.write("Scripts/startup.cs", "return \"on\";");
        assert_eq!(run(), "on");
        sample.write("Scripts/startup.cs", "return nothing;");
        expect![[r#"
            BadArguments: Unable to compile the code. Evaluator's last output was:
            (1,8): error CS0103: the name 'nothing' does not exist here; declare it, or find the object with GameObject.Find"#]].assert_eq(&sample.refusal(super::TOOL.id, json!({})));
    }
}
