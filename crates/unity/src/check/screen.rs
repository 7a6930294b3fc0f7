//! Which files certainly have nothing to find, told from the index alone.
//!
//! A scene or prefab is cleared when it and all prefabs inside it agree with themselves (the reader
//! told that), refer to nothing that is gone, have all their scripts, and mention only such objects
//! of their prefabs as these have. Whatever is unusual is not cleared, and the expansion decides.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use crate::hierarchy::{MAX_NESTING, MAX_OBJECTS};
use crate::index::{self, Asset, AssetId, AssetKind, Flags, GuidStatus, Targets};
use crate::judge::{Judge, Lead, Presence, ScriptGrade};
use crate::{ClassId, DocumentKind, FileId, Guid};

/// How many steps are taken for one file before the expansion is asked instead.
const MAX_STEPS: usize = 100_000;

/// What was learned about the files of one snapshot, for several threads.
pub(super) struct Screen<'a> {
    judge: &'a Judge<'a>,
    targets: Targets<'a, Target>,
    /// By asset: whether it is in order by itself.
    known: Vec<AtomicU8>,
}

const UNKNOWN: u8 = 0;
const GOOD: u8 = 1;
const BAD: u8 = 2;

impl<'a> Screen<'a> {
    pub(super) fn new(judge: &'a Judge<'a>) -> Self {
        let index = judge.index();
        let known = (0..index.len()).map(|_| AtomicU8::new(UNKNOWN)).collect();
        let targets = Targets::new(index, |guid| Target::new(judge, guid));
        Self { judge, targets, known }
    }

    /// True when nothing can be found in the asset.
    pub(super) fn clears(&self, asset: Asset<'a>) -> bool {
        match asset.kind() {
            AssetKind::Scene | AssetKind::Prefab => {
                self.is_single(asset) && Walk::new(self, false).clear(asset, 0).is_some()
            }
            _ => self.is_good(asset),
        }
    }

    /// What has to be looked at in a scene or prefab that is not cleared.
    pub(super) fn doubts(&self, asset: Asset<'a>) -> Doubts {
        if !self.is_single(asset) || Walk::new(self, true).clear(asset, 0).is_none() {
            return Doubts::All;
        }
        if asset.is_amiss() || asset.flags().contains(Flags::BINARY) {
            return Doubts::Fields;
        }
        let outgoing = asset.outgoing().zip(self.targets.outgoing(asset));
        let lost = outgoing.filter(|(_, (to, id))| !self.judge.may_be_there(to.leads, *id));
        let behaviours = asset
            .objects()
            .filter(|object| object.class_id == ClassId::MONO_BEHAVIOUR && !object.stripped);
        let scripts = behaviours.zip(self.targets.scripts(asset)).filter(|(object, known)| {
            let is_named = object.script.is_some_and(|script| !script.guid.is_zero());
            !is_named || known.is_none_or(|known| known.grade != ScriptGrade::Present)
        });
        Doubts::Some {
            targets: lost.map(|(outgoing, _)| outgoing.target).collect(),
            scripts: scripts.map(|(object, _)| object.file_id).collect(),
        }
    }

    /// How many references of each asset may lead to something that is not here; none at all when
    /// everything is.
    pub(super) fn open(&self, assets: &[Asset<'a>]) -> Vec<u32> {
        let index = self.judge.index();
        if index.is_whole() {
            return Vec::new();
        }
        let counted = assets.par_iter().map(|asset| {
            let outgoing = asset.outgoing().zip(self.targets.outgoing(*asset));
            let open = outgoing.filter(|(_, (target, _))| target.is_open);
            open.map(|(outgoing, _)| outgoing.count).sum()
        });
        counted.collect()
    }

    /// Of assets that share a guid only the first is expanded, so that the others are not known.
    fn is_single(&self, asset: Asset<'a>) -> bool {
        !asset.flags().contains(Flags::DUPLICATE_GUID)
    }

    /// True when the asset is in order by itself.
    fn is_good(&self, asset: Asset<'a>) -> bool {
        let AssetId(number) = asset.id();
        let known = &self.known[number as usize];
        match known.load(Ordering::Relaxed) {
            UNKNOWN => {
                let is_good = self.judge(asset);
                known.store(if is_good { GOOD } else { BAD }, Ordering::Relaxed);
                is_good
            }
            state => state == GOOD,
        }
    }

    fn judge(&self, asset: Asset<'a>) -> bool {
        let is_hierarchy = matches!(asset.kind(), AssetKind::Scene | AssetKind::Prefab);
        if is_hierarchy && !is_plain(asset) {
            return false;
        }
        if asset.dangles() || asset.is_amiss() || !self.leads_somewhere(asset) {
            return false;
        }
        self.targets.scripts(asset).all(|script| match script {
            Some(script) => script.grade == ScriptGrade::Present,
            // Assets of their own may have lost theirs; see `files::check_asset`.
            None => !is_hierarchy,
        })
    }

    /// Whether all that the asset refers to may be there. What it mentions of its own prefabs is
    /// left to the walk, which follows them anyway.
    fn leads_somewhere(&self, asset: Asset<'a>) -> bool {
        let sources: HashSet<Guid> = asset.instances().map(|(_, prefab)| prefab.guid).collect();
        self.targets.outgoing(asset).all(|(target, id)| match target.leads {
            Lead::Nowhere => false,
            Lead::Somewhere => true,
            Lead::To(found) => self.judge.index().asset(found).is_none_or(|found| {
                found.guid().is_some_and(|guid| sources.contains(&guid))
                    || self.judge.presence(found, id, &mut MAX_STEPS.clone()) != Presence::Absent
            }),
        })
    }
}

/// What of a scene or prefab has to be looked at.
pub(super) enum Doubts {
    /// All of it.
    All,
    /// Scripts and fields. Its objects and prefabs hang together, so that what it refers to inside of
    /// the file is there.
    Fields,
    /// Of those only what refers to one of these targets, and the scripts of these components.
    Some { targets: HashSet<index::Target>, scripts: Vec<FileId> },
}

/// Whether the objects of a scene or prefab agree, and it takes none away from its prefabs.
fn is_plain(asset: Asset<'_>) -> bool {
    asset.is_sound() && !asset.removes_objects()
}

/// What a guid that is referred to leads to.
#[derive(Clone, Copy)]
struct Target {
    leads: Lead,
    /// As a script.
    grade: ScriptGrade,
    /// Whether only what is not here could tell.
    is_open: bool,
}

impl Target {
    fn new(judge: &Judge<'_>, guid: Guid) -> Target {
        let (leads, grade) = (judge.lead(guid), judge.grade(guid));
        let status = judge.index().guid_status(guid);
        let is_open = matches!(status, GuidStatus::Undecided { .. });
        Target { leads, grade, is_open: is_open && matches!(leads, Lead::Somewhere) }
    }
}

/// How large a file is with all inside it.
#[derive(Clone, Copy, Default)]
struct Extent {
    objects: u64,
    is_open: bool,
    /// How many files are nested in it.
    height: usize,
}

/// One look into a file and the prefabs inside it.
struct Walk<'a> {
    screen: &'a Screen<'a>,
    steps: usize,
    /// Whether scripts and fields may be wrong.
    only_structure: bool,
    /// Prefabs that were found inside: a scene has the same few many times, and those each other.
    inner: HashMap<AssetId, Extent>,
}

impl<'a> Walk<'a> {
    fn new(screen: &'a Screen<'a>, only_structure: bool) -> Walk<'a> {
        Walk { screen, steps: MAX_STEPS, only_structure, inner: HashMap::new() }
    }

    /// The same as [`clear`](Self::clear) for a prefab inside, once for each.
    fn clear_inner(&mut self, prefab: Asset<'a>, depth: usize) -> Option<Extent> {
        if let Some(known) = self.inner.get(&prefab.id()) {
            return (depth + known.height < MAX_NESTING).then_some(*known);
        }
        let extent = self.clear(prefab, depth)?;
        self.inner.insert(prefab.id(), extent);
        Some(extent)
    }

    /// How large the file is; nothing when it cannot be cleared. An inner file may mention objects
    /// that are gone, which is its own affair, as long as none of its own stands for one. This
    /// recurses as deep as prefabs nest, which is bounded.
    fn clear(&mut self, asset: Asset<'a>, depth: usize) -> Option<Extent> {
        self.step(1)?;
        let is_inner = depth > 0;
        // What is wrong inside of a prefab is told with that; here its objects only have to be there.
        let is_usual = match is_inner {
            true => !asset.has_free_ids() && is_plain(asset),
            false if self.only_structure => is_plain(asset),
            false => self.screen.is_good(asset),
        };
        (depth < MAX_NESTING && is_usual).then_some(())?;
        let mut extent = Extent::default();
        let mut prefabs: Vec<(Guid, u64)> = Vec::new();
        for object in asset.objects() {
            extent.objects +=
                u64::from(object.class_id == ClassId::GAME_OBJECT && !object.stripped);
            prefabs.extend(object.prefab.map(|prefab| (prefab.guid, 1)));
        }
        prefabs.sort_unstable();
        prefabs.dedup_by(|second, first| {
            let is_same = second.0 == first.0;
            first.1 += if is_same { second.1 } else { 0 };
            is_same
        });
        for (guid, count) in &prefabs {
            let inner = match self.source(*guid)? {
                Source::Model => Extent { objects: 1, is_open: true, height: 0 },
                Source::Prefab(prefab) => {
                    let inner = self.clear_inner(prefab, depth + 1)?;
                    extent.height = extent.height.max(inner.height + 1);
                    inner
                }
            };
            extent.objects = extent.objects.saturating_add(inner.objects.saturating_mul(*count));
            extent.is_open |= inner.is_open;
            if !inner.is_open && !is_inner {
                self.check_targets(asset, *guid)?;
            }
        }
        if is_inner && !extent.is_open {
            self.check_stand_ins(asset)?;
        }
        (extent.objects <= MAX_OBJECTS as u64).then_some(extent)
    }

    /// All that the asset mentions of a prefab must be in it.
    fn check_targets(&mut self, asset: Asset<'a>, guid: Guid) -> Option<()> {
        let Source::Prefab(prefab) = self.source(guid)? else { return Some(()) };
        for out in asset.outgoing_to(guid) {
            let id = out.target.file_id;
            self.has(prefab, id)?.then_some(())?;
        }
        Some(())
    }

    /// All that stripped objects stand for must be there.
    fn check_stand_ins(&mut self, asset: Asset<'a>) -> Option<()> {
        for target in asset.objects().filter_map(|object| object.stands_for) {
            let Source::Prefab(prefab) = self.source(target.guid)? else { continue };
            self.has(prefab, target.file_id)?.then_some(())?;
        }
        Some(())
    }

    /// Whether a prefab or one inside it has an object of this id.
    fn has(&mut self, prefab: Asset<'a>, id: FileId) -> Option<bool> {
        match self.screen.judge.presence(prefab, id, &mut self.steps) {
            Presence::There => Some(true),
            Presence::Absent => Some(false),
            Presence::Unknown => None,
        }
    }

    /// The file of an instance; nothing when the expansion must look what that means.
    fn source(&self, guid: Guid) -> Option<Source<'a>> {
        let asset = self.screen.judge.index().by_guid(guid)?;
        let flags = asset.flags();
        if flags.contains(Flags::ASSET_MISSING) {
            return None;
        }
        if asset.kind() == AssetKind::Model {
            return Some(Source::Model);
        }
        let is_text = asset.content() == Some(DocumentKind::UnityYaml) && flags.is_empty();
        let is_prefab = asset.kind() == AssetKind::Prefab && is_text;
        is_prefab.then_some(Source::Prefab(asset))
    }

    fn step(&mut self, count: usize) -> Option<()> {
        self.steps = self.steps.checked_sub(count)?;
        Some(())
    }
}

enum Source<'a> {
    /// Its objects are not known, so that none is called missing.
    Model,
    Prefab(Asset<'a>),
}
