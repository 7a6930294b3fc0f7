//! `cargo xtask bench merge`: how long a merge and a diff of a large scene take, as git and people call
//! them, and with `--cases DIR` whether real merges come out as they should.

mod cases;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::samples::Series;
use super::table::{Row, align, goal, number};
use crate::{binary, paths, synth};

/// As large as the scenes that the goals are about.
const SCENE_BYTES: usize = 5 << 20;
const ROUNDS: usize = 15;
/// As large as scenes are at most, with this many objects changed by each side.
const LARGE_BYTES: usize = 60 << 20;
const MANY_CHANGES: usize = 10_000;
const LARGE_ROUNDS: usize = 3;
/// So many scenes does one commit touch.
const SCENES: usize = 500;

pub(crate) fn run(options: &[&str]) -> Result<()> {
    match options {
        ["--cases", folder] => cases::run(Path::new(folder)),
        [] => measure(None),
        ["--out", file] => measure(Some(PathBuf::from(file))),
        _ => bail!("usage: cargo xtask bench merge [--out FILE] | --cases DIR"),
    }
}

fn measure(out: Option<PathBuf>) -> Result<()> {
    let bench = Bench { binary: binary::dist()?, folder: paths::target().join("bench-merge") };
    fs::create_dir_all(&bench.folder)?;
    let head = ["what", "scenewright", "git by line", "goal", ""];
    let mut rows: Vec<Row> = vec![head.map(str::to_owned)];
    for trial in trials(SCENE_BYTES) {
        let megabytes = bench.prepare(&trial, 3)?;
        let Trial { engine, name, .. } = trial;
        let [merged, by_line] = bench.merged(name, ROUNDS)?;
        let label = format!("{engine} scene of {megabytes} MB merged, ms");
        rows.push(row(&label, &merged, &by_line, "100", 100.0));
        let [shown, by_line] = bench.compared(name, ROUNDS)?;
        let label = format!("{engine} scene of {megabytes} MB compared, ms");
        rows.push(row(&label, &shown, &by_line, "60", 60.0));
    }
    rows.push(bench.many()?);
    for trial in trials(LARGE_BYTES) {
        let megabytes = bench.prepare(&trial, MANY_CHANGES)?;
        let [merged, by_line] = bench.merged(trial.name, LARGE_ROUNDS)?;
        let label = format!(
            "{} scene of {megabytes} MB, {MANY_CHANGES} places of each side merged, ms",
            trial.engine
        );
        let [ours, lines] = [&merged, &by_line].map(|series| number(series.median(), 0));
        rows.push([label, ours, lines, String::new(), String::new()]);
    }
    let report = align(&rows);
    println!("{report}");
    if let Some(out) = out {
        fs::write(&out, format!("{report}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

/// A scene, and what each side replaces in it.
struct Trial {
    engine: &'static str,
    name: &'static str,
    scene: String,
    edits: [(&'static str, &'static str); 2],
}

fn trials(bytes: usize) -> impl Iterator<Item = Trial> {
    let unity = move || Trial {
        engine: "Unity",
        name: "a.unity",
        scene: unity_scene(bytes),
        edits: [("m_Layer: 0", "m_Layer: 5"), ("m_IsActive: 1", "m_IsActive: 0")],
    };
    let godot = move || Trial {
        engine: "Godot",
        name: "a.tscn",
        scene: synth::large_godot_scene(bytes),
        edits: [
            ("position = ", "z_index = 1\nposition = "),
            ("texture = ", "z_as_relative = false\ntexture = "),
        ],
    };
    std::iter::once_with(unity).chain(std::iter::once_with(godot))
}

struct Bench {
    binary: PathBuf,
    folder: PathBuf,
}

impl Bench {
    /// Writes the three versions, with so many places changed by each side; tells how large they are.
    fn prepare(&self, Trial { engine, scene, edits, .. }: &Trial, places: usize) -> Result<String> {
        let [ours, theirs] = edits.map(|(from, to)| scene.replacen(from, to, places));
        ensure!(ours != *scene && theirs != *scene, "{engine}: the edits change something");
        for (version, text) in [("base", scene), ("ours", &ours), ("theirs", &theirs)] {
            fs::write(self.folder.join(version), text)?;
        }
        Ok(format!("{:.1}", scene.len() as f64 / (1 << 20) as f64))
    }

    /// The driver, and git's own merge.
    fn merged(&self, name: &str, rounds: usize) -> Result<[Series; 2]> {
        let (ours, out, line) = ("ours", self.folder.join("out"), self.folder.join("line"));
        let merged = timed(rounds, || {
            fs::copy(self.folder.join(ours), &out)?;
            let args = ["git", "merge-driver", "base", "out", "theirs", name];
            Ok(command(&self.binary, &self.folder, &args))
        })?;
        let is_merged = fs::read(&out)? != fs::read(self.folder.join(ours))?;
        ensure!(is_merged, "{name}: theirs is in the result");
        let by_line = timed(rounds, || {
            fs::copy(self.folder.join(ours), &line)?;
            let args = ["merge-file", "-q", "line", "base", "theirs"];
            Ok(command(Path::new("git"), &self.folder, &args))
        })?;
        Ok([merged, by_line])
    }

    /// The differences, and those of git.
    fn compared(&self, name: &str, rounds: usize) -> Result<[Series; 2]> {
        let shown = timed(rounds, || {
            let args = ["diff", "base", "theirs", "--name", name];
            Ok(command(&self.binary, &self.folder, &args))
        })?;
        let by_line = timed(rounds, || {
            let args = ["diff", "--no-index", "base", "theirs"];
            Ok(command(Path::new("git"), &self.folder, &args))
        })?;
        Ok([shown, by_line])
    }

    /// A commit that touches many scenes.
    fn many(&self) -> Result<Row> {
        let repository = commit_of_many(&self.folder)?;
        let many = timed(ROUNDS, || {
            let args = ["diff", "--from", "HEAD~1", "--to", "HEAD", "--stat"];
            Ok(command(&self.binary, &repository, &args))
        })?;
        let by_line = timed(ROUNDS, || {
            let args = ["diff", "--stat", "HEAD~1", "HEAD"];
            Ok(command(Path::new("git"), &repository, &args))
        })?;
        let label = format!("a commit of {SCENES} scenes summarised, ms");
        Ok(row(&label, &many, &by_line, "2000", 2000.0))
    }
}

/// A line of the table: ours, what git takes by line, and the goal.
fn row(label: &str, series: &Series, by_line: &Series, limit: &str, most: f64) -> Row {
    let median = series.median();
    let mut row = goal(label, number(median, 0), limit, median.map(|median| median <= most));
    row[2] = number(by_line.median(), 0);
    row
}

fn unity_scene(bytes: usize) -> String {
    let few = synth::large_scene(100).len();
    synth::large_scene((bytes * 100 / few) as u64)
}

fn command(binary: &Path, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.current_dir(folder).args(args);
    command
}

/// The time of each round in milliseconds, from the start of the process to its end.
fn timed(rounds: usize, mut make: impl FnMut() -> Result<Command>) -> Result<Series> {
    let mut series = Series::default();
    for _ in 0..rounds {
        let mut command = make()?;
        let start = Instant::now();
        let output = command.output().context("the program starts")?;
        series.push(start.elapsed().as_secs_f64() * 1000.0);
        // Differences are no failure of a comparison, and git tells how many conflicts there are.
        let most = if command.get_program() == "git" { 127 } else { 1 };
        let is_done = output.status.code().is_some_and(|code| code <= most);
        ensure!(is_done, "{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(series)
}

/// A repository whose last commit changes many scenes.
fn commit_of_many(folder: &Path) -> Result<PathBuf> {
    let repository = folder.join("many");
    if repository.exists() {
        fs::remove_dir_all(&repository)?;
    }
    fs::create_dir_all(&repository)?;
    let git = |args: &[&str]| -> Result<()> {
        let mut command = Command::new("git");
        command.current_dir(&repository).args(["-c", "user.name=A", "-c", "user.email=a@b"]);
        let status = command.args(args).status().context("git")?;
        ensure!(status.success(), "git {args:?}");
        Ok(())
    };
    git(&["init", "-q"])?;
    let scene = synth::large_scene(40);
    for text in [&scene, &scene.replacen("m_Layer: 0", "m_Layer: 3", 5)] {
        for number in 0..SCENES {
            fs::write(repository.join(format!("{number}.unity")), format!("{text}# {number}\n"))?;
        }
        git(&["add", "-A"])?;
        git(&["commit", "-qm", "scenes"])?;
    }
    Ok(repository)
}
