//! Statements.

use super::super::lex::Kind;
use super::super::syntax::{Body, Catch, Expr, ExprKind, Function, Parameter, Pattern, Section};
use super::super::syntax::{Stmt, StmtKind, TypeName};
use super::{Parsed, Parser};

/// Namespaces whose types the console knows, so that a `using` of them says nothing new.
const NAMESPACES: [&str; 3] = ["System", "UnityEngine", "UniverseLib"];
/// Namespaces inside those that reach where the console does not.
const FORBIDDEN: [&str; 7] = [
    "System.IO",
    "System.Net",
    "System.Reflection",
    "System.Diagnostics",
    "System.Threading",
    "System.Runtime",
    "UnityEngine.Networking",
];

impl Parser<'_> {
    pub(super) fn usings(&mut self) -> Parsed<()> {
        while self.is_word("using") && matches!(self.ahead(1), Kind::Word(_)) {
            let at = self.pos();
            self.at += 1;
            let name = self.simple_type().map(|ty| ty.name).unwrap_or_default();
            if self.is("=") {
                return Err(self.error("aliases are not supported; write the full name"));
            }
            self.expect(";")?;
            let inside = |outer: &str| {
                name.strip_prefix(outer)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            if let Some(found) = FORBIDDEN.iter().find(|outer| inside(outer)) {
                let message = format!("{found} is not supported: the console sees the scene only");
                return Err(self.error_at(at, &message));
            }
            if !NAMESPACES.iter().any(|outer| inside(outer)) {
                let message =
                    format!("unknown namespace '{name}'; the console needs no using lines");
                return Err(self.error_at(at, &message));
            }
        }
        Ok(())
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        let at = self.pos();
        let kind = self.deeper(|parser| parser.statement_kind())?;
        Ok(Stmt { at, kind })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.is("{") {
            return self.block().map(StmtKind::Block);
        }
        if self.take(";") {
            return Ok(StmtKind::Empty);
        }
        let Kind::Word(word) = self.kind() else { return self.expression_statement() };
        let at = self.pos();
        match word.as_str() {
            "if" => self.if_statement(),
            "while" => {
                self.at += 1;
                let condition = self.in_parens()?;
                Ok(StmtKind::While(condition, self.inner()?))
            }
            "do" => {
                self.at += 1;
                let body = self.inner()?;
                if !self.take_word("while") {
                    return Err(self.error("'while' is expected"));
                }
                let condition = self.in_parens()?;
                self.semicolon()?;
                Ok(StmtKind::Do(body, condition))
            }
            "for" => self.for_statement(),
            "foreach" => self.foreach_statement(),
            "switch" => self.switch_statement(),
            "try" => self.try_statement(),
            "break" | "continue" => {
                self.at += 1;
                self.semicolon()?;
                Ok(if word == "break" { StmtKind::Break } else { StmtKind::Continue })
            }
            "return" => {
                self.at += 1;
                let none = self.is(";") || self.is_end();
                let value = if none { None } else { Some(self.expression()?) };
                self.semicolon()?;
                Ok(StmtKind::Return(value))
            }
            "throw" => {
                self.at += 1;
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.semicolon()?;
                Ok(StmtKind::Throw(value))
            }
            "using" => {
                Err(self.error_at(at, "using lines come first, and using blocks are not supported"))
            }
            "class" | "struct" | "interface" | "enum" | "namespace" | "record" | "delegate"
            | "public" | "private" | "protected" | "internal" | "abstract" | "sealed"
            | "partial"
                if !matches!(self.ahead(1), Kind::Sign("." | "=" | "(" | ";")) =>
            {
                let message = "declarations of types are not supported; use local functions, tuples and dictionaries";
                Err(self.error_at(at, message))
            }
            "unsafe" | "fixed" | "lock" | "goto" | "checked" | "unchecked" | "yield" | "await"
            | "async" | "extern" | "event" | "stackalloc"
                if !matches!(self.ahead(1), Kind::Sign("." | "=" | ";")) =>
            {
                Err(self.error_at(at, &format!("'{word}' is not supported by the console")))
            }
            "const" | "static" => {
                self.at += 1;
                self.declaration()?.ok_or_else(|| self.error("a declaration is expected"))
            }
            _ => match self.declaration()? {
                Some(declared) => Ok(declared),
                None => self.expression_statement(),
            },
        }
    }

    /// The `;` of a statement; the last one of a script may do without.
    fn semicolon(&mut self) -> Parsed<()> {
        if self.top && self.is_end() {
            return Ok(());
        }
        self.expect(";")
    }

    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        let top = std::mem::replace(&mut self.top, false);
        let mut statements = Vec::new();
        while !self.is("}") {
            if self.is_end() {
                return Err(self.error("'}' is expected, found the end"));
            }
            statements.push(self.statement()?);
        }
        self.at += 1;
        self.top = top;
        Ok(statements)
    }

    fn inner(&mut self) -> Parsed<Box<Stmt>> {
        let top = std::mem::replace(&mut self.top, false);
        let statement = self.statement()?;
        self.top = top;
        if let StmtKind::Declare { .. } | StmtKind::Function(_) = statement.kind {
            let message = "CS1023: an embedded statement cannot be a declaration; use braces";
            return Err(self.error_at(statement.at, message));
        }
        Ok(Box::new(statement))
    }

    fn in_parens(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let expression = self.expression()?;
        self.expect(")")?;
        Ok(expression)
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let at = self.pos();
        let value = self.expression()?;
        let has_end = self.take(";");
        let is_statement = matches!(
            value.kind,
            ExprKind::Call(..)
                | ExprKind::Assign(..)
                | ExprKind::Step { .. }
                | ExprKind::New { .. }
        );
        if self.top && self.is_end() {
            return Ok(StmtKind::Result(value));
        }
        if !has_end {
            return Err(self.error(&format!("';' is expected, found {}", self.found())));
        }
        if !is_statement {
            let message = "CS0201: only assignments, calls and new objects can be statements; a bare expression comes last";
            return Err(self.error_at(at, message));
        }
        Ok(StmtKind::Expr(value))
    }

    /// A declaration of variables or of a function, or nothing and nothing read.
    fn declaration(&mut self) -> Parsed<Option<StmtKind>> {
        let start = self.at;
        let Some(ty) = self.try_type() else { return Ok(None) };
        let at = self.pos();
        if ty.name == "var" && self.is("(") {
            self.at = start;
            return Ok(None);
        }
        let Some(name) = self.try_name() else {
            self.at = start;
            return Ok(None);
        };
        if self.is("(") || self.is("<") {
            return self.function(at, ty, name).map(Some);
        }
        if !(self.is("=") || self.is(";") || self.is(",") || self.is_end()) {
            self.at = start;
            return Ok(None);
        }
        let mut names = vec![(name, at, self.initial()?)];
        while self.take(",") {
            let at = self.pos();
            let name = self.name()?;
            names.push((name, at, self.initial()?));
        }
        self.semicolon()?;
        Ok(Some(StmtKind::Declare { ty, names }))
    }

    fn initial(&mut self) -> Parsed<Option<Expr>> {
        if !self.take("=") {
            return Ok(None);
        }
        if !self.is("{") {
            return self.expression().map(Some);
        }
        let at = self.pos();
        let items = self.items()?;
        let below = items.iter().map(|item| item.height).max().unwrap_or(0);
        self.node(at, below, ExprKind::Items(items)).map(Some)
    }

    fn function(&mut self, at: u32, returns: TypeName, name: String) -> Parsed<StmtKind> {
        if self.is("<") {
            return Err(
                self.error("generic functions are not supported; use object or a concrete type")
            );
        }
        let parameters = self.parameters()?;
        let body = if self.take("=>") {
            let value = self.expression()?;
            self.semicolon()?;
            Body::Expr(value)
        } else {
            Body::Block(self.block()?)
        };
        Ok(StmtKind::Function(Function { at, name, returns, parameters, body }))
    }

    /// Typed parameters in brackets.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.take(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            let at = self.pos();
            if self.is_word("out") || self.is_word("params") || self.is_word("in") {
                return Err(self.error("out, in and params are not supported here; return a tuple"));
            }
            let by_ref = self.take_word("ref");
            let ty = self.ty()?;
            let name = self.name()?;
            let default = if self.take("=") { Some(self.expression()?) } else { None };
            parameters.push(Parameter { at, ty: Some(ty), name, by_ref, default });
        }
        Ok(parameters)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.at += 1;
        let condition = self.in_parens()?;
        let then = self.inner()?;
        let otherwise = if self.take_word("else") { Some(self.inner()?) } else { None };
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.at += 1;
        self.expect("(")?;
        let at = self.pos();
        let mut start = Vec::new();
        if !self.take(";") {
            match self.declaration()? {
                Some(kind) => start.push(Stmt { at, kind }),
                None => {
                    for value in self.list(";")? {
                        start.push(Stmt { at: value.at, kind: StmtKind::Expr(value) });
                    }
                }
            }
        }
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let steps = self.list(")")?;
        Ok(StmtKind::For { start, condition, steps, body: self.inner()? })
    }

    /// Expressions with commas up to a sign.
    fn list(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut list = Vec::new();
        while !self.take(end) {
            if !list.is_empty() {
                self.expect(",")?;
            }
            list.push(self.expression()?);
        }
        Ok(list)
    }

    fn foreach_statement(&mut self) -> Parsed<StmtKind> {
        self.at += 1;
        self.expect("(")?;
        let at = self.pos();
        let is_var = self.is_word("var") && matches!(self.ahead(1), Kind::Sign("("));
        let ty = match is_var {
            true => {
                self.at += 1;
                TypeName { at, name: "var".into(), args: vec![], nullable: false, names: vec![] }
            }
            false => self.ty()?,
        };
        let names = if is_var { self.names()? } else { vec![self.name()?] };
        if !self.take_word("in") {
            return Err(self.error("'in' is expected"));
        }
        let of = self.expression()?;
        self.expect(")")?;
        Ok(StmtKind::ForEach { ty, names, of, body: self.inner()? })
    }

    /// `(a, b)`
    pub(super) fn names(&mut self) -> Parsed<Vec<String>> {
        self.expect("(")?;
        let mut names = vec![self.name()?];
        while self.take(",") {
            names.push(self.name()?);
        }
        self.expect(")")?;
        Ok(names)
    }

    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        self.at += 1;
        let value = self.in_parens()?;
        self.expect("{")?;
        let top = std::mem::replace(&mut self.top, false);
        let mut sections: Vec<Section> = Vec::new();
        while !self.take("}") {
            let mut section = Section { labels: Vec::new(), body: Vec::new() };
            while self.is_word("case") || self.is_word("default") {
                if self.take_word("default") {
                    section.labels.push((Pattern::Any, None));
                } else {
                    self.at += 1;
                    let pattern = self.pattern()?;
                    let guard =
                        if self.take_word("when") { Some(self.expression()?) } else { None };
                    section.labels.push((pattern, guard));
                }
                self.expect(":")?;
            }
            if section.labels.is_empty() {
                return Err(self.error(&format!("'case' is expected, found {}", self.found())));
            }
            while !(self.is("}") || self.is_word("case") || self.is_word("default")) {
                if self.is_end() {
                    return Err(self.error("'}' is expected, found the end"));
                }
                section.body.push(self.statement()?);
            }
            sections.push(section);
        }
        self.top = top;
        Ok(StmtKind::Switch(value, sections))
    }

    fn try_statement(&mut self) -> Parsed<StmtKind> {
        self.at += 1;
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.take_word("catch") {
            let (mut ty, mut name, mut guard) = (None, None, None);
            if self.take("(") {
                ty = Some(self.ty()?);
                name = if self.is(")") { None } else { Some(self.name()?) };
                self.expect(")")?;
            }
            if self.take_word("when") {
                guard = Some(self.in_parens()?);
            }
            catches.push(Catch { ty, name, guard, body: self.block()? });
        }
        let finally = if self.take_word("finally") { Some(self.block()?) } else { None };
        if catches.is_empty() && finally.is_none() {
            return Err(self.error("'catch' or 'finally' is expected"));
        }
        Ok(StmtKind::Try { body, catches, finally })
    }
}
