//! Assignments, and what can be assigned to.
//!
//! Vectors, colours and tuples are plain values here as in C#: setting a part means setting the whole
//! in its place (`Place::Part`). What a property or a call gives is a copy, and a change to it would
//! be lost without a word; that is C#'s error CS1612, and the commonest mistake with a transform's
//! position, so it is found here although the code could run.

use std::sync::Arc;

use super::expressions::tuple_index;
use super::{Binder, Bound, node};
use crate::ir::{Assign, Kind, Node, Place};
use crate::syntax::{Expr, ExprKind};
use crate::ty::{Int, Ty};

impl Binder<'_> {
    pub(super) fn assign(
        &mut self,
        at: u32,
        operator: Option<&'static str>,
        left: &Expr,
        right: &Expr,
    ) -> Bound<(Node, Ty)> {
        if let ExprKind::Name(name, _) = &left.kind
            && name == "_"
            && self.local("_").is_none()
        {
            let (value, ty) = self.expr(right)?;
            let assign = Assign {
                place: Place::Discard,
                operator: None,
                value,
                ty: ty.clone(),
                gives_old: false,
            };
            return Ok((node(at, Kind::Assign(Box::new(assign))), ty));
        }
        let (place, ty) = self.place(left)?;
        let value = match operator {
            None => self.expr_to(right, &ty)?,
            Some("??") => {
                if self.is_plain(&ty) {
                    return Err(self.error(at, &format!("CS0019: a '{ty}' is never null")));
                }
                self.expr_to(right, &ty.bare())?
            }
            Some(operator) => {
                let (value, right_ty) = self.expr(right)?;
                let probe = node(at, Kind::Null);
                let result = self.operator_type(operator, (&probe, &ty), (&value, &right_ty));
                let back = result.as_ref().is_some_and(|result| {
                    self.cost(&probe, result, &ty).is_some()
                        || (self.cost(&value, &right_ty, &ty).is_some()
                            && self.explicit(result, &ty))
                        || matches!(operator, "<<" | ">>")
                });
                if !back {
                    let message = match result {
                        Some(result) => format!(
                            "CS0266: '{operator}=' gives a '{result}', and the target is a '{ty}'; write a cast"
                        ),
                        None => format!(
                            "CS0019: the operator '{operator}=' does not take '{ty}' and '{right_ty}'"
                        ),
                    };
                    return Err(self.error(at, &message));
                }
                value
            }
        };
        let assign = Assign { place, operator, value, ty: ty.clone(), gives_old: false };
        Ok((node(at, Kind::Assign(Box::new(assign))), ty))
    }

    pub(super) fn step(&mut self, at: u32, of: &Expr, by: i64, before: bool) -> Bound<(Node, Ty)> {
        let (place, ty) = self.place(of)?;
        if !ty.is_dynamic() && !ty.bare().is_number() {
            return Err(self.error(at, &format!("CS0023: ++ and -- do not take a '{ty}'")));
        }
        let value = node(at, Kind::Int(Int::I32, by));
        let assign =
            Assign { place, operator: Some("+"), value, ty: ty.clone(), gives_old: !before };
        Ok((node(at, Kind::Assign(Box::new(assign))), ty))
    }

    /// Something that can be set.
    pub(super) fn place(&mut self, of: &Expr) -> Bound<(Place, Ty)> {
        self.deeper(of.at, |binder| binder.place_kind(of))
    }

    fn place_kind(&mut self, of: &Expr) -> Bound<(Place, Ty)> {
        let at = of.at;
        match &of.kind {
            ExprKind::Name(name, _) => {
                let Some(local) = self.local(name).cloned() else {
                    return Err(self.unknown_name(at, name));
                };
                if local.fixed {
                    let message =
                        format!("CS1656: '{name}' is the variable of a foreach and cannot be set");
                    return Err(self.error(at, &message));
                }
                Ok((Place::Local(local.slot), local.ty))
            }
            ExprKind::Tuple(parts) => {
                let (mut places, mut types) = (Vec::new(), Vec::new());
                for (_, part) in parts {
                    let (place, ty) = self.place(part)?;
                    places.push(place);
                    types.push(ty);
                }
                Ok((Place::Tuple(places), Ty::generic("()", types)))
            }
            ExprKind::Index { of: object, index, guarded: false } => {
                let (object, ty) = self.expr(object)?;
                let (index, item) = self.index_of(at, &ty, index)?;
                if ty.is("System.String") || ty.is("IEnumerable") {
                    return Err(self.error(
                        at,
                        "CS0200: the items of this cannot be set; make a list with ToList()",
                    ));
                }
                Ok((Place::Index(object, index), item))
            }
            ExprKind::Member { of: object, name, types, guarded: false } if types.is_empty() => {
                self.member_place(at, object, name)
            }
            _ => Err(self.error(at, "CS0131: this cannot be assigned to")),
        }
    }

    fn member_place(&mut self, at: u32, object: &Expr, name: &str) -> Bound<(Place, Ty)> {
        if let Some(ty) = self.type_of_name(object) {
            let found = self.property(&ty, name, true);
            let Some(found) = found else { return Err(self.no_member(at, &ty, name, true)) };
            if !found.can_write {
                return Err(self.error(at, &format!("CS0200: '{ty}.{name}' is read only")));
            }
            return Ok((Place::Static(found.owner, name.into()), found.ty));
        }
        let (bound, ty) = self.expr(object)?;
        if ty.is_dynamic() {
            return Ok((Place::Member(bound, name.into()), Ty::dynamic()));
        }
        if let Some(index) = tuple_index(&ty, name) {
            let (place, _) = self.place(object)?;
            let part: Arc<str> = format!("Item{}", index + 1).into();
            return Ok((Place::Part(Box::new(place), part), ty.arg(index)));
        }
        let Some(found) = self.property(&ty, name, false) else {
            return Err(self.no_member(at, &ty, name, false));
        };
        if !found.can_write {
            let hint = if name == "activeSelf" { "; use SetActive" } else { "" };
            return Err(self.error(at, &format!("CS0200: '{ty}.{name}' is read only{hint}")));
        }
        if !self.is_plain(&ty) {
            return Ok((Place::Member(bound, name.into()), found.ty));
        }
        if self.is_copy(object)? {
            let message = "CS1612: this changes a copy; put the value into a variable, change it, and assign it back";
            return Err(self.error(at, message));
        }
        let (place, _) = self.place(object)?;
        Ok((Place::Part(Box::new(place), name.into()), found.ty))
    }

    /// Whether an expression gives a copy of a plain value, as properties and calls do.
    fn is_copy(&mut self, value: &Expr) -> Bound<bool> {
        Ok(match &value.kind {
            ExprKind::Name(..) => false,
            ExprKind::Index { of, .. } => !self.expr(of)?.1.is("Array"),
            ExprKind::Member { of, name, .. } => {
                if self.type_of_name(of).is_some() {
                    return Ok(true);
                }
                let ty = self.expr(of)?.1;
                tuple_index(&ty, name).is_none()
                    && !ty.is_dynamic()
                    && self.property(&ty, name, false).is_some_and(|found| !found.is_field)
            }
            _ => true,
        })
    }
}
