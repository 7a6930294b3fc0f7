//! The tool `godotEngine.captureEditorViewport`, which MCP clients call `capture_editor_viewport`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, Picture, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An editor draws when its turn comes.
const DRAW_TIME: Duration = Duration::from_secs(30);
/// Pictures are as large as the view, up to this.
const MAX_SIZE: u32 = 4096;

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.captureEditorViewport",
    keywords: "editor window 3d view picture viewport screenshot shows",
    mcp: Some("capture_editor_viewport"),
    title: "Capture Editor Viewport",
    notes: Some(
        "Needs a running editor with the addon; take_screenshot takes a picture of a running scene, live_picture shows one without a file.",
    ),
    category: "godot.engine",
    safety: Safety::SafeWrite,
    needs: Needs::Editor,
    examples: &[Example {
        description: "Take a picture of the 2D viewport",
        input: r#"{ "projectPath": "godot", "viewport": "2d" }"#,
        output: r#"{
            "success": true,
            "path": "screenshots/editor_viewport.png",
            "viewport": "2d",
            "width": 1280,
            "height": 720,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["width", "height", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Save what the 2D or 3D viewport of a running editor shows as a PNG.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Which viewport.
    #[serde(default)]
    viewport: Viewport,
    /// The file to make.
    #[serde(default = "usual")]
    output_path: String,
    #[serde(flatten)]
    write: Write,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
enum Viewport {
    /// The 2D view.
    #[default]
    #[serde(rename = "2d")]
    Two,
    /// The 3D view.
    #[serde(rename = "3d")]
    Three,
}

fn usual() -> String {
    "screenshots/editor_viewport.png".to_owned()
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The picture, from the project's root.
    path: String,
    /// Which viewport.
    viewport: Viewport,
    /// In pixels.
    width: u32,
    /// In pixels.
    height: u32,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.new_path(&input.output_path, &["png"])?;
    let peer = godot.godot.links.peer(Side::Editor, None)?;
    let of = json!({ "of": input.viewport, "most": MAX_SIZE });
    let Value::Object(params) = of else { return Err(ToolError::failed("no question")) };
    let said = peer.call("picture", params, DRAW_TIME, cx.cancel())?;
    let picture: Picture = serde_json::from_value(said)
        .map_err(|error| ToolError::new(ErrorKind::EngineError, format!("no picture: {error}")))?;
    let bytes = picture.bytes()?;
    let before = godot.exists(&path).then(|| godot.read(&path)).transpose()?;
    let mut plan = Plan::new(godot.project);
    plan.write(&path, before.as_deref(), &bytes);
    let written = saved(&godot, plan, input.write)?;
    picture.show(cx)?;
    Ok(Output {
        success: true,
        path: path.to_string(),
        viewport: input.viewport,
        width: picture.width,
        height: picture.height,
        written,
    })
}
