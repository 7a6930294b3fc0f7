//! A copy of the project in which its own tests run: imported once, kept for the next time.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use scenewright_contract::ToolError;

use super::mirror::{Mirror, News};
use super::place::is_imported;
use crate::base::Godot;

/// The first import of a large project takes minutes.
const IMPORT_TIME: Duration = Duration::from_secs(600);

/// The copy of a project that its tests ran in, if any did.
#[derive(Debug, Default)]
pub struct Trials(Mutex<Option<Mirror>>);

/// A copy that is ours for the time of a call, and imported.
pub struct Trial<'a> {
    mirror: MutexGuard<'a, Option<Mirror>>,
    /// Whether the engine had to import it just now.
    pub imported_now: bool,
}

impl Trials {
    /// Remove the copy, unless somebody is in it.
    pub fn end(&self) {
        if let Ok(mut mirror) = self.0.try_lock() {
            mirror.take();
        }
    }
}

impl Trial<'_> {
    /// Where it is.
    pub fn path(&self) -> &Path {
        self.mirror.as_ref().expect("it is filled before it is given away").path()
    }
}

impl Godot<'_> {
    /// A copy of the project that the engine has imported.
    pub fn trial(&self) -> Result<Trial<'_>, ToolError> {
        let program = self.program()?;
        let mut mirror = loop {
            match self.godot.trials.0.try_lock() {
                Ok(mirror) => break mirror,
                Err(TryLockError::Poisoned(mirror)) => break mirror.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    // The call before runs its tests; the caller's own timeout ends the wait.
                    if self.cx.cancel().wait(Duration::from_millis(50)) {
                        return Err(ToolError::cancelled());
                    }
                }
            }
        };
        let news = match mirror.as_mut() {
            Some(mirror) => mirror.update(self)?,
            None => {
                *mirror = Some(Mirror::new(self)?);
                News::None
            }
        };
        let mut trial = Trial { mirror, imported_now: false };
        if news == News::Files || !is_imported(self, trial.path()) {
            let mut command = program.headless(trial.path());
            command.arg("--import");
            let finished = self.run_told(&program, command, IMPORT_TIME)?;
            if !finished.is_success() {
                let words = finished.last_words(12);
                let how = finished.how();
                return Err(ToolError::failed(format!("the import of a copy {how}:\n{words}")));
            }
            trial.imported_now = true;
        }
        Ok(trial)
    }
}
