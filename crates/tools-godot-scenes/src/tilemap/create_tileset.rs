//! The tool `godotTilemap.createTileset`, which MCP clients call `create_tileset`.

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::{TupleKind, Variant};
use scenewright_text::beneath;
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, images, schema};
use scenewright_tools_godot::base::tilemap::Pair;
use scenewright_tools_godot::base::{Godot, InGodot, InProject, OpenDocument, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More tiles are not made at once; an atlas of 4096 pixels has as many of 16.
const MAX_TILES: usize = 65_536;

pub(crate) const TOOL: Tool = Tool {
    id: "godotTilemap.createTileset",
    keywords: "atlas tiles from an image sheet collision tile size slice spritesheet into",
    mcp: Some("create_tileset"),
    title: "Create TileSet",
    category: "godot.tilemap",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Cut the sample's image into small tiles",
        input: r#"{
            "projectPath": "godot",
            "tilesetPath": "res://resources/small_tiles.tres",
            "tileSize": { "x": 8, "y": 8 },
            "texturePath": "res://art/tiles.png"
        }"#,
        output: r#"{
            "success": true,
            "tilesetPath": "res://resources/small_tiles.tres",
            "uid": "",
            "sourceId": 0,
            "columns": 8,
            "rows": 2,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo", "uid"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create a TileSet, with a tile for every whole cell of an image when one is given. The size of
/// PNG, JPEG, GIF, BMP and Targa images is known here; of others no tiles are made.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Where to make it: `res://tiles.tres`.
    tileset_path: String,
    /// Size of a tile in pixels.
    tile_size: Pair,
    /// The image with the tiles.
    texture_path: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new file.
    tileset_path: String,
    /// Its uid.
    uid: String,
    /// The source with the image's tiles, as set_tile takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<u32>,
    /// Columns of tiles in the image.
    columns: usize,
    /// Rows of tiles in the image.
    rows: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let Pair { x, y } = input.tile_size;
    if !(1..=16_384).contains(&x) || !(1..=16_384).contains(&y) {
        return Err(ToolError::bad_argument("tileSize", "must be between 1 and 16384 pixels"));
    }
    let path = godot.new_path(&input.tileset_path, &["tres"])?;
    let mut open = godot.new_resource(path, "TileSet")?;
    if (x, y) != (16, 16) {
        set_property(&mut open, "tile_size", &size(input.tile_size))?;
    }
    let mut grid = None;
    if let Some(texture) = &input.texture_path {
        grid = Some(add_atlas(cx, &godot, &mut open, texture, input.tile_size)?);
    }
    let (columns, rows) = grid.unwrap_or_default();
    Ok(Output {
        success: true,
        tileset_path: format!("res://{}", open.path),
        uid: open.document.uid().unwrap_or_default().into_owned(),
        source_id: grid.map(|_| 0),
        columns,
        rows,
        written: open.save(&godot, input.write)?,
    })
}

/// Add the image as an atlas, and return its columns and rows.
fn add_atlas(
    cx: &Cx,
    godot: &Godot<'_>,
    open: &mut OpenDocument,
    texture: &str,
    tile: Pair,
) -> Result<(usize, usize), ToolError> {
    let image = godot.path(texture)?;
    let id = godot.reference(&mut open.document, texture, "Texture2D")?;
    let (columns, rows) = grid(cx, godot, &image, tile)?;
    let mut properties = vec![("texture".to_owned(), Variant::ExtResource(id))];
    if (tile.x, tile.y) != (16, 16) {
        properties.push(("texture_region_size".to_owned(), size(tile)));
    }
    for row in 0..rows {
        let tiles = (0..columns).map(|column| (format!("{column}:{row}/0"), Variant::int(0)));
        properties.extend(tiles);
    }
    let properties: Vec<(&str, Variant)> =
        properties.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    let source =
        open.document.add_sub_resource("TileSetAtlasSource", &properties, None).map_err(refused)?;
    set_property(open, "sources/0", &Variant::SubResource(source))?;
    Ok((columns, rows))
}

/// How many whole tiles an image has across and down.
fn grid(
    cx: &Cx,
    godot: &Godot<'_>,
    image: &ProjectPath,
    tile: Pair,
) -> Result<(usize, usize), ToolError> {
    let path = godot.project.root.join(image.as_str());
    let file = beneath::open(&godot.project.root, &path).ok();
    let Some(pixels) = file.and_then(|file| images::read(&file, image.as_str())) else {
        cx.diagnose(format!("The size of {image} is not known here, so no tiles were made of it."));
        return Ok((0, 0));
    };
    let count =
        |pixels: u32, tile: i32| pixels as usize / usize::try_from(tile).unwrap_or(1).max(1);
    let (columns, rows) = (count(pixels.width, tile.x), count(pixels.height, tile.y));
    if columns * rows == 0 {
        let what = format!("{image} is {} by {} pixels", pixels.width, pixels.height);
        return Err(ToolError::bad_argument(
            "tileSize",
            &format!("is larger than the image: {what}"),
        ));
    }
    if columns * rows > MAX_TILES {
        return Err(ToolError::bad_argument(
            "tileSize",
            &format!("would cut {image} into {} tiles; {MAX_TILES} are the most", columns * rows),
        ));
    }
    Ok((columns, rows))
}

fn size(pair: Pair) -> Variant {
    let numbers = [f64::from(pair.x), f64::from(pair.y)];
    Variant::tuple(TupleKind::Vector2i, &numbers).expect("a pair has two numbers")
}

fn set_property(open: &mut OpenDocument, key: &str, value: &Variant) -> Result<(), ToolError> {
    let section = open.document.main_resource().map_or(0, |section| section.index());
    open.document.set_property(section, key, value).map_err(refused)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn an_image_becomes_an_atlas() {
        let arguments = json!({
            "tilesetPath": "tiles", "tileSize": { "x": 32, "y": 16 }, "texturePath": "art/tiles.png",
        });
        expect![[r#"
            --- /dev/null
            +++ b/tiles.tres
            @@ -0,0 +1,13 @@
            +[gd_resource type="TileSet" format=3 uid="uid://eeyb6t1kbo8q"]
            +
            +[ext_resource type="Texture2D" uid="uid://d3e45u6gwk2sl" path="res://art/tiles.png" id="1_cpow2"]
            +
            +[sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_mochp"]
            +texture = ExtResource("1_cpow2")
            +texture_region_size = Vector2i(32, 16)
            +0:0/0 = 0
            +1:0/0 = 0
            +
            +[resource]
            +tile_size = Vector2i(32, 16)
            +sources/0 = SubResource("TileSetAtlasSource_mochp")
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn without_an_image_it_is_empty() {
        let arguments = json!({ "tilesetPath": "tiles.tres", "tileSize": { "x": 16, "y": 16 } });
        expect![[r#"
            --- /dev/null
            +++ b/tiles.tres
            @@ -0,0 +1,3 @@
            +[gd_resource type="TileSet" format=3 uid="uid://eeyb6t1kbo8q"]
            +
            +[resource]
        "#]]
        .assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let sample = GodotSample::new();
        let refuse = |change: Value| {
            let mut arguments = json!({
                "tilesetPath": "t.tres", "tileSize": { "x": 16, "y": 16 },
                "texturePath": "art/tiles.png",
            });
            for (key, value) in change.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            sample.error(super::TOOL.id, arguments)
        };
        expect!["Invalid tool arguments: tileSize must be between 1 and 16384 pixels"]
            .assert_eq(&refuse(json!({ "tileSize": { "x": 0, "y": 16 } })));
        expect!["Invalid tool arguments: tileSize is larger than the image: art/tiles.png is 64 by 16 pixels"].assert_eq(&refuse(json!({ "tileSize": { "x": 65, "y": 16 } })));
        expect!["file not found: art/none.png; did you mean art/tiles.png?"]
            .assert_eq(&refuse(json!({ "texturePath": "art/none.png" })));
        expect!["scenes/main.tscn is a PackedScene, and a Texture2D is needed"]
            .assert_eq(&refuse(json!({ "texturePath": "scenes/main.tscn" })));
        expect!["resources/tiles.tres exists already; nothing was changed; choose another name, or change the file that is there"].assert_eq(&refuse(json!({ "tilesetPath": "resources/tiles.tres" })));
        expect!["t.png ends in .png, and this makes .tres"]
            .assert_eq(&refuse(json!({ "tilesetPath": "t.png" })));
    }
}
