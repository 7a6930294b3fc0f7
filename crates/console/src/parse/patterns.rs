//! Patterns of `is` and `switch`.

use tree_sitter::Node;

use super::expressions::{Piece, infix};
use super::{Lowering, Parsed, parts, values};
use crate::syntax::Pattern;

impl Lowering<'_> {
    pub(super) fn pattern(&mut self, node: Node<'_>) -> Parsed<Pattern> {
        let mut row = Vec::new();
        self.deeper(node, |lowering| lowering.lay_out_pattern(node, &mut row))?;
        self.put_pattern_together(self.at(node), row)
    }

    /// Lay out a pattern like an expression, because what the grammar takes for its end is not.
    pub(super) fn lay_out_pattern(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        match node.kind() {
            "discard" => row.push(Piece::Pattern(Pattern::Any)),
            "var_pattern" => {
                let name = self.designation(node)?;
                row.push(Piece::Pattern(Pattern::Var(name)));
            }
            "declaration_pattern" => {
                let ty = self.ty(self.field(node, "type")?)?;
                let name = self.designation(node)?;
                row.push(Piece::Pattern(match ty.name.as_str() {
                    "var" => Pattern::Var(name),
                    _ => Pattern::Type(ty, Some(name)),
                }));
            }
            "type_pattern" => return self.lay_out_type_pattern(self.field(node, "type")?, row),
            "negated_pattern" => {
                row.push(Piece::Not);
                return self.lay_out_inner(node, row);
            }
            "relational_pattern" => {
                let relation = node.child(0).and_then(|sign| infix(sign.kind()));
                let relation = relation.ok_or_else(|| self.error(node, "a pattern is expected"))?;
                row.push(Piece::Infix(relation));
                return self.lay_out_inner(node, row);
            }
            "and_pattern" | "or_pattern" => {
                let (left, right) = (self.field(node, "left")?, self.field(node, "right")?);
                self.deeper(node, |lowering| lowering.lay_out_pattern(left, row))?;
                row.push(if node.kind() == "and_pattern" { Piece::And } else { Piece::Or });
                return self.deeper(node, |lowering| lowering.lay_out_pattern(right, row));
            }
            "parenthesized_pattern" => {
                let inner = values(node).next();
                let inner = inner.ok_or_else(|| self.error(node, "a pattern is expected"))?;
                let pattern = self.pattern(inner)?;
                row.push(Piece::Pattern(pattern));
            }
            "constant_pattern" => return self.lay_out_inner(node, row),
            "recursive_pattern" | "list_pattern" => {
                let message = "property and list patterns are not supported; use && with members";
                return Err(self.error(node, message));
            }
            "generic_name" | "predefined_type" => return self.lay_out_type_pattern(node, row),
            "identifier" if self.text(node) == "_" => row.push(Piece::Pattern(Pattern::Any)),
            _ => return self.deeper(node, |lowering| lowering.lay_out(node, row)),
        }
        Ok(())
    }

    /// The pattern or expression inside of another.
    fn lay_out_inner(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        let inner = parts(node).pop();
        let inner = inner.ok_or_else(|| self.error(node, "a pattern is expected"))?;
        self.deeper(node, |lowering| lowering.lay_out_pattern(inner, row))
    }

    /// A type alone; a plain name may as well be a constant.
    pub(super) fn lay_out_type_pattern(
        &mut self,
        node: Node<'_>,
        row: &mut Vec<Piece>,
    ) -> Parsed<()> {
        if self.text(node) == "_" {
            row.push(Piece::Pattern(Pattern::Any));
            return Ok(());
        }
        row.push(match self.type_as_expression(node)? {
            Some(name) => Piece::Operand(self.at(node), name),
            None => Piece::Pattern(Pattern::Type(self.ty(node)?, None)),
        });
        Ok(())
    }

    fn designation(&self, node: Node<'_>) -> Parsed<String> {
        match parts(node).pop() {
            Some(name) if name.kind() == "identifier" => self.declared(name),
            Some(name) if name.kind() == "discard" => Ok("_".to_owned()),
            _ => Err(self.unsupported(node, "patterns of several variables")),
        }
    }
}
