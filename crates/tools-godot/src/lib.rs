//! Tools for Godot projects, by theme; what they stand on is in `base`.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod animation;
pub mod asset;
pub mod audio;
mod base;
pub mod batch;
pub mod class;
pub mod engine;
pub mod lighting;
pub mod navigation;
mod pack;
pub mod particles;
pub mod physics;
pub mod project;
mod prompts;
pub mod resource;
pub mod resources;
pub mod scene;
pub mod script;
pub mod shader;
#[cfg(test)]
mod testing;
pub mod tilemap;
pub mod ui;
pub mod uid;

pub use base::{ENGINE, GodotProject};
pub use pack::{GodotPack, missing};
