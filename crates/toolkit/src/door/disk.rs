//! The few things that are done to a disk, in one place, so that tests can let each of them fail.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use scenewright_text::beneath::{self, Spot};
use scenewright_text::private;

use super::os::{self, Access};

/// How often a program that writes into a file is waited for, and how long each time: together a
/// second, and who saves needs a few milliseconds.
const WRITER_LOOKS: usize = 1000;
const WRITER_PAUSE: Duration = Duration::from_millis(1);

/// The disk, below the root of a project; in tests it may fail on demand.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// Without links.
    root: PathBuf,
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
    /// The disk of the project at `root`.
    pub(super) fn below(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Self {
            root,
            #[cfg(test)]
            fault: super::faults::Fault::default(),
        }
    }

    /// Where something is done. Below the project's root no link leads there, not even one that has just
    /// come; the history elsewhere is in a folder of the user's own.
    fn spot(&self, path: &Path) -> io::Result<Spot> {
        let is_below = !self.root.as_os_str().is_empty() && path.starts_with(&self.root);
        let top = if is_below { Some(&*self.root) } else { path.parent() };
        Spot::find(top.ok_or(io::ErrorKind::InvalidInput)?, path)
    }

    /// Write a file that does not exist yet; down to the disk, if it is to be `durable`.
    pub(super) fn write_new(
        &self,
        path: &Path,
        bytes: &[u8],
        access: Option<&Access>,
        durable: bool,
    ) -> io::Result<()> {
        let mut file = self.spot(path)?.create_new()?;
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
        let mut file = match self.spot(path)?.open() {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(false),
            file => file?,
        };
        if file.metadata()?.len() != bytes.len() as u64 {
            return Ok(false);
        }
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
        beneath::bytes_up_to(self.spot(path)?.open()?, most)
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        let (here, there) = (self.spot(from)?, self.spot(to)?);
        patiently(|| here.rename(&there))?;
        self.done(|| Op::Rename { from: from.to_owned(), to: to.to_owned() });
        Ok(())
    }

    /// The same to a place where nothing is; fails if something is.
    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        let (here, there) = (self.spot(from)?, self.spot(to)?);
        patiently(|| here.rename_new(&there))?;
        self.done(|| Op::Rename { from: from.to_owned(), to: to.to_owned() });
        Ok(())
    }

    /// Let two files change places. False where that cannot be done.
    pub(super) fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        self.step()?;
        let exchanged = self.spot(one)?.exchange(&self.spot(other)?)?;
        if exchanged {
            self.done(|| Op::Exchange { one: one.to_owned(), other: other.to_owned() });
        }
        Ok(exchanged)
    }

    /// Wait until no other program can write into a file that has left its place; false when one
    /// still could after a while.
    pub(super) fn is_quiet(&self, path: &Path) -> io::Result<bool> {
        let spot = self.spot(path)?;
        for _ in 0..WRITER_LOOKS {
            if !os::has_writer(&spot.open()?)? {
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
                self.copy(from, &half)?;
                self.spot(&half)?.rename(&self.spot(to)?)?;
                self.remove(from)
            }
            result => result,
        }
    }

    /// What an attempt before left there is written anew. It is for its owner alone, as its folder is.
    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut original = self.spot(from)?.open()?;
        let spot = self.spot(to)?;
        if spot.is_there() {
            spot.remove()?;
        }
        io::copy(&mut original, &mut private::create_new(to)?).map(drop)
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.spot(path)?.remove()?;
        self.done(|| Op::Remove { path: path.to_owned() });
        Ok(())
    }

    pub(super) fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.spot(path)?.make_folder()?;
        self.done(|| Op::MakeFolder { path: path.to_owned() });
        Ok(())
    }

    pub(super) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.spot(path)?.remove_folder()?;
        self.done(|| Op::RemoveFolder { path: path.to_owned() });
        Ok(())
    }

    /// Make renames in a folder outlast a power cut. Windows has no such call.
    pub(super) fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.spot(&path.join("any"))?.sync()?; // Its folder is what is synced.
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
