//! Files that only their owner may read: the audit, and what has a token in it. On Windows a file has
//! the rights of its folder, which is the user's own.

#![expect(clippy::disallowed_methods, reason = "our own files, outside every project")]

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::whole;

/// Open a file to append to it, made when missing. A link is not followed, and whoever else could
/// read it no longer can.
pub fn append(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().append(true))
}

/// The same to lock it: Windows locks no file that is opened only to append.
pub fn open_lock(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true).append(true))
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = os::private(options.create(true)).open(path)?;
    os::tighten(&file)?;
    Ok(file)
}

/// A new file; one that is there already may be somebody else's.
pub fn create_new(path: &Path) -> io::Result<File> {
    os::private(OpenOptions::new().create_new(true).write(true)).open(path)
}

/// The same as [`crate::write_whole`], for its owner alone from the first byte on.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    whole::write(path, content.as_ref(), os::private(OpenOptions::new().write(true)))
}

/// Make a folder that only its owner may look into, and those above it that are missing.
pub fn make_folders(path: &Path) -> io::Result<()> {
    os::private_folder(DirBuilder::new().recursive(true)).create(path)
}

/// The same for a folder that must be new: one that is there already may be somebody else's.
pub fn make_folder(path: &Path) -> io::Result<()> {
    os::private_folder(&mut DirBuilder::new()).create(path)
}

/// Folders of this user's in places where everybody may make some, the one that lasts longest first. Whether
/// one is this user's is for [`doubt_folder`] to tell.
#[must_use]
pub fn shared_folders(name: &str) -> Vec<PathBuf> {
    os::shared_folders(name)
}

/// Why what is in a folder cannot be believed to be this user's; nothing when it can.
pub fn doubt_folder(path: &Path) -> io::Result<Option<&'static str>> {
    let found = std::fs::symlink_metadata(path)?;
    Ok(if found.is_dir() { os::doubt_folder(&found) } else { Some("it is not a folder") })
}

/// Why what an open file says cannot be believed to be this user's word; nothing when it can.
pub fn doubt(file: &File) -> io::Result<Option<&'static str>> {
    os::doubt(file)
}

/// Whether nobody else can read an open file, so that a secret in it is one.
pub fn is_secret(file: &File) -> io::Result<bool> {
    os::is_secret(file)
}

#[cfg(unix)]
mod os {
    use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    use rustix::fs::OFlags;

    pub(super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
        options.mode(0o600).custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
    }

    pub(super) fn private_folder(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder.mode(0o700)
    }

    pub(super) fn tighten(file: &File) -> io::Result<()> {
        let found = file.metadata()?;
        // A device is shared by its nature.
        if found.is_file() && found.mode() & 0o077 != 0 {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        Ok(())
    }

    pub(super) fn doubt(file: &File) -> io::Result<Option<&'static str>> {
        let found = file.metadata()?;
        Ok(match () {
            () if found.uid() != rustix::process::geteuid().as_raw() => {
                Some("it belongs to another user")
            }
            () if found.mode() & 0o022 != 0 => Some("other users may write it"),
            () => None,
        })
    }

    pub(super) fn is_secret(file: &File) -> io::Result<bool> {
        Ok(file.metadata()?.mode() & 0o077 == 0)
    }

    /// What is in `/var/tmp` outlasts a restart.
    pub(super) fn shared_folders(name: &str) -> Vec<PathBuf> {
        let name = format!("{name}-{}", rustix::process::geteuid().as_raw());
        let mut folders = vec![Path::new("/var/tmp").join(&name), std::env::temp_dir().join(&name)];
        folders.dedup();
        folders
    }

    pub(super) fn doubt_folder(found: &Metadata) -> Option<&'static str> {
        match () {
            () if found.uid() != rustix::process::geteuid().as_raw() => {
                Some("it belongs to another user")
            }
            () if found.mode() & 0o077 != 0 => Some("other users may look into it"),
            () => None,
        }
    }
}

#[cfg(not(unix))]
mod os {
    use std::fs::{DirBuilder, File, Metadata, OpenOptions};
    use std::io;
    use std::path::PathBuf;

    pub(super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
        options
    }

    pub(super) fn private_folder(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder
    }

    pub(super) fn tighten(_: &File) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn doubt(_: &File) -> io::Result<Option<&'static str>> {
        Ok(None)
    }

    pub(super) fn is_secret(_: &File) -> io::Result<bool> {
        Ok(true)
    }

    /// The folder for what is temporary is the user's own here.
    pub(super) fn shared_folders(name: &str) -> Vec<PathBuf> {
        vec![std::env::temp_dir().join(name)]
    }

    pub(super) fn doubt_folder(_: &Metadata) -> Option<&'static str> {
        None
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    use scenewright_fixture::Folder;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn only_the_owner_may_read_what_is_appended() {
        let folder = Folder::empty();
        append(&folder.path("new")).unwrap().write_all(b"a").unwrap();
        assert_eq!(mode(&folder.path("new")), 0o600);
        folder.write("old", "a");
        fs::set_permissions(folder.path("old"), fs::Permissions::from_mode(0o644)).unwrap();
        append(&folder.path("old")).unwrap().write_all(b"b").unwrap();
        assert_eq!(
            (mode(&folder.path("old")), fs::read(folder.path("old")).unwrap()),
            (0o600, b"ab".to_vec())
        );
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = Folder::empty();
        folder.write("precious", "a");
        std::os::unix::fs::symlink(folder.path("precious"), folder.path("link")).unwrap();
        assert!(append(&folder.path("link")).is_err());
        // A link in the place of the file is replaced, not written through.
        write_whole(&folder.path("link"), "b").unwrap();
        assert_eq!(fs::read(folder.path("precious")).unwrap(), b"a");
        assert_eq!(
            (mode(&folder.path("link")), fs::read(folder.path("link")).unwrap()),
            (0o600, b"b".to_vec())
        );
    }

    #[test]
    fn what_others_may_write_is_doubted_and_what_they_may_read_is_no_secret() {
        let folder = Folder::empty();
        write_whole(&folder.path("own"), "a").unwrap();
        let seen = |mode: u32| {
            fs::set_permissions(folder.path("own"), fs::Permissions::from_mode(mode)).unwrap();
            let file = File::open(folder.path("own")).unwrap();
            (doubt(&file).unwrap(), is_secret(&file).unwrap())
        };
        assert_eq!(seen(0o600), (None, true));
        assert_eq!(seen(0o644), (None, false));
        assert_eq!(seen(0o666), (Some("other users may write it"), false));
    }

    #[test]
    fn a_folder_of_others_is_doubted() {
        let folder = Folder::empty();
        let own = folder.path("own");
        make_folder(&own).unwrap();
        assert_eq!(doubt_folder(&own).unwrap(), None);
        std::os::unix::fs::symlink(&own, folder.path("link")).unwrap();
        assert_eq!(doubt_folder(&folder.path("link")).unwrap(), Some("it is not a folder"));
        fs::set_permissions(&own, fs::Permissions::from_mode(0o750)).unwrap();
        assert_eq!(doubt_folder(&own).unwrap(), Some("other users may look into it"));
        create_new(&own.join("file")).unwrap();
        assert_eq!(mode(&own.join("file")), 0o600);
        assert!(create_new(&own.join("file")).is_err());
    }
}
