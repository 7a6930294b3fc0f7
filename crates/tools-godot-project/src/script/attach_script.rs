//! The tool `godotScript.attachScript`, which MCP clients call `attach_script`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::TreeNode;
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::scripts::{put_script, script_chain};
use scenewright_tools_godot::base::{Godot, InGodot, InScene, Write};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::detach_script::needing;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.attachScript",
    keywords: "add script to node glue assign put set on a behaviour gd",
    mcp: Some("attach_script"),
    title: "Attach Godot Script",
    category: "godot.script",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Give the shape of a coin a script",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "nodePath": ".",
            "scriptPath": "res://autoload/game_state.gd"
        }"#,
        output: r#"{
            "success": true,
            "scenePath": "res://scenes/level.tscn",
            "nodePath": ".",
            "nodeType": "Node2D",
            "scriptPath": "res://autoload/game_state.gd",
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

/// Attach a script to a node of a scene, in place of the one it has. The script must extend the
/// node's class or one that it inherits from.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root: `.` is the root itself.
    node_path: String,
    /// The script: `res://player.gd`, or the path from the project's root.
    script_path: String,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene.
    scene_path: String,
    /// The node, from the scene's root.
    node_path: String,
    /// Its class.
    #[serde(skip_serializing_if = "Option::is_none")]
    node_type: Option<String>,
    /// The script that it has now.
    script_path: String,
    /// The script that it had.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_script: Option<String>,
    /// Connections that need what the previous script had and this one has not, and stay:
    /// `signal (from -> to): method`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken_connections: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let node_path = godot.node(&open, &input.node_path)?;
    let script = script_file(&godot, &input.script_path)?;
    let tree = godot.tree(&open.path)?;
    let Some(node) = tree.node(&node_path) else {
        return Err(ToolError::not_found("node", &node_path));
    };
    check_base(&godot, node, &script)?;
    let next = format!("res://{script}");
    let broken_connections = match node.script().filter(|previous| *previous != next) {
        Some(previous) => needing(&godot, &open, &node_path, &previous, Some(&next)),
        None => Vec::new(),
    };
    put_script(&godot, &mut open, node, Some(&script))?;
    Ok(Output {
        success: true,
        scene_path: format!("res://{}", open.path),
        node_path,
        node_type: node.class.clone(),
        script_path: next,
        previous_script: node.script(),
        broken_connections,
        written: open.save(&godot, input.write)?,
    })
}

fn script_file(godot: &Godot<'_>, text: &str) -> Result<ProjectPath, ToolError> {
    let path = godot.path(text)?;
    if !godot.exists(&path) {
        return Err(godot.no_script(&path));
    }
    if !path.as_str().ends_with(".gd") && !path.as_str().ends_with(".cs") {
        return Err(ToolError::new(ErrorKind::BadArguments, format!("{path} is no script")));
    }
    Ok(path)
}

/// Godot refuses a script on a node that is not what the script extends.
fn check_base(godot: &Godot<'_>, node: &TreeNode, script: &ProjectPath) -> Result<(), ToolError> {
    let classes = godot.classes();
    let (Some(class), Some(base)) =
        (node.class.as_deref(), godot.index.engine_base(script.as_str()))
    else {
        return Ok(());
    };
    let has_extensions = godot.index.files().any(|file| file.path.ends_with(".gdextension"));
    let is_declared = script_chain(godot, script.as_str())
        .iter()
        .any(|script| script.variables.iter().any(|found| found.name == base));
    let is_name = !base.is_empty() && !base.contains(['.', '/', ':']) && !is_declared;
    let is_nobodys = is_name && classes.class(base).is_none() && !has_extensions;
    if is_nobodys && script.as_str().ends_with(".gd") && classes.class(class).is_some() {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{script} extends {base}, which neither Godot nor a script declares"),
        )
        .hint("Godot cannot load such a script; mend what it extends first"));
    }
    // What an extension brings cannot be judged from here.
    let is_known = classes.class(class).is_some() && classes.class(base).is_some();
    if !script.as_str().ends_with(".gd") || !is_known || classes.inherits(class, base) {
        return Ok(());
    }
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("{script} extends {base}, and {} is a {class}", node.path),
    )
    .hint(format!("a script for it extends {class} or a class that {class} inherits from")))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(arguments: Value, expected: Expect) {
        let sample = GodotSample::new();
        sample.write("scripts/face.gd", "extends CanvasItem\n");
        expected.assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn the_script_stands_behind_the_other_properties() {
        check(
            json!({ "scenePath": "scenes/coin.tscn", "nodePath": "Face", "scriptPath": "scripts/face.gd" }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,7 +1,8 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
                 [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                 [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                +[ext_resource type="Script" path="res://scripts/face.gd" id="3_el38i"]
 
                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0
                @@ -17,5 +18,6 @@
 
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
                +script = ExtResource("3_el38i")
 
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
    }

    #[test]
    fn the_one_before_goes_with_its_values() {
        check(
            json!({ "scenePath": "scenes/coin.tscn", "nodePath": "/root/Coin", "scriptPath": "scripts/face.gd" }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,7 +1,6 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                +[gd_scene load_steps=3 format=3 uid="uid://da5dy46gvq05t"]
 
                -[ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                -[ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                +[ext_resource type="Script" path="res://scripts/face.gd" id="3_n7maf"]
 
                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0
                @@ -9,8 +8,7 @@
                 [node name="Coin" type="Area2D" groups=["coins"]]
                 collision_layer = 4
                 collision_mask = 2
                -script = ExtResource("1_d6i1o")
                -settings = ExtResource("2_s0f5k")
                +script = ExtResource("3_n7maf")
 
                 [node name="Shape" type="CollisionShape2D" parent="."]
                 shape = SubResource("CircleShape2D_o7u2a")
            "#]],
        );
    }

    #[test]
    fn a_node_of_an_instance_gets_an_override() {
        check(
            json!({ "scenePath": "scenes/player.tscn", "nodePath": "AnimationPlayer", "scriptPath": "autoload/game_state.gd" }),
            expect![[r#"
                --- a/scenes/player.tscn
                +++ b/scenes/player.tscn
                @@ -1,7 +1,8 @@
                -[gd_scene load_steps=4 format=3 uid="uid://daw60r51yjit"]
                +[gd_scene load_steps=5 format=3 uid="uid://daw60r51yjit"]

                 [ext_resource type="PackedScene" uid="uid://u4ujiidj5i7c" path="res://scenes/actor.tscn" id="1_p1g6j"]
                 [ext_resource type="Script" uid="uid://disjhmid1oh4h" path="res://scripts/player.gd" id="2_z8n4u"]
                +[ext_resource type="Script" uid="uid://bw6f7dxiufo2s" path="res://autoload/game_state.gd" id="3_4m1rd"]

                 [sub_resource type="CapsuleShape2D" id="CapsuleShape2D_c3o9q"]
                 radius = 6.0
                @@ -25,5 +26,8 @@
                 color = Color(0.98, 0.9, 0.6, 1)
                 polygon = PackedVector2Array(-6, -1, 6, -1, 6, 2, -3, 2, -9, 6, -8, 2, -6, 2)

                +[node name="AnimationPlayer" parent="." index="2"]
                +script = ExtResource("3_4m1rd")
                +
                 [node name="CoyoteTimer" type="Timer" parent="." index="3"]
                 process_callback = 0
            "#]],
        );
    }

    /// Random edits judged by the engine: connections were lost, and nobody was told.
    #[test]
    fn connections_that_need_the_script_before_are_told() {
        let sample = GodotSample::new();
        sample.write("scripts/face.gd", "extends CanvasItem\n");
        let arguments = json!({ "scenePath": "scenes/coin.tscn", "nodePath": ".", "scriptPath": "scripts/face.gd" });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        expect![[r#"["body_entered (. -> .): _on_body_entered","collected (Coins/Coin1 -> .): _on_coin_collected in res://scenes/main.tscn","collected (Coins/Coin2 -> .): _on_coin_collected in res://scenes/main.tscn","collected (Coins/Coin3 -> .): _on_coin_collected in res://scenes/main.tscn","collected (Coins/Coin4 -> .): _on_coin_collected in res://scenes/main.tscn","collected (Coins/GoldCoin -> .): _on_coin_collected in res://scenes/main.tscn"]"#]].assert_eq(&output["brokenConnections"].to_string());
    }

    /// Random edits judged by the engine: it dropped such a script.
    #[test]
    fn a_script_of_a_class_that_nobody_declares_is_refused() {
        let sample = GodotSample::new();
        sample.write("scripts/test.gd", "extends GdUnitTestSuite\n");
        let arguments = json!({ "scenePath": "scenes/coin.tscn", "nodePath": ".", "scriptPath": "scripts/test.gd" });
        expect!["scripts/test.gd extends GdUnitTestSuite, which neither Godot nor a script declares; Godot cannot load such a script; mend what it extends first"].assert_eq(&sample.error(super::TOOL.id, arguments));
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let sample = GodotSample::new();
        let refuse = |node: &str, script: &str| {
            let arguments =
                json!({ "scenePath": "scenes/coin.tscn", "nodePath": node, "scriptPath": script });
            sample.error(super::TOOL.id, arguments)
        };
        expect!["scripts/player.gd extends CharacterBody2D, and . is a Area2D; a script for it extends Area2D or a class that Area2D inherits from"].assert_eq(&refuse(".", "scripts/player.gd"));
        expect!["node not found: Nope; there is Shape, Face, ."]
            .assert_eq(&refuse("Nope", "scripts/coin.gd"));
        expect!["script not found: scripts/nope.gd; did you mean scripts/coin.gd or scripts/player.gd or scripts/main.gd?"].assert_eq(&refuse(".", "scripts/nope.gd"));
        expect!["icon.svg is no script"].assert_eq(&refuse(".", "icon.svg"));
    }
}
