//! The tool `godotEngine.generateDocs`, which MCP clients call `generate_docs`.

use std::fs;
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_godot::FileKind;
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{Scratch, place_for_scripts};
use scenewright_tools_godot::base::{InGodot, InProject, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.generateDocs",
    keywords: "api reference comments xml doc documentation",
    mcp: Some("generate_docs"),
    title: "Generate Godot Script Documentation",
    notes: Some(
        "The engine writes XML only; Godot's own make_rst.py turns that into reStructuredText. Loading scripts runs their static initializers.",
    ),
    category: "godot.engine",
    safety: Safety::Destructive,
    runs: Runs::AndWrites,
    dry_runs: true,
    limits: Limits { timeout: Duration::from_secs(200), ..Limits::DEFAULT },
    needs: Needs::Program,
    examples: &[Example {
        description: "Document the scripts of the sample",
        input: r#"{ "projectPath": "godot", "outputPath": "docs" }"#,
        output: r#"{
            "success": true,
            "outputPath": "docs",
            "format": "xml",
            "classCount": 6,
            "files": [
                "docs/Actor.xml",
                "docs/Coin.xml",
                "docs/CoinSettings.xml",
                "docs/GameState.xml",
                "docs/Player.xml",
                "docs/scripts--main.gd.xml"
            ],
            "dryRun": false,
            "filesChanged": 6,
            "changes": []
        }"#,
        varies: &["classCount", "files", "filesChanged", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let the engine write the documentation of the project's scripts, from their `##` comments, one
/// file a class.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Folder of the project for the files.
    #[serde(default = "docs")]
    output_path: String,
    /// The form; the engine writes `xml` only.
    #[serde(default)]
    format: Format,
    #[serde(flatten)]
    write: Write,
}

fn docs() -> String {
    "docs".to_owned()
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// What the engine writes.
    #[default]
    Xml,
    /// Not written by the engine.
    Rst,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder.
    output_path: String,
    /// The form.
    format: Format,
    /// How many classes are documented.
    class_count: usize,
    /// The files, sorted.
    files: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    if input.format == Format::Rst {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "Godot writes its documentation as XML only",
        )
        .hint("leave format out; make_rst.py of Godot's sources turns XML into rst"));
    }
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let folder = godot.path(&input.output_path)?;
    let program = godot.program()?;
    let scratch = Scratch::new()?;
    let place = place_for_scripts(&godot)?;
    let mut command = program.headless(place.path());
    command.arg("--doctool").arg(scratch.path()).args(["--gdscript-docs", "res://"]);
    // A main scene that is known by its uid is looked up even here, and only an import knows it.
    let scene = godot.index.of_kind(FileKind::Scene).next().map(|file| file.res_path());
    command.args(scene);
    let finished = program.run(command, Duration::from_secs(180), cx.cancel())?;
    let names: Vec<String> =
        scratch.files().into_iter().filter(|name| name.ends_with(".xml")).collect();
    if !finished.is_success() || names.is_empty() {
        return Err(ToolError::failed(format!(
            "Godot {} and wrote {} files:\n{}",
            finished.how(),
            names.len(),
            finished.last_words(12)
        )));
    }
    let mut changes = Vec::new();
    for name in &names {
        let path = godot.path(&format!("{folder}/{name}"))?;
        let before = godot.exists(&path).then(|| godot.read(&path)).transpose()?;
        let after = fs::read(scratch.path().join(name)).map_err(|error| {
            ToolError::failed(format!("what Godot wrote cannot be read: {error}"))
        })?;
        changes.push((path, before, after));
    }
    let mut plan = Plan::new(godot.project);
    for (path, before, after) in &changes {
        plan.write(path, before.as_deref(), after.clone());
    }
    Ok(Output {
        success: true,
        output_path: folder.to_string(),
        format: input.format,
        class_count: names.len(),
        files: changes.iter().map(|(path, ..)| path.to_string()).collect(),
        written: saved(&godot, plan, input.write)?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn what_the_engine_does_not_write_is_said() {
        let error = GodotSample::new().error(super::TOOL.id, json!({ "format": "rst" }));
        assert!(error.starts_with("Godot writes its documentation as XML only; "), "{error}");
    }
}
