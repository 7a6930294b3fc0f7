//! A write on a disk that is full or nearly so: done or refused, never half.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::Ground;
use super::environment::{Environment, User};
use super::kills::{RENAME, START, States};
use super::places::{self, Tree};
use super::report::{Report, Tally};
use crate::{os, process};

/// Of the disk. The project has a part of it, and a change needs as much again.
const KIBIBYTES: usize = 8 << 10;
/// So much room is enough for any write of the test.
const ENOUGH: usize = 1 << 10;
const LIMIT: Duration = Duration::from_secs(20);

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let tally = if os::is_root() {
        fill_often(ground)?
    } else {
        Tally::skipped("a small disk needs Linux and root")
    };
    report.add("write on a full disk", tally);
    Ok(())
}

fn fill_often(ground: &Ground) -> Result<Tally> {
    let folder = ground.folder("full-disk")?;
    let states = States::make(ground, &folder)?;
    let disk = match Disk::mount(&folder.join("disk")) {
        Ok(disk) => disk,
        Err(error) => return Ok(Tally::skipped(&format!("no disk can be mounted: {error:#}"))),
    };
    let mut tally = Tally::default();
    let mut refused = 0;
    for step in 0..ground.tries(12, 300) {
        tally.tries += 1;
        // The less room, the more often: that is where it is decided.
        let mut random = ground.random("full-disk", step);
        let most = random.below(ENOUGH);
        let room = random.below(most);
        // The history lies in the home folder; now on the full disk, now beside it.
        let home = if step % 2 == 0 { &disk.folder } else { &folder };
        match fill_once(ground, &disk, home, &states, room) {
            Ok(was_refused) => refused += usize::from(was_refused),
            Err(error) => tally.fail(format!("step {step}, {room} KiB of room: {error:#}")),
        }
    }
    tally.notes = format!("{refused} refused, the others done");
    Ok(tally)
}

/// Whether the change was refused.
fn fill_once(
    ground: &Ground,
    disk: &Disk,
    home: &Path,
    states: &States,
    room: usize,
) -> Result<bool> {
    disk.clear()?;
    let mut environment = Environment::new(ground, User::WithHome, &disk.folder)?;
    environment.home = home.join("home");
    environment.reset(&states.before)?;
    disk.fill(room)?;
    let said = environment.said(RENAME.0, RENAME.1)?;
    let now = Tree::read(&environment.project)?;
    let (wanted, words) = match said.status.success() {
        true => (&states.after, "done"),
        false => (&states.before, "refused"),
    };
    // Without room even taking back may have to wait; then the record of it must be there.
    let is_pending = !places::pending(&environment.project).is_empty();
    let is_whole = now == *wanted || is_pending;
    ensure!(is_whole, "{words}, but {}; it said {}", now.difference(wanted), said.tail());
    let is_known = said.status.code() == Some(0) || said.status.code() == Some(1);
    ensure!(is_known, "it ended with {}: {}", said.status, said.tail());
    disk.make_room()?;
    environment.done(START.0, START.1).context("with room again")?;
    let left = places::leftovers(&environment.project)?;
    ensure!(left.is_empty(), "left behind: {}", left.join(", "));
    let now = Tree::read(&environment.project)?;
    ensure!(now == *wanted, "{words}, but with room again {}", now.difference(wanted));
    if !said.status.success() {
        environment.done(RENAME.0, RENAME.1).context("with room again")?;
        let now = Tree::read(&environment.project)?;
        ensure!(now == states.after, "done with room again, but {}", now.difference(&states.after));
    }
    Ok(!said.status.success())
}

/// A small disk in memory; it goes with this value.
struct Disk {
    folder: PathBuf,
}

impl Disk {
    fn mount(folder: &Path) -> Result<Disk> {
        fs::create_dir_all(folder)?;
        let size = format!("size={KIBIBYTES}k");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder);
        let said = process::capture(&mut mount, LIMIT)?;
        ensure!(said.status.success(), "{}", said.tail());
        Ok(Disk { folder: folder.to_owned() })
    }

    fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
        Ok(())
    }

    /// Leave only so many KiB.
    fn fill(&self, room: usize) -> Result<()> {
        use std::io::Write;
        let mut ballast = fs::File::create(self.ballast())?;
        let block = [0; 1 << 10];
        let mut written: usize = 0;
        while ballast.write_all(&block).is_ok() {
            written += 1;
        }
        ballast.set_len((written.saturating_sub(room) << 10) as u64)?;
        Ok(())
    }

    fn make_room(&self) -> Result<()> {
        Ok(fs::remove_file(self.ballast())?)
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a program that was just ended may still hold a file.
        let mut unmount = Command::new("umount");
        let said = process::capture(unmount.arg("-l").arg(&self.folder), LIMIT);
        if !said.is_ok_and(|said| said.status.success()) {
            eprintln!("{} is still mounted", self.folder.display());
        }
    }
}
