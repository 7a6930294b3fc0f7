//! A snapshot after some paths changed, without walking the project. Whatever may be more than
//! single files is handed to a full build.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use scenewright_text::links;

use super::build::{depth_first, now};
use super::kind::is_hidden;
use super::known::is_unchanged;
use super::planned::{self, Planned};
use super::read::Reader;
use super::recent::Recent;
use super::roots::{CACHE, home, is_layout_file};
use super::segment::{Builder, Segment, index};
use super::walk::{self, Found, FoundFile, FoundFolder, Presence, Stats};
use super::{AssetKind, Change, ChangeKind, Folder, Index, Place, order};
use crate::Guid;

/// What became of a request to read some paths again.
pub(super) enum Refreshed {
    /// Nothing differs.
    Same,
    /// More than single files may have changed; the project is to be walked.
    Whole,
    New(Box<Index>, Vec<Change>),
}

/// A path to read again, with all below it.
pub(super) struct Scope {
    pub(super) path: String,
    pub(super) root: u16,
}

/// A tail of more assets becomes a segment like the others, and a new tail starts.
const MAX_TAIL: usize = 2048;

/// What is saved together: a file, and those that were there while it was written.
const FEW: usize = 4;

impl Index {
    /// The snapshot with some paths read again.
    pub(super) fn refreshed(&self, changed: &[PathBuf], recent: &Recent) -> Refreshed {
        let mut scopes = Vec::new();
        for path in changed {
            match self.scope(path) {
                Ok(scope) => scopes.extend(scope),
                Err(WalkAll) => return Refreshed::Whole,
            }
        }
        scopes.sort_by(|one, two| order::compare(&one.path, &two.path));
        scopes.dedup_by(|two, one| order::is_within(&two.path, &one.path));
        if scopes.is_empty() {
            return Refreshed::Same;
        }
        let Some(patch) = Patch::read(self, scopes, Arc::default(), Some(recent)) else {
            return Refreshed::Whole;
        };
        match patch.changes() {
            changes if changes.is_empty() => Refreshed::Same,
            changes => Refreshed::New(Box::new(patch.apply()), changes),
        }
    }

    /// What a changed path means; nothing when it is none of the project's assets.
    fn scope(&self, path: &Path) -> Result<Option<Scope>, WalkAll> {
        let Some(path) = self.logical(path) else { return Ok(None) };
        let path = path.strip_suffix(".meta").unwrap_or(&path);
        // What was left out may be there now.
        let is_left_out = |place: &str| path.starts_with(place);
        if is_layout_file(path) || self.left_out().iter().any(|place| is_left_out(place)) {
            return Err(WalkAll);
        }
        let roots = self.roots().iter().zip(0..);
        let inside = roots.filter(|(root, _)| order::is_within(path, &root.path));
        let Some((root, number)) = inside.max_by_key(|(root, _)| root.path.len()) else {
            // A tree may have come or gone. `Library` itself changes all the time.
            let is_above = self.roots().iter().any(|root| order::is_within(&root.path, path));
            let is_cache = order::is_within(path, CACHE);
            return if is_cache || is_above && path != "Library" { Err(WalkAll) } else { Ok(None) };
        };
        let rest = match &*root.path {
            "" => Some(path),
            root => path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')),
        };
        let Some(rest) = rest else {
            return Err(WalkAll);
        };
        if !root.kind.is_imported() && root.path.as_ref() == "Packages" {
            return Err(WalkAll);
        }
        let path = match self.highest_change(&root.path, rest) {
            Some(highest) => highest,
            None if rest.split('/').any(is_hidden) => return Ok(None),
            None => path.into(),
        };
        Ok(Some(Scope { path, root: number }))
    }

    /// The first folder on the way to a path, or the path itself, that came or went. Nothing when
    /// all that can be seen of the way are folders that were and are there.
    fn highest_change(&self, root: &str, rest: &str) -> Option<String> {
        let mut path = root.to_owned();
        for part in rest.split('/').take_while(|part| !is_hidden(part)) {
            path = order::join(&path, part);
            let known = self.position(&path).ok().map(|at| self.at(at).kind());
            let is_known = known == Some(AssetKind::Folder);
            if !is_known || !self.root().join(&path).is_dir() {
                return Some(path);
            }
        }
        None
    }

    /// The path as the index has it.
    fn logical(&self, path: &Path) -> Option<String> {
        let relative = match path.is_absolute() {
            false => path.to_owned(),
            true => self.strip_roots(path)?,
        };
        let parts = relative.components().filter(|part| *part != Component::CurDir);
        let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/")).filter(|path| !path.is_empty())
    }

    fn strip_roots(&self, path: &Path) -> Option<PathBuf> {
        let strip = |base: &Path| {
            let real = || fs::canonicalize(base).ok();
            let rest = path.strip_prefix(base).ok().map(Path::to_owned);
            rest.or_else(|| path.strip_prefix(real()?).ok().map(Path::to_owned))
        };
        if let Some(rest) = strip(&self.root) {
            return Some(rest);
        }
        let outside = self
            .roots()
            .iter()
            .filter(|root| root.path.starts_with("..") || Path::new(&*root.path).is_absolute());
        let mut found = outside.filter_map(|root| {
            Some(Path::new(&*root.path).join(strip(&self.root.join(&*root.path))?))
        });
        found.next()
    }
}

struct WalkAll;

/// What was read of some scopes, beside the snapshot it will change.
pub(super) struct Patch<'a> {
    old: &'a Index,
    folders: Vec<Folder>,
    scopes: Vec<Scope>,
    /// For each scope the places that it had and the records in `tail` that it has.
    parts: Vec<(Range<usize>, Range<u32>)>,
    /// The records of the tail before, by their old slot.
    moved: Vec<u32>,
    tail: Segment,
    found: Found,
    /// Files that are not as on the disk.
    planned: Arc<Planned>,
}

impl<'a> Patch<'a> {
    /// Nothing when links make the scopes more than they seem.
    pub(super) fn read(
        old: &'a Index,
        scopes: Vec<Scope>,
        planned: Arc<Planned>,
        recent: Option<&Recent>,
    ) -> Option<Patch<'a>> {
        let mut patch = Patch {
            old,
            folders: Vec::new(),
            parts: Vec::new(),
            moved: Vec::new(),
            tail: Segment::default(),
            found: Found::default(),
            planned: planned.clone(),
            scopes,
        };
        let mut builder = Builder::new();
        let mut filled = 0;
        let ranges: Vec<_> = patch.scopes.iter().map(|scope| replaced(old, &scope.path)).collect();
        patch.keep_tail(&ranges, &mut builder, &mut filled);
        let mut reader = Reader::new(&old.root, old.roots(), now(), &planned);
        // After many changes at once none of the files is the one that somebody works on.
        if let Some(recent) = recent.filter(|_| patch.scopes.len() <= FEW) {
            reader = reader.with_recent(recent);
        }
        for (number, range) in ranges.into_iter().enumerate() {
            let start = filled;
            patch.read_scope(number, &mut reader, &mut builder, &mut filled)?;
            patch.parts.push((range, start..filled));
        }
        patch.tail = builder.finish();
        Some(patch)
    }

    /// Takes over what is left of the tail before, unless that is long enough to stay as it is.
    fn keep_tail(&mut self, ranges: &[Range<usize>], builder: &mut Builder, filled: &mut u32) {
        let Some(tail) = self.old.tail() else { return };
        let number = index(self.old.segments.len() - 1);
        self.moved = vec![u32::MAX; tail.records.len()];
        for (at, place) in self.old.order.iter().enumerate() {
            if place.segment == number && !ranges.iter().any(|range| range.contains(&at)) {
                let slot = place.slot as usize;
                builder.copy(tail, slot, tail.records[slot].folder);
                self.moved[slot] = *filled;
                *filled += 1;
            }
        }
    }

    fn read_scope(
        &mut self,
        number: usize,
        reader: &mut Reader<'_>,
        builder: &mut Builder,
        filled: &mut u32,
    ) -> Option<()> {
        let Scope { path, root } = &self.scopes[number];
        let (parent, _) = path.rsplit_once('/')?;
        let Some(file) = find_file(self.old, &self.planned, path, *root)? else { return Some(()) };
        let mut found = match file.presence {
            Presence::Folder if self.old.root.join(path).is_symlink() => return None,
            // What is planned is named file by file.
            Presence::Folder if self.planned.is_empty() => {
                let start = vec![(path.clone(), *root)];
                let stats = Stats::Now;
                walk::folders(&self.old.root, self.old.roots(), start, stats, &()).ok()?
            }
            _ => Found::default(),
        };
        let top = FoundFolder { path: parent.into(), root: *root, files: vec![file] };
        found.folders.insert(0, top);
        let is_imported = self.old.roots()[usize::from(*root)].kind.is_imported();
        let numbers = self.number(&found.folders);
        for (folder, file) in depth_first(&found) {
            let number = numbers[folder as usize];
            let is_asked = folder == 0;
            let (folder, file) = (&found.folders[folder as usize], file as usize);
            let file = &folder.files[file];
            match self.unchanged(folder, file).filter(|_| !is_asked) {
                Some(place) => {
                    let segment = &self.old.segments[place.segment as usize];
                    builder.copy(segment, place.slot as usize, number);
                }
                None => builder.push(reader.read(folder, file, number, is_imported)),
            }
            *filled += 1;
        }
        self.found.problems.append(&mut found.problems);
        Some(())
    }

    fn unchanged(&self, folder: &FoundFolder, file: &FoundFile) -> Option<Place> {
        let at = self.old.position(&order::join(&folder.path, &file.name)).ok()?;
        is_unchanged(self.old.at(at).record(), file).then(|| self.old.order[at])
    }

    /// The numbers of the folders: those they had, or new ones.
    fn number(&mut self, found: &[FoundFolder]) -> Vec<u32> {
        let wanted: HashMap<&str, usize> =
            found.iter().enumerate().map(|(at, folder)| (&*folder.path, at)).collect();
        let mut numbers = vec![u32::MAX; found.len()];
        let known = self.old.folders.iter().chain(&self.folders).zip(0..);
        for (folder, number) in known {
            if let Some(at) = wanted.get(&*folder.path) {
                numbers[*at] = number;
            }
        }
        for (folder, number) in found.iter().zip(&mut numbers) {
            if *number == u32::MAX {
                *number = index(self.old.folders.len() + self.folders.len());
                self.folders.push(Folder::new(folder));
            }
        }
        numbers
    }

    fn folder(&self, number: u32) -> &str {
        let known = self.old.folders.len();
        match (number as usize).checked_sub(known) {
            Some(added) => &self.folders[added].path,
            None => &self.old.folders[number as usize].path,
        }
    }

    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut note = |kind, (folder, name): (&str, &str)| {
            changes.push(Change { path: order::join(folder, name), kind });
        };
        for (old, new) in &self.parts {
            let (mut old, mut new) = (old.clone().peekable(), new.clone().peekable());
            let new_parts = |slot: u32| {
                let record = &self.tail.records[slot as usize];
                (self.folder(record.folder), self.tail.name(record))
            };
            loop {
                let one = old.peek().map(|at| self.old.parts(self.old.order[*at]));
                let two = new.peek().map(|slot| new_parts(*slot));
                let order = match (one, two) {
                    (None, None) => break,
                    (Some(_), None) => std::cmp::Ordering::Less,
                    (None, Some(_)) => std::cmp::Ordering::Greater,
                    (Some(one), Some(two)) => order::compare_parts(one, two),
                };
                let at = if order.is_le() { old.next() } else { None };
                let slot = if order.is_ge() { new.next() } else { None };
                match (at, slot, one, two) {
                    (Some(_), None, Some(one), _) => note(ChangeKind::Removed, one),
                    (None, Some(_), _, Some(two)) => note(ChangeKind::Added, two),
                    (Some(at), Some(slot), Some(one), _) if !self.is_same(at, slot) => {
                        note(ChangeKind::Modified, one);
                    }
                    _ => {}
                }
            }
        }
        changes
    }

    fn is_same(&self, at: usize, slot: u32) -> bool {
        let asset = self.old.at(at);
        asset.segment.same(asset.slot, &self.tail, slot as usize)
    }

    /// The snapshot after the change. What did not change is shared or copied in one go.
    pub(super) fn apply(self) -> Index {
        let old = self.old;
        let mut folders = old.folders.clone();
        if !self.folders.is_empty() {
            Arc::make_mut(&mut folders).extend(self.folders.iter().cloned());
        }
        let kept = old.segments.len() - usize::from(old.tail().is_some());
        let tail_number = index(kept);
        let mut problems = old.walk_problems.clone();
        problems.retain(|problem| {
            !self.scopes.iter().any(|scope| order::is_within(&problem.path, &scope.path))
        });
        problems.extend(self.found.problems.iter().cloned());
        problems.sort();

        let by_guid = self.guids();
        let mut order = Vec::with_capacity(old.order.len() + 16);
        let mut next = 0;
        for (range, slots) in &self.parts {
            order.extend_from_slice(&old.order[next..range.start]);
            order.extend(slots.clone().map(|slot| Place { segment: NEW, slot }));
            next = range.end;
        }
        order.extend_from_slice(&old.order[next..]);
        for place in &mut order {
            if place.segment == NEW {
                place.segment = tail_number;
            } else if place.segment == tail_number && !self.moved.is_empty() {
                place.slot = self.moved[place.slot as usize];
            }
        }
        let mut segments = old.segments[..kept].to_vec();
        segments.push(Arc::new(self.tail));
        let mut index = Index::of_parts(&old.root, old.layout.clone(), folders, segments, problems);
        index.history = old.history.clone();
        index.planned = self.planned.clone();
        index.has_tail = true;
        index.order = order;
        match by_guid {
            Some(by_guid) => index.set_guids(by_guid),
            None => {
                index.by_guid = old.by_guid.clone();
                index.starts = old.starts.clone();
                index.duplicates = old.duplicates.clone();
            }
        }
        index
    }

    /// The new guid table; nothing when the old one holds.
    fn guids(&self) -> Option<Vec<(Guid, u32)>> {
        let new_guid = |slot: u32| self.tail.records[slot as usize].guid;
        let holds = self.parts.iter().all(|(range, slots)| {
            let old = range.clone().map(|at| self.old.at(at).record().guid);
            range.len() == slots.len() && old.eq(slots.clone().map(new_guid))
        });
        if holds {
            return None;
        }
        // Where each asset stands now.
        let mut places = vec![u32::MAX; self.old.len()];
        let (mut next, mut at) = (0, 0);
        let mut added = Vec::new();
        for (range, slots) in &self.parts {
            for place in &mut places[next..range.start] {
                *place = at;
                at += 1;
            }
            for slot in slots.clone() {
                added.push((new_guid(slot), at));
                at += 1;
            }
            next = range.end;
        }
        for place in &mut places[next..] {
            *place = at;
            at += 1;
        }
        added.retain(|(guid, _)| !guid.is_zero());
        added.sort_unstable();
        let moved = self.old.by_guid.iter().map(|(guid, at)| (*guid, places[*at as usize]));
        let mut by_guid: Vec<_> = moved.filter(|(_, at)| *at != u32::MAX).collect();
        by_guid.append(&mut added);
        // Two sorted runs: this sort merges them.
        by_guid.sort();
        Some(by_guid)
    }
}

/// Stands for the new tail while old places are still told apart.
const NEW: u32 = u32::MAX;

impl Index {
    /// The segment of recent changes, when it is small enough to be written anew.
    fn tail(&self) -> Option<&Segment> {
        let last = self.segments.last().filter(|_| self.has_tail)?;
        (last.records.len() < MAX_TAIL).then_some(last)
    }
}

/// The places of a path and all below it.
fn replaced(index: &Index, path: &str) -> Range<usize> {
    let below = index.range_under(path);
    match index.position(path) {
        Ok(at) => at..below.end,
        Err(_) => below,
    }
}

/// What stands at a path now, if the file or its meta is there. Nothing when only a walk tells what
/// is to be said of its meta.
fn find_file(index: &Index, planned: &Planned, path: &str, root: u16) -> Option<Option<FoundFile>> {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let meta = format!("{path}.meta");
    let home = home(&index.root, &index.roots()[usize::from(root)].path);
    let stat = |path: &str| {
        let disk = index.root.join(path);
        match links::stays_inside(&home, &disk) {
            true => planned::presence(planned, path).unwrap_or_else(|| walk::stat(&disk)),
            false => Presence::Refused(links::LEAVES.into()),
        }
    };
    let presence = stat(path);
    let meta = match stat(&meta) {
        Presence::File(stat) if index.roots()[usize::from(root)].kind.is_imported() => Some(stat),
        Presence::Refused(why) if why == links::LEAVES => return None,
        _ => None,
    };
    let is_gone = presence == Presence::Absent && meta.is_none();
    Some((!is_gone).then(|| FoundFile { name: name.into(), presence, meta }))
}
