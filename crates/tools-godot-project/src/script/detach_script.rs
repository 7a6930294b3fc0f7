//! The tool `godotScript.detachScript`, which MCP clients call `detach_script`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{Connection, Declared, Scene, Script, Sources, absolute_path};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_tools_godot::base::scripts::{put_script, script_chain};
use scenewright_tools_godot::base::{Godot, InGodot, InScene, OpenScene, Write, join, users_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.detachScript",
    keywords: "remove script from node unassign take off",
    mcp: Some("detach_script"),
    title: "Detach Godot Script",
    category: "godot.script",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Take the script from the root of a scene",
        input: r#"{ "projectPath": "godot", "scenePath": "res://scenes/level.tscn", "nodePath": "." }"#,
        output: r#"{
            "success": true,
            "scenePath": "res://scenes/level.tscn",
            "nodePath": ".",
            "scriptPath": "res://autoload/game_state.gd",
            "removedProperties": [],
            "brokenConnections": [],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier {
        tool: "godotScript.attachScript",
        input: r#"{
            "projectPath": "godot", "scenePath": "scenes/level.tscn",
            "nodePath": ".", "scriptPath": "autoload/game_state.gd"
        }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Take the script from a node of a scene, with the values of its exported variables. The script's
/// file stays. A node that has its script from an instance gets an override without one.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root: `.` is the root itself.
    node_path: String,
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
    /// The script that it had.
    script_path: String,
    /// Values of the script's variables that went with it.
    removed_properties: Vec<String>,
    /// Connections that need the script and stay: `signal (from -> to): method`, with the scene
    /// where they are in a base scene, an instance, or a scene that has this one in it.
    broken_connections: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let node_path = godot.node(&open, &input.node_path)?;
    let tree = godot.tree(&open.path)?;
    let node = tree.node(&node_path).ok_or_else(|| ToolError::not_found("node", &node_path))?;
    let Some(script_path) = node.script() else {
        return Err(ToolError::new(ErrorKind::EngineError, format!("{node_path} has no script"))
            .hint("get_node_tree shows which nodes have one"));
    };
    let broken_connections = needing(&godot, &open, &node_path, &script_path, None);
    let removed_properties = put_script(&godot, &mut open, node, None)?;
    Ok(Output {
        success: true,
        scene_path: format!("res://{}", open.path),
        node_path,
        script_path,
        removed_properties,
        broken_connections,
        written: open.save(&godot, input.write)?,
    })
}

/// The connections that call a function of the script, or wait for one of its signals, and do not
/// find it in the one that comes in its place.
pub(super) fn needing(
    godot: &Godot<'_>,
    open: &OpenScene,
    node: &str,
    script: &str,
    next: Option<&str>,
) -> Vec<String> {
    let scripts = script_chain(godot, script);
    let next = next.map(|next| script_chain(godot, next)).unwrap_or_default();
    let own = format!("res://{}", open.path);
    let mut search = Search { godot, scripts, next, own, found: vec![] };
    search.within(&search.own.clone(), &open.scene, node, 0);
    for user in users_of(godot, &open.path) {
        let path = format!("res://{}", user.path);
        let Some(scene) = godot.scene(&path) else { continue };
        for root in &user.roots {
            search.add(&path, &scene, &join(root, node));
        }
    }
    search.found.truncate(MAX_LISTED);
    search.found
}

/// More say nothing new.
const MAX_LISTED: usize = 200;
/// Instances in instances; the deepest real projects have about ten.
const MAX_DEPTH: usize = 32;

struct Search<'a> {
    godot: &'a Godot<'a>,
    scripts: Vec<&'a Script>,
    /// What the node has afterwards.
    next: Vec<&'a Script>,
    /// The scene that is changed.
    own: String,
    found: Vec<String>,
}

impl Search<'_> {
    /// Those of a scene, and of the base scene and the instances that the node comes from.
    fn within(&mut self, file: &str, scene: &Scene, node: &str, depth: usize) {
        self.add(file, scene, node);
        for instance in scene.nodes().filter(|_| depth < MAX_DEPTH) {
            let Some(id) = instance.instance() else { continue };
            let inside = match instance.path() {
                "." => Some(node),
                path if path == node => Some("."),
                path => node.strip_prefix(path).and_then(|rest| rest.strip_prefix('/')),
            };
            let source = scene.ext_resource(&id).zip(inside);
            let Some((source, inside)) = source else { continue };
            let known = source.uid().and_then(|uid| self.godot.find_uid(&uid));
            let path = known.unwrap_or_else(|| absolute_path(file, &source.path()));
            let text = path.ends_with(".tscn").then(|| self.godot.scene(&path)).flatten();
            if let Some(other) = text {
                self.within(&path, &other, inside, depth + 1);
            }
        }
    }

    fn add(&mut self, file: &str, scene: &Scene, node: &str) {
        let has = |list: fn(&Script) -> &Vec<Declared>, name: &str| {
            let is_in = |scripts: &[&Script]| {
                let mut all = scripts.iter().flat_map(|script| list(script));
                all.any(|declared| declared.name == name)
            };
            is_in(&self.scripts) && !is_in(&self.next)
        };
        let is_needing = |connection: &Connection<'_>| {
            (connection.to() == node && has(|script| &script.functions, &connection.method()))
                || (connection.from() == node
                    && has(|script| &script.signals, &connection.signal()))
        };
        let place = if file == self.own { String::new() } else { format!(" in {file}") };
        let shown = |connection: Connection<'_>| {
            let (signal, from) = (connection.signal(), connection.from());
            format!("{signal} ({from} -> {}): {}{place}", connection.to(), connection.method())
        };
        self.found.extend(scene.connections().filter(is_needing).map(shown));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use crate::testing::GodotSample;

    fn check(scene: &str, node: &str, expected: Expect) {
        let arguments = json!({ "scenePath": scene, "nodePath": node });
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn the_script_goes_with_its_values_and_its_resource() {
        check(
            "scenes/coin.tscn",
            ".",
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,7 +1,4 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                -
                -[ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                -[ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                +[gd_scene load_steps=2 format=3 uid="uid://da5dy46gvq05t"]

                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0
                @@ -9,8 +6,6 @@
                 [node name="Coin" type="Area2D" groups=["coins"]]
                 collision_layer = 4
                 collision_mask = 2
                -script = ExtResource("1_d6i1o")
                -settings = ExtResource("2_s0f5k")

                 [node name="Shape" type="CollisionShape2D" parent="."]
                 shape = SubResource("CircleShape2D_o7u2a")
            "#]],
        );
    }

    #[test]
    fn what_a_base_scene_gives_is_overridden() {
        check(
            "scenes/player.tscn",
            ".",
            expect![[r#"
                --- a/scenes/player.tscn
                +++ b/scenes/player.tscn
                @@ -1,7 +1,6 @@
                -[gd_scene load_steps=4 format=3 uid="uid://daw60r51yjit"]
                +[gd_scene load_steps=3 format=3 uid="uid://daw60r51yjit"]
 
                 [ext_resource type="PackedScene" uid="uid://u4ujiidj5i7c" path="res://scenes/actor.tscn" id="1_p1g6j"]
                -[ext_resource type="Script" uid="uid://disjhmid1oh4h" path="res://scripts/player.gd" id="2_z8n4u"]
 
                 [sub_resource type="CapsuleShape2D" id="CapsuleShape2D_c3o9q"]
                 radius = 6.0
                @@ -10,9 +9,7 @@
                 [node name="Player" groups=["player"] instance=ExtResource("1_p1g6j")]
                 collision_layer = 2
                 floor_snap_length = 4.0
                -script = ExtResource("2_z8n4u")
                -speed = 140.0
                -jump_speed = 320.0
                +script = null
 
                 [node name="Shape" parent="." index="0"]
                 shape = SubResource("CapsuleShape2D_c3o9q")
            "#]],
        );
    }

    #[test]
    fn connections_that_need_the_script_are_told() {
        let arguments = json!({ "scenePath": "scenes/coin.tscn", "nodePath": ".", "dryRun": true });
        let output = GodotSample::new().call(super::TOOL.id, arguments).unwrap();
        let all = output["brokenConnections"].as_array().unwrap();
        assert_eq!(all[0], "body_entered (. -> .): _on_body_entered");
        let main = "collected (Coins/Coin1 -> .): _on_coin_collected in res://scenes/main.tscn";
        assert_eq!(all[1], main);
    }

    #[test]
    fn connections_of_base_scenes_and_of_users_are_told_too() {
        let sample = GodotSample::new();
        let base = "[gd_scene format=3]\n[node name=\"Base\" type=\"Area2D\"]\n[node name=\"Hit\" type=\"Area2D\" parent=\".\"]\n[connection signal=\"body_entered\" from=\"Hit\" to=\".\" method=\"_on_hit\"]\n[connection signal=\"ready\" from=\".\" to=\".\" method=\"queue_free\"]\n";
        sample.write("base.tscn", base);
        sample.write("child.gd", "extends Area2D\nsignal done\nfunc _on_hit(_body): pass\n");
        let scene = |resource: &str, script: &str, node: &str, rest: &str| {
            format!(
                "[gd_scene format=3]\n[ext_resource type=\"PackedScene\" path=\"res://{resource}\" id=\"1\"]\n{script}{node}{rest}"
            )
        };
        let script = "[ext_resource type=\"Script\" path=\"res://child.gd\" id=\"2\"]\n";
        let root =
            "[node name=\"Child\" instance=ExtResource(\"1\")]\nscript = ExtResource(\"2\")\n";
        sample.write("child.tscn", &scene("base.tscn", script, root, ""));
        let root = "[node name=\"User\" type=\"Node\"]\n[node name=\"C\" parent=\".\" instance=ExtResource(\"1\")]\n";
        let uses = "[connection signal=\"done\" from=\"C\" to=\".\" method=\"queue_free\"]\n";
        sample.write("user.tscn", &scene("child.tscn", "", root, uses));
        let arguments = json!({ "scenePath": "child.tscn", "nodePath": ".", "dryRun": true });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(
            output["brokenConnections"],
            json!([
                "body_entered (Hit -> .): _on_hit in res://base.tscn",
                "done (C -> .): queue_free in res://user.tscn"
            ])
        );
    }

    #[test]
    fn a_node_without_a_script_is_said() {
        let arguments = json!({ "scenePath": "scenes/coin.tscn", "nodePath": "Face" });
        let error = GodotSample::new().error(super::TOOL.id, arguments);
        expect!["Face has no script; get_node_tree shows which nodes have one"].assert_eq(&error);
    }
}
