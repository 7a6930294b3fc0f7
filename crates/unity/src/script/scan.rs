//! A source without its strings, comments and statements, by one pass over its bytes: what must be
//! known before a parser can be let loose on it.

use std::collections::HashSet;
use std::ops::Range;

use super::Problem;

/// A byte of code, a whole preprocessor line or a comment in brackets; strings and other comments are
/// passed over.
enum Token {
    Code(usize, u8),
    Directive(Range<usize>),
    Comment(Range<usize>),
}

/// An interpolated string whose text, or one of whose holes, is being read.
struct Open {
    /// How many quotes end it; more than two for a raw string.
    quotes: usize,
    /// How many braces open a hole.
    braces: usize,
    verbatim: bool,
    /// Braces open in the hole.
    depth: usize,
}

/// Splits a source into code and the rest. Linear, and every byte is looked at once.
fn tokens(source: &str, mut emit: impl FnMut(Token)) {
    let bytes = source.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let run =
        |i: usize, byte: u8| bytes[i.min(bytes.len())..].iter().take_while(|b| **b == byte).count();
    let mut open: Vec<Open> = Vec::new();
    let mut line_start = true;
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        match byte {
            b'/' if at(i + 1) == b'/' => i = end_of_line(bytes, i),
            b'/' if at(i + 1) == b'*' => {
                let start = i;
                i = source
                    .get(i + 2..)
                    .and_then(|rest| rest.find("*/"))
                    .map_or(bytes.len(), |end| i + end + 4);
                emit(Token::Comment(start..i));
            }
            b'#' if line_start => {
                let end = end_of_line(bytes, i);
                emit(Token::Directive(i..end));
                i = end;
            }
            b'\'' => i = char_end(bytes, i),
            b'"' | b'@' | b'$' => {
                let prefix = bytes[i..].iter().take_while(|b| matches!(b, b'@' | b'$')).count();
                let dollars = bytes[i..i + prefix].iter().filter(|b| **b == b'$').count();
                let verbatim = dollars < prefix;
                let start = i + prefix;
                let quotes = run(start, b'"');
                if quotes == 0 {
                    i = start;
                } else if quotes == 2 && !verbatim {
                    i = start + 2;
                } else {
                    let quotes = if quotes > 2 && !verbatim { quotes } else { 1 };
                    let string = Open { quotes, braces: dollars.max(1), verbatim, depth: 0 };
                    i = string_end(bytes, start + quotes, &string, dollars > 0, &mut open);
                }
            }
            b'}' if open.last().is_some_and(|hole| hole.depth == 0) => {
                if let Some(string) = open.pop() {
                    i = string_end(
                        bytes,
                        i + string.braces.min(run(i, b'}')),
                        &string,
                        true,
                        &mut open,
                    );
                }
            }
            _ => {
                match (byte, open.last_mut()) {
                    (b'{', Some(hole)) => hole.depth += 1,
                    (b'}', Some(hole)) => hole.depth -= 1,
                    _ => {}
                }
                emit(Token::Code(i, byte));
                i += 1;
            }
        }
        line_start = byte == b'\n' || (line_start && byte.is_ascii_whitespace());
    }
}

fn end_of_line(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| from + n)
}

/// The end of a character literal; a lone quote is passed over.
fn char_end(bytes: &[u8], from: usize) -> usize {
    let first = if bytes.get(from + 1) == Some(&b'\\') { from + 3 } else { from + 2 };
    let end = (from + 14).min(bytes.len());
    let rest = bytes.get(first..end).unwrap_or_default();
    match rest.iter().position(|b| matches!(b, b'\'' | b'\n')) {
        Some(n) if rest[n] == b'\'' => first + n + 1,
        _ => from + 1,
    }
}

/// Reads the text of a string to its end, or to its next hole, which is then left in `open`.
fn string_end(
    bytes: &[u8],
    from: usize,
    string: &Open,
    holes: bool,
    open: &mut Vec<Open>,
) -> usize {
    let Open { quotes, braces, verbatim, .. } = *string;
    let raw = quotes > 2;
    let run =
        |i: usize, byte: u8| bytes[i.min(bytes.len())..].iter().take_while(|b| **b == byte).count();
    let mut i = from;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' if !raw && !verbatim => i += 2,
            // The string was never closed.
            b'\n' if !raw && !verbatim => return i,
            b'"' => match run(i, b'"') {
                n if raw && n >= quotes => return i + n,
                n if raw => i += n,
                n if verbatim && n % 2 == 0 => i += n,
                n if verbatim => return i + n,
                _ => return i + 1,
            },
            b'{' if holes => match run(i, b'{') {
                n if raw && n < braces => i += n,
                n if !raw && n % 2 == 0 => i += n,
                n => {
                    open.push(Open { quotes, braces, verbatim, depth: 0 });
                    return i + n;
                }
            },
            _ => i += 1,
        }
    }
    bytes.len()
}

/// The lines of a source with its strings, comments and preprocessor lines blanked out: what is left
/// is code.
pub fn code_lines(source: &str) -> Vec<String> {
    let breaks = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
    let mut bytes: Vec<u8> = source.bytes().map(|byte| breaks(&byte)).collect();
    tokens(source, |token| {
        if let Token::Code(at, byte) = token {
            bytes[at] = byte;
        }
    });
    let code = String::from_utf8_lossy(&bytes);
    code.split('\n').map(str::to_owned).collect()
}

/// The offsets of the line breaks that are part of a string. What is around them means something.
pub fn breaks_in_strings(source: &str) -> HashSet<usize> {
    let is_break = |at: &usize| source.as_bytes()[*at] == b'\n';
    let mut breaks: HashSet<usize> = (0..source.len()).filter(is_break).collect();
    tokens(source, |token| match token {
        Token::Code(at, _) => drop(breaks.remove(&at)),
        Token::Comment(range) => breaks.retain(|at| !range.contains(at)),
        Token::Directive(_) => {}
    });
    breaks
}

/// Nesting beyond this inside one statement is blanked: the grammar is ambiguous at `<` and `(`,
/// and its parser's memory grows with the square of the open ones.
const MAX_NESTING: usize = 64;
/// Calls, casts and comparisons in a row without a comma, such as `(a)(a)(a)`.
const MAX_ROW: usize = 1024;

/// The source without statements that its parser cannot read in bounded memory, and where they were.
pub(super) fn without_tangles(source: &str, problems: &mut Vec<Problem>) -> Option<String> {
    let mut tangles: Vec<Range<usize>> = Vec::new();
    let (mut start, mut angles, mut parens, mut row, mut tangled) =
        (0, 0usize, 0usize, 0usize, false);
    let mut previous = 0;
    tokens(source, |token| {
        let Token::Code(at, byte) = token else { return };
        match byte {
            b';' | b'{' | b'}' => {
                if tangled {
                    // A lone `;` is no member, so it goes with its statement.
                    tangles.push(start..at + usize::from(byte == b';'));
                }
                (start, angles, parens, row, tangled) = (at + 1, 0, 0, 0, false);
            }
            b'<' => {
                angles += 1;
                row += 1;
            }
            b'>' if previous != b'=' && previous != b'-' => angles = angles.saturating_sub(1),
            b'(' | b'[' => {
                parens += 1;
                row += 1;
            }
            b')' | b']' => parens = parens.saturating_sub(1),
            b',' => row = 0,
            _ => {}
        }
        tangled |= angles > MAX_NESTING || parens > MAX_NESTING || row > MAX_ROW;
        previous = byte;
    });
    if tangled {
        tangles.push(start..source.len());
    }
    if tangles.is_empty() {
        return None;
    }
    let message = "this statement is nested too deeply and was not read";
    problems.extend(tangles.iter().take(20).map(|t| problem_at(source, t.start, message.into())));
    Some(blanked(source, &tangles))
}

/// The problem at a byte of the source.
pub(super) fn problem_at(source: &str, byte: usize, message: String) -> Problem {
    let before = &source.as_bytes()[..byte.min(source.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
    Problem { line: line as u32, column: column as u32, message }
}

/// The source with these ranges turned to spaces; lines keep their numbers.
fn blanked(source: &str, ranges: &[Range<usize>]) -> String {
    let mut bytes = source.as_bytes().to_vec();
    for byte in ranges.iter().flat_map(|range| range.clone()) {
        if !matches!(bytes[byte], b'\n' | b'\r') {
            bytes[byte] = b' ';
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The source without the statements of its methods and with every brace closed, so that an error
/// in a method does not spoil the members after it. Also the brace that was not closed last.
pub(super) fn skeleton(source: &str) -> (String, Option<usize>) {
    let mut open: Vec<usize> = Vec::new();
    let mut gone: Vec<Range<usize>> = Vec::new();
    // The depth and start of the method that is being read.
    let mut method: Option<(usize, usize)> = None;
    // Where the declaration before a brace starts, and what was seen of it.
    let (mut start, mut parens, mut assigns, mut last) = (0, 0usize, false, 0);
    tokens(source, |token| {
        let Token::Code(at, byte) = token else { return };
        match byte {
            b'{' => {
                // Types may have parameters too, and `new A() { … }` is a value.
                if method.is_none()
                    && last == b')'
                    && !assigns
                    && !declares_type(&source[start..at])
                {
                    method = Some((open.len(), at + 1));
                }
                open.push(at);
            }
            b'}' => {
                open.pop();
                if let Some((depth, start)) = method
                    && open.len() <= depth
                {
                    gone.push(start..at);
                    method = None;
                }
            }
            b'(' => parens += 1,
            b')' => parens = parens.saturating_sub(1),
            b'=' => assigns |= parens == 0,
            _ => {}
        }
        if matches!(byte, b';' | b'{' | b'}') {
            (start, parens, assigns) = (at + 1, 0, false);
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
    });
    gone.extend(method.map(|(_, start)| start..source.len()));
    let mut text = blanked(source, &gone);
    text.extend(open.iter().map(|_| '}'));
    (text, open.last().copied())
}

/// The source without comments, strings and preprocessor lines; a space stands for each.
pub(super) fn code(source: &str) -> String {
    let mut kept = Vec::with_capacity(source.len());
    let mut next = 0;
    tokens(source, |token| {
        let Token::Code(at, byte) = token else { return };
        if at > next {
            kept.push(b' ');
        }
        kept.push(byte);
        next = at + 1;
    });
    String::from_utf8_lossy(&kept).into_owned()
}

fn declares_type(head: &str) -> bool {
    let mut words = head.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| matches!(word, "class" | "struct" | "record" | "interface" | "enum"))
}

/// The source as the editor compiles it: of each `#if` one branch, with `UNITY_EDITOR` and the
/// `_OR_NEWER` symbols set and no others. `None` when the source has no `#if`.
pub(super) fn editor_branches(source: &str) -> Option<String> {
    /// What an open `#if` did so far.
    struct Level {
        around: bool,
        taken: bool,
        active: bool,
    }
    let mut levels: Vec<Level> = Vec::new();
    let mut defined: HashSet<&str> = HashSet::new();
    let mut gone: Vec<Range<usize>> = Vec::new();
    let mut inactive_from = None;
    let mut any = false;
    tokens(source, |token| {
        let Token::Directive(range) = token else { return };
        let line = source[range.clone()].trim_start_matches('#').trim();
        let (word, rest) =
            line.split_at(line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len()));
        let active = levels.last().is_none_or(|level| level.active);
        match word {
            "if" => {
                any = true;
                let holds = active && condition(rest, &defined);
                levels.push(Level { around: active, taken: holds, active: holds });
            }
            "elif" | "else" => {
                let Some(level) = levels.last_mut() else { return };
                let holds = word == "else" || condition(rest, &defined);
                level.active = level.around && !level.taken && holds;
                level.taken |= level.active;
            }
            "endif" => drop(levels.pop()),
            "define" if active => drop(defined.insert(rest.trim())),
            _ => return,
        }
        gone.push(range.clone());
        match (levels.last().is_none_or(|level| level.active), inactive_from) {
            (false, None) => inactive_from = Some(range.end),
            (true, Some(from)) => {
                gone.push(from..range.start);
                inactive_from = None;
            }
            _ => {}
        }
    });
    gone.extend(inactive_from.map(|from| from..source.len()));
    any.then(|| blanked(source, &gone))
}

/// Whether the condition of an `#if` holds in the editor of a version that is new enough for it.
pub fn holds_in_editor(text: &str) -> bool {
    condition(text, &HashSet::new())
}

/// Whether the condition of an `#if` holds. Parentheses are read up to a depth no one writes.
fn condition(text: &str, defined: &HashSet<&str>) -> bool {
    let text = text.split("//").next().unwrap_or_default();
    fn split<'t>(text: &'t str, operator: &str) -> Option<(&'t str, &'t str)> {
        let mut depth = 0i32;
        let at = text.char_indices().find(|(i, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0 && text[*i..].starts_with(operator)
        })?;
        Some((&text[..at.0], &text[at.0 + operator.len()..]))
    }
    fn holds(text: &str, defined: &HashSet<&str>, fuel: u32) -> bool {
        let text = text.trim();
        let Some(fuel) = fuel.checked_sub(1) else { return false };
        if let Some((a, b)) = split(text, "||") {
            return holds(a, defined, fuel) || holds(b, defined, fuel);
        }
        if let Some((a, b)) = split(text, "&&") {
            return holds(a, defined, fuel) && holds(b, defined, fuel);
        }
        if let Some((a, b)) = split(text, "==") {
            return holds(a, defined, fuel) == holds(b, defined, fuel);
        }
        if let Some((a, b)) = split(text, "!=") {
            return holds(a, defined, fuel) != holds(b, defined, fuel);
        }
        if let Some(rest) = text.strip_prefix('!') {
            return !holds(rest, defined, fuel);
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            return holds(inner, defined, fuel);
        }
        let newer = text.starts_with("UNITY_") && text.ends_with("_OR_NEWER");
        newer || matches!(text, "true" | "UNITY_EDITOR") || defined.contains(text)
    }
    holds(text, defined, 64)
}
