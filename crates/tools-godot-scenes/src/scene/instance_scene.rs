//! The tool `godotScene.instanceScene`, which MCP clients call `instance_scene`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{NewNode, NodeSource, NodeState};
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, InGodot, InScene, Write, find_node, free_name, must_be_free, refused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.instanceScene",
    keywords: "instantiate enemy level spawn put prefab packedscene sub scene inside another drop a into the place coin player several instance add child",
    mcp: Some("instance_scene"),
    title: "Instance Scene",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Put a coin into the level",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/level.tscn",
            "instancePath": "res://scenes/coin.tscn",
            "parentNodePath": "Lighthouse"
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Lighthouse/Coin",
            "instancePath": "scenes/coin.tscn",
            "nodeType": "Area2D",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put an instance of one scene into another; imported models can be instanced too. A scene cannot
/// be put into itself, through others neither.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// The scene or model to put in.
    instance_path: String,
    /// Path of its parent from the scene's root: `.` is the root itself.
    #[serde(default = "root")]
    parent_node_path: String,
    /// Name of the instance; by default that of its root, with a number when it is taken.
    instance_name: Option<String>,
    #[serde(flatten)]
    write: Write,
}

fn root() -> String {
    ".".to_owned()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the instance from the scene's root.
    node_path: String,
    /// The scene it is an instance of.
    instance_path: String,
    /// Class of its root; absent when the file does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    node_type: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let parent = find_node(cx, &tree, &open.path, &input.parent_node_path)?;
    let instance = godot.path(&input.instance_path)?;
    if instance == open.path {
        return Err(cycle(&open.path, &instance));
    }
    let id = open.scene.change(|document| {
        godot.reference(document, &format!("res://{instance}"), "PackedScene")
    })?;
    let name = match input.instance_name {
        Some(name) => {
            must_be_free(&tree, parent, &name)?;
            name
        }
        None => free_name(&tree, parent, &root_name(&godot, &instance)),
    };
    godot.show_inside(&mut open, &tree, parent)?;
    let node_path = open
        .scene
        .add_node(&NewNode {
            name: &name,
            parent: &parent.path,
            source: NodeSource::Instance(&id),
            position: None,
            groups: &[],
            properties: &[],
        })
        .map_err(refused)?;
    let tree = godot.tree_of(&open);
    let is_below = |path: &str| {
        path.strip_prefix(&*node_path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_circular = |state: NodeState| state == NodeState::Cycle;
    if tree.nodes().iter().any(|node| is_circular(node.state) && is_below(&node.path)) {
        return Err(cycle(&open.path, &instance));
    }
    let node_type = tree.node(&node_path).and_then(|node| node.class.clone());
    let written = open.save(&godot, input.write)?;
    Ok(Output { success: true, node_path, instance_path: instance.to_string(), node_type, written })
}

fn cycle(scene: &ProjectPath, instance: &ProjectPath) -> ToolError {
    ToolError::new(
        ErrorKind::BadArguments,
        format!("{instance} has {scene} in it, or is it: a scene cannot be inside of itself"),
    )
    .hint("nothing was changed; get_node_tree shows the instances of a scene")
}

/// The name of the root of a scene; of a model, the file's.
fn root_name(godot: &Godot<'_>, path: &ProjectPath) -> String {
    let tree = godot.tree(path).ok();
    let name = tree.and_then(|tree| Some(tree.root()?.name.clone()));
    let file = path.as_str().rsplit('/').next().unwrap_or_default();
    let stem = || file.split('.').next().unwrap_or("Instance").to_owned();
    name.filter(|name| !name.is_empty()).unwrap_or_else(stem)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(arguments: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_known_scene_is_named_once() {
        check(
            json!({ "scenePath": "scenes/main.tscn", "instancePath": "scenes/coin.tscn", "parentNodePath": "Coins", "instanceName": "Coin5" }),
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -46,6 +46,8 @@
                 scale = Vector2(1.25, 1.25)
                 settings = SubResource("Resource_g5a1z")

                +[node name="Coin5" parent="Coins" instance=ExtResource("3_c8r3i")]
                +
                 [node name="Player" parent="." instance=ExtResource("5_y6b0n")]
                 position = Vector2(48, 288)

            "#]],
        );
    }

    #[test]
    fn an_instance_inside_of_another_shows_its_children() {
        check(
            json!({ "scenePath": "scenes/main.tscn", "instancePath": "uid://da5dy46gvq05t", "parentNodePath": "Player/Body" }),
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -57,6 +57,8 @@
                 limit_bottom = 360
                 position_smoothing_enabled = true

                +[node name="Coin" parent="Player/Body" instance=ExtResource("3_c8r3i")]
                +
                 [node name="HUD" type="CanvasLayer" parent="."]

                 [node name="Root" type="Control" parent="HUD"]
                @@ -113,3 +115,4 @@
                 [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]

                 [editable path="Level"]
                +[editable path="Player"]
            "#]],
        );
    }

    #[test]
    fn no_scene_is_inside_of_itself() {
        let sample = GodotSample::new();
        let refuse = |scene: &str, instance: &str| {
            sample.error(super::TOOL.id, json!({ "scenePath": scene, "instancePath": instance }))
        };
        expect!["scenes/coin.tscn has scenes/coin.tscn in it, or is it: a scene cannot be inside of itself; nothing was changed; get_node_tree shows the instances of a scene"].assert_eq(&refuse("scenes/coin.tscn", "scenes/coin.tscn"));
        expect!["scenes/main.tscn has scenes/actor.tscn in it, or is it: a scene cannot be inside of itself; nothing was changed; get_node_tree shows the instances of a scene"].assert_eq(&refuse("scenes/actor.tscn", "scenes/main.tscn"));
        expect!["file not found: scenes/no.tscn; did you mean scenes/main.tscn or scenes/coin.tscn or scenes/level.tscn?"]
            .assert_eq(&refuse("scenes/coin.tscn", "scenes/no.tscn"));
        expect!["scripts/coin.gd is a Script, and a PackedScene is needed"]
            .assert_eq(&refuse("scenes/coin.tscn", "scripts/coin.gd"));
    }
}
