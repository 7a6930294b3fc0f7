//! `cargo xtask bench protocol`: scenewright and the official Python SDK in interleaved rounds.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::call::Call;
use super::pipe::Pipe;
use super::samples::Samples;
use super::{http, large, table, usage};
use crate::server::Server;
use crate::{binary, explorer, install, paths};

const ROUNDS: usize = 5;
const STARTS_PER_ROUND: usize = 3;
/// A server that hangs is ended after this, and its pipe with it.
const SERVER_LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let Options { out, window } = parse(options)?;
    let binary = binary::dist()?;
    let project = large::project()?;
    let ours = scenewright(binary.clone());
    let peer = install::or_notice("the Python peer", install::python())?.map(python_peer);
    let (mut our_samples, mut peer_samples) = (Samples::default(), Samples::default());
    for round in 1..=ROUNDS {
        eprintln!("round {round} of {ROUNDS}");
        for measure in [measure_starts, measure_pipes, measure_http] {
            measure(&ours, window, &mut our_samples).context("scenewright")?;
            if let Some(peer) = &peer {
                measure(peer, window, &mut peer_samples).context("the Python peer")?;
            }
        }
        large::measure(&binary, &project, window, &mut our_samples).context("large answers")?;
    }
    let table = table::render(&our_samples, &peer_samples, &footnote(&ours, window));
    println!("{table}");
    if let Some(out) = out {
        std::fs::write(&out, format!("{table}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

struct Options {
    out: Option<PathBuf>,
    window: Duration,
}

fn parse(mut options: &[&str]) -> Result<Options> {
    let mut parsed = Options { out: None, window: Duration::from_millis(1500) };
    loop {
        match options {
            [] => return Ok(parsed),
            ["--out", file, rest @ ..] => (parsed.out, options) = (Some(file.into()), rest),
            ["--seconds", seconds, rest @ ..] => {
                let seconds = seconds.parse().context("--seconds takes a number")?;
                parsed.window = Duration::try_from_secs_f64(seconds).context("--seconds")?;
                options = rest;
            }
            _ => bail!("usage: cargo xtask bench protocol [--out FILE] [--seconds S]"),
        }
    }
}

/// A server to measure: how to start it on each transport, and the tool to call.
struct Subject {
    tool: &'static str,
    /// A tool that reads the project's files at every call, on a worker thread.
    reading: Option<(&'static str, Value)>,
    stdio: Box<dyn Fn() -> Command>,
    http: Box<dyn Fn() -> Command>,
    framed: Option<Box<dyn Fn() -> Command>>,
}

fn scenewright(binary: PathBuf) -> Subject {
    let serve = |args: &'static [&'static str]| {
        let binary = binary.clone();
        let start = move || {
            let mut command = binary::serve(&binary, args);
            command.arg("--project").arg(explorer::sample());
            command
        };
        Box::new(start) as Box<dyn Fn() -> Command>
    };
    Subject {
        tool: "mcp_server_info",
        reading: Some((
            "project_readFile",
            json!({ "project": "unity", "path": "ProjectSettings/ProjectVersion.txt" }),
        )),
        stdio: serve(&["--stdio"]),
        http: serve(&["--http", "127.0.0.1:0"]),
        framed: Some(serve(&["--tcp", "127.0.0.1:0"])),
    }
}

fn python_peer(python: PathBuf) -> Subject {
    let start = |transport: &'static str| {
        let python = python.clone();
        Box::new(move || peer_command(&python, transport)) as Box<dyn Fn() -> Command>
    };
    Subject {
        tool: "peer_info",
        reading: None,
        stdio: start("stdio"),
        http: start("http"),
        framed: None,
    }
}

fn peer_command(python: &Path, transport: &str) -> Command {
    let mut command = Command::new(python);
    command.arg(paths::asset("peer_server.py")).arg(transport);
    command
}

/// From the start of the process to the answer of `tools/list`.
fn measure_starts(subject: &Subject, _: Duration, samples: &mut Samples) -> Result<()> {
    for _ in 0..STARTS_PER_ROUND {
        let started = Instant::now();
        let (_server, mut pipe) = open_stdio(subject)?;
        let bytes = pipe.list_tools()?;
        samples.start_ms.push(started.elapsed().as_secs_f64() * 1000.0);
        samples.list_bytes.push(bytes as f64);
    }
    Ok(())
}

/// stdio and frames, cell by cell in turn, so that both see the same minute of the machine.
fn measure_pipes(subject: &Subject, window: Duration, samples: &mut Samples) -> Result<()> {
    let (_server, mut stdio) = open_stdio(subject)?;
    let mut framed = subject.framed.as_ref().map(|start| open_framed(&mut start())).transpose()?;
    let Samples { stdio_1, stdio_32, stdio_files_1, stdio_files_32, .. } = samples;
    let Samples { framed_1, framed_32, framed_files_1, framed_files_32, .. } = samples;
    let instant = Some(Call::tool(subject.tool, &json!({})));
    let reading = subject.reading.as_ref().map(|(tool, arguments)| Call::tool(tool, arguments));
    let cells = [
        (&instant, 1, stdio_1, framed_1),
        (&instant, 32, stdio_32, framed_32),
        (&reading, 1, stdio_files_1, framed_files_1),
        (&reading, 32, stdio_files_32, framed_files_32),
    ];
    for (call, in_flight, on_stdio, in_frames) in cells {
        let Some(call) = call else { continue };
        on_stdio.push(stdio.calls_per_second(call, in_flight, window)?);
        if let Some((_, framed)) = &mut framed {
            in_frames.push(framed.calls_per_second(call, in_flight, window)?);
        }
    }
    Ok(())
}

fn measure_http(subject: &Subject, window: Duration, samples: &mut Samples) -> Result<()> {
    let server = Server::start(&mut (subject.http)(), SERVER_LIMIT)?;
    let url = server.mcp_url()?;
    http::list_tools(&url)?;
    thread::sleep(Duration::from_millis(300)); // Let it come to rest: this is the idle size.
    if let Some(megabytes) = usage::resident_mb(server.pid()) {
        samples.rss_mb.push(megabytes);
    }
    samples.http_1.push(http::calls_per_second(&url, subject.tool, 1, window)?);
    samples.http_32.push(http::calls_per_second(&url, subject.tool, 32, window)?);
    Ok(())
}

fn open_stdio(subject: &Subject) -> Result<(Server, Pipe)> {
    let (server, stdin, stdout) = Server::start_stdio(&mut (subject.stdio)(), SERVER_LIMIT)?;
    let mut pipe = Pipe::stdio(stdin, stdout);
    pipe.shake_hands().with_context(|| server.stderr_tail())?;
    Ok((server, pipe))
}

fn open_framed(command: &mut Command) -> Result<(Server, Pipe)> {
    let server = Server::start(command, SERVER_LIMIT)?;
    let mut pipe = Pipe::framed(&server.framed_address()?)?;
    pipe.shake_hands()?;
    Ok((server, pipe))
}

fn footnote(ours: &Subject, window: Duration) -> String {
    let cores = thread::available_parallelism().map_or(0, usize::from);
    format!(
        "Medians of {ROUNDS} interleaved rounds, ratios round by round, {} s a cell, load generator on the same {cores} cores. \
         scenewright is called with `{}` and `{{}}`, the Python server (mcp 2.3.0) with a tool that \
         returns a constant object of three members; its tool list is that one tool. \
         stdio and framed use the 2025-11-25 handshake, HTTP is stateless 2026-07-28. \
         That tool answers from memory; the one that reads files is `{}`. \
         Large answers are the tree of a scene of 50,000 objects, one after the other.",
        window.as_secs_f64(),
        ours.tool,
        ours.reading.as_ref().map_or("none", |(tool, _)| tool),
    )
}
