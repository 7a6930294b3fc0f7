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
    let binary = binary::dist()?;
    let folder = paths::target().join("bench-merge");
    fs::create_dir_all(&folder)?;
    let head = ["what", "scenewright", "git by line", "goal", ""];
    let mut rows: Vec<Row> = vec![head.map(str::to_owned)];
    for (engine, name, scene, edits) in [
        (
            "Unity",
            "a.unity",
            unity_scene(),
            [("m_Layer: 0", "m_Layer: 5"), ("m_IsActive: 1", "m_IsActive: 0")],
        ),
        (
            "Godot",
            "a.tscn",
            synth::large_godot_scene(SCENE_BYTES),
            [
                ("position = ", "z_index = 1\nposition = "),
                ("texture = ", "z_as_relative = false\ntexture = "),
            ],
        ),
    ] {
        let [ours, theirs] = edits.map(|(from, to)| scene.replacen(from, to, 3));
        ensure!(ours != scene && theirs != scene, "{engine}: the edits change something");
        for (version, text) in [("base", &scene), ("ours", &ours), ("theirs", &theirs)] {
            fs::write(folder.join(version), text)?;
        }
        let megabytes = scene.len() as f64 / (1 << 20) as f64;
        let merged = timed(|| {
            fs::write(folder.join("out"), &ours)?;
            let args = ["git", "merge-driver", "base", "out", "theirs", name];
            Ok(command(&binary, &folder, &args))
        })?;
        ensure!(
            fs::read_to_string(folder.join("out"))? != ours,
            "{engine}: theirs is in the result"
        );
        let by_line = timed(|| {
            fs::write(folder.join("line"), &ours)?;
            let mut git = Command::new("git");
            git.current_dir(&folder).args(["merge-file", "-q", "line", "base", "theirs"]);
            Ok(git)
        })?;
        let label = format!("{engine} scene of {megabytes:.1} MB merged, ms");
        rows.push(row(&label, &merged, &by_line, "100", 100.0));
        let shown =
            timed(|| Ok(command(&binary, &folder, &["diff", "base", "theirs", "--name", name])))?;
        let by_line = timed(|| {
            let mut git = Command::new("git");
            git.current_dir(&folder).args(["diff", "--no-index", "base", "theirs"]);
            Ok(git)
        })?;
        let label = format!("{engine} scene of {megabytes:.1} MB compared, ms");
        rows.push(row(&label, &shown, &by_line, "60", 60.0));
    }
    let repository = commit_of_many(&folder)?;
    let many = timed(|| {
        Ok(command(&binary, &repository, &["diff", "--from", "HEAD~1", "--to", "HEAD", "--stat"]))
    })?;
    let by_line = timed(|| {
        let mut git = Command::new("git");
        git.current_dir(&repository).args(["diff", "--stat", "HEAD~1", "HEAD"]);
        Ok(git)
    })?;
    let label = format!("a commit of {SCENES} scenes summarised, ms");
    rows.push(row(&label, &many, &by_line, "2000", 2000.0));
    let report = align(&rows);
    println!("{report}");
    if let Some(out) = out {
        fs::write(&out, format!("{report}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

/// A line of the table: ours, what git takes by line, and the goal.
fn row(label: &str, series: &Series, by_line: &Series, limit: &str, most: f64) -> Row {
    let median = series.median();
    let mut row = goal(label, number(median, 0), limit, median.map(|median| median <= most));
    row[2] = number(by_line.median(), 0);
    row
}

fn unity_scene() -> String {
    let few = synth::large_scene(100).len();
    synth::large_scene((SCENE_BYTES * 100 / few) as u64)
}

fn command(binary: &Path, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.current_dir(folder).args(args);
    command
}

/// The time of each round in milliseconds, from the start of the process to its end.
fn timed(mut make: impl FnMut() -> Result<Command>) -> Result<Series> {
    let mut series = Series::default();
    for _ in 0..ROUNDS {
        let mut command = make()?;
        let start = Instant::now();
        let output = command.output().context("the program starts")?;
        series.push(start.elapsed().as_secs_f64() * 1000.0);
        // Differences are no failure of git's comparison of two files.
        let is_done = output.status.code().is_some_and(|code| code <= 1);
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
