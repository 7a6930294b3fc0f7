//! What the program does on a terminal and nowhere else. Only Unix has one that a test can make.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use scenewright_fixture::{Folder, copy, sample};

use super::command;

/// What a person sees who types this, with a pager that says that it is one.
fn see(args: &[&str], variables: &[(&str, &str)]) -> String {
    let folder = Folder::empty();
    copy(&sample("godot"), &folder.path("game"));
    folder.write("pager", "#!/bin/sh\necho PAGED\ncat\n");
    std::process::Command::new("chmod").arg("+x").arg(folder.path("pager")).status().unwrap();
    let mut command = command(&folder.path("game"));
    command.args(args).env("PAGER", folder.path("pager")).envs(variables.iter().copied());
    let (code, seen) = typing(command, "");
    assert_eq!(code, Some(0));
    seen
}

/// What a person sees who starts this on a terminal and types that, and how it ends.
pub(crate) fn typing(mut command: Command, typed: &str) -> (Option<i32>, String) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let ours = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let size = rustix::termios::Winsize { ws_row: 24, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&ours, size).unwrap();
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LESS"] {
        if !command.get_envs().any(|(set, value)| set == name && value.is_some()) {
            command.env_remove(name);
        }
    }
    if !command.get_envs().any(|(set, _)| set == "TERM") {
        command.env("TERM", "xterm");
    }
    let stdio = || Stdio::from(ours.try_clone().unwrap());
    let mut child = command.stdin(stdio()).stdout(stdio()).stderr(stdio()).spawn().unwrap();
    // The terminal ends when nobody has it open any more.
    drop((command, ours));
    let mut terminal = File::from(terminal);
    terminal.write_all(typed.as_bytes()).unwrap();
    let reading = std::thread::spawn(move || {
        let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = terminal.read(&mut buffer) {
            seen.extend_from_slice(&buffer[..count]);
        }
        String::from_utf8_lossy(&seen).replace("\r\n", "\n")
    });
    let code = child.wait().unwrap().code();
    (code, reading.join().unwrap())
}

#[test]
fn long_answers_have_a_pager_and_short_ones_none() {
    let long = see(&["tools"], &[]);
    assert!(long.starts_with("PAGED\n") && long.contains("project.info"), "{long}");
    let short = see(&["tools", "list", "batch"], &[]);
    assert!(!short.contains("PAGED") && short.contains("batch.setProperty"), "{short}");
    for (args, variables) in [
        (&["tools", "--no-pager"][..], &[][..]),
        (&["tools"], &[("PAGER", "cat")]),
        (&["tools"], &[("PAGER", "")]),
        (&["tools"], &[("PAGER", "/nowhere/to/be/found")]),
    ] {
        let seen = see(args, variables);
        assert!(!seen.contains("PAGED") && seen.contains("project.info"), "{args:?} {variables:?}");
    }
}

#[test]
fn a_terminal_has_colours_and_changes_by_object() {
    let add = [
        "call",
        "add_node",
        "--dry-run",
        "scenePath=scenes/main.tscn",
        "nodeType=Timer",
        "nodeName=A",
        "--no-pager",
    ];
    let seen = see(&add, &[]);
    assert!(seen.contains("\x1b[32m  + A\x1b[0m") && !seen.contains("[node"), "{seen}");
    for no in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
        let seen = see(&add, &[no]);
        assert!(seen.contains("\n  + A") && !seen.contains('\x1b'), "{no:?} {seen}");
    }
    let json = see(&[&add[..], &["--format", "json"]].concat(), &[]);
    assert!(json.contains("\"diff\": \"--- a/scenes/main.tscn"), "{json}");
}
