//! The tool `godotLive.picture`, which MCP clients call `live_picture`.

use scenewright_contract::ToolError;
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::Picture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{InLive, LONG, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLive.picture",
    keywords: "screenshot of the running game see what it looks like now viewport editor 2d 3d node image look",
    mcp: Some("live_picture"),
    title: "Live Picture",
    notes: Some("What runs without a window draws nothing, and this says so."),
    category: "godot.live",
    needs: Needs::Game,
    examples: &[Example {
        description: "See the player in the running game",
        input: r#"{ "projectPath": "godot", "nodePath": "Player" }"#,
        output: r#"{ "width": 64, "height": 64 }"#,
        varies: &["width", "height"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// See the running game, one node of it, or the editor's views; the answer has the picture.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// What to see.
    #[serde(default)]
    of: Of,
    /// Only the part of the game's screen where this node is.
    node_path: Option<String>,
    /// The longest side in pixels.
    #[serde(default = "most")]
    #[schemars(range(min = 16, max = 4096))]
    max_size: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Of {
    /// The running game.
    #[default]
    Game,
    /// The whole editor.
    Editor,
    /// The editor's 2D view.
    #[serde(rename = "2d")]
    Two,
    /// The editor's 3D view.
    #[serde(rename = "3d")]
    Three,
}

fn most() -> u32 {
    1024
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// In pixels.
    width: u32,
    /// In pixels.
    height: u32,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let side = if input.of == Of::Game { Side::Game } else { Side::Editor };
    let asked = find(cx, &input.live, side)?;
    let mut params = json!({ "of": input.of, "most": input.max_size });
    if let Some(path) = input.node_path {
        params["path"] = Value::from(path);
    }
    let picture: Picture = asked.ask("picture", &params, LONG)?;
    picture.show(cx)?;
    Ok(Output { width: picture.width, height: picture.height })
}
