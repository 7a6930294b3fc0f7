//! Tools for what is in the scenes and resources of Godot projects, by theme.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod animation;
pub mod audio;
pub mod lighting;
pub mod navigation;
pub mod particles;
pub mod physics;
pub mod resource;
pub mod scene;
pub mod shader;
#[cfg(test)]
mod testing;
pub mod tilemap;
pub mod ui;
