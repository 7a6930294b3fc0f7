//! The rules for Unity projects, and their findings.

use std::sync::Arc;

use scenewright_contract::ToolError;
use scenewright_contract::finding::Finding;
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
    let scenes = project.settings.scenes_in_build().map_err(unreadable)?;
    let report = unity::project(store, &index, &expander, &scenes, &Watched(steps));
    if report.checked < report.total {
        return Err(ToolError::cancelled());
    }
    steps.go_on(report.total, report.total);
    let mut findings: Vec<Finding> = report.findings.into_iter().map(finding).collect();
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Ok(Report { findings, notes: report.notes, ..Report::default() })
}

/// A finding as every engine has them.
pub fn finding(found: unity::Finding) -> Finding {
    let subject = subject(&found);
    let mut finding = Finding::new(rule_of(found.kind), found.file, found.message);
    finding.line = found.line;
    finding.object = found.object;
    finding.cause = found.cause;
    finding.id = (!found.id.is_null()).then_some(found.id.0);
    finding.subject = subject;
    finding
}

/// What is missing or wrong, by ids, which outlast names and words.
fn subject(found: &unity::Finding) -> Option<Arc<str>> {
    let to = (!found.to.is_null()).then_some(found.to);
    match (found.guid, to, &found.field) {
        (Some(guid), Some(to), _) => Some(format!("{guid}:{to}").into()),
        (Some(guid), None, _) => Some(guid.to_string().into()),
        // Which field of which part is changed.
        (None, Some(to), Some(field)) if found.kind == FindingKind::UnknownOverride => {
            Some(format!("{to}.{field}").into())
        }
        (None, Some(to), _) => Some(to.to_string().into()),
        (None, None, field) => field.clone(),
    }
}

scenewright_contract::rules! { FindingKind:
    MissingScript => "missing-script", Error, "A script is gone",
        "Restore the script with its meta, or remove the component.",
        "Unity shows the component as (Missing Script) and runs nothing of it. It is told when the script's meta is there and the script is not, when the reference is null, or when no file has the guid and no package that is missing here can have it.";
    UnknownScript => "unknown-script", Warning, "A script may be in a package that is not here",
        "Open the project once in Unity so that Library/PackageCache is there, and check again.",
        "No file has the guid, and packages that the project names are not on this machine. Whether the script is one of theirs cannot be known from here. One finding stands for all places of a script, with the objects that have it and the fields that were saved for it.", Cause;
    ScriptWithoutClass => "script-without-class", Warning, "A script has no class of its file's name",
        "Name the class like the file; Unity finds the class of a component by that.",
        "The script is there, and none of its classes can be the component's: Unity looks for a class of the file's name, since Unity 6 for the only component class of the file.";
    ScriptNameDiffers => "script-name-differs", Warning, "A script's class has another name than its file",
        "Name the file like the class; only Unity 6 and later take the only class of a file, whatever its name.",
        "The file has one component class, and that has another name. Unity 6 binds it all the same, older versions show a missing script.";
    BrokenReference => "broken-reference", Error, "A reference leads nowhere",
        "Assign the field again, or restore the asset with its meta.",
        "The field refers to a file that is gone, or to an object that the file does not have; in the editor it reads Missing or None. Ids are judged after prefabs are expanded; sprites and old models by the tables of their metas. What the files here cannot tell is not reported.";
    MismatchedReference => "mismatched-reference", Error, "A reference leads to an object of another class than its field takes",
        "Assign the field again; usually the file was edited or merged by hand.",
        "Unity takes such a reference for none. It is told for the fields of Unity's own components and assets, whose classes are known for every version, and where the class of the object is certain; fields of scripts are not judged.";
    MissingPrefab => "missing-prefab", Error, "A prefab instance has lost its prefab",
        "Restore the prefab with its meta, or delete the instance.",
        "The editor shows the instance in red, without its objects; the overrides are kept in the file.";
    UnknownPrefab => "unknown-prefab", Warning, "A prefab may be in a package that is not here",
        "Open the project once in Unity so that Library/PackageCache is there, and check again.",
        "No file has the guid of the prefab, and packages that the project names are not on this machine. One finding stands for all instances of a prefab.", Cause;
    StaleOverride => "stale-override", Info, "An override of something the prefab no longer has",
        "Harmless; Unity keeps it silently. Revert unused overrides to be rid of it.",
        "The file changes or removes an object that its prefab no longer has. Unity ignores that.";
    UnknownOverride => "unknown-override", Warning, "An override of a field that the class does not have",
        "Give the field a FormerlySerializedAs with its old name, or revert the override.",
        "The value has no effect. Usually the field was renamed or removed after the override was made, or the file was edited by hand. It is told where the name is nowhere in the script's source nor in those it derives from, and for Unity's own components where no class of any version has it; classes whose sources are not all here, and partial ones, are not judged.";
    BrokenHierarchy => "broken-hierarchy", Error, "Objects of a file contradict each other",
        "Usually a bad merge: take one side of the file whole and repeat the other change.",
        "Parents, children and components of the file do not agree, or something hangs on an object that its prefab no longer has. Unity drops or moves such objects when it loads the file.";
    MissingBuildScene => "missing-build-scene", Error, "A scene of the build settings is not there",
        "Remove it from the build settings, or restore the scene.",
        "A build fails, or leaves the scene out.";
    MissingUnusedScene => "missing-unused-scene", Info, "A disabled scene of the build settings is not there",
        "Remove it from the build settings, or restore the scene.",
        "The build leaves the scene out, so nothing depends on it.";
    DuplicateGuid => "duplicate-guid", Error, "Two assets have one guid",
        "Delete the meta of the copy and let Unity write a new one.",
        "Unity keeps the guid for one of the two and gives the other a new one, so references to it are lost on this machine.";
    MetaWithoutAsset => "meta-without-asset", Warning, "A meta without its asset",
        "Delete the meta, or add the asset that was forgotten in the commit.",
        "Unity deletes such a meta when it opens the project. Metas of folders are left alone: Git keeps no empty folders.";
    AssetWithoutMeta => "asset-without-meta", Warning, "An asset without its meta",
        "Open the project in Unity and commit the meta, or every machine makes its own guid.",
        "Each machine that opens the project makes a guid of its own, so references to the asset differ between them.";
    MergeConflict => "merge-conflict", Error, "Unresolved conflict markers",
        "Resolve the conflict; Unity cannot read the file.",
        "The file holds the marks of an unfinished merge.";
    LfsPointer => "lfs-pointer", Warning, "Git LFS has not fetched a file",
        "Run `git lfs pull`.",
        "The content is not here, so nothing in it was judged. Its size is taken from the pointer.", Copy;
    BinaryAsset => "binary-asset", Info, "A binary asset in a project that forces text",
        "Unity keeps some data binary; reserialize others with `Force Text`.",
        "The project asks for text, and this file is not. Lighting data, terrains and nav meshes are always binary.";
    AssemblyCycle => "assembly-cycle", Error, "Assemblies need each other",
        "Move what both need into an assembly of its own; Unity compiles nothing while there is a circle.",
        "Unity refuses to compile assemblies that refer to each other in a circle.";
    Unreadable => "unreadable", Error, "A file cannot be read",
        "Check its permissions and its size.",
        "The system refuses the file, a link leads out of the project, or the file is larger than is read.";
}
