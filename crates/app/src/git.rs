//! `scenewright git`: the merge driver, and git told of it.

mod driver;
mod setup;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

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

/// What is dangerous about the driver that is set up in the repository of a folder, or for this user.
pub(crate) fn problem(folder: Option<&Path>) -> Option<String> {
    setup::problem(folder)
}

/// The file as it is, for what cannot be said better; git shows the differences of what this prints.
fn textconv(file: &Path) -> Result<ExitCode> {
    let bytes =
        scenewright_merge::read_file(file).with_context(|| format!("{}", file.display()))?;
    let text = scenewright_merge::outline(&bytes);
    term::raw(text.as_deref().unwrap_or(&bytes));
    Ok(ExitCode::SUCCESS)
}
