//! Git told of the driver: `.gitattributes`, `merge.*` and `diff.*`, and all of it taken back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use scenewright_git::{Config, Repository};
use scenewright_text::write_whole;

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
    let place = Place::of(scope)?;
    let attributes = place.attributes_file()?;
    let before = read(&attributes)?;
    let after = with_block(&before);
    if after != before {
        write_whole(&attributes, &after).with_context(|| format!("{}", attributes.display()))?;
    }
    place.leave_out(true)?;
    let program = program()?;
    for (key, value) in settings(&program) {
        place.config().set(&key, &value)?;
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
    let place = Place::of(scope)?;
    let attributes = place.attributes_file()?;
    let before = read(&attributes)?;
    let after = without_block(&before);
    if after.is_empty() && !before.is_empty() {
        #[allow(clippy::disallowed_methods, reason = "nothing but our own lines was in it")]
        fs::remove_file(&attributes)?;
    } else if after != before {
        write_whole(&attributes, &after)?;
    }
    place.leave_out(false)?;
    for section in SECTIONS {
        place.config().remove_section(section)?;
    }
    line("git merges scenes by line again");
    Ok(ExitCode::SUCCESS)
}

/// Where git is told: the repository of a clone, or nothing for all of a user.
struct Place(Option<Repository>);

impl Place {
    fn of(scope: &GitScope) -> Result<Place> {
        if scope.global {
            return Ok(Place(None));
        }
        let folder = scope.repository.clone().unwrap_or_else(|| PathBuf::from("."));
        let repository =
            Repository::of(&folder).context("this is not the work tree of a repository")?;
        Ok(Place(Some(repository)))
    }

    fn config(&self) -> Config<'_> {
        self.0.as_ref().map_or(Config::User, Config::Clone)
    }

    /// The file of attributes: that of the repository, or that of the user.
    fn attributes_file(&self) -> Result<PathBuf> {
        if let Some(repository) = &self.0 {
            return Ok(repository.top().join(".gitattributes"));
        }
        if let Some(named) = Config::attributes_file()? {
            return Ok(named);
        }
        let folder = match std::env::var_os("XDG_CONFIG_HOME") {
            Some(folder) => PathBuf::from(folder),
            None => os::home().context("there is no home folder")?.join(".config"),
        };
        Ok(folder.join("git").join("attributes"))
    }

    /// What is known about conflicts is for this clone only: git does not see it, so that nobody commits it.
    fn leave_out(&self, is_on: bool) -> Result<()> {
        let Some(repository) = &self.0 else { return Ok(()) };
        let file = repository.common_dir().join("info").join("exclude");
        let before = read(&file)?;
        let after = with_line(&before, LEFT_OUT, is_on);
        if after != before {
            write_whole(&file, &after).with_context(|| format!("{}", file.display()))?;
        }
        Ok(())
    }
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
    let place = Place::of(scope)?;
    let missing = missing(&place)?;
    if missing.is_empty() {
        line("git merges and shows scenes with this program");
        return Ok(ExitCode::SUCCESS);
    }
    missing.iter().for_each(|missing| note(missing));
    note("run `scenewright git install`");
    Ok(ExitCode::FAILURE)
}

/// What is not as it would be installed now.
fn missing(place: &Place) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for (key, value) in settings(&program()?) {
        match place.config().get(&key)? {
            Some(found) if found == value => {}
            Some(found) if is_unsafe(&key, &found) => missing.push(format!("{key} is {OLDER}")),
            Some(_) => missing.push(format!("{key} is another one")),
            None => missing.push(format!("{key} is not set")),
        }
    }
    if let Some(repository) = &place.0 {
        let names = ["a.unity", "a.prefab", "a.tscn", "project.godot"];
        let args: Vec<&str> = ["check-attr", "merge", "--"].into_iter().chain(names).collect();
        let found = repository.ask(repository.top(), &args)?;
        let found = String::from_utf8_lossy(&found);
        for line in found.lines().filter(|line| !line.ends_with(": scenewright")) {
            missing.push(format!("the attribute of {line}"));
        }
    }
    Ok(missing)
}

/// What is dangerous about the driver that is set up in the repository of a folder, or for this user.
pub(super) fn problem(folder: Option<&Path>) -> Option<String> {
    // Where git cannot be asked, it merges nothing either.
    let repository = match folder {
        Some(folder) => Some(Repository::around(folder).ok()??),
        None => None,
    };
    let (key, option) =
        ("merge.scenewright.driver", if folder.is_some() { "" } else { " --global" });
    let found = Place(repository).config().get(key).ok()??;
    is_unsafe(key, &found)
        .then(|| format!("{key} is {OLDER}; run `scenewright git install{option}` again"))
}

/// What is said of the driver line of 0.1.0.
const OLDER: &str = "that of an older version: it has no `--` before the paths, so that a path that begins with - \
                     was taken for an option";

/// Whether a setting is the driver without `--` before its paths, as 0.1.0 wrote it.
fn is_unsafe(key: &str, value: &str) -> bool {
    key == "merge.scenewright.driver" && value.contains("merge-driver") && !value.contains(" -- %O")
}

/// Merges a branch with the driver, whether or not it is installed.
pub(super) fn merge_base_in(options: &MergeBaseIn) -> Result<ExitCode> {
    let folder = options.repository.clone().unwrap_or_else(|| PathBuf::from("."));
    let repository =
        Repository::of(&folder).context("this is not the work tree of a repository")?;
    let status = repository.merge(&options.branch, &settings(&program()?), &with_block(""))?;
    if status.success() {
        line("push it: then nothing is left to merge on the server");
    }
    Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(2)).unwrap_or(2)))
}

/// What git is told. Should the program be gone, the shell merges by line, for git itself would take
/// ours without a word.
fn settings(program: &str) -> Vec<(String, String)> {
    let driver = format!(
        "if command -v {program} >/dev/null 2>&1; then {program} git merge-driver --marker-size %L -- %O %A %B %P; \
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
