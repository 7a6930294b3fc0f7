//! The Unity Explorer interface: its tools, the world that they are about, and its resources.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod explorer;
mod pack;
mod resources;
#[cfg(test)]
mod testing;
pub mod world;

pub use pack::{ExplorerPack, HasWorld, is_served};
