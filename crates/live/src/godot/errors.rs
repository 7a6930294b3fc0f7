//! What the engine reports on its error stream, as data.

use schemars::JsonSchema;
use serde::Serialize;

/// How bad a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// Something did not work.
    Error,
    /// Something is doubtful.
    Warning,
}

/// A message with the place that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineMessage {
    /// How bad it is.
    pub kind: MessageKind,
    /// What it says.
    pub text: String,
    /// A `res://` path, or a place in the engine's own source.
    pub file: Option<String>,
    /// The line there, from 1.
    pub line: Option<usize>,
}

/// The messages in what the engine wrote:
///
/// ```text
/// SCRIPT ERROR: Parse Error: Expected parameter name.
///           at: GDScript::reload (res://bad.gd:2)
/// ```
pub fn messages(text: &str) -> Vec<EngineMessage> {
    let mut found: Vec<EngineMessage> = Vec::new();
    for line in text.lines() {
        if let Some((kind, text)) = start(line) {
            let text = text.trim().to_owned();
            found.push(EngineMessage { kind, text, file: None, line: None });
            continue;
        }
        let Some(last) = found.last_mut().filter(|last| last.file.is_none()) else { continue };
        if let Some((file, line)) = line.trim().strip_prefix("at: ").and_then(place) {
            last.file = Some(file.to_owned());
            last.line = Some(line);
        }
    }
    found
}

fn start(line: &str) -> Option<(MessageKind, &str)> {
    let line = line.strip_prefix("USER ").unwrap_or(line);
    let error = ["SCRIPT ERROR: ", "SHADER ERROR: ", "ERROR: "];
    if let Some(text) = error.iter().find_map(|start| line.strip_prefix(start)) {
        return Some((MessageKind::Error, text));
    }
    line.strip_prefix("WARNING: ").map(|text| (MessageKind::Warning, text))
}

/// The place in `GDScript::reload (res://bad.gd:2)`.
fn place(text: &str) -> Option<(&str, usize)> {
    let inside = text.trim_end().strip_suffix(')')?;
    let (_, place) = inside.split_once(" (")?;
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_their_places() {
        let text = "Godot Engine v4.6\n\
            SCRIPT ERROR: Parse Error: Expected parameter name.\n\
            \x20         at: GDScript::reload (res://a (1).gd:2)\n\
            ERROR: Failed to load script \"res://a.gd\" with error \"Parse error\".\n\
            \x20  at: load (modules/gdscript/gdscript.cpp:2907)\n\
            USER WARNING: odd\n\
            plain line\n";
        let found = messages(text);
        let shown: Vec<String> = found
            .iter()
            .map(|m| format!("{:?} {} {:?} {:?}", m.kind, m.text, m.file, m.line))
            .collect();
        assert_eq!(
            shown,
            [
                "Error Parse Error: Expected parameter name. Some(\"res://a (1).gd\") Some(2)",
                "Error Failed to load script \"res://a.gd\" with error \"Parse error\". Some(\"modules/gdscript/gdscript.cpp\") Some(2907)",
                "Warning odd None None",
            ]
        );
    }
}
