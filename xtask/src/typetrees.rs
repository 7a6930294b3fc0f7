//! `cargo xtask typetrees`: the layouts of Unity's native classes that `crates/unity` embeds, from
//! those that the Python package UnityPy carries. Neither Python nor the package is needed otherwise.

mod dump;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use miniz_oxide::deflate::compress_to_vec;

use crate::{install, paths};

/// The highest level of the format. It takes a second, once.
const LEVEL: u8 = 10;

pub(crate) fn run() -> Result<()> {
    let lines = lines_file();
    fs::create_dir_all(paths::target())?;
    let mut python = Command::new(install::unitypy()?);
    install::quietly(python.arg(paths::asset("unity_typetrees.py")).arg(&lines))?;

    let packed = pack(&fs::read_to_string(&lines)?)?;
    let file = table_file();
    fs::write(&file, &packed).with_context(|| format!("could not write {}", file.display()))?;
    println!("{}  {} bytes", file.display(), packed.len());
    println!("{}", lines.display());
    Ok(())
}

/// The length of the table, so that unpacking needs no guess, and the table, packed.
fn pack(lines: &str) -> Result<Vec<u8>> {
    let table = table::write(&dump::parse(lines)?)?;
    let length = u32::try_from(table.len()).context("the table is larger than its length field")?;
    Ok([&length.to_le_bytes()[..], &compress_to_vec(&table, LEVEL)].concat())
}

/// What the package says, for looking at; only the table is part of the project.
fn lines_file() -> PathBuf {
    paths::target().join("unity-typetrees.txt")
}

fn table_file() -> PathBuf {
    paths::root().join("crates/unity/data/typetrees.bin")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elsewhere the package is not installed, and `crates/unity` compares with its list of classes.
    #[test]
    fn the_table_is_fresh_where_it_was_made() {
        let Ok(lines) = fs::read_to_string(lines_file()) else { return };
        let packed = pack(&lines).expect("it was made from them");
        let kept = fs::read(table_file()).expect("the table is part of the project");
        assert!(
            packed == kept,
            "crates/unity/data/typetrees.bin is stale; `cargo xtask typetrees`"
        );
    }
}
