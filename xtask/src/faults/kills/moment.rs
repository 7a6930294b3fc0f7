//! The moment of a kill: anywhere in the work, or while the record of a change is there.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::super::environment::CALL_LIMIT;
use super::super::places;
use crate::process::Guard;

/// Between two looks at a project. Without a pause the looking would slow what is looked at.
const LOOK: Duration = Duration::from_micros(50);

/// When to kill.
#[derive(Debug, Clone, Copy)]
pub(super) enum Moment {
    /// So long after the start.
    Anywhere(Duration),
    /// So long after a change has begun.
    UnderWay(Duration),
}

/// How a kill went.
#[derive(Debug)]
pub(super) struct Killed {
    /// A change was left half done.
    pub(super) pending: bool,
}

/// How long work takes when nobody interrupts it.
#[derive(Debug)]
pub(super) struct Pace {
    pub(super) whole: Duration,
    /// The part of it with a change under way.
    pub(super) under_way: Duration,
}

impl Pace {
    pub(super) fn shorter(&self, other: &Pace) -> Pace {
        let under_way = self.under_way.min(other.under_way);
        Pace { whole: self.whole.min(other.whole), under_way }
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Pace { whole, under_way } = self;
        write!(f, "{} ms, {} ms of them under way", whole.as_millis(), under_way.as_millis())
    }
}

/// Let it work to its end and look at the project meanwhile.
pub(super) fn measure(command: &mut Command, project: &Path) -> Result<Pace> {
    let (started, guard) = start(command)?;
    let (mut first, mut last) = (None, started);
    let status = loop {
        if !places::pending(project).is_empty() {
            last = Instant::now();
            first = first.or(Some(last));
        }
        if let Some(status) = guard.child().try_wait()? {
            break status;
        }
        thread::sleep(LOOK);
    };
    ensure!(status.success(), "uninterrupted, it ended with {status}");
    let under_way = first.map_or(Duration::ZERO, |first| last - first);
    // A change that is too short to be seen is aimed at all the same.
    Ok(Pace { whole: started.elapsed(), under_way: under_way.max(Duration::from_millis(1)) })
}

/// Kill it at the moment; it may have ended by then.
pub(super) fn kill(command: &mut Command, project: &Path, moment: Moment) -> Result<Killed> {
    let (started, guard) = start(command)?;
    let wait = match moment {
        Moment::Anywhere(wait) => started + wait,
        Moment::UnderWay(wait) => {
            while places::pending(project).is_empty() && guard.child().try_wait()?.is_none() {
                thread::sleep(LOOK);
            }
            Instant::now() + wait
        }
    };
    thread::sleep(wait.saturating_duration_since(Instant::now()));
    let mut child = guard.child();
    child.kill()?;
    child.wait()?;
    Ok(Killed { pending: !places::pending(project).is_empty() })
}

fn start(command: &mut Command) -> Result<(Instant, Guard)> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok((Instant::now(), Guard::spawn(command, CALL_LIMIT)?))
}
