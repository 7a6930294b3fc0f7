//! The tool `godotEngine.validateConversion3to4`, which MCP clients call `validate_conversion_3to4`.

use std::time::Duration;

use scenewright_contract::{Limits, Runs, ToolError};
use scenewright_live::godot::{MessageKind, messages};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::InGodot;
use scenewright_tools_godot::base::program::{config_version, convert_copy, summary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many findings are returned.
const MAX_ISSUES: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.validateConversion3to4",
    keywords: "what would upgrade migration change compatibility with godot 4 preview 3",
    mcp: Some("validate_conversion_3to4"),
    title: "Validate Godot 3 to 4 Conversion",
    notes: Some(
        "The engine's converter works on a temporary copy of the text files. For a project of Godot 4 no engine is needed.",
    ),
    category: "godot.engine",
    runs: Runs::Only,
    limits: Limits {
        timeout: Duration::from_secs(320),
        max_items: Some(MAX_ISSUES),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Ask about a project that is one of Godot 4",
        input: r#"{ "sourcePath": "godot" }"#,
        output: r#"{
            "success": true,
            "sourcePath": "godot",
            "canConvert": false,
            "errorCount": 0,
            "warningCount": 0,
            "issues": [],
            "truncated": false,
            "summary": "it is a project of Godot 4 already"
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what the conversion of a Godot 3 project would change, line by line, without changing it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Folder or id of the project, which must be open.
    source_path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The project.
    source_path: String,
    /// Whether convert_3to4 would do something.
    can_convert: bool,
    /// The version of the engine that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    godot_version: Option<String>,
    /// How many errors the engine reports.
    error_count: usize,
    /// How many warnings.
    warning_count: usize,
    /// What would change, and what the engine stumbles over, in file order.
    issues: Vec<Issue>,
    /// Whether there are more than were returned.
    truncated: bool,
    /// The engine's own count.
    summary: String,
}

#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct Issue {
    /// `change`, `warning` or `error`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// What would change.
    message: String,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(Some(&input.source_path))?;
    let mut output = Output {
        success: true,
        source_path: godot.project.id.to_string(),
        can_convert: false,
        godot_version: None,
        error_count: 0,
        warning_count: 0,
        issues: Vec::new(),
        truncated: false,
        summary: "it is a project of Godot 4 already".to_owned(),
    };
    if config_version(&godot)? >= 5 {
        return Ok(output);
    }
    let (_copy, finished) =
        convert_copy(&godot, "--validate-conversion-3to4", Duration::from_secs(300))?;
    let Some(summary) = summary(&finished.stdout).filter(|_| finished.is_success()) else {
        return Err(ToolError::failed(format!(
            "the converter {}:\n{}",
            finished.how(),
            finished.last_words(12)
        )));
    };
    let told = messages(&finished.stderr);
    let count = |kind| told.iter().filter(|message| message.kind == kind).count();
    output.can_convert = true;
    output.godot_version = Some(godot.program()?.version);
    output.error_count = count(MessageKind::Error);
    output.warning_count = count(MessageKind::Warning);
    output.summary = summary.to_owned();
    output.issues = changes(&finished.stdout);
    output.issues.extend(told.into_iter().map(|message| Issue {
        kind: match message.kind {
            MessageKind::Error => "error",
            MessageKind::Warning => "warning",
        },
        message: message.text,
        file: message.file,
        line: message.line,
    }));
    output.truncated = output.issues.len() > MAX_ISSUES;
    output.issues.truncate(MAX_ISSUES);
    Ok(output)
}

/// What the converter says line by line:
///
/// ```text
/// Checking for conversion - 2/3 file - "a.tscn" with size - 0 KB
///         Line(3), Spatial -> Node3D  -  LINE """ … """
/// ```
fn changes(output: &str) -> Vec<Issue> {
    let mut file = None;
    let mut changes = Vec::new();
    for text in output.lines().map(str::trim) {
        if text.starts_with("Checking for conversion - ") {
            file = text.split('"').nth(1).map(str::to_owned);
            continue;
        }
        let Some(rest) = text.strip_prefix("Line") else { continue };
        let rest = rest.trim_start().strip_prefix('(').unwrap_or(rest);
        let Some((number, message)) = rest.split_once(')') else { continue };
        changes.push(Issue {
            kind: "change",
            message: message.trim_start_matches([',', ' ', '-']).to_owned(),
            file: file.clone(),
            line: number.parse().ok(),
        });
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_converters_words_are_read() {
        let output = "Checking for conversion - 1/3 file - \"a.gd\" with size - 0 KB\n\
            \x20   Checking file took      0.000 ms.\n\
            \t\tLine(1), KinematicBody2D -> CharacterBody2D  -  LINE \"\"\" extends KinematicBody2D \"\"\"\n\
            \t\tLine (4) - FULL LINES - \"\"\" yield(a, \"b\") \"\"\"  =====>  \"\"\" await a.b \"\"\"\n";
        let found = changes(output);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].file.as_deref(), found[0].line), (Some("a.gd"), Some(1)));
        assert!(found[0].message.starts_with("KinematicBody2D -> CharacterBody2D"));
        assert_eq!(found[1].line, Some(4));
        assert!(found[1].message.starts_with("FULL LINES - "));
    }
}
