//! The tools of all packs together, in one binary: linking them takes longer than most of these tests.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

mod arguments;
mod budget;
mod changing_files;
mod packs;
mod promises;
mod search;
mod table;
