//! The tool `godotAsset.reimportAssets`, which MCP clients call `reimport_assets`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{Products, reimport};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAsset.reimportAssets",
    keywords: "import again rescan imports refresh settings filter compression changed mipmaps texture",
    mcp: Some("reimport_assets"),
    title: "Reimport Assets",
    notes: Some(
        "Method touch runs Godot's importer, and with it the project's editor plugins; it imports what is new in the project as well. Method delete_import works on files alone: uid and import settings are lost, and Godot makes new ones when it imports next.",
    ),
    category: "godot.asset",
    // The editor's plugins are the project's code.
    safety: Safety::Destructive,
    runs: Runs::AndWrites,
    idempotent: true,
    limits: Limits { timeout: Duration::from_secs(620), ..Limits::DEFAULT },
    needs: Needs::Program,
    examples: &[
        Example {
            description: "Import the tiles again, with the settings they have",
            input: r#"{ "projectPath": "godot", "assetPaths": ["res://art/tiles.png"] }"#,
            output: r#"{
            "success": true,
            "method": "touch",
            "total": 1,
            "results": [
                {
                    "path": "res://art/tiles.png",
                    "action": "imported again",
                    "files": ["res://.godot/imported/tiles.png-4bebe0e5cdfc7faf322603713a4a3f81.ctex"]
                }
            ],
            "dryRun": false,
            "filesChanged": 0,
            "changes": []
        }"#,
            varies: &[],
        },
        Example {
            description: "See what would go if the tiles were imported afresh",
            input: r#"{
            "projectPath": "godot",
            "assetPaths": ["res://art/tiles.png"],
            "method": "delete_import",
            "dryRun": true
        }"#,
            output: r#"{
            "success": true,
            "method": "delete_import",
            "total": 1,
            "results": [
                { "path": "res://art/tiles.png", "action": "import file deleted", "uid": "uid://d3e45u6gwk2sl" }
            ],
            "dryRun": true,
            "filesChanged": 1,
            "changes": []
        }"#,
            varies: &["changes", "undo"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Have assets imported again. `touch` runs Godot and keeps their settings; `delete_import` deletes
/// their .import files, so that Godot imports them with default settings and a new uid next time.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The assets: `res://icon.png`.
    #[schemars(length(min = 1, max = 1000))]
    asset_paths: Vec<String>,
    /// How.
    #[serde(default)]
    method: Method,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    #[default]
    Touch,
    DeleteImport,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How it was done.
    method: Method,
    /// How many assets.
    total: usize,
    /// What was done to each.
    results: Vec<Reimported>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Reimported {
    /// The asset.
    path: String,
    /// What was done.
    action: &'static str,
    /// The uid that is lost; scenes that use it find the asset by its path.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    /// What Godot made of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut assets = Vec::new();
    for text in &input.asset_paths {
        assets.push(asset(&godot, text)?);
    }
    assets.sort();
    assets.dedup();
    let (results, imports) = match input.method {
        Method::Touch => (touch(&godot, &assets, input.write)?, Vec::new()),
        Method::DeleteImport => {
            (assets.iter().map(|p| forgotten(&godot, p)).collect(), imports(&godot, &assets)?)
        }
    };
    let mut plan = Plan::new(godot.project);
    for (path, bytes) in &imports {
        plan.remove(path, bytes);
    }
    Ok(Output {
        success: true,
        method: input.method,
        total: results.len(),
        results,
        written: saved(&godot, plan, input.write)?,
    })
}

/// Let the engine import; it writes what it makes by itself.
fn touch(
    godot: &Godot<'_>,
    assets: &[ProjectPath],
    write: Write,
) -> Result<Vec<Reimported>, ToolError> {
    if godot.cx.stage().is_some() {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "assets cannot be imported in a batch: Godot sees no file before the batch is done",
        )
        .hint("call reimport_assets afterwards"));
    }
    let products: Vec<Products> =
        assets.iter().map(|asset| Products::of(godot, asset)).collect::<Result<_, _>>()?;
    match write.dry_run {
        true => drop(godot.program()?),
        false => reimport(godot, &products)?,
    }
    let result = |(path, products): (&ProjectPath, &Products)| Reimported {
        path: format!("res://{path}"),
        action: "imported again",
        uid: None,
        files: products.files(),
    };
    Ok(assets.iter().zip(&products).map(result).collect())
}

/// The settings of assets.
fn imports(
    godot: &Godot<'_>,
    assets: &[ProjectPath],
) -> Result<Vec<(ProjectPath, Vec<u8>)>, ToolError> {
    let read = |path: &ProjectPath| {
        let import = godot.path(&format!("{path}.import"))?;
        let bytes = godot.read(&import)?;
        Ok((import, bytes))
    };
    assets.iter().map(read).collect()
}

fn forgotten(godot: &Godot<'_>, path: &ProjectPath) -> Reimported {
    Reimported {
        path: format!("res://{path}"),
        action: "import file deleted",
        uid: godot.index.uid_of(path.as_str()).map(str::to_owned),
        files: Vec::new(),
    }
}

/// An asset that has been imported.
fn asset(godot: &Godot<'_>, text: &str) -> Result<ProjectPath, ToolError> {
    let path = godot.path(text)?;
    if !godot.exists(&path) {
        return Err(
            ToolError::not_found("file", path.as_str()).hint("list_assets shows what is there")
        );
    }
    if !godot.exists(&godot.path(&format!("{path}.import"))?) {
        return Err(ToolError::new(
            ErrorKind::EngineError,
            format!("{path} has no .import file: Godot has not imported it yet"),
        )
        .hint("Godot does so when the project is opened next"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn the_import_file_goes_and_can_come_back() {
        let sample = GodotSample::new();
        let before = sample.read("icon.svg.import");
        let arguments =
            json!({ "assetPaths": ["icon.svg", "res://icon.svg"], "method": "delete_import" });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!((&output["total"], &output["filesChanged"]), (&json!(1), &json!(1)));
        assert!(!sample.path("icon.svg.import").exists());
        assert!(output["undo"].is_number());
        sample.undo();
        assert_eq!(sample.read("icon.svg.import"), before);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let sample = GodotSample::new();
        sample.write("new.png", "x");
        sample.write("raw.png", "x");
        sample.write("raw.png.import", "[remap]\n\nimporter=\"keep\"\n");
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        expect!["file not found: none.svg; list_assets shows what is there"]
            .assert_eq(&refuse(json!({ "assetPaths": ["none.svg"] })));
        expect!["new.png has no .import file: Godot has not imported it yet; Godot does so when the project is opened next"].assert_eq(&refuse(json!({ "assetPaths": ["new.png"], "method": "delete_import" })));
        expect!["raw.png.import names nothing that Godot would make of raw.png; nothing was changed; it is kept as it is, or its last import failed"].assert_eq(&refuse(json!({ "assetPaths": ["raw.png"] })));
    }
}
