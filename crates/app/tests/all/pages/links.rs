//! Every link in every page leads somewhere, and every page of the book can be found.

use std::path::Path;

use super::blocks::prose;
use super::{Page, pages, repository};

/// Where the files of this repository are for those who read the book elsewhere.
const OURS: &str = "https://github.com/scenewright/scenewright/blob/main/";

/// Where links of a page lead, in Markdown and in HTML.
fn targets(page: &str) -> Vec<String> {
    let text = prose(page);
    // What is in quotes is shown, not followed.
    let text: String = text.split('`').step_by(2).collect::<Vec<_>>().join("_");
    let mut all: Vec<String> = Vec::new();
    for (mark, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        let found = text.split(mark).skip(1).filter_map(|rest| rest.split(end).next());
        all.extend(found.map(|target| target.split(' ').next().unwrap_or_default().to_owned()));
    }
    all
}

/// How a heading is called in a link: as GitHub and mdBook do it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn anchors(page: &str) -> Vec<String> {
    let text = prose(page);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// Why a link of a page leads nowhere.
fn wrong(page: &Page, target: &str, root: &Path) -> Option<String> {
    let (file, part) = target.split_once('#').unwrap_or((target, ""));
    let path = match file.strip_prefix(OURS) {
        Some(ours) => root.join(ours),
        None if file.contains("://") || file.starts_with("mailto:") => return None,
        None if file.is_empty() => root.join(&page.name),
        None => root.join(&page.name).parent()?.join(file),
    };
    if !path.exists() {
        return Some(format!("{}: {target} is not there", page.name));
    }
    let is_book = page.name.starts_with("docs/");
    if is_book && !file.contains("://") && file.contains("..") {
        return Some(format!("{}: {target} leaves the book; write {OURS}…", page.name));
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let is_lost = !part.is_empty() && !anchors(&text).iter().any(|one| one == part);
    is_lost.then(|| format!("{}: {target}: there is no such heading", page.name))
}

#[test]
fn every_link_leads_somewhere() {
    let root = repository();
    let (mut count, mut bad) = (0, Vec::new());
    for page in pages() {
        for target in targets(&page.text) {
            bad.extend(wrong(&page, &target, &root));
            count += 1;
        }
    }
    assert_eq!(bad, Vec::<String>::new());
    assert!(count > 60, "{count}");
}

#[test]
fn every_page_of_the_book_is_in_its_contents() {
    let all = pages();
    let contents = all.iter().find(|page| page.name == "docs/SUMMARY.md").unwrap();
    let listed = targets(&contents.text);
    let is_missing = |name: &&str| *name != "SUMMARY.md" && !listed.iter().any(|one| one == name);
    let names = all.iter().filter_map(|page| page.name.strip_prefix("docs/"));
    assert_eq!(names.filter(is_missing).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn links_that_lead_nowhere_are_said() {
    let root = repository();
    let page = Page { name: "docs/unity.md".to_owned(), text: String::new() };
    let said = |target: &str| wrong(&page, target, &root);
    assert_eq!(said("security.md#bounds"), None);
    assert_eq!(said("https://example.com/none"), None);
    assert!(said("nothing.md").unwrap().contains("is not there"));
    assert!(said("security.md#nothing").unwrap().contains("no such heading"));
    assert!(said("../README.md").unwrap().contains("leaves the book"));
    assert!(said(&format!("{OURS}nothing.md")).unwrap().contains("is not there"));
    assert_eq!(anchor(" What `check` looks for, and why"), "what-check-looks-for-and-why");
    assert_eq!(
        targets("[a](b.md) `[c](d)` <img src=\"e.svg\">\n```\n[f](g)\n```\n"),
        ["b.md", "e.svg"]
    );
}
