//! Opening what must be a regular file. A link, a pipe, a device or a folder in its place is refused at once and
//! named: a link leads elsewhere, and a pipe waits for its other end for ever.

#![expect(clippy::disallowed_methods, reason = "opens what its caller has a right to")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Open a regular file to read it. What is none is [`io::ErrorKind::InvalidInput`].
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// Open a regular file to write it; an empty one is made when there is none.
pub fn open_or_make(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().write(true).create(true).truncate(false))
}

fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Asked before opening: some devices do something as soon as they are opened.
    match fs::symlink_metadata(path) {
        Ok(found) => refuse_others(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    checked(os::carefully(options).open(path)?)
}

/// The file, if it is a regular one.
pub(crate) fn checked(file: File) -> io::Result<File> {
    refuse_others(&file.metadata()?)?;
    Ok(file)
}

fn refuse_others(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(is_a(kind(found)))
}

/// What is said of something that is no regular file.
pub(crate) fn is_a(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a file"))
}

/// What is there, in the words of a person.
fn kind(found: &Metadata) -> &'static str {
    match () {
        () if found.is_symlink() => "a link",
        () if found.is_dir() => "a folder",
        () => os::kind(found),
    }
}

#[cfg(unix)]
mod os {
    use std::fs::{Metadata, OpenOptions};
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    use rustix::fs::OFlags;

    /// Without following a link, and without waiting for whoever is at the other end of a pipe.
    pub(super) fn carefully(options: &mut OpenOptions) -> &mut OpenOptions {
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
    }

    pub(super) fn kind(found: &Metadata) -> &'static str {
        let kind = found.file_type();
        match () {
            () if kind.is_fifo() => "a pipe",
            () if kind.is_socket() => "a socket",
            () => "a device",
        }
    }
}

#[cfg(not(unix))]
mod os {
    use std::fs::{Metadata, OpenOptions};

    /// Opens a link itself, which then is no file.
    pub(super) fn carefully(options: &mut OpenOptions) -> &mut OpenOptions {
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
            options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
        }
        options
    }

    pub(super) fn kind(_: &Metadata) -> &'static str {
        "a device"
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn a_file_is_opened_and_a_missing_one_is_made_only_where_it_may_be() {
        let folder = Folder::empty();
        folder.write("file", "text");
        let mut text = String::new();
        open(&folder.path("file")).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
        let missing = folder.path("missing");
        assert_eq!(open(&missing).unwrap_err().kind(), io::ErrorKind::NotFound);
        open_or_make(&missing).unwrap();
        open_or_make(&folder.path("file")).unwrap();
        assert_eq!(fs::read_to_string(folder.path("file")).unwrap(), "text");
        assert!(missing.is_file());
    }

    #[cfg(unix)]
    #[test]
    fn whatever_is_no_file_is_refused_at_once_and_named() {
        let folder = Folder::empty();
        fs::create_dir(folder.path("folder")).unwrap();
        std::os::unix::fs::symlink(folder.path("elsewhere"), folder.path("link")).unwrap();
        folder.pipe("pipe");
        let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket")).unwrap();
        for (name, what) in
            [("folder", "a folder"), ("link", "a link"), ("pipe", "a pipe"), ("socket", "a socket")]
        {
            let path = folder.path(name);
            for refused in [open(&path), open_or_make(&path)] {
                let error = refused.unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}");
                assert_eq!(error.to_string(), format!("it is {what}, not a file"));
            }
        }
        let error = open(Path::new("/dev/null")).unwrap_err();
        assert_eq!(error.to_string(), "it is a device, not a file");
        assert!(!folder.path("elsewhere").exists(), "the link was followed");
    }
}
