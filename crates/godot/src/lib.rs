//! A Godot project, read from its files without the engine: which project a folder holds and what
//! its settings say about it. Nothing here writes, and no input makes it panic; what the files do
//! not tell becomes a note beside the facts instead of an error.

pub mod classes;
mod config;
mod facts;
mod file;
mod project;

pub use facts::{Autoload, ExportPreset, Facts};
pub use project::{Project, ProjectError};

#[cfg(test)]
mod fixture;
