//! Godot's debug adapter: a game that stops at lines, and what it holds there.
//!
//! The game is a child of ours that connects to the debugger of a headless editor, so that it can
//! be ended whatever it does; a game that the editor starts would outlive it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::frames::Frames;

/// Questions are answered in milliseconds; an object's properties come from the game.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// A project that nobody has open.
const NOWHERE: &str = "/whose-editor-is-this";
/// How often it is asked whether the game has connected.
const LOOK: Duration = Duration::from_millis(50);
/// What a game holds is known to its debugger within this time.
const VARIABLES_TIME: Duration = Duration::from_secs(3);
/// A game that was told to pause stops at its next frame, or at the next line of a script.
const PAUSE_TIME: Duration = Duration::from_secs(3);

/// A connection to the debug adapter of an editor.
#[derive(Debug)]
pub struct Dap {
    frames: Frames,
    seq: u64,
    state: State,
    /// How many stops there were.
    stops: usize,
}

/// How a game is for its debugger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It runs, or has not connected yet.
    Running,
    /// It waits.
    Stopped(Stop),
    /// It is over.
    Ended,
}

/// Why a game waits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Stop {
    /// `breakpoint`, `step`, `exception` or `paused`.
    pub reason: String,
    /// The words of an error.
    #[serde(default)]
    pub text: String,
}

/// A function that is being run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Frame {
    /// Its number for [`Dap::scopes`].
    pub id: i64,
    /// The function.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// Where its script is.
    pub source: Source,
}

/// A script.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Source {
    /// Its file.
    pub path: PathBuf,
}

/// A value with a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The value in the engine's words.
    pub value: String,
    /// Its type, where the engine tells.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// What is in it, for [`Dap::variables`]; 0 for nothing.
    #[serde(default, rename = "variablesReference")]
    pub inside: i64,
}

/// How a game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Until something stops it.
    Continue,
    /// To the next line of this function.
    Over,
    /// To the next line of any function.
    Into,
}

impl Dap {
    /// Connect to the editor that has the project in `root` open. The adapter tells whose it is
    /// when it is asked for a project that cannot be.
    pub fn connect(port: u16, root: &Path, cancel: &Cancel) -> Result<Self, ToolError> {
        // What a game prints comes through its own pipes, and in any amount.
        let wanted = |message: &Value| message["event"] != "output";
        let frames = Frames::connect("debugger", port, ANSWER_TIME, wanted).map_err(|error| {
            ToolError::new(
                ErrorKind::NotReady,
                format!("no debugger answers on port {port} of this machine: {error}"),
            )
        })?;
        let mut dap = Self { frames, seq: 0, state: State::Running, stops: 0 };
        dap.ask(
            "initialize",
            json!({
                "adapterID": "godot", "linesStartAt1": true, "columnsStartAt1": true,
                "supportsVariableType": true,
            }),
            cancel,
        )?;
        let refusal =
            dap.try_ask("launch", json!({ "project": NOWHERE, "noDebug": false }), cancel)?;
        let open = refusal["body"]["error"]["variables"]["editorPath"].as_str();
        if open.map(Path::new) != Some(root) {
            return Err(ToolError::new(
                ErrorKind::NotReady,
                format!(
                    "the debugger on port {port} is of {}, not of {}",
                    open.unwrap_or("an unknown project"),
                    root.display()
                ),
            ));
        }
        Ok(dap)
    }

    /// How the game is, by what was heard last.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Stop at these lines of a script, and at no others of it. The adapter believes any line.
    pub fn set_breakpoints(
        &mut self,
        script: &Path,
        lines: &[usize],
        cancel: &Cancel,
    ) -> Result<(), ToolError> {
        let name = script.file_name().unwrap_or_default().to_string_lossy();
        let breakpoints: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
        self.ask(
            "setBreakpoints",
            json!({
                "source": { "path": script.to_string_lossy(), "name": name },
                "breakpoints": breakpoints,
            }),
            cancel,
        )
        .map(drop)
    }

    /// Whether a game is connected to the editor.
    pub fn attach(&mut self, cancel: &Cancel) -> Result<bool, ToolError> {
        Ok(self.try_ask("attach", json!({}), cancel)?["success"] == true)
    }

    /// Wait until a game is connected, or until `is_over` says that none will be.
    pub fn attached(
        &mut self,
        until: Instant,
        cancel: &Cancel,
        is_over: &dyn Fn() -> bool,
    ) -> Result<bool, ToolError> {
        self.state = State::Running;
        while Instant::now() < until && !is_over() {
            if self.attach(cancel)? {
                return Ok(true);
            }
            if cancel.wait(LOOK) {
                return Err(ToolError::cancelled());
            }
        }
        Ok(false)
    }

    /// Hear what happens until the game stops or ends, for so long at most.
    pub fn wait(
        &mut self,
        until: Instant,
        cancel: &Cancel,
        is_over: &dyn Fn() -> bool,
    ) -> Result<&State, ToolError> {
        while self.state == State::Running && Instant::now() < until {
            let look = until.min(Instant::now() + LOOK);
            match self.frames.next_within(look, cancel)? {
                Some(message) => self.note(&message),
                None if is_over() => self.state = State::Ended,
                None => {}
            }
        }
        Ok(&self.state)
    }

    /// Let a game that waits go on.
    pub fn step(&mut self, step: Step, cancel: &Cancel) -> Result<(), ToolError> {
        let command = match step {
            Step::Continue => "continue",
            Step::Over => "next",
            Step::Into => "stepIn",
        };
        self.state = State::Running;
        self.ask(command, json!({ "threadId": 1 }), cancel).map(drop)
    }

    /// Make a game that runs wait at the next line of a script. The adapter says at once that it
    /// waits, again when it truly does, and knows no line until one step later.
    pub fn pause(&mut self, cancel: &Cancel, is_over: &dyn Fn() -> bool) -> Result<(), ToolError> {
        let before = self.stops;
        self.ask("pause", json!({ "threadId": 1 }), cancel)?;
        let until = Instant::now() + PAUSE_TIME;
        while self.stops < before + 2 && self.state != State::Ended && Instant::now() < until {
            let look = until.min(Instant::now() + LOOK);
            match self.frames.next_within(look, cancel)? {
                Some(message) => self.note(&message),
                None if is_over() => self.state = State::Ended,
                None => {}
            }
        }
        if self.state == State::Ended {
            return Ok(());
        }
        // Between frames there is no function whose next line could be meant.
        self.step(Step::Into, cancel)?;
        self.wait(Instant::now() + PAUSE_TIME, cancel, is_over)?;
        if let State::Stopped(stop) = &mut self.state {
            "paused".clone_into(&mut stop.reason);
        }
        Ok(())
    }

    /// The functions that are being run, the innermost first.
    pub fn stack(&mut self, cancel: &Cancel) -> Result<Vec<Frame>, ToolError> {
        let mut answer = self.ask("stackTrace", json!({ "threadId": 1 }), cancel)?;
        Ok(serde_json::from_value(answer["stackFrames"].take()).unwrap_or_default())
    }

    /// The kinds of variables of a frame: locals, members and globals.
    pub fn scopes(&mut self, frame: i64, cancel: &Cancel) -> Result<Vec<(String, i64)>, ToolError> {
        let answer = self.ask("scopes", json!({ "frameId": frame }), cancel)?;
        let scopes = answer["scopes"].as_array().into_iter().flatten();
        let scope = |scope: &Value| {
            Some((scope["name"].as_str()?.to_owned(), scope["variablesReference"].as_i64()?))
        };
        Ok(scopes.filter_map(scope).collect())
    }

    /// The variables in a scope or a value. The adapter hears of them from the game a moment after
    /// it stops, and refuses until then.
    pub fn variables(&mut self, inside: i64, cancel: &Cancel) -> Result<Vec<Variable>, ToolError> {
        let until = Instant::now() + VARIABLES_TIME;
        loop {
            let answer = self.ask("variables", json!({ "variablesReference": inside }), cancel);
            match answer {
                Ok(mut answer) => {
                    return Ok(
                        serde_json::from_value(answer["variables"].take()).unwrap_or_default()
                    );
                }
                Err(error) if error.kind == ErrorKind::ToolFailed && Instant::now() < until => {
                    if cancel.wait(LOOK) {
                        return Err(ToolError::cancelled());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The value of an expression in a frame; none when the engine cannot make sense of it. The
    /// adapter answers null for that, too, so the expression is put into a list: no list, no value.
    pub fn evaluate(
        &mut self,
        expression: &str,
        frame: i64,
        cancel: &Cancel,
    ) -> Result<Option<Variable>, ToolError> {
        let listed = format!("[{expression}]");
        let answer = self.ask(
            "evaluate",
            json!({ "expression": listed, "frameId": frame, "context": "watch" }),
            cancel,
        )?;
        let Some(list) = answer["variablesReference"].as_i64().filter(|list| *list != 0) else {
            return Ok(None);
        };
        let items = self.variables(list, cancel)?;
        let mut items = items.into_iter().filter(|item| item.name != "size");
        // Two values, as of `1, 2`, are none.
        Ok(items.next().filter(|_| items.next().is_none()))
    }

    fn ask(
        &mut self,
        command: &str,
        arguments: Value,
        cancel: &Cancel,
    ) -> Result<Value, ToolError> {
        let mut answer = self.try_ask(command, arguments, cancel)?;
        if answer["success"] == true {
            return Ok(answer["body"].take());
        }
        let words = [&answer["body"]["error"]["format"], &answer["message"]];
        let words = words.into_iter().find_map(Value::as_str).unwrap_or("no reason is given");
        Err(ToolError::failed(format!("the debugger refuses {command}: {words}")))
    }

    fn try_ask(
        &mut self,
        command: &str,
        arguments: Value,
        cancel: &Cancel,
    ) -> Result<Value, ToolError> {
        self.seq += 1;
        let seq = self.seq;
        self.frames.send(&json!({
            "seq": seq, "type": "request", "command": command, "arguments": arguments,
        }))?;
        let until = Instant::now() + ANSWER_TIME;
        loop {
            let message = self.frames.next(until, cancel)?;
            if message["type"] == "response" && message["request_seq"] == seq {
                return Ok(message);
            }
            self.note(&message);
        }
    }

    fn note(&mut self, message: &Value) {
        match message["event"].as_str() {
            Some("stopped") => {
                let stop = serde_json::from_value(message["body"].clone());
                let unknown = Stop { reason: "unknown".to_owned(), text: String::new() };
                self.state = State::Stopped(stop.unwrap_or(unknown));
                self.stops += 1;
            }
            Some("continued") => self.state = State::Running,
            Some("exited" | "terminated") => self.state = State::Ended,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
