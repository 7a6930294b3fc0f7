//! The tool `godotScene.listScenes`, which MCP clients call `list_scenes`.

use scenewright_contract::{Limits, ToolError};
use scenewright_godot::FileEntry;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.listScenes",
    keywords: "all tscn levels files maps screens",
    mcp: Some("list_scenes"),
    title: "List Scenes",
    category: "godot.scene",
    limits: Limits { max_items: Some(1000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "List the scenes of the sample",
        input: r#"{ "projectPath": "godot", "directory": "res://scenes", "limit": 2 }"#,
        output: r#"{
            "directory": "scenes",
            "recursive": true,
            "count": 5,
            "scenes": [],
            "nextCursor": 2
        }"#,
        varies: &["scenes"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the scenes of a project, by path: text scenes with the class of their root, and binary ones.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Only scenes below this folder.
    directory: Option<String>,
    /// Whether folders inside of it count too.
    #[serde(default = "yes")]
    recursive: bool,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
    /// nextCursor of the page before.
    #[serde(default)]
    cursor: usize,
}

fn yes() -> bool {
    true
}

fn most() -> usize {
    200
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The folder, from the project's root; empty for all.
    directory: String,
    /// Whether folders inside of it count too.
    recursive: bool,
    /// How many scenes there are.
    count: usize,
    /// This page of them.
    scenes: Vec<Found>,
    /// Pass this as cursor to see more; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// The scene, from the project's root.
    path: String,
    /// Its file name without the ending.
    name: String,
    /// `tscn`, `escn` or `scn`.
    r#type: String,
    /// Size in bytes.
    size: u64,
    /// When it changed, in milliseconds since 1970; absent while it waits in a batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<i64>,
    /// Class of the root, through base scenes.
    #[serde(skip_serializing_if = "Option::is_none")]
    root_type: Option<String>,
    /// Its uid.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    /// The first thing that is wrong with the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let directory = match input.directory.as_deref().map(|text| text.trim_end_matches('/')) {
        None | Some("" | "." | "res:" | "res:/") => String::new(),
        Some(text) => godot.path(text)?.to_string(),
    };
    let is_there = |path: &&String| {
        let below = match directory.as_str() {
            "" => Some(path.as_str()),
            folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
        };
        below.is_some_and(|below| input.recursive || !below.contains('/'))
    };
    let mut paths = godot.scene_paths();
    let binary = godot.index.files().filter(|file| file.path.ends_with(".scn"));
    paths.extend(binary.map(|file| file.path.clone()));
    paths.sort();
    let paths: Vec<&String> = paths.iter().filter(is_there).collect();
    if paths.is_empty() && !directory.is_empty() && !has_folder(&godot, &directory) {
        return Err(ToolError::not_found("folder", &directory)
            .hint("leave directory out to list all scenes of the project"));
    }
    let page = paths.iter().skip(input.cursor).take(input.limit);
    let next = input.cursor.saturating_add(input.limit);
    Ok(Output {
        directory,
        recursive: input.recursive,
        count: paths.len(),
        scenes: page.map(|path| found(&godot, path)).collect(),
        next_cursor: (next < paths.len()).then_some(next),
    })
}

fn has_folder(godot: &Godot<'_>, folder: &str) -> bool {
    let below = format!("{folder}/");
    godot.index.files().any(|file| file.path.starts_with(&below))
}

fn found(godot: &Godot<'_>, path: &str) -> Found {
    let entry = godot.index.by_path(path);
    let place = godot.path(path).ok();
    let waiting = place.as_ref().filter(|_| entry.is_none()).and_then(|path| godot.read(path).ok());
    let name = path.rsplit('/').next().unwrap_or(path);
    let (name, kind) = name.rsplit_once('.').unwrap_or((name, ""));
    let root_type = entry.and_then(|entry| entry.class.clone()).or_else(|| {
        let tree = godot.tree(place.as_ref().filter(|_| kind != "scn")?).ok()?;
        tree.root()?.class.clone()
    });
    let size = entry.map(|entry| entry.size);
    Found {
        path: path.to_owned(),
        name: name.to_owned(),
        r#type: kind.to_owned(),
        size: size.or(waiting.map(|bytes| bytes.len() as u64)).unwrap_or_default(),
        modified: entry.map(|entry| entry.modified / 1_000_000),
        root_type,
        uid: place.and_then(|path| godot.uid_of(&path)),
        problem: entry.and_then(|entry: &FileEntry| entry.problem.clone()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn list(sample: &GodotSample, arguments: Value) -> String {
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let mut text = format!("{} {}", output["count"], output["nextCursor"]);
        for scene in output["scenes"].as_array().unwrap() {
            assert!(scene["size"].as_u64() > Some(0) && scene["modified"].as_i64() > Some(0));
            text += &format!("\n{} {} {}", scene["path"], scene["rootType"], scene["uid"]);
        }
        text
    }

    #[test]
    fn scenes_come_by_path_and_in_pages() {
        let sample = GodotSample::new();
        sample.write("top.scn", "RSRC");
        sample.write("broken.tscn", "[gd_scene format=3]\n[node name=");
        expect![[r#"
            7 null
            "broken.tscn" null null
            "scenes/actor.tscn" "CharacterBody2D" "uid://u4ujiidj5i7c"
            "scenes/coin.tscn" "Area2D" "uid://da5dy46gvq05t"
            "scenes/level.tscn" "Node2D" "uid://bh5yk7ny1n55l"
            "scenes/main.tscn" "Node2D" "uid://dsckkculads6k"
            "scenes/player.tscn" "CharacterBody2D" "uid://daw60r51yjit"
            "top.scn" null null"#]]
        .assert_eq(&list(&sample, json!({})));
        expect![[r#"
            2 null
            "broken.tscn" null null
            "top.scn" null null"#]]
        .assert_eq(&list(&sample, json!({ "recursive": false })));
        expect![[r#"
            5 4
            "scenes/level.tscn" "Node2D" "uid://bh5yk7ny1n55l"
            "scenes/main.tscn" "Node2D" "uid://dsckkculads6k""#]]
        .assert_eq(&list(
            &sample,
            json!({ "directory": "res://scenes/", "limit": 2, "cursor": 2 }),
        ));
    }

    #[test]
    fn folders_stay_in_the_project() {
        let sample = GodotSample::new();
        let refuse = |folder: &str| sample.error(super::TOOL.id, json!({ "directory": folder }));
        expect!["Path must be inside the project: ../other; name it from the project's root: Assets/Door.prefab, res://door.tscn"].assert_eq(&refuse("../other"));
        expect!["folder not found: nowhere; leave directory out to list all scenes of the project"]
            .assert_eq(&refuse("nowhere"));
    }
}
