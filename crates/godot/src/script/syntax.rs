//! Whether Godot could read a script: its grammar, without what names mean.
//!
//! This follows the engine's reader and is never stricter than it: a script that the engine parses
//! has no problem here. It is more lenient where that needs less code, so silence is no proof.
//!
//! A block is known by its indent alone. Line breaks count for nothing inside of brackets, and count
//! again in the body of a lambda that stands in them.

use super::tokens::{Kind, Token, tokens};
use crate::CodeProblem;

/// Blocks and brackets in each other; what is deeper is not judged.
const MAX_DEPTH: usize = 120;

/// The first thing that Godot 4 could not read in a script, if there is any.
pub(super) fn find_problem(text: &str) -> Option<CodeProblem> {
    let tokens = match tokens(text) {
        Ok(tokens) => tokens,
        Err(problem) => return Some(problem),
    };
    let mut reader = Reader {
        text,
        tokens: &tokens,
        at: 0,
        lines_count: true,
        depth: 0,
        lambdas: 0,
        indent: 0,
        is_abstract: false,
        tabs: None,
    };
    match reader.script() {
        Err(Stop::Wrong(problem)) => Some(problem),
        Ok(()) | Err(Stop::TooDeep) => None,
    }
}

/// Why reading ended early.
pub(super) enum Stop {
    Wrong(CodeProblem),
    /// Nothing is said about the rest.
    TooDeep,
}

pub(super) type Read<T = ()> = Result<T, Stop>;

pub(super) struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
    /// Whether line breaks count: not inside of brackets.
    pub(super) lines_count: bool,
    depth: usize,
    /// Lambdas that are being read: a bracket or a comma may end their statements.
    pub(super) lambdas: usize,
    /// How far the line is indented that the statement starts on.
    pub(super) indent: usize,
    /// Whether `@abstract` stands above: such a function has no body.
    pub(super) is_abstract: bool,
    /// Whether the file indents with tabs, once it has indented.
    tabs: Option<bool>,
}

impl<'a> Reader<'a> {
    /// The next word; line breaks only where they count.
    pub(super) fn peek(&self) -> Kind<'a> {
        self.ahead(0)
    }

    /// The word so many words ahead.
    pub(super) fn ahead(&self, count: usize) -> Kind<'a> {
        let rest = self.tokens[self.at..].iter().map(|token| token.kind);
        let counts = |kind: &Kind<'_>| self.lines_count || !matches!(kind, Kind::Line(_));
        rest.filter(counts).nth(count).unwrap_or(Kind::End)
    }

    pub(super) fn pass(&mut self) -> Kind<'a> {
        while let Some(token) = self.tokens.get(self.at) {
            if token.kind == Kind::End {
                break;
            }
            self.at += 1;
            if self.lines_count || !matches!(token.kind, Kind::Line(_)) {
                return token.kind;
            }
        }
        Kind::End
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        self.peek() == Kind::Sign(sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.peek() == Kind::Word(word)
    }

    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.pass();
        }
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.pass();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Read {
        match self.take(sign) {
            true => Ok(()),
            false => self.wrong(format!("`{sign}` is expected here")),
        }
    }

    pub(super) fn name(&mut self) -> Read {
        match self.peek() {
            Kind::Word(_) => {
                self.pass();
                Ok(())
            }
            _ => self.wrong("a name is expected here"),
        }
    }

    pub(super) fn wrong<T>(&self, message: impl Into<String>) -> Read<T> {
        let next = self.tokens[self.at..]
            .iter()
            .find(|token| self.lines_count || !matches!(token.kind, Kind::Line(_)));
        let offset = next.map_or(self.text.len(), |token| token.offset);
        let found = match next.map_or(Kind::End, |token| token.kind) {
            Kind::Word(word) => format!(", not `{word}`"),
            Kind::Sign(sign) => format!(", not `{sign}`"),
            Kind::Number => ", not a number".to_owned(),
            Kind::Text => ", not a text".to_owned(),
            Kind::Line(_) => ", not the end of the line".to_owned(),
            Kind::End => ", not the end of the file".to_owned(),
        };
        Err(Stop::Wrong(CodeProblem::at(self.text, offset, message.into() + &found)))
    }

    /// Read something that may hold others of its kind.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Read what stands between brackets, the first of which is passed already.
    pub(super) fn bracketed(&mut self, close: &str, read: impl FnOnce(&mut Self) -> Read) -> Read {
        let before = std::mem::replace(&mut self.lines_count, false);
        let result = self.deeper(read).and_then(|()| self.expect(close));
        self.lines_count = before;
        result
    }

    /// Things with commas between them, up to a closing bracket; one more comma is fine.
    pub(super) fn list(&mut self, close: &str, mut one: impl FnMut(&mut Self) -> Read) -> Read {
        self.bracketed(close, |reader| {
            while !reader.is(close) {
                one(reader)?;
                if !reader.take(",") {
                    break;
                }
            }
            Ok(())
        })
    }

    /// The end of a statement.
    pub(super) fn end(&mut self) -> Read {
        match self.peek() {
            Kind::Line(_) | Kind::End => Ok(()),
            Kind::Sign(";") => {
                self.pass();
                Ok(())
            }
            next if self.lambdas > 0 && is_closing(next) => Ok(()),
            _ => self.wrong("the end of the statement is expected here"),
        }
    }

    /// What follows the `:` of a header: statements on the same line, or an indented block.
    pub(super) fn body(&mut self, one: fn(&mut Self) -> Read) -> Read {
        let outer = self.indent;
        let result = self.deeper(|reader| match reader.peek() {
            Kind::Line(indent) => reader.block(outer, indent, one),
            Kind::End => reader.wrong("a statement is expected here"),
            _ => reader.on_line(outer, one),
        });
        self.indent = outer;
        result
    }

    fn block(&mut self, outer: usize, indent: usize, one: fn(&mut Self) -> Read) -> Read {
        if indent <= outer || self.ahead(1) == Kind::End {
            return self.wrong("an indented block is expected here");
        }
        while self.peek() == Kind::Line(indent) {
            // The bracket around a lambda may close on a line of its own, wherever that starts.
            if self.lambdas > 0 && is_closing(self.ahead(1)) {
                return Ok(());
            }
            self.check_indent()?;
            self.pass();
            self.on_line(indent, one)?;
        }
        match self.peek() {
            Kind::Line(other) if other > indent => {
                self.pass();
                self.wrong("a line no further indented than the one above it is expected here")
            }
            // A lambda in brackets may end anywhere.
            Kind::Line(other) if other > outer && self.lambdas == 0 => {
                self.pass();
                self.wrong("a line indented like a block above it is expected here")
            }
            _ => Ok(()),
        }
    }

    /// All statements of a line.
    fn on_line(&mut self, indent: usize, one: fn(&mut Self) -> Read) -> Read {
        self.indent = indent;
        loop {
            one(self)?;
            self.indent = indent;
            let closes = self.lambdas > 0 && is_closing(self.peek());
            if closes || matches!(self.peek(), Kind::Line(_) | Kind::End) {
                return Ok(());
            }
        }
    }

    /// Tabs or spaces, but not both in one file.
    fn check_indent(&mut self) -> Read {
        let Some(next) = self.tokens.get(self.at + 1) else { return Ok(()) };
        let line = self.text[..next.offset].rfind('\n').map_or(0, |end| end + 1);
        let indent = &self.text[line..next.offset];
        let (tabs, spaces) = (indent.contains('\t'), indent.contains(' '));
        let differs =
            tabs && spaces || (tabs || spaces) && self.tabs.is_some_and(|now| now != tabs);
        if differs {
            let message = "tabs and spaces are both used to indent".to_owned();
            return Err(Stop::Wrong(CodeProblem::at(self.text, line, message)));
        }
        if tabs || spaces {
            self.tabs = Some(tabs);
        }
        Ok(())
    }

    fn script(&mut self) -> Read {
        let Kind::Line(first) = self.peek() else { return Ok(()) };
        if first > 0 && self.ahead(1) != Kind::End {
            self.pass();
            return self.wrong("a first line without indent is expected here");
        }
        while let Kind::Line(indent) = self.peek() {
            self.pass();
            if self.peek() == Kind::End {
                return Ok(());
            }
            if indent > 0 {
                return self.wrong("a line without indent is expected here");
            }
            self.on_line(0, Self::member)?;
        }
        Ok(())
    }
}

/// What ends the body of a lambda that stands between brackets.
pub(super) fn is_closing(kind: Kind<'_>) -> bool {
    matches!(kind, Kind::Sign("," | ")" | "]" | "}"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::find_problem;

    fn check(code: &str, expected: Expect) {
        let found = find_problem(code);
        let shown = found.map(|it| format!("{}:{} {}", it.line, it.column, it.message));
        expected.assert_eq(&shown.unwrap_or_else(|| "fine".into()));
    }

    #[test]
    fn what_godot_cannot_read_is_seen_where_it_is() {
        check("func a(:\n\tpass\n", expect!["1:8 a name is expected here, not `:`"]);
        check("func a()\n\tpass\n", expect!["1:9 `:` is expected here, not the end of the line"]);
        check(
            "func a():\npass\n",
            expect!["1:10 an indented block is expected here, not the end of the line"],
        );
        check(
            "func a():\n",
            expect!["1:10 an indented block is expected here, not the end of the line"],
        );
        check("func a():\n\tvar x = = 3\n", expect!["2:10 a value is expected here, not `=`"]);
        check(
            "func a():\n\tif true\n\t\tpass\n",
            expect!["2:9 `:` is expected here, not the end of the line"],
        );
        check(
            "func a():\n\tif true:\n\t\tpass\n\t  pass\n",
            expect![
                "4:4 a line no further indented than the one above it is expected here, not `pass`"
            ],
        );
        check(
            "func a():\n\tpass\n    pass\n",
            expect![
                "3:5 a line no further indented than the one above it is expected here, not `pass`"
            ],
        );
        check(
            "func a():\n\tpass\n\t\tpass\n",
            expect![
                "3:3 a line no further indented than the one above it is expected here, not `pass`"
            ],
        );
        check("var a = \"x\nvar b = 1\n", expect![[r#"1:9 a text is not closed: " is missing"#]]);
        check("var a = [1, 2\nvar b = 3\n", expect!["2:1 `]` is expected here, not `var`"]);
        check(
            "var a = 1 2\n",
            expect!["1:11 the end of the statement is expected here, not a number"],
        );
        check("print(1)\n", expect!["1:1 a declaration is expected here, not `print`"]);
        check("var a = \"\\q\"\n", expect![[r#"1:10 `\q` means nothing in a text"#]]);
        check(
            "func a():\n\tfor i on 3:\n\t\tpass\n",
            expect!["2:8 `in` is expected here, not `on`"],
        );
        check("enum { A, B\n", expect!["2:1 `}` is expected here, not the end of the file"]);
        check(
            "var x = 1 if true\n",
            expect!["1:18 `else` is expected here, not the end of the line"],
        );
        check("int a = 3;\n", expect!["1:1 a declaration is expected here, not `int`"]);
        check("func a() {\n}\n", expect!["1:10 `:` is expected here, not `{`"]);
    }

    #[test]
    fn what_godot_reads_is_fine() {
        let all = r##"@tool
@icon("res://a.svg")
class_name A extends "res://b.gd".Inner
"""A comment."""
signal hit(damage: int, from)
enum { X, Y = 2, }
enum Named { A = -1, B = A << 2 }
const C: Array[int] = [1, 2.5e-3, 0xFF, 0b1_0, .5]
const D := { "a": 1, b = [2], 3: {} }
@export_range(0, 1, 0.1)
var e: float = 0.5: set = _set_e, get = _get_e
@export var f: Dictionary[String, int]
var g := 3:
	set(value):
		g = value
	get:
		return g
static var h: Node
@onready var i: Node = $"A B"/C as Node
@abstract func nothing(a: int) -> void
func _init(a, b: int = 1, c := 2, ...rest) -> void: pass; pass
func j() -> Array[Node]:
	var k = func named(x: int) -> int: return x * 2
	var l = $A/B.name + %Unique.text % [1] + $%Other/D.text
	foo(func(): return 1, 2)
	foo(
			func():
				if true:
					return
				bar()
				,
			3)
	button.pressed.connect(func():
		a()
		b())
	if not a in b and c not in d or e is not Node and f is Array[int]:
		pass
	elif a: return [] if b else {}
	else:
		assert(a, "b")
	for n: int in range(3): print(n)
	while a == b \
			and c:
		break
	match x:
		1, 2, -3: pass
		"a" when y > 2:
			continue
		[1, .., var z]: pass
		{"k": var v, "l", ..}: pass
		_:
			pass
	await get_tree().create_timer(1.0).timeout
	super.j()
	a.b["c"].d = ~1 ** 2
	a += (
		1 +
	2 # here
	)
	@warning_ignore("unused")
	var m: set_type = preload("res://x.tscn")
	return &"name" if ^"path" else r"\d" + 'it' + """
more "text" """
class Inner extends Node:
	func _x(): pass

	var y = 1; var z = 2
"##;
        check(all, expect!["fine"]);
        check("", expect!["fine"]);
        check("\u{feff}# only a comment", expect!["fine"]);
        check("func a():\r\n    if true:\r\n        pass\r\n", expect!["fine"]);
    }

    #[test]
    fn any_cut_and_any_depth_is_read() {
        let text = "func é(a = [{\"é\": %B}]):\n\tmatch a:\n\t\t[..]: (func(): return $\"é\")\n";
        for (at, _) in text.char_indices() {
            find_problem(&text[..at]);
            find_problem(&text[at..]);
        }
        let deep = format!("var a = {}", "[".repeat(100_000));
        assert_eq!(find_problem(&deep), None);
        let nots = format!("var a = {}1\n", "not ".repeat(100_000));
        assert_eq!(find_problem(&nots), None);
    }
}
