//! The tool `runtime.callMethod`: Call Method.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base;
use crate::base::editor::{Editor, not_connected};

pub(crate) const TOOL: Tool = Tool {
    id: "runtime.callMethod",
    argument_aliases: &[("object", "instancePath"), ("node", "instancePath")],
    keywords: "invoke static method reflection run code in the editor execute function while playing play mode",
    title: "Call Method",
    notes: Some(
        "Unity in batch mode calls static methods without parameters, and tells nothing of what they return. Everything else needs a link to a running editor, which this version does not have.",
    ),
    category: "runtime",
    tier: Tier::Tier4,
    safety: Safety::Destructive,
    runs: Runs::AndWrites,
    limits: Limits { timeout: Duration::from_secs(3700), ..Limits::DEFAULT },
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    examples: &[Example {
        description: "Call a static method of the Unity sample",
        input: r#"{ "project": "unity", "typeName": "LanternKeep.GameState", "methodName": "Reset", "dryRun": true }"#,
        output: r#"{ "success": true, "executionTime": 0.0 }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Call a static method of the project without parameters, in Unity's batch mode.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Class with its namespace.
    type_name: String,
    /// Method.
    method_name: String,
    /// Arguments; only without any can it be called in batch mode.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    parameters: Vec<Value>,
    /// Object, for methods of an instance; needs a running editor.
    instance_path: Option<String>,
    /// Seconds after which a run is ended.
    #[serde(default = "usual_timeout")]
    #[schemars(range(min = 1, max = 3600))]
    timeout: u64,
    /// Look for the editor, and run nothing.
    #[serde(default)]
    dry_run: bool,
}

fn usual_timeout() -> u64 {
    600
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Seconds that Unity took.
    execution_time: f64,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    if !input.parameters.is_empty() || input.instance_path.is_some() {
        return Err(not_connected(
            "runtime.callMethod with parameters or an instance",
            "write a static method without parameters that calls it, and call that",
        ));
    }
    let is_name = |text: &str| {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        !text.is_empty()
            && text.split(['.', '+']).all(|part| !part.is_empty() && part.chars().all(is_letter))
    };
    for (argument, name) in [("typeName", &input.type_name), ("methodName", &input.method_name)] {
        if !is_name(name) {
            return Err(ToolError::bad_argument(argument, "must be a name of C#"));
        }
    }
    let editor = Editor::find(project, "runtime.callMethod")?;
    if input.dry_run {
        return Ok(Output { success: true, execution_time: 0.0 });
    }
    let method = format!("{}.{}", input.type_name, input.method_name);
    let arguments = ["-quit".into(), "-executeMethod".into(), method.into()];
    let timeout = Duration::from_secs(input.timeout);
    let done = editor.run(&project.root, &arguments, timeout, cx.cancel())?;
    if done.code != Some(0) {
        let text = format!("Method execution failed: Unity {}", done.how());
        return Err(ToolError::new(ErrorKind::ToolFailed, text)
            .hint("the details have what its log says of errors")
            .detail("log", done.errors()));
    }
    Ok(Output { success: true, execution_time: done.time.as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use scenewright_contract::ErrorKind;
    use serde_json::{Value, json};

    use crate::testing::bench;

    #[test]
    fn what_batch_mode_cannot_call_is_refused() {
        let bench = bench();
        let kind = |more: Value| {
            let mut arguments =
                json!({ "typeName": "Game.Tools", "methodName": "Run", "dryRun": true });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            bench.call(super::TOOL.id, arguments).unwrap_err().kind
        };
        assert_eq!(kind(json!({ "parameters": ["a"] })), ErrorKind::NotReady);
        assert_eq!(kind(json!({ "instancePath": "Player" })), ErrorKind::NotReady);
        assert_eq!(kind(json!({ "methodName": "Run -quit" })), ErrorKind::BadArguments);
        assert_eq!(kind(json!({ "typeName": "Game..Tools" })), ErrorKind::BadArguments);
    }
}
