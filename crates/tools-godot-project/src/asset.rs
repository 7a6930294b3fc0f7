//! Images, sounds, models and fonts of Godot projects.

use scenewright_toolkit::Group;

mod import_asset;
mod list_assets;
mod reimport_assets;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotAsset",
    engine: Some("godot"),
    about: "Godot assets: images, sounds, models and fonts",
    tools: &[list_assets::TOOL, import_asset::TOOL, reimport_assets::TOOL],
};
