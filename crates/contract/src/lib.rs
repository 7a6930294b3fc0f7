//! The words that both sides of the policy share: what is asked ([`Call`]), what is answered
//! ([`Outcome`] or [`ToolError`]) and what can be asked for ([`ToolInfo`]).
//!
//! `wire` turns bytes into a [`Call`] and knows no tools; `tools` turns a [`Call`] into an
//! [`Outcome`] and knows no wire. This crate is what lets them not know each other. It does no I/O.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod bounds;
pub mod call;
pub mod consent;
pub mod definition;
pub mod echo;
pub mod error;
pub mod finding;
pub mod link;
pub mod output;
pub mod prompt;
pub mod resource;
pub mod suggest;
pub mod tool;

pub use call::{
    Call, Cancel, Dialect, Image, Level, Listener, Origin, Outcome, Reporter, Reserved, Who,
};
pub use consent::{By, Consent, Shown, Witness};
pub use error::{ErrorKind, ToolError};
pub use link::{ExplorerLink, LinkStatus};
pub use output::Output;
pub use tool::{Limits, Runs, Safety, Tier, ToolInfo};

/// A JSON object; key order is kept.
pub type JsonMap = serde_json::Map<String, serde_json::Value>;
