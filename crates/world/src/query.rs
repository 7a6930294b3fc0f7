//! Finding objects.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;
use memchr::memmem::Finder;

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
        let mut found = Found { total: 0, items: Vec::new() };
        let mut walk = Walk { path: String::new(), stack: Vec::new() };
        walk.push(roots, 0, true);
        while let Some((id, length, parents_active)) = walk.stack.pop() {
            let Some(object) = self.object(id) else { continue };
            let active = parents_active && object.is_active_self();
            if wanted.active_only && !active {
                // Nothing inside is active either.
                continue;
            }
            walk.path.truncate(length);
            if wanted.needs_path() {
                walk.path.push('/');
                walk.path.push_str(&object.folded);
            }
            if wanted.wants(object, &walk.path) {
                if found.total >= offset && found.items.len() < limit {
                    found.items.push(id);
                }
                found.total += 1;
            }
            let length = walk.path.len();
            walk.push(object.children(), length, active);
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

struct Walk {
    /// The folded path of the object at hand.
    path: String,
    /// What is still to be seen: the object, the length of its parent's path, whether all parents
    /// are active.
    stack: Vec<(ObjectId, usize, bool)>,
}

impl Walk {
    fn push(&mut self, ids: &[ObjectId], length: usize, active: bool) {
        self.stack.extend(ids.iter().rev().map(|id| (*id, length, active)));
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

    fn needs_path(&self) -> bool {
        self.query.is_some() || self.path.is_some()
    }

    fn wants(&self, object: &Object, path: &str) -> bool {
        // The path ends with the name, so what is in the name is in the path.
        let has = |wanted: &Option<Finder<'_>>, text: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted.find(text.as_bytes()).is_some())
        };
        has(&self.name, &object.folded)
            && has(&self.query, path)
            && has(&self.path, path)
            && self.class.has(object)
    }
}

impl Class {
    fn has(&self, object: &Object) -> bool {
        let mut names = object.components().iter().filter_map(|component| component.type_name());
        match self {
            Class::Any => true,
            Class::OneOf(wanted) => names.any(|name| wanted.contains(name)),
            Class::Named(wanted) => {
                names.any(|name| crate::types::short_name(name) == wanted || name == wanted)
            }
        }
    }
}
