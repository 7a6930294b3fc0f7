//! The tool `godotTilemap.paintTiles`, which MCP clients call `paint_tiles`.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::tilemap::{Painted, TileInput, TileLayer};
use scenewright_tools_godot::base::{InGodot, InScene, Write};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) const TOOL: Tool = Tool {
    id: "godotTilemap.paintTiles",
    keywords: "fill region rectangle area draw grass floor walls ground many cells terrain wall platform erase clear build level",
    mcp: Some("paint_tiles"),
    title: "Paint Tiles",
    category: "godot.tilemap",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Lay two steps and open a hole in the ground",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "tilemapNodePath": "Ground",
            "tiles": [
                { "position": { "x": 2, "y": 14 }, "sourceId": 0, "atlasCoords": { "x": 3, "y": 0 } },
                { "position": { "x": 3, "y": 14 }, "sourceId": 0, "atlasCoords": { "x": 3, "y": 0 }, "alternativeTile": 4096 },
                { "position": { "x": 40, "y": 18 }, "sourceId": -1 }
            ]
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Ground",
            "cellsSet": 2,
            "cellsErased": 1,
            "totalCells": 156,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo", "totalCells"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Painted>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set or empty many cells of a TileMapLayer or TileMap at once. Every tile must be in the node's
/// tile set; when one is not, nothing changes.
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
    /// The cells; of several for one cell the last counts.
    #[schemars(length(min = 1, max = 100_000))]
    tiles: Vec<TileInput>,
    #[serde(flatten)]
    write: Write,
}

fn run(cx: &Cx, input: Input) -> Result<Painted, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let mut layer = TileLayer::open(&godot, &open, &input.tilemap_node_path, input.layer)?;
    layer.paint(&input.tiles)?;
    layer.save(&godot, &mut open, input.write)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn cells_that_stay_as_they_are_are_not_counted() {
        let sample = GodotSample::new();
        let tile = |x: i32, y: i32, atlas: i32| json!({ "position": { "x": x, "y": y }, "sourceId": 0, "atlasCoords": { "x": atlas, "y": 0 } });
        let arguments = json!({
            "scenePath": "scenes/level.tscn", "tilemapNodePath": "/root/Level/Ground",
            "tiles": [tile(0, 18, 0), tile(1, 18, 1), tile(-4, -4, 2), tile(-4, -4, 3)],
        });
        let output = sample.call(super::TOOL.id, arguments.clone()).unwrap();
        assert_eq!((&output["cellsSet"], &output["totalCells"]), (&json!(2), &json!(246)));
        let again = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!((&again["cellsSet"], &again["filesChanged"]), (&json!(0), &json!(0)));
    }

    #[test]
    fn one_wrong_tile_stops_all() {
        let sample = GodotSample::new();
        let before = sample.read("scenes/level.tscn");
        let arguments = json!({
            "scenePath": "scenes/level.tscn", "tilemapNodePath": "Ground",
            "tiles": [
                { "position": { "x": 0, "y": 0 }, "sourceId": 0, "atlasCoords": { "x": 0, "y": 0 } },
                { "position": { "x": 0, "y": 1 }, "sourceId": 0, "atlasCoords": { "x": 4, "y": 0 } },
            ],
        });
        expect!["source 0 of resources/tiles.tres has no tile 4:0; it has 0:0, 1:0, 2:0, 3:0"]
            .assert_eq(&sample.error(super::TOOL.id, arguments));
        assert_eq!(sample.read("scenes/level.tscn"), before);
    }
}
