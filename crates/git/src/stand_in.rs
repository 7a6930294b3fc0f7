//! A git directory of our own that stands in for that of a repository.

#![expect(clippy::disallowed_methods, reason = "a folder of our own, outside every project")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

use scenewright_text::temporary::{self, Temporary};

use crate::found::Found;
use crate::plain::{self, refused};
use crate::references::{References, is_id, is_name};
use crate::settings;

/// Larger files of their kinds are none that git made.
const MOST_BYTES: u64 = 4 << 20;
/// A file of references in tables.
const MOST_TABLE: u64 = 256 << 20;

/// Commits that a merge, a rebase or a fetch left a name for.
const PASSING: [&str; 7] = [
    "AUTO_MERGE",
    "CHERRY_PICK_HEAD",
    "FETCH_HEAD",
    "MERGE_HEAD",
    "ORIG_HEAD",
    "REBASE_HEAD",
    "REVERT_HEAD",
];

/// The folder; it goes in the end.
#[derive(Debug)]
pub(crate) struct StandIn(Temporary);

impl StandIn {
    /// Made for a repository, from what it states.
    pub(crate) fn make(found: &Found, program: &Path) -> io::Result<StandIn> {
        static SWEPT: Once = Once::new();
        SWEPT.call_once(temporary::sweep);
        let stand_in = StandIn(Temporary::new()?);
        stand_in.fill(found, program)?;
        Ok(stand_in)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.folder().join("index")
    }

    fn fill(&self, found: &Found, program: &Path) -> io::Result<()> {
        let Found { git_dir, common, .. } = found;
        for folder in ["refs/heads", "objects", "info", "logs/refs"] {
            fs::create_dir_all(self.folder().join(folder))?;
        }
        let (text, in_tables) = settings::of_stand_in(program, common, git_dir)?;
        fs::write(self.folder().join("config"), text)?;
        match in_tables {
            true => self.tables(found)?,
            false => self.references(found)?,
        }
        for name in PASSING {
            self.copy(&git_dir.join(name), name, MOST_BYTES)?;
        }
        self.copy(&git_dir.join("logs/HEAD"), "logs/HEAD", MOST_BYTES)?;
        self.copy(&common.join("logs/refs/stash"), "logs/refs/stash", MOST_BYTES)?;
        self.copy(&common.join("shallow"), "shallow", MOST_BYTES)?;
        for name in ["info/attributes", "info/exclude"] {
            self.copy(&common.join(name), name, MOST_BYTES)?;
        }
        self.copy(&git_dir.join("info/sparse-checkout"), "info/sparse-checkout", MOST_BYTES)?;
        self.copy_index(git_dir)
    }

    fn references(&self, found: &Found) -> io::Result<()> {
        let file = found.git_dir.join("HEAD");
        let head = plain::line(&file)?.unwrap_or_default();
        let head = head.trim_end();
        if !is_id(head) && !head.strip_prefix("ref: ").is_some_and(is_name) {
            return Err(refused(&file, "names no branch and no commit"));
        }
        fs::write(self.folder().join("HEAD"), format!("{head}\n"))?;
        let references = References::read(&found.common, &found.git_dir)?;
        let (packed, files) = references.written();
        fs::write(self.folder().join("packed-refs"), packed)?;
        for (name, text) in files {
            let path = self.folder().join(name);
            fs::create_dir_all(path.parent().unwrap_or(self.folder()))?;
            fs::write(path, text)?;
        }
        Ok(())
    }

    /// References in tables: git reads them, from copies.
    fn tables(&self, found: &Found) -> io::Result<()> {
        if found.git_dir != found.common {
            let what =
                "is one of several work trees with references in tables, which is not read yet";
            return Err(refused(&found.git_dir, what));
        }
        fs::create_dir_all(self.folder().join("reftable"))?;
        self.copy(&found.common.join("HEAD"), "HEAD", MOST_BYTES)?;
        for entry in fs::read_dir(found.common.join("reftable"))? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            self.copy(&entry.path(), &format!("reftable/{name}"), MOST_TABLE)?;
        }
        Ok(())
    }

    /// The index with its time: git takes what changed in the same moment for what may have changed.
    fn copy_index(&self, git_dir: &Path) -> io::Result<()> {
        self.copy(&git_dir.join("index"), "index", u64::MAX - 1)?;
        for entry in fs::read_dir(git_dir)? {
            let name = entry?.file_name();
            // A split index has the larger part in another file.
            if let Some(name) = name.to_str().filter(|name| name.starts_with("sharedindex.")) {
                self.copy(&git_dir.join(name), name, u64::MAX - 1)?;
            }
        }
        Ok(())
    }

    fn copy(&self, from: &Path, to: &str, most: u64) -> io::Result<()> {
        let Some(file) = plain::open(from)? else { return Ok(()) };
        let found = file.metadata()?;
        if found.len() > most {
            return Err(refused(
                from,
                &format!("has more than {most} bytes, which are read at most"),
            ));
        }
        let mut copy = File::create_new(self.folder().join(to))?;
        io::copy(&mut io::Read::take(file, found.len()), &mut copy)?;
        copy.set_modified(found.modified()?)
    }
}
