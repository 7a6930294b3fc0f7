//! `cargo xtask bench live`: how long running editors take to answer, and what the addon costs a game.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::raw::Raw;
use super::{Client, Ground, Side};
use crate::bench::table::{Row, align, goal};
use crate::{binary, godot, install, process};

const CALLS: usize = 300;
const ISOLATED: usize = 60;
/// Somebody thinks between two calls.
const THINKING: Duration = Duration::from_millis(30);
const NODES: usize = 10_000;
const ROUNDS: usize = 5;
/// Frames of a game that does not wait for a clock.
const FRAMES: usize = 20_000;
const SCENE: &str = "res://scenes/main.tscn";

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let out = match args {
        [] => None,
        ["--out", file] => Some(PathBuf::from(file)),
        _ => bail!("usage: cargo xtask bench live [--out FILE]"),
    };
    let Some(engine) = install::or_notice("live links", godot::ensure())? else { return Ok(()) };
    let ground = Ground::new(binary::dist()?, engine, false)?;
    let header = ["measure", "scenewright", "", "goal", "verdict"].map(str::to_owned);
    let mut rows = vec![header];
    rows.extend(editor(&ground)?);
    rows.extend(game(&ground)?);
    let _ = fs::remove_dir_all(&ground.scratch);
    let table = format!(
        "{}\nA headless editor and a headless game of Godot 4.6, {CALLS} calls of 23 nodes back to back, \
         {ISOLATED} calls {} ms apart. The cost is that of {FRAMES} frames at a fixed rate, which wait for no \
         clock, less the start; median of {ROUNDS} pairs one after the other.",
        align(&rows),
        THINKING.as_millis()
    );
    println!("{table}");
    if let Some(out) = out {
        fs::write(&out, format!("{table}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

fn editor(ground: &Ground) -> Result<Vec<Row>> {
    let project = ground.project("measured")?;
    fs::write(project.join("many.tscn"), many())?;
    let editor = ground.start(Side::Editor, &project, &[SCENE])?;
    let mut raw = Raw::known(&editor)?;
    let name = editor.announcement()?["project"].clone();
    let tree = json!({ "project": name, "scene": SCENE });
    // An editor opens its scenes some frames after it is there.
    let opened = raw.ask("scene.open", &tree)?;
    ensure!(opened.get("result").is_some(), "{opened}");
    let count = |answer: &Value| answer["result"]["names"].as_array().map_or(0, Vec::len);
    let mut ask = |params: &Value, expected: usize| -> Result<f64> {
        let begin = Instant::now();
        let answer = raw.ask("tree", params)?;
        let took = begin.elapsed().as_secs_f64() * 1000.0;
        ensure!(count(&answer) == expected, "{} nodes: {answer}", count(&answer));
        Ok(took)
    };
    let close = times(CALLS, || ask(&tree, 23))?;
    let apart = times(ISOLATED, || {
        std::thread::sleep(THINKING);
        ask(&tree, 23)
    })?;
    let mut client = Client::start(ground, &project)?;
    let arguments = json!({ "scenePath": "scenes/main.tscn", "limit": 23 });
    let through = times(CALLS, || {
        let begin = Instant::now();
        client.call("live_tree", &arguments)?;
        Ok(begin.elapsed().as_secs_f64() * 1000.0)
    })?;
    client.call("editor_scene", &json!({ "scenePath": "many.tscn", "action": "open" }))?;
    let many = json!({ "project": name, "scene": "res://many.tscn", "limit": NODES + 1 });
    let large = times(ROUNDS, || ask(&many, NODES + 1))?;
    let row = |what: &str, value: f64, most: f64| {
        goal(what, format!("{value:.2}"), &format!("< {most}"), Some(value < most))
    };
    Ok(vec![
        row("tree back to back, over the link, ms", close, 2.0),
        row("the same as live_tree over MCP, ms", through, 2.0),
        row("tree, calls apart, ms", apart, 3.0),
        row("a tree of 10,000 nodes, ms", large, 100.0),
    ])
}

/// A game with the addon and no client, and the same game without it.
fn game(ground: &Ground) -> Result<Vec<Row>> {
    let with = ground.project("with")?;
    let without = ground.project("without")?;
    let mut uninstall = std::process::Command::new(&ground.binary);
    uninstall.args(["install", "godot-addon", "--uninstall", "--project"]).arg(&without);
    let said = process::capture(
        uninstall.env("HOME", ground.scratch.join("home")),
        super::ground::ERRAND_LIMIT,
    )?;
    ensure!(said.status.success(), "uninstall: {}", said.tail());
    let mut costs = Vec::new();
    for _ in 0..ROUNDS {
        costs.push((frames(ground, &with)? - frames(ground, &without)?) / FRAMES as f64);
    }
    costs.sort_by(f64::total_cmp);
    let cost = costs[ROUNDS / 2];
    let (micros, share) = (cost * 1e6, cost * 60.0 * 100.0);
    Ok(vec![
        goal("cost of the addon without a client, µs a frame", format!("{micros:.1}"), "", None),
        goal(
            "the same, % of a frame at 60 a second",
            format!("{share:.2}"),
            "< 1",
            Some(share < 1.0),
        ),
    ])
}

/// Seconds of some frames, less the start.
fn frames(ground: &Ground, project: &Path) -> Result<f64> {
    let run = |count: usize| -> Result<f64> {
        let count = count.to_string();
        let begin = Instant::now();
        let said = ground.errand(project, &["--fixed-fps", "60", "--quit-after", &count, SCENE])?;
        ensure!(said.status.success(), "the game: {}", said.tail());
        Ok(begin.elapsed().as_secs_f64())
    };
    Ok(run(FRAMES)? - run(1)?)
}

/// The median of some calls.
fn times(count: usize, mut call: impl FnMut() -> Result<f64>) -> Result<f64> {
    let mut took = (0..count).map(|_| call()).collect::<Result<Vec<f64>>>()?;
    took.sort_by(f64::total_cmp);
    Ok(took[count / 2])
}

fn many() -> String {
    let mut text = "[gd_scene format=3]\n\n[node name=\"Many\" type=\"Node2D\"]\n".to_owned();
    for at in 0..NODES {
        let _ = write!(text, "\n[node name=\"N{at}\" type=\"Node2D\" parent=\".\"]\n");
    }
    text
}
