//! The few things that are done to a disk, in one place, so that tests can let each of them fail.

#![expect(clippy::disallowed_methods, reason = "this is the door")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// The disk; in tests it may fail on demand.
#[derive(Debug, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) fault: super::faults::Fault,
}

/// Who may do what with a file, to be given to the one that takes its place.
#[derive(Debug, Clone)]
pub(super) struct Access {
    permissions: fs::Permissions,
    #[cfg(unix)]
    owner: Option<(u32, u32)>,
}

impl Access {
    pub(super) fn of(meta: &Metadata) -> Self {
        Self {
            permissions: meta.permissions(),
            #[cfg(unix)]
            owner: Some({
                use std::os::unix::fs::MetadataExt;
                (meta.uid(), meta.gid())
            }),
        }
    }

    /// From the bits that a record kept; nothing where there are no such bits.
    #[cfg(unix)]
    pub(super) fn from_mode(mode: u32) -> Option<Self> {
        use std::os::unix::fs::PermissionsExt;
        Some(Self { permissions: fs::Permissions::from_mode(mode & 0o777), owner: None })
    }

    /// From the bits that a record kept; nothing where there are no such bits.
    #[cfg(not(unix))]
    pub(super) fn from_mode(_: u32) -> Option<Self> {
        None
    }

    /// The bits to keep in a record.
    #[cfg(unix)]
    pub(super) fn mode(&self) -> Option<u32> {
        use std::os::unix::fs::PermissionsExt;
        Some(self.permissions.mode() & 0o777)
    }

    /// The bits to keep in a record.
    #[cfg(not(unix))]
    pub(super) fn mode(&self) -> Option<u32> {
        None
    }

    fn give_to(&self, file: &File) -> io::Result<()> {
        // Only an administrator may give files away; for everybody else it is their own already.
        #[cfg(unix)]
        if let Some((user, group)) = self.owner
            && Self::of(&file.metadata()?).owner != self.owner
        {
            let _ = std::os::unix::fs::fchown(file, Some(user), Some(group));
        }
        // Some file systems have no permissions and refuse to be told any.
        if file.metadata()?.permissions() == self.permissions {
            return Ok(());
        }
        file.set_permissions(self.permissions.clone())
    }
}

impl Disk {
    /// Write a file that does not exist yet, down to the disk.
    pub(super) fn write_new(
        &self,
        path: &Path,
        bytes: &[u8],
        access: Option<&Access>,
    ) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        if let Err(error) = self.step() {
            file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        file.write_all(bytes)?;
        if let Some(access) = access {
            access.give_to(&file)?;
        }
        file.sync_all()
    }

    /// Whether these are a file's bytes. Compared piece by piece: a second copy of a large scene
    /// would cost more than the comparison.
    pub(super) fn holds(&self, path: &Path, bytes: &[u8]) -> io::Result<bool> {
        self.step()?;
        // Asked before opening: opening a pipe would wait for its writer.
        let meta = fs::metadata(path)?;
        if !meta.is_file() || meta.len() != bytes.len() as u64 {
            return Ok(false);
        }
        let mut file = File::open(path)?;
        let mut buffer = vec![0; bytes.len().clamp(1, 1 << 16)];
        let mut rest = bytes;
        loop {
            let read = match file.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                return Ok(rest.is_empty());
            }
            match rest.split_at_checked(read) {
                Some((expected, more)) if *expected == buffer[..read] => rest = more,
                _ => return Ok(false),
            }
        }
    }

    /// Read a file of `most` bytes or fewer.
    pub(super) fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.step()?;
        let meta = fs::metadata(path)?;
        if !meta.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        let room = usize::try_from(meta.len().min(most)).unwrap_or(0);
        let mut bytes = Vec::with_capacity(room.saturating_add(1));
        File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
        }
        Ok(bytes)
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        // Virus scanners and indexers on Windows hold new files for a moment.
        let mut tries = if cfg!(windows) { 5 } else { 0 };
        loop {
            match fs::rename(from, to) {
                Err(error) if tries > 0 && error.kind() == io::ErrorKind::PermissionDenied => {
                    tries -= 1;
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                result => return result,
            }
        }
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_file(path)
    }

    pub(super) fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir(path)
    }

    pub(super) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_dir(path)
    }

    /// Make renames in a folder outlast a power cut. Windows has no such call.
    pub(super) fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }

    #[cfg(test)]
    fn step(&self) -> io::Result<()> {
        self.fault.step()
    }

    #[cfg(not(test))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "tests let it fail")]
    fn step(&self) -> io::Result<()> {
        Ok(())
    }
}
