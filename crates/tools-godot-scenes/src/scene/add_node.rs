//! The tool `godotScene.addNode`, which MCP clients call `add_node`.

use scenewright_contract::{JsonMap, Safety, ToolError};
use scenewright_godot::{NewNode, NodeSource};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Among, Expected, InGodot, InScene, Write, check_among, find_node, must_be_free, refused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.addNode",
    keywords: "camera sprite timer area body label characterbody marker child insert new object create player put scene hierarchy",
    mcp: Some("add_node"),
    title: "Add Node",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Put a timer into the main scene",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/main.tscn",
            "nodeType": "Timer",
            "nodeName": "Countdown",
            "properties": { "wait_time": 3, "one_shot": true }
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Countdown",
            "nodeType": "Timer",
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

/// Add a node to a scene. The name must be free among its siblings, the type a class of the
/// project's Godot version; properties are checked against it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Class of the node: `Sprite2D`.
    node_type: String,
    /// Its name.
    node_name: String,
    /// Path of its parent from the scene's root: `.` is the root itself.
    #[serde(default = "root")]
    parent_node_path: String,
    /// Properties by name: numbers, texts, `{"x": 1, "y": 2}`, `"#ff8800"`, `"res://icon.svg"`, or
    /// as Godot writes them: `"Vector2(1, 2)"`.
    #[serde(default)]
    properties: JsonMap,
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
    /// Path of the node from the scene's root.
    node_path: String,
    /// Its class.
    node_type: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let class = godot.class_below(&input.node_type, "Node")?;
    let tree = godot.tree_near(&open, &input.parent_node_path);
    let parent = find_node(cx, &tree, &open.path, &input.parent_node_path)?;
    must_be_free(&tree, parent, &input.node_name)?;
    godot.show_inside(&mut open, &tree, parent)?;
    let script = input.properties.get("script").and_then(|value| value.as_str());
    let script = script.map(|text| godot.path(text)).transpose()?;
    let script = script.map(|path| format!("res://{path}"));
    let of = Expected { class, script: script.as_deref() };
    godot.check_script(of)?;
    let properties = open.scene.change(|document| godot.values(document, of, &input.properties))?;
    let among =
        Among { node: None, parent: Some(parent), scene: "", is_put_here: true, children: 0 };
    check_among(godot.classes(), class, among, &properties)?;
    let node_path = open
        .scene
        .add_node(&NewNode {
            name: &input.node_name,
            parent: &parent.path,
            source: NodeSource::Class(class),
            position: None,
            groups: &[],
            properties: &properties,
        })
        .map_err(refused)?;
    godot.list_node_paths(&mut open, &node_path, of, &properties)?;
    godot.check_node_paths(&open, &node_path, of, &properties)?;
    let written = open.save(&godot, input.write)?;
    Ok(Output { success: true, node_path, node_type: class.to_owned(), written })
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
    fn a_node_with_a_resource_comes_after_its_siblings() {
        check(
            json!({
                "scenePath": "scenes/coin.tscn",
                "nodeType": "CollisionShape2D",
                "nodeName": "Reach",
                "parent_node_path": "Face",
                "properties": { "shape": { "type": "CircleShape2D", "radius": 3 }, "position": { "x": 1, "y": -2 } },
            }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]

                 [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                 [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                @@ -6,6 +6,9 @@
                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0

                +[sub_resource type="CircleShape2D" id="CircleShape2D_043i4"]
                +radius = 3.0
                +
                 [node name="Coin" type="Area2D" groups=["coins"]]
                 collision_layer = 4
                 collision_mask = 2
                @@ -18,4 +21,8 @@
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)

                +[node name="Reach" type="CollisionShape2D" parent="Face"]
                +position = Vector2(1, -2)
                +shape = SubResource("CircleShape2D_043i4")
                +
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
    }

    #[test]
    fn a_script_and_its_variables_come_in_the_engines_order() {
        check(
            json!({
                "scenePath": "scenes/main.tscn",
                "nodeType": "Node2D",
                "nodeName": "Second",
                "parentNodePath": "Level/Lighthouse",
                "properties": {
                    "goal_radius": 9, "player": "../../../Player", "script": "scripts/main.gd", "rotation": 1,
                },
            }),
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -27,6 +27,12 @@
                 [node name="Lamp" parent="Level/Lighthouse" index="2"]
                 color = Color(1, 0.93, 0.7, 1)

                +[node name="Second" type="Node2D" parent="Level/Lighthouse" node_paths=PackedStringArray("player")]
                +rotation = 1.0
                +script = ExtResource("1_m2x7v")
                +player = NodePath("../../../Player")
                +goal_radius = 9.0
                +
                 [node name="Coins" type="Node2D" parent="."]

                 [node name="Coin1" parent="Coins" instance=ExtResource("3_c8r3i")]
            "#]],
        );
    }

    #[test]
    fn a_name_is_taken_by_a_node_of_an_instance_too() {
        let arguments = json!({
            "scenePath": "scenes/main.tscn", "nodeType": "Timer", "nodeName": "Goal", "parentNodePath": "Level",
        });
        expect!["there is already a node `Level/Goal`; nothing was changed; choose another name"]
            .assert_eq(&GodotSample::new().error(super::TOOL.id, arguments));
    }

    #[test]
    fn what_is_not_there_is_said_with_what_is() {
        let sample = GodotSample::new();
        let refuse = |change: Value| {
            let mut arguments = json!({
                "scenePath": "scenes/coin.tscn", "nodeType": "Timer", "nodeName": "T",
            });
            for (key, value) in change.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            sample.error(super::TOOL.id, arguments)
        };
        expect!["Godot 4.4 has no class 'Tmer'; did you mean Timer?"]
            .assert_eq(&refuse(json!({ "nodeType": "Tmer" })));
        expect!["Godot 4.4 has no class 'Spatial'; it is called Node3D since Godot 4"]
            .assert_eq(&refuse(json!({ "nodeType": "Spatial" })));
        expect![[
            r#"`a/b` cannot be a name: Godot replaces . : @ / " and % in the names of nodes"#
        ]]
        .assert_eq(&refuse(json!({ "nodeName": "a/b" })));
        expect!["there is already a node `Face`; nothing was changed; choose another name"]
            .assert_eq(&refuse(json!({ "nodeName": "Face" })));
        expect!["node not found: Nope; there is Shape, Face, ."]
            .assert_eq(&refuse(json!({ "parentNodePath": "Nope" })));
        expect!["Timer has no property 'waittime'; did you mean wait_time?"]
            .assert_eq(&refuse(json!({ "properties": { "waittime": 1 } })));
        expect![[r#"Timer.wait_time takes float, not "x"; write the value as Godot writes it in its files"#]].assert_eq(&refuse(json!({ "properties": { "wait_time": "x" } })));
        expect!["Path must be inside the project: ../x.tscn; name it from the project's root: Assets/Door.prefab, res://door.tscn"].assert_eq(&refuse(json!({ "scenePath": "../x.tscn" })));
    }

    #[test]
    fn what_the_engine_would_not_take_is_refused() {
        let sample = GodotSample::new();
        let refuse = |class: &str, properties: Value| {
            let scene = "scenes/coin.tscn";
            let arguments = json!({ "scenePath": scene, "nodeType": class, "nodeName": "New", "properties": properties });
            sample.error(super::TOOL.id, arguments)
        };
        expect![
            "Timer.wait_time cannot be -5.0; it takes more than 0: Godot itself keeps no other"
        ]
        .assert_eq(&refuse("Timer", json!({ "wait_time": -5 })));
        expect!["Sprite2D.frame cannot be 4; hframes * vframes is 4, so frames are 0 to 3"]
            .assert_eq(&refuse("Sprite2D", json!({ "frame": 4, "hframes": 2, "vframes": 2 })));
        // Random edits judged by the engine: it kept neither.
        expect!["AnimatedSprite2D.frame cannot be 38; it has no sprite_frames, so Godot ignores it; make SpriteFrames with create_resource and set sprite_frames with it"].assert_eq(&refuse("AnimatedSprite2D", json!({ "frame": 38 })));
        expect!["CSGPolygon3D.spin_degrees cannot be 361.0; it takes 0.01 to 360: Godot itself keeps no other"].assert_eq(&refuse("CSGPolygon3D", json!({ "spin_degrees": 361 })));
        let taken = json!({ "scenePath": "scenes/coin.tscn", "nodeType": "AnimatedSprite2D", "nodeName": "Taken", "properties": { "frame": 0, "animation": "default" } });
        assert_eq!(sample.call(super::TOOL.id, taken).unwrap()["success"], true);
        expect!["remote_path cannot be 'Face': from New there is no 'Face'; paths start at the node itself; '../Face' would lead there"].assert_eq(&refuse("RemoteTransform2D", json!({ "remote_path": "Face" })));
    }
}
