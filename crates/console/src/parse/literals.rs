//! Numbers, characters and strings.

use tree_sitter::Node;

use super::{Lowering, Parsed, parts, values};
use crate::limits::MAX_HOLES;
use crate::syntax::{Expr, ExprKind, IntSuffix, Part};

impl Lowering<'_> {
    /// A literal, or nothing if it is none.
    pub(super) fn literal(&mut self, node: Node<'_>) -> Parsed<Option<ExprKind>> {
        let text = self.text(node);
        Ok(Some(match node.kind() {
            "null_literal" => ExprKind::Null,
            "boolean_literal" => ExprKind::Bool(text == "true"),
            "integer_literal" => self.integer(node)?,
            "real_literal" => self.real(node)?,
            "character_literal" => self.character(node)?,
            "string_literal" => ExprKind::Text(self.string(node)?),
            "verbatim_string_literal" => {
                let inner = text.strip_prefix("@\"").and_then(|rest| rest.strip_suffix('"'));
                let inner = inner.ok_or_else(|| self.unsupported(node, "UTF-8 strings"))?;
                ExprKind::Text(inner.replace("\"\"", "\""))
            }
            "raw_string_literal" => return Err(self.no_raw_strings(node)),
            _ => return Ok(None),
        }))
    }

    fn no_raw_strings(&self, node: Node<'_>) -> super::EvalError {
        self.error(node, "raw strings are not supported; use a verbatim string @\"…\"")
    }

    fn integer(&self, node: Node<'_>) -> Parsed<ExprKind> {
        let text = self.text(node).replace('_', "").to_ascii_lowercase();
        let digits = text.trim_end_matches(['u', 'l']);
        let suffix = match &text[digits.len()..] {
            "" => IntSuffix::None,
            "u" => IntSuffix::Unsigned,
            "l" => IntSuffix::Long,
            _ => return Err(self.error(node, "ulong is not supported; use long")),
        };
        let value = match digits.get(..2) {
            Some("0x") => u64::from_str_radix(&digits[2..], 16),
            Some("0b") => u64::from_str_radix(&digits[2..], 2),
            _ => digits.parse(),
        };
        let value =
            value.map_err(|_| self.error(node, "CS1021: the integral constant is too large"))?;
        let value = i64::try_from(value).map_err(|_| {
            self.error(node, "the number does not fit a long, and ulong is not supported")
        })?;
        Ok(ExprKind::Int(value, suffix))
    }

    fn real(&self, node: Node<'_>) -> Parsed<ExprKind> {
        let text = self.text(node).replace('_', "").to_ascii_lowercase();
        let digits = text.trim_end_matches(['f', 'd', 'm']);
        let number = match &text[digits.len()..] {
            "m" => return Err(self.error(node, "decimal is not supported; use double")),
            "f" => digits.parse().map(ExprKind::Float),
            _ => digits.parse().map(ExprKind::Double),
        };
        number.map_err(|_| self.error(node, "this is no number"))
    }

    fn character(&self, node: Node<'_>) -> Parsed<ExprKind> {
        let bad = "a character is one letter or escape in single quotes";
        let content = values(node).next().ok_or_else(|| self.error(node, bad))?;
        let letter = match content.kind() {
            "escape_sequence" => Some(self.escape(content)?),
            _ => self.text(content).chars().next().filter(|letter| *letter != '\n'),
        };
        let unit = letter.and_then(|letter| u16::try_from(u32::from(letter)).ok());
        unit.map(ExprKind::Char).ok_or_else(|| self.error(node, bad))
    }

    fn string(&self, node: Node<'_>) -> Parsed<String> {
        let mut text = String::new();
        for part in values(node) {
            match part.kind() {
                "escape_sequence" => text.push(self.escape(part)?),
                "string_literal_content" => text.push_str(self.text(part)),
                _ => return Err(self.unsupported(part, "UTF-8 strings")),
            }
        }
        Ok(text)
    }

    fn escape(&self, node: Node<'_>) -> Parsed<char> {
        let wrong = || self.error(node, "CS1009: unrecognized escape sequence");
        let mut letters = self.text(node).chars();
        let letter = letters.by_ref().nth(1).ok_or_else(wrong)?;
        Ok(match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            '\\' | '"' | '\'' => letter,
            'u' | 'x' | 'U' => {
                let code = u32::from_str_radix(letters.as_str(), 16).ok();
                code.and_then(char::from_u32).ok_or_else(wrong)?
            }
            _ => return Err(wrong()),
        })
    }

    pub(super) fn interpolated(&mut self, node: Node<'_>) -> Parsed<Expr> {
        if self.holes >= MAX_HOLES {
            return Err(self.error(node, "interpolated strings are nested too deep"));
        }
        self.holes += 1;
        let at = self.at(node);
        let mut below = 0;
        let mut is_verbatim = false;
        let mut pieces = Vec::new();
        for part in parts(node) {
            match part.kind() {
                "interpolation_start" => is_verbatim = self.text(part).contains('@'),
                "interpolation_quote" => return Err(self.no_raw_strings(node)),
                "string_content" => pieces.push(Part::Text(self.content(part, is_verbatim)?)),
                "escape_sequence" => pieces.push(Part::Text(self.escape(part)?.to_string())),
                "interpolation" => {
                    let (value, width, format) = self.hole(part)?;
                    below = below.max(value.height);
                    pieces.push(Part::Hole(value, width, format));
                }
                _ => {}
            }
        }
        self.holes -= 1;
        self.node(at, below, ExprKind::Interpolated(pieces))
    }

    /// Text between holes, where `{{` is one brace.
    fn content(&self, node: Node<'_>, is_verbatim: bool) -> Parsed<String> {
        let written = self.text(node);
        let mut text = String::with_capacity(written.len());
        let mut letters = written.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_twice = letters.peek() == Some(&letter);
            match letter {
                '{' | '}' if !is_twice => {
                    let message = format!(
                        "a single '{letter}' in an interpolated string; write '{letter}{letter}'"
                    );
                    return Err(self.error(node, &message));
                }
                '{' | '}' => drop(letters.next()),
                '"' if is_verbatim && is_twice => drop(letters.next()),
                _ => {}
            }
            text.push(letter);
        }
        Ok(text)
    }

    /// The value of a hole, its width and its format.
    fn hole(&mut self, node: Node<'_>) -> Parsed<(Expr, i32, String)> {
        let mut value = None;
        let (mut width, mut format) = (0, String::new());
        for part in values(node) {
            match part.kind() {
                "interpolation_brace" => {}
                "interpolation_alignment_clause" => {
                    let text = self.text(part).trim_start_matches(',').trim();
                    width = text.parse().map_err(|_| self.error(part, "a width is expected"))?;
                }
                "interpolation_format_clause" => {
                    let text = self.text(part);
                    format = text.strip_prefix(':').unwrap_or(text).to_owned();
                }
                _ => value = Some(self.expression(part)?),
            }
        }
        let value =
            value.ok_or_else(|| self.error(node, "an expression is expected, found '}'"))?;
        Ok((value, width, format))
    }
}
