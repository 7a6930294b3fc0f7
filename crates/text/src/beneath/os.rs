//! Opening below a root, as systems differ in it.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::Spot;
#[cfg(not(unix))]
pub(super) use elsewhere::{is_about_links, list, open};
#[cfg(all(test, unix))]
pub(super) use unix::without_the_call;
#[cfg(unix)]
pub use unix::{Spot, folder};
#[cfg(unix)]
pub(super) use unix::{is_about_links, list, open};

/// Which links may be on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Those that stay inside, as far as the system can tell.
    Inside,
    None,
}
