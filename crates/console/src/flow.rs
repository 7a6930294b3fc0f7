//! Whether code can come to its end, for functions that must return a value.

use super::ir::{Kind, Node, Stmt, StmtKind};

/// Whether the end of these statements is never reached.
pub(super) fn ends(statements: &[Stmt]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StmtKind::Return(_)
        | StmtKind::Rethrow
        | StmtKind::Expr(Node { kind: Kind::Throw(_), .. }) => true,
        StmtKind::Block(inner) => ends(inner),
        StmtKind::If(_, then, Some(otherwise)) => {
            ends(std::slice::from_ref(then)) && ends(std::slice::from_ref(otherwise))
        }
        StmtKind::Loop { condition, body, .. } => {
            let forever =
                condition.as_ref().is_none_or(|node| matches!(node.kind, Kind::Bool(true)));
            forever && !breaks(std::slice::from_ref(body))
        }
        StmtKind::Switch(_, sections) => {
            sections.iter().any(|section| section.is_default)
                && sections.iter().all(|section| ends(&section.body) && !breaks(&section.body))
        }
        StmtKind::Try { body, catches, finally } => {
            ends(finally) || (ends(body) && catches.iter().all(|catch| ends(&catch.body)))
        }
        _ => false,
    })
}

/// Whether a `break` among them leaves the loop they are in.
fn breaks(statements: &[Stmt]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StmtKind::Break => true,
        StmtKind::Block(inner) => breaks(inner),
        StmtKind::If(_, then, otherwise) => {
            breaks(std::slice::from_ref(then))
                || otherwise.as_ref().is_some_and(|other| breaks(std::slice::from_ref(other)))
        }
        StmtKind::Try { body, catches, finally } => {
            breaks(body) || breaks(finally) || catches.iter().any(|catch| breaks(&catch.body))
        }
        _ => false,
    })
}
