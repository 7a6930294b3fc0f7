//! Folders of this process below the system's temporary folder. They are in one folder with a lock that
//! this process holds, so that whoever comes later can tell those of a process that was killed from
//! those of one that runs.

#![expect(clippy::disallowed_methods, reason = "folders of our own, outside every project")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use crate::{private, random_name};

/// What the names of our folders begin with.
const NAME: &str = "scenewright-";
/// What the process whose folder it is holds a lock on.
const LOCK: &str = "lock";
/// The same before it is locked: nobody takes it for one that was let go.
const NEW_LOCK: &str = "lock.new";

/// Somebody who removes the folder when this process can no longer do it.
static HEARS: OnceLock<fn(&Path)> = OnceLock::new();

/// A new folder, for this user alone; it goes with this value.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    // The last one takes the folder of the process with it.
    _home: Arc<Home>,
}

#[derive(Debug)]
struct Home {
    path: PathBuf,
    lock: Option<File>,
}

impl Temporary {
    /// Make one.
    pub fn new() -> io::Result<Self> {
        static HOME: Mutex<Weak<Home>> = Mutex::new(Weak::new());
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut home = HOME.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody may have tidied up meanwhile.
        let home = match home.upgrade().filter(|home| home.path.is_dir()) {
            Some(there) => there,
            None => {
                let made = Arc::new(Home::new()?);
                *home = Arc::downgrade(&made);
                made
            }
        };
        let path = home.path.join(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        private::make_folder(&path)?;
        Ok(Self { path, _home: home })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Home {
    fn new() -> io::Result<Self> {
        // Programs are told the path, and may know no links.
        let base = std::env::temp_dir();
        let base = without_prefix(fs::canonicalize(&base).unwrap_or(base));
        let path = base.join(format!("{NAME}{}", random_name()?));
        private::make_folder(&path)?;
        if let Some(hears) = HEARS.get() {
            hears(&path);
        }
        let lock = private::open_lock(&path.join(NEW_LOCK))?;
        lock.lock()?;
        fs::rename(path.join(NEW_LOCK), path.join(LOCK))?;
        Ok(Self { path, lock: Some(lock) })
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // Some systems remove no file that is open.
        self.lock.take();
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Tell somebody of the folder of this process when it is made, before anything is in it.
pub fn tell(hears: fn(&Path)) {
    let _ = HEARS.set(hears);
}

/// Remove the folders of processes that were killed.
pub fn sweep() {
    sweep_in(&std::env::temp_dir());
}

fn sweep_in(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(NAME));
        // A link is no folder here.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_ours && is_folder && is_left(&path) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Whether it is a folder of this user whose process is gone.
fn is_left(path: &Path) -> bool {
    let lock = path.join(LOCK);
    // What has no such file was never one of these, or is only being made.
    if !fs::symlink_metadata(&lock).is_ok_and(|found| found.is_file()) || !os::is_own(path) {
        return false;
    }
    private::open_lock(&lock).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(unix)]
mod os {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    pub(super) fn is_own(path: &Path) -> bool {
        let own = rustix::process::geteuid().as_raw();
        fs::symlink_metadata(path).is_ok_and(|found| found.uid() == own)
    }
}

#[cfg(not(unix))]
mod os {
    use std::path::Path;

    /// The temporary folder is the user's own.
    pub(super) fn is_own(_: &Path) -> bool {
        true
    }
}

/// As programs take it: without the prefix that Windows puts before a real path.
fn without_prefix(path: PathBuf) -> PathBuf {
    match path.to_str().and_then(|text| text.strip_prefix(r"\\?\")) {
        Some(plain) if !plain.starts_with("UNC") => plain.into(),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn all_goes_with_the_last_one() {
        let first = Temporary::new().unwrap();
        let second = Temporary::new().unwrap();
        fs::write(first.path().join("a"), "x").unwrap();
        let home = first.path().parent().unwrap().to_owned();
        assert_eq!(second.path().parent(), Some(&*home));
        assert!(!is_left(&home), "it is in use");
        drop(first);
        assert!(home.is_dir());
        drop(second);
        assert!(!home.exists());
    }

    #[test]
    fn only_what_a_killed_process_left_is_swept() {
        let folder = Folder::files(
            "//- scenewright-left/lock\n//- scenewright-left/1/a.txt\n//- scenewright-held/lock\n//- scenewright-kept/a.png\n//- scenewright-making/lock.new\n//- other/lock\n",
        );
        let held = private::open_lock(&folder.path("scenewright-held/lock")).unwrap();
        held.lock().unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path("other"), folder.path("scenewright-link")).unwrap();
        sweep_in(folder.root());
        let there = |name: &str| folder.path(name).exists();
        assert!(!there("scenewright-left"));
        for name in ["scenewright-held", "scenewright-kept", "scenewright-making", "other/lock"] {
            assert!(there(name), "{name}");
        }
    }
}
