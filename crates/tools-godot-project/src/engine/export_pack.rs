//! The tool `godotEngine.exportPack`, which MCP clients call `export_pack`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{Export, export};
use scenewright_tools_godot::base::{InGodot, InProject, Write};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.exportPack",
    keywords: "pck zip dlc mod patch data only",
    mcp: Some("export_pack"),
    title: "Export Godot Pack",
    notes: Some(
        "Needs no export templates. The engine works in a temporary copy of the project, which is imported once and kept for the next call.",
    ),
    category: "godot.engine",
    safety: Safety::Destructive,
    runs: Runs::AndWrites,
    limits: Limits { timeout: Duration::from_secs(620), ..Limits::DEFAULT },
    needs: Needs::Program,
    examples: &[Example {
        description: "See whether the preset and the place are right",
        input: r#"{ "projectPath": "godot", "preset": "Linux", "outputPath": "build/game.pck", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "preset": "Linux",
            "format": "pck",
            "outputPath": "/home/me/games/godot/build/game.pck",
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

/// Export only the data of the game, as a `.pck` or `.zip`. It counts as done only when the engine
/// says so and a new file is there.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The name of the preset; list_export_presets shows them.
    preset: String,
    /// The file to make, `.pck` or `.zip`: from the project's root, or a whole path beside it.
    output_path: String,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The preset.
    preset: String,
    /// `pck` or `zip`.
    format: String,
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
    let format = input.output_path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    if !["pck", "zip"].contains(&&*format) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{} ends neither in .pck nor in .zip", input.output_path),
        ));
    }
    let exported = export(
        &godot,
        &Export {
            preset: &input.preset,
            output: &input.output_path,
            flag: "--export-pack",
            timeout: Duration::from_secs(600),
            dry_run: input.write.dry_run,
        },
    )?;
    Ok(Output {
        success: true,
        preset: input.preset,
        format,
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
    fn another_kind_of_file_is_refused() {
        let arguments = json!({ "preset": "Linux", "outputPath": "build/game.exe" });
        let error = GodotSample::new().error(super::TOOL.id, arguments);
        assert_eq!(error, "build/game.exe ends neither in .pck nor in .zip");
    }
}
