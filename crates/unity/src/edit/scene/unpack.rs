//! Instances of prefabs that become plain objects of the file.
//!
//! One step puts the objects of the source's own file in the place of the instance: copied, with the
//! overrides of the instance in them. Instances that the source has become instances of this file, and
//! take over what the outer one said about them. So a variant becomes an instance of what it is a
//! variant of, and as many steps as prefabs are nested leave nothing but plain objects. Whatever
//! referred to something inside goes on doing so, since what stood for it gives it its id.

mod lists;
mod taken;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::copy::moved;
use super::delete::text_of;
use super::replace_source::Entry;
use super::{Done, Editor, FileKind, Refusal, own_instance};
use crate::edit::address::{self, path_of};
use crate::edit::{self, Item, New};
use crate::hierarchy::{Hierarchy, Node, Stated};
use crate::{ClassId, FileId, Object, Reference};

/// An instance while it is unpacked.
struct Unpacking {
    instance: FileId,
    source: Hierarchy,
    /// The instance itself, as it was.
    text: crate::Document,
    /// What the source's own file has and this file gets: the ids there and here.
    ids: HashMap<FileId, FileId>,
    /// The plain objects among that.
    objects: Vec<Plain>,
    /// Instances of the source.
    nested: BTreeSet<FileId>,
    /// Lists whose sizes the instance says, as they are with all that it says of them.
    lists: HashMap<(FileId, String), New>,
    /// What could not be taken over.
    lost: Vec<String>,
}

/// A plain object of the source, and what it has and holds here, in order.
struct Plain {
    object: FileId,
    transform: Option<FileId>,
    components: Vec<Stated>,
    children: Vec<Hanging>,
}

/// Something that hangs in an object.
enum Hanging {
    /// By its transform.
    At(Stated),
    /// An instance that cannot be looked into, as this file calls it.
    Closed(FileId),
}

impl Editor<'_> {
    /// Make plain objects of an instance of a prefab. Prefabs in it stay instances, unless all are to
    /// be unpacked; what was added to it as an instance stays one.
    pub fn unpack(&mut self, object: &str, completely: bool) -> Result<Done, Refusal> {
        let tree = self.tree().clone();
        let Some(node) = address::object(&tree, object) else { return Err(self.no_object(object)) };
        let path = path_of(&node);
        let instance = own_instance(&node).ok_or_else(|| no_instance(&node, &path))?;
        self.refuse_if_old()?;
        let mut remarks = Vec::new();
        let root = self.unpack_one(instance, &path, &mut remarks)?;
        let mut nested = root.1;
        while let Some(instance) = nested.pop().filter(|_| completely) {
            let shown = self.path_of_instance(instance);
            match self.source_of(instance).map(|source| self.readable(source)) {
                Some(Ok(())) => nested.extend(self.unpack_one(instance, &shown, &mut remarks)?.1),
                Some(Err(why)) => remarks.push(format!("{shown} stays an instance: {why}")),
                None => remarks.push(format!("{shown} stays an instance: it names no source")),
            }
        }
        let found = address::object(self.tree(), &path).and_then(|node| node.file_id());
        Ok(Done { path, id: found.or(Some(root.0)), changed: true, remarks, ..Done::default() })
    }

    fn readable(&self, source: Reference) -> Result<(), String> {
        let guid = source.guid.unwrap_or_default();
        self.expander.expand(guid).map(drop).map_err(|why| why.to_string())
    }

    fn path_of_instance(&mut self, instance: FileId) -> String {
        let is_in = |node: &Node<'_>| node.outer_instance() == Some(instance);
        let found = self.tree().objects().find(is_in).map(|node| path_of(&node));
        found.unwrap_or_else(|| format!("#{instance}"))
    }

    /// One step. Returns what the root is called now, and the instances that came.
    pub(super) fn unpack_one(
        &mut self,
        instance: FileId,
        path: &str,
        remarks: &mut Vec<String>,
    ) -> Result<(FileId, Vec<FileId>), Refusal> {
        let mut unpacking = self.unpacking(instance, path)?;
        self.name_all(&mut unpacking, path);
        let gone = self.settle_stand_ins(&unpacking)?;
        self.sheet.remove(instance);
        self.copy_all(&unpacking)?;
        for nested in &unpacking.nested {
            self.drop_stale(unpacking.ids[nested])?;
        }
        let root = self.hang_root(&unpacking)?;
        self.take_shape(&unpacking)?;
        self.take_values(&mut unpacking)?;
        self.forget_tree();
        self.relist_all(&unpacking)?;
        for id in &gone {
            self.sheet.remove(*id);
        }
        remarks.extend(self.clear_references(&gone)?);
        self.forget_tree();
        if let count @ 1.. = unpacking.lost.len() {
            let shown = unpacking.lost[..count.min(5)].join(", ");
            remarks
                .push(format!("{count} overrides of {path} found nothing and are gone: {shown}"));
        }
        let nested = unpacking.nested.iter().map(|nested| unpacking.ids[nested]).collect();
        Ok((root, nested))
    }

    /// What an instance has of its prefab here.
    fn unpacking(&mut self, instance: FileId, path: &str) -> Result<Unpacking, Refusal> {
        let source = self.source_of(instance);
        let guid = source.and_then(|source| source.guid);
        let guid = guid.ok_or_else(|| Refusal::new(format!("{path} names no prefab")))?;
        let source = self.expander.expand(guid).map_err(|why| {
            let text = format!("{path} cannot be unpacked: {why}");
            Refusal::new(text).hint("only instances of prefabs that are here as text can be")
        })?;
        let object = self.sheet.object(instance);
        let object = object.ok_or_else(|| Refusal::new(format!("there is no #{instance}")))?;
        let text = crate::Document::parse(text_of(object.document(), object));
        let mut unpacking = Unpacking {
            instance,
            source,
            text,
            ids: HashMap::new(),
            objects: Vec::new(),
            nested: BTreeSet::new(),
            lists: HashMap::new(),
            lost: Vec::new(),
        };
        unpacking.lists = self.sized_lists(&unpacking);
        let tree = self.tree().clone();
        let root = tree.objects().find(|node| node.outer_instance() == Some(instance));
        let root = root.ok_or_else(|| Refusal::new(format!("nothing is inside of {path}")))?;
        unpacking.survey(root);
        Ok(unpacking)
    }

    /// Give everything that comes its id: that of what stood for it, or a new one.
    fn name_all(&mut self, unpacking: &mut Unpacking, path: &str) {
        let mut wanted: Vec<FileId> = unpacking.ids.keys().copied().collect();
        wanted.sort_unstable();
        let instance = unpacking.instance;
        wanted.retain(|inner| match self.stand_ins.get(&(instance, *inner)) {
            Some(known) => unpacking.ids.insert(*inner, *known).is_none(),
            None => true,
        });
        if self.kind != FileKind::Scene {
            // As files that use this prefab know it.
            wanted.retain(|inner| {
                let by_rule = FileId((instance.0 ^ inner.0) & i64::MAX);
                let is_free = self.sheet.take_id(by_rule);
                if is_free {
                    unpacking.ids.insert(*inner, by_rule);
                }
                !is_free
            });
        }
        let first = self.sheet.fresh_ids(&format!("unpack/{path}"), wanted.len());
        unpacking.ids.extend(wanted.into_iter().zip((first.0..).map(FileId)));
    }

    /// What stood for something inside stands for it in the instance that it is in now, or makes
    /// room for it. Returns what stands for nothing.
    fn settle_stand_ins(&mut self, unpacking: &Unpacking) -> Result<Vec<FileId>, Refusal> {
        let Unpacking { instance, ids, .. } = unpacking;
        let is_of = |object: &Object<'_>| {
            let of = object.glance_reference("m_PrefabInstance");
            object.is_stripped() && of.is_some_and(|of| of.file_id == *instance)
        };
        let all: Vec<FileId> =
            self.sheet.objects().filter(is_of).map(|object| object.file_id()).collect();
        let known: HashMap<FileId, FileId> = self
            .stand_ins
            .iter()
            .filter(|((of, _), _)| of == instance)
            .map(|((_, inner), id)| (*id, *inner))
            .collect();
        self.stand_ins.retain(|(of, _), _| of != instance);
        let mut gone = Vec::new();
        for id in all {
            let inner = known.get(&id).copied();
            if inner.is_some_and(|inner| ids.contains_key(&inner)) {
                self.sheet.remove(id);
                continue;
            }
            match inner.and_then(|inner| unpacking.nested_place(inner)) {
                Some(place) => self.stand_for(id, unpacking, place)?,
                None => gone.push(id),
            }
        }
        Ok(gone)
    }

    /// Let a stripped object stand for something inside an instance that came.
    fn stand_for(
        &mut self,
        id: FileId,
        unpacking: &Unpacking,
        (nested, target): (FileId, FileId),
    ) -> Result<(), Refusal> {
        let instance = unpacking.ids[&nested];
        let object = unpacking.source.document().object(nested);
        let source = object.and_then(edit::overrides::source);
        let source = source.ok_or_else(|| Refusal::new(format!("#{nested} names no prefab")))?;
        let inside = New::Reference(Reference { file_id: target, ..source });
        self.edit(id, |object, manner, edits| {
            edit::set(object, "m_CorrespondingSourceObject", &inside, manner, edits)?;
            edit::set(object, "m_PrefabInstance", &New::local(instance), manner, edits)
        })?;
        self.stand_ins.insert((instance, target), id);
        Ok(())
    }

    fn copy_all(&mut self, unpacking: &Unpacking) -> Result<(), Refusal> {
        let source = &unpacking.source;
        let manner = self.sheet.manner();
        let mut all: Vec<(FileId, FileId)> =
            unpacking.ids.iter().map(|(inner, id)| (*id, *inner)).collect();
        all.sort_unstable();
        let kept: HashSet<FileId> = source.document().objects().map(|it| it.file_id()).collect();
        for (id, inner) in all {
            let Some(object) = source.document().object(inner) else { continue };
            if let Some(key) = stands_for(object) {
                let instance = unpacking.ids.get(&key.0).copied();
                self.stand_ins.insert((instance.unwrap_or_default(), key.1), id);
            }
            let text = text_of(object.document(), object).replace("\r\n", "\n");
            let text = moved(&modern(text), inner, id, manner, |to| {
                if to.guid.is_some() || to.is_null() {
                    return None;
                }
                Some(match unpacking.ids.get(&to.file_id) {
                    Some(now) => Reference { file_id: *now, ..to },
                    // What a prefab has beside its objects stays there.
                    None if kept.contains(&to.file_id) && !unpacking.is_part(to.file_id) => {
                        Reference { guid: Some(source.guid()), kind: 3, ..to }
                    }
                    None => self.inner_handle(unpacking, to),
                })
            });
            self.sheet.add_text(id, text.replace('\n', manner.line_break));
        }
        Ok(())
    }

    /// What a reference of the source to something that its file does not have itself is here.
    fn inner_handle(&self, unpacking: &Unpacking, to: Reference) -> Reference {
        let found = unpacking.nested_place(to.file_id);
        let known = found.map(|(nested, target)| {
            self.id_of(Stated::Override { instance: unpacking.ids[&nested], target })
        });
        Reference { file_id: known.unwrap_or(FileId::NULL), ..to }
    }

    /// Hang the root where the instance hung. Returns what it is called.
    fn hang_root(&mut self, unpacking: &Unpacking) -> Result<FileId, Refusal> {
        let before = unpacking.instance_object();
        let parent = before.and_then(|it| it.get("m_Modification.m_TransformParent"));
        let parent = parent.and_then(|to| to.as_reference()).map_or(FileId::NULL, |to| to.file_id);
        let lost = || Refusal::new("the prefab has no root");
        let (root, key) = unpacking.root().ok_or_else(lost)?;
        self.edit(root, |object, manner, edits| {
            edit::set(object, key, &New::local(parent), manner, edits)
        })?;
        let is_roots = |object: &Object<'_>| object.class_id() == ClassId::SCENE_ROOTS;
        let roots = self.sheet.objects().find(is_roots).map(|object| object.file_id());
        if let Some(roots) = roots {
            self.edit(roots, |object, manner, edits| {
                let Some(list) = object.get("m_Roots") else { return Ok(()) };
                let item = |(at, item): (usize, crate::Value<'_>)| {
                    let to = item.as_reference().map(|to| to.file_id);
                    match to == Some(unpacking.instance) {
                        true => Item::New(New::local(root)),
                        false => Item::Old(at),
                    }
                };
                let items: Vec<Item> = list.items().enumerate().map(item).collect();
                edit::set_list(object, "m_Roots", &items, manner, edits)
            })?;
        }
        Ok(root)
    }
}

impl Unpacking {
    /// Note what is left of the source here, and what hangs in what.
    fn survey(&mut self, root: Node<'_>) {
        let document = self.source.document();
        let own = |id: FileId| document.object(id).is_some_and(|object| !object.is_stripped());
        let (mut kept, mut entered) = (BTreeSet::new(), HashSet::new());
        let mut objects = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if node.outer_instance() != Some(self.instance) {
                continue;
            }
            entered.extend(node.prefab().map(|link| link.instance));
            let components: Vec<Stated> = node.components().iter().map(|it| it.stated()).collect();
            kept.extend(components.iter().filter_map(|at| self.inner(*at)).filter(|id| own(*id)));
            let children = node.children();
            let object = node.stated().and_then(|at| self.inner(at)).filter(|id| own(*id));
            if let Some(object) = object {
                kept.insert(object);
                let transform = node.components().into_iter().find(|it| {
                    it.class_id().is_a(ClassId::TRANSFORM) && self.inner(it.stated()).is_some()
                });
                let transform = transform.and_then(|it| self.inner(it.stated()));
                let children = children.iter().filter_map(Hanging::of).collect();
                objects.push(Plain { object, transform, components, children });
            }
            open.extend(children);
        }
        let is_kept = |object: &Object<'_>| {
            let top = FileId((self.instance.0 ^ object.file_id().0) & i64::MAX);
            entered.contains(&top) || is_root(*object)
        };
        let instances = document.objects().filter(|it| edit::overrides::source(*it).is_some());
        let instances = instances.filter(|it| it.class_id() == ClassId::PREFAB_INSTANCE);
        let nested: BTreeSet<FileId> =
            instances.filter(is_kept).map(|object| object.file_id()).collect();
        let stands = document.objects().filter(|object| {
            stands_for(*object).is_some_and(|(instance, _)| nested.contains(&instance))
        });
        kept.extend(stands.map(|object| object.file_id()));
        kept.extend(nested.iter().copied());
        self.ids = kept.into_iter().map(|id| (id, FileId::NULL)).collect();
        self.nested = nested;
        self.objects = objects;
    }

    /// The id in the source of something inside the instance.
    fn inner(&self, at: Stated) -> Option<FileId> {
        match at {
            Stated::Override { instance, target } if instance == self.instance => Some(target),
            _ => None,
        }
    }

    /// The instance of the source that has something, and what it is called in there; nothing for what
    /// is gone, which only the outer instance still speaks of.
    fn nested_place(&self, inner: FileId) -> Option<(FileId, FileId)> {
        match self.source.stated(inner).filter(|_| self.source.leads_somewhere(inner))? {
            Stated::Override { instance, target } if self.nested.contains(&instance) => {
                Some((instance, target))
            }
            _ => None,
        }
    }

    /// Whether the source has something in its hierarchy.
    fn is_part(&self, inner: FileId) -> bool {
        let document = self.source.document();
        document.object(inner).is_some_and(|object| {
            object.is_stripped()
                || object.class_id() == ClassId::GAME_OBJECT
                || object.class_id() == ClassId::PREFAB_INSTANCE
                || object.glance_reference("m_GameObject").is_some_and(|to| !to.is_null())
        })
    }

    fn instance_object(&self) -> Option<Object<'_>> {
        self.text.object_at(0)
    }

    /// The entries of its overrides.
    fn entries(&self) -> Vec<Entry> {
        let list = self.instance_object().and_then(|it| it.get("m_Modification.m_Modifications"));
        list.into_iter().flat_map(crate::Value::items).filter_map(Entry::read).collect()
    }

    /// What states where the root hangs, as this file calls it, and in which field.
    fn root(&self) -> Option<(FileId, &'static str)> {
        let document = self.source.document();
        let variant = self.nested.iter().find(|id| document.object(**id).is_some_and(is_root));
        if let Some(variant) = variant {
            return Some((self.ids[variant], "m_Modification.m_TransformParent"));
        }
        let roots = self.source.roots();
        let root = roots.first()?.file_id()?;
        let plain = self.objects.iter().find(|plain| plain.object == root)?;
        Some((*self.ids.get(&plain.transform?)?, "m_Father"))
    }
}

impl Hanging {
    fn of(node: &Node<'_>) -> Option<Hanging> {
        if node.opaque().is_some() {
            return node.prefab().map(|link| Hanging::Closed(link.instance));
        }
        let components = node.components();
        let held = components.iter().find(|held| held.class_id().is_a(ClassId::TRANSFORM))?;
        Some(Hanging::At(held.stated()))
    }
}

/// Whether an instance is the root of its prefab, which is a variant then.
fn is_root(instance: Object<'_>) -> bool {
    let parent = instance.get("m_Modification.m_TransformParent");
    instance.class_id() == ClassId::PREFAB_INSTANCE
        && parent.and_then(|to| to.as_reference()).is_some_and(|to| to.is_null())
}

/// The instance that a stripped object is of, and what it stands for there.
fn stands_for(object: Object<'_>) -> Option<(FileId, FileId)> {
    let to = |key: &str| object.glance_reference(key).map(|to| to.file_id);
    let is_one = object.is_stripped();
    is_one.then_some((to("m_PrefabInstance")?, to("m_CorrespondingSourceObject")?))
}

/// What Unity before 2018.3 wrote at the head of each object of a prefab, as it does since.
fn modern(text: String) -> String {
    if !text.contains("\n  m_PrefabInternal: ") {
        return text;
    }
    let line = |line: &str| -> String {
        if line.starts_with("  m_PrefabParentObject: ") {
            let keys = ["m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset"];
            return keys.map(|key| format!("  {key}: {{fileID: 0}}\n")).concat();
        }
        match line.trim_end() {
            // It hid what is below the root of a prefab.
            "  m_ObjectHideFlags: 1" => "  m_ObjectHideFlags: 0\n".to_owned(),
            _ if line.starts_with("  m_PrefabInternal: ") => String::new(),
            _ => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Why an object cannot be unpacked that is the root of no instance of the file.
fn no_instance(node: &Node<'_>, path: &str) -> Refusal {
    let Some(outer) = node.outer_instance() else {
        return Refusal::new(format!("{path} is no instance of a prefab"))
            .hint("prefab_overrides and scene_query tell which objects are");
    };
    let is_inside = |node: &Node<'_>| node.outer_instance() == Some(outer);
    let root = node.ancestors().take_while(is_inside).last();
    let root = root.map_or_else(|| path.to_owned(), |root| path_of(&root));
    Refusal::new(format!("{path} is inside of the instance {root}"))
        .hint(format!("unpack {root}, which is the instance that this file has"))
}
