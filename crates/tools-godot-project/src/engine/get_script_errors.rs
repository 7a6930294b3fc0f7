//! The tool `godotEngine.getScriptErrors`, which MCP clients call `get_script_errors`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_godot::FileKind;
use scenewright_live::godot::MessageKind;
use scenewright_live::godot::lsp::DEFAULT_PORT;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{ScriptProblem, Server, check_scripts};
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
        "All scripts are told in one call by the language server of the editor that has this project open, or of a headless editor in a temporary copy, which takes some seconds to start and is kept for ten minutes. One script without any editor is parsed by the command line, without columns and with its static initializers run; where the project was not imported that is done in a copy without assets, and what is said of those is a warning.",
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

/// Compile GDScript: the engine parses one script, or all of the project at once, and tells syntax and type
/// errors by file, line and column.
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
    /// Who says it.
    source: Source,
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
#[serde(rename_all = "lowercase")]
enum Source {
    /// The engine's command line.
    Cli,
    /// The language server of an editor that has the project open.
    Editor,
    /// The language server of a headless editor in a copy of the project.
    Headless,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// The script.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The column, from 1, in characters: of the name that is meant where the engine says it, else of
    /// the line's first character. The command line tells none.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// What the engine says.
    message: String,
    /// How bad it is.
    #[serde(rename = "type")]
    kind: MessageKind,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let scripts = match &input.script_path {
        Some(text) => vec![godot.open_script(text)?.path.to_string()],
        None => godot.index.of_kind(FileKind::Script).map(|file| file.path.clone()).collect(),
    };
    // The policy is asked before anything is.
    godot.program()?;
    let (found, source, checked) = look(&godot, &scripts)?;
    let count = |kind| found.iter().filter(|problem| problem.kind == kind).count();
    let (error_count, warning_count) = (count(MessageKind::Error), count(MessageKind::Warning));
    if checked < scripts.len() {
        cx.diagnose(format!("{} scripts were not looked at", scripts.len() - checked));
    }
    Ok(Output {
        success: true,
        script_path: input.script_path.is_some().then(|| format!("res://{}", scripts[0])),
        source,
        valid: error_count == 0 && checked == scripts.len(),
        error_count,
        warning_count,
        truncated: found.len() > MAX_PROBLEMS,
        errors: found.into_iter().take(MAX_PROBLEMS).collect(),
        checked,
        total: scripts.len(),
    })
}

/// Everything that is wrong, who says so, and how many scripts were looked at.
fn look(godot: &Godot<'_>, scripts: &[String]) -> Result<(Vec<Found>, Source, usize), ToolError> {
    let is_worth_an_editor = scripts.len() > 1
        || godot.godot.workshops.is_open()
        || godot.open_editor(DEFAULT_PORT).is_some();
    if is_worth_an_editor {
        match godot.diagnose_scripts(scripts) {
            Ok(said) => {
                let source = match said.server {
                    Server::Editor => Source::Editor,
                    Server::Headless => Source::Headless,
                };
                return Ok((said.problems.into_iter().map(found).collect(), source, said.checked));
            }
            // The command line tells the same without columns.
            Err(error) if error.kind == ErrorKind::NotReady => godot.cx.diagnose(format!(
                "no editor answered, so each script was parsed by itself: {}",
                error.message
            )),
            Err(error) => return Err(error),
        }
    }
    let said = check_scripts(godot, &godot.program()?, scripts)?;
    let found = said.problems.into_iter().map(|problem| Found {
        file: problem.file,
        line: problem.line,
        column: None,
        message: problem.text,
        kind: problem.kind,
    });
    Ok((found.collect(), Source::Cli, said.checked))
}

fn found(problem: ScriptProblem) -> Found {
    Found {
        kind: problem.kind(),
        file: Some(problem.file),
        line: Some(problem.line),
        column: Some(problem.column),
        message: problem.text,
    }
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
