//! The tool `godotEngine.stopProject`, which MCP clients call `stop_project`.

use std::time::Duration;

use scenewright_contract::{Runs, Safety, ToolError};
use scenewright_live::godot::{GameState, StreamName};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InProject, game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many lines of each stream are returned.
const LAST_LINES: usize = 100;

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.stopProject",
    keywords: "kill end quit close terminate running game",
    mcp: Some("stop_project"),
    title: "Stop Godot Project",
    category: "godot.engine",
    safety: Safety::Destructive,
    runs: Runs::Only,
    needs: Needs::Program,
    examples: &[Example {
        description: "End the game that runs",
        input: "{}",
        output: r#"{
            "success": true,
            "project": "godot",
            "message": "the game was ended",
            "finalOutput": ["Godot Engine v4.6.3.stable.official - https://godotengine.org", ""],
            "finalErrors": []
        }"#,
        varies: &["finalOutput", "finalErrors"],
    }],
    after: super::GAME_RUNS,
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// End the game that run_project started. Its output stays readable with get_debug_output.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The project whose game it was.
    project: String,
    /// What was done.
    message: String,
    /// The code that it had ended with by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// The last lines that it printed, at most 100.
    final_output: Vec<String>,
    /// The last lines of its errors, at most 100.
    final_errors: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let (godot, game) = game(cx, input.project.project_path.as_deref())?;
    let was_running = game.end();
    game.output.settle(Duration::from_secs(1));
    let exit_code = match game.state() {
        GameState::Ended(code) if !was_running => code,
        _ => None,
    };
    let lines = game.output.since(0);
    let last = |stream: StreamName| {
        let own = lines.iter().filter(|line| line.stream == stream);
        let texts: Vec<String> = own.map(|line| line.text.clone()).collect();
        texts[texts.len().saturating_sub(LAST_LINES)..].to_vec()
    };
    let message = match was_running {
        true => "the game was ended",
        false => "the game had ended already",
    };
    Ok(Output {
        success: true,
        project: godot.project.id.to_string(),
        message: message.to_owned(),
        exit_code,
        final_output: last(StreamName::Stdout),
        final_errors: last(StreamName::Stderr),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn without_a_game_nothing_is_ended() {
        let sample = GodotSample::new();
        for arguments in [json!({}), json!({ "projectPath": sample.root() })] {
            let error = sample.error(super::TOOL.id, arguments);
            assert_eq!(error, "no game was started by this server; run_project starts one");
        }
    }
}
