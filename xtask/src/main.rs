//! Development tasks of scenewright, run as `cargo xtask COMMAND`.

#![allow(clippy::disallowed_methods, reason = "tasks write under target/ and what they generate")]
#![allow(clippy::print_stdout, reason = "a task's report is its output; no protocol runs here")]

mod bench;
mod binary;
mod classes;
mod conformance;
mod docs;
mod engine;
mod explorer;
mod fuzz;
mod godot;
mod house;
mod http;
mod install;
mod load;
mod paths;
mod process;
mod server;
mod synth;
mod test;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask COMMAND

  test                              fmt, house, clippy, tests, release build, conformance, load, engine; runs all, fails at the end
  conformance [--only NAME]         the MCP suites, Python and TypeScript clients and the Inspector against the release binary
  load explorer [--seconds S] [--callers N] [--streams N]
                                    the Unity Explorer interface under load: nothing lost, nothing mixed up, no growth
  bench protocol [--out FILE] [--seconds S]
                                    scenewright against a Python MCP server: start, calls per second, memory
  bench unity [--out FILE] [--assets N] [--rounds N]
                                    check of a large project against ripgrep, a large scene against unityparser
  bench godot [--out FILE]          reading, checking and changing large Godot projects
  bench explorer [--out FILE]       searches, objects and events in a large scene over HTTP
  synth unity [--assets N] [--out DIR]
                                    make a large project for measuring, the same bytes everywhere
  synth godot [--files N | --large] [--out DIR]
                                    the same for Godot; --large: two large scenes instead
  engine [--only TOOL]              a real Godot judges what the tools write, example by example
  house                             the rules of how files look that no lint knows
  fuzz [--seconds S] [--only TARGET]
                                    build every fuzz target and run each for some seconds, 5 unless told
  docs                              regenerate docs/tools.md
  classes                           regenerate crates/godot/data/classes.bin, Godot's class tables
  godot [--gui]                     install a real Godot without root; --gui: with a virtual display
  help                              this text

environment
  CI=true            a component that cannot be installed is a failure, not a notice
  SCENEWRIGHT_BIN    test this binary; nothing is built
  GODOT_PATH         use this Godot; none is installed
  DEBIAN_MIRROR      fetch packages from here instead of where this machine's apt does

Node packages, a Python environment and Godot are installed once, under target/tools.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<ExitCode> {
    match args {
        ["test"] => return Ok(test::run()),
        ["conformance", rest @ ..] => conformance::run(rest)?,
        ["bench", rest @ ..] => bench::run(rest)?,
        ["load", rest @ ..] => load::run(rest)?,
        ["synth", rest @ ..] => synth::run(rest)?,
        ["house"] => house::run()?,
        ["fuzz", rest @ ..] => fuzz::run(rest)?,
        ["docs"] => docs::run()?,
        ["engine", rest @ ..] => engine::run(rest)?,
        ["classes"] => classes::run()?,
        ["godot", rest @ ..] => godot::run(rest)?,
        [] | ["help" | "--help" | "-h"] => println!("{HELP}"),
        _ => bail!("unknown command {:?}; `cargo xtask help` lists them", args.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}
