//! Records, locks and folders that somebody put where the program keeps its own, of every sort. It starts, reads, writes
//! and takes back beside them: nothing of them is carried out or taken back, nothing outside is touched, and nothing is
//! waited for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Ground;
use super::places::{self, HOT, Tree};
use super::report::{Report, Tally};
use crate::os;
use crate::process::{self, Captured};
use crate::random::Random;

/// Of one call. What waits for a pipe waits for ever, or for the limit of a call of a tool, which is 30 s.
const LIMIT: Duration = Duration::from_secs(20);
const EVIL: &str = "extends Node\nfunc _ready():\n\tOS.execute('/bin/sh', ['-c', 'id'])\n";
const NUMBERS: [u64; 6] = [1, 2, 1_000_000_000, (1 << 53) - 1, 1 << 53, u64::MAX];
const WRITE: (&str, &str) =
    ("write_script", r#"{ "scriptPath": "res://beside.gd", "content": "extends Node\n" }"#);
const UNDO: (&str, &str) = ("project_undoLast", "{}");
const HISTORY: (&str, &str) = ("project_history", "{}");

/// What is put there, and whether it keeps everybody from writing.
type Sort = (&'static str, fn(&Scene<'_>, &mut Random) -> Result<()>, bool);

const SORTS: [Sort; 11] = [
    ("a half-done change", half_done, false),
    ("a change of another user", of_another_user, false),
    ("a change of another project", of_another_project, false),
    ("a change with another byte", with_another_byte, false),
    ("bytes at random", at_random, false),
    ("large numbers", large_numbers, false),
    ("folders behind a link", folders_behind_a_link, false),
    ("records that are links", records_as_links, false),
    ("records that are pipes", records_as_pipes, false),
    ("a lock that is no file", lock, true),
    ("a link for the folder", folder_as_link, true),
];

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let mut slowest = Duration::ZERO;
    for (number, (name, plant, keeps_out)) in SORTS.into_iter().enumerate() {
        if cfg!(not(unix)) && (name.contains("link") || name.contains("pipe") || keeps_out) {
            report
                .add(&format!("planted: {name}"), Tally::skipped("needs links and pipes of Unix"));
            continue;
        }
        let mut tally = Tally::default();
        for round in 0..ground.tries(2, 40) {
            let random = &mut ground.random("planted-records", round * SORTS.len() + number);
            tally.tries += 1;
            let scene = Scene::new(ground)?;
            plant(&scene, random).with_context(|| format!("{name} cannot be made"))?;
            match scene.live_with_it(keeps_out) {
                Ok(took) => slowest = slowest.max(took),
                Err(error) => tally.fail(format!("round {round}: {error:#}")),
            }
        }
        tally.notes = format!("slowest call so far {:.1} s", slowest.as_secs_f64());
        report.add(&format!("planted: {name}"), tally);
    }
    Ok(())
}

/// A project with something in it, its user, and what lies outside.
struct Scene<'g> {
    ground: &'g Ground,
    folder: PathBuf,
    project: PathBuf,
    home: PathBuf,
    outside: PathBuf,
}

impl Scene<'_> {
    fn new(ground: &Ground) -> Result<Scene<'_>> {
        let folder = ground.folder("planted")?.canonicalize()?;
        let (home, outside) = (folder.join("home"), folder.join("outside"));
        fs::create_dir_all(&home)?;
        fs::create_dir_all(outside.join("empty"))?;
        fs::write(outside.join("canary"), "mine")?;
        let project = places::copy_sample("godot", &folder)?;
        fs::create_dir(project.join(HOT))?;
        Ok(Scene { ground, folder, project, home, outside })
    }

    fn hot(&self, name: &str) -> PathBuf {
        self.project.join(HOT).join(name)
    }

    /// `scenewright ARGS` as the user whose home this is.
    fn program(&self, home: &Path, args: &[&str], project: &Path) -> Result<Captured> {
        let mut command = Command::new(&self.ground.binary);
        command.env_clear().env("HOME", home).current_dir(&self.folder).args(args);
        process::capture(command.arg("--project").arg(project), LIMIT)
    }

    fn call(&self, (tool, arguments): (&str, &str), more: &[&str]) -> Result<Captured> {
        let args = [&["call", tool, "--json", arguments], more].concat();
        self.program(&self.home, &args, &self.project)
    }

    /// Make a change and give its record, which is taken away from the history.
    fn record_of(&self, home: &Path, project: &Path) -> Result<Vec<u8>> {
        fs::create_dir_all(home)?;
        let write = ["call", "write_script", "--json", MADE, "--allow-writes"];
        let said = self.program(home, &write, project)?;
        ensure!(said.status.success(), "no record could be made: {}", said.tail());
        let file = find_record(home)?.context("there is no record")?;
        let record = fs::read(&file)?;
        fs::remove_file(file)?;
        Ok(record)
    }

    /// Everything that a user does beside it. The time of the slowest call.
    fn live_with_it(&self, keeps_out: bool) -> Result<Duration> {
        let (before, outside) = (Tree::read(&self.project)?, Tree::read(&self.outside)?);
        let names = names(&self.project.join(HOT))?;
        let mut slowest = Duration::ZERO;
        let mut step = |what: &str, said: &dyn Fn() -> Result<Captured>| -> Result<Captured> {
            let started = Instant::now();
            let said = said().with_context(|| what.to_owned())?;
            slowest = slowest.max(started.elapsed());
            ensure!(said.status.code().is_some_and(|code| code < 100), "{what}: {}", said.tail());
            ensure!(Tree::read(&self.outside)? == outside, "{what}: outside is touched");
            Ok(said)
        };
        let same = |what: &str| {
            let now = Tree::read(&self.project)?;
            ensure!(now == before, "{what}: {}", now.difference(&before));
            Ok(())
        };
        step("reading", &|| self.call(HISTORY, &[]))?;
        same("reading")?;
        ensure!(
            self.names()? == names,
            "reading changed {HOT}: {names:?}, now {:?}",
            self.names()?
        );
        let serve = ["serve", "--stdio", "--allow-writes", "--require-confirm"];
        step("starting", &|| self.program(&self.home, &serve, &self.project))?;
        same("starting")?;
        let said = step("writing", &|| self.call(WRITE, &["--allow-writes"]))?;
        if keeps_out {
            let text = format!("{}{}", said.stdout, said.stderr);
            let is_named = text.contains("not a file") || text.contains("no folder");
            ensure!(!said.status.success() && is_named, "writing: {}", said.tail());
            same("writing")?;
            return Ok(slowest);
        }
        ensure!(said.status.success(), "writing: {}", said.tail());
        let said = step("listing", &|| self.call(HISTORY, &[]))?;
        ensure!(said.status.success(), "listing: {}", said.tail());
        ensure!(numbers(&said.stdout).iter().all(|id| *id < 1 << 53), "{}", said.stdout);
        let said = step("taking back", &|| self.call(UNDO, &["--allow-writes"]))?;
        ensure!(said.status.success(), "taking back: {}", said.tail());
        same("taking back")?;
        let said = step("taking back more", &|| self.call(UNDO, &["--allow-writes"]))?;
        ensure!(!said.status.success(), "there was something to take back: {}", said.stdout);
        same("taking back more")?;
        for name in names {
            ensure!(self.hot(&name).symlink_metadata().is_ok(), "{name} is gone");
        }
        Ok(slowest)
    }

    fn names(&self) -> Result<Vec<String>> {
        names(&self.project.join(HOT))
    }
}

/// The change whose record is carried elsewhere.
const MADE: &str = r#"{ "scriptPath": "res://made.gd", "content": "extends Node2D\n" }"#;

fn names(folder: &Path) -> Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into()));
    let mut names: Vec<String> = names.collect::<Result<_>>()?;
    names.sort();
    Ok(names)
}

/// The numbers of the changes in an answer.
fn numbers(answer: &str) -> Vec<u64> {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let changes = answer["changes"].as_array().into_iter().flatten();
    changes.filter_map(|change| change["id"].as_u64()).collect()
}

/// The first record of a history below a folder.
fn find_record(folder: &Path) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if let Some(found) = find_record(&path)? {
                return Ok(Some(found));
            }
        } else if path.extension().is_some_and(|ending| ending == "done") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// A record without a proof: one file was replaced, another one is to be.
fn unproven(scene: &Scene<'_>, random: &mut Random) -> Result<Vec<u8>> {
    let names = names(&scene.project.join("scripts"))?;
    let scripts: Vec<&String> = names.iter().filter(|name| name.ends_with(".gd")).collect();
    let first = random.below(scripts.len());
    let second = (first + 1 + random.below(scripts.len() - 1)) % scripts.len();
    let path = |index: usize| format!("scripts/{}", scripts[index]);
    let now = |index: usize| fs::read(scene.project.join(path(index)));
    let (one, other) = (now(first)?, now(second)?);
    let file = |path: String, before: &[u8], after: &[u8]| {
        let staged = format!("scripts/.scenewright-0{}.tmp", before.len() % 10);
        json!({
            "path": path, "from": null, "before": stamp(before), "after": stamp(after),
            "same": [0, 0], "mode": null, "staged": staged,
        })
    };
    let record = json!({
        "format": 2, "root": scene.project, "unix_ms": 1, "tool": "x", "undoes": null,
        "folders": [], "removed": [],
        "files": [file(path(first), EVIL.as_bytes(), &one), file(path(second), &other, b"zzz")],
    });
    Ok([format!("{record}\n").as_bytes(), EVIL.as_bytes(), &other].concat())
}

fn stamp(bytes: &[u8]) -> Value {
    let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "bytes": bytes.len(), "sha256": sum })
}

fn half_done(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let record = unproven(scene, random)?;
    Ok(fs::write(scene.hot(&format!("{:08}.intent", random.pick(&NUMBERS))), record)?)
}

/// Put a record there as a change that is done, as one that is not, or as both.
fn put(scene: &Scene<'_>, random: &mut Random, record: &[u8]) -> Result<()> {
    let endings = *random.pick::<&[&str]>(&[&["done"], &["intent"], &["done", "intent"]]);
    // The folder has gone with the last change.
    fs::create_dir_all(scene.project.join(HOT))?;
    for ending in endings {
        fs::write(scene.hot(&format!("00000001.{ending}")), record)?;
    }
    Ok(())
}

fn of_another_user(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let record = scene.record_of(&scene.folder.join("another"), &scene.project)?;
    put(scene, random, &record)
}

fn of_another_project(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let elsewhere = scene.folder.join("elsewhere");
    fs::create_dir(&elsewhere)?;
    let elsewhere = places::copy_sample("godot", &elsewhere)?;
    let record = scene.record_of(&scene.home, &elsewhere)?;
    // The same change was made here.
    fs::copy(elsewhere.join("made.gd"), scene.project.join("made.gd"))?;
    put(scene, random, &record)
}

fn with_another_byte(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let mut record = scene.record_of(&scene.home, &scene.project)?;
    let at = random.below(record.len());
    record[at] ^= 1 << random.below(8);
    put(scene, random, &record)
}

fn at_random(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let bytes: Vec<u8> = (0..1 + random.below(4096)).map(|_| random.below(256) as u8).collect();
    put(scene, random, &bytes)
}

fn large_numbers(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let record = json!({
        "format": 2, "root": scene.project, "unix_ms": 1, "tool": "x", "undoes": null,
        "folders": [], "removed": [],
        "files": [{
            "path": "icon.svg", "from": null, "before": null, "after": null, "same": [0, 0],
            "mode": null, "staged": null,
        }],
    });
    for number in NUMBERS {
        if number > 2 && random.below(2) > 0 || number == u64::MAX {
            fs::write(scene.hot(&format!("{number:08}.done")), format!("{record}\n"))?;
        }
    }
    Ok(())
}

fn folders_behind_a_link(scene: &Scene<'_>, _: &mut Random) -> Result<()> {
    os::link(&scene.outside, &scene.project.join("ln"))?;
    let record = json!({
        "format": 2, "root": scene.project, "unix_ms": 1, "tool": "x", "undoes": null,
        "folders": ["ln/made"], "removed": ["ln/empty"], "files": [],
    });
    Ok(fs::write(scene.hot("00000001.intent"), format!("{record}\n"))?)
}

fn records_as_links(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let record = unproven(scene, random)?;
    fs::write(scene.outside.join("record"), record)?;
    let targets =
        [scene.outside.join("record"), PathBuf::from("/dev/zero"), PathBuf::from("nowhere")];
    for name in ["00000001.intent", "00000002.done"] {
        os::link(&targets[random.below(targets.len())], &scene.hot(name))?;
    }
    Ok(())
}

fn records_as_pipes(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let endings = *random.pick::<&[&str]>(&[&["done"], &["intent"], &["done", "intent"]]);
    endings.iter().try_for_each(|ending| pipe(&scene.hot(&format!("00000001.{ending}"))))
}

fn lock(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    let lock = scene.hot("lock");
    match random.below(3) {
        0 => Ok(os::link(&scene.outside.join("made"), &lock)?),
        1 => Ok(fs::create_dir(lock)?),
        _ => pipe(&lock),
    }
}

fn folder_as_link(scene: &Scene<'_>, random: &mut Random) -> Result<()> {
    fs::remove_dir(scene.project.join(HOT))?;
    fs::write(scene.outside.join("00000001.intent"), unproven(scene, random)?)?;
    Ok(os::link(&scene.outside, &scene.project.join(HOT))?)
}

fn pipe(path: &Path) -> Result<()> {
    let made = Command::new("mkfifo").arg(path).status().context("mkfifo cannot be started")?;
    ensure!(made.success(), "mkfifo {}", path.display());
    Ok(())
}
