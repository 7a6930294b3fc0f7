//! A prefab placed in a file: its overrides, what is added and removed, and how ids change on the
//! way in and out.

use std::sync::Arc;

use super::expander::ModelRoot;
use super::template::{Child, Parent};
use crate::{Guid, Reference};

/// A prefab placed in a file, with what the file changes in it.
///
/// All ids of things inside are those of the source's own file. Lists are sorted by them, so that
/// whoever comes from inside finds what concerns it.
pub(super) struct Instance {
    pub(super) id: i64,
    pub(super) source: Guid,
    pub(super) offset: usize,
    pub(super) parent: Parent,
    pub(super) modifications: Vec<Modification>,
    pub(super) removed_components: Vec<i64>,
    pub(super) removed_objects: Vec<i64>,
    pub(super) added_children: Vec<Added<Child>>,
    /// The ids of components of this file.
    pub(super) added_components: Vec<Added<i64>>,
    /// The stripped transform by which a parent in this file lists it; zero when none does.
    pub(super) handle: i64,
    /// True when it moves objects among those of the source. Files since 2022.2 cannot, though
    /// they may still have the overrides of older ones.
    pub(super) reorders: bool,
    /// Stripped objects: the id inside, and the id in this file.
    pub(super) stand_ins: Vec<(i64, i64)>,
}

/// One entry of `m_Modifications`.
#[cfg_attr(test, derive(Debug))]
pub(super) struct Modification {
    pub(super) target: i64,
    pub(super) path: Arc<str>,
    pub(super) value: Arc<str>,
    pub(super) reference: Reference,
    pub(super) offset: usize,
}

/// Something this file adds to an object inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added<T> {
    /// The object inside: a transform for children, a GameObject for components.
    pub(super) to: i64,
    pub(super) what: T,
    /// The position among siblings; at the end when nothing.
    pub(super) at: Option<u32>,
}

/// Unity clears the sign, so that ids in nested prefabs are never negative.
const MASK: i64 = i64::MAX;

impl Instance {
    /// The id that an object of the source has in the file of the instance.
    ///
    /// Prefabs follow the rule of exclusive or; scenes and upgraded files give ids freely to the
    /// objects they mention, which is why stripped objects come first.
    pub(super) fn outward(&self, inner: i64) -> i64 {
        match self.stand_ins.binary_search_by_key(&inner, |(inner, _)| *inner) {
            Ok(at) => self.stand_ins[at].1,
            Err(_) => (self.id ^ inner) & MASK,
        }
    }

    /// The ids that an object may have in the source, by the rule alone: the sign is lost.
    pub(super) fn inward(&self, outer: i64) -> [i64; 2] {
        let inner = (self.id ^ outer) & MASK;
        [inner, inner | i64::MIN]
    }

    pub(super) fn modifications_of(&self, target: i64) -> &[Modification] {
        equal_range(&self.modifications, target, |modification| modification.target)
    }

    pub(super) fn children_added_to(&self, transform: i64) -> &[Added<Child>] {
        equal_range(&self.added_children, transform, |added| added.to)
    }

    pub(super) fn components_added_to(&self, object: i64) -> &[Added<i64>] {
        equal_range(&self.added_components, object, |added| added.to)
    }

    /// True when other than the values of its objects are changed.
    pub(super) fn reshapes(&self) -> bool {
        !self.removed_objects.is_empty() || !self.added_children.is_empty()
    }

    /// Whether it names an object inside.
    fn mentions(&self, inner: i64) -> bool {
        !self.modifications_of(inner).is_empty()
            || self.stand_ins.binary_search_by_key(&inner, |(inner, _)| *inner).is_ok()
    }

    /// The root inside a source that cannot be read, where its id says that it is one.
    pub(super) fn hashed_root(&self) -> Option<ModelRoot> {
        let root = ModelRoot::HASHED;
        (self.mentions(root.object.0) || self.mentions(root.transform.0)).then_some(root)
    }

    /// The id of the root inside a source of which nothing is known: instances nearly always override
    /// the root's name.
    pub(super) fn guess_root(&self) -> Option<i64> {
        const USUAL: i64 = 100000;
        let named = || self.modifications.iter().filter(|m| &*m.path == "m_Name").map(|m| m.target);
        named().find(|target| *target == USUAL).or_else(|| named().next())
    }

    /// The id of the root's transform inside a source of which nothing is known: instances nearly
    /// always say where the root is.
    pub(super) fn guess_transform(&self) -> Option<i64> {
        const USUAL: i64 = 400000;
        let of = |path: &'static str| {
            self.modifications.iter().filter(move |m| &*m.path == path).map(|m| m.target)
        };
        let known = of("m_LocalPosition.x").find(|target| *target == USUAL);
        let mut placed = of("m_LocalPosition.x");
        let only = || placed.next().filter(|_| placed.next().is_none());
        known.or_else(|| of("m_RootOrder").next()).or_else(only)
    }

    /// Where it moves a transform inside to, among the siblings there.
    pub(super) fn moved(&self, transform: i64) -> Option<usize> {
        let mut changes = self.modifications_of(transform).iter();
        let order = changes.rfind(|change| &*change.path == "m_RootOrder")?;
        order.value.parse().ok().filter(|_| self.reorders)
    }

    /// Where scenes and prefabs up to 2022.1 have the instance among its siblings.
    pub(super) fn root_order(&self) -> Option<i64> {
        let orders = || self.modifications.iter().filter(|m| &*m.path == "m_RootOrder");
        // The position is overridden in roots only, unless someone moved a child.
        let is_root =
            |target| self.modifications_of(target).iter().any(|m| &*m.path == "m_LocalPosition.x");
        let order = orders().find(|m| is_root(m.target)).or_else(|| orders().next())?;
        order.value.parse().ok()
    }
}

fn equal_range<T>(sorted: &[T], key: i64, key_of: impl Fn(&T) -> i64) -> &[T] {
    let start = sorted.partition_point(|item| key_of(item) < key);
    let rest = &sorted[start..];
    &rest[..rest.partition_point(|item| key_of(item) == key)]
}
