//! Small plain files of a git directory, which is as untrusted as what it describes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use scenewright_text::regular;

/// What is refused, in the words of a person.
pub(crate) fn refused(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!("{} {what}", path.display()))
}

/// Opens what must be a plain file; nothing when there is none.
pub(crate) fn open(path: &Path) -> io::Result<Option<File>> {
    match regular::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(why) => match why.kind() {
            io::ErrorKind::NotFound => Ok(None),
            io::ErrorKind::InvalidInput => {
                Err(refused(path, "is no plain file; git made none like it, so it is not read"))
            }
            _ => Err(why),
        },
    }
}

/// All of a plain file; nothing when there is none.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(refused(path, &format!("has more than {most} bytes, which are read at most"))),
        false => Ok(Some(bytes)),
    }
}

/// The same as one line of text, without its end.
pub(crate) fn line(path: &Path) -> io::Result<Option<String>> {
    const MOST: u64 = 8 << 10;
    let Some(bytes) = read(path, MOST)? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| refused(path, "is no text"))?;
    let text = text.trim_end_matches(['\n', '\r']);
    match text.contains(['\n', '\r', '\0']) {
        true => Err(refused(path, "has more than one line")),
        false => Ok(Some(text.to_owned())),
    }
}
