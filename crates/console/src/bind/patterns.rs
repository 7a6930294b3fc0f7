//! Patterns of `is` and `switch`, and which names are types.

use super::{Binder, Bound, node};
use crate::ir::{Arm, Kind, Node, Test};
use crate::syntax::{self, ExprKind, Pattern};
use crate::ty::Ty;

impl Binder<'_> {
    pub(super) fn pattern(&mut self, at: u32, pattern: &Pattern, ty: &Ty) -> Bound<Test> {
        self.deeper(at, |binder| binder.pattern_kind(at, pattern, ty))
    }

    fn pattern_kind(&mut self, at: u32, pattern: &Pattern, ty: &Ty) -> Bound<Test> {
        Ok(match pattern {
            Pattern::Any => Test::Any,
            Pattern::Var(name) => Test::Bind(self.declare(at, name, ty.clone())?),
            Pattern::Type(name, variable) => {
                let wanted = self.type_named(name)?;
                let slot = variable.as_ref().map(|v| self.declare(name.at, v, wanted.clone()));
                Test::Type(wanted, slot.transpose()?)
            }
            Pattern::Value(value) => {
                if let Some(ty) = self.type_of_name(value) {
                    return Ok(Test::Type(ty, None));
                }
                let (constant, found) = self.expr(value)?;
                let comparable = ty.is("System.Object")
                    || self.cost(&constant, &found, &ty.bare()).is_some()
                    || found.is("null");
                if !comparable {
                    return Err(self.no_conversion(value.at, &found, ty));
                }
                Test::Equal(match found.is("null") || ty.is("System.Object") {
                    true => constant,
                    false => self.converted(constant, &found, &ty.bare()),
                })
            }
            Pattern::Relation(operator, value) => Test::Relation(operator, self.expr(value)?.0),
            Pattern::Not(inner) => Test::Not(Box::new(self.pattern(at, inner, ty)?)),
            Pattern::And(a, b) => {
                Test::And(Box::new(self.pattern(at, a, ty)?), Box::new(self.pattern(at, b, ty)?))
            }
            Pattern::Or(a, b) => {
                Test::Or(Box::new(self.pattern(at, a, ty)?), Box::new(self.pattern(at, b, ty)?))
            }
        })
    }

    /// The type that an expression names, when it is no value.
    pub(super) fn type_of_name(&self, value: &syntax::Expr) -> Option<Ty> {
        match &value.kind {
            ExprKind::Keyword(ty) => self.type_named(ty).ok(),
            ExprKind::Name(name, types) if !types.is_empty() => {
                let written = syntax::TypeName {
                    at: value.at,
                    name: name.clone(),
                    args: types.clone(),
                    nullable: false,
                    names: Vec::new(),
                };
                self.type_named(&written).ok()
            }
            ExprKind::Name(name, _) => {
                if self.local(name).is_some() || self.function(name).is_some() {
                    return None;
                }
                self.find_type(name)
            }
            ExprKind::Member { guarded: false, .. } => self.find_type(&self.dotted(value)?),
            _ => None,
        }
    }

    /// What is wrong with a full name such as `System.IO.File` that is no type here.
    pub(super) fn unknown_namespace(&self, value: &syntax::Expr) -> Option<super::EvalError> {
        let name = self.dotted(value)?;
        let is_full = name.starts_with("System.") || name.starts_with("UnityEngine.");
        is_full.then(|| self.unknown_type(value.at, &name))
    }

    /// `A.B.C` as text, when it begins with no variable.
    fn dotted(&self, value: &syntax::Expr) -> Option<String> {
        let mut names = Vec::new();
        let mut at = value;
        loop {
            match &at.kind {
                ExprKind::Member { of, name, types, guarded: false } if types.is_empty() => {
                    names.push(name.as_str());
                    at = of;
                }
                ExprKind::Name(name, types) if types.is_empty() && self.local(name).is_none() => {
                    names.push(name);
                    names.reverse();
                    return Some(names.join("."));
                }
                _ => return None,
            }
        }
    }

    pub(super) fn switch_expression(
        &mut self,
        at: u32,
        value: &syntax::Expr,
        arms: &[syntax::Arm],
        target: Option<&Ty>,
    ) -> Bound<(Node, Ty)> {
        let (value, ty) = self.expr(value)?;
        let mut bound: Vec<(Test, Option<Node>, Node, Ty)> = Vec::new();
        for arm in arms {
            self.enter();
            let test = self.pattern(at, &arm.pattern, &ty)?;
            let guard = arm.guard.as_ref().map(|guard| self.condition(guard)).transpose()?;
            let (value, value_ty) = match target {
                Some(target) => (self.expr_to(&arm.value, target)?, target.clone()),
                None => self.expr(&arm.value)?,
            };
            self.leave();
            bound.push((test, guard, value, value_ty));
        }
        let mut joined: Option<Ty> = target.cloned();
        if target.is_none() {
            for (_, _, value, ty) in &bound {
                if matches!(value.kind, Kind::Throw(_)) {
                    continue;
                }
                joined = match joined {
                    None => Some(ty.clone()),
                    Some(so_far) => {
                        let anchor = node(at, Kind::Null);
                        let both = self.joined((&anchor, &so_far), (value, ty));
                        let both = both.ok_or_else(|| {
                            self.error(value.at, "CS8506: the arms of the switch share no type")
                        });
                        Some(both?)
                    }
                };
            }
        }
        let joined = joined.ok_or_else(|| self.error(at, "CS8506: the switch gives no value"))?;
        let arms = bound.into_iter().map(|(test, guard, value, ty)| {
            let value = match target.is_some() || matches!(value.kind, Kind::Throw(_)) {
                true => value,
                false => self.converted(value, &ty, &joined),
            };
            Arm { test, guard, value }
        });
        let arms = arms.collect();
        Ok((node(at, Kind::Switch(Box::new(value), arms)), joined))
    }
}
