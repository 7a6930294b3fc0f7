//! What a child process used: wall time, CPU time of all its threads, largest resident size.

use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

/// What one run cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    pub(crate) wall: f64,
    /// Nothing where the system does not tell.
    pub(crate) cpu: Option<f64>,
}

/// Run to the end, its output thrown away.
pub(crate) fn measure(command: &mut Command) -> Result<(Usage, ExitStatus)> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let before = children_cpu();
    let started = Instant::now();
    let status = command.status().with_context(|| format!("{command:?}"))?;
    let wall = started.elapsed().as_secs_f64();
    // The children that were waited for; this process has no others meanwhile.
    let cpu = children_cpu().zip(before).map(|(after, before)| after - before);
    Ok((Usage { wall, cpu }, status))
}

/// CPU seconds of all children that ended, where the system tells it without more ado: Linux, in
/// steps of ten milliseconds.
pub(crate) fn children_cpu() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may hold spaces; behind it the fields are numbered from 3.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / 100.0)
}

/// CPU seconds of the threads that a process has now, where the system tells it: Linux, exactly.
pub(crate) fn threads_cpu(pid: u32) -> Option<f64> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let nanoseconds = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    Some(nanoseconds.sum::<f64>() / 1e9)
}

/// Largest resident size so far, where the system tells it: Linux.
pub(crate) fn peak_mb(pid: u32) -> Option<f64> {
    size_mb(pid, "VmHWM:")
}

/// Resident size now, where the system tells it: Linux.
pub(crate) fn resident_mb(pid: u32) -> Option<f64> {
    size_mb(pid, "VmRSS:")
}

fn size_mb(pid: u32, name: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}
