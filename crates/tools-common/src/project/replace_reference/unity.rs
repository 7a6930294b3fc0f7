//! References of Unity: guids, and the objects in files.

use std::collections::BTreeSet;

use scenewright_contract::ToolError;
use scenewright_text::beneath;
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_toolkit::{Cx, Project};
use scenewright_tools_unity::base::InUnity;
use scenewright_unity::replace::Replacement;
use scenewright_unity::{Document, DocumentKind};

use super::{Change, Input, Place, Work, same};

pub(super) fn work(
    cx: &Cx,
    project: &Project,
    input: &Input,
) -> Result<([String; 2], Work), ToolError> {
    let unity = cx.unity(Some(&project.id.to_string()))?;
    let (from, to) = (unity.asset(Some(&input.from), None)?, unity.asset(Some(&input.to), None)?);
    let names = [from.path(), to.path()];
    if from.id() == to.id() {
        return Err(same(&names[0]));
    }
    let replacement = Replacement::new(&unity.index, from, to).map_err(|why| {
        ToolError::failed(format!("{why}, so that nothing can refer to it"))
            .hint("let Unity import it first")
    })?;
    let old = replacement.guids().0.to_string();
    let mut work = Work::default();
    // What both say of themselves and of each other is their own.
    let own: BTreeSet<String> =
        names.iter().flat_map(|name| [name.clone(), format!("{name}.meta")]).collect();
    let users = unity.index.incoming(replacement.guids().0);
    let users = users.flat_map(|user| [user.path(), format!("{}.meta", user.path())]);
    let files: BTreeSet<String> = users.chain(settings(project)).collect();
    for file in files {
        cx.check_cancelled()?;
        let Some((path, before)) = read(cx, project, &file, &old, &mut work) else { continue };
        if own.contains(&file) {
            if file != format!("{}.meta", names[0]) {
                let text = "it is one of both files itself".to_owned();
                work.not_touched.push(Place { path: file, line: 0, text });
            }
            continue;
        }
        let document = Document::parse(before);
        let mut unfit = Vec::new();
        let edits = replacement.edits(&document, &mut unfit);
        work.unfit.extend(unfit.into_iter().map(|unfit| Place {
            path: file.clone(),
            line: unfit.line,
            text: unfit.why,
        }));
        let count =
            document.references().filter(|f| f.reference.guid == Some(replacement.guids().0));
        let count = count.count();
        let Ok(after) = edits.apply(document.as_bytes()) else { continue };
        rest(&file, &after, &old, &mut work);
        if !edits.is_empty() {
            work.changes.push(Change { path, count, before: document.into_bytes(), after });
        }
    }
    Ok((names, work))
}

/// The text of a file that has the guid in it; what cannot be changed here is told.
fn read(
    cx: &Cx,
    project: &Project,
    file: &str,
    guid: &str,
    work: &mut Work,
) -> Option<(ProjectPath, Vec<u8>)> {
    let mut stays = |text: &str| {
        work.not_touched.push(Place { path: file.to_owned(), line: 0, text: text.to_owned() });
        None
    };
    let is_meta = file.ends_with(".meta");
    let Ok(path) = ProjectPath::parse(project, file) else {
        return if is_meta { None } else { stays("it belongs to a package, which is not written") };
    };
    let Ok(bytes) = door::read(cx, project, &path) else { return None };
    let kind = Document::parse(bytes.clone()).kind_by_start();
    if matches!(kind, DocumentKind::SerializedFile | DocumentKind::Binary) {
        return if is_meta {
            None
        } else {
            stays("it is no text, so that only Unity can change it")
        };
    }
    let text = String::from_utf8_lossy(&bytes);
    text.contains(guid).then_some((path, bytes))
}

/// Mentions of the guid that are no references.
fn rest(file: &str, after: &[u8], guid: &str, work: &mut Work) {
    let text = String::from_utf8_lossy(after);
    let lines = text.lines().enumerate().filter(|(_, line)| line.contains(guid));
    let is_told = |line: usize, work: &Work| {
        work.unfit.iter().any(|place| place.path == file && place.line == line)
    };
    for (number, line) in lines {
        if !is_told(number + 1, work) {
            let text = line.trim().chars().take(160).collect();
            work.not_touched.push(Place { path: file.to_owned(), line: number + 1, text });
        }
    }
}

/// The settings of the project, which are no assets.
fn settings(project: &Project) -> Vec<String> {
    let entries = beneath::list(&project.root, &project.root.join("ProjectSettings"));
    let entries = entries.unwrap_or_default().into_iter();
    let names = entries.filter_map(|entry| entry.name.into_string().ok());
    let own = names.filter(|name| name.ends_with(".asset"));
    own.map(|name| format!("ProjectSettings/{name}")).collect()
}
