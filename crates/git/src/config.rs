//! The configuration that people ask to be changed: their own, or that of a clone.

use std::io;
use std::path::{Path, PathBuf};

use crate::program::{self, answer};
use crate::{Repository, plain, settings};

/// Whose configuration.
#[derive(Debug, Clone, Copy)]
pub enum Config<'a> {
    /// The user's, for all repositories.
    User,
    /// That of one clone.
    Clone(&'a Repository),
}

impl Config<'_> {
    /// The value that counts: of a clone its own, or else that of the user.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn get(self, name: &str) -> io::Result<Option<String>> {
        let wanted = lower(name);
        let mut found = settings::of_user(&self.program()?)?;
        if let Config::Clone(repository) = self {
            found.extend(settings::of_file(&config_file(repository)?, &repository.program)?);
        }
        Ok(found.into_iter().rfind(|(found, _)| *found == wanted).map(|(_, value)| value))
    }

    /// Sets a value.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn set(self, name: &str, value: &str) -> io::Result<()> {
        self.write(&[name, value])
    }

    /// Removes all values of a section; that there are none is no error.
    ///
    /// # Errors
    ///
    /// When git cannot be started.
    pub fn remove_section(self, section: &str) -> io::Result<()> {
        match self.write(&["--remove-section", section]) {
            Err(why) if why.to_string().contains("no such section") => Ok(()),
            removed => removed,
        }
    }

    /// The file of attributes of the user, where the configuration names one.
    ///
    /// # Errors
    ///
    /// When git cannot be started.
    pub fn attributes_file() -> io::Result<Option<PathBuf>> {
        let program = Config::User.program()?;
        let mut command = program::bare(&program, &settings::nowhere());
        command.args(["config", "--global", "--type=path", "--get", "core.attributesFile"]);
        let (said, status, _) = program::run(&mut command)?;
        let said = String::from_utf8_lossy(&said).trim_end().to_owned();
        Ok((status.success() && !said.is_empty()).then(|| PathBuf::from(said)))
    }

    fn program(self) -> io::Result<PathBuf> {
        match self {
            Config::User => program::outside(&[]),
            Config::Clone(repository) => Ok(repository.program.clone()),
        }
    }

    fn write(self, args: &[&str]) -> io::Result<()> {
        let mut command = program::bare(&self.program()?, &settings::nowhere());
        command.env("GIT_DIR", settings::nowhere().join("none")).arg("config");
        match self {
            Config::User => command.arg("--global"),
            Config::Clone(repository) => command.arg("--file").arg(config_file(repository)?),
        };
        answer(command.args(args)).map(drop)
    }
}

/// The configuration of a clone. Git would write through a link.
fn config_file(repository: &Repository) -> io::Result<PathBuf> {
    let file = repository.common_dir().join("config");
    plain::open(&file)?;
    Ok(file)
}

/// Small letters but for what is between the first and the last point, as git lists names.
fn lower(name: &str) -> String {
    match (name.split_once('.'), name.rsplit_once('.')) {
        (Some((section, _)), Some((rest, key))) => {
            let part = rest.get(section.len()..).unwrap_or_default();
            format!("{}{part}.{}", section.to_ascii_lowercase(), key.to_ascii_lowercase())
        }
        _ => name.to_ascii_lowercase(),
    }
}

/// Merges by line into `ours`, with markers, as git does; true when it is clean. No repository is asked.
///
/// # Errors
///
/// When git cannot be started, or cannot merge at all: then `ours` is as it was.
pub fn merge_lines([base, ours, theirs]: [&Path; 3], marker_size: Option<u32>) -> io::Result<bool> {
    let folder = std::env::current_dir()?;
    let mut command = program::git(&program::outside(&[&folder])?, &folder);
    command.env("GIT_DIR", settings::nowhere().join("none"));
    command.args(["merge-file", "-L", "ours", "-L", "base", "-L", "theirs"]);
    if let Some(size) = marker_size {
        command.arg(format!("--marker-size={size}"));
    }
    let (_, status, said) = program::run(command.arg("--").args([ours, base, theirs]))?;
    match status.code() {
        Some(0) => Ok(true),
        // So many conflicts, up to 127; above are failures.
        Some(1..=127) => Ok(false),
        _ => {
            let said = String::from_utf8_lossy(&said);
            Err(io::Error::other(format!("git says: {}", said.lines().next().unwrap_or("nothing"))))
        }
    }
}
