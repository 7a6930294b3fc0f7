//! The tool `godotProject.getProjectInfo`, which MCP clients call `get_project_info`.

use scenewright_contract::ToolError;
use scenewright_godot::{FileKind, Value};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.getProjectInfo",
    keywords: "overview about summary main scene name version renderer project autoloads",
    mcp: Some("get_project_info"),
    title: "Get Godot Project Info",
    category: "godot.project",
    examples: &[Example {
        description: "Read the Godot sample",
        input: r#"{ "projectPath": "godot" }"#,
        output: r#"{
            "success": true,
            "name": "Lighthouse Run",
            "path": "samples/godot",
            "godotVersion": "4.4",
            "version": "0.2.0",
            "description": "A small platform game: collect the coins, then light the lamp.",
            "renderer": "GL Compatibility",
            "mainScene": "res://scenes/main.tscn",
            "viewport": { "width": 640, "height": 360 },
            "physicsTicksPerSecond": 60,
            "features": ["4.4", "GL Compatibility"],
            "autoloads": [{ "name": "GameState", "path": "res://autoload/game_state.gd", "enabled": true }],
            "inputActions": ["move_left", "move_right", "jump", "interact"],
            "exportPresets": ["Linux", "Web"],
            "structure": { "scenes": 5, "scripts": 6, "shaders": 1, "resources": 4, "assets": 2, "other": 4 },
            "notes": []
        }"#,
        varies: &["path"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what a Godot project is: name, version, renderer, main scene, autoloads, and how many files
/// of each kind it has.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The project's name.
    name: String,
    /// Its folder.
    path: String,
    /// The version of Godot that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    godot_version: Option<String>,
    /// The game's own version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// What it says about itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// How it draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    renderer: Option<String>,
    /// The scene that runs first.
    #[serde(skip_serializing_if = "Option::is_none")]
    main_scene: Option<String>,
    /// The size that the game is drawn in.
    viewport: Size,
    /// Physics steps per second.
    physics_ticks_per_second: i64,
    /// The feature tags that the editor wrote.
    features: Vec<String>,
    /// Scripts and scenes that are loaded at start, in their order.
    autoloads: Vec<Autoload>,
    /// The project's own input actions.
    input_actions: Vec<String>,
    /// The names of its export presets.
    export_presets: Vec<String>,
    /// How many files of each kind it has.
    structure: Structure,
    /// What could not be known, and why.
    notes: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Size {
    /// In pixels.
    width: i64,
    /// In pixels.
    height: i64,
}

#[derive(Serialize, JsonSchema)]
struct Autoload {
    /// The name of the node.
    name: String,
    /// What is loaded.
    path: String,
    /// Whether scripts can use the name.
    enabled: bool,
}

#[derive(Serialize, JsonSchema, Default)]
struct Structure {
    /// `.tscn`.
    scenes: usize,
    /// `.gd` and `.cs`.
    scripts: usize,
    /// `.gdshader` and `.gdshaderinc`.
    shaders: usize,
    /// `.tres`.
    resources: usize,
    /// Images, models, sounds, fonts and other imported files.
    assets: usize,
    /// Everything else but the files that Godot keeps beside others.
    other: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let facts = godot.read_facts()?;
    let config = godot.open_settings()?.config;
    let int = |section: &str, key: &str, otherwise: i64| {
        config.find(section, key).and_then(Value::as_int).unwrap_or(otherwise)
    };
    // What the settings leave out is the engine's default.
    let viewport = Size {
        width: int("display", "window/size/viewport_width", 1152),
        height: int("display", "window/size/viewport_height", 648),
    };
    Ok(Output {
        success: true,
        path: godot.project.root.display().to_string(),
        godot_version: facts.engine_version,
        version: facts.version,
        description: facts.description,
        renderer: facts.renderer,
        main_scene: facts.main_scene.map(|scene| named(&godot, scene)),
        viewport,
        physics_ticks_per_second: int("physics", "common/physics_ticks_per_second", 60),
        features: facts.features,
        autoloads: facts
            .autoloads
            .into_iter()
            .map(|found| Autoload {
                path: named(&godot, found.path),
                name: found.name,
                enabled: found.singleton,
            })
            .collect(),
        input_actions: facts.input_actions,
        export_presets: facts.export_presets.into_iter().map(|preset| preset.name).collect(),
        structure: structure(&godot),
        name: facts.name,
        notes: facts.notes,
    })
}

/// A file by its path, where the settings have its uid.
fn named(godot: &Godot<'_>, text: String) -> String {
    godot.index.find(&text).map_or(text, |file| file.res_path())
}

fn structure(godot: &Godot<'_>) -> Structure {
    let mut counts = Structure::default();
    for file in godot.index.files() {
        let imported = || godot.index.by_path(&format!("{}.import", file.path)).is_some();
        let count = match file.kind {
            FileKind::Scene => &mut counts.scenes,
            FileKind::Script | FileKind::CSharp => &mut counts.scripts,
            FileKind::Shader => &mut counts.shaders,
            FileKind::Resource => &mut counts.resources,
            FileKind::Import | FileKind::Uid => continue,
            FileKind::Other if imported() => &mut counts.assets,
            FileKind::Settings | FileKind::Other => &mut counts.other,
        };
        *count += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn what_the_settings_leave_out_is_the_engines_default() {
        let sample = GodotSample::new();
        sample.write("project.godot", "config_version=5\n");
        let info = sample.call(super::TOOL.id, json!({})).unwrap();
        assert_eq!(info["viewport"], json!({ "width": 1152, "height": 648 }));
        assert_eq!(info["physicsTicksPerSecond"], 60);
        assert_eq!(info["autoloads"], json!([]));
        assert_eq!(info["mainScene"], json!(null));
        assert_eq!(info["structure"]["scenes"], 5);
    }
}
