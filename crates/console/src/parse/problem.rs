//! Where a tree is wrong, in words.

use tree_sitter::{Node, Tree};

use super::scan::Problem;

/// Text of the source in a message is cut behind this.
const MAX_SHOWN: usize = 40;

/// The first error of a tree, or the first thing that it lacks.
pub(super) fn first(source: &str, tree: &Tree, place: impl Fn(usize) -> usize) -> Option<Problem> {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        // An error may hold a more exact one.
        if holds_error(node) && cursor.goto_first_child() {
            continue;
        }
        if node.is_error() {
            return Some(unexpected(source, node, place(node.start_byte())));
        }
        // A name that is missing is a node that says so only of a token inside that is not shown.
        if node.has_error() || node.is_missing() {
            return Some(missing(source, node, place(node.start_byte())));
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}

fn holds_error(node: Node<'_>) -> bool {
    node.has_error() && node.children(&mut node.walk()).any(|child| child.has_error())
}

fn missing(source: &str, node: Node<'_>, at: usize) -> Problem {
    let at = code_at(source, at);
    let wanted = match node.kind() {
        "identifier" | "_identifier_token" => "an expression".to_owned(),
        kind => format!("'{kind}'"),
    };
    Problem { at, message: format!("{wanted} is expected, found {}", found(source, at)) }
}

fn unexpected(source: &str, node: Node<'_>, at: usize) -> Problem {
    let length = node.end_byte() - node.start_byte();
    let at = code_at(source, at);
    let rest = source.get(at..).unwrap_or_default();
    let mut end = length.min(MAX_SHOWN).min(rest.len());
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let line = rest[..end].lines().next().unwrap_or_default().trim_end();
    if line.is_empty() {
        return Problem { at, message: format!("unexpected {}", found(source, at)) };
    }
    if line.bytes().all(|byte| b"=+-*/%&|^<>?!~".contains(&byte)) {
        let at = code_at(source, at + line.len());
        let message = format!("an expression is expected, found {}", found(source, at));
        return Problem { at, message };
    }
    Problem { at, message: format!("unexpected '{line}'") }
}

/// The first byte from here on that is no blank.
pub(super) fn code_at(source: &str, at: usize) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    source.len() - rest.trim_start().len()
}

/// What stands at a place, in words.
fn found(source: &str, at: usize) -> String {
    let rest = source.get(at..).unwrap_or_default();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    match rest.chars().next() {
        None => "the end".to_owned(),
        Some('"' | '$') => "a string".to_owned(),
        Some(digit) if digit.is_ascii_digit() => "a number".to_owned(),
        Some(letter) if is_letter(letter) => {
            let word: String = rest.chars().take_while(|c| is_letter(*c)).take(MAX_SHOWN).collect();
            format!("'{word}'")
        }
        Some(sign) => format!("'{sign}'"),
    }
}
