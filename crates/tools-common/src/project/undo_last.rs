//! The tool `project.undoLast`: Undo Last Change.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::{self, UndoId, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.undoLast",
    keywords: "revert roll back take cancel restore my last edit mistake what you just did oops previous undo wrong ctrl z",
    aliases: &["undo_last"],
    title: "Undo Last Change",
    notes: Some("Refused when a file was changed since, by whomever. Nothing is changed then."),
    category: "project",
    safety: Safety::SafeWrite,
    at_once: true,
    idempotent: false,
    examples: &[Example {
        description: "Take back the file that was written last",
        input: r#"{ "project": "unity" }"#,
        output: r#"{
            "success": true,
            "undone": 1,
            "tool": "ci.exportResults",
            "dryRun": false,
            "filesChanged": 1,
            "changes": [{
                "path": "undo.json",
                "action": "deleted",
                "diff": "--- a/undo.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-{}\n",
                "added": 0,
                "removed": 1,
                "bytes": 3
            }],
            "undo": 2
        }"#,
        varies: &["changes"],
    }],
    after: &[Earlier {
        tool: "ci.exportResults",
        input: r#"{ "project": "unity", "resultsPath": "undo.json" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Take back the last change that scenewright made to a project, or the one with an id. Call it again
/// to go further back; pass the `undo` of an answer as `id` to do a change again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The change, as `undo` of the tool that made it or as project_history lists it; the newest
    /// that stands by default.
    id: Option<UndoId>,
    /// Whether to return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The change that was taken back.
    undone: UndoId,
    /// The tool that had made it.
    tool: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, Input { project, id, dry_run }: Input) -> Result<Output, ToolError> {
    let project = cx.project(project.as_deref())?;
    let (entry, written) = door::undo(cx, project, id, dry_run)?;
    Ok(Output { success: true, undone: entry.id, tool: entry.tool, written })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use scenewright_contract::{Call, ErrorKind, ToolError};
    use scenewright_fixture::Folder;
    use scenewright_toolkit::{Runner, Settings};
    use serde_json::{Value, json};

    use crate::testing;

    fn call(runner: &Arc<Runner>, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        Ok(runner.admit(Call::new(tool, arguments))?.run()?.output.into_value())
    }

    fn runner(folder: &Folder, allow_writes: bool) -> Arc<Runner> {
        let settings = Settings { allow_writes, ..Settings::default() };
        testing::runner(&[folder.path("")], settings)
    }

    #[test]
    fn changes_are_listed_in_pages_and_taken_back() {
        let folder = Folder::unity("");
        let runner = runner(&folder, true);
        for name in ["a.json", "b.json", "c.json"] {
            call(&runner, "ci.exportResults", json!({ "resultsPath": name })).unwrap();
        }
        let page = call(&runner, "project.history", json!({ "limit": 2 })).unwrap();
        let ids = |page: &Value| -> Vec<Value> {
            page["changes"].as_array().unwrap().iter().map(|change| change["id"].clone()).collect()
        };
        assert_eq!((ids(&page), &page["nextCursor"]), (vec![json!(3), json!(2)], &json!(2)));
        let page = call(&runner, "project.history", json!({ "cursor": 2 })).unwrap();
        assert_eq!((ids(&page), page.get("nextCursor")), (vec![json!(1)], None));

        let tried = call(&runner, "undo_last", json!({ "dryRun": true })).unwrap();
        assert_eq!((&tried["undone"], &tried["dryRun"]), (&json!(3), &json!(true)));
        assert!(folder.path("c.json").exists());
        call(&runner, "undo_last", json!({})).unwrap();
        let done = call(&runner, "undo_last", json!({ "id": 1 })).unwrap();
        assert_eq!(done["changes"][0]["path"], "a.json");
        assert!(!folder.path("c.json").exists() && !folder.path("a.json").exists());
        call(&runner, "undo_last", json!({ "id": done["undo"] })).unwrap();
        assert!(folder.path("a.json").exists() && folder.path("b.json").exists());
    }

    #[test]
    fn a_read_only_server_takes_nothing_back() {
        let folder = Folder::unity("");
        let runner = runner(&folder, false);
        let error = call(&runner, "project_undoLast", json!({})).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied);
        assert_eq!(call(&runner, "project.history", json!({})).unwrap()["total"], 0);
    }
}
