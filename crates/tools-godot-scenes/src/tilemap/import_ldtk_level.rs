//! The tool `godotTilemap.importLdtkLevel`, which MCP clients call `import_ldtk_level`.

mod level;
mod read;
mod tile_sets;

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError, suggest};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::level::{Built, Options};
use self::read::{Ldtk, Level};
use self::tile_sets::TileSets;
use scenewright_tools_godot::base::tilemap::Pair;
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, saved};

/// More levels are not imported at once.
const MAX_LEVELS: usize = 500;
/// More remarks are left out.
const MAX_SKIPPED: usize = 200;

pub(crate) const TOOL: Tool = Tool {
    id: "godotTilemap.importLdtkLevel",
    keywords: "level editor ldtk json import tiled map",
    mcp: Some("import_ldtk_level"),
    title: "Import LDtk Level",
    notes: Some(
        "Needs Godot 4.3. Layers become TileMapLayers, IntGrid cells rectangles of a StaticBody2D, entities nodes with their fields as metadata. Backgrounds, tile alpha and tiles beside the grid have no place there and are listed as skipped.",
    ),
    category: "godot.tilemap",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a scene of the sample's LDtk level",
        input: r#"{
            "projectPath": "godot",
            "ldtkPath": "res://levels/cove.ldtk",
            "levelIdentifier": "Cove",
            "createCollision": true,
            "entityMapping": [
                { "ldtkIdentifier": "Coin", "godotNodeType": "res://scenes/coin.tscn" }
            ]
        }"#,
        output: r#"{
            "success": true,
            "levels": [{
                "identifier": "Cove",
                "scenePath": "res://levels/Cove.tscn",
                "layers": 2,
                "tiles": 13,
                "entities": 3,
                "collisionShapes": 3
            }],
            "tilesets": ["res://levels/cove_tiles.tres"],
            "skipped": ["Cove: the background colour #2F5D73"],
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Convert levels of an LDtk project, which lies in the Godot project, to scenes with a shared tile
/// set. What cannot be converted is listed in the answer.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The LDtk project: `res://levels/world.ldtk`.
    ldtk_path: String,
    /// The scene to make (.tscn), or a folder; the folder of the LDtk project by default.
    output_path: Option<String>,
    /// The level; all of them by default.
    level_identifier: Option<String>,
    /// Whether to make bodies of all IntGrid cells that are not empty.
    #[serde(default)]
    create_collision: bool,
    /// What entities become; a Marker2D by default.
    #[serde(default)]
    entity_mapping: Vec<Mapping>,
    /// Size of a cell in Godot, instead of the layer's own.
    tile_size: Option<Pair>,
    /// Whether to replace files that are there; their uids stay.
    #[serde(default)]
    overwrite: bool,
    #[serde(flatten)]
    write: Write,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Mapping {
    /// Identifier of the entity in LDtk.
    ldtk_identifier: String,
    /// Class of node, or a scene: `res://coin.tscn`.
    godot_node_type: String,
    /// Properties of the node.
    #[serde(default)]
    properties: JsonMap,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The levels and their scenes.
    levels: Vec<Imported>,
    /// The tile sets that the scenes share.
    tilesets: Vec<String>,
    /// What is in the levels and not in the scenes, at most 200 lines.
    skipped: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Imported {
    /// Identifier of the level.
    identifier: String,
    /// Its scene.
    scene_path: String,
    /// TileMapLayers in it.
    layers: usize,
    /// Cells of all layers.
    tiles: usize,
    /// Nodes for entities.
    entities: usize,
    /// Rectangles of collision bodies.
    collision_shapes: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    godot.class_below("TileMapLayer", "Node")?;
    let path = godot.path(&input.ldtk_path)?;
    let ldtk = Ldtk::read(&godot, &path)?;
    let levels = chosen(&ldtk, input.level_identifier.as_deref())?;
    let places = Places::new(&godot, &path, &input, levels.len())?;
    let tile_size = input.tile_size.map(|size| (size.x, size.y));
    if tile_size.is_some_and(|(x, y)| !(1..=16_384).contains(&x) || !(1..=16_384).contains(&y)) {
        return Err(ToolError::bad_argument("tileSize", "must be between 1 and 16384 pixels"));
    }
    let mut sets = TileSets::new(&godot, &path, &ldtk, tile_size, places.tile_set_stem());
    let options = Options { collision: input.create_collision, mapping: &input.entity_mapping };
    let mut scenes = Vec::new();
    for level in levels {
        cx.check_cancelled()?;
        let level = ldtk.with_layers(&godot, &path, level)?;
        let place = places.of(&godot, &level.identifier)?;
        let built = level::build(&godot, &level, &place, &mut sets, &options)?;
        scenes.push((level.identifier.clone(), place, built));
    }
    let mut skipped = std::mem::take(&mut sets.skipped);
    let mut files = sets.finish()?;
    let tilesets = files.iter().map(|(path, _)| format!("res://{path}")).collect();
    let mut imported = Vec::new();
    for (identifier, place, built) in scenes {
        imported.push(report(identifier, &place, &built));
        skipped.extend(built.skipped);
        files.push((place, built.bytes));
    }
    let mut before = Vec::new();
    for (path, _) in &files {
        before.push(replaced(&godot, path, input.overwrite)?);
    }
    let mut plan = Plan::new(godot.project);
    for ((path, bytes), before) in files.iter().zip(&before) {
        plan.write(path, before.as_deref(), bytes.clone());
    }
    if skipped.len() > MAX_SKIPPED {
        let more = skipped.len() - MAX_SKIPPED;
        skipped.truncate(MAX_SKIPPED);
        skipped.push(format!("and {more} more"));
    }
    let written = saved(&godot, plan, input.write)?;
    Ok(Output { success: true, levels: imported, tilesets, skipped, written })
}

fn report(identifier: String, place: &ProjectPath, built: &Built) -> Imported {
    Imported {
        identifier,
        scene_path: format!("res://{place}"),
        layers: built.layers,
        tiles: built.tiles,
        entities: built.entities,
        collision_shapes: built.shapes,
    }
}

fn chosen<'a>(ldtk: &'a Ldtk, wanted: Option<&str>) -> Result<Vec<&'a Level>, ToolError> {
    let all: Vec<&Level> = ldtk.levels().collect();
    let Some(wanted) = wanted else {
        if all.len() > MAX_LEVELS {
            let problem = format!("is needed: there are {} levels", all.len());
            return Err(ToolError::bad_argument("levelIdentifier", &problem));
        }
        return Ok(all);
    };
    match all.iter().find(|level| level.identifier == wanted) {
        Some(level) => Ok(vec![level]),
        None => {
            let names: Vec<&str> = all.iter().map(|level| level.identifier.as_str()).collect();
            let shown = names[..names.len().min(20)].join(", ");
            Err(ToolError::not_found("level", wanted).hint(suggest::did_you_mean(
                wanted,
                names.iter().copied(),
                &format!("there are {shown}"),
            )))
        }
    }
}

/// Where the files go.
struct Places {
    /// With a `/` at its end; empty for the project's root.
    folder: String,
    /// The one scene, if it was named.
    scene: Option<ProjectPath>,
    stem: String,
}

impl Places {
    fn new(
        godot: &Godot<'_>,
        ldtk: &ProjectPath,
        input: &Input,
        levels: usize,
    ) -> Result<Self, ToolError> {
        let text = ldtk.as_str();
        let (own, name) = text.rfind('/').map_or(("", text), |at| text.split_at(at + 1));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        let Some(output) = input.output_path.as_deref().map(str::trim) else {
            return Ok(Self { folder: own.to_owned(), scene: None, stem });
        };
        if output.to_ascii_lowercase().ends_with(".tscn") {
            if levels > 1 {
                let problem = format!("must be a folder: there are {levels} levels");
                return Err(ToolError::bad_argument("outputPath", &problem)
                    .hint("or name one with levelIdentifier"));
            }
            let scene = godot.path(output)?;
            let folder = scene.as_str().rfind('/').map_or("", |at| &scene.as_str()[..=at]);
            return Ok(Self { folder: folder.to_owned(), scene: Some(scene), stem });
        }
        let plain = output.trim_end_matches(['/', '\\']);
        let folder = match plain {
            "" | "." | "res:" => String::new(),
            plain => format!("{}/", godot.path(plain)?),
        };
        Ok(Self { folder, scene: None, stem })
    }

    /// The start of the path of a tile set.
    fn tile_set_stem(&self) -> String {
        format!("{}{}_tiles", self.folder, self.stem)
    }

    fn of(&self, godot: &Godot<'_>, level: &str) -> Result<ProjectPath, ToolError> {
        match &self.scene {
            Some(scene) => Ok(scene.clone()),
            None => godot.path(&format!("{}{}.tscn", self.folder, level::plain_name(level))),
        }
    }
}

/// What a file has that is to be made or replaced.
fn replaced(
    godot: &Godot<'_>,
    path: &ProjectPath,
    overwrite: bool,
) -> Result<Option<Vec<u8>>, ToolError> {
    match godot.exists(path) {
        false => Ok(None),
        true if overwrite => godot.read(path).map(Some),
        true => Err(ToolError::new(ErrorKind::BadArguments, format!("{path} exists already"))
            .hint("nothing was changed; choose another outputPath, or set overwrite")),
    }
}

/// The uid of a file, or the one that it is going to have.
fn uid_for(godot: &Godot<'_>, path: &ProjectPath) -> String {
    let known = godot.index.uid_of(path.as_str()).map(str::to_owned);
    known.unwrap_or_else(|| godot.new_uid(path))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn a_level_becomes_a_scene_and_a_tile_set() {
        let arguments = json!({
            "ldtkPath": "levels/cove.ldtk", "outputPath": "made/level.tscn",
            "levelIdentifier": "Cove", "createCollision": true,
            "entityMapping": [
                { "ldtkIdentifier": "Coin", "godotNodeType": "res://scenes/coin.tscn", "properties": { "scale": { "x": 2, "y": 2 } } },
                { "ldtkIdentifier": "Start", "godotNodeType": "Area2D", "properties": { "monitoring": false } },
            ],
        });
        expect![[r#"
            --- /dev/null
            +++ b/made/cove_tiles.tres
            @@ -0,0 +1,14 @@
            +[gd_resource type="TileSet" format=3 uid="uid://c7erj244lvrr"]
            +
            +[ext_resource type="Texture2D" uid="uid://d3e45u6gwk2sl" path="res://art/tiles.png" id="1_wbao2"]
            +
            +[sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_8q6kw"]
            +resource_name = "Shore"
            +texture = ExtResource("1_wbao2")
            +0:0/0 = 0
            +1:0/0 = 0
            +2:0/0 = 0
            +3:0/0 = 0
            +
            +[resource]
            +sources/0 = SubResource("TileSetAtlasSource_8q6kw")
            --- /dev/null
            +++ b/made/level.tscn
            @@ -0,0 +1,63 @@
            +[gd_scene format=4 uid="uid://cnysh3ygbhtqs"]
            +
            +[ext_resource type="PackedScene" uid="uid://da5dy46gvq05t" path="res://scenes/coin.tscn" id="1_opte7"]
            +[ext_resource type="TileSet" uid="uid://c7erj244lvrr" path="res://made/cove_tiles.tres" id="2_n3483"]
            +
            +[sub_resource type="RectangleShape2D" id="RectangleShape2D_xc6nv"]
            +size = Vector2(16, 32)
            +
            +[sub_resource type="RectangleShape2D" id="RectangleShape2D_jmm6p"]
            +size = Vector2(64, 16)
            +
            +[sub_resource type="RectangleShape2D" id="RectangleShape2D_4svnd"]
            +size = Vector2(32, 16)
            +
            +[node name="Cove" type="Node2D"]
            +metadata/ldtk_fields = {
            +"music": "waves"
            +}
            +
            +[node name="Ground" type="TileMapLayer" parent="."]
            +tile_map_data = PackedByteArray("AAAAAAIAAAAAAAAAAAAAAAMAAAABAAAAAAABAAMAAAAAAAAAAAACAAMAAAAAAAAAAAADAAMAAAAAAAAAAAAEAAMAAAAAAAAAAAAGAAMAAAAAAAAAAAAHAAMAAAAAAAAAAAA=")
            +tile_set = ExtResource("2_n3483")
            +
            +[node name="GroundCollision" type="StaticBody2D" parent="."]
            +
            +[node name="Shape" type="CollisionShape2D" parent="GroundCollision"]
            +position = Vector2(8, 48)
            +shape = SubResource("RectangleShape2D_xc6nv")
            +
            +[node name="Shape2" type="CollisionShape2D" parent="GroundCollision"]
            +position = Vector2(48, 56)
            +shape = SubResource("RectangleShape2D_jmm6p")
            +
            +[node name="Shape3" type="CollisionShape2D" parent="GroundCollision"]
            +position = Vector2(112, 56)
            +shape = SubResource("RectangleShape2D_4svnd")
            +
            +[node name="Deco" type="TileMapLayer" parent="."]
            +tile_map_data = PackedByteArray("AAACAAEAAAADAAAAAAADAAEAAAADAAAAABAFAAMAAAACAAAAAAAFAAIAAAACAAAAACAGAAAAAAADAAAAAAA=")
            +tile_set = ExtResource("2_n3483")
            +
            +[node name="Things" type="Node2D" parent="."]
            +
            +[node name="Start" type="Area2D" parent="Things"]
            +position = Vector2(8, 32)
            +monitoring = false
            +metadata/ldtk_iid = "7a1c5d20-0003-4f00-9c00-000000000001"
            +metadata/ldtk_size = Vector2(16, 16)
            +
            +[node name="Coin" parent="Things" instance=ExtResource("1_opte7")]
            +position = Vector2(40, 16)
            +scale = Vector2(2, 2)
            +metadata/ldtk_iid = "7a1c5d20-0003-4f00-9c00-000000000002"
            +metadata/ldtk_size = Vector2(16, 16)
            +metadata/ldtk_fields = {
            +"worth": 3
            +}
            +
            +[node name="Coin2" parent="Things" instance=ExtResource("1_opte7")]
            +position = Vector2(56, 16)
            +scale = Vector2(2, 2)
            +metadata/ldtk_iid = "7a1c5d20-0003-4f00-9c00-000000000003"
            +metadata/ldtk_size = Vector2(16, 16)
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_has_no_place_in_godot_is_listed() {
        let sample = GodotSample::new();
        let text = json!({
            "defs": { "tilesets": [
                { "uid": 1, "identifier": "A", "relPath": "gone.png", "pxWid": 16, "pxHei": 16, "tileGridSize": 16 },
                { "uid": 2, "identifier": "B", "relPath": "art/tiles.png", "pxWid": 64, "pxHei": 16, "tileGridSize": 8 },
                { "uid": 3, "identifier": "C", "relPath": null, "embedAtlas": "LdtkIcons", "pxWid": 16, "pxHei": 16, "tileGridSize": 16 },
            ] },
            "levels": [{
                "identifier": "One", "bgRelPath": "sky.png",
                "layerInstances": [
                    { "__identifier": "Gone", "__type": "Tiles", "__gridSize": 16, "__tilesetDefUid": 1, "gridTiles": [{ "px": [0, 0], "src": [0, 0] }] },
                    { "__identifier": "Icons", "__type": "Tiles", "__gridSize": 16, "__tilesetDefUid": 3, "gridTiles": [{ "px": [0, 0], "src": [0, 0] }] },
                    { "__identifier": "Small", "__type": "Tiles", "__gridSize": 16, "__tilesetDefUid": 2, "__opacity": 0.5, "visible": false, "__pxTotalOffsetX": 4, "gridTiles": [
                        { "px": [0, 0], "src": [8, 8], "f": 3 }, { "px": [0, 0], "src": [16, 0] },
                        { "px": [5, 0], "src": [0, 0] }, { "px": [16, 0], "src": [0, 0], "a": 0.5 },
                        { "px": [32, 0], "src": [4, 0] },
                    ] },
                    { "__identifier": "Walls", "__type": "IntGrid", "__gridSize": 16, "__cWid": 1, "__cHei": 1, "intGridCsv": [1] },
                ],
            }],
        });
        sample.write("w.ldtk", &text.to_string());
        let output = sample.call(super::TOOL.id, json!({ "ldtkPath": "w.ldtk" })).unwrap();
        let skipped: Vec<&str> =
            output["skipped"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        expect![[r#"
            One: layer Walls: values without tiles; createCollision makes bodies of them
            One: layer Small: tiles that are not on the grid (2)
            One: layer Small: the transparency of tiles (1)
            One: layer Icons: tileset C has no image of its own
            One: layer Gone: the image of tileset A, gone.png, is not there
            One: the background image sky.png"#]]
        .assert_eq(&skipped.join("\n"));
        expect![[r#"
            [gd_scene format=3 uid="uid://cxb72kacl5l8b"]

            [ext_resource type="TileSet" uid="uid://dde68tjea1e1e" path="res://w_tiles.tres" id="1_kohm8"]

            [node name="One" type="Node2D"]

            [node name="Small" type="TileMapLayer" parent="."]
            visible = false
            modulate = Color(1, 1, 1, 0.5)
            position = Vector2(4, 0)
            tile_map_data = PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 48, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            tile_set = ExtResource("1_kohm8")

            [node name="Small2" type="TileMapLayer" parent="."]
            visible = false
            modulate = Color(1, 1, 1, 0.5)
            position = Vector2(4, 0)
            tile_map_data = PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0)
            tile_set = ExtResource("1_kohm8")
        "#]].assert_eq(&sample.read("One.tscn"));
        expect![[r#"
            [gd_resource type="TileSet" format=3 uid="uid://dde68tjea1e1e"]

            [ext_resource type="Texture2D" uid="uid://d3e45u6gwk2sl" path="res://art/tiles.png" id="1_luo30"]

            [sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_4pixb"]
            resource_name = "B"
            texture = ExtResource("1_luo30")
            texture_region_size = Vector2i(8, 8)
            0:0/0 = 0
            0:0/0/texture_origin = Vector2i(4, 4)
            1:0/0 = 0
            1:0/0/texture_origin = Vector2i(4, 4)
            2:0/0 = 0
            2:0/0/texture_origin = Vector2i(4, 4)
            3:0/0 = 0
            3:0/0/texture_origin = Vector2i(4, 4)
            4:0/0 = 0
            4:0/0/texture_origin = Vector2i(4, 4)
            5:0/0 = 0
            5:0/0/texture_origin = Vector2i(4, 4)
            6:0/0 = 0
            6:0/0/texture_origin = Vector2i(4, 4)
            7:0/0 = 0
            7:0/0/texture_origin = Vector2i(4, 4)
            0:1/0 = 0
            0:1/0/texture_origin = Vector2i(4, 4)
            1:1/0 = 0
            1:1/0/texture_origin = Vector2i(4, 4)
            2:1/0 = 0
            2:1/0/texture_origin = Vector2i(4, 4)
            3:1/0 = 0
            3:1/0/texture_origin = Vector2i(4, 4)
            4:1/0 = 0
            4:1/0/texture_origin = Vector2i(4, 4)
            5:1/0 = 0
            5:1/0/texture_origin = Vector2i(4, 4)
            6:1/0 = 0
            6:1/0/texture_origin = Vector2i(4, 4)
            7:1/0 = 0
            7:1/0/texture_origin = Vector2i(4, 4)

            [resource]
            sources/0 = SubResource("TileSetAtlasSource_4pixb")
        "#]].assert_eq(&sample.read("w_tiles.tres"));
    }

    #[test]
    fn levels_may_be_files_of_their_own_and_come_again() {
        let sample = GodotSample::new();
        sample.write(
            "w/world.ldtk",
            r#"{ "externalLevels": true, "worlds": [{ "levels": [
                { "identifier": "A", "layerInstances": null, "externalRelPath": "world/A.ldtkl" },
                { "identifier": "B", "layerInstances": null, "externalRelPath": "world/B.ldtkl" }
            ] }] }"#,
        );
        let level = |name: &str| {
            json!({ "identifier": name, "layerInstances": [{
                "__identifier": "Things", "__type": "Entities", "__gridSize": 8,
                "entityInstances": [
                    { "__identifier": "Door", "px": [8, 16], "width": 8, "height": 16, "iid": "x-1",
                      "fieldInstances": [{ "__identifier": "locked", "__type": "Bool", "__value": true }] },
                    { "__identifier": "Door", "px": [24, 16] },
                ],
            }] })
            .to_string()
        };
        sample.write("w/world/A.ldtkl", &level("A"));
        sample.write("w/world/B.ldtkl", &level("B"));
        let mut arguments = json!({ "ldtkPath": "w/world.ldtk", "outputPath": "out" });
        let output = sample.call(super::TOOL.id, arguments.clone()).unwrap();
        assert_eq!(output["filesChanged"], 2);
        let first = sample.read("out/A.tscn");
        expect![[r#"
            [gd_scene format=3 uid="uid://dmong0cuyxa1p"]

            [node name="A" type="Node2D"]

            [node name="Things" type="Node2D" parent="."]

            [node name="Door" type="Marker2D" parent="Things"]
            position = Vector2(8, 16)
            metadata/ldtk_iid = "x-1"
            metadata/ldtk_size = Vector2(8, 16)
            metadata/ldtk_fields = {
            "locked": true
            }

            [node name="Door2" type="Marker2D" parent="Things"]
            position = Vector2(24, 16)
        "#]]
        .assert_eq(&first);
        expect!["out/A.tscn exists already; nothing was changed; choose another outputPath, or set overwrite"].assert_eq(&sample.error(super::TOOL.id, arguments.clone()));
        arguments["overwrite"] = true.into();
        assert_eq!(sample.call(super::TOOL.id, arguments).unwrap()["filesChanged"], 0);
        assert_eq!(sample.read("out/A.tscn"), first);
    }

    #[test]
    fn mistakes_are_told() {
        let sample = GodotSample::new();
        sample.write("bad.ldtk", "{");
        sample.write("none.ldtk", "{}");
        sample.write("two.ldtk", r#"{ "levels": [{ "identifier": "A" }, { "identifier": "B" }] }"#);
        let refuse = |change: Value| {
            let mut arguments = json!({ "ldtkPath": "levels/cove.ldtk" });
            for (key, value) in change.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            sample.error(super::TOOL.id, arguments)
        };
        expect!["level not found: Cave; did you mean Cove?"]
            .assert_eq(&refuse(json!({ "levelIdentifier": "Cave" })));
        expect!["file not found: no.ldtk; project_listFiles shows what is there"]
            .assert_eq(&refuse(json!({ "ldtkPath": "no.ldtk" })));
        expect!["bad.ldtk is no LDtk file: EOF while parsing an object at line 1 column 1; save it with LDtk 1.0 or newer"].assert_eq(&refuse(json!({ "ldtkPath": "bad.ldtk" })));
        expect!["none.ldtk has no levels; is it an LDtk project? levels in files of their own are named there"].assert_eq(&refuse(json!({ "ldtkPath": "none.ldtk" })));
        expect!["Invalid tool arguments: outputPath must be a folder: there are 2 levels; or name one with levelIdentifier"].assert_eq(&refuse(json!({ "ldtkPath": "two.ldtk", "outputPath": "x.tscn" })));
        expect!["Invalid tool arguments: tileSize must be between 1 and 16384 pixels"]
            .assert_eq(&refuse(json!({ "tileSize": { "x": 0, "y": 8 } })));
        let mapping = |class: &str, properties: Value| json!({ "entityMapping": [{ "ldtkIdentifier": "Coin", "godotNodeType": class, "properties": properties }] });
        expect!["Godot 4.4 has no class 'Areea2D'; did you mean Area2D?"]
            .assert_eq(&refuse(mapping("Areea2D", json!({}))));
        expect!["Area2D has no property 'radius'; there is audio_bus_name, gravity, audio_bus_override, rotation, gravity_space_override, transform, linear_damp_space_override, gravity_point_unit_distance, gravity_point, rotation_degrees, script, gravity_direction and 50 more; get_class_info lists the properties"]
            .assert_eq(&refuse(mapping("Area2D", json!({ "radius": 1 }))));
        expect!["file not found: gone.tscn; there is scenes/coin.tscn, scenes/main.tscn, scenes/actor.tscn, scenes/level.tscn, scenes/player.tscn"]
            .assert_eq(&refuse(mapping("res://gone.tscn", json!({}))));
    }
}
