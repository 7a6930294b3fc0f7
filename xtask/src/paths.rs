//! Where things are. Everything a task writes is below the target folder.

use std::path::PathBuf;

/// The workspace root.
pub(crate) fn root() -> PathBuf {
    xtask().parent().expect("xtask is a folder of the workspace").to_owned()
}

/// A file shipped with xtask, such as the Python scripts.
pub(crate) fn asset(name: &str) -> PathBuf {
    xtask().join("assets").join(name)
}

pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        // Cargo takes a relative folder from where it was called; our cargo calls run in the root.
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

fn xtask() -> PathBuf {
    // Cargo sets it at run time too, and that one survives a moved checkout.
    std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into()).into()
}
