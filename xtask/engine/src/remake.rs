//! Real objects of Unity projects made again: `cargo xtask engine remake --corpora DIR --kind native`.
//!
//! No Unity is at hand to judge what a new component has to look like, but its files are. Every native
//! object that was saved by the version of its project is taken apart into values, and made again from
//! what a new one of its class has and the values that differ: the bytes must be the same. With
//! `--kind script` the saved fields of every script are compared with what its source says. Meshes, the curves
//! of animation clips, animator controllers and input actions are made again from what they hold.

mod clips;
mod controllers;
mod inputs;
mod meshes;
mod native;
mod read;
mod script;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use scenewright_unity::types::Version;

const USAGE: &str =
    "usage: cargo xtask remake --corpora DIR --kind native|script|mesh|clip|controller|input";
/// Projects lie this deep in a folder of them.
const MAX_DEPTH: usize = 6;
/// Of one class that many objects of a project are enough.
const MOST: usize = 2000;
/// Text files that hold objects of Unity.
const ENDINGS: [&str; 8] = [
    "unity",
    "prefab",
    "mat",
    "anim",
    "controller",
    "physicsMaterial2D",
    "physicMaterial",
    "renderTexture",
];

/// A Unity project in a folder of them.
struct Project {
    root: PathBuf,
    /// The folder right below the one that was given, where sources outside of the project lie, too.
    around: PathBuf,
    version: Version,
    release: Option<(u32, u32)>,
}

/// Run the task.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let ["--corpora", dir, "--kind", kind] = args else { bail!(USAGE) };
    // These say nothing of the project that they are in.
    let of_files = match *kind {
        "mesh" => Some(meshes::run as fn(&Path)),
        "clip" => Some(clips::run as fn(&Path)),
        "controller" => Some(controllers::run as fn(&Path)),
        "input" => Some(inputs::run as fn(&Path)),
        _ => None,
    };
    if let Some(judge) = of_files {
        judge(Path::new(dir));
        return Ok(());
    }
    let projects = projects(Path::new(dir))?;
    ensure!(!projects.is_empty(), "{dir} has no Unity project");
    match *kind {
        "native" => native::run(&projects),
        "script" => script::run(&projects),
        _ => bail!(USAGE),
    }
}

/// What was judged, by name, with how often and the first that went wrong.
#[derive(Default)]
struct Tally {
    rows: BTreeMap<String, Row>,
}

#[derive(Default)]
struct Row {
    same: usize,
    other: usize,
    /// The fields that had to be set, with how often, and how many there are.
    set: BTreeMap<String, usize>,
    fields: usize,
    first: Option<String>,
}

impl Tally {
    fn add(&mut self, name: &str, difference: Option<String>, set: Vec<String>, fields: usize) {
        let row = self.rows.entry(name.to_owned()).or_default();
        set.into_iter().for_each(|key| *row.set.entry(key).or_default() += 1);
        row.fields += fields;
        match difference {
            None => row.same += 1,
            Some(difference) => {
                row.other += 1;
                row.first.get_or_insert(difference);
            }
        }
    }

    /// Prints a line for each name and how many of all are the same.
    fn print(&self, what: &str) {
        println!("{:28} {:>8} {:>8}  set each, and what in most", "", "judged", "the same");
        let (mut same, mut all) = (0, 0);
        for (name, row) in &self.rows {
            let judged = row.same + row.other;
            let rate = 100.0 * row.same as f64 / judged as f64;
            let each = |count: usize| count as f64 / judged as f64;
            let (set, fields) = (each(row.set.values().sum()), each(row.fields));
            let most = row.set.iter().filter(|(_, count)| **count * 2 > judged);
            let most: Vec<_> = most.map(|(key, _)| key.as_str()).collect();
            let most = most.join(" ");
            println!("{name:28} {judged:>8} {rate:>7.1}%  {set:.1} of {fields:.0}  {most}");
            same += row.same;
            all += judged;
        }
        for (name, row) in &self.rows {
            if let Some(first) = &row.first {
                println!("\n{name}, the first of {}\n{first}", row.other);
            }
        }
        println!("\n{same} of {all} {what}: {:.2} %", 100.0 * same as f64 / all.max(1) as f64);
    }
}

/// The Unity projects below a folder.
fn projects(dir: &Path) -> Result<Vec<Project>> {
    let mut found = Vec::new();
    let mut open = vec![(dir.to_owned(), 0, dir.to_owned())];
    while let Some((folder, depth, around)) = open.pop() {
        let settings = folder.join("ProjectSettings").join("ProjectVersion.txt");
        if let Ok(text) = fs::read_to_string(&settings) {
            let line = text.lines().find_map(|line| line.strip_prefix("m_EditorVersion: "));
            if let Some(version) = line.and_then(Version::parse) {
                let release = line.and_then(release);
                found.push(Project {
                    root: folder.clone(),
                    around: around.clone(),
                    version,
                    release,
                });
            }
            continue;
        }
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() && depth < MAX_DEPTH {
                let around = if depth == 0 { path.clone() } else { around.clone() };
                open.push((path, depth + 1, around));
            }
        }
    }
    found.sort_by(|one, two| one.root.cmp(&two.root));
    Ok(found)
}

/// `2022.3.20f1` is of the release 2022.3.
fn release(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// All files below a folder with one of these endings, in order.
fn files(dir: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![dir.to_owned()]);
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                open.push(path);
            } else if ending.is_some_and(|ending| endings.contains(&ending)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The first line in which two texts differ.
fn difference(place: &str, real: &str, made: &str) -> Option<String> {
    if real == made {
        return None;
    }
    let (mut real, mut made) = (real.lines(), made.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (real.next(), made.next()) {
            (None, None) => return Some(format!("  {place}: line ends")),
            (real, made) if real != made => {
                let [real, made] = [real, made].map(|line| line.unwrap_or("(nothing)"));
                return Some(format!("  {place}, line {number}\n  real {real}\n  made {made}"));
            }
            _ => {}
        }
    }
}
