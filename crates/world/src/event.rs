//! What happens in a world, for those who listen.

use crate::log::Line;

/// Something happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A line was written into the log.
    Log(Line),
    /// Something else is selected.
    Selection,
    /// A scene was loaded; this is its place among the scenes.
    SceneLoaded(usize),
    /// A scene was unloaded; this was its place among the scenes.
    SceneUnloaded(usize),
}
