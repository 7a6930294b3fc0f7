//! Files one by one: whether they can be read, and what they declare and do not use.

use std::collections::{HashMap, HashSet};

use super::checked::Judged;
use super::{Finding, FindingKind, Findings, Project, members, scene, uses};
use crate::project::PLUGIN;
use crate::{
    Config, Document, FileEntry, FileKind, Index, MentionKind, ProblemKind, Scene, Script, Sources,
};

/// A pointer of Git LFS is a short text; real files of this size are read for it.
const LARGEST_POINTER: u64 = 1024;

/// All findings of one file.
pub(super) fn check(project: &Project<'_>, file: &FileEntry) -> Judged {
    let mut findings = Findings { file, found: Vec::new(), is_loose: false };
    look(project, file, &mut findings);
    Judged { found: findings.found, is_loose: findings.is_loose }
}

fn look(project: &Project<'_>, file: &FileEntry, findings: &mut Findings<'_>) {
    check_companion(project, findings);
    if file.kind == FileKind::Other && file.size > LARGEST_POINTER {
        return;
    }
    let Some(text) = project.index.read(&file.path) else {
        findings.is_loose = true;
        let why = file.problem.clone().unwrap_or_else(|| "the file cannot be read".into());
        findings.add(FindingKind::Unreadable, None, None, "", why);
        return;
    };
    if text.starts_with(b"version https://git-lfs") {
        let message = "Git LFS keeps this file, and it was not fetched".into();
        findings.add(FindingKind::LfsPointer, 1, None, "", message);
        return;
    }
    if file.kind == FileKind::Other {
        return;
    }
    if let Some(line) = conflict(&text) {
        // What stands between the markers is broken in many ways that are all this one.
        let message = "conflict markers are left in the file".into();
        findings.add(FindingKind::MergeConflict, line, None, "", message);
        return;
    }
    uses::check(project, &text, findings);
    match file.kind {
        FileKind::Scene | FileKind::Resource => check_resource(project, text, findings),
        FileKind::Settings | FileKind::Import => {
            let config = Config::parse(text);
            check_text(&config, findings);
            check_plugin(project, &config, findings);
        }
        FileKind::Script => {
            check_script(project, &text, findings);
            super::script::check_base(project, findings);
        }
        _ => {}
    }
}

/// The script of a plugin, which its settings name from their folder.
fn check_plugin(project: &Project<'_>, config: &Config, findings: &mut Findings<'_>) {
    if findings.file.name() != PLUGIN {
        return;
    }
    let field = config.keys("plugin").find(|field| field.key() == "script");
    let Some((field, script)) = field.and_then(|field| Some((field, field.value().as_str()?)))
    else {
        return;
    };
    let folder = findings.file.path.strip_suffix(PLUGIN).unwrap_or_default();
    let path = match script.contains("://") {
        true => script.to_string(),
        false => format!("{folder}{script}"),
    };
    if !script.is_empty() && !uses::is_there(project, &path, findings) {
        let message = format!("the plugin's script `{script}` is not there");
        findings.add(FindingKind::MissingStartFile, field.line(), None, &script, message);
    }
}

/// A script that the engine's reader refuses. That of Godot 3 had another grammar.
fn check_script(project: &Project<'_>, text: &[u8], findings: &mut Findings<'_>) {
    let text = std::str::from_utf8(text).ok().filter(|_| project.classes.is_some());
    if let Some(problem) = text.and_then(Script::find_problem) {
        let message = format!("column {}: {}", problem.column, problem.message);
        findings.add(FindingKind::Syntax, problem.line, None, "", message);
    }
}

fn check_resource(project: &Project<'_>, text: Vec<u8>, findings: &mut Findings<'_>) {
    let is_scene = findings.file.kind == FileKind::Scene;
    // What a script inside of the file extends the index does not know.
    findings.is_loose |= memchr::memmem::find(&text, b"script/source").is_some();
    let written = match is_scene {
        true => project.scenes.parse(&findings.file.res_path(), text),
        false => Scene::parse(text),
    };
    check_text(&written, findings);
    check_unused(&written, findings);
    if is_too_much(&written) {
        let message = "the file is too large for its nodes and resources to be judged".into();
        findings.add(FindingKind::NotRead, None, None, "", message);
        return;
    }
    if is_scene {
        scene::check(project, &written, findings);
    }
    members::check_resources(project, &written, findings);
}

/// Whether looking up what a file names would take minutes. No file that anybody made is so large.
fn is_too_much(written: &Scene) -> bool {
    let (mut lists, mut ends) = (0, 0);
    for section in written.sections() {
        match &*section.name() {
            "ext_resource" | "sub_resource" => lists += 1,
            "connection" | "editable" => ends += 1,
            _ => {}
        }
    }
    let sections = written.sections().len();
    lists * sections > MAX_LOOKUPS || ends * written.nodes().len() > MAX_LOOKUPS
}

/// Sections times sections that are still quick to compare.
const MAX_LOOKUPS: usize = 500_000_000;

/// What the engine refuses, and ids that nothing declares.
fn check_text(document: &Document, findings: &mut Findings<'_>) {
    for problem in document.problems() {
        let mention = document.mentions_in(problem.offset..usize::MAX).next();
        let id = mention.filter(|found| {
            let is_resource =
                matches!(found.kind, MentionKind::ExtResource | MentionKind::SubResource);
            found.span.start == problem.offset && is_resource
        });
        let kind = match problem.kind {
            ProblemKind::Rule if id.is_some() => FindingKind::UndeclaredResource,
            ProblemKind::Syntax | ProblemKind::Rule => FindingKind::Syntax,
            ProblemKind::Doubt => FindingKind::Doubt,
            ProblemKind::TooLarge => FindingKind::NotRead,
        };
        let message = format!("column {}: {}", problem.column, problem.message);
        let id = id.map_or_else(String::new, |found| found.text.into_owned());
        findings.add(kind, problem.line, None, &id, message);
    }
}

fn check_unused(document: &Document, findings: &mut Findings<'_>) {
    if !document.is_sound() {
        // Users may be in what could not be read.
        return;
    }
    let unused = document.unused_resources();
    let (ext, sub): (HashSet<_>, HashSet<_>) =
        (unused.ext.into_iter().collect(), unused.sub.into_iter().collect());
    for found in document.ext_resources().filter(|found| ext.contains(&found.id())) {
        let path = found.path();
        let message = format!("`{path}` is declared and nothing uses it");
        let (line, id) = (found.0.line(), found.id());
        findings.add(FindingKind::UnusedResource, line, Some(&id.0), &path, message);
    }
    for found in document.sub_resources().filter(|found| sub.contains(&found.id())) {
        let message = format!("the {} is declared and nothing uses it", found.class());
        let (line, id) = (found.0.line(), found.id());
        findings.add(FindingKind::UnusedResource, line, Some(&id.0), &found.class(), message);
    }
}

/// An `.import` or `.uid` whose file is gone.
fn check_companion(project: &Project<'_>, findings: &mut Findings<'_>) {
    let Some(owner) = findings.file.companion_of() else { return };
    if uses::is_there(project, owner, findings) {
        return;
    }
    let kind = match findings.file.kind {
        FileKind::Import => FindingKind::OrphanImport,
        _ => FindingKind::OrphanUid,
    };
    findings.add(kind, None, None, "", format!("`{owner}` is not there"));
}

/// What is wrong with several files together.
pub(super) fn check_all(index: &Index, findings: &mut Vec<Finding>) {
    let (mut uids, mut classes) = (HashMap::new(), HashMap::new());
    for file in index.files() {
        let owner = file.companion_of().and_then(|path| index.by_path(path)).unwrap_or(file);
        if let Some(uid) = &file.uid
            && let Some(first) = uids.insert(uid, owner)
            && first.path != owner.path
        {
            let message = format!("`{}` has the same uid, {uid}", first.path);
            findings.push(whole(FindingKind::DuplicateUid, &owner.path, message, uid));
        }
        if let Some(name) = file.script.as_ref().and_then(|script| script.class_name.as_ref())
            && let Some(first) = classes.insert(name, file)
        {
            let message = format!("`{}` declares the class {name} too", first.path);
            findings.push(whole(FindingKind::DuplicateClass, &file.path, message, name));
        }
    }
    let not_read = index.problems().iter().filter(|found| index.by_path(&found.path).is_none());
    findings.extend(
        not_read.map(|found| whole(FindingKind::NotRead, &found.path, found.message.clone(), "")),
    );
}

fn whole(kind: FindingKind, file: &str, message: String, subject: &str) -> Finding {
    let subject = (!subject.is_empty()).then(|| subject.to_owned());
    Finding { kind, file: file.into(), line: None, object: None, message, subject }
}

/// The line of the first conflict marker, if a conflict opens, divides and closes.
fn conflict(text: &[u8]) -> Option<usize> {
    let start = memchr::memmem::find(text, b"<<<<<<< ")?;
    let is_line = |at: usize| at == 0 || text[at - 1] == b'\n';
    let mut opens = memchr::memmem::find_iter(text, b"<<<<<<< ").filter(|at| is_line(*at));
    let open = opens.next()?;
    let after = |mark: &[u8], from: usize| {
        memchr::memmem::find_iter(&text[from..], mark).map(|at| at + from).find(|at| is_line(*at))
    };
    after(b">>>>>>> ", after(b"=======", open.max(start))?)?;
    Some(memchr::memchr_iter(b'\n', &text[..open]).count() + 1)
}
