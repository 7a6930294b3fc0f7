//! The configuration of a stand-in: ours, and values of a fixed list, none of which can be a program.

use std::io;
use std::path::{Path, PathBuf};

use crate::plain;
use crate::program::{self, answer};

/// A configuration larger than this is none that people write.
const MOST_BYTES: u64 = 4 << 20;

/// Whose configuration a value may come from.
#[derive(PartialEq, Eq)]
enum From {
    /// The user's or the repository's, the last word counts.
    Anybody,
    /// The user's own; a repository could name a file that is nobody's business.
    User,
    /// The repository's: how its files are stored.
    Repository,
}

/// The values that are taken over: how files are compared, and how they are stored.
const TAKEN: [(&str, From); 16] = [
    ("core.autocrlf", From::Anybody),
    ("core.checkstat", From::Anybody),
    ("core.eol", From::Anybody),
    ("core.filemode", From::Anybody),
    ("core.ignorecase", From::Anybody),
    ("core.longpaths", From::Anybody),
    ("core.precomposeunicode", From::Anybody),
    ("core.sparsecheckout", From::Anybody),
    ("core.sparsecheckoutcone", From::Anybody),
    ("core.symlinks", From::Anybody),
    ("core.trustctime", From::Anybody),
    ("core.attributesfile", From::User),
    ("core.excludesfile", From::User),
    ("user.email", From::Anybody),
    ("user.name", From::Anybody),
    ("extensions.refstorage", From::Repository),
];

/// What holds whatever anybody says. Submodules are repositories of their own: they are not looked into.
const OURS: &str = "\
[core]
	quotePath = false
	fsmonitor = false
	untrackedCache = false
	hooksPath = /dev/null
	logAllRefUpdates = false
[color]
	ui = false
[diff]
	ignoreSubmodules = all
	submodule = short
	algorithm = default
	noprefix = false
	mnemonicPrefix = false
	renames = true
[fetch]
	recurseSubmodules = false
[gc]
	auto = 0
[log]
	showSignature = false
[maintenance]
	auto = false
[protocol]
	allow = never
[submodule]
	recurse = false
";

/// A setting, its name in small letters but for what is between the first and the last point.
pub(crate) type Setting = (String, String);

/// What one file of configuration says; what it includes is not read.
pub(crate) fn of_file(file: &Path, program: &Path) -> io::Result<Vec<Setting>> {
    let Some(bytes) = plain::read(file, MOST_BYTES)? else { return Ok(Vec::new()) };
    // Without a section there is nothing to ask for.
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Vec::new());
    }
    let mut command = program::git(program, &nowhere());
    command.env("GIT_DIR", nowhere().join("none"));
    command.args(["config", "--no-includes", "--list", "-z", "--file"]).arg(file);
    answer(&mut command).map(|bytes| listed(&bytes))
}

/// What the machine and its user set.
pub(crate) fn of_user(program: &Path) -> io::Result<Vec<Setting>> {
    let mut command = program::bare(program, &nowhere());
    command.env("GIT_DIR", nowhere().join("none"));
    let bytes = answer(command.args(["config", "--includes", "--list", "-z"]))?;
    Ok(listed(&bytes))
}

/// A folder that is in no project.
pub(crate) fn nowhere() -> PathBuf {
    std::env::temp_dir()
}

/// `name\nvalue\0`, as git lists settings; one without a value is switched on.
fn listed(bytes: &[u8]) -> Vec<Setting> {
    let entries = bytes.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let text = String::from_utf8_lossy(entry);
            let (name, value) = text.split_once('\n').unwrap_or((&text, "true"));
            (name.to_owned(), value.to_owned())
        })
        .collect()
}

/// The configuration of a stand-in, and whether references are in tables.
pub(crate) fn of_stand_in(
    program: &Path,
    common: &Path,
    git_dir: &Path,
) -> io::Result<(String, bool)> {
    let user = of_user(program)?;
    let mut repository = of_file(&common.join("config"), program)?;
    if says(&repository, "extensions.worktreeconfig", "true") {
        repository.extend(of_file(&git_dir.join("config.worktree"), program)?);
    }
    let mut text = OURS.to_owned();
    for (name, from) in TAKEN {
        let of_user = user.iter().filter(|_| from != From::Repository);
        let of_repository = repository.iter().filter(|_| from != From::User);
        let value = of_user.chain(of_repository).rfind(|(found, _)| found == name);
        if let Some((_, value)) = value {
            push(&mut text, name, value);
        }
    }
    // What `@{upstream}` stands for.
    for (name, value) in &repository {
        let is_branch =
            name.starts_with("branch.") && (name.ends_with(".remote") || name.ends_with(".merge"));
        if is_branch || name.starts_with("remote.") && name.ends_with(".fetch") {
            push(&mut text, name, value);
        }
    }
    let format = repository.iter().rfind(|(name, _)| name == "extensions.objectformat");
    if let Some((_, format)) = format {
        push(&mut text, "extensions.objectformat", format);
    }
    push(&mut text, "core.repositoryformatversion", "1");
    let in_tables = says(&repository, "extensions.refstorage", "reftable");
    Ok((text, in_tables))
}

fn says(settings: &[Setting], name: &str, value: &str) -> bool {
    settings
        .iter()
        .rfind(|(found, _)| found == name)
        .is_some_and(|(_, found)| found.eq_ignore_ascii_case(value))
}

/// Adds a setting. What is in it is quoted, so that it stays one value.
fn push(text: &mut String, name: &str, value: &str) {
    let (Some((section, _)), Some((rest, key))) = (name.split_once('.'), name.rsplit_once('.'))
    else {
        return;
    };
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let part = rest.strip_prefix(section).and_then(|part| part.strip_prefix('.'));
    if name.contains(['\n', '\0']) || value.contains('\0') {
        return;
    }
    let head = match part {
        Some(part) => format!("[{section} \"{}\"]", quoted(part)),
        None => format!("[{section}]"),
    };
    let value = quoted(value).replace('\n', "\\n");
    *text += &format!("{head}\n\t{key} = \"{value}\"\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_one_value() {
        let mut text = String::new();
        push(&mut text, "branch.a\"]\\b.remote", "x\"\n[alias]\n\tx = !id");
        assert_eq!(text, "[branch \"a\\\"]\\\\b\"]\n\tremote = \"x\\\"\\n[alias]\\n\tx = !id\"\n");
        let before = text.clone();
        push(&mut text, "branch.a\nb.remote", "x");
        assert_eq!(text, before, "no name that git itself would refuse");
    }

    #[test]
    fn git_lists_names_values_and_switches() {
        let listed = listed(b"core.autocrlf\ntrue\0core.bare\0a.b\nx\ny\0");
        let text: Vec<(&str, &str)> = listed.iter().map(|(n, v)| (&**n, &**v)).collect();
        assert_eq!(text, [("core.autocrlf", "true"), ("core.bare", "true"), ("a.b", "x\ny")]);
    }
}
