//! Spec 001 between bytes and host, with a small world behind it. Each test names the sentence of
//! the specification that it is about.

#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

mod errors;
mod http;
mod origins;
mod requests;
mod streams;
mod wires;
mod world;
