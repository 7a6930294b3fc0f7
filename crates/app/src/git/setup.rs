//! Git told of the driver: `.gitattributes`, `merge.*` and `diff.*`, and all of it taken back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use scenewright_text::write_whole;

use super::{ask, own_git, top};
use crate::cli::{GitScope, MergeBaseIn};
use crate::os;
use crate::term::{line, note};

const BEGIN: &str = "# scenewright: merge and diff by object and field (scenewright git install)";
const END: &str = "# scenewright: end";
const SECTIONS: [&str; 3] = ["merge.scenewright", "diff.scenewright", "mergetool.scenewright"];
/// The files beside those in conflict.
const LEFT_OUT: &str = "*.conflict.json";
/// What Godot and Unity write as text, beside [`scenewright_merge::UNITY`].
const OTHERS: [&str; 11] = [
    "*.tscn",
    "*.tres",
    "*.escn",
    "project.godot",
    "*.import",
    "export_presets.cfg",
    "*.asmdef",
    "*.asmref",
    "*.inputactions",
    "**/Packages/manifest.json",
    "**/Packages/packages-lock.json",
];

/// Writes attributes and configuration.
pub(super) fn install(scope: &GitScope) -> Result<ExitCode> {
    let attributes = attributes_file(scope)?;
    let before = read(&attributes)?;
    let after = with_block(&before);
    if after != before {
        write_whole(&attributes, &after).with_context(|| format!("{}", attributes.display()))?;
    }
    if !scope.global {
        leave_out(scope, true)?;
    }
    let program = program()?;
    for (key, value) in settings(&program) {
        config(scope, &[&key, &value])?;
    }
    line(&format!("git merges and shows scenes with {program}"));
    line(&format!("  {}", attributes.display()));
    let whose = if scope.global { "all repositories of this user" } else { "this clone" };
    line(&format!("  merge.scenewright, diff.scenewright, mergetool.scenewright for {whose}"));
    if !scope.global {
        line("Commit .gitattributes; everybody else runs `scenewright git install` once.");
    }
    Ok(ExitCode::SUCCESS)
}

/// Takes attributes and configuration back.
pub(super) fn uninstall(scope: &GitScope) -> Result<ExitCode> {
    let attributes = attributes_file(scope)?;
    let before = read(&attributes)?;
    let after = without_block(&before);
    if after.is_empty() && !before.is_empty() {
        #[allow(clippy::disallowed_methods, reason = "nothing but our own lines was in it")]
        fs::remove_file(&attributes)?;
    } else if after != before {
        write_whole(&attributes, &after)?;
    }
    if !scope.global {
        leave_out(scope, false)?;
    }
    for section in SECTIONS {
        // It is an error when there is none, and that is what is wanted.
        let mut command = own_git(scope.repository.as_deref());
        command.arg("config");
        if scope.global {
            command.arg("--global");
        }
        command.args(["--remove-section", section]).output().context("git cannot be started")?;
    }
    line("git merges scenes by line again");
    Ok(ExitCode::SUCCESS)
}

/// What is known about conflicts is for this clone only: git does not see it, so that nobody commits it.
fn leave_out(scope: &GitScope, is_on: bool) -> Result<()> {
    let folder = scope.repository.as_deref();
    let file = ask(folder, &["rev-parse", "--git-path", "info/exclude"])?;
    let file = folder.map_or_else(|| PathBuf::from(&file), |folder| folder.join(&file));
    let before = read(&file)?;
    let after = with_line(&before, LEFT_OUT, is_on);
    if after != before {
        write_whole(&file, &after).with_context(|| format!("{}", file.display()))?;
    }
    Ok(())
}

/// A text file of git's; nothing when there is none. One that cannot be read is not written over.
fn read(file: &Path) -> Result<String> {
    match fs::read_to_string(file) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("{} cannot be read", file.display())),
    }
}

/// The text with a line once, where it was or at the end, or without it; the others as they are.
fn with_line(text: &str, wanted: &str, is_on: bool) -> String {
    let is_it = |line: &&str| line.trim_end_matches(['\r', '\n']) == wanted;
    match (is_on, text.split_inclusive('\n').any(|line| is_it(&line))) {
        (true, true) => text.to_owned(),
        (true, false) => {
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            format!("{text}{gap}{wanted}\n")
        }
        (false, _) => text.split_inclusive('\n').filter(|line| !is_it(line)).collect(),
    }
}

/// Tells whether everything is set up: exit code 1 when something is not.
pub(super) fn check(scope: &GitScope) -> Result<ExitCode> {
    let mut missing = Vec::new();
    for (key, value) in settings(&program()?) {
        match ask(scope.repository.as_deref(), &["config", "--get", &key]) {
            Ok(found) if found == value => {}
            Ok(_) => missing.push(format!("{key} is another one")),
            Err(_) => missing.push(format!("{key} is not set")),
        }
    }
    if !scope.global {
        let names = ["a.unity", "a.prefab", "a.tscn", "project.godot"];
        let mut args = vec!["check-attr", "merge", "--"];
        args.extend(names);
        let found = ask(scope.repository.as_deref(), &args)?;
        for line in found.lines().filter(|line| !line.ends_with(": scenewright")) {
            missing.push(format!("the attribute of {line}"));
        }
    }
    if missing.is_empty() {
        line("git merges and shows scenes with this program");
        return Ok(ExitCode::SUCCESS);
    }
    missing.iter().for_each(|missing| note(missing));
    note("run `scenewright git install`");
    Ok(ExitCode::FAILURE)
}

/// Merges a branch with the driver, whether or not it is installed.
pub(super) fn merge_base_in(options: &MergeBaseIn) -> Result<ExitCode> {
    let folder = options.repository.as_deref();
    let attributes = std::env::temp_dir()
        .join(format!("scenewright-attributes-{}", scenewright_text::random_name()?));
    write_whole(&attributes, with_block(""))?;
    let mut command = own_git(folder);
    for (key, value) in settings(&program()?) {
        command.arg("-c").arg(format!("{key}={value}"));
    }
    command.arg("-c").arg(format!("core.attributesFile={}", attributes.display()));
    let status = command.args(["merge", "--no-edit", "--", &options.branch]).status();
    #[allow(clippy::disallowed_methods, reason = "a scratch file of ours")]
    let _ = fs::remove_file(&attributes);
    let status = status.context("git cannot be started")?;
    if status.success() {
        line("push it: then nothing is left to merge on the server");
    }
    Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(2)).unwrap_or(2)))
}

/// What git is told. Should the program be gone, the shell merges by line, for git itself would take
/// ours without a word.
fn settings(program: &str) -> Vec<(String, String)> {
    let driver = format!(
        "if command -v {program} >/dev/null 2>&1; then {program} git merge-driver %O %A %B %P --marker-size %L; \
         else git merge-file -L ours -L base -L theirs %A %O %B; fi"
    );
    [
        ("merge.scenewright.name", "scenes by object and field (scenewright)".to_owned()),
        ("merge.scenewright.driver", driver),
        // The base of a criss-cross merge is taken from one side, and not full of conflicts.
        ("merge.scenewright.recursive", "binary".to_owned()),
        ("diff.scenewright.textconv", format!("{program} git textconv")),
        ("diff.scenewright.cachetextconv", "true".to_owned()),
        (
            "mergetool.scenewright.cmd",
            format!("{program} merge \"$BASE\" \"$LOCAL\" \"$REMOTE\" --path \"$MERGED\" --output \"$MERGED\""),
        ),
        ("mergetool.scenewright.trustExitCode", "true".to_owned()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

/// This program, quoted for the shell that git runs.
fn program() -> Result<String> {
    let path = std::env::current_exe().context("where this program is")?;
    let text = path.to_str().context("the path of this program is no text")?.replace('\\', "/");
    Ok(format!("'{}'", text.replace('\'', "'\\''")))
}

fn config(scope: &GitScope, args: &[&str]) -> Result<String> {
    let mut all = vec!["config"];
    if scope.global {
        all.push("--global");
    }
    all.extend(args);
    ask(scope.repository.as_deref(), &all)
}

/// The file of attributes: that of the repository, or that of the user.
fn attributes_file(scope: &GitScope) -> Result<PathBuf> {
    if !scope.global {
        return Ok(top(scope.repository.as_deref())?.join(".gitattributes"));
    }
    if let Ok(named) =
        ask(None, &["config", "--global", "--type=path", "--get", "core.attributesFile"])
    {
        return Ok(PathBuf::from(named));
    }
    let folder = match std::env::var_os("XDG_CONFIG_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => os::home().context("there is no home folder")?.join(".config"),
    };
    Ok(folder.join("git").join("attributes"))
}

/// The text with our lines in it once, at the place where they were.
fn with_block(text: &str) -> String {
    let mut block = format!("{BEGIN}\n");
    let unity = scenewright_merge::UNITY.iter().map(|extension| format!("*.{extension}"));
    for name in unity.chain(OTHERS.map(str::to_owned)) {
        block += &format!("{name} merge=scenewright diff=scenewright\n");
    }
    block += &format!("{END}\n");
    if let Some((before, after)) = split(text) {
        return format!("{before}{block}{after}");
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}{block}")
}

fn without_block(text: &str) -> String {
    split(text).map_or_else(|| text.to_owned(), |(before, after)| format!("{before}{after}"))
}

/// What is before and behind our lines.
fn split(text: &str) -> Option<(&str, &str)> {
    let start = text.find(BEGIN)?;
    let end = start + text[start..].find(END)? + END.len();
    let after = &text[end..];
    Some((&text[..start], after.strip_prefix("\r\n").or(after.strip_prefix('\n')).unwrap_or(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_and_goes_and_others_keep_their_bytes() {
        let own = "# of mine\r\n*.tmp\r\nlast";
        let with = with_line(own, LEFT_OUT, true);
        assert_eq!(with, "# of mine\r\n*.tmp\r\nlast\n*.conflict.json\n");
        assert_eq!(with_line(&with, LEFT_OUT, true), with);
        assert_eq!(with_line(&with, LEFT_OUT, false), "# of mine\r\n*.tmp\r\nlast\n");
    }

    #[test]
    fn what_cannot_be_read_is_not_written_over() {
        let folder = scenewright_fixture::Folder::empty();
        folder.write("attributes", b"caf\xe9 text\n".as_slice());
        assert!(read(&folder.path("attributes")).is_err());
        assert_eq!(read(&folder.path("none")).unwrap(), "");
    }

    #[test]
    fn our_lines_come_and_go_and_others_stay() {
        let own = "*.png filter=lfs\n*.unity eol=lf";
        let with = with_block(own);
        assert!(with.starts_with("*.png filter=lfs\n*.unity eol=lf\n# scenewright"));
        assert_eq!(with_block(&with), with);
        assert_eq!(without_block(&with), "*.png filter=lfs\n*.unity eol=lf\n");
        assert_eq!(
            without_block(&format!("{with}*.x y\n")),
            "*.png filter=lfs\n*.unity eol=lf\n*.x y\n"
        );
    }
}
