//! `new`: what can be made, by which constructor, and what is put into it.

use super::{Binder, Bound, node};
use crate::ir::{Item, Kind, Node};
use crate::library;
use crate::syntax::{self, Argument, Expr, TypeName};
use crate::ty::Ty;

impl Binder<'_> {
    pub(super) fn new_object(
        &mut self,
        at: u32,
        ty: &Ty,
        arguments: &[Argument],
        items: Option<&[syntax::Item]>,
    ) -> Bound<Node> {
        if !self.can_create(ty) {
            let message = match self.is_a(ty, scenewright_world::types::COMPONENT) {
                true => {
                    format!("components are not made with new; use gameObject.AddComponent<{ty}>()")
                }
                false => format!("'{ty}' cannot be made in the console"),
            };
            return Err(self.error(at, &message));
        }
        let args = if arguments.is_empty() && self.is_plain(ty) {
            Vec::new()
        } else {
            let mut levels = self.methods(ty, library::NEW, true);
            // Constructors are not inherited, but exceptions all have the same.
            levels.truncate(1);
            self.chosen(at, &format!("new {ty}"), levels, &[], arguments)?.args
        };
        let made = node(at, Kind::New(ty.clone(), args));
        let Some(items) = items else { return Ok(made) };
        let mut bound = Vec::new();
        for item in items {
            bound.push(self.item(at, ty, item)?);
        }
        Ok(node(at, Kind::Fill(Box::new(made), bound)))
    }

    fn can_create(&self, ty: &Ty) -> bool {
        self.is_plain(ty) && self.has_members(ty) && !self.is_enum(ty)
            || matches!(
                &*ty.name,
                "List"
                    | "Dictionary"
                    | "HashSet"
                    | "System.String"
                    | "System.Text.StringBuilder"
                    | "UnityEngine.GameObject"
            )
            || self.is_a(ty, "System.Exception")
    }

    fn item(&mut self, at: u32, ty: &Ty, item: &syntax::Item) -> Bound<Item> {
        Ok(match item {
            syntax::Item::Value(value) => match &*ty.name {
                "List" | "HashSet" => Item::Add(vec![self.expr_to(value, &ty.arg(0))?]),
                _ => return Err(self.error(at, &format!("CS1922: a '{ty}' takes no items"))),
            },
            syntax::Item::Several(values) => match (&*ty.name, values.as_slice()) {
                ("Dictionary", [key, value]) => Item::Add(vec![
                    self.expr_to(key, &ty.arg(0))?,
                    self.expr_to(value, &ty.arg(1))?,
                ]),
                _ => return Err(self.error(at, &format!("CS1922: a '{ty}' takes no such items"))),
            },
            syntax::Item::Index(key, value) => match &*ty.name {
                "Dictionary" => {
                    Item::SetAt(self.expr_to(key, &ty.arg(0))?, self.expr_to(value, &ty.arg(1))?)
                }
                _ => return Err(self.error(at, &format!("CS0021: a '{ty}' takes no indexes here"))),
            },
            syntax::Item::Member(name, at, value) => {
                let Some(found) = self.property(ty, name, false) else {
                    return Err(self.no_member(*at, ty, name, false));
                };
                if !found.can_write {
                    return Err(self.error(*at, &format!("CS0200: '{ty}.{name}' is read only")));
                }
                Item::Set(name.as_str().into(), self.expr_to(value, &found.ty)?)
            }
        })
    }

    pub(super) fn new_array(
        &mut self,
        at: u32,
        item: Option<&TypeName>,
        length: Option<&Expr>,
        items: Option<&[Expr]>,
    ) -> Bound<(Node, Ty)> {
        let item = match (item, items) {
            (Some(item), _) => self.type_named(item)?,
            (None, items) => return self.implicit_array(at, items.unwrap_or_default()),
        };
        let length = length.map(|length| self.expr_to(length, &Ty::int())).transpose()?;
        let Some(items) = items else {
            let kind = Kind::NewArray(item.clone(), length.map(Box::new), Vec::new());
            return Ok((node(at, kind), Ty::array(item)));
        };
        if let Some(Node { kind: Kind::Int(_, count), .. }) = &length
            && usize::try_from(*count).ok() != Some(items.len())
        {
            return Err(self.error(at, &format!("CS0847: {count} items are expected")));
        }
        Ok((self.array_items(at, &item, items)?, Ty::array(item)))
    }

    pub(super) fn array_items(&mut self, at: u32, item: &Ty, items: &[Expr]) -> Bound<Node> {
        let mut bound = Vec::new();
        for value in items {
            bound.push(self.expr_to(value, item)?);
        }
        Ok(node(at, Kind::NewArray(item.clone(), None, bound)))
    }

    /// `new[] { … }`: the items tell the type.
    fn implicit_array(&mut self, at: u32, items: &[Expr]) -> Bound<(Node, Ty)> {
        let mut bound = Vec::new();
        let mut joined: Option<Ty> = None;
        for item in items {
            let (value, ty) = self.expr(item)?;
            joined = match joined {
                None => Some(ty.clone()),
                Some(so_far) => {
                    let anchor = node(at, Kind::Null);
                    let both = self.joined((&anchor, &so_far), (&value, &ty));
                    Some(both.ok_or_else(|| {
                        self.error(item.at, "CS0826: the items of the array share no type")
                    })?)
                }
            };
            bound.push((value, ty));
        }
        let joined = joined.filter(|ty| !ty.is("null") && !ty.is_void());
        let item = joined
            .ok_or_else(|| self.error(at, "CS0826: the array has no best type; write new T[]"))?;
        let items =
            bound.into_iter().map(|(value, ty)| self.converted(value, &ty, &item)).collect();
        Ok((node(at, Kind::NewArray(item.clone(), None, items)), Ty::array(item)))
    }
}
