//! The tile sets that imported levels share: one for each size of cells.

use std::collections::{BTreeMap, BTreeSet};

use scenewright_contract::ToolError;
use scenewright_godot::{Document, Form, TupleKind, Variant, absolute_path};
use scenewright_toolkit::door::ProjectPath;
use scenewright_tools_godot::base::{AssetKind, Godot, refused};

use super::read::{Ldtk, Tileset};

/// Larger atlases get only the tiles that are used.
const MAX_TILES: i32 = 16_384;

/// The tile sets, as they grow with the levels that use them.
pub(super) struct TileSets<'a> {
    godot: &'a Godot<'a>,
    ldtk_path: &'a ProjectPath,
    ldtk: &'a Ldtk,
    /// The size of all cells, if it was asked for.
    tile_size: Option<(i32, i32)>,
    stem: String,
    sets: BTreeMap<(i32, i32), TileSet>,
    pub(super) skipped: Vec<String>,
}

struct TileSet {
    path: ProjectPath,
    /// LDtk's number of each tileset with its source and the tiles that are used of it.
    sources: Vec<(i64, BTreeSet<(i32, i32)>)>,
}

/// A source of tiles for a layer.
pub(super) struct Source<'a> {
    pub(super) tileset: &'a Tileset,
    pub(super) id: i16,
    cell: (i32, i32),
}

impl<'a> TileSets<'a> {
    pub(super) fn new(
        godot: &'a Godot<'a>,
        ldtk_path: &'a ProjectPath,
        ldtk: &'a Ldtk,
        tile_size: Option<(i32, i32)>,
        stem: String,
    ) -> Self {
        let (sets, skipped) = (BTreeMap::new(), Vec::new());
        Self { godot, ldtk_path, ldtk, tile_size, stem, sets, skipped }
    }

    /// The source for a layer, or why there is none.
    pub(super) fn source(&mut self, uid: i64, grid: i32) -> Result<Source<'a>, String> {
        let tileset = self.ldtk.defs.tilesets.iter().find(|tileset| tileset.uid == uid);
        let tileset = tileset.ok_or_else(|| format!("there is no tileset {uid}"))?;
        self.image(tileset)?;
        if tileset.tile_grid_size <= 0 || grid <= 0 {
            return Err(format!("tileset {} has no size of tiles", tileset.identifier));
        }
        let cell = self.tile_size.unwrap_or((grid, grid));
        let path = self.path(cell).map_err(|error| error.message)?;
        let set = self.sets.entry(cell).or_insert(TileSet { path, sources: Vec::new() });
        let known = set.sources.iter().position(|(known, _)| *known == uid);
        let id = known.unwrap_or_else(|| {
            set.sources.push((uid, BTreeSet::new()));
            set.sources.len() - 1
        });
        let id = i16::try_from(id).map_err(|_| "there are too many tilesets".to_owned())?;
        Ok(Source { tileset, id, cell })
    }

    /// Note that a tile is used.
    pub(super) fn note(&mut self, source: &Source<'_>, tile: (i32, i32)) {
        let set = self.sets.get_mut(&source.cell);
        let used = set.and_then(|set| set.sources.get_mut(usize::try_from(source.id).ok()?));
        if let Some((_, tiles)) = used {
            tiles.insert(tile);
        }
    }

    /// The file and the uid of the tile set that a source is in.
    pub(super) fn file(&self, source: &Source<'_>) -> Option<(String, String)> {
        let path = &self.sets.get(&source.cell)?.path;
        Some((format!("res://{path}"), super::uid_for(self.godot, path)))
    }

    fn path(&self, cell: (i32, i32)) -> Result<ProjectPath, ToolError> {
        // Most projects have one size, which the name need not tell.
        match self.sets.keys().next().is_none_or(|first| *first == cell) {
            true => self.godot.path(&format!("{}.tres", self.stem)),
            false => self.godot.path(&format!("{}_{}x{}.tres", self.stem, cell.0, cell.1)),
        }
    }

    /// The image of a tileset, or why it cannot be used.
    fn image(&self, tileset: &Tileset) -> Result<ProjectPath, String> {
        let name = &tileset.identifier;
        let Some(relative) = &tileset.rel_path else {
            return Err(format!("tileset {name} has no image of its own"));
        };
        let path = absolute_path(&format!("res://{}", self.ldtk_path), relative);
        let path = self.godot.path(&path).map_err(|error| error.message)?;
        if !self.godot.exists(&path) {
            return Err(format!("the image of tileset {name}, {path}, is not there"));
        }
        if AssetKind::of_path(path.as_str()) != Some(AssetKind::Texture) {
            return Err(format!("Godot reads no such image: {path}, of tileset {name}"));
        }
        Ok(path)
    }

    /// The files.
    pub(super) fn finish(&self) -> Result<Vec<(ProjectPath, Vec<u8>)>, ToolError> {
        self.sets.iter().map(|(cell, set)| self.write(*cell, set)).collect()
    }

    fn write(&self, cell: (i32, i32), set: &TileSet) -> Result<(ProjectPath, Vec<u8>), ToolError> {
        let uid = super::uid_for(self.godot, &set.path);
        let header = format!("[gd_resource type=\"TileSet\" format=3 uid=\"{uid}\"]");
        let mut document = Document::parse(format!("{header}\n\n[resource]\n"), Form::Resource);
        let mut properties = Vec::new();
        if cell != (16, 16) {
            properties.push(("tile_size".to_owned(), pair(cell)));
        }
        for (number, (uid, used)) in set.sources.iter().enumerate() {
            let tileset = self.ldtk.defs.tilesets.iter().find(|tileset| tileset.uid == *uid);
            let Some(tileset) = tileset else { continue };
            let image = self.image(tileset).map_err(ToolError::failed)?;
            let texture = self.godot.reference(&mut document, image.as_str(), "Texture2D")?;
            let atlas = atlas(tileset, cell, Variant::ExtResource(texture), used);
            let atlas: Vec<(&str, Variant)> =
                atlas.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
            let id =
                document.add_sub_resource("TileSetAtlasSource", &atlas, None).map_err(refused)?;
            properties.push((format!("sources/{number}"), Variant::SubResource(id)));
        }
        for (key, value) in &properties {
            let section = document.main_resource().map_or(0, |section| section.index());
            document.set_property(section, key, value).map_err(refused)?;
        }
        Ok((set.path.clone(), document.to_bytes()))
    }
}

/// The properties of an atlas: all its tiles, or those that are used when there are too many.
fn atlas(
    tileset: &Tileset,
    cell: (i32, i32),
    texture: Variant,
    used: &BTreeSet<(i32, i32)>,
) -> Vec<(String, Variant)> {
    let size = tileset.tile_grid_size;
    let mut properties = vec![
        ("resource_name".to_owned(), Variant::String(tileset.identifier.clone())),
        ("texture".to_owned(), texture),
    ];
    let mut set = |key: &str, number: i32, usual: i32| {
        if number != usual {
            properties.push((key.to_owned(), pair((number, number))));
        }
    };
    set("margins", tileset.padding, 0);
    set("separation", tileset.spacing, 0);
    set("texture_region_size", size, 16);
    let step = size.saturating_add(tileset.spacing).max(1);
    // The last tile needs no space behind it.
    let count = |pixels: i32| {
        let room = pixels.saturating_sub(tileset.padding.saturating_mul(2));
        (room.saturating_add(tileset.spacing) / step).max(0)
    };
    let (columns, rows) = (count(tileset.px_wid), count(tileset.px_hei));
    let mut tiles: BTreeSet<(i32, i32)> = used.iter().map(|(x, y)| (*y, *x)).collect();
    if (1..=MAX_TILES).contains(&columns.saturating_mul(rows)) {
        tiles.extend((0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))));
    }
    // LDtk draws from the corner of a cell, Godot around its middle.
    let origin = ((cell.0 - size) / 2, (cell.1 - size) / 2);
    for (row, column) in tiles {
        properties.push((format!("{column}:{row}/0"), Variant::int(0)));
        if origin != (0, 0) {
            properties.push((format!("{column}:{row}/0/texture_origin"), pair(origin)));
        }
    }
    properties
}

fn pair((x, y): (i32, i32)) -> Variant {
    let numbers = [f64::from(x), f64::from(y)];
    Variant::tuple(TupleKind::Vector2i, &numbers).expect("a pair has two numbers")
}
