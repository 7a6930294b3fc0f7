//! The tool `godotProject.manageAutoloads`, which MCP clients call `manage_autoloads`.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_godot::{Config, FileKind, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema, tool};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.manageAutoloads",
    keywords: "singleton global register always loaded game manager script state autoload",
    mcp: Some("manage_autoloads"),
    title: "Manage Godot Autoloads",
    category: "godot.project",
    safety: Safety::SafeWrite,
    reads_if: Some(tool::lists),
    examples: &[
        Example {
            description: "Load a scene at start under a global name",
            input: r#"{ "projectPath": "godot", "action": "add", "name": "Wallet", "path": "res://scenes/coin.tscn" }"#,
            output: r#"{
                "success": true,
                "action": "add",
                "autoloadCount": 2,
                "autoloads": [
                    { "name": "GameState", "path": "res://autoload/game_state.gd", "enabled": true },
                    { "name": "Wallet", "path": "res://scenes/coin.tscn", "enabled": true }
                ],
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo"],
        },
        Example {
            description: "Take it out again",
            input: r#"{ "projectPath": "godot", "action": "remove", "name": "Wallet" }"#,
            output: r#"{
                "success": true,
                "action": "remove",
                "autoloadCount": 1,
                "autoloads": [{ "name": "GameState", "path": "res://autoload/game_state.gd", "enabled": true }],
                "dryRun": false,
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

/// List, add or remove what a project loads at start. Adding a name that is there gives it the new
/// path.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// What to do.
    action: Wanted,
    /// The global name; needed to add or remove.
    name: Option<String>,
    /// The script or scene; needed to add.
    path: Option<String>,
    /// Scripts can use the name; otherwise it is only loaded.
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(flatten)]
    write: Write,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Wanted {
    /// Add one, or change it.
    Add,
    /// Remove one.
    Remove,
    /// Only list them.
    List,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What was done.
    action: Wanted,
    /// How many there are now.
    autoload_count: usize,
    /// They, in the order they are loaded.
    autoloads: Vec<Autoload>,
    #[serde(flatten)]
    written: Written,
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

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut open = godot.open_settings()?;
    let needed = |what: &str| ToolError::bad_argument(what, "is required for this action");
    match input.action {
        Wanted::List => {}
        Wanted::Add => {
            let name = input.name.as_deref().ok_or_else(|| needed("name"))?;
            let path = input.path.as_deref().ok_or_else(|| needed("path"))?;
            check_name(&godot, name)?;
            let path = loadable(&godot, path)?;
            let star = if input.enabled { "*" } else { "" };
            let value = Variant::String(format!("{star}{path}"));
            open.config.set("autoload", name, &value).map_err(refused)?;
        }
        Wanted::Remove => {
            let name = input.name.as_deref().ok_or_else(|| needed("name"))?;
            if !open.config.remove("autoload", name).map_err(refused)? {
                let autoloads = autoloads(&godot, &open.config);
                let known = autoloads.iter().map(|autoload| autoload.name.as_str());
                return Err(ToolError::not_found("autoload", name).hint(suggest::did_you_mean(
                    name,
                    known,
                    "action list shows what is there",
                )));
            }
        }
    }
    let autoloads = autoloads(&godot, &open.config);
    Ok(Output {
        success: true,
        action: input.action,
        autoload_count: autoloads.len(),
        autoloads,
        written: open.save(&godot, input.write)?,
    })
}

fn autoloads(godot: &Godot<'_>, config: &Config) -> Vec<Autoload> {
    let read = |field: scenewright_godot::Field<'_>| {
        let value = field.value().as_str()?.into_owned();
        let path = value.trim_start_matches('*');
        let file = godot.index.find(path);
        Some(Autoload {
            name: field.key().into_owned(),
            path: file.map_or_else(|| path.to_owned(), |file| file.res_path()),
            enabled: value.starts_with('*'),
        })
    };
    config.keys("autoload").filter_map(read).collect()
}

/// The rules of the editor: a name that code can use, and that means nothing else.
fn check_name(godot: &Godot<'_>, name: &str) -> Result<(), ToolError> {
    let bad = |why: String| Err(ToolError::new(ErrorKind::BadArguments, why));
    let mut characters = name.chars();
    let starts = characters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
    if !starts || !characters.all(|c| c.is_alphanumeric() || c == '_') {
        return bad(format!("'{name}' cannot be the name of an autoload: letters, digits and _"));
    }
    let globals = godot.classes().globals();
    if godot.classes().class(name).is_some() || globals.builtins.contains(&name) {
        return bad(format!("{name} is a class of the engine, and an autoload needs its own name"));
    }
    if let Some(script) = godot.index.class(name) {
        return bad(format!("{name} is the class_name of {}", script.res_path()));
    }
    Ok(())
}

/// The `res://` path of something that can be an autoload.
fn loadable(godot: &Godot<'_>, text: &str) -> Result<String, ToolError> {
    let path = godot.path(text)?;
    if !godot.exists(&path) {
        return Err(ToolError::not_found("file", path.as_str())
            .hint("list_scripts and list_scenes show what is there"));
    }
    let kind = FileKind::of_path(path.as_str());
    if !matches!(kind, FileKind::Script | FileKind::CSharp | FileKind::Scene) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{path} is neither a script nor a scene"),
        ));
    }
    if kind == FileKind::Script
        && let Some(base) = godot.index.engine_base(path.as_str())
        && godot.classes().class(base).is_some()
        && !godot.classes().inherits(base, "Node")
    {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{path} extends {base}, and an autoload is a Node"),
        ));
    }
    Ok(format!("res://{path}"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn a_new_one_comes_last_and_nothing_else_changes() {
        let diff = GodotSample::new().diff(
            super::TOOL.id,
            json!({ "action": "add", "name": "Hud", "path": "scenes/main.tscn", "enabled": false }),
        );
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -20,6 +20,7 @@
             [autoload]
 
             GameState="*res://autoload/game_state.gd"
            +Hud="res://scenes/main.tscn"
 
             [display]
 
        "#]]
        .assert_eq(&diff);
    }

    #[test]
    fn the_last_one_takes_its_section_along() {
        let diff = GodotSample::new()
            .diff(super::TOOL.id, json!({ "action": "remove", "name": "GameState" }));
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -17,10 +17,6 @@
             config/features=PackedStringArray("4.4", "GL Compatibility")
             config/icon="res://icon.svg"
 
            -[autoload]
            -
            -GameState="*res://autoload/game_state.gd"
            -
             [display]
 
             window/size/viewport_width=640
        "#]]
        .assert_eq(&diff);
    }

    #[test]
    fn the_same_again_changes_nothing() {
        let arguments =
            json!({ "action": "add", "name": "GameState", "path": "autoload/game_state.gd" });
        let output = GodotSample::new().call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["filesChanged"], 0);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = GodotSample::new();
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        let add =
            |name: &str, path: &str| refuse(json!({ "action": "add", "name": name, "path": path }));
        expect!["Node2D is a class of the engine, and an autoload needs its own name"]
            .assert_eq(&add("Node2D", "scenes/main.tscn"));
        expect!["Coin is the class_name of res://scripts/coin.gd"]
            .assert_eq(&add("Coin", "scenes/main.tscn"));
        expect!["'a b' cannot be the name of an autoload: letters, digits and _"]
            .assert_eq(&add("a b", "scenes/main.tscn"));
        expect![
            "file not found: scenes/nope.tscn; list_scripts and list_scenes show what is there"
        ]
        .assert_eq(&add("A", "scenes/nope.tscn"));
        expect!["icon.svg is neither a script nor a scene"].assert_eq(&add("A", "icon.svg"));
        expect!["scripts/coin_settings.gd extends Resource, and an autoload is a Node"]
            .assert_eq(&add("A", "scripts/coin_settings.gd"));
        expect!["Invalid tool arguments: path is required for this action"]
            .assert_eq(&refuse(json!({ "action": "add", "name": "A" })));
        expect!["autoload not found: GameStat; did you mean GameState?"]
            .assert_eq(&refuse(json!({ "action": "remove", "name": "GameStat" })));
    }
}
