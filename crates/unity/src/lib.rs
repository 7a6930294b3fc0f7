//! A Unity project, read from its files without the editor: which project a folder holds and what
//! its settings say about it. Nothing here writes, and no input makes it panic; what the files do
//! not tell becomes a note beside the facts instead of an error.

mod facts;
mod file;
mod pipeline;
mod project;
mod settings;

pub use facts::{BuildScene, Facts, Serialization};
pub use pipeline::RenderPipeline;
pub use project::{EditorVersion, Project, ProjectError};

#[cfg(test)]
mod fixture;
