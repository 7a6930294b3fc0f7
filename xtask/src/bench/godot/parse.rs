//! Parsers, each in a small program of its own that is made under the target folder: the peer is
//! no dependency of the workspace, and both run under the same conditions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::super::samples::Series;
use crate::{install, paths, process};

const BUILD_LIMIT: Duration = Duration::from_secs(1800);
const RUN_LIMIT: Duration = Duration::from_secs(120);

/// Parses the file that the first argument names for about a second; prints the bytes that were
/// parsed, the seconds by the clock and those on a core, or `-` where the system does not tell.
const MAIN: &str = r##"use std::hint::black_box;
use std::time::Instant;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("a text");
    parse(&text);
    let (started, cpu) = (Instant::now(), cpu_seconds());
    let mut bytes = 0;
    while bytes == 0 || started.elapsed().as_secs_f64() < 1.0 {
        parse(black_box(&text));
        bytes += text.len();
    }
    let clock = started.elapsed().as_secs_f64();
    let cpu = cpu_seconds().zip(cpu).map(|(end, start)| end - start);
    let cpu = cpu.map_or("-".to_owned(), |cpu| cpu.to_string());
    println!("{bytes} {clock} {cpu}");
}

/// The scheduler's count, in nanoseconds, where there is one: Linux.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = stat.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
"##;

/// A program that measures one parser.
pub(super) struct Parser {
    binary: PathBuf,
}

/// MB/s, round by round.
#[derive(Default)]
pub(super) struct Speed {
    pub(super) by_clock: Series,
    pub(super) by_cpu: Series,
}

impl Speed {
    /// What one core does while it works on nothing else.
    pub(super) fn per_core(&self) -> Option<f64> {
        self.by_cpu.median().or_else(|| self.by_clock.median())
    }
}

impl Parser {
    pub(super) fn measure(&self, file: &Path, speed: &mut Speed) -> Result<()> {
        let said = process::capture(Command::new(&self.binary).arg(file), RUN_LIMIT)?;
        ensure!(said.status.success(), "{}: {}", self.binary.display(), said.tail());
        let mut numbers = said.stdout.split_whitespace().map(str::parse::<f64>);
        let (Some(Ok(bytes)), Some(Ok(clock))) = (numbers.next(), numbers.next()) else {
            anyhow::bail!("no numbers: {}", said.stdout);
        };
        speed.by_clock.push(bytes / 1e6 / clock);
        if let Some(Ok(cpu)) = numbers.next() {
            speed.by_cpu.push(bytes / 1e6 / cpu);
        }
        Ok(())
    }
}

/// Ours and the peer; the latter is left out, with a notice, where it cannot be built.
pub(super) fn parsers() -> Result<(Parser, Option<Parser>)> {
    let crate_path = paths::root().join("crates").join("godot");
    let ours = build(
        "ours",
        // Literal strings keep the backslashes of Windows.
        &format!("scenewright-godot = {{ path = '{}' }}", crate_path.display()),
        "use scenewright_godot::{Document, Form};\n\
         fn parse(text: &str) { black_box(Document::parse(text, Form::Resource)); }\n",
    )?;
    let peer = build(
        "peer",
        "tscn = \"=0.3.6\"",
        "fn parse(text: &str) { black_box(tscn::Document::parse(text).expect(\"a sound scene\")); }\n",
    );
    Ok((ours, install::or_notice("tscn", peer)?))
}

fn build(name: &str, dependency: &str, parse: &str) -> Result<Parser> {
    let folder = paths::target().join("bench-godot").join(name);
    fs::create_dir_all(folder.join("src")).with_context(|| folder.display().to_string())?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{dependency}\n\n\
         [profile.release]\ncodegen-units = 1\nlto = \"thin\"\n\n\
         # Not a part of the workspace that it lies in.\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src").join("main.rs"), format!("{MAIN}\n{parse}"))?;
    let mut cargo = process::cargo();
    let target = folder.join("target");
    cargo.current_dir(&folder).env("CARGO_TARGET_DIR", &target);
    cargo.args(["build", "--quiet", "--release"]);
    process::run(&mut cargo, BUILD_LIMIT).with_context(|| format!("building {name}"))?;
    let binary = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(Parser { binary: target.join("release").join(binary) })
}
