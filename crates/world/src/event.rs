//! What happens in a world, for those who listen.

use crate::log::Line;
use crate::scene::SceneKey;

/// Something happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A line was written into the log.
    Log(Line),
    /// Something else is selected.
    Selection,
    /// Scenes were loaded or unloaded.
    Scenes {
        /// Those that came.
        added: Vec<SceneKey>,
        /// Those that went.
        removed: Vec<SceneKey>,
    },
}
