//! What differs between operating systems, in one place.

use std::path::PathBuf;
use std::process::Command;

/// Listens for a request to end: Ctrl-C anywhere, SIGTERM on Unix, and the end of the terminal where the
/// system tells that nobody wants it ignored (`nohup`). From its making on, such a request no longer
/// kills the process.
#[cfg(unix)]
pub(crate) struct EndSignal {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl EndSignal {
    pub(crate) fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = signal(SignalKind::interrupt())?;
        let terminate = signal(SignalKind::terminate())?;
        let hang_up = ends_with_its_terminal().then(|| signal(SignalKind::hangup())).transpose()?;
        Ok(Self { interrupt, terminate, hang_up })
    }

    pub(crate) async fn wait(&mut self) {
        let hang_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hang_up => {}
        }
    }
}

/// Whether SIGHUP would end this process: not under `nohup`. Where that cannot be told, the signal does
/// what it always did, and the watchdog ends what was started.
#[cfg(unix)]
fn ends_with_its_terminal() -> bool {
    /// SIGHUP is the first signal, and the lowest bit of those that are ignored.
    const HANG_UP: u64 = 1;
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored & HANG_UP == 0)
}

/// This very program, to watch over what it starts.
pub fn watchdog() -> std::io::Result<Command> {
    // The program may have been replaced by a newer one meanwhile.
    let own = PathBuf::from("/proc/self/exe");
    let program = match cfg!(target_os = "linux") && own.exists() {
        true => own,
        false => std::env::current_exe()?,
    };
    let mut command = Command::new(program);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut command, "scenewright");
    command.arg("watchdog");
    Ok(command)
}

/// Listens for a request to end: Ctrl-C, and the closing of the console window.
#[cfg(windows)]
pub(crate) struct EndSignal {
    interrupt: tokio::signal::windows::CtrlC,
    close: tokio::signal::windows::CtrlClose,
}

#[cfg(windows)]
impl EndSignal {
    pub(crate) fn new() -> std::io::Result<Self> {
        use tokio::signal::windows::{ctrl_c, ctrl_close};
        Ok(Self { interrupt: ctrl_c()?, close: ctrl_close()? })
    }

    pub(crate) async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.close.recv() => {}
        }
    }
}

/// From now on a file that would become larger than the process may make it is an error of the
/// write, not the end of the process. Programs that we start are not changed by it.
#[cfg(unix)]
pub fn survive_file_limits() {
    use tokio::signal::unix::{SignalKind, signal};
    /// SIGXFSZ, which has this number wherever Linux, macOS and the BSDs run today.
    const TOO_LARGE: i32 = 25;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let handled = runtime.and_then(|runtime| {
        let _context = runtime.enter();
        signal(SignalKind::from_raw(TOO_LARGE)).map(drop)
    });
    if let Err(error) = handled {
        tracing::debug!(%error, "a limit on the size of files would end the process");
    }
}

/// From now on an interrupt by the keyboard does not end this process: it is meant for the pager that
/// it waits for, which would be left behind on the terminal.
#[cfg(unix)]
pub(crate) fn leave_interrupts_to_others() {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let handled = runtime.and_then(|runtime| {
        let _context = runtime.enter();
        signal(SignalKind::interrupt()).map(drop)
    });
    if let Err(error) = handled {
        tracing::debug!(%error, "an interrupt would end this process before its pager");
    }
}

/// A console tells all its programs, and pagers there end by themselves.
#[cfg(not(unix))]
pub(crate) fn leave_interrupts_to_others() {}

/// There is no such limit.
#[cfg(not(unix))]
pub fn survive_file_limits() {}

/// From now on memory is kept in as many heaps as there are cores, and what is large goes back to the system as soon as
/// it is freed. Eight times as many heaps are usual, each with holes of its own, and one large file that was read raises
/// the size from which memory goes back.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no kept crate asks for it")]
pub fn keep_memory_small() {
    /// Reading a file of this size takes longer than asking for its memory.
    const LARGE: libc::c_int = 256 << 10;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let heaps = libc::c_int::try_from(cores).unwrap_or(libc::c_int::MAX);
    // SAFETY: they take two numbers each, and no other thread allocates before the first one is started.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, heaps.max(2));
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// The allocators of other systems have none of their own for each thread.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn keep_memory_small() {}

/// Gives what was freed back to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no kept crate asks for it")]
pub(crate) fn give_back_memory() {
    // SAFETY: it takes no pointer, and may be called at any time from any thread.
    unsafe { libc::malloc_trim(0) };
}

/// The allocators of other systems do it by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_memory() {}

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

/// Where the system keeps the settings of programs.
pub(crate) fn settings_folder() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.config_dir().to_owned())
}

/// The same, but on macOS where the system keeps preferences.
pub(crate) fn preferences_folder() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.preference_dir().to_owned())
}

/// Where the program keeps what a person would miss.
pub(crate) fn data_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "scenewright").map(|dirs| dirs.data_dir().to_owned())
}

/// Where this program keeps the history of its changes.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "scenewright")?;
    Some(dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).to_owned())
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
