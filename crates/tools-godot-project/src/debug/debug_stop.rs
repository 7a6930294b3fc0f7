//! The tool `godotDebug.debugStop`, which MCP clients call `debug_stop`.

use scenewright_contract::{Runs, Safety, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotDebug.debugStop",
    keywords: "end quit terminate debugger session kill game under debug",
    mcp: Some("debug_stop"),
    title: "Stop Debugging Godot Game",
    category: "godot.debug",
    safety: Safety::Destructive,
    runs: Runs::Only,
    needs: Needs::Program,
    examples: &[Example {
        description: "End the game that is being debugged",
        input: r#"{ "projectPath": "godot" }"#,
        output: r#"{ "success": true, "wasRunning": true }"#,
        varies: &[],
    }],
    after: super::GAME_WAITS,
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// End the game that is being debugged, and with `editor` the headless editor, too.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// End the headless editor as well, which is else kept for ten minutes.
    #[serde(default)]
    editor: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether the game still ran.
    was_running: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut entered = godot.debugged()?;
    let ended = entered.workshop().debugging.take();
    let was_running = ended.is_some_and(|debugging| debugging.game.end());
    drop(entered);
    if input.editor {
        godot.godot.workshops.end(&godot.godot.editors);
    }
    Ok(Output { success: true, was_running })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn without_a_game_nothing_is_ended() {
        let sample = GodotSample::new();
        let error = sample.error(super::TOOL.id, json!({}));
        assert_eq!(error, "no game is being debugged; debug_start starts one");
    }
}
