//! The tool `explorer.runConsoleScript`, `RunConsoleScript` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::CONSOLE;
use crate::world::console::{self, Given};
use crate::world::{InWorld, scripts};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.runConsoleScript",
    explorer: Some("RunConsoleScript"),
    title: "Run a Console Script",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: CONSOLE,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Run a script",
        input: r#"{ "path": "hello.cs" }"#,
        output: r#"{ "ok": true, "result": "1" }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.writeConsoleScript",
        input: r#"{ "path": "hello.cs", "content": "return 1;" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Given>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run a script of the interface's Scripts folder in the world.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A `.cs` file in the Scripts folder: a name, or a path inside it.
    path: String,
}

fn run(cx: &Cx, Input { path }: Input) -> Result<Given, ToolError> {
    let script = scripts::read(&scripts::resolve(&scripts::folder(cx)?, &path)?)?;
    if script.truncated {
        let message = format!("Content too large; max {} bytes", scripts::MAX_BYTES);
        return Err(ToolError::new(ErrorKind::BadArguments, message));
    }
    cx.world(|world| console::run(cx, world, &script.content))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn half_a_script_does_not_run() {
        let sample = UnitySample::with_scripts();
        let code = "GameObject.Find(\"Player\").SetActive(false);\n";
        let filling = format!("//{}\n", "x".repeat(256 * 1024));
        sample.write("Scripts/large.cs", &format!("{code}{filling}"));
        let refuse = |path: &str| sample.refusal(super::TOOL.id, json!({ "path": path }));
        expect!["BadArguments: Content too large; max 262144 bytes"].assert_eq(&refuse("large.cs"));
        assert_eq!(sample.ask("explorer.getObject", json!({ "id": PLAYER }))["Active"], true);
        expect!["EngineError: Not found; there is no script none.cs; there is large.cs"]
            .assert_eq(&refuse("none.cs"));
    }

    #[test]
    fn the_place_of_an_error_is_that_in_the_file() {
        let sample = UnitySample::with_scripts();
        sample.write("Scripts/bad.cs", "\u{feff}// Größe\r\nreturn 1 +;\r\n");
        let error = sample.call(super::TOOL.id, json!({ "path": "bad.cs" })).unwrap_err();
        assert_eq!((&error.details["line"], &error.details["column"]), (&json!(2), &json!(11)));
    }
}
