//! The tool `godotTilemap.setTile`, which MCP clients call `set_tile`.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::tilemap::{Painted, TileInput, TileLayer};
use scenewright_tools_godot::base::{InGodot, InScene, Write};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) const TOOL: Tool = Tool {
    id: "godotTilemap.setTile",
    keywords: "single cell place one tile erase coordinate change block",
    mcp: Some("set_tile"),
    title: "Set Tile",
    category: "godot.tilemap",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Put a step into the level",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "tilemapNodePath": "Ground",
            "position": { "x": 10, "y": 16 },
            "sourceId": 0,
            "atlasCoords": { "x": 3, "y": 0 }
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Ground",
            "cellsSet": 1,
            "cellsErased": 0,
            "totalCells": 246,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Painted>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set or empty one cell of a TileMapLayer or TileMap. The tile must be in the node's tile set;
/// paint_tiles sets many cells at once.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root.
    tilemap_node_path: String,
    /// Layer of a TileMap; 0 for a TileMapLayer.
    #[serde(default)]
    layer: u32,
    #[serde(flatten)]
    tile: TileInput,
    #[serde(flatten)]
    write: Write,
}

fn run(cx: &Cx, input: Input) -> Result<Painted, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let mut layer = TileLayer::open(&godot, &open, &input.tilemap_node_path, input.layer)?;
    layer.paint(std::slice::from_ref(&input.tile))?;
    layer.save(&godot, &mut open, input.write)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn tile(scene: &str, node: &str, change: Value) -> Value {
        let mut arguments = json!({
            "scenePath": scene, "tilemapNodePath": node,
            "position": { "x": 1, "y": 2 }, "sourceId": 0, "atlasCoords": { "x": 1, "y": 0 },
        });
        for (key, value) in change.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        arguments
    }

    const SMALL: &str = r#"[gd_scene format=3]

[ext_resource type="TileSet" path="res://resources/tiles.tres" id="1_t"]

[node name="Map" type="Node2D"]

[node name="New" type="TileMapLayer" parent="."]
tile_set = ExtResource("1_t")

[node name="Old" type="TileMap" parent="."]
tile_set = ExtResource("1_t")
format = 2
layer_0/tile_data = PackedInt32Array(196607, 196608, 0)
layer_1/name = "two"
"#;

    #[test]
    fn a_few_cells_are_numbers_and_many_are_base_64() {
        let sample = GodotSample::new();
        sample.write("map.tscn", SMALL);
        expect![[r#"
            --- a/map.tscn
            +++ b/map.tscn
            @@ -6,6 +6,7 @@
 
             [node name="New" type="TileMapLayer" parent="."]
             tile_set = ExtResource("1_t")
            +tile_map_data = PackedByteArray(0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0)
 
             [node name="Old" type="TileMap" parent="."]
             tile_set = ExtResource("1_t")
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, tile("map.tscn", "New", json!({}))));
        for x in 2..7 {
            let arguments = tile("map.tscn", "New", json!({ "position": { "x": x, "y": -1 } }));
            sample.call(super::TOOL.id, arguments).unwrap();
        }
        let text = sample.read("map.tscn");
        let lines: Vec<&str> =
            text.lines().filter(|l| l.contains("gd_scene") || l.contains("data")).collect();
        expect![[r#"
            [gd_scene format=4]
            tile_map_data = PackedByteArray("AAABAAIAAAABAAAAAAACAP//AAABAAAAAAADAP//AAABAAAAAAAEAP//AAABAAAAAAAFAP//AAABAAAAAAAGAP//AAABAAAAAAA=")
            layer_0/tile_data = PackedInt32Array(196607, 196608, 0)"#]].assert_eq(&lines.join("\n"));
    }

    #[test]
    fn the_last_cell_takes_the_property_with_it() {
        let sample = GodotSample::new();
        sample.write("map.tscn", SMALL);
        sample.call(super::TOOL.id, tile("map.tscn", "New", json!({}))).unwrap();
        let erase = tile("map.tscn", "New", json!({ "sourceId": -1, "atlasCoords": null }));
        let output = sample.call(super::TOOL.id, erase.clone()).unwrap();
        assert_eq!((&output["cellsErased"], &output["totalCells"]), (&json!(1), &json!(0)));
        assert_eq!(sample.read("map.tscn"), SMALL);
        let again = sample.call(super::TOOL.id, erase).unwrap();
        assert_eq!((&again["cellsErased"], &again["filesChanged"]), (&json!(0), &json!(0)));
    }

    #[test]
    fn layers_of_a_tile_map_are_numbered() {
        let sample = GodotSample::new();
        sample.write("map.tscn", SMALL);
        let turned = json!({ "layer": 1, "alternativeTile": 4096 });
        expect![[r#"
            --- a/map.tscn
            +++ b/map.tscn
            @@ -12,3 +12,4 @@
             format = 2
             layer_0/tile_data = PackedInt32Array(196607, 196608, 0)
             layer_1/name = "two"
            +layer_1/tile_data = PackedInt32Array(131073, 65536, 268435456)
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, tile("map.tscn", "Old", turned)));
    }

    #[test]
    fn a_map_inside_an_instance_is_changed_here_alone() {
        let sample = GodotSample::new();
        let arguments = tile("scenes/main.tscn", "Level/Ground", json!({}));
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["totalCells"], 246);
        assert_eq!(output["filesChanged"], 1);
        let text = sample.read("scenes/main.tscn");
        let line = text.lines().position(|line| line.contains("name=\"Ground\"")).unwrap();
        let shown: Vec<String> =
            text.lines().skip(line - 2).take(6).map(|l| l.chars().take(60).collect()).collect();
        expect![[r#"
            color = Color(1, 0.93, 0.7, 1)

            [node name="Ground" parent="Level" index="0"]
            tile_map_data = PackedByteArray("AAAhAAwAAAADAAAAAAAiAAwAAAA

            [node name="Coins" type="Node2D" parent="."]"#]]
        .assert_eq(&shown.join("\n"));
    }

    #[test]
    fn what_the_tile_set_does_not_have_is_refused() {
        let sample = GodotSample::new();
        let refuse = |change: Value| {
            sample.error(super::TOOL.id, tile("scenes/level.tscn", "Ground", change))
        };
        expect!["resources/tiles.tres has no source 3; it has 0"]
            .assert_eq(&refuse(json!({ "sourceId": 3 })));
        expect!["source 0 of resources/tiles.tres has no tile 0:9; it has 0:0, 1:0, 2:0, 3:0"]
            .assert_eq(&refuse(json!({ "atlasCoords": { "x": 0, "y": 9 } })));
        expect!["tile 1:0 of source 0 in resources/tiles.tres has no alternative 2; it has 0"]
            .assert_eq(&refuse(json!({ "alternativeTile": 2 })));
        expect!["Invalid tool arguments: layer must be 0: a TileMapLayer is one layer; name the node of the other layer instead"].assert_eq(&refuse(json!({ "layer": 1 })));
        expect!["Invalid tool arguments: position (40000, 0) is outside of what Godot stores: -32768 to 32767"].assert_eq(&refuse(json!({ "position": { "x": 40000, "y": 0 } })));
        expect!["Lighthouse is a StaticBody2D, not a TileMapLayer or TileMap; create_tilemap_layer makes one; get_node_tree shows the nodes"].assert_eq(&refuse(json!({ "tilemapNodePath": "Lighthouse" })));
        expect!["node not found: Grond; did you mean Ground?"]
            .assert_eq(&refuse(json!({ "tilemapNodePath": "Grond" })));
    }
}
