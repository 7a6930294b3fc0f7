//! The errors of a syntax tree as sentences.

use tree_sitter::{Node, Tree};

use super::{Problem, scan, text};

/// A source with more errors than this is not read by anyone error by error.
const MOST: usize = 100;

/// Lists the syntax errors of a tree, in order. `unclosed` is a brace that has no partner.
pub(super) fn add(source: &str, tree: &Tree, unclosed: Option<usize>, problems: &mut Vec<Problem>) {
    if let Some(brace) = unclosed {
        let message = "this `{` is not closed before the end of the file".to_owned();
        problems.push(scan::problem_at(source, brace, message));
    }
    let found = errors(tree);
    let more = found.len() > MOST;
    for (i, node) in found.iter().take(MOST).enumerate() {
        // The parser wraps what surrounds an error into another one, which says nothing new.
        let wraps = found.get(i + 1).is_some_and(|next| next.start_byte() < node.end_byte());
        let long = node.start_position().row < node.end_position().row;
        if long && (wraps || unclosed.is_some()) {
            continue;
        }
        let mut problem = at(*node, message(source, *node));
        if more && i + 1 == MOST {
            problem.message = "there are more syntax errors; the list ends here".into();
        }
        problems.push(problem);
    }
}

/// The errors of a tree, and what it says is missing.
fn errors(tree: &Tree) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            found.push(node);
        }
        if found.len() > MOST {
            return found;
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn at(node: Node<'_>, message: String) -> Problem {
    let start = node.start_position();
    Problem { line: start.row as u32 + 1, column: start.column as u32 + 1, message }
}

fn message(source: &str, node: Node<'_>) -> String {
    if node.is_missing() {
        return format!("`{}` is missing here", node.kind());
    }
    let text = source.get(node.byte_range()).unwrap_or_default();
    let line = text.trim_start().lines().next().unwrap_or_default();
    format!("unexpected `{}`", text::cut(line.trim().to_owned(), 60))
}
