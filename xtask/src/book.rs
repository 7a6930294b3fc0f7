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
    let unfound = not_in_search(&book)?;
    if !unfound.is_empty() {
        bail!("the search of the book does not know {}", unfound.join(", "));
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

/// The pages of a built book, in its folders too, as paths in it.
fn pages_of(book: &Path) -> Result<Vec<PathBuf>> {
    let (mut pages, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = open.pop() {
        let there = book.join(&folder);
        for entry in fs::read_dir(&there).with_context(|| there.display().to_string())? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "html") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// How many pages and links a built book has, and which links lead nowhere.
fn follow(book: &Path) -> Result<(usize, usize, Vec<String>)> {
    let mut pages: HashMap<PathBuf, String> = HashMap::new();
    for name in pages_of(book)? {
        // All pages once more on one, where headings of different pages meet.
        if !name.ends_with("print.html") {
            let path = book.join(&name).canonicalize()?;
            pages.insert(path.clone(), fs::read_to_string(&path)?);
        }
    }
    let ids: HashMap<&PathBuf, HashSet<&str>> =
        pages.iter().map(|(path, text)| (path, attributes(text, "id").collect())).collect();
    let (mut count, mut lost) = (0, Vec::new());
    for (path, text) in &pages {
        let folder = path.parent().unwrap_or(book);
        for target in attributes(text, "href").chain(attributes(text, "src")) {
            if target.contains("://") || target.starts_with("data:") || path.ends_with("404.html") {
                continue;
            }
            count += 1;
            let (file, part) = target.split_once('#').unwrap_or((target, ""));
            let there = if file.is_empty() { path.clone() } else { folder.join(file) };
            let has_part = |ids: &HashSet<&str>| part.is_empty() || ids.contains(part);
            let is_lost = match there.canonicalize() {
                Ok(there) => ids.get(&there).is_some_and(|ids| !has_part(ids)),
                Err(_) => true,
            };
            if is_lost {
                lost.push(format!("{}: {target}", path.display()));
            }
        }
    }
    lost.sort();
    Ok((pages.len(), count, lost))
}

/// Pages that the index of the book's search does not lead to.
fn not_in_search(book: &Path) -> Result<Vec<String>> {
    let mut index = String::new();
    for entry in fs::read_dir(book)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("searchindex") && name.ends_with(".js") {
            index += &fs::read_to_string(path)?;
        }
    }
    // Those that mdBook adds itself; the first page of the book is there by its own name, too.
    let made = ["404.html", "index.html", "print.html", "toc.html"];
    let names = pages_of(book)?.into_iter().map(|path| path.to_string_lossy().replace('\\', "/"));
    let pages = names.filter(|name| !made.contains(&name.as_str()));
    Ok(pages.filter(|name| !index.contains(&format!("\"{name}#"))).collect())
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
        fs::create_dir_all(book.join("more"))
            .expect("the folder for temporary files can be written");
        let write = |name: &str, text: &str| {
            fs::write(book.join(name), text).expect("it can be written");
        };
        write(
            "a.html",
            "<h1 id=\"top\">a</h1><a href=\"#top\"></a><a href=\"b.html\"></a><a href=\"#none\"></a>",
        );
        write(
            "more/c.html",
            "<a href=\"../a.html#top\"></a><a href=\"../a.html#no\"></a><a href=\"a.html\"></a>",
        );
        write("searchindex-1.js", "[\"a.html#top\"]");
        let (pages, links, lost) = follow(&book).expect("it can be read");
        let unfound = not_in_search(&book).expect("it can be read");
        fs::remove_dir_all(&book).expect("it can be removed");
        assert_eq!((pages, links, lost.len()), (2, 6, 4), "{lost:?}");
        assert_eq!(unfound, ["more/c.html"]);
    }
}
