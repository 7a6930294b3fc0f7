//! `cargo xtask book`: the pages of `docs/` as a book, without a warning and without a link that leads
//! nowhere once it is built.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{install, paths, process};

const LIMIT: Duration = Duration::from_secs(300);

pub(crate) fn run() -> Result<()> {
    let Some(mdbook) = install::or_notice("book", install::mdbook())? else { return Ok(()) };
    let book = paths::target().join("book");
    let mut build = Command::new(mdbook);
    build.arg("build").arg("--dest-dir").arg(&book).arg(paths::root().join("docs"));
    let built = process::capture(&mut build, LIMIT)?;
    if let Some(complaint) = complaint(&built.stderr) {
        bail!("mdbook complains: {complaint}");
    }
    if !built.status.success() {
        bail!("mdbook ended with {}:\n{}", built.status, built.tail());
    }
    let (pages, links, lost) = follow(&book)?;
    if !lost.is_empty() {
        bail!("links of the book lead nowhere:\n{}", lost.join("\n"));
    }
    println!("{pages} pages and {links} links are in {}", book.join("index.html").display());
    Ok(())
}

/// The first line of a log that is more than a notice.
fn complaint(log: &str) -> Option<&str> {
    let is_one = |line: &&str| {
        let words: Vec<&str> =
            line.split([' ', '[', ']']).filter(|word| !word.is_empty()).collect();
        words.iter().take(4).any(|word| ["WARN", "ERROR"].contains(word))
    };
    log.lines().find(is_one)
}

/// How many pages and links a built book has, and which links lead nowhere.
fn follow(book: &Path) -> Result<(usize, usize, Vec<String>)> {
    let mut pages: HashMap<PathBuf, String> = HashMap::new();
    for entry in fs::read_dir(book).with_context(|| book.display().to_string())? {
        let path = entry?.path();
        // All pages once more on one, where headings of different pages meet.
        let is_page = path.extension().is_some_and(|end| end == "html");
        if is_page && !path.ends_with("print.html") {
            pages.insert(path.clone(), fs::read_to_string(&path)?);
        }
    }
    let ids: HashMap<&PathBuf, HashSet<&str>> =
        pages.iter().map(|(path, text)| (path, attributes(text, "id").collect())).collect();
    let (mut count, mut lost) = (0, Vec::new());
    for (path, text) in &pages {
        for target in attributes(text, "href").chain(attributes(text, "src")) {
            if target.contains("://") || target.starts_with("data:") || path.ends_with("404.html") {
                continue;
            }
            count += 1;
            let (file, part) = target.split_once('#').unwrap_or((target, ""));
            let there = if file.is_empty() { path.clone() } else { book.join(file) };
            let has_part = |ids: &HashSet<&str>| part.is_empty() || ids.contains(part);
            if !there.exists() || ids.get(&there).is_some_and(|ids| !has_part(ids)) {
                lost.push(format!("{}: {target}", path.display()));
            }
        }
    }
    lost.sort();
    Ok((pages.len(), count, lost))
}

/// The values of an attribute, wherever it is in a page.
fn attributes<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> + use<'t> {
    let mark = format!(" {name}=\"");
    let parts: Vec<&str> = text.split(&*mark).skip(1).collect();
    parts.into_iter().filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_one_however_it_is_written() {
        assert_eq!(complaint(" INFO Book building has started\n"), None);
        assert_eq!(complaint(" INFO a\n WARN b\n"), Some(" WARN b"));
        assert_eq!(
            complaint("2026-01-01 12:00:00 [ERROR] (mdbook): b"),
            Some("2026-01-01 12:00:00 [ERROR] (mdbook): b")
        );
    }

    #[test]
    fn links_of_a_built_book_are_followed() {
        let book = std::env::temp_dir().join(format!("book-{}", std::process::id()));
        fs::create_dir_all(&book).expect("the folder for temporary files can be written");
        let page = "<h1 id=\"top\">a</h1><a href=\"#top\"></a><a href=\"b.html\"></a><a href=\"#none\"></a>";
        fs::write(book.join("a.html"), page).expect("it can be written");
        let (pages, links, lost) = follow(&book).expect("it can be read");
        fs::remove_dir_all(&book).expect("it can be removed");
        assert_eq!((pages, links, lost.len()), (1, 3, 2), "{lost:?}");
    }
}
