//! Minutes of everything at once: the server is as large at the end as after the first of them.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;

use super::Ground;
use super::client::{Client, Host, Transport};
use super::examples::{self, Tool};
use super::mutated::is_defect;
use super::places;
use super::report::{Report, Tally};
use crate::bench::usage;
use crate::random::Random;

/// Of the full form; `--tries` has them shorter.
const SECONDS: usize = 600;
/// How much the size may differ.
const SHARE: f64 = 0.05;
/// Clients besides the one on stdio.
const CLIENTS: [Transport; 6] = [
    Transport::Http,
    Transport::Http,
    Transport::WebSocket,
    Transport::Framed,
    Transport::Framed,
    Transport::Http,
];

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let seconds = ground.tries(0, SECONDS);
    if seconds == 0 {
        return Ok(());
    }
    let folder = ground.folder("mixed-load")?;
    let (host, tools, clients) = open(ground, &folder)?;
    let started = Instant::now();
    let time = Duration::from_secs(seconds as u64);
    let pid = host.server.pid();
    let (mut tally, sizes) = thread::scope(|scope| {
        let tools = &tools;
        let call = |(number, client)| {
            let random = ground.random("mixed-load", number);
            scope.spawn(move || call_until(client, tools, random, number, started + time))
        };
        let threads: Vec<_> = clients.into_iter().enumerate().map(call).collect();
        let tenths = (1..=10).map(|tenth| settled(pid, started + time * tenth / 10));
        let sizes: Option<Vec<f64>> = tenths.collect();
        let ended = threads.into_iter().map(|thread| thread.join().expect("it does not panic"));
        // With the client on stdio goes the server, so they all go together.
        let (tallies, _clients): (Vec<_>, Vec<_>) = ended.unzip();
        let mut tally = Tally::default();
        tallies.into_iter().for_each(|one| tally.join(one));
        (tally, sizes)
    });
    let sizes = sizes.context("the size of the server is not known here")?;
    let growth = sizes[9] / sizes[0] - 1.0;
    if growth.abs() > SHARE {
        let (early, late) = (sizes[0], sizes[9]);
        tally.fail(format!("{early:.1} MB after a tenth of the time, {late:.1} MB at the end"));
    }
    let log = host.server.log();
    if log.contains("panicked") {
        tally.fail(format!("a panic: {}", host.server.stderr_tail()));
    }
    let sizes: Vec<String> = sizes.iter().map(|size| format!("{size:.0}")).collect();
    let growth = growth * 100.0;
    tally.notes = format!("{seconds} s; MB by tenths {}: {growth:+.1} %", sizes.join(" "));
    report.add("mixed load", tally);
    Ok(())
}

/// A server of both samples, its tools that read, and all its clients.
fn open(ground: &Ground, folder: &Path) -> Result<(Host, Vec<Tool>, Vec<Client>)> {
    let (projects, home) = (folder.join("open"), folder.join("home"));
    fs::create_dir_all(&home)?;
    places::copy_sample("unity", &projects)?;
    places::copy_sample("godot", &projects)?;
    let extra = ["--allow-writes", "--toolsets", "all", "--tier", "tier4"];
    let mut host = Host::start(ground, &projects, &home, &extra)?;
    let mut first = host.client(Transport::Stdio)?;
    let mut tools = examples::all(&mut first)?;
    tools.retain(|tool| tool.reads_only && !tool.starts_engine());
    let mut clients = vec![first];
    for transport in CLIENTS {
        clients.push(host.client(transport)?);
    }
    Ok((host, tools, clients))
}

/// The middle size of the last seconds before a moment.
fn settled(pid: u32, moment: Instant) -> Option<f64> {
    let mut sizes = Vec::new();
    while Instant::now() < moment {
        thread::sleep(Duration::from_millis(100));
        if moment.saturating_duration_since(Instant::now()) < Duration::from_secs(10) {
            sizes.push(usage::resident_mb(pid)?);
        }
    }
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}

/// Mostly tools that read, sometimes resources, and changes that each client takes back.
fn call_until(
    mut client: Client,
    tools: &[Tool],
    mut random: Random,
    number: usize,
    end: Instant,
) -> (Tally, Client) {
    let mut tally = Tally::default();
    while Instant::now() < end {
        tally.tries += 1;
        let answer = match random.below(10) {
            0 => client.ask("resources/list", &json!({})),
            1 => client.call(
                "edit_node",
                &json!({
                    "projectPath": "godot", "scenePath": "res://scenes/coin.tscn", "nodePath": "Face",
                    "properties": { "z_index": random.below(900) + 100 },
                }),
            ),
            _ => {
                let tool = random.pick(tools);
                client.call(&tool.name, &tool.arguments)
            }
        };
        match answer {
            Ok(answer) if is_defect(&answer) => tally.fail(format!("client {number}: {answer}")),
            Ok(_) => {}
            Err(error) => {
                tally.fail(format!("client {number}: {error:#}"));
                break;
            }
        }
    }
    (tally, client)
}
