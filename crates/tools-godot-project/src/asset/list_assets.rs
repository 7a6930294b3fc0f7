//! The tool `godotAsset.listAssets`, which MCP clients call `list_assets`.

use scenewright_contract::ToolError;
use scenewright_text::time;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{AssetKind, InGodot, InProject, Page, in_folder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAsset.listAssets",
    keywords: "which are not imported textures sounds images models fonts files of a kind pictures art music we have unimported",
    mcp: Some("list_assets"),
    title: "List Assets",
    category: "godot.asset",
    examples: &[Example {
        description: "Find the images of the sample",
        input: r#"{ "projectPath": "godot", "category": "texture" }"#,
        output: r#"{
            "success": true,
            "directory": "",
            "category": "texture",
            "count": 2,
            "assets": [],
            "summary": { "texture": 2, "audio": 0, "model": 0, "font": 0 }
        }"#,
        varies: &["assets"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the images, sounds, models and fonts of a project, and whether Godot has imported each.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Folder to look in; the whole project by default.
    #[serde(default)]
    directory: String,
    /// Whether to look into the folders below as well.
    #[serde(default = "yes")]
    recursive: bool,
    /// Kind of assets to list.
    #[serde(default)]
    category: Category,
    #[serde(flatten)]
    page: Page,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    #[default]
    All,
    Texture,
    Audio,
    Model,
    Font,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder, from the project's root.
    directory: String,
    /// The kind that was asked for.
    category: Category,
    /// How many there are.
    count: usize,
    /// The files, sorted by path.
    assets: Vec<Asset>,
    /// How many of each kind.
    summary: Summary,
    /// Pass this as `cursor` for the next ones; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Asset {
    /// The file.
    path: String,
    /// Its name without folders.
    name: String,
    /// What it is.
    category: AssetKind,
    /// Its extension.
    format: String,
    /// Size in bytes.
    size: u64,
    /// When it was changed.
    modified: String,
    /// Whether its .import is there.
    has_import_file: bool,
    /// Its uid.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
}

#[derive(Default, Serialize, JsonSchema)]
struct Summary {
    /// Images.
    texture: usize,
    /// Sounds.
    audio: usize,
    /// Models.
    model: usize,
    /// Fonts.
    font: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let folder = godot.folder(&input.directory)?;
    let (mut assets, mut summary) = (Vec::new(), Summary::default());
    for file in godot.index.files().filter(|file| in_folder(file, &folder, input.recursive)) {
        let Some(kind) = AssetKind::of_path(&file.path).filter(|kind| input.category.has(*kind))
        else {
            continue;
        };
        match kind {
            AssetKind::Texture => summary.texture += 1,
            AssetKind::Audio => summary.audio += 1,
            AssetKind::Model => summary.model += 1,
            AssetKind::Font => summary.font += 1,
        }
        assets.push(Asset {
            path: file.res_path(),
            name: file.name().to_owned(),
            category: kind,
            format: file.path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase(),
            size: file.size,
            modified: time::iso_nanoseconds(file.modified),
            has_import_file: godot.index.by_path(&format!("{}.import", file.path)).is_some(),
            uid: godot.index.uid_of(&file.path).map(str::to_owned),
        });
    }
    let count = assets.len();
    let (assets, next_cursor) = input.page.of(assets);
    let category = input.category;
    Ok(Output { success: true, directory: folder, category, count, assets, summary, next_cursor })
}

impl Category {
    fn has(self, kind: AssetKind) -> bool {
        match self {
            Self::All => true,
            Self::Texture => kind == AssetKind::Texture,
            Self::Audio => kind == AssetKind::Audio,
            Self::Model => kind == AssetKind::Model,
            Self::Font => kind == AssetKind::Font,
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn assets_by_kind_and_folder() {
        let sample = GodotSample::new();
        for name in ["art/hit.WAV", "art/more/ship.glb", "addons/x/f.ttf", "notes.txt"] {
            sample.write(name, "x");
        }
        let list = |arguments: Value| {
            let output = sample.call(super::TOOL.id, arguments).unwrap();
            let line = |found: &Value| {
                format!("{} {} {}", found["path"], found["category"], found["hasImportFile"])
            };
            let lines: Vec<String> =
                output["assets"].as_array().unwrap().iter().map(line).collect();
            format!("{} {} {}", lines.join("\n"), output["summary"], output["nextCursor"])
        };
        expect![[r#"
            "res://addons/x/f.ttf" "font" false
            "res://art/hit.WAV" "audio" false
            "res://art/more/ship.glb" "model" false
            "res://art/tiles.png" "texture" true
            "res://icon.svg" "texture" true {"texture":2,"audio":1,"model":1,"font":1} null"#]]
        .assert_eq(&list(json!({})));
        expect![[r#"
            "res://art/hit.WAV" "audio" false
            "res://art/tiles.png" "texture" true {"texture":1,"audio":1,"model":0,"font":0} null"#]]
        .assert_eq(&list(json!({ "directory": "art", "recursive": false })));
        expect![[r#""res://art/more/ship.glb" "model" false {"texture":0,"audio":0,"model":1,"font":0} null"#]].assert_eq(&list(json!({ "category": "model" })));
        expect![[
            r#""res://addons/x/f.ttf" "font" false {"texture":2,"audio":1,"model":1,"font":1} 1"#
        ]]
        .assert_eq(&list(json!({ "limit": 1 })));
        let error = sample.error(super::TOOL.id, json!({ "directory": "../.." }));
        expect!["Path must be inside the project: ../..; name it from the project's root: Assets/Door.prefab, res://door.tscn"].assert_eq(&error);
    }
}
