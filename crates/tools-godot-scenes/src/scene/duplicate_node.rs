//! The tool `godotScene.duplicateNode`, which MCP clients call `duplicate_node`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    InGodot, InScene, Write, find_node, free_name, must_be_free, must_be_own, open_places, refused,
    saved,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.duplicateNode",
    keywords: "copy clone node children second another one same",
    mcp: Some("duplicate_node"),
    title: "Duplicate Node",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Add one more coin to the main scene",
        input: r#"{ "projectPath": "godot", "scenePath": "scenes/main.tscn", "nodePath": "Coins/Coin1" }"#,
        output: r#"{
            "success": true,
            "nodePath": "Coins/Coin1",
            "newPath": "Coins/Coin5",
            "nodeCount": 1,
            "connectionCount": 1,
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

/// Copy a node with all below it, beside itself. Connections from the nodes are copied too;
/// resources are shared, and the copies have no unique names.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Name of the copy; by default the next free number behind the name.
    new_name: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node that was copied.
    node_path: String,
    /// Path of the copy.
    new_path: String,
    /// How many nodes of this file were copied.
    node_count: usize,
    /// How many connections.
    connection_count: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = find_node(cx, &tree, &open.path, &input.node_path)?;
    let Some(parent) = node.parent.map(|parent| &tree.nodes()[parent]) else {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "the root cannot be copied beside itself",
        )
        .hint("save_scene with newPath copies the whole scene"));
    };
    must_be_own(&open, &tree, node)?;
    let name = match input.new_name {
        Some(name) => {
            must_be_free(&tree, parent, &name)?;
            name
        }
        None => free_name(&tree, parent, &node.name),
    };
    let (nodes, connections) = (open.scene.nodes().len(), open.scene.connections().count());
    let new_path = open.scene.duplicate_node(&node.path, &name).map_err(refused)?;
    let others = open_places(&godot, &open.path, &node.path)?;
    let mut plan = Plan::new(godot.project);
    open.add_to(&mut plan);
    others.iter().for_each(|other| other.add_to(&mut plan));
    let written = saved(&godot, plan, input.write)?;
    Ok(Output {
        success: true,
        node_path: node.path.clone(),
        new_path,
        node_count: open.scene.nodes().len() - nodes,
        connection_count: open.scene.connections().count() - connections,
        written,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    /// Random edits judged by the engine: a camera that another scene had put between two nodes
    /// slipped before the first of them.
    #[test]
    fn nodes_of_other_scenes_stay_between_the_same_ones() {
        let sample = GodotSample::new();
        sample.write(
            "base.tscn",
            "[gd_scene format=3]\n\n[node name=\"Base\" type=\"Node\"]\n\n[node name=\"A\" type=\"Node\" parent=\".\"]\n\n[node name=\"B\" type=\"Node\" parent=\".\"]\n\n[node name=\"C\" type=\"Node\" parent=\".\"]\n",
        );
        sample.write(
            "heir.tscn",
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://base.tscn\" id=\"1\"]\n\n[node name=\"Heir\" instance=ExtResource(\"1\")]\n\n[node name=\"First\" type=\"Node\" parent=\".\" index=\"0\"]\n\n[node name=\"Between\" type=\"Node\" parent=\".\" index=\"3\"]\n",
        );
        expect![[r#"
            --- a/base.tscn
            +++ b/base.tscn
            @@ -4,6 +4,8 @@

             [node name="A" type="Node" parent="."]

            +[node name="A2" type="Node" parent="."]
            +
             [node name="B" type="Node" parent="."]

             [node name="C" type="Node" parent="."]
            --- a/heir.tscn
            +++ b/heir.tscn
            @@ -6,4 +6,4 @@

             [node name="First" type="Node" parent="." index="0"]

            -[node name="Between" type="Node" parent="." index="3"]
            +[node name="Between" type="Node" parent="." index="4"]
        "#]]
        .assert_eq(
            &sample.diff(super::TOOL.id, json!({ "scenePath": "base.tscn", "nodePath": "A" })),
        );
    }

    fn check(arguments: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_copy_has_all_below_and_its_connections() {
        check(
            json!({ "scenePath": "scenes/main.tscn", "nodePath": "HUD/Root/TopBar" }),
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -90,6 +90,26 @@
                 focus_mode = 0
                 text = "Restart"

                +[node name="TopBar2" type="HBoxContainer" parent="HUD/Root"]
                +layout_mode = 1
                +anchors_preset = 10
                +anchor_right = 1.0
                +offset_left = 12.0
                +offset_top = 8.0
                +offset_right = -12.0
                +offset_bottom = 40.0
                +grow_horizontal = 2
                +
                +[node name="ScoreLabel" type="Label" parent="HUD/Root/TopBar2"]
                +layout_mode = 2
                +size_flags_horizontal = 3
                +text = "Score: 0"
                +
                +[node name="RestartButton" type="Button" parent="HUD/Root/TopBar2"]
                +layout_mode = 2
                +focus_mode = 0
                +text = "Restart"
                +
                 [node name="Hint" type="Label" parent="HUD/Root"]
                 layout_mode = 1
                 anchors_preset = 12
                @@ -111,5 +131,6 @@
                 [connection signal="fell" from="Player" to="." method="_on_player_fell" flags=3]
                 [connection signal="interacted" from="Player" to="." method="_on_player_interacted"]
                 [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]
                +[connection signal="pressed" from="HUD/Root/TopBar2/RestartButton" to="." method="_on_restart_pressed"]

                 [editable path="Level"]
            "#]],
        );
    }

    #[test]
    fn a_copied_instance_shows_its_children_too() {
        check(
            json!({ "scenePath": "scenes/main.tscn", "nodePath": "Level", "newName": "Shore" }),
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -27,6 +27,11 @@
                 [node name="Lamp" parent="Level/Lighthouse" index="2"]
                 color = Color(1, 0.93, 0.7, 1)

                +[node name="Shore" parent="." instance=ExtResource("2_e4l9h")]
                +
                +[node name="Lamp" parent="Shore/Lighthouse" index="2"]
                +color = Color(1, 0.93, 0.7, 1)
                +
                 [node name="Coins" type="Node2D" parent="."]

                 [node name="Coin1" parent="Coins" instance=ExtResource("3_c8r3i")]
                @@ -113,3 +118,4 @@
                 [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]

                 [editable path="Level"]
                +[editable path="Shore"]
            "#]],
        );
    }

    #[test]
    fn copies_are_refused_where_they_cannot_be() {
        let sample = GodotSample::new();
        let refuse = |scene: &str, node: &str, name: &str| {
            let arguments = json!({ "scenePath": scene, "nodePath": node, "newName": name });
            sample.error(super::TOOL.id, arguments)
        };
        expect!["the root cannot be copied beside itself; save_scene with newPath copies the whole scene"].assert_eq(&refuse("scenes/main.tscn", ".", "A"));
        expect!["`Level/Goal` comes from res://scenes/level.tscn and can only be changed there; call this with scenePath res://scenes/level.tscn and nodePath Goal"].assert_eq(&refuse("scenes/main.tscn", "Level/Goal", "A"));
        expect![
            "there is already a node `AnimationPlayer`; nothing was changed; choose another name"
        ]
        .assert_eq(&refuse("scenes/player.tscn", "CoyoteTimer", "AnimationPlayer"));
        expect![[
            r#"`a:b` cannot be a name: Godot replaces . : @ / " and % in the names of nodes"#
        ]]
        .assert_eq(&refuse("scenes/player.tscn", "CoyoteTimer", "a:b"));
    }
}
