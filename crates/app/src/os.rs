//! What differs between operating systems, in one place.

use std::path::PathBuf;

/// Wait until someone asks the process to end: Ctrl-C anywhere, SIGTERM on Unix.
#[cfg(unix)]
pub(crate) async fn asked_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        },
        Err(_) => {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

/// Wait until someone asks the process to end: Ctrl-C anywhere, SIGTERM on Unix.
#[cfg(windows)]
pub(crate) async fn asked_to_end() {
    let _ = tokio::signal::ctrl_c().await;
}

/// Where the Unity Hub puts editors.
pub(crate) fn unity_editor_folders() -> Vec<PathBuf> {
    if cfg!(windows) {
        let program_files = std::env::var_os("ProgramFiles").map(PathBuf::from);
        return program_files.into_iter().map(|dir| dir.join("Unity/Hub/Editor")).collect();
    }
    if cfg!(target_os = "macos") {
        return vec![PathBuf::from("/Applications/Unity/Hub/Editor")];
    }
    home().into_iter().map(|dir| dir.join("Unity/Hub/Editor")).collect()
}

/// The user's own folder.
pub(crate) fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

/// Where this program may keep what it can make again.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "scenewright").map(|dirs| dirs.cache_dir().to_owned())
}

/// The path of a program on PATH.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let suffix = std::env::consts::EXE_SUFFIX;
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|dir| dir.join(format!("{name}{suffix}")))
        .find(|path| path.is_file())
}
