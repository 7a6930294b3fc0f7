//! Development tasks of scenewright, run as `cargo xtask COMMAND`.
//!
//! Nothing of the program is compiled for them, so that the first command starts soon. The task that
//! asks a real engine about the tools needs them, and is a program of its own: `engine/`.

#![allow(clippy::disallowed_methods, reason = "tasks write under target/ and what they generate")]
#![allow(clippy::print_stdout, reason = "a task's report is its output; no protocol runs here")]

mod bench;
pub mod binary;
mod book;
mod classes;
mod clients;
mod conformance;
mod debian;
mod dist;
mod docs;
mod explorer;
mod faults;
mod fuzz;
pub mod godot;
mod house;
mod http;
pub mod install;
mod live;
mod load;
mod os;
pub mod paths;
mod pictures;
pub mod process;
pub mod random;
mod schemas;
pub mod server;
mod synth;
mod test;
mod typetrees;
mod websocket;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};

/// With the time that compiling the tools takes.
const ENGINE_LIMIT: Duration = Duration::from_secs(2 * 3600);

/// Names the program of that task where it is built already.
const ENGINE_BIN: &str = "XTASK_ENGINE_BIN";

const HELP: &str = "\
cargo xtask COMMAND

  test [--timings] [--changed [REVISION]] [STEP]...
                                    everything a change must pass: every step runs, what failed is said again at the end;
                                    --changed: the steps that the changes since REVISION (main) can affect; --timings:
                                    what each took and compiled
  conformance [--only NAME]         the MCP suites, Python and TypeScript clients and the Inspector against the real program
  clients [all] [--only NAME]... [--committed] [--write-docs] | --list
                                    real AI clients with a model of our own: every answer reaches the model whole, and once;
                                    those that CI has the time for, unless told; --committed: connected by a file in the
                                    project; --write-docs: keep what was seen and write docs/clients.md
  load explorer [--seconds S] [--callers N] [--streams N]
                                    the Unity Explorer interface under load: nothing lost, nothing mixed up, no growth
  faults [--full] [--only KIND] [--seed N] [--tries N]
                                    kills, full disks, foreign saves, broken files and calls, ways out of the project, rude
                                    clients: nothing mixed, lost, let out or kept waiting; --full takes an hour
  bench protocol [--out FILE] [--seconds S]
                                    scenewright against a Python MCP server: start, calls per second, memory
  bench unity [--out FILE] [--assets N] [--rounds N]
                                    check of a large project against ripgrep, a large scene against unityparser
  bench godot [--out FILE]          reading, checking and changing large Godot projects
  bench explorer [--out FILE]       searches, objects and events in a large scene over HTTP
  bench search [--out FILE]         how often tools_search finds the right tool for somebody's words
  bench merge [--out FILE]          merges and differences of large scenes; --cases DIR judges real merges
  bench live [--out FILE]           how long a running editor takes to answer, and what the addon costs a game
  bench agent [--only NAME] [--out FILE] [--before BINARY]
                                    everyday tasks done as an agent does them: right or not, calls and tokens
  synth unity [--assets N] [--out DIR]
                                    make a large project for measuring, the same bytes everywhere
  synth godot [--files N | --large] [--out DIR]
                                    the same for Godot; --large: two large scenes instead
  engine [--only TOOL]              a real Godot judges what the tools write, example by example
  engine --corpora DIR [--edits N] [--seed S] [--project NAME]
                                    the same for random edits of every Godot project in a folder, 2000 unless told,
                                    and for what check finds there
  live [--full] [--only THEME]      real editors and games with the addon: every live tool, pictures, bad input, kills;
                                    --full kills fifty times
  remake --corpora DIR --kind native|script|mesh|clip|controller|input
                                    objects of the Unity projects in a folder made again from what new ones have:
                                    the same bytes; of scripts, the fields that their source says
  remake --corpora DIR --kind field|override|instance|object|unpack|apply [--tries N] [--seed S]
                                    what the Unity projects in a folder have, changed or taken away and made again by
                                    the engine of edits: the same bytes; what is unpacked or applied shows the same
  scripts                           Mono's compiler reads the C# templates beside declarations of what they use of Unity
  house                             the rules of how files look that no lint knows
  fuzz [--seconds S] [--only TARGET] [--seed N]
                                    build every fuzz target and run each for some seconds, 5 unless told; seed 0 tries other inputs each time
  dist [--binary PATH [--target TRIPLE]] [--artifacts DIR] [--out DIR]
                                    everything a release consists of, of one program or of the archives of all: archives,
                                    checksums, components, npm, wheels, bundle, image, manifests; --archive-only: no more than that
  dist --try [--binary PATH]        pack, install into empty folders without a network, run and shake hands; then the recipes for CI
  docs                              regenerate the pages of docs/ that are made from the code
  book                              build docs/ with mdBook into target/book, without a warning or a lost link
  pictures                          make the pictures of README and book again; the page of the server by Chromium, where there is one
  classes                           regenerate crates/godot/data/classes.bin, Godot's class tables
  typetrees                         regenerate crates/unity/data/typetrees.bin, the layouts of Unity's classes
  packages --cache DIR              regenerate crates/unity/data/packages.bin, what is saved of the classes of Unity's packages, from a
                                    folder of them as Library/PackageCache is one
  godot [--gui]                     install a real Godot without root; --gui: with a virtual display
  help                              this text

environment
  CI=true            a component that cannot be installed is a failure, not a notice
  SCENEWRIGHT_BIN    test this binary; nothing is built
  GODOT_PATH         use this Godot; none is installed
  DEBIAN_MIRROR      fetch packages from here instead of where this machine's apt does

Node packages, a Python environment and Godot are installed once, under target/tools.";

/// Run the task that the command line names.
pub fn main() -> ExitCode {
    // Under another name and with orders beside it, this program is a part of the task `clients`.
    clients::stand_in().unwrap_or_else(|| ended(run))
}

/// Run a task with the arguments of the command line and say how it went.
pub fn ended(task: fn(&[&str]) -> Result<ExitCode>) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match task(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<ExitCode> {
    match args {
        ["test", rest @ ..] => return test::run(rest),
        ["conformance", rest @ ..] => conformance::run(rest)?,
        ["clients", rest @ ..] => clients::run(rest)?,
        ["bench", rest @ ..] => bench::run(rest)?,
        ["live", rest @ ..] => live::run(rest)?,
        ["load", rest @ ..] => load::run(rest)?,
        ["faults", rest @ ..] => faults::run(rest)?,
        ["synth", rest @ ..] => synth::run(rest)?,
        ["house"] => house::run()?,
        ["fuzz", rest @ ..] => fuzz::run(rest)?,
        ["docs"] => docs::run()?,
        ["book"] => book::run()?,
        ["pictures"] => pictures::run()?,
        ["dist", rest @ ..] => dist::run(rest)?,
        ["engine", rest @ ..] => engine(rest)?,
        ["remake", rest @ ..] => engine(&[&["remake"], rest].concat())?,
        ["scripts"] => engine(&["scripts"])?,
        ["packages", rest @ ..] => engine(&[&["packages"], rest].concat())?,
        ["classes"] => classes::run()?,
        ["typetrees"] => typetrees::run()?,
        ["godot", rest @ ..] => godot::run(rest)?,
        [] | ["help" | "--help" | "-h"] => println!("{HELP}"),
        _ => bail!("unknown command {:?}; `cargo xtask help` lists them", args.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}

/// The task that needs the tools themselves.
fn engine(args: &[&str]) -> Result<()> {
    if let Some(built) = std::env::var_os(ENGINE_BIN) {
        return process::run(std::process::Command::new(built).args(args), ENGINE_LIMIT);
    }
    let run = ["run", "--quiet", "--package", "xtask-engine", "--"];
    process::run(process::cargo().args(run).args(args), ENGINE_LIMIT)
}
