//! Files that are there whole or not at all.

#![expect(
    clippy::disallowed_methods,
    reason = "for what the program keeps for itself, outside every project"
)]

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that a reader sees the old content or the new one, and makes its folder if there
/// is none. For what the program keeps for itself; what belongs to a project is also read back and
/// can be undone, and is written elsewhere.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    write(path, content.as_ref(), OpenOptions::new().write(true))
}

/// Until it is whole it has a name that nobody can foresee, so that nobody can be there first.
pub(crate) fn write(path: &Path, content: &[u8], options: &mut OpenOptions) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".{}.tmp", random_name()?));
    let mut file = options.create_new(true).open(&aside)?;
    let written = file.write_all(content).and_then(|()| fs::rename(&aside, path));
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}

/// A name that nobody can guess, in hexadecimal digits.
pub fn random_name() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
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
