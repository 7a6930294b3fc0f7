//! What differs between operating systems: how programs are started and ended, and what the system tells
//! of files, processes and sockets.

use std::process::Command;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

#[cfg(windows)]
mod windows;

pub(crate) use system::Group;

/// What the program starts is in one group with it, and what ends other groups leaves this one alone.
pub(crate) fn lead_a_group(command: &mut Command) {
    system::lead_a_group(command);
}

/// What ends other programs of a terminal leaves this one alone.
pub(crate) fn stand_apart(command: &mut Command) {
    system::stand_apart(command);
}

/// End a program that leads a group, and all that is in it.
pub(crate) fn end_group(id: u32) {
    system::end_group(id);
}

/// Whose something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    windows,
    expect(dead_code, reason = "Windows is not asked; everything there is unknown")
)]
pub(crate) enum Owner {
    /// This user.
    Us,
    /// Somebody else.
    Other,
    /// There is no such thing.
    Nobody,
    /// The system does not tell.
    Unknown,
}

/// Whose process has an id. One that ended is nobody's, also while its parent has not heard of it.
pub(crate) fn owner_of_process(id: u32) -> Owner {
    system::owner_of_process(id)
}

/// Who listens on a port of the loopback address. Only Linux tells.
pub(crate) fn owner_of_port(port: u16) -> Owner {
    #[cfg(target_os = "linux")]
    return linux::owner_of_port(port);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = port;
        Owner::Unknown
    }
}

/// In which space process ids count here; empty where there is only one.
pub(crate) fn process_space() -> String {
    #[cfg(target_os = "linux")]
    return linux::process_space();
    #[cfg(not(target_os = "linux"))]
    String::new()
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, kill_process_group};

    /// A program and what it started.
    #[derive(Debug)]
    pub(crate) struct Group {
        id: u32,
    }

    impl Group {
        /// Start a program with a group of its own.
        pub(crate) fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
            lead_a_group(command);
            let child = command.spawn()?;
            let id = child.id();
            Ok((child, Self { id }))
        }

        /// Whether the system ends it with this process.
        pub(crate) fn ends_with_us(&self) -> bool {
            false
        }

        /// End the program and all that is in its group.
        pub(crate) fn end(&self) {
            end_group(self.id);
        }
    }

    pub(super) fn lead_a_group(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) use lead_a_group as stand_apart;

    pub(super) fn end_group(id: u32) {
        if let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            // It may have ended meanwhile.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }

    #[cfg(target_os = "linux")]
    pub(super) use super::linux::owner_of_process;

    #[cfg(not(target_os = "linux"))]
    pub(super) fn owner_of_process(id: u32) -> super::Owner {
        use super::Owner;
        use rustix::io::Errno;
        use rustix::process::test_kill_process;
        let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) else {
            return Owner::Nobody;
        };
        match test_kill_process(id) {
            Ok(()) => Owner::Us,
            Err(Errno::PERM) => Owner::Other,
            Err(Errno::SRCH) => Owner::Nobody,
            Err(_) => Owner::Unknown,
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::io::{Read, Result};

    use super::Owner;

    /// Of a machine with some ten thousand connections.
    const MAX_TABLE: u64 = 64 << 20;
    /// A socket that listens.
    const LISTENS: &str = "0A";

    pub(crate) fn owner_of_process(id: u32) -> Owner {
        let status = match fs::read_to_string(format!("/proc/{id}/status")) {
            Ok(status) => status,
            // Without a table of processes nothing is known of any.
            Err(_) if fs::metadata("/proc/self/status").is_err() => return Owner::Unknown,
            Err(_) => return Owner::Nobody,
        };
        let field = |name: &str| {
            let mut lines = status.lines().filter_map(|line| line.strip_prefix(name));
            lines.next().and_then(|rest| rest.split_whitespace().next())
        };
        match (field("State:"), field("Uid:")) {
            (Some("Z" | "X"), _) => Owner::Nobody,
            (_, Some(uid)) => whose(uid),
            _ => Owner::Unknown,
        }
    }

    pub(super) fn owner_of_port(port: u16) -> Owner {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].map(read);
        let mut found = Owner::Unknown;
        for table in tables.into_iter().flatten() {
            for uid in listeners(&table, port) {
                match whose(uid) {
                    Owner::Us => found = Owner::Us,
                    // Whoever it is that the system would let us talk to.
                    other => return other,
                }
            }
        }
        // Some systems show an empty table, so that nothing found is nothing known.
        found
    }

    /// Who has a socket that takes connections to a port of 127.0.0.1.
    pub(super) fn listeners(table: &str, port: u16) -> impl Iterator<Item = &str> {
        table.lines().filter_map(move |line| {
            let fields: Vec<&str> = line.split_whitespace().take(8).collect();
            let (address, at) = fields.get(1)?.split_once(':')?;
            let is_there = u16::from_str_radix(at, 16) == Ok(port) && *fields.get(3)? == LISTENS;
            let address = address.strip_prefix("0000000000000000FFFF0000").unwrap_or(address);
            // Of the other addresses of 127.0.0.0/8 none is the one that is announced.
            let is_ours = matches!(address, "0100007F" | "7F000001")
                || address.bytes().all(|digit| digit == b'0');
            (is_there && is_ours).then(|| fields.get(7).copied()).flatten()
        })
    }

    fn whose(uid: &str) -> Owner {
        match uid.parse() == Ok(rustix::process::geteuid().as_raw()) {
            true => Owner::Us,
            false => Owner::Other,
        }
    }

    fn read(path: &str) -> Result<String> {
        let mut text = String::new();
        File::open(path)?.take(MAX_TABLE).read_to_string(&mut text)?;
        Ok(text)
    }

    pub(super) fn process_space() -> String {
        let name = fs::read_link("/proc/self/ns/pid");
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_that_ended_is_nobodys() {
        assert_eq!(owner_of_process(std::process::id()), Owner::Us);
        let mut child = Command::new("true").spawn().unwrap();
        let id = child.id();
        // Not yet waited for, it is still in the table.
        let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while owner_of_process(id) == Owner::Us && std::time::Instant::now() < until {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(owner_of_process(id), Owner::Nobody);
        child.wait().unwrap();
        assert_eq!(owner_of_process(0), Owner::Nobody);
    }

    #[test]
    fn who_listens_is_read_from_the_tables_of_both_families() {
        let row = |local: &str, state: &str, uid: u32| {
            format!(
                "   0: {local}:1F90 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  {uid}        0 7 1"
            )
        };
        let found = |local: &str, state: &str| {
            linux::listeners(&row(local, state, 7), 8080).map(str::to_owned).collect::<Vec<_>>()
        };
        for local in ["0100007F", "00000000", "0000000000000000FFFF00000100007F"] {
            assert_eq!(found(local, "0A"), ["7"], "{local}");
        }
        assert_eq!(found("00000000000000000000000000000000", "0A"), ["7"]);
        assert!(found("0100007F", "01").is_empty(), "a connection is no listener");
        assert!(found("0200007F", "0A").is_empty(), "another address");
        assert_eq!(linux::listeners(&row("0100007F", "0A", 7), 8081).count(), 0);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        assert_eq!(owner_of_port(listener.local_addr().unwrap().port()), Owner::Us);
    }
}
