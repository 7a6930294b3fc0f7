//! Lists and arrays.

use std::cmp::Ordering;

use super::{Ran, Run};
use crate::ty::Ty;
use crate::value::{ListKind, Val};

impl Run<'_, '_> {
    pub(super) fn call_list(
        &mut self,
        of: &Val,
        name: &str,
        types: &[Ty],
        args: Vec<Val>,
    ) -> Ran<Val> {
        let is_list = self.list(of).is_some_and(|list| list.kind == ListKind::List);
        if !is_list {
            return self.call_linq(of, name, types, args);
        }
        let count = self.count_of(of).unwrap_or(0);
        let index = |arg: Option<&Val>| {
            arg.and_then(Val::as_int).and_then(|index| usize::try_from(index).ok())
        };
        match (name, args.as_slice()) {
            ("Add", [item]) => {
                let at = count;
                return self.insert(of, at, vec![item.clone()]);
            }
            ("AddRange", [items]) => {
                let items = self.items(items)?;
                return self.insert(of, count, items);
            }
            ("Insert", [at, item]) => match index(Some(at)).filter(|at| *at <= count) {
                Some(at) => return self.insert(of, at, vec![item.clone()]),
                None => return self.bad_index(),
            },
            ("Remove", [item]) => {
                let found = self.position(of, item)?;
                if let Some(at) = found {
                    self.change(of, |items| drop(items.remove(at)))?;
                }
                return Ok(Val::Bool(found.is_some()));
            }
            ("RemoveAt", [at]) => match index(Some(at)).filter(|at| *at < count) {
                Some(at) => self.change(of, |items| drop(items.remove(at)))?,
                None => return self.bad_index(),
            },
            ("RemoveRange" | "GetRange", [at, length]) => {
                let (at, length) = (index(Some(at)), index(Some(length)));
                let (Some(at), Some(length)) = (at, length) else { return self.bad_index() };
                if at.checked_add(length).is_none_or(|end| end > count) {
                    return self.throw(
                        "System.ArgumentException",
                        "Offset and length were out of bounds for the array.",
                    );
                }
                if name == "GetRange" {
                    let items = self.items(of)?[at..at + length].to_vec();
                    return self.list_like(of, items);
                }
                self.change(of, |items| drop(items.drain(at..at + length)))?;
            }
            ("Clear", []) => self.change(of, Vec::clear)?,
            ("IndexOf", [item]) => {
                let found = self.position(of, item)?;
                return Ok(Val::int(found.map_or(-1, |at| at as i64)));
            }
            ("Reverse", []) => self.change(of, |items| items.reverse())?,
            ("Sort", []) => self.sort(of, None)?,
            ("Sort", [by]) => self.sort(of, Some(by))?,
            _ => return self.call_list_with(of, name, types, args),
        }
        Ok(Val::Null)
    }

    /// Methods that take a function.
    fn call_list_with(&mut self, of: &Val, name: &str, types: &[Ty], args: Vec<Val>) -> Ran<Val> {
        match (name, args.as_slice()) {
            ("RemoveAll", [by]) => {
                let items = self.items(of)?;
                let before = items.len();
                let mut kept = Vec::new();
                for item in items {
                    if !self.asked(by, &item)? {
                        kept.push(item);
                    }
                }
                let gone = before - kept.len();
                self.change(of, |items| *items = kept)?;
                Ok(Val::int(gone as i64))
            }
            ("FindIndex", [by]) => {
                for (index, item) in self.items(of)?.into_iter().enumerate() {
                    if self.asked(by, &item)? {
                        return Ok(Val::int(index as i64));
                    }
                }
                Ok(Val::int(-1))
            }
            ("Find", [_]) => self.call_linq(of, "FirstOrDefault", types, args),
            ("FindAll", [by]) => {
                let mut found = Vec::new();
                for item in self.items(of)? {
                    if self.asked(by, &item)? {
                        found.push(item);
                    }
                }
                self.list_like(of, found)
            }
            ("Exists", [_]) => self.call_linq(of, "Any", types, args),
            ("TrueForAll", [_]) => self.call_linq(of, "All", types, args),
            ("ForEach", [by]) => {
                for item in self.items(of)? {
                    self.work(1)?;
                    self.call_func(by, vec![item])?;
                }
                Ok(Val::Null)
            }
            _ => self.call_linq(of, name, types, args),
        }
    }

    fn bad_index<T>(&self) -> Ran<T> {
        self.throw(
            "System.ArgumentOutOfRangeException",
            "Index was out of range. Must be non-negative and less than the size of the collection.\nParameter name: index",
        )
    }

    fn insert(&mut self, of: &Val, at: usize, items: Vec<Val>) -> Ran<Val> {
        let ty = self.list(of).map_or_else(Ty::dynamic, |list| list.item.clone());
        let items =
            items.into_iter().map(|item| self.convert(item, &ty)).collect::<Ran<Vec<_>>>()?;
        self.take(items.iter().map(Val::size).sum())?;
        self.change(of, |list| drop(list.splice(at..at, items)))?;
        Ok(Val::Null)
    }

    /// Change the items of a list, and of the component's member that it is.
    fn change(&mut self, of: &Val, change: impl FnOnce(&mut Vec<Val>)) -> Ran<()> {
        let count = self.count_of(of).unwrap_or(0);
        self.work(count as u64 / 1024)?;
        match self.list_mut(of) {
            Some(list) => change(&mut list.items),
            None => return self.null(),
        }
        self.write_back(of)
    }

    /// Tell the world when a list that is a member of a component has changed.
    pub(super) fn write_back(&mut self, of: &Val) -> Ran<()> {
        let Some((id, name)) = self.list(of).and_then(|list| list.origin.clone()) else {
            return Ok(());
        };
        self.work(self.count_of(of).unwrap_or(0) as u64)?;
        let value = self.to_value(of);
        match self.world.set_member(id, &name, value) {
            Ok(()) => Ok(()),
            Err(refused) => self.refused(&refused),
        }
    }

    fn position(&mut self, of: &Val, item: &Val) -> Ran<Option<usize>> {
        let items = self.items(of)?;
        Ok(items.iter().position(|known| self.equal(known, item)))
    }

    /// A new list of the same type.
    fn list_like(&mut self, of: &Val, items: Vec<Val>) -> Ran<Val> {
        let item = self.list(of).map_or_else(Ty::dynamic, |list| list.item.clone());
        self.add_list(ListKind::List, item, items)
    }

    fn sort(&mut self, of: &Val, by: Option<&Val>) -> Ran<()> {
        let items = self.items(of)?;
        let sorted = match by {
            None => self.sorted(items, |run, a, b| run.compare(a, b))?,
            Some(by) => self.sorted(items, |run, a, b| {
                let given = run.call_func(by, vec![a.clone(), b.clone()])?;
                Ok(given.and_then(|given| given.as_int()).unwrap_or(0).cmp(&0))
            })?,
        };
        self.change(of, |items| *items = sorted)
    }

    /// A stable sort whose comparison may fail.
    pub(super) fn sorted<T>(
        &mut self,
        mut items: Vec<T>,
        compare: impl Fn(&mut Self, &T, &T) -> Ran<Ordering>,
    ) -> Ran<Vec<T>> {
        // Merge by hand: the sorts of the library may panic when an order contradicts itself.
        let mut width = 1;
        while width < items.len() {
            let mut merged = Vec::with_capacity(items.len());
            let mut rest = items.into_iter().peekable();
            loop {
                let left: Vec<T> = rest.by_ref().take(width).collect();
                let right: Vec<T> = rest.by_ref().take(width).collect();
                if left.is_empty() {
                    break;
                }
                self.merge(left, right, &mut merged, &compare)?;
            }
            items = merged;
            width *= 2;
        }
        Ok(items)
    }

    fn merge<T>(
        &mut self,
        left: Vec<T>,
        right: Vec<T>,
        merged: &mut Vec<T>,
        compare: &impl Fn(&mut Self, &T, &T) -> Ran<Ordering>,
    ) -> Ran<()> {
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            self.work(1)?;
            let from_right = compare(self, a, b)? == Ordering::Greater;
            merged.extend(if from_right { right.next() } else { left.next() });
        }
        merged.extend(left);
        merged.extend(right);
        Ok(())
    }

    /// What a function says of an item.
    pub(super) fn asked(&mut self, by: &Val, item: &Val) -> Ran<bool> {
        self.work(1)?;
        match self.call_func(by, vec![item.clone()])? {
            Some(Val::Bool(yes)) => Ok(yes),
            _ => Ok(false),
        }
    }

    /// What a loop over a value meets.
    pub(super) fn items(&mut self, of: &Val) -> Ran<Vec<Val>> {
        if let Some(count) = self.count_of(of) {
            self.work(count as u64 / 64)?;
        }
        if let Some(list) = self.list(of) {
            // Whoever compares the items may read every letter of them.
            let letters = list.items.iter().filter_map(Val::as_text).map(|text| text.len() as u64);
            let (letters, items) = (letters.sum::<u64>(), list.items.clone());
            self.work(letters / 1024)?;
            return Ok(items);
        }
        if let Some(map) = self.map(of) {
            let is_set = map.is_set;
            let entries: Vec<(Val, Val)> = map.iter().cloned().collect();
            let item = |(key, value)| if is_set { Ok(key) } else { self.pair(key, value) };
            return entries.into_iter().map(item).collect();
        }
        match of {
            Val::Text(text) => Ok(text.encode_utf16().map(Val::Char).collect()),
            Val::Component(_) => self.children_of(of),
            Val::Null => self.null(),
            _ => {
                let ty = self.type_of(of).to_string();
                self.missing(&ty, "GetEnumerator")
            }
        }
    }
}
