//! The README and the book, kept true: every command in them is run, every link is followed, every
//! picture is made again.
//!
//! Comments in a page say what a reader does not need to know:
//! `<!-- in: keep -->` where the commands after it are typed, a folder of [`running::Desk`];
//! `<!-- setup: rm a -->` what is done before, unseen; `<!-- call: NAME -->` which tool takes the JSON
//! that follows; `<!-- exit: 1 -->` which exit code beside 0 the next block may have; `<!-- not run: why -->` that a block cannot be run here.

#[cfg_attr(not(unix), allow(dead_code, reason = "blocks are typed where there is a shell"))]
mod blocks;
mod inline;
mod links;
#[cfg(unix)]
mod pictures;
#[cfg(unix)]
mod running;

use std::path::{Path, PathBuf};

/// A page that people read.
struct Page {
    /// From the root of the repository: `docs/unity.md`.
    name: String,
    text: String,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README, the other pages beside it, and the book.
fn pages() -> Vec<Page> {
    let root = repository();
    let mut names = Vec::new();
    for folder in ["", "docs", "docs/tools", "docs/contributing"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "md") {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                names.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    names.push("llms.txt".to_owned());
    names.sort();
    let page = |name: String| {
        let text = std::fs::read_to_string(root.join(&name)).unwrap().replace("\r\n", "\n");
        Page { name, text }
    };
    names.into_iter().map(page).collect()
}
