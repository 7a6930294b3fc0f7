//! Files that a merge left in conflict: their versions in the index, and the decision put there.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Stdio;

use crate::{Blobs, Repository, output, program};

impl Repository {
    /// The files in conflict below a folder, with `/` and from that folder.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn conflicted(&self, folder: &Path) -> io::Result<Vec<String>> {
        let listed = self.ask(folder, &["ls-files", "--unmerged", "-z"])?;
        let paths = output::stages(&listed).into_iter();
        let mut files: Vec<String> =
            paths.map(|stage| String::from_utf8_lossy(stage.path).into_owned()).collect();
        files.dedup();
        Ok(files)
    }

    /// The versions of a file in conflict, of up to `most` bytes each: what both started from, ours and theirs. There
    /// is no base when both added it, nothing of the side that deleted it, and nothing at all without a conflict.
    ///
    /// # Errors
    ///
    /// When git fails, or a version is larger.
    pub fn stages(
        &self,
        folder: &Path,
        file: &str,
        most: usize,
    ) -> io::Result<[Option<Vec<u8>>; 3]> {
        let listed = self.unmerged(folder, file, &[])?;
        let found = output::stages(&listed);
        let ids: Vec<&str> = found.iter().map(|stage| stage.id).collect();
        let mut blobs = Blobs::open(self, folder, &ids)?;
        let mut stages = [None, None, None];
        for stage in found {
            // It is 1, 2 or 3.
            stages[usize::from(stage.stage - 1)] = Some(blobs.next(most)?);
        }
        Ok(stages)
    }

    fn unmerged(&self, folder: &Path, file: &str, more: &[&str]) -> io::Result<Vec<u8>> {
        let mut command = self.git(folder);
        // The name of a file, not a pattern.
        command.env("GIT_LITERAL_PATHSPECS", "1");
        command.args(["ls-files", "--unmerged", "-z"]).args(more).arg("--").arg(file);
        program::answer(&mut command)
    }

    /// Puts content into the index in the place of the versions in conflict, as `git add` does, but runs no filter.
    ///
    /// # Errors
    ///
    /// When a filter would go over the file, when it is not in conflict, or when git fails.
    pub fn settle(&self, folder: &Path, file: &str, content: &[u8]) -> io::Result<()> {
        if let Some((_, filter)) = self.filtered(folder, &[file])?.first() {
            return Err(io::Error::other(format!(
                "the attributes name a filter for it ({filter}), which is not run here. Try: git add"
            )));
        }
        let listed = self.unmerged(folder, file, &["--full-name"])?;
        let found: BTreeMap<u8, output::Stage<'_>> =
            output::stages(&listed).into_iter().map(|stage| (stage.stage, stage)).collect();
        let stage = found.get(&2).or(found.get(&3));
        let stage = stage.ok_or_else(|| io::Error::other("it is not in conflict"))?;
        let mut command = self.git(folder);
        command.args(["hash-object", "-w", "--stdin"]).arg(format!("--path={file}"));
        let id = program::answer_to(command.stdin(Stdio::piped()), content.to_vec())?;
        let id = String::from_utf8_lossy(&id).trim_end().to_owned();
        let none = "0".repeat(id.len());
        let mut lines = format!("0 {none}\t").into_bytes();
        lines.extend(stage.path);
        lines.extend(format!("\0{} {id} 0\t", stage.mode).bytes());
        lines.extend(stage.path);
        lines.push(0);
        let mut command = self.git(folder);
        command.env("GIT_INDEX_FILE", self.git_dir().join("index"));
        command.args(["update-index", "-z", "--index-info"]).stdin(Stdio::piped());
        program::answer_to(&mut command, lines).map(drop)
    }
}
