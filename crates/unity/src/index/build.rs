//! A whole snapshot from a folder: walk, read what changed, put the tables together. Refreshing a
//! few paths is in `refresh`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;

use super::known::Known;
use super::order::compare_parts;
use super::planned::Planned;
use super::read::Reader;
use super::roots::{Layout, read_layout};
use super::segment::{Builder, Segment, index};
use super::walk::{self, Found, FoundFolder, Presence, Stats};
use super::{Folder, Index, IndexProblem, Place};
use crate::Guid;

/// Hears how far a build is, and may stop it. Called from several threads.
pub trait Progress: Sync {
    /// So many of so many assets are read. During the walk, before they are counted, both are 0.
    fn report(&self, _done: usize, _total: usize) {}

    /// True to stop.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Progress for () {}

/// The build was stopped; nothing of it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the index was not finished because it was cancelled")]
pub struct Cancelled;

/// A build is about what is on the disk.
static NOTHING: Planned = Planned::new();

/// Assets in a segment: enough to fill the tables, few enough to share the work evenly.
const CHUNK: usize = 256;

impl Index {
    /// Reads a project. Files that did not change since `previous` are not opened.
    pub fn build(
        root: &Path,
        previous: Option<&Index>,
        events: &dyn Progress,
    ) -> Result<Index, Cancelled> {
        let build = Build::plan(root, previous, events)?;
        let added = build.read(events)?;
        Ok(build.finish(added))
    }

    pub(super) fn of_parts(
        root: &Path,
        layout: Arc<Layout>,
        folders: Arc<Vec<Folder>>,
        segments: Vec<Arc<Segment>>,
        walk_problems: Vec<IndexProblem>,
    ) -> Index {
        Index {
            root: root.into(),
            layout,
            folders,
            segments,
            has_tail: false,
            order: Vec::new(),
            by_guid: Arc::default(),
            starts: Arc::default(),
            duplicates: Arc::default(),
            walk_problems,
            reverse: OnceLock::new(),
            pointers: OnceLock::new(),
            folded: OnceLock::new(),
            history: Arc::default(),
            planned: Arc::default(),
        }
    }

    /// Fills the guid table from the order.
    pub(super) fn sort_guids(&mut self) {
        let guids = self.assets().map(|asset| (asset.record().guid, asset.id().0));
        let mut by_guid: Vec<_> = guids.filter(|(guid, _)| !guid.is_zero()).collect();
        by_guid.par_sort_unstable();
        self.set_guids(by_guid);
    }

    pub(super) fn set_guids(&mut self, by_guid: Vec<(Guid, u32)>) {
        let mut duplicates = Vec::new();
        for pair in by_guid.windows(2) {
            if pair[0].0 == pair[1].0 {
                duplicates.extend([pair[0].1, pair[1].1]);
            }
        }
        duplicates.sort_unstable();
        duplicates.dedup();
        let mut starts = vec![0; Guid::BUCKETS + 1];
        by_guid.iter().for_each(|(guid, _)| starts[guid.bucket() + 1] += 1);
        for bucket in 1..starts.len() {
            starts[bucket] += starts[bucket - 1];
        }
        self.starts = Arc::new(starts);
        self.by_guid = Arc::new(by_guid);
        self.duplicates = Arc::new(duplicates);
    }
}

/// A build at work.
struct Build<'a> {
    root: &'a Path,
    now: i64,
    layout: Layout,
    found: Found,
    /// All files as (folder, file), in path order.
    work: Vec<(u32, u32)>,
    /// The snapshot before, with the place of each file of the work that did not change.
    previous: Option<&'a Index>,
    places: Vec<Option<Place>>,
    /// True when records stay in the segments they are in, which are shared then.
    shares: bool,
    /// The folders, and where those that were found are among them.
    folders: Vec<Folder>,
    numbers: Vec<u32>,
}

impl<'a> Build<'a> {
    /// Walks the project and finds out what must be read.
    fn plan(
        root: &'a Path,
        previous: Option<&'a Index>,
        events: &dyn Progress,
    ) -> Result<Build<'a>, Cancelled> {
        let now = now();
        let layout = read_layout(root);
        let roots = layout.roots.iter().zip(0..);
        let starts = roots.map(|(root, at)| (root.path.to_string(), at)).collect();
        // Windows tells sizes and times with the names.
        let stats = if previous.is_some() || cfg!(windows) { Stats::Now } else { Stats::Later };
        let found = walk::folders(root, &layout.roots, starts, stats, events)?;
        let work = depth_first(&found);
        let known = previous.map(Known::new);
        let find = |(folder, file): &(u32, u32)| {
            let folder = &found.folders[*folder as usize];
            known.as_ref()?.find(&folder.path, &folder.files[*file as usize])
        };
        let places = work.par_iter().map(find).collect();
        let shared = previous.filter(|previous| {
            previous.layout.roots == layout.roots && previous.is_lean(found.folders.len())
        });
        let mut folders = shared.map_or_else(Vec::new, |previous| previous.folders.to_vec());
        let mut numbers = Vec::with_capacity(found.folders.len());
        for folder in &found.folders {
            let number = known.as_ref().filter(|_| shared.is_some());
            numbers.push(number.and_then(|known| known.folder(&folder.path)).unwrap_or_else(
                || {
                    folders.push(Folder::new(folder));
                    index(folders.len() - 1)
                },
            ));
        }
        let shares = shared.is_some();
        Ok(Build { root, now, layout, found, work, previous, places, shares, folders, numbers })
    }

    /// The place of a file whose record can stay where it is.
    fn kept(&self, at: usize) -> Option<Place> {
        self.places[at].filter(|_| self.shares)
    }

    /// Reads or copies all that is not kept.
    fn read(&self, events: &dyn Progress) -> Result<Vec<Arc<Segment>>, Cancelled> {
        let total = self.work.len();
        let rest: Vec<usize> = (0..total).filter(|at| self.kept(*at).is_none()).collect();
        let done = AtomicUsize::new(total - rest.len());
        let reader = || Reader::new(self.root, &self.layout.roots, self.now, &NOTHING);
        let read = |reader: &mut Reader<'_>, chunk: &[usize]| {
            if events.is_cancelled() {
                return Err(Cancelled);
            }
            let segment = self.read_chunk(reader, chunk);
            let done = done.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
            events.report(done, total);
            Ok(Arc::new(segment))
        };
        rest.par_chunks(CHUNK).map_init(reader, read).collect()
    }

    fn read_chunk(&self, reader: &mut Reader<'_>, chunk: &[usize]) -> Segment {
        let mut builder = Builder::new();
        for at in chunk {
            let (folder, file) = self.work[*at];
            let number = self.numbers[folder as usize];
            if let (Some(previous), Some(place)) = (self.previous, self.places[*at]) {
                let segment = &previous.segments[place.segment as usize];
                builder.copy(segment, place.slot as usize, number);
                continue;
            }
            let folder = &self.found.folders[folder as usize];
            let is_imported = self.layout.roots[usize::from(folder.root)].kind.is_imported();
            let file = &folder.files[file as usize];
            builder.push(reader.read(folder, file, number, is_imported));
        }
        builder.finish()
    }

    fn finish(self, mut added: Vec<Arc<Segment>>) -> Index {
        let shared = self.previous.filter(|_| self.shares);
        let mut segments = shared.map_or_else(Vec::new, |previous| previous.segments.clone());
        let first = segments.len();
        let is_same = added.is_empty();
        segments.append(&mut added);
        let mut next = 0;
        let place = |at| {
            self.kept(at).unwrap_or_else(|| {
                let segment = index(first + next / CHUNK);
                let slot = index(next % CHUNK);
                next += 1;
                Place { segment, slot }
            })
        };
        let mut order: Vec<Place> = (0..self.work.len()).map(place).collect();
        let (layout, folders) = (Arc::new(self.layout), Arc::new(self.folders));
        let mut index = Index::of_parts(self.root, layout, folders, segments, self.found.problems);
        // Nearly sorted already; only trees inside trees are out of order.
        order.sort_by(|one, two| compare_parts(index.parts(*one), index.parts(*two)));
        index.order = order;
        match shared.filter(|previous| is_same && previous.order == index.order) {
            Some(previous) => {
                index.by_guid = previous.by_guid.clone();
                index.starts = previous.starts.clone();
                index.duplicates = previous.duplicates.clone();
            }
            None => index.sort_guids(),
        }
        index
    }
}

impl Index {
    /// False when so much of the tables is out of use that they are better written anew.
    fn is_lean(&self, folders: usize) -> bool {
        let records: usize = self.segments.iter().map(|segment| segment.records.len()).sum();
        records <= self.len() / 2 * 3 + 4096
            && self.segments.len() <= self.len() / CHUNK * 2 + 64
            && self.folders.len() <= folders * 2 + 1024
    }
}

impl Folder {
    pub(super) fn new(found: &FoundFolder) -> Folder {
        Folder { path: found.path.as_str().into(), root: found.root }
    }
}

pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// All files as (folder, file), each folder before what is in it.
pub(super) fn depth_first(found: &Found) -> Vec<(u32, u32)> {
    let mut folders: HashMap<&str, u32> = HashMap::new();
    for (folder, number) in found.folders.iter().zip(0..) {
        folders.insert(&folder.path, number);
    }
    let mut visited = vec![false; found.folders.len()];
    let mut work = Vec::new();
    // Folders come in path order, so that one not yet visited is the start of a tree.
    for start in 0..index(found.folders.len()) {
        let mut open = vec![(start, 0_u32)];
        while let Some((number, next)) = open.pop() {
            let folder = &found.folders[number as usize];
            if next == 0 && std::mem::replace(&mut visited[number as usize], true) {
                continue;
            }
            let Some(file) = folder.files.get(next as usize) else { continue };
            work.push((number, next));
            open.push((number, next + 1));
            if file.presence == Presence::Folder {
                let path = super::order::join(&folder.path, &file.name);
                open.extend(folders.get(path.as_str()).map(|below| (*below, 0)));
            }
        }
    }
    work
}
