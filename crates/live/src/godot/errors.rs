//! What the engine reports on its error stream, as data.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

/// How bad a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// Something did not work.
    Error,
    /// Something is doubtful.
    Warning,
}

/// A message with the place that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    let mut reader = Reader::default();
    let mut found: Vec<_> = text.lines().filter_map(|line| reader.line(line)).collect();
    found.extend(reader.end());
    found.into_iter().map(|(message, _)| message).collect()
}

/// A message, and the line of a script that made the engine say it.
type Told = (EngineMessage, Option<(String, usize)>);

/// Reads messages line by line. One is over when the next begins.
#[derive(Debug, Default)]
struct Reader(Option<Told>);

impl Reader {
    /// Read a line; gives the message before, if a new one begins here.
    fn line(&mut self, line: &str) -> Option<Told> {
        if let Some((kind, text)) = start(line) {
            let text = text.trim().to_owned();
            return self.0.replace((EngineMessage { kind, text, file: None, line: None }, None));
        }
        let (message, from) = self.0.as_mut()?;
        let line = line.trim();
        if let Some((file, line)) = line.strip_prefix("at: ").and_then(place)
            && message.file.is_none()
        {
            message.file = Some(file.to_owned());
            message.line = Some(line);
        } else if let Some((file, line)) = line.strip_prefix("[0] ").and_then(place)
            && from.is_none()
        {
            *from = Some((file.to_owned(), line));
        }
        None
    }

    fn end(&mut self) -> Option<Told> {
        self.0.take()
    }
}

/// The messages of a game that runs, each once.
#[derive(Debug, Default)]
pub struct Tally {
    reader: Reader,
    found: Vec<Repeated>,
    /// Where a message stands in `found`.
    places: HashMap<EngineMessage, usize>,
    /// Messages that are in none of them, because there were too many.
    beyond: usize,
}

/// A message and how often it came. Its place is the line of the script that made the engine say it,
/// where the engine tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The message.
    pub message: EngineMessage,
    /// How often it came.
    pub count: usize,
}

/// So many different messages are told apart.
const MAX_DIFFERENT: usize = 1000;

impl Tally {
    /// Read the next line of the error stream.
    pub fn line(&mut self, line: &str) {
        let told = self.reader.line(line);
        self.count(told);
    }

    /// All messages in the order in which each came first, and how many more there were of kinds
    /// that are not among them.
    pub fn end(mut self) -> (Vec<Repeated>, usize) {
        let told = self.reader.end();
        self.count(told);
        (self.found, self.beyond)
    }

    fn count(&mut self, told: Option<Told>) {
        let Some((mut message, from)) = told else { return };
        let is_script = message.file.as_deref().is_some_and(|file| file.starts_with("res://"));
        if let Some((file, line)) = from.filter(|_| !is_script) {
            (message.file, message.line) = (Some(file), Some(line));
        }
        if let Some(place) = self.places.get(&message) {
            self.found[*place].count += 1;
        } else if self.found.len() == MAX_DIFFERENT {
            self.beyond += 1;
        } else {
            self.places.insert(message.clone(), self.found.len());
            self.found.push(Repeated { message, count: 1 });
        }
    }
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

    #[test]
    fn what_is_said_again_and_again_is_told_once_with_its_script() {
        let again = "ERROR: no target\n\
            \x20  at: push_error (core/variant/variant_utility.cpp:1098)\n\
            \x20  GDScript backtrace (most recent call first):\n\
            \x20      [0] _aim (res://turret.gd:12)\n\
            \x20      [1] _process (res://turret.gd:5)\n";
        let own = "SCRIPT ERROR: Invalid access to property or key 'x' on a base object of type 'Nil'.\n\
            \x20         at: _ready (res://a.gd:4)\n\
            \x20         GDScript backtrace (most recent call first):\n\
            \x20             [0] _ready (res://a.gd:4)\n";
        let mut tally = Tally::default();
        let text = format!("{again}{own}{again}{again}WARNING: odd\n");
        text.lines().for_each(|line| tally.line(line));
        let (found, beyond) = tally.end();
        let shown: Vec<String> = found
            .iter()
            .map(|Repeated { message: m, count }| {
                format!("{count} {:?} {:?} {:?}", m.kind, m.file.as_deref(), m.line)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "3 Error Some(\"res://turret.gd\") Some(12)",
                "1 Error Some(\"res://a.gd\") Some(4)",
                "1 Warning None None",
            ]
        );
        assert_eq!(beyond, 0);
        let mut tally = Tally::default();
        (0..MAX_DIFFERENT + 7).for_each(|number| tally.line(&format!("ERROR: {number}")));
        let (found, beyond) = tally.end();
        assert_eq!((found.len(), beyond), (MAX_DIFFERENT, 7));
    }
}
