//! Files as no editor writes them: read, and nothing panics, hangs or ends.

mod mutate;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::client::{Client, Host, Transport};
use super::examples::{self, Tool};
use super::places::{self, Tree};
use super::report::{Report, Tally};
use super::{Ground, paths};
use crate::random::Random;

/// Tries until the server starts again, with nothing remembered.
const A_START: usize = 100;
/// Every answer must be there by then.
const LATEST: Duration = Duration::from_secs(2);
/// The tool that looks at every file.
const CHECK: &str = "project_check";
/// What is larger only makes the tries slower.
const LARGEST_SEED: u64 = 512 << 10;

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let folder = ground.folder("mutated-files")?;
    let projects = folder.join("projects");
    let seeds = seeds(ground, &projects)?;
    let mut bench =
        Bench { ground, folder, projects, seeds, slowest: (Duration::ZERO, String::new()) };
    let mut tally = Tally::default();
    let tries = ground.tries(300, 10_000);
    for first in (0..tries).step_by(A_START) {
        tally.join(bench.try_from_cold(first..tries.min(first + A_START))?);
    }
    let (slowest, what) = &bench.slowest;
    tally.notes = format!("slowest answer {} ms ({what})", slowest.as_millis());
    report.add("mutated files", tally);
    Ok(())
}

/// A file to be mutated: where it goes in which sample.
struct Seed {
    sample: &'static str,
    path: String,
    bytes: Vec<u8>,
    /// It is of the sample, and comes back after the try.
    belongs: bool,
}

/// The files of both samples; in the full form those of real projects as well, if they are there.
fn seeds(ground: &Ground, projects: &Path) -> Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for sample in ["unity", "godot"] {
        let project = places::copy_sample(sample, projects)?;
        for (path, bytes) in Tree::read(&project)?.files() {
            let path = path.to_string_lossy().replace('\\', "/");
            seeds.push(Seed { sample, path, bytes: bytes.to_vec(), belongs: true });
        }
        let corpora = paths::root().join("../shared/corpora").join(sample);
        if ground.options.full && corpora.is_dir() {
            let place = if sample == "unity" { "Assets/strange" } else { "strange" };
            seeds.extend(foreign(&corpora)?.into_iter().map(|(name, bytes)| Seed {
                sample,
                path: format!("{place}/{name}"),
                bytes,
                belongs: false,
            }));
        }
    }
    Ok(seeds)
}

/// Files of real projects that an engine reads as text.
fn foreign(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    const ENDINGS: [&str; 13] = [
        "tscn",
        "tres",
        "gd",
        "godot",
        "import",
        "unity",
        "prefab",
        "asset",
        "mat",
        "meta",
        "cs",
        "asmdef",
        "controller",
    ];
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                open.push(path);
                continue;
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_small = entry.metadata()?.len() <= LARGEST_SEED;
            if is_small && ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
                let name = entry.file_name().to_string_lossy().into_owned();
                found.push((name, fs::read(path)?));
            }
        }
    }
    // The order of a folder is the disk's.
    found.sort();
    Ok(found)
}

struct Bench<'a> {
    ground: &'a Ground,
    folder: PathBuf,
    projects: PathBuf,
    seeds: Vec<Seed>,
    slowest: (Duration, String),
}

/// A server and what can be asked of it.
struct Running {
    host: Host,
    client: Client,
    tools: Vec<Tool>,
}

impl Bench<'_> {
    /// A start with nothing remembered and the first file in its place, then the other tries.
    fn try_from_cold(&mut self, steps: std::ops::Range<usize>) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut running: Option<Running> = None;
        for step in steps {
            tally.tries += 1;
            let mut random = self.ground.random("mutated-files", step);
            let seed = random.below(self.seeds.len());
            let (name, bytes) = {
                let other = random.below(self.seeds.len());
                mutate::mutate(&mut random, &self.seeds[seed].bytes, &self.seeds[other].bytes)
            };
            let seed = &self.seeds[seed];
            let file = self.projects.join(seed.sample).join(&seed.path);
            fs::create_dir_all(file.parent().context("it is in a project")?)?;
            fs::write(&file, bytes)?;
            let case = format!("step {step}, {}/{} with {name}", seed.sample, seed.path);
            let server = match running.take() {
                Some(running) => Ok(running),
                None => self.start(),
            };
            let outcome = server.and_then(|mut server| {
                let asked = ask(&mut server, seed, &mut random)?;
                Ok((server, asked))
            });
            match outcome {
                Ok((server, asked)) => {
                    running = Some(server);
                    for problem in asked.problems {
                        tally.fail(format!("{case}: {problem}"));
                    }
                    if asked.slowest > self.slowest.0 {
                        self.slowest = (asked.slowest, format!("{}, {case}", asked.slowest_tool));
                    }
                }
                Err(error) => tally.fail(format!("{case}: {error:#}")),
            }
            match seed.belongs {
                true => fs::write(&file, &seed.bytes)?,
                false => fs::remove_file(&file)?,
            }
        }
        Ok(tally)
    }

    fn start(&self) -> Result<Running> {
        let home = self.folder.join("home");
        places::empty(&home)?;
        let extra = ["--toolsets", "all", "--tier", "tier4"];
        let mut host = Host::start(self.ground, &self.projects, &home, &extra)?;
        let mut client = host.client(Transport::Stdio)?;
        let mut tools = examples::all(&mut client)?;
        tools.retain(|tool| tool.reads_only && !tool.starts_engine());
        Ok(Running { host, client, tools })
    }
}

/// What a few calls showed.
struct Asked {
    problems: Vec<String>,
    slowest: Duration,
    slowest_tool: String,
}

/// A check of the whole project, and a few tools at random.
fn ask(running: &mut Running, seed: &Seed, random: &mut Random) -> Result<Asked> {
    let mut asked =
        Asked { problems: Vec::new(), slowest: Duration::ZERO, slowest_tool: String::new() };
    let fitting: Vec<&Tool> =
        running.tools.iter().filter(|tool| tool.sample() == seed.sample).collect();
    let mut calls = vec![(CHECK.to_owned(), json!({ "project": seed.sample }))];
    for _ in 0..2 + random.below(3) {
        let tool = *random.pick(&fitting);
        calls.push((tool.name.clone(), about(&tool.arguments, &seed.path)));
    }
    for (tool, arguments) in calls {
        let asked_at = Instant::now();
        let answer = running.client.call(&tool, &arguments).with_context(|| {
            format!("{tool} {arguments} was not answered: {}", running.host.server.stderr_tail())
        })?;
        let took = asked_at.elapsed();
        if took > asked.slowest {
            (asked.slowest, asked.slowest_tool) = (took, tool.clone());
        }
        if took > LATEST {
            asked.problems.push(format!("{tool} {arguments} took {} ms", took.as_millis()));
        }
        // A check that was asked wrongly looks at nothing.
        if is_defect(&answer) || (tool == CHECK && answer.contains("bad_arguments")) {
            let shown: String = answer.chars().take(400).collect();
            asked.problems.push(format!("{tool} {arguments} answered {shown}"));
        }
    }
    let log = running.host.server.log();
    if let Some(line) = log.lines().find(|line| line.contains("panicked")) {
        // The server goes on, and would be found guilty of it again; a fresh one takes its place.
        anyhow::bail!("a panic: {line}");
    }
    Ok(asked)
}

/// The error that no input may bring about.
pub(super) fn is_defect(answer: &str) -> bool {
    ["hit a defect", r#""kind":"internal""#].iter().any(|words| answer.contains(words))
}

/// The example's arguments, about this file where they name one of its kind.
fn about(arguments: &Value, path: &str) -> Value {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut arguments = arguments.clone();
    for value in arguments.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        let Some(text) = value.as_str() else { continue };
        if !ending.is_empty() && text.ends_with(&format!(".{ending}")) {
            let scheme = if text.starts_with("res://") { "res://" } else { "" };
            *value = json!(format!("{scheme}{path}"));
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_about_the_file() {
        let arguments = json!({ "scenePath": "res://a.tscn", "name": "a", "script": "b.gd" });
        let wanted = json!({ "scenePath": "res://x/y.tscn", "name": "a", "script": "b.gd" });
        assert_eq!(about(&arguments, "x/y.tscn"), wanted);
    }
}
