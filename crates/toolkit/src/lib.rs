//! What runs a tool, whatever the tool is about: the runner with its policy and audit, the context of
//! a call, the open projects, and the one door for writes.
//!
//! A tool is a value ([`Tool`]); a [`Pack`] brings tools of one world together with what can be read
//! by URI, prompts and a gate. [`Runner::admit`] is the policy: nothing runs without it. This crate
//! knows no engine, no wire format and no async runtime: tools are plain functions that run on the
//! thread that calls [`Admitted::run`].

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod answer;
pub mod arguments;
mod audit;
pub mod baseline;
pub mod budget;
mod clients;
pub mod cx;
pub mod door;
pub mod files;
pub mod fixtures;
pub mod images;
pub mod jobs;
pub mod names;
pub mod pack;
pub mod paths;
mod pictures;
#[cfg(test)]
mod plain;
pub mod policy;
pub mod prompts;
pub mod protect;
pub mod resources;
mod runner;
pub mod schema;
pub mod selection;
#[doc(hidden)]
pub mod testing;
pub mod text_edits;
pub mod tool;
pub mod workspace;

pub use audit::Audit;
pub use cx::{Cx, TimeGuard};
pub use pack::{Group, Kit, Pack};
pub use policy::{Rate, Settings, Toolsets};
pub use runner::{Admitted, Health, Runner};
pub use tool::{Earlier, Example, Gate, Needs, Tool, call, call_large};
pub use workspace::{Engine, EngineProject, Kept, Project, ProjectId, Workspace, WorkspaceError};
