//! `a.b` and `a[b]`: members of values and of types, and items.
//!
//! Whether `a` is a variable, a type or the beginning of a full name is not known from the source. A
//! variable wins over a type, as in C#; what is neither gets the message for names, not for members.

use std::sync::Arc;

use scenewright_world::EnumValue;

use super::expressions::tuple_index;
use super::{Binder, Bound, node};
use crate::ir::{Kind, Node};
use crate::syntax::{Expr, ExprKind, TypeName};
use crate::ty::Ty;

impl Binder<'_> {
    pub(super) fn member(
        &mut self,
        value: &Expr,
        of: &Expr,
        name: &str,
        types: &[TypeName],
        guarded: bool,
    ) -> Bound<(Node, Ty, bool)> {
        let at = value.at;
        if !guarded && let Some(ty) = self.type_of_name(of) {
            let (bound, ty) = self.static_member(at, &ty, name)?;
            return Ok((bound, ty, false));
        }
        if !types.is_empty() {
            return Err(self.error(at, &format!("'{name}' is a method and must be called")));
        }
        if let Some(error) = self.unknown_namespace(of) {
            return Err(error);
        }
        if let ExprKind::Name(first, _) = &of.kind
            && self.local(first).is_none()
            && self.function(first).is_none()
        {
            return Err(self.unknown_name(of.at, first));
        }
        let (bound, ty, chained) = self.receiver(of, guarded)?;
        let name: Arc<str> = name.into();
        if ty.is_dynamic() {
            return Ok((node(at, Kind::Get(Box::new(bound), name)), Ty::dynamic(), chained));
        }
        if let Some(index) = tuple_index(&ty, &name) {
            return Ok((node(at, Kind::Part(Box::new(bound), index)), ty.arg(index), chained));
        }
        let Some(found) = self.property(&ty, &name, false) else {
            return Err(self.no_member(at, &ty, &name, false));
        };
        Ok((node(at, Kind::Get(Box::new(bound), name)), found.ty, chained))
    }

    fn static_member(&mut self, at: u32, ty: &Ty, name: &str) -> Bound<(Node, Ty)> {
        if let Some(known) = self.world.types().get_enum(&ty.name) {
            let member = known.members.iter().find(|(member, _)| &**member == name);
            let Some((member, number)) = member else {
                let names: Vec<&str> = known.members.iter().map(|(name, _)| &**name).collect();
                let message = format!(
                    "CS0117: '{ty}' has no member '{name}'; there are {}",
                    names.join(", ")
                );
                return Err(self.error(at, &message));
            };
            let value = EnumValue {
                type_name: known.full_name.clone(),
                name: member.clone(),
                number: *number,
            };
            return Ok((node(at, Kind::Enum(Arc::new(value))), ty.clone()));
        }
        match self.property(ty, name, true) {
            Some(found) => Ok((node(at, Kind::GetStatic(found.owner, name.into())), found.ty)),
            None => Err(self.no_member(at, ty, name, true)),
        }
    }

    pub(super) fn no_member(
        &self,
        at: u32,
        ty: &Ty,
        name: &str,
        is_static: bool,
    ) -> super::EvalError {
        let other = self.property(ty, name, !is_static).is_some()
            || !self.methods(ty, name, !is_static).is_empty();
        let message = if other {
            match is_static {
                true => {
                    format!("CS0120: '{ty}.{name}' belongs to an object; find the object first")
                }
                false => format!("CS0176: '{name}' belongs to the type; write {ty}.{name}"),
            }
        } else if !self.methods(ty, name, is_static).is_empty() {
            format!("CS0428: '{name}' is a method; call it with (), or write a lambda: x => …")
        } else {
            let near = near(name, &self.member_names(ty, is_static));
            format!("CS1061: '{ty}' has no member '{name}' that the console knows{near}")
        };
        self.error(at, &message)
    }

    pub(super) fn index(
        &mut self,
        at: u32,
        of: &Expr,
        index: &[Expr],
        guarded: bool,
    ) -> Bound<(Node, Ty, bool)> {
        let (bound, ty, chained) = self.receiver(of, guarded)?;
        let (index, item) = self.index_of(at, &ty, index)?;
        Ok((node(at, Kind::Index(Box::new(bound), Box::new(index))), item, chained))
    }

    /// The index into a value of a type, and the type of what is there.
    pub(super) fn index_of(&mut self, at: u32, ty: &Ty, index: &[Expr]) -> Bound<(Node, Ty)> {
        let [index] = index else {
            return Err(self.error(at, "indexes of several dimensions are not supported"));
        };
        let item = match &*ty.name {
            "Dictionary" => return Ok((self.expr_to(index, &ty.arg(0))?, ty.arg(1))),
            "?" => return Ok((self.expr(index)?.0, Ty::dynamic())),
            "List" | "Array" => ty.arg(0),
            "System.String" => Ty::of("System.Char"),
            "UnityEngine.Vector2" | "UnityEngine.Vector3" | "UnityEngine.Vector4" => {
                Ty::of("System.Single")
            }
            _ => {
                let hint = if self.item_type(ty).is_some() {
                    "; use ElementAt, or ToList() first"
                } else {
                    ""
                };
                let message = format!("CS0021: a '{ty}' has no items by index{hint}");
                return Err(self.error(at, &message));
            }
        };
        Ok((self.expr_to(index, &Ty::int())?, item))
    }
}

/// `; did you mean 'x'?`, when something is near.
fn near(name: &str, names: &[String]) -> String {
    let folded = name.to_lowercase();
    let same = names.iter().find(|known| known.to_lowercase() == folded);
    let part = || {
        names.iter().find(|known| {
            let known = known.to_lowercase();
            folded.len() > 3
                && (known.contains(&folded) || (known.len() > 3 && folded.contains(&known)))
        })
    };
    same.or_else(part).map_or_else(String::new, |found| format!("; did you mean '{found}'?"))
}
