//! Whether Godot could read a shader, as far as its words tell: brackets, comments, statements that
//! do not end. What the preprocessor makes of a shader is not known here, so its lines are passed.
//!
//! It is never stricter than the engine; types and names are not looked at.

use crate::CodeProblem;

/// Words whose brackets are followed by a statement.
const HEADERS: &[&str] = &["if", "for", "while", "switch"];
/// Words that are followed by a value.
const BEFORE_VALUES: &[&str] = &["return", "case", "else", "do"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    /// A bracket, a comma, a semicolon or the like.
    Mark,
    /// An operator that wants a value behind it.
    Operator,
    /// `++` or `--`, which may stand on either side of a value.
    Step,
}

#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    offset: usize,
}

/// A bracket that is open, and what stands before it.
struct Open<'a> {
    bracket: Token<'a>,
    before: Option<Token<'a>>,
}

/// Something wrong, and where.
struct Wrong {
    offset: usize,
    message: String,
}

/// The first thing that Godot could not read, if there is any.
pub(super) fn find_problem(text: &str) -> Option<CodeProblem> {
    let wrong = match tokens(text) {
        Ok(tokens) => brackets(&tokens, has_macros(text))?,
        Err(wrong) => wrong,
    };
    Some(CodeProblem::at(text, wrong.offset, wrong.message))
}

/// Macros may be anything, also half a statement.
fn has_macros(text: &str) -> bool {
    text.lines().any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|word| word.starts_with("define") || word.starts_with("include"))
    })
}

fn brackets(tokens: &[Token<'_>], has_macros: bool) -> Option<Wrong> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut closed: Option<Open<'_>> = None;
    let mut before: Option<Token<'_>> = None;
    let mut earlier: Option<Token<'_>> = None;
    for token in tokens {
        let wrong = |message: String| Some(Wrong { offset: token.offset, message });
        if let Some(message) = before.and_then(|before| {
            let header = closed.as_ref().and_then(|closed| closed.before);
            (!has_macros).then(|| beside(earlier, before, header, *token))?
        }) {
            return wrong(message);
        }
        match token.text {
            "(" | "[" | "{" => open.push(Open { bracket: *token, before }),
            ")" | "]" | "}" => {
                let Some(last) = open.pop() else {
                    return wrong(format!("`{}` closes nothing", token.text));
                };
                let wanted = match last.bracket.text {
                    "(" => ")",
                    "[" => "]",
                    _ => "}",
                };
                if wanted != token.text {
                    return wrong(format!("`{wanted}` is expected here, not `{}`", token.text));
                }
                let ends = before.is_some_and(|before| matches!(before.text, ";" | "{" | "}"));
                if wanted == "}" && !ends && !is_list(&last) && !has_macros {
                    return wrong("`;` is expected before `}`".to_owned());
                }
                closed = Some(last);
            }
            _ => {}
        }
        (earlier, before) = (before, Some(*token));
    }
    let last = open.pop()?;
    let message = format!("`{}` is not closed", last.bracket.text);
    Some(Wrong { offset: last.bracket.offset, message })
}

/// Whether curly brackets hold values and not statements.
fn is_list(open: &Open<'_>) -> bool {
    open.before.is_some_and(|before| matches!(before.text, "=" | "(" | "," | "]" | "{" | "return"))
}

/// What is wrong with a word behind another; `header` is what stands before the last bracket that
/// was closed.
fn beside(
    earlier: Option<Token<'_>>,
    before: Token<'_>,
    header: Option<Token<'_>>,
    next: Token<'_>,
) -> Option<String> {
    let is_value = matches!(next.kind, Kind::Word | Kind::Number);
    let missing = || Some(format!("`;` or an operator is expected before `{}`", next.text));
    if before.kind == Kind::Operator
        && (matches!(next.text, ";" | ")" | "]" | "}" | ",") || is_binary(next))
    {
        return Some(format!("a value is expected between `{}` and `{}`", before.text, next.text));
    }
    if !is_value {
        return None;
    }
    match before.kind {
        Kind::Number => missing(),
        // `float[3] a` declares one.
        Kind::Mark if before.text == ")" => {
            let is_header = header.is_some_and(|word| HEADERS.contains(&word.text));
            if is_header { None } else { missing() }
        }
        // After an operator comes a value, and then no other: `a = b c`.
        Kind::Word
            if earlier.is_some_and(|token| token.kind == Kind::Operator && token.text != ":")
                && !BEFORE_VALUES.contains(&before.text) =>
        {
            missing()
        }
        _ => None,
    }
}

/// An operator that no value starts with.
fn is_binary(token: Token<'_>) -> bool {
    token.kind == Kind::Operator && !matches!(token.text, "-" | "+" | "!" | "~")
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, Wrong> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with("//") || first == '#' {
            at += directive(rest);
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return Err(Wrong { offset: at, message: "a comment is not closed".into() });
            };
            at += end + 2;
        } else if first == '"' {
            // Only lines of the preprocessor and group names have texts.
            let end = rest[1..].find(['"', '\n']).map_or(rest.len(), |end| end + 2);
            at += end;
        } else if first.is_whitespace() {
            at += first.len_utf8();
        } else {
            let token = token(rest, at);
            at += token.text.len();
            found.push(token);
        }
    }
    Ok(found)
}

/// How long a line is that the preprocessor reads; a `\` continues it.
fn directive(rest: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

fn token(rest: &str, offset: usize) -> Token<'_> {
    let first = rest.chars().next().unwrap_or_default();
    let while_some = |is: fn(char) -> bool| rest.find(|char| !is(char)).unwrap_or(rest.len());
    if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())
    {
        let mut end = while_some(|char| char.is_alphanumeric() || char == '.');
        // `1e-5`.
        let is_small = rest[..end].ends_with(['e', 'E']) && !rest.starts_with("0x");
        if is_small && rest[end..].starts_with(['+', '-']) {
            end += 1;
            end += rest[end..].find(|c: char| !c.is_alphanumeric()).unwrap_or(rest[end..].len());
        }
        return Token { kind: Kind::Number, text: &rest[..end], offset };
    }
    if first == '_' || first.is_alphabetic() {
        let end = while_some(|char| char == '_' || char.is_alphanumeric());
        return Token { kind: Kind::Word, text: &rest[..end], offset };
    }
    const LONG: &[&str] = &[
        "<<=", ">>=", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=",
        "/=", "%=", "&=", "|=", "^=",
    ];
    let long = LONG.iter().find(|sign| rest.starts_with(**sign));
    let text = long.map_or(&rest[..first.len_utf8()], |sign| &rest[..sign.len()]);
    let kind = match text {
        "++" | "--" => Kind::Step,
        "(" | ")" | "[" | "]" | "{" | "}" | "," | ";" | "." | ":" | "?" => Kind::Mark,
        _ => Kind::Operator,
    };
    Token { kind, text, offset }
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
    fn statements_that_do_not_end_are_seen() {
        let body =
            |code: &str| format!("shader_type canvas_item;\nvoid fragment() {{\n{code}\n}}\n");
        check(
            &body("COLOR = vec4(1.0)\nCOLOR.a = 0.5;"),
            expect!["4:1 `;` or an operator is expected before `COLOR`"],
        );
        check(&body("COLOR = vec4(1.0)"), expect!["4:1 `;` is expected before `}`"]);
        check(
            &body("float a = b\nfloat c = 1.0;"),
            expect!["4:1 `;` or an operator is expected before `float`"],
        );
        check(&body("COLOR = ;"), expect!["3:9 a value is expected between `=` and `;`"]);
        check(&body("COLOR = vec4(1.0;"), expect!["4:1 `)` is expected here, not `}`"]);
        check(
            &body("float a = 1.0 2.0;"),
            expect!["3:15 `;` or an operator is expected before `2.0`"],
        );
        check(&body("/* COLOR = vec4(1.0);"), expect!["3:1 a comment is not closed"]);
        check("void fragment() {", expect!["1:17 `{` is not closed"]);
        check("}", expect!["1:1 `}` closes nothing"]);
    }

    #[test]
    fn what_godot_reads_is_fine() {
        let all = r#"shader_type spatial;
render_mode unshaded, cull_disabled;
#if defined(A) && B
#endif
group_uniforms look.more;
uniform vec4 tint : source_color = vec4(1.0, -1.0, .5, 1e-5);
uniform float values[3];
uniform sampler2D map : hint_default_white, filter_nearest;
varying flat vec3 way;
const float LIST[2] = { 1.0, 2.0 };
struct Ray { vec3 from; float[2] steps; };
float halved(const in float a, inout vec2 b) { return a > 0.0 ? -a : a * 0.5; }
void fragment() {
	for (int i = 0; i < 3; i++) ALBEDO += vec3(values[i]);
	if (tint.a < 0.5) discard; else if (!true) { ALPHA = 0.0; }
	float[] more = float[](1.0, 2.0); // a comment; with marks {
	while (false) --i;
	do { continue; } while (false);
	switch (1) { case 0: break; default: return; }
	vec3 x = vec3(1.0).xyz; uint bits = 0xFFu >> 2u & ~1u; bits <<= 1u;
	lowp float low = 1.0f; Ray r = Ray(x, more); r.from.x *= -1.0;
}
"#;
        check(all, expect!["fine"]);
        check("", expect!["fine"]);
        check("#define ADD(a) a + \nvoid f() { ADD(1) 2; }", expect!["fine"]);
    }
}
