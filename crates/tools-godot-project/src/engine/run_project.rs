//! The tool `godotEngine.runProject`, which MCP clients call `run_project`.

use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_live::godot::{
    Game, GameState, MessageKind, Repeated, StreamName, Tally, has_screen, no_screen,
};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, start_scene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A game that cannot start says so within this time.
const FIRST_LOOK: Duration = Duration::from_secs(2);
/// What a game says is read so often while it runs; only the last 10,000 lines are kept for it.
const NEXT_LOOK: Duration = Duration::from_millis(100);
/// So many different messages are returned.
const MAX_PROBLEMS: usize = 50;
/// So many lines of output are returned, of this length at most.
const LAST_LINES: usize = 30;
const MAX_TEXT: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.runProject",
    keywords: "run play start the game for some seconds test errors warnings execute headless launch smoke runtime crash debug f5 scene crashes try out",
    mcp: Some("run_project"),
    title: "Run Godot Project",
    notes: Some(
        "Runs the project's code on the machine of the server. One game runs at a time; it ends with the server.",
    ),
    category: "godot.engine",
    lean: true,
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Program,
    limits: Limits { timeout: Duration::from_secs(150), ..Limits::DEFAULT },
    examples: &[
        Example {
            description: "Run the level for two seconds and see what goes wrong",
            input: r#"{ "projectPath": "godot", "scene": "res://scenes/level.tscn", "headless": true, "seconds": 2 }"#,
            output: r#"{
            "success": true,
            "running": false,
            "pid": 4711,
            "scene": "res://scenes/level.tscn",
            "headless": true,
            "replaced": false,
            "dryRun": false,
            "report": {
                "clean": true,
                "seconds": 2.0,
                "errorCount": 0,
                "warningCount": 0,
                "problems": [],
                "more": 0,
                "lastOutput": []
            }
        }"#,
            varies: &["pid", "report"],
        },
        Example {
            description: "Run one scene without a window",
            input: r#"{ "projectPath": "godot", "scene": "res://scenes/level.tscn", "headless": true }"#,
            output: r#"{
            "success": true,
            "running": true,
            "pid": 4711,
            "scene": "res://scenes/level.tscn",
            "headless": true,
            "replaced": false,
            "dryRun": false
        }"#,
            varies: &["pid"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run the game (play), or one scene of it. With `seconds` it runs that long, is ended, and its errors and
/// warnings come back, each once with its place and count; without, it runs on and get_debug_output
/// reads what it prints. A game that still runs is ended first. Needs a server with --allow-runs.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The scene to run; the main scene by default.
    scene: Option<String>,
    /// Run without a window; by default where there is no screen.
    headless: Option<bool>,
    /// Run it so many seconds, end it, and tell what went wrong; it runs on by default.
    #[schemars(range(min = 0.1, max = 120))]
    seconds: Option<f64>,
    /// Let every frame last exactly 1/N seconds for the game, whatever the machine does: the same run
    /// each time, as far as the game draws no lots.
    #[schemars(range(min = 1, max = 1000))]
    fixed_fps: Option<u32>,
    /// Where random numbers begin, for a project with the addon.
    seed: Option<i64>,
    /// Tell what would be run instead of running it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether it still runs two seconds later; never with `seconds`.
    running: bool,
    /// The id of its process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// The code that it ended with, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// The scene; absent for the main scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<String>,
    /// Whether it has no window.
    headless: bool,
    /// Whether a game that ran before was ended.
    replaced: bool,
    /// Whether this was only tried.
    dry_run: bool,
    /// What came of a run of some seconds, or of one that was over at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Report {
    /// Whether it reported no error, and did not end by itself with another code than 0.
    clean: bool,
    /// How long it ran.
    seconds: f64,
    /// How many errors there were, repeats counted.
    error_count: usize,
    /// How many warnings there were, repeats counted.
    warning_count: usize,
    /// Errors, then warnings, each once in the order they came first; at most 50.
    problems: Vec<Problem>,
    /// How many different ones are left out.
    more: usize,
    /// The last lines that it printed, at most 30; get_debug_output has the others.
    last_output: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Problem {
    /// How bad it is.
    #[serde(rename = "type")]
    kind: MessageKind,
    /// What the engine says.
    message: String,
    /// The place as `res://file:line`; in the engine's own source where no script is behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// How often it came.
    count: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let (scene, start) = start_scene(&godot, input.scene.as_deref())?;
    let program = godot.program()?;
    godot.warn_unless_imported();
    let headless = input.headless.unwrap_or_else(|| !has_screen());
    let mut output = Output {
        success: true,
        running: false,
        pid: None,
        exit_code: None,
        scene: scene.clone(),
        headless,
        replaced: false,
        dry_run: input.dry_run,
        report: None,
    };
    if input.dry_run {
        return Ok(output);
    }
    let mut command = match headless {
        true => program.headless(&godot.project.root),
        false => program.on(&godot.project.root),
    };
    command.arg(start);
    if let Some(fps) = input.fixed_fps {
        command.arg("--fixed-fps").arg(fps.to_string());
    }
    if let Some(seed) = input.seed {
        // Without its autoload nobody would begin there.
        if !godot.exists(&godot.path("addons/scenewright/runtime.gd")?) {
            return Err(ToolError::new(
                ErrorKind::NotReady,
                "a seed needs the addon in the project",
            )
            .hint("install_godot_addon puts it there"));
        }
        command.arg("--").arg(format!("--scenewright-seed={seed}"));
    }
    let (game, replaced) = godot.godot.games.start(command, scene)?;
    output.pid = Some(game.id);
    output.replaced = replaced;
    if let Some(seconds) = input.seconds {
        let report = watch(cx, &game, Duration::from_secs_f64(seconds))?;
        output.exit_code = report.1;
        output.report = Some(report.0);
        return Ok(output);
    }
    match game.wait(FIRST_LOOK, cx.cancel()) {
        GameState::Running => output.running = true,
        GameState::Ended(Some(0)) => {
            // The engine ends with 0 whatever went wrong.
            game.output.settle(Duration::from_secs(1));
            let mut heard = Heard::default();
            heard.listen(&game);
            output.exit_code = Some(0);
            output.report = Some(heard.report(cx, game.age().as_secs_f64(), true));
        }
        GameState::Ended(code) => return Err(failed(&game, code)),
    }
    Ok(output)
}

/// Run a game for some time, end it, and tell what it said; with the code that it ended with, if it
/// did so by itself.
fn watch(cx: &Cx, game: &Game, time: Duration) -> Result<(Report, Option<i32>), ToolError> {
    let until = Instant::now() + time;
    let mut heard = Heard::default();
    let state = loop {
        let left = until.saturating_duration_since(Instant::now());
        let state = game.wait(left.min(NEXT_LOOK), cx.cancel());
        heard.listen(game);
        if cx.cancel().is_cancelled() {
            game.end();
            return Err(ToolError::cancelled());
        }
        if state != GameState::Running || left.is_zero() {
            break state;
        }
        let said = heard.last_output.iter().rfind(|line| !line.is_empty());
        let said = said.map_or("seconds of the game", |line| line.as_str());
        cx.progress(game.age().as_secs_f64(), Some(time.as_secs_f64()), said);
    };
    let seconds = game.age().as_secs_f64();
    game.end();
    game.output.settle(Duration::from_secs(1));
    heard.listen(game);
    let code = match state {
        GameState::Ended(code) => code,
        GameState::Running => None,
    };
    if let GameState::Ended(_) = state
        && let Some(error) = no_screen(&heard.last_errors.join("\n"))
    {
        return Err(error);
    }
    let is_well = matches!(state, GameState::Running | GameState::Ended(Some(0)));
    Ok((heard.report(cx, seconds, is_well), code))
}

/// What a game has said so far.
#[derive(Default)]
struct Heard {
    cursor: u64,
    /// Lines that came faster than they were read.
    lost: u64,
    tally: Tally,
    last_output: Vec<String>,
    last_errors: Vec<String>,
}

impl Heard {
    fn listen(&mut self, game: &Game) {
        let lines = game.output.since(self.cursor);
        let Some(newest) = lines.last().map(|line| line.number) else { return };
        self.lost += newest - self.cursor - lines.len() as u64;
        self.cursor = newest;
        for line in lines {
            let last = match line.stream {
                StreamName::Stdout => &mut self.last_output,
                StreamName::Stderr => {
                    self.tally.line(&line.text);
                    &mut self.last_errors
                }
            };
            if last.len() == LAST_LINES {
                last.remove(0);
            }
            last.push(cut(&line.text));
        }
    }

    fn report(self, cx: &Cx, seconds: f64, is_well: bool) -> Report {
        if self.lost > 0 {
            cx.diagnose(format!(
                "{} lines came faster than they could be read; counts are lower bounds",
                self.lost
            ));
        }
        let (mut found, beyond) = self.tally.end();
        found.sort_by_key(|Repeated { message, .. }| message.kind == MessageKind::Warning);
        let count = |kind| {
            let own = found.iter().filter(|repeated| repeated.message.kind == kind);
            own.map(|repeated| repeated.count).sum()
        };
        Report {
            clean: is_well && found.iter().all(|one| one.message.kind != MessageKind::Error),
            seconds: (seconds * 10.0).round() / 10.0,
            error_count: count(MessageKind::Error),
            warning_count: count(MessageKind::Warning),
            more: found.len().saturating_sub(MAX_PROBLEMS) + beyond,
            last_output: self.last_output,
            problems: found.into_iter().take(MAX_PROBLEMS).map(problem).collect(),
        }
    }
}

fn problem(Repeated { message, count }: Repeated) -> Problem {
    let place = message.file.map(|file| match message.line {
        Some(line) => format!("{file}:{line}"),
        None => file,
    });
    Problem { kind: message.kind, message: cut(&message.text), place, count }
}

fn cut(text: &str) -> String {
    match text.len() <= MAX_TEXT {
        true => text.to_owned(),
        false => format!("{}…", &text[..text.floor_char_boundary(MAX_TEXT)]),
    }
}

fn failed(game: &Game, code: Option<i32>) -> ToolError {
    game.output.settle(Duration::from_secs(1));
    let errors: Vec<String> = game
        .output
        .since(0)
        .into_iter()
        .filter(|line| line.stream == StreamName::Stderr)
        .map(|line| line.text)
        .collect();
    let words = errors[errors.len().saturating_sub(20)..].join("\n");
    if let Some(error) = no_screen(&errors.join("\n")) {
        return error;
    }
    let how = code.map_or("was ended".to_owned(), |code| format!("ended with code {code}"));
    ToolError::failed(format!("the game {how} at once:\n{words}"))
        .hint("get_debug_output has all that it said")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[cfg(unix)]
    #[test]
    fn errors_count_although_the_game_ends_with_zero() {
        use std::process::{Command, Stdio};

        use super::*;

        let sample = GodotSample::new();
        let run = |script: &str| {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", script]).stdin(Stdio::null());
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let games = scenewright_live::godot::Games::default();
            let (game, _) = games.start(command, None).unwrap();
            let call = scenewright_contract::Call::new("", scenewright_contract::JsonMap::new());
            let cx = Cx::new(sample.runner().clone(), call, Limits::DEFAULT);
            let (report, code) = watch(&cx, &game, Duration::from_secs(60)).unwrap();
            (report.clean, report.error_count > 0, code)
        };
        assert_eq!(run("echo fine"), (true, false, Some(0)));
        assert_eq!(run("echo 'ERROR: no' >&2; exit 0"), (false, true, Some(0)));
        assert_eq!(run("exit 3"), (false, false, Some(3)));
        assert_eq!(run("kill -SEGV $$"), (false, false, None));
        // A flood neither fills the memory nor hides what it is about.
        let flood = "yes 'ERROR: again' | head -n 1000000 >&2";
        assert_eq!(run(flood), (false, true, Some(0)));
    }

    #[test]
    fn what_is_not_there_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        let error = sample.error(super::TOOL.id, json!({ "scene": "nope.tscn" }));
        assert_eq!(
            error,
            "scene not found: nope.tscn; list_scenes shows the scenes of the project"
        );
        sample.write("project.godot", "config_version=5\n");
        let error = sample.error(super::TOOL.id, json!({}));
        assert_eq!(
            error,
            "the project has no main scene; give a scene, or set application/run/main_scene"
        );
    }
}
