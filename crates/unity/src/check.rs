//! What is wrong with a Unity project, judged as the editor would: references after expansion,
//! scripts by the five grades of certainty, and the files themselves.

mod again;
mod assemblies;
mod changed;
mod fields;
mod files;
mod hierarchy;
mod kept;
mod overrides;
mod screen;
#[cfg(test)]
mod tests;

pub(crate) use changed::Checked;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use scenewright_text::{Room, Shared, counted};

use crate::FileId;
use crate::hierarchy::{Expander, weight};
use crate::index::{Asset, AssetKind, Flags, Index, Store};
use crate::judge::Judge;
use overrides::Overrides;
use screen::Screen;

/// A problem that a check found. There may be a hundred thousand, so their texts are shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was broken.
    pub kind: FindingKind,
    /// The file, from the project's root.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The object in the file, by its path.
    pub object: Option<Arc<str>>,
    /// The component's place on its object.
    pub component: Option<usize>,
    /// What was found.
    pub message: Arc<str>,
    /// The guid that leads nowhere.
    pub guid: Option<crate::Guid>,
    /// The path of the property, or the name of what else is wrong.
    pub field: Option<Arc<str>>,
    /// What is behind it, where that may be behind others too.
    pub cause: Option<Arc<str>>,
    /// The object of the file that states it; null where it is about the whole file.
    pub id: FileId,
    /// The object that is referred to or changed; null where it is about none.
    pub to: FileId,
}

impl Finding {
    fn new(kind: FindingKind) -> Finding {
        Finding {
            kind,
            file: Arc::default(),
            line: None,
            object: None,
            component: None,
            message: Arc::default(),
            guid: None,
            field: None,
            cause: None,
            id: FileId::NULL,
            to: FileId::NULL,
        }
    }
}

/// What a check looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A component or asset whose script is certainly gone.
    MissingScript,
    /// A component whose script is probably one of a package that is not here.
    UnknownScript,
    /// A component whose script is there, without a class of the file's name.
    ScriptWithoutClass,
    /// A component whose script has one class of another name, which old versions do not take.
    ScriptNameDiffers,
    /// A reference to an asset or object that is not there.
    BrokenReference,
    /// A reference to an object of a class that its field does not take.
    MismatchedReference,
    /// A prefab instance whose prefab is gone.
    MissingPrefab,
    /// A prefab instance whose prefab may be in a package that is not here.
    UnknownPrefab,
    /// An override of something that the prefab no longer has.
    StaleOverride,
    /// An override of a field that the class of its object does not have.
    UnknownOverride,
    /// Objects that contradict each other inside one file.
    BrokenHierarchy,
    /// A scene of the build settings that is not there.
    MissingBuildScene,
    /// The same for a scene that the build leaves out.
    MissingUnusedScene,
    /// Two assets with one guid.
    DuplicateGuid,
    /// A meta without its asset.
    MetaWithoutAsset,
    /// An asset without its meta.
    AssetWithoutMeta,
    /// Unresolved conflict markers.
    MergeConflict,
    /// A file that Git LFS has not fetched.
    LfsPointer,
    /// A binary asset in a project that forces text.
    BinaryAsset,
    /// Assemblies that refer to each other in a circle.
    AssemblyCycle,
    /// A file that could not be read.
    Unreadable,
}

/// Hears how far a check is, and may stop it.
pub trait Watcher {
    /// So many of so many files are done; false to stop.
    fn step(&self, done: usize, total: usize) -> bool;

    /// Asked inside of a file, from several threads: true to stop.
    fn stop(&self) -> Box<dyn Fn() -> bool + Sync + '_> {
        Box::new(|| false)
    }
}

/// What a check came to.
#[derive(Debug, Default)]
pub struct Report {
    /// What was found, by file.
    pub findings: Vec<Finding>,
    /// Files that were judged.
    pub checked: usize,
    /// Files there are to judge; more than were checked when it was stopped.
    pub total: usize,
    /// What could not be decided, and why.
    pub notes: Vec<String>,
    /// How many references each file has that may lead to something which is not here.
    open: BTreeMap<String, u32>,
}

/// Which files are expanded and judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everything.
    All,
    /// Scenes only.
    Scenes,
    /// Prefabs only.
    Prefabs,
    /// Assets that are neither.
    Assets,
}

/// Judge everything about a project. The store remembers what was found, so that the next check
/// looks only at what a change since then can have changed. `index` and `expander` are of the
/// store's present snapshot.
pub fn project(
    store: &Store,
    index: &Arc<Index>,
    expander: &Expander,
    build_scenes: &[crate::BuildScene],
    watcher: &dyn Watcher,
) -> Report {
    let mut report = changed::check(store, index, expander, watcher);
    report.findings.extend(files::check(index, build_scenes));
    report.notes.extend(notes(index, &report));
    report
}

/// Judge the references and scripts of the assets in `scope`.
pub fn references(
    index: &Index,
    expander: &Expander,
    scope: Scope,
    watcher: &dyn Watcher,
) -> Report {
    let assets: Vec<_> = index.assets().filter(|asset| is_judged(*asset, scope)).collect();
    let mut report = Report { total: assets.len(), ..Report::default() };
    let judged = judge(index, expander, &assets, watcher);
    report.checked = judged.checked;
    report.findings = judged.found.into_iter().flat_map(|(_, findings)| findings).collect();
    report.open = judged.open.into_iter().map(|(asset, count)| (asset.path(), count)).collect();
    report.notes.extend(notes(index, &report));
    report.findings.sort_by(|a, b| {
        (&a.file, &a.object, a.component, a.line).cmp(&(&b.file, &b.object, b.component, b.line))
    });
    report
}

/// What cannot be judged in this checkout, and how much that is.
fn notes(index: &Index, report: &Report) -> Vec<String> {
    let absent = index.absent_packages().count();
    let is_package = index.roots().iter().any(|root| root.path.is_empty());
    let absent = (absent > 0 && !is_package).then(|| {
        format!(
            "{} no files here, so {} are not judged",
            if absent == 1 {
                "1 package has".to_owned()
            } else {
                format!("{absent} packages have")
            },
            open(report, if absent == 1 { "into it" } else { "into them" })
        )
    });
    let alone = is_package.then(|| {
        let open = open(report, "out of it");
        format!("this is a package without a project around it; scripts of Unity's own packages are known by their guids, and {open} are not judged")
    });
    let unlisted = (!index.lists_packages() && !is_package).then(|| {
        let open = open(report, "into a package");
        format!("Packages/manifest.json is not here, so which packages the project has is not known; scripts of Unity's own packages are known by their guids, and {open} are not judged")
    });
    let left_out = index.left_out().first().map(|first| {
        let open = open(report, "there");
        match index.left_out().len() {
            1 => format!(".gitignore leaves out {first}, which is not here, so {open} are not judged"),
            count => format!(
                ".gitignore leaves out {first} and {} other places, which are not here, so {open} are not judged",
                count - 1
            ),
        }
    });
    let pointers = report.findings.iter().filter(|it| it.kind == FindingKind::LfsPointer).count();
    let pointers = (pointers > 0).then(|| {
        format!("{pointers} files are pointers that Git LFS has not fetched, so what is in them is not judged")
    });
    let cut = index.history_was_cut().then(|| {
        "Git took too long to tell what became of files that are gone, so that references to them may be called unknown; check again when the machine has time".to_owned()
    });
    [alone, absent, unlisted, left_out, pointers, cut].into_iter().flatten().collect()
}

/// How many references are left open, in words.
fn open(report: &Report, whereto: &str) -> String {
    let references: u64 = report.open.values().map(|count| u64::from(*count)).sum();
    match report.open.keys().next() {
        None => format!("references {whereto} (none is in doubt)"),
        Some(first) => format!(
            "{} in {} that may lead {whereto} ({first} is one of the files)",
            counted(usize::try_from(references).unwrap_or(usize::MAX), "reference"),
            counted(report.open.len(), "file")
        ),
    }
}

fn is_judged(asset: Asset<'_>, scope: Scope) -> bool {
    let folder = asset.folder();
    let is_own = folder == "Assets" || folder.starts_with("Assets/");
    // A package that is checked by itself is all there is.
    let is_own = is_own || asset.root().path.is_empty();
    is_own
        && match (asset.kind(), scope) {
            (AssetKind::Scene, Scope::All | Scope::Scenes) => true,
            (AssetKind::Prefab, Scope::All | Scope::Prefabs) => true,
            (AssetKind::Scene | AssetKind::Prefab, _) => false,
            (_, Scope::All | Scope::Assets) => asset.objects().len() > 0,
            _ => false,
        }
}

/// A binary file has no lines: they are those of the text that was made of it.
fn forget_lines(asset: Asset<'_>, findings: &mut [Finding]) {
    let path = asset.path();
    let own = findings.iter_mut().filter(|finding| *finding.file == *path);
    own.for_each(|finding| finding.line = None);
}

/// How many files are judged between two looks at the watcher.
const BATCH: usize = 64;
/// What files that are judged at the same time may weigh together.
const TOGETHER: usize = 64 << 20;

/// What became of some assets.
#[derive(Default)]
struct Judged<'a> {
    /// What was found in each that has something, in their order.
    found: Vec<(Asset<'a>, Vec<Finding>)>,
    /// How many references are left open, of each that has some.
    open: Vec<(Asset<'a>, u32)>,
    /// How many were judged; less than all when the watcher stopped it.
    checked: usize,
}

impl<'a> Judged<'a> {
    fn with_open(mut self, assets: &[Asset<'a>], counts: &[u32]) -> Self {
        let counted = assets.iter().copied().zip(counts.iter().copied());
        self.open.extend(counted.filter(|(_, count)| *count > 0));
        self
    }
}

/// The order of what is found in one file.
fn by_place(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        (a.line, &a.object, a.component, &a.field).cmp(&(b.line, &b.object, b.component, &b.field))
    });
}

/// What is found in one file names the same objects and causes again and again.
fn share_texts(findings: &mut Vec<Finding>) {
    let mut texts = Shared::default();
    for finding in findings.iter_mut() {
        let Finding { file, message, object, field, cause, .. } = finding;
        let rest = [object, field, cause].into_iter().flatten();
        [file, message].into_iter().chain(rest).for_each(|text| *text = texts.share(text));
    }
    findings.shrink_to_fit();
}

/// Judges some assets.
fn judge<'a>(
    index: &'a Index,
    expander: &Expander,
    assets: &[Asset<'a>],
    watcher: &dyn Watcher,
) -> Judged<'a> {
    let mut judged = Judged::default();
    if !watcher.step(0, assets.len()) {
        return judged;
    }
    let Judged { found, checked, .. } = &mut judged;
    // Nearly every asset is in order, and the index knows it without opening the file again.
    let judge = Judge::new(index);
    let (screen, overrides) = (Screen::new(&judge), Overrides::new(&judge));
    let rest: Vec<_> = assets
        .par_iter()
        .map(|asset| (*asset, screen.clears(*asset)))
        .filter(|(asset, is_clear)| !is_clear || asset.has_foreign_overrides())
        .collect();
    *checked = assets.len() - rest.len();
    let (stop, room) = (watcher.stop(), Room::new(TOGETHER));
    for batch in rest.chunks(BATCH) {
        if !watcher.step(*checked, assets.len()) {
            break;
        }
        found.par_extend(batch.par_iter().filter_map(|(asset, is_clear)| {
            let mut findings = Vec::new();
            let _place = room.enter(weight(asset.size(), asset.objects().len()));
            let mut expanded = None;
            match asset.kind() {
                _ if *is_clear => {}
                AssetKind::Scene | AssetKind::Prefab => {
                    let doubts = screen.doubts(*asset);
                    expanded =
                        hierarchy::check(&judge, expander, *asset, doubts, &*stop, &mut findings);
                }
                _ => files::check_asset(&judge, *asset, &mut findings),
            }
            if asset.has_foreign_overrides() {
                overrides.check(expander, *asset, expanded, &mut findings);
            }
            if asset.flags().contains(Flags::BINARY) {
                forget_lines(*asset, &mut findings);
            }
            by_place(&mut findings);
            share_texts(&mut findings);
            (!findings.is_empty()).then_some((*asset, findings))
        }));
        // A file that was left halfway is not judged.
        if stop() {
            break;
        }
        *checked += batch.len();
    }
    let open = screen.open(assets);
    judged.with_open(assets, &open)
}
