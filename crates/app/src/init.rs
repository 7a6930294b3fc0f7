//! `scenewright init`: the settings of a project, and on request a recipe for CI and a page for agents.

mod pages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use scenewright_text::{LineEnding, line_ending, repository};
use scenewright_toolkit::selection;
use scenewright_tools::ENGINES;
use serde_json::{Value, json};

use crate::cli::{Ci, Init};
use crate::install::safe::{self, Readers};
use crate::term::{self, Paint, Style, line};
use crate::workspace;

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
    /// It was so already.
    Same,
    /// This command wrote it once, and somebody changed it since.
    Kept,
    /// It is somebody else's; what can be done.
    Refused(String),
}

/// The project, and what is known of it.
struct Place {
    root: PathBuf,
    /// Where code hosts and agents look: the root of the repository.
    top: PathBuf,
    /// The way from there to the project: `.` or `game`.
    below: String,
    /// As people call it.
    engine: &'static str,
}

/// Write what is wanted, or show it.
pub fn run(options: &Init) -> Result<ExitCode> {
    let place = Place::find(options.folder.as_deref())?;
    let mut outcomes =
        vec![whole(&place.root.join(selection::CONFIG), &pages::settings(&place), options)?];
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
    fn find(folder: Option<&Path>) -> Result<Self> {
        let folder = match folder {
            Some(folder) => std::path::absolute(folder)?,
            None => std::env::current_dir().context("the current folder cannot be read")?,
        };
        let root = workspace::root_above(&folder).with_context(|| {
            format!(
                "no project here: neither {} nor a folder above it is a Unity or Godot project",
                folder.display()
            )
        })?;
        let engine =
            ENGINES.iter().find(|engine| (engine.is_root)(root)).map_or("", |engine| engine.title);
        let top = repository(root).unwrap_or(root);
        let below: Vec<_> = root.strip_prefix(top).unwrap_or(Path::new("")).iter().collect();
        let below: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
        let below = if below.is_empty() { ".".to_owned() } else { below.join("/") };
        Ok(Self { root: root.to_owned(), top: top.to_owned(), below, engine })
    }
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
        State::Written(..) if options.dry_run => ("would change", None),
        State::Written(..) => ("changed", None),
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
