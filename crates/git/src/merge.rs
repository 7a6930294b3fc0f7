//! A branch merged into the one that is checked out, for people who ask for it.
//!
//! Git works on the real `HEAD`, index and files, with the stand-in in the place of what work trees share. So the
//! configuration is ours, and no hook, filter or driver of the repository runs. The branch moves in the stand-in;
//! it is moved in the repository afterwards, if it is still where it was.

#![expect(
    clippy::disallowed_methods,
    reason = "a reference of the repository, as git itself writes it"
)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::process::{ExitStatus, Stdio};

use crate::changes::revision_of;
use crate::plain::refused;
use crate::references::{is_id, is_name};
use crate::{Repository, plain};

/// Who commits, where the environment says so.
const IDENTITY: [&str; 6] = [
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
];

impl Repository {
    /// Merges a branch with these settings and these attributes; git talks to the person.
    ///
    /// # Errors
    ///
    /// When the branch is none, when a filter would have to be run, or when the branch was moved meanwhile.
    pub fn merge(
        &self,
        branch: &str,
        settings: &[(String, String)],
        attributes: &str,
    ) -> io::Result<ExitStatus> {
        let branch = revision_of(branch)?;
        self.is_plain()?;
        let merged = format!("HEAD...{branch}");
        self.needs_no_filter(&["diff", "--name-only", "-z", "--no-renames", &merged, "--"])?;
        let before = self.head()?;
        let file = self.stand_in.folder().join("attributes");
        fs::write(&file, attributes)?;
        let mut command = self.git(self.top());
        for (name, value) in settings {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        command.arg("-c").arg(format!("core.attributesFile={}", file.display()));
        command.args(["-c", "core.logAllRefUpdates=true"]);
        command.env("GIT_DIR", self.git_dir()).env("GIT_COMMON_DIR", self.stand_in.folder());
        command.env_remove("GIT_INDEX_FILE").env_remove("GIT_OPTIONAL_LOCKS");
        for name in IDENTITY {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.stdout(Stdio::inherit()).args(["merge", "--no-edit", "--", branch]);
        let status = command
            .status()
            .map_err(|why| io::Error::new(why.kind(), format!("git cannot be started: {why}")))?;
        self.move_branch(&before)?;
        Ok(status)
    }

    /// What git writes over in its own folder is no link, and references are files.
    fn is_plain(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.git_dir())? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if !kind.is_dir() && !kind.is_file() {
                return Err(refused(&entry.path(), "is no plain file; git made none like it"));
            }
        }
        plain::open(&self.git_dir().join("logs").join("HEAD"))?;
        match self.common_dir().join("reftable").exists() {
            true => Err(refused(self.common_dir(), "has references in tables. Try: git merge")),
            false => Ok(()),
        }
    }

    fn needs_no_filter(&self, list: &[&str]) -> io::Result<()> {
        let listed = self.ask(self.top(), list)?;
        let listed = String::from_utf8_lossy(&listed);
        let paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
        match self.filtered(self.top(), &paths)?.first() {
            None => Ok(()),
            Some((path, filter)) => Err(io::Error::other(format!(
                "the attributes name a filter for {path} ({filter}), which is not run here. \
                 Try: scenewright git install, then git merge"
            ))),
        }
    }

    /// The branch that is checked out, if one is, and its commit in the stand-in.
    fn head(&self) -> io::Result<(Option<String>, String)> {
        let file = self.git_dir().join("HEAD");
        let head = plain::line(&file)?.unwrap_or_default();
        let name =
            head.trim_end().strip_prefix("ref: ").filter(|name| is_name(name)).map(str::to_owned);
        let id =
            self.ask(self.top(), &["rev-parse", "--verify", name.as_deref().unwrap_or("HEAD")])?;
        Ok((name, String::from_utf8_lossy(&id).trim_end().to_owned()))
    }

    /// Moves the branch of the repository to where it is in the stand-in. A `HEAD` without a branch git has moved.
    fn move_branch(&self, (name, before): &(Option<String>, String)) -> io::Result<()> {
        let Some(name) = name else { return Ok(()) };
        let now = self.ask(self.top(), &["rev-parse", "--verify", name])?;
        let now = String::from_utf8_lossy(&now).trim_end().to_owned();
        if now == *before || !is_id(&now) {
            return Ok(());
        }
        let moved = |why: String| {
            io::Error::other(format!(
                "{why}; the merge is commit {now}. Try: git merge --ff-only {now}"
            ))
        };
        let real = Repository::of(self.top())?.head()?;
        let path = self.common_dir().join(name);
        let lock = path.with_added_extension("lock");
        fs::create_dir_all(path.parent().unwrap_or(self.common_dir()))?;
        let mut file =
            File::create_new(&lock).map_err(|why| moved(format!("{}: {why}", lock.display())))?;
        let written = match real.1 == *before && real.0.as_ref() == Some(name) {
            false => Err(moved(format!("{name} was moved meanwhile"))),
            true => writeln!(file, "{now}")
                .and_then(|()| file.sync_all())
                .and_then(|()| fs::rename(&lock, &path)),
        };
        if written.is_err() {
            let _ = fs::remove_file(&lock);
        }
        written
    }
}
