//! The tool `godotTilemap.getTiles`, which MCP clients call `get_tiles`.

use std::collections::BTreeMap;

use scenewright_contract::ToolError;
use scenewright_godot::{Place, Tile};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::tilemap::{Pair, TileLayer};
use scenewright_tools_godot::base::{InGodot, InScene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Cells in one answer; the next ones come with the cursor.
const MAX_CELLS: usize = 1000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotTilemap.getTiles",
    keywords: "which tiles are in the map cells read what is at coordinates filled tile cell used",
    mcp: Some("get_tiles"),
    title: "Get Tiles",
    category: "godot.tilemap",
    examples: &[Example {
        description: "Show what is in one corner of the ground",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "tilemapNodePath": "Ground",
            "region": { "x": 0, "y": 18, "width": 2, "height": 1 }
        }"#,
        output: r#"{
            "nodePath": "Ground",
            "totalCells": 245,
            "usedRect": { "x": 0, "y": 12, "width": 48, "height": 11 },
            "sources": [{ "sourceId": 0, "cells": 245 }],
            "count": 2,
            "cells": [
                { "x": 0, "y": 18, "sourceId": 0, "atlasCoords": { "x": 0, "y": 0 }, "alternativeTile": 0 },
                { "x": 1, "y": 18, "sourceId": 0, "atlasCoords": { "x": 0, "y": 0 }, "alternativeTile": 0 }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the cells of a TileMapLayer or TileMap: how many there are, the rectangle that they fill,
/// and those of a region with their tiles. set_tile and paint_tiles take cells in the same form.
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
    /// Only the cells in here; all by default.
    region: Option<Rectangle>,
    /// Most cells to list, 100 by default; 0 for the counts alone.
    #[serde(default = "usual_limit")]
    #[schemars(range(max = 1000))]
    limit: usize,
    /// Where to go on: `nextCursor` of the answer before.
    #[serde(default)]
    cursor: usize,
}

fn usual_limit() -> usize {
    100
}

/// Cells from a corner on.
#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
struct Rectangle {
    /// The leftmost column.
    x: i32,
    /// The topmost row.
    y: i32,
    /// How many columns.
    #[schemars(range(min = 1, max = 65536))]
    width: i32,
    /// How many rows.
    #[schemars(range(min = 1, max = 65536))]
    height: i32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Path of the node from the scene's root.
    node_path: String,
    /// Cells of the layer that are not empty.
    total_cells: usize,
    /// The smallest rectangle with all of them; absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    used_rect: Option<Rectangle>,
    /// How many cells each source of the tile set fills.
    sources: Vec<Source>,
    /// How many cells are in the region.
    count: usize,
    /// The cells, row by row.
    cells: Vec<Cell>,
    /// Pass this as `cursor` for the next ones; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Source {
    /// The source in the tile set.
    source_id: i16,
    /// Cells that have a tile of it.
    cells: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Cell {
    /// The column.
    x: i16,
    /// The row.
    y: i16,
    /// The source in the tile set.
    source_id: i16,
    /// Column and row of the tile in its atlas.
    atlas_coords: Pair,
    /// Alternative of the tile, with 4096 for mirrored, 8192 for upside down, 16384 for rows and
    /// columns swapped.
    alternative_tile: i16,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let open = godot.open_scene(&input.scene)?;
    let layer = TileLayer::open(&godot, &open, &input.tilemap_node_path, input.layer)?;
    let all: Vec<(Place, Tile)> = layer.tiles().iter().collect();
    let is_wanted = |(x, y): Place| input.region.is_none_or(|region| region.has(x, y));
    let mut cells: Vec<_> = all.iter().copied().filter(|(place, _)| is_wanted(*place)).collect();
    cells.sort_unstable_by_key(|((x, y), _)| (*y, *x));
    let limit = input.limit.min(MAX_CELLS);
    let end = input.cursor.saturating_add(limit).min(cells.len());
    let page = cells.get(input.cursor..end).unwrap_or_default();
    Ok(Output {
        node_path: layer.node().to_owned(),
        total_cells: all.len(),
        used_rect: used_rect(&all),
        sources: sources(&all),
        count: cells.len(),
        next_cursor: (limit > 0 && end < cells.len()).then_some(end),
        cells: page.iter().map(|(place, tile)| cell(*place, *tile)).collect(),
    })
}

impl Rectangle {
    fn has(self, x: i16, y: i16) -> bool {
        let within = |at: i16, start: i32, length: i32| {
            (0..i64::from(length)).contains(&(i64::from(at) - i64::from(start)))
        };
        within(x, self.x, self.width) && within(y, self.y, self.height)
    }
}

fn used_rect(cells: &[(Place, Tile)]) -> Option<Rectangle> {
    let span = |part: fn(&Place) -> i16| {
        let all = cells.iter().map(|(place, _)| i32::from(part(place)));
        Some((all.clone().min()?, all.max()?))
    };
    let ((left, right), (top, bottom)) = (span(|place| place.0)?, span(|place| place.1)?);
    Some(Rectangle { x: left, y: top, width: right - left + 1, height: bottom - top + 1 })
}

fn sources(cells: &[(Place, Tile)]) -> Vec<Source> {
    let mut counts: BTreeMap<i16, usize> = BTreeMap::new();
    for (_, tile) in cells {
        *counts.entry(tile.source).or_default() += 1;
    }
    counts.into_iter().map(|(source_id, cells)| Source { source_id, cells }).collect()
}

fn cell((x, y): Place, tile: Tile) -> Cell {
    let (column, row) = tile.atlas;
    Cell {
        x,
        y,
        source_id: tile.source,
        atlas_coords: Pair { x: column.into(), y: row.into() },
        alternative_tile: tile.alternative,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn get(sample: &GodotSample, change: Value) -> Value {
        let mut arguments = json!({ "scenePath": "map.tscn", "tilemapNodePath": "Map" });
        for (key, value) in change.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        sample.call(super::TOOL.id, arguments).unwrap()
    }

    fn map(node: &str) -> GodotSample {
        let sample = GodotSample::new();
        sample.write(
            "map.tscn",
            &format!("[gd_scene format=3]\n[node name=\"Root\" type=\"Node2D\"]\n{node}\n"),
        );
        sample
    }

    #[test]
    fn cells_are_counted_and_shown_by_region() {
        // (-1, 2) with source 1, atlas (3, 4), alternative 4096; and (2, 0) with source 0.
        let sample = map(
            "[node name=\"Map\" type=\"TileMapLayer\" parent=\".\"]\ntile_map_data = PackedByteArray(0, 0, 255, 255, 2, 0, 1, 0, 3, 0, 4, 0, 0, 16, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0)",
        );
        expect![[r#"{"nodePath":"Map","totalCells":2,"usedRect":{"x":-1,"y":0,"width":4,"height":3},"sources":[{"sourceId":0,"cells":1},{"sourceId":1,"cells":1}],"count":2,"cells":[{"x":2,"y":0,"sourceId":0,"atlasCoords":{"x":1,"y":0},"alternativeTile":0},{"x":-1,"y":2,"sourceId":1,"atlasCoords":{"x":3,"y":4},"alternativeTile":4096}]}"#]].assert_eq(&get(&sample, json!({})).to_string());
        let region = json!({ "region": { "x": -1, "y": 2, "width": 1, "height": 1 } });
        expect![[
            r#"[{"x":-1,"y":2,"sourceId":1,"atlasCoords":{"x":3,"y":4},"alternativeTile":4096}]"#
        ]]
        .assert_eq(&get(&sample, region)["cells"].to_string());
        let first = get(&sample, json!({ "limit": 1 }));
        assert_eq!((&first["nextCursor"], &first["cells"][0]["x"]), (&json!(1), &json!(2)));
        let second = get(&sample, json!({ "limit": 1, "cursor": 1 }));
        assert_eq!((&second["nextCursor"], &second["cells"][0]["x"]), (&Value::Null, &json!(-1)));
        let counts = get(&sample, json!({ "limit": 0 }));
        assert_eq!((&counts["count"], &counts["cells"]), (&json!(2), &json!([])));
    }

    #[test]
    fn layers_of_a_tile_map_and_empty_ones_are_read() {
        let sample = map(
            "[node name=\"Map\" type=\"TileMap\" parent=\".\"]\nformat = 2\nlayer_0/tile_data = PackedInt32Array(196607, 196608, 0)\nlayer_1/name = \"two\"",
        );
        expect![[r#"{"nodePath":"Map","totalCells":1,"usedRect":{"x":-1,"y":2,"width":1,"height":1},"sources":[{"sourceId":0,"cells":1}],"count":1,"cells":[{"x":-1,"y":2,"sourceId":0,"atlasCoords":{"x":3,"y":0},"alternativeTile":0}]}"#]].assert_eq(&get(&sample, json!({})).to_string());
        expect![[r#"{"nodePath":"Map","totalCells":0,"sources":[],"count":0,"cells":[]}"#]]
            .assert_eq(&get(&sample, json!({ "layer": 1 })).to_string());
    }

    #[test]
    fn what_was_painted_is_read_back() {
        let sample = map("[node name=\"Map\" type=\"TileMapLayer\" parent=\".\"]");
        let scene = sample.read("map.tscn").replace("[node name=\"Root\"", "[ext_resource type=\"TileSet\" path=\"res://resources/tiles.tres\" id=\"1\"]\n[node name=\"Root\"");
        sample.write("map.tscn", &(scene + "tile_set = ExtResource(\"1\")\n"));
        let paint = json!({
            "scenePath": "map.tscn", "tilemapNodePath": "Map", "position": { "x": 7, "y": -3 },
            "sourceId": 0, "atlasCoords": { "x": 1, "y": 0 }, "alternativeTile": 8192,
        });
        sample.call("set_tile", paint).unwrap();
        let cell = &get(&sample, json!({}))["cells"][0];
        assert_eq!(
            cell,
            &json!({ "x": 7, "y": -3, "sourceId": 0, "atlasCoords": { "x": 1, "y": 0 }, "alternativeTile": 8192 })
        );
    }
}
