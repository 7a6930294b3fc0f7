//! Text to a tree without errors, or the first error in words. The source is never rewritten: what is
//! put in (`return`, the last `;`) is taken out of every place again, so that messages point right.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::scan::{self, Problem, Scan};
use super::{Parsed, parts, problem};
use crate::EvalError;

/// The longest that a source may take. Ordinary ones take milliseconds; `scan` keeps away what the
/// parser could not be stopped at.
const PATIENCE: Duration = Duration::from_secs(10);
/// Makes any expression a statement.
const RETURN: &str = "return ";
/// Ends the last statement, even behind a comment.
const END: &str = "\n;";
/// Places where the last statement may begin that are tried.
const MAX_STARTS: usize = 4;

/// A tree without errors.
pub(super) struct Reading {
    pub tree: Tree,
    /// Where a `return` was put in, because an expression stands alone at the end.
    pub returns: Option<usize>,
    /// How long the source is.
    length: usize,
}

impl Reading {
    /// The byte of the source that a byte of the tree is.
    pub(super) fn place(&self, byte: usize) -> usize {
        place(byte, self.returns, self.length)
    }
}

fn place(byte: usize, returns: Option<usize>, length: usize) -> usize {
    let byte = match returns {
        Some(start) if byte >= start + RETURN.len() => byte - RETURN.len(),
        Some(start) => byte.min(start),
        None => byte,
    };
    byte.min(length)
}

/// Read a source. The grammar has no place for an expression that stands alone, which a script may
/// end with, so then it is read once more with a `return` in front of its last statement.
pub(super) fn read(source: &str) -> Parsed<Reading> {
    let error = |problem: &Problem| EvalError::compile(source, problem.at as u32, &problem.message);
    let scan = scan::scan(source).map_err(|problem| error(&problem))?;
    let mut reader = Reader::new(source, &scan);
    let (tree, first) = reader.parse(None)?;
    if let Some(unclosed) = &scan.unclosed {
        // The grammar may know where the bracket should be, but only if it misses the same one.
        let wanted = |problem: &Problem| problem.message.get(..3).map(str::to_owned);
        let better = first.as_ref().filter(|first| wanted(first) == wanted(unclosed));
        return Err(error(better.unwrap_or(unclosed)));
    }
    if first.is_none() && !ends_in_doubt(&tree) {
        return Ok(reader.reading(tree, None));
    }
    let mut best = None;
    let starts = scan.top.iter().rev().filter(|start| **start <= scan.last);
    for start in starts.take(MAX_STARTS) {
        let (tree, found) = reader.parse(Some(*start))?;
        let Some(found) = found else {
            if last_statement(&tree).is_some_and(|last| last.start_byte() == *start) {
                return Ok(reader.reading(tree, Some(*start)));
            }
            continue;
        };
        // Of several readings, the one that comes furthest is the one that was meant.
        if best.as_ref().is_none_or(|best: &Problem| found.at > best.at) {
            best = Some(found);
        }
    }
    let Some(first) = first else { return Ok(reader.reading(tree, None)) };
    if let Some(at) = reader.bare_expression(&scan, first.at)? {
        let message = "CS0201: only assignments, calls and new objects can be statements; a bare expression comes last";
        return Err(EvalError::compile(source, at as u32, message));
    }
    Err(error(best.as_ref().filter(|best| best.at > first.at).unwrap_or(&first)))
}

struct Reader<'s> {
    source: &'s str,
    readable: &'s [u8],
    parser: Parser,
    until: Instant,
}

impl<'s> Reader<'s> {
    fn new(source: &'s str, scan: &'s Scan) -> Self {
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_c_sharp::LANGUAGE.into())
            .expect("the grammar fits the parser");
        Reader { source, readable: &scan.readable, parser, until: Instant::now() + PATIENCE }
    }

    fn reading(&self, tree: Tree, returns: Option<usize>) -> Reading {
        Reading { tree, returns, length: self.source.len() }
    }

    /// Read with a `return` put in at a place. Gives the first error of the tree too.
    fn parse(&mut self, returns: Option<usize>) -> Parsed<(Tree, Option<Problem>)> {
        let until = self.until;
        let mut go_on = |_: &_| match Instant::now() > until {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let (before, after) = self.readable.split_at(returns.unwrap_or(0));
        let word = if returns.is_some() { RETURN } else { "" };
        let pieces = [before, word.as_bytes(), after, END.as_bytes()];
        let mut text = |at: usize, _| piece_at(&pieces, at);
        let options = ParseOptions::new().progress_callback(&mut go_on);
        self.parser.reset();
        let tree = self.parser.parse_with_options(&mut text, None, Some(options));
        let tree = tree.ok_or_else(|| {
            let message = "the source takes too long to read; split it";
            EvalError::compile(self.source, 0, message)
        })?;
        let length = self.source.len();
        let found = problem::first(self.source, &tree, |byte| place(byte, returns, length));
        Ok((tree, found))
    }

    /// Whether the statement at a problem is one as soon as it has a `return`; then where it begins.
    fn bare_expression(&mut self, scan: &Scan, problem: usize) -> Parsed<Option<usize>> {
        let next = scan.starts.partition_point(|start| *start <= problem);
        let (Some(start), Some(end)) = (scan.starts[..next].last(), scan.starts.get(next)) else {
            return Ok(None);
        };
        let (_, found) = self.parse(Some(*start))?;
        let reads = found.is_none_or(|found| found.at >= *end);
        Ok(reads.then(|| problem::code_at(self.source, *start)))
    }
}

/// What follows a byte in a text of several pieces.
fn piece_at<'p>(pieces: &[&'p [u8]], mut at: usize) -> &'p [u8] {
    for piece in pieces {
        match at.checked_sub(piece.len()) {
            Some(behind) => at = behind,
            None => return &piece[at..],
        }
    }
    &[]
}

/// Whether the last statement may be meant as an expression, although it reads as something else:
/// `x * y` declares a pointer `y` to `x`, and `(x)(y)` is no statement if it is a cast.
fn ends_in_doubt(tree: &Tree) -> bool {
    last_statement(tree).is_some_and(|last| match last.kind() {
        "expression_statement" => first_leaf(last).kind() == "(",
        _ => {
            let declared = last.named_child(0);
            let ty = declared.and_then(|declared| declared.child_by_field_name("type"));
            ty.is_some_and(|ty| ty.kind() == "pointer_type")
        }
    })
}

/// The last statement, not counting the `;` that was put behind the source.
fn last_statement(tree: &Tree) -> Option<Node<'_>> {
    let statements = parts(tree.root_node()).into_iter().rev().filter_map(|node| node.child(0));
    statements.take(2).find(|statement| statement.kind() != "empty_statement")
}

fn first_leaf(mut node: Node<'_>) -> Node<'_> {
    while let Some(first) = node.child(0) {
        node = first;
    }
    node
}
