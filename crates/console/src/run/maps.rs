//! Dictionaries and sets.

use super::{Ran, Run};
use crate::ty::Ty;
use crate::value::{ListKind, Val};

impl Run<'_, '_> {
    pub(super) fn call_map(
        &mut self,
        of: &Val,
        name: &str,
        types: &[Ty],
        args: Vec<Val>,
    ) -> Ran<Val> {
        let Some(map) = self.map(of) else { return self.null() };
        let (is_set, value_ty) = (map.is_set, map.value.clone());
        if !is_set
            && matches!(name, "Add" | "TryAdd" | "Remove" | "ContainsKey" | "TryGetValue")
            && matches!(args.first(), Some(Val::Null))
        {
            return self.throw(
                "System.ArgumentNullException",
                "Value cannot be null.\nParameter name: key",
            );
        }
        match (name, args.as_slice()) {
            ("Add", [item]) if is_set => {
                self.take(item.size())?;
                Ok(Val::Bool(self.map_mut(of).is_some_and(|map| map.set(item.clone(), Val::Null))))
            }
            ("Add" | "TryAdd", [key, value]) => {
                let known = self.map(of).is_some_and(|map| map.get(&key.key()).is_some());
                if known && name == "Add" {
                    let text = self.text_of(key)?;
                    let message =
                        format!("An item with the same key has already been added. Key: {text}");
                    return self.throw("System.ArgumentException", message);
                }
                if !known {
                    self.set_at(of, key, value.clone())?;
                }
                Ok(if name == "Add" { Val::Null } else { Val::Bool(!known) })
            }
            ("Remove", [key]) => {
                let key = key.key();
                Ok(Val::Bool(self.map_mut(of).is_some_and(|map| map.remove(&key))))
            }
            ("ContainsKey", [key]) => Ok(Val::Bool(self.has_key(of, key))),
            ("Contains", [key]) if is_set => Ok(Val::Bool(self.has_key(of, key))),
            ("ContainsValue", [wanted]) => {
                let values = self.map_values(of);
                self.work(values.len() as u64 / 16)?;
                Ok(Val::Bool(values.iter().any(|value| self.equal(value, wanted))))
            }
            ("TryGetValue" | "GetValueOrDefault", [key]) => {
                let found = self.map(of).and_then(|map| map.get(&key.key()).cloned());
                let there = found.is_some();
                let value = match found {
                    Some(value) => value,
                    None => self.default_of(&value_ty)?,
                };
                if name == "TryGetValue" { self.with_out(there, value) } else { Ok(value) }
            }
            ("Clear", []) => {
                if let Some(map) = self.map_mut(of) {
                    map.clear();
                }
                Ok(Val::Null)
            }
            ("UnionWith" | "ExceptWith" | "IntersectWith", [other]) => {
                self.combine(of, name, other)
            }
            _ => self.call_linq(of, name, types, args),
        }
    }

    fn has_key(&self, of: &Val, key: &Val) -> bool {
        self.map(of).is_some_and(|map| map.places.contains_key(&key.key()))
    }

    fn map_values(&self, of: &Val) -> Vec<Val> {
        self.map(of)
            .map(|map| map.iter().map(|(_, value)| value.clone()).collect())
            .unwrap_or_default()
    }

    fn combine(&mut self, of: &Val, name: &str, other: &Val) -> Ran<Val> {
        let others = self.items(other)?;
        self.take(others.iter().map(Val::size).sum())?;
        let Some(map) = self.map_mut(of) else { return self.null() };
        match name {
            "UnionWith" => {
                for item in others {
                    map.set(item, Val::Null);
                }
            }
            "ExceptWith" => {
                for item in &others {
                    map.remove(&item.key());
                }
            }
            _ => {
                let kept: std::collections::HashSet<_> = others.iter().map(Val::key).collect();
                let gone: Vec<_> =
                    map.places.keys().filter(|key| !kept.contains(*key)).cloned().collect();
                for key in &gone {
                    map.remove(key);
                }
            }
        }
        Ok(Val::Null)
    }

    pub(super) fn get_map(&mut self, of: &Val, name: &str) -> Ran<Val> {
        let Some(map) = self.map(of) else { return self.null() };
        let (key, value) = (map.key.clone(), map.value.clone());
        match name {
            "Count" => Ok(Val::int(map.len() as i64)),
            "Keys" => {
                let keys = map.iter().map(|(key, _)| key.clone()).collect();
                self.add_list(ListKind::Sequence, key, keys)
            }
            "Values" => {
                let values = self.map_values(of);
                self.add_list(ListKind::Sequence, value, values)
            }
            _ => self.missing("Dictionary", name),
        }
    }
}
