//! Everything that bounds code, in one place; `docs/console.md` tells it from here.
//!
//! Sources are bounded by what they look like (bytes, nesting, rows of operators), because the parser
//! and the binder call themselves and a stack that overflows ends the process, which no limit on time
//! could prevent. Runs are bounded by what they do ([`Limits`]), and all of that is counted before it
//! is done: memory before it is taken, a level before it is entered.

use std::time::Duration;

use scenewright_world::{AssetRef, SceneData};

/// The longest source, in bytes.
pub const MAX_SOURCE: usize = 256 * 1024;
/// Levels of statements and expressions inside each other.
pub(crate) const MAX_DEPTH: usize = 120;
/// Levels of an expression such as `a + b + c`, which needs no brackets to be deep.
pub(crate) const MAX_HEIGHT: u16 = 500;
/// Type arguments inside each other beyond this are no types.
pub(crate) const MAX_TYPE_DEPTH: usize = 12;
/// Interpolated strings in the holes of others.
pub(crate) const MAX_HOLES: usize = 8;
/// Words of patterns in a source. When something is wrong behind a row of them, the time that the
/// parser takes grows with the square of their number, and it cannot be stopped meanwhile.
pub(crate) const MAX_PATTERN_WORDS: usize = 300;
/// Variables of a script.
pub(crate) const MAX_VARIABLES: usize = 10_000;
/// Evaluations inside each other; the stack is made for this many.
pub(crate) const MAX_EVALUATIONS: usize = 6000;

/// How much a run may take.
#[derive(Clone, Copy)]
pub struct Limits<'c> {
    /// Expressions and statements that are run.
    pub steps: u64,
    /// Bytes of all values that are held: what nothing leads to any more is forgotten between the
    /// rounds of a script's loops.
    pub memory: usize,
    /// How long it may take.
    pub time: Duration,
    /// Calls inside each other.
    pub calls: usize,
    /// Bytes of the result's text; the rest is cut off.
    pub text: usize,
    /// Lines that it may write into the log.
    pub log_lines: usize,
    /// Asked again and again; the run ends when it says true.
    pub cancel: &'c (dyn Fn() -> bool + Sync),
    /// Asked for a prefab that is to be instantiated: what is in it, or why that is not known.
    pub prefabs: &'c Prefabs<'c>,
}

/// Who knows what is in a prefab.
pub type Prefabs<'c> = dyn Fn(&AssetRef) -> Result<SceneData, String> + Sync + 'c;

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            steps: 10_000_000,
            memory: 64 * 1024 * 1024,
            time: Duration::from_secs(5),
            calls: 400,
            text: 256 * 1024,
            log_lines: 1000,
            cancel: &|| false,
            prefabs: &|_| Err("no prefab can be read here".to_owned()),
        }
    }
}
