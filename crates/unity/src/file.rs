//! One settings file from disk, of bounded size.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use scenewright_text::beneath;

use crate::ProjectError;

/// The largest file read; real settings files stay under 1 MiB.
pub(crate) const MAX_BYTES: u64 = 16 << 20;

/// What stands at a path.
#[derive(Debug)]
pub(crate) enum Content {
    Absent,
    /// The repository keeps the file in Git LFS and it was not fetched.
    LfsPointer,
    Bytes(Vec<u8>),
}

/// Reads one file of a project of bounded size, unless a link on the way to it leaves the project.
pub(crate) fn read_inside(root: &Path, path: &Path) -> Result<Content, ProjectError> {
    let fail = |source| ProjectError::Read { path: path.into(), source };
    let bytes = match beneath::read_up_to(root, path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if is_absent(&error) => return Ok(Content::Absent),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            let size = beneath::open(root, path).and_then(|file| file.metadata());
            let size = size.map_or(MAX_BYTES + 1, |meta| meta.len());
            return Err(ProjectError::TooLarge { path: path.into(), size });
        }
        Err(error) => return Err(fail(error)),
    };
    if bytes.starts_with(b"version https://git-lfs") {
        return Ok(Content::LfsPointer);
    }
    Ok(Content::Bytes(bytes))
}

/// The bytes as text, without a byte order mark.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use expect_test::expect;
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn refuses_a_file_over_the_cap() {
        let dir = Folder::files("//- big.asset\n");
        let path = dir.path("big.asset");
        File::options().write(true).open(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        let error = dir.hide(&read_inside(dir.root(), &path).unwrap_err().to_string());
        expect!["DIR/big.asset has 16777217 bytes, and settings files of more than 16777216 bytes are not read; check that it is the file Unity wrote"].assert_eq(&error);
    }

    #[test]
    fn a_path_through_a_file_is_absent() {
        let dir = Folder::files("//- a.txt\n");
        assert!(matches!(read_inside(dir.root(), &dir.path("a.txt/b.txt")), Ok(Content::Absent)));
    }
}
