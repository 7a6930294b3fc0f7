//! `cargo xtask bench godot`: reading, checking and changing large Godot projects.

mod parse;
mod warm;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::pipe::Pipe;
use super::samples::Series;
use super::table::{Row, align, goal, number, times};
use super::touched::tool;
use crate::server::Server;
use crate::{binary, paths, process, synth};
use parse::{Speed, parsers};

const USAGE: &str = "usage: cargo xtask bench godot [--out FILE]";
const ROUNDS: usize = 5;
const FILES: usize = 3000;
const CHECKS: usize = 11;
const CALLS: usize = 21;
const LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let out = match options {
        [] => None,
        ["--out", file] => Some(PathBuf::from(file)),
        _ => bail!(USAGE),
    };
    let binary = binary::dist()?;
    let home = Home::new()?;
    let header = ["measure", "scenewright", "tscn 0.3.6", "goal", "verdict"].map(str::to_owned);
    let mut rows = vec![header];
    rows.extend(measure_parsing()?);
    rows.push(measure_check(&binary, &home)?);
    rows.push(measure_change(&binary, &home)?);
    rows.extend(warm::measure(&binary, &home)?);
    let table = format!("{}\n{}", align(&rows), footnote());
    println!("{table}");
    if let Some(out) = out {
        fs::write(&out, format!("{table}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

fn measure_parsing() -> Result<Vec<Row>> {
    let folder = synth::large_godot_project(None)?;
    let (ours, peer) = parsers()?;
    let mut rows = Vec::new();
    for (name, _) in synth::LARGE_GODOT_SCENES {
        let file = folder.join(name);
        let megabytes = fs::metadata(&file)?.len() as f64 / 1e6;
        let (mut our_speed, mut peer_speed) = (Speed::default(), Speed::default());
        for _ in 0..ROUNDS {
            ours.measure(&file, &mut our_speed)?;
            if let Some(peer) = &peer {
                peer.measure(&file, &mut peer_speed)?;
            }
        }
        let label = |what: &str| format!("{what}, a scene of {megabytes:.0} MB");
        let row = |what: &str, ours: &Series, peer: &Series| {
            let cell = |series: &Series| number(series.median(), 0);
            [label(what), cell(ours), cell(peer), String::new(), String::new()]
        };
        rows.push(row("parsed MB/s by the clock", &our_speed.by_clock, &peer_speed.by_clock));
        rows.push(row("parsed MB/s of time on a core", &our_speed.by_cpu, &peer_speed.by_cpu));
        let (our_best, peer_best) = (our_speed.per_core(), peer_speed.per_core());
        let reached = our_best.map(|speed| speed >= 200.0);
        rows.push(goal(&label("parsed MB/s per core"), number(our_best, 0), "≥ 200", reached));
        let ratio = our_best.zip(peer_best).map(|(ours, peer)| ours / peer);
        let reached = ratio.map(|ratio| ratio >= 6.0);
        rows.push(goal(&label("against tscn"), times(ratio), "≥ 6x", reached));
    }
    Ok(rows)
}

/// `scenewright check` from its start to its end, with nothing kept from the time before.
fn measure_check(binary: &Path, home: &Home) -> Result<Row> {
    let project = synth::godot_project(FILES, None)?;
    let mut seconds = Series::default();
    for _ in 0..CHECKS {
        let mut command = Command::new(binary);
        command.args(["check", "--fail-on", "never", "--format", "json", "--project"]);
        let started = Instant::now();
        let said = process::capture(home.fresh(command.arg(&project))?, LIMIT)?;
        if !said.status.success() {
            eprintln!("NOTICE: the check is not measured: {}", said.tail());
            break;
        }
        seconds.push(started.elapsed().as_secs_f64());
    }
    let median = seconds.median();
    let label = format!("index and check of {FILES} files, s");
    Ok(goal(&label, number(median, 3), "≤ 0.25", median.map(|median| median <= 0.25)))
}

/// `add_node` on the smaller large scene in a running server; each call is undone.
fn measure_change(binary: &Path, home: &Home) -> Result<Row> {
    let (scene, _) = synth::LARGE_GODOT_SCENES[0];
    let project = home.project_with(scene)?;
    let (server, mut pipe) = home.serve(binary, &project)?;
    let add = tool(
        "add_node",
        json!({ "scenePath": scene, "nodeType": "Timer", "nodeName": "Measured" }),
    );
    let undo = tool("project_undoLast", json!({}));
    let before = fs::read(project.join(scene))?;
    let mut milliseconds = Series::default();
    for call in 0..=CALLS {
        let started = Instant::now();
        pipe.ask(&add).with_context(|| server.stderr_tail())?;
        let taken = started.elapsed().as_secs_f64() * 1000.0;
        // The first call also builds the index.
        if call > 0 {
            milliseconds.push(taken);
        }
        ensure!(fs::read(project.join(scene))? != before, "add_node changed nothing");
        pipe.ask(&undo)?;
    }
    ensure!(fs::read(project.join(scene))? == before, "undo did not bring the scene back");
    let median = milliseconds.median();
    let reached = median.map(|median| median <= 40.0);
    Ok(goal("add_node on a scene of 5 MB, ms", number(median, 1), "≤ 40", reached))
}

/// A folder for caches, journals and projects, away from those of this machine's user.
struct Home {
    folder: PathBuf,
}

impl Home {
    fn new() -> Result<Home> {
        let folder = paths::target().join("tmp").join("bench-godot");
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        fs::create_dir_all(&folder)?;
        Ok(Home { folder })
    }

    /// Let a program find nothing of what was kept before.
    fn fresh<'a>(&self, command: &'a mut Command) -> Result<&'a mut Command> {
        let home = self.folder.join("home");
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        for name in ["HOME", "LOCALAPPDATA", "XDG_CACHE_HOME"] {
            command.env(name, &home);
        }
        Ok(command)
    }

    /// A server of a project, which knows nothing of it yet.
    fn serve(&self, binary: &Path, project: &Path) -> Result<(Server, Pipe)> {
        let mut command = Command::new(binary);
        command
            .args(["serve", "--structured", "--allow-writes", "--tcp", "127.0.0.1:0", "--project"])
            .arg(project);
        let server = Server::start(self.fresh(&mut command)?, LIMIT)?;
        let mut pipe = Pipe::framed(&server.framed_address()?)?;
        pipe.shake_hands()?;
        Ok((server, pipe))
    }

    /// A project with one of the large scenes.
    fn project_with(&self, scene: &str) -> Result<PathBuf> {
        let (large, project) = (synth::large_godot_project(None)?, self.folder.join("project"));
        fs::create_dir_all(&project)?;
        for name in ["project.godot", scene] {
            fs::copy(large.join(name), project.join(name)).with_context(|| name.to_owned())?;
        }
        Ok(project)
    }
}

fn footnote() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "Median of {ROUNDS} interleaved rounds on {cores} cores shared with the rest of the \
         machine. Both parsers get the same bytes from memory, in a process of their own with one \
         thread, and keep every byte; both are built with opt-level 3. tscn also decodes values, \
         which scenewright checks and decodes when asked. MB/s per core is of CPU time where the \
         system tells it, its own share included, and otherwise by the clock. The check is the \
         whole process, median of {CHECKS}. add_node is called over framed TCP, median of {CALLS}, \
         with fsync and the reading back, each followed by an undo that is not counted. The check \
         after a change is the call alone, of a server that has checked the project before."
    )
}
