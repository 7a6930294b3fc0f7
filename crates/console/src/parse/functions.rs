//! Local functions, lambdas and their parameters.

use tree_sitter::Node;

use super::{Lowering, Parsed, parts, sign, values};
use crate::syntax::{Body, Expr, ExprKind, Function, Parameter, StmtKind};

/// What a lambda does: an expression, which may go on behind its node, or else the whole lambda.
type LambdaBody<'t> = Result<Node<'t>, Expr>;

impl Lowering<'_> {
    pub(super) fn local_function(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        self.modifiers(node)?;
        if let Some(generic) = node.child_by_field_name("type_parameters") {
            let message = "generic functions are not supported; use object or a concrete type";
            return Err(self.error(generic, message));
        }
        let name = self.field(node, "name")?;
        let returns = self.ty(self.field(node, "type")?)?;
        let parameters = self.parameters(self.field(node, "parameters")?)?;
        if let Some(parameter) = parameters.iter().find(|parameter| parameter.ty.is_none()) {
            let message = "the parameter of a function needs a type";
            return Err(super::EvalError::compile(self.source, parameter.at, message));
        }
        let Some(body) = node.child_by_field_name("body") else {
            return Err(self.error_after(name, "the function needs a body"));
        };
        let body = match body.kind() {
            "block" => Body::Block(self.block(body)?),
            _ => {
                let value = values(body).next();
                let value = value.ok_or_else(|| self.error(body, "an expression is expected"))?;
                Body::Expr(self.expression(value)?)
            }
        };
        let at = self.at(name);
        let name = self.declared(name)?;
        Ok(StmtKind::Function(Function { at, name, returns, parameters, body }))
    }

    /// Parameters in brackets; those of a lambda may do without a type.
    fn parameters(&mut self, node: Node<'_>) -> Parsed<Vec<Parameter>> {
        if let Some(word) = sign(node, "params") {
            return Err(self.no_such_parameter(word));
        }
        let mut parameters = Vec::new();
        for parameter in values(node) {
            let mut by_ref = false;
            for part in parts(parameter) {
                match (part.kind(), self.text(part)) {
                    ("modifier" | "ref", "ref") => by_ref = true,
                    ("modifier", _) => return Err(self.no_such_parameter(part)),
                    ("attribute_list", _) => return Err(self.unsupported(part, "attributes")),
                    _ => {}
                }
            }
            let at = self.at(parameter);
            let name = self.declared(self.field(parameter, "name")?)?;
            let ty = match parameter.child_by_field_name("type") {
                Some(ty) => Some(self.ty(ty)?),
                None => None,
            };
            let default = match sign(parameter, "=").and(parts(parameter).pop()) {
                Some(default) => Some(self.expression(default)?),
                None => None,
            };
            parameters.push(Parameter { at, ty, name, by_ref, default });
        }
        Ok(parameters)
    }

    fn no_such_parameter(&self, node: Node<'_>) -> super::EvalError {
        self.error(node, "out, in and params are not supported here; return a tuple")
    }

    /// The parameters of a lambda and what it does.
    pub(super) fn lambda<'t>(
        &mut self,
        node: Node<'t>,
    ) -> Parsed<(Vec<Parameter>, LambdaBody<'t>)> {
        self.modifiers(node)?;
        if let Some(ty) = node.child_by_field_name("type") {
            return Err(self.unsupported(ty, "types of what a lambda returns"));
        }
        let list = self.field(node, "parameters")?;
        let parameters = match list.kind() {
            "parameter_list" => self.parameters(list)?,
            _ => {
                let (at, name) = (self.at(list), self.declared(list)?);
                vec![Parameter { at, ty: None, name, by_ref: false, default: None }]
            }
        };
        let strange = parameters.iter().find(|one| one.by_ref || one.default.is_some());
        if let Some(parameter) = strange {
            let message = "ref parameters and defaults are not supported in a lambda";
            return Err(super::EvalError::compile(self.source, parameter.at, message));
        }
        let body = self.field(node, "body")?;
        if body.kind() != "block" {
            return Ok((parameters, Ok(body)));
        }
        let block = self.deeper(node, |lowering| lowering.block(body))?;
        let body = Box::new(Body::Block(block));
        let whole = self.node(self.at(node), 0, ExprKind::Lambda(parameters, body))?;
        Ok((Vec::new(), Err(whole)))
    }

    /// Words before a declaration. `static` and `const` say nothing that matters here.
    pub(super) fn modifiers(&self, node: Node<'_>) -> Parsed<()> {
        for part in parts(node) {
            match (part.kind(), self.text(part)) {
                ("attribute_list", _) => return Err(self.unsupported(part, "attributes")),
                ("modifier", "static" | "const") => {}
                ("modifier", word @ ("async" | "unsafe" | "extern")) => {
                    let message = format!("'{word}' is not supported by the console");
                    return Err(self.error(part, &message));
                }
                ("modifier", _) => return Err(self.no_declarations(part)),
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn no_declarations(&self, node: Node<'_>) -> super::EvalError {
        let message =
            "declarations of types are not supported; use local functions, tuples and dictionaries";
        self.error(node, message)
    }
}
