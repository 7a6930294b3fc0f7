//! GDScript files, read by lines: what a script declares and which texts it holds. This is no
//! parser; what is written in an unusual way may be missed, and nothing is made up.

mod grammar;
mod scan;
mod symbols;
mod syntax;
mod tokens;

pub use scan::Literal;
pub use symbols::{Symbol, SymbolKind, symbols};

use scan::Scan;

use crate::CodeProblem;

/// What a script declares at its top level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The global name, from `class_name`.
    pub class_name: Option<String>,
    /// What it extends: a class or a quoted path. Nothing means `RefCounted`.
    pub base: Option<String>,
    /// True when it runs in the editor.
    pub is_tool: bool,
    /// Signals.
    pub signals: Vec<Declared>,
    /// Functions.
    pub functions: Vec<Declared>,
    /// Exported variables.
    pub exports: Vec<Declared>,
    /// Other variables and constants.
    pub variables: Vec<Declared>,
    /// All texts in the code.
    pub literals: Vec<Literal>,
    /// Nodes that the code names as `$Path` or `%Name`, as written after the `$`.
    pub node_paths: Vec<NodePathUse>,
}

/// Something with a name at a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The name.
    pub name: String,
    /// What follows it: parameters, or the type of a variable.
    pub detail: String,
    /// The line, from 1.
    pub line: usize,
}

/// A node that the code names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePathUse {
    /// The path, as written after the `$`.
    pub name: String,
    /// Where it starts, with its `$` or `%`.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
}

impl Script {
    /// Reads what it understands.
    pub fn parse(text: &str) -> Script {
        let Scan { lines, literals, node_paths } = scan::scan(text);
        let mut script = Script { literals, node_paths, ..Script::default() };
        let mut annotations = String::new();
        for (line, (code, source)) in lines.iter().zip(text.split('\n')).enumerate() {
            // What is indented belongs to a function or an inner class.
            if code.starts_with([' ', '\t']) || code.trim().is_empty() {
                continue;
            }
            let (marks, rest) = split_annotations(code.trim_end());
            annotations += marks;
            if rest.is_empty() {
                continue;
            }
            let indent = code.trim_end().len() - rest.len();
            let line = Line { code: rest, indent, source, number: line + 1 };
            script.declare(&annotations, &line);
            annotations.clear();
        }
        let quoted = |name: &mut Option<String>, literals: &[Literal]| {
            if let Some(line) =
                name.as_ref().and_then(|name| name.strip_prefix('"')?.parse::<usize>().ok())
            {
                *name =
                    literals.iter().find(|text| text.line == line).map(|text| text.text.clone());
            }
        };
        quoted(&mut script.base, &script.literals);
        script
    }

    /// The first thing in a script that Godot 4 could not read. What names mean is not asked, so a
    /// script without a problem may still have mistakes.
    ///
    /// ```
    /// use scenewright_godot::Script;
    /// assert_eq!(Script::find_problem("func a():\n\tpass\n"), None);
    /// assert_eq!(Script::find_problem("func a(:\n\tpass\n").map(|found| found.line), Some(1));
    /// ```
    pub fn find_problem(text: &str) -> Option<CodeProblem> {
        syntax::find_problem(text)
    }

    fn declare(&mut self, annotations: &str, line: &Line<'_>) {
        self.is_tool |= annotations.contains("@tool") || line.code == "tool";
        let code = line.code.strip_prefix("static ").unwrap_or(line.code);
        let (word, rest) = code.split_once([' ', '\t']).unwrap_or((code, ""));
        let rest = rest.trim_start();
        match word {
            "class_name" => {
                self.class_name = first_name(rest);
                if let Some((_, base)) = rest.split_once(" extends ") {
                    self.base = Some(base_name(base, line.number));
                }
            }
            "extends" => {
                let (base, more) = rest.split_once(" class_name ").unwrap_or((rest, ""));
                self.base = Some(base_name(base, line.number));
                self.class_name = self.class_name.take().or_else(|| first_name(more));
            }
            "signal" => self.signals.extend(line.declared(rest)),
            "func" => self.functions.extend(line.declared(rest)),
            "var" | "const" if annotations.contains("@export") => {
                self.exports.extend(line.declared(rest));
            }
            "var" | "const" => self.variables.extend(line.declared(rest)),
            // Godot 3: `export(int) var x`, `onready var x`.
            _ => match code.split_once("var ") {
                Some((before, rest)) if before.starts_with("export") => {
                    self.exports.extend(line.declared(rest));
                }
                Some(("onready ", rest)) => self.variables.extend(line.declared(rest)),
                _ => {}
            },
        }
    }

    /// Texts that are arguments of calls whose names pass a test, such as `add_to_group("a")`.
    pub fn arguments<'a>(
        &'a self,
        is_wanted: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = &'a Literal> {
        self.literals.iter().filter(move |literal| is_wanted(&literal.call))
    }

    /// Groups that the code uses.
    pub fn groups(&self) -> impl Iterator<Item = &Literal> {
        self.arguments(|call| {
            call.ends_with("_group")
                || call.starts_with("call_group")
                || call == "get_first_node_in_group"
        })
    }

    /// Input actions that the code uses.
    pub fn actions(&self) -> impl Iterator<Item = &Literal> {
        self.arguments(|call| {
            let is_method = call.starts_with("is_action") || call.starts_with("get_action");
            is_method
                || matches!(call, "get_axis" | "get_vector" | "action_press" | "action_release")
        })
    }
}

/// The lines of a script with its texts and comments blanked out: what is left is code.
pub fn code_lines(text: &str) -> Vec<String> {
    scan::scan(text).lines
}

/// `@export_range(0, 1) var x` as its annotations and the rest. Texts are blank here, so brackets
/// can be counted.
fn split_annotations(code: &str) -> (&str, &str) {
    let mut rest = code;
    while let Some(mark) = rest.strip_prefix('@') {
        let end =
            mark.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(mark.len());
        rest = mark[end..].trim_start();
        if rest.starts_with('(') {
            let mut depth = 0;
            let close = rest.find(|char| {
                depth += i32::from(char == '(') - i32::from(char == ')');
                depth == 0
            });
            rest = close.map_or("", |close| rest[close + 1..].trim_start());
        }
    }
    code.split_at(code.len() - rest.len())
}

/// A line of code, without texts and comments, and as it is written.
struct Line<'a> {
    code: &'a str,
    /// Where the code starts in the source.
    indent: usize,
    source: &'a str,
    number: usize,
}

impl Line<'_> {
    /// What is declared at the end of the code: a name and what follows it up to the body.
    fn declared(&self, rest: &str) -> Option<Declared> {
        let name = first_name(rest)?;
        let after = &rest[name.len()..];
        let detail = after.trim_end_matches(':').trim();
        // The code has the columns of the source.
        let start = self.indent + self.code.len() - after.trim_start().len();
        let source = self.source.get(start..start + detail.len()).unwrap_or(detail);
        Some(Declared { name, detail: source.into(), line: self.number })
    }
}

/// The identifier that a text starts with.
fn first_name(text: &str) -> Option<String> {
    let end = text.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(text.len());
    Some(text[..end].to_owned()).filter(|name| !name.is_empty())
}

/// A class, or a mark of the line where a path stands.
fn base_name(text: &str, line: usize) -> String {
    let text = text.trim();
    if text.starts_with('"') {
        return format!("\"{line}");
    }
    let end = text.find(|char: char| !char.is_alphanumeric() && char != '_' && char != '.');
    text[..end.unwrap_or(text.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn reads_declarations() {
        let script = Script::parse(
            r##"@tool
class_name Player extends "res://actor.gd"
## A doc comment with "quotes" and res://no.
signal hit(damage: int)
signal died # gone
@export var speed: float = 1.5
@export_range(0, 10, "suffix:(m)") var size := 2
@export
var later: Array[String] = ["a # b"]
const NEXT = preload("res://next.tscn")
@onready var body: Node = $Body/Arm
var other = %Label.text % 5
static func make(a: int, b = ")") -> Player:
	var inner = load('uid://abc')
	add_to_group(&"players")
	if Input.is_action_just_pressed("jump") and $"A B/C":
		Input.get_axis(&"left", &"right")
	return """
func not_one(): "res://in_text.gd"
"""
func _ready():
	pass
class Inner:
	func hidden(): pass
"##,
        );
        expect![[r#"
            Script {
                class_name: Some(
                    "Player",
                ),
                base: Some(
                    "res://actor.gd",
                ),
                is_tool: true,
                signals: [
                    Declared {
                        name: "hit",
                        detail: "(damage: int)",
                        line: 4,
                    },
                    Declared {
                        name: "died",
                        detail: "",
                        line: 5,
                    },
                ],
                functions: [
                    Declared {
                        name: "make",
                        detail: "(a: int, b = \")\") -> Player",
                        line: 13,
                    },
                    Declared {
                        name: "_ready",
                        detail: "()",
                        line: 21,
                    },
                ],
                exports: [
                    Declared {
                        name: "speed",
                        detail: ": float = 1.5",
                        line: 6,
                    },
                    Declared {
                        name: "size",
                        detail: ":= 2",
                        line: 7,
                    },
                    Declared {
                        name: "later",
                        detail: ": Array[String] = [\"a # b\"]",
                        line: 9,
                    },
                ],
                variables: [
                    Declared {
                        name: "NEXT",
                        detail: "= preload(\"res://next.tscn\")",
                        line: 10,
                    },
                    Declared {
                        name: "body",
                        detail: ": Node = $Body/Arm",
                        line: 11,
                    },
                    Declared {
                        name: "other",
                        detail: "= %Label.text % 5",
                        line: 12,
                    },
                ],
                literals: [
                    Literal {
                        text: "res://actor.gd",
                        call: "",
                        is_loaded: false,
                        offset: 32,
                        line: 2,
                    },
                    Literal {
                        text: "suffix:(m)",
                        call: "export_range",
                        is_loaded: false,
                        offset: 189,
                        line: 7,
                    },
                    Literal {
                        text: "a # b",
                        call: "",
                        is_loaded: false,
                        offset: 253,
                        line: 9,
                    },
                    Literal {
                        text: "res://next.tscn",
                        call: "preload",
                        is_loaded: true,
                        offset: 283,
                        line: 10,
                    },
                    Literal {
                        text: ")",
                        call: "make",
                        is_loaded: false,
                        offset: 395,
                        line: 13,
                    },
                    Literal {
                        text: "uid://abc",
                        call: "load",
                        is_loaded: true,
                        offset: 429,
                        line: 14,
                    },
                    Literal {
                        text: "players",
                        call: "add_to_group",
                        is_loaded: false,
                        offset: 457,
                        line: 15,
                    },
                    Literal {
                        text: "jump",
                        call: "is_action_just_pressed",
                        is_loaded: false,
                        offset: 501,
                        line: 16,
                    },
                    Literal {
                        text: "left",
                        call: "get_axis",
                        is_loaded: false,
                        offset: 541,
                        line: 17,
                    },
                    Literal {
                        text: "right",
                        call: "get_axis",
                        is_loaded: false,
                        offset: 550,
                        line: 17,
                    },
                    Literal {
                        text: "\nfunc not_one(): \"res://in_text.gd\"\n",
                        call: "",
                        is_loaded: false,
                        offset: 567,
                        line: 18,
                    },
                ],
                node_paths: [
                    NodePathUse {
                        name: "Body/Arm",
                        offset: 328,
                        line: 11,
                    },
                    NodePathUse {
                        name: "%Label",
                        offset: 350,
                        line: 12,
                    },
                    NodePathUse {
                        name: "A B/C",
                        offset: 513,
                        line: 16,
                    },
                ],
            }
        "#]]
        .assert_debug_eq(&script);
        assert_eq!(script.groups().map(|text| &*text.text).collect::<Vec<_>>(), ["players"]);
        let actions: Vec<_> = script.actions().map(|text| &*text.text).collect();
        assert_eq!(actions, ["jump", "left", "right"]);
    }

    #[test]
    fn reads_godot_3() {
        let script = Script::parse(
            "tool\nextends Node2D\nexport(int, 1, 2) var size = 1\nexport var a: float\nonready var b = $C\nfunc d():\n",
        );
        assert!(script.is_tool);
        assert_eq!(script.base.as_deref(), Some("Node2D"));
        let names = |list: &[Declared]| list.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&script.exports), ["size", "a"]);
        assert_eq!(names(&script.variables), ["b"]);
        assert_eq!(names(&script.functions), ["d"]);
    }

    #[test]
    fn any_cut_reads() {
        let text =
            "extends \"a\\\"é\" # é\nfunc é(\"\"\"é\n\"\"\", r'\\', $\"é\", %é, ^\"p\"):\n\t'";
        for (at, _) in text.char_indices() {
            Script::parse(&text[..at]);
            Script::parse(&text[at..]);
        }
    }
}
