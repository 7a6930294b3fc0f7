//! The tool `godotLive.tree`, which MCP clients call `live_tree`.

use std::collections::BTreeMap;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, USUAL, find, scene_name};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLive.tree",
    keywords: "running game runs runtime what nodes exist live scene tree unsaved editor remote tree spawned instances filter by class group name script",
    mcp: Some("live_tree"),
    title: "Live Tree",
    category: "godot.live",
    needs: Needs::Game,
    examples: &[Example {
        description: "Find the coins that the running game has now",
        input: r#"{ "projectPath": "godot", "group": "coins" }"#,
        output: r#"{
            "nodes": [ { "path": "/root/Main/Coins/Coin1", "class": "Area2D", "script": "res://scripts/coin.gd" } ],
            "total": 1
        }"#,
        varies: &["nodes", "total"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the nodes of a running game, or of a scene as it is open in the editor with what is not saved
/// (give `scenePath`). Filters hold together.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// The open scene in the editor; the running game without it.
    scene_path: Option<String>,
    /// Where to begin: `/root/Main` or a path in the running scene; in the editor from the scene's root.
    node_path: Option<String>,
    /// How many levels below it.
    #[schemars(range(min = 0))]
    depth: Option<u32>,
    /// Class of the engine or of a script; those below it count too.
    class: Option<String>,
    /// Part of the name, or with `*` and `?`.
    name: Option<String>,
    /// A group that it is in.
    group: Option<String>,
    /// Its script.
    script: Option<String>,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 10000))]
    limit: usize,
    /// The `nextCursor` of the answer before.
    #[serde(default)]
    cursor: usize,
}

fn most() -> usize {
    200
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Parents first.
    nodes: Vec<LiveNode>,
    /// How many there are in all.
    total: usize,
    /// Where the next part begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct LiveNode {
    /// In a game from the root of its tree, in the editor from the root of the scene.
    path: String,
    /// Its class.
    class: String,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
struct Rest {
    /// Its script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// The scene that it is an instance of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scene: Option<String>,
    /// How many children it has, where they are below the depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    children: Option<u32>,
    /// Whether it is hidden itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    /// Whether it does not process now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    paused: bool,
}

/// The nodes as they come: columns, and what few of them have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Columns {
    depths: Vec<usize>,
    names: Vec<String>,
    classes: Vec<String>,
    paths: Vec<String>,
    rest: BTreeMap<usize, Rest>,
    total: usize,
    is_whole: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let side = if input.scene_path.is_some() { Side::Editor } else { Side::Game };
    let asked = find(cx, &input.live, side)?;
    // The ones above a node in a later part are needed for its path, so the beginning is asked for too.
    let is_filtered =
        [&input.class, &input.name, &input.group, &input.script].iter().any(|one| one.is_some());
    let (skip, limit) = match is_filtered {
        true => (input.cursor, input.limit),
        false => (0, input.cursor.saturating_add(input.limit)),
    };
    let mut params = json!({ "skip": skip, "limit": limit });
    let given = [
        ("path", &input.node_path),
        ("class", &input.class),
        ("name", &input.name),
        ("group", &input.group),
        ("script", &input.script),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            params[name] = json!(value);
        }
    }
    if let Some(scene) = &input.scene_path {
        params["scene"] = json!(scene_name(scene));
    }
    if let Some(depth) = input.depth {
        params["depth"] = json!(depth);
    }
    let columns: Columns = asked.ask("tree", &params, USUAL)?;
    if !columns.is_whole {
        cx.diagnose("The tree has more than 200000 nodes. Results are partial.");
    }
    let total = columns.total;
    let top = match (side, input.node_path.as_deref()) {
        (Side::Game, None | Some("")) => "/root",
        (_, path) => path.unwrap_or("."),
    };
    let mut nodes = listed(columns, top)?;
    if !is_filtered {
        nodes.drain(..input.cursor.min(nodes.len()));
    }
    let end = input.cursor + nodes.len();
    Ok(Output { nodes, total, next_cursor: Some(end).filter(|end| *end < total) })
}

/// Columns as nodes with their paths.
fn listed(columns: Columns, top: &str) -> Result<Vec<LiveNode>, ToolError> {
    let Columns { depths, names, classes, paths, mut rest, .. } = columns;
    if depths.len() != names.len() || names.len() != classes.len() {
        return Err(ToolError::new(
            ErrorKind::EngineError,
            "the columns of the tree have unequal lengths",
        ));
    }
    let mut above: Vec<String> = Vec::new();
    let rows = depths.into_iter().zip(names).zip(classes).enumerate();
    let nodes = rows.map(|(at, ((depth, name), class))| {
        let path = match paths.get(at) {
            Some(path) => joined(top, path),
            None if depth == 0 => top.to_owned(),
            None => joined(above.get(depth - 1).map_or(top, String::as_str), &name),
        };
        above.truncate(depth);
        above.push(path.clone());
        LiveNode { path, class, rest: rest.remove(&at).unwrap_or_default() }
    });
    Ok(nodes.collect())
}

/// A path below another.
fn joined(top: &str, below: &str) -> String {
    match (top, below) {
        (_, ".") => top.to_owned(),
        (".", _) => below.to_owned(),
        _ => format!("{}/{below}", top.trim_end_matches('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(depths: &[usize], names: &[&str], paths: &[&str]) -> Columns {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Columns {
            depths: depths.to_vec(),
            classes: names.iter().map(|_| "Node".to_owned()).collect(),
            names: texts(names),
            paths: texts(paths),
            rest: BTreeMap::new(),
            total: names.len(),
            is_whole: true,
        }
    }

    fn check(columns: Columns, top: &str, expected: &[&str]) {
        let nodes = listed(columns, top).unwrap();
        assert_eq!(nodes.iter().map(|node| node.path.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn columns_become_paths() {
        let tree = || columns(&[0, 1, 2, 1], &["root", "Main", "Player", "Link"], &[]);
        check(tree(), "/root", &["/root", "/root/Main", "/root/Main/Player", "/root/Link"]);
        check(tree(), ".", &[".", "Main", "Main/Player", "Link"]);
        let found = columns(&[3, 1], &["Coin", "Main"], &["Main/Coins/Coin", "."]);
        check(found, "/root", &["/root/Main/Coins/Coin", "/root"]);
    }

    #[test]
    fn unequal_columns_are_no_tree() {
        assert!(listed(columns(&[0], &["a", "b"], &[]), "/root").is_err());
    }
}
