//! Tools for projects of any engine, and about the server itself; with what every project can be
//! asked by URI and by prompt.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod ci;
pub mod differences;
pub mod mcp;
mod pack;
pub mod project;
pub mod report;
#[cfg(test)]
mod testing;
pub mod tools;

pub use pack::CommonPack;
