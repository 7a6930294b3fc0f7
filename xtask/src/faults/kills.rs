//! `kill -9` in the middle of a change of many files, of taking one back, and of recovery.

mod moment;

use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};

use super::environment::{CALL_LIMIT, Environment, User};
use super::places::{self, Tree};
use super::report::{Report, Tally};
use super::{Ground, paths};
use crate::process;
use crate::random::Random;
use crate::synth;
use moment::{Killed, Moment, Pace};

/// One folder of the synthetic project: ten scripts, and thirty scenes that use them.
const FILES: usize = 101;
pub(super) const RENAME: (&str, &str) = (
    "rename_resource",
    r#"{"resourcePath": "res://part_00/set_0000/scripts", "newPath": "res://part_00/set_0000/code"}"#,
);
const UNDO: (&str, &str) = ("project_undoLast", "{}");
/// Reads, and on its way settles what was interrupted.
pub(super) const START: (&str, &str) = ("project_history", "{}");

/// What is interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Write,
    Undo,
    Recovery,
}

impl Work {
    const ALL: [Work; 3] = [Work::Write, Work::Undo, Work::Recovery];

    fn name(self) -> &'static str {
        match self {
            Work::Write => "a write of many files",
            Work::Undo => "an undo",
            Work::Recovery => "recovery",
        }
    }

    fn call(self) -> (&'static str, &'static str) {
        match self {
            Work::Write => RENAME,
            Work::Undo => UNDO,
            Work::Recovery => START,
        }
    }
}

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let folder = ground.folder("kills")?;
    let states = States::make(ground, &folder)?;
    for work in Work::ALL {
        // Each user has a folder of their own, so they need not wait for each other.
        let tallies: Vec<_> = thread::scope(|scope| {
            let tries = User::ALL.map(|user| {
                let (folder, states) = (&folder, &states);
                scope.spawn(move || kill_often(ground, folder, states, work, user))
            });
            tries.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
        });
        for (user, tally) in User::ALL.into_iter().zip(tallies) {
            let tally = tally.unwrap_or_else(|error| Tally::failed(format!("{error:#}")));
            report.add(&format!("kill in {}, {}", work.name(), user.name()), tally);
        }
    }
    Ok(())
}

/// The only two ways that the project may ever be found.
pub(super) struct States {
    pub(super) before: Tree,
    pub(super) after: Tree,
}

impl States {
    pub(super) fn make(ground: &Ground, folder: &Path) -> Result<States> {
        let synthetic = synth::godot_project(FILES, Some(paths::target().join("synth/faults")))?;
        let environment = Environment::new(ground, User::WithHome, &folder.join("first"))?;
        let before = Tree::read(&synthetic)?;
        environment.reset(&before)?;
        environment.done(RENAME.0, RENAME.1)?;
        let after = Tree::read(&environment.project)?;
        let changed = before.difference(&after);
        ensure!(before != after, "the change changes nothing");
        eprintln!("  the change: {changed}");
        Ok(States { before, after })
    }

    fn judge(&self, now: &Tree) -> Result<()> {
        for state in [&self.before, &self.after] {
            if now.has_files_of(state) {
                ensure!(
                    now == state,
                    "every file is whole, but folders: {}",
                    now.difference(state)
                );
                return Ok(());
            }
        }
        let (before, after) = (now.difference(&self.before), now.difference(&self.after));
        anyhow::bail!("mixed: against before {before}; against after {after}")
    }
}

fn kill_often(
    ground: &Ground,
    folder: &Path,
    states: &States,
    work: Work,
    user: User,
) -> Result<Tally> {
    let name = format!("{work:?}-{user:?}");
    let environment = Environment::new(ground, user, &folder.join(&name))?;
    if let Some(obstacle) = environment.obstacle() {
        return Ok(Tally::skipped(&obstacle));
    }
    let case = Case { environment, states, work };
    let pace = case.pace()?;
    let mut tally = Tally::default();
    let mut in_the_middle = 0;
    for step in 0..ground.tries(9, 500) {
        let mut random = ground.random(&name, step);
        tally.tries += 1;
        match case.kill_once(&mut random, &pace, step) {
            Ok(Killed { pending }) => in_the_middle += usize::from(pending),
            Err(error) => tally.fail(format!("step {step}: {error:#}")),
        }
    }
    tally.notes = format!("{in_the_middle} killed with the change under way; {pace}");
    Ok(tally)
}

/// One kind of work in one environment.
struct Case<'a> {
    environment: Environment,
    states: &'a States,
    work: Work,
}

impl Case<'_> {
    /// How long the work takes when nobody interrupts it: the shortest of three, because a kill that
    /// comes too late finds nothing to interrupt.
    fn pace(&self) -> Result<Pace> {
        let mut shortest: Option<Pace> = None;
        for step in 0..3 {
            self.prepare(&mut Random::new(0, "pace", step))?;
            let pace = moment::measure(&mut self.command(), &self.environment.project)?;
            shortest = Some(match shortest {
                Some(other) => other.shorter(&pace),
                None => pace,
            });
        }
        shortest.context("nothing was measured")
    }

    fn kill_once(&self, random: &mut Random, pace: &Pace, step: usize) -> Result<Killed> {
        self.prepare(random)?;
        let moment = match (self.work, step % 3) {
            (_, 0) => Moment::Anywhere(random.time(pace.whole)),
            // What is pending is settled after the start, which takes a while.
            (Work::Recovery, _) => {
                Moment::Anywhere(pace.under_way / 2 + random.time(pace.under_way / 2))
            }
            _ => Moment::UnderWay(random.time(pace.under_way)),
        };
        let killed = moment::kill(&mut self.command(), &self.environment.project, moment)?;
        let user = self.environment.user;
        if user == User::Stranger && step % 4 >= 2 {
            self.find(User::WithHome).with_context(|| format!("{moment:?}, then somebody else"))?;
        }
        self.judge(user).with_context(|| format!("{moment:?}, then a start {}", user.name()))?;
        Ok(killed)
    }

    /// What one user left half done another one cannot prove, and leaves as it is. Half a record is dropped
    /// by anyone: it is written before the project is touched, so it describes no change.
    fn find(&self, finder: User) -> Result<()> {
        let project = &self.environment.project;
        let (before, pending) = (Tree::read(project)?, places::pending(project));
        let mut start = self.environment.call_as(finder, START.0, START.1);
        let said = process::capture(&mut start, CALL_LIMIT)?;
        ensure!(said.status.success(), "the start failed: {}", said.tail());
        let now = Tree::read(project)?;
        ensure!(now == before, "somebody else changed it: {}", now.difference(&before));
        let is_torn =
            now == self.states.before && said.stderr.contains("is incomplete and is dropped");
        ensure!(
            places::pending(project) == pending || is_torn,
            "somebody else took the record away: {}",
            said.tail()
        );
        Ok(())
    }

    /// Bring the project to where the work begins.
    fn prepare(&self, random: &mut Random) -> Result<()> {
        let environment = &self.environment;
        environment.reset(&self.states.before)?;
        match self.work {
            Work::Write => Ok(()),
            Work::Undo => environment.done(RENAME.0, RENAME.1),
            Work::Recovery => self.interrupt(random),
        }
    }

    /// Leave a change half done.
    fn interrupt(&self, random: &mut Random) -> Result<()> {
        for _ in 0..50 {
            let after = random.time(std::time::Duration::from_millis(10));
            let mut rename = self.environment.call(RENAME.0, RENAME.1);
            if moment::kill(&mut rename, &self.environment.project, Moment::UnderWay(after))?
                .pending
            {
                return Ok(());
            }
            self.environment.reset(&self.states.before)?;
        }
        anyhow::bail!("no change could be interrupted in 50 tries")
    }

    fn command(&self) -> Command {
        let (tool, arguments) = self.work.call();
        self.environment.call(tool, arguments)
    }

    /// A fresh start must leave one of the two states, and nothing besides.
    fn judge(&self, finder: User) -> Result<()> {
        let project = &self.environment.project;
        let mut start = self.environment.call_as(finder, START.0, START.1);
        let said = process::capture(&mut start, CALL_LIMIT)?;
        ensure!(said.status.success(), "the start failed: {}", said.tail());
        let left = places::leftovers(project)?;
        ensure!(left.is_empty(), "left behind: {}", left.join(", "));
        self.states.judge(&Tree::read(project)?)
    }
}
