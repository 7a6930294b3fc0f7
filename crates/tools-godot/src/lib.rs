//! What the tools for Godot projects stand on (`base`), and what their pack brings besides them:
//! resources, prompts, what is missing.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod base;
mod pack;
mod prompts;
pub mod resources;
pub mod testing;

pub use base::{ENGINE, GodotProject};
pub use pack::{GodotPack, missing};
