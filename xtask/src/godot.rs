//! `cargo xtask godot`: a real Godot under `target/tools/godot`, from Debian's packages and without
//! root. The class tables are made with it, and tests ask it what is true.

mod sysroot;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::{debian, install, paths, process};

const USAGE: &str = "usage: cargo xtask godot [--gui]";
const START_LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let set = match args {
        [] => Set::Headless,
        ["--gui"] => Set::Gui,
        _ => bail!(USAGE),
    };
    let Some(engine) = install::or_notice("godot", ensure_set(set))? else { return Ok(()) };
    println!("{}  {}", version(&engine)?, engine.display());
    if set == Set::Gui && from_environment().is_none() {
        println!(
            "{}  (with a display of its own, for screenshots)",
            sysroot::launcher(&dir()).display()
        );
    }
    Ok(())
}

/// A Godot that starts: the one of `GODOT_PATH`, or else ours, installed when it is not there yet.
pub fn ensure() -> Result<PathBuf> {
    ensure_set(Set::Headless)
}

/// A Godot that can draw, installed when there is none yet.
pub fn ensure_with_screen() -> Result<PathBuf> {
    let engine = ensure_set(Set::Gui)?;
    with_screen(&engine).context("GODOT_PATH names a Godot, and there is no screen for it here")
}

/// A Godot that can draw: ours with its own display, where that is installed, or else the given one
/// on the screen of this machine, if it has any.
pub fn with_screen(engine: &Path) -> Option<PathBuf> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if from_environment().is_none() && installed(&dir()) == Some(Set::Gui) {
        return Some(sysroot::launcher(&dir()));
    }
    let needs_server = cfg!(all(unix, not(target_os = "macos")));
    let has_screen = !needs_server || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    has_screen.then(|| engine.to_owned())
}

/// Godot without a window, in an environment that leaves the settings of this machine's user alone.
pub fn headless(engine: &Path) -> Command {
    let mut command = Command::new(engine);
    let home = paths::target().join("tools").join("godot-home");
    command.arg("--headless").env("HOME", &home).env("APPDATA", &home);
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    command
}

/// Which packages an installation has; the later includes the earlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    Headless,
    Gui,
}

impl Set {
    const ALL: [Set; 2] = [Set::Headless, Set::Gui];

    fn name(self) -> &'static str {
        match self {
            Set::Headless => "headless",
            Set::Gui => "gui",
        }
    }

    /// patchelf is for ourselves. The second set is software OpenGL and a virtual display.
    fn packages(self) -> &'static [&'static str] {
        match self {
            Set::Headless => &["godot", "patchelf"],
            Set::Gui => &[
                "godot",
                "patchelf",
                "libgl1-mesa-dri",
                "libgl1",
                "libegl1",
                "libglx-mesa0",
                "libegl-mesa0",
                "xvfb",
                "xkb-data",
                "x11-xkb-utils",
                "fonts-dejavu-core",
            ],
        }
    }
}

fn ensure_set(set: Set) -> Result<PathBuf> {
    if let Some(engine) = from_environment() {
        version(&engine).context("GODOT_PATH does not name a Godot that starts")?;
        return Ok(engine);
    }
    let dir = dir();
    fs::create_dir_all(&dir).with_context(|| format!("could not create {}", dir.display()))?;
    // Two tasks may want it at once; the second one waits and finds it there.
    let lock = File::create(dir.join(".lock"))?;
    lock.lock().context("could not lock the folder of godot")?;
    let engine = sysroot::engine(&dir);
    // Paths inside are absolute: what was moved no longer starts and is installed again.
    if installed(&dir).is_some_and(|have| have >= set) && version(&engine).is_ok() {
        return Ok(engine);
    }
    install_set(&dir, set).with_context(|| {
        format!("could not install godot into {}; GODOT_PATH may name another one", dir.display())
    })?;
    Ok(engine)
}

fn install_set(dir: &Path, set: Set) -> Result<()> {
    eprintln!("installing godot into {}", dir.display());
    let stamp = dir.join(".installed");
    if stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    let archives = debian::download(dir, set.packages())?;
    debian::unpack(dir, &archives)?;
    sysroot::relocate(dir)?;
    version(&sysroot::engine(dir)).context("the installed godot does not start")?;
    debian::discard(dir)?;
    fs::write(stamp, set.name())?;
    Ok(())
}

fn installed(dir: &Path) -> Option<Set> {
    let stamp = fs::read_to_string(dir.join(".installed")).ok()?;
    Set::ALL.into_iter().find(|set| set.name() == stamp)
}

fn version(engine: &Path) -> Result<String> {
    let said = process::capture(headless(engine).arg("--version"), START_LIMIT)?;
    ensure!(said.status.success(), "{} --version: {}", engine.display(), said.tail());
    let version = said.stdout.trim();
    ensure!(version.starts_with("4."), "{} is Godot {version:?}, not 4", engine.display());
    Ok(version.to_owned())
}

fn from_environment() -> Option<PathBuf> {
    std::env::var_os("GODOT_PATH").filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn dir() -> PathBuf {
    paths::target().join("tools").join("godot")
}
