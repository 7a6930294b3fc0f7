//! Whether a plan can be done: before anything is touched.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use scenewright_contract::{ErrorKind, ToolError};
use serde_json::json;

use super::apply::{Ready, failed};
use super::place::{self, Place};
use super::record::{self, Stamp};
use super::{Change, Content, Plan};
use crate::paths::ProjectPath;
use crate::protect::Protected;

/// No plan changes more files.
const MAX_FILES: usize = 10_000;
/// More conflicts are counted, not told.
const MAX_TOLD: usize = 20;

impl Plan<'_> {
    /// Every path is named once, and there are not too many.
    pub(super) fn check_paths(&self) -> Result<(), ToolError> {
        let mut seen: HashMap<String, (&ProjectPath, bool)> = HashMap::new();
        for change in &self.changes {
            let is_new = change.from.is_some() || change.sides().0.is_none();
            let from = change.from.as_ref().filter(|_| !only_case_differs(change));
            for (path, is_new) in [(Some(&change.path), is_new), (from, false)] {
                let Some(path) = path else { continue };
                let other = seen.insert(path.as_str().to_lowercase(), (path, is_new));
                // Two files whose names differ in case may be there, but no such file is made.
                if other.is_some_and(|(other, was_new)| other == path || is_new || was_new) {
                    let text = format!("{path} would be changed twice at once");
                    return Err(ToolError::new(ErrorKind::BadArguments, text)
                        .hint("make the changes one after the other")
                        .detail("path", path.as_str()));
                }
            }
        }
        if self.changes.len() > MAX_FILES {
            let text = format!("more than {MAX_FILES} files would be changed at once");
            return Err(ToolError::failed(text).hint("make the change in parts"));
        }
        let kept = self.changes.iter().map(|change| change.sides().0.map_or(0, <[u8]>::len) as u64);
        if kept.sum::<u64>() > record::MAX_BYTES {
            return Err(ToolError::failed("the change is too large to be kept for undo")
                .hint("make the change in parts"));
        }
        Ok(())
    }

    /// No path of the plan is protected.
    pub(super) fn check_protected(&self, protected: &Protected) -> Result<(), ToolError> {
        let folders = self.folders.iter().chain(&self.emptied).map(ProjectPath::as_str);
        let files =
            self.changes.iter().flat_map(|change| [Some(&change.path), change.from.as_ref()]);
        files
            .flatten()
            .map(ProjectPath::as_str)
            .chain(folders)
            .try_for_each(|path| protected.check(path))
    }

    /// Nor is a place where links lead from there.
    pub(super) fn check_places(
        &self,
        protected: &Protected,
        files: &[Ready<'_>],
    ) -> Result<(), ToolError> {
        let root = place::root(self.project);
        let places = files.iter().flat_map(|file| [Some(&file.place), file.from.as_ref()]);
        let places = places.flatten().map(|place| &place.path).chain(&self.missing);
        places.map(|path| place::relative(&root, path)).try_for_each(|name| protected.check(&name))
    }

    /// The folders of the plan that do not exist yet.
    pub(super) fn missing_folders(&self) -> Result<Vec<PathBuf>, ToolError> {
        let mut missing = Vec::new();
        for folder in &self.folders {
            if place::below(&place::root(self.project), folder.as_str()).is_dir() {
                continue;
            }
            let place = place::locate(self.project, folder)?;
            place::check_new(self.project, folder, None)?;
            missing.extend(place.missing);
            missing.push(place.path);
        }
        Ok(missing)
    }

    /// Every file is where the plan takes it to be, as it was read, and may be written.
    pub(super) fn ready(&self) -> Result<Vec<Ready<'_>>, ToolError> {
        let mut files = Vec::with_capacity(self.changes.len());
        let mut conflicts = Vec::new();
        for change in &self.changes {
            let mut ready = self.locate(change)?;
            let (before, after) = change.sides();
            (ready.before, ready.after) = (before.map(Stamp::of), after.map(Stamp::of));
            conflicts.extend(self.conflict(&ready)?);
            files.push(ready);
        }
        if !conflicts.is_empty() {
            let more = conflicts.len().saturating_sub(MAX_TOLD);
            conflicts.truncate(MAX_TOLD);
            conflicts.extend((more > 0).then(|| format!("and {more} more")));
            return Err(ToolError::failed(format!("not written: {}", conflicts.join("; ")))
                .hint("nothing was changed; read the files again and repeat the call")
                .detail("conflicts", json!(conflicts)));
        }
        let mut seen = HashSet::new();
        for file in &files {
            if !seen.insert(&file.place.path) {
                return Err(ToolError::failed(format!(
                    "{} is another file of the same change under another name",
                    file.change.path
                ))
                .hint("one of them is a link; name the file itself"));
            }
        }
        Ok(files)
    }

    fn locate<'p>(&'p self, change: &'p Change<'p>) -> Result<Ready<'p>, ToolError> {
        let mut place = place::locate(self.project, &change.path)?;
        let from =
            change.from.as_ref().map(|from| place::locate(self.project, from)).transpose()?;
        if let Some(from) = &from
            && place.meta.is_some()
            && place.path == from.path
        {
            // Where case does not matter, the file is already found under its new name.
            let name = change.path.parts().last().unwrap_or_default();
            let path = from.path.with_file_name(name);
            place = Place { path, meta: None, is_link: false, missing: Vec::new() };
        }
        let is_new = place.meta.is_none() && !matches!(change.sides(), (Some(_), None));
        if is_new && (change.from.is_some() || change.sides().0.is_none()) {
            place::check_new(self.project, &change.path, change.from.as_ref())?;
        }
        if change.from.is_some() && only_case_differs(change) && change.sides().1.is_some() {
            return Err(ToolError::failed(format!(
                "{} gets new content and a name that differs only in case",
                change.path
            ))
            .hint("nothing was changed; make it two calls"));
        }
        Ok(Ready { change, place, from, before: None, after: None })
    }

    /// What keeps a file from being changed because it is not as it was read.
    fn conflict(&self, file: &Ready<'_>) -> Result<Option<String>, ToolError> {
        let path = &file.change.path;
        let (old, old_path) = match (&file.from, &file.change.from) {
            (Some(from), Some(name)) if file.place.meta.is_none() => (from, name),
            (Some(_), _) => return Ok(Some(format!("{path} exists already"))),
            _ => (&file.place, path),
        };
        let before = match &file.change.content {
            Content::Kept => None,
            Content::Replaced { before: None, .. } => {
                return Ok(old.meta.is_some().then(|| format!("{path} exists already")));
            }
            Content::Replaced { before, .. } => before.as_ref(),
        };
        let Some(meta) = &old.meta else {
            return Ok(Some(format!("{old_path} does not exist any more")));
        };
        if meta.permissions().readonly() {
            return Err(read_only(old_path));
        }
        // Content goes through a link, but to move or remove would leave the link behind.
        if old.is_link && (file.from.is_some() || file.change.sides().1.is_none()) {
            return Err(ToolError::failed(format!("{old_path} is a link"))
                .hint("nothing was changed; name the file itself")
                .detail("path", old_path.as_str()));
        }
        let Some(before) = before else { return Ok(None) };
        let is_same = self.project.door.disk.holds(&old.path, before);
        let is_same = is_same.map_err(|error| failed(path.as_str(), &error))?;
        Ok((!is_same).then(|| format!("{old_path} changed since it was read")))
    }
}

pub(super) fn only_case_differs(change: &Change<'_>) -> bool {
    change.from.as_ref().is_some_and(|from| {
        from.as_str() != change.path.as_str()
            && from.as_str().to_lowercase() == change.path.as_str().to_lowercase()
    })
}

fn read_only(path: &ProjectPath) -> ToolError {
    ToolError::new(ErrorKind::Denied, format!("{path} is read-only"))
        .hint(
            "nothing was changed; if version control made it read-only, check it out or lock it there \
             (`p4 edit`, `cm checkout`, `svn lock`, `git lfs lock`), otherwise make it writable",
        )
        .detail("path", path.as_str())
}
