//! One level as a scene.

mod entities;
mod rectangles;

use std::collections::BTreeSet;

use scenewright_contract::ToolError;
use scenewright_godot::{Document, Form, Tile, Tiles, TupleKind, Variant};
use scenewright_toolkit::door::ProjectPath;

use self::entities::Entities;
use super::Mapping;
use super::read::{Layer, LdtkTile, Level};
use super::tile_sets::{Source, TileSets};
use scenewright_tools_godot::base::{Godot, refused};

/// More tiles on top of each other are left out.
const MAX_STACKED: usize = 16;

/// What was asked for.
pub(super) struct Options<'a> {
    pub(super) collision: bool,
    pub(super) mapping: &'a [Mapping],
}

/// A scene and what is in it.
#[derive(Default)]
pub(super) struct Built {
    pub(super) bytes: Vec<u8>,
    pub(super) layers: usize,
    pub(super) tiles: usize,
    pub(super) entities: usize,
    pub(super) shapes: usize,
    pub(super) skipped: Vec<String>,
}

pub(super) fn build(
    godot: &Godot<'_>,
    level: &Level,
    place: &ProjectPath,
    sets: &mut TileSets<'_>,
    options: &Options<'_>,
) -> Result<Built, ToolError> {
    let uid = super::uid_for(godot, place);
    let header = format!("[gd_scene format=3 uid=\"{uid}\"]\n");
    let mut writer = Writer {
        document: Document::parse(header, Form::Resource),
        nodes: Vec::new(),
        names: BTreeSet::new(),
        built: Built::default(),
    };
    let mut entities = Entities::new(godot, options.mapping, &mut writer.document)?;
    writer.root(level);
    // The topmost comes first in LDtk and last in Godot.
    for layer in level.layer_instances.iter().flatten().rev() {
        writer.tiles(layer, sets)?;
        if layer.kind == "IntGrid" {
            writer.int_grid(layer, options.collision)?;
        }
        if layer.kind == "Entities" {
            entities.add(&mut writer, layer);
        }
    }
    writer.skip_backgrounds(level);
    let mut built = writer.finish();
    let name = &level.identifier;
    built.skipped.iter_mut().for_each(|text| *text = format!("{name}: {text}"));
    Ok(built)
}

/// A node, to be written when all resources are known.
struct NewNode {
    name: String,
    parent: Option<String>,
    kind: Kind,
    properties: Vec<(String, Variant)>,
}

enum Kind {
    Class(&'static str),
    Instance(Variant),
}

struct Writer {
    /// The header and the resources.
    document: Document,
    nodes: Vec<NewNode>,
    /// Paths of nodes, each of which may be there once.
    names: BTreeSet<String>,
    built: Built,
}

impl Writer {
    fn root(&mut self, level: &Level) {
        let name = plain_name(&level.identifier);
        let mut properties = Vec::new();
        entities::add_fields(&mut properties, &level.field_instances);
        self.nodes.push(NewNode { name, parent: None, kind: Kind::Class("Node2D"), properties });
    }

    /// Add a node, with a number behind its name when that is taken; return its path.
    fn add(
        &mut self,
        name: &str,
        parent: &str,
        kind: Kind,
        properties: Vec<(String, Variant)>,
    ) -> String {
        let plain = plain_name(name);
        let path = |name: &str| match parent {
            "." => name.to_owned(),
            parent => format!("{parent}/{name}"),
        };
        let mut names = (1..).map(|number: usize| match number {
            1 => plain.clone(),
            number => format!("{plain}{number}"),
        });
        let name = names
            .find(|name| self.names.insert(path(name)))
            .expect("there are more numbers than nodes");
        let found = path(&name);
        self.nodes.push(NewNode { name, parent: Some(parent.to_owned()), kind, properties });
        found
    }

    /// The tiles of a layer, in as many nodes as tiles lie on top of each other.
    fn tiles(&mut self, layer: &Layer, sets: &mut TileSets<'_>) -> Result<(), ToolError> {
        let tiles = if layer.kind == "Tiles" { &layer.grid_tiles } else { &layer.auto_layer_tiles };
        let (Some(uid), false) = (layer.tileset, tiles.is_empty()) else { return Ok(()) };
        let name = &layer.identifier;
        let source = match sets.source(uid, layer.grid_size) {
            Ok(source) => source,
            Err(why) => {
                self.built.skipped.push(format!("layer {name}: {why}"));
                return Ok(());
            }
        };
        let stacked = self.stack(layer, tiles, &source, sets);
        let Some((file, uid)) = sets.file(&source) else { return Ok(()) };
        let set = self.document.add_ext_resource("TileSet", &file, Some(&uid)).map_err(refused)?;
        for tiles in stacked {
            let mut properties = canvas_properties(layer);
            let data = Variant::Bytes(tiles.to_bytes());
            properties.push(("tile_map_data".to_owned(), data));
            properties.push(("tile_set".to_owned(), Variant::ExtResource(set.clone())));
            self.built.layers += 1;
            self.built.tiles += tiles.len();
            self.add(name, ".", Kind::Class("TileMapLayer"), properties);
        }
        Ok(())
    }

    fn stack(
        &mut self,
        layer: &Layer,
        tiles: &[LdtkTile],
        source: &Source<'_>,
        sets: &mut TileSets<'_>,
    ) -> Vec<Tiles> {
        let mut stacked: Vec<Tiles> = Vec::new();
        let (mut beside, mut pale, mut high) = (0, 0, 0);
        for tile in tiles {
            let place = cell(tile.px, layer.grid_size);
            let atlas = atlas_place(tile.src, source);
            let (Some(place), Some(atlas)) = (place, atlas) else {
                beside += 1;
                continue;
            };
            pale += usize::from(tile.a < 1.0);
            let flips = [(1, Tile::FLIP_H), (2, Tile::FLIP_V)];
            let flips = flips.iter().filter(|(bit, _)| tile.f & bit != 0).map(|(_, flag)| flag);
            let alternative = flips.fold(0, |all, flag| all | flag);
            let new = Tile { source: source.id, atlas, alternative };
            sets.note(source, (atlas.0.into(), atlas.1.into()));
            let free = stacked.iter().position(|tiles| tiles.get(place).is_none());
            let free = free.unwrap_or(stacked.len());
            if free >= MAX_STACKED {
                high += 1;
                continue;
            }
            stacked.resize_with(stacked.len().max(free + 1), Tiles::default);
            stacked[free].set(place, new);
        }
        let name = &layer.identifier;
        let counts = [
            (beside, "tiles that are not on the grid"),
            (pale, "the transparency of tiles"),
            (high, "tiles on top of many others"),
        ];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            self.built.skipped.push(format!("layer {name}: {what} ({count})"));
        }
        stacked
    }

    /// Bodies for the cells of an IntGrid.
    fn int_grid(&mut self, layer: &Layer, collision: bool) -> Result<(), ToolError> {
        let name = &layer.identifier;
        if !collision {
            let has_values = layer.int_grid_csv.iter().any(|value| *value != 0);
            if has_values && layer.auto_layer_tiles.is_empty() {
                let what = "values without tiles; createCollision makes bodies of them";
                self.built.skipped.push(format!("layer {name}: {what}"));
            }
            return Ok(());
        }
        let found = rectangles::cover(&layer.int_grid_csv, layer.columns);
        if found.is_empty() || layer.grid_size <= 0 {
            return Ok(());
        }
        let properties = match (layer.offset_x, layer.offset_y) {
            (0, 0) => Vec::new(),
            (x, y) => vec![("position".to_owned(), vector(f64::from(x), f64::from(y)))],
        };
        let body = format!("{name}Collision");
        let body = self.add(&body, ".", Kind::Class("StaticBody2D"), properties);
        let grid = f64::from(layer.grid_size);
        let mut shapes = Vec::new();
        for found in found {
            let size = (found.width as f64 * grid, found.height as f64 * grid);
            let known = shapes.iter().find(|(other, _)| *other == size).map(|(_, id)| id);
            let shape: Variant = match known {
                Some(shape) => Clone::clone(shape),
                None => {
                    let size_value = vector(size.0, size.1);
                    let id = self
                        .document
                        .add_sub_resource("RectangleShape2D", &[("size", size_value)], None)
                        .map_err(refused)?;
                    shapes.push((size, Variant::SubResource(id.clone())));
                    Variant::SubResource(id)
                }
            };
            let middle =
                vector(found.x as f64 * grid + size.0 / 2.0, found.y as f64 * grid + size.1 / 2.0);
            let properties = vec![("position".to_owned(), middle), ("shape".to_owned(), shape)];
            self.add("Shape", &body, Kind::Class("CollisionShape2D"), properties);
            self.built.shapes += 1;
        }
        Ok(())
    }

    fn skip_backgrounds(&mut self, level: &Level) {
        if let Some(color) = &level.background {
            self.built.skipped.push(format!("the background colour {color}"));
        }
        if let Some(image) = &level.bg_rel_path {
            self.built.skipped.push(format!("the background image {image}"));
        }
    }

    /// The whole scene.
    fn finish(mut self) -> Built {
        let values = self.nodes.iter().flat_map(|node| &node.properties);
        let needed = values.map(|(_, value)| value.needed_format()).max().unwrap_or(3);
        let mut text = String::from_utf8_lossy(self.document.as_bytes()).trim_end().to_owned();
        if needed > 3 {
            text = text.replacen("format=3", "format=4", 1);
        }
        for node in &self.nodes {
            text += &format!("\n\n[node name=\"{}\"", node.name);
            if let Kind::Class(class) = node.kind {
                text += &format!(" type=\"{class}\"");
            }
            if let Some(parent) = &node.parent {
                text += &format!(" parent=\"{parent}\"");
            }
            if let Kind::Instance(scene) = &node.kind {
                text += &format!(" instance={}", scene.to_text(needed));
            }
            text += "]";
            for (key, value) in &node.properties {
                text += &format!("\n{key} = {}", value.to_text(needed));
            }
        }
        text += "\n";
        self.built.bytes = text.into_bytes();
        self.built
    }
}

/// The name of a node or file, with nothing in it that Godot or a file system minds.
pub(super) fn plain_name(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|char| if char.is_alphanumeric() || "_- ".contains(char) { char } else { '_' })
        .take(100)
        .collect();
    match plain.trim() {
        "" => "Unnamed".to_owned(),
        plain => plain.to_owned(),
    }
}

/// The properties that every layer has of itself.
fn canvas_properties(layer: &Layer) -> Vec<(String, Variant)> {
    let mut properties = Vec::new();
    if !layer.visible {
        properties.push(("visible".to_owned(), Variant::Bool(false)));
    }
    if layer.opacity < 1.0 {
        let color = Variant::tuple(TupleKind::Color, &[1.0, 1.0, 1.0, layer.opacity.max(0.0)]);
        properties.push(("modulate".to_owned(), color.expect("a colour has four numbers")));
    }
    if (layer.offset_x, layer.offset_y) != (0, 0) {
        let offset = vector(layer.offset_x.into(), layer.offset_y.into());
        properties.push(("position".to_owned(), offset));
    }
    properties
}

/// The cell of a place in pixels, when it is exactly one.
fn cell((x, y): (i32, i32), grid: i32) -> Option<(i16, i16)> {
    let part = |pixels: i32| {
        (pixels.rem_euclid(grid) == 0).then(|| i16::try_from(pixels.div_euclid(grid)).ok())?
    };
    Some((part(x)?, part(y)?))
}

/// The column and row of a tile in its image, when it is exactly one.
fn atlas_place((x, y): (i32, i32), source: &Source<'_>) -> Option<(i16, i16)> {
    let tileset = source.tileset;
    let step = tileset.tile_grid_size.checked_add(tileset.spacing).filter(|step| *step > 0)?;
    let part = |pixels: i32| {
        let inside = pixels.checked_sub(tileset.padding).filter(|inside| *inside >= 0)?;
        (inside % step == 0).then(|| i16::try_from(inside / step).ok())?
    };
    Some((part(x)?, part(y)?))
}

fn vector(x: f64, y: f64) -> Variant {
    Variant::tuple(TupleKind::Vector2, &[x, y]).expect("a vector has two numbers")
}
