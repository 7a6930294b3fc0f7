//! The tool `godotDebug.debugStart`, which MCP clients call `debug_start`.

use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_live::godot::GameState;
use scenewright_live::godot::dap::Dap;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{Debugging, Workshop};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, start_scene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::debug_report::{self as report, Breakpoint, Lines, Report};

/// A game connects to its debugger before it loads anything.
const CONNECT_TIME: Duration = Duration::from_secs(30);
/// So many arguments may be given to the game.
const MAX_ARGUMENTS: usize = 64;

pub(crate) const TOOL: Tool = Tool {
    id: "godotDebug.debugStart",
    keywords: "debugger breakpoint stop at line pause execution step through code why is it null inspect runtime error exception game",
    mcp: Some("debug_start"),
    title: "Debug Godot Game",
    notes: Some(
        "Runs the project's code, without a window, in a temporary copy of the project beside a headless editor of the server's own; the editor takes some seconds to start and is kept for ten minutes. Errors in scripts stop the game, too. The game ends with the server, with stop_project and with the next game.",
    ),
    category: "godot.debug",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Program,
    limits: Limits { timeout: Duration::from_secs(400), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Stop where the main scene counts its coins",
        input: r#"{ "projectPath": "godot", "breakpoints": [{ "scriptPath": "scripts/main.gd", "line": 17 }] }"#,
        output: r#"{
            "success": true,
            "scene": "res://scenes/main.tscn",
            "pid": 4711,
            "state": "stopped",
            "reason": "breakpoint",
            "stack": [{ "function": "_ready", "file": "res://scripts/main.gd", "line": 17 }],
            "lastOutput": []
        }"#,
        varies: &["pid", "lastOutput"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Start the game, or one scene of it, under the debugger and wait until it stops at a breakpoint or
/// an error. A game that still runs is ended first.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The scene to run; the main scene by default.
    scene: Option<String>,
    /// Lines to stop at.
    #[serde(default)]
    #[schemars(length(max = 200))]
    breakpoints: Vec<Breakpoint>,
    /// What the game finds in OS.get_cmdline_user_args().
    #[serde(default)]
    #[schemars(length(max = 64))]
    arguments: Vec<String>,
    /// How many seconds to wait for it to stop; it runs on afterwards.
    #[serde(default = "ten")]
    #[schemars(range(min = 0, max = 120))]
    wait: f64,
}

fn ten() -> f64 {
    10.0
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene that it was started with.
    scene: String,
    /// The id of its process.
    pid: u32,
    #[serde(flatten)]
    report: Report,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let (_, scene) = start_scene(&godot, input.scene.as_deref())?;
    let lines = Lines::checked(&godot, &input.breakpoints)?;
    let mut entered = godot.workshop()?;
    let workshop = entered.workshop();
    let root = workshop.root().to_owned();
    let started = start(&godot, workshop, &scene, &lines, &input.arguments)?;
    let debugging = workshop.debugging.insert(started);
    let pid = debugging.game.id;
    let time = Duration::from_secs_f64(input.wait.clamp(0.0, 120.0));
    let report = report::wait(&godot, debugging, &root, time)?;
    Ok(Output { success: true, scene, pid, report })
}

fn start(
    godot: &Godot<'_>,
    workshop: &mut Workshop,
    scene: &str,
    lines: &Lines,
    arguments: &[String],
) -> Result<Debugging, ToolError> {
    let cancel = godot.cx.cancel();
    // A new connection has no breakpoints, whatever the last one left.
    workshop.debugging = None;
    godot.godot.games.end();
    let editor = workshop.editor();
    let mut dap = Dap::connect(editor.dap_port, editor.root(), cancel)?;
    let until = Instant::now() + CONNECT_TIME;
    while dap.attach(cancel)? {
        // The game before is still on its way out.
        if Instant::now() >= until || cancel.wait(Duration::from_millis(50)) {
            return Err(ToolError::new(ErrorKind::NotReady, "the game before does not end"));
        }
    }
    report::set_breakpoints(godot, &mut dap, editor.root(), lines, &Lines::default())?;
    let mut command = godot.program()?.headless(editor.root());
    command.args(["--remote-debug", &format!("tcp://127.0.0.1:{}", editor.game_port)]);
    if !lines.0.is_empty() {
        // What the editor sends a game comes too late for its first lines.
        command.args(["--breakpoints", &lines.option()]);
    }
    command.arg(scene).arg("--").args(arguments.iter().take(MAX_ARGUMENTS));
    let (game, _) = godot.godot.games.start(command, Some(scene.to_owned()))?;
    let is_over = || game.state() != GameState::Running;
    let until = Instant::now() + CONNECT_TIME;
    if !dap.attached(until, cancel, &is_over)? && !is_over() {
        game.end();
        return Err(ToolError::new(ErrorKind::NotReady, "the game did not reach its debugger"));
    }
    Ok(Debugging { dap, game })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_line_that_never_stops_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        let refuse = |script: &str, line: usize| {
            let breakpoint = json!({ "scriptPath": script, "line": line });
            sample.error(super::TOOL.id, json!({ "breakpoints": [breakpoint] }))
        };
        assert_eq!(
            refuse("scripts/main.gd", 2),
            "line 2 of scripts/main.gd has no statement to stop at; line 8 has one"
        );
        assert_eq!(refuse("scripts/main.gd", 900), "scripts/main.gd has 47 lines; line 47 has one");
        assert!(refuse("scripts/no.gd", 1).starts_with("script not found: scripts/no.gd"));
        assert!(refuse("icon.svg", 1).starts_with("icon.svg is no GDScript"));
    }
}
