//! Syntax to code: every name gets its meaning and every expression its type, and what the console
//! cannot run is refused before anything runs.
//!
//! Refusing first is the point of this stage. A script changes the scene as it goes and nothing takes
//! that back, so a mistake in its last line must be found before its first line runs; that is why even
//! what could be looked up at run time is looked up here. Only what nothing tells of stays open: it
//! has the type `?` ([`Ty::dynamic`]), which fits everywhere, and `run` asks the value itself.
//!
//! Types are kept exactly because C# means different things by the same signs: `7 / 2` and `7 / 2f`,
//! which overload of `Max`, whether `v.x = 1` sets a field or a copy that is thrown away. Where a value
//! becomes one of another type, a conversion is written into the code (`convert`), so that running
//! need not know the types of expressions.
//!
//! Variables are numbered like places on a stack: those of a lambda or a function come behind those
//! around it, which are its first `base`. A body that is called gets the cells of those, not their
//! values, and new cells for its own; so a closure sees what is changed later. The same number may
//! mean different variables in bodies beside each other. Therefore a function may be called only from
//! where all of its outer variables are shared, and since functions may be called before they are
//! declared, this is looked at when everything was read (`check_pending`). Without it, the call would
//! read whatever variable of the caller happens to have the number.

mod assignment;
mod calls;
mod convert;
mod creation;
mod expressions;
mod lookup;
mod members;
mod patterns;
mod statements;

use std::collections::HashMap;

use scenewright_world::World;

use super::ir::{Code, Kind, Node, Parameter, Program};
use super::limits::MAX_VARIABLES;
use super::ty::Ty;
use super::{EvalError, syntax};

/// Expressions and statements inside each other, lambdas included.
const MAX_DEPTH: usize = 1200;

type Bound<T> = Result<T, EvalError>;

/// Give names their meaning.
pub(super) fn bind(world: &World, source: &str, script: &[syntax::Stmt]) -> Bound<Program> {
    let mut binder = Binder {
        world,
        source,
        scopes: Vec::new(),
        codes: vec![Level { base: 0, most: 0, returns: None, found: None, loops: 0 }],
        next: 0,
        functions: Vec::new(),
        pending: Vec::new(),
        depth: 0,
    };
    binder.enter();
    let body = binder.script(script)?;
    let named = binder.scopes.first().map(|scope| {
        let functions = scope.functions.iter();
        functions.map(|(name, function)| (name.clone(), function.index)).collect()
    });
    binder.check_pending()?;
    let functions = binder.functions.into_iter().map(Option::unwrap_or_default).collect();
    let slots = binder.codes.first().map_or(0, |level| level.most);
    Ok(Program {
        source: source.into(),
        main: Code { slots, body, ..Code::default() },
        functions,
        named: named.unwrap_or_default(),
    })
}

struct Binder<'w> {
    world: &'w World,
    source: &'w str,
    scopes: Vec<Scope>,
    /// The script, and the lambdas and functions that are being read.
    codes: Vec<Level>,
    /// The next free variable.
    next: usize,
    functions: Vec<Option<Code>>,
    /// Calls of functions whose variables are not known yet: the function, how many variables the
    /// caller shares with it, and where.
    pending: Vec<(usize, usize, u32)>,
    depth: usize,
}

#[derive(Default)]
struct Scope {
    locals: HashMap<String, Local>,
    functions: HashMap<String, Function>,
}

#[derive(Clone)]
struct Local {
    slot: usize,
    ty: Ty,
    /// The loop variable of a foreach cannot be set.
    fixed: bool,
}

#[derive(Clone)]
struct Function {
    index: usize,
    /// How many codes are around it.
    level: usize,
    returns: Ty,
    parameters: Vec<(String, Ty, Option<syntax::Expr>)>,
}

/// A body that is being read.
struct Level {
    base: usize,
    most: usize,
    /// What it must return, when that is said.
    returns: Option<Ty>,
    /// What its return statements give, when it is not.
    found: Option<Ty>,
    loops: usize,
}

impl Binder<'_> {
    fn error(&self, at: u32, message: &str) -> EvalError {
        EvalError::compile(self.source, at, message)
    }

    fn deeper<T>(&mut self, at: u32, bind: impl FnOnce(&mut Self) -> Bound<T>) -> Bound<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(at, "the code is nested too deep; split it into statements"));
        }
        self.depth += 1;
        let bound = bind(self);
        self.depth -= 1;
        bound
    }

    fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    fn leave(&mut self) {
        self.scopes.pop();
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.scopes.iter().rev().find_map(|scope| scope.locals.get(name))
    }

    fn function(&self, name: &str) -> Option<&Function> {
        self.scopes.iter().rev().find_map(|scope| scope.functions.get(name))
    }

    /// A new variable.
    fn declare(&mut self, at: u32, name: &str, ty: Ty) -> Bound<usize> {
        if name != "_" && (self.local(name).is_some() || self.function(name).is_some()) {
            let message = format!("CS0128: a variable named '{name}' is already defined");
            return Err(self.error(at, &message));
        }
        if ty.is_huge() {
            return Err(self.error(at, "the type of the variable is nested too deep; use object"));
        }
        let slot = self.new_slot(at)?;
        if let Some(scope) = self.scopes.last_mut() {
            scope.locals.insert(name.to_owned(), Local { slot, ty, fixed: false });
        }
        Ok(slot)
    }

    fn new_slot(&mut self, at: u32) -> Bound<usize> {
        let slot = self.next;
        if slot >= MAX_VARIABLES {
            return Err(self.error(at, "the script has too many variables"));
        }
        self.next += 1;
        if let Some(level) = self.codes.last_mut() {
            level.most = level.most.max(self.next);
        }
        Ok(slot)
    }

    /// Read the body of a lambda or a function.
    fn code(
        &mut self,
        parameters: &[(u32, &str, Ty, bool)],
        returns: Option<Ty>,
        body: &syntax::Body,
    ) -> Bound<(Code, Ty)> {
        let base = self.next;
        self.codes.push(Level {
            base,
            most: base,
            returns: returns.clone(),
            found: None,
            loops: 0,
        });
        self.enter();
        let mut slots = Vec::new();
        for (at, name, ty, by_ref) in parameters {
            let slot = self.declare(*at, name, ty.clone())?;
            slots.push(Parameter {
                name: (*name).to_owned(),
                slot,
                ty: ty.clone(),
                by_ref: *by_ref,
            });
        }
        let (body, given) = self.code_body(returns.as_ref(), body)?;
        self.leave();
        self.next = base;
        let level = self.codes.pop();
        let slots_used = level.map_or(base, |level| level.most);
        let returned = returns.unwrap_or_else(|| given.clone());
        let returns = (!returned.is_void()).then_some(returned);
        Ok((Code { base, slots: slots_used, parameters: slots, returns, body }, given))
    }

    fn code_body(
        &mut self,
        returns: Option<&Ty>,
        body: &syntax::Body,
    ) -> Bound<(Vec<super::ir::Stmt>, Ty)> {
        match body {
            syntax::Body::Expr(value) => {
                let (node, ty) = match returns {
                    Some(ty) if !ty.is_void() => (self.expr_to(value, ty)?, ty.clone()),
                    _ => self.expr(value)?,
                };
                let at = node.at;
                let kind = match returns.is_some_and(Ty::is_void) || ty.is_void() {
                    true => super::ir::StmtKind::Expr(node),
                    false => super::ir::StmtKind::Return(Some(node)),
                };
                Ok((vec![super::ir::Stmt { at, kind }], ty))
            }
            syntax::Body::Block(statements) => {
                let body = self.block(statements)?;
                let found = self.codes.last().and_then(|level| level.found.clone());
                Ok((body, found.unwrap_or_else(Ty::void)))
            }
        }
    }

    /// A call of a function from a lambda that was made before the function's variables were.
    fn check_pending(&self) -> Bound<()> {
        for (index, shared, at) in &self.pending {
            let base =
                self.functions.get(*index).and_then(Option::as_ref).map_or(0, |code| code.base);
            if base > *shared {
                let message =
                    "the function uses variables declared after this code; declare it earlier";
                return Err(self.error(*at, message));
            }
        }
        Ok(())
    }

    /// Note that a function is used here. Used beside its declaration it shares all variables; from
    /// within a lambda or another function only those around the outermost of them.
    fn use_function(&mut self, function: &Function, at: u32) {
        if let Some(inner) = self.codes.get(function.level + 1) {
            self.pending.push((function.index, inner.base, at));
        }
    }
}

fn node(at: u32, kind: Kind) -> Node {
    Node { at, kind }
}
