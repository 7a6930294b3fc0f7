//! What a shell offers for a value: clients, tools, groups, rules, and the scenes of the project here. The
//! script of `scenewright completions` asks this program each time that somebody presses Tab.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use scenewright_text::beneath::{self, Kind};
use scenewright_toolkit::{Settings, Workspace};
use scenewright_tools::{ENGINES, GROUPS, new_runner};
use serde_json::Value;

use crate::cli::Cli;
use crate::clients::CLIENTS;
use crate::workspace::root_above;

/// Set by the scripts, to the name of their shell.
const VARIABLE: &str = "SCENEWRIGHT_COMPLETE";
/// Nobody waits longer than it takes to look at so many files for a Tab.
const MAX_LOOKED_AT: usize = 50_000;
/// Nor reads more names.
const MAX_OFFERED: usize = 500;
/// How the scenes of both engines end.
const SCENES: [&str; 4] = [".unity", ".prefab", ".tscn", ".escn"];
/// What the engines make for themselves, at a project's root.
const MADE: [&str; 5] = ["Library", "Temp", "Logs", "obj", "UserSettings"];

/// Answer the script of a shell, and end; nothing happens where none asks.
pub fn answer() {
    if std::env::var_os(VARIABLE).is_some() {
        CompleteEnv::with_factory(Cli::command).var(VARIABLE).complete();
    }
}

/// The script of a shell.
pub(crate) fn script(shell: &str) -> std::io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let completer = shells.completer(shell).ok_or(std::io::ErrorKind::Unsupported)?;
    let mut script = Vec::new();
    let name = "scenewright";
    completer.write_registration(VARIABLE, name, name, name, &mut script)?;
    Ok(script)
}

fn offer<'a>(
    typed: &OsStr,
    known: impl IntoIterator<Item = (String, &'a str)>,
) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let fitting = known.into_iter().filter(|(name, _)| name.starts_with(&*typed));
    fitting.map(|(name, about)| candidate(name, about)).collect()
}

fn candidate(name: String, about: &str) -> CompletionCandidate {
    let about = (!about.is_empty()).then(|| about.to_owned().into());
    CompletionCandidate::new(name).help(about)
}

/// The clients of `install`.
pub(crate) fn clients() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let more = [("all", "those that are here"), ("godot-addon", "the addon for live links")];
        let clients = CLIENTS.iter().map(|client| (client.id, client.name)).chain(more);
        offer(typed, clients.map(|(id, name)| (id.to_owned(), name)))
    })
}

/// Tools by the names that people type.
pub(crate) fn tools() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let tools = GROUPS.iter().flat_map(|group| group.tools);
        let by_id = typed.to_string_lossy().contains('.');
        let name = |tool: &scenewright_toolkit::Tool| match by_id {
            true => tool.id.to_owned(),
            false => tool.mcp_name(),
        };
        offer(typed, tools.map(|tool| (name(tool), tool.title)))
    })
}

/// The arguments of the tool that is being called.
pub(crate) fn arguments() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let words: Vec<String> =
            std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        let Some(call) = words.iter().position(|word| word == "call") else { return Vec::new() };
        let runner = new_runner(Workspace::default(), Settings::default(), None, &[]);
        let tool = words[call + 1..].iter().find_map(|word| runner.known(word).ok());
        let Some((_, info)) = tool else { return Vec::new() };
        let properties = info.words.input.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flatten().map(|(name, schema)| {
            let about = schema["description"].as_str().unwrap_or_default();
            (format!("{name}="), about.lines().next().unwrap_or_default())
        });
        offer(typed, names)
    })
}

/// Groups of tools.
pub(crate) fn groups() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        offer(typed, GROUPS.iter().map(|group| (group.name.to_owned(), group.about)))
    })
}

/// The same, and `all`.
pub(crate) fn toolsets() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let groups = GROUPS.iter().map(|group| (group.name.to_owned(), group.about));
        offer(typed, groups.chain([("all".to_owned(), "every tool")]))
    })
}

/// The rules of `check`.
pub(crate) fn rules() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let rules = ENGINES.iter().flat_map(|engine| (engine.rules)());
        offer(typed, rules.map(|rule| (rule.id.to_owned(), rule.title)))
    })
}

/// Scenes and prefabs of the project here: by their names, or folder by folder from its root.
pub(crate) fn scenes() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let shell = std::env::var(VARIABLE).unwrap_or_default();
        let Ok(here) = std::env::current_dir() else { return Vec::new() };
        let Some(root) = root_above(&here) else { return Vec::new() };
        // What bash has quoted in the word so far.
        let typed = typed.to_string_lossy().replace('\\', "");
        let found = scenes_of(root, typed.strip_prefix("res://").unwrap_or(&typed));
        found.into_iter().filter_map(|name| Some(candidate(quoted(&shell, &name)?, ""))).collect()
    })
}

fn is_scene(name: &str) -> bool {
    SCENES.iter().any(|end| name.ends_with(end))
}

/// What begins with `typed`.
fn scenes_of(root: &Path, typed: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if let Some((folder, name)) = typed.rsplit_once('/') {
        for (entry, is_folder) in entries(root, folder) {
            let end = if is_folder { "/" } else { "" };
            if entry.starts_with(name) && (is_folder || is_scene(&entry)) {
                found.insert(format!("{folder}/{entry}{end}"));
            }
        }
        return found;
    }
    let mut open = vec![String::new()];
    let mut left = MAX_LOOKED_AT;
    while let Some(folder) = open.pop() {
        for (entry, is_folder) in entries(root, &folder) {
            left = left.saturating_sub(1);
            if left == 0 || found.len() == MAX_OFFERED {
                return found;
            }
            let path = match folder.as_str() {
                "" => entry.clone(),
                folder => format!("{folder}/{entry}"),
            };
            match is_folder {
                true => {
                    if folder.is_empty() && entry.starts_with(typed) {
                        found.insert(format!("{entry}/"));
                    }
                    open.push(path);
                }
                false if is_scene(&entry) && entry.starts_with(typed) => {
                    found.insert(entry);
                }
                false => {}
            }
        }
    }
    found
}

/// The files and folders of a folder of the project, without what is hidden or the engine's; links are
/// not followed.
fn entries(root: &Path, folder: &str) -> Vec<(String, bool)> {
    let mut path = root.to_owned();
    path.extend(folder.split('/').filter(|name| !name.is_empty()));
    let entries = beneath::list(root, &path).unwrap_or_default();
    let named = entries.into_iter().filter_map(|entry| {
        let name = entry.name.into_string().ok()?;
        match entry.kind {
            Kind::Folder => Some((name, true)),
            Kind::File => Some((name, false)),
            _ => None,
        }
    });
    let is_made = |name: &str| folder.is_empty() && MADE.contains(&name);
    named.filter(|(name, _)| !name.starts_with('.') && !is_made(name)).collect()
}

/// A name of the project as one word of the command line. Whoever made the project must not be able to
/// put a command there. Nothing for a name that cannot be typed.
fn quoted(shell: &str, name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@%,".contains(c);
    if name.chars().any(char::is_control) {
        return None;
    }
    Some(match shell {
        _ if name.chars().all(is_plain) => name.to_owned(),
        // These quote what they insert by themselves.
        "zsh" | "fish" | "elvish" => name.to_owned(),
        "powershell" => format!("'{}'", name.replace('\'', "''")),
        _ => name.chars().fold(String::new(), |mut word, c| {
            if !is_plain(c) {
                word.push('\\');
            }
            word.push(c);
            word
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_found_by_name_and_folder_by_folder() {
        let folder = scenewright_fixture::Folder::new();
        for name in [
            "Assets/Scenes/Main.unity",
            "Assets/Scenes/Main.unity.meta",
            "Assets/Scenes/Menu.unity",
            "Assets/Prefabs/Map.prefab",
            "Library/Main.unity",
            ".git/Main.unity",
        ] {
            folder.write(name, "x");
        }
        let found = |typed: &str| scenes_of(folder.root(), typed).into_iter().collect::<Vec<_>>();
        assert_eq!(found("Ma"), ["Main.unity", "Map.prefab"]);
        assert_eq!(found("As"), ["Assets/"]);
        assert_eq!(found("Assets/"), ["Assets/Prefabs/", "Assets/Scenes/"]);
        assert_eq!(
            found("Assets/Scenes/M"),
            ["Assets/Scenes/Main.unity", "Assets/Scenes/Menu.unity"]
        );
        assert_eq!(found("../"), Vec::<String>::new());
    }

    #[test]
    fn a_name_of_a_project_is_never_a_command() {
        let name = "a b$(touch x);`y`.unity";
        assert_eq!(quoted("bash", name).unwrap(), r"a\ b\$\(touch\ x\)\;\`y\`.unity");
        assert_eq!(quoted("powershell", "a'$(x).tscn").unwrap(), "'a''$(x).tscn'");
        assert_eq!(quoted("bash", "a\nb.tscn"), None);
        assert_eq!(quoted("bash", "Räume/a-1.tscn").unwrap(), "Räume/a-1.tscn");
    }
}
