//! Tile maps in scenes: the cells of a layer, and what its tile set has.

use std::collections::{BTreeMap, BTreeSet};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{Document, Form, Place, Section, Tile, Tiles, Tree, TreeNode, Variant};
use scenewright_toolkit::door::{ProjectPath, Written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{Godot, OpenScene, Write, refused};

/// A pair of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// Across.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// What is to be in a cell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TileInput {
    /// The cell.
    pub position: Pair,
    /// Source in the tile set; -1 empties the cell.
    #[schemars(range(min = -1, max = 32767))]
    pub source_id: i32,
    /// Column and row of the tile in its atlas; `0, 0` for scenes.
    pub atlas_coords: Option<Pair>,
    /// Alternative of the tile; add 4096 to mirror it, 8192 to turn it upside down, 16384 to
    /// swap rows and columns.
    #[serde(default)]
    #[schemars(range(min = 0, max = 32767))]
    pub alternative_tile: i32,
}

/// What came of setting cells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Painted {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Cells that got a new tile.
    cells_set: usize,
    /// Cells that had a tile and are empty now.
    cells_erased: usize,
    /// Cells of the layer that are not empty now.
    total_cells: usize,
    #[serde(flatten)]
    written: Written,
}

/// One layer of tiles of a scene.
pub struct TileLayer {
    /// Path of its node.
    node: String,
    before: Tiles,
    tiles: Tiles,
    kind: LayerKind,
    /// Where the node is among its siblings, if it has no section in this file.
    foreign: Option<usize>,
    /// The node gets its values from another scene, so that an empty value has to be written.
    inherits: bool,
    tile_set: Option<TileSet>,
}

enum LayerKind {
    /// A `TileMapLayer`, which is one layer.
    Node,
    /// A layer of a `TileMap`, and whether the node tells its format.
    Numbered { layer: u32, has_format: bool },
}

impl TileLayer {
    /// The layer of a node in the effective tree of a scene.
    pub fn open(
        godot: &Godot<'_>,
        open: &OpenScene,
        node: &str,
        layer: u32,
    ) -> Result<Self, ToolError> {
        let path = godot.node(open, node)?;
        let tree = godot.tree_of(open);
        let node = tree.node(&path).ok_or_else(|| ToolError::not_found("node", &path))?;
        let class = node.class.as_deref().unwrap_or("unknown class");
        let classes = godot.classes();
        let (kind, tiles) = if classes.inherits(class, "TileMapLayer") {
            (LayerKind::Node, node_tiles(node, layer)?)
        } else if classes.inherits(class, "TileMap") {
            numbered_tiles(node, layer)?
        } else {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{path} is a {class}, not a TileMapLayer or TileMap"),
            )
            .hint("create_tilemap_layer makes one; get_node_tree shows the nodes"));
        };
        let is_instance = node.instance.is_some();
        let typed = node.section.and_then(|section| open.scene.section(section));
        let inherits = is_instance || typed.is_none_or(|own| own.attribute("type").is_none());
        Ok(Self {
            foreign: node.section.is_none().then(|| place(&tree, node)),
            inherits,
            tile_set: tile_set(godot, node),
            node: path,
            before: tiles.clone(),
            tiles,
            kind,
        })
    }

    /// Path of its node.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Its cells.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Put tiles into cells and empty others. All are checked before the first is set.
    pub fn paint(&mut self, tiles: &[TileInput]) -> Result<(), ToolError> {
        let mut wanted = Vec::new();
        for tile in tiles {
            wanted.push((cell(tile.position)?, self.wanted(tile)?));
        }
        for (place, tile) in wanted {
            match tile {
                Some(tile) => self.tiles.set(place, tile),
                None => self.tiles.erase(place),
            };
        }
        Ok(())
    }

    fn wanted(&self, input: &TileInput) -> Result<Option<Tile>, ToolError> {
        if input.source_id == -1 {
            return Ok(None);
        }
        let Some(atlas) = input.atlas_coords else {
            return Err(ToolError::bad_argument("atlasCoords", "is needed unless sourceId is -1"));
        };
        let small = |number: i32, what: &str| {
            let small = i16::try_from(number).ok().filter(|number| *number >= 0);
            small.ok_or_else(|| ToolError::bad_argument(what, "must be between 0 and 32767"))
        };
        let tile = Tile {
            source: small(input.source_id, "sourceId")?,
            atlas: (small(atlas.x, "atlasCoords")?, small(atlas.y, "atlasCoords")?),
            alternative: small(input.alternative_tile, "alternativeTile")?,
        };
        if let Some(tile_set) = &self.tile_set {
            tile_set.check(tile)?;
        }
        Ok(Some(tile))
    }

    /// Write the scene with the cells as they are now.
    pub fn save(
        self,
        godot: &Godot<'_>,
        open: &mut OpenScene,
        write: Write,
    ) -> Result<Painted, ToolError> {
        let changed = |(place, tile): &(Place, Tile)| self.before.get(*place) != Some(*tile);
        let cells_set = self.tiles.iter().filter(changed).count();
        let is_gone = |(place, _): &(Place, Tile)| self.tiles.get(*place).is_none();
        let cells_erased = self.before.iter().filter(is_gone).count();
        if cells_set + cells_erased > 0 {
            self.store(open)?;
        }
        Ok(Painted {
            success: true,
            written: open.save(godot, write)?,
            total_cells: self.tiles.len(),
            node_path: self.node,
            cells_set,
            cells_erased,
        })
    }

    fn store(&self, open: &mut OpenScene) -> Result<(), ToolError> {
        let scene = &mut open.scene;
        if let Some(index) = self.foreign {
            scene.add_override(&self.node, index).map_err(refused)?;
        }
        let (key, value) = match self.kind {
            LayerKind::Node => ("tile_map_data".to_owned(), Variant::Bytes(self.tiles.to_bytes())),
            LayerKind::Numbered { layer, has_format } => {
                if !has_format {
                    let format = Variant::int(2);
                    scene.set_node_property(&self.node, "format", &format).map_err(refused)?;
                }
                (format!("layer_{layer}/tile_data"), ints(&self.tiles))
            }
        };
        if self.tiles.is_empty() && !self.inherits {
            return scene.remove_node_property(&self.node, &key).map(drop).map_err(refused);
        }
        scene.set_node_property(&self.node, &key, &value).map_err(refused)
    }
}

fn node_tiles(node: &TreeNode, layer: u32) -> Result<Tiles, ToolError> {
    if layer != 0 {
        return Err(ToolError::bad_argument("layer", "must be 0: a TileMapLayer is one layer")
            .hint("name the node of the other layer instead"));
    }
    match node.property("tile_map_data").map(|property| property.decode()) {
        None => Ok(Tiles::default()),
        Some(Variant::Bytes(bytes)) => Tiles::from_bytes(&bytes).ok_or_else(|| unreadable(node)),
        Some(_) => Err(unreadable(node)),
    }
}

fn numbered_tiles(node: &TreeNode, layer: u32) -> Result<(LayerKind, Tiles), ToolError> {
    let numbers = node.properties.iter().filter_map(|property| {
        property.key.strip_prefix("layer_")?.split_once('/')?.0.parse::<u32>().ok()
    });
    let last = numbers.max().unwrap_or(0);
    if layer > last {
        let most = format!("must be at most {last}: {} has no more layers", node.path);
        return Err(
            ToolError::bad_argument("layer", &most).hint("edit_node adds one by its layer_N/name")
        );
    }
    let format = node.property("format").and_then(|property| property.decode().as_int());
    let key = format!("layer_{layer}/tile_data");
    let tiles = match node.property(&key).map(|property| property.decode()) {
        None => Tiles::default(),
        Some(Variant::Tuple(_, numbers)) if format == Some(2) => {
            let ints: Option<Vec<i64>> = numbers.iter().map(|number| number.as_int()).collect();
            ints.and_then(|ints| Tiles::from_ints(&ints)).ok_or_else(|| unreadable(node))?
        }
        Some(_) => return Err(unreadable(node)),
    };
    Ok((LayerKind::Numbered { layer, has_format: format.is_some() }, tiles))
}

fn unreadable(node: &TreeNode) -> ToolError {
    ToolError::new(
        ErrorKind::EngineError,
        format!("the cells of {} are in a layout that is not known here", node.path),
    )
    .hint("open and save the scene once in the Godot editor, which writes the current layout")
}

fn ints(tiles: &Tiles) -> Variant {
    let numbers: Vec<f64> = tiles.to_ints().into_iter().map(f64::from).collect();
    Variant::tuple(scenewright_godot::TupleKind::PackedInt32Array, &numbers)
        .expect("a packed array takes any count")
}

/// Where a node is among its siblings.
fn place(tree: &Tree, node: &TreeNode) -> usize {
    let parent = node.parent.and_then(|parent| tree.nodes().get(parent));
    let siblings = parent.map_or(&[][..], |parent| &parent.children);
    let is_it = |at: &usize| tree.nodes().get(*at).is_some_and(|other| other.path == node.path);
    siblings.iter().position(is_it).unwrap_or(0)
}

fn cell(position: Pair) -> Result<Place, ToolError> {
    match (i16::try_from(position.x), i16::try_from(position.y)) {
        (Ok(x), Ok(y)) => Ok((x, y)),
        _ => Err(ToolError::bad_argument(
            "position",
            &format!(
                "({}, {}) is outside of what Godot stores: -32768 to 32767",
                position.x, position.y
            ),
        )),
    }
}

/// What a tile set has, as far as its file tells.
struct TileSet {
    name: String,
    sources: BTreeMap<i64, Source>,
}

enum Source {
    /// Tiles by column, row and alternative.
    Atlas(BTreeSet<(i64, i64, i64)>),
    /// Scenes by number.
    Scenes(BTreeSet<i64>),
    /// In another file, or of a kind that is not known here.
    Unknown,
}

fn tile_set(godot: &Godot<'_>, node: &TreeNode) -> Option<TileSet> {
    let property = node.property("tile_set")?;
    match property.decode() {
        Variant::SubResource(id) => {
            let document: &Document = property.origin.scene();
            let section = document.sub_resource(&id)?.0;
            Some(TileSet { name: "its tile set".to_owned(), sources: sources(document, section) })
        }
        _ => {
            let path = ProjectPath::parse(godot.project, &property.resource()?).ok()?;
            let bytes = godot.read(&path).ok().filter(|_| path.as_str().ends_with(".tres"))?;
            let document = Document::parse(bytes, Form::Resource);
            let section = document.main_resource()?;
            let sources = sources(&document, section);
            Some(TileSet { name: path.to_string(), sources })
        }
    }
}

fn sources(document: &Document, tile_set: Section<'_>) -> BTreeMap<i64, Source> {
    let mut sources = BTreeMap::new();
    for field in tile_set.properties() {
        let key = field.key();
        let Some(number) = key.strip_prefix("sources/").and_then(|text| text.parse().ok()) else {
            continue;
        };
        let source = match field.value().decode() {
            Variant::SubResource(id) => document.sub_resource(&id).map(|found| found.0),
            _ => None,
        };
        sources.insert(number, source.map_or(Source::Unknown, read_source));
    }
    sources
}

fn read_source(section: Section<'_>) -> Source {
    let keys = section.properties().map(|field| field.key());
    match section.attribute_text("type").as_deref() {
        Some("TileSetAtlasSource") => Source::Atlas(
            keys.filter_map(|key| {
                let (place, alternative) = key.split_once('/')?;
                let (x, y) = place.split_once(':')?;
                Some((x.parse().ok()?, y.parse().ok()?, alternative.parse().ok()?))
            })
            .collect(),
        ),
        Some("TileSetScenesCollectionSource") => Source::Scenes(
            keys.filter_map(|key| key.strip_prefix("scenes/")?.split('/').next()?.parse().ok())
                .collect(),
        ),
        _ => Source::Unknown,
    }
}

impl TileSet {
    fn check(&self, tile: Tile) -> Result<(), ToolError> {
        let wrong = |message: String, hint: String| {
            Err(ToolError::new(ErrorKind::BadArguments, message).hint(hint))
        };
        let (x, y) = (i64::from(tile.atlas.0), i64::from(tile.atlas.1));
        let number = i64::from(tile.source);
        match self.sources.get(&number) {
            None => {
                let known: Vec<String> = self.sources.keys().map(i64::to_string).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                wrong(format!("{} has no source {number}", self.name), format!("it has {known}"))
            }
            Some(Source::Unknown) => Ok(()),
            Some(Source::Scenes(scenes)) => {
                if (x, y) == (0, 0) && scenes.contains(&i64::from(tile.alternative)) {
                    return Ok(());
                }
                let known: Vec<String> = scenes.iter().map(i64::to_string).collect();
                wrong(
                    format!("source {number} of {} has scenes, not tiles", self.name),
                    format!("use atlasCoords 0, 0 and alternativeTile of {}", known.join(", ")),
                )
            }
            Some(Source::Atlas(tiles)) => {
                if tiles.contains(&(x, y, i64::from(tile.plain_alternative()))) {
                    return Ok(());
                }
                let same: Vec<i64> =
                    tiles.iter().filter(|at| (at.0, at.1) == (x, y)).map(|at| at.2).collect();
                if !same.is_empty() {
                    let known: Vec<String> = same.iter().map(i64::to_string).collect();
                    return wrong(
                        format!(
                            "tile {x}:{y} of source {number} in {} has no alternative {}",
                            self.name,
                            tile.plain_alternative()
                        ),
                        format!("it has {}", known.join(", ")),
                    );
                }
                let some: BTreeSet<(i64, i64)> = tiles.iter().map(|at| (at.1, at.0)).collect();
                let shown: Vec<String> =
                    some.iter().take(12).map(|(y, x)| format!("{x}:{y}")).collect();
                let more = if some.len() > 12 { ", …" } else { "" };
                wrong(
                    format!("source {number} of {} has no tile {x}:{y}", self.name),
                    format!("it has {}{more}", shown.join(", ")),
                )
            }
        }
    }
}
