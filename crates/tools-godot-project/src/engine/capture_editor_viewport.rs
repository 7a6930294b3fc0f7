//! The tool `godotEngine.captureEditorViewport`, which MCP clients call `capture_editor_viewport`.

use scenewright_contract::{ErrorKind, Runs, Safety, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.captureEditorViewport",
    keywords: "editor window 3d view picture viewport screenshot shows",
    mcp: Some("capture_editor_viewport"),
    title: "Capture Editor Viewport",
    notes: Some(
        "Needs a link to a running editor, which this version does not have; take_screenshot takes a picture of a running scene.",
    ),
    category: "godot.engine",
    safety: Safety::SafeWrite,
    runs: Runs::Only,
    needs: Needs::Editor,
    examples: &[Example {
        description: "Take a picture of the 2D viewport",
        input: r#"{ "projectPath": "godot", "viewport": "2d" }"#,
        output: r#"{
            "success": true,
            "path": "screenshots/editor_viewport.png",
            "viewport": "2d",
            "width": 1280,
            "height": 720
        }"#,
        varies: &["width", "height"],
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
    #[serde(default, rename = "viewport")]
    _viewport: Viewport,
    /// The file to make.
    #[serde(default = "usual", rename = "outputPath")]
    _output_path: String,
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
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    Err(ToolError::new(
        ErrorKind::NotReady,
        format!(
            "no editor is connected for {}, and only a running one has a viewport",
            godot.project.id
        ),
    )
    .hint("take_screenshot runs a scene and takes a picture of it, without the editor"))
}
