//! `scenewright init`: the settings of a project, and on request a recipe for CI and a page for agents.

mod pages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use scenewright_contract::finding::Severity;
use scenewright_text::{LineEnding, counted, line_ending, repository};
use scenewright_toolkit::Project;
use scenewright_toolkit::baseline::{self, Baseline};
use scenewright_toolkit::selection::{self, Selection};
use scenewright_toolkit::workspace::canonical;
use serde_json::{Value, json};

use crate::cli::{Ci, Init};
use crate::install::safe::{self, Readers};
use crate::term::{self, Paint, Style, line};
use crate::{check, workspace};

/// What a file that this command wrote begins with.
const MARK: &str = "# Written by `scenewright init`";
/// What stands before and after the section of a page that has others.
const SECTION: [&str; 2] = ["<!-- scenewright init: begin -->", "<!-- scenewright init: end -->"];

/// What came of one file.
struct Outcome {
    path: PathBuf,
    state: State,
}

enum State {
    /// The file before and after.
    Written(Vec<u8>, Vec<u8>),
    /// A baseline with so many findings, too long to be shown.
    Accepted(usize),
    /// It was so already.
    Same,
    /// This command wrote it once, and somebody changed it since.
    Kept,
    /// It is somebody else's; what can be done.
    Refused(String),
}

/// The projects, and what is known of them.
struct Place {
    projects: Vec<Member>,
    /// Where code hosts and agents look: the root of the repository.
    top: PathBuf,
    /// The way from there to the project, or to the folder of several: `.` or `game`.
    below: String,
}

/// One of the projects.
struct Member {
    root: PathBuf,
    /// The way from the root of the repository.
    below: String,
    /// As people call it.
    engine: &'static str,
}

/// Write what is wanted, or show it.
pub fn run(options: &Init) -> Result<ExitCode> {
    let folder = match options.folder.as_ref().or(options.project.as_ref()) {
        Some(folder) => std::path::absolute(folder)?,
        None => std::env::current_dir().context("the current folder cannot be read")?,
    };
    let workspace = workspace::open_here(&folder)?;
    let place = Place::of(&folder, workspace.projects());
    let mut outcomes = Vec::new();
    match place.projects.as_slice() {
        [only] => {
            let path = only.root.join(selection::CONFIG);
            outcomes.push(whole(&path, &pages::settings(only), options)?);
        }
        // A file of remarks in each would be of no use; one that wants it asks for it.
        several if options.ci.is_none() && !options.agents => bail!(
            "{} projects are here, and each has settings of its own: `scenewright init DIR` writes \
             those of one, --ci a recipe for all of them",
            several.len()
        ),
        _ => {}
    }
    if options.ci.is_some() {
        for project in workspace.projects() {
            outcomes.extend(accept(project, options)?);
        }
    }
    match options.ci {
        None => {}
        Some(Ci::Github) => {
            let path = place.top.join(".github/workflows/scenewright.yml");
            outcomes.push(whole(&path, &pages::github(&place), options)?);
        }
        Some(Ci::Gitlab) => outcomes.push(gitlab(&place, options)?),
    }
    if options.agents {
        outcomes.push(section(&place.top.join("AGENTS.md"), &pages::agents(&place), options)?);
    }
    match options.json {
        true => term::json(&Value::from_iter(outcomes.iter().map(|one| as_json(one, options)))),
        false => outcomes.iter().for_each(|one| tell(one, options)),
    }
    let refused = outcomes.iter().any(|one| matches!(one.state, State::Refused(_)));
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl Place {
    fn of(folder: &Path, projects: &[Arc<Project>]) -> Self {
        let folder = canonical(folder).unwrap_or_else(|_| folder.to_owned());
        let start = match projects {
            [only] => &only.root,
            _ => &folder,
        };
        let top = repository(start).unwrap_or(start);
        let member = |project: &Arc<Project>| Member {
            root: project.root.clone(),
            below: way(top, &project.root),
            engine: project.made_by.title,
        };
        Self {
            projects: projects.iter().map(member).collect(),
            top: top.to_owned(),
            below: way(top, start),
        }
    }
}

/// The way from one folder to another that is in it, as a command takes it.
fn way(top: &Path, folder: &Path) -> String {
    let names = folder.strip_prefix(top).unwrap_or(Path::new("")).iter();
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    if names.is_empty() { ".".to_owned() } else { names.join("/") }
}

/// Accepts what is wrong with a project today, so that the first run tells only of what comes. One
/// without errors needs no baseline, and one that is there stays.
fn accept(project: &Project, options: &Init) -> Result<Option<Outcome>> {
    let config = selection::config(&project.root).map_err(|error| anyhow!("{}", error.text()))?;
    let path = project.root.join(baseline::name(&config));
    if path.exists() {
        return Ok(Some(Outcome { path, state: State::Kept }));
    }
    let report = check::judged(project, &Selection::default())?;
    if !report.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Ok(None);
    }
    let accepted = Baseline::to_accept(&report.findings, project);
    write(&path, accepted.to_text().as_bytes(), options)?;
    Ok(Some(Outcome { path, state: State::Accepted(accepted.count()) }))
}

/// A file that is all ours; one that is there stays as it is.
fn whole(path: &Path, text: &str, options: &Init) -> Result<Outcome> {
    let state = match safe::read(path)? {
        None => {
            write(path, text.as_bytes(), options)?;
            State::Written(Vec::new(), text.into())
        }
        Some(there) if same(&there, text) => State::Same,
        Some(there) if there.starts_with(MARK.as_bytes()) => State::Kept,
        Some(_) => State::Refused("this command did not write it".to_owned()),
    };
    Ok(Outcome { path: path.to_owned(), state })
}

/// GitLab reads one file; beside one of somebody else there is another, for them to include.
fn gitlab(place: &Place, options: &Init) -> Result<Outcome> {
    let main = place.top.join(".gitlab-ci.yml");
    let outcome = whole(&main, &pages::gitlab(place), options)?;
    if !matches!(outcome.state, State::Refused(_)) {
        return Ok(outcome);
    }
    let beside = whole(&place.top.join(".gitlab/scenewright.yml"), &pages::gitlab(place), options)?;
    if !options.json && !matches!(beside.state, State::Refused(_)) {
        line(&format!("{} is yours and stays; add to it:", main.display()));
        line("  include:\n    - local: .gitlab/scenewright.yml");
    }
    Ok(beside)
}

/// A part of a page that has others: ours is between its marks, at the end at first.
fn section(path: &Path, text: &str, options: &Init) -> Result<Outcome> {
    let before = safe::read(path)?.unwrap_or_default();
    let state = match put_section(&before, text) {
        Err(why) => State::Refused(why.to_owned()),
        Ok(after) if after == before => State::Same,
        Ok(after) => {
            write(path, &after, options)?;
            State::Written(before, after)
        }
    };
    Ok(Outcome { path: path.to_owned(), state })
}

/// The page with our part in it.
fn put_section(page: &[u8], text: &str) -> Result<Vec<u8>, &'static str> {
    let page = std::str::from_utf8(page).map_err(|_| "it is no UTF-8 text")?;
    let [begin, end] = SECTION;
    let ours = in_manner_of(page, &format!("{begin}\n{}\n{end}", text.trim_end()));
    let newline = line_ending(page.as_bytes()).as_str();
    let after = match (page.match_indices(begin).count(), page.match_indices(end).count()) {
        (0, 0) => {
            let head = page.trim_end();
            let gap = if head.is_empty() { String::new() } else { newline.repeat(2) };
            format!("{head}{gap}{ours}{newline}")
        }
        (1, 1) => {
            let (head, rest) = page.split_once(begin).ok_or("its marks are not in order")?;
            let (_, tail) = rest.split_once(end).ok_or("its marks are not in order")?;
            format!("{head}{ours}{tail}")
        }
        _ => {
            return Err(
                "its marks `scenewright init` are not one pair; mend them, or take both out",
            );
        }
    };
    Ok(after.into_bytes())
}

fn in_manner_of(page: &str, text: &str) -> String {
    match line_ending(page.as_bytes()) {
        LineEnding::Lf => text.to_owned(),
        LineEnding::CrLf => text.replace('\n', "\r\n"),
    }
}

/// Whether they differ in line endings at most, which version control may have changed.
fn same(there: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(there).replace("\r\n", "\n") == text
}

fn write(path: &Path, bytes: &[u8], options: &Init) -> Result<()> {
    if options.dry_run {
        return Ok(());
    }
    safe::write(path, bytes, Readers::Others)
}

fn tell(outcome: &Outcome, options: &Init) {
    let paint = Paint::stdout();
    let path = outcome.path.display();
    let name = paint.paint(Style::Bold, &path.to_string());
    match &outcome.state {
        State::Refused(why) => {
            line(&format!("{name}: {} {why}", paint.paint(Style::Red, "left as it is:")));
        }
        State::Accepted(count) => line(&format!(
            "{name}: {} {} accepted, so that the first run is green; `scenewright check \
             --no-baseline` shows them",
            counted(*count, "finding"),
            if options.dry_run { "would be" } else { "of today are" }
        )),
        State::Same => line(&format!("{name}: is so already")),
        State::Kept => line(&format!("{name}: has changes of yours and stays as it is")),
        State::Written(before, after) => {
            line(&format!("{name}:"));
            safe::show(&outcome.path, before, after, paint);
            line(match options.dry_run {
                true => "Nothing was written; leave out --dry-run to do it.",
                false => "Written.",
            });
        }
    }
}

fn as_json(outcome: &Outcome, options: &Init) -> Value {
    let (state, why) = match &outcome.state {
        State::Written(..) | State::Accepted(_) if options.dry_run => ("would change", None),
        State::Written(..) | State::Accepted(_) => ("changed", None),
        State::Same => ("unchanged", None),
        State::Kept => ("kept", None),
        State::Refused(why) => ("refused", Some(why)),
    };
    json!({ "file": outcome.path, "state": state, "why": why })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(page: &str, text: &str) -> Result<String, &'static str> {
        put_section(page.as_bytes(), text).map(|after| String::from_utf8(after).unwrap())
    }

    #[test]
    fn a_section_is_put_once_and_all_around_it_stays() {
        let [begin, end] = SECTION;
        let first = put("# Ours\n\nText.\n", "one\n").unwrap();
        assert_eq!(first, format!("# Ours\n\nText.\n\n{begin}\none\n{end}\n"));
        let more = format!("{first}\n# After\n");
        let second = put(&more, "two").unwrap();
        assert_eq!(second, format!("# Ours\n\nText.\n\n{begin}\ntwo\n{end}\n\n# After\n"));
        assert_eq!(put(&second, "two").unwrap(), second);
        assert_eq!(put("", "one").unwrap(), format!("{begin}\none\n{end}\n"));
    }

    #[test]
    fn the_page_keeps_its_line_endings() {
        let after = put("# Ours\r\n", "a\nb").unwrap();
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    }

    #[test]
    fn marks_that_are_no_pair_are_refused() {
        let [begin, end] = SECTION;
        for page in
            [format!("{begin}\n"), format!("{end}\n{begin}\n"), format!("{begin}{begin}{end}{end}")]
        {
            assert!(put(&page, "x").is_err(), "{page}");
        }
        assert!(put_section(b"\xff", "x").is_err());
    }
}
