//! The few things that are done to a disk, in one place, so that tests can let each of them fail.

#![expect(clippy::disallowed_methods, reason = "this is the door")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::os::{self, Access};

/// How often a program that writes into a file is waited for, and how long each time: together a
/// second, and who saves needs a few milliseconds.
const WRITER_LOOKS: usize = 1000;
const WRITER_PAUSE: Duration = Duration::from_millis(1);

/// The disk; in tests it may fail on demand.
#[derive(Debug, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) fault: super::faults::Fault,
}

/// What was done to a disk.
#[derive(Debug, Clone)]
#[cfg_attr(not(test), expect(dead_code, reason = "only tests look at it"))]
pub(super) enum Op {
    /// A file was made; `durable` when its bytes are on the disk.
    Write { path: PathBuf, bytes: Vec<u8>, durable: bool },
    /// A file moved.
    Rename { from: PathBuf, to: PathBuf },
    /// Two files changed places.
    Exchange { one: PathBuf, other: PathBuf },
    /// A file went.
    Remove { path: PathBuf },
    /// A folder was made.
    MakeFolder { path: PathBuf },
    /// A folder went.
    RemoveFolder { path: PathBuf },
    /// What was done in a folder so far is on the disk.
    Sync { folder: PathBuf },
}

impl Disk {
    /// Write a file that does not exist yet; down to the disk, if it is to be `durable`.
    pub(super) fn write_new(
        &self,
        path: &Path,
        bytes: &[u8],
        access: Option<&Access>,
        durable: bool,
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
        self.done(|| Op::Write { path: path.to_owned(), bytes: bytes.to_vec(), durable });
        if durable { file.sync_all() } else { Ok(()) }
    }

    /// Whether these are a file's bytes. Compared piece by piece: a second copy of a large scene
    /// would cost more than the comparison.
    pub(super) fn holds(&self, path: &Path, bytes: &[u8]) -> io::Result<bool> {
        self.step()?;
        // Asked before opening: opening a pipe would wait for its writer.
        let meta = fs::symlink_metadata(path)?;
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
        if meta.len() > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
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
        patiently(|| fs::rename(from, to))?;
        self.done(|| Op::Rename { from: from.to_owned(), to: to.to_owned() });
        Ok(())
    }

    /// The same to a place where nothing is; fails if something is.
    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        patiently(|| os::rename_new(from, to))?;
        self.done(|| Op::Rename { from: from.to_owned(), to: to.to_owned() });
        Ok(())
    }

    /// Let two files change places. False where that cannot be done.
    pub(super) fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        self.step()?;
        let exchanged = os::exchange(one, other)?;
        if exchanged {
            self.done(|| Op::Exchange { one: one.to_owned(), other: other.to_owned() });
        }
        Ok(exchanged)
    }

    /// Wait until no other program can write into a file that has left its place; false when one
    /// still could after a while.
    pub(super) fn is_quiet(&self, path: &Path) -> io::Result<bool> {
        for _ in 0..WRITER_LOOKS {
            if !os::has_writer(path)? {
                return Ok(true);
            }
            std::thread::sleep(WRITER_PAUSE);
        }
        Ok(false)
    }

    /// Move a file to another folder, which may be on another disk.
    pub(super) fn carry(&self, from: &Path, to: &Path) -> io::Result<()> {
        match self.rename(from, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                let half = to.with_extension("tmp");
                fs::copy(from, &half)?;
                fs::rename(&half, to)?;
                self.remove(from)
            }
            result => result,
        }
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_file(path)?;
        self.done(|| Op::Remove { path: path.to_owned() });
        Ok(())
    }

    pub(super) fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir(path)?;
        self.done(|| Op::MakeFolder { path: path.to_owned() });
        Ok(())
    }

    pub(super) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_dir(path)?;
        self.done(|| Op::RemoveFolder { path: path.to_owned() });
        Ok(())
    }

    /// Make renames in a folder outlast a power cut. Windows has no such call.
    pub(super) fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        if cfg!(unix) {
            File::open(path)?.sync_all()?;
        }
        self.done(|| Op::Sync { folder: path.to_owned() });
        Ok(())
    }

    #[cfg(test)]
    fn step(&self) -> io::Result<()> {
        self.fault.step()
    }

    /// Something was done to the disk; tests let a power cut take it back.
    #[cfg(test)]
    fn done(&self, op: impl FnOnce() -> Op) {
        self.fault.done(op);
    }

    #[cfg(not(test))]
    #[allow(clippy::unused_self, reason = "tests note it")]
    fn done(&self, _: impl FnOnce() -> Op) {}

    #[cfg(not(test))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "tests let it fail")]
    fn step(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Virus scanners and indexers on Windows hold new files for a moment.
fn patiently(rename: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let mut tries = if cfg!(windows) { 5 } else { 0 };
    loop {
        match rename() {
            Err(error) if tries > 0 && error.kind() == io::ErrorKind::PermissionDenied => {
                tries -= 1;
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            result => return result,
        }
    }
}
