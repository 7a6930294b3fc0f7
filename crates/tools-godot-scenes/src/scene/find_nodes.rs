//! The tool `godotScene.findNodes`, which MCP clients call `find_nodes`.

use std::time::Duration;

use globset::{GlobBuilder, GlobMatcher};
use scenewright_contract::{ErrorKind, Limits, ToolError, suggest};
use scenewright_godot::{TreeNode, Variant};
use scenewright_toolkit::{Cx, Example, Tool, call, files, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, to_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.findNodes",
    keywords: "which nodes have script search all scenes enemies in group list every all of a type query by name class members contain where camera light enemy",
    mcp: Some("find_nodes"),
    title: "Find Nodes",
    notes: Some(
        "Without includeInstances each node is found in the scene that has it or changes it, not in every scene that instances that one.",
    ),
    category: "godot.scene",
    lean: true,
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(1000),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Find every body that can be walked on or walks, wherever it is",
        input: r#"{ "projectPath": "godot", "type": "PhysicsBody2D" }"#,
        output: r#"{
            "matches": [
                { "scenePath": "scenes/actor.tscn", "nodePath": ".", "name": "Actor", "type": "CharacterBody2D", "scriptPath": "res://scripts/actor.gd" },
                { "scenePath": "scenes/level.tscn", "nodePath": "Lighthouse", "name": "Lighthouse", "type": "StaticBody2D" },
                { "scenePath": "scenes/main.tscn", "nodePath": "Player", "name": "Player", "type": "CharacterBody2D", "scriptPath": "res://scripts/player.gd" },
                { "scenePath": "scenes/player.tscn", "nodePath": ".", "name": "Player", "type": "CharacterBody2D", "scriptPath": "res://scripts/player.gd" }
            ],
            "totalMatches": 4,
            "searched": 5,
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find nodes in all scenes of a project by class, name, group, script or the value of a property.
/// All criteria must hold; values are the effective ones, defaults included.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Class of the engine or of a script; the classes below it count too.
    r#type: Option<String>,
    /// Name with `*` and `?`, whatever the case.
    name_pattern: Option<String>,
    /// A group it is in.
    group: Option<String>,
    /// The script on it, by path or class_name; scripts that extend it count too.
    script: Option<String>,
    /// A property that it has: set in a file, or with the `value` that you give (any JSON).
    property: Option<String>,
    value: Option<Value>,
    /// Globs over the paths of scenes; all by default.
    #[serde(default)]
    paths: Vec<String>,
    /// Whether nodes count that a scene merely has from an instance or a base scene.
    #[serde(default)]
    include_instances: bool,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
    /// nextCursor of the page before.
    #[serde(default)]
    cursor: usize,
}

fn most() -> usize {
    100
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// This page of the nodes, by scene and then in the order of the tree.
    matches: Vec<Match>,
    /// How many there are in what was searched.
    total_matches: usize,
    /// How many scenes were searched.
    searched: usize,
    /// Whether the time guard ended the search early.
    truncated: bool,
    /// Pass this as cursor to see more; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Match {
    /// The scene, from the project's root.
    scene_path: String,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Its name.
    name: String,
    /// Its class; absent when the files do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    /// The script on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    script_path: Option<String>,
    /// The value of the property that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let criteria = Criteria::new(&godot, &input)?;
    let globs = input.paths.iter().map(|glob| files::glob(glob.trim_start_matches("res://")));
    let globs = globs.collect::<Result<Vec<_>, _>>()?;
    let mut paths = godot.scene_paths();
    paths.retain(|path| globs.is_empty() || globs.iter().any(|glob| glob.is_match(path)));
    let guard = cx.time_guard();
    let (mut matches, mut total, mut searched) = (Vec::new(), 0, 0);
    for path in &paths {
        cx.check_cancelled()?;
        if guard.expired() {
            guard.report(cx, searched, Some(paths.len()));
            break;
        }
        searched += 1;
        let Ok(tree) = godot.path(path).and_then(|path| godot.tree(&path)) else { continue };
        for node in tree.nodes() {
            if node.section.is_none() && !input.include_instances {
                continue;
            }
            let Some(value) = criteria.hold(node) else { continue };
            if total >= input.cursor && matches.len() < input.limit {
                matches.push(Match {
                    scene_path: path.clone(),
                    node_path: node.path.clone(),
                    name: node.name.clone(),
                    r#type: node.class.clone(),
                    script_path: node.script(),
                    value,
                });
            }
            total += 1;
        }
    }
    let next = input.cursor.saturating_add(matches.len());
    Ok(Output {
        matches,
        total_matches: total,
        searched,
        truncated: searched < paths.len(),
        next_cursor: (next < total).then_some(next),
    })
}

/// What is asked for, made ready.
struct Criteria<'a> {
    godot: &'a Godot<'a>,
    input: &'a Input,
    /// A class of the engine.
    class: Option<&'static str>,
    /// The `res://` path of a script.
    script: Option<String>,
    name: Option<GlobMatcher>,
}

impl<'a> Criteria<'a> {
    fn new(godot: &'a Godot<'a>, input: &'a Input) -> Result<Self, ToolError> {
        let mut script =
            input.script.as_deref().map(|text| find_script(godot, text)).transpose()?;
        let class = match input.r#type.as_deref() {
            None => None,
            // A class of a script is a script.
            Some(name) => match godot.index.class(name) {
                Some(file) if script.is_none() => {
                    script = Some(file.res_path());
                    None
                }
                _ => Some(godot.class(name)?),
            },
        };
        let name = input.name_pattern.as_deref().map(|pattern| {
            GlobBuilder::new(pattern)
                .case_insensitive(true)
                .build()
                .map(|glob| glob.compile_matcher())
                .map_err(|error| {
                    ToolError::bad_argument(
                        "namePattern",
                        &format!("is no pattern: {}", error.kind()),
                    )
                })
        });
        if input.value.is_some() && input.property.is_none() {
            return Err(ToolError::bad_argument("value", "is the value of a property")
                .hint("name the property too"));
        }
        Ok(Self { godot, input, class, script, name: name.transpose()? })
    }

    /// Nothing when a node is not meant, and the value of the property that was asked for.
    fn hold(&self, node: &TreeNode) -> Option<Option<Value>> {
        let classes = self.godot.classes();
        let class = node.class.as_deref().unwrap_or_default();
        let is_class = self.class.is_none_or(|wanted| classes.inherits(class, wanted));
        let is_named = self.name.as_ref().is_none_or(|glob| glob.is_match(&node.name));
        let has_group = |wanted: &String| node.groups.contains(wanted);
        let is_grouped = self.input.group.as_ref().is_none_or(has_group);
        (is_class && is_named && is_grouped && self.has_script(node)).then_some(())?;
        let Some(property) = &self.input.property else { return Some(None) };
        let found = self.value(node, property)?;
        match &self.input.value {
            Some(wanted) => is_same(&found, wanted).then_some(Some(found)),
            None => node.property(property).is_some().then_some(Some(found)),
        }
    }

    fn has_script(&self, node: &TreeNode) -> bool {
        let Some(wanted) = &self.script else { return true };
        let Some(script) = node.script() else { return false };
        script == *wanted || self.godot.script_chain(&script).iter().any(|(path, _)| path == wanted)
    }

    /// The value of a property: what a file sets, or else the default of the class.
    fn value(&self, node: &TreeNode, property: &str) -> Option<Value> {
        if let Some(set) = node.property(property) {
            return Some(to_json(set.origin.scene(), &set.decode()));
        }
        let class = node.class.as_deref()?;
        let text = self.godot.classes().default(class, property)?;
        let value = Variant::parse(text).ok()?;
        Some(to_json(node.origin.scene(), &value))
    }
}

fn find_script(godot: &Godot<'_>, text: &str) -> Result<String, ToolError> {
    if let Some(file) = godot.index.class(text) {
        return Ok(file.res_path());
    }
    let path = godot.path(text)?;
    if !godot.exists(&path) {
        let names = godot.index.classes().map(|(name, _)| name);
        return Err(ToolError::new(ErrorKind::BadArguments, format!("there is no script {text}"))
            .hint(suggest::did_you_mean(text, names, "list_scripts shows what is there")));
    }
    Ok(format!("res://{path}"))
}

/// Whether two values are the same, `1` and `1.0` included; a text may also be how Godot writes it.
fn is_same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Number(one), Value::Number(two)) => one.as_f64() == two.as_f64(),
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| is_same(one, two))
        }
        (Value::Object(one), Value::Object(two)) => {
            one.len() == two.len()
                && one.iter().all(|(key, value)| two.get(key).is_some_and(|it| is_same(value, it)))
        }
        (Value::Object(_) | Value::Number(_), Value::String(text)) => {
            let document =
                scenewright_godot::Document::parse("", scenewright_godot::Form::Resource);
            let value = Variant::parse(text).ok().filter(|value| value.as_str().is_none());
            value.is_some_and(|value| is_same(found, &to_json(&document, &value)))
        }
        _ => found == wanted,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn find(arguments: Value) -> String {
        let output = GodotSample::new().call(super::TOOL.id, arguments).unwrap();
        let mut text = format!("{} {}", output["totalMatches"], output["nextCursor"]);
        for found in output["matches"].as_array().unwrap() {
            let part = |key: &str| found[key].as_str().unwrap_or("-").to_owned();
            text += &format!("\n{} {} {}", part("scenePath"), part("nodePath"), part("type"));
            if !found["value"].is_null() {
                text += &format!(" {}", found["value"]);
            }
        }
        text
    }

    #[test]
    fn each_criterion_counts() {
        expect![[r#"
            3 null
            scenes/actor.tscn . CharacterBody2D
            scenes/main.tscn Player CharacterBody2D
            scenes/player.tscn . CharacterBody2D"#]]
        .assert_eq(&find(json!({ "type": "Actor" })));
        expect![[r#"
            5 null
            scenes/main.tscn Coins Node2D
            scenes/main.tscn Coins/Coin1 Area2D
            scenes/main.tscn Coins/Coin2 Area2D
            scenes/main.tscn Coins/Coin3 Area2D
            scenes/main.tscn Coins/Coin4 Area2D"#]]
        .assert_eq(&find(json!({ "namePattern": "coin?" })));
        expect![[r#"
            2 null
            scenes/main.tscn Coins/Coin3 Area2D
            scenes/main.tscn Coins/GoldCoin Area2D"#]]
        .assert_eq(&find(json!({ "group": "high" })));
        expect![[r#"
            5 2
            scenes/main.tscn Coins/Coin1 Area2D
            scenes/main.tscn Coins/Coin2 Area2D"#]]
        .assert_eq(&find(
            json!({ "script": "res://scripts/coin.gd", "paths": ["scenes/main.tscn"], "limit": 2 }),
        ));
        expect![[r#"
            2 null
            scenes/main.tscn Player/CoyoteTimer Timer
            scenes/player.tscn CoyoteTimer Timer"#]]
        .assert_eq(&find(json!({ "type": "Timer", "includeInstances": true })));
        expect![[r#"
            7 null
            scenes/main.tscn Coins/Coin3/Shape CollisionShape2D
            scenes/main.tscn Coins/Coin4/Shape CollisionShape2D
            scenes/main.tscn Coins/GoldCoin/Shape CollisionShape2D
            scenes/main.tscn Player/Shape CollisionShape2D"#]].assert_eq(&find(json!({ "type": "CollisionShape2D", "namePattern": "Shape", "paths": ["main.tscn"], "includeInstances": true, "cursor": 3 })));
    }

    #[test]
    fn values_are_effective_ones() {
        expect![[r#"
            2 null
            scenes/main.tscn Player CharacterBody2D 4.0
            scenes/player.tscn . CharacterBody2D 4.0"#]]
        .assert_eq(&find(json!({ "property": "floor_snap_length" })));
        expect![[r#"
            2 null
            scenes/level.tscn Start Marker2D {"x":48,"y":288}
            scenes/main.tscn Player CharacterBody2D {"x":48,"y":288}"#]]
        .assert_eq(&find(json!({ "property": "position", "value": "Vector2(48, 288)" })));
        expect![[r#"
            1 null
            scenes/main.tscn HUD/Root/TopBar/ScoreLabel Label 0"#]]
        .assert_eq(&find(
            json!({ "type": "Label", "property": "horizontal_alignment", "value": 0 }),
        ));
        expect![[r#"
            1 null
            scenes/main.tscn Coins/GoldCoin Area2D {"x":1.25,"y":1.25}"#]]
        .assert_eq(&find(json!({ "property": "scale", "value": { "x": 1.25, "y": 1.25 } })));
    }

    #[test]
    fn what_is_unknown_is_said() {
        let sample = GodotSample::new();
        let refuse = |arguments| sample.error(super::TOOL.id, arguments);
        expect!["Godot 4.4 has no class 'Sprite'; it is called Sprite2D since Godot 4"]
            .assert_eq(&refuse(json!({ "type": "Sprite" })));
        expect!["there is no script Playr; did you mean Player?"]
            .assert_eq(&refuse(json!({ "script": "Playr" })));
        expect!["Invalid tool arguments: value is the value of a property; name the property too"]
            .assert_eq(&refuse(json!({ "value": 1 })));
        expect!["Invalid tool arguments: namePattern is no pattern: unclosed character class; missing ']'"].assert_eq(&refuse(json!({ "namePattern": "[" })));
    }
}
