//! The tool `godotEngine.getScriptErrors`, which MCP clients call `get_script_errors`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_godot::FileKind;
use scenewright_live::godot::MessageKind;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::check_scripts;
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many problems are returned.
const MAX_PROBLEMS: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.getScriptErrors",
    keywords: "compile syntax parse diagnose gdscript lint check scripts warnings broken script error why does it not typo red line indentation",
    mcp: Some("get_script_errors"),
    title: "Get Godot Script Errors",
    notes: Some(
        "The engine parses each script by itself, about a third of a second each. Loading a script runs its static initializers. A project that the editor has not imported is looked at in a temporary copy, where assets are missing; what is said of those is a warning.",
    ),
    category: "godot.engine",
    lean: true,
    safety: Safety::Destructive,
    runs: Runs::Only,
    limits: Limits {
        time_guard: Some(Duration::from_secs(240)),
        timeout: Duration::from_secs(320),
        max_items: Some(MAX_PROBLEMS),
    },
    needs: Needs::Program,
    examples: &[Example {
        description: "Let the engine parse one script",
        input: r#"{ "projectPath": "godot", "scriptPath": "res://scripts/player.gd" }"#,
        output: r#"{
            "success": true,
            "scriptPath": "res://scripts/player.gd",
            "source": "cli",
            "valid": true,
            "errorCount": 0,
            "warningCount": 0,
            "errors": [],
            "checked": 1,
            "total": 1,
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let the engine parse one script, or all of the project, and tell what is wrong with them by file
/// and line.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The script; all of them by default.
    script_path: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The script that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    script_path: Option<String>,
    /// Who says it: `cli`, the engine's command line.
    source: String,
    /// Whether no errors were found in what was parsed.
    valid: bool,
    /// How many errors there are.
    error_count: usize,
    /// How many warnings there are.
    warning_count: usize,
    /// Errors and warnings, by file and line.
    errors: Vec<Found>,
    /// How many scripts were parsed.
    checked: usize,
    /// How many were to be.
    total: usize,
    /// Whether there are more errors than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// The script.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// What the engine says.
    message: String,
    /// How bad it is.
    #[serde(rename = "type")]
    kind: MessageKind,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let scripts = match &input.script_path {
        Some(text) => vec![script(&godot, text)?],
        None => godot.index.of_kind(FileKind::Script).map(|file| file.path.clone()).collect(),
    };
    let program = godot.program()?;
    let found = check_scripts(&godot, &program, &scripts)?;
    let count = |kind| found.problems.iter().filter(|problem| problem.kind == kind).count();
    let (error_count, warning_count) = (count(MessageKind::Error), count(MessageKind::Warning));
    let truncated = found.problems.len() > MAX_PROBLEMS;
    let told = found.problems.into_iter().take(MAX_PROBLEMS).map(|problem| Found {
        file: problem.file,
        line: problem.line,
        message: problem.text,
        kind: problem.kind,
    });
    Ok(Output {
        success: true,
        script_path: input.script_path.is_some().then(|| format!("res://{}", scripts[0])),
        source: "cli".to_owned(),
        valid: error_count == 0,
        error_count,
        warning_count,
        errors: told.collect(),
        checked: found.checked,
        total: scripts.len(),
        truncated,
    })
}

fn script(godot: &Godot<'_>, text: &str) -> Result<String, ToolError> {
    let path = godot.path(text)?;
    if !path.as_str().ends_with(".gd") {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{path} is no GDScript, and the engine parses only that here"),
        ));
    }
    if !godot.exists(&path) {
        return Err(godot.no_script(&path));
    }
    Ok(path.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn what_is_no_script_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        let refuse = |path: &str| sample.error(super::TOOL.id, json!({ "scriptPath": path }));
        assert_eq!(
            refuse("nope.gd"),
            "script not found: nope.gd; there is autoload/game_state.gd, scripts/coin_settings.gd, \
             scripts/coin.gd, scripts/main.gd, scripts/actor.gd, scripts/player.gd"
        );
        assert_eq!(
            refuse("icon.svg"),
            "icon.svg is no GDScript, and the engine parses only that here"
        );
    }
}
