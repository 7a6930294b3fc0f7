//! `cargo xtask classes`: the class tables that `crates/godot` embeds, from the engine itself for
//! the Godot we install and from published dumps for the other versions.

mod api;
mod defaults;
mod sources;
mod table;

use std::fs;

use anyhow::{Context, Result};
use miniz_oxide::deflate::compress_to_vec;

use crate::paths;

/// In the order of their bits in the table. `crates/godot/src/classes/version.rs` has the same.
const VERSIONS: [&str; 6] = ["4.2", "4.3", "4.4", "4.5", "4.6", "4.7"];
/// The one that the engine describes; what only an engine knows is taken from it for all of them.
const ENGINE: &str = "4.6";
/// The highest level of the format. It takes a second, once.
const LEVEL: u8 = 10;

pub(crate) fn run() -> Result<()> {
    let dumps = sources::dumps()?;
    let properties = sources::properties()?;
    let text = table::write(&dumps, &properties)?;
    let packed = compress_to_vec(text.as_bytes(), LEVEL);

    let file = paths::root().join("crates/godot/data/classes.bin");
    // Decompressing needs no guess when it knows the length.
    let length = u32::try_from(text.len()).context("the table is larger than its length field")?;
    fs::write(&file, [&length.to_le_bytes()[..], &packed].concat())
        .with_context(|| format!("could not write {}", file.display()))?;
    // The text beside it is for looking at; only the packed file is part of the project.
    let readable = paths::target().join("godot-classes.txt");
    fs::write(&readable, &text)?;
    println!("{}  {} bytes, from {} of text", file.display(), packed.len() + 4, text.len());
    println!("{}", readable.display());
    Ok(())
}
