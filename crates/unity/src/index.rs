//! Every asset of a project in one snapshot: paths, guids, objects and references.
//!
//! An [`Index`] never changes, so that any number of readers can share it; [`Store`] holds the
//! current one and replaces it when files change. Nothing here judges references: that needs
//! prefabs to be expanded.

mod alike;
mod asset;
mod buffer;
mod build;
mod cache;
mod fit;
mod ignored;
mod kind;
mod known;
mod names;
mod order;
mod os;
mod overrides;
mod planned;
mod problem;
mod raw;
mod read;
mod recent;
mod refresh;
mod reverse;
mod roots;
mod script;
mod seen;
mod segment;
mod store;
mod targets;
mod walk;
mod wiring;

#[cfg(test)]
mod tests;

pub use alike::only_values_differ;
pub use asset::{Asset, AssetId, Flags, ObjectEntry, Outgoing, Target};
pub use build::{Cancelled, Progress};
pub(crate) use cache::{Input, Output, identity as cache_identity};
pub use kind::AssetKind;
pub use names::SubAsset;
pub(crate) use overrides::{OverrideText, foreign_overrides, top};
pub use planned::Planned;
pub use problem::{IndexProblem, ProblemKind};
pub(crate) use recent::{Base, Part, Recent};
pub use roots::{Package, PackageSource, Root, RootKind};
pub use scenewright_snapshot::{Change, ChangeKind, Changes};
pub(crate) use script::may_declare_class;
pub use store::Store;
pub(crate) use targets::Targets;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::history::History;
use crate::script::package_script;
use crate::{ClassId, Guid, Serialization};
use reverse::Reverse;
use roots::Layout;
use segment::Segment;

/// A snapshot of all files of a project.
pub struct Index {
    root: PathBuf,
    layout: Arc<Layout>,
    /// Numbers of folders stay the same from snapshot to snapshot until the next whole build.
    folders: Arc<Vec<Folder>>,
    /// The last one may be a small one with what changed since.
    segments: Vec<Arc<Segment>>,
    has_tail: bool,
    /// The assets in path order.
    order: Vec<Place>,
    /// Sorted; assets with the same guid in path order.
    by_guid: Arc<Vec<(Guid, u32)>>,
    /// Where the guids of each first two bytes start in that table. Guids are random, so that few
    /// share them.
    starts: Arc<Vec<u32>>,
    /// The assets whose guid another one has, sorted.
    duplicates: Arc<Vec<u32>>,
    walk_problems: Vec<IndexProblem>,
    reverse: OnceLock<Reverse>,
    /// What Git LFS pointers say of the size of their content, by asset.
    pointers: OnceLock<HashMap<AssetId, u64>>,
    /// Hashes of the paths in lower case.
    folded: OnceLock<Vec<(u64, u32)>>,
    /// What Git said of guids that no file has; kept from snapshot to snapshot.
    history: Arc<History>,
    /// Files that are not as on the disk.
    planned: Arc<Planned>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    segment: u32,
    slot: u32,
}

#[derive(Clone, Debug)]
struct Folder {
    path: Arc<str>,
    root: u16,
}

/// How much there is of what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files and folders, the settings included, without metas.
    pub assets: usize,
    /// Metas that were found.
    pub metas: usize,
    /// Objects of text assets.
    pub objects: usize,
    /// Different references of each asset, summed up.
    pub references: usize,
    /// All occurrences of references.
    pub occurrences: usize,
    /// Assets by kind, as in [`AssetKind::ALL`].
    pub by_kind: Vec<(AssetKind, usize)>,
    /// The memory of the tables in bytes, without the lazy ones.
    pub memory: usize,
}

/// What is known about a guid.
#[derive(Clone, Copy, Debug)]
pub enum GuidStatus<'a> {
    /// The guid of an asset.
    Asset(Asset<'a>),
    /// The guid of a meta whose asset is gone.
    AssetGone(Asset<'a>),
    /// A resource of the engine, or all zeros.
    BuiltIn,
    /// A script of this package of Unity, whose files are not there.
    AbsentPackage(&'static str),
    /// Not found, and packages or folders are not there to look in.
    Undecided {
        /// How many packages of the project have no files here.
        absent: usize,
    },
    /// Not found although all is there that it could be in.
    Unknown,
}

impl Index {
    /// The folder of the project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder trees that were walked, by path.
    pub fn roots(&self) -> &[Root] {
        &self.layout.roots
    }

    /// The packages of manifest, lock and disk, by name.
    pub fn packages(&self) -> &[Package] {
        &self.layout.packages
    }

    /// The package of this name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        let packages = self.packages();
        let at = packages.binary_search_by(|package| (*package.name).cmp(name)).ok()?;
        Some(&packages[at])
    }

    /// The packages whose files are missing.
    pub fn absent_packages(&self) -> impl Iterator<Item = &Package> {
        self.packages().iter().filter(|package| package.is_absent())
    }

    /// Whether it is known which packages the project has: its manifest is there, or its version has
    /// none.
    pub fn lists_packages(&self) -> bool {
        self.layout.lists_packages
    }

    /// Places of assets that version control leaves out and that are not here.
    pub fn left_out(&self) -> &[Box<str>] {
        &self.layout.left_out
    }

    /// Whether everything is here that a guid could be in.
    pub(crate) fn is_whole(&self) -> bool {
        let has_packages = self.lists_packages() && self.absent_packages().next().is_none();
        has_packages && self.left_out().is_empty()
    }

    /// How the project wants its assets written.
    pub fn serialization(&self) -> Serialization {
        self.layout.serialization
    }

    /// The number of assets.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True when nothing was found.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// All assets in path order: each folder before what is in it.
    pub fn assets(&self) -> impl ExactSizeIterator<Item = Asset<'_>> + DoubleEndedIterator {
        (0..self.order.len()).map(|at| self.at(at))
    }

    /// The asset of an id that this snapshot gave.
    pub fn asset(&self, id: AssetId) -> Option<Asset<'_>> {
        ((id.0 as usize) < self.order.len()).then(|| self.at(id.0 as usize))
    }

    /// The asset at a path from the project root; one that differs in case, when there is no other
    /// and only one of those. A path that ends in `.meta` finds its asset.
    pub fn by_path(&self, path: &str) -> Option<Asset<'_>> {
        let path = path.strip_suffix(".meta").unwrap_or(path);
        match self.position(path) {
            Ok(at) => Some(self.at(at)),
            Err(_) => self.by_folded_path(path),
        }
    }

    /// The asset at exactly this path.
    pub(crate) fn at_path(&self, path: &str) -> Option<Asset<'_>> {
        self.position(path).ok().map(|at| self.at(at))
    }

    /// True when both see the same trees and packages.
    pub(crate) fn has_layout_of(&self, other: &Index) -> bool {
        Arc::ptr_eq(&self.layout, &other.layout) || self.layout == other.layout
    }

    /// True when a later snapshot has the very same records in the same order.
    fn is_kept_in(&self, later: &Index) -> bool {
        let pairs = self.segments.iter().zip(&later.segments);
        self.segments.len() == later.segments.len()
            && pairs.into_iter().all(|(one, two)| Arc::ptr_eq(one, two))
            && self.order == later.order
    }

    /// The asset of a guid: the first in path order, should several have it.
    pub fn by_guid(&self, guid: Guid) -> Option<Asset<'_>> {
        self.all_with_guid(guid).next()
    }

    /// The assets of a guid, of which there should be one at most.
    pub fn all_with_guid(&self, guid: Guid) -> impl Iterator<Item = Asset<'_>> {
        let bucket = guid.bucket();
        let place = |bucket: usize| self.starts.get(bucket).map_or(0, |start| *start as usize);
        let (start, end) = (place(bucket), place(bucket + 1));
        let start = start + self.by_guid[start..end].partition_point(|(other, _)| *other < guid);
        let same = self.by_guid[start..end].iter().take_while(move |(other, _)| *other == guid);
        same.map(|(_, at)| self.at(*at as usize))
    }

    /// What can be said about a guid that a file refers to.
    pub fn guid_status(&self, guid: Guid) -> GuidStatus<'_> {
        if guid.is_zero() || guid.is_built_in() {
            return GuidStatus::BuiltIn;
        }
        if let Some(asset) = self.by_guid(guid) {
            return match asset.flags().contains(Flags::ASSET_MISSING) {
                true => GuidStatus::AssetGone(asset),
                false => GuidStatus::Asset(asset),
            };
        }
        let known = package_script(guid.0).map(|script| script.package);
        let is_there = |name: &str| self.package(name).is_some_and(|package| package.present);
        match known.filter(|name| !is_there(name)) {
            Some(name) => GuidStatus::AbsentPackage(name),
            None if self.is_whole() => GuidStatus::Unknown,
            None => GuidStatus::Undecided { absent: self.absent_packages().count() },
        }
    }

    /// What became of the file that had a guid which no file has now, where the Git history of the
    /// project tells. All such guids are asked for at once: the first call may take seconds.
    pub(crate) fn fate(&self, guid: Guid) -> Option<Arc<str>> {
        self.history.fate(&self.root, guid, || self.lost_guids())
    }

    /// Whether the history was not read to its end, so that more may be known of lost guids.
    pub(crate) fn history_was_cut(&self) -> bool {
        self.history.was_cut()
    }

    /// The guids that files refer to and that may be nowhere.
    fn lost_guids(&self) -> Vec<Guid> {
        let is_nowhere = |guid: &Guid| {
            let status = self.guid_status(*guid);
            matches!(status, GuidStatus::Unknown | GuidStatus::Undecided { .. })
        };
        let guids = self.segments.iter().flat_map(|segment| segment.guids.iter().copied());
        let mut wanted: Vec<Guid> = guids.filter(is_nowhere).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// How large an asset is: of a Git LFS pointer, what it says of its content. The first call reads
    /// all pointers.
    pub fn content_size(&self, asset: Asset<'_>) -> u64 {
        if !asset.flags().contains(Flags::LFS_POINTER) {
            return asset.size();
        }
        let sizes = self.pointers.get_or_init(|| {
            let pointers = self.assets().filter(|asset| asset.flags().contains(Flags::LFS_POINTER));
            pointers
                .filter_map(|asset| Some((asset.id(), pointer_size(&asset.read().ok()?)?)))
                .collect()
        });
        sizes.get(&asset.id()).copied().unwrap_or(asset.size())
    }

    /// The assets in a folder and all folders below it, without the folder itself.
    pub fn under(&self, folder: &str) -> impl ExactSizeIterator<Item = Asset<'_>> {
        self.range_under(folder.trim_end_matches('/')).map(|at| self.at(at))
    }

    /// The assets of a kind in path order.
    pub fn of_kind(&self, kind: AssetKind) -> impl Iterator<Item = Asset<'_>> {
        self.assets().filter(move |asset| asset.kind() == kind)
    }

    /// The assets with an object of this very class, in path order.
    pub fn with_class(&self, class: ClassId) -> impl Iterator<Item = Asset<'_>> {
        self.assets().filter(move |asset| {
            asset.segment.objects(asset.slot).iter().any(|object| object.class == class.0)
        })
    }

    /// The assets that refer to this guid, in path order. The first call takes a moment.
    pub fn incoming(&self, guid: Guid) -> impl ExactSizeIterator<Item = Asset<'_>> {
        let reverse = self.reverse.get_or_init(|| Reverse::new(self));
        reverse.sources(guid).iter().map(|at| self.at(*at as usize))
    }

    /// The assets that refer to one of these guids, in no order. Unlike [`incoming`](Self::incoming)
    /// this prepares nothing for a next time, so it suits a few questions to a new snapshot.
    pub(crate) fn referring(&self, guids: &HashSet<Guid>) -> impl Iterator<Item = Asset<'_>> {
        let mut found = Vec::new();
        for (segment, number) in self.segments.iter().zip(0..) {
            let has = |guid: &Guid| segment.guids.binary_search(guid).ok();
            let targets: HashSet<u32> = guids.iter().filter_map(has).map(segment::index).collect();
            let slots = (0..segment.records.len()).filter(|_| !targets.is_empty());
            let refers = |slot: &usize| {
                segment.links(*slot).iter().any(|link| targets.contains(&link.target))
            };
            found.extend(slots.filter(refers).filter_map(|slot| self.asset_of(number, slot)));
        }
        found.into_iter()
    }

    /// The asset whose record is at a place, unless a newer one has replaced it.
    fn asset_of(&self, segment: u32, slot: usize) -> Option<Asset<'_>> {
        let place = Place { segment, slot: segment::index(slot) };
        let (folder, name) = self.parts(place);
        let asset = self.at_path(&order::join(folder, name))?;
        (self.order[asset.id().0 as usize] == place).then_some(asset)
    }

    /// How much there is of what.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { assets: self.len(), ..Counts::default() };
        let mut kinds = AssetKind::ALL.map(|kind| (kind, 0));
        for asset in self.assets() {
            let record = asset.record();
            let is_imported = asset.root().kind.is_imported();
            let has_meta = is_imported && !record.flags.contains(Flags::META_MISSING);
            counts.metas += usize::from(has_meta);
            counts.objects += asset.segment.objects(asset.slot).len();
            counts.references += asset.outgoing().len();
            counts.occurrences += asset.outgoing().map(|to| to.count as usize).sum::<usize>();
            kinds[record.kind as usize].1 += 1;
        }
        counts.by_kind = kinds.into();
        counts.memory = self.segments.iter().map(|segment| segment.bytes()).sum::<usize>()
            + size_of_val(&*self.order)
            + size_of_val(&**self.by_guid)
            + self.folders.iter().map(|folder| folder.path.len() + 40).sum::<usize>();
        counts
    }

    fn at(&self, at: usize) -> Asset<'_> {
        let Place { segment, slot } = self.order[at];
        Asset {
            index: self,
            id: AssetId(at as u32),
            segment: &self.segments[segment as usize],
            slot: slot as usize,
        }
    }

    /// The folder and the name of the asset at a place.
    fn parts(&self, place: Place) -> (&str, &str) {
        let segment = &self.segments[place.segment as usize];
        let record = &segment.records[place.slot as usize];
        (&self.folders[record.folder as usize].path, segment.name(record))
    }

    /// Where a path stands in the order, or would stand.
    fn position(&self, path: &str) -> Result<usize, usize> {
        self.order
            .binary_search_by(|place| order::compare_to_parts(path, self.parts(*place)).reverse())
    }

    /// All below a folder stands together, right behind it.
    fn range_under(&self, folder: &str) -> std::ops::Range<usize> {
        let start = match self.position(folder) {
            Ok(at) => at + 1,
            Err(at) => at,
        };
        let rest = &self.order[start..];
        let count = rest.partition_point(|place| order::is_within(self.parts(*place).0, folder));
        start..start + count
    }

    fn by_folded_path(&self, path: &str) -> Option<Asset<'_>> {
        let folded = self.folded.get_or_init(|| {
            let hashes = self.order.iter().map(|place| {
                let (folder, name) = self.parts(*place);
                order::folded_hash(folder, name)
            });
            let mut folded: Vec<_> = hashes.zip(0..).collect();
            folded.sort_unstable();
            folded
        });
        let hash = order::folded_hash("", path);
        let start = folded.partition_point(|(other, _)| *other < hash);
        let same = folded[start..].iter().take_while(|(other, _)| *other == hash);
        let lower = path.to_lowercase();
        let assets = same.map(|(_, at)| self.at(*at as usize));
        let mut equal = assets.filter(|asset| asset.path().to_lowercase() == lower);
        equal.next().filter(|_| equal.next().is_none())
    }
}

/// The size of the content that a Git LFS pointer stands for.
fn pointer_size(pointer: &[u8]) -> Option<u64> {
    let text = str::from_utf8(pointer).ok()?;
    text.lines().find_map(|line| line.strip_prefix("size "))?.trim().parse().ok()
}
