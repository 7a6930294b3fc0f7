//! What an instance has other than its prefab, applied: it goes into the prefab, and leaves the
//! instance. The file of the instance shows the same before and after; every other instance of the
//! prefab takes it over, and that is told.
//!
//! A prefab further down the chain is reached step by step: what came into one prefab is an override
//! there, of an instance that this prefab has, and is applied from there again.

mod given;
mod picked;

use std::collections::HashMap;
use std::sync::Arc;

use super::{Done, Editor, FileKind, Refusal, own_instance};
use crate::edit::address;
use crate::hierarchy::Stated;
use crate::{Document, FileId, Guid};

/// What is to be applied.
#[derive(Debug, Clone, Copy, Default)]
pub struct Apply<'c> {
    /// The root of an instance, for everything; or an object in it, or added to it.
    pub object: &'c str,
    /// A component of that, also one that was removed.
    pub component: Option<&'c str>,
    /// A field of it.
    pub field: Option<&'c str>,
    /// The prefab that takes it; the one that the instance is of without one.
    pub to: Option<&'c str>,
}

/// What one instance is to give to its prefab. Targets are ids of that prefab, the others ids of the
/// file that has the instance.
#[derive(Debug, Default)]
struct Level {
    instance: FileId,
    /// Values: of an object inside, all of it or what is at a path and below.
    values: Vec<(FileId, Option<String>)>,
    components: Vec<FileId>,
    objects: Vec<FileId>,
    removed_components: Vec<FileId>,
    removed_objects: Vec<FileId>,
    /// One thing was asked for, so that it is an error when that cannot be.
    is_exact: bool,
}

/// What went, and what did not.
#[derive(Debug, Default)]
struct Told {
    values: usize,
    shapes: usize,
    kept: Vec<String>,
}

/// So many are told one by one.
const SHOWN: usize = 10;

impl<'a> Editor<'a> {
    /// Apply what an instance has other than its prefab.
    pub fn apply(&mut self, wanted: &Apply<'_>) -> Result<Done, Refusal> {
        self.refuse_if_old()?;
        let (mut level, path, id) = self.picked(wanted)?;
        let goal = self.goal(&level, wanted.to)?;
        let mut told = Told::default();
        let mut chain: Vec<Editor<'a>> = Vec::new();
        loop {
            let mut prefab = self.open_source(chain.last().unwrap_or(self), level.instance)?;
            let giver = chain.last_mut().unwrap_or(self);
            let given = giver.give(&level, &mut prefab, &mut told)?;
            let is_there = prefab.guid == goal;
            chain.push(prefab);
            if is_there {
                break;
            }
            let last = chain.last_mut().unwrap_or(self);
            level = last.next_level(given)?;
            // Only what is left of it on the way counts.
            told = Told { kept: told.kept, ..Told::default() };
        }
        let mut remarks = self.take_files(&chain, &told);
        remarks.extend(told.kept);
        let changed = told.values + told.shapes > 0;
        if !changed {
            remarks.push("nothing was applied".to_owned());
        }
        Ok(Done { path, id, changed, remarks, ..Done::default() })
    }

    /// The prefab that is to take it, which must be on the way down from the instance.
    fn goal(&mut self, level: &Level, to: Option<&str>) -> Result<Guid, Refusal> {
        let nothing = || Refusal::new(format!("the instance #{} names no prefab", level.instance));
        let first = self.source_of(level.instance).and_then(|it| it.guid).ok_or_else(nothing)?;
        let Some(to) = to else { return Ok(first) };
        let target = self.first_target(level);
        let chain = self.chain_of(target, first);
        let index = self.project.index;
        let plain = to.replace('\\', "/");
        let named = |guid: &Guid| index.by_guid(*guid).map(|asset| asset.path());
        let is_it = |guid: &&Guid| {
            named(guid).is_some_and(|path| path == plain || path == format!("Assets/{plain}"))
        };
        chain.iter().find(is_it).copied().ok_or_else(|| {
            let known: Vec<String> = chain.iter().filter_map(named).collect();
            let text = format!("{to} does not take what is changed there");
            Refusal::new(text).hint(format!("what can take it: {}", known.join(", ")))
        })
    }

    /// Something of the prefab that is meant, or that what is meant was added to.
    fn first_target(&mut self, level: &Level) -> Option<FileId> {
        let removed = level.removed_components.first().or(level.removed_objects.first()).copied();
        let known = level.values.first().map(|(target, _)| *target).or(removed);
        let tree = self.tree();
        let added = || {
            let on = level.components.first().and_then(|id| tree.find_by_id(*id));
            let above = || level.objects.first().and_then(|id| tree.find_by_id(*id)?.parent());
            match on.or_else(above)?.stated()? {
                Stated::Override { target, .. } => Some(target),
                Stated::Here(_) => None,
            }
        };
        known.or_else(added)
    }

    /// The prefabs that something inside an instance comes from, the outermost first.
    fn chain_of(&self, target: Option<FileId>, first: Guid) -> Vec<Guid> {
        let mut chain = vec![first];
        let mut target = target;
        while let (Some(inner), Some(guid)) = (target, chain.last())
            && chain.len() < crate::hierarchy::MAX_NESTING
            && let Ok(tree) = self.expander.expand(*guid)
            && let Some(Stated::Override { instance, target: deeper }) = tree.stated(inner)
            && let Some(source) = tree.document().object(instance)
            && let Some(guid) = crate::edit::overrides::source(source).and_then(|it| it.guid)
        {
            chain.push(guid);
            target = Some(deeper);
        }
        chain
    }

    /// The prefab of an instance that a file has, to be changed.
    fn open_source(&self, of: &Editor<'a>, instance: FileId) -> Result<Editor<'a>, Refusal> {
        let nothing = || Refusal::new(format!("the instance #{instance} names no prefab"));
        let guid = of.source_of(instance).and_then(|it| it.guid).ok_or_else(nothing)?;
        let asset = self.project.index.by_guid(guid);
        let path = asset.as_ref().map_or_else(|| guid.to_string(), |asset| asset.path());
        let refused = |why: String| Refusal::new(format!("{path} cannot take anything: {why}"));
        self.expander.expand(guid).map_err(|why| refused(why.to_string()))?;
        let known = self.others.get(&guid).map(|(_, after)| Document::parse(after.as_slice()));
        let document = match known {
            Some(document) => document,
            None => {
                let asset = asset.ok_or_else(|| refused("it is not in the project".into()))?;
                asset.document().map_err(|why| refused(why.to_string()))?
            }
        };
        let mut editor = Editor::open(self.project, Arc::new(document), guid, FileKind::Prefab)?;
        editor.expander = self.expander.clone();
        match editor.is_old {
            true => Err(refused("it was saved by a Unity before 2018.3".into())),
            false => Ok(editor),
        }
    }

    /// Note what became of prefabs, and see them so from now on. Tells who else takes it.
    fn take_files(&mut self, chain: &[Editor<'_>], told: &Told) -> Vec<String> {
        let index = self.project.index;
        let mut remarks = Vec::new();
        for prefab in chain.iter().filter(|prefab| !prefab.sheet.is_untouched()) {
            let after = prefab.to_bytes();
            let source = || Arc::new(Document::parse(prefab.sheet.source().as_bytes()));
            let before = self.others.remove(&prefab.guid).map(|(before, _)| before);
            self.others.insert(prefab.guid, (before.unwrap_or_else(source), after));
        }
        if let Some(last) = chain.last().filter(|_| told.values + told.shapes > 0) {
            let path = index.by_guid(last.guid).map(|asset| asset.path()).unwrap_or_default();
            remarks.push(format!(
                "{path} takes {} values and {} objects or components",
                told.values, told.shapes
            ));
            remarks.extend(self.also_changed(last.guid));
        }
        let files = self
            .others
            .iter()
            .map(|(guid, (_, after))| (*guid, Arc::new(Document::parse(after.as_slice()))));
        let files: HashMap<Guid, Arc<Document>> = files.collect();
        self.expander = self.project.expander.with(files);
        self.sources.clear();
        self.forget_tree();
        remarks
    }

    /// Which other instances of a prefab take what it took.
    fn also_changed(&self, prefab: Guid) -> Vec<String> {
        let sources = self.sheet.objects().filter_map(crate::edit::overrides::source);
        let own = sources.filter(|source| source.guid == Some(prefab)).count();
        let mut told = Vec::new();
        if own > 1 {
            told.push(format!("{} more instances in this file take it", own - 1));
        }
        let users =
            self.project.index.incoming(prefab).filter(|user| user.guid() != Some(self.guid));
        let mut files: Vec<String> = Vec::new();
        for user in users {
            let sources = user.instances().map(|(_, prefab)| prefab);
            if let instances @ 1.. = sources.filter(|source| source.guid == prefab).count() {
                files.push(format!("{} ({instances})", user.path()));
            }
        }
        if let count @ 1.. = files.len() {
            let shown = files[..count.min(SHOWN)].join(", ");
            let more = if count > SHOWN { " and more" } else { "" };
            told.push(format!(
                "instances in {count} other files take it where they have no value of their own: {shown}{more}"
            ));
        }
        told
    }

    /// Whether an object is the root of an instance that the file has.
    fn instance_at(&mut self, path: &str) -> Option<FileId> {
        own_instance(&address::object(self.tree(), path)?)
    }
}
