//! Expressions. The grammar binds some operators otherwise than C# does: `1 + a?.b` is
//! `(1 + a)?.b` there, `(x) - 1` a cast of `-1`, and `a is null && b` asks for a pattern `null && b`.
//! So operands and operators are laid out in the order in which they are written, and `order` puts
//! them together.

use tree_sitter::Node;

use super::{Lowering, Parsed, parts, sign, values};
use crate::syntax::{Argument, ArgumentValue, Arm, Expr, ExprKind, Parameter, Pattern, TypeName};

/// Operands and operators in a row, beyond what an expression may be high.
const MAX_ROW: usize = 4000;

/// A part of an expression, in the order in which they are written.
pub(super) enum Piece {
    /// Something whole, such as a name or what is in brackets, and where it begins.
    Operand(u32, Expr),
    Prefix(u32, Prefix),
    /// An operator between two operands.
    Infix(&'static str),
    /// `=`, or the operator of `+=`.
    Assign(Option<&'static str>),
    /// `? yes :`, with the other value behind it.
    Choose(Expr),
    As(TypeName),
    Switch(Vec<Arm>),
    /// A pattern follows: operands, relations and the four below.
    Is,
    Pattern(Pattern),
    Not,
    And,
    Or,
}

/// What stands before an operand.
pub(super) enum Prefix {
    Sign(&'static str),
    Step(i64),
    /// A cast, and the expression that it is in brackets if no operand follows.
    Cast(TypeName, Option<Box<Expr>>),
    Lambda(Vec<Parameter>),
    Throw,
}

/// Every operator that two operands can have between them.
const INFIX: [&str; 20] = [
    "||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+", "-", "*", "/",
    "%", "??", ">>>",
];

pub(super) fn infix(sign: &str) -> Option<&'static str> {
    INFIX.iter().copied().find(|known| *known == sign)
}

impl Lowering<'_> {
    pub(super) fn expression(&mut self, node: Node<'_>) -> Parsed<Expr> {
        let mut row = Vec::new();
        self.deeper(node, |lowering| lowering.lay_out(node, &mut row))?;
        self.put_together(self.at(node), row)
    }

    /// Lay out an expression: first what is leftmost in it, then what follows it.
    pub(super) fn lay_out(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        // As long as the source is wide, so this is no recursion.
        let mut outer = Vec::new();
        let mut first = node;
        while let Some(inner) = leftmost(first) {
            outer.push(first);
            first = inner;
            if row.len() + outer.len() > MAX_ROW {
                return Err(self.too_long(self.at(node)));
            }
        }
        self.lay_out_first(first, row)?;
        for node in outer.into_iter().rev() {
            self.lay_out_rest(node, row)?;
        }
        Ok(())
    }

    /// What has no operand on its left.
    fn lay_out_first(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        let at = self.at(node);
        let (prefix, operand) = match node.kind() {
            "prefix_unary_expression" => {
                let parts = parts(node);
                let (Some(sign), Some(operand)) = (parts.first(), parts.last()) else {
                    return Err(self.error(node, "an expression is expected"));
                };
                (self.prefix(*sign)?, *operand)
            }
            "cast_expression" => return self.cast(node, row),
            "lambda_expression" => {
                let (parameters, body) = self.lambda(node)?;
                match body {
                    Ok(body) => (Prefix::Lambda(parameters), body),
                    Err(whole) => {
                        row.push(Piece::Operand(at, whole));
                        return Ok(());
                    }
                }
            }
            "throw_expression" => match values(node).next() {
                Some(value) => (Prefix::Throw, value),
                None => return Err(self.error_after(node, "an exception is expected")),
            },
            "collection_expression" => return self.index_behind_brackets(node, row),
            _ => {
                let operand = self.operand(node)?;
                row.push(Piece::Operand(at, operand));
                return Ok(());
            }
        };
        row.push(Piece::Prefix(at, prefix));
        self.deeper(node, |lowering| lowering.lay_out(operand, row))
    }

    fn prefix(&self, sign: Node<'_>) -> Parsed<Prefix> {
        Ok(match sign.kind() {
            "++" => Prefix::Step(1),
            "--" => Prefix::Step(-1),
            "-" => Prefix::Sign("-"),
            "+" => Prefix::Sign("+"),
            "!" => Prefix::Sign("!"),
            "~" => Prefix::Sign("~"),
            "^" => return Err(self.no_ranges(sign)),
            _ => return Err(self.error(sign, "pointers are not supported")),
        })
    }

    /// `(T)x`; but `(x) - 1` subtracts.
    fn cast(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        let (written, value) = (self.field(node, "type")?, self.field(node, "value")?);
        let name = self.type_as_expression(written)?;
        let sign = parts(value).first().copied().filter(|sign| {
            let is_operator = matches!(sign.kind(), "-" | "+" | "&" | "*");
            is_operator && value.kind() == "prefix_unary_expression"
        });
        if let (Some(name), Some(sign)) = (&name, sign)
            && let (Some(operator), Some(right)) = (infix(sign.kind()), parts(value).pop())
        {
            row.push(Piece::Operand(self.at(node), name.clone()));
            row.push(Piece::Infix(operator));
            return self.deeper(node, |lowering| lowering.lay_out(right, row));
        }
        let ty = self.ty(written)?;
        row.push(Piece::Prefix(self.at(node), Prefix::Cast(ty, name.map(Box::new))));
        self.deeper(node, |lowering| lowering.lay_out(value, row))
    }

    /// `(x)[0]`, which the grammar takes for a cast of a collection.
    fn index_behind_brackets(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        let Some(Piece::Prefix(_, Prefix::Cast(_, Some(_)))) = row.last() else {
            let message = "collection expressions are not supported; use new[] { … }";
            return Err(self.error(node, message));
        };
        let Some(Piece::Prefix(at, Prefix::Cast(_, Some(of)))) = row.pop() else { return Ok(()) };
        let mut index = Vec::new();
        for element in values(node) {
            let inner = element.named_child(0).and_then(|element| element.child(0));
            index.push(self.expression(inner.unwrap_or(element))?);
        }
        let below = of.height;
        let value = self.node(at, below, ExprKind::Index { of, index, guarded: false })?;
        row.push(Piece::Operand(at, value));
        Ok(())
    }

    /// What follows the leftmost part of an expression.
    fn lay_out_rest(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        match node.kind() {
            "binary_expression" => {
                let sign = self.field(node, "operator")?;
                let operator = infix(sign.kind()).filter(|operator| *operator != ">>>");
                let operator = operator.ok_or_else(|| self.unsupported(sign, "such operators"))?;
                row.push(Piece::Infix(operator));
                let right = self.field(node, "right")?;
                // All others go no deeper on their right than there are kinds of operators.
                match operator {
                    "??" => self.lay_out_right(right, row),
                    _ => self.lay_out(right, row),
                }
            }
            "assignment_expression" => {
                let sign = self.field(node, "operator")?;
                let operator = sign.kind().trim_end_matches('=');
                let known = infix(operator).filter(|operator| *operator != ">>>");
                if known.is_none() && !operator.is_empty() {
                    return Err(self.unsupported(sign, "such operators"));
                }
                row.push(Piece::Assign(known));
                self.lay_out_right(self.field(node, "right")?, row)
            }
            "conditional_expression" => {
                let yes = self.expression(self.field(node, "consequence")?)?;
                row.push(Piece::Choose(yes));
                self.lay_out_right(self.field(node, "alternative")?, row)
            }
            "as_expression" => {
                let ty = self.ty(self.field(node, "right")?)?;
                row.push(Piece::As(ty));
                Ok(())
            }
            "is_expression" => {
                row.push(Piece::Is);
                let ty = self.field(node, "right")?;
                self.lay_out_type_pattern(ty, row)
            }
            "is_pattern_expression" => {
                row.push(Piece::Is);
                let pattern = self.field(node, "pattern")?;
                self.deeper(node, |lowering| lowering.lay_out_pattern(pattern, row))
            }
            "switch_expression" => {
                let arms = self.arms(node)?;
                row.push(Piece::Switch(arms));
                Ok(())
            }
            _ => {
                let Some(Piece::Operand(at, of)) = row.pop() else {
                    return Err(self.error_after(node, "brackets are needed around what is before"));
                };
                let operand = self.postfix(node, at, of)?;
                row.push(Piece::Operand(at, operand));
                Ok(())
            }
        }
    }

    fn lay_out_right(&mut self, node: Node<'_>, row: &mut Vec<Piece>) -> Parsed<()> {
        self.deeper(node, |lowering| lowering.lay_out(node, row))
    }

    /// Members, calls and the like, which bind to what is just before them.
    fn postfix(&mut self, node: Node<'_>, at: u32, of: Expr) -> Parsed<Expr> {
        let below = of.height;
        let boxed = Box::new;
        match node.kind() {
            "member_access_expression" => {
                if let Some(arrow) = sign(node, "->") {
                    return Err(self.error(arrow, "pointers are not supported"));
                }
                self.member(self.field(node, "name")?, of, false)
            }
            "conditional_access_expression" => {
                let Some(binding) = parts(node).pop() else { return Ok(of) };
                if binding.kind() == "member_binding_expression" {
                    return self.member(self.field(binding, "name")?, of, true);
                }
                let index = self.index(binding)?;
                self.node(at, below, ExprKind::Index { of: boxed(of), index, guarded: true })
            }
            "element_access_expression" => {
                let index = self.index(self.field(node, "subscript")?)?;
                self.node(at, below, ExprKind::Index { of: boxed(of), index, guarded: false })
            }
            "invocation_expression" => {
                let arguments = self.arguments(self.field(node, "arguments")?)?;
                self.call(at, of, arguments)
            }
            _ => {
                let sign = parts(node).pop().map(|sign| sign.kind());
                let by = match sign {
                    Some("++") => 1,
                    Some("--") => -1,
                    _ => return Ok(of),
                };
                self.node(at, below, ExprKind::Step { of: boxed(of), by, before: false })
            }
        }
    }

    fn member(&mut self, name: Node<'_>, of: Expr, guarded: bool) -> Parsed<Expr> {
        // A member is where its name is, so that a message points there.
        let (at, below) = (self.at(name), of.height);
        let (name, types) = self.simple_name(name, 0)?;
        self.node(at, below, ExprKind::Member { of: Box::new(of), name, types, guarded })
    }

    fn call(&mut self, at: u32, of: Expr, mut arguments: Vec<Argument>) -> Parsed<Expr> {
        let below = of.height;
        if !matches!(&of.kind, ExprKind::Name(name, _) if name == "nameof") || arguments.len() != 1
        {
            return self.node(at, below, ExprKind::Call(Box::new(of), arguments));
        }
        match arguments.pop().map(|argument| argument.value) {
            Some(ArgumentValue::Value(Expr {
                kind: ExprKind::Name(name, _) | ExprKind::Member { name, .. },
                ..
            })) => self.node(at, 0, ExprKind::NameOf(name)),
            _ => Err(super::EvalError::compile(self.source, at, "nameof takes a name")),
        }
    }

    pub(super) fn index(&mut self, node: Node<'_>) -> Parsed<Vec<Expr>> {
        let mut index = Vec::new();
        for argument in self.arguments(node)? {
            match argument {
                Argument { name: None, value: ArgumentValue::Value(value) } => index.push(value),
                _ => return Err(self.unsupported(node, "names and 'out' in an index")),
            }
        }
        Ok(index)
    }

    pub(super) fn arguments(&mut self, node: Node<'_>) -> Parsed<Vec<Argument>> {
        let arguments: Vec<_> = values(node).collect();
        arguments.into_iter().map(|argument| self.argument(argument)).collect()
    }

    pub(super) fn argument(&mut self, node: Node<'_>) -> Parsed<Argument> {
        if let Some(word) = sign(node, "ref").or_else(|| sign(node, "in")) {
            return Err(self.error(word, "ref arguments are not supported"));
        }
        let label = node.child_by_field_name("name");
        let value = values(node).filter(|value| Some(*value) != label).last();
        let value = value.ok_or_else(|| self.error(node, "an expression is expected"))?;
        let is_out = sign(node, "out").is_some();
        let value = if value.kind() == "declaration_expression" {
            if !is_out {
                let message = "variables are declared here with 'var (a, b) = …' or 'out' only";
                return Err(self.error(value, message));
            }
            let name = self.declared(self.field(value, "name")?)?;
            ArgumentValue::OutNew(self.ty(self.field(value, "type")?)?, name)
        } else if is_out {
            ArgumentValue::Out(self.expression(value)?)
        } else {
            ArgumentValue::Value(self.expression(value)?)
        };
        Ok(Argument { name: label.map(|label| self.name(label)), value })
    }

    fn arms(&mut self, node: Node<'_>) -> Parsed<Vec<Arm>> {
        let mut arms = Vec::new();
        for arm in values(node).filter(|part| part.kind() == "switch_expression_arm") {
            let mut parts: Vec<_> = values(arm).collect();
            let (Some(value), false) = (parts.pop(), parts.is_empty()) else {
                return Err(self.error(arm, "'=>' is expected"));
            };
            let pattern = self.pattern(parts[0])?;
            let guard = match parts.get(1).and_then(|clause| clause.named_child(0)) {
                Some(guard) => Some(self.expression(guard)?),
                None => None,
            };
            arms.push(Arm { pattern, guard, value: self.expression(value)? });
        }
        Ok(arms)
    }

    pub(super) fn no_ranges(&self, node: Node<'_>) -> super::EvalError {
        self.error(node, "ranges and indexes from the end are not supported; use Length - n")
    }
}

/// What an expression begins with, if that is an expression too.
fn leftmost(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "binary_expression" | "as_expression" | "is_expression" | "assignment_expression" => {
            node.child_by_field_name("left")
        }
        "is_pattern_expression" | "member_access_expression" | "element_access_expression" => {
            node.child_by_field_name("expression")
        }
        "conditional_expression" | "conditional_access_expression" => {
            node.child_by_field_name("condition")
        }
        "invocation_expression" => node.child_by_field_name("function"),
        "postfix_unary_expression" | "switch_expression" => parts(node).first().copied(),
        _ => None,
    }
}
