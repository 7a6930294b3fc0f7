//! The tool `project.editText`: Edit Text File.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::ProjectPath;
use scenewright_toolkit::text_edits::{TextEdited, TextEdits};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.editText",
    keywords: "replace change modify lines of a file patch source code csharp c# script method insert delete fix typo few function body bug line rename variable edit shader json config constant",
    argument_aliases: &[],
    title: "Edit Text File",
    notes: Some(
        "Lines end as they do in the file. C#, GDScript, scenes and assets that cannot be read any more are told in a diagnostic; what names mean is not looked at.",
    ),
    category: "project",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[
        Example {
            description: "Change an expression in a script of the Unity sample",
            input: r#"{
                "project": "unity",
                "path": "Assets/Scripts/Collectible.cs",
                "oldText": "value * 2",
                "newText": "value * 3"
            }"#,
            output: r#"{
                "success": true,
                "path": "Assets/Scripts/Collectible.cs",
                "replaced": 1,
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo"],
        },
        Example {
            description: "See what two changes by lines would come to",
            input: r###"{
                "project": "godot",
                "path": "res://scripts/coin.gd",
                "edits": [
                    { "startLine": 3, "newText": "## A coin.", "expected": "## A pickup that the player collects by touching it." },
                    { "startLine": 1, "endLine": 0, "newText": "# Shared by all levels." }
                ],
                "dryRun": true
            }"###,
            output: r#"{
                "success": true,
                "path": "scripts/coin.gd",
                "replaced": 2,
                "dryRun": true,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Change parts of a text file of the project: by the text that goes and the text that comes, or by
/// lines; several changes in one call. Everything else in the file keeps its bytes.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// File, such as `Assets/Scripts/Player.cs` or `res://player.gd`.
    path: String,
    #[serde(flatten)]
    edits: TextEdits,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    #[serde(flatten)]
    edited: TextEdited,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let path = ProjectPath::parse(project, &input.path)?;
    let edited = input.edits.apply(cx, project, &path, input.dry_run)?;
    Ok(Output { success: true, path: path.to_string(), edited })
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const DOOR: &str = "//- Assets/Door.cs\nclass Door {\n  int locks = 1;\n  int keys = 1;\n}\n";

    #[test]
    fn parts_of_a_file_change_and_can_be_taken_back() {
        let folder = Folder::unity(DOOR);
        let edits = json!([
            { "oldText": "locks = 1", "newText": "locks = 2" },
            { "startLine": 3, "newText": "" },
        ]);
        let arguments = json!({ "path": "Assets/Door.cs", "edits": edits });
        let outcome = call_writing(&folder, super::TOOL.id, arguments).unwrap();
        assert_eq!(
            (&outcome.output["replaced"], &outcome.output["filesChanged"]),
            (&json!(2), &json!(1))
        );
        assert!(outcome.diagnostics.is_empty());
        let text = || std::fs::read_to_string(folder.path("Assets/Door.cs")).unwrap();
        assert_eq!(text(), "class Door {\n  int locks = 2;\n}\n");
        call_writing(&folder, "project.undoLast", json!({})).unwrap();
        assert!(text().contains("keys"));
    }

    #[test]
    fn nothing_changes_in_a_dry_run_or_where_a_place_is_not_clear() {
        let folder = Folder::unity(DOOR);
        let text = || std::fs::read_to_string(folder.path("Assets/Door.cs")).unwrap();
        let before = text();
        let call = |arguments: Value| call_writing(&folder, super::TOOL.id, arguments);
        let tried = json!({ "path": "Assets/Door.cs", "oldText": "locks", "newText": "bolts", "dryRun": true });
        let tried = call(tried).unwrap();
        let diff = tried.output["changes"][0]["diff"].as_str().unwrap();
        assert!(diff.contains("-  int locks = 1;\n+  int bolts = 1;\n"), "{diff}");
        let twice = call(json!({ "path": "Assets/Door.cs", "oldText": "= 1", "newText": "= 2" }));
        let error = twice.unwrap_err();
        assert_eq!(error.message, "the text occurs 2 times in Assets/Door.cs: lines 2, 3");
        assert_eq!(error.details["lines"], json!([2, 3]));
        // One change that cannot be made, and none is.
        let edits =
            json!([{ "oldText": "locks", "newText": "bolts" }, { "oldText": "no", "newText": "" }]);
        call(json!({ "path": "Assets/Door.cs", "edits": edits })).unwrap_err();
        let unknown = json!([{ "oldText": "locks", "newText": "bolts", "line": 1 }]);
        call(json!({ "path": "Assets/Door.cs", "edits": unknown })).unwrap_err();
        let outside = call(json!({ "path": "../x.cs", "oldText": "a", "newText": "b" }));
        assert!(outside.unwrap_err().message.starts_with("Path must be inside the project"));
        assert_eq!(text(), before);
    }

    #[test]
    fn what_cannot_be_read_any_more_is_told() {
        let scene = "//- Assets/A.unity\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &42\nGameObject:\n  m_Name: Door\n";
        let folder = Folder::unity(&format!("{DOOR}{scene}"));
        let told = |path: &str, old: &str, new: &str| {
            let arguments = json!({ "path": path, "oldText": old, "newText": new });
            call_writing(&folder, super::TOOL.id, arguments).unwrap().diagnostics
        };
        assert_eq!(told("Assets/A.unity", "Door", "Gate"), [""; 0]);
        assert_eq!(told("Assets/Door.cs", "locks = 1", "locks = 2"), [""; 0]);
        let broken = &told("Assets/Door.cs", "locks = 2;", "locks = (;")[0];
        assert!(
            broken.starts_with("Assets/Door.cs cannot be read as it is now: line 2"),
            "{broken}"
        );
        assert!(broken.ends_with("project_undoLast takes this change back"), "{broken}");
        let still = &told("Assets/Door.cs", "keys", "bars")[0];
        assert!(still.ends_with("it could not be read before, either"), "{still}");
        let broken = &told("Assets/A.unity", "--- !u!1 &42", "--- !u!1 &")[0];
        assert!(
            broken.starts_with("Assets/A.unity cannot be read as it is now: line 3"),
            "{broken}"
        );
    }
}
