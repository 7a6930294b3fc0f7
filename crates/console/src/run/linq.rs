//! LINQ. What C# does when items are asked for is done at once here, which differs only for code
//! that changes a list between a query and its use.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Ran, Run};
use crate::ty::{Int, Ty};
use crate::value::{Key, List, ListKind, Map, Thing, Val};

impl Run<'_, '_> {
    pub(super) fn call_linq(
        &mut self,
        of: &Val,
        name: &str,
        types: &[Ty],
        args: Vec<Val>,
    ) -> Ran<Val> {
        let items = self.items(of)?;
        self.work(items.len() as u64 / 16)?;
        let item = self.item_ty(of, &items);
        match name {
            "First" | "FirstOrDefault" | "Last" | "LastOrDefault" | "Single"
            | "SingleOrDefault" | "ElementAt" | "ElementAtOrDefault" => {
                self.one_of(name, &item, items, args.first())
            }
            "Any" | "All" | "Count" | "Contains" | "SequenceEqual" => {
                self.asks(name, items, args.first())
            }
            "Sum" | "Min" | "Max" | "Average" | "Aggregate" => {
                self.folded(name, &item, items, &args)
            }
            "OrderBy" | "OrderByDescending" | "ThenBy" | "ThenByDescending" => {
                self.ordered(of, name, item, items, args.first())
            }
            "ToList" => self.add_list(ListKind::List, item, items),
            "ToArray" => self.add_list(ListKind::Array, item, items),
            "ToHashSet" => self.make(&Ty::generic("HashSet", [item]), vec![of.clone()]),
            "ToDictionary" => self.dictionary(&item, items, &args),
            "GroupBy" => self.grouped(&item, items, &args),
            "Cast" | "OfType" => self.of_type(name, items, types),
            "Select" | "SelectMany" | "Zip" => self.mapped(name, items, &args),
            _ => {
                let kept = self.kept(name, &item, items, &args)?;
                self.add_list(ListKind::Sequence, item, kept)
            }
        }
    }

    /// The type of the items: as the list says, or as they are.
    fn item_ty(&self, of: &Val, items: &[Val]) -> Ty {
        let said = match (self.list(of), self.map(of), of) {
            (Some(list), _, _) => list.item.clone(),
            (_, Some(map), _) if map.is_set => map.key.clone(),
            (_, Some(map), _) => Ty::generic("KeyValuePair", [map.key.clone(), map.value.clone()]),
            (_, _, Val::Text(_)) => Ty::of("System.Char"),
            _ => Ty::dynamic(),
        };
        if said.is_dynamic() { self.common_ty(items) } else { said }
    }

    fn common_ty(&self, items: &[Val]) -> Ty {
        let first = match items.first() {
            Some(first) => self.type_of(first),
            None => return Ty::dynamic(),
        };
        let same =
            items.iter().all(|item| !matches!(item, Val::Null) && self.type_of(item) == first);
        if same { first } else { Ty::object() }
    }

    fn call_with(&mut self, by: &Val, args: Vec<Val>) -> Ran<Val> {
        self.work(1)?;
        Ok(self.call_func(by, args)?.unwrap_or(Val::Null))
    }

    /// Whether a function takes the index too.
    fn takes_index(&self, by: &Val) -> bool {
        let Some(Thing::Func(closure)) = self.thing(by) else { return false };
        let count = match &closure.code {
            crate::value::ClosureCode::Lambda(code) => code.parameters.len(),
            crate::value::ClosureCode::Function(index) => {
                self.program.functions.get(*index).map_or(1, |code| code.parameters.len())
            }
        };
        count == 2
    }

    fn with_index(&mut self, by: &Val, index: usize, item: &Val) -> Ran<Val> {
        let mut args = vec![item.clone()];
        if self.takes_index(by) {
            args.push(Val::int(index as i64));
        }
        self.call_with(by, args)
    }

    fn mapped(&mut self, name: &str, items: Vec<Val>, args: &[Val]) -> Ran<Val> {
        let mut given = Vec::new();
        match (name, args) {
            ("Select", [by]) => {
                for (index, item) in items.iter().enumerate() {
                    given.push(self.with_index(by, index, item)?);
                }
            }
            ("SelectMany", [by]) => {
                for item in items {
                    let inner = self.call_with(by, vec![item])?;
                    let inner = self.items(&inner)?;
                    self.take(inner.iter().map(Val::size).sum())?;
                    given.extend(inner);
                }
            }
            ("Zip", [second, rest @ ..]) => {
                for (a, b) in items.into_iter().zip(self.items(second)?) {
                    given.push(match rest.first() {
                        Some(by) => self.call_with(by, vec![a, b])?,
                        None => self.tuple(vec![a, b])?,
                    });
                }
            }
            _ => return self.missing("IEnumerable", name),
        }
        let item = self.common_ty(&given);
        self.add_list(ListKind::Sequence, item, given)
    }

    fn one_of(&mut self, name: &str, item: &Ty, items: Vec<Val>, by: Option<&Val>) -> Ran<Val> {
        let or_default = name.ends_with("OrDefault");
        let found = if name.starts_with("ElementAt") {
            let index = by.and_then(Val::as_int).and_then(|index| usize::try_from(index).ok());
            let found = index.and_then(|index| items.get(index).cloned());
            if found.is_none() && !or_default {
                return self.throw(
                    "System.ArgumentOutOfRangeException",
                    "Index was out of range.\nParameter name: index",
                );
            }
            found
        } else {
            let mut matching = Vec::new();
            for value in items {
                let fits = match by {
                    Some(by) => self.asked(by, &value)?,
                    None => true,
                };
                if fits {
                    matching.push(value);
                    if name.starts_with("First") {
                        break;
                    }
                }
            }
            if name.starts_with("Single") && matching.len() > 1 {
                let what = if by.is_some() { "matching element" } else { "element" };
                return self.throw(
                    "System.InvalidOperationException",
                    format!("Sequence contains more than one {what}"),
                );
            }
            matching.pop()
        };
        match found {
            Some(value) => Ok(value),
            None if or_default => self.default_of(item),
            None => {
                let what = if by.is_some() { "no matching element" } else { "no elements" };
                self.throw("System.InvalidOperationException", format!("Sequence contains {what}"))
            }
        }
    }

    fn asks(&mut self, name: &str, items: Vec<Val>, by: Option<&Val>) -> Ran<Val> {
        match (name, by) {
            ("Any", None) => return Ok(Val::Bool(!items.is_empty())),
            ("Count", None) => return Ok(Val::int(items.len() as i64)),
            ("Contains", Some(wanted)) => {
                return Ok(Val::Bool(items.iter().any(|item| self.equal(item, wanted))));
            }
            ("SequenceEqual", Some(second)) => {
                let second = self.items(second)?;
                let same = items.len() == second.len()
                    && items.iter().zip(&second).all(|(a, b)| self.equal(a, b));
                return Ok(Val::Bool(same));
            }
            _ => {}
        }
        let Some(by) = by else { return self.missing("IEnumerable", name) };
        let mut count = 0;
        for item in items {
            match (name, self.asked(by, &item)?) {
                ("Any", true) => return Ok(Val::Bool(true)),
                ("All", false) => return Ok(Val::Bool(false)),
                (_, yes) => count += i64::from(yes),
            }
        }
        Ok(if name == "Count" { Val::int(count) } else { Val::Bool(name == "All") })
    }

    fn folded(&mut self, name: &str, item: &Ty, items: Vec<Val>, args: &[Val]) -> Ran<Val> {
        if name == "Aggregate" {
            let (mut so_far, by, rest) = match args {
                [by] => {
                    let mut items = items.into_iter();
                    match items.next() {
                        Some(first) => (first, by, items.collect::<Vec<_>>()),
                        None => {
                            return self.throw(
                                "System.InvalidOperationException",
                                "Sequence contains no elements",
                            );
                        }
                    }
                }
                [seed, by] => (seed.clone(), by, items),
                _ => return self.missing("IEnumerable", name),
            };
            for item in rest {
                so_far = self.call_with(by, vec![so_far, item])?;
            }
            return Ok(so_far);
        }
        let mut values = items;
        if let Some(by) = args.first() {
            let mut selected = Vec::new();
            for item in &values {
                selected.push(self.call_with(by, vec![item.clone()])?);
            }
            values = selected;
        }
        values.retain(|value| !matches!(value, Val::Null));
        if values.is_empty() {
            return match name {
                "Sum" if item.is_number() && args.is_empty() => self.default_of(item),
                "Sum" => Ok(Val::int(0)),
                _ => {
                    self.throw("System.InvalidOperationException", "Sequence contains no elements")
                }
            };
        }
        match name {
            "Sum" => self.sum(values),
            "Average" => {
                let count = values.len() as f64;
                let single = matches!(values.first(), Some(Val::Float(_)));
                let total: f64 = values.iter().filter_map(Val::as_f64).sum();
                Ok(if single {
                    Val::Float((total / count) as f32)
                } else {
                    Val::Double(total / count)
                })
            }
            _ => {
                let wanted = if name == "Max" { Ordering::Greater } else { Ordering::Less };
                let mut values = values.into_iter();
                let mut best = values.next().unwrap_or(Val::Null);
                for value in values {
                    if self.compare(&value, &best)? == wanted {
                        best = value;
                    }
                }
                Ok(best)
            }
        }
    }

    fn sum(&mut self, values: Vec<Val>) -> Ran<Val> {
        // Sums of floats are kept in a double, and those of whole numbers are checked, as in .NET.
        match values.first() {
            Some(Val::Float(_)) => {
                let total: f64 = values.iter().filter_map(Val::as_f64).sum();
                Ok(Val::Float(total as f32))
            }
            Some(Val::Double(_)) => Ok(Val::Double(values.iter().filter_map(Val::as_f64).sum())),
            Some(Val::Int(kind, _)) => {
                let kind = (*kind).max(Int::I32);
                let whole = values.iter().filter_map(Val::as_int);
                let total = whole.map(i128::from).sum::<i128>();
                let (least, most) = kind.range();
                match i64::try_from(total).ok().filter(|total| (least..=most).contains(total)) {
                    Some(total) => Ok(Val::Int(kind, total)),
                    None => self.throw(
                        "System.OverflowException",
                        "Arithmetic operation resulted in an overflow.",
                    ),
                }
            }
            _ => self.missing("IEnumerable", "Sum"),
        }
    }

    fn ordered(
        &mut self,
        of: &Val,
        name: &str,
        item: Ty,
        items: Vec<Val>,
        by: Option<&Val>,
    ) -> Ran<Val> {
        let Some(by) = by else { return self.missing("IEnumerable", name) };
        let earlier = self.list(of).and_then(|list| list.sorted.clone());
        let follows = name.starts_with("ThenBy");
        let (mut keys, mut down) = match earlier.filter(|_| follows) {
            Some(earlier) => earlier,
            None => (vec![Vec::new(); items.len()], Vec::new()),
        };
        down.push(name.ends_with("Descending"));
        for (keys, item) in keys.iter_mut().zip(&items) {
            keys.push(self.call_with(by, vec![item.clone()])?);
        }
        let pairs: Vec<(Vec<Val>, Val)> = keys.into_iter().zip(items).collect();
        let order = down.clone();
        let sorted = self.sorted(pairs, |run, a, b| {
            for ((a, b), down) in a.0.iter().zip(&b.0).zip(&order) {
                let found = run.compare(a, b)?;
                if found != Ordering::Equal {
                    return Ok(if *down { found.reverse() } else { found });
                }
            }
            Ok(Ordering::Equal)
        })?;
        let (keys, items): (Vec<_>, Vec<_>) = sorted.into_iter().unzip();
        self.take(items.iter().map(Val::size).sum::<usize>() * 2)?;
        let mut list = List::new(ListKind::Sequence, item, items);
        list.sorted = Some((keys, down));
        self.add(Thing::List(list))
    }

    fn dictionary(&mut self, item: &Ty, items: Vec<Val>, args: &[Val]) -> Ran<Val> {
        let Some(by) = args.first() else { return self.missing("IEnumerable", "ToDictionary") };
        let mut entries = Vec::new();
        for item in items {
            let key = self.call_with(by, vec![item.clone()])?;
            let value = match args.get(1) {
                Some(by) => self.call_with(by, vec![item])?,
                None => item,
            };
            entries.push((key, value));
        }
        let keys: Vec<Val> = entries.iter().map(|(key, _)| key.clone()).collect();
        let values: Vec<Val> = entries.iter().map(|(_, value)| value.clone()).collect();
        let value_ty = if args.len() > 1 { self.common_ty(&values) } else { item.clone() };
        let made = self.add(Thing::Map(Map::new(false, self.common_ty(&keys), value_ty)))?;
        for (key, value) in entries {
            self.call_map(&made, "Add", &[], vec![key, value])?;
        }
        Ok(made)
    }

    fn grouped(&mut self, item: &Ty, items: Vec<Val>, args: &[Val]) -> Ran<Val> {
        let Some(by) = args.first() else { return self.missing("IEnumerable", "GroupBy") };
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut groups: Vec<(Val, Vec<Val>)> = Vec::new();
        for item in items {
            let key = self.call_with(by, vec![item.clone()])?;
            let value = match args.get(1) {
                Some(by) => self.call_with(by, vec![item])?,
                None => item,
            };
            let place = *places.entry(key.key()).or_insert(groups.len());
            match groups.get_mut(place) {
                Some((_, group)) => group.push(value),
                None => groups.push((key, vec![value])),
            }
        }
        let mut given = Vec::new();
        for (key, group) in groups {
            self.take(group.iter().map(Val::size).sum())?;
            let item = if args.len() > 1 { self.common_ty(&group) } else { item.clone() };
            let mut list = List::new(ListKind::Sequence, item, group);
            list.key = Some(key);
            given.push(self.add(Thing::List(list))?);
        }
        self.add_list(ListKind::Sequence, Ty::dynamic(), given)
    }

    fn of_type(&mut self, name: &str, items: Vec<Val>, types: &[Ty]) -> Ran<Val> {
        let Some(ty) = types.first().cloned() else { return self.missing("IEnumerable", name) };
        let mut given = Vec::new();
        for item in items {
            if name == "Cast" {
                // Cast unboxes: an int is no float here, as in .NET.
                if !matches!(item, Val::Null) && !self.is_of(&item, &ty) {
                    return self
                        .throw("System.InvalidCastException", "Specified cast is not valid.");
                }
                given.push(item);
            } else if self.is_of(&item, &ty) {
                given.push(item);
            }
        }
        self.add_list(ListKind::Sequence, ty, given)
    }

    /// Verbs that keep some of the items, or put others beside them.
    fn kept(&mut self, name: &str, item: &Ty, mut items: Vec<Val>, args: &[Val]) -> Ran<Vec<Val>> {
        let count = args
            .first()
            .and_then(Val::as_int)
            .map_or(0, |count| usize::try_from(count).unwrap_or(0));
        match (name, args) {
            ("Where", [by]) => {
                let mut kept = Vec::new();
                for (index, item) in items.into_iter().enumerate() {
                    if matches!(self.with_index(by, index, &item)?, Val::Bool(true)) {
                        kept.push(item);
                    }
                }
                return Ok(kept);
            }
            ("TakeWhile" | "SkipWhile", [by]) => {
                let mut until = items.len();
                for (index, item) in items.iter().enumerate() {
                    if !self.asked(by, item)? {
                        until = index;
                        break;
                    }
                }
                return Ok(if name == "TakeWhile" {
                    items[..until].to_vec()
                } else {
                    items[until..].to_vec()
                });
            }
            ("Take", [_]) => items.truncate(count),
            ("Skip", [_]) => drop(items.drain(..count.min(items.len()))),
            ("Reverse", []) => items.reverse(),
            ("Distinct", []) => distinct(&mut items),
            ("Append", [item]) => items.push(item.clone()),
            ("Prepend", [item]) => items.insert(0, item.clone()),
            ("DefaultIfEmpty", []) if items.is_empty() => items.push(self.default_of(item)?),
            ("DefaultIfEmpty", []) => {}
            ("Concat" | "Union", [second]) => {
                items.extend(self.items(second)?);
                if name == "Union" {
                    distinct(&mut items);
                }
            }
            ("Intersect" | "Except", [second]) => {
                let second: std::collections::HashSet<Key> =
                    self.items(second)?.iter().map(Val::key).collect();
                items.retain(|item| second.contains(&item.key()) == (name == "Intersect"));
                distinct(&mut items);
            }
            _ => return self.missing("IEnumerable", name),
        }
        Ok(items)
    }
}

fn distinct(items: &mut Vec<Val>) {
    let mut seen = std::collections::HashSet::new();
    items.retain(|item| seen.insert(item.key()));
}
