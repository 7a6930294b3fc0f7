//! The files and folders that a check is asked about, as people and agents write them.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use globset::GlobMatcher;
use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_text::beneath::{self, Kind};

use super::Selection;
use crate::paths as project_paths;
use crate::workspace::{Project, canonical};

/// How many files are looked at to see whether a pattern matches one.
const MOST_LOOKED_AT: usize = 1_000_000;
/// Deeper folders are not looked into.
const MAX_DEPTH: usize = 64;

/// A path that was asked for, from the project's root.
#[derive(Debug, Clone)]
pub(super) enum Wanted {
    /// A file, or a folder with all that is in it.
    Below(String),
    Matching(GlobMatcher),
}

impl Wanted {
    pub(super) fn has(&self, file: &str) -> bool {
        let asset = file.strip_suffix(".meta");
        match self {
            Wanted::Below(path) => {
                let rest = file.strip_prefix(path.as_str());
                let is_in = rest.is_some_and(|rest| {
                    path.is_empty() || rest.is_empty() || rest.starts_with('/')
                });
                // Whoever asks about a file asks about its meta.
                is_in || asset.is_some_and(|asset| asset == path)
            }
            Wanted::Matching(pattern) => {
                pattern.is_match(file) || asset.is_some_and(|asset| pattern.is_match(asset))
            }
        }
    }
}

/// What became of a path in one project.
enum Found {
    Here(Wanted),
    /// Inside of the project, and nothing is there.
    Missing(String),
    Outside,
    /// It is there, and no check looks at it.
    NotLookedAt(String),
}

impl Selection {
    /// Only findings in what these paths name: files, folders and patterns. Each may be written from
    /// the project's root, from `here`, with `res://`, or whole; one that leads to nothing in any of
    /// the projects is an error. One selection for each project, which takes nothing when no path is
    /// about that.
    pub fn of(
        projects: &[Arc<Project>],
        here: Option<&Path>,
        paths: &[String],
        exclude: &[String],
    ) -> Result<Vec<Option<Selection>>, ToolError> {
        let references: Vec<&Project> = projects.iter().map(|project| &**project).collect();
        Self::in_these(&references, here, paths, exclude)
    }

    /// The same for one project.
    pub fn in_one(project: &Project, paths: &[String]) -> Result<Selection, ToolError> {
        let selections = Self::in_these(&[project], None, paths, &[])?;
        Ok(selections.into_iter().flatten().next().unwrap_or_default())
    }

    fn in_these(
        projects: &[&Project],
        here: Option<&Path>,
        paths: &[String],
        exclude: &[String],
    ) -> Result<Vec<Option<Selection>>, ToolError> {
        let mut wanted: Vec<Vec<Wanted>> = projects.iter().map(|_| Vec::new()).collect();
        for text in paths {
            let mut refused = None;
            let mut is_found = false;
            for (project, wanted) in projects.iter().zip(&mut wanted) {
                match find(project, here, text)? {
                    Found::Here(path) => {
                        is_found = true;
                        wanted.push(path);
                    }
                    other => refused = refused.or(Some((*project, other))),
                }
            }
            if let Some((project, found)) = refused.filter(|_| !is_found) {
                return Err(no_such(project, text, found));
            }
        }
        let select = |wanted: Vec<Wanted>| {
            let is_about_it = paths.is_empty() || !wanted.is_empty();
            is_about_it.then(|| Selection { paths: wanted, exclude: exclude.to_vec() })
        };
        Ok(wanted.into_iter().map(select).collect())
    }
}

fn no_such(project: &Project, text: &str, found: Found) -> ToolError {
    let error = |what: String| ToolError::new(ErrorKind::BadArguments, what).detail("path", text);
    match found {
        Found::Missing(name) => {
            let near = project_paths::near(project, &name);
            let otherwise = "name files and folders from the project's root, or as a pattern such \
                             as **/*.tscn";
            let hint = suggest::did_you_mean(&name, near.iter().map(String::as_str), otherwise);
            let what = if is_pattern(&name) { "matches no file" } else { "is not there" };
            error(format!("{text} {what}")).hint(hint)
        }
        Found::NotLookedAt(top) => error(format!(
            "{text} is not checked: {top} is not a part of the project that people make"
        )),
        Found::Here(_) | Found::Outside => {
            error(format!("{text} is outside of the project {}", project.id))
                .hint("name files and folders from the project's root")
        }
    }
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

fn find(project: &Project, here: Option<&Path>, text: &str) -> Result<Found, ToolError> {
    let names = names(project, here, text);
    let mut result = Found::Outside;
    for name in names {
        let found = look(project, name)?;
        if matches!(found, Found::Here(_)) {
            return Ok(found);
        }
        if matches!(result, Found::Outside) {
            result = found;
        }
    }
    Ok(result)
}

/// What a text may mean, from the project's root.
fn names(project: &Project, here: Option<&Path>, text: &str) -> Vec<String> {
    let slashes = text.trim().replace('\\', "/");
    let (is_from_root, plain) = match slashes.strip_prefix("res://") {
        Some(rest) => (true, rest),
        None => (false, &*slashes),
    };
    let mut names = Vec::new();
    if let Some(here) = here.filter(|_| !is_from_root) {
        let path = here.join(plain);
        names.extend(inside(&project.root, &path));
        // From above a project, a folder that holds it means all of it.
        let is_above = || canonical(&path).is_ok_and(|path| project.root.starts_with(path));
        if !here.starts_with(&project.root) && is_above() {
            names.push(String::new());
        }
    }
    if is_from_root || Path::new(plain).is_relative() {
        names.extend(inside(&project.root, &project.root.join(plain)));
    } else {
        names.extend(inside(&project.root, Path::new(plain)));
        names.extend(project_paths::from_root(&project.root, plain).map(str::to_owned));
    }
    names.dedup();
    names
}

/// A path as it is from a root, if it stays inside.
fn inside(root: &Path, path: &Path) -> Option<String> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    // A link on the way to the project is not in its root, which has none.
    let existing = plain.ancestors().find_map(|above| Some((above, canonical(above).ok()?)));
    let real = existing.and_then(|(above, real)| Some(real.join(plain.strip_prefix(above).ok()?)));
    let rest = plain.strip_prefix(root).ok().map(Path::to_owned);
    let rest = rest.or_else(|| real?.strip_prefix(root).ok().map(Path::to_owned))?;
    let parts: Option<Vec<&str>> = rest.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

fn look(project: &Project, name: String) -> Result<Found, ToolError> {
    let top = name.split('/').next().unwrap_or_default();
    let layout = project.engine.layout();
    let is_in = |list: &[&str]| list.contains(&top);
    let is_own = project.is_part || layout.own.is_empty() || is_in(layout.own) || is_pattern(top);
    let is_looked_at = name.is_empty() || is_own && !is_in(layout.hidden) && !is_in(layout.engines);
    let path = project.root.join(&name);
    let meta = project.root.join(format!("{name}.meta"));
    let is_there = path.symlink_metadata().is_ok() || meta.symlink_metadata().is_ok();
    if is_there {
        return Ok(match is_looked_at {
            true => Found::Here(Wanted::Below(name)),
            false => Found::NotLookedAt(top.to_owned()),
        });
    }
    if !is_pattern(&name) {
        return Ok(Found::Missing(name));
    }
    let bad = |error: globset::Error| {
        ToolError::new(ErrorKind::BadArguments, format!("{name} is not a pattern: {error}"))
    };
    // A pattern that names folders means all that is in them.
    let pattern = format!("{{{name},{name}/**}}");
    let pattern = super::glob(&pattern).map_err(bad)?.compile_matcher();
    Ok(match matches_any(project, &name, &pattern) {
        true => Found::Here(Wanted::Matching(pattern)),
        false => Found::Missing(name),
    })
}

/// Whether the project has a file or folder that a pattern matches.
fn matches_any(project: &Project, name: &str, pattern: &GlobMatcher) -> bool {
    let layout = project.engine.layout();
    // Above the first part with a sign of a pattern there is nothing to match.
    let plain: Vec<&str> = name.split('/').take_while(|part| !is_pattern(part)).collect();
    let mut waiting = vec![(plain.join("/"), 0)];
    let mut looked_at = 0;
    while let Some((folder, depth)) = waiting.pop() {
        let entries: io::Result<_> = beneath::list(&project.root, &project.root.join(&folder));
        for entry in entries.unwrap_or_default() {
            let Ok(name) = entry.name.into_string() else { continue };
            let is_top = folder.is_empty();
            let is_foreign = [layout.hidden, layout.engines].iter().any(|l| l.contains(&&*name));
            if is_top && is_foreign || name == ".git" {
                continue;
            }
            let path = if is_top { name } else { format!("{folder}/{name}") };
            looked_at += 1;
            if pattern.is_match(&path) || looked_at > MOST_LOOKED_AT {
                return true;
            }
            if entry.kind == Kind::Folder && depth < MAX_DEPTH {
                waiting.push((path, depth + 1));
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;
    use crate::plain;

    const FILES: &str = "\
//- project.godot
//- maps/cave/cave.tscn
//- maps/cave/Entry [old].tscn
//- maps/town.tscn
//- gone.png.meta
//- .godot/uid_cache.bin
";
    const ALL: [&str; 4] =
        ["maps/cave/cave.tscn", "maps/cave/Entry [old].tscn", "maps/town.tscn", "gone.png.meta"];

    /// The files that a path takes, or the first line of why not.
    fn taken(here: &str, text: &str) -> Result<Vec<&'static str>, String> {
        let folder = Folder::files(FILES);
        let workspace = plain::open(&[folder.root()], None);
        let here = folder.path(here);
        let text = text.replace("ROOT", &folder.root().to_string_lossy());
        let here = (here != folder.root()).then_some(&*here);
        match Selection::of(workspace.projects(), here, &[text], &[]) {
            Ok(selections) => {
                let selection = selections.into_iter().next().flatten().unwrap();
                Ok(ALL.into_iter().filter(|file| selection.takes(file)).collect())
            }
            Err(error) => Err(folder.hide(&error.text())),
        }
    }

    #[test]
    fn every_spelling_of_a_path_is_understood() {
        let cave = Ok(ALL[..2].to_vec());
        for text in [
            "maps/cave",
            "maps/cave/",
            "./maps/cave",
            r"maps\cave",
            "res://maps/cave",
            "/maps/cave",
            "ROOT/maps/cave",
            "maps/cave/**",
            "maps/cave/*.tscn",
            "res://maps/c*",
            "maps/town/../cave",
        ] {
            assert_eq!(taken("", text), cave, "{text}");
        }
        assert_eq!(taken("", "maps/cave/cave.tscn"), Ok(vec![ALL[0]]));
        assert_eq!(taken("", "**/*.tscn"), Ok(ALL[..3].to_vec()));
        assert_eq!(taken("", "."), Ok(ALL.to_vec()));
        assert_eq!(taken("", "res://"), Ok(ALL.to_vec()));
        // A file whose name looks like a pattern is that file.
        assert_eq!(taken("", "maps/cave/Entry [old].tscn"), Ok(vec![ALL[1]]));
        assert_eq!(taken("", "gone.png"), Ok(vec![ALL[3]]));
    }

    #[test]
    fn paths_count_from_where_somebody_stands() {
        assert_eq!(taken("maps", "cave"), Ok(ALL[..2].to_vec()));
        assert_eq!(taken("maps/cave", "../*.tscn"), Ok(vec![ALL[2]]));
        // And from the project's root, as findings have them.
        assert_eq!(taken("maps/cave", "maps/town.tscn"), Ok(vec![ALL[2]]));
    }

    #[test]
    fn what_leads_to_nothing_is_refused() {
        let why = |text: &str| taken("", text).unwrap_err();
        let missing = why("maps/cav");
        assert!(missing.contains("maps/cav is not there"), "{missing}");
        assert!(missing.contains("maps/cave"), "{missing}");
        assert!(why("maps/*.scn").contains("maps/*.scn matches no file"));
        assert!(why("res://nowhere").contains("is not there"));
        for outside in ["../x", "..", "res://../x", "maps/../../x", "../**"] {
            assert!(why(outside).contains("is outside of the project"), "{outside}");
        }
        assert!(why(".godot/uid_cache.bin").contains("is not checked"));
        assert!(why("maps/[").contains("is not a pattern"));
    }
}
