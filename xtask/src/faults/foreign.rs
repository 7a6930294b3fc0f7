//! Another program saves the scene that is being edited, again and again; no save may be lost.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::Ground;
use super::client::{Client, Host, Transport};
use super::report::{Report, Tally};
use crate::random::Random;

/// No edit takes longer.
const LIMIT: Duration = Duration::from_secs(20);

/// How the other program saves.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// A new file, moved over the old one.
    Rename,
    /// Over the bytes of the old one.
    InPlace,
    /// The same, and the file looks as old as before.
    TimesKept,
}

impl Way {
    const ALL: [Way; 3] = [Way::Rename, Way::InPlace, Way::TimesKept];

    fn name(self) -> &'static str {
        match self {
            Way::Rename => "by rename",
            Way::InPlace => "in place",
            Way::TimesKept => "in place, times kept",
        }
    }
}

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    for way in Way::ALL {
        let folder = ground.folder("foreign-saves")?;
        let tally = save_often(ground, &folder, way)?;
        report.add(&format!("foreign saves, {}", way.name()), tally);
    }
    Ok(())
}

fn save_often(ground: &Ground, folder: &Path, way: Way) -> Result<Tally> {
    let (project, home) = (folder.join("game"), folder.join("home"));
    fs::create_dir_all(&project)?;
    fs::create_dir_all(&home)?;
    fs::write(project.join("project.godot"), "config_version=5\n")?;
    let scene = project.join("scene.tscn");
    fs::write(&scene, content(&marker(0), 100))?;
    let mut host = Host::start(ground, &project, &home, &["--allow-writes"])?;
    let client = host.client(Transport::Stdio)?;
    let edits = Edits::default();
    let saver = Saver { scene, way, edits: &edits };
    let tries = ground.tries(100, 5000);
    let (edited, saved) = thread::scope(|scope| {
        let editor = scope.spawn(|| edit_until_over(client, &edits));
        let saved = saver.save_often(ground, tries);
        edits.over.store(true, Ordering::SeqCst);
        (editor.join().expect("it does not panic"), saved)
    });
    let refused = edited.with_context(|| host.server.stderr_tail())?;
    let mut tally = saved?;
    let answered = edits.answered.load(Ordering::SeqCst);
    tally.notes = format!("{answered} edits meanwhile, {refused} of them refused");
    Ok(tally)
}

/// How far the edits are.
#[derive(Debug, Default)]
struct Edits {
    answered: AtomicUsize,
    over: AtomicBool,
}

/// Edit the scene without a pause; how many edits were refused.
fn edit_until_over(mut client: Client, edits: &Edits) -> Result<usize> {
    let mut refused = 0;
    for number in 0.. {
        if edits.over.load(Ordering::SeqCst) {
            break;
        }
        // Always three digits, so that the file keeps its length.
        let value = 100 + number % 900;
        let answer = client.call(
            "edit_node",
            &json!({
                "scenePath": "res://scene.tscn", "nodePath": "Edited",
                "properties": { "z_index": value },
            }),
        );
        if !answer
            .inspect_err(|_| edits.over.store(true, Ordering::SeqCst))?
            .contains(r#""isError":false"#)
        {
            refused += 1;
        }
        edits.answered.fetch_add(1, Ordering::SeqCst);
    }
    Ok(refused)
}

/// The other program.
struct Saver<'a> {
    scene: PathBuf,
    way: Way,
    edits: &'a Edits,
}

impl Saver<'_> {
    fn save_often(&self, ground: &Ground, tries: usize) -> Result<Tally> {
        // The first answers take longer than the others.
        self.wait_for_edits(3)?;
        let started = Instant::now();
        self.wait_for_edits(5)?;
        let pace = started.elapsed() / 5;
        let mut tally = Tally::default();
        for step in 1..=tries {
            let mut random = ground.random(self.way.name(), step);
            thread::sleep(random.time(pace * 2));
            self.save(&marker(step), &mut random).with_context(|| format!("step {step}"))?;
            tally.tries += 1;
            if let Err(error) = self.judge(&marker(step)) {
                tally.fail(format!("step {step}: {error:#}"));
            }
        }
        Ok(tally)
    }

    /// Save what is there with another mark.
    fn save(&self, mark: &str, random: &mut Random) -> Result<()> {
        let old = self.read()?;
        let at = mark_in(&old).context("the scene has lost its mark")?;
        let mut new = old;
        new.replace_range(at..at + mark.len(), mark);
        // Editors take a while between reading and writing.
        thread::sleep(random.time(Duration::from_millis(1)));
        if let Way::Rename = self.way {
            let temporary = self.scene.with_extension("saving");
            fs::write(&temporary, new)?;
            return Ok(fs::rename(temporary, &self.scene)?);
        }
        let mut file = self.there(|path| File::options().write(true).open(path))?;
        let modified = file.metadata()?.modified()?;
        file.write_all(new.as_bytes())?;
        if let Way::TimesKept = self.way {
            file.set_times(FileTimes::new().set_modified(modified))?;
        }
        Ok(())
    }

    /// The mark is there once the edit that was under way is answered, and one more.
    fn judge(&self, mark: &str) -> Result<()> {
        self.wait_for_edits(2)?;
        if self.read()?.contains(mark) {
            return Ok(());
        }
        // It may have been read while it was out of its place for a moment.
        self.wait_for_edits(2)?;
        let now = self.read()?;
        let found = mark_in(&now).map_or("none", |at| &now[at..at + mark.len()]);
        ensure!(now.contains(mark), "{mark} was lost; the scene has {found}");
        Ok(())
    }

    fn wait_for_edits(&self, count: usize) -> Result<()> {
        let goal = self.edits.answered.load(Ordering::SeqCst) + count;
        let started = Instant::now();
        while self.edits.answered.load(Ordering::SeqCst) < goal {
            ensure!(!self.edits.over.load(Ordering::SeqCst), "the edits have ended");
            ensure!(started.elapsed() < LIMIT, "no edit was answered in {} s", LIMIT.as_secs());
            thread::sleep(Duration::from_micros(100));
        }
        Ok(())
    }

    fn read(&self) -> Result<String> {
        self.there(|path| fs::read_to_string(path))
    }

    /// Do something with the scene, which may be out of its place for a moment.
    fn there<T>(&self, act: impl Fn(&Path) -> io::Result<T>) -> Result<T> {
        for _ in 0..1000 {
            match act(&self.scene) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    thread::sleep(Duration::from_millis(1));
                }
                done => return Ok(done?),
            }
        }
        bail!("the scene is gone")
    }
}

/// As long for every step.
fn marker(step: usize) -> String {
    format!("mark{step:06}")
}

fn mark_in(scene: &str) -> Option<usize> {
    scene.find("mark0")
}

/// A scene with a mark that nobody edits and a number that somebody does.
fn content(mark: &str, number: usize) -> String {
    format!(
        "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\neditor_description = \"{mark}\"\n\n\
         [node name=\"Edited\" type=\"Node2D\" parent=\".\"]\nz_index = {number}\n"
    )
}
