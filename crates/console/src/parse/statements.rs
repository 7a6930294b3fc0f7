//! Statements, from nodes of the grammar to those that the console takes. What is not named here is
//! refused by its first word, so that a grammar that learns new statements adds none to the console.

use tree_sitter::Node;

use super::{Lowering, Parsed, parts, sign, values};
use crate::refused::{FORBIDDEN, NAMESPACES};
use crate::syntax::{Catch, Expr, ExprKind, Pattern, Section, Stmt, StmtKind, TypeName};

impl Lowering<'_> {
    pub(super) fn script(&mut self, root: Node<'_>) -> Parsed<Vec<Stmt>> {
        let mut nodes = Vec::new();
        for part in parts(root) {
            match part.kind() {
                "using_directive" if nodes.is_empty() => self.using(part)?,
                "using_directive" => return Err(self.late_using(part)),
                "global_statement" => nodes.extend(values(part)),
                "extern_alias_directive" => return Err(self.unsupported(part, "aliases")),
                "global_attribute" => return Err(self.unsupported(part, "attributes")),
                "shebang_directive" => {
                    return Err(self.error(part, "preprocessor lines are not supported"));
                }
                _ => return Err(self.no_declarations(part)),
            }
        }
        // The `;` that was put behind the source.
        nodes.pop_if(|last| self.is_put_in(*last));
        let last = nodes.pop();
        let mut statements = Vec::new();
        for node in nodes {
            statements.push(self.statement(node)?);
        }
        if let Some(last) = last {
            let is_result = matches!(last.kind(), "expression_statement")
                || (last.kind() == "return_statement" && self.reading.returns.is_some());
            statements.push(match values(last).next().filter(|_| is_result) {
                Some(value) => {
                    Stmt { at: self.at(value), kind: StmtKind::Result(self.expression(value)?) }
                }
                None => self.statement(last)?,
            });
        }
        Ok(statements)
    }

    fn is_put_in(&self, node: Node<'_>) -> bool {
        node.kind() == "empty_statement" && self.at(node) as usize >= self.source.len()
    }

    fn using(&self, node: Node<'_>) -> Parsed<()> {
        if let Some(name) = node.child_by_field_name("name") {
            return Err(self.error(name, "aliases are not supported; write the full name"));
        }
        if let Some(word) = sign(node, "static").or_else(|| sign(node, "unsafe")) {
            return Err(self.error(word, "using lines take namespaces only; write the full name"));
        }
        let name: String = values(node).map(|name| self.text(name)).collect();
        let name: String = name.chars().filter(|letter| !letter.is_whitespace()).collect();
        let inside = |outer: &str| {
            name.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if let Some(found) = FORBIDDEN.iter().find(|outer| inside(outer)) {
            let message = format!("{found} is not supported: the console sees the scene only");
            return Err(self.error(node, &message));
        }
        if !NAMESPACES.iter().any(|outer| inside(outer)) {
            let message = format!("unknown namespace '{name}'; the console needs no using lines");
            return Err(self.error(node, &message));
        }
        Ok(())
    }

    fn late_using(&self, node: Node<'_>) -> super::EvalError {
        self.error(node, "using lines come first, and using blocks are not supported")
    }

    fn statement(&mut self, node: Node<'_>) -> Parsed<Stmt> {
        let at = self.at(node);
        let kind = self.deeper(node, |lowering| lowering.statement_kind(node))?;
        Ok(Stmt { at, kind })
    }

    fn statement_kind(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        match node.kind() {
            "block" => self.block(node).map(StmtKind::Block),
            "empty_statement" => Ok(StmtKind::Empty),
            "expression_statement" => self.expression_statement(node),
            "local_declaration_statement" => self.declaration(node),
            "local_function_statement" => self.local_function(node),
            "if_statement" => self.if_statement(node),
            "while_statement" => {
                let condition = self.expression(self.field(node, "condition")?)?;
                Ok(StmtKind::While(condition, self.inner(node, "body")?))
            }
            "do_statement" => {
                let body = self.inner(node, "body")?;
                Ok(StmtKind::Do(body, self.expression(self.field(node, "condition")?)?))
            }
            "for_statement" => self.for_statement(node),
            "foreach_statement" => self.foreach_statement(node),
            "switch_statement" => self.switch_statement(node),
            "try_statement" => self.try_statement(node),
            "break_statement" => Ok(StmtKind::Break),
            "continue_statement" => Ok(StmtKind::Continue),
            "return_statement" => self.value_of(node).map(StmtKind::Return),
            "throw_statement" => self.value_of(node).map(StmtKind::Throw),
            "using_statement" => Err(self.late_using(node)),
            "labeled_statement" => Err(self.unsupported(node, "labels")),
            // `unsafe`, `lock`, `goto` and the like begin with their word.
            _ => {
                let message =
                    format!("'{}' is not supported by the console", self.first_word(node));
                Err(self.error(node, &message))
            }
        }
    }

    pub(super) fn block(&mut self, node: Node<'_>) -> Parsed<Vec<Stmt>> {
        let statements: Vec<_> = values(node).collect();
        statements.into_iter().map(|statement| self.statement(statement)).collect()
    }

    /// A statement that belongs to another.
    fn inner(&mut self, node: Node<'_>, field: &str) -> Parsed<Box<Stmt>> {
        let inner = self.field(node, field)?;
        if self.is_put_in(inner) {
            return Err(self.error(inner, "a statement is expected, found the end"));
        }
        if matches!(inner.kind(), "local_declaration_statement" | "local_function_statement") {
            let message = "CS1023: an embedded statement cannot be a declaration; use braces";
            return Err(self.error(inner, message));
        }
        self.statement(inner).map(Box::new)
    }

    /// What follows `return` or `throw`.
    fn value_of(&mut self, node: Node<'_>) -> Parsed<Option<Expr>> {
        match values(node).next() {
            Some(value) => self.expression(value).map(Some),
            None => Ok(None),
        }
    }

    fn expression_statement(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        let value = values(node).next();
        let value = value.ok_or_else(|| self.error(node, "an expression is expected"))?;
        let value = self.expression(value)?;
        let is_statement = matches!(
            value.kind,
            ExprKind::Call(..)
                | ExprKind::Assign(..)
                | ExprKind::Step { .. }
                | ExprKind::New { .. }
        );
        if !is_statement {
            let message = "CS0201: only assignments, calls and new objects can be statements; a bare expression comes last";
            return Err(self.error(node, message));
        }
        Ok(StmtKind::Expr(value))
    }

    fn declaration(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        if let Some(word) = sign(node, "await") {
            return Err(self.error(word, "'await' is not supported by the console"));
        }
        if let Some(word) = sign(node, "using") {
            return Err(self.late_using(word));
        }
        self.modifiers(node)?;
        let declared = values(node).find(|part| part.kind() == "variable_declaration");
        let declared = declared.ok_or_else(|| self.error(node, "a declaration is expected"))?;
        self.variables(declared)
    }

    /// `T a = 1, b`
    fn variables(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        let written = self.field(node, "type")?;
        let ty = self.ty(written)?;
        let mut names = Vec::new();
        for declarator in values(node).filter(|part| part.kind() == "variable_declarator") {
            let initial = match sign(declarator, "=").and(parts(declarator).pop()) {
                Some(value) => Some(self.initial(value)?),
                None => None,
            };
            let first = values(declarator).next().unwrap_or(declarator);
            if first.kind() == "tuple_pattern" {
                return self.taken_apart(written, first, initial);
            }
            if let Some(length) = values(declarator).find(|part| part.kind().starts_with("brack")) {
                return Err(self.error(length, "brackets belong to the type: T[] name"));
            }
            names.push((self.declared(first)?, self.at(first), initial));
        }
        Ok(StmtKind::Declare { ty, names })
    }

    fn initial(&mut self, node: Node<'_>) -> Parsed<Expr> {
        if node.kind() != "initializer_expression" {
            return self.expression(node);
        }
        let items = self.items(node)?;
        let below = items.iter().map(|item| item.height).max().unwrap_or(0);
        self.node(self.at(node), below, ExprKind::Items(items))
    }

    /// `var (a, b) = value`
    fn taken_apart(
        &mut self,
        ty: Node<'_>,
        names: Node<'_>,
        value: Option<Expr>,
    ) -> Parsed<StmtKind> {
        let at = self.at(ty);
        let value = value.ok_or_else(|| self.error_after(names, "'=' is expected"))?;
        let names = self.names(ty, names)?;
        let declared = self.node(at, 0, ExprKind::Declared(names))?;
        let below = value.height;
        let kind = ExprKind::Assign(None, Box::new(declared), Box::new(value));
        self.node(at, below, kind).map(StmtKind::Expr)
    }

    /// `var (a, b)`
    fn names(&self, ty: Node<'_>, node: Node<'_>) -> Parsed<Vec<String>> {
        if self.text(ty) != "var" {
            return Err(self.error(ty, "'var' is expected before names in brackets"));
        }
        let name = |part: Node<'_>| match part.kind() {
            "identifier" | "discard" => self.declared(part),
            _ => Err(self.unsupported(part, "names inside names in brackets")),
        };
        values(node).map(name).collect()
    }

    fn if_statement(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        let condition = self.expression(self.field(node, "condition")?)?;
        let then = self.inner(node, "consequence")?;
        let otherwise = match node.child_by_field_name("alternative") {
            Some(_) => Some(self.inner(node, "alternative")?),
            None => None,
        };
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn for_statement(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        let fields = |name: &str| {
            let mut cursor = node.walk();
            let found = node.children_by_field_name(name, &mut cursor);
            found.filter(|part| part.kind() != ",").collect::<Vec<_>>()
        };
        let mut start = Vec::new();
        for part in fields("initializer") {
            let at = self.at(part);
            let kind = match part.kind() {
                "variable_declaration" => self.variables(part)?,
                _ => StmtKind::Expr(self.expression(part)?),
            };
            start.push(Stmt { at, kind });
        }
        let condition = match node.child_by_field_name("condition") {
            Some(condition) => Some(self.expression(condition)?),
            None => None,
        };
        let mut steps = Vec::new();
        for step in fields("update") {
            steps.push(self.expression(step)?);
        }
        Ok(StmtKind::For { start, condition, steps, body: self.inner(node, "body")? })
    }

    fn foreach_statement(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        if let Some(word) = sign(node, "await") {
            return Err(self.error(word, "'await' is not supported by the console"));
        }
        let left = self.field(node, "left")?;
        let Some(written) = node.child_by_field_name("type") else {
            return Err(self.error(left, "write 'var (a, b)' for the parts of each item"));
        };
        let ty: TypeName = self.ty(written)?;
        let names = match left.kind() {
            "tuple_pattern" => self.names(written, left)?,
            _ => vec![self.declared(left)?],
        };
        let of = self.expression(self.field(node, "right")?)?;
        Ok(StmtKind::ForEach { ty, names, of, body: self.inner(node, "body")? })
    }

    fn switch_statement(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        let value = self.expression(self.field(node, "value")?)?;
        let mut sections: Vec<Section> = Vec::new();
        let mut labels = Vec::new();
        for section in values(self.field(node, "body")?) {
            let mut body = Vec::new();
            labels.push(self.section(section, &mut body)?);
            // In the tree every label has its own section; those without statements fall through.
            if !body.is_empty() {
                sections.push(Section { labels: std::mem::take(&mut labels), body });
            }
        }
        if !labels.is_empty() {
            sections.push(Section { labels, body: Vec::new() });
        }
        Ok(StmtKind::Switch(value, sections))
    }

    /// A label of a switch and the statements behind it.
    fn section(&mut self, node: Node<'_>, body: &mut Vec<Stmt>) -> Parsed<(Pattern, Option<Expr>)> {
        let (mut pattern, mut guard, mut is_label) = (Pattern::Any, None, true);
        for part in parts(node) {
            match part.kind() {
                ":" => is_label = false,
                "case" | "default" => {}
                "when_clause" => guard = self.value_of(part)?,
                _ if is_label => pattern = self.pattern(part)?,
                _ => body.push(self.statement(part)?),
            }
        }
        Ok((pattern, guard))
    }

    fn try_statement(&mut self, node: Node<'_>) -> Parsed<StmtKind> {
        let body = self.block(self.field(node, "body")?)?;
        let (mut catches, mut finally) = (Vec::new(), None);
        for part in values(node) {
            match part.kind() {
                "catch_clause" => catches.push(self.catch(part)?),
                "finally_clause" => {
                    let block = values(part).next().unwrap_or(part);
                    finally = Some(self.block(block)?);
                }
                _ => {}
            }
        }
        if catches.is_empty() && finally.is_none() {
            return Err(self.error_after(node, "'catch' or 'finally' is expected"));
        }
        Ok(StmtKind::Try { body, catches, finally })
    }

    fn catch(&mut self, node: Node<'_>) -> Parsed<Catch> {
        let (mut ty, mut name, mut guard) = (None, None, None);
        for part in values(node) {
            match part.kind() {
                "catch_declaration" => {
                    ty = Some(self.ty(self.field(part, "type")?)?);
                    if let Some(written) = part.child_by_field_name("name") {
                        name = Some(self.declared(written)?);
                    }
                }
                "catch_filter_clause" => guard = self.value_of(part)?,
                _ => {}
            }
        }
        Ok(Catch { ty, name, guard, body: self.block(self.field(node, "body")?)? })
    }
}
