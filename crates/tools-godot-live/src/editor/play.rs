//! The tool `godotEditor.play`, which MCP clients call `editor_play`.

use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, Runs, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::InGodot;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, LONG, find, scene_name};

/// A game that is going to be linked is so within this time.
const GAME_TIME: Duration = Duration::from_secs(15);
const LOOK: Duration = Duration::from_millis(100);

pub(crate) const TOOL: Tool = Tool {
    id: "godotEditor.play",
    keywords: "press play run main scene current scene stop the game from the editor f5 f6 f8",
    mcp: Some("editor_play"),
    title: "Editor Play",
    category: "godot.editor",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Editor,
    examples: &[Example {
        description: "Play the main scene from the editor",
        input: r#"{ "projectPath": "godot", "action": "main" }"#,
        output: r#"{ "success": true, "isPlaying": true, "scene": "res://scenes/main.tscn", "gameProcess": 4711 }"#,
        varies: &["gameProcess"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Play the main scene, the scene that is shown, or another one from the running editor, or stop the
/// game. A game that plays is stopped first.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// What to do.
    action: Action,
    /// For `scene`: which.
    scene_path: Option<String>,
    /// Tell what would happen instead.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// The main scene.
    Main,
    /// The scene that is shown.
    Current,
    /// The scene of `scenePath`.
    Scene,
    /// No game any more.
    Stop,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether a game plays now.
    is_playing: bool,
    /// The scene that it began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<String>,
    /// The process of the game, once it is linked.
    #[serde(skip_serializing_if = "Option::is_none")]
    game_process: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    is_playing: bool,
    #[serde(default)]
    scene: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, Side::Editor)?;
    let (method, scene) = match (input.action, &input.scene_path) {
        (Action::Stop, _) => ("stop", String::new()),
        (Action::Main, _) => ("play", String::new()),
        (Action::Current, _) => ("play", "current".to_owned()),
        (Action::Scene, Some(path)) => ("play", scene_name(path)),
        (Action::Scene, None) => {
            return Err(ToolError::new(ErrorKind::BadArguments, "scenePath is missing"));
        }
    };
    if input.dry_run {
        let is_playing = method == "play";
        return Ok(Output { success: true, is_playing, scene: Some(scene), game_process: None });
    }
    let before = games(cx, &input.live)?;
    let said: Said = asked.ask(method, &json!({ "scene": scene }), LONG)?;
    if method == "stop" {
        return match said.is_playing {
            false => {
                Ok(Output { success: true, is_playing: false, scene: None, game_process: None })
            }
            true => Err(ToolError::new(ErrorKind::EngineError, "the game does not stop")),
        };
    }
    if !said.is_playing {
        return Err(ToolError::new(ErrorKind::EngineError, "the editor did not start the game")
            .hint("live_log of: editor tells why; a project without a main scene asks a person"));
    }
    let game_process = came(cx, &input.live, &before)?;
    // The editor says that it plays as soon as it tried.
    let still: Said = asked.ask("state", &json!({}), LONG)?;
    if !still.is_playing {
        return Err(ToolError::new(ErrorKind::EngineError, "the game ended at once")
            .hint("live_log of: editor tells why; from an editor without a window a game needs [editor] run/main_run_args=\"--headless\""));
    }
    if game_process.is_none() {
        cx.diagnose("The game plays and is not linked; the addon's autoload is not in it, or it is still loading.");
    }
    Ok(Output { success: true, is_playing: true, scene: Some(said.scene), game_process })
}

fn games(cx: &Cx, live: &InLive) -> Result<Vec<u32>, ToolError> {
    let (states, _) = cx.godot(live.project_path.as_deref())?.godot.links.states();
    let games =
        states.into_iter().filter(|state| state.side == Side::Game && state.problem.is_none());
    Ok(games.map(|state| state.pid).collect())
}

/// The game that came since.
fn came(cx: &Cx, live: &InLive, before: &[u32]) -> Result<Option<u32>, ToolError> {
    let until = Instant::now() + GAME_TIME;
    while Instant::now() < until {
        let now = games(cx, live)?;
        if let Some(pid) = now.into_iter().find(|pid| !before.contains(pid)) {
            return Ok(Some(pid));
        }
        cx.check_cancelled()?;
        std::thread::sleep(LOOK);
    }
    Ok(None)
}
