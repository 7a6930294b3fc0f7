//! The tool `godotScript.listScripts`, which MCP clients call `list_scripts`.

use scenewright_contract::{Limits, ToolError};
use scenewright_godot::{FileEntry, FileKind};
use scenewright_text::time::iso_nanoseconds;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.listScripts",
    keywords: "all every gdscript files classes gd class_name overview code c#",
    mcp: Some("list_scripts"),
    title: "List Godot Scripts",
    category: "godot.script",
    limits: Limits { max_items: Some(1000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "List the scripts of one folder",
        input: r#"{ "projectPath": "godot", "directory": "res://autoload" }"#,
        output: r#"{
            "success": true,
            "directory": "autoload",
            "count": 1,
            "total": 1,
            "scripts": [{
                "path": "res://autoload/game_state.gd",
                "name": "game_state.gd",
                "size": 840,
                "modified": "2026-01-31T09:30:00.000Z",
                "extends": "Node",
                "uid": "uid://b3a4jcv6wh0ix"
            }]
        }"#,
        varies: &["scripts"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the scripts of a project, GDScript and C#, with the classes they declare, sorted by path.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Only those in this folder and below.
    directory: Option<String>,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
    /// Where to go on: the `nextCursor` of the answer before.
    cursor: Option<String>,
}

fn most() -> usize {
    200
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder, from the project's root; empty for all of it.
    directory: String,
    /// How many are listed here.
    count: usize,
    /// How many there are.
    total: usize,
    /// The scripts.
    scripts: Vec<Found>,
    /// Give this as `cursor` for the next ones; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// The file.
    path: String,
    /// Its name.
    name: String,
    /// In bytes.
    size: u64,
    /// When it was changed last.
    modified: String,
    /// The class that it declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    class_name: Option<String>,
    /// What it extends.
    #[serde(skip_serializing_if = "Option::is_none")]
    extends: Option<String>,
    /// Whether it runs in the editor.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tool: bool,
    /// Its uid.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let folder = match input.directory.as_deref().map(str::trim) {
        None | Some("" | "." | "res://" | "/") => String::new(),
        Some(folder) => format!("{}/", godot.path(folder)?),
    };
    let index = &godot.index;
    if !folder.is_empty() && !index.files().any(|file| file.path.starts_with(&folder)) {
        return Err(ToolError::not_found("folder", folder.trim_end_matches('/')));
    }
    let is_script = |kind| matches!(kind, FileKind::Script | FileKind::CSharp);
    let all: Vec<&FileEntry> = index
        .files()
        .filter(|file| is_script(file.kind) && file.path.starts_with(&folder))
        .collect();
    let from = match &input.cursor {
        Some(cursor) => all.partition_point(|file| file.path <= *cursor),
        None => 0,
    };
    let page = &all[from..all.len().min(from + input.limit)];
    let next_cursor = page.last().filter(|_| from + page.len() < all.len());
    Ok(Output {
        success: true,
        directory: folder.trim_end_matches('/').to_owned(),
        count: page.len(),
        total: all.len(),
        next_cursor: next_cursor.map(|file| file.path.clone()),
        scripts: page.iter().map(|file| found(file, index.uid_of(&file.path))).collect(),
    })
}

fn found(file: &FileEntry, uid: Option<&str>) -> Found {
    let script = file.script.as_ref();
    Found {
        path: file.res_path(),
        name: file.name().to_owned(),
        size: file.size,
        modified: iso_nanoseconds(file.modified),
        class_name: script.and_then(|script| script.class_name.clone()),
        extends: script.and_then(|script| script.base.clone()),
        tool: script.is_some_and(|script| script.is_tool),
        uid: uid.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn pages_follow_each_other() {
        let sample = GodotSample::new();
        sample.write("scripts/Old.cs", "public class Old {}\n");
        let mut paths = Vec::new();
        let mut arguments = json!({ "limit": 3 });
        loop {
            let page = sample.call(super::TOOL.id, arguments.clone()).unwrap();
            assert_eq!(page["total"], 7);
            let scripts = page["scripts"].as_array().unwrap();
            paths.extend(scripts.iter().map(|script| script["path"].as_str().unwrap().to_owned()));
            match page["nextCursor"].as_str() {
                Some(cursor) => arguments["cursor"] = cursor.into(),
                None => break,
            }
        }
        assert_eq!(
            paths,
            [
                "res://autoload/game_state.gd",
                "res://scripts/Old.cs",
                "res://scripts/actor.gd",
                "res://scripts/coin.gd",
                "res://scripts/coin_settings.gd",
                "res://scripts/main.gd",
                "res://scripts/player.gd",
            ]
        );
    }

    #[test]
    fn classes_are_told() {
        let sample = GodotSample::new();
        let found = sample.call(super::TOOL.id, json!({ "directory": "scripts" })).unwrap();
        let player = &found["scripts"][4];
        assert_eq!((&player["className"], &player["extends"]), (&json!("Player"), &json!("Actor")));
        assert_eq!(player["uid"], "uid://disjhmid1oh4h");
        let error = sample.error(super::TOOL.id, json!({ "directory": "nope" }));
        assert_eq!(error, "folder not found: nope");
    }
}
