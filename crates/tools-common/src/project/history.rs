//! The tool `project.history`: Change History.

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::door::{self, HistoryEntry, UndoId};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const MAX_ITEMS: usize = 50;

pub(crate) const TOOL: Tool = Tool {
    id: "project.history",
    keywords: "what did i change list of edits past writes journal undo ids log earlier changes",
    title: "Change History",
    notes: Some(
        "The last 50 changes are remembered, or fewer when they took away more than 256 MB.",
    ),
    category: "project",
    limits: Limits { max_items: Some(MAX_ITEMS), ..Limits::DEFAULT },
    examples: &[Example {
        description: "See what was changed last in the Unity sample",
        input: r#"{ "project": "unity", "limit": 1 }"#,
        output: r#"{
            "success": true,
            "total": 1,
            "changes": [{
                "id": 1,
                "unixMs": 1767225600000,
                "tool": "ci.exportResults",
                "filesChanged": 1,
                "files": [{ "path": "history.json", "action": "created" }],
                "undone": false
            }]
        }"#,
        varies: &["changes"],
    }],
    after: &[Earlier {
        tool: "ci.exportResults",
        input: r#"{ "project": "unity", "resultsPath": "history.json" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the changes that scenewright made to a project, newest first. Each can be taken back with
/// project_undoLast as long as its files were not changed since.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// `nextCursor` of an earlier answer.
    cursor: Option<UndoId>,
    /// How many to return.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

fn twenty() -> usize {
    20
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many changes are remembered.
    total: usize,
    /// The changes, newest first.
    changes: Vec<HistoryEntry>,
    /// Pass this as `cursor` to see older ones; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<UndoId>,
}

fn run(cx: &Cx, Input { project, cursor, limit }: Input) -> Result<Output, ToolError> {
    let project = cx.project(project.as_deref())?;
    let mut changes = door::history(project)?;
    door::set_aside(project).into_iter().for_each(|text| cx.diagnose(text));
    let total = changes.len();
    changes.retain(|change| cursor.is_none_or(|cursor| change.id < cursor));
    let has_more = changes.len() > limit;
    changes.truncate(limit);
    let next_cursor = changes.last().map(|last| last.id).filter(|_| has_more);
    Ok(Output { success: true, total, changes, next_cursor })
}
