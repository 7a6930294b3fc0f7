//! `new` and lambdas.

use super::super::lex::Kind;
use super::super::syntax::{Argument, Body, Expr, ExprKind, Item, Parameter, TypeName};
use super::{Parsed, Parser, is_reserved};

impl Parser<'_> {
    pub(super) fn creation(&mut self, at: u32) -> Parsed<Expr> {
        self.at += 1;
        if self.is("{") {
            return Err(
                self.error("anonymous types are not supported; use a tuple: (name: x, value: y)")
            );
        }
        if self.take("[") {
            self.expect("]")?;
            let items = self.items()?;
            return self.new_array(at, None, None, Some(items));
        }
        if self.is("(") {
            let arguments = self.arguments()?;
            return self.new_object(at, None, arguments);
        }
        let Some(ty) = self.simple_type() else { return Err(self.error("a type is expected")) };
        if !self.is("[") {
            let arguments = match self.is("(") {
                true => self.arguments()?,
                false if self.is("{") => Vec::new(),
                false => return Err(self.error("'(' is expected after the type of a new object")),
            };
            return self.new_object(at, Some(ty), arguments);
        }
        self.at += 1;
        let length = if self.is("]") { None } else { Some(Box::new(self.expression()?)) };
        if self.is(",") {
            return Err(
                self.error("arrays of several dimensions are not supported; use arrays of arrays")
            );
        }
        self.expect("]")?;
        let mut item = ty;
        while self.is("[") && matches!(self.ahead(1), Kind::Sign("]")) {
            self.at += 2;
            item = TypeName {
                at,
                name: "[]".into(),
                args: vec![item],
                nullable: false,
                names: vec![],
            };
        }
        let items = if self.is("{") { Some(self.items()?) } else { None };
        if length.is_none() && items.is_none() {
            return Err(self.error("a length or items are expected"));
        }
        self.new_array(at, Some(item), length, items)
    }

    fn new_array(
        &self,
        at: u32,
        item: Option<TypeName>,
        length: Option<Box<Expr>>,
        items: Option<Vec<Expr>>,
    ) -> Parsed<Expr> {
        let heights = items.iter().flatten().chain(length.as_deref()).map(|item| item.height);
        let below = heights.max().unwrap_or(0);
        self.node(at, below, ExprKind::NewArray { item, length, items })
    }

    fn new_object(
        &mut self,
        at: u32,
        ty: Option<TypeName>,
        arguments: Vec<Argument>,
    ) -> Parsed<Expr> {
        let items = if self.is("{") { Some(self.object_items()?) } else { None };
        self.node(at, 0, ExprKind::New { ty, arguments, items })
    }

    fn object_items(&mut self) -> Parsed<Vec<Item>> {
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.take("}") {
            if !items.is_empty() {
                self.expect(",")?;
                if self.take("}") {
                    break;
                }
            }
            let at = self.pos();
            items.push(match (self.kind(), self.ahead(1)) {
                (Kind::Sign("{"), _) => Item::Several(self.items()?),
                (Kind::Sign("["), _) => {
                    self.at += 1;
                    let key = self.expression()?;
                    self.expect("]")?;
                    self.expect("=")?;
                    Item::Index(key, self.expression()?)
                }
                (Kind::Word(_), Kind::Sign("=")) => {
                    let name = self.name()?;
                    self.at += 1;
                    Item::Member(name, at, self.expression()?)
                }
                _ => Item::Value(self.expression()?),
            });
        }
        Ok(items)
    }

    /// `x => …` or `(x, y) => …`, or nothing and nothing read.
    pub(super) fn lambda(&mut self) -> Parsed<Option<Expr>> {
        let at = self.pos();
        let start = self.at;
        let parameters = match (self.kind(), self.ahead(1)) {
            (Kind::Word(word), Kind::Sign("=>")) if !is_reserved(word) => {
                self.at += 1;
                vec![plain(at, word)]
            }
            (Kind::Sign("("), _) => match self.attempt(Self::lambda_parameters) {
                Some(parameters) => parameters,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        if !self.take("=>") {
            self.at = start;
            return Ok(None);
        }
        let body =
            if self.is("{") { Body::Block(self.block()?) } else { Body::Expr(self.expression()?) };
        let below = if let Body::Expr(value) = &body { value.height } else { 0 };
        self.node(at, below, ExprKind::Lambda(parameters, Box::new(body))).map(Some)
    }

    fn lambda_parameters(&mut self) -> Option<Vec<Parameter>> {
        self.at += 1;
        let mut parameters = Vec::new();
        while !self.take(")") {
            if !parameters.is_empty() && !self.take(",") {
                return None;
            }
            let at = self.pos();
            parameters.push(match (self.kind(), self.ahead(1)) {
                (Kind::Word(word), Kind::Sign("," | ")")) => {
                    self.at += 1;
                    plain(at, word)
                }
                _ => {
                    let ty = self.try_type()?;
                    let name = self.try_name()?;
                    Parameter { at, ty: Some(ty), name, by_ref: false, default: None }
                }
            });
        }
        self.is("=>").then_some(parameters)
    }
}

fn plain(at: u32, name: &str) -> Parameter {
    Parameter { at, ty: None, name: name.to_owned(), by_ref: false, default: None }
}
