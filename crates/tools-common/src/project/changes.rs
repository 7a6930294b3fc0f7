//! The tool `project.changes`: Project Changes.

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_unity::base::InUnity;
use scenewright_unity::index::ChangeKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const MAX_ITEMS: usize = 2000;

pub(crate) const TOOL: Tool = Tool {
    id: "project.changes",
    keywords: "git diff modified since commit uncommitted what changed semantic compare versions files last time recently touched new deleted",
    engine: Some("unity"),
    title: "Project Changes",
    notes: Some("A cursor belongs to one run of the server; one from before starts anew."),
    category: "project",
    idempotent: true,
    limits: Limits { max_items: Some(MAX_ITEMS), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Get a first cursor",
        input: "{}",
        output: r#"{ "cursor": 0, "complete": true, "changes": [], "truncated": false }"#,
        varies: &["cursor"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell which files of a Unity project changed since you last asked. Call it without a cursor to
/// get one, and with it later.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The cursor of an earlier answer.
    cursor: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Pass this the next time.
    cursor: u64,
    /// False when the log does not reach back so far, so that anything may have changed.
    complete: bool,
    /// What changed, by path.
    changes: Vec<Changed>,
    /// Whether there are more than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Changed {
    /// The file.
    path: String,
    /// `added`, `modified` or `removed`.
    kind: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let store = unity.unity.store();
    let changes = store.changes_since(input.cursor.unwrap_or_else(|| store.generation()));
    let truncated = changes.changes.len() > MAX_ITEMS;
    let list = changes.changes.into_iter().take(MAX_ITEMS).map(|change| Changed {
        path: change.path,
        kind: match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Modified => "modified",
            ChangeKind::Removed => "removed",
        }
        .to_owned(),
    });
    Ok(Output {
        cursor: changes.now,
        complete: changes.complete,
        changes: list.collect(),
        truncated,
    })
}
