use super::{AssetKind, Flags, IndexProblem, segment::Record};
use super::{
    Folder, Index, Place,
    order::compare_parts,
    read::Reader,
    roots::{Layout, read_layout},
    segment::{Builder, Segment, Stat, index},
    walk::{self, Found, FoundFile, FoundFolder, Presence},
};
use crate::Guid;
use rayon::prelude::*;
use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

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

/// Assets in a segment: enough to fill the tables, few enough to share the work evenly.
const CHUNK: usize = 256;

impl Index {
    /// Reads a project. Files that did not change since `previous` are not opened.
    pub fn build(
        root: &Path,
        previous: Option<&Index>,
        events: &dyn Progress,
    ) -> Result<Index, Cancelled> {
        let now = now();
        let layout = read_layout(root);
        let roots = layout.roots.iter().zip(0..);
        let starts = roots.map(|(root, at)| (root.path.to_string(), at)).collect();
        let found = walk::folders(root, &layout.roots, starts, events)?;
        let known = previous.map(Known::new);
        let work = depth_first(&found);
        let done = AtomicUsize::new(0);
        let segments: Vec<_> = work
            .par_chunks(CHUNK)
            .map(|chunk| {
                if events.is_cancelled() {
                    return Err(Cancelled);
                }
                let segment = read_chunk(root, now, &layout, &found, known.as_ref(), chunk);
                let done = done.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
                events.report(done, work.len());
                Ok(Arc::new(segment))
            })
            .collect::<Result<_, _>>()?;
        Ok(Index::assemble(root, layout, found, segments))
    }

    fn assemble(root: &Path, layout: Layout, found: Found, segments: Vec<Arc<Segment>>) -> Index {
        let folders = found.folders.into_iter().map(|folder| Folder::new(&folder)).collect();
        let mut order: Vec<Place> = Vec::new();
        for (segment, number) in segments.iter().zip(0..) {
            let slots = 0..index(segment.records.len());
            order.extend(slots.map(|slot| Place { segment: number, slot }));
        }
        let mut index =
            Index::of_parts(root, Arc::new(layout), Arc::new(folders), segments, found.problems);
        // Nearly sorted already; only trees inside trees are out of order.
        order.sort_by(|one, two| compare_parts(index.parts(*one), index.parts(*two)));
        index.order = order;
        index.sort_guids();
        index
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
            duplicates: Arc::default(),
            walk_problems,
            reverse: OnceLock::new(),
            folded: OnceLock::new(),
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
        self.by_guid = Arc::new(by_guid);
        self.duplicates = Arc::new(duplicates);
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
                let path = [&*folder.path, "/", &*file.name].concat();
                open.extend(folders.get(path.as_str()).map(|below| (*below, 0)));
            }
        }
    }
    work
}

fn read_chunk(
    root: &Path,
    now: i64,
    layout: &Layout,
    found: &Found,
    known: Option<&Known<'_>>,
    chunk: &[(u32, u32)],
) -> Segment {
    let mut builder = Builder::new();
    let mut reader = Reader::new(root, now);
    for (number, file) in chunk {
        let folder = &found.folders[*number as usize];
        let file = &folder.files[*file as usize];
        match known.and_then(|known| known.find(&folder.path, file)) {
            Some((segment, slot)) => builder.copy(segment, slot, *number),
            None => {
                let is_imported = layout.roots[usize::from(folder.root)].kind.is_imported();
                builder.push(reader.read(folder, file, *number, is_imported));
            }
        }
    }
    builder.finish()
}

/// The assets of an earlier snapshot by folder and name.
struct Known<'a> {
    index: &'a Index,
    folders: HashMap<&'a str, u32>,
    places: HashMap<(u32, &'a str), Place>,
}

impl<'a> Known<'a> {
    fn new(index: &'a Index) -> Known<'a> {
        let folders = index.folders.iter().zip(0..);
        let folders = folders.map(|(folder, number)| (&*folder.path, number)).collect();
        let mut places = HashMap::with_capacity(index.len());
        for asset in index.assets() {
            let place = index.order[asset.id().0 as usize];
            places.insert((asset.record().folder, asset.name()), place);
        }
        Known { index, folders, places }
    }

    /// The record of a file, unless the file changed.
    fn find(&self, folder: &str, file: &FoundFile) -> Option<(&'a Segment, usize)> {
        let folder = self.folders.get(folder)?;
        let place = self.places.get(&(*folder, file.name.as_str()))?;
        let segment: &Segment = &self.index.segments[place.segment as usize];
        let slot = place.slot as usize;
        is_unchanged(&segment.records[slot], file).then_some((segment, slot))
    }
}

pub(super) fn is_unchanged(record: &Record, file: &FoundFile) -> bool {
    let is_same_file = match &file.presence {
        Presence::Absent => record.flags.contains(Flags::ASSET_MISSING),
        Presence::Folder => {
            record.kind == AssetKind::Folder && !record.flags.contains(Flags::ASSET_MISSING)
        }
        Presence::File(stat) => record.file == *stat && *stat != Stat::default(),
        Presence::Refused(_) => false,
    };
    is_same_file
        && record.meta == file.meta.unwrap_or_default()
        && !record.flags.contains(Flags::RACY)
}
