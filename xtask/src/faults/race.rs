//! A folder of a project and a link that leads out of it change places all the time, while calls read and write below
//! that folder. Nothing outside may be read, and nothing may come to be there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::Ground;
use super::client::{Client, Host, Transport};
use super::report::{Report, Tally};
use crate::os;

/// In the file outside, and nowhere else.
const CANARY: &str = "CANARY91d3";
const SCRIPT: &str = "extends Node\n";
/// How long things stay as they are: not at all, or long enough for a whole call.
const PAUSES: [Duration; 3] =
    [Duration::ZERO, Duration::from_micros(200), Duration::from_millis(1)];

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    if cfg!(not(any(target_os = "linux", target_os = "macos"))) {
        report.add("path-race", Tally::skipped("nothing changes places in one step here"));
        return Ok(());
    }
    let rounds = ground.tries(60, 376);
    let (mut reads, mut writes) = (Tally::of(0), Tally::of(0));
    let mut good = 0;
    for pause in PAUSES {
        let site = Site::new(ground)?;
        let over = AtomicBool::new(false);
        let swaps = AtomicUsize::new(0);
        good += thread::scope(|scope| {
            let swapper = scope.spawn(|| site.swap_until(&over, &swaps, pause));
            let answers = site.call_often(ground, rounds, &mut reads);
            over.store(true, Ordering::SeqCst);
            swapper.join().expect("it does not panic")?;
            answers
        })?;
        writes.tries += rounds;
        writes.notes += &format!("{} swaps; ", swaps.load(Ordering::SeqCst));
        for left in site.outside()? {
            writes.fail(format!("{} is outside", left.display()));
        }
    }
    reads.notes = format!("{good} calls succeeded");
    if good == 0 {
        reads.fail("no call succeeded, so that nothing was tried".to_owned());
    }
    report.add("path-race: calls that read what is outside", reads);
    report.add("path-race: rounds that leave something outside", writes);
    Ok(())
}

/// A project with a folder `a`, a link `a.lnk` that leads out of it, and what is out there.
struct Site {
    project: PathBuf,
    home: PathBuf,
    out: PathBuf,
}

impl Site {
    fn new(ground: &Ground) -> Result<Site> {
        let folder = ground.folder("path-race")?;
        let [project, home, out] = ["game", "home", "out"].map(|name| folder.join(name));
        for part in [&project.join("a/sub"), &out.join("sub"), &home] {
            fs::create_dir_all(part)?;
        }
        fs::write(project.join("project.godot"), "config_version=5\n")?;
        fs::write(project.join("a/sub/x.gd"), SCRIPT)?;
        fs::write(out.join("sub/x.gd"), format!("extends Node\n# {CANARY}\n"))?;
        os::link(Path::new("../out"), &project.join("a.lnk"))?;
        Ok(Site { project, home, out })
    }

    /// Let the folder and the link change places until it is over.
    fn swap_until(&self, over: &AtomicBool, swaps: &AtomicUsize, pause: Duration) -> Result<()> {
        let [folder, link] = ["a", "a.lnk"].map(|name| self.project.join(name));
        while !over.load(Ordering::SeqCst) {
            for _ in 0..2 {
                os::exchange(&folder, &link)?;
                swaps.fetch_add(1, Ordering::SeqCst);
                thread::sleep(pause);
            }
        }
        Ok(())
    }

    /// Read and write below the folder; how many calls succeeded.
    fn call_often(&self, ground: &Ground, rounds: usize, tally: &mut Tally) -> Result<usize> {
        let mut host = Host::start(ground, &self.project, &self.home, &["--allow-writes"])?;
        let mut client = host.client(Transport::Stdio)?;
        let mut good = 0;
        for round in 0..rounds {
            for answer in answers(&mut client, round).with_context(|| host.server.stderr_tail())? {
                tally.tries += 1;
                good += usize::from(answer.contains(r#""isError":false"#));
                if answer.contains(CANARY) {
                    tally.fail(format!("round {round}: {answer}"));
                }
            }
        }
        Ok(good)
    }

    /// What came to be outside, and the file there if it is not as it was.
    fn outside(&self) -> Result<Vec<PathBuf>> {
        let mut left = Vec::new();
        let own = self.out.join("sub/x.gd");
        if !fs::read_to_string(&own).is_ok_and(|text| text.contains(CANARY)) {
            left.push(own.clone());
        }
        let mut open = vec![self.out.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                match path.is_dir() {
                    true if path != self.out.join("sub") => left.push(path),
                    true => open.push(path),
                    false if path != own => left.push(path),
                    false => {}
                }
            }
        }
        Ok(left)
    }
}

/// One round of calls, and what was answered.
fn answers(client: &mut Client, round: usize) -> Result<Vec<String>> {
    let write = |path: String, overwrite: bool| json!({ "scriptPath": path, "content": SCRIPT, "overwrite": overwrite });
    let mut calls: Vec<(&str, Value)> = vec![
        ("read_script", json!({ "scriptPath": "a/sub/x.gd" })),
        ("write_script", write(format!("a/sub/n{round}.gd"), false)),
        ("write_script", write("a/sub/x.gd".to_owned(), true)),
    ];
    if round.is_multiple_of(5) {
        calls.push(("project_readFile", json!({ "path": "a/sub/x.gd" })));
        // Answers repeat what was looked for.
        calls.push(("project_searchText", json!({ "pattern": &CANARY[2..] })));
        calls.push(("search_symbols", json!({ "kind": "method" })));
    }
    let mut answers = Vec::new();
    for (tool, arguments) in calls {
        answers.push(client.call(tool, &arguments)?);
    }
    if round.is_multiple_of(5) {
        let uri = json!({ "uri": "godot://script/a/sub/x.gd" });
        answers.push(client.ask("resources/read", &uri)?);
    }
    Ok(answers)
}
