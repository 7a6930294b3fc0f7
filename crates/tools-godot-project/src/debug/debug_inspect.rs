//! The tool `godotDebug.debugInspect`, which MCP clients call `debug_inspect`.

use std::time::Duration;

use scenewright_contract::{Limits, Runs, Safety, ToolError};
use scenewright_live::godot::dap::{Dap, Variable};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::debug_report::{self as report, Report, Value};

pub(crate) const TOOL: Tool = Tool {
    id: "godotDebug.debugInspect",
    keywords: "breakpoint value of variable variables locals members stack evaluate expression watch value of self object properties debugger look at",
    mcp: Some("debug_inspect"),
    title: "Inspect Godot Game",
    notes: Some(
        "Expressions are those of Godot's Expression class: no assignments; calls do have their effects. Names are those of the function, the script and its autoloads.",
    ),
    category: "godot.debug",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Program,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[Example {
        description: "What the script holds, and the value of an expression",
        input: r#"{ "projectPath": "godot", "evaluate": ["goal_radius * 2", "nope"] }"#,
        output: r#"{
            "success": true,
            "state": "stopped",
            "reason": "breakpoint",
            "stack": [{ "function": "_ready", "file": "res://scripts/main.gd", "line": 17 }],
            "lastOutput": [],
            "members": [],
            "values": [
                { "expression": "goal_radius * 2", "value": "80.0", "type": "float" },
                { "expression": "nope", "problem": "the engine cannot evaluate it here" }
            ]
        }"#,
        varies: &["members", "lastOutput"],
    }],
    after: super::GAME_WAITS,
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Look into a game that waits in the debugger: the stack, the variables of one of its functions, and
/// the values of expressions there.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Which function of the stack; 0 is the innermost.
    #[serde(default)]
    frame: usize,
    /// Expressions to evaluate: `player.position`, `get_child_count()`.
    #[serde(default)]
    #[schemars(length(max = 32))]
    evaluate: Vec<String>,
    /// Expressions whose value is to be taken apart: properties of an object, items of a list.
    #[serde(default)]
    #[schemars(length(max = 8))]
    expand: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    #[serde(flatten)]
    report: Report,
    /// The variables of the script in that frame.
    members: Vec<Value>,
    /// What was asked for, in that order.
    values: Vec<Evaluated>,
}

#[derive(Serialize, JsonSchema)]
struct Evaluated {
    /// The expression.
    expression: String,
    /// Its value in the engine's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Its type, where the engine tells.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    kind: String,
    /// What is in it, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inside: Vec<Value>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'static str>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    godot.program()?;
    let mut entered = godot.debugged()?;
    let workshop = entered.workshop();
    let root = workshop.root().to_owned();
    let debugging = workshop.debugging.as_mut().expect("a workshop that is debugged has a game");
    let mut report = report::wait(&godot, debugging, &root, Duration::from_millis(20))?;
    report::must_wait(report.state)?;
    let dap = &mut debugging.dap;
    let frames = dap.stack(cx.cancel())?;
    let Some(frame) = frames.get(input.frame) else {
        let problem = format!("is not on the stack, which has {} functions", frames.len());
        return Err(ToolError::bad_argument("frame", &problem));
    };
    if input.frame > 0 {
        report.locals = report::scope(&godot, dap, frame.id, "Locals")?;
    }
    let members = report::scope(&godot, dap, frame.id, "Members")?;
    let mut values = Vec::new();
    let wanted = input.evaluate.into_iter().map(|expression| (expression, false));
    for (expression, opens) in wanted.chain(input.expand.into_iter().map(|one| (one, true))) {
        let found = dap.evaluate(&expression, frame.id, cx.cancel())?;
        let inside = match &found {
            Some(value) if opens => inside(&godot, dap, value)?,
            _ => Vec::new(),
        };
        values.push(evaluated(expression, found, inside));
    }
    Ok(Output { success: true, report, members, values })
}

fn evaluated(expression: String, found: Option<Variable>, inside: Vec<Value>) -> Evaluated {
    match found.as_ref().map(Value::of) {
        Some(value) => Evaluated {
            expression,
            value: Some(value.value),
            kind: value.kind,
            inside,
            problem: None,
        },
        None => Evaluated {
            expression,
            value: None,
            kind: String::new(),
            inside,
            problem: Some("the engine cannot evaluate it here"),
        },
    }
}

/// What is in a value. The properties of an object come by class, so one level more is told of them.
fn inside(godot: &Godot<'_>, dap: &mut Dap, value: &Variable) -> Result<Vec<Value>, ToolError> {
    if value.inside == 0 {
        return Ok(Vec::new());
    }
    let cancel = godot.cx.cancel();
    let found = dap.variables(value.inside, cancel)?;
    let is_object = value.value.starts_with("<EncodedObjectAsID#");
    let mut told = report::values(godot, &found);
    for (own, found) in told.iter_mut().zip(&found).filter(|_| is_object) {
        if found.inside != 0 {
            own.inside = report::values(godot, &dap.variables(found.inside, cancel)?);
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_says_why_and_null_is_a_value() {
        let null =
            Variable { name: "0".into(), value: "<null>".into(), kind: String::new(), inside: 0 };
        let null = evaluated("x".into(), Some(null), Vec::new());
        assert_eq!((null.value.as_deref(), null.problem), (Some("<null>"), None));
        let none = evaluated("x".into(), None, Vec::new());
        assert!(none.value.is_none() && none.problem.is_some());
    }
}
