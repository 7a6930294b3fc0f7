//! What differs by system; nothing else here names one.

use std::path::Path;

use anyhow::Result;

/// Let a file be started as a program.
#[cfg(unix)]
pub(crate) fn make_runnable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}

/// Here the name of a file says whether it is a program.
#[cfg(not(unix))]
pub(crate) fn make_runnable(_: &Path) -> Result<()> {
    Ok(())
}
