//! Statements, and where each leads: on, out of a loop, out of the body.

use std::cell::RefCell;
use std::rc::Rc;

use super::{CELL, Flow, Ran, Run, Stop};
use crate::ir::{Catch, Node, Section, Stmt, StmtKind, Test};
use crate::ty::Ty;
use crate::value::{Thing, Val};

impl Run<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) -> Ran<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt) -> Ran<Flow> {
        self.at = statement.at;
        self.work(1)?;
        self.deeper(|run| run.statement_kind(statement))
    }

    fn statement_kind(&mut self, statement: &Stmt) -> Ran<Flow> {
        match &statement.kind {
            StmtKind::Block(inner) => return self.statements(inner),
            StmtKind::Declare(slot, value) => {
                let value = self.eval(value)?;
                self.declare(*slot, value)?;
            }
            StmtKind::DeclareParts(slots, value) => {
                let value = self.eval(value)?;
                self.declare_parts(slots, &value)?;
            }
            StmtKind::Expr(value) => {
                self.eval(value)?;
            }
            StmtKind::If(condition, then, otherwise) => {
                if self.is_true(condition)? {
                    return self.statement(then);
                }
                if let Some(otherwise) = otherwise {
                    return self.statement(otherwise);
                }
            }
            StmtKind::Loop { start, condition, steps, body, first } => {
                self.statements(start)?;
                return self.loop_over(condition.as_ref(), steps, body, *first);
            }
            StmtKind::ForEach { slots, ty, of, body } => {
                let of = self.eval(of)?;
                let items = self.items(&of)?;
                self.held.push(items);
                let flow = self.for_each(slots, ty.as_ref(), body);
                self.held.pop();
                return flow;
            }
            StmtKind::Switch(value, sections) => {
                let value = self.eval(value)?;
                return self.switch(&value, sections);
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(None) => return Ok(Flow::Return(None)),
            StmtKind::Return(Some(value)) => return Ok(Flow::Return(Some(self.eval(value)?))),
            StmtKind::Rethrow => {
                return match self.caught.last() {
                    Some(exception) => Err(Stop::Thrown(Box::new(exception.clone()))),
                    None => self.throw(
                        "System.InvalidOperationException",
                        "there is nothing to throw again",
                    ),
                };
            }
            StmtKind::Try { body, catches, finally } => {
                return self.try_run(body, catches, finally);
            }
        }
        Ok(Flow::Next)
    }

    /// A loop over the items that are held last.
    fn for_each(&mut self, slots: &[usize], ty: Option<&Ty>, body: &Stmt) -> Ran<Flow> {
        for place in 0.. {
            let Some(item) = self.held.last().and_then(|items| items.get(place)).cloned() else {
                break;
            };
            self.work(1)?;
            self.tidy()?;
            let item = match ty {
                Some(ty) => self.convert(item, ty)?,
                None => item,
            };
            match slots {
                [slot] => self.declare(*slot, item)?,
                slots => self.declare_parts(slots, &item)?,
            }
            match self.statement(body)? {
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
        }
        Ok(Flow::Next)
    }

    /// A new variable, so that a lambda of the round before keeps its own.
    pub(super) fn declare(&mut self, slot: usize, value: Val) -> Ran<()> {
        self.take(CELL)?;
        if let Some(place) = self.frame.get_mut(slot) {
            *place = Rc::new(RefCell::new(value));
        }
        Ok(())
    }

    fn declare_parts(&mut self, slots: &[usize], value: &Val) -> Ran<()> {
        let parts = match value {
            Val::Tuple(parts) | Val::Pair(parts) => parts.to_vec(),
            _ => return self.throw("System.InvalidCastException", "the value is no tuple"),
        };
        for (slot, part) in slots.iter().zip(parts) {
            self.declare(*slot, part)?;
        }
        Ok(())
    }

    fn loop_over(
        &mut self,
        condition: Option<&Node>,
        steps: &[Node],
        body: &Stmt,
        first: bool,
    ) -> Ran<Flow> {
        let mut ask = first;
        loop {
            self.work(1)?;
            self.tidy()?;
            if ask
                && let Some(condition) = condition
                && !self.is_true(condition)?
            {
                return Ok(Flow::Next);
            }
            ask = true;
            match self.statement(body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            for step in steps {
                self.eval(step)?;
            }
        }
    }

    fn switch(&mut self, value: &Val, sections: &[Section]) -> Ran<Flow> {
        let mut chosen = None;
        'sections: for section in sections {
            for (test, guard) in &section.labels {
                if self.passes(value, test, guard.as_ref())? {
                    chosen = Some(section);
                    break 'sections;
                }
            }
        }
        let chosen = chosen.or_else(|| sections.iter().find(|section| section.is_default));
        let Some(section) = chosen else { return Ok(Flow::Next) };
        match self.statements(&section.body)? {
            Flow::Break => Ok(Flow::Next),
            other => Ok(other),
        }
    }

    pub(super) fn passes(&mut self, value: &Val, test: &Test, guard: Option<&Node>) -> Ran<bool> {
        if !self.test(value, test)? {
            return Ok(false);
        }
        match guard {
            Some(guard) => self.is_true(guard),
            None => Ok(true),
        }
    }

    fn try_run(&mut self, body: &[Stmt], catches: &[Catch], finally: &[Stmt]) -> Ran<Flow> {
        let mut given = self.statements(body);
        if let Err(Stop::Thrown(exception)) = &given {
            let exception = (**exception).clone();
            for catch in catches {
                if !self.is_exception(&exception.ty, &catch.ty.name) {
                    continue;
                }
                if let Some(slot) = catch.slot {
                    let value = self.add(Thing::Exception(exception.clone()))?;
                    self.declare(slot, value)?;
                }
                if let Some(guard) = &catch.guard
                    && !self.is_true(guard)?
                {
                    continue;
                }
                self.caught.push(exception);
                given = self.statements(&catch.body);
                self.caught.pop();
                break;
            }
        }
        if matches!(given, Err(Stop::Limit(_))) {
            return given;
        }
        // What is to be returned waits for the end of it.
        let waiting = match &given {
            Ok(Flow::Return(Some(value))) => vec![value.clone()],
            _ => Vec::new(),
        };
        self.held.push(waiting);
        let flow = self.statements(finally);
        self.held.pop();
        match flow? {
            Flow::Next => given,
            other => Ok(other),
        }
    }
}
