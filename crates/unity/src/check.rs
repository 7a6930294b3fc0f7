//! What is wrong with a Unity project, judged as the editor would: references after expansion,
//! scripts by the five grades of certainty, and the files themselves.

mod files;
mod hierarchy;
mod rules;

pub use rules::{GradedScript, ScriptGrade, grade};

use crate::hierarchy::Expander;
use crate::index::{AssetKind, Index};

/// A problem that a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was broken.
    pub kind: FindingKind,
    /// The file, from the project's root.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The object in the file, by its path.
    pub object: Option<String>,
    /// The component's place on its object.
    pub component: Option<usize>,
    /// What was found.
    pub message: String,
    /// The guid that leads nowhere.
    pub guid: Option<crate::Guid>,
}

/// What a check looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A component or asset whose script is certainly gone.
    MissingScript,
    /// A component whose script is probably one of a package that is not here.
    UnknownScript,
    /// A reference to an asset or object that is not there.
    BrokenReference,
    /// A prefab instance whose prefab is gone.
    MissingPrefab,
    /// An override of something that the prefab no longer has.
    StaleOverride,
    /// Objects that contradict each other inside one file.
    BrokenHierarchy,
    /// A scene of the build settings that is not there.
    MissingBuildScene,
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
    /// A file that could not be read.
    Unreadable,
}

/// Hears how far a check is, and may stop it.
pub trait Watcher {
    /// So many of so many files are done; false to stop.
    fn step(&self, done: usize, total: usize) -> bool;
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

/// Judge the references and scripts of the assets in `scope`.
pub fn references(
    index: &Index,
    expander: &Expander,
    scope: Scope,
    watcher: &dyn Watcher,
) -> Report {
    let assets: Vec<_> = index
        .assets()
        .filter(|asset| asset.path().starts_with("Assets/"))
        .filter(|asset| match (asset.kind(), scope) {
            (AssetKind::Scene, Scope::All | Scope::Scenes) => true,
            (AssetKind::Prefab, Scope::All | Scope::Prefabs) => true,
            (AssetKind::Scene | AssetKind::Prefab, _) => false,
            (_, Scope::All | Scope::Assets) => asset.objects().len() > 0,
            _ => false,
        })
        .collect();
    let mut report = Report { total: assets.len(), ..Report::default() };
    for asset in assets {
        if !watcher.step(report.checked, report.total) {
            break;
        }
        if matches!(asset.kind(), AssetKind::Scene | AssetKind::Prefab) {
            hierarchy::check(index, expander, asset, &mut report.findings);
        } else {
            files::check_asset(index, asset, &mut report.findings);
        }
        report.checked += 1;
    }
    let absent = index.absent_packages().count();
    if absent > 0 {
        report.notes.push(format!(
            "{absent} packages have no files here, so references into them are not judged"
        ));
    }
    report.findings.sort_by(|a, b| {
        (&a.file, &a.object, a.component, a.line).cmp(&(&b.file, &b.object, b.component, b.line))
    });
    report
}

/// Judge the files themselves: metas, guids, conflicts, build scenes.
pub fn files(index: &Index, build_scenes: &[crate::BuildScene]) -> Vec<Finding> {
    files::check(index, build_scenes)
}
