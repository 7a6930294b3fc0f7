//! Links to running engines. Each kind of link is a module that knows its own wire, and none knows
//! tools.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod explorer;
pub mod godot;
pub mod lifeline;
mod os;
