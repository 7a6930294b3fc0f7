//! Operands: what is whole in itself.

use tree_sitter::Node;

use super::{Lowering, Parsed, values};
use crate::syntax::{ArgumentValue, Expr, ExprKind};

impl Lowering<'_> {
    pub(super) fn operand(&mut self, node: Node<'_>) -> Parsed<Expr> {
        let at = self.at(node);
        if let Some(kind) = self.literal(node)? {
            return self.node(at, 0, kind);
        }
        let kind = match node.kind() {
            "identifier" | "generic_name" => {
                let (name, types) = self.simple_name(node, 0)?;
                ExprKind::Name(name, types)
            }
            "qualified_name" => match self.type_as_expression(node)? {
                Some(value) => return Ok(value),
                None => return Err(self.unsupported(node, "types inside generic types")),
            },
            "predefined_type" => ExprKind::Keyword(self.ty(node)?),
            "interpolated_string_expression" => return self.interpolated(node),
            "parenthesized_expression" => {
                let inner = values(node).next();
                let inner = inner.ok_or_else(|| self.error(node, "an expression is expected"))?;
                return self.expression(inner);
            }
            "tuple_expression" => return self.tuple(node),
            "typeof_expression" => ExprKind::TypeOf(self.ty(self.field(node, "type")?)?),
            "default_expression" => match node.child_by_field_name("type") {
                Some(ty) => ExprKind::Default(Some(self.ty(ty)?)),
                None => ExprKind::Default(None),
            },
            "object_creation_expression" | "implicit_object_creation_expression" => {
                return self.new_object(node);
            }
            "array_creation_expression" | "implicit_array_creation_expression" => {
                return self.new_array(node);
            }
            _ => return Err(self.no_operand(node)),
        };
        self.node(at, 0, kind)
    }

    fn tuple(&mut self, node: Node<'_>) -> Parsed<Expr> {
        let mut below = 0;
        let mut parts = Vec::new();
        for argument in self.arguments(node)? {
            let ArgumentValue::Value(value) = argument.value else {
                return Err(self.unsupported(node, "'out' and 'ref' in a tuple"));
            };
            below = below.max(value.height);
            parts.push((argument.name, value));
        }
        self.node(self.at(node), below, ExprKind::Tuple(parts))
    }

    /// Why something is no operand that the console takes.
    fn no_operand(&self, node: Node<'_>) -> super::EvalError {
        let message = match node.kind() {
            word @ ("this" | "base") => {
                format!("there is no '{word}' in the console; find the object first")
            }
            "anonymous_object_creation_expression" => {
                let brace = node.child(1).unwrap_or(node);
                let message = "anonymous types are not supported; use a tuple: (name: x, value: y)";
                return self.error(brace, message);
            }
            "query_expression" => {
                "query syntax is not supported; use .Where(…).Select(…)".to_owned()
            }
            "range_expression" => return self.no_ranges(node),
            "initializer_expression" => {
                "a list in braces is not supported here; use new[] { … }".to_owned()
            }
            "with_expression" => "'with' is not supported by the console".to_owned(),
            "declaration_expression" => {
                "variables are declared here with 'var (a, b) = …' or 'out' only".to_owned()
            }
            "alias_qualified_name" => {
                "'::' is not supported; write the full name with '.'".to_owned()
            }
            // `await x`, `checked(x)`, `delegate { }` and the like begin with their word.
            _ => match self.first_word(node) {
                "" => "an expression is expected".to_owned(),
                word => format!("'{word}' is not supported by the console"),
            },
        };
        self.error(node, &message)
    }

    /// The word that a node begins with.
    pub(super) fn first_word(&self, node: Node<'_>) -> &str {
        let text = self.text(node);
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        &text[..end]
    }
}
