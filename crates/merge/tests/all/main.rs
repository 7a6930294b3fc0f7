//! Merges and differences of whole files, in one binary.

#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

mod bad_input;
mod diff;
mod generated;
mod godot;
mod one_side;
mod reach;
mod unity;
