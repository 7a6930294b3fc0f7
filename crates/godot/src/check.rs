//! What is wrong with a Godot project, judged as the engine would: files that lead nowhere, scenes
//! after instances and base scenes, and names that neither a class nor a script has.

mod checked;
mod files;
mod members;
mod reach;
mod scene;
mod script;
mod uses;

#[cfg(test)]
mod tests;

pub use checked::Checked;
pub use reach::{Way, follow};

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use scenewright_text::{Ignored, Room};

use crate::classes::{Classes, Version};
use crate::{Facts, FileEntry, FileKind, Index, Scene, Sources, file as disk};

/// A problem that a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The file, from the project's root.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The node by its path from the root of the scene, or the resource by its id.
    pub object: Option<String>,
    /// What was found.
    pub message: String,
    /// What exactly is missing or wrong, by its path, id or name; nothing where the place says it.
    pub subject: Option<String>,
}

/// What a check looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A resource whose uid is unknown and whose path is absent.
    MissingResource,
    /// A file that is not here and that version control leaves out.
    LeftOut,
    /// A file that an addon needs of the project around it.
    Around,
    /// A path that is absent beside a uid that is known.
    StalePath,
    /// A uid that is unknown beside a path that is there.
    UnknownUid,
    /// An id in a value that the file does not declare.
    UndeclaredResource,
    /// A resource that is declared and never used.
    UnusedResource,
    /// A path of a node that leads nowhere.
    BrokenNodePath,
    /// A connection from or to a node that is not there.
    BrokenConnection,
    /// A connection to a method that the target does not have.
    MissingMethod,
    /// A connection of a signal that the sender does not have.
    UnknownSignal,
    /// A main scene, autoload or plugin of the settings that is not there.
    MissingStartFile,
    /// A `preload`, base or include of code that is not there: the code does not compile.
    MissingPreload,
    /// A `load` of code that is not there.
    MissingLoad,
    /// A class that a script extends and nobody declares.
    UnknownBase,
    /// An `.import` without its source.
    OrphanImport,
    /// A `.uid` without its file.
    OrphanUid,
    /// A type that the engine does not have.
    UnknownClass,
    /// A type that the engine has under another name, or in another version.
    OtherVersionClass,
    /// A type that nobody here declares, but an extension may.
    ExtensionClass,
    /// A property that neither class nor script has.
    UnknownProperty,
    /// A property that the class has in another version only.
    OtherVersionProperty,
    /// Two children of one name.
    DuplicateName,
    /// A node whose parent is not there.
    MissingParent,
    /// A change of a node that the instance or base scene no longer has.
    LostOverride,
    /// A node by a name or place that changed, while its id still leads there.
    StaleName,
    /// A scene that is inside of itself.
    Cycle,
    /// A file that the engine cannot read.
    Syntax,
    /// Text that the engine reads, but hardly as it was meant.
    Doubt,
    /// Unresolved conflict markers.
    MergeConflict,
    /// A file that Git LFS has not fetched.
    LfsPointer,
    /// Two files with one uid.
    DuplicateUid,
    /// Two scripts with one class name.
    DuplicateClass,
    /// A file that could not be read.
    Unreadable,
    /// A folder or link that was not looked at.
    NotRead,
}

/// Hears how far a check is, and may stop it.
pub trait Watcher {
    /// So many of so many files are done; false to stop.
    fn step(&self, done: usize, total: usize) -> bool;
}

/// What a check came to.
#[derive(Debug, Default)]
pub struct Report {
    /// What was found, by file and line.
    pub findings: Vec<Finding>,
    /// Files that were judged.
    pub checked: usize,
    /// Files there are to judge; more than were checked when it was stopped.
    pub total: usize,
    /// What could not be decided, and why.
    pub notes: Vec<String>,
}

/// Files that are judged at once, between two looks at whether to go on.
const CHUNK: usize = 512;

/// Judge all files of a project. What the last check found is left in `checked`, so that the next one
/// looks only at what a change since then can have changed.
pub fn check(
    index: &Arc<Index>,
    facts: &Facts,
    checked: &mut Option<Checked>,
    watcher: &dyn Watcher,
) -> Report {
    let project = Project::new(index, facts);
    let again = checked.take().and_then(|before| before.until(index, facts));
    let all = || (index.files().collect(), Checked::new(index, facts));
    let (files, mut now): (Vec<&FileEntry>, _) = again.unwrap_or_else(all);
    let total = index.len();
    let mut report = Report { total, checked: total - files.len(), ..Report::default() };
    let room = Room::new(disk::TOGETHER);
    for chunk in files.chunks(CHUNK) {
        if !watcher.step(report.checked, report.total) {
            break;
        }
        let judge = |file: &&FileEntry| {
            let _place = room.enter(disk::weight(file.kind, file.size));
            files::check(&project, file)
        };
        let found: Vec<_> = chunk.par_iter().map(judge).collect();
        chunk.iter().zip(found).for_each(|(file, judged)| now.add(file, judged));
        report.checked += chunk.len();
    }
    report.findings.extend(now.findings().cloned());
    files::check_all(index, &mut report.findings);
    report.findings.sort_by(|a, b| {
        (&a.file, a.line, &a.object, &a.message).cmp(&(&b.file, b.line, &b.object, &b.message))
    });
    report.notes = project.notes();
    report.notes.extend(not_judged(&report.findings));
    // Stopped halfway: what was found is not the whole truth and not kept.
    *checked = Some(now).filter(|_| report.checked == report.total);
    report
}

/// How much is not here, so that it was not judged.
fn not_judged(findings: &[Finding]) -> impl Iterator<Item = String> {
    let count = |kind| findings.iter().filter(|found| found.kind == kind).count();
    let (pointers, left_out) = (count(FindingKind::LfsPointer), count(FindingKind::LeftOut));
    let around = count(FindingKind::Around);
    let pointers = (pointers > 0).then(|| {
        format!(
            "{pointers} files are pointers that Git LFS has not fetched, so what is in them is \
             not judged"
        )
    });
    let left_out = (left_out > 0).then(|| {
        format!(
            "{left_out} references lead to files that are not here and that .gitignore leaves out, \
             so they are not judged"
        )
    });
    let around = (around > 0).then(|| {
        match around {
            1 => "1 reference leads to a file that a project around the addon may have, so it is not judged".to_owned(),
            _ => format!(
                "{around} references lead to files that a project around the addon may have, so they \
                 are not judged"
            ),
        }
    });
    [pointers, left_out, around].into_iter().flatten()
}

/// What every rule asks.
struct Project<'a> {
    index: &'a Index,
    /// The classes of the project's version; none for Godot 3, whose classes are not known here.
    classes: Option<&'static Classes>,
    /// Whether libraries bring classes that no table has.
    has_extensions: bool,
    folders: HashSet<&'a str>,
    /// Files by their name in lower case, to say where one went.
    by_name: HashMap<String, Vec<&'a FileEntry>>,
    scenes: Scenes<'a>,
    ignored: Mutex<Ignored<'a>>,
}

impl<'a> Project<'a> {
    fn new(index: &'a Index, facts: &Facts) -> Project<'a> {
        let mut folders = HashSet::new();
        let mut by_name: HashMap<String, Vec<&FileEntry>> = HashMap::new();
        for file in index.files() {
            let mut path = &*file.path;
            while let Some((folder, _)) = path.rsplit_once('/') {
                if !folders.insert(folder) {
                    break;
                }
                path = folder;
            }
            by_name.entry(file.name().to_lowercase()).or_default().push(file);
        }
        let version = facts.engine_version.as_deref().unwrap_or("4");
        let is_godot_4 = match index.addon() {
            Some(addon) => !addon.is_godot_3,
            None => !version.starts_with('3'),
        };
        let is_library = |file: &FileEntry| file.path.ends_with(".gdextension");
        Project {
            index,
            classes: is_godot_4.then(|| Classes::of(Version::of(version))),
            has_extensions: index.of_kind(FileKind::Settings).any(is_library),
            folders,
            by_name,
            scenes: Scenes { index, kept: Mutex::default() },
            ignored: Mutex::new(Ignored::new(index.root())),
        }
    }

    /// Whether version control leaves a file out, so that other machines may have it.
    fn leaves_out(&self, local: &str) -> bool {
        self.ignored.lock().unwrap_or_else(PoisonError::into_inner).has(local, false)
    }

    /// Whether types and base classes may come from what is not here: libraries, or the project that
    /// takes an addon in.
    fn may_have_other_classes(&self) -> bool {
        self.has_extensions || self.index.addon().is_some()
    }

    /// The classes of all versions that may be meant. Which one runs an addon is not known.
    fn all_classes(&self) -> impl Iterator<Item = &'static Classes> {
        let others = self.index.addon().filter(|_| self.classes.is_some());
        let others = others.into_iter().flat_map(|_| Version::ALL).map(Classes::of);
        self.classes.into_iter().chain(others)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.index.addon().is_some() {
            notes.push(
                "this is an addon without a project around it: what it needs of that, and what depends \
                 on the version of Godot, is not judged"
                    .into(),
            );
        }
        if self.classes.is_none() {
            notes.push(
                "this is of Godot 3, so types, properties and signals are not judged: the \
                 class tables are those of Godot 4"
                    .into(),
            );
        }
        if self.has_extensions {
            notes.push(
                "libraries (.gdextension) may add classes, so unknown types are remarks only"
                    .into(),
            );
        }
        notes
    }
}

/// Scenes of the project, each read once: popular ones are instanced by many.
struct Scenes<'a> {
    index: &'a Index,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    scenes: HashMap<String, Scene>,
    bytes: usize,
}

/// Bytes of scenes that are kept; memory is not free.
const MAX_KEPT: usize = 64 << 20;

impl Scenes<'_> {
    fn find(&self, path: &str) -> Option<Scene> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).scenes.get(path).cloned()
    }

    /// The scene at a path, which has these bytes.
    fn parse(&self, path: &str, text: Vec<u8>) -> Scene {
        if let Some(scene) = self.find(path) {
            return scene;
        }
        let scene = Scene::parse(text);
        let size = scene.as_bytes().len();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have read it at the same time.
        if kept.bytes + size <= MAX_KEPT
            && kept.scenes.insert(path.to_owned(), scene.clone()).is_none()
        {
            kept.bytes += size;
        }
        scene
    }
}

impl Sources for Scenes<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        // Whether it is there is all that a tree asks of other files than scenes.
        self.index.by_path(path).map(|_| Vec::new())
    }

    fn find_uid(&self, uid: &str) -> Option<String> {
        self.index.find_uid(uid)
    }

    fn scene(&self, path: &str) -> Option<Scene> {
        self.find(path).or_else(|| {
            let file = self.index.by_path(path).filter(|file| file.kind == FileKind::Scene)?;
            Some(self.parse(path, self.index.read(&file.path)?))
        })
    }
}

/// What is found in one file.
struct Findings<'a> {
    file: &'a FileEntry,
    found: Vec<Finding>,
    /// Whether it went by more than the index tells.
    is_loose: bool,
}

/// Findings of one file; what is wrong with more than that is wrong as a whole.
const MAX_FINDINGS: usize = 1000;

impl Findings<'_> {
    fn add(
        &mut self,
        kind: FindingKind,
        line: impl Into<Option<usize>>,
        object: Option<&str>,
        subject: &str,
        message: String,
    ) {
        if self.found.len() > MAX_FINDINGS {
            return;
        }
        let file = self.file.path.clone();
        self.found.push(match self.found.len() {
            MAX_FINDINGS => {
                let message = format!("only the first {MAX_FINDINGS} findings are told");
                let kind = FindingKind::NotRead;
                Finding { kind, file, line: None, object: None, message, subject: None }
            }
            _ => {
                let object = object.map(str::to_owned);
                let subject = (!subject.is_empty()).then(|| subject.to_owned());
                Finding { kind, file, line: line.into(), object, message, subject }
            }
        });
    }
}
