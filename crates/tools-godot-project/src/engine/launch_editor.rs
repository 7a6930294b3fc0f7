//! The tool `godotEngine.launchEditor`, which MCP clients call `launch_editor`.

use std::process::Stdio;
use std::time::{Duration, Instant};

use scenewright_contract::{Runs, Safety, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An editor that cannot start says so within this time.
const FIRST_LOOK: Duration = Duration::from_secs(3);

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.launchEditor",
    keywords: "open project in the editor gui start godot",
    mcp: Some("launch_editor"),
    title: "Launch Godot Editor",
    notes: Some(
        "Opens a window on the machine of the server, and stays open when the server ends. Opening a project imports its assets and runs its editor plugins.",
    ),
    category: "godot.engine",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Program,
    examples: &[Example {
        description: "See what would be started",
        input: r#"{ "projectPath": "godot", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "engine": "/usr/bin/godot",
            "version": "4.6.3.stable.official",
            "path": "/home/me/games/godot",
            "dryRun": true
        }"#,
        varies: &["engine", "version", "path"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Open the project in the Godot editor.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Tell what would be started instead of starting it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The program.
    engine: String,
    /// Its version.
    version: String,
    /// The project's folder.
    path: String,
    /// The id of the editor's process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// Whether this was only tried.
    dry_run: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let program = godot.program()?;
    let mut command = program.on(&godot.project.root);
    command.arg("--editor");
    // It outlives the server, so nobody would read what it writes.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut pid = None;
    if !input.dry_run {
        let mut child = command.spawn().map_err(|error| {
            ToolError::failed(format!("{} could not be started: {error}", program.path.display()))
        })?;
        let until = Instant::now() + FIRST_LOOK;
        while Instant::now() < until {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(ToolError::failed(format!("the editor ended at once: {status}"))
                    .hint("it needs a screen; run it by hand to see what it says"));
            }
            if cx.cancel().wait(Duration::from_millis(50)) {
                break;
            }
        }
        pid = Some(child.id());
        // Somebody must take note of its end, or it stays in the system's list.
        std::thread::spawn(move || child.wait());
    }
    Ok(Output {
        success: true,
        engine: program.path.display().to_string(),
        version: program.version,
        path: godot.project.root.display().to_string(),
        pid,
        dry_run: input.dry_run,
    })
}
