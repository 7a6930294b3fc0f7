//! Instances of one prefab that become instances of another. What fits by the path of the object
//! and the class of the component is kept; what does not is taken away and told.

use std::collections::{HashMap, HashSet};

use super::{Editor, FileKind, Refusal};
use crate::edit::address::path_of;
use crate::edit::{self, Item, New, Override, override_entry};
use crate::hierarchy::{Hierarchy, Node, Stated};
use crate::{ClassId, FileId, Guid, Object, Reference, Value};

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replaced {
    /// The paths of the instances.
    pub instances: Vec<String>,
    /// Overrides that were kept, without the name and place of each instance.
    pub kept: usize,
    /// What did not fit and is gone, or was put elsewhere.
    pub dropped: Vec<String>,
    /// Ids by which files that use this prefab knew things inside of the instances, and which lead
    /// nowhere now.
    pub lost: Vec<FileId>,
}

/// Which id of the new prefab stands for which of the old one.
struct Fit {
    /// All of the old prefab.
    old: Vec<FileId>,
    ids: HashMap<FileId, FileId>,
    old_name: String,
    new_name: String,
    /// The root and its transform, in the old prefab and in the new one.
    roots: [(FileId, FileId); 2],
}

impl Fit {
    fn new(old: &Hierarchy, new: &Hierarchy) -> Result<Fit, Refusal> {
        let root = |tree: &Hierarchy, which: &str| -> Result<(String, FileId, FileId), Refusal> {
            let roots = tree.roots();
            let root = roots.first().filter(|root| root.opaque().is_none());
            let found = root.and_then(|root| {
                let transform = root.components().first()?.file_id();
                Some((root.name().into_owned(), root.file_id()?, transform))
            });
            found.ok_or_else(|| Refusal::new(format!("the {which} prefab has no root")))
        };
        let (old_name, old_root, old_transform) = root(old, "old")?;
        let (new_name, new_root, new_transform) = root(new, "new")?;
        let known = keys(new);
        let old_keys = keys(old);
        let matched = old_keys.iter().filter_map(|(key, id)| Some((*id, *known.get(key)?)));
        let mut ids: HashMap<FileId, FileId> = matched.collect();
        let old = old_keys.into_values().collect();
        // Both are where the instance is, even if one of them is for user interfaces.
        ids.insert(old_root, new_root);
        ids.insert(old_transform, new_transform);
        let roots = [(old_root, old_transform), (new_root, new_transform)];
        Ok(Fit { old, ids, old_name, new_name, roots })
    }
}

/// An object by its path below the root; a component also by its class and number.
type Key = (String, Option<(ClassId, Option<Reference>, usize)>);

fn keys(tree: &Hierarchy) -> HashMap<Key, FileId> {
    let mut keys = HashMap::new();
    for node in tree.objects() {
        let path = below_root(&node);
        if let Some(id) = node.file_id() {
            keys.insert((path.clone(), None), id);
        }
        let mut counts: HashMap<(ClassId, Option<Reference>), usize> = HashMap::new();
        for component in node.components() {
            let class = (component.class_id(), component.script());
            let number = counts.entry(class).or_default();
            keys.insert((path.clone(), Some((class.0, class.1, *number))), component.file_id());
            *number += 1;
        }
    }
    keys
}

fn below_root(node: &Node<'_>) -> String {
    let depth = node.depth();
    if depth == 0 {
        return String::new();
    }
    let path = path_of(node);
    let Some(root) = node.ancestors().last() else { return path };
    path.strip_prefix(&path_of(&root)).unwrap_or(&path).to_owned()
}

impl Editor<'_> {
    /// Make the instances of the prefab `old` in this file ones of the prefab at `new`. Without
    /// `keep` only where they are and what they are called stays.
    pub fn replace_prefab(
        &mut self,
        old: Guid,
        new: &str,
        keep: bool,
    ) -> Result<Replaced, Refusal> {
        let of_old = |object: &Object<'_>| {
            object.class_id() == ClassId::PREFAB_INSTANCE
                && edit::overrides::source(*object).is_some_and(|to| to.guid == Some(old))
        };
        let found = self.sheet.objects().filter(of_old).map(|object| object.file_id());
        let instances: Vec<FileId> = found.collect();
        let mut replaced = Replaced::default();
        if instances.is_empty() {
            return Ok(replaced);
        }
        self.refuse_if_old()?;
        let (guid, new_tree) = self.prefab(new)?;
        let old_tree = self.expander.expand(old);
        let old_tree = old_tree
            .map_err(|why| Refusal::new(format!("the old prefab cannot be read: {why}")))?;
        let fit = Fit::new(&old_tree, &new_tree)?;
        for instance in instances {
            self.replace_one(instance, guid, &fit, keep, &mut replaced)?;
        }
        Ok(replaced)
    }

    fn replace_one(
        &mut self,
        instance: FileId,
        guid: Guid,
        fit: &Fit,
        keep: bool,
        replaced: &mut Replaced,
    ) -> Result<(), Refusal> {
        let [(old_root, _), (new_root, _)] = fit.roots;
        let path = self.root_of_instance(instance, old_root)?;
        self.settle_added(instance, fit, &path, replaced)?;
        let outer =
            |editor: &Self, target: FileId| editor.id_of(Stated::Override { instance, target });
        let before: Vec<FileId> = fit.old.iter().map(|id| outer(self, *id)).collect();
        self.refit_overrides(instance, guid, fit, keep, &path, replaced)?;
        self.refit_removed(instance, guid, fit, keep, &path, replaced)?;
        self.refit_stand_ins(instance, guid, fit, &path, replaced)?;
        if self.kind == FileKind::Prefab {
            let now: HashSet<FileId> = fit.ids.values().map(|id| outer(self, *id)).collect();
            replaced.lost.extend(before.into_iter().filter(|id| !now.contains(id)));
        }
        self.sources.clear();
        self.forget_tree();
        replaced.instances.push(self.root_of_instance(instance, new_root)?);
        Ok(())
    }

    fn root_of_instance(&mut self, instance: FileId, root: FileId) -> Result<String, Refusal> {
        let at = Stated::Override { instance, target: root };
        let id = self.id_of(at);
        Ok(self.find_id(id)?.path)
    }

    /// What was added to something that the new prefab lacks: objects go below the root, components
    /// go away.
    fn settle_added(
        &mut self,
        instance: FileId,
        fit: &Fit,
        path: &str,
        replaced: &mut Replaced,
    ) -> Result<(), Refusal> {
        let fits = |node: &Node<'_>| match node.stated() {
            Some(Stated::Override { target, .. }) => fit.ids.contains_key(&target),
            _ => true,
        };
        let tree = self.tree().clone();
        let (mut objects, mut components) = (Vec::new(), Vec::new());
        for node in tree.objects() {
            let is_inside = |node: &Node<'_>| node.outer_instance() == Some(instance);
            if !is_inside(&node) {
                let parent = node.parent().filter(|parent| is_inside(parent) && !fits(parent));
                if let (Some(_), Some(id)) = (parent, node.file_id()) {
                    objects.push((path_of(&node), id));
                }
                continue;
            }
            if fits(&node) {
                continue;
            }
            let own = node.components().into_iter().filter_map(|held| match held.stated() {
                Stated::Here(id) => Some(id),
                Stated::Override { .. } => None,
            });
            let Some(id) = node.file_id() else { continue };
            components.extend(own.map(|held| (path_of(&node), id, held)));
        }
        for (shown, id) in objects {
            self.reparent(&format!("#{id}"), Some(path), None, true)?;
            replaced.dropped.push(format!("{shown} is now right below {path}"));
        }
        for (shown, id, held) in components {
            let done = self.remove_component(&format!("#{id}"), &format!("#{held}"))?;
            let class = done.component.map(|(class, _)| class).unwrap_or_default();
            replaced.dropped.push(format!("{class}, which was added to {shown}"));
        }
        Ok(())
    }

    fn refit_overrides(
        &mut self,
        instance: FileId,
        guid: Guid,
        fit: &Fit,
        keep: bool,
        path: &str,
        replaced: &mut Replaced,
    ) -> Result<(), Refusal> {
        let object = self.sheet.object(instance);
        let gone = || Refusal::new(format!("the file has no instance #{instance}"));
        let object = object.ok_or_else(gone)?;
        let list = object.get("m_Modification.m_Modifications");
        let entries: Vec<Entry> =
            list.into_iter().flat_map(Value::items).filter_map(Entry::read).collect();
        let was_sorted = entries.is_sorted_by_key(|entry| entry.target);
        let mut kept: Vec<Override> = Vec::new();
        for entry in entries {
            let always = self.is_kept(instance, entry.target, &entry.path);
            let target = fit.ids.get(&entry.target).copied();
            let (Some(target), true) = (target, keep || always) else {
                replaced.dropped.push(format!("{} of {path}", entry.path));
                continue;
            };
            replaced.kept += usize::from(!always);
            let value = match (&entry.value, entry.path == "m_Name" && always) {
                // A name that nobody chose is the new prefab's.
                (New::Number(name), true) if *name == fit.old_name => {
                    New::Text(fit.new_name.clone())
                }
                (value, _) => value.clone(),
            };
            kept.push(Override { target, path: entry.path, value });
        }
        if was_sorted {
            kept.sort_by_key(|change| change.target);
        }
        let source = Reference { file_id: FileId::PREFAB, guid: Some(guid), kind: 3 };
        self.edit(instance, |object, manner, edits| {
            let items =
                kept.iter().map(|change| Item::New(override_entry(change, source, *manner)));
            let items: Vec<Item> = items.collect();
            edit::set_list(object, "m_Modification.m_Modifications", &items, manner, edits)?;
            edit::set(object, "m_SourcePrefab", &New::Reference(source), manner, edits)
        })
    }

    /// What the instance removes and what it adds to, by the ids of the new prefab.
    fn refit_removed(
        &mut self,
        instance: FileId,
        guid: Guid,
        fit: &Fit,
        keep: bool,
        path: &str,
        replaced: &mut Replaced,
    ) -> Result<(), Refusal> {
        let lists = [
            ("m_Modification.m_RemovedComponents", None),
            ("m_Modification.m_RemovedGameObjects", None),
            ("m_Modification.m_AddedGameObjects", Some("targetCorrespondingSourceObject")),
            ("m_Modification.m_AddedComponents", Some("targetCorrespondingSourceObject")),
        ];
        for (key, inner) in lists {
            let mut dropped = 0;
            self.edit(instance, |object, manner, edits| {
                let Some(list) = object.get(key) else { return Ok(()) };
                let mut items = Vec::new();
                for (at, item) in list.items().enumerate() {
                    let place = match inner {
                        Some(inner) => item.get(inner),
                        None => Some(item),
                    };
                    let to = place.and_then(Value::as_reference);
                    let target = to.and_then(|to| fit.ids.get(&to.file_id).copied());
                    let Some(target) = target.filter(|_| keep || inner.is_some()) else {
                        dropped += 1;
                        continue;
                    };
                    let new = Reference { file_id: target, guid: Some(guid), kind: 3 };
                    items.push(refitted(item, at, inner, new));
                }
                edit::set_list(object, key, &items, manner, edits)
            })?;
            if dropped > 0 {
                let what = key.trim_start_matches("m_Modification.m_");
                replaced.dropped.push(format!("{dropped} of {what} of {path}"));
            }
        }
        Ok(())
    }

    /// Stripped objects stand for the same things of the new prefab; those that stand for nothing go.
    fn refit_stand_ins(
        &mut self,
        instance: FileId,
        guid: Guid,
        fit: &Fit,
        path: &str,
        replaced: &mut Replaced,
    ) -> Result<(), Refusal> {
        let of_it = |((of, inside), id): (&(FileId, FileId), &FileId)| {
            (*of == instance).then_some((*inside, *id))
        };
        let mut all: Vec<(FileId, FileId)> = self.stand_ins.iter().filter_map(of_it).collect();
        all.sort_unstable();
        self.stand_ins.retain(|(of, _), _| *of != instance);
        let mut gone = Vec::new();
        for (inside, id) in all {
            let Some(target) = fit.ids.get(&inside).copied() else {
                gone.push(id);
                continue;
            };
            let new = New::Reference(Reference { file_id: target, guid: Some(guid), kind: 3 });
            self.edit(id, |object, manner, edits| {
                let keys = ["m_CorrespondingSourceObject", "m_PrefabParentObject"];
                let key = keys.into_iter().find(|key| object.get(key).is_some());
                edit::set(object, key.unwrap_or(keys[0]), &new, manner, edits)
            })?;
            self.stand_ins.insert((instance, target), id);
        }
        if gone.is_empty() {
            return Ok(());
        }
        let told = self.references_to(&gone);
        for id in &gone {
            self.sheet.remove(*id);
        }
        self.clear_references(&gone)?;
        let said = told.into_iter().map(|place| format!("the reference to {path} in {place}"));
        replaced.dropped.extend(said);
        Ok(())
    }
}

/// An entry of `m_Modifications`.
pub(super) struct Entry {
    pub(super) target: FileId,
    pub(super) path: String,
    /// The value as it is spelled.
    pub(super) value: New,
    /// What that says, when it is no reference.
    pub(super) text: String,
    /// What it refers to, when it does.
    pub(super) reference: Reference,
}

impl Entry {
    pub(super) fn read(item: Value<'_>) -> Option<Entry> {
        let reference = item.get("objectReference")?.as_reference()?;
        let value = match reference.is_null() {
            false => New::Reference(reference),
            true => {
                let raw = item.get("value").map(|value| value.raw_bytes().to_vec());
                let raw = String::from_utf8(raw.unwrap_or_default()).ok()?;
                if raw.is_empty() { New::Text(raw) } else { New::Number(raw) }
            }
        };
        let target = item.get("target")?.as_reference()?.file_id;
        let path = item.get("propertyPath")?.text().into_owned();
        let text = item.get("value").map(|value| value.text().into_owned()).unwrap_or_default();
        Some(Entry { target, path, value, text, reference })
    }
}

/// An item of a list that names an object of the prefab, with that of the new one.
fn refitted(item: Value<'_>, at: usize, inner: Option<&str>, new: Reference) -> Item {
    let Some(inner) = inner else { return Item::New(New::Reference(new)) };
    let field = |(key, value): (std::borrow::Cow<'_, str>, Value<'_>)| {
        let value = match (key == inner, value.as_reference()) {
            (true, _) => New::Reference(new),
            (false, Some(to)) => New::Reference(to),
            (false, None) => New::Number(value.text().into_owned()),
        };
        (key.into_owned(), value)
    };
    match item.fields().next() {
        Some(_) => Item::New(New::Map(item.fields().map(field).collect())),
        None => Item::Old(at),
    }
}
