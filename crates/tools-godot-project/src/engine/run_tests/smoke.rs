//! Every scene instanced for some frames in one engine, and what it reports of each.
//!
//! A scene that hangs or takes the engine with it is told, and another engine goes on with the rest.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use scenewright_contract::ToolError;
use scenewright_live::godot::{GameState, Games, MessageKind, Program, StreamName, Tally};
use scenewright_tools_godot::base::Godot;
use scenewright_tools_godot::base::program::Scratch;

/// The script that the engine runs.
const DRIVER: &str = include_str!("smoke.gd");
/// What the engine says is read so often.
const LOOK: Duration = Duration::from_millis(50);
/// An engine that has said nothing of a scene yet is starting, for so long at most.
const START_TIME: Duration = Duration::from_secs(60);
/// So many scenes are given to one engine; a command line has an end.
const AT_ONCE: usize = 200;

/// What became of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tried {
    /// The scene.
    pub(super) scene: String,
    /// How it ended.
    pub(super) end: End,
    /// Errors, each once, with their places.
    pub(super) errors: Vec<(String, Option<String>)>,
}

/// How a scene ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It was there for its frames.
    Whole,
    /// It took too long and was ended with its engine.
    TimedOut,
    /// It ended the game by itself.
    Quit,
    /// The engine ended with this code, or by a signal.
    Crashed(Option<i32>),
}

/// Try scenes in the project at `root`.
pub(super) fn run(
    godot: &Godot<'_>,
    program: &Program,
    root: &Path,
    scenes: &[String],
    time: Duration,
) -> Result<Vec<Tried>, ToolError> {
    let scratch = Scratch::new()?;
    let driver = scratch.write("smoke.gd", DRIVER.as_bytes())?;
    let name = scratch.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let start = |scenes: &[String]| {
        let mut command = program.headless(root);
        command.arg("--script").arg(&driver).arg("--").args([&*name, "10"]).args(scenes);
        command
    };
    let mut told = |done: usize, scene: &str| {
        godot.cx.progress(done as f64, Some(scenes.len() as f64), scene);
    };
    run_all(godot, &name, scenes, time, &start, &mut told)
}

/// Start engines until every scene had its turn.
fn run_all(
    godot: &Godot<'_>,
    mark: &str,
    scenes: &[String],
    time: Duration,
    start: &dyn Fn(&[String]) -> Command,
    told: &mut dyn FnMut(usize, &str),
) -> Result<Vec<Tried>, ToolError> {
    let mut tried: Vec<Tried> = Vec::new();
    while tried.len() < scenes.len() {
        let left = &scenes[tried.len()..];
        let left = &left[..left.len().min(AT_ONCE)];
        let before = tried.len();
        let mut one = Run { mark, time, open: None, tried: &mut tried, told };
        one.engine(godot, start(left))?;
        if tried.len() == before {
            // It never came to a scene: the next engine would not either.
            return Err(ToolError::failed(format!(
                "the engine ended before it came to {}",
                left[0]
            ))
            .hint("run_project shows what the project reports when it starts"));
        }
    }
    Ok(tried)
}

/// One engine and its scenes.
struct Run<'a> {
    mark: &'a str,
    time: Duration,
    /// The scene that is up, since when, and what was reported of it.
    open: Option<(String, Instant, Tally)>,
    tried: &'a mut Vec<Tried>,
    told: &'a mut dyn FnMut(usize, &str),
}

impl Run<'_> {
    fn engine(&mut self, godot: &Godot<'_>, command: Command) -> Result<(), ToolError> {
        let games = Games::default();
        let (game, _) = games.start(command, None)?;
        let (started, mut cursor) = (Instant::now(), 0);
        loop {
            let state = game.wait(LOOK, godot.cx.cancel());
            if state != GameState::Running {
                game.output.settle(Duration::from_secs(1));
            }
            let mut is_done = false;
            for line in game.output.since(cursor) {
                cursor = cursor.max(line.number);
                if line.stream == StreamName::Stderr {
                    is_done |= self.line(&line.text);
                }
            }
            if godot.cx.cancel().is_cancelled() {
                return Err(ToolError::cancelled());
            }
            let waits = match &self.open {
                Some((_, since, _)) => since.elapsed() > self.time,
                None => started.elapsed() > START_TIME,
            };
            match state {
                GameState::Ended(code) => {
                    self.close(if code == Some(0) { End::Quit } else { End::Crashed(code) });
                    return Ok(());
                }
                GameState::Running if is_done => {
                    // What is left of it has no more to say.
                    game.wait(Duration::from_secs(2), godot.cx.cancel());
                    return Ok(());
                }
                GameState::Running if waits => {
                    game.end();
                    self.close(End::TimedOut);
                    return Ok(());
                }
                GameState::Running => {}
            }
        }
    }

    /// Read a line of the error stream; true when all scenes were up.
    fn line(&mut self, line: &str) -> bool {
        let Some(word) = line.strip_prefix(self.mark).map(str::trim) else {
            if let Some((_, _, tally)) = &mut self.open {
                tally.line(line);
            }
            return false;
        };
        if let Some(scene) = word.strip_prefix("begin ") {
            // Its end may have been lost in a flood.
            self.close(End::Whole);
            (self.told)(self.tried.len(), scene);
            self.open = Some((scene.to_owned(), Instant::now(), Tally::default()));
        } else if word.starts_with("end ") {
            self.close(End::Whole);
        }
        word == "done"
    }

    fn close(&mut self, end: End) {
        let Some((scene, _, tally)) = self.open.take() else { return };
        let (found, _) = tally.end();
        let errors = found
            .into_iter()
            .map(|repeated| repeated.message)
            .filter(|message| message.kind == MessageKind::Error)
            // What a scene leaves when it ends the game is no fault of it here.
            .filter(|message| end != End::Quit || !message.text.contains("at exit"))
            .map(|message| {
                // The line of the driver that loads a scene tells nobody anything.
                let place = message.file.zip(message.line);
                let place = place.filter(|(file, _)| !file.contains(self.mark));
                (message.text, place.map(|(file, line)| format!("{file}:{line}")))
            })
            .collect();
        self.tried.push(Tried { scene, end, errors });
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use scenewright_contract::{Call, JsonMap, Limits};
    use scenewright_toolkit::Cx;
    use scenewright_tools_godot::base::InGodot;

    use super::*;
    use crate::testing::GodotSample;

    /// A shell that speaks as the driver does.
    fn shell(script: &str, scenes: &[String]) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script).arg("sh").args(scenes);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }

    #[test]
    fn each_scene_has_its_own_errors_and_a_crash_does_not_end_the_others() {
        let script = r#"
            for scene in "$@"; do
                echo "M begin $scene" >&2
                case $scene in
                    bad) printf 'ERROR: no\n   at: f (res://bad.gd:3)\nERROR: no\n   at: f (res://bad.gd:3)\n' >&2;;
                    lost) printf 'ERROR: gone\n   at: f (/tmp/M/smoke.gd:3)\n' >&2;;
                    warns) echo "WARNING: hm" >&2;;
                    crash) kill -SEGV $$;;
                    hangs) sleep 600;;
                    quits) echo 'ERROR: 2 resources still in use at exit' >&2; exit 0;;
                esac
                echo "M end $scene" >&2
            done
            echo "M done" >&2"#;
        let sample = GodotSample::new();
        let runner = scenewright_tools_godot::testing::runner(&sample.path(""), &[], false);
        let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
        let godot = cx.godot(None).unwrap();
        let scenes =
            ["fine", "bad", "warns", "crash", "hangs", "quits", "lost", "last"].map(str::to_owned);
        let start = |scenes: &[String]| shell(script, scenes);
        let time = Duration::from_millis(700);
        let tried = run_all(&godot, "M", &scenes, time, &start, &mut |_, _| {}).unwrap();
        let ends: Vec<(&str, End, usize)> =
            tried.iter().map(|one| (&*one.scene, one.end, one.errors.len())).collect();
        assert_eq!(
            ends,
            [
                ("fine", End::Whole, 0),
                ("bad", End::Whole, 1),
                ("warns", End::Whole, 0),
                ("crash", End::Crashed(None), 0),
                ("hangs", End::TimedOut, 0),
                ("quits", End::Quit, 0),
                ("lost", End::Whole, 1),
                ("last", End::Whole, 0),
            ]
        );
        assert_eq!(tried[1].errors[0].1.as_deref(), Some("res://bad.gd:3"));
        assert_eq!(tried[6].errors[0].1, None);
    }

    #[test]
    fn an_engine_that_comes_to_no_scene_is_an_error() {
        let sample = GodotSample::new();
        let runner = scenewright_tools_godot::testing::runner(&sample.path(""), &[], false);
        let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
        let godot = cx.godot(None).unwrap();
        let start = |scenes: &[String]| shell("exit 1", scenes);
        let scenes = ["a".to_owned()];
        let error = run_all(&godot, "M", &scenes, Duration::from_secs(5), &start, &mut |_, _| {})
            .unwrap_err();
        assert_eq!(error.message, "the engine ended before it came to a");
    }
}
