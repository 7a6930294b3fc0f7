//! Links to running engines. Each kind of link is a module that knows its own wire, and none knows
//! tools.

pub mod explorer;
pub mod godot;
