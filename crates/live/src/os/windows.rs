//! What only Windows has: jobs, which keep a program and all that it starts together.
//!
//! A program is started suspended, so that it is in its jobs before it can start another one. Two jobs hold it: one
//! of its own, to end it with what it started, and one of this process. Windows ends what is in that one as soon as
//! its last handle is closed, which happens however this process ends.

#![expect(
    unsafe_code,
    reason = "the standard library knows no jobs, and no small crate starts into one"
)]

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::ptr;
use std::sync::LazyLock;

use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED, OpenThread, ResumeThread,
    THREAD_SUSPEND_RESUME,
};

use super::Owner;

/// What a program has that was ended with its job.
const ENDED: u32 = 1;

/// Holds what ends with this process.
static OURS: LazyLock<io::Result<Job>> = LazyLock::new(|| {
    let job = Job::new()?;
    job.end_when_closed()?;
    Ok(job)
});

/// A program and what it started.
#[derive(Debug)]
pub(crate) struct Group {
    id: u32,
    job: Option<Job>,
}

impl Group {
    /// Start a program with a group of its own.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
        let mut child =
            command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED).spawn()?;
        // Where the process that started us allows no jobs below its own, the program is started all the same.
        let job = Job::around(&child).ok();
        if let Err(error) = resume(child.id()) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(error);
        }
        let id = child.id();
        Ok((child, Self { id, job }))
    }

    /// Whether the system ends it with this process.
    pub(crate) fn ends_with_us(&self) -> bool {
        self.job.is_some()
    }

    /// End the program and all that is in its group.
    pub(crate) fn end(&self) {
        match &self.job {
            Some(job) => job.end(),
            None => end_group(self.id),
        }
    }
}

/// Windows tells an interrupt by the keyboard to a whole group; what stays when we end is to hear of none.
pub(crate) fn lead_a_group(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

pub(crate) fn stand_apart(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

/// Without a job only the system's own program finds what another one started.
pub(crate) fn end_group(id: u32) {
    let mut command = Command::new("taskkill");
    command.args(["/F", "/T", "/PID", &id.to_string()]);
    let null = Stdio::null;
    let _ = command.stdin(null()).stdout(null()).stderr(null()).status();
}

pub(crate) fn owner_of_process(_: u32) -> Owner {
    Owner::Unknown
}

/// What is in a job stays in it, and so does all that it starts.
#[derive(Debug)]
struct Job(OwnedHandle);

impl Job {
    fn new() -> io::Result<Self> {
        // SAFETY: both pointers may be null: the job has no name, and programs inherit no handle to it.
        let handle = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        own(handle).map(Self)
    }

    /// A job of this program alone, inside of ours.
    fn around(child: &Child) -> io::Result<Self> {
        let ours = OURS.as_ref().map_err(|error| io::Error::from(error.kind()))?;
        ours.take(child)?;
        let job = Self::new()?;
        job.take(child)?;
        Ok(job)
    }

    fn end_when_closed(&self) -> io::Result<()> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = size_of_val(&limits) as u32;
        let limits = (&raw const limits).cast();
        // SAFETY: the handle is open, and the limits are what this class takes, of that size.
        let done = unsafe {
            let class = JobObjectExtendedLimitInformation;
            SetInformationJobObject(self.0.as_raw_handle(), class, limits, size)
        };
        succeeded(done)
    }

    fn take(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        let done =
            unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle()) };
        succeeded(done)
    }

    fn end(&self) {
        // SAFETY: the handle is open. Nothing is in the job any more when this fails.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), ENDED) };
    }
}

/// Let a program go on that was started suspended. It has one thread, whose handle the standard library keeps to
/// itself.
fn resume(id: u32) -> io::Result<()> {
    // SAFETY: it takes two numbers.
    let threads = own(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) })?;
    let size = size_of::<THREADENTRY32>() as u32;
    let mut thread = THREADENTRY32 { dwSize: size, ..Default::default() };
    // SAFETY: the handle is open, and the entry says how large it is.
    let mut is_there = unsafe { Thread32First(threads.as_raw_handle(), &raw mut thread) };
    let mut resumed = false;
    while is_there != 0 {
        if thread.th32OwnerProcessID == id {
            // SAFETY: it takes numbers.
            let opened = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, thread.th32ThreadID) };
            let opened = own(opened)?;
            // SAFETY: the handle is open.
            if unsafe { ResumeThread(opened.as_raw_handle()) } == u32::MAX {
                return Err(io::Error::last_os_error());
            }
            resumed = true;
        }
        // SAFETY: as above.
        is_there = unsafe { Thread32Next(threads.as_raw_handle(), &raw mut thread) };
    }
    match resumed {
        true => Ok(()),
        false => Err(io::Error::other("its thread is not to be found")),
    }
}

/// A handle that the system just gave, unless it is one of the two that stand for an error.
fn own(handle: *mut std::ffi::c_void) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is open and nobody else's.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn succeeded(done: i32) -> io::Result<()> {
    match done {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;

    /// Who this program is when a test started it.
    const ROLE: &str = "ROLE_OF_A_TEST";
    /// What has to happen happens within this time, on any machine.
    const PATIENCE: Duration = Duration::from_secs(60);
    /// Longer than any test waits for an end that must not come.
    const SHORT: Duration = Duration::from_millis(500);

    /// This program once more, in a role. All that it starts holds its output open.
    fn program(role: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "os::windows::tests::plays_its_role", "--nocapture"]);
        command.env(ROLE, role).stdin(Stdio::null());
        command
    }

    /// Not a test of its own: what the programs do that the tests start.
    #[test]
    fn plays_its_role() {
        match std::env::var(ROLE).as_deref() {
            // As a script in the place of the engine.
            Ok("engine") => {
                let mut game = program("game").spawn().unwrap();
                game.wait().unwrap();
            }
            Ok("game") => {
                println!("plays");
                std::thread::sleep(Duration::from_secs(600));
            }
            Ok("server") => {
                let _started = Group::spawn(&mut program("engine")).unwrap();
                std::thread::sleep(Duration::from_secs(600));
            }
            Ok("launcher") => {
                let mut command = program("game");
                lead_a_group(&mut command);
                let mut game = command.spawn().unwrap();
                game.wait().unwrap();
            }
            _ => {}
        }
    }

    /// Waits until a game plays, and tells when nothing is left that has the output.
    fn end_of(child: &mut Child) -> Receiver<()> {
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.ends_with("plays\n") {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "no game plays");
        }
        let (over, is_over) = channel();
        std::thread::spawn(move || {
            let _ = output.read_to_end(&mut Vec::new());
            let _ = over.send(());
        });
        is_over
    }

    #[test]
    fn a_group_is_ended_with_what_its_program_started() {
        let (mut child, group) = Group::spawn(program("engine").stdout(Stdio::piped())).unwrap();
        assert!(group.ends_with_us());
        let is_over = end_of(&mut child);
        assert!(is_over.recv_timeout(SHORT).is_err());
        group.end();
        is_over.recv_timeout(PATIENCE).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }

    #[test]
    fn what_a_program_left_behind_is_let_be_while_this_process_lasts() {
        let (mut child, group) = Group::spawn(program("engine").stdout(Stdio::piped())).unwrap();
        let is_over = end_of(&mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_over.recv_timeout(SHORT).is_err());
        group.end();
        is_over.recv_timeout(PATIENCE).unwrap();
    }

    #[test]
    fn a_killed_process_takes_what_it_started_with_it() {
        let mut server = program("server").stdout(Stdio::piped()).spawn().unwrap();
        let is_over = end_of(&mut server);
        server.kill().unwrap();
        server.wait().unwrap();
        is_over.recv_timeout(PATIENCE).unwrap();
    }

    #[test]
    fn what_was_started_to_stay_stays() {
        let mut command = program("launcher");
        // What this test leaves behind ends with its job.
        let (mut launcher, group) = Group::spawn(command.stdout(Stdio::piped())).unwrap();
        let is_over = end_of(&mut launcher);
        launcher.kill().unwrap();
        launcher.wait().unwrap();
        assert!(is_over.recv_timeout(SHORT).is_err());
        group.end();
        is_over.recv_timeout(PATIENCE).unwrap();
    }
}
