//! Finding objects.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;
use memchr::memmem::Finder;

use crate::directory::Directory;
use crate::ids::ObjectId;
use crate::object::{Object, fold};
use crate::types::Types;
use crate::world::World;

/// Which objects are wanted; every part that is given must hold. Texts are parts of names or paths
/// in any case.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// In the name or the path.
    pub query: Option<String>,
    /// In the name.
    pub name: Option<String>,
    /// In the path.
    pub path: Option<String>,
    /// A component class, with or without its namespace; derived ones count.
    pub type_name: Option<String>,
    /// Only objects that are active with all their parents.
    pub active_only: bool,
}

/// A page of objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// How many objects match.
    pub total: usize,
    /// Those of the page.
    pub items: Vec<ObjectId>,
}

/// A filter made ready to be asked often.
struct Wanted {
    query: Option<Finder<'static>>,
    name: Option<Finder<'static>>,
    path: Option<Finder<'static>>,
    class: Class,
    active_only: bool,
}

enum Class {
    Any,
    /// This class and those derived from it: all full names that match.
    OneOf(HashSet<Arc<str>, RandomState>),
    /// Nothing is known by that name but perhaps a component has it as its short name.
    Named(String),
}

impl World {
    /// The matching objects under some roots, parents before children. Counts all of them and gives
    /// those from `offset` on, at most `limit`.
    pub fn find_objects(
        &self,
        roots: &[ObjectId],
        filter: &Filter,
        offset: usize,
        limit: usize,
    ) -> Found {
        let wanted = Wanted::new(filter, self.types());
        let directory = self.directory();
        let mut found = Found { total: 0, items: Vec::new() };
        for rows in directory.under(roots) {
            let hits = wanted.rows(self, &directory, rows);
            let first = offset.saturating_sub(found.total).min(hits.len());
            let left = limit - found.items.len();
            let page = hits.iter().skip(first).take(left);
            found.items.extend(page.map(|row| directory.id(*row)));
            found.total += hits.len();
        }
        found
    }

    /// Every object under some roots, parents before children.
    pub fn descend<'w>(&'w self, roots: &[ObjectId]) -> impl Iterator<Item = &'w Object> + 'w {
        let mut stack: Vec<ObjectId> = roots.iter().rev().copied().collect();
        std::iter::from_fn(move || {
            loop {
                let object = self.object(stack.pop()?);
                if let Some(object) = object {
                    stack.extend(object.children().iter().rev().copied());
                    return Some(object);
                }
            }
        })
    }

    /// The roots of all loaded scenes.
    pub fn roots(&self) -> Vec<ObjectId> {
        self.scenes().iter().flat_map(|scene| scene.roots().iter().copied()).collect()
    }

    /// The roots of all loaded scenes, and of what outlives them.
    pub fn all_roots(&self) -> Vec<ObjectId> {
        let mut roots = self.roots();
        roots.extend_from_slice(self.kept());
        roots
    }

    /// As `GameObject.Find`: the first active object of a name, or of a path; a leading `/` means a
    /// root.
    pub fn find(&self, text: &str) -> Option<ObjectId> {
        let (from_root, text) = match text.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut names = text.split('/');
        let first = names.next()?;
        let rest: Vec<&str> = names.collect();
        let roots = self.all_roots();
        let starts = self
            .descend(&roots)
            .filter(|object| object.name() == first && (!from_root || object.parent().is_none()));
        starts
            .filter_map(|object| rest.iter().try_fold(object.id(), |at, name| self.child(at, name)))
            .find(|id| self.is_active(*id))
    }

    /// The first child of a name.
    pub fn child(&self, id: ObjectId, name: &str) -> Option<ObjectId> {
        let mut children = self.object(id)?.children().iter().copied();
        children.find(|child| self.object(*child).is_some_and(|child| child.name() == name))
    }
}

impl Wanted {
    fn new(filter: &Filter, types: &Types) -> Wanted {
        let text = |given: &Option<String>| {
            let text = given.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
            Some(Finder::new(fold(text).as_bytes()).into_owned())
        };
        let class = match filter.type_name.as_deref().map(str::trim) {
            None | Some("") => Class::Any,
            Some(name) => match types.find_component(name) {
                None => Class::Named(name.to_owned()),
                Some(base) => Class::OneOf(
                    types
                        .all()
                        .filter(|ty| types.is_a(&ty.full_name, &base.full_name))
                        .map(|ty| ty.full_name.clone())
                        .collect(),
                ),
            },
        };
        Wanted {
            query: text(&filter.query),
            name: text(&filter.name),
            path: text(&filter.path),
            class,
            active_only: filter.active_only,
        }
    }

    /// The wanted ones among some rows.
    fn rows(&self, world: &World, directory: &Directory, rows: Range<usize>) -> Vec<u32> {
        let mut hits: Option<Vec<u32>> = None;
        let mut keep = |found: Vec<u32>| {
            hits = Some(match hits.take() {
                Some(before) => in_both(&before, &found),
                None => found,
            });
        };
        if let Some(name) = &self.name {
            keep(directory.named(name, rows.clone()));
        }
        match &self.class {
            Class::Any => {}
            Class::OneOf(names) => keep(directory.with(|class| names.contains(class), &rows)),
            Class::Named(name) => keep(
                directory
                    .with(|class| crate::types::short_name(class) == name || class == name, &rows),
            ),
        }
        // The path ends with the name, so what is in the name is in the path.
        for text in [&self.query, &self.path].into_iter().flatten() {
            keep(directory.placed(text, rows.clone()));
        }
        let mut hits = hits.unwrap_or_else(|| rows.map(|row| row as u32).collect());
        if self.active_only {
            let mut active = Active { world, directory, known: HashMap::default() };
            hits.retain(|row| active.is(*row));
        }
        hits
    }
}

/// What two sorted rows of numbers have in common.
fn in_both(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().copied().filter(|row| many.binary_search(row).is_ok()).collect()
}

/// Which rows are active with all their parents.
struct Active<'w> {
    world: &'w World,
    directory: &'w Directory,
    known: HashMap<u32, bool, RandomState>,
}

impl Active<'_> {
    fn is(&mut self, row: u32) -> bool {
        // Up to the first one that is known; all on the way are what it is, or not active.
        let mut way = Vec::new();
        let mut at = Some(row);
        let mut active = true;
        while let Some(row) = at {
            if let Some(known) = self.known.get(&row) {
                active = *known;
                break;
            }
            way.push(row);
            at = self.directory.parent(row);
        }
        for row in way.into_iter().rev() {
            let object = self.world.object(self.directory.id(row));
            active = active && object.is_some_and(Object::is_active_self);
            self.known.insert(row, active);
        }
        active
    }
}

#[cfg(test)]
mod tests;
