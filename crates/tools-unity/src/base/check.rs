//! The rules for Unity projects, and their findings.

use scenewright_contract::ToolError;
use scenewright_contract::finding::Severity::{Error, Info, Warning};
use scenewright_contract::finding::{Finding, Rule};
use scenewright_toolkit::workspace::{Report, Steps, unreadable};
use scenewright_unity::check::{self as unity, FindingKind};

use super::UnityProject;

struct Watched<'a>(&'a Steps<'a>);

impl unity::Watcher for Watched<'_> {
    fn step(&self, done: usize, total: usize) -> bool {
        self.0.go_on(done, total)
    }

    fn stop(&self) -> Box<dyn Fn() -> bool + Sync + '_> {
        let cancel = self.0.cancel;
        Box::new(|| cancel.is_cancelled())
    }
}

pub(super) fn run(project: &UnityProject, steps: &Steps<'_>) -> Result<Report, ToolError> {
    let (index, expander) = project.view();
    let store = project.open_store().expect("a view is of an open store");
    let facts = project.settings.facts().map_err(unreadable)?;
    let report = unity::project(store, &index, &expander, &facts.scenes_in_build, &Watched(steps));
    if report.checked < report.total {
        return Err(ToolError::cancelled());
    }
    let mut findings: Vec<Finding> = report.findings.into_iter().map(finding).collect();
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Ok(Report { findings, notes: report.notes })
}

fn finding(found: unity::Finding) -> Finding {
    let mut finding = Finding::new(rule_of(found.kind), found.file, found.message);
    finding.line = found.line;
    finding.object = found.object;
    finding
}

/// The rule of a kind of finding.
#[rustfmt::skip]
fn rule_of(kind: FindingKind) -> &'static Rule {
    match kind {
        FindingKind::MissingScript => const { &Rule::new("missing-script", Error, "A script is gone", "Restore the script with its meta, or remove the component.") },
        FindingKind::UnknownScript => const { &Rule::new("unknown-script", Warning, "A script may be in a package that is not here", "Open the project once in Unity so that Library/PackageCache is there, and check again.") },
        FindingKind::ScriptWithoutClass => const { &Rule::new("script-without-class", Warning, "A script has no class of its file's name", "Name the class like the file; Unity finds the class of a component by that.") },
        FindingKind::ScriptNameDiffers => const { &Rule::new("script-name-differs", Warning, "A script's class has another name than its file", "Name the file like the class; only Unity 6 and later take the only class of a file, whatever its name.") },
        FindingKind::BrokenReference => const { &Rule::new("broken-reference", Error, "A reference leads nowhere", "Assign the field again, or restore the asset with its meta.") },
        FindingKind::MissingPrefab => const { &Rule::new("missing-prefab", Error, "A prefab instance has lost its prefab", "Restore the prefab with its meta, or delete the instance.") },
        FindingKind::UnknownPrefab => const { &Rule::new("unknown-prefab", Warning, "A prefab may be in a package that is not here", "Open the project once in Unity so that Library/PackageCache is there, and check again.") },
        FindingKind::StaleOverride => const { &Rule::new("stale-override", Info, "An override of something the prefab no longer has", "Harmless; Unity keeps it silently. Revert unused overrides to be rid of it.") },
        FindingKind::BrokenHierarchy => const { &Rule::new("broken-hierarchy", Error, "Objects of a file contradict each other", "Usually a bad merge: take one side of the file whole and repeat the other change.") },
        FindingKind::MissingBuildScene => const { &Rule::new("missing-build-scene", Error, "A scene of the build settings is not there", "Remove it from the build settings, or restore the scene.") },
        FindingKind::DuplicateGuid => const { &Rule::new("duplicate-guid", Error, "Two assets have one guid", "Delete the meta of the copy and let Unity write a new one.") },
        FindingKind::MetaWithoutAsset => const { &Rule::new("meta-without-asset", Warning, "A meta without its asset", "Delete the meta, or add the asset that was forgotten in the commit.") },
        FindingKind::AssetWithoutMeta => const { &Rule::new("asset-without-meta", Warning, "An asset without its meta", "Open the project in Unity and commit the meta, or every machine makes its own guid.") },
        FindingKind::MergeConflict => const { &Rule::new("merge-conflict", Error, "Unresolved conflict markers", "Resolve the conflict; Unity cannot read the file.") },
        FindingKind::LfsPointer => const { &Rule::new("lfs-pointer", Warning, "Git LFS has not fetched a file", "Run `git lfs pull`.") },
        FindingKind::BinaryAsset => const { &Rule::new("binary-asset", Info, "A binary asset in a project that forces text", "Unity keeps some data binary; reserialize others with `Force Text`.") },
        FindingKind::AssemblyCycle => const { &Rule::new("assembly-cycle", Error, "Assemblies need each other", "Move what both need into an assembly of its own; Unity compiles nothing while there is a circle.") },
        FindingKind::Unreadable => const { &Rule::new("unreadable", Error, "A file cannot be read", "Check its permissions and its size.") },
    }
}
