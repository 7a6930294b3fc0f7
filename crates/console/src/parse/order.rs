//! Operands and operators in a row to one expression, by what binds tighter. Heights are counted while
//! it is put together: all that walks an expression later calls itself once a level, and relies on it.

use super::expressions::{Piece, Prefix};
use super::{EvalError, Lowering, Parsed};
use crate::syntax::{Body, Expr, ExprKind, Pattern};

/// How strongly `is` and `as` bind: as `<` does.
const RELATIONS: usize = 7;
/// What a constant in a pattern is made of: everything that binds tighter than `<`.
const IN_PATTERN: usize = RELATIONS + 1;
/// Patterns joined by `or` or `and`.
const MAX_PATTERNS: usize = 100;

/// How strongly an operator binds.
fn strength(operator: &str) -> usize {
    match operator {
        "??" => 0,
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => RELATIONS,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        _ => 10,
    }
}

impl Lowering<'_> {
    /// Put an expression together.
    pub(super) fn put_together(&self, at: u32, row: Vec<Piece>) -> Parsed<Expr> {
        let mut order = Order { lowering: self, rest: row.into_iter().peekable(), at };
        let value = order.expression()?;
        order.end()?;
        Ok(value)
    }

    /// Put a pattern together.
    pub(super) fn put_pattern_together(&self, at: u32, row: Vec<Piece>) -> Parsed<Pattern> {
        let mut order = Order { lowering: self, rest: row.into_iter().peekable(), at };
        let pattern = order.pattern()?;
        order.end()?;
        Ok(pattern)
    }
}

struct Order<'l> {
    lowering: &'l Lowering<'l>,
    rest: std::iter::Peekable<std::vec::IntoIter<Piece>>,
    /// Where the row begins, for messages.
    at: u32,
}

impl Order<'_> {
    fn end(&mut self) -> Parsed<()> {
        match self.rest.next() {
            None => Ok(()),
            Some(_) => Err(self.error("brackets are needed in this expression")),
        }
    }

    /// Where what comes next begins.
    fn start(&mut self) -> u32 {
        match self.rest.peek() {
            Some(Piece::Operand(at, _) | Piece::Prefix(at, _)) => *at,
            _ => self.at,
        }
    }

    fn expression(&mut self) -> Parsed<Expr> {
        let at = self.start();
        let left = self.conditional()?;
        let Some(Piece::Assign(_)) = self.rest.peek() else { return Ok(left) };
        let Some(Piece::Assign(operator)) = self.rest.next() else { return Ok(left) };
        let right = self.expression()?;
        let below = left.height.max(right.height);
        let kind = ExprKind::Assign(operator, Box::new(left), Box::new(right));
        self.lowering.node(at, below, kind)
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let at = self.start();
        let condition = self.binary(0)?;
        let Some(Piece::Choose(_)) = self.rest.peek() else { return Ok(condition) };
        let Some(Piece::Choose(yes)) = self.rest.next() else { return Ok(condition) };
        let no = self.expression()?;
        let below = condition.height.max(yes.height).max(no.height);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        self.lowering.node(at, below, kind)
    }

    /// Operators that bind at least so strongly.
    fn binary(&mut self, least: usize) -> Parsed<Expr> {
        let at = self.start();
        let mut left = self.unary()?;
        loop {
            let strength = match self.rest.peek() {
                Some(Piece::Infix(operator)) => strength(operator),
                Some(Piece::Is | Piece::As(_)) => RELATIONS,
                _ => return Ok(left),
            };
            if strength < least {
                return Ok(left);
            }
            left = match self.rest.next() {
                Some(Piece::Infix(operator)) => self.infix(at, left, operator, strength)?,
                Some(Piece::As(ty)) => {
                    let below = left.height;
                    self.lowering.node(at, below, ExprKind::As(Box::new(left), ty))?
                }
                _ => {
                    let pattern = Box::new(self.pattern()?);
                    let below = left.height;
                    self.lowering.node(at, below, ExprKind::Is(Box::new(left), pattern))?
                }
            };
        }
    }

    fn infix(
        &mut self,
        at: u32,
        left: Expr,
        operator: &'static str,
        strength: usize,
    ) -> Parsed<Expr> {
        // `a ?? b ?? c` groups from the right, all others from the left.
        let right = self.binary(if operator == "??" { strength } else { strength + 1 })?;
        let below = left.height.max(right.height);
        self.lowering.node(at, below, ExprKind::Binary(operator, Box::new(left), Box::new(right)))
    }

    /// An operand with what is before it, and `switch` behind both.
    fn unary(&mut self) -> Parsed<Expr> {
        let at = self.start();
        let mut value = match self.rest.next() {
            Some(Piece::Operand(_, value)) => value,
            Some(Piece::Prefix(at, Prefix::Lambda(parameters))) => {
                let value = self.expression()?;
                let below = value.height;
                let body = Box::new(Body::Expr(value));
                return self.lowering.node(at, below, ExprKind::Lambda(parameters, body));
            }
            Some(Piece::Prefix(at, Prefix::Throw)) => {
                let value = self.expression()?;
                let below = value.height;
                return self.lowering.node(at, below, ExprKind::Throw(Box::new(value)));
            }
            Some(Piece::Prefix(at, prefix)) => self.prefixed(at, prefix)?,
            _ => return Err(self.error("an expression is expected")),
        };
        while let Some(Piece::Switch(_)) = self.rest.peek() {
            let Some(Piece::Switch(arms)) = self.rest.next() else { break };
            let heights = arms.iter().map(|arm| arm.value.height);
            let below = heights.fold(value.height, u16::max);
            value = self.lowering.node(at, below, ExprKind::Switch(Box::new(value), arms))?;
        }
        Ok(value)
    }

    fn prefixed(&mut self, at: u32, prefix: Prefix) -> Parsed<Expr> {
        let of = match self.rest.next() {
            Some(Piece::Operand(_, value)) => value,
            Some(Piece::Prefix(
                at,
                inner @ (Prefix::Sign(_) | Prefix::Step(_) | Prefix::Cast(..)),
            )) => self.prefixed(at, inner)?,
            _ => return Err(self.error("an expression is expected")),
        };
        let below = of.height;
        let of = Box::new(of);
        let kind = match prefix {
            Prefix::Sign(sign) => ExprKind::Unary(sign, of),
            Prefix::Step(by) => ExprKind::Step { of, by, before: true },
            Prefix::Cast(ty, _) => ExprKind::Cast(ty, of),
            Prefix::Lambda(_) | Prefix::Throw => return Err(self.error("brackets are needed")),
        };
        self.lowering.node(at, below, kind)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let mut left = self.pattern_all()?;
        for _ in 0..MAX_PATTERNS {
            let Some(Piece::Or) = self.rest.peek() else { return Ok(left) };
            self.rest.next();
            left = Pattern::Or(Box::new(left), Box::new(self.pattern_all()?));
        }
        Err(self.error("the pattern is too long; use a list and Contains"))
    }

    fn pattern_all(&mut self) -> Parsed<Pattern> {
        let mut left = self.pattern_one()?;
        for _ in 0..MAX_PATTERNS {
            let Some(Piece::And) = self.rest.peek() else { return Ok(left) };
            self.rest.next();
            left = Pattern::And(Box::new(left), Box::new(self.pattern_one()?));
        }
        Err(self.error("the pattern is too long"))
    }

    fn pattern_one(&mut self) -> Parsed<Pattern> {
        match self.rest.peek() {
            Some(Piece::Not) => {
                self.rest.next();
                self.pattern_one().map(|inner| Pattern::Not(Box::new(inner)))
            }
            Some(Piece::Infix(relation)) => {
                let relation = *relation;
                self.rest.next();
                Ok(Pattern::Relation(relation, self.binary(IN_PATTERN)?))
            }
            Some(Piece::Pattern(_)) => match self.rest.next() {
                Some(Piece::Pattern(pattern)) => Ok(pattern),
                _ => Err(self.error("a pattern is expected")),
            },
            _ => self.binary(IN_PATTERN).map(Pattern::Value),
        }
    }

    fn error(&self, message: &str) -> EvalError {
        EvalError::compile(self.lowering.source, self.at, message)
    }
}
