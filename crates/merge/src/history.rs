//! Files that differ between two states of a repository, and their content, by the word of git.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use scenewright_text::git::{answer, git};

use crate::diff::{AssetNames, Change, diff};
use crate::render::FileDiff;
use crate::{FileKind, MAX_BYTES, read_file};

/// Which states of a repository are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Range {
    /// The revision before; HEAD when nothing is said.
    pub from: Option<String>,
    /// The revision after; the work tree when nothing is said.
    pub to: Option<String>,
    /// What is staged, instead of the work tree.
    pub staged: bool,
}

/// A file that differs.
#[derive(Debug, Clone)]
pub struct Pair {
    /// Its path now, from the folder that was asked about.
    pub path: String,
    /// Its path before, when it was another.
    pub old_path: Option<String>,
    /// Whether it came, went or changed.
    pub change: Change,
    /// Where the content before is.
    pub old: Source,
    /// Where the content now is.
    pub new: Source,
}

/// Where content is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// There is no file; a link or a submodule is none.
    Nothing,
    /// In git, under this id.
    Blob(String),
    /// On the disk.
    File(PathBuf),
}

impl Source {
    /// The id in git.
    pub fn blob(&self) -> Option<&str> {
        match self {
            Source::Blob(id) => Some(id),
            _ => None,
        }
    }
}

/// What changed in scenes and settings between two states, by object and field. Only below `paths`, when
/// there are any; they are from the folder, as is what comes back.
pub fn changed(
    folder: &Path,
    range: &Range,
    paths: &[String],
    assets: AssetNames<'_>,
) -> io::Result<Vec<FileDiff>> {
    let mut pairs = pairs(folder, range, paths, true)?;
    pairs.retain(|pair| FileKind::of_path(Path::new(&pair.path)).is_some());
    let blobs = pairs.iter().flat_map(|pair| [&pair.old, &pair.new]).filter_map(Source::blob);
    let blobs: Vec<&str> = blobs.collect();
    let mut reader = Blobs::open(folder, blobs)?;
    let mut files = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let old = reader.content(&pair.old)?;
        let new = reader.content(&pair.new)?;
        let differences = diff(Path::new(&pair.path), &old, &new, assets);
        files.push(FileDiff {
            path: pair.path,
            old_path: pair.old_path,
            change: pair.change,
            differences: differences.map_err(|reason| reason.to_string()),
            reach: None,
        });
    }
    Ok(files)
}

/// The files that differ between two states, by the word of git; those that it does not know are not
/// among them. With `renames` a file that was moved is one that changed.
pub fn pairs(
    folder: &Path,
    range: &Range,
    paths: &[String],
    renames: bool,
) -> io::Result<Vec<Pair>> {
    let mut command = git(folder);
    command.args(["diff", "--raw", "-z", "--no-ext-diff", "--abbrev=64", "--relative"]);
    command.arg(if renames { "-M" } else { "--no-renames" });
    if range.staged {
        command.arg("--cached");
    }
    for revision in
        [range.from.as_deref().or(Some("HEAD")), range.to.as_deref()].into_iter().flatten()
    {
        if revision.is_empty() || revision.starts_with('-') {
            return Err(io::Error::other(format!("{revision:?} is no revision")));
        }
        command.arg(revision);
    }
    let listed = answer(command.arg("--").args(paths))?;
    let mut words = listed.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let in_work_tree = range.to.is_none() && !range.staged;
    let mut pairs = Vec::new();
    while let Some(head) = words.next().filter(|head| head.starts_with(':')) {
        let fields: Vec<&str> = head.split(' ').collect();
        let [old_mode, new_mode, old, new, status] = fields.as_slice() else { break };
        let is_pair = status.starts_with(['R', 'C']);
        let Some(first) = words.next() else { break };
        let second = if is_pair { words.next() } else { None };
        let path = second.as_ref().unwrap_or(&first).to_string();
        if status.starts_with('U') {
            continue;
        }
        let source = |mode: &str, id: &str, path: &str| match (
            mode.trim_start_matches(':').starts_with("100"),
            id.bytes().all(|b| b == b'0'),
        ) {
            (false, _) => Source::Nothing,
            (true, true) => Source::File(folder.join(path)),
            (true, false) => Source::Blob(id.to_owned()),
        };
        let change = match status.chars().next() {
            Some('A') => Change::Added,
            Some('D') => Change::Removed,
            _ => Change::Changed,
        };
        pairs.push(Pair {
            old: source(old_mode, old, &first),
            // For files that were moved git tells the id of content that it does not have.
            new: match source(new_mode, new, &path) {
                Source::Blob(_) if in_work_tree => Source::File(folder.join(&path)),
                found => found,
            },
            old_path: is_pair.then(|| first.to_string()),
            path,
            change,
        });
    }
    Ok(pairs)
}

/// Blobs, asked for all at once and read one after the other.
#[derive(Debug)]
pub struct Blobs {
    child: Option<std::process::Child>,
    reader: Option<BufReader<std::process::ChildStdout>>,
}

impl Blobs {
    /// Ask for the content of these.
    pub fn open(folder: &Path, ids: Vec<&str>) -> io::Result<Blobs> {
        if ids.is_empty() {
            return Ok(Blobs { child: None, reader: None });
        }
        let mut command = git(folder);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take();
        let ids = ids.join("\n") + "\n";
        // Beside the reader, for a full pipe would stop both.
        std::thread::spawn(move || input.map(|mut input| input.write_all(ids.as_bytes())));
        let reader = child.stdout.take().map(BufReader::new);
        Ok(Blobs { child: Some(child), reader })
    }

    /// The content of a source; blobs come in the order that they were asked for.
    pub fn content(&mut self, source: &Source) -> io::Result<Vec<u8>> {
        match (source, &mut self.reader) {
            (Source::File(path), _) => read_file(path),
            (Source::Blob(_), Some(reader)) => {
                let mut head = String::new();
                reader.read_line(&mut head)?;
                let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
                let Some(size) = size.filter(|size| *size <= MAX_BYTES) else {
                    return Err(io::Error::other(format!(
                        "git has no content: {}",
                        head.trim_end()
                    )));
                };
                let mut content = vec![0; size];
                reader.read_exact(&mut content)?;
                reader.read_exact(&mut [0])?;
                Ok(content)
            }
            _ => Ok(Vec::new()),
        }
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        self.reader = None;
        if let Some(child) = &mut self.child {
            let _ = child.wait();
        }
    }
}
