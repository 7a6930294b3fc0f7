//! The rules for Godot projects.

use scenewright_contract::ToolError;
use scenewright_contract::finding::Severity::{Error, Info, Warning};
use scenewright_contract::finding::{Finding, Rule};
use scenewright_godot::check::{self as godot, FindingKind};
use scenewright_toolkit::workspace::{Report, Steps, unreadable};

use super::GodotProject;

pub(super) fn run(project: &GodotProject, steps: &Steps<'_>) -> Result<Report, ToolError> {
    let facts = project.settings.facts().map_err(unreadable)?;
    let report = godot::check(&project.index(), &facts, &Watched(steps));
    if report.checked < report.total {
        return Err(ToolError::cancelled());
    }
    let mut findings: Vec<Finding> = report.findings.into_iter().map(finding).collect();
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Ok(Report { findings, notes: report.notes })
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
    finding.object = found.object;
    finding
}

/// The rule of a kind of finding.
#[rustfmt::skip]
fn rule_of(kind: FindingKind) -> &'static Rule {
    match kind {
        FindingKind::MissingResource => const { &Rule::new("godot-missing-resource", Error, "A resource is not there", "Restore the file, or assign the property again in the editor; Godot leaves out what needs it.") },
        FindingKind::StalePath => const { &Rule::new("godot-stale-path", Warning, "A path is out of date, its uid still leads there", "Save the file again in Godot 4, which writes the new path; without its uid cache Godot loses the resource.") },
        FindingKind::UnknownUid => const { &Rule::new("godot-unknown-uid", Info, "A uid that no file has", "Harmless: the path serves. Saving the file again in Godot writes the current uid.") },
        FindingKind::UndeclaredResource => const { &Rule::new("godot-undeclared-resource", Error, "A value names a resource that the file does not declare", "Declare it above its use or remove the value; Godot cannot load the file. Usually a bad merge.") },
        FindingKind::UnusedResource => const { &Rule::new("godot-unused-resource", Warning, "A resource is declared and never used", "Remove the declaration, or save the file again in Godot; it is loaded for nothing.") },
        FindingKind::BrokenNodePath => const { &Rule::new("godot-broken-node-path", Warning, "A path of a node leads nowhere", "Choose the node again, or restore the one that was renamed or removed.") },
        FindingKind::BrokenConnection => const { &Rule::new("godot-broken-connection", Error, "A connection of a node that is not there", "Remove the connection, or connect the node that replaced it.") },
        FindingKind::MissingMethod => const { &Rule::new("godot-missing-method", Error, "A signal calls a method that is not there", "Write the method, or correct its name in the connection; the signal calls nothing and Godot reports an error.") },
        FindingKind::UnknownSignal => const { &Rule::new("godot-unknown-signal", Error, "A connection of a signal that is not there", "Declare the signal, or correct its name in the connection.") },
        FindingKind::MissingStartFile => const { &Rule::new("godot-missing-start-file", Error, "What the project starts with is not there", "Correct the project settings, or restore the file.") },
        FindingKind::MissingPreload => const { &Rule::new("godot-missing-preload", Error, "Code needs a file that is not there", "Correct the path or restore the file; the code does not compile without it.") },
        FindingKind::MissingLoad => const { &Rule::new("godot-missing-load", Warning, "Code loads a file that is not there", "Correct the path, restore the file, or check with ResourceLoader.exists first.") },
        FindingKind::UnknownBase => const { &Rule::new("godot-unknown-base", Error, "A script extends a class that is not there", "Correct the name, or restore the script that declares it.") },
        FindingKind::OrphanImport => const { &Rule::new("godot-orphan-import", Warning, "An .import without its source", "Delete the .import, or add the source that was forgotten in the commit.") },
        FindingKind::OrphanUid => const { &Rule::new("godot-orphan-uid", Warning, "A .uid without its file", "Delete the .uid, or move it to where its file went.") },
        FindingKind::UnknownClass => const { &Rule::new("godot-unknown-class", Error, "A type that Godot does not have", "Correct the type; Godot makes a placeholder of the node and loses its properties.") },
        FindingKind::OtherVersionClass => const { &Rule::new("godot-other-version-class", Warning, "A type of another version of Godot", "Use the type of the project's version, or open the project with the version that has it.") },
        FindingKind::ExtensionClass => const { &Rule::new("godot-extension-class", Info, "A type that an extension may add", "Nothing, if one of the project's extensions has it; otherwise correct the type.") },
        FindingKind::UnknownProperty => const { &Rule::new("godot-unknown-property", Warning, "A property that neither class nor script has", "Correct or remove it; Godot drops it silently when the file is loaded.") },
        FindingKind::OtherVersionProperty => const { &Rule::new("godot-other-version-property", Info, "A property of another version of Godot", "Save the file again in the project's version.") },
        FindingKind::DuplicateName => const { &Rule::new("godot-duplicate-name", Warning, "Two children of one name", "Rename one: paths lead to the first of them.") },
        FindingKind::MissingParent => const { &Rule::new("godot-missing-parent", Error, "A node whose parent is not there", "Correct the parent, or put it above the node; Godot moves the node below the root under another name.") },
        FindingKind::LostOverride => const { &Rule::new("godot-lost-override", Warning, "A change of a node that is gone", "Remove the section, or restore the node in the instanced or base scene; Godot drops the change.") },
        FindingKind::StaleName => const { &Rule::new("godot-stale-name", Info, "A node that was renamed or moved, whose id still leads there", "Save the scene again in Godot 4.6 or newer, which writes the new path; older versions lose what is changed there.") },
        FindingKind::Cycle => const { &Rule::new("godot-cycle", Error, "A scene that is inside of itself", "Remove the instance; Godot cannot load the scene.") },
        FindingKind::Syntax => const { &Rule::new("godot-syntax", Error, "A file that Godot cannot read", "Correct the text at this place.") },
        FindingKind::Doubt => const { &Rule::new("godot-doubtful-text", Warning, "Text that Godot hardly reads as it was meant", "Correct the text at this place.") },
        FindingKind::MergeConflict => const { &Rule::new("godot-merge-conflict", Error, "Unresolved conflict markers", "Resolve the conflict; Godot cannot read the file.") },
        FindingKind::LfsPointer => const { &Rule::new("godot-lfs-pointer", Warning, "Git LFS has not fetched a file", "Run `git lfs pull`.") },
        FindingKind::DuplicateUid => const { &Rule::new("godot-duplicate-uid", Warning, "Two files have one uid", "Remove the uid from the copy and let Godot give it a new one.") },
        FindingKind::DuplicateClass => const { &Rule::new("godot-duplicate-class", Error, "Two scripts declare one class", "Rename one of the classes.") },
        FindingKind::Unreadable => const { &Rule::new("godot-unreadable", Error, "A file cannot be read", "Check its permissions and its size.") },
        FindingKind::NotRead => const { &Rule::new("godot-not-checked", Info, "Something that was not looked at", "Look at it by hand, or make it a usual file or folder.") },
    }
}
