//! A Godot project, read from its files without the engine.
//!
//! - [`Document`] is any of Godot's text files, lossless; [`Scene`] and [`Config`] are documents
//!   that can be asked by name and changed, and [`Variant`] is a value in them.
//! - [`Tree`] is a scene as the engine would build it, with instances and overrides.
//! - [`Index`] is all files of a project and who uses what; [`Script`] what a script declares.
//! - [`check`] tells what is wrong with a project, [`classes`] what the engine's own classes are.
//! - [`Project`] tells which project a folder holds and what its settings say about it.
//!
//! No input makes it panic: what cannot be read becomes a [`Problem`] beside the rest, and what
//! cannot be changed safely is refused with a [`ChangeError`]. Nothing here writes files.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

mod animation;
mod binary;
pub mod check;
pub mod classes;
mod code;
mod config;
mod document;
mod facts;
mod file;
mod index;
mod moves;
mod project;
mod recent;
mod replace;
mod scene;
mod script;
mod shader;
mod syntax;
mod tiles;
mod tree;
mod uid;
mod variant;

pub use animation::{Key, KeysError, TrackKind, set_key};
pub use binary::{BinaryPath, BinaryResource};
pub use code::CodeProblem;
pub use config::Config;
pub use document::{
    ChangeError, Document, ExtResource, Field, Form, InnerCode, Mention, MentionKind, Problem,
    ProblemKind, Section, SubResource, Text, Unused, Value,
};
pub use facts::{Autoload, ExportPreset, Facts};
pub use file::not_text;
pub use index::{
    Change, ChangeKind, Changes, FileEntry, FileKind, Index, IndexProblem, MissingUse, Store, Use,
    UseKind,
};
pub use moves::{CodeMention, Moves};
pub use project::{Project, ProjectError};
pub use recent::Recent;
pub use replace::{Named, replace_in_code, replace_in_document};
pub use scene::{
    Connection, Dangling, NewConnection, NewNode, Node, NodeSource, Removed, Repointed, Scene,
    check_node_name, relative_path, resolve_path,
};
pub use script::{Declared, Literal, NodePathUse, Script, Symbol, SymbolKind, code_lines, symbols};
pub use shader::{Shader, Uniform, UniformScope};
pub use tiles::{Place, Tile, Tiles};
pub use tree::{
    FolderSources, NodeState, Origin, Sources, Tree, TreeNode, TreeProblem, TreeProblemKind,
    TreeProperty, absolute as absolute_path,
};
pub use uid::Uid;
pub use variant::{Number, ResourceId, TupleKind, TypeName, Variant, VariantError};
