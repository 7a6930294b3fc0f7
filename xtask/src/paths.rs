//! Where things are. Everything a task writes is below the target folder.

use std::path::{Path, PathBuf};

/// The workspace root.
pub fn root() -> PathBuf {
    // Cargo sets it at run time too, and that one survives a moved checkout.
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let mut folders = Path::new(&package).ancestors();
    let root = folders.find(|folder| folder.join("Cargo.lock").is_file());
    root.expect("the workspace has a lock file").to_owned()
}

/// A file shipped with xtask, such as the Python scripts.
pub fn asset(name: &str) -> PathBuf {
    root().join("xtask").join("assets").join(name)
}

/// Where builds and everything else that can be made again are.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        // Cargo takes a relative folder from where it was called; our cargo calls run in the root.
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}
