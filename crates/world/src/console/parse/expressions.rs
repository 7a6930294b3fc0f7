//! Expressions.

use super::super::lex::{Kind, Piece};
use super::super::syntax::{Argument, ArgumentValue, Arm, Expr, ExprKind, Part, TypeName};
use super::types::is_keyword_type;
use super::{Parsed, Parser, is_reserved};

/// Operators by how strongly they bind, weakest first. `is` and `as` bind like `<`.
const LEVELS: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
];
const PRODUCTS: [&str; 3] = ["*", "/", "%"];
/// The level of `<`.
pub(super) const RELATIONS: usize = 6;
const ASSIGNMENTS: [(&str, &str); 10] = [
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("/=", "/"),
    ("%=", "%"),
    ("&=", "&"),
    ("|=", "|"),
    ("^=", "^"),
    ("<<=", "<<"),
    ("??=", "??"),
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.deeper(Self::assignment)
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        if let Some(lambda) = self.lambda()? {
            return Ok(lambda);
        }
        let at = self.pos();
        if self.take_word("throw") {
            let value = self.expression()?;
            return self.node(at, value.height, ExprKind::Throw(Box::new(value)));
        }
        let left = self.conditional()?;
        let operator = match self.kind() {
            Kind::Sign("=") => None,
            Kind::Sign(sign) => match ASSIGNMENTS.iter().find(|(text, _)| text == sign) {
                Some((_, operator)) => Some(*operator),
                None if self.is_shift_right("=") => {
                    self.at += 1;
                    Some(">>")
                }
                None => return Ok(left),
            },
            _ => return Ok(left),
        };
        self.at += 1;
        let right = self.expression()?;
        let below = left.height.max(right.height);
        self.node(at, below, ExprKind::Assign(operator, Box::new(left), Box::new(right)))
    }

    /// Whether `>` and another `>` (or `>=`) stand side by side.
    fn is_shift_right(&self, end: &str) -> bool {
        let second = if end.is_empty() { ">" } else { ">=" };
        let touching = match (self.tokens.get(self.at), self.tokens.get(self.at + 1)) {
            (Some(first), Some(next)) => first.at + 1 == next.at,
            _ => false,
        };
        touching && self.is(">") && matches!(self.ahead(1), Kind::Sign(sign) if *sign == second)
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let at = self.pos();
        let condition = self.coalesce()?;
        if !self.take("?") {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.expect(":")?;
        let no = self.expression()?;
        let below = condition.height.max(yes.height).max(no.height);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        self.node(at, below, kind)
    }

    fn coalesce(&mut self) -> Parsed<Expr> {
        let at = self.pos();
        let left = self.binary(0)?;
        if !self.take("??") {
            return Ok(left);
        }
        let right = self.deeper(|parser| match parser.is_word("throw") {
            true => parser.assignment(),
            false => parser.coalesce(),
        })?;
        let below = left.height.max(right.height);
        self.node(at, below, ExprKind::Binary("??", Box::new(left), Box::new(right)))
    }

    pub(super) fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(signs) = LEVELS.get(level) else { return self.product() };
        let at = self.pos();
        let mut left = self.binary(level + 1)?;
        loop {
            if level == RELATIONS && (self.is_word("is") || self.is_word("as")) {
                left = self.is_or_as(at, left)?;
                continue;
            }
            let Kind::Sign(sign) = self.kind() else { return Ok(left) };
            let shift = self.is_shift_right("");
            let operator = match shift {
                true => signs.iter().find(|operator| **operator == ">>"),
                false if self.is_shift_right("=") => None,
                false => signs.iter().find(|operator| *operator == sign),
            };
            let Some(operator) = operator else { return Ok(left) };
            self.at += 1 + usize::from(shift);
            let right = self.binary(level + 1)?;
            let below = left.height.max(right.height);
            left =
                self.node(at, below, ExprKind::Binary(operator, Box::new(left), Box::new(right)))?;
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let at = self.pos();
        let mut left = self.switched()?;
        loop {
            let Kind::Sign(sign) = self.kind() else { return Ok(left) };
            let Some(operator) = PRODUCTS.iter().find(|operator| *operator == sign) else {
                return Ok(left);
            };
            self.at += 1;
            let right = self.switched()?;
            let below = left.height.max(right.height);
            left =
                self.node(at, below, ExprKind::Binary(operator, Box::new(left), Box::new(right)))?;
        }
    }

    fn is_or_as(&mut self, at: u32, left: Expr) -> Parsed<Expr> {
        let below = left.height;
        if self.take_word("as") {
            let ty = self.ty()?;
            return self.node(at, below, ExprKind::As(Box::new(left), ty));
        }
        self.at += 1;
        let pattern = self.pattern()?;
        self.node(at, below, ExprKind::Is(Box::new(left), Box::new(pattern)))
    }

    fn switched(&mut self) -> Parsed<Expr> {
        let at = self.pos();
        let value = self.unary()?;
        if !(self.is_word("switch") && matches!(self.ahead(1), Kind::Sign("{"))) {
            return Ok(value);
        }
        self.at += 2;
        let mut arms = Vec::new();
        let mut below = value.height;
        while !self.take("}") {
            if !arms.is_empty() {
                self.expect(",")?;
                if self.take("}") {
                    break;
                }
            }
            let pattern = self.pattern()?;
            let guard = if self.take_word("when") { Some(self.expression()?) } else { None };
            self.expect("=>")?;
            let value = self.expression()?;
            below = below.max(value.height);
            arms.push(Arm { pattern, guard, value });
        }
        self.node(at, below, ExprKind::Switch(Box::new(value), arms))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let at = self.pos();
        for (sign, by) in [("++", 1), ("--", -1)] {
            if self.take(sign) {
                let of = self.deeper(Self::unary)?;
                let below = of.height;
                return self.node(at, below, ExprKind::Step { of: Box::new(of), by, before: true });
            }
        }
        for sign in ["-", "+", "!", "~"] {
            if self.take(sign) {
                let of = self.deeper(Self::unary)?;
                let below = of.height;
                return self.node(at, below, ExprKind::Unary(sign, Box::new(of)));
            }
        }
        if self.is("&") || self.is("*") {
            return Err(self.error("pointers are not supported"));
        }
        if self.is("^") || self.is("..") {
            return Err(
                self.error("ranges and indexes from the end are not supported; use Length - n")
            );
        }
        if self.is_word("await") {
            return Err(self.error("'await' is not supported by the console"));
        }
        if let Some(ty) = self.cast() {
            let of = self.deeper(Self::unary)?;
            let below = of.height;
            return self.node(at, below, ExprKind::Cast(ty, Box::new(of)));
        }
        self.postfix()
    }

    /// `(T)` in front of something that can be cast.
    fn cast(&mut self) -> Option<TypeName> {
        if !self.is("(") {
            return None;
        }
        self.attempt(|parser| {
            parser.at += 1;
            let ty = parser.try_type()?;
            if !parser.take(")") {
                return None;
            }
            let sure = is_keyword_type(&ty.name);
            let follows = match parser.kind() {
                Kind::Word(word) => {
                    !matches!(word.as_str(), "is" | "as" | "switch" | "in" | "when")
                }
                Kind::Sign(sign) => match *sign {
                    "(" | "!" | "~" => true,
                    "-" | "+" | "++" | "--" => sure,
                    _ => false,
                },
                Kind::End => false,
                _ => true,
            };
            follows.then_some(ty)
        })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let at = self.pos();
        let mut value = self.primary()?;
        loop {
            let below = value.height;
            let next = self.pos();
            if self.take("!") {
                continue;
            }
            if self.is("..") || self.is("->") {
                return Err(self.error("ranges and pointers are not supported"));
            }
            let guarded = self.is("?")
                && matches!(self.ahead(1), Kind::Sign("." | "["))
                && !self.question_is_conditional();
            self.at += usize::from(guarded);
            let kind = if self.take(".") {
                let (name, types) = self.member_name()?;
                ExprKind::Member { of: Box::new(value), name, types, guarded }
            } else if self.take("[") {
                let index = self.list_of("]")?;
                ExprKind::Index { of: Box::new(value), index, guarded }
            } else if self.is("(") {
                ExprKind::Call(Box::new(value), self.arguments()?)
            } else if self.take("++") {
                ExprKind::Step { of: Box::new(value), by: 1, before: false }
            } else if self.take("--") {
                ExprKind::Step { of: Box::new(value), by: -1, before: false }
            } else {
                return Ok(value);
            };
            // A member is where its name is, so that a message points there.
            let at = if matches!(kind, ExprKind::Member { .. }) { next + 1 } else { at };
            value = self.node(at, below, kind)?;
        }
    }

    /// `a ? [1] : b` has no guarded index in it, and `a ? .5 : 1` no guarded member.
    fn question_is_conditional(&self) -> bool {
        !matches!(
            (self.ahead(1), self.ahead(2)),
            (Kind::Sign("."), Kind::Word(_)) | (Kind::Sign("["), _)
        )
    }

    fn member_name(&mut self) -> Parsed<(String, Vec<TypeName>)> {
        let Kind::Word(word) = self.kind() else {
            return Err(self.error(&format!("a name is expected, found {}", self.found())));
        };
        self.at += 1;
        Ok((word.clone(), self.call_type_args()))
    }

    pub(super) fn list_of(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut list = Vec::new();
        while !self.take(end) {
            if !list.is_empty() {
                self.expect(",")?;
                if self.take(end) {
                    break;
                }
            }
            list.push(self.expression()?);
        }
        Ok(list)
    }

    /// `{ 1, 2 }`
    pub(super) fn items(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("{")?;
        self.list_of("}")
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.take(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            let name = match (self.kind(), self.ahead(1)) {
                (Kind::Word(word), Kind::Sign(":")) if !is_reserved(word) => {
                    self.at += 2;
                    Some(word.clone())
                }
                _ => None,
            };
            if self.is_word("ref") || self.is_word("in") {
                return Err(self.error("ref arguments are not supported"));
            }
            let value = if self.take_word("out") {
                self.out()?
            } else {
                ArgumentValue::Value(self.expression()?)
            };
            arguments.push(Argument { name, value });
        }
        Ok(arguments)
    }

    fn out(&mut self) -> Parsed<ArgumentValue> {
        let declared = self.attempt(|parser| {
            let ty = parser.try_type()?;
            let name = parser.try_name()?;
            Some(ArgumentValue::OutNew(ty, name))
        });
        match declared {
            Some(value) => Ok(value),
            None => self.expression().map(ArgumentValue::Out),
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.pos();
        let kind = match self.kind() {
            Kind::Int(value, suffix) => ExprKind::Int(*value, *suffix),
            Kind::Float(value) => ExprKind::Float(*value),
            Kind::Double(value) => ExprKind::Double(*value),
            Kind::Text(text) => ExprKind::Text(text.clone()),
            Kind::Char(value) => ExprKind::Char(*value),
            Kind::Interpolated(pieces) => return self.interpolated(at, pieces),
            Kind::Sign("(") => return self.brackets(at),
            Kind::Word(word) => return self.word(at, word),
            Kind::Sign("[") => {
                return Err(self.error("collection expressions are not supported; use new[] { … }"));
            }
            _ => {
                return Err(
                    self.error(&format!("an expression is expected, found {}", self.found()))
                );
            }
        };
        self.at += 1;
        self.node(at, 0, kind)
    }

    fn interpolated(&mut self, at: u32, pieces: &[Piece]) -> Parsed<Expr> {
        self.at += 1;
        let mut parts = Vec::new();
        let mut below = 0;
        for piece in pieces {
            match piece {
                Piece::Text(text) => parts.push(Part::Text(text.clone())),
                Piece::Hole { tokens, width, format } => {
                    let (source, depth) = (self.source, self.depth);
                    let mut inner = Parser { source, tokens, at: 0, depth, top: false };
                    let value = inner.expression()?;
                    if !inner.is_end() {
                        return Err(
                            inner.error(&format!("'}}' is expected, found {}", inner.found()))
                        );
                    }
                    below = below.max(value.height);
                    parts.push(Part::Hole(value, *width, format.clone()));
                }
            }
        }
        self.node(at, below, ExprKind::Interpolated(parts))
    }

    /// Brackets around one expression, or a tuple.
    fn brackets(&mut self, at: u32) -> Parsed<Expr> {
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            let name = match (self.kind(), self.ahead(1)) {
                (Kind::Word(word), Kind::Sign(":")) if !is_reserved(word) => {
                    self.at += 2;
                    Some(word.clone())
                }
                _ => None,
            };
            parts.push((name, self.expression()?));
            if self.take(")") {
                break;
            }
            self.expect(",")?;
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0).1);
        }
        let below = parts.iter().map(|(_, part)| part.height).max().unwrap_or(0);
        self.node(at, below, ExprKind::Tuple(parts))
    }

    fn word(&mut self, at: u32, word: &str) -> Parsed<Expr> {
        let kind = match word {
            "true" | "false" => ExprKind::Bool(word == "true"),
            "null" => ExprKind::Null,
            "new" => return self.creation(at),
            "typeof" | "default" | "nameof" if matches!(self.ahead(1), Kind::Sign("(")) => {
                return self.about_type(at, word);
            }
            "default" => ExprKind::Default(None),
            "this" | "base" => {
                return Err(self.error(&format!(
                    "there is no '{word}' in the console; find the object first"
                )));
            }
            "var" if matches!(self.ahead(1), Kind::Sign("(")) => {
                self.at += 1;
                let names = self.names()?;
                return self.node(at, 0, ExprKind::Declared(names));
            }
            "from" if matches!((self.ahead(1), self.ahead(2)), (Kind::Word(_), Kind::Word(word)) if word == "in") =>
            {
                return Err(self.error("query syntax is not supported; use .Where(…).Select(…)"));
            }
            "sizeof" | "checked" | "unchecked" | "stackalloc" | "delegate" | "async"
                if is_reserved(word) || word == "async" =>
            {
                return Err(self.error(&format!("'{word}' is not supported by the console")));
            }
            _ if is_keyword_type(word) => match self.simple_type() {
                Some(ty) => return self.node(at, 0, ExprKind::Keyword(ty)),
                None => return Err(self.error("a type is expected")),
            },
            _ => {
                let name = self.name()?;
                let types = self.call_type_args();
                return self.node(at, 0, ExprKind::Name(name, types));
            }
        };
        self.at += 1;
        self.node(at, 0, kind)
    }

    fn about_type(&mut self, at: u32, word: &str) -> Parsed<Expr> {
        self.at += 2;
        let kind = match word {
            "nameof" => {
                let value = self.expression()?;
                match value.kind {
                    ExprKind::Name(name, _) | ExprKind::Member { name, .. } => {
                        ExprKind::NameOf(name)
                    }
                    _ => return Err(self.error_at(at, "nameof takes a name")),
                }
            }
            "typeof" => ExprKind::TypeOf(self.ty()?),
            _ => ExprKind::Default(Some(self.ty()?)),
        };
        self.expect(")")?;
        self.node(at, 0, kind)
    }
}
