//! The tool `godotTilemap.createTilemapLayer`, which MCP clients call `create_tilemap_layer`.

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::{NewNode, NodeSource, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InScene, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotTilemap.createTilemapLayer",
    keywords: "tile grid ground layer node new tilemap background level",
    mcp: Some("create_tilemap_layer"),
    title: "Create TileMap Layer",
    category: "godot.tilemap",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Add a layer behind the ground of the level",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "nodeName": "Backdrop",
            "tilesetPath": "res://resources/tiles.tres",
            "zIndex": -1
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Backdrop",
            "tilesetPath": "res://resources/tiles.tres",
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

/// Add an empty TileMapLayer with a tile set to a scene. It needs Godot 4.3; paint_tiles fills it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Name of the new node.
    node_name: String,
    /// Path of its parent from the scene's root: `.` is the root itself.
    #[serde(default = "root")]
    parent_node_path: String,
    /// The TileSet: `res://tiles.tres`.
    tileset_path: String,
    /// Layers with a greater number are drawn later.
    #[serde(default)]
    #[schemars(range(min = -4096, max = 4096))]
    z_index: i32,
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
    /// Path of the node from the scene's root, as set_tile takes it.
    node_path: String,
    /// Its tile set.
    tileset_path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let class = godot.class_below("TileMapLayer", "Node")?;
    let parent = godot.node(&open, &input.parent_node_path)?;
    let tile_set = input.tileset_path.as_str();
    let id = open.scene.change(|document| godot.reference(document, tile_set, "TileSet"))?;
    let mut properties = Vec::new();
    if input.z_index != 0 {
        properties.push(("z_index", Variant::int(input.z_index.into())));
    }
    properties.push(("tile_set", Variant::ExtResource(id)));
    let node_path = open
        .scene
        .add_node(&NewNode {
            name: &input.node_name,
            parent: &parent,
            source: NodeSource::Class(class),
            position: None,
            groups: &[],
            properties: &properties,
        })
        .map_err(refused)?;
    let written = open.save(&godot, input.write)?;
    let tileset_path = format!("res://{}", godot.path(tile_set)?);
    Ok(Output { success: true, node_path, tileset_path, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn a_layer_with_its_tile_set() {
        let arguments = json!({
            "scenePath": "scenes/coin.tscn", "nodeName": "Pattern", "parentNodePath": "Face",
            "tilesetPath": "uid://bun8qkv1mtnsr", "zIndex": 2,
        });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,7 +1,8 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            +[ext_resource type="TileSet" uid="uid://bun8qkv1mtnsr" path="res://resources/tiles.tres" id="3_un8hw"]
 
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
            @@ -18,4 +19,8 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="Pattern" type="TileMapLayer" parent="Face"]
            +z_index = 2
            +tile_set = ExtResource("3_un8hw")
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn only_a_tile_set_will_do() {
        let sample = GodotSample::new();
        let refuse = |change: Value| {
            let mut arguments = json!({
                "scenePath": "scenes/level.tscn", "nodeName": "More",
                "tilesetPath": "resources/tiles.tres",
            });
            for (key, value) in change.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            sample.error(super::TOOL.id, arguments)
        };
        expect!["resources/theme.tres is a Theme, and a TileSet is needed"]
            .assert_eq(&refuse(json!({ "tilesetPath": "resources/theme.tres" })));
        expect!["file not found: resources/tile.tres; did you mean resources/tiles.tres or resources/theme.tres?"]
            .assert_eq(&refuse(json!({ "tilesetPath": "resources/tile.tres" })));
        expect!["there is already a node `Ground`; nothing was changed; choose another name"]
            .assert_eq(&refuse(json!({ "nodeName": "Ground" })));
        expect!["node not found: Sky; there is Start, ., Goal, Ground, Lighthouse, Lighthouse/Lamp, Lighthouse/Shape, Lighthouse/Tower"]
            .assert_eq(&refuse(json!({ "parentNodePath": "Sky" })));
    }
}
