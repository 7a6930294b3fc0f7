//! Marks of other programs, as far as the system shows them.

#[cfg(not(target_os = "linux"))]
pub(in crate::lifeline) use elsewhere::{end_children, end_orphans, own, start_of};
#[cfg(target_os = "linux")]
pub(in crate::lifeline) use linux::{end_children, end_orphans, own, start_of};

/// Nobody can be asked for the environment of others.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    pub(crate) fn own() -> Option<String> {
        None
    }

    pub(crate) fn start_of(_: u32) -> Option<u64> {
        None
    }

    pub(crate) fn end_children(_: &str) {}

    pub(crate) fn end_orphans() {}
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::io::Read;
    use std::str::FromStr;
    use std::time::Duration;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use crate::lifeline::marks::VARIABLE;
    use crate::os::{self, Owner};

    /// The system gives no more room for arguments and environment.
    const MAX_ENVIRONMENT: u64 = 8 << 20;
    /// What is found may start more in the moment in which it is ended.
    const ROUNDS: usize = 10;
    const PAUSE: Duration = Duration::from_millis(20);

    /// Who started something.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Mark {
        /// In which space ids count.
        space: String,
        id: u32,
        start: u64,
        /// What leaves it on purpose, as a browser that a game opens does, is let go.
        session: u32,
    }

    impl Mark {
        fn own() -> Option<Self> {
            let id = std::process::id();
            let space = Some(os::process_space()).filter(|space| !space.is_empty())?;
            Some(Self { space, id, start: start_of(id)?, session: session_of(id)? })
        }
    }

    impl std::fmt::Display for Mark {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} {} {} {}", self.space, self.id, self.start, self.session)
        }
    }

    impl FromStr for Mark {
        type Err = ();

        fn from_str(text: &str) -> Result<Self, ()> {
            let mut parts = text.split(' ');
            let mut next = || parts.next().ok_or(());
            let space = next()?.to_owned();
            let mut number = || next()?.parse::<u64>().map_err(|_| ());
            let (id, start, session) = (number()?, number()?, number()?);
            let small = |number: u64| u32::try_from(number).map_err(|_| ());
            Ok(Self { space, id: small(id)?, start, session: small(session)? })
        }
    }

    pub(crate) fn own() -> Option<String> {
        Mark::own().map(|mark| mark.to_string())
    }

    /// When a process began, in ticks of the system.
    pub(crate) fn start_of(id: u32) -> Option<u64> {
        field(id, 19)
    }

    fn session_of(id: u32) -> Option<u32> {
        field(id, 3)
    }

    /// A field of what the system tells of a process, counted after its name, which may hold anything.
    fn field<T: FromStr>(id: u32, number: usize) -> Option<T> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let (_, rest) = text.rsplit_once(')')?;
        rest.split_whitespace().nth(number)?.parse().ok()
    }

    /// End what carries this very mark.
    pub(crate) fn end_children(mark: &str) {
        let Ok(wanted) = mark.parse::<Mark>() else { return };
        end_all(&|found| *found == wanted);
    }

    /// End what carries the mark of a process that is gone.
    pub(crate) fn end_orphans() {
        let space = os::process_space();
        let is_gone = |mark: &Mark| mark.space == space && start_of(mark.id) != Some(mark.start);
        end_all(&is_gone);
    }

    fn end_all(is_wanted: &dyn Fn(&Mark) -> bool) {
        for _ in 0..ROUNDS {
            let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
            let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
            let ended = ids.filter(|id| end(*id, is_wanted)).count();
            if ended == 0 {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// End a process if it is one of those; its number cannot become another's in between.
    fn end(id: u32, is_wanted: &dyn Fn(&Mark) -> bool) -> bool {
        let is_one = || {
            let mark = mark_of(id).filter(|mark| is_wanted(mark));
            mark.is_some_and(|mark| session_of(id) == Some(mark.session))
                && os::owner_of_process(id) == Owner::Us
        };
        if id == std::process::id() || !is_one() {
            return false;
        }
        let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return false };
        let Ok(held) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
        is_one() && pidfd_send_signal(held, Signal::KILL).is_ok()
    }

    fn mark_of(id: u32) -> Option<Mark> {
        let mut environment = Vec::new();
        let file = File::open(format!("/proc/{id}/environ")).ok()?;
        file.take(MAX_ENVIRONMENT).read_to_end(&mut environment).ok()?;
        let variables = environment.split(|byte| *byte == 0);
        let mut values =
            variables.filter_map(|one| one.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"="));
        std::str::from_utf8(values.next()?).ok()?.parse().ok()
    }

    #[cfg(test)]
    mod tests {
        use std::os::unix::process::CommandExt;
        use std::process::{Child, Command};
        use std::time::Instant;

        use super::*;

        fn marked(mark: &Mark) -> Child {
            let mut command = Command::new("sleep");
            command.arg("600").env(VARIABLE, mark.to_string()).process_group(0);
            command.spawn().unwrap()
        }

        fn has_ended(child: &mut Child) -> bool {
            let until = Instant::now() + Duration::from_secs(20);
            while Instant::now() < until {
                if child.try_wait().unwrap().is_some() {
                    return true;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            false
        }

        #[test]
        fn a_mark_is_read_as_it_was_written() {
            let own = Mark::own().unwrap();
            assert_eq!(own.to_string().parse(), Ok(own));
            assert!("pid:[1] 2".parse::<Mark>().is_err());
        }

        #[test]
        fn only_what_a_dead_process_started_is_an_orphan() {
            let own = Mark::own().unwrap();
            let dead = Mark { start: own.start + 1, ..own.clone() };
            let mut orphan = marked(&dead);
            let mut child = marked(&own);
            let other = Mark { space: "pid:[1]".to_owned(), ..dead.clone() };
            let mut elsewhere = marked(&other);
            // It went away on purpose.
            let mut gone = marked(&Mark { session: dead.session + 1, ..dead });
            end_orphans();
            assert!(has_ended(&mut orphan));
            for other in [&mut child, &mut elsewhere, &mut gone] {
                assert!(other.try_wait().unwrap().is_none());
            }
            end_children(&other.to_string());
            assert!(has_ended(&mut elsewhere));
            for other in [&mut child, &mut gone] {
                assert!(other.try_wait().unwrap().is_none());
                other.kill().unwrap();
                other.wait().unwrap();
            }
        }
    }
}
