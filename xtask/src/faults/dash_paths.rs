//! Merges by the real git of files whose paths look like options, with the driver line of today and that of 0.1.0: both
//! sides are in the file, or git has a conflict and keeps both.

use std::fs;

use anyhow::{Context, Result};

use super::Ground;
use super::git::git;
use super::report::{Report, Tally};
use crate::random::Random;

const SCENE: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_ObjectHideFlags: 0\n  m_Layer: 0\n  m_Name: Base\n";
/// What paths are made of: options of ours, of git and of clap, and what shells and programs trip over.
const PARTS: [&str; 20] = [
    "-",
    "--",
    "-h",
    "-V",
    "--help",
    "--version",
    "--no-pager",
    "--report=x",
    "--marker-size",
    "-v",
    " ",
    "'",
    "\"",
    "$(id)",
    "`id`",
    "%P",
    "\\",
    "#",
    "*",
    "é",
];
const LINES: [&str; 2] = [
    "PROGRAM git merge-driver --marker-size %L -- %O %A %B %P",
    "PROGRAM git merge-driver %O %A %B %P --marker-size %L",
];
/// Files of one merge: starting git costs more than merging.
const FILES: usize = 20;

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let rounds = ground.tries(2, 20);
    for (number, line) in LINES.into_iter().enumerate() {
        let mut tally = Tally::of(0);
        for round in 0..rounds {
            let random = &mut ground.random("dash-paths", round * LINES.len() + number);
            tally.join(once(ground, line, random)?);
        }
        let which = if number == 0 { "today" } else { "0.1.0" };
        report.add(&format!("dash-paths: merges with the driver line of {which}"), tally);
    }
    Ok(())
}

fn once(ground: &Ground, line: &str, random: &mut Random) -> Result<Tally> {
    let folder = ground.folder("dash-paths")?;
    let mut names: Vec<String> = (0..FILES).map(|number| name(random, number)).collect();
    names.dedup();
    let driver = line.replace("PROGRAM", &format!("'{}'", ground.binary.display()));
    git(&folder, &["init", "-q", "-b", "main"])?;
    git(&folder, &["config", "merge.scenewright.driver", &driver])?;
    fs::write(folder.join(".git/info/attributes"), "*.unity merge=scenewright\n")?;
    let write = |text: &str| -> Result<()> {
        for name in &names {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().context("it is in a folder")?)?;
            fs::write(path, text)?;
        }
        git(&folder, &["add", "-A"])?;
        git(&folder, &["commit", "-q", "-m", "x"]).map(drop)
    };
    write(SCENE)?;
    git(&folder, &["checkout", "-q", "-b", "side"])?;
    write(&SCENE.replace("Base", "THEIRS"))?;
    git(&folder, &["checkout", "-q", "main"])?;
    write(&SCENE.replace("m_Layer: 0", "m_Layer: 5"))?;
    let merged = git(&folder, &["merge", "-q", "--no-edit", "side"]);
    let both = SCENE.replace("Base", "THEIRS").replace("m_Layer: 0", "m_Layer: 5");
    let mut tally = Tally::of(names.len());
    for name in &names {
        let found = fs::read_to_string(folder.join(name)).unwrap_or_default();
        if found != both {
            tally.fail(format!("{name:?} has {found:?}; git: {merged:?}"));
        }
    }
    Ok(tally)
}

/// A path of one or two parts; each has an end of its own, so that no two are one.
fn name(random: &mut Random, number: usize) -> String {
    let mut part = || (0..=random.below(2)).map(|_| *random.pick(&PARTS)).collect::<String>();
    let (folder, file) = (part(), part());
    match number % 2 {
        0 => format!("{file}{number}.unity"),
        _ => format!("{folder}{number}/{file}.unity"),
    }
}
