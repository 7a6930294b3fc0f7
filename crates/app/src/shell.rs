//! `scenewright completions` and `scenewright man`: what shells and manuals know of the command line,
//! made from its one description.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man as Page;

use crate::cli::{Cli, Completions, Man};
use crate::{complete, term};

/// Print the script for one shell.
pub fn completions(options: &Completions) -> Result<ExitCode> {
    let shell = options.shell.to_string();
    print(&complete::script(&shell).with_context(|| format!("no script for {shell}"))?);
    Ok(ExitCode::SUCCESS)
}

/// Print the main page, or write the pages of all commands.
pub fn man(options: &Man) -> Result<ExitCode> {
    let mut all = Cli::command();
    all.build();
    match &options.folder {
        None => print(&page(&all)?),
        Some(folder) => {
            let count = write_pages(&all, folder)?;
            term::note(&format!("{count} pages are in {}", folder.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Write the page of a command and of those below it; how many there are.
#[expect(clippy::disallowed_methods, reason = "the pages go where the user says")]
fn write_pages(command: &Command, folder: &Path) -> Result<usize> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    std::fs::write(&path, page(command)?).with_context(|| path.display().to_string())?;
    let mut count = 1;
    for below in command.get_subcommands().filter(|below| is_own(below)) {
        count += write_pages(below, folder)?;
    }
    Ok(count)
}

/// Not the one that only repeats the help of the others.
fn is_own(command: &Command) -> bool {
    command.get_name() != "help" && !command.is_hide_set()
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Page::new(command.clone()).render(&mut bytes)?;
    Ok(bytes)
}

fn print(bytes: &[u8]) {
    term::line(String::from_utf8_lossy(bytes).trim_end());
}
