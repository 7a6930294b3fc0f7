//! The rules for Godot projects.

use std::sync::PoisonError;

use scenewright_contract::ToolError;
use scenewright_contract::finding::Finding;
use scenewright_godot::check::{self as godot, FindingKind};
use scenewright_toolkit::workspace::{Report, Steps, unreadable};

use super::GodotProject;

pub(super) fn run(project: &GodotProject, steps: &Steps<'_>) -> Result<Report, ToolError> {
    let facts = project.settings.facts().map_err(unreadable)?;
    let mut kept = project.checked.lock().unwrap_or_else(PoisonError::into_inner);
    let report = godot::check(&project.index(), &facts, &mut kept, &Watched(steps));
    drop(kept);
    if report.checked < report.total {
        return Err(ToolError::cancelled());
    }
    steps.go_on(report.total, report.total);
    let mut findings: Vec<Finding> = report.findings.into_iter().map(finding).collect();
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Ok(Report { findings, notes: report.notes, ..Report::default() })
}

struct Watched<'a>(&'a Steps<'a>);

impl godot::Watcher for Watched<'_> {
    fn step(&self, done: usize, total: usize) -> bool {
        self.0.go_on(done, total)
    }
}

fn finding(found: godot::Finding) -> Finding {
    let mut finding = Finding::new(rule_of(found.kind), found.file, found.message);
    finding.line = found.line;
    finding.object = found.object.map(Into::into);
    finding.subject = found.subject.map(Into::into);
    finding
}

scenewright_contract::rules! { FindingKind:
    MissingResource => "godot-missing-resource", Error, "A resource is not there",
        "Restore the file, or assign the property again in the editor; Godot leaves out what needs it.",
        "A scene or resource names a file that is not there, by path and by uid. Godot reports an error and leaves out what needs it; a scene with a missing script or sub-scene may not load at all.";
    LeftOut => "godot-left-out", Info, "A file that is not here and that .gitignore leaves out",
        "Nothing, if whoever works on the project has the file; otherwise commit it or remove what needs it.",
        "The file is named and not here, and the rules of .gitignore leave it out: a build may make it, or each machine has its own. Whether it is missing cannot be known here.";
    Around => "godot-outside-addon", Info, "A file that the project around an addon may have",
        "Nothing, if the addon says that projects need the file; otherwise put it into the addon.",
        "The addon is checked without a project, and the file is not in its own folder. Whether projects have it cannot be known here.";
    StalePath => "godot-stale-path", Warning, "A path is out of date, its uid still leads there",
        "Save the file again in Godot 4, which writes the new path; without its uid cache Godot loses the resource.",
        "The file was moved, and its uid still leads to it. Godot 4 follows the uid as long as its cache is there; a fresh clone may not have it.";
    UnknownUid => "godot-unknown-uid", Info, "A uid that no file has",
        "Harmless: the path serves. Saving the file again in Godot writes the current uid.",
        "No file has the uid. Godot falls back to the path and warns.";
    UndeclaredResource => "godot-undeclared-resource", Error, "A value names a resource that the file does not declare",
        "Declare it above its use or remove the value; Godot cannot load the file. Usually a bad merge.",
        "The file uses an id that no ext_resource or sub_resource of it declares.";
    UnusedResource => "godot-unused-resource", Warning, "A resource is declared and never used",
        "Remove the declaration, or save the file again in Godot; it is loaded for nothing.",
        "Godot loads every declared resource with the file, used or not.";
    BrokenNodePath => "godot-broken-node-path", Warning, "A path of a node leads nowhere",
        "Choose the node again, or restore the one that was renamed or removed.",
        "The property reads null in the game. Paths into models and other scenes that cannot be read here are not judged.";
    BrokenConnection => "godot-broken-connection", Error, "A connection of a node that is not there",
        "Remove the connection, or connect the node that replaced it.",
        "Godot reports an error when the scene is made and connects nothing.";
    MissingMethod => "godot-missing-method", Error, "A signal calls a method that is not there",
        "Write the method, or correct its name in the connection; the signal calls nothing and Godot reports an error.",
        "Neither the script nor the class of the receiver, nor one of their bases, has the method. Where a base cannot be read here nothing is said.";
    UnknownSignal => "godot-unknown-signal", Error, "A connection of a signal that is not there",
        "Declare the signal, or correct its name in the connection.",
        "Neither the script nor the class of the sender, nor one of their bases, has the signal.";
    MissingStartFile => "godot-missing-start-file", Error, "What the project starts with is not there",
        "Correct the project settings, or restore the file.",
        "The main scene, an autoload, the icon or another file that the settings name. The game does not start without the first two.";
    MissingPreload => "godot-missing-preload", Error, "Code needs a file that is not there",
        "Correct the path or restore the file; the code does not compile without it.",
        "The path is written out in the code, so the parser needs the file.";
    MissingLoad => "godot-missing-load", Warning, "Code loads a file that is not there",
        "Correct the path, restore the file, or check with ResourceLoader.exists first.",
        "The path is written out in the code; at run time the load fails, unless something makes the file before.";
    UnknownBase => "godot-unknown-base", Error, "A script extends a class that is not there",
        "Correct the name, or restore the script that declares it.",
        "The script does not compile.";
    OrphanImport => "godot-orphan-import", Warning, "An .import without its source",
        "Delete the .import, or add the source that was forgotten in the commit.",
        "Godot ignores it.";
    OrphanUid => "godot-orphan-uid", Warning, "A .uid without its file",
        "Delete the .uid, or move it to where its file went.",
        "Godot ignores it; the file it belonged to has another uid now.";
    UnknownClass => "godot-unknown-class", Error, "A type that Godot does not have",
        "Correct the type; Godot makes a placeholder of the node and loses its properties.",
        "The class is in no version of Godot that is known here, in no script and in no extension of the project.";
    OtherVersionClass => "godot-other-version-class", Warning, "A type of another version of Godot",
        "Use the type of the project's version, or open the project with the version that has it.",
        "The class is known, and not in the version that the project is made for.";
    ExtensionClass => "godot-extension-class", Info, "A type that an extension may add",
        "Nothing, if one of the project's extensions has it; otherwise correct the type.",
        "The project has extensions, whose classes only a running Godot knows.";
    UnknownProperty => "godot-unknown-property", Warning, "A property that neither class nor script has",
        "Correct or remove it; Godot drops it silently when the file is loaded.",
        "The property is in no version of the class, and not in the script. Values of tool scripts that make properties as they run cannot be known here.";
    OtherVersionProperty => "godot-other-version-property", Info, "A property of another version of Godot",
        "Save the file again in the project's version.",
        "The property is known, and not in the version that the project is made for.";
    DuplicateName => "godot-duplicate-name", Warning, "Two children of one name",
        "Rename one: paths lead to the first of them.",
        "Godot renames the second when it makes the scene, so its path is another.";
    MissingParent => "godot-missing-parent", Error, "A node whose parent is not there",
        "Correct the parent, or put it above the node; Godot moves the node below the root under another name.",
        "The section names a parent that no section before it made.";
    LostOverride => "godot-lost-override", Warning, "A change of a node that is gone",
        "Remove the section, or restore the node in the instanced or base scene; Godot drops the change.",
        "The instanced or base scene no longer has the node that the section changes.";
    StaleName => "godot-stale-name", Info, "A node that was renamed or moved, whose id still leads there",
        "Save the scene again in Godot 4.6 or newer, which writes the new path; older versions lose what is changed there.",
        "Scenes since 4.6 keep ids beside names; the id leads to the node, the name no longer.";
    Cycle => "godot-cycle", Error, "A scene that is inside of itself",
        "Remove the instance; Godot cannot load the scene.",
        "The scene instances itself, directly or through others.";
    Syntax => "godot-syntax", Error, "A file that Godot cannot read",
        "Correct the text at this place.",
        "Godot stops reading at this place; the scene, resource or script does not load. Of scripts the grammar is judged, not what names mean.";
    Doubt => "godot-doubtful-text", Warning, "Text that Godot hardly reads as it was meant",
        "Correct the text at this place.",
        "Godot reads the text, and most probably not as it was meant.";
    MergeConflict => "godot-merge-conflict", Error, "Unresolved conflict markers",
        "Resolve the conflict; Godot cannot read the file.",
        "The file holds the marks of an unfinished merge.";
    LfsPointer => "godot-lfs-pointer", Warning, "Git LFS has not fetched a file",
        "Run `git lfs pull`.",
        "The content is not here, so nothing in it was judged.", Copy;
    DuplicateUid => "godot-duplicate-uid", Warning, "Two files have one uid",
        "Remove the uid from the copy and let Godot give it a new one.",
        "Godot takes one of the two for every reference by that uid, and which one depends on the order of its scan.";
    DuplicateClass => "godot-duplicate-class", Error, "Two scripts declare one class",
        "Rename one of the classes.",
        "Godot takes the first that it finds and reports an error for the other.";
    Unreadable => "godot-unreadable", Error, "A file cannot be read",
        "Check its permissions and its size.",
        "The system refuses the file, a link leads out of the project, or the file is larger than is read.";
    NotRead => "godot-not-checked", Info, "Something that was not looked at",
        "Look at it by hand, or make it a usual file or folder.",
        "More than is looked at in one file or folder, or something that is no usual file.";
}
