//! Text to syntax. The text is read by tree-sitter (`reading`), and what it found becomes the part
//! of C# that the console takes; the rest is refused in its place, with what to use instead.

mod creation;
mod expressions;
mod functions;
mod literals;
mod operands;
mod order;
mod patterns;
mod problem;
mod reading;
mod scan;
mod statements;
mod types;

use tree_sitter::Node;

use super::EvalError;
use super::limits::{MAX_DEPTH, MAX_HEIGHT};
use super::syntax::{Expr, ExprKind, Stmt};
use reading::Reading;

/// Words that cannot be names.
const RESERVED: &str = "abstract as base bool break byte case catch char checked class const continue decimal \
    default delegate do double else enum event explicit extern false finally fixed float for \
    foreach goto if implicit in int interface internal is lock long namespace new null object \
    operator out override params private protected public readonly ref return sbyte sealed \
    short sizeof stackalloc static string struct switch this throw true try typeof uint ulong \
    unchecked unsafe ushort using virtual void volatile while";

type Parsed<T> = Result<T, EvalError>;

/// Read a script.
pub(super) fn parse(source: &str) -> Parsed<Vec<Stmt>> {
    let reading = reading::read(source)?;
    let mut lowering = Lowering { source, reading: &reading, depth: 0, holes: 0 };
    lowering.script(reading.tree.root_node())
}

/// From nodes to syntax.
struct Lowering<'s> {
    source: &'s str,
    reading: &'s Reading,
    depth: usize,
    /// Interpolated strings that the one at hand is in.
    holes: usize,
}

impl<'s> Lowering<'s> {
    /// The text of a node, as it was written.
    fn text(&self, node: Node<'_>) -> &'s str {
        let range = self.reading.place(node.start_byte())..self.reading.place(node.end_byte());
        self.source.get(range).unwrap_or_default()
    }

    /// Where a node begins.
    fn at(&self, node: Node<'_>) -> u32 {
        self.reading.place(node.start_byte()) as u32
    }

    /// What a name is without the `@` that lets it be a word of the language.
    fn name(&self, node: Node<'_>) -> String {
        self.text(node).trim_start_matches('@').to_owned()
    }

    /// The name of something that is declared here.
    fn declared(&self, node: Node<'_>) -> Parsed<String> {
        // The grammar takes any word for a name where nothing else fits.
        let text = self.text(node);
        if RESERVED.split_ascii_whitespace().any(|word| word == text) {
            return Err(self.error(node, &format!("a name is expected, found '{text}'")));
        }
        Ok(self.name(node))
    }

    fn error(&self, node: Node<'_>, message: &str) -> EvalError {
        EvalError::compile(self.source, self.at(node), message)
    }

    /// For what is missing: the place behind a node.
    fn error_after(&self, node: Node<'_>, message: &str) -> EvalError {
        let end = self.reading.place(node.end_byte());
        EvalError::compile(self.source, end as u32, message)
    }

    /// `what` names the part of C# in the plural: "labels".
    fn unsupported(&self, node: Node<'_>, what: &str) -> EvalError {
        self.error(node, &format!("{what} are not supported here"))
    }

    /// A field that the grammar says is there.
    fn field<'t>(&self, node: Node<'t>, name: &str) -> Parsed<Node<'t>> {
        let found = node.child_by_field_name(name);
        found.ok_or_else(|| self.error(node, "this is not understood"))
    }

    /// Go a level deeper.
    fn deeper<T>(
        &mut self,
        node: Node<'_>,
        lower: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = "the code is nested too deep; split it into statements";
            return Err(self.error(node, message));
        }
        self.depth += 1;
        let lowered = lower(self);
        self.depth -= 1;
        lowered
    }

    fn node(&self, at: u32, below: u16, kind: ExprKind) -> Parsed<Expr> {
        if below >= MAX_HEIGHT {
            return Err(self.too_long(at));
        }
        Ok(Expr { at, height: below + 1, kind })
    }

    fn too_long(&self, at: u32) -> EvalError {
        let message = "the expression is too long; split it into statements";
        EvalError::compile(self.source, at, message)
    }
}

/// The children of a node without comments. Words such as `this` are among them, so it is not only
/// the named ones.
fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    node.children(&mut node.walk()).filter(|child| !child.is_extra()).collect()
}

/// Whether a child is a sign or word that only separates others.
fn is_separator(node: Node<'_>) -> bool {
    !node.is_named() && !matches!(node.kind(), "this" | "base")
}

/// What stands in a node between its signs.
fn values(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    parts(node).into_iter().filter(|part| !is_separator(*part))
}

/// The child that is this sign or word.
fn sign<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    parts(node).into_iter().find(|part| !part.is_named() && part.kind() == kind)
}
