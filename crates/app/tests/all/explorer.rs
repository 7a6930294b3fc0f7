//! Spec 001, line by line, on the real server: the world of the Unity sample behind every test.
//! A file for each section of the document; a test's comment names what it holds the server to.

mod bad_input;
mod console_scripts;
mod discovery;
mod errors;
mod examples;
mod gates;
mod guarded_writes;
mod hooks;
// The client that looks at every byte is the one of the transport's own tests.
#[path = "../../../wire/tests/explorer/http.rs"]
mod http;
mod paths;
mod read_tools;
mod resources;
mod streams;
mod support;
mod transport;
