//! Tools for Godot editors and games that run with our addon.
//!
//! What they do is done over there (`bridges/godot`); here arguments are read, the one editor or game
//! is found that is meant, and what it says is believed only as far as it was read back.

mod addon_files;
mod base;
pub mod editor;
pub mod game;
pub mod live;
