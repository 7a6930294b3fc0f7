//! A large scene after some of its components changed: what was found in the others still holds, at
//! other lines perhaps, and only those that changed are judged.
//!
//! What is said of a component depends on the objects of its file, their names and how they hang
//! together, on the prefabs inside and on what is referred to. So this is done only when nothing else
//! changed in the project, and the parts of the scene that make its hierarchy are what they were.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::fields::Here;
use super::{Finding, hierarchy};
use crate::hierarchy::{Expander, Hierarchy};
use crate::index::{Asset, AssetKind, Base, Index, Part, Recent, Store};
use crate::judge::Judge;
use crate::{ClassId, Document, FileId, Guid, Object};

/// What was found in a scene as it was when it was read whole.
pub(super) struct Large {
    base: Arc<Base>,
    findings: Vec<Finding>,
    /// The snapshot that it was found in.
    generation: u64,
    /// The scene as it was then, once somebody asked.
    hierarchy: OnceLock<Hierarchy>,
}

impl Large {
    /// What the next check may start from, after one whose findings are all those of a snapshot.
    pub(super) fn after(
        store: &Store,
        index: &Index,
        found: impl Fn(&str) -> Vec<Finding>,
        generation: u64,
        before: Option<Large>,
    ) -> Option<Large> {
        let recent = store.recent();
        let path = recent.path();
        let scene = path.and_then(|path| index.at_path(&path));
        let scene = scene.filter(|asset| asset.kind() == AssetKind::Scene);
        let before = before.filter(|large| recent.has(&large.base) && large.holds(store));
        match (scene.and_then(|scene| recent.of(scene)), before) {
            (_, Some(before)) => Some(before),
            // The findings are of what was on the disk, which may have changed meanwhile.
            (Some((base, None)), None) if scene.is_some_and(Recent::is_current) => {
                let findings = found(base.path());
                Some(Large { base, findings, generation, hierarchy: OnceLock::new() })
            }
            (Some(_), None) => {
                // What was found is of another text than the one that is kept.
                recent.forget();
                None
            }
            (None, None) => None,
        }
    }

    /// Whether nothing but the scene changed since.
    fn holds(&self, store: &Store) -> bool {
        let changes = store.changes_since(self.generation);
        let is_only = changes.changes.iter().all(|change| change.path == self.base.path());
        changes.complete && is_only
    }

    /// Whether it was of use once.
    #[cfg(test)]
    pub(super) fn is_known(&self) -> bool {
        self.hierarchy.get().is_some()
    }

    /// What is found now, if this is the only asset to judge and if enough of it is known.
    pub(super) fn check(
        &self,
        store: &Store,
        judge: &Judge<'_>,
        expander: &Expander,
        assets: &[Asset<'_>],
    ) -> Option<Vec<Finding>> {
        let [asset] = assets else { return None };
        let (base, part) = store.recent().of(*asset)?;
        (Arc::ptr_eq(&base, &self.base) && self.holds(store)).then_some(())?;
        self.with(judge, expander, asset.guid()?, &*part?)
    }

    fn with(
        &self,
        judge: &Judge<'_>,
        expander: &Expander,
        guid: Guid,
        part: &Part,
    ) -> Option<Vec<Finding>> {
        let whole = self.base.document();
        let old_text = &whole.as_bytes()[part.old.clone()];
        let (old, new) = (Document::parse(old_text), Document::parse(&*part.new));
        let pairs: Vec<_> = old.objects().zip(new.objects()).collect();
        let changed: Vec<bool> = pairs.iter().map(|(old, new)| text(*old) != text(*new)).collect();
        let mut others = pairs.iter().zip(&changed).filter(|(_, is_changed)| **is_changed);
        others.all(|((old, new), _)| keeps_shape(*old, *new)).then_some(())?;

        let above = memchr::memchr_iter(b'\n', &whole.as_bytes()[..part.old.start]).count();
        let lines = Lines::new(above, (&old, old_text), (&new, &part.new), &changed);
        let mut findings = Vec::with_capacity(self.findings.len());
        for finding in &self.findings {
            if *finding.file != *self.base.path() {
                findings.push(finding.clone());
                continue;
            }
            let line = lines.now(finding.line?);
            findings.extend(line.map(|line| Finding { line: Some(line), ..finding.clone() }));
        }
        let hierarchy = self.hierarchy.get_or_init(|| expander.scene(whole.clone(), guid));
        let known = RefCell::new(HashMap::new());
        let is_here = |id: FileId| {
            *known.borrow_mut().entry(id).or_insert_with(|| hierarchy.leads_somewhere(id))
        };
        let class_of = |id: FileId| whole.object(id).map(Object::class_id);
        let stood_for = |id: FileId| super::fields::stood_for(judge, whole, id);
        let here = Here { is_here: &is_here, class_of: &class_of, stood_for: &stood_for };
        let mut paths = hierarchy.paths();
        let to_judge = pairs.iter().zip(&changed).filter(|(_, is_changed)| **is_changed);
        for ((_, object), _) in to_judge {
            let found = hierarchy::judge_object(judge, hierarchy, &here, &mut paths, *object);
            findings.extend(found.into_iter().map(|found| Finding {
                file: self.base.path().into(),
                line: found.line.map(|line| above + line),
                ..found
            }));
        }
        super::by_place(&mut findings);
        Some(findings)
    }
}

fn text<'d>(object: Object<'d>) -> &'d [u8] {
    &object.document().as_bytes()[object.span()]
}

/// Whether an object that changed leaves the hierarchy as it is; that it hangs where it hung is known.
fn keeps_shape(old: Object<'_>, new: Object<'_>) -> bool {
    let keeps = |key: &str| {
        let [old, new] = [old, new].map(|object| object.get(key).map(|value| value.text()));
        old == new
    };
    match old.class_id() {
        _ if old.is_stripped() => false,
        ClassId::PREFAB_INSTANCE | ClassId::SCENE_ROOTS => false,
        ClassId::GAME_OBJECT => keeps("m_Name"),
        ClassId::TRANSFORM | ClassId::RECT_TRANSFORM => keeps("m_RootOrder"),
        _ => true,
    }
}

/// Where lines of the text before are now.
struct Lines<'a> {
    /// The first lines of the objects, before and now, and the line behind the last.
    old: Vec<usize>,
    new: Vec<usize>,
    changed: &'a [bool],
}

impl<'a> Lines<'a> {
    fn new(
        above: usize,
        old: (&Document, &[u8]),
        new: (&Document, &[u8]),
        changed: &'a [bool],
    ) -> Lines<'a> {
        let starts = |(document, text): (&Document, &[u8])| -> Vec<usize> {
            let starts = document.objects().map(|object| document.line(object.span().start));
            let behind = memchr::memchr_iter(b'\n', text).count() + 1;
            starts.chain([behind]).map(|line| above + line).collect()
        };
        Lines { old: starts(old), new: starts(new), changed }
    }

    /// Nothing when the object around it changed.
    fn now(&self, line: usize) -> Option<usize> {
        let Some(at) = self.old.partition_point(|start| *start <= line).checked_sub(1) else {
            return Some(line);
        };
        let is_changed = self.changed.get(at).is_some_and(|is_changed| *is_changed);
        (!is_changed).then(|| line - self.old[at] + self.new[at])
    }
}
