//! `scenewright git`: the merge driver, and git told of it.

mod driver;
mod setup;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use scenewright_text::git::answer;

use crate::cli::{Git, GitCommand};
use crate::term;

/// Do what is asked.
pub fn run(options: Git) -> Result<ExitCode> {
    match options.command {
        GitCommand::MergeDriver(options) => driver::run(&options),
        GitCommand::Install(options) if options.check => setup::check(&options.scope),
        GitCommand::Install(options) => setup::install(&options.scope),
        GitCommand::Uninstall(scope) => setup::uninstall(&scope),
        GitCommand::MergeBaseIn(options) => setup::merge_base_in(&options),
        GitCommand::Textconv { file } => textconv(&file),
    }
}

/// The file as it is, for what cannot be said better; git shows the differences of what this prints.
fn textconv(file: &Path) -> Result<ExitCode> {
    let bytes =
        scenewright_merge::read_file(file).with_context(|| format!("{}", file.display()))?;
    let text = scenewright_merge::outline(&bytes);
    term::raw(text.as_deref().unwrap_or(&bytes));
    Ok(ExitCode::SUCCESS)
}

/// Git in a folder as its user runs it: this is their repository and their command.
fn own_git(folder: Option<&Path>) -> Command {
    let mut command = Command::new("git");
    if let Some(folder) = folder {
        command.arg("-C").arg(folder);
    }
    command
}

/// What git answers to a question, without the last line break.
fn ask(folder: Option<&Path>, args: &[&str]) -> Result<String> {
    let answer = answer(own_git(folder).args(args))?;
    Ok(String::from_utf8_lossy(&answer).trim_end().to_owned())
}

/// The root of the work tree that a folder is in.
fn top(folder: Option<&Path>) -> Result<PathBuf> {
    let top = ask(folder, &["rev-parse", "--show-toplevel"])
        .context("this is not the work tree of a repository")?;
    Ok(PathBuf::from(top))
}
