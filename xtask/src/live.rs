//! `cargo xtask live`: the real program against real Godot editors and games that run with our addon.
//!
//! Every theme works on copies of the sample of its own and ends what it started, also when a case
//! fails. A case prints one line; what failed is said again at the end.

mod addon;
mod bad_input;
mod cases;
mod client;
mod editor;
mod export;
mod game;
mod ground;
pub(crate) mod measure;
mod pictures;
mod raw;
mod restart;

use std::fs;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::{binary, godot, install};
use cases::Cases;
pub(crate) use client::Client;
pub(crate) use ground::{Godot, Ground, Side};

const USAGE: &str = "usage: cargo xtask live [--full] [--only THEME]";

/// A theme, and what tries it.
type Theme = (&'static str, fn(&Ground, &mut Cases) -> Result<()>);

const THEMES: [Theme; 7] = [
    ("editor", editor::run),
    ("game", game::run),
    ("bad-input", bad_input::run),
    ("restart", restart::run),
    ("export", export::run),
    ("addon", addon::run),
    ("pictures", pictures::run),
];

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let (full, only) = parse(args)?;
    let Some(engine) = install::or_notice("live links", godot::ensure())? else { return Ok(()) };
    let ground = Ground::new(binary::tested()?, engine, full)?;
    let mut cases = Cases::default();
    for (name, theme) in THEMES {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let started = Instant::now();
        cases.begin(name);
        if let Err(error) = theme(&ground, &mut cases) {
            // The other themes have something to say all the same.
            cases.fail("could not go on", &format!("{error:#}"));
        }
        println!("{name}: {:.1} s", started.elapsed().as_secs_f64());
    }
    let _ = fs::remove_dir_all(&ground.scratch);
    cases.end()
}

fn parse<'a>(mut args: &[&'a str]) -> Result<(bool, Option<&'a str>)> {
    let (mut full, mut only) = (false, None);
    loop {
        match args {
            [] => return Ok((full, only)),
            ["--full", rest @ ..] => (full, args) = (true, rest),
            ["--only", theme, rest @ ..] => {
                let names = THEMES.map(|(name, _)| name);
                ensure!(names.contains(theme), "--only takes one of {}", names.join(", "));
                (only, args) = (Some(*theme), rest);
            }
            _ => bail!(USAGE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_options() {
        assert_eq!(parse(&["--full", "--only", "game"]).ok(), Some((true, Some("game"))));
        assert!(parse(&["--only", "weather"]).is_err());
        assert!(parse(&["--fast"]).is_err());
    }
}
