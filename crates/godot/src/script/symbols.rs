//! What a script declares, with its inner classes, and the connections that it makes: by lines, like
//! [`Script`](super::Script), but of everything that other code can name.

use super::{first_name, scan, split_annotations};

/// Something that a script declares, or a connection that it makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name; of a connection the signal's.
    pub name: String,
    /// The inner class that it is in; empty for the script itself.
    pub within: String,
    /// The method that a connection calls; empty where it is a function without a name.
    pub method: String,
    /// The line, from 1.
    pub line: usize,
}

/// The kinds of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// `class_name`, or an inner class.
    Class,
    /// A function.
    Method,
    /// A signal.
    Signal,
    /// A variable or constant.
    Field,
    /// An enumeration, or a value of one.
    Enum,
    /// `signal.connect(method)`.
    Connection,
}

/// A class whose body is being read.
struct Open {
    name: String,
    /// How far its line is indented.
    indent: usize,
    /// How far its members are, once there is one.
    body: Option<usize>,
}

/// Everything that a script declares or connects, by line.
pub fn symbols(text: &str) -> Vec<Symbol> {
    let scan = scan::scan(text);
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut in_enum = false;
    for (number, code) in (1..).zip(&scan.lines) {
        connections(code, number, &scan.literals, &mut found);
        let trimmed = code.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        let within = |open: &[Open]| {
            open.iter().map(|class| class.name.as_str()).collect::<Vec<_>>().join(".")
        };
        if in_enum {
            in_enum = !values(trimmed, number, &within(&open), &mut found);
            continue;
        }
        let indent = code.len() - trimmed.len();
        while open.last().is_some_and(|class| indent <= class.indent) {
            open.pop();
        }
        let body = open.last_mut().map_or(0, |class| *class.body.get_or_insert(indent));
        if indent != body {
            continue;
        }
        let (_, declared) = split_annotations(trimmed.trim_end());
        let declared = declared.strip_prefix("static ").unwrap_or(declared);
        let (word, rest) = declared.split_once([' ', '\t']).unwrap_or((declared, ""));
        let kind = match word {
            "class_name" | "class" => SymbolKind::Class,
            "func" => SymbolKind::Method,
            "signal" => SymbolKind::Signal,
            "var" | "const" => SymbolKind::Field,
            "enum" => SymbolKind::Enum,
            _ if word.starts_with("enum{") => SymbolKind::Enum,
            // Godot 3: `export(int) var x`, `onready var x`.
            _ if word.starts_with("export") || word == "onready" => SymbolKind::Field,
            _ => continue,
        };
        let rest = match word {
            _ if word.starts_with("export") || word == "onready" => {
                declared.split_once("var ").map_or("", |(_, rest)| rest)
            }
            _ => rest.trim_start(),
        };
        if let Some(name) = first_name(rest) {
            let (within, method) = (within(&open), String::new());
            found.push(Symbol { kind, name: name.clone(), within, method, line: number });
            if word == "class" {
                open.push(Open { name, indent, body: None });
            }
        }
        if kind == SymbolKind::Enum {
            let brace = declared.find('{');
            in_enum = !brace
                .is_some_and(|at| values(&declared[at + 1..], number, &within(&open), &mut found));
        }
    }
    found
}

/// The values of an enumeration on a line; true when it ends there.
fn values(code: &str, line: usize, within: &str, found: &mut Vec<Symbol>) -> bool {
    let (inside, ends) = match code.split_once('}') {
        Some((inside, _)) => (inside, true),
        None => (code, false),
    };
    for part in inside.trim_start_matches('{').split(',') {
        let name = part.split('=').next().unwrap_or_default().trim();
        if let Some(name) = first_name(name).filter(|name| !name.starts_with(char::is_numeric)) {
            let (within, method) = (within.to_owned(), String::new());
            found.push(Symbol { kind: SymbolKind::Enum, name, within, method, line });
        }
    }
    ends
}

/// `a.hit.connect(_on_hit)`, `a.connect("hit", _on_hit)`, `a.connect("hit", self, "_on_hit")`.
fn connections(code: &str, line: usize, literals: &[scan::Literal], found: &mut Vec<Symbol>) {
    for (at, word) in code.match_indices("connect(") {
        let before = &code[..at];
        let is_part = |char: char| char.is_alphanumeric() || char == '_';
        if before.ends_with(is_part) {
            continue;
        }
        let arguments = &code[at + word.len()..];
        let mut texts = literals
            .iter()
            .filter(|text| text.line == line && matches!(&*text.call, "connect" | "Callable"))
            .map(|text| text.text.clone());
        let receiver = before.strip_suffix('.').unwrap_or_default();
        let start = receiver.trim_end_matches(is_part).len();
        let is_named = arguments.trim_start().trim_start_matches('&').starts_with('"');
        let name = match is_named {
            true => texts.next().unwrap_or_default(),
            false => receiver[start..].to_owned(),
        };
        if name.is_empty() {
            continue;
        }
        let callable = match is_named {
            true => arguments.split_once(',').map_or("", |(_, rest)| rest),
            false => arguments,
        };
        let method = method_of(callable).or_else(|| texts.next()).unwrap_or_default();
        let kind = SymbolKind::Connection;
        found.push(Symbol { kind, name, within: String::new(), method, line });
    }
}

/// The last name of a callable: `_on_hit` in `self._on_hit.bind(1)`. None where a text has it.
fn method_of(code: &str) -> Option<String> {
    let code = code.trim_start();
    let end = code.find(|char: char| !char.is_alphanumeric() && !matches!(char, '_' | '.'));
    let path = &code[..end.unwrap_or(code.len())];
    let path = path.split(".bind").next().unwrap_or_default();
    let path = path.split(".unbind").next().unwrap_or_default();
    let name = path.rsplit('.').next().filter(|name| !name.is_empty())?;
    match name {
        "Callable" | "self" => None,
        "func" => Some(String::new()),
        name => Some(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn everything_that_can_be_named_is_found() {
        let text = r#"@tool
class_name Player extends Node
signal hit(damage: int)
@export var speed := 1.0
enum { IDLE, WALK = 4 }
enum Mood {
	HAPPY, # yes
	SAD = 2,
}
const MAX = 3
static func make() -> Player:
	var local = "func no():"
	hit.connect(_on_hit)
	return null
class Inner extends Node:
	var depth = 1
	func dive():
		var not_one
	class Deep:
		signal bottom
func _on_hit(): pass
func b():
	player.hit.connect(self._on_hit.bind(1))
	button.connect("pressed", self, "_on_pressed")
	button.connect(&"pressed", Callable(self, "_go"))
	timer.timeout.connect(func(): pass)
	disconnect("pressed", _go)
"#;
        let lines: Vec<String> = symbols(text)
            .iter()
            .map(|s| format!("{} {:?} {} {} {}", s.line, s.kind, s.within, s.name, s.method))
            .map(|line| line.trim_end().to_owned())
            .collect();
        expect![[r#"
            2 Class  Player
            3 Signal  hit
            4 Field  speed
            5 Enum  IDLE
            5 Enum  WALK
            6 Enum  Mood
            7 Enum  HAPPY
            8 Enum  SAD
            10 Field  MAX
            11 Method  make
            13 Connection  hit _on_hit
            15 Class  Inner
            16 Field Inner depth
            17 Method Inner dive
            19 Class Inner Deep
            20 Signal Inner.Deep bottom
            21 Method  _on_hit
            22 Method  b
            23 Connection  hit _on_hit
            24 Connection  pressed _on_pressed
            25 Connection  pressed _go
            26 Connection  timeout"#]]
        .assert_eq(&lines.join("\n"));
    }
}
