//! What differs between operating systems when programs are started.

use std::process::Command;

/// What the program starts is in one group with it, so that all of it can be ended.
#[cfg(unix)]
pub(super) fn lead_a_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Windows keeps no such groups.
#[cfg(not(unix))]
pub(super) fn lead_a_group(_: &mut Command) {}
