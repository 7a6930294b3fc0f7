//! Statements, and the scopes that they open.
//!
//! Functions of a block are known before its first statement is bound (`hoist`), variables only from
//! their declaration on.

use super::{Binder, Bound, Function, node};
use crate::ir::{Catch, Kind, Node, Section, Stmt, StmtKind};
use crate::syntax::{self, ExprKind};
use crate::ty::Ty;

impl Binder<'_> {
    /// The statements of the script itself; the last may give the result.
    pub(super) fn script(&mut self, statements: &[syntax::Stmt]) -> Bound<Vec<Stmt>> {
        self.hoist(statements)?;
        let mut bound = Vec::new();
        for statement in statements {
            bound.extend(self.statement(statement)?);
        }
        Ok(bound)
    }

    pub(super) fn block(&mut self, statements: &[syntax::Stmt]) -> Bound<Vec<Stmt>> {
        self.enter();
        let bound = self.script(statements);
        self.leave();
        bound
    }

    /// Functions can be called before they are declared.
    fn hoist(&mut self, statements: &[syntax::Stmt]) -> Bound<()> {
        for statement in statements {
            let syntax::StmtKind::Function(function) = &statement.kind else { continue };
            let mut parameters = Vec::new();
            for parameter in &function.parameters {
                let ty = self.parameter_type(parameter)?;
                parameters.push((parameter.name.clone(), ty, parameter.default.clone()));
            }
            let returns = self.type_named(&function.returns)?;
            let index = self.functions.len();
            self.functions.push(None);
            let level = self.codes.len() - 1;
            let known = Function { index, level, returns, parameters };
            let scope = self.scopes.last_mut().expect("a block has a scope");
            if scope.functions.insert(function.name.clone(), known).is_some() {
                let message =
                    format!("CS0128: a function named '{}' is already defined", function.name);
                return Err(self.error(function.at, &message));
            }
        }
        Ok(())
    }

    fn parameter_type(&mut self, parameter: &syntax::Parameter) -> Bound<Ty> {
        match &parameter.ty {
            Some(ty) => self.type_named(ty),
            None => Ok(Ty::dynamic()),
        }
    }

    fn statement(&mut self, statement: &syntax::Stmt) -> Bound<Vec<Stmt>> {
        let at = statement.at;
        self.deeper(at, |binder| binder.statement_kind(at, &statement.kind))
    }

    fn one(&mut self, statement: &syntax::Stmt) -> Bound<Box<Stmt>> {
        self.enter();
        let bound = self.statement(statement);
        self.leave();
        Ok(Box::new(Stmt { at: statement.at, kind: StmtKind::Block(bound?) }))
    }

    fn body(&mut self, statement: &syntax::Stmt) -> Bound<Box<Stmt>> {
        self.change_loops(1);
        let bound = self.one(statement);
        self.change_loops(-1);
        bound
    }

    fn change_loops(&mut self, by: isize) {
        if let Some(level) = self.codes.last_mut() {
            level.loops = level.loops.saturating_add_signed(by);
        }
    }

    fn statement_kind(&mut self, at: u32, kind: &syntax::StmtKind) -> Bound<Vec<Stmt>> {
        let kind = match kind {
            syntax::StmtKind::Empty => return Ok(Vec::new()),
            syntax::StmtKind::Block(statements) => StmtKind::Block(self.block(statements)?),
            syntax::StmtKind::Declare { ty, names } => return self.declare_all(ty, names),
            syntax::StmtKind::Expr(value) => self.expression_statement(value)?,
            syntax::StmtKind::Result(value) => self.result(value)?,
            syntax::StmtKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let then = self.one(then)?;
                let otherwise = otherwise.as_ref().map(|other| self.one(other)).transpose()?;
                StmtKind::If(condition, then, otherwise)
            }
            syntax::StmtKind::While(condition, body) => {
                let condition = Some(self.condition(condition)?);
                let body = self.body(body)?;
                StmtKind::Loop { start: vec![], condition, steps: vec![], body, first: true }
            }
            syntax::StmtKind::Do(body, condition) => {
                let body = self.body(body)?;
                let condition = Some(self.condition(condition)?);
                StmtKind::Loop { start: vec![], condition, steps: vec![], body, first: false }
            }
            syntax::StmtKind::For { start, condition, steps, body } => {
                self.enter();
                let bound = self.for_loop(start, condition.as_ref(), steps, body);
                self.leave();
                bound?
            }
            syntax::StmtKind::ForEach { ty, names, of, body } => {
                self.enter();
                let bound = self.for_each(at, ty, names, of, body);
                self.leave();
                bound?
            }
            syntax::StmtKind::Switch(value, sections) => self.switch(value, sections)?,
            syntax::StmtKind::Break | syntax::StmtKind::Continue => {
                if self.codes.last().is_none_or(|level| level.loops == 0) {
                    return Err(self
                        .error(at, "CS0139: no enclosing loop out of which to break or continue"));
                }
                if matches!(kind, syntax::StmtKind::Break) {
                    StmtKind::Break
                } else {
                    StmtKind::Continue
                }
            }
            syntax::StmtKind::Return(value) => self.return_statement(at, value.as_ref())?,
            syntax::StmtKind::Throw(None) => StmtKind::Rethrow,
            syntax::StmtKind::Throw(Some(value)) => StmtKind::Expr(self.throw(at, value)?),
            syntax::StmtKind::Try { body, catches, finally } => {
                self.try_statement(body, catches, finally.as_deref())?
            }
            syntax::StmtKind::Function(function) => {
                self.local_function(function)?;
                return Ok(Vec::new());
            }
        };
        Ok(vec![Stmt { at, kind }])
    }

    pub(super) fn condition(&mut self, value: &syntax::Expr) -> Bound<Node> {
        self.expr_to(value, &Ty::bool())
    }

    fn expression_statement(&mut self, value: &syntax::Expr) -> Bound<StmtKind> {
        if let ExprKind::Assign(None, left, right) = &value.kind
            && let ExprKind::Declared(names) = &left.kind
        {
            let (right, ty) = self.expr(right)?;
            return self.declare_parts(left.at, names, right, &ty);
        }
        Ok(StmtKind::Expr(self.expr(value)?.0))
    }

    /// The last expression of a script, whose value is the result.
    fn result(&mut self, value: &syntax::Expr) -> Bound<StmtKind> {
        if let ExprKind::Assign(None, left, _) = &value.kind
            && let ExprKind::Declared(..) = &left.kind
        {
            return self.expression_statement(value);
        }
        let (node, ty) = self.expr(value)?;
        match ty.is_void() {
            true => Ok(StmtKind::Expr(node)),
            false => Ok(StmtKind::Return(Some(node))),
        }
    }

    fn declare_all(
        &mut self,
        ty: &syntax::TypeName,
        names: &[(String, u32, Option<syntax::Expr>)],
    ) -> Bound<Vec<Stmt>> {
        let declared = if ty.name == "var" { None } else { Some(self.type_named(ty)?) };
        if declared.as_ref().is_some_and(Ty::is_void) {
            return Err(self.error(ty.at, "CS1547: a variable cannot be void"));
        }
        let mut statements = Vec::new();
        for (name, at, value) in names {
            let (value, ty) = match (value, &declared) {
                (Some(value), Some(ty)) => (self.expr_to(value, ty)?, ty.clone()),
                (Some(value), None) => self.typed_value(value)?,
                (None, Some(ty)) => (node(*at, Kind::Default(ty.clone())), ty.clone()),
                (None, None) => {
                    return Err(
                        self.error(*at, "CS0818: a variable declared with var needs a value")
                    );
                }
            };
            let slot = self.declare(*at, name, ty)?;
            statements.push(Stmt { at: *at, kind: StmtKind::Declare(slot, value) });
        }
        Ok(statements)
    }

    /// A value that tells the type of a variable.
    fn typed_value(&mut self, value: &syntax::Expr) -> Bound<(Node, Ty)> {
        let (bound, ty) = self.expr(value)?;
        if ty.is_void() {
            return Err(self.error(value.at, "CS0815: cannot assign void to a variable"));
        }
        if ty.is("null") {
            return Err(
                self.error(value.at, "CS0815: null has no type; write the type of the variable")
            );
        }
        Ok((bound, ty))
    }

    fn declare_parts(
        &mut self,
        at: u32,
        names: &[String],
        value: Node,
        ty: &Ty,
    ) -> Bound<StmtKind> {
        let parts = self.parts_of(ty);
        if !ty.is_dynamic() && parts.len() != names.len() {
            let message = format!("CS8132: cannot take {ty} apart into {} variables", names.len());
            return Err(self.error(at, &message));
        }
        let mut slots = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let ty = parts.get(index).cloned().unwrap_or_else(Ty::dynamic);
            slots.push(self.declare(at, name, ty)?);
        }
        Ok(StmtKind::DeclareParts(slots, value))
    }

    /// Types of the parts of a tuple or a pair.
    fn parts_of(&self, ty: &Ty) -> Vec<Ty> {
        match ty.is_tuple() || ty.is("KeyValuePair") {
            true => ty.args.to_vec(),
            false => Vec::new(),
        }
    }

    fn for_loop(
        &mut self,
        start: &[syntax::Stmt],
        condition: Option<&syntax::Expr>,
        steps: &[syntax::Expr],
        body: &syntax::Stmt,
    ) -> Bound<StmtKind> {
        let mut first = Vec::new();
        for statement in start {
            first.extend(self.statement(statement)?);
        }
        let condition = condition.map(|condition| self.condition(condition)).transpose()?;
        let mut bound_steps = Vec::new();
        for step in steps {
            bound_steps.push(self.expr(step)?.0);
        }
        let body = self.body(body)?;
        Ok(StmtKind::Loop { start: first, condition, steps: bound_steps, body, first: true })
    }

    fn for_each(
        &mut self,
        at: u32,
        ty: &syntax::TypeName,
        names: &[String],
        of: &syntax::Expr,
        body: &syntax::Stmt,
    ) -> Bound<StmtKind> {
        let (of_node, of_ty) = self.expr(of)?;
        let item = match self.item_type(&of_ty) {
            Some(item) => item,
            None => {
                let message = format!("CS1579: foreach cannot go through '{of_ty}'");
                return Err(self.error(of.at, &message));
            }
        };
        let declared = if ty.name == "var" { None } else { Some(self.type_named(ty)?) };
        let mut slots = Vec::new();
        if let [name] = names {
            let ty = declared.clone().unwrap_or(item);
            slots.push(self.declare(at, name, ty)?);
        } else {
            let parts = self.parts_of(&item);
            for (index, name) in names.iter().enumerate() {
                let ty = parts.get(index).cloned().unwrap_or_else(Ty::dynamic);
                slots.push(self.declare(at, name, ty)?);
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.locals.values_mut().for_each(|local| local.fixed = true);
        }
        Ok(StmtKind::ForEach { slots, ty: declared, of: of_node, body: self.body(body)? })
    }

    fn switch(&mut self, value: &syntax::Expr, sections: &[syntax::Section]) -> Bound<StmtKind> {
        let (value, ty) = self.expr(value)?;
        let mut bound = Vec::new();
        self.change_loops(1);
        for section in sections {
            self.enter();
            let mut labels = Vec::new();
            let mut is_default = false;
            for (pattern, guard) in &section.labels {
                if matches!(pattern, syntax::Pattern::Any) && guard.is_none() {
                    is_default = true;
                    continue;
                }
                let test = self.pattern(value.at, pattern, &ty)?;
                let guard = guard.as_ref().map(|guard| self.condition(guard)).transpose()?;
                labels.push((test, guard));
            }
            let body = self.block(&section.body)?;
            self.leave();
            bound.push(Section { labels, is_default, body });
        }
        self.change_loops(-1);
        Ok(StmtKind::Switch(value, bound))
    }

    fn return_statement(&mut self, at: u32, value: Option<&syntax::Expr>) -> Bound<StmtKind> {
        let in_script = self.codes.len() == 1;
        let wanted = self.codes.last().and_then(|level| level.returns.clone());
        let Some(value) = value else {
            if wanted.is_some_and(|ty| !ty.is_void()) {
                return Err(self.error(at, "CS0126: a value must be returned here"));
            }
            return Ok(StmtKind::Return(None));
        };
        if let Some(wanted) = wanted.filter(|_| !in_script) {
            if wanted.is_void() {
                return Err(self.error(at, "CS0127: a void function cannot return a value"));
            }
            return Ok(StmtKind::Return(Some(self.expr_to(value, &wanted)?)));
        }
        let (bound, ty) = self.expr(value)?;
        if ty.is_void() {
            return Err(self.error(at, "CS0029: a call that returns nothing cannot be returned"));
        }
        if let Some(level) = self.codes.last_mut() {
            let joined = match level.found.take() {
                Some(found) if found.is("null") => ty,
                Some(found) => found,
                None => ty,
            };
            level.found = Some(joined);
        }
        Ok(StmtKind::Return(Some(bound)))
    }

    pub(super) fn throw(&mut self, at: u32, value: &syntax::Expr) -> Bound<Node> {
        let (value, ty) = self.expr(value)?;
        if !ty.is_dynamic() && !self.is_a(&ty, "System.Exception") {
            return Err(self.error(at, "CS0155: only exceptions can be thrown"));
        }
        Ok(node(at, Kind::Throw(Box::new(value))))
    }

    fn try_statement(
        &mut self,
        body: &[syntax::Stmt],
        catches: &[syntax::Catch],
        finally: Option<&[syntax::Stmt]>,
    ) -> Bound<StmtKind> {
        let body = self.block(body)?;
        let mut bound = Vec::new();
        for catch in catches {
            self.enter();
            let ty = match &catch.ty {
                Some(ty) => self.type_named(ty)?,
                None => Ty::of("System.Exception"),
            };
            let at = catch.ty.as_ref().map_or(0, |ty| ty.at);
            if !self.is_a(&ty, "System.Exception") {
                return Err(self.error(at, "CS0155: only exceptions can be caught"));
            }
            let name = catch.name.as_ref();
            let slot = name.map(|name| self.declare(at, name, ty.clone())).transpose()?;
            let guard = catch.guard.as_ref().map(|guard| self.condition(guard)).transpose()?;
            let body = self.block(&catch.body)?;
            self.leave();
            bound.push(Catch { ty, slot, guard, body });
        }
        let finally = finally.map(|finally| self.block(finally)).transpose()?.unwrap_or_default();
        Ok(StmtKind::Try { body, catches: bound, finally })
    }

    fn local_function(&mut self, function: &syntax::Function) -> Bound<()> {
        let Some(known) = self.function(&function.name).cloned() else { return Ok(()) };
        let mut parameters = Vec::new();
        for (given, (name, ty, _)) in function.parameters.iter().zip(&known.parameters) {
            if given.by_ref && self.codes.len() > 1 {
                return Err(
                    self.error(given.at, "ref parameters are for hooks only; return a tuple")
                );
            }
            parameters.push((given.at, name.as_str(), ty.clone(), given.by_ref));
        }
        let (code, _) = self.code(&parameters, Some(known.returns.clone()), &function.body)?;
        let ends = crate::flow::ends(&code.body);
        if code.returns.is_some() && !ends {
            let message =
                format!("CS0161: not all code paths of '{}' return a value", function.name);
            return Err(self.error(function.at, &message));
        }
        if let Some(place) = self.functions.get_mut(known.index) {
            *place = Some(code);
        }
        Ok(())
    }
}
