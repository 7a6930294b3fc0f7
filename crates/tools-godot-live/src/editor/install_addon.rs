//! The tool `godotEditor.installAddon`, which MCP clients call `install_godot_addon`.

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::Variant;
use scenewright_live::godot::{ADDON_VERSION, Side};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, refused, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::addon_files::FILES;

/// Where the addon lies in a project.
const FOLDER: &str = "addons/scenewright";
/// What goes with it where nothing else is in it.
const FOLDERS: [&str; 5] = [
    "addons/scenewright/link",
    "addons/scenewright/editor",
    "addons/scenewright/game",
    FOLDER,
    "addons",
];
const PLUGIN: &str = "res://addons/scenewright/plugin.cfg";
const AUTOLOAD: &str = "ScenewrightLink";
const RUNTIME: &str = "*res://addons/scenewright/runtime.gd";

pub(crate) const TOOL: Tool = Tool {
    id: "godotEditor.installAddon",
    keywords: "install addon plugin link connect the editor enable live bridge setup remove uninstall update",
    mcp: Some("install_godot_addon"),
    title: "Install Godot Addon",
    notes: Some(
        "Games that are exported do not have it, unless the setting scenewright/export_with_game is true.",
    ),
    category: "godot.editor",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Let the editor and running games be linked",
        input: r#"{ "projectPath": "godot" }"#,
        output: r#"{
            "success": true, "installed": true, "version": "0.1.0", "next": "open the project in Godot; an editor that has it open already has to be restarted",
            "dryRun": false, "filesChanged": 19, "changes": []
        }"#,
        varies: &["changes", "filesChanged", "undo", "version"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put scenewright's addon into a Godot project and enable it, so that its editor and its games can be
/// seen and touched while they run; or take it out again.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Take it out instead.
    #[serde(default)]
    uninstall: bool,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether the project has it now.
    installed: bool,
    /// Its version.
    version: &'static str,
    /// What to do then.
    next: &'static str,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut settings = godot.open_settings()?;
    let mut plan = Plan::new(godot.project);
    let was = files_before(&godot)?;
    for (path, before, after) in &was {
        match (input.uninstall, after, before) {
            (false, Some(after), before) => {
                plan.write(path, before.as_deref(), after.as_bytes());
            }
            (true, _, Some(before)) => plan.remove(path, before),
            (_, _, None) | (false, None, _) => {}
        }
    }
    let mut plugins = enabled(&settings.config);
    plugins.retain(|plugin| plugin != PLUGIN);
    match input.uninstall {
        false => {
            plugins.push(PLUGIN.to_owned());
            let runtime = Variant::String(RUNTIME.to_owned());
            settings.config.set("autoload", AUTOLOAD, &runtime).map_err(refused)?;
        }
        true => {
            settings.config.remove("autoload", AUTOLOAD).map_err(refused)?;
            for folder in FOLDERS {
                plan.remove_folder(&godot.path(folder)?);
            }
        }
    }
    match plugins.is_empty() {
        true => drop(settings.config.remove("editor_plugins", "enabled").map_err(refused)?),
        false => {
            let plugins = Variant::Strings(plugins);
            settings.config.set("editor_plugins", "enabled", &plugins).map_err(refused)?;
        }
    }
    settings.add_to(&mut plan);
    let written = saved(&godot, plan, input.write)?;
    let is_open = godot.godot.links.peer(Side::Editor, None).is_ok();
    Ok(Output {
        success: true,
        installed: !input.uninstall,
        version: ADDON_VERSION,
        next: match (input.uninstall, is_open) {
            (false, _) => {
                "open the project in Godot; an editor that has it open already has to be restarted"
            }
            (true, true) => "restart the editor that has the project open",
            (true, false) => "nothing",
        },
        written,
    })
}

type Before = (scenewright_toolkit::door::ProjectPath, Option<Vec<u8>>, Option<&'static str>);

/// Every file of the addon as the project has it, with what Godot made beside it, and what it is to be.
fn files_before(godot: &Godot<'_>) -> Result<Vec<Before>, ToolError> {
    let mut files = Vec::new();
    for (name, text) in FILES {
        let path = godot.path(&format!("{FOLDER}/{name}"))?;
        let before = godot.exists(&path).then(|| godot.read(&path)).transpose()?;
        files.push((path, before, Some(*text)));
        let uid = godot.path(&format!("{FOLDER}/{name}.uid"))?;
        if godot.exists(&uid) {
            let before = godot.read(&uid)?;
            files.push((uid, Some(before), None));
        }
    }
    Ok(files)
}

/// The plugins that the editor loads.
fn enabled(config: &scenewright_godot::Config) -> Vec<String> {
    match config.find("editor_plugins", "enabled").map(|value| value.decode()) {
        Some(Variant::Strings(plugins)) => plugins,
        _ => Vec::new(),
    }
}
