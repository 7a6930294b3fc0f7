//! `cargo xtask synth`: large projects for measuring, the same bytes on every machine.

mod unity;

pub(crate) use unity::large_scene;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::paths;

const USAGE: &str = "usage: cargo xtask synth unity [--assets N] [--out DIR]";

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let ["unity", options @ ..] = args else { bail!(USAGE) };
    let mut assets = 100_000;
    let mut out = None;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let value = options.next().context(USAGE)?;
        match *option {
            "--assets" => assets = value.parse().context("--assets takes a number")?,
            "--out" => out = Some(PathBuf::from(value)),
            _ => bail!(USAGE),
        }
    }
    let folder = unity_project(assets, out)?;
    println!("{}", folder.display());
    Ok(())
}

/// The synthetic Unity project with so many assets; made when it is not there yet.
pub(crate) fn unity_project(assets: usize, out: Option<PathBuf>) -> Result<PathBuf> {
    let folder = out.unwrap_or_else(|| paths::target().join(format!("synth/unity-{assets}")));
    let stamp = folder.join(".complete");
    if std::fs::read_to_string(&stamp).is_ok_and(|text| text == unity::VERSION) {
        return Ok(folder);
    }
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("an unfinished project cannot be removed")?;
    }
    unity::write(&folder, assets).with_context(|| format!("cannot write {}", folder.display()))?;
    std::fs::write(stamp, unity::VERSION)?;
    Ok(folder)
}
