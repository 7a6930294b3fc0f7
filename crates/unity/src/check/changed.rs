//! What a check found the last time, and what a change since then can have changed.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::again::Large;
use super::screen::Screen;
use super::{Finding, Judged, Report, Scope, Watcher, assemblies, is_judged, judge};
use crate::Guid;
use crate::hierarchy::Expander;
use crate::index::{Asset, AssetId, AssetKind, Change, Flags, Index, Store};
use crate::judge::Judge;
use crate::project::VERSION_FILE;

/// The findings of a snapshot, by the file that was judged.
pub(crate) struct Checked {
    pub(super) index: Arc<Index>,
    pub(super) generation: u64,
    /// How many files are judged.
    pub(super) total: usize,
    pub(super) by_file: BTreeMap<String, Vec<Finding>>,
    pub(super) assemblies: Vec<Finding>,
    /// How many references each file has that may lead into a package which is not here.
    pub(super) open: BTreeMap<String, u32>,
    /// The large scene that changed last.
    pub(super) large: Option<Large>,
}

#[cfg(test)]
impl Checked {
    /// Whether checks took over what was known of the large scene.
    pub(super) fn is_known(&self) -> bool {
        self.large.as_ref().is_some_and(Large::is_known)
    }
}

/// After more changes than this, judging everything is as fast as finding out what is affected.
const MAX_CHANGES: usize = 2000;

/// The findings of all references, scripts and assemblies.
pub(super) fn check(
    store: &Store,
    index: &Arc<Index>,
    expander: &Expander,
    watcher: &dyn Watcher,
) -> Report {
    let mut kept = store.checked();
    let generation = store.generation_of(index);
    let before = kept.take().filter(|before| before.index.has_layout_of(index));
    let changes = before.as_ref().and_then(|before| {
        let changes = store.changes_since(before.generation);
        // Which classes count goes by the version.
        let is_same = !changes.changes.iter().any(|change| change.path == VERSION_FILE);
        let is_known = is_same && changes.complete && Some(changes.now) == generation;
        (is_known && changes.changes.len() <= MAX_CHANGES).then_some(changes.changes)
    });
    let is_new = changes.as_ref().is_none_or(|changes| !changes.is_empty());
    let start = match (before, changes) {
        (Some(before), Some(changes)) => Start::after(before, index, &changes),
        _ => Start::anew(index),
    };
    let Start { mut by_file, mut open, assemblies, assets, total, large } = start;
    let known = large.as_ref().and_then(|large| again(large, store, index, expander, &assets));
    let judged = known.unwrap_or_else(|| judge(index, expander, &assets, watcher));
    by_file.extend(judged.found.into_iter().map(|(asset, findings)| (asset.path(), findings)));
    open.extend(judged.open.into_iter().map(|(asset, count)| (asset.path(), count)));
    let assemblies = assemblies.unwrap_or_else(|| assemblies::check(index));
    let mut report = Report { total, checked: total, open, ..Report::default() };
    let count = by_file.values().map(Vec::len).sum::<usize>() + assemblies.len();
    report.findings.reserve_exact(count);
    report.findings.extend(by_file.values().flatten().chain(&assemblies).cloned());
    if judged.checked < assets.len() {
        // Stopped halfway: what was found is not the whole truth and not kept.
        let left = assets.len() - judged.checked;
        report.checked = total.saturating_sub(left).min(total.saturating_sub(1));
        return report;
    }
    *kept = generation.map(|generation| {
        let found = |path: &str| by_file.get(path).cloned().unwrap_or_default();
        let large = Large::after(store, index, found, generation, large);
        let (index, open) = (index.clone(), report.open.clone());
        Checked { index, generation, total, by_file, assemblies, open, large }
    });
    // What Git had no time to tell, it may tell the next time.
    if let Some(checked) = kept.as_ref().filter(|_| is_new && !index.history_was_cut()) {
        store.keep(checked, generation);
    }
    report
}

/// What a check starts with: what still holds, and what is to be judged.
struct Start<'a> {
    by_file: BTreeMap<String, Vec<Finding>>,
    open: BTreeMap<String, u32>,
    assemblies: Option<Vec<Finding>>,
    assets: Vec<Asset<'a>>,
    total: usize,
    large: Option<Large>,
}

impl<'a> Start<'a> {
    fn anew(index: &'a Index) -> Start<'a> {
        let all = index.assets().filter(|asset| is_judged(*asset, Scope::All));
        let assets: Vec<_> = all.collect();
        let (by_file, open, total) = (BTreeMap::new(), BTreeMap::new(), assets.len());
        Start { by_file, open, assemblies: None, assets, total, large: None }
    }

    fn after(before: Checked, index: &'a Index, changes: &[Change]) -> Start<'a> {
        let assets = affected(&before.index, index, changes);
        let count = |index: &Index| {
            let assets = changes.iter().filter_map(|change| index.at_path(&change.path));
            assets.filter(|asset| is_judged(*asset, Scope::All)).count()
        };
        let total = before.total + count(index) - count(&before.index);
        let Checked { mut by_file, mut open, large, .. } = before;
        let judged = assets.iter().map(|asset| asset.path());
        for path in changes.iter().map(|change| change.path.clone()).chain(judged) {
            by_file.remove(&path);
            open.remove(&path);
        }
        let is_same = !changes.iter().any(|change| change.path.ends_with(".asmdef"));
        let assemblies = is_same.then_some(before.assemblies);
        Start { by_file, open, assemblies, assets, total, large }
    }
}

/// What becomes of the only asset that is to be judged, where most of that is known.
fn again<'a>(
    large: &Large,
    store: &Store,
    index: &'a Index,
    expander: &Expander,
    assets: &[Asset<'a>],
) -> Option<Judged<'a>> {
    let judge = Judge::new(index);
    let findings = large.check(store, &judge, expander, assets)?;
    let open = Screen::new(&judge).open(assets);
    let found = assets.iter().copied().zip([findings]).filter(|(_, it)| !it.is_empty());
    let found = found.collect();
    Some(Judged { found, checked: assets.len(), ..Judged::default() }.with_open(assets, &open))
}

/// The assets whose findings may differ between two snapshots, in path order.
fn affected<'a>(old: &Index, new: &'a Index, changes: &[Change]) -> Vec<Asset<'a>> {
    let mut affected: BTreeSet<AssetId> = BTreeSet::new();
    // Guids that lead elsewhere than before, and prefabs that have other content.
    let (mut moved, mut prefabs) = (HashSet::new(), HashSet::new());
    for change in changes {
        let (before, after) = (old.at_path(&change.path), new.at_path(&change.path));
        affected.extend(after.map(Asset::id));
        let guids = [before, after].map(|asset| asset.and_then(Asset::guid));
        let guids = guids.into_iter().flatten();
        if before.map(standing) == after.map(standing) && !shows_others(before, after) {
            prefabs.extend(guids);
        } else {
            moved.extend(guids);
        }
    }
    // Which fields a class has, its source and those of its bases tell.
    if changes.iter().any(|change| change.path.ends_with(".cs")) {
        let foreign = new.assets().filter(|asset| asset.has_foreign_overrides());
        affected.extend(foreign.map(Asset::id));
    }
    // A file has other objects when a prefab inside it has.
    let mut fresh = moved.clone();
    while !fresh.is_empty() {
        let around = instancing(new, &fresh).filter_map(|asset| prefab_guid(new, asset.id()));
        fresh = around.filter(|guid| !moved.contains(guid)).collect();
        moved.extend(fresh.iter().copied());
    }
    affected.extend(new.referring(&moved).map(Asset::id));
    affected.extend(moved.iter().flat_map(|guid| new.all_with_guid(*guid)).map(Asset::id));
    prefabs.extend(moved);
    prefabs.extend(affected.iter().filter_map(|id| prefab_guid(new, *id)));
    // What a prefab has inside shows in every file that uses it, and in those that use these.
    while !prefabs.is_empty() {
        let users = instancing(new, &prefabs).map(Asset::id);
        let fresh: Vec<AssetId> = users.filter(|id| affected.insert(*id)).collect();
        prefabs = fresh.into_iter().filter_map(|id| prefab_guid(new, id)).collect();
    }
    let assets = affected.into_iter().filter_map(|id| new.asset(id));
    assets.filter(|asset| is_judged(*asset, Scope::All)).collect()
}

/// The files with instances of one of these prefabs.
fn instancing<'a>(index: &'a Index, prefabs: &HashSet<Guid>) -> impl Iterator<Item = Asset<'a>> {
    index
        .referring(prefabs)
        .filter(|asset| asset.instances().any(|(_, prefab)| prefabs.contains(&prefab.guid)))
}

/// Whether an asset that changed may have other objects or classes for those that refer to it.
fn shows_others(before: Option<Asset<'_>>, after: Option<Asset<'_>>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return true };
    match after.kind() {
        // Nothing refers into a scene.
        AssetKind::Scene => false,
        // The meta names what the importer makes.
        AssetKind::Texture | AssetKind::Model => true,
        AssetKind::Script => after.lacks_class(),
        _ => {
            let shown = |asset: Asset<'_>| -> Vec<_> {
                asset.objects().map(|object| (object.file_id, object.class_id)).collect()
            };
            shown(before) != shown(after)
        }
    }
}

fn prefab_guid(index: &Index, id: AssetId) -> Option<Guid> {
    index.asset(id).filter(|asset| asset.kind() == AssetKind::Prefab)?.guid()
}

/// What files that refer to an asset see of it.
fn standing(asset: Asset<'_>) -> (Option<Guid>, Flags, AssetKind, bool) {
    (asset.guid(), asset.flags(), asset.kind(), asset.lacks_class())
}
