//! The tool `godotScript.editScript`, which MCP clients call `edit_script`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::text_edits::{TextEdited, TextEdits};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, Write};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.editScript",
    keywords: "change modify part of a gdscript function lines replace text patch insert fix bug typo code line in gd body variable constant speed",
    mcp: Some("edit_script"),
    argument_aliases: &[],
    title: "Edit Godot Script",
    notes: Some(
        "Lines end as they do in the file. GDScript that Godot 4 can no longer parse is told in a diagnostic; what names mean is not looked at, get_script_errors asks the engine.",
    ),
    category: "godot.script",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Change one line of a script",
        input: r###"{
            "projectPath": "godot",
            "scriptPath": "res://scripts/coin.gd",
            "oldText": "## A pickup that the player collects by touching it.",
            "newText": "## A coin that the player collects by touching it."
        }"###,
        output: r#"{
            "success": true,
            "path": "res://scripts/coin.gd",
            "replaced": 1,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Change parts of a script or shader: by the text that goes and the text that comes, or by lines;
/// several changes in one call. Everything else in the file keeps its bytes.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The script: `res://player.gd`, or the path from the project's root.
    script_path: String,
    #[serde(flatten)]
    edits: TextEdits,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    #[serde(flatten)]
    edited: TextEdited,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path(&input.script_path)?;
    if !super::is_script(&path) {
        return Err(ToolError::new(ErrorKind::BadArguments, format!("{path} is no script"))
            .hint("nothing was changed; project_editText changes other files"));
    }
    if !godot.exists(&path) {
        return Err(godot.no_script(&path));
    }
    let edited = input.edits.apply(cx, godot.project, &path, input.write.dry_run)?;
    Ok(Output { success: true, path: format!("res://{path}"), edited })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_toolkit::testing;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_part_of_a_script_changes() {
        let sample = GodotSample::new();
        sample.write("a.gd", "extends Node\r\n\r\nfunc a():\r\n\tpass\r\n");
        let arguments = json!({ "scriptPath": "a.gd", "oldText": "func a():\n\tpass", "newText": "func b():\n\treturn 1" });
        sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(sample.read("a.gd"), "extends Node\r\n\r\nfunc b():\r\n\treturn 1\r\n");
        sample.undo();
        assert!(sample.read("a.gd").contains("func a"));
    }

    #[test]
    fn code_that_no_longer_parses_is_told() {
        let sample = GodotSample::new();
        sample.write("a.gd", "extends Node\nfunc a():\n\tpass\n");
        let call = |old: &str, new: &str| {
            let arguments = json!({ "scriptPath": "a.gd", "oldText": old, "newText": new });
            testing::call(sample.runner(), super::TOOL.id, arguments).unwrap().diagnostics
        };
        assert_eq!(call("pass", "return"), [""; 0]);
        expect!["a.gd cannot be read as it is now: line 2, column 8: a name is expected here, not `:`; project_undoLast takes this change back"].assert_eq(&call("a()", "a(")[0]);
        sample.write("project.godot", "config_version=4\n");
        // Godot 3 has its own grammar.
        assert_eq!(
            call("return", "yield(get_tree(), \"idle_frame\")\n\texport(int) var a"),
            [""; 0]
        );
    }

    #[test]
    fn what_is_no_script_is_refused() {
        let sample = GodotSample::new();
        let refuse = |path: &str| {
            let arguments = json!({ "scriptPath": path, "oldText": "a", "newText": "b" });
            sample.error(super::TOOL.id, arguments)
        };
        expect!["icon.svg is no script; nothing was changed; project_editText changes other files"]
            .assert_eq(&refuse("icon.svg"));
        expect!["script not found: no.gd; there is autoload/game_state.gd, scripts/coin_settings.gd, scripts/actor.gd, scripts/coin.gd, scripts/main.gd, scripts/player.gd"].assert_eq(&refuse("no.gd"));
    }
}
