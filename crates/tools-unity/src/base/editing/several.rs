//! Several files that one call changes.
//!
//! A prefab and its variants, or scenes that have it, may be named in one call. Those that others are made
//! of come first, and the others are changed as they are with them: a variant that has the new value from
//! its prefab then needs no override of its own, and the same call once more changes nothing. Files that
//! are not made of each other are changed at the same time.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_unity::edit::scene::{Editor, Given, Refusal};
use scenewright_unity::hierarchy::{Expander, MAX_NESTING};
use scenewright_unity::index::AssetKind;
use scenewright_unity::{Document, Guid};
use serde_json::json;

use super::super::Unity;
use super::{Opened, refused};

/// So many are changed before a call looks whether it is still wanted.
const AT_ONCE: usize = 100;

/// A file of several that could not be changed.
pub struct Failed {
    at: usize,
    /// The file as it was named.
    pub path: String,
    /// Why not.
    pub error: ToolError,
}

/// Several files that one call changes: written in one plan, with one undo.
pub struct Several<'u> {
    unity: &'u Unity<'u>,
    /// The place in the call, what was read, and what comes of it.
    files: Vec<(usize, Opened<'u>, Vec<u8>)>,
    /// The files that could not be changed.
    pub failed: Vec<Failed>,
}

impl<'u> Several<'u> {
    /// Make changes to each file; one that is named twice is changed once. Returns what came of
    /// each that could be changed, with its path, in the order of the call.
    pub fn edit<T: Send>(
        unity: &'u Unity<'u>,
        paths: &[String],
        change: impl Fn(&mut Editor<'_>) -> Result<T, Refusal> + Sync,
    ) -> Result<(Several<'u>, Vec<(String, T)>), ToolError> {
        let mut several = Several { unity, files: Vec::new(), failed: Vec::new() };
        let mut waves = Waves::new(unity, paths);
        let mut done = Vec::new();
        let mut count = 0;
        while let Some(wave) = waves.next() {
            let expander = waves.expander(&several.files);
            for part in wave.chunks(AT_ONCE) {
                unity.cx.check_cancelled()?;
                unity.cx.progress(count as f64, Some(paths.len() as f64), &paths[part[0]]);
                count += part.len();
                let changed: Vec<_> = part
                    .par_iter()
                    .map(|at| (*at, changed(unity, &paths[*at], &expander, &change)))
                    .collect();
                for (at, changed) in changed {
                    match changed {
                        Ok((opened, after, came_to)) => {
                            done.push((at, opened.path.to_string(), came_to));
                            several.files.push((at, opened, after));
                        }
                        Err(error) => {
                            let path = paths[at].clone();
                            several.failed.push(Failed { at, path, error });
                        }
                    }
                }
            }
        }
        several.files.sort_by_key(|(at, ..)| *at);
        several.failed.sort_by_key(|failed| failed.at);
        done.sort_by_key(|(at, ..)| *at);
        let done = done.into_iter().map(|(_, path, came_to)| (path, came_to));
        Ok((several, done.collect()))
    }

    /// Give values that instances had as overrides to their prefabs, which are changed as well.
    /// Returns how many are new there.
    pub fn give(&mut self, given: &BTreeMap<Guid, Vec<Given>>) -> Result<usize, ToolError> {
        let mut count = 0;
        for (guid, values) in given {
            let path = self.unity.path_of(*guid);
            if self.files.iter().any(|(_, opened, _)| opened.path.as_str() == path) {
                let text = format!("{path} is to be changed itself, and to take overrides");
                return Err(ToolError::new(ErrorKind::BadArguments, text)
                    .hint("nothing was changed; do it in two calls"));
            }
            let opened = Opened::new(self.unity, &path)?;
            let mut editor = opened.editor()?;
            for value in values {
                count += usize::from(editor.take_override(value).map_err(refused)?);
            }
            let after = editor.to_bytes();
            drop(editor);
            self.files.push((self.files.len(), opened, after));
        }
        Ok(count)
    }

    /// An error of a call that changes all or nothing: it begins with `words`, and says which files
    /// were in the way.
    pub fn all_or_nothing(&self, words: &str) -> Result<(), ToolError> {
        let Some(first) = self.failed.first() else { return Ok(()) };
        let more = match self.failed.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        let text = format!("{words}: {}: {}{more}", first.path, first.error.message);
        let shown = self.failed.iter().take(20);
        let shown: Vec<String> =
            shown.map(|failed| format!("{}: {}", failed.path, failed.error.message)).collect();
        let hint = first.error.hint.clone().unwrap_or_default();
        let hint = match hint.contains("nothing was changed") || hint.is_empty() {
            true => "nothing was changed".to_owned(),
            false => format!("{hint}; nothing was changed"),
        };
        Err(ToolError::new(first.error.kind, text).hint(hint).detail("failed", json!(shown)))
    }

    /// Write them, all or none.
    pub fn commit(&self, dry_run: bool) -> Result<Written, ToolError> {
        let cx = self.unity.cx;
        let mut plan = Plan::new(self.unity.project);
        let mut by_path = HashMap::new();
        for (_, opened, after) in &self.files {
            plan.write(&opened.path, Some(opened.before()), after);
            by_path.insert(opened.path.as_str(), opened);
        }
        plan.commit(cx, dry_run, |path, bytes| match by_path.get(path.as_str()) {
            Some(opened) => opened.check(bytes),
            None => Ok(()),
        })
    }
}

/// One file after a change.
fn changed<'u, T>(
    unity: &'u Unity<'u>,
    path: &str,
    expander: &Arc<Expander>,
    change: impl Fn(&mut Editor<'_>) -> Result<T, Refusal>,
) -> Result<(Opened<'u>, Vec<u8>, T), ToolError> {
    let opened = Opened { expander: expander.clone(), ..Opened::named(unity, path)? };
    let mut editor = opened.editor()?;
    let came_to = change(&mut editor).map_err(refused)?;
    let after = editor.to_bytes();
    drop(editor);
    Ok((opened, after, came_to))
}

/// Files by how deep prefabs are nested in them: none is made of another one of its wave.
struct Waves<'u> {
    unity: &'u Unity<'u>,
    /// The places of files in the call.
    left: BTreeMap<usize, Vec<usize>>,
}

impl<'u> Waves<'u> {
    fn new(unity: &'u Unity<'u>, paths: &[String]) -> Waves<'u> {
        let mut depths = HashMap::new();
        let mut seen = HashSet::new();
        let mut left: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, path) in paths.iter().enumerate() {
            let asset = unity.asset(Some(path), None).ok();
            let is_new = asset.is_none_or(|asset| seen.insert(asset.path()));
            let guid = asset.and_then(|asset| asset.guid());
            let depth = guid.map_or(0, |guid| depth(unity, guid, &mut depths, 0));
            if is_new {
                left.entry(depth).or_default().push(at);
            }
        }
        Waves { unity, left }
    }

    fn next(&mut self) -> Option<Vec<usize>> {
        Some(self.left.pop_first()?.1)
    }

    /// The prefabs as those that were changed before leave them.
    fn expander(&self, files: &[(usize, Opened<'_>, Vec<u8>)]) -> Arc<Expander> {
        let changed: HashMap<Guid, Arc<Document>> = files
            .iter()
            .filter(|(_, opened, after)| !opened.guid.is_zero() && opened.before() != after)
            .map(|(_, opened, after)| (opened.guid, Arc::new(Document::parse(after.as_slice()))))
            .collect();
        if changed.is_empty() {
            return self.unity.expander.clone();
        }
        Arc::new(self.unity.expander.with(changed))
    }
}

/// How many prefabs are inside of each other in a file, at most.
fn depth(unity: &Unity<'_>, guid: Guid, known: &mut HashMap<Guid, usize>, above: usize) -> usize {
    if let Some(depth) = known.get(&guid) {
        return *depth;
    }
    let asset = unity.index.by_guid(guid);
    let asset = asset.filter(|it| matches!(it.kind(), AssetKind::Prefab | AssetKind::Scene));
    let Some(asset) = asset.filter(|_| above < MAX_NESTING) else { return 0 };
    let inner: HashSet<Guid> =
        asset.objects().filter_map(|object| object.prefab.map(|prefab| prefab.guid)).collect();
    let inner = inner.into_iter().filter(|inner| *inner != guid);
    let deepest = inner.map(|inner| depth(unity, inner, known, above + 1) + 1).max().unwrap_or(0);
    known.insert(guid, deepest);
    deepest
}
