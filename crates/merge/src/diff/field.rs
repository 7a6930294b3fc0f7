//! The fields of one object that differ.

use std::collections::{HashMap, HashSet};

use super::place::Places;
use super::{AssetNames, Change, FieldChange};
use crate::assemble::TAG;
use crate::language::{KeyOf, Language, ListRule, squeezed};
use crate::model::{Kind, Step, path_text};
use crate::report::shown;
use crate::same::{At, Nearness, is_noise, same};

/// The longest value that is told.
const MAX_VALUE: usize = 400;

/// Lists that only say where objects are, which is told with those.
const STRUCTURE: [&str; 5] = ["m_Component", "m_Children", "m_Roots", "m_Father", "m_GameObject"];

/// One object while it is compared.
pub(super) struct Fields<'a> {
    language: Language,
    places: [&'a Places<'a>; 2],
    assets: AssetNames<'a>,
    path: Vec<Step>,
    pub(super) list: Vec<FieldChange>,
    pub(super) noise: usize,
    /// The parent is another one.
    pub(super) parent_changed: bool,
    /// What came, went or moved below it is told there.
    pub(super) structure_changed: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        language: Language,
        places: [&'a Places<'a>; 2],
        assets: AssetNames<'a>,
    ) -> Fields<'a> {
        Fields {
            language,
            places,
            assets,
            path: Vec::new(),
            list: Vec::new(),
            noise: 0,
            parent_changed: false,
            structure_changed: false,
        }
    }

    pub(super) fn compare(&mut self, old: At<'_>, new: At<'_>) {
        if same(self.language, old, new, Nearness::Exact, &mut self.path.clone()) {
            return;
        }
        match (old.node.kind, new.node.kind) {
            (Kind::Map, Kind::Map) => self.maps(old, new),
            (Kind::List, Kind::List) => self.lists(old, new),
            (Kind::Atom, Kind::Atom) if is_noise(old.inner(), new.inner()) => self.noise += 1,
            _ => self.push(Some(old), Some(new)),
        }
    }

    fn maps(&mut self, old: At<'_>, new: At<'_>) {
        for field in new.children() {
            self.path.push(Step::Key(field.node.key.clone()));
            match old.child(&field.node.key) {
                Some(before) => self.known(before, field),
                None => self.push(None, Some(field)),
            }
            self.path.pop();
        }
        for field in old.children().filter(|field| new.child(&field.node.key).is_none()) {
            self.path.push(Step::Key(field.node.key.clone()));
            self.push(Some(field), None);
            self.path.pop();
        }
    }

    /// A field that both have, unless it only says where objects are.
    fn known(&mut self, old: At<'_>, new: At<'_>) {
        let key = new.node.key.as_str();
        if self.language == Language::Unity && STRUCTURE.contains(&key) {
            let differs = !same(self.language, old, new, Nearness::Exact, &mut self.path.clone());
            self.parent_changed |= key == "m_Father" && differs;
            self.structure_changed |= differs;
            if differs && old.node.kind == Kind::List {
                self.order(old, new);
            }
            return;
        }
        self.compare(old, new);
    }

    /// The order of what both have in a list of objects.
    fn order(&mut self, old: At<'_>, new: At<'_>) {
        let keys = |list: At<'_>| -> Vec<String> {
            list.children().filter_map(|item| KeyOf::Reference.of(item)).collect()
        };
        let (before, now) = (keys(old), keys(new));
        let shared = |keys: &[String], others: &[String]| -> Vec<String> {
            let others: HashSet<&String> = others.iter().collect();
            keys.iter().filter(|key| others.contains(key)).cloned().collect()
        };
        if shared(&before, &now) != shared(&now, &before) {
            self.list.push(FieldChange {
                field: format!("{} (order)", path_text(&self.path)),
                change: Change::Changed,
                old: None,
                new: None,
            });
        }
    }

    fn lists(&mut self, old: At<'_>, new: At<'_>) {
        let key = match self.language.list_rule(&self.path) {
            ListRule::Keyed(key, _) => Some(key),
            _ => None,
        };
        if let Some(key) = key {
            let keyed = |list| -> Option<Vec<(String, At<'_>)>> {
                At::children(list).map(|item| Some((key.of(item)?, item))).collect()
            };
            if let (Some(old), Some(new)) = (keyed(old), keyed(new)) {
                return self.keyed(old, new);
            }
        }
        if old.node.children.len() != new.node.children.len() {
            return self.push(Some(old), Some(new));
        }
        for (place, (old, new)) in old.children().zip(new.children()).enumerate() {
            self.path.push(Step::Index(place));
            self.compare(old, new);
            self.path.pop();
        }
    }

    fn keyed(&mut self, old: Vec<(String, At<'_>)>, new: Vec<(String, At<'_>)>) {
        let before: HashMap<&str, At<'_>> =
            old.iter().map(|(key, at)| (key.as_str(), *at)).collect();
        let now: HashSet<&str> = new.iter().map(|(key, _)| key.as_str()).collect();
        for (key, item) in &new {
            self.path.push(Step::Item(key.clone()));
            match before.get(key.as_str()) {
                Some(old) => self.compare(*old, *item),
                None => self.push(None, Some(*item)),
            }
            self.path.pop();
        }
        for (key, item) in old.iter().filter(|(key, _)| !now.contains(key.as_str())) {
            self.path.push(Step::Item(key.clone()));
            self.push(Some(*item), None);
            self.path.pop();
        }
    }

    fn push(&mut self, old: Option<At<'_>>, new: Option<At<'_>>) {
        if self.language.is_derived(&self.path) {
            self.noise += 1;
            return;
        }
        let change = match (old, new) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        };
        let old = old.map(|at| self.value(at, 0));
        let new = new.map(|at| self.value(at, 1));
        self.list.push(FieldChange { field: self.name(), change, old, new });
    }

    /// The field as people call it: without the class above all fields, overrides by their property.
    fn name(&self) -> String {
        let mut path = self.path.as_slice();
        if self.language == Language::Unity && path.len() > 1 {
            path = &path[1..];
        }
        if let [Step::Key(one), Step::Key(two), Step::Item(item), ..] = path
            && one == "m_Modification"
            && two == "m_Modifications"
        {
            return format!("override {}", item.rsplit(' ').next().unwrap_or_default());
        }
        if let [Step::Key(tag), rest @ ..] = path
            && tag == TAG
        {
            path = rest;
        }
        path_text(path)
    }

    /// The value on one line, references with names.
    fn value(&self, at: At<'_>, side: usize) -> String {
        let whole = match at.node.kind {
            Kind::Atom => self.language.canonical(at.inner()).into_owned(),
            // Of an override only what it says.
            _ => match at.child("value").filter(|_| at.child("propertyPath").is_some()) {
                Some(value) => shown(value.inner()),
                None => shown(at.inner()),
            },
        };
        let line = squeezed(&whole);
        let named = match self.language {
            Language::Unity => self.places[side].with_names(&line, self.assets),
            _ => self.places[side].with_paths(&line),
        };
        match named.char_indices().nth(MAX_VALUE) {
            Some((end, _)) => format!("{}…", &named[..end]),
            None => named,
        }
    }
}
