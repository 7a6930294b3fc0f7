//! References of Godot: paths and uids.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{
    Document, FileKind, Form, Named, Scene, Sources, Tree, replace_in_code, replace_in_document,
};
use scenewright_text::Edits;
use scenewright_toolkit::{Cx, Project};
use scenewright_tools_godot::base::{Godot, InGodot};

use super::{Change, Input, Place, Work, same};

pub(super) fn work(
    cx: &Cx,
    project: &Project,
    input: &Input,
) -> Result<([String; 2], Work), ToolError> {
    let godot = cx.godot(Some(&project.id.to_string()))?;
    let from = named(&godot, &input.from)?;
    let to = named(&godot, &input.to)?;
    if from.path == to.path {
        return Err(same(&from.path));
    }
    fits(&godot, &from, &to)?;
    let mut work = Work::default();
    let own = |path: &str| {
        [&from.path, &to.path].iter().any(|one| {
            path.strip_prefix(one.as_str())
                .is_some_and(|rest| matches!(rest, "" | ".import" | ".uid"))
        })
    };
    let files: Vec<(String, FileKind)> =
        godot.index.files().map(|file| (file.path.clone(), file.kind)).collect();
    for (file, kind) in files {
        cx.check_cancelled()?;
        if matches!(kind, FileKind::Other | FileKind::Uid) || own(&file) {
            continue;
        }
        let path = godot.path(&file)?;
        let before = match godot.read(&path) {
            Ok(before) => before,
            Err(error) => {
                work.not_touched.push(Place { path: file, line: 0, text: error.message });
                continue;
            }
        };
        let Ok(text) = std::str::from_utf8(&before) else { continue };
        let edits = match kind {
            FileKind::Script | FileKind::CSharp | FileKind::Shader => {
                code(&file, kind, text, [&from, &to], input.update_scripts, &mut work)
            }
            _ => document(&godot, &file, &before, [&from, &to], &mut work),
        };
        let Ok(after) = edits.0.apply(&before) else { continue };
        if edits.1 > 0 {
            work.changes.push(Change { path, count: edits.1, before, after });
        }
    }
    scenes_hold(&godot, &mut work);
    Ok(([from.path, to.path], work))
}

/// A file as others name it.
fn named(godot: &Godot<'_>, text: &str) -> Result<Named, ToolError> {
    let path = godot.path(text)?;
    if !godot.exists(&path) {
        return Err(ToolError::not_found("file", path.as_str())
            .hint("project_listFiles shows what is there"));
    }
    let class = godot.resource_class(&path);
    Ok(Named { uid: godot.uid_of(&path), class, path: path.to_string() })
}

/// Whether the one can stand where the other does, as far as classes tell.
fn fits(godot: &Godot<'_>, from: &Named, to: &Named) -> Result<(), ToolError> {
    let classes = godot.classes();
    let inherits = |class: &str, base: &str| class == base || classes.inherits(class, base);
    let refuse = |why: String| {
        Err(ToolError::new(ErrorKind::BadArguments, why).hint(
            "nothing was changed; choose a file of the same class, or of one that inherits it",
        ))
    };
    let (Some(old), Some(new)) = (&from.class, &to.class) else {
        let kind = |named: &Named| named.path.rsplit('.').next().map(str::to_owned);
        return match kind(from) == kind(to) {
            true => Ok(()),
            false => {
                refuse(format!("it is not known whether {} fits where {} is", to.path, from.path))
            }
        };
    };
    if !inherits(new, old) {
        return refuse(format!("{} is a {new}, and {} a {old}", to.path, from.path));
    }
    // A script runs on nodes of the class that it extends, and below.
    let base = |named: &Named| {
        let own = format!("res://{}", named.path);
        godot.index.engine_base(&own).map(str::to_owned)
    };
    if let ("Script", Some(old), Some(new)) = (old.as_str(), base(from), base(to))
        && !inherits(&old, &new)
    {
        return refuse(format!(
            "{} extends {new}, and is no script for a {old}, which {} extends",
            to.path, from.path
        ));
    }
    let root = |named: &Named| {
        let file = godot.index.by_path(&named.path)?;
        file.class.as_deref().and_then(|class| godot.index.engine_base(class)).map(str::to_owned)
    };
    if let ("PackedScene", Some(old), Some(new)) = (old.as_str(), root(from), root(to))
        && !inherits(&new, &old)
    {
        return refuse(format!(
            "the root of {} is a {new}, and that of {} a {old}",
            to.path, from.path
        ));
    }
    Ok(())
}

/// What changes in a file of Godot's, and in how many places.
fn document(
    godot: &Godot<'_>,
    file: &str,
    before: &[u8],
    [from, to]: [&Named; 2],
    work: &mut Work,
) -> (Edits, usize) {
    let Some(form) = Form::of_path(file.as_ref()) else { return Default::default() };
    let document = Document::parse(before, form);
    let is_known = |uid: &str| godot.index.by_uid(uid).is_some();
    let (edits, count) = replace_in_document(file, &document, from, to, &is_known);
    if count == 0 {
        return Default::default();
    }
    if let Err(error) = document.check_writable() {
        let text = format!("the file is not rewritten: {error}");
        work.not_touched.push(Place { path: file.to_owned(), line: 0, text });
        return Default::default();
    }
    (edits, count)
}

fn code(
    file: &str,
    kind: FileKind,
    text: &str,
    [from, to]: [&Named; 2],
    update: bool,
    work: &mut Work,
) -> (Edits, usize) {
    let (edits, left) = replace_in_code(file, kind, text, from, to);
    let mut told = |line: usize, text: &str| {
        let text = text.chars().take(160).collect();
        work.not_touched.push(Place { path: file.to_owned(), line, text });
    };
    left.iter().for_each(|(line, text)| told(*line, text));
    if update {
        let count = edits.len();
        return (edits, count);
    }
    let after = edits.apply(text.as_bytes()).unwrap_or_default();
    let after = String::from_utf8_lossy(&after).into_owned();
    for (number, (old, new)) in text.lines().zip(after.lines()).enumerate() {
        if old != new {
            told(number + 1, old.trim());
        }
    }
    Default::default()
}

/// The files of the project, some of them as they are to be.
struct Pending<'a> {
    godot: &'a Godot<'a>,
    changes: &'a [Change],
}

impl Sources for Pending<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let own = path.strip_prefix("res://").unwrap_or(path);
        let change = self.changes.iter().find(|change| change.path.as_str() == own);
        change.map(|change| change.after.clone()).or_else(|| Sources::read(self.godot, path))
    }

    fn find_uid(&self, uid: &str) -> Option<String> {
        Sources::find_uid(self.godot, uid)
    }
}

/// Scenes in which nodes are missing afterwards: they change or connect what only the first file has.
fn scenes_hold(godot: &Godot<'_>, work: &mut Work) {
    let mut unfit = Vec::new();
    for change in work.changes.iter().filter(|change| change.path.as_str().ends_with(".tscn")) {
        let path = format!("res://{}", change.path);
        let sources = Pending { godot, changes: &work.changes };
        let before = Tree::build(&path, godot).unwrap_or_default();
        let after = Tree::build(&path, &sources).unwrap_or_default();
        let is_new = |problem: &&scenewright_godot::TreeProblem| {
            !before.problems().iter().any(|known| {
                known.kind == problem.kind
                    && known.node == problem.node
                    && known.line == problem.line
            })
        };
        unfit.extend(after.problems().iter().filter(is_new).map(|problem| Place {
            path: change.path.to_string(),
            line: problem.line,
            text: format!("`{}` would be lost: it is not in the other file", problem.node),
        }));
        let scene = Scene::parse(change.after.clone());
        for connection in scene.connections() {
            for end in [connection.from(), connection.to()] {
                if before.node(&end).is_some() && after.node(&end).is_none() {
                    unfit.push(Place {
                        path: change.path.to_string(),
                        line: connection.line(),
                        text: format!(
                            "the connection needs `{end}`, which is not in the other file"
                        ),
                    });
                }
            }
        }
    }
    work.unfit.extend(unfit);
}
