//! Places that are set. A place is found first and set afterwards, so that what is in it (`a[F()]`) runs
//! once, also for `+=` and `++`; setting a part of a plain value sets the whole in its place.

use std::sync::Arc;

use super::{Ran, Run};
use crate::ir::Place;
use crate::value::{Cell, Thing, Val};

/// A place whose parts are known, so that they are found once and used twice by `+=`.
pub(super) enum Spot {
    Local(Cell),
    Member(Val, Arc<str>),
    Static(Arc<str>, Arc<str>),
    Index(Val, Val),
    Part(Box<Spot>, Arc<str>),
    Tuple(Vec<Spot>),
    Discard,
}

impl Run<'_, '_> {
    pub(super) fn spot(&mut self, place: &Place) -> Ran<Spot> {
        self.deeper(|run| run.spot_of(place))
    }

    fn spot_of(&mut self, place: &Place) -> Ran<Spot> {
        Ok(match place {
            Place::Local(slot) => match self.frame.get(*slot) {
                Some(cell) => Spot::Local(cell.clone()),
                None => Spot::Discard,
            },
            Place::Member(of, name) => Spot::Member(self.eval(of)?, name.clone()),
            Place::Static(owner, name) => Spot::Static(owner.clone(), name.clone()),
            Place::Index(of, index) => Spot::Index(self.eval(of)?, self.eval(index)?),
            Place::Part(of, name) => Spot::Part(Box::new(self.spot(of)?), name.clone()),
            Place::Tuple(places) => {
                Spot::Tuple(places.iter().map(|place| self.spot(place)).collect::<Ran<_>>()?)
            }
            Place::Discard => Spot::Discard,
        })
    }

    /// What is at a place.
    pub(super) fn take_out(&mut self, spot: &Spot) -> Ran<Val> {
        match spot {
            Spot::Local(cell) => Ok(cell.borrow().clone()),
            Spot::Member(of, name) => self.get(of, name),
            Spot::Static(owner, name) => self.get_static(owner, name),
            Spot::Index(of, index) => self.get_at(of, index),
            Spot::Part(of, name) => {
                let whole = self.take_out(of)?;
                self.get(&whole, name)
            }
            Spot::Tuple(_) | Spot::Discard => Ok(Val::Null),
        }
    }

    /// Set a place.
    pub(super) fn put(&mut self, spot: &Spot, value: Val) -> Ran<()> {
        match spot {
            Spot::Local(cell) => {
                *cell.borrow_mut() = value;
                Ok(())
            }
            Spot::Member(of, name) => self.set(of, name, value),
            Spot::Static(owner, name) => self.set_static(owner, name, value),
            Spot::Index(of, index) => self.set_at(of, index, value),
            Spot::Part(of, name) => {
                let whole = self.take_out(of)?;
                let whole = self.with_member(whole, name, value)?;
                self.put(of, whole)
            }
            Spot::Tuple(spots) => {
                let Val::Tuple(parts) = value else { return self.null() };
                for (spot, part) in spots.iter().zip(parts.iter()) {
                    self.put(spot, part.clone())?;
                }
                Ok(())
            }
            Spot::Discard => Ok(()),
        }
    }

    /// A value with another member: a new one for plain values, the same for objects.
    pub(super) fn with_member(&mut self, of: Val, name: &str, value: Val) -> Ran<Val> {
        if let Val::Tuple(parts) = &of
            && let Some(index) =
                name.strip_prefix("Item").and_then(|number| number.parse::<usize>().ok())
        {
            let mut parts = parts.to_vec();
            if let Some(part) = index.checked_sub(1).and_then(|index| parts.get_mut(index)) {
                *part = value;
            }
            return self.tuple(parts);
        }
        if let Some(mut reals) = of.reals() {
            let Some(place) =
                super::vectors::part_index(&of, name).and_then(|index| reals.get_mut(index))
            else {
                return self.missing("vector", name);
            };
            *place = value.as_f64().unwrap_or(0.0) as f32;
            return Ok(of.with_reals(&reals));
        }
        self.set(&of, name, value)?;
        Ok(of)
    }

    pub(super) fn get_at(&mut self, of: &Val, index: &Val) -> Ran<Val> {
        if let Some(map) = self.map(of) {
            return match map.get(&index.key()) {
                Some(value) => Ok(value.clone()),
                None => {
                    let key = self.text_of(index)?;
                    let message =
                        format!("The given key '{key}' was not present in the dictionary.");
                    self.throw("System.Collections.Generic.KeyNotFoundException", message)
                }
            };
        }
        let index = usize::try_from(index.as_int().unwrap_or(-1)).unwrap_or(usize::MAX);
        if let Some(list) = self.list(of) {
            return match list.items.get(index) {
                Some(value) => Ok(value.clone()),
                None => self.out_of_range(of),
            };
        }
        match of {
            Val::Text(text) => match text.encode_utf16().nth(index) {
                Some(unit) => Ok(Val::Char(unit)),
                None => self.out_of_range(of),
            },
            Val::Null => self.null(),
            _ => match of.reals().and_then(|reals| reals.get(index).copied()) {
                Some(real) => Ok(Val::Float(real)),
                None => self.out_of_range(of),
            },
        }
    }

    fn out_of_range<T>(&self, of: &Val) -> Ran<T> {
        let is_list = self.list(of).is_some_and(|list| list.kind == super::ListKind::List);
        match is_list {
            true => self.throw(
                "System.ArgumentOutOfRangeException",
                "Index was out of range. Must be non-negative and less than the size of the collection.\nParameter name: index",
            ),
            false => self.throw(
                "System.IndexOutOfRangeException",
                "Index was outside the bounds of the array.",
            ),
        }
    }

    pub(super) fn set_at(&mut self, of: &Val, index: &Val, value: Val) -> Ran<()> {
        if matches!(of, Val::Null) {
            return self.null();
        }
        if self.map(of).is_some() {
            if matches!(index, Val::Null) {
                return self.throw(
                    "System.ArgumentNullException",
                    "Value cannot be null.\nParameter name: key",
                );
            }
            self.take(index.size() + value.size())?;
            if let Some(map) = self.map_mut(of) {
                map.set(index.clone(), value);
            }
            return Ok(());
        }
        let place = usize::try_from(index.as_int().unwrap_or(-1)).unwrap_or(usize::MAX);
        let item = match self.thing(of) {
            Some(Thing::List(list)) if place < list.items.len() => list.item.clone(),
            Some(Thing::List(_)) => return self.out_of_range(of),
            _ => return self.missing("the value", "this[]"),
        };
        let value = self.convert(value, &item)?;
        if let Some(list) = self.list_mut(of) {
            list.items[place] = value;
        }
        self.write_back(of)
    }
}
