//! `kill -9` of the merge driver while the real git waits for it: git has a clean merge with both sides in it, or a
//! file of ours that is whole and theirs where git keeps it. Never a file that was cut off, never a side that is gone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::Ground;
use super::git::git;
use super::report::{Report, Tally};

const SCENE: &str = "Main.unity";
/// Objects of the scene: enough that reading, merging and writing each take a while.
const OBJECTS: usize = 4000;

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    if cfg!(not(unix)) {
        report.add("killed-merges", Tally::skipped("the driver is killed by a Unix shell"));
        return Ok(());
    }
    let repository = Repository::make(ground)?;
    let pace = repository.pace()?;
    let mut tally = Tally::default();
    let (mut clean, mut left) = (0, 0);
    for step in 0..ground.tries(12, 240) {
        tally.tries += 1;
        // A little longer than it takes, so that some kills come too late.
        let wait = ground.random("killed-merges", step).time(pace.mul_f64(1.2));
        match repository.merge(Some(wait)) {
            Ok(Outcome::Clean) => clean += 1,
            Ok(Outcome::LeftToGit) => left += 1,
            Err(error) => tally.fail(format!("step {step}, after {wait:?}: {error:#}")),
        }
    }
    tally.notes =
        format!("{clean} clean, {left} left to git; a merge takes {} ms", pace.as_millis());
    report.add("killed-merges", tally);
    Ok(())
}

enum Outcome {
    /// Both sides are in the file.
    Clean,
    /// Git knows that it is not merged; ours is in the file, theirs in the index or on its branch.
    LeftToGit,
}

/// A repository with two branches that changed one scene.
struct Repository {
    folder: PathBuf,
    program: PathBuf,
    ours: String,
    theirs: String,
    both: String,
}

impl Repository {
    fn make(ground: &Ground) -> Result<Repository> {
        let folder = ground.folder("killed-merges")?;
        let (base, ours) = (scene("Base", 0), scene("Base", 5));
        let (theirs, both) = (scene("THEIRS", 0), scene("THEIRS", 5));
        git(&folder, &["init", "-q", "-b", "main"])?;
        fs::write(folder.join(".git/info/attributes"), "*.unity merge=scenewright\n")?;
        let commit = |text: &str| -> Result<()> {
            fs::write(folder.join(SCENE), text)?;
            git(&folder, &["add", "-A"])?;
            git(&folder, &["commit", "-q", "-m", "x"]).map(drop)
        };
        commit(&base)?;
        git(&folder, &["checkout", "-q", "-b", "side"])?;
        commit(&theirs)?;
        git(&folder, &["checkout", "-q", "main"])?;
        commit(&ours)?;
        git(&folder, &["tag", "before"])?;
        Ok(Repository { folder, program: ground.binary.clone(), ours, theirs, both })
    }

    /// How long a merge takes when nothing interrupts it: the shortest of three.
    fn pace(&self) -> Result<Duration> {
        let mut shortest = Duration::MAX;
        for _ in 0..3 {
            let started = Instant::now();
            ensure!(matches!(self.merge(None)?, Outcome::Clean), "left alone, it is not clean");
            shortest = shortest.min(started.elapsed());
        }
        Ok(shortest)
    }

    /// Merge by git, whose driver is killed so long after its start.
    fn merge(&self, kill_after: Option<Duration>) -> Result<Outcome> {
        let _ = git(&self.folder, &["merge", "--abort"]);
        git(&self.folder, &["reset", "-q", "--hard", "before"])?;
        let driver = driver(&self.program, kill_after);
        git(&self.folder, &["config", "merge.scenewright.driver", &driver])?;
        let merged = git(&self.folder, &["merge", "-q", "--no-edit", "side"]);
        let found = fs::read_to_string(self.folder.join(SCENE))?;
        if merged.is_ok() {
            ensure!(found == self.both, "git says clean, and the file is not the merge of both");
            return Ok(Outcome::Clean);
        }
        ensure!(
            found == self.ours || found == self.both,
            "the file has {} bytes and is neither ours ({}) nor the merge ({})",
            found.len(),
            self.ours.len(),
            self.both.len(),
        );
        let theirs = git(&self.folder, &["show", &format!("side:{SCENE}")])?;
        ensure!(theirs == self.theirs, "their branch has another file");
        let commits = git(&self.folder, &["merge-base", "--is-ancestor", "side", "main"]);
        ensure!(commits.is_err(), "git failed, and has their commit as merged");
        Ok(Outcome::LeftToGit)
    }
}

/// The driver line of an installation, or the same with a shell that kills the driver. Git starts it by a shell.
fn driver(program: &Path, kill_after: Option<Duration>) -> String {
    let line = format!("'{}' git merge-driver --marker-size %L -- %O %A %B %P", program.display());
    match kill_after {
        None => line,
        Some(wait) => format!(
            "{line} & driver=$!; sleep {:.4}; kill -KILL $driver 2>/dev/null; wait $driver",
            wait.as_secs_f64()
        ),
    }
}

/// A scene whose first object is changed by one side and whose last by the other.
fn scene(first: &str, last: usize) -> String {
    let mut text = String::from("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n");
    for number in 1..=OBJECTS {
        let name = if number == 1 { first } else { "Object" };
        let layer = if number == OBJECTS { last } else { 0 };
        text += &format!(
            "--- !u!1 &{number}\nGameObject:\n  m_ObjectHideFlags: 0\n  m_Layer: {layer}\n  m_Name: {name}\n"
        );
    }
    text
}
