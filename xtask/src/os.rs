//! What differs by system; nothing else here names one.

#[cfg(unix)]
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Say who may do what with a file or folder.
#[cfg(unix)]
pub(crate) fn allow(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// There are no such rights here.
#[cfg(not(unix))]
pub(crate) fn allow(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Make a link; a system without them has one way out fewer.
#[cfg(unix)]
pub(crate) fn link(to: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, path)
}

/// Make a link; a system without them has one way out fewer.
#[cfg(not(unix))]
pub(crate) fn link(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// A command that ends when its terminal goes, also where this program was started with `nohup`, which its children
/// inherit.
#[cfg(target_os = "linux")]
pub(crate) fn heeding_hangups(program: &Path) -> Command {
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP").arg(program);
    command
}

/// The command as it is.
#[cfg(not(target_os = "linux"))]
pub(crate) fn heeding_hangups(program: &Path) -> Command {
    Command::new(program)
}

/// Let two things change places in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// That takes more than one step here.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether other users can be had.
#[cfg(target_os = "linux")]
pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Whether other users can be had.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_root() -> bool {
    false
}

/// Start a command as another user.
#[cfg(unix)]
pub(crate) fn become_user(command: &mut Command, uid: u32) {
    use std::os::unix::process::CommandExt;
    command.uid(uid).gid(uid);
}

/// There are no users by number here.
#[cfg(not(unix))]
pub(crate) fn become_user(_: &mut Command, _: u32) {}

/// Give a file or folder to another user.
#[cfg(unix)]
pub(crate) fn give(path: &Path, uid: u32) -> io::Result<()> {
    std::os::unix::fs::lchown(path, Some(uid), Some(uid))
}

/// There are no users by number here.
#[cfg(not(unix))]
pub(crate) fn give(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// End a process by its id, as a crash would.
#[cfg(unix)]
pub(crate) fn end(pid: u32) {
    let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).output();
}

/// End a process by its id, as a crash would.
#[cfg(not(unix))]
pub(crate) fn end(pid: u32) {
    let _ = Command::new("taskkill").args(["/F", "/PID", &pid.to_string()]).output();
}

/// Have a command lead a group of its own, so that what it starts can be ended with it.
#[cfg(unix)]
pub(crate) fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// What it starts is found by its parent here.
#[cfg(not(unix))]
pub(crate) fn lead_group(_: &mut Command) {}

/// End the group that a process leads. It must not have been waited for: then its id may be another one's.
#[cfg(unix)]
pub(crate) fn end_group(leader: u32) {
    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{leader}")]).output();
}

/// End a process and what it started.
#[cfg(not(unix))]
pub(crate) fn end_group(leader: u32) {
    let _ = Command::new("taskkill").args(["/F", "/T", "/PID", &leader.to_string()]).output();
}

/// End every process that has a variable with this value in its environment, daemons too.
#[cfg(target_os = "linux")]
pub(crate) fn end_marked(name: &str, value: &str) {
    let mark = format!("{name}={value}");
    let has_mark = |folder: &Path| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == mark.as_bytes())
    };
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = process.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(id) = id.filter(|_| has_mark(&process.path())) {
            end(id);
        }
    }
}

/// The system does not tell.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_marked(_: &str, _: &str) {}

/// Who may do what with a file, as far as the system tells.
#[cfg(unix)]
pub(crate) fn mode(path: &Path) -> io::Result<Option<u32>> {
    use std::os::unix::fs::PermissionsExt;
    Ok(Some(fs::metadata(path)?.permissions().mode() & 0o777))
}

/// There are no such rights here.
#[cfg(not(unix))]
pub(crate) fn mode(_: &Path) -> io::Result<Option<u32>> {
    Ok(None)
}
