//! The tool `godotLive.status`, which MCP clients call `live_status`.

use std::collections::BTreeMap;

use scenewright_contract::ToolError;
use scenewright_live::godot::Side;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, USUAL, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLive.status",
    keywords: "is the editor open running game connected link open scenes unsaved changes selection playing which scene state now",
    mcp: Some("live_status"),
    title: "Live Status",
    category: "godot.live",
    examples: &[Example {
        description: "See whether an editor or a game runs",
        input: r#"{ "projectPath": "godot" }"#,
        output: r#"{ "running": [], "problems": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell which Godot editors and games of the project run with the addon, the scenes that are open and
/// unsaved, the selection, and what plays.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Every editor and game that is linked.
    running: Vec<Running>,
    /// What is there and cannot be used, and why.
    problems: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Running {
    /// An editor or a game.
    side: Side,
    /// Its process.
    process: u32,
    /// Its version of Godot.
    #[serde(skip_serializing_if = "Option::is_none")]
    godot: Option<String>,
    /// Why it cannot be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(flatten)]
    editor: Option<EditorState>,
    #[serde(flatten)]
    game: Option<GameState>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EditorState {
    /// The open scenes, as the tabs are.
    scenes: Vec<SceneState>,
    /// The selected nodes, from the root of the scene that is shown.
    selection: Vec<String>,
    /// Whether it plays the game.
    is_playing: bool,
    /// Whether it reads the files of the project.
    is_scanning: bool,
    /// Dialogs that wait for a person.
    dialogs: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SceneState {
    /// The scene.
    scene: String,
    /// Whether it is the one that is shown.
    is_active: bool,
    /// Whether it has changes that are not in its file; absent where that cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is_unsaved: Option<bool>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GameState {
    /// The scene that runs.
    scene: String,
    /// The path of its root.
    root: String,
    /// Whether it is paused.
    is_paused: bool,
    /// How fast its time goes.
    time_scale: f64,
    /// Frames so far.
    frame: u64,
    /// Frames in a second.
    fps: f64,
    /// How many nodes there are.
    nodes: u64,
    /// Whether it has no window.
    is_headless: bool,
    /// How many nodes each group has.
    #[serde(default)]
    groups: BTreeMap<String, u64>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let (states, problems) = godot.godot.links.states();
    let mut running = Vec::new();
    for state in states {
        let which =
            InLive { project_path: input.project.project_path.clone(), process: Some(state.pid) };
        let mut one = Running {
            side: state.side,
            process: state.pid,
            godot: state.godot,
            problem: state.problem,
            editor: None,
            game: None,
        };
        if one.problem.is_none()
            && let Err(error) = ask(cx, &which, &mut one)
        {
            one.problem = Some(error.message);
        }
        running.push(one);
    }
    Ok(Output { running, problems })
}

fn ask(cx: &Cx, which: &InLive, one: &mut Running) -> Result<(), ToolError> {
    let asked = find(cx, which, one.side)?;
    match one.side {
        Side::Editor => one.editor = Some(asked.ask("state", &json!({}), USUAL)?),
        Side::Game => {
            let mut state: GameState = asked.ask("state", &json!({}), USUAL)?;
            #[derive(Deserialize)]
            struct Groups {
                groups: BTreeMap<String, u64>,
            }
            state.groups = asked.ask::<Groups>("groups", &json!({}), USUAL)?.groups;
            one.game = Some(state);
        }
    }
    Ok(())
}
