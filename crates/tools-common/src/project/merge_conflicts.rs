//! The tool `project.mergeConflicts`: Merge Conflicts.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_merge::work::{self, Conflicts, Sidecar};
use scenewright_merge::{Conflict, FileKind, Merged, merge};
use scenewright_toolkit::door::ProjectPath;
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many files are told.
const MAX_FILES: usize = 50;
/// So many conflicts are told, over all files.
const MAX_CONFLICTS: usize = 100;
/// The longest value.
const MAX_VALUE: usize = 300;

pub(crate) const TOOL: Tool = Tool {
    id: "project.mergeConflicts",
    aliases: &["scene.merge.conflicts"],
    keywords: "git merge conflict unmerged both modified scene prefab resolve ours theirs base rebase",
    title: "Merge Conflicts",
    notes: Some("project_mergeResolve decides them."),
    category: "project",
    idempotent: true,
    examples: &[Example {
        description: "Nothing is in conflict in the Godot sample",
        input: r#"{ "project": "godot" }"#,
        output: r#"{ "success": true, "files": [], "truncated": false }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List what a merge, rebase or cherry-pick of git left in conflict in scenes, prefabs and settings:
/// each field that both sides changed, with the value of both and the one that they started from.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Only this file.
    path: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The files in conflict.
    files: Vec<Conflicted>,
    /// Whether files or conflicts were left out; ask for one `path`.
    truncated: bool,
}

/// A file in conflict.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Conflicted {
    /// The file, from the project's root.
    path: String,
    /// Whether both sides go together, so that `project_mergeResolve` without choices writes the file.
    mergeable: bool,
    /// Why it is left to git; nothing when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What has to be decided.
    conflicts: Vec<Told>,
    /// What is decided without asking and should be looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A conflict.
#[derive(Serialize, JsonSchema)]
pub(super) struct Told {
    /// What `project_mergeResolve` calls it.
    pub(super) id: String,
    /// Why it is one.
    why: String,
    /// The object or node.
    object: String,
    /// The value that both started from; nothing where it was not there.
    base: Option<String>,
    /// Our value, which stands in the file until it is decided.
    ours: Option<String>,
    /// Their value.
    theirs: Option<String>,
    /// What was chosen: `ours`, `theirs` or `base`.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<String>,
}

impl Told {
    pub(super) fn of(conflict: &Conflict) -> Told {
        let cut = |value: &Option<String>| {
            value.as_ref().map(|value| match value.char_indices().nth(MAX_VALUE) {
                Some((end, _)) => format!("{}…", &value[..end]),
                None => value.clone(),
            })
        };
        let why = match conflict.detail.is_empty() {
            true => conflict.kind.words().to_owned(),
            false => conflict.detail.clone(),
        };
        Told {
            id: conflict.id.clone(),
            why,
            object: format!("{} {}", conflict.class, conflict.name).trim().to_owned(),
            base: cut(&conflict.base),
            ours: cut(&conflict.ours),
            theirs: cut(&conflict.theirs),
            choice: conflict.choice.map(|choice| choice.word().to_owned()),
        }
    }
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let conflicts = Conflicts::below(&project.root).map_err(unknown)?;
    let mut files = conflicts.files().map_err(unknown)?;
    if let Some(path) = &input.path {
        let path = ProjectPath::parse(project, path)?;
        files.retain(|file| file == path.as_str());
    }
    files.retain(|file| FileKind::of_path(std::path::Path::new(file)).is_some());
    let (mut listed, mut left) = (Vec::new(), MAX_CONFLICTS);
    let mut truncated = files.len() > MAX_FILES;
    for file in files.into_iter().take(MAX_FILES) {
        cx.check_cancelled()?;
        let mut found = one(project, &conflicts, file);
        truncated |= found.conflicts.len() > left;
        found.conflicts.truncate(left);
        left -= found.conflicts.len();
        listed.push(found);
    }
    Ok(Output { success: true, files: listed, truncated })
}

/// Git does not tell what is in conflict.
pub(super) fn unknown(why: std::io::Error) -> ToolError {
    ToolError::new(ErrorKind::NotReady, why.to_string())
}

fn one(project: &Project, conflicts: &Conflicts, path: String) -> Conflicted {
    match merged(project, conflicts, &path) {
        Err(reason) => Conflicted {
            path,
            mergeable: false,
            reason: Some(reason),
            conflicts: Vec::new(),
            notes: Vec::new(),
        },
        Ok(merged) => {
            let warnings = merged.notes.iter().filter(|note| note.is_warning);
            Conflicted {
                path,
                mergeable: merged.is_clean(),
                reason: None,
                conflicts: merged.conflicts.iter().map(Told::of).collect(),
                notes: warnings
                    .map(|note| format!("{} {}: {}", note.object, note.field, note.text))
                    .collect(),
            }
        }
    }
}

/// The merge of a file in conflict with the choices so far; otherwise why there is none.
fn merged(project: &Project, conflicts: &Conflicts, path: &str) -> Result<Merged, String> {
    let stages = conflicts.stages(path).map_err(|error| error.to_string())?;
    let inputs = stages.inputs().ok_or(work::DELETED)?;
    let known = Sidecar::read(&project.root.join(path));
    let choices = known.map(|known| known.choices()).unwrap_or_default();
    merge(std::path::Path::new(path), inputs, &choices).map_err(|refused| refused.to_string())
}
