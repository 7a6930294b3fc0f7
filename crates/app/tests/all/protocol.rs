//! The whole way from bytes to tool and back, over every transport.

mod bad_input;
mod confirm;
mod editor;
mod framed;
mod golden;
mod http;
mod mcp;
mod page;
mod places;
mod policy;
mod stalls;
mod support;
mod verbatim;
