//! Tools for Godot projects as a whole, by theme: settings, scripts, assets, classes, the engine.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod asset;
pub mod class;
pub mod debug;
mod debug_report;
pub mod engine;
pub mod project;
pub mod script;
#[cfg(test)]
mod testing;
pub mod uid;
