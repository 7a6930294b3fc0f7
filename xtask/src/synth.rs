//! `cargo xtask synth`: large projects for measuring, the same bytes on every machine.

mod godot;
mod unity;

pub(crate) use unity::{large_scene, large_world};

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::paths;

pub(crate) use godot::LARGE as LARGE_GODOT_SCENES;

const USAGE: &str = "usage: cargo xtask synth unity [--assets N] [--out DIR]
       cargo xtask synth unity --large [--out DIR]
       cargo xtask synth godot [--files N] [--out DIR]
       cargo xtask synth godot --large [--out DIR]";

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let folder = match args {
        ["unity", "--large", options @ ..] => large_unity_project(options_of(options, "")?.1)?,
        ["unity", options @ ..] => {
            let (assets, out) = options_of(options, "--assets")?;
            unity_project(assets.unwrap_or(100_000), out)?
        }
        ["godot", "--large", options @ ..] => large_godot_project(options_of(options, "")?.1)?,
        ["godot", options @ ..] => {
            let (files, out) = options_of(options, "--files")?;
            godot_project(files.unwrap_or(3000), out)?
        }
        _ => bail!(USAGE),
    };
    println!("{}", folder.display());
    Ok(())
}

fn options_of(mut options: &[&str], count: &str) -> Result<(Option<usize>, Option<PathBuf>)> {
    let (mut number, mut out) = (None, None);
    while let [option, value, rest @ ..] = options {
        match *option {
            "--out" => out = Some(PathBuf::from(value)),
            _ if *option == count => {
                number = Some(value.parse().with_context(|| format!("{count} takes a number"))?);
            }
            _ => bail!(USAGE),
        }
        options = rest;
    }
    if !options.is_empty() {
        bail!(USAGE);
    }
    Ok((number, out))
}

/// The synthetic Unity project with so many assets; made when it is not there yet.
pub(crate) fn unity_project(assets: usize, out: Option<PathBuf>) -> Result<PathBuf> {
    let folder = out.unwrap_or_else(|| default_folder(&format!("unity-{assets}")));
    once(folder, unity::VERSION, |folder| unity::write(folder, assets))
}

/// The synthetic Unity project with large scenes; made when it is not there yet.
pub(crate) fn large_unity_project(out: Option<PathBuf>) -> Result<PathBuf> {
    let folder = out.unwrap_or_else(|| default_folder("unity-large"));
    once(folder, unity::VERSION, unity::write_large)
}

/// The synthetic Godot project with so many files; made when it is not there yet.
pub(crate) fn godot_project(files: usize, out: Option<PathBuf>) -> Result<PathBuf> {
    let folder = out.unwrap_or_else(|| default_folder(&format!("godot-{files}")));
    once(folder, godot::VERSION, |folder| godot::write(folder, files))
}

/// The synthetic Godot project with a few large scenes; made when it is not there yet.
pub(crate) fn large_godot_project(out: Option<PathBuf>) -> Result<PathBuf> {
    let folder = out.unwrap_or_else(|| default_folder("godot-large"));
    once(folder, godot::VERSION, godot::write_large)
}

/// A Godot scene of about this size.
pub(crate) fn large_godot_scene(bytes: usize) -> String {
    godot::large_scene(0, bytes)
}

/// Put a scene into the assets of a project, unless it is there; `digit` ends its guid.
pub(crate) fn add_scene(
    project: &Path,
    name: &str,
    digit: &str,
    text: impl FnOnce() -> String,
) -> Result<()> {
    let scene = project.join(format!("Assets/{name}.unity"));
    if !scene.exists() {
        let meta = format!(
            "fileFormatVersion: 2\nguid: 1a49e5ce4e000000000000000000000{digit}\nDefaultImporter:\n  userData: \n"
        );
        std::fs::write(scene.with_extension("unity.meta"), meta)?;
        std::fs::write(&scene, text())?;
    }
    Ok(())
}

fn default_folder(name: &str) -> PathBuf {
    paths::target().join("synth").join(name)
}

fn once(
    folder: PathBuf,
    version: &str,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<PathBuf> {
    let stamp = folder.join(".complete");
    if std::fs::read_to_string(&stamp).is_ok_and(|text| text == version) {
        return Ok(folder);
    }
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("an unfinished project cannot be removed")?;
    }
    write(&folder).with_context(|| format!("cannot write {}", folder.display()))?;
    std::fs::write(stamp, version)?;
    Ok(folder)
}

/// Bits that look random and are the same everywhere.
pub(crate) fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
