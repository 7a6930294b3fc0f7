//! Types as they are written.

use tree_sitter::Node;

use super::{Lowering, Parsed, parts, sign, values};
use crate::limits::MAX_TYPE_DEPTH;
use crate::syntax::{Expr, ExprKind, TypeName};

impl Lowering<'_> {
    pub(super) fn ty(&mut self, node: Node<'_>) -> Parsed<TypeName> {
        self.type_at(node, 0)
    }

    fn type_at(&mut self, node: Node<'_>, nesting: usize) -> Parsed<TypeName> {
        if nesting > MAX_TYPE_DEPTH {
            return Err(self.error(node, "the type is nested too deep"));
        }
        let at = self.at(node);
        match node.kind() {
            "predefined_type" | "implicit_type" | "identifier" => {
                Ok(plain(at, self.name(node), Vec::new()))
            }
            "qualified_name" | "generic_name" => self.named_type(node, nesting),
            "nullable_type" => {
                let ty = self.type_at(self.field(node, "type")?, nesting + 1)?;
                Ok(TypeName { nullable: true, ..ty })
            }
            "array_type" => {
                let rank = self.field(node, "rank")?;
                if let Some(length) = values(rank).next() {
                    return Err(self.error(length, "a type has no length; write 'new' before it"));
                }
                let item = self.type_at(self.field(node, "type")?, nesting + 1)?;
                self.array_of(at, item, rank)
            }
            "tuple_type" => {
                let (mut args, mut names) = (Vec::new(), Vec::new());
                for part in values(node) {
                    args.push(self.type_at(self.field(part, "type")?, nesting + 1)?);
                    names.push(part.child_by_field_name("name").map(|name| self.name(name)));
                }
                Ok(TypeName { at, name: "()".to_owned(), args, nullable: false, names })
            }
            "pointer_type" | "function_pointer_type" => {
                Err(self.error(node, "pointers are not supported"))
            }
            "alias_qualified_name" => {
                Err(self.error(node, "'::' is not supported; write the full name with '.'"))
            }
            "ref_type" | "scoped_type" => Err(self.unsupported(node, "ref types")),
            _ => Err(self.error(node, "a type is expected")),
        }
    }

    /// `T[]`, of one dimension.
    pub(super) fn array_of(&self, at: u32, item: TypeName, rank: Node<'_>) -> Parsed<TypeName> {
        if let Some(comma) = sign(rank, ",") {
            let message = "arrays of several dimensions are not supported; use arrays of arrays";
            return Err(self.error(comma, message));
        }
        Ok(plain(at, "[]".to_owned(), vec![item]))
    }

    /// `A.B.C<D>`
    fn named_type(&mut self, node: Node<'_>, nesting: usize) -> Parsed<TypeName> {
        let mut names = Vec::new();
        let mut args = Vec::new();
        let mut rest = Some(node);
        while let Some(node) = rest {
            let (before, last) = match node.kind() {
                "qualified_name" => {
                    (node.child_by_field_name("qualifier"), self.field(node, "name")?)
                }
                _ => (None, node),
            };
            let (name, types) = self.simple_name(last, nesting)?;
            if names.is_empty() {
                args = types;
            } else if !types.is_empty() {
                return Err(self.unsupported(last, "types inside generic types"));
            }
            names.push(name);
            rest = before;
        }
        names.reverse();
        Ok(plain(self.at(node), names.join("."), args))
    }

    /// A name and the types behind it in angle brackets.
    pub(super) fn simple_name(
        &mut self,
        node: Node<'_>,
        nesting: usize,
    ) -> Parsed<(String, Vec<TypeName>)> {
        match node.kind() {
            "identifier" => Ok((self.name(node), Vec::new())),
            "generic_name" => {
                let mut name = String::new();
                let mut args = Vec::new();
                for part in parts(node) {
                    match part.kind() {
                        "type_argument_list" => {
                            for ty in values(part) {
                                args.push(self.type_at(ty, nesting + 1)?);
                            }
                            if args.is_empty() {
                                return Err(self.unsupported(part, "types without arguments"));
                            }
                        }
                        _ => name = self.name(part),
                    }
                }
                Ok((name, args))
            }
            _ => Err(self.error(node, "a name is expected")),
        }
    }

    /// The expression that reads like a type: a name, or names with dots. Which of both it is, is
    /// only known when names get their meaning.
    pub(super) fn type_as_expression(&mut self, node: Node<'_>) -> Parsed<Option<Expr>> {
        let at = self.at(node);
        match node.kind() {
            "identifier" => self.node(at, 0, ExprKind::Name(self.name(node), Vec::new())).map(Some),
            "qualified_name" => self.deeper(node, |lowering| {
                let name = lowering.field(node, "name")?;
                let of = lowering.type_as_expression(lowering.field(node, "qualifier")?)?;
                let Some(of) = of.filter(|_| name.kind() == "identifier") else { return Ok(None) };
                let (at, below) = (lowering.at(name), of.height);
                let (of, name, types) = (Box::new(of), lowering.name(name), Vec::new());
                let kind = ExprKind::Member { of, name, types, guarded: false };
                lowering.node(at, below, kind).map(Some)
            }),
            _ => Ok(None),
        }
    }
}

fn plain(at: u32, name: String, args: Vec<TypeName>) -> TypeName {
    TypeName { at, name, args, nullable: false, names: Vec::new() }
}
