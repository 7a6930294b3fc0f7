//! `cargo xtask bench unity`: a check of a large project against ripgrep's two passes over it, and a
//! large scene against the Python package that most scripts read Unity's files with.

mod edits;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::pipe::Pipe;
use super::samples::Series;
use super::touched::{self, Touched, tool};
use super::usage::{self, Usage};
use crate::server::Server;
use crate::{binary, install, paths, process, synth};

/// A server that hangs is ended after this, and its pipe with it.
const SERVER_LIMIT: Duration = Duration::from_secs(300);
/// The Python peer takes minutes for the scene.
const PEER_LIMIT: Duration = Duration::from_secs(1800);
/// Assets of the project that memory is measured on: with their metas twice as many files.
const MEMORY_ASSETS: usize = 75_000;
const SCENE_OBJECTS: u64 = 50_000;
/// Objects of the scene that both readers get: the peer needs most of an hour for the large one.
const SHARED_OBJECTS: u64 = 5_000;

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let options = parse(options)?;
    let binary = binary::dist()?;
    let rg = install::or_notice("ripgrep", install::ripgrep())?;
    let python = install::or_notice("unityparser", install::unityparser())?;
    let project = synth::unity_project(options.assets, None)?;
    let large = synth::large_unity_project(None)?;
    let mut samples = Samples::default();
    for (project, shape) in [(&project, &mut samples.small), (&large, &mut samples.large)] {
        measure_check(&binary, rg.as_deref(), project, options.rounds, shape)?;
    }
    eprintln!("touching files under a server");
    let prefab = "Assets/Part00/Set00000/Prefab64.prefab";
    samples.small.touched = measure_touches(&binary, &project, prefab)?;
    samples.large.touched = measure_touches(&binary, &large, "Assets/Game/Room1.unity")?;
    samples.largest_touched = measure_touches(&binary, &large, "Assets/Game/World0.unity")?;
    eprintln!("memory");
    let many = synth::unity_project(MEMORY_ASSETS, None)?;
    samples.small.peak_mb = measure_memory(&binary, &many)?;
    samples.large.peak_mb = measure_memory(&binary, &large)?;
    eprintln!("a scene of {SCENE_OBJECTS} objects");
    measure_scene(&binary, python.as_deref(), options.rounds, &mut samples)?;
    eprintln!("changes");
    samples.edits = edits::measure(&binary, options.rounds)?;
    let table = report::render(&samples, options.assets);
    println!("{table}");
    if let Some(out) = options.out {
        fs::write(&out, format!("{table}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

struct Options {
    out: Option<PathBuf>,
    assets: usize,
    rounds: usize,
}

fn parse(mut options: &[&str]) -> Result<Options> {
    let mut parsed = Options { out: None, assets: 100_000, rounds: 5 };
    loop {
        match options {
            [] => return Ok(parsed),
            ["--out", file, rest @ ..] => (parsed.out, options) = (Some(file.into()), rest),
            ["--assets", count, rest @ ..] => {
                parsed.assets = count.parse().context("--assets takes a number")?;
                options = rest;
            }
            ["--rounds", count, rest @ ..] => {
                parsed.rounds = count.parse().context("--rounds takes a number")?;
                options = rest;
            }
            _ => bail!("usage: cargo xtask bench unity [--out FILE] [--assets N] [--rounds N]"),
        }
    }
}

/// What is measured. Times are in seconds.
#[derive(Default)]
struct Samples {
    /// Many small files.
    small: Shape,
    /// Few files with large scenes.
    large: Shape,
    /// After a change of the largest scene.
    largest_touched: Touched,
    dump: Cost,
    /// The scene that both readers get.
    shared: Cost,
    unityparser: Series,
    edits: edits::Edits,
}

/// What is measured of one project, round by round.
#[derive(Default)]
struct Shape {
    rg: Cost,
    /// ripgrep without listing the guids of text assets.
    counting: Cost,
    cold: Cost,
    cached: Cost,
    touched: Touched,
    peak_mb: Series,
}

#[derive(Default)]
struct Cost {
    wall: Series,
    cpu: Series,
}

impl Cost {
    fn push(&mut self, wall: f64, cpu: Option<f64>) {
        self.wall.push(wall);
        cpu.into_iter().for_each(|cpu| self.cpu.push(cpu));
    }
}

/// Whole checks and ripgrep in turns, after one of each that warms the page cache.
fn measure_check(
    binary: &Path,
    rg: Option<&Path>,
    project: &Path,
    rounds: usize,
    samples: &mut Shape,
) -> Result<()> {
    let cache = paths::target().join("synth/cache");
    let mut warm = Shape::default();
    for round in 0..=rounds {
        eprintln!("round {round} of {rounds}");
        let samples = if round == 0 { &mut warm } else { &mut *samples };
        if let Some(rg) = rg {
            let (yaml, metas) = (search(rg, project, &YAML)?, search(rg, project, &METAS)?);
            let cpu = yaml.cpu.zip(metas.cpu).map(|(yaml, metas)| yaml + metas);
            samples.rg.push(yaml.wall + metas.wall, cpu);
            let mut counting = YAML;
            counting[0] = "--count";
            let yaml = search(rg, project, &counting)?;
            let cpu = yaml.cpu.zip(metas.cpu).map(|(yaml, metas)| yaml + metas);
            samples.counting.push(yaml.wall + metas.wall, cpu);
        }
        if cache.exists() {
            fs::remove_dir_all(&cache)?;
        }
        let cold = check(binary, project, &cache)?;
        samples.cold.push(cold.wall, cold.cpu);
        let cached = check(binary, project, &cache)?;
        samples.cached.push(cached.wall, cached.cpu);
    }
    Ok(())
}

/// All guids, which is what a search for lost references needs of a file.
const YAML: [&str; 10] = [
    "-oN",
    "-e",
    "guid: [0-9a-f]{32}",
    "-g*.unity",
    "-g*.prefab",
    "-g*.mat",
    "-g*.asset",
    "-g*.controller",
    "-g*.anim",
    "-g*.mixer",
];
/// The first guid of each meta.
const METAS: [&str; 5] =
    ["--max-count=1", "--no-line-number", "-e", "^guid: [0-9a-f]{32}", "-g*.meta"];

fn search(rg: &Path, project: &Path, arguments: &[&str]) -> Result<Usage> {
    let mut command = Command::new(rg);
    command.args(["--no-config", "--no-ignore", "--no-messages"]).args(arguments).arg(project);
    let (usage, status) = usage::measure(&mut command)?;
    ensure!(status.success(), "{} ended with {status}", process::show(&command));
    Ok(usage)
}

fn check(binary: &Path, project: &Path, cache: &Path) -> Result<Usage> {
    let mut command = Command::new(binary);
    command.args(["check", "--format", "json", "--project"]).arg(project);
    let (usage, status) = usage::measure(with_cache(&mut command, cache))?;
    // Some of the project is broken on purpose.
    ensure!(status.code() == Some(1), "{} ended with {status}", process::show(&command));
    Ok(usage)
}

/// Keeps indexes in this folder, on every system.
fn with_cache<'c>(command: &'c mut Command, cache: &Path) -> &'c mut Command {
    command.env("XDG_CACHE_HOME", cache).env("LOCALAPPDATA", cache).env("HOME", cache)
}

fn open(binary: &Path, project: &Path, options: &[&str]) -> Result<(Server, Pipe)> {
    let mut command = binary::serve(binary, &["--stdio", "--project"]);
    command.arg(project).args(options);
    let cache = paths::target().join("synth/cache");
    let command = with_cache(&mut command, &cache);
    let (server, stdin, stdout) = Server::start_stdio(command, SERVER_LIMIT)?;
    let mut pipe = Pipe::stdio(stdin, stdout);
    pipe.shake_hands().with_context(|| server.stderr_tail())?;
    Ok((server, pipe))
}

/// A script of a file is lost and found again, and the server is asked what is wrong.
fn measure_touches(binary: &Path, project: &Path, file: &str) -> Result<Touched> {
    let (_server, mut pipe) = open(binary, project, &[])?;
    let script = "  m_Script: {fileID: 11500000, guid: ";
    let broken = |good: &str| good.replacen(script, "  m_Script: {fileID: 0} #", 1);
    touched::measure(&mut pipe, &project.join(file), broken, |more| more == 1)
}

/// The largest size of a server that checks the project.
fn measure_memory(binary: &Path, project: &Path) -> Result<Series> {
    let mut peaks = Series::default();
    // Once without a cache, which takes more, and once with it.
    let cache = paths::target().join("synth/cache");
    if cache.exists() {
        fs::remove_dir_all(&cache)?;
    }
    for _ in 0..2 {
        let (server, mut pipe) = open(binary, project, &[])?;
        pipe.ask(&tool("project_check", json!({ "maxResults": 1 })))?;
        usage::peak_mb(server.pid()).into_iter().for_each(|peak| peaks.push(peak));
    }
    Ok(peaks)
}

/// The time to answer with the tree of a scene that was not read before.
fn measure_scene(
    binary: &Path,
    python: Option<&Path>,
    rounds: usize,
    samples: &mut Samples,
) -> Result<()> {
    let project = synth::unity_project(100, Some(paths::target().join("synth/unity-scene")))?;
    let scenes = [("Large", SCENE_OBJECTS, "1"), ("Shared", SHARED_OBJECTS, "2")];
    for (name, objects, number) in scenes {
        synth::add_scene(&project, name, number, || synth::large_scene(objects))?;
    }
    for _ in 0..rounds {
        let (server, mut pipe) = open(binary, &project, &[])?;
        // Opens the index, and leaves the scenes to be read.
        pipe.ask(&tool("project_changes", json!({})))?;
        for (name, objects, _) in scenes {
            let path = format!("Assets/{name}.unity");
            let dump = tool("scene_hierarchy_dump", json!({ "scenePath": path }));
            let before = usage::threads_cpu(server.pid());
            let (seconds, answer) = pipe.ask_timed(&dump)?;
            let cpu = usage::threads_cpu(server.pid()).zip(before).map(|(now, then)| now - then);
            let cost = if name == "Large" { &mut samples.dump } else { &mut samples.shared };
            cost.push(seconds, cpu);
            let count = answer["structuredContent"]["objectCount"].as_u64();
            ensure!(count == Some(objects), "{count:?} objects in the answer for {path}");
        }
    }
    if let Some(python) = python {
        // It only reads the file; nothing is made of what it read. CPU time counts on both sides,
        // which a busy machine does not stretch.
        let script = "import sys, time\nfrom unityparser import UnityDocument\nstart = time.process_time()\n\
                      UnityDocument.load_yaml(sys.argv[1])\nprint(time.process_time() - start)\n";
        let scene = project.join("Assets/Shared.unity");
        let mut command = Command::new(python);
        let said = process::capture(command.args(["-c", script]).arg(scene), PEER_LIMIT)?;
        ensure!(said.status.success(), "unityparser: {}", said.tail());
        samples.unityparser.push(said.stdout.trim().parse().context("no time from unityparser")?);
    }
    Ok(())
}
