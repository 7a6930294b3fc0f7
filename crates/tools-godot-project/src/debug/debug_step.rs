//! The tool `godotDebug.debugStep`, which MCP clients call `debug_step`.

use std::time::Duration;

use scenewright_contract::{Limits, Runs, Safety, ToolError};
use scenewright_live::godot::GameState;
use scenewright_live::godot::dap::Step;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::debug_report::{self as report, How, Report};

pub(crate) const TOOL: Tool = Tool {
    id: "godotDebug.debugStep",
    keywords: "continue resume step over into pause next line debugger go on run until breakpoint",
    mcp: Some("debug_step"),
    title: "Step Godot Game",
    notes: Some(
        "Godot's debugger cannot step out of a function. A pause takes effect at the next line of any script; where none runs within three seconds the answer is `running`.",
    ),
    category: "godot.debug",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Program,
    limits: Limits { timeout: Duration::from_secs(150), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Run the next line",
        input: r#"{ "projectPath": "godot", "how": "into" }"#,
        output: r#"{
            "success": true,
            "state": "stopped",
            "reason": "step",
            "stack": [],
            "lastOutput": []
        }"#,
        varies: &["stack", "locals", "lastOutput"],
    }],
    after: super::GAME_WAITS,
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let a game that waits in the debugger go on, by a line or until it stops again; or make one that
/// runs wait. Answers with the stack and the local variables.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// How to go on.
    how: Wanted,
    /// How many seconds to wait for it to stop; it runs on afterwards.
    #[serde(default = "five")]
    #[schemars(range(min = 0, max = 120))]
    wait: f64,
}

fn five() -> f64 {
    5.0
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Wanted {
    /// Until a breakpoint or an error.
    Continue,
    /// To the next line of this function.
    Over,
    /// To the next line of any function.
    Into,
    /// A game that runs is to wait at the next line of a script.
    Pause,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    #[serde(flatten)]
    report: Report,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    godot.program()?;
    let mut entered = godot.debugged()?;
    let workshop = entered.workshop();
    let root = workshop.root().to_owned();
    let debugging = workshop.debugging.as_mut().expect("a workshop that is debugged has a game");
    // What happened since the last call is heard first.
    let now = report::wait(&godot, debugging, &root, Duration::from_millis(20))?;
    let step = match (input.how, now.state) {
        (_, How::Ended) => return Ok(Output { success: true, report: now }),
        (Wanted::Pause, How::Stopped) => return Ok(Output { success: true, report: now }),
        (Wanted::Pause, How::Running) => {
            let game = debugging.game.clone();
            debugging.dap.pause(cx.cancel(), &|| game.state() != GameState::Running)?;
            let report = report::report(&godot, debugging, &root)?;
            return Ok(Output { success: true, report });
        }
        // It waits to stop; more of it would only confuse the engine.
        (Wanted::Continue, How::Running) => None,
        (Wanted::Over | Wanted::Into, How::Running) => {
            report::must_wait(How::Running)?;
            None
        }
        (Wanted::Continue, How::Stopped) => Some(Step::Continue),
        (Wanted::Over, How::Stopped) => Some(Step::Over),
        (Wanted::Into, How::Stopped) => Some(Step::Into),
    };
    if let Some(step) = step {
        debugging.dap.step(step, cx.cancel())?;
    }
    let time = Duration::from_secs_f64(input.wait.clamp(0.0, 120.0));
    let report = report::wait(&godot, debugging, &root, time)?;
    Ok(Output { success: true, report })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn without_a_game_nothing_goes_on() {
        let sample = GodotSample::new();
        // Whether there is a Godot here or not, nothing is started by this.
        let error = sample.error(super::TOOL.id, json!({ "how": "over" }));
        assert!(
            error.contains("debug_start starts one") || error.contains("GODOT_PATH"),
            "{error}"
        );
    }
}
