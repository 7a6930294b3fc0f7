//! The tool `godotEngine.exportProject`, which MCP clients call `export_project`.

use std::time::Duration;

use scenewright_contract::{Limits, Runs, Safety, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{Export, export};
use scenewright_tools_godot::base::{InGodot, InProject, Write};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.exportProject",
    keywords: "android windows web linux mac ios build release publish binary executable apk html5 deploy ship exe export game",
    mcp: Some("export_project"),
    title: "Export Godot Project",
    notes: Some(
        "Needs the export templates of the engine's version. The engine works in a temporary copy of the project, which is imported once and kept for the next call.",
    ),
    category: "godot.engine",
    safety: Safety::Destructive,
    runs: Runs::AndWrites,
    limits: Limits { timeout: Duration::from_secs(620), ..Limits::DEFAULT },
    needs: Needs::Program,
    examples: &[Example {
        description: "See whether the preset and the place are right",
        input: r#"{ "projectPath": "godot", "preset": "Linux", "outputPath": "build/game.x86_64", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "preset": "Linux",
            "mode": "release",
            "outputPath": "/home/me/games/godot/build/game.x86_64",
            "engineVersion": "4.6.3.stable.official",
            "dryRun": true
        }"#,
        varies: &["outputPath", "engineVersion"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Export the game with one of its presets. It counts as done only when the engine says so and a new
/// file is there.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The name of the preset; list_export_presets shows them.
    preset: String,
    /// The file to make: from the project's root, or a whole path beside the project.
    output_path: String,
    /// How to build it.
    #[serde(default)]
    mode: Mode,
    #[serde(flatten)]
    write: Write,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// For players.
    #[default]
    Release,
    /// With a console and checks.
    Debug,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The preset.
    preset: String,
    /// How it was built.
    mode: Mode,
    /// The file.
    output_path: String,
    /// Its size; absent when this was only tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// The version of the engine.
    engine_version: String,
    /// Whether this was only tried.
    dry_run: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let exported = export(
        &godot,
        &Export {
            preset: &input.preset,
            output: &input.output_path,
            flag: match input.mode {
                Mode::Release => "--export-release",
                Mode::Debug => "--export-debug",
            },
            timeout: Duration::from_secs(600),
            dry_run: input.write.dry_run,
        },
    )?;
    Ok(Output {
        success: true,
        preset: input.preset,
        mode: input.mode,
        output_path: exported.path.display().to_string(),
        bytes: exported.bytes,
        engine_version: exported.engine,
        dry_run: input.write.dry_run,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_wrong_preset_or_place_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::inside("games");
        let refuse = |preset: &str, path: &str| {
            sample.error(super::TOOL.id, json!({ "preset": preset, "outputPath": path }))
        };
        assert_eq!(
            refuse("Linus", "build/a"),
            "there is no export preset 'Linus'; did you mean Linux?"
        );
        assert!(refuse("Linux", "../../a").starts_with("Path must be inside the project: "));
        let outside = std::env::temp_dir().join("a.x86_64");
        let error = refuse("Linux", outside.to_str().unwrap());
        assert!(error.starts_with("That folder is not open here: "), "{error}");
        assert!(refuse("Linux", "scenes").ends_with("is a folder, and a file is to be written"));
    }
}
