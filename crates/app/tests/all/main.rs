//! Whatever starts the program, in one binary: linking the program takes longer than most of these tests.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

mod attach;
mod bad_projects;
mod checking;
mod cli;
mod explorer;
mod pages;
mod protocol;
