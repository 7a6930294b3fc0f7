//! The program `scenewright`: command line, configuration, and the glue between the wire and the
//! tools. The only crate that knows everything.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

mod approval;
pub mod approve;
mod attach;
pub mod call;
pub mod check;
pub mod cli;
mod clients;
pub mod complete;
pub mod config;
pub mod diff;
mod discovery;
pub mod doctor;
pub mod git;
pub mod host;
pub mod init;
pub mod install;
mod instructions;
pub mod logging;
mod memory;
pub mod merge;
pub mod os;
mod power;
mod roots;
mod samples;
pub mod serve;
pub mod shell;
pub mod term;
pub mod tools;
pub mod tree;
mod watch;
mod workspace;
mod world_host;
