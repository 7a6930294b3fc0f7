//! The tool `godotEngine.runProject`, which MCP clients call `run_project`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Runs, Safety, ToolError};
use scenewright_live::godot::{Game, GameState, StreamName, has_screen, no_screen};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A game that cannot start says so within this time.
const FIRST_LOOK: Duration = Duration::from_secs(2);

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.runProject",
    keywords: "run play start the game",
    mcp: Some("run_project"),
    title: "Run Godot Project",
    notes: Some(
        "Runs the project's code on the machine of the server. One game runs at a time; it ends with the server.",
    ),
    category: "godot.engine",
    lean: true,
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Program,
    examples: &[Example {
        description: "Run one scene without a window",
        input: r#"{ "projectPath": "godot", "scene": "res://scenes/level.tscn", "headless": true }"#,
        output: r#"{
            "success": true,
            "running": true,
            "pid": 4711,
            "scene": "res://scenes/level.tscn",
            "headless": true,
            "replaced": false,
            "dryRun": false
        }"#,
        varies: &["pid"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run the game, or one scene of it, and keep what it prints for get_debug_output. A game that
/// still runs is ended first.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The scene to run; the main scene by default.
    scene: Option<String>,
    /// Run without a window; by default where there is no screen.
    headless: Option<bool>,
    /// Tell what would be run instead of running it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether it still runs two seconds later.
    running: bool,
    /// The id of its process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// The code that it ended with, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// The scene; absent for the main scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<String>,
    /// Whether it has no window.
    headless: bool,
    /// Whether a game that ran before was ended.
    replaced: bool,
    /// Whether this was only tried.
    dry_run: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let (scene, start) = scene_path(&godot, input.scene.as_deref())?;
    let program = godot.program()?;
    godot.warn_unless_imported();
    let headless = input.headless.unwrap_or_else(|| !has_screen());
    let mut output = Output {
        success: true,
        running: false,
        pid: None,
        exit_code: None,
        scene: scene.clone(),
        headless,
        replaced: false,
        dry_run: input.dry_run,
    };
    if input.dry_run {
        return Ok(output);
    }
    let mut command = match headless {
        true => program.headless(&godot.project.root),
        false => program.on(&godot.project.root),
    };
    command.arg(start);
    let (game, replaced) = godot.godot.games.start(command, scene)?;
    output.pid = Some(game.id);
    output.replaced = replaced;
    match game.wait(FIRST_LOOK, cx.cancel()) {
        GameState::Running => output.running = true,
        GameState::Ended(Some(0)) => output.exit_code = Some(0),
        GameState::Ended(code) => return Err(failed(&game, code)),
    }
    Ok(output)
}

/// The scene that was asked for, and the path of the one to start with. The main scene is named, too:
/// the engine finds it by its uid only in a project that was imported.
fn scene_path(
    godot: &Godot<'_>,
    wanted: Option<&str>,
) -> Result<(Option<String>, String), ToolError> {
    let Some(wanted) = wanted else {
        let facts =
            godot.godot.settings.facts().map_err(scenewright_toolkit::workspace::unreadable)?;
        let Some(main) = facts.main_scene else {
            return Err(ToolError::new(ErrorKind::EngineError, "the project has no main scene")
                .hint("give a scene, or set application/run/main_scene"));
        };
        let found = godot.index.find(&main);
        let found = found.ok_or_else(|| ToolError::not_found("main scene", &main))?;
        return Ok((None, found.res_path()));
    };
    let path = godot.path(wanted)?;
    if !godot.exists(&path) {
        return Err(ToolError::not_found("scene", path.as_str())
            .hint("list_scenes shows the scenes of the project"));
    }
    let scene = format!("res://{path}");
    Ok((Some(scene.clone()), scene))
}

fn failed(game: &Game, code: Option<i32>) -> ToolError {
    game.output.settle(Duration::from_secs(1));
    let errors: Vec<String> = game
        .output
        .since(0)
        .into_iter()
        .filter(|line| line.stream == StreamName::Stderr)
        .map(|line| line.text)
        .collect();
    let words = errors[errors.len().saturating_sub(20)..].join("\n");
    if let Some(error) = no_screen(&errors.join("\n")) {
        return error;
    }
    let how = code.map_or("was ended".to_owned(), |code| format!("ended with code {code}"));
    ToolError::failed(format!("the game {how} at once:\n{words}"))
        .hint("get_debug_output has all that it said")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn what_is_not_there_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        let error = sample.error(super::TOOL.id, json!({ "scene": "nope.tscn" }));
        assert_eq!(
            error,
            "scene not found: nope.tscn; list_scenes shows the scenes of the project"
        );
        sample.write("project.godot", "config_version=5\n");
        let error = sample.error(super::TOOL.id, json!({}));
        assert_eq!(
            error,
            "the project has no main scene; give a scene, or set application/run/main_scene"
        );
    }
}
