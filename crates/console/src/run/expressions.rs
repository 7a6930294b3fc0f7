//! Expressions: one arm for each kind of node that `bind` makes.

use std::rc::Rc;

use super::{Ran, Run, Stop};
use crate::ir::{Assign, Item, Kind, Node, Part, Test};
use crate::ty::Ty;
use crate::value::{Closure, ClosureCode, ListKind, Thing, Val};

impl Run<'_, '_> {
    pub(super) fn eval(&mut self, node: &Node) -> Ran<Val> {
        self.work(1)?;
        self.evaluating += 1;
        let given = self.deeper(|run| run.eval_kind(node));
        self.evaluating -= 1;
        given
    }

    fn eval_kind(&mut self, node: &Node) -> Ran<Val> {
        Ok(match &node.kind {
            Kind::Null => Val::Null,
            Kind::Bool(value) => Val::Bool(*value),
            Kind::Int(kind, value) => Val::Int(*kind, *value),
            Kind::Float(value) => Val::Float(*value),
            Kind::Double(value) => Val::Double(*value),
            Kind::Char(value) => Val::Char(*value),
            Kind::Enum(value) => Val::Enum(value.clone()),
            Kind::Text(text) => {
                self.take(text.len())?;
                Val::text(&**text)
            }
            Kind::Type(ty) => Val::Type(ty.clone()),
            Kind::Default(ty) => self.default_of(ty)?,
            Kind::Local(slot) => match self.frame.get(*slot) {
                Some(cell) => cell.borrow().clone(),
                None => Val::Null,
            },
            _ => return self.eval_deep(node),
        })
    }

    fn eval_deep(&mut self, node: &Node) -> Ran<Val> {
        match &node.kind {
            Kind::Interpolated(parts) => self.interpolated(parts),
            Kind::Function(index) => self.function_value(*index),
            Kind::Lambda(code) => {
                let cells = self.frame.iter().take(code.base).cloned().collect();
                self.take(code.base * 8)?;
                let code = ClosureCode::Lambda(code.clone());
                self.add(Thing::Func(Rc::new(Closure { code, cells })))
            }
            Kind::Get(of, name) => {
                let of = self.eval(of)?;
                self.at = node.at;
                self.get(&of, name)
            }
            Kind::GetStatic(owner, name) => {
                self.at = node.at;
                self.get_static(owner, name)
            }
            Kind::Index(of, index) => {
                let (of, index) = (self.eval(of)?, self.eval(index)?);
                self.at = node.at;
                self.get_at(&of, &index)
            }
            Kind::Call(call) => self.call(node.at, call),
            Kind::CallFunction(index, args) => self.call_function(node.at, *index, args),
            Kind::CallValue(of, args) => {
                let of = self.eval(of)?;
                let args = self.eval_all(args)?;
                self.at = node.at;
                self.call_func(&of, args).map(|given| given.unwrap_or(Val::Null))
            }
            Kind::New(ty, args) => {
                let args = self.eval_all(args)?;
                self.at = node.at;
                self.make(ty, args)
            }
            Kind::Fill(made, items) => self.fill(made, items),
            Kind::NewArray(item, length, items) => self.new_array(item, length.as_deref(), items),
            Kind::Tuple(parts) => {
                let parts = self.eval_all(parts)?;
                self.tuple(parts)
            }
            Kind::Part(of, index) => match self.eval(of)? {
                Val::Tuple(parts) => Ok(parts.get(*index).cloned().unwrap_or(Val::Null)),
                _ => self.null(),
            },
            Kind::Assign(assign) => self.assign(node.at, assign),
            Kind::Convert(ty, of) => {
                let of = self.eval(of)?;
                self.at = node.at;
                self.convert(of, ty)
            }
            Kind::As(ty, of) => {
                let of = self.eval(of)?;
                Ok(if self.is_of(&of, ty) { of } else { Val::Null })
            }
            Kind::Is(of, test) => {
                let of = self.eval(of)?;
                self.test(&of, test).map(Val::Bool)
            }
            Kind::Guard(of) => {
                let of = self.eval(of)?;
                if self.is_nothing(&of) { Err(Stop::Chain) } else { Ok(of) }
            }
            Kind::Chain(of) => match self.eval(of) {
                Err(Stop::Chain) => Ok(Val::Null),
                other => other,
            },
            Kind::Throw(of) => {
                let of = self.eval(of)?;
                self.at = node.at;
                match self.thing(&of) {
                    Some(Thing::Exception(exception)) => {
                        Err(Stop::Thrown(Box::new(exception.clone())))
                    }
                    _ => self.null(),
                }
            }
            _ => self.eval_operator(node),
        }
    }

    fn eval_operator(&mut self, node: &Node) -> Ran<Val> {
        match &node.kind {
            Kind::Unary(operator, of) => {
                let of = self.eval(of)?;
                self.at = node.at;
                self.unary(operator, of)
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.eval(left)?, self.eval(right)?);
                self.at = node.at;
                self.binary(operator, &left, &right)
            }
            Kind::And(left, right) => Ok(Val::Bool(self.is_true(left)? && self.is_true(right)?)),
            Kind::Or(left, right) => Ok(Val::Bool(self.is_true(left)? || self.is_true(right)?)),
            Kind::Coalesce(left, right) => match self.eval(left)? {
                Val::Null => self.eval(right),
                // ?? looks at the reference itself, which a destroyed object still has.
                found => Ok(found),
            },
            Kind::Conditional(condition, yes, no) => {
                if self.is_true(condition)? {
                    self.eval(yes)
                } else {
                    self.eval(no)
                }
            }
            Kind::Switch(of, arms) => {
                let of = self.eval(of)?;
                for arm in arms {
                    if self.passes(&of, &arm.test, arm.guard.as_ref())? {
                        return self.eval(&arm.value);
                    }
                }
                self.throw("System.InvalidOperationException", "no arm of the switch matches")
            }
            _ => self.null(),
        }
    }

    pub(super) fn eval_all(&mut self, nodes: &[Node]) -> Ran<Vec<Val>> {
        nodes.iter().map(|node| self.eval(node)).collect()
    }

    pub(super) fn is_true(&mut self, node: &Node) -> Ran<bool> {
        let value = self.eval(node)?;
        match value {
            Val::Bool(value) => Ok(value),
            Val::Object(_) | Val::Component(_) | Val::Asset(_) => Ok(!self.is_nothing(&value)),
            Val::Null => Ok(false),
            _ => self.throw("System.InvalidCastException", "a condition must be true or false"),
        }
    }

    fn interpolated(&mut self, parts: &[Part]) -> Ran<Val> {
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Hole(node, width, format) => {
                    let value = self.eval(node)?;
                    let written = self.formatted(&value, format)?;
                    self.pad(&mut text, &written, i64::from(*width))?;
                }
            }
        }
        self.text(text)
    }

    /// Text with blanks before it, or after it when the width is negative.
    pub(super) fn pad(&mut self, text: &mut String, written: &str, width: i64) -> Ran<()> {
        let length = written.chars().count();
        let blanks =
            usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX).saturating_sub(length);
        self.take(blanks)?;
        let blanks = " ".repeat(blanks);
        match width < 0 {
            true => text.extend([written, &blanks]),
            false => text.extend([blanks.as_str(), written]),
        }
        Ok(())
    }

    fn new_array(&mut self, item: &Ty, length: Option<&Node>, items: &[Node]) -> Ran<Val> {
        let Some(length) = length else {
            let items = self.eval_all(items)?;
            return self.add_list(ListKind::Array, item.clone(), items);
        };
        let length = self.eval(length)?.as_int().unwrap_or(0);
        let Ok(length) = usize::try_from(length) else {
            return self
                .throw("System.OverflowException", "Array dimensions exceeded supported range");
        };
        let value = self.default_of(item)?;
        self.take(length.saturating_mul(value.size()))?;
        self.work(length as u64 / 16)?;
        self.add_list(ListKind::Array, item.clone(), vec![value; length])
    }

    fn fill(&mut self, made: &Node, items: &[Item]) -> Ran<Val> {
        let mut made = self.eval(made)?;
        for item in items {
            match item {
                Item::Add(args) => {
                    let args = self.eval_all(args)?;
                    self.call_method(&made, "Add", &[], args)?;
                }
                Item::Set(name, value) => {
                    let value = self.eval(value)?;
                    made = self.with_member(made, name, value)?;
                }
                Item::SetAt(key, value) => {
                    let (key, value) = (self.eval(key)?, self.eval(value)?);
                    self.set_at(&made, &key, value)?;
                }
            }
        }
        Ok(made)
    }

    pub(super) fn test(&mut self, value: &Val, test: &Test) -> Ran<bool> {
        Ok(match test {
            Test::Any => true,
            Test::Bind(slot) => {
                self.declare(*slot, value.clone())?;
                true
            }
            Test::Type(ty, slot) => {
                let fits = self.is_of(value, ty);
                if let Some(slot) = slot.filter(|_| fits) {
                    self.declare(slot, value.clone())?;
                }
                fits
            }
            Test::Equal(node) => {
                let wanted = self.eval(node)?;
                match wanted {
                    // `is null` looks at the reference itself.
                    Val::Null => matches!(value, Val::Null),
                    _ => self.equal(value, &wanted),
                }
            }
            Test::Relation(operator, node) => {
                let wanted = self.eval(node)?;
                matches!(self.binary(operator, value, &wanted)?, Val::Bool(true))
            }
            Test::Not(inner) => !self.test(value, inner)?,
            Test::And(a, b) => self.test(value, a)? && self.test(value, b)?,
            Test::Or(a, b) => self.test(value, a)? || self.test(value, b)?,
        })
    }

    fn assign(&mut self, at: u32, assign: &Assign) -> Ran<Val> {
        let spot = self.spot(&assign.place)?;
        let Some(operator) = assign.operator else {
            let value = self.eval(&assign.value)?;
            self.at = at;
            self.put(&spot, value.clone())?;
            return Ok(value);
        };
        self.at = at;
        let old = self.take_out(&spot)?;
        if operator == "??" {
            if !matches!(old, Val::Null) {
                return Ok(old);
            }
            let value = self.eval(&assign.value)?;
            self.put(&spot, value.clone())?;
            return Ok(value);
        }
        let value = self.eval(&assign.value)?;
        self.at = at;
        let new = self.binary(operator, &old, &value)?;
        let new = self.convert(new, &assign.ty)?;
        self.put(&spot, new.clone())?;
        Ok(if assign.gives_old { old } else { new })
    }
}
