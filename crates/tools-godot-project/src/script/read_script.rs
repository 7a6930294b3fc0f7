//! The tool `godotScript.readScript`, which MCP clients call `read_script`.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many bytes are returned at once.
const MAX_BYTES: usize = 256 * 1024;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.readScript",
    keywords: "show source code view open gd file content print contents gdscript",
    mcp: Some("read_script"),
    title: "Read Godot Script",
    category: "godot.script",
    examples: &[Example {
        description: "Read the first lines of a script",
        input: r#"{ "projectPath": "godot", "scriptPath": "res://scripts/coin.gd", "startLine": 1, "endLine": 3 }"#,
        output: r#"{
            "success": true,
            "path": "res://scripts/coin.gd",
            "content": "class_name Coin\nextends Area2D\n## A pickup that the player collects by touching it.\n",
            "startLine": 1,
            "endLine": 3,
            "totalLines": 27,
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a script or shader, all of it or some lines.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The script: `res://player.gd`, or the path from the project's root.
    script_path: String,
    /// First line, from 1.
    #[schemars(range(min = 1))]
    start_line: Option<usize>,
    /// Last line.
    #[schemars(range(min = 1))]
    end_line: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// The lines, with their ends as they are.
    content: String,
    /// The first line that is here.
    start_line: usize,
    /// The last line that is here; 0 when the file is empty.
    end_line: usize,
    /// How many lines the file has.
    total_lines: usize,
    /// Whether lines that were asked for are left out; go on behind `endLine`.
    truncated: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path(&input.script_path)?;
    if !super::is_script(&path) {
        return Err(ToolError::new(ErrorKind::BadArguments, format!("{path} is no script"))
            .hint("project_readFile reads other files"));
    }
    let bytes = godot
        .read(&path)
        .map_err(|error| error.hint("list_scripts shows the scripts of the project"))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        ToolError::new(
            ErrorKind::EngineError,
            format!("{path} is not UTF-8, and Godot reads only that"),
        )
    })?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start = input.start_line.unwrap_or(1);
    let end = input.end_line.unwrap_or(lines.len()).min(lines.len());
    if (start > lines.len() && start > 1) || input.end_line.is_some_and(|end| end < start) {
        return Err(ToolError::bad_argument(
            "startLine",
            &format!("must be in the file, which has {} lines, and before endLine", lines.len()),
        ));
    }
    let mut content = String::new();
    let mut last = start - 1;
    for line in lines.get(start - 1..end).unwrap_or_default() {
        // One line is always returned, so that a reader gets on.
        if !content.is_empty() && content.len() + line.len() > MAX_BYTES {
            break;
        }
        content.push_str(line);
        last += 1;
    }
    Ok(Output {
        success: true,
        path: format!("res://{path}"),
        content,
        start_line: start,
        end_line: last,
        total_lines: lines.len(),
        truncated: last < end,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn lines_are_as_they_are_in_the_file() {
        let sample = GodotSample::new();
        sample.write("odd.gd", "a\r\nb\n\nlast");
        let read = |more: Value| {
            let mut arguments = json!({ "scriptPath": "odd.gd" });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let output = sample.call(super::TOOL.id, arguments).unwrap();
            (output["content"].as_str().unwrap().to_owned(), output["endLine"].clone())
        };
        assert_eq!(read(json!({})), ("a\r\nb\n\nlast".to_owned(), json!(4)));
        assert_eq!(read(json!({ "startLine": 2, "endLine": 3 })), ("b\n\n".to_owned(), json!(3)));
        assert_eq!(read(json!({ "startLine": 4, "endLine": 99 })), ("last".to_owned(), json!(4)));
    }

    #[test]
    fn a_long_file_comes_in_parts() {
        let sample = GodotSample::new();
        sample.write("long.gd", &"# a line that says nothing\n".repeat(20_000));
        let first = sample.call(super::TOOL.id, json!({ "scriptPath": "long.gd" })).unwrap();
        assert_eq!((&first["truncated"], &first["totalLines"]), (&json!(true), &json!(20_000)));
        let next = first["endLine"].as_u64().unwrap() + 1;
        let arguments = json!({ "scriptPath": "long.gd", "startLine": next });
        let second = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(second["startLine"], next);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let sample = GodotSample::new();
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        assert_eq!(
            refuse(json!({ "scriptPath": "nope.gd" })),
            "file not found: nope.gd; list_scripts shows the scripts of the project"
        );
        assert_eq!(
            refuse(json!({ "scriptPath": "icon.svg" })),
            "icon.svg is no script; project_readFile reads other files"
        );
        assert_eq!(
            refuse(json!({ "scriptPath": "scripts/coin.gd", "startLine": 99 })),
            "Invalid tool arguments: startLine must be in the file, which has 27 lines, and before endLine"
        );
    }
}
