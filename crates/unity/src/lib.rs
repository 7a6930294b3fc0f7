//! A Unity project, read from its files without the editor: which project a folder holds and what
//! its settings say about it. Nothing here writes, and no input makes it panic; what the files do
//! not tell becomes a note beside the facts instead of an error.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod addressables;
pub mod animation;
pub mod animator;
pub mod api;
pub mod asmdef;
pub mod audio;
pub mod binary;
pub mod check;
mod class;
mod document;
pub mod edit;
mod facts;
mod file;
pub mod hierarchy;
mod history;
mod ids;
pub mod importer;
pub mod index;
pub mod input;
pub mod judge;
pub mod localization;
pub mod lock;
pub mod members;
pub mod mesh;
pub mod meta;
mod os;
pub mod packages;
mod packed;
mod parts;
mod pipeline;
pub mod pose;
mod project;
pub mod replace;
pub mod script;
mod settings;
pub mod shader;
mod tags;
pub mod timeline;
pub mod types;
pub mod uss;
pub mod uxml;
mod xxh64;

pub use document::{
    Document, DocumentKind, Found, Header, Object, Problem, Reference, Value, ValueKind,
    ValueStyle, scan_guid, scan_headers, scan_references,
};
pub use facts::{BuildScene, Facts, Serialization};
pub use ids::{ClassId, FileId, Guid};
pub use mesh::Mesh;
pub use parts::read_file;
pub use pipeline::RenderPipeline;
pub use project::{EditorVersion, Project, ProjectError};
pub use tags::{BUILT_IN_TAGS, TAG_MANAGER, Tags};
pub use xxh64::xxh64;
