//! Tile sets and tile maps of Godot projects.

use scenewright_toolkit::Group;

mod create_tilemap_layer;
mod create_tileset;
mod get_tiles;
mod import_ldtk_level;
mod paint_tiles;
mod set_tile;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotTilemap",
    engine: Some("godot"),
    about: "Godot tile sets and tile maps, and levels from LDtk",
    tools: &[
        create_tileset::TOOL,
        create_tilemap_layer::TOOL,
        get_tiles::TOOL,
        set_tile::TOOL,
        paint_tiles::TOOL,
        import_ldtk_level::TOOL,
    ],
};
