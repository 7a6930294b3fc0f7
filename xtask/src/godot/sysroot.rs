//! The unpacked packages, and their executables pointed at their own loader and libraries.
//!
//! Starting through the loader would be simpler, but Godot would then take the loader for its own
//! executable, and an editor starts games by that name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::debian::{find, loader, root};
use crate::{install, paths};

/// Where Xvfb looks for `xkbcomp`, and a relative folder of the same length.
const XKB: (&[u8], &[u8]) = (b"\0/usr/bin\0", b"\0./xkbbin\0");

pub(super) fn engine(dir: &Path) -> PathBuf {
    root(dir).join("usr/bin/godot")
}

/// The script that starts Godot on a virtual display.
pub(super) fn launcher(dir: &Path) -> PathBuf {
    dir.join("xgodot")
}

/// Make the executables use what lies beside them.
pub(super) fn relocate(dir: &Path) -> Result<()> {
    let root = root(dir);
    let (loader, libraries) = loader(dir)?;
    let (loader, libraries) = (loader.as_path(), libraries.as_path());
    let patch = |file: &Path, interpreter: bool| {
        // patchelf itself is one of the packages and not relocated: the loader starts it.
        let mut patchelf = Command::new(loader);
        patchelf.arg("--library-path").arg(libraries).arg(root.join("usr/bin/patchelf"));
        if interpreter {
            patchelf.arg("--set-interpreter").arg(loader);
        }
        let search = format!("{0}:{0}/pulseaudio", libraries.display());
        install::quietly(patchelf.args(["--force-rpath", "--set-rpath", &search]).arg(file))
    };
    for name in ["godot", "Xvfb", "xkbcomp"] {
        let file = root.join("usr/bin").join(name);
        if file.exists() {
            patch(&file, true)?;
        }
    }
    // These bring a search path of their own, which would mix in this machine's libraries.
    let stubborn = |name: &str| name.starts_with("libpulse") || name.starts_with("libLLVM");
    for file in find(libraries, stubborn)? {
        if file.is_file() && !file.is_symlink() {
            patch(&file, false)?;
        }
    }
    if root.join("usr/bin/Xvfb").exists() { add_display(dir) } else { Ok(()) }
}

/// A start script for screenshots, and an Xvfb that finds its keyboard compiler without root.
fn add_display(dir: &Path) -> Result<()> {
    let xvfb = root(dir).join("usr/bin/Xvfb");
    let mut bytes = fs::read(&xvfb)?;
    ensure!(replace(&mut bytes, XKB.0, XKB.1) > 0, "this Xvfb starts xkbcomp in some other way");
    fs::write(&xvfb, bytes)?;
    let tools = dir.join("xkbbin");
    fs::create_dir_all(&tools)?;
    let link = tools.join("xkbcomp");
    install::quietly(Command::new("ln").args(["-sfn", "../sysroot/usr/bin/xkbcomp"]).arg(link))?;
    fs::copy(paths::asset("xgodot.sh"), launcher(dir))?;
    install::quietly(Command::new("chmod").arg("+x").arg(launcher(dir)))
}

fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) -> usize {
    debug_assert_eq!(from.len(), to.len(), "an executable keeps its length");
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    for &at in &places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    places.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_every_place_and_keeps_the_length() {
        let mut bytes = b"a\0/usr/bin\0b\0/usr/bin\0/usr/bin/x".to_vec();
        assert_eq!(replace(&mut bytes, XKB.0, XKB.1), 2);
        assert_eq!(bytes, b"a\0./xkbbin\0b\0./xkbbin\0/usr/bin/x");
    }
}
