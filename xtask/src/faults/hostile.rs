//! Repositories whose authors want a program of theirs to run, made up at random: other settings in other places each
//! time, and every command of ours that asks git.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Ground;
use super::git::git;
use super::report::{Report, Tally};
use crate::random::Random;

/// Settings whose value is a program; `NAME` is a driver that the attributes name.
const SETTINGS: [(&str, &str); 14] = [
    ("core", "fsmonitor"),
    ("core", "hooksPath"),
    ("core", "pager"),
    ("core", "editor"),
    ("core", "sshCommand"),
    ("core", "alternateRefsCommand"),
    ("diff", "external"),
    ("diff \"NAME\"", "textconv"),
    ("diff \"NAME\"", "command"),
    ("filter \"NAME\"", "clean"),
    ("filter \"NAME\"", "process"),
    ("filter \"NAME\"", "smudge"),
    ("merge \"NAME\"", "driver"),
    ("pager", "diff"),
];
/// Names of drivers, with what an override by `-c` cannot spell.
const NAMES: [&str; 5] = ["x", "a=b.clean", "a.b", "lfs", "scenewright"];
/// Where a configuration is, or seems to be.
const PLACES: [&str; 4] = [".git/config", ".git/config.worktree", "included", "game/config"];
const COMMANDS: [&[&str]; 7] = [
    &["diff"],
    &["diff", "--staged"],
    &["check", "--changed-since", "HEAD", "--project", "."],
    &["call", "project.diff", "--project", "."],
    &["call", "project.mergeConflicts", "--project", "."],
    &["git", "install", "--check"],
    &["merge", "--all", "--list"],
];

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    if cfg!(not(unix)) {
        report.add("hostile-repository", Tally::skipped("the traps are scripts of a Unix shell"));
        return Ok(());
    }
    let rounds = ground.tries(4, 60);
    let (mut ours, mut alive) = (Tally::of(0), 0);
    for round in 0..rounds {
        let hostile = Hostile::new(ground, &mut ground.random("hostile-repository", round))?;
        for folder in ["game", "."] {
            for args in COMMANDS {
                let folder = hostile.folder.join(folder);
                let mut command = Command::new(&ground.binary);
                command.args(args).current_dir(&folder).env("HOME", hostile.folder.join("home"));
                let output = command.stdin(Stdio::null()).output()?;
                ours.tries += 1;
                let ran = hostile.ran()?;
                if !ran.is_empty() {
                    ours.fail(format!("{args:?} in {} ran {ran:?}", folder.display()));
                }
                if output.status.code().is_none() {
                    ours.fail(format!("{args:?} ended by a signal"));
                }
            }
        }
        // The same traps, for git itself.
        for folder in ["game", "."] {
            let _ = git(&hostile.folder.join(folder), &["diff"]);
            let _ = git(&hostile.folder.join(folder), &["status"]);
        }
        alive += usize::from(!hostile.ran()?.is_empty());
    }
    ours.notes = format!("{alive} of {rounds} ran a program under git itself");
    if alive == 0 {
        ours.fail("no trap works, so that nothing was tried".to_owned());
    }
    report.add("hostile-repository", ours);
    Ok(())
}

struct Hostile {
    folder: PathBuf,
    traps: PathBuf,
}

impl Hostile {
    fn new(ground: &Ground, random: &mut Random) -> Result<Hostile> {
        let folder = ground.folder("hostile")?;
        let traps = ground.folder("hostile-traps")?;
        let hostile = Hostile { folder, traps };
        let name = *random.pick(&NAMES);
        for (file, text) in [
            ("game/project.godot", "config_version=5\n"),
            ("game/main.tscn", "[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node\"]\n"),
            (".gitattributes", &format!("* filter={name} diff={name} merge={name}\n")),
        ] {
            hostile.write(file, text)?;
        }
        git(&hostile.folder, &["init", "-q", "-b", "main"])?;
        git(&hostile.folder, &["add", "-A"])?;
        git(&hostile.folder, &["commit", "-q", "-m", "x"])?;
        for part in ["HEAD", "index", "refs/heads/main"] {
            let to = hostile.folder.join("game").join(part);
            fs::create_dir_all(to.parent().context("it is in a folder")?)?;
            fs::copy(hostile.folder.join(".git").join(part), to)?;
        }
        fs::create_dir_all(hostile.folder.join("game/objects"))?;
        hostile.write(
            "game/main.tscn",
            "[gd_scene format=3]\n\n[node name=\"Other\" type=\"Node\"]\n",
        )?;
        let head = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = ../included\n";
        for place in PLACES {
            let mut text = match place {
                ".git/config" => head.to_owned(),
                "game/config" => "[core]\n\tbare = false\n\tworktree = .\n".to_owned(),
                _ => String::new(),
            };
            for (section, key) in SETTINGS {
                if random.below(3) > 0 {
                    let trap = hostile.trap(&format!("{place}-{section}-{key}"))?;
                    text += &format!("[{}]\n\t{key} = {trap}\n", section.replace("NAME", name));
                }
            }
            hostile.write(place, &text)?;
        }
        Ok(hostile)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().context("it is in a folder")?)?;
        fs::write(path, text).with_context(|| name.to_owned())
    }

    /// A program that leaves a trace under its name.
    fn trap(&self, name: &str) -> Result<String> {
        let name: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let path = self.traps.join(&name);
        fs::write(&path, format!("#!/bin/sh\n: > '{}.ran'\ncat\n", path.display()))?;
        crate::os::allow(&path, 0o755)?;
        Ok(path.display().to_string())
    }

    /// What left a trace since the last look.
    fn ran(&self) -> Result<Vec<String>> {
        let mut ran = Vec::new();
        for entry in fs::read_dir(&self.traps)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "ran") {
                fs::remove_file(&path)?;
                ran.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
            }
        }
        Ok(ran)
    }
}
