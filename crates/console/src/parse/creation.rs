//! `new`: objects, arrays, and what stands in braces behind them.

use tree_sitter::Node;

use super::{Lowering, Parsed, parts, sign, values};
use crate::limits::MAX_TYPE_DEPTH;
use crate::syntax::{Expr, ExprKind, Item, TypeName};

impl Lowering<'_> {
    /// `new T(…) { … }` and `new(…)`.
    pub(super) fn new_object(&mut self, node: Node<'_>) -> Parsed<Expr> {
        // A new array that is a statement looks like this too.
        if node.child_by_field_name("type").is_some_and(|ty| ty.kind() == "array_type") {
            return self.new_array(node);
        }
        let (mut ty, mut arguments, mut items) = (None, None, None);
        for part in values(node) {
            match part.kind() {
                "argument_list" => arguments = Some(self.arguments(part)?),
                "initializer_expression" => items = Some(self.object_items(part)?),
                _ => ty = Some(self.ty(part)?),
            }
        }
        if arguments.is_none() && items.is_none() {
            return Err(self.error_after(node, "'(' is expected after the type of a new object"));
        }
        let arguments = arguments.unwrap_or_default();
        self.node(self.at(node), 0, ExprKind::New { ty, arguments, items })
    }

    fn object_items(&mut self, node: Node<'_>) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        for item in values(node) {
            items.push(match item.kind() {
                "initializer_expression" => Item::Several(self.items(item)?),
                "assignment_expression" => self.assigned_item(item)?,
                _ => Item::Value(self.expression(item)?),
            });
        }
        Ok(items)
    }

    /// `name = value` and `[key] = value`.
    fn assigned_item(&mut self, node: Node<'_>) -> Parsed<Item> {
        let (left, right) = (self.field(node, "left")?, self.field(node, "right")?);
        let is_plain = sign(node, "=").is_some();
        match left.kind() {
            "identifier" if is_plain => {
                Ok(Item::Member(self.name(left), self.at(left), self.expression(right)?))
            }
            "element_binding_expression" if is_plain => {
                let mut keys = self.index(left)?;
                match (keys.pop(), keys.is_empty()) {
                    (Some(key), true) => Ok(Item::Index(key, self.expression(right)?)),
                    _ => Err(self.error(left, "one key is expected")),
                }
            }
            _ => self.expression(node).map(Item::Value),
        }
    }

    /// `{ 1, 2 }`
    pub(super) fn items(&mut self, node: Node<'_>) -> Parsed<Vec<Expr>> {
        let items: Vec<_> = values(node).collect();
        items.into_iter().map(|item| self.expression(item)).collect()
    }

    /// `new T[n]`, `new T[] { … }` and `new[] { … }`.
    pub(super) fn new_array(&mut self, node: Node<'_>) -> Parsed<Expr> {
        let at = self.at(node);
        if let Some(comma) = sign(node, ",") {
            let message = "arrays of several dimensions are not supported; use arrays of arrays";
            return Err(self.error(comma, message));
        }
        let (mut item, mut length) = (None, None);
        if let Some(ty) = node.child_by_field_name("type") {
            let (of, count) = self.item_and_length(ty)?;
            (item, length) = (Some(of), count.map(Box::new));
        }
        let braces = parts(node).pop().filter(|last| last.kind() == "initializer_expression");
        let items = match braces {
            Some(braces) => Some(self.items(braces)?),
            None => None,
        };
        if length.is_none() && items.is_none() {
            return Err(self.error_after(node, "a length or items are expected"));
        }
        let heights = items.iter().flatten().chain(length.as_deref()).map(|item| item.height);
        let below = heights.max().unwrap_or(0);
        self.node(at, below, ExprKind::NewArray { item, length, items })
    }

    /// Of `new T[n][]` the type `T[]` and the length `n`: the first brackets have the length, and
    /// they are the innermost node.
    fn item_and_length(&mut self, node: Node<'_>) -> Parsed<(TypeName, Option<Expr>)> {
        let mut ranks = Vec::new();
        let mut inner = node;
        while inner.kind() == "array_type" {
            ranks.push(self.field(inner, "rank")?);
            inner = self.field(inner, "type")?;
        }
        let mut item = self.ty(inner)?;
        let Some(first) = ranks.pop() else { return Ok((item, None)) };
        if ranks.len() > MAX_TYPE_DEPTH {
            return Err(self.error(node, "the type is nested too deep"));
        }
        for rank in ranks.into_iter().rev() {
            if let Some(length) = values(rank).next() {
                let message = "CS0178: only the first brackets have a length";
                return Err(self.error(length, message));
            }
            item = self.array_of(self.at(inner), item, rank)?;
        }
        self.array_of(self.at(inner), item.clone(), first)?;
        let length = match values(first).next() {
            Some(length) => Some(self.expression(length)?),
            None => None,
        };
        Ok((item, length))
    }
}
