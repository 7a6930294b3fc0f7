//! How a game under the debugger is, as tools tell it.

use std::path::Path;
use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::dap::{Dap, Frame, State, Variable};
use scenewright_live::godot::{GameState, StreamName};
use scenewright_tools_godot::base::Godot;
use scenewright_tools_godot::base::program::{Debugging, check_breakpoint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many functions of a stack are told.
const MAX_FRAMES: usize = 50;
/// So many variables of a kind are told.
const MAX_VARIABLES: usize = 100;
/// So much of a value is told.
const MAX_VALUE: usize = 500;
/// So many lines of output are told.
const MAX_LINES: usize = 20;

/// A line to stop at.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Breakpoint {
    /// The script: `res://player.gd`, or the path from the project's root.
    script_path: String,
    /// The line, from 1; it must have a statement.
    #[schemars(range(min = 1))]
    line: usize,
}

/// How a game is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum How {
    /// It runs.
    Running,
    /// It waits.
    Stopped,
    /// It is over.
    Ended,
}

/// How a game under the debugger is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    /// How it is.
    pub(crate) state: How,
    /// Why it waits: `breakpoint`, `step`, `exception` or `paused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The words of the error that stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The code that it ended with by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// The functions that are being run, the innermost first; at most 50.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<Place>,
    /// The local variables of the innermost function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) locals: Vec<Value>,
    /// The last lines that it printed, at most 20; get_debug_output has all.
    last_output: Vec<String>,
}

/// A function that is being run.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Place {
    /// The function.
    function: String,
    /// Its script.
    file: String,
    /// The line, from 1.
    line: usize,
}

/// A value with a name.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Value {
    /// The name.
    pub(crate) name: String,
    /// The value in the engine's words.
    pub(crate) value: String,
    /// Its type, where the engine tells.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub(crate) kind: String,
    /// What is in it, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) inside: Vec<Value>,
}

impl Value {
    /// As the debugger tells it.
    pub(crate) fn of(variable: &Variable) -> Self {
        // The number of an object that stands for another is of no use to anybody.
        let is_object = variable.value.starts_with("<EncodedObjectAsID#");
        let text = if is_object { "<Object>" } else { &variable.value };
        let cut = text.floor_char_boundary(MAX_VALUE.min(text.len()));
        let value = match cut < text.len() {
            true => format!("{}…", &text[..cut]),
            false => text.to_owned(),
        };
        Self { name: variable.name.clone(), value, kind: variable.kind.clone(), inside: Vec::new() }
    }
}

/// Set these breakpoints and no others. All are checked before any is set.
pub(crate) fn set_breakpoints(
    godot: &Godot<'_>,
    dap: &mut Dap,
    root: &Path,
    lines: &Lines,
    before: &Lines,
) -> Result<(), ToolError> {
    let gone = before.0.iter().filter(|(script, _)| lines.0.iter().all(|(own, _)| own != script));
    let gone = gone.map(|(script, _)| (script, &[][..]));
    let now = lines.0.iter().map(|(script, lines)| (script, &lines[..]));
    for (script, lines) in gone.chain(now) {
        dap.set_breakpoints(&root.join(script), lines, godot.cx.cancel())?;
    }
    Ok(())
}

/// Breakpoints by script, from the project's root.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines(pub(super) Vec<(String, Vec<usize>)>);

impl Lines {
    /// What a caller asks for, each line one that the engine can stop at.
    pub(crate) fn checked(godot: &Godot<'_>, wanted: &[Breakpoint]) -> Result<Self, ToolError> {
        let mut lines = Self::default();
        for one in wanted {
            let script = godot.open_script(&one.script_path)?;
            check_breakpoint(&script, one.line)?;
            let path = script.path.to_string();
            match lines.0.iter_mut().find(|(known, _)| *known == path) {
                Some((_, known)) => known.push(one.line),
                None => lines.0.push((path, vec![one.line])),
            }
        }
        Ok(lines)
    }

    /// As the engine's option `--breakpoints` takes them.
    pub(crate) fn option(&self) -> String {
        let one = |(script, lines): &(String, Vec<usize>)| {
            lines.iter().map(|line| format!("res://{script}:{line}")).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(one).collect::<Vec<_>>().join(",")
    }
}

/// Wait for the game to stop or to end, then tell how it is.
pub(crate) fn wait(
    godot: &Godot<'_>,
    debugging: &mut Debugging,
    root: &Path,
    time: Duration,
) -> Result<Report, ToolError> {
    let Debugging { dap, game } = debugging;
    let is_over = || game.state() != GameState::Running;
    let until = Instant::now() + time;
    while *dap.state() == State::Running && Instant::now() < until {
        let look = until.min(Instant::now() + Duration::from_millis(500));
        dap.wait(look, godot.cx.cancel(), &is_over)?;
        godot.cx.progress(game.age().as_secs_f64(), None, "seconds of the game");
    }
    report(godot, debugging, root)
}

/// Tell how the game is.
pub(crate) fn report(
    godot: &Godot<'_>,
    debugging: &mut Debugging,
    root: &Path,
) -> Result<Report, ToolError> {
    let Debugging { dap, game } = debugging;
    let mut report = Report {
        state: How::Running,
        reason: None,
        error: None,
        exit_code: None,
        stack: Vec::new(),
        locals: Vec::new(),
        last_output: Vec::new(),
    };
    match (game.state(), dap.state().clone()) {
        (GameState::Ended(code), _) => {
            game.output.settle(Duration::from_millis(500));
            (report.state, report.exit_code) = (How::Ended, code);
        }
        (GameState::Running, State::Stopped(stop)) => {
            report.state = How::Stopped;
            report.reason = Some(stop.reason);
            report.error = Some(stop.text).filter(|text| !text.is_empty());
            let frames = dap.stack(godot.cx.cancel())?;
            if let Some(frame) = frames.first() {
                report.locals = scope(godot, dap, frame.id, "Locals")?;
            }
            report.stack =
                frames.into_iter().take(MAX_FRAMES).map(|one| place(one, root)).collect();
        }
        (GameState::Running, _) => {}
    }
    let lines = game.output.since(0);
    let said = lines
        .iter()
        .filter(|line| line.stream == StreamName::Stdout || line.text.contains("ERROR"));
    let said: Vec<String> = said.map(|line| line.text.clone()).collect();
    report.last_output = said[said.len().saturating_sub(MAX_LINES)..].to_vec();
    Ok(report)
}

/// The variables of one kind in a frame.
pub(crate) fn scope(
    godot: &Godot<'_>,
    dap: &mut Dap,
    frame: i64,
    name: &str,
) -> Result<Vec<Value>, ToolError> {
    let scopes = dap.scopes(frame, godot.cx.cancel())?;
    let Some((_, inside)) = scopes.into_iter().find(|(own, _)| own == name) else {
        return Ok(Vec::new());
    };
    Ok(values(godot, &dap.variables(inside, godot.cx.cancel())?))
}

/// Variables as they are told; that some are left out is said.
pub(crate) fn values(godot: &Godot<'_>, variables: &[Variable]) -> Vec<Value> {
    if variables.len() > MAX_VARIABLES {
        let more = variables.len() - MAX_VARIABLES;
        godot.cx.diagnose(format!("{more} variables are left out; debug_inspect evaluates any"));
    }
    variables.iter().take(MAX_VARIABLES).map(Value::of).collect()
}

fn place(frame: Frame, root: &Path) -> Place {
    let file = match frame.source.path.strip_prefix(root) {
        Ok(local) => format!("res://{}", local.to_string_lossy().replace('\\', "/")),
        Err(_) => frame.source.path.to_string_lossy().into_owned(),
    };
    Place { function: frame.name, file, line: frame.line }
}

/// The error for a game that would have to wait.
pub(crate) fn must_wait(state: How) -> Result<(), ToolError> {
    let how = match state {
        How::Stopped => return Ok(()),
        How::Running => "runs, and only one that waits can be looked into",
        How::Ended => "is over",
    };
    Err(ToolError::new(ErrorKind::NotReady, format!("the game {how}")).hint(match state {
        How::Ended => "debug_start starts it again",
        _ => "debug_step with how \"pause\" makes it wait",
    }))
}
