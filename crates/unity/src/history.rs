//! What became of guids that no file has: whether the project's Git history had them.
//!
//! A guid that is nowhere may be in a package that is not here. One that a file of the project had
//! until somebody deleted it is gone for certain. Where there is no Git, no repository that can be read
//! or not enough time, nothing is known, as before.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use scenewright_git::Repository;

use crate::Guid;
use crate::project::MANIFEST;

/// How long Git may take in all.
const MOST_TIME: Duration = Duration::from_secs(5);
/// How much of its output is read.
const MOST_BYTES: u64 = 256 << 20;
/// Longer lines are read in parts, which say nothing.
const MOST_LINE: u64 = 64 << 10;
/// How many deleted files are looked into.
const MOST_FILES: usize = 20_000;

/// Where a project's own files are.
const OWN: &str = "Assets/";

/// Where the files are that nobody else has: everywhere, where a package is looked at by itself.
fn own(root: &Path) -> &'static str {
    if crate::Project::is_package(root) { "" } else { OWN }
}

/// What Git said of guids; each is asked for once.
#[derive(Debug)]
pub(crate) struct History {
    known: Mutex<HashMap<Guid, Option<Arc<str>>>>,
    most_time: Duration,
    was_cut: AtomicBool,
}

impl Default for History {
    fn default() -> History {
        let (known, was_cut) = Default::default();
        History { known, most_time: MOST_TIME, was_cut }
    }
}

impl History {
    /// What became of a guid that a file of the project had: words to stand behind a sentence. When
    /// it is asked for the first time, so are all of `others`.
    pub(crate) fn fate(
        &self,
        root: &Path,
        guid: Guid,
        others: impl FnOnce() -> Vec<Guid>,
    ) -> Option<Arc<str>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fate) = known.get(&guid) {
            return fate.clone();
        }
        let wanted = others().into_iter().chain([guid]);
        let unknown = wanted.filter(|guid| !known.contains_key(guid));
        let mut search = Search { open: unknown.map(|guid| (guid, None)).collect() };
        if !search.open.is_empty()
            && let Ok(Some(repository)) = Repository::around(root)
        {
            let until = Instant::now() + self.most_time;
            // Git may be quicker than the look at the clock.
            if Instant::now() < until {
                let asked = Asked { repository: &repository, root, until };
                search.uncommitted(&asked);
                search.committed(&asked);
            }
            self.was_cut.fetch_or(Instant::now() >= until, Ordering::Relaxed);
        }
        let found = search.open.into_iter();
        known.extend(found.map(|(guid, fate)| (guid, fate.flatten().map(Arc::from))));
        known.get(&guid).cloned().flatten()
    }

    /// Whether Git took too long, so that it may know more.
    pub(crate) fn was_cut(&self) -> bool {
        self.was_cut.load(Ordering::Relaxed)
    }
}

/// The guids that are looked for: nothing until the newest change of theirs was seen, then what it
/// was, where that is certain.
struct Search {
    open: HashMap<Guid, Option<Option<String>>>,
}

impl Search {
    /// Metas that the last commit has and the folder has not.
    fn uncommitted(&mut self, asked: &Asked<'_>) {
        let mut gone: Vec<(Vec<u8>, String)> = Vec::new();
        let args =
            ["diff-index", "--diff-filter=D", "--no-renames", "--relative", "HEAD", "--", "*.meta"];
        asked.read_lines(&args, Vec::new(), |line| {
            // `:100644 000000 1a2b… 0000… D	Assets/Door.cs.meta`
            let mut words = line.splitn(2, |byte| *byte == b'\t');
            let id = words.next().and_then(|head| head.split(|byte| *byte == b' ').nth(2));
            let gone_here = id.zip(words.next()).map(|(id, path)| (id.to_owned(), asset_of(path)));
            gone.extend(gone_here.filter(|(_, path)| path.starts_with(own(asked.root))));
            gone.len() < MOST_FILES
        });
        if gone.is_empty() {
            return;
        }
        let ids: Vec<&[u8]> = gone.iter().map(|(id, _)| &**id).collect();
        let (mut next, mut current) = (gone.iter(), None);
        let mut expected = next.next();
        asked.read_lines(&["cat-file", "--batch"], ids.join(&b'\n'), |line| {
            if let Some((id, path)) = expected.filter(|(id, _)| line.starts_with(id)) {
                (current, expected) = (Some((id, path)), next.next());
            } else if let Some((_, path)) = current
                && let Some(guid) = guid_of(line, b"guid: ")
            {
                self.see(guid, || Some(format!("{path} had it and is deleted")));
            }
            true
        });
    }

    /// Metas that commits deleted or gave other guids, the newest first.
    fn committed(&mut self, asked: &Asked<'_>) {
        let args = [
            "log",
            "--format=%x00%h",
            "--patch",
            "--unified=0",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--diff-filter=DM",
            "--relative",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "--",
            "*.meta",
            MANIFEST,
        ];
        let (mut commit, own) = (Commit::default(), own(asked.root));
        asked.read_lines(&args, Vec::new(), |line| {
            if let Some(id) = line.strip_prefix(b"\0") {
                self.take(std::mem::take(&mut commit), own);
                commit.id = String::from_utf8_lossy(id).into_owned();
                return self.open.values().any(Option::is_none);
            }
            commit.line(line);
            true
        });
        self.take(commit, own);
    }

    fn take(&mut self, commit: Commit, own: &str) {
        let Commit { id, lost, changes_packages, .. } = commit;
        for (guid, path, fate) in lost {
            // What went as a package came may have come with it, and what was no asset of the
            // project, as in a repository that was a package itself, may be one elsewhere now.
            let is_certain = !changes_packages && path.starts_with(own);
            self.see(guid, || {
                is_certain.then(|| format!("{path} had it until commit {id} {fate}"))
            });
        }
    }

    /// Only the newest change counts.
    fn see(&mut self, guid: Guid, fate: impl FnOnce() -> Option<String>) {
        if let Some(open @ None) = self.open.get_mut(&guid) {
            *open = Some(fate());
        }
    }
}

/// What is read of one commit.
#[derive(Default)]
struct Commit {
    id: String,
    /// The file whose change is read, and what the commit did to its guid.
    path: String,
    fate: &'static str,
    lost: Vec<(Guid, String, &'static str)>,
    changes_packages: bool,
}

impl Commit {
    /// A line of its patch. Of metas only the lines matter that took a guid away.
    fn line(&mut self, line: &[u8]) {
        if let Some(path) = line.strip_prefix(b"--- a/") {
            self.path = asset_of(path);
        } else if line == b"+++ /dev/null" {
            self.fate = "deleted it";
        } else if let Some(path) = line.strip_prefix(b"+++ b/") {
            self.fate = "gave it another";
            self.changes_packages |= path == MANIFEST.as_bytes();
        } else if let Some(guid) = guid_of(line, b"-guid: ") {
            self.lost.push((guid, self.path.clone(), self.fate));
        }
    }
}

fn guid_of(line: &[u8], key: &[u8]) -> Option<Guid> {
    let text = line.strip_prefix(key)?.trim_ascii();
    Guid::parse(str::from_utf8(text).ok()?)
}

/// The asset of a meta, as Git writes its path.
fn asset_of(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    let path = path.trim_end_matches('\t').trim_matches('"');
    path.strip_suffix(".meta").unwrap_or(path).to_owned()
}

/// Who is asked, about which folder, and until when.
struct Asked<'a> {
    repository: &'a Repository,
    root: &'a Path,
    until: Instant,
}

impl Asked<'_> {
    /// Gives Git's output to `see`, line by line, until it returns false or the time is over.
    fn read_lines(&self, args: &[&str], input: Vec<u8>, mut see: impl FnMut(&[u8]) -> bool) {
        let mut command = self.repository.git(self.root);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { return };
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return;
        };
        let (done, is_done) = mpsc::channel::<()>();
        thread::scope(|scope| {
            // It ends with the program, should that not take all.
            scope.spawn(move || drop(stdin.write_all(&input)));
            scope.spawn(move || {
                let left = self.until.saturating_duration_since(Instant::now());
                let _ = is_done.recv_timeout(left);
                let _ = child.kill();
                let _ = child.wait();
            });
            let mut output = BufReader::new(stdout.take(MOST_BYTES));
            let mut line = Vec::new();
            let mut next =
                |line: &mut Vec<u8>| (&mut output).take(MOST_LINE).read_until(b'\n', line);
            while matches!(next(&mut line), Ok(count) if count > 0) {
                if !see(line.trim_ascii_end()) {
                    break;
                }
                line.clear();
            }
            drop(done);
        });
    }
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    fn run(folder: &Folder, args: &[&str]) {
        scenewright_fixture::git_done(folder.root(), args);
    }

    fn commit(folder: &Folder) {
        run(folder, &["add", "--all"]);
        run(folder, &["commit", "--quiet", "-m", "x"]);
    }

    fn guid(number: u32) -> Guid {
        Guid::parse(format!("{number:0>32}")).unwrap()
    }

    fn meta(number: u32) -> String {
        format!("fileFormatVersion: 2\nguid: {}\n", guid(number))
    }

    #[test]
    fn what_the_history_had_is_told_with_what_became_of_it() {
        let folder = Folder::empty();
        run(&folder, &["init", "--quiet"]);
        for number in 1..=5 {
            folder.write(&format!("game/Assets/A {number}.cs.meta"), meta(number));
        }
        folder.write("game/Packages/com.own/B.cs.meta", meta(6));
        folder.write("game/Packages/manifest.json", "{}");
        folder.write("game/Prefabs/C.prefab.meta", meta(7));
        commit(&folder);
        let remove = |name: &str| std::fs::remove_file(folder.path(name)).unwrap();
        remove("game/Assets/A 1.cs.meta");
        remove("game/Prefabs/C.prefab.meta");
        folder.write("game/Assets/A 2.cs.meta", meta(20));
        commit(&folder);
        remove("game/Assets/A 3.cs.meta");
        remove("game/Packages/com.own/B.cs.meta");
        folder.write("game/Packages/manifest.json", "{ }");
        commit(&folder);
        remove("game/Assets/A 4.cs.meta");
        let hasty = History { most_time: Duration::ZERO, ..History::default() };
        assert_eq!(hasty.fate(&folder.path("game"), guid(1), Vec::new), None);
        assert!(hasty.was_cut());
        let told = |number: u32| {
            let root = folder.path("game");
            let history = History::default();
            let fate = history.fate(&root, guid(number), Vec::new);
            assert!(!history.was_cut());
            fate.map(|fate| fate.to_string()).unwrap_or_default()
        };
        assert!(told(1).starts_with("Assets/A 1.cs had it until commit "), "{}", told(1));
        assert!(told(1).ends_with(" deleted it"));
        assert!(told(2).ends_with(" gave it another"), "{}", told(2));
        assert_eq!(told(4), "Assets/A 4.cs had it and is deleted");
        // They may have gone into the package that came, or become one; never here; still here.
        for number in [3, 6, 7, 99, 5] {
            assert_eq!(told(number), "", "{number}");
        }
    }
}
