//! Servers that end in the middle of things, by `kill -9`, by the end of their terminal or in order: no game, no
//! hidden editor and no folder stays, and an editor that a person asked for does. The engine is a shell script.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::Ground;
use super::report::{Report, Tally};
use crate::bench::call::Call;
use crate::bench::pipe::Pipe;
use crate::os;
use crate::random::Random;
use crate::server::Server;

/// Each is behind a script of its own, as many engines are, and starts one more.
const ENGINE: &str = "#!/bin/sh\n[ \"$1\" = --version ] && echo 4.6.stable && exit\n\
    [ \"$1\" = --child ] || \"$0\" --child \"$@\" &\nwhile :; do sleep 1; done\n";
/// What a server does when it ends.
const CALLS: [(&str, &str); 5] = [
    ("run_project", r#"{ "scene": "a.tscn", "headless": true }"#),
    ("run_project", r#"{ "scene": "a.tscn", "headless": true, "seconds": 100 }"#),
    ("script_symbol", r#"{ "scriptPath": "a.gd", "symbol": "health" }"#),
    ("reimport_assets", r#"{ "paths": ["a.tscn"] }"#),
    ("launch_editor", "{}"),
];
const SIGNALS: [&str; 4] = ["-KILL", "-KILL", "-HUP", "-TERM"];
/// A server lives for so long at most, in milliseconds.
const LONGEST: usize = 1500;
/// What is to be gone is gone within this time.
const PATIENCE: Duration = Duration::from_secs(20);
const LIMIT: Duration = Duration::from_secs(120);

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    if cfg!(not(unix)) {
        report.add("orphaned-children", Tally::skipped("the engine is a script of a Unix shell"));
        return Ok(());
    }
    let (mut tally, mut seen, mut slowest) = (Tally::of(0), 0, Duration::ZERO);
    for round in 0..ground.tries(16, 200) {
        tally.tries += 1;
        let random = &mut ground.random("orphaned-children", round);
        let folder = ground.folder("orphans")?;
        let before = once(ground, &folder, random, &mut tally);
        // Whatever came of it, nothing of this round is there in the next.
        let left = processes(&folder)?;
        left.iter().for_each(|process| os::end(process.pid));
        let (count, time) = before?;
        seen += count;
        slowest = slowest.max(time);
    }
    tally.notes = format!("{seen} processes; gone within {} ms", slowest.as_millis());
    if seen == 0 {
        tally.fail("no engine was started, so that nothing was tried".to_owned());
    }
    report.add("orphaned-children", tally);
    Ok(())
}

/// How many processes there were, and how long it took until they were gone.
fn once(
    ground: &Ground,
    folder: &Path,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(usize, Duration)> {
    let temporary = prepare(folder)?;
    let mut command = os::heeding_hangups(&ground.binary);
    command.args(["serve", "--stdio", "--allow-runs", "--allow-writes", "--project"]);
    command.arg(folder.join("game")).current_dir(folder).env("HOME", folder);
    command.env("GODOT_PATH", folder.join("godot")).env("TMPDIR", &temporary);
    let (server, stdin, stdout) = Server::start_stdio(&mut command, LIMIT)?;
    let mut pipe = Pipe::stdio(stdin, stdout);
    pipe.shake_hands()?;
    let mut said = Vec::new();
    for id in 1..=1 + random.below(4) {
        let (name, arguments) = *random.pick(&CALLS);
        let arguments: Value = serde_json::from_str(arguments)?;
        let params = json!({ "name": name, "arguments": arguments });
        pipe.send(&Call::new("tools/call", &params).with_id(id as u64))?;
        said.push(name);
    }
    thread::sleep(Duration::from_millis(random.below(LONGEST) as u64));
    let before = processes(folder)?;
    let persons: Vec<u32> =
        before.iter().filter(|process| process.is_persons()).map(|process| process.pid).collect();
    let signal = *random.pick(&SIGNALS);
    let ended = Instant::now();
    Command::new("kill").args([signal, &server.pid().to_string()]).output()?;
    let found = loop {
        let found = leftovers(folder, &temporary)?;
        if found.is_empty() || ended.elapsed() > PATIENCE {
            break found;
        }
        thread::sleep(Duration::from_millis(10));
    };
    let time = ended.elapsed();
    if !found.is_empty() {
        tally.fail(format!("{signal} in {said:?} left {found:?}"));
    }
    let after: Vec<u32> = processes(folder)?.iter().map(|process| process.pid).collect();
    if let Some(gone) = persons.iter().find(|pid| !after.contains(pid)) {
        tally.fail(format!("{signal} in {said:?} ended the person's editor {gone}"));
    }
    Ok((before.len(), time))
}

/// A project, an engine, and the folder for what is temporary.
fn prepare(folder: &Path) -> Result<PathBuf> {
    let temporary = folder.join("tmp");
    for folder in [&temporary, &folder.join("game")] {
        fs::create_dir_all(folder)?;
    }
    for (name, text) in [
        ("game/project.godot", "config_version=5\n"),
        ("game/a.tscn", "[gd_scene format=3]\n"),
        ("game/a.gd", "extends Node\nvar health := 1\n"),
        ("godot", ENGINE),
    ] {
        fs::write(folder.join(name), text)?;
    }
    os::allow(&folder.join("godot"), 0o755)?;
    Ok(temporary)
}

/// What should not be there any more.
fn leftovers(folder: &Path, temporary: &Path) -> Result<Vec<String>> {
    let mut found: Vec<String> = processes(folder)?
        .into_iter()
        .filter(|process| !process.is_persons())
        .map(|process| process.line)
        .collect();
    for entry in fs::read_dir(temporary)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("scenewright-") {
            found.push(name);
        }
    }
    Ok(found)
}

/// An engine of this round, or what one started.
struct Process {
    pid: u32,
    line: String,
}

impl Process {
    fn is_persons(&self) -> bool {
        self.line.contains("--editor") && !self.line.contains("--headless")
    }
}

fn processes(folder: &Path) -> Result<Vec<Process>> {
    let engine = folder.join("godot").display().to_string();
    let said = Command::new("ps").args(["-ww", "-eo", "pid=,args="]).output();
    let said = String::from_utf8_lossy(&said.context("ps cannot be started")?.stdout).into_owned();
    let process = |line: &str| {
        let (pid, line) = line.trim_start().split_once(' ')?;
        let is_one = line.contains(&engine) && !line.contains("--version");
        is_one.then(|| Some(Process { pid: pid.parse().ok()?, line: line.to_owned() }))?
    };
    Ok(said.lines().filter_map(process).collect())
}
