//! The tool `godotScene.removeNode`, which MCP clients call `remove_node`.

use std::collections::BTreeSet;

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::{Dangling, Scene, Tree};
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, InGodot, InScene, Leftover, Leftovers, Unreads, Write, close_places, find_node,
    from_the_root, in_resources, in_scripts, join, must_be_own, refused, users_of,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.removeNode",
    keywords: "delete erase object drop get rid of child take out destroy node",
    mcp: Some("remove_node"),
    title: "Remove Node",
    category: "godot.scene",
    safety: Safety::Destructive,
    idempotent: false,
    examples: &[Example {
        description: "Remove the gold coin with its connection and its settings",
        input: r#"{ "projectPath": "godot", "scenePath": "scenes/main.tscn", "nodePath": "Coins/GoldCoin" }"#,
        output: r#"{
            "success": true,
            "removed": ["Coins/GoldCoin"],
            "connectionsRemoved": 1,
            "notTouched": [],
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

/// Remove a node with all below it, its connections, and the resources only it used. What still
/// names it, here, in other scenes or in scripts, is listed and left alone.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root.
    node_path: String,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The nodes of this file that went.
    removed: Vec<String>,
    /// How many connections went with them.
    connections_removed: usize,
    #[serde(flatten)]
    leftovers: Leftovers,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let before = godot.tree_of(&open);
    let node = find_node(cx, &before, &open.path, &input.node_path)?;
    if node.path != "." {
        must_be_own(&open, &before, node)?;
    }
    let gone = node.path.clone();
    let removed = open.scene.remove_node(&gone).map_err(refused)?;
    open.tidy()?;
    let after = godot.tree_of(&open);
    let mut found = BTreeSet::new();
    dangling(&open.path, &removed.dangling, &mut found);
    let map = |path: &str| (!is_within(path, &gone)).then(|| path.to_owned());
    in_scripts(&godot, &before, &after, &gone, &map, &mut found)?;
    in_resources(&godot, &open.path, &gone, &mut found);
    from_the_root(&godot, &before, &gone, &mut found);
    let mut others = Vec::new();
    for user in users_of(&godot, &open.path) {
        let mut other = godot.open_scene_at(user.path.clone())?;
        let tree = godot.tree(&user.path)?;
        for root in &user.roots {
            still_names(&other.scene, &user.path, &join(root, &gone), &mut found);
        }
        in_other_scripts(&godot, &tree, &user.roots, &gone, &mut found)?;
        close_places(&tree, &mut other.scene, &user.roots, &gone)?;
        others.push(other);
    }
    Unreads::of(&godot).diagnose(&godot);
    let written = open.save_with(&godot, &others, input.write)?;
    Ok(Output {
        success: true,
        removed: removed.nodes,
        connections_removed: removed.connections,
        leftovers: Leftovers::of(found),
        written,
    })
}

fn is_within(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn dangling(file: &ProjectPath, list: &[Dangling], found: &mut BTreeSet<Leftover>) {
    found.extend(list.iter().map(|one| Leftover {
        file: file.to_string(),
        line: one.line,
        text: one.path.clone(),
    }));
}

/// What another scene says about a node that is gone.
fn still_names(scene: &Scene, file: &ProjectPath, gone: &str, found: &mut BTreeSet<Leftover>) {
    dangling(file, &scene.dangling(gone), found);
    let mut add = |line: usize, text: String| {
        found.insert(Leftover { file: file.to_string(), line, text });
    };
    for node in scene.nodes().filter(|node| is_within(node.path(), gone)) {
        add(node.section().line(), node.path().to_owned());
    }
    for connection in scene.connections() {
        for end in [connection.from(), connection.to()] {
            if is_within(&end, gone) {
                add(connection.0.line(), end.into_owned());
            }
        }
    }
}

/// What scripts on nodes of another scene say about it.
fn in_other_scripts(
    godot: &Godot<'_>,
    tree: &Tree,
    roots: &[String],
    gone: &str,
    found: &mut BTreeSet<Leftover>,
) -> Result<(), ToolError> {
    let is_gone = |path: &str| roots.iter().any(|root| is_within(path, &join(root, gone)));
    let map = |path: &str| (!is_gone(path)).then(|| path.to_owned());
    // Nothing else moves, so what stays leads where it led.
    in_scripts(godot, tree, tree, gone, &map, found)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn all_that_was_the_nodes_goes_with_it() {
        let sample = GodotSample::new();
        let arguments = json!({ "scenePath": "scenes/main.tscn", "nodePath": "Coins/GoldCoin" });
        expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -1,21 +1,11 @@
            -[gd_scene load_steps=8 format=3 uid="uid://dsckkculads6k"]
            +[gd_scene load_steps=6 format=3 uid="uid://dsckkculads6k"]

             [ext_resource type="Script" uid="uid://by2cu0umwb6qr" path="res://scripts/main.gd" id="1_m2x7v"]
             [ext_resource type="PackedScene" uid="uid://bh5yk7ny1n55l" path="res://scenes/level.tscn" id="2_e4l9h"]
             [ext_resource type="PackedScene" uid="uid://da5dy46gvq05t" path="res://scenes/coin.tscn" id="3_c8r3i"]
            -[ext_resource type="Script" uid="uid://ne2ahhq53jtv" path="res://scripts/coin_settings.gd" id="4_t1q5g"]
             [ext_resource type="PackedScene" uid="uid://daw60r51yjit" path="res://scenes/player.tscn" id="5_y6b0n"]
             [ext_resource type="Theme" uid="uid://6m4sb6iad44t" path="res://resources/theme.tres" id="6_u7d2m"]

            -[sub_resource type="Resource" id="Resource_g5a1z"]
            -script = ExtResource("4_t1q5g")
            -title = "Gold coin"
            -value = 25
            -metal = 2
            -tint = Color(1, 0.82, 0.25, 1)
            -bob_height = 5.0
            -tags = Array[StringName]([&"pickup", &"bonus"])
            -
             [node name="Main" type="Node2D" node_paths=PackedStringArray("player", "goal")]
             script = ExtResource("1_m2x7v")
             player = NodePath("Player")
            @@ -41,11 +31,6 @@
             [node name="Coin4" parent="Coins" instance=ExtResource("3_c8r3i")]
             position = Vector2(472, 272)

            -[node name="GoldCoin" parent="Coins" groups=["bonus", "high"] instance=ExtResource("3_c8r3i")]
            -position = Vector2(544, 176)
            -scale = Vector2(1.25, 1.25)
            -settings = SubResource("Resource_g5a1z")
            -
             [node name="Player" parent="." instance=ExtResource("5_y6b0n")]
             position = Vector2(48, 288)

            @@ -107,7 +92,6 @@
             [connection signal="collected" from="Coins/Coin2" to="." method="_on_coin_collected"]
             [connection signal="collected" from="Coins/Coin3" to="." method="_on_coin_collected"]
             [connection signal="collected" from="Coins/Coin4" to="." method="_on_coin_collected"]
            -[connection signal="collected" from="Coins/GoldCoin" to="." method="_on_coin_collected" binds= [&"bonus"]]
             [connection signal="fell" from="Player" to="." method="_on_player_fell" flags=3]
             [connection signal="interacted" from="Player" to="." method="_on_player_interacted"]
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_still_names_it_is_told() {
        let sample = GodotSample::new();
        let arguments = json!({ "scenePath": "scenes/level.tscn", "nodePath": "Lighthouse" });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        expect![[r#"
            [
              {
                "file": "scenes/main.tscn",
                "line": 27,
                "text": "Level/Lighthouse/Lamp"
              },
              {
                "file": "scripts/main.gd",
                "line": 11,
                "text": "Level/Lighthouse/Lamp"
              }
            ]"#]]
        .assert_eq(&serde_json::to_string_pretty(&output["notTouched"]).unwrap());
    }

    /// What another scene has put between the nodes of this one stays between the same ones.
    #[test]
    fn nodes_of_other_scenes_keep_their_places() {
        let sample = GodotSample::new();
        sample.write(
            "base.tscn",
            r#"[gd_scene format=3]

[node name="Base" type="Node"]

[node name="A" type="Node" parent="."]

[node name="B" type="Node" parent="."]

[node name="C" type="Node" parent="B"]
"#,
        );
        sample.write(
            "heir.tscn",
            r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://base.tscn" id="1"]

[node name="Heir" instance=ExtResource("1")]

[node name="Between" type="Node" parent="." index="1"]
"#,
        );
        let check = |tool: &str, node: &str, parent: &str, expected: Expect| {
            let mut arguments =
                json!({ "scenePath": "base.tscn", "nodePath": node, "dryRun": true });
            if !parent.is_empty() {
                arguments["newParentPath"] = json!(parent);
            }
            expected.assert_eq(&sample.diff(tool, arguments));
        };
        check(
            super::TOOL.id,
            "A",
            "",
            expect![[r#"
            --- a/base.tscn
            +++ b/base.tscn
            @@ -2,8 +2,6 @@

             [node name="Base" type="Node"]

            -[node name="A" type="Node" parent="."]
            -
             [node name="B" type="Node" parent="."]

             [node name="C" type="Node" parent="B"]
            --- a/heir.tscn
            +++ b/heir.tscn
            @@ -4,4 +4,4 @@

             [node name="Heir" instance=ExtResource("1")]

            -[node name="Between" type="Node" parent="." index="1"]
            +[node name="Between" type="Node" parent="." index="0"]
        "#]],
        );
        check(
            "godotScene.moveNode",
            "A",
            "B",
            expect![[r#"
            --- a/base.tscn
            +++ b/base.tscn
            @@ -2,8 +2,8 @@

             [node name="Base" type="Node"]

            -[node name="A" type="Node" parent="."]
            -
             [node name="B" type="Node" parent="."]

             [node name="C" type="Node" parent="B"]
            +
            +[node name="A" type="Node" parent="B"]
            --- a/heir.tscn
            +++ b/heir.tscn
            @@ -4,4 +4,4 @@

             [node name="Heir" instance=ExtResource("1")]

            -[node name="Between" type="Node" parent="." index="1"]
            +[node name="Between" type="Node" parent="." index="0"]
        "#]],
        );
        check(
            super::TOOL.id,
            "B",
            "",
            expect![[r#"
            --- a/base.tscn
            +++ b/base.tscn
            @@ -3,7 +3,3 @@
             [node name="Base" type="Node"]

             [node name="A" type="Node" parent="."]
            -
            -[node name="B" type="Node" parent="."]
            -
            -[node name="C" type="Node" parent="B"]
        "#]],
        );
    }

    #[test]
    fn what_comes_from_elsewhere_stays() {
        let sample = GodotSample::new();
        let refuse = |scene: &str, node: &str| {
            sample.error(super::TOOL.id, json!({ "scenePath": scene, "nodePath": node }))
        };
        expect!["`Level/Lighthouse/Lamp` comes from res://scenes/level.tscn and can only be changed there; call this with scenePath res://scenes/level.tscn and nodePath Lighthouse/Lamp"].assert_eq(&refuse("scenes/main.tscn", "Level/Lighthouse/Lamp"));
        expect!["`Body` comes from res://scenes/actor.tscn and can only be changed there; call this with scenePath res://scenes/actor.tscn and nodePath Body"].assert_eq(&refuse("scenes/player.tscn", "Body"));
        expect!["the root cannot be removed"].assert_eq(&refuse("scenes/player.tscn", "."));
        expect!["node not found: Nobody; did you mean Body?"]
            .assert_eq(&refuse("scenes/player.tscn", "Nobody"));
    }
}
