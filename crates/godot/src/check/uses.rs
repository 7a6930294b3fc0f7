//! Uses of other files: resources, loads in code, and what the settings start with.

use std::path::{Component, Path};

use super::{FindingKind, Findings, Project};
use crate::{FileKind, Use, UseKind};

/// Judge the uses of a file whose text is given.
pub(super) fn check(project: &Project<'_>, text: &[u8], findings: &mut Findings<'_>) {
    let file = findings.file;
    for used in &file.uses {
        match used.kind {
            UseKind::Text | UseKind::ImportSource => {}
            UseKind::ExtResource | UseKind::Value => check_resource(project, used, findings),
            UseKind::Load => check_load(project, used, text, findings),
            UseKind::Autoload | UseKind::MainScene | UseKind::Plugin => {
                check_start(project, used, findings);
            }
        }
    }
}

/// As in the engine a known uid wins over the path, and the path serves when the uid is unknown.
fn check_resource(project: &Project<'_>, used: &Use, findings: &mut Findings<'_>) {
    let by_uid = used.uid.as_deref().and_then(|uid| project.index.by_uid(uid));
    let path = used.path.as_deref();
    let has_path = path.is_some_and(|path| is_there(project, path, findings));
    match (by_uid, &used.uid) {
        (Some(found), _) if !has_path && let Some(path) = path => {
            let message =
                format!("`{path}` is not there any more; its uid leads to `{}`", found.path);
            findings.add(FindingKind::StalePath, used.line, None, path, message);
        }
        (None, Some(uid)) if has_path => {
            let message = format!("no file has {uid}; the path `{}` serves", wanted(used));
            findings.add(FindingKind::UnknownUid, used.line, None, uid, message);
        }
        (None, _) if !has_path => {
            let message = format!("`{}` is not there{}", wanted(used), elsewhere(project, used));
            add_missing(project, used, FindingKind::MissingResource, message, findings);
        }
        _ => {}
    }
}

fn check_start(project: &Project<'_>, used: &Use, findings: &mut Findings<'_>) {
    if is_found(project, used, findings) {
        return;
    }
    let what = match used.kind {
        UseKind::Autoload => "the autoload",
        UseKind::MainScene => "the main scene",
        _ => "the plugin",
    };
    let message = format!("{what} `{}` is not there{}", wanted(used), elsewhere(project, used));
    add_missing(project, used, FindingKind::MissingStartFile, message, findings);
}

/// A file that is not there is wrong, unless version control leaves it out: then whoever wrote the
/// project may have it.
fn add_missing(
    project: &Project<'_>,
    used: &Use,
    kind: FindingKind,
    message: String,
    findings: &mut Findings<'_>,
) {
    let local = used.path.as_deref().and_then(|path| path.strip_prefix("res://"));
    if let Some(addon) = project.index.addon()
        && !local.is_some_and(|local| addon.owns(local, |folder| project.folders.contains(folder)))
    {
        let message = format!("{message}; a project around the addon may have it");
        findings.add(FindingKind::Around, used.line, None, wanted(used), message);
        return;
    }
    match local.is_some_and(|local| is_inside(local) && project.leaves_out(local)) {
        true => {
            let message = format!("{message}; .gitignore leaves it out, so others may have it");
            findings.add(FindingKind::LeftOut, used.line, None, wanted(used), message);
        }
        false => findings.add(kind, used.line, None, wanted(used), message),
    }
}

/// A file that code names. One that code makes up from parts cannot be looked up.
fn check_load(project: &Project<'_>, used: &Use, text: &[u8], findings: &mut Findings<'_>) {
    let is_named =
        used.path.as_deref().is_none_or(|path| path.rsplit('/').next().is_some_and(has_extension));
    if is_found(project, used, findings) || !is_named || !is_whole(text, used.offset) {
        return;
    }
    let file = findings.file;
    let call = file
        .script
        .as_ref()
        .and_then(|script| script.literals.iter().find(|literal| literal.offset == used.offset));
    let call = call.map_or("", |literal| &*literal.call);
    let (kind, what) = match (file.kind, call) {
        (FileKind::Script, "load") => (FindingKind::MissingLoad, "`load` of "),
        (FileKind::Script, "preload") => (FindingKind::MissingPreload, "`preload` of "),
        (FileKind::Script, _) => (FindingKind::MissingPreload, "the script extends "),
        (FileKind::Shader, _) => (FindingKind::MissingPreload, "`#include` of "),
        _ => (FindingKind::MissingLoad, "the code loads "),
    };
    let message =
        format!("{what}`{}`, which is not there{}", wanted(used), elsewhere(project, used));
    add_missing(project, used, kind, message, findings);
}

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && !extension.is_empty())
}

/// Whether a text in code is all of an argument: nothing is added to it.
fn is_whole(text: &[u8], offset: usize) -> bool {
    let Some(quote) = text.get(offset) else { return false };
    let rest = &text[offset + 1..];
    let Some(end) = memchr::memchr(*quote, rest) else { return false };
    let next = rest[end + 1..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    !matches!(next, Some(b'+' | b'%' | b'.'))
}

fn is_found(project: &Project<'_>, used: &Use, findings: &mut Findings<'_>) -> bool {
    project.index.target_of(used).is_some()
        || used.path.as_deref().is_some_and(|path| is_there(project, path, findings))
}

/// Whether the project has a file or folder, also one that the editor does not list.
pub(super) fn is_there(project: &Project<'_>, path: &str, findings: &mut Findings<'_>) -> bool {
    if project.index.by_path(path).is_some() {
        return true;
    }
    let local = project.index.local(path).trim_end_matches('/');
    let is_inside = is_inside(local);
    if project.folders.contains(local) {
        return true;
    }
    findings.is_loose |= is_inside;
    is_inside && is_on_disk(project, local)
}

/// Whether a path stays in the project.
fn is_inside(local: &str) -> bool {
    Path::new(local).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Files in hidden or ignored folders can be loaded although the editor leaves them out. Names are
/// compared as listed, because some systems find `A.png` under the name `a.png` and others do not.
fn is_on_disk(project: &Project<'_>, local: &str) -> bool {
    let mut folder = project.index.root().to_owned();
    for name in local.split('/') {
        let Ok(mut entries) = folder.read_dir() else { return false };
        if !entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() == *name)) {
            return false;
        }
        folder.push(name);
    }
    true
}

fn wanted(used: &Use) -> &str {
    used.path.as_deref().or(used.uid.as_deref()).unwrap_or_default()
}

/// Where the only file of that name is, if there is one.
fn elsewhere(project: &Project<'_>, used: &Use) -> String {
    let name = used.path.as_deref().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    match project.by_name.get(&name.to_lowercase()).map(Vec::as_slice) {
        Some([only]) => format!("; `{}` is", only.path),
        _ => String::new(),
    }
}
