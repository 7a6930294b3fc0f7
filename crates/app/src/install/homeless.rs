//! Clients that start servers in no project's folder and do not tell which folder they work in.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::Install;
use crate::clients::Client;
use crate::workspace;

const HOMELESS: [&str; 1] = ["claude-desktop"];

/// The project for a client that could not find one: asked for on a terminal, unless it was named.
pub(super) fn project(client: &Client, options: &Install, here: &Path) -> Result<Option<PathBuf>> {
    if options.project.is_some() || !HOMELESS.contains(&client.id) {
        return Ok(None);
    }
    let found = workspace::root_above(here);
    let why = format!("{} works in no folder, so the entry has to name the project", client.name);
    if options.json || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let shown = found.map_or_else(|| "DIR".to_owned(), |root| root.display().to_string());
        bail!("{why}: scenewright install {} --project {shown}", client.id);
    }
    let offered = found.map_or_else(String::new, |root| format!(" (Enter for {})", root.display()));
    write!(io::stdout(), "{why}. Its folder{offered}: ")?;
    io::stdout().flush()?;
    let mut typed = String::new();
    io::stdin().read_line(&mut typed)?;
    let project = match (typed.trim(), found) {
        ("", Some(root)) => root.to_owned(),
        ("", None) => bail!("{why}: --project DIR"),
        (typed, _) => std::path::absolute(typed)?,
    };
    match workspace::root_above(&project) {
        Some(root) => Ok(Some(root.to_owned())),
        None => bail!("{} is not a Unity or Godot project, nor in one", project.display()),
    }
}
