//! Links to running engines. Each kind of link is a module that knows its own wire; the tools see
//! only the traits of `contract`.

pub mod explorer;
