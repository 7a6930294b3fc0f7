//! Scripts, parsed by the engine itself.

use std::collections::BTreeSet;
use std::time::Duration;

use scenewright_contract::ToolError;
use scenewright_live::godot::{EngineMessage, MessageKind, Program, messages};

use super::place::{Place, place_for_scripts};
use crate::base::Godot;

/// One script takes a fraction of a second, or some seconds on a busy machine.
const SCRIPT_TIME: Duration = Duration::from_secs(60);
/// What is said of files that are there and that only an import makes loadable.
const NOT_IMPORTED: &str = "the editor has not imported this file yet, so this may be no error";

/// What the engine says of some scripts.
#[derive(Debug, Default)]
pub struct CheckedScripts {
    /// Its messages, each once, by file and line.
    pub problems: Vec<EngineMessage>,
    /// How many scripts it has seen.
    pub checked: usize,
}

/// Let the engine parse each of these scripts. Loading a script runs its static initializers, so
/// this is for servers that may run the project's code. Stops early when the time is over.
pub fn check_scripts(
    godot: &Godot<'_>,
    program: &Program,
    scripts: &[String],
) -> Result<CheckedScripts, ToolError> {
    let place = place_for_scripts(godot)?;
    let judge = Judge::new(godot, &place);
    let guard = godot.cx.time_guard();
    let mut result = CheckedScripts::default();
    for script in scripts {
        if guard.expired() {
            guard.report(godot.cx, result.checked, Some(scripts.len()));
            break;
        }
        let mut command = program.headless(place.path());
        command.arg("--check-only").arg("--script").arg(format!("res://{script}"));
        let finished = program.run(command, SCRIPT_TIME, godot.cx.cancel())?;
        let mut found = script_messages(&finished.stderr);
        if !finished.is_success() && found.is_empty() {
            found.push(EngineMessage {
                kind: MessageKind::Error,
                text: format!("the engine {}: {}", finished.how(), finished.last_words(3)),
                file: Some(format!("res://{script}")),
                line: None,
            });
        }
        result.problems.extend(found.into_iter().filter_map(|message| judge.judge(message)));
        result.checked += 1;
        let (done, total) = (result.checked as f64, scripts.len() as f64);
        godot.cx.progress(done, Some(total), "scripts checked");
    }
    let key = |message: &EngineMessage| (message.file.clone(), message.line, message.text.clone());
    result.problems.sort_by_key(key);
    result.problems.dedup_by_key(|message| key(message));
    Ok(result)
}

/// Messages about scripts; the others tell where the engine gave up after them.
fn script_messages(text: &str) -> Vec<EngineMessage> {
    let is_script = |message: &EngineMessage| {
        message.file.as_deref().is_some_and(|file| file.starts_with("res://"))
    };
    messages(text).into_iter().filter(is_script).collect()
}

/// Tells the errors of scripts from those of checking them alone.
struct Judge {
    autoloads: BTreeSet<String>,
    /// Files and uids of the project that are not in the place that is looked at.
    absent: BTreeSet<String>,
}

impl Judge {
    fn new(godot: &Godot<'_>, place: &Place<'_>) -> Self {
        let mut absent = BTreeSet::new();
        for file in godot.index.files().filter(|_| place.is_copy()) {
            absent.extend(godot.index.uid_of(&file.path).map(str::to_owned));
            if !place.path().join(&file.path).exists() {
                absent.insert(file.res_path());
            }
        }
        let autoloads = godot.facts().into_iter().flat_map(|facts| &facts.autoloads);
        let autoloads = autoloads.map(|autoload| autoload.name.clone()).collect();
        Self { autoloads, absent }
    }

    /// A message as it is to be told; none for an autoload, which is not there when a script is
    /// checked by itself.
    fn judge(&self, mut message: EngineMessage) -> Option<EngineMessage> {
        let autoload = message.text.strip_prefix("Compile Error: Identifier not found: ");
        if autoload.is_some_and(|name| self.autoloads.contains(name.trim())) {
            return None;
        }
        if message.text.split('"').any(|part| self.absent.contains(part)) {
            message.kind = MessageKind::Warning;
            message.text = format!("{} ({NOT_IMPORTED})", message.text);
        }
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> Option<(MessageKind, String)> {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let judge = Judge { autoloads: names(&["GameState"]), absent: names(&["res://icon.svg"]) };
        let (kind, text) = (MessageKind::Error, text.to_owned());
        let message = EngineMessage { kind, text, file: None, line: None };
        judge.judge(message).map(|message| (message.kind, message.text))
    }

    #[test]
    fn what_only_a_lone_script_misses_is_no_error() {
        assert_eq!(judged("Compile Error: Identifier not found: GameState"), None);
        let icon = judged("Could not preload resource file \"res://icon.svg\".").unwrap();
        assert_eq!(icon.0, MessageKind::Warning);
        assert!(icon.1.ends_with(&format!("({NOT_IMPORTED})")));
    }

    #[test]
    fn everything_else_is() {
        for text in
            ["Compile Error: Identifier not found: GameStat", "Could not preload \"res://no.svg\"."]
        {
            assert_eq!(judged(text), Some((MessageKind::Error, text.to_owned())));
        }
    }
}
