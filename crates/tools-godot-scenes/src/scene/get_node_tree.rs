//! The tool `godotScene.getNodeTree`, which MCP clients call `get_node_tree`.

use scenewright_contract::{JsonMap, ToolError};
use scenewright_godot::{NodeState, Tree, TreeNode};
use scenewright_toolkit::{Cx, Example, Tool, answer, call, schema};
use scenewright_tools_godot::base::{InGodot, InScene, find_node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// JSON that nests deeper is refused by many readers; deeper nodes are counted instead.
const MAX_DEPTH: usize = 48;
/// Problems that are told.
const MAX_PROBLEMS: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.getNodeTree",
    keywords: "what nodes are in scene contents hierarchy show contain children structure is inside level layout outline list everything child under parent",
    mcp: Some("get_node_tree"),
    title: "Get Node Tree",
    category: "godot.scene",
    lean: true,
    examples: &[Example {
        description: "Show the coin of the sample",
        input: r#"{ "projectPath": "godot", "scenePath": "scenes/coin.tscn" }"#,
        output: r#"{
            "scenePath": "scenes/coin.tscn",
            "nodeCount": 3,
            "tree": {
                "name": "Coin",
                "type": "Area2D",
                "path": ".",
                "scriptPath": "res://scripts/coin.gd",
                "groups": ["coins"],
                "children": [
                    { "name": "Shape", "type": "CollisionShape2D", "path": "Shape" },
                    { "name": "Face", "type": "Polygon2D", "path": "Face" }
                ]
            },
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    text: Some(text),
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Show the node tree of a Godot scene as the engine would make it, nodes of instances and base scenes
/// included, with classes, scripts and groups. What is inside of imported models is not known from
/// the files; the answer says so.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Only this node and what is below it.
    node_path: Option<String>,
    /// How many levels below it to show; deeper children are counted.
    #[schemars(range(min = 1))]
    max_depth: Option<usize>,
    /// How many nodes to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 20_000))]
    max_nodes: usize,
}

fn most() -> usize {
    2000
}

/// A line per node: its name, its class, and what else is known of it.
fn text(output: &Value) -> String {
    answer::with_tree(output, &["tree"], &|node, path| {
        let text = |key: &str| node.get(key).and_then(Value::as_str);
        let mut line = text("name").unwrap_or_default().to_owned();
        if let Some(alike) = node.get("alike") {
            line += &format!(" ×{alike}");
        }
        let mut facts: Vec<String> = text("type").map(str::to_owned).into_iter().collect();
        // The root is `.`, which goes without saying.
        let is_elsewhere = |own: &&Value| *own != "." && !answer::leads_to(own, path);
        let own = node.get("path").filter(is_elsewhere);
        facts.extend(own.map(|own| format!("path {}", answer::cell(own))));
        for (key, what) in [("scriptPath", "script"), ("instance", "instance of")] {
            facts.extend(text(key).map(|value| format!("{what} {value}")));
        }
        if let Some(groups) = node.get("groups").and_then(Value::as_array) {
            let groups: Vec<String> = groups.iter().map(answer::cell).collect();
            facts.push(format!("groups {}", groups.join(" ")));
        }
        if node.get("uniqueName") == Some(&Value::Bool(true)) {
            facts.push("unique name".to_owned());
        }
        facts.extend(text("state").map(str::to_owned));
        if !facts.is_empty() {
            line += &format!(" ({})", facts.join(", "));
        }
        line
    })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The scene, from the project's root.
    scene_path: String,
    /// How many nodes it has.
    node_count: usize,
    /// The root; absent in a scene without nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Shown>,
    /// Whether nodes are left out: more than maxNodes, or deeper than can be shown.
    truncated: bool,
    /// What the engine would drop or complain about, the first 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Shown {
    /// Its name.
    name: String,
    /// Its class; absent when the files do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    /// Its path from the root, which is `.`.
    path: String,
    /// The script on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    script_path: Option<String>,
    /// Groups it is in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<String>,
    /// Whether scripts can find it as `%Name`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unique_name: bool,
    /// The scene it is an instance of; for the root, that it inherits.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
    /// What is not known about it, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    /// How many children are not shown.
    #[serde(skip_serializing_if = "is_zero")]
    hidden_children: usize,
    /// What is below it, in order.
    #[schemars(with = "Vec<JsonMap>")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Shown>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let top = match &input.node_path {
        Some(path) => Some(find_node(cx, &tree, &open.path, path)?),
        None => tree.root(),
    };
    let depth = input.max_depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
    let mut view = View { tree: &tree, depth, left: input.max_nodes, truncated: false };
    let shown = top.map(|node| view.show(node, 0));
    let problems = tree.problems().iter().take(MAX_PROBLEMS);
    Ok(Output {
        scene_path: open.path.to_string(),
        node_count: tree.nodes().len(),
        tree: shown,
        truncated: view.truncated,
        problems: problems.map(|it| format!("{}:{}: {}", it.file, it.line, it.message)).collect(),
    })
}

struct View<'a> {
    tree: &'a Tree,
    depth: usize,
    left: usize,
    truncated: bool,
}

impl View<'_> {
    fn show(&mut self, node: &TreeNode, depth: usize) -> Shown {
        self.left = self.left.saturating_sub(1);
        let mut children = Vec::new();
        let tree = self.tree;
        let shown = if depth < self.depth { node.children.len() } else { 0 };
        for child in tree.children(node).take(shown) {
            if self.left == 0 {
                self.truncated = true;
                break;
            }
            children.push(self.show(child, depth + 1));
        }
        let hidden_children = node.children.len() - children.len();
        self.truncated |= hidden_children > 0 && depth >= MAX_DEPTH;
        Shown {
            name: node.name.clone(),
            r#type: node.class.clone(),
            path: node.path.clone(),
            script_path: node.script(),
            groups: node.groups.clone(),
            unique_name: node.has_unique_name(),
            instance: node.instance.clone(),
            state: state(node.state),
            hidden_children,
            children,
        }
    }
}

fn state(state: NodeState) -> Option<&'static str> {
    match state {
        NodeState::Plain => None,
        NodeState::Placeholder => Some("a placeholder: its scene is loaded only on demand"),
        NodeState::Opaque => Some("imported or binary: the files do not tell what is inside"),
        NodeState::Missing => Some("its scene is not there; the engine leaves it out"),
        NodeState::Cycle => Some("its scene has it inside; the engine leaves it out"),
        NodeState::TooMuch => Some("not shown: instances in instances bring too many nodes"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    /// One line a node, by the tree's own nesting.
    fn lines(node: &Value, depth: usize, text: &mut String) {
        let mut node = node.clone();
        let members = node.as_object_mut().unwrap();
        let children = members.shift_remove("children").unwrap_or_default();
        *text += &format!("{}{node}\n", "  ".repeat(depth));
        for child in children.as_array().into_iter().flatten() {
            lines(child, depth + 1, text);
        }
    }

    fn tree(sample: &GodotSample, arguments: Value) -> String {
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let mut text = String::new();
        lines(&output["tree"], 0, &mut text);
        text += &format!("{} nodes, truncated {}", output["nodeCount"], output["truncated"]);
        for problem in output["problems"].as_array().into_iter().flatten() {
            text += &format!("\n{problem}");
        }
        text
    }

    #[test]
    fn instances_and_base_scenes_are_expanded() {
        let sample = GodotSample::new();
        let show = |arguments| tree(&sample, arguments);
        expect![[r#"
            {"name":"Player","type":"CharacterBody2D","path":".","scriptPath":"res://scripts/player.gd","groups":["player"],"instance":"res://scenes/actor.tscn"}
              {"name":"Shape","type":"CollisionShape2D","path":"Shape"}
              {"name":"Body","type":"Polygon2D","path":"Body"}
                {"name":"Scarf","type":"Polygon2D","path":"Body/Scarf"}
              {"name":"AnimationPlayer","type":"AnimationPlayer","path":"AnimationPlayer"}
              {"name":"CoyoteTimer","type":"Timer","path":"CoyoteTimer"}
            6 nodes, truncated false"#]].assert_eq(&show(json!({ "scenePath": "scenes/player.tscn" })));
        expect![[r#"
            {"name":"Main","type":"Node2D","path":".","scriptPath":"res://scripts/main.gd"}
              {"name":"Level","type":"Node2D","path":"Level","instance":"res://scenes/level.tscn","hiddenChildren":4}
              {"name":"Coins","type":"Node2D","path":"Coins","hiddenChildren":5}
              {"name":"Player","type":"CharacterBody2D","path":"Player","scriptPath":"res://scripts/player.gd","groups":["player"],"instance":"res://scenes/player.tscn","hiddenChildren":5}
              {"name":"HUD","type":"CanvasLayer","path":"HUD","hiddenChildren":1}
            38 nodes, truncated false"#]].assert_eq(&show(json!({ "scenePath": "res://scenes/main.tscn", "maxDepth": 1 })));
        expect![[r#"
            {"name":"Root","type":"Control","path":"HUD/Root","hiddenChildren":1}
              {"name":"TopBar","type":"HBoxContainer","path":"HUD/Root/TopBar","hiddenChildren":1}
                {"name":"ScoreLabel","type":"Label","path":"HUD/Root/TopBar/ScoreLabel","uniqueName":true}
            38 nodes, truncated true"#]].assert_eq(&show(
            json!({ "scenePath": "scenes/main.tscn", "nodePath": "HUD/Root", "maxNodes": 3 }),
        ));
    }

    #[test]
    fn what_is_not_known_is_said() {
        let sample = GodotSample::new();
        sample.write(
            "odd.tscn",
            concat!(
                "[gd_scene format=3]\n\n",
                "[ext_resource type=\"PackedScene\" path=\"res://no.tscn\" id=\"1\"]\n",
                "[ext_resource type=\"PackedScene\" path=\"res://ship.glb\" id=\"2\"]\n",
                "[ext_resource type=\"PackedScene\" path=\"res://odd.tscn\" id=\"3\"]\n\n",
                "[node name=\"Odd\" type=\"Node3D\"]\n\n",
                "[node name=\"A\" parent=\".\" instance=ExtResource(\"1\")]\n\n",
                "[node name=\"B\" parent=\".\" instance=ExtResource(\"2\")]\n\n",
                "[node name=\"C\" parent=\".\" instance=ExtResource(\"3\")]\n\n",
                "[node name=\"D\" parent=\".\" instance_placeholder=\"res://no.tscn\"]\n",
            ),
        );
        sample.write("ship.glb", "glTF");
        expect![[r#"
            {"name":"Odd","type":"Node3D","path":"."}
              {"name":"A","path":"A","instance":"res://no.tscn","state":"its scene is not there; the engine leaves it out"}
              {"name":"B","path":"B","instance":"res://ship.glb","state":"imported or binary: the files do not tell what is inside"}
              {"name":"C","path":"C","instance":"res://odd.tscn","state":"its scene has it inside; the engine leaves it out"}
              {"name":"D","type":"InstancePlaceholder","path":"D","instance":"res://no.tscn","state":"a placeholder: its scene is loaded only on demand"}
            5 nodes, truncated false
            "res://odd.tscn:9: the scene of `A`, `res://no.tscn`, is not there"
            "res://odd.tscn:13: `C` is an instance of `res://odd.tscn`, which it is inside of""#]].assert_eq(&tree(&sample, json!({ "scenePath": "odd.tscn" })));
    }

    #[test]
    fn a_scene_that_is_not_there_is_said() {
        let sample = GodotSample::new();
        let refuse = |path: &str| sample.error(super::TOOL.id, json!({ "scenePath": path }));
        expect!["file not found: no.tscn; there is scenes/coin.tscn, scenes/main.tscn, scenes/actor.tscn, scenes/level.tscn, scenes/player.tscn"]
            .assert_eq(&refuse("no.tscn"));
        expect!["icon.svg is no text scene: .tscn is read and changed here; binary .scn files and imported models need the engine"].assert_eq(&refuse("icon.svg"));
    }
}
