//! The game that a project runs: started, listened to, and ended, at the latest with the server.

use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ToolError};

use super::not_started;
use super::output::{Output, StreamName};
use crate::lifeline::Started;

/// The game of a project. There is one at a time; what it said stays when it has ended.
#[derive(Debug, Default)]
pub struct Games(Mutex<Option<Arc<Game>>>);

/// A game that runs, or ran.
#[derive(Debug)]
pub struct Game {
    /// What it said.
    pub output: Output,
    /// The scene it was started with; none for the main scene.
    pub scene: Option<String>,
    /// Its process id.
    pub id: u32,
    started: Instant,
    child: Mutex<Started>,
}

/// How a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameState {
    /// It runs.
    Running,
    /// It ended, with this exit code if it ended by itself.
    Ended(Option<i32>),
}

impl Games {
    /// Start a game, and end the one before; says whether that one still ran.
    pub fn start(
        &self,
        mut command: Command,
        scene: Option<String>,
    ) -> Result<(Arc<Game>, bool), ToolError> {
        let mut current = self.lock();
        let replaced = current.take().is_some_and(|game| game.end());
        let mut child = Started::spawn(&mut command)
            .map_err(|error| not_started(command.get_program(), &error))?;
        let output = Output::default();
        let (out, err) = child.pipes();
        if let Some(stream) = out {
            output.read(StreamName::Stdout, stream);
        }
        if let Some(stream) = err {
            output.read(StreamName::Stderr, stream);
        }
        let (id, started) = (child.id(), Instant::now());
        let game = Arc::new(Game { output, scene, id, started, child: Mutex::new(child) });
        *current = Some(game.clone());
        Ok((game, replaced))
    }

    /// The game that runs, or ran last.
    pub fn current(&self) -> Option<Arc<Game>> {
        self.lock().clone()
    }

    /// End the game, if one runs.
    pub fn end(&self) {
        if let Some(game) = self.lock().take() {
            game.end();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Game>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Games {
    fn drop(&mut self) {
        self.end();
    }
}

impl Game {
    /// How it is now.
    pub fn state(&self) -> GameState {
        match self.child().try_wait() {
            Ok(None) => GameState::Running,
            Ok(Some(status)) => GameState::Ended(status.code()),
            Err(_) => GameState::Ended(None),
        }
    }

    /// Wait for it to end, for so long at most.
    pub fn wait(&self, time: Duration, cancel: &Cancel) -> GameState {
        let until = Instant::now() + time;
        loop {
            let state = self.state();
            if state != GameState::Running || Instant::now() >= until {
                return state;
            }
            if cancel.wait(Duration::from_millis(20)) {
                return state;
            }
        }
    }

    /// End it; false when it had ended already.
    pub fn end(&self) -> bool {
        self.child().end()
    }

    /// The time since its start.
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    fn child(&self) -> MutexGuard<'_, Started> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = super::super::quiet(Path::new("/bin/sh"));
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_a_game_said_stays_when_it_has_ended() {
        let games = Games::default();
        let (game, replaced) = games.start(shell("echo hi; echo no >&2; exit 4"), None).unwrap();
        assert!(!replaced);
        let state = game.wait(Duration::from_secs(60), &Cancel::default());
        assert_eq!(state, GameState::Ended(Some(4)));
        assert!(!game.end());
        game.output.settle(Duration::from_secs(60));
        let mut texts: Vec<String> =
            games.current().unwrap().output.since(0).into_iter().map(|line| line.text).collect();
        texts.sort();
        assert_eq!(texts, ["hi", "no"]);
    }

    #[test]
    fn the_next_game_ends_the_one_before_and_the_last_goes_with_the_table() {
        let games = Games::default();
        let (first, _) = games.start(shell("sleep 600"), None).unwrap();
        let (second, replaced) = games.start(shell("sleep 600"), None).unwrap();
        assert!(replaced);
        assert_eq!(first.state(), GameState::Ended(None));
        assert_eq!(second.state(), GameState::Running);
        drop(games);
        assert_eq!(second.state(), GameState::Ended(None));
    }
}
