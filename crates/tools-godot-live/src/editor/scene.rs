//! The tool `godotEditor.scene`, which MCP clients call `editor_scene`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::InGodot;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, LONG, find, scene_name};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEditor.scene",
    keywords: "open save reload close undo redo scene in the running editor select nodes revert unsaved tab",
    mcp: Some("editor_scene"),
    title: "Editor Scene",
    notes: Some(
        "What edit_node, add_node and the others change in an open scene with unsaved changes is one step of its history: `undo` takes it back.",
    ),
    category: "godot.editor",
    safety: Safety::Destructive,
    idempotent: false,
    at_once: true,
    needs: Needs::Editor,
    examples: &[Example {
        description: "Save a scene that is open in the editor",
        input: r#"{ "projectPath": "godot", "scenePath": "scenes/main.tscn", "action": "save" }"#,
        output: r#"{ "success": true, "scenePath": "res://scenes/main.tscn", "isUnsaved": false }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Open, save, read again or close a scene in the running editor, undo or redo its last change, or
/// select nodes of it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// The scene: `res://main.tscn`, or the path from the project's root.
    scene_path: String,
    /// What to do.
    action: Action,
    /// For `reload` and `close`: lose what is not saved.
    #[serde(default)]
    discard: bool,
    /// For `select`: the nodes, from the scene's root.
    #[serde(default)]
    nodes: Vec<String>,
    /// Tell what the scene is like and do nothing.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// Show it, opened if need be.
    Open,
    /// Write it to its file.
    Save,
    /// Read it from its file again.
    Reload,
    /// Close its tab.
    Close,
    /// Take the last change back.
    Undo,
    /// Make it again.
    Redo,
    /// Select nodes.
    Select,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene.
    scene_path: String,
    /// Whether it has changes that are not in its file; absent when it is not open.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_unsaved: Option<bool>,
    /// The change that was undone or redone.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    /// What is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    selection: Option<Vec<String>>,
}

/// What any of the methods answers.
#[derive(Default, Deserialize)]
struct Said {
    #[serde(default)]
    was: Option<String>,
    #[serde(default)]
    now: Option<String>,
    #[serde(default)]
    selection: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct State {
    scenes: Vec<Open>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Open {
    scene: String,
    is_unsaved: Option<bool>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, Side::Editor)?;
    let scene = scene_name(&input.scene_path);
    let params = json!({ "scene": scene, "discard": input.discard, "nodes": input.nodes });
    if matches!(input.action, Action::Save) {
        let godot = cx.godot(input.live.project_path.as_deref())?;
        cx.protected(godot.project)?.check(scene.strip_prefix("res://").unwrap_or(&scene))?;
    }
    let method = match input.action {
        Action::Open => "scene.open",
        Action::Save => "scene.save",
        Action::Reload => "scene.reload",
        Action::Close => "scene.close",
        Action::Undo => "scene.undo",
        Action::Redo => "scene.redo",
        Action::Select => "select",
    };
    let said: Said = match input.dry_run {
        true => Said::default(),
        false => asked.ask(method, &params, LONG)?,
    };
    // Read back: an editor may take a word and do nothing.
    let state: State = asked.ask("state", &json!({}), LONG)?;
    let now = state.scenes.into_iter().find(|open| open.scene == scene);
    let is_as_asked = match input.action {
        Action::Close => now.is_none(),
        Action::Save => now.as_ref().is_some_and(|open| open.is_unsaved != Some(true)),
        _ => now.is_some(),
    };
    if !is_as_asked && !input.dry_run {
        let message = format!("the editor took the word, but {scene} is not as asked");
        return Err(
            ToolError::new(ErrorKind::EngineError, message).hint("live_log of: editor tells why")
        );
    }
    let step = match input.action {
        Action::Undo => said.was,
        _ => said.now,
    };
    Ok(Output {
        success: true,
        scene_path: scene,
        is_unsaved: now.and_then(|open| open.is_unsaved),
        step,
        selection: said.selection,
    })
}
