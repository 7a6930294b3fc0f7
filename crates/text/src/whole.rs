//! Files that are there whole or not at all.

#![expect(
    clippy::disallowed_methods,
    reason = "for what the program keeps for itself, outside every project"
)]

use std::fs;
use std::io;
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes a file so that a reader sees the old content or the new one, and makes its folder if there
/// is none. For what the program keeps for itself; what belongs to a project is also read back and
/// can be undone, and is written elsewhere.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".{}-{number}.tmp", process::id()));
    let written = fs::write(&aside, content).and_then(|()| fs::rename(&aside, path));
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn replaces_what_is_there_and_leaves_nothing_beside_it() {
        let folder = Folder::new();
        let file = folder.path("deep/file.txt");
        write_whole(&file, "old").unwrap();
        write_whole(&file, "new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        // A folder cannot be replaced by a file.
        assert!(write_whole(&folder.path("deep"), "x").is_err());
        let names = fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["deep"]);
    }
}
