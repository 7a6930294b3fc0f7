use scenewright_contract::{ErrorKind, Safety, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Plan, ProjectPath, Written};
use crate::godot::{Godot, InProject, Write, saved};
use crate::{Cx, Example, Tool, call, schema};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAsset.reimportAssets",
    mcp: Some("reimport_assets"),
    title: "Reimport Assets",
    notes: Some(
        "Godot imports a file again only when its content changed, so method touch needs the engine. Method delete_import works on files alone: uid and import settings are lost, and Godot makes new ones when it imports next.",
    ),
    category: "godot.asset",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
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
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Have assets imported again. `touch` keeps their settings and runs Godot; `delete_import` deletes
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
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut assets = Vec::new();
    for text in &input.asset_paths {
        assets.push(asset(&godot, text)?);
    }
    assets.sort();
    assets.dedup();
    if input.method == Method::Touch {
        return Err(engine_needed());
    }
    let mut files = Vec::new();
    for path in &assets {
        let import = godot.path(&format!("{path}.import"))?;
        files.push((godot.read(&import)?, import));
    }
    let mut plan = Plan::new(godot.project);
    for (bytes, import) in &files {
        plan.remove(import, bytes);
    }
    let results: Vec<Reimported> = assets
        .iter()
        .map(|path| Reimported {
            path: format!("res://{path}"),
            action: "import file deleted",
            uid: godot.index.uid_of(path.as_str()).map(str::to_owned),
        })
        .collect();
    Ok(Output {
        success: true,
        method: input.method,
        total: results.len(),
        results,
        written: saved(&godot, plan, input.write)?,
    })
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

/// Only Godot itself can import; there is no link to it here yet.
fn engine_needed() -> ToolError {
    ToolError::new(ErrorKind::EngineError, "importing with the settings kept needs Godot itself")
        .hint("set GODOT_PATH, open the project in the editor, or use method delete_import")
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
        sample.call("project_undoLast", json!({ "id": output["undo"] })).unwrap();
        assert_eq!(sample.read("icon.svg.import"), before);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let sample = GodotSample::new();
        sample.write("new.png", "x");
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        expect!["importing with the settings kept needs Godot itself; set GODOT_PATH, open the project in the editor, or use method delete_import"].assert_eq(&refuse(json!({ "assetPaths": ["icon.svg"] })));
        expect!["file not found: none.svg; list_assets shows what is there"]
            .assert_eq(&refuse(json!({ "assetPaths": ["none.svg"] })));
        expect!["new.png has no .import file: Godot has not imported it yet; Godot does so when the project is opened next"].assert_eq(&refuse(json!({ "assetPaths": ["new.png"], "method": "delete_import" })));
    }
}
