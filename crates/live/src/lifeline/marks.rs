//! The mark that tells of a program who started it: a variable of its environment. It names the process
//! by its number, by when it began and by where such numbers count, so that no other one is meant.

/// Where the mark is. Programs that are to stay, such as an editor for a person, get none.
pub(super) const VARIABLE: &str = "SCENEWRIGHT_CHILD_OF";

mod os;

pub(super) use os::{end_children, end_orphans, own, start_of};
