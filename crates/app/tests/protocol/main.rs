//! The whole way from bytes to tool and back, over every transport.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

mod bad_input;
mod confirm;
mod editor;
mod framed;
mod golden;
mod http;
mod mcp;
mod places;
mod policy;
mod stalls;
mod support;
mod verbatim;
