//! Bytes to calls and back: envelopes, one module per dialect, one per transport.
//!
//! A message is first read as a raw [`envelope`], with its id kept as it was written; then
//! [`dialect`] decides whose words it speaks; then that dialect answers, asking the [`Host`] for
//! everything that has to do with tools. Standard MCP is spoken by the `rmcp` crate behind this
//! router ([`mcp`]), because a typed parse up front would lose what the other dialects need: raw
//! ids, malformed parameters, broken JSON.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod access;
mod aside;
pub mod dialect;
mod editor;
pub mod envelope;
pub mod errors;
mod explorer;
mod framed;
pub mod host;
pub mod listing;
pub mod mcp;
mod origin;
mod reply;
pub mod server;
mod session;
pub mod transport;

pub use access::{Access, Token};
pub use host::{Change, Changes, Event, Explorer, Host, Identity};
pub use server::{Limits, Server};
pub use session::Session;
