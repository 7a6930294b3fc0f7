//! Who runs the program: somebody with a home folder, somebody without, and a user nobody knows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::Ground;
use super::places::{self, Tree};
use crate::os;
use crate::process::{self, Captured};

/// No system gives it to a person.
const STRANGE_UID: u32 = 54_321;
/// Of one call of the program, however slow the machine.
pub(super) const CALL_LIMIT: Duration = Duration::from_secs(60);

/// Who runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum User {
    /// As most people do.
    WithHome,
    /// As containers often do: no home, no variables, and a uid without a name. The project is theirs.
    Homeless,
    /// Somebody whose home is not theirs, in a project that anyone may write and others own.
    Stranger,
}

/// A project, and who works on it.
#[derive(Debug)]
pub(super) struct Environment {
    pub(super) user: User,
    pub(super) project: PathBuf,
    binary: PathBuf,
    pub(super) home: PathBuf,
}

impl User {
    pub(super) const ALL: [User; 3] = [User::WithHome, User::Homeless, User::Stranger];

    pub(super) fn name(self) -> &'static str {
        match self {
            User::WithHome => "with a home",
            User::Homeless => "without a home",
            User::Stranger => "as a strange uid",
        }
    }
}

impl Environment {
    /// A place for a project named `game` in `folder`.
    pub(super) fn new(ground: &Ground, user: User, folder: &Path) -> Result<Environment> {
        let (project, home) = (folder.join("game"), folder.join("home"));
        places::empty(&project)?;
        places::empty(&home)?;
        Ok(Environment { user, project, binary: ground.binary.clone(), home })
    }

    /// Why this machine cannot have such a user.
    pub(super) fn obstacle(&self) -> Option<String> {
        if self.user == User::WithHome {
            return None;
        }
        if !os::is_root() {
            return Some("another uid needs Linux and root".to_owned());
        }
        let mut command = self.program(self.user);
        let ran = process::capture(command.arg("--version"), CALL_LIMIT);
        let can_run = ran.is_ok_and(|ran| ran.status.success());
        let place = self.binary.display();
        (!can_run).then(|| format!("uid {STRANGE_UID} cannot run {place}"))
    }

    /// Make the project be like `tree`, with nothing remembered of what happened before.
    pub(super) fn reset(&self, tree: &Tree) -> Result<()> {
        tree.restore(&self.project)?;
        places::empty(&self.home)?;
        match self.user {
            User::WithHome => Ok(()),
            User::Homeless => each_below(&self.project, &|path, _| os::give(path, STRANGE_UID)),
            User::Stranger => each_below(&self.project, &|path, is_folder| {
                os::give(path, 0)?;
                os::allow(path, if is_folder { 0o777 } else { 0o666 })
            }),
        }
    }

    /// `scenewright call TOOL` with writes allowed.
    pub(super) fn call(&self, tool: &str, arguments: &str) -> Command {
        self.call_as(self.user, tool, arguments)
    }

    /// The same by somebody else.
    pub(super) fn call_as(&self, user: User, tool: &str, arguments: &str) -> Command {
        let mut command = self.program(user);
        command.args(["call", tool, "--json", arguments, "--allow-writes", "--project"]);
        command.arg(&self.project);
        command
    }

    /// Run a call to its end; an error when the tool refused.
    pub(super) fn done(&self, tool: &str, arguments: &str) -> Result<()> {
        let said = self.said(tool, arguments)?;
        ensure!(said.status.success(), "{tool} failed: {}", said.tail());
        Ok(())
    }

    /// Run a call to its end, whatever comes of it.
    pub(super) fn said(&self, tool: &str, arguments: &str) -> Result<Captured> {
        process::capture(&mut self.call(tool, arguments), CALL_LIMIT)
    }

    fn program(&self, user: User) -> Command {
        let mut command = Command::new(&self.binary);
        command.env_clear().current_dir(&self.project);
        match user {
            User::WithHome => {
                command.env("HOME", &self.home);
            }
            User::Homeless => os::become_user(&mut command, STRANGE_UID),
            User::Stranger => os::become_user(command.env("HOME", "/"), STRANGE_UID),
        }
        command
    }
}

/// Do something to a folder and everything in it.
fn each_below(folder: &Path, act: &dyn Fn(&Path, bool) -> std::io::Result<()>) -> Result<()> {
    act(folder, true)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => each_below(&entry.path(), act)?,
            false => act(&entry.path(), false)?,
        }
    }
    Ok(())
}
