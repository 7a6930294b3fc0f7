//! Who is in whom, and in which order: the lists of children and roots, and the objects that stand
//! for what is inside an instance.

use super::{Editor, FileKind, Refusal, Seen};
use crate::edit::address::Part;
use crate::edit::{self, Inner, Item, ListChanges, New};
use crate::hierarchy::{Node, Stated};
use crate::types::Version;
use crate::{ClassId, Document, FileId, Object, Reference};

/// What orders the roots of a scene, since 2022.2.
pub(super) fn scene_roots(document: &Document) -> Option<FileId> {
    let mut objects = document.objects().rev();
    Some(objects.find(|object| object.class_id() == ClassId::SCENE_ROOTS)?.file_id())
}

/// Whether a file numbers what hangs beside each other.
pub(super) fn is_numbered(document: &Document, version: Version) -> bool {
    let is_transform =
        |object: &Object<'_>| object.class_id().is_a(ClassId::TRANSFORM) && !object.is_stripped();
    if scene_roots(document).is_some() {
        return false;
    }
    match document.objects().find(is_transform) {
        Some(first) => first.glance("m_RootOrder").is_some(),
        None => {
            // Without a transform of its own, the lists of its instances tell: who has them numbers nothing.
            let mut instances =
                document.objects().filter(|it| it.class_id() == ClassId::PREFAB_INSTANCE);
            if let Some(instance) = instances.next() {
                return instance.get("m_Modification.m_AddedGameObjects").is_none();
            }
            let tree = crate::types::tree(ClassId::TRANSFORM, version);
            tree.is_some_and(|tree| tree.child("m_RootOrder").is_some())
        }
    }
}

/// Which way the others go where something came or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shift {
    Back,
    Forth,
}

/// Whether a list has the order of what hangs beside each other, and not the numbers alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listed {
    Yes,
    No,
}

/// Something that hangs in the hierarchy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    /// What states its place: a transform, or that of the prefab's root.
    pub(super) transform: Stated,
    /// The instance, where it is the root of one.
    pub(super) instance: Option<FileId>,
}

impl Child {
    pub(super) fn of(seen: &Seen) -> Result<Child, Refusal> {
        Ok(Child { transform: seen.transform()?.at, instance: seen.root_of })
    }
}

impl Editor<'_> {
    /// The parent that a change names; none for the root of the scene.
    pub(super) fn parent_named(&mut self, path: &str) -> Result<Option<Seen>, Refusal> {
        if !path.trim_matches('/').is_empty() {
            return self.find_whole(path).map(Some);
        }
        match self.kind {
            FileKind::Scene => Ok(None),
            _ => {
                let roots = self.tree().roots();
                let root = roots.first().map(|root| root.name().into_owned());
                let text = "a prefab has one root, and nothing can be beside it";
                let hint = format!("name a parent, such as {}", root.unwrap_or_default());
                Err(Refusal::new(text).hint(hint))
            }
        }
    }

    /// Put something among the children of a parent: last, unless a place is given. What hangs
    /// elsewhere must be taken from there first. Returns its place, and whether that is the last one.
    pub(super) fn hang(
        &mut self,
        child: Child,
        parent: Option<&Seen>,
        index: Option<usize>,
    ) -> Result<(usize, bool), Refusal> {
        let (at, order) = self.make_room(child, parent, index)?;
        let is_last = order.len() == 1;
        let place = (!is_last).then_some(at);
        let Some(parent) = parent else {
            self.set_father(child, FileId::NULL)?;
            if let Some(roots) = self.roots {
                let handle = child.instance.unwrap_or_else(|| self.id_of(child.transform));
                self.list_in(roots, "m_Roots", handle, place)?;
            }
            self.number(&order[..1], at)?;
            self.shift(&order[1..], at + 1, Shift::Back, Listed::No)?;
            return Ok((at, is_last));
        };
        let transform = parent.transform()?.at;
        let father = self.handle(transform)?;
        self.set_father(child, father)?;
        let mut number = at as i64;
        match transform {
            Stated::Here(holder) => {
                let handle = self.handle(child.transform)?;
                self.list_in(holder, "m_Children", handle, place)?;
            }
            // Where nothing lists it, nothing stands for it either.
            Stated::Override { instance, .. } if !self.has_list(instance, "m_AddedGameObjects") => {
            }
            Stated::Override { instance, target } => {
                let handle = self.handle(child.transform)?;
                let (place, behind) = self.place_in_instance(instance, at, &order);
                let list = "m_AddedGameObjects";
                self.add_to_instance(instance, list, target, handle, (place, behind))?;
                number = place;
            }
        }
        self.number_one(child.transform, number)?;
        self.shift(&order[1..], at + 1, Shift::Back, Listed::Yes)?;
        Ok((at, is_last))
    }

    /// Let something hang where another thing of the file did, with its number. Lists of children go on
    /// by the id that the other one had, under which something stands for the new one now.
    pub(super) fn hang_instead(
        &mut self,
        before: FileId,
        child: Child,
        parent: Option<&Seen>,
        number: Option<i64>,
    ) -> Result<(), Refusal> {
        let father = match parent {
            Some(parent) => self.handle(parent.transform()?.at)?,
            None => FileId::NULL,
        };
        self.set_father(child, father)?;
        if let (None, Some(roots)) = (parent, self.roots) {
            let handle = child.instance.unwrap_or_else(|| self.id_of(child.transform));
            self.edit(roots, |object, manner, edits| {
                let list = object.get("m_Roots");
                let items = list.into_iter().flat_map(crate::Value::items).enumerate();
                let items: Vec<Item> = items
                    .map(|(at, item)| match item.as_reference().map(|to| to.file_id) {
                        Some(id) if id == before => Item::New(New::local(handle)),
                        _ => Item::Old(at),
                    })
                    .collect();
                edit::set_list(object, "m_Roots", &items, manner, edits)
            })?;
        }
        number.map_or(Ok(()), |number| self.number_one(child.transform, number))
    }

    /// At which place something comes to hang, and what hangs there from then on, itself first. What is
    /// new and comes last moves nobody, so nobody else is looked at.
    fn make_room(
        &mut self,
        child: Child,
        parent: Option<&Seen>,
        index: Option<usize>,
    ) -> Result<(usize, Vec<Option<Stated>>), Refusal> {
        let id = self.id_of(child.transform);
        let tree = self.tree_and_came();
        let is_new = match child.instance {
            Some(instance) => !tree.has_instance(instance),
            None => tree.find_by_id(id).is_none(),
        };
        if is_new {
            let count = self.count_in(parent);
            if index.is_none_or(|index| index >= count) {
                return Ok((count, vec![Some(child.transform)]));
            }
        }
        let mut order = self.order(parent)?;
        order.retain(|other| *other != Some(child.transform));
        let at = index.unwrap_or(order.len()).min(order.len());
        order.insert(at, Some(child.transform));
        Ok((at, order.split_off(at)))
    }

    /// The number that an instance has for something new at a place, and what was added to it and comes
    /// behind: behind all that the prefab has, only the order of the list counts.
    fn place_in_instance(
        &self,
        instance: FileId,
        at: usize,
        order: &[Option<Stated>],
    ) -> (i64, Option<FileId>) {
        let behind = order.get(1..).unwrap_or_default();
        let is_added = |other: &Option<Stated>| match other {
            Some(Stated::Override { instance: other, .. }) => *other != instance,
            other => other.is_some(),
        };
        match behind.iter().all(is_added) {
            true => (-1, behind.iter().flatten().next().map(|next| self.id_of(*next))),
            false => (at as i64, None),
        }
    }

    /// Take something from where it hangs.
    pub(super) fn unhang(&mut self, child: Child, parent: Option<&Seen>) -> Result<(), Refusal> {
        let mut order = self.order(parent)?;
        let at = order.iter().position(|other| *other == Some(child.transform)).unwrap_or(0);
        order.retain(|other| *other != Some(child.transform));
        let own = self.id_of(child.transform);
        let handles = [Some(own), child.instance];
        match parent {
            None => {
                if let Some(roots) = self.roots {
                    self.list_out(roots, "m_Roots", &handles)?;
                }
            }
            Some(parent) => match parent.transform()?.at {
                Stated::Here(holder) => self.list_out(holder, "m_Children", &handles)?,
                Stated::Override { instance, .. } => {
                    self.drop_added(instance, &[own])?;
                }
            },
        }
        let listed = if parent.is_some() { Listed::Yes } else { Listed::No };
        self.shift(&order[at.min(order.len())..], at, Shift::Forth, listed)
    }

    /// At which place something hangs in a parent.
    pub(super) fn place_of(
        &mut self,
        seen: &Seen,
        parent: Option<&Seen>,
    ) -> Result<Option<usize>, Refusal> {
        let transform = Some(seen.transform()?.at);
        Ok(self.order(parent)?.iter().position(|other| *other == transform))
    }

    /// How many hang in a parent.
    pub(super) fn count_in(&mut self, parent: Option<&Seen>) -> usize {
        let parent = parent.map(|parent| self.id_of(parent.at));
        let in_tree = match self.came.counted(parent) {
            Some(count) => count,
            None => {
                let count = self.nodes_in(parent).len();
                self.came.count(parent, count);
                count
            }
        };
        in_tree + self.came.count_of(parent)
    }

    /// The transforms of what hangs in a parent, in order; nothing for what cannot be looked into.
    fn order(&mut self, parent: Option<&Seen>) -> Result<Vec<Option<Stated>>, Refusal> {
        let parent = parent.map(|parent| self.id_of(parent.at));
        let transform = |node: &Node<'_>| {
            let components = node.components();
            let held = components.iter().find(|held| held.class_id().is_a(ClassId::TRANSFORM));
            match node.opaque() {
                Some(_) => node.closed_transform().map(|transform| transform.stated()),
                None => held.map(|held| held.stated()),
            }
        };
        let mut order: Vec<Option<Stated>> = self.nodes_in(parent).iter().map(transform).collect();
        let came = self.came.children(parent);
        order.extend(came.map(|seen| Some(seen.transform().ok()?.at)));
        Ok(order)
    }

    fn set_father(&mut self, child: Child, father: FileId) -> Result<(), Refusal> {
        let (holder, path) = match (child.instance, child.transform) {
            (Some(instance), _) => (instance, "m_Modification.m_TransformParent"),
            (None, Stated::Here(transform)) => (transform, "m_Father"),
            (None, Stated::Override { .. }) => {
                let text = "objects inside a prefab instance stay where the prefab has them";
                return Err(Refusal::new(text).hint("move it in the prefab itself"));
            }
        };
        self.edit(holder, |object, manner, edits| {
            edit::set(object, path, &New::local(father), manner, edits)
        })
    }

    /// Files from before 2022.2 number what hangs beside each other: these from the first one on.
    pub(super) fn number(&mut self, order: &[Option<Stated>], first: usize) -> Result<(), Refusal> {
        for (at, transform) in (first..).zip(order) {
            if let Some(transform) = transform {
                self.number_one(*transform, at as i64)?;
            }
        }
        Ok(())
    }

    fn number_one(&mut self, transform: Stated, number: i64) -> Result<(), Refusal> {
        let has_it = self.is_numbered
            && match transform {
                Stated::Here(id) => {
                    self.sheet.object(id).is_some_and(|object| object.get("m_RootOrder").is_some())
                }
                // Of a model nothing is known but what the instance says of it.
                Stated::Override { instance, target } => {
                    self.number_of(transform).is_some()
                        || self.root_ids(instance).is_some_and(|(_, root)| root == target)
                }
            };
        if has_it {
            let path = [Part::Key("m_RootOrder".to_owned())];
            let is_changed = self.put(transform, &path, &New::int(number))?;
            if let (true, Stated::Override { instance, .. }) = (is_changed, transform) {
                self.note_number(instance);
            }
        }
        Ok(())
    }

    /// Number those behind something that came or went, the first of which hangs at a place now. Numbers
    /// that were not those of their places, as files of several versions have them, stay what they are,
    /// unless they alone tell the order and would tell another one.
    fn shift(
        &mut self,
        order: &[Option<Stated>],
        first: usize,
        shift: Shift,
        listed: Listed,
    ) -> Result<(), Refusal> {
        if !self.is_numbered {
            return Ok(());
        }
        let mut last = (shift == Shift::Back).then_some(first as i64 - 1);
        for (at, transform) in (first as i64..).zip(order) {
            let Some(transform) = *transform else { continue };
            let before = match shift {
                Shift::Back => at - 1,
                Shift::Forth => at + 1,
            };
            let now = self.number_of(transform);
            let is_kept = |now: &i64| {
                *now != before && (listed == Listed::Yes || last.is_none_or(|last| *now > last))
            };
            let kept = now.filter(is_kept);
            if kept.is_none() {
                self.number_one(transform, at)?;
            }
            last = Some(kept.unwrap_or(at));
        }
        Ok(())
    }

    /// The number that the file has for the place of something.
    pub(super) fn number_of(&self, transform: Stated) -> Option<i64> {
        match transform {
            Stated::Here(id) => self.sheet.object(id)?.get("m_RootOrder")?.as_i64(),
            Stated::Override { instance, target } => {
                let mut entries = self.entries_of(instance).into_iter();
                let is_it = |path: &str, of: FileId| path == "m_RootOrder" && of == target;
                match entries.rfind(|entry| is_it(&entry.path, entry.target))?.value {
                    New::Number(text) | New::Text(text) => text.parse().ok(),
                    _ => None,
                }
            }
        }
    }

    /// Put something into a list: last, unless a place is given.
    fn list_in(
        &mut self,
        holder: FileId,
        path: &str,
        handle: FileId,
        at: Option<usize>,
    ) -> Result<(), Refusal> {
        let Some(at) = at else {
            let pushed = self.sheet.push_item(holder, path, New::local(handle));
            return pushed.map_err(|refused| Refusal::new(refused.to_string()));
        };
        self.edit(holder, |object, manner, edits| {
            let count = object.get(path).map_or(0, |list| list.items().count());
            let mut items: Vec<Item> = (0..count).map(Item::Old).collect();
            items.insert(at.min(count), Item::New(New::local(handle)));
            edit::set_list(object, path, &items, manner, edits)
        })
    }

    fn list_out(
        &mut self,
        holder: FileId,
        path: &str,
        handles: &[Option<FileId>],
    ) -> Result<(), Refusal> {
        self.edit(holder, |object, manner, edits| {
            let Some(list) = object.get(path) else { return Ok(()) };
            let goes = |item: crate::Value<'_>| {
                item.as_reference().is_some_and(|to| handles.contains(&Some(to.file_id)))
            };
            let kept = list.items().enumerate().filter(|(_, item)| !goes(*item));
            let items: Vec<Item> = kept.map(|(at, _)| Item::Old(at)).collect();
            edit::set_list(object, path, &items, manner, edits)
        })
    }

    /// Note in an instance what the file adds to an object inside. Files from before 2022.2 have no
    /// such list.
    pub(super) fn add_to_instance(
        &mut self,
        instance: FileId,
        list: &str,
        target: FileId,
        added: FileId,
        (place, next): (i64, Option<FileId>),
    ) -> Result<(), Refusal> {
        if self.source_of(instance).is_none() {
            return Ok(());
        }
        let entry = vec![(target, added, place)];
        let changes = match list {
            "m_AddedGameObjects" => {
                ListChanges { added_objects: entry, next, ..ListChanges::default() }
            }
            _ => ListChanges { added_components: entry, next, ..ListChanges::default() },
        };
        self.change_lists(instance, &changes)
    }

    /// Change the lists of an instance.
    pub(super) fn change_lists(
        &mut self,
        instance: FileId,
        changes: &ListChanges,
    ) -> Result<(), Refusal> {
        // What goes from a list can go without a source as well.
        let nothing = Reference { file_id: FileId::NULL, guid: None, kind: 0 };
        let source = self.source_of(instance).unwrap_or(nothing);
        self.edit(instance, |object, manner, edits| {
            edit::change_lists(object, source, changes, manner, edits)
        })
    }

    pub(super) fn has_list(&self, instance: FileId, list: &str) -> bool {
        let path = format!("m_Modification.{list}");
        self.sheet.object(instance).is_some_and(|it| it.get(&path).is_some())
    }

    /// Forget in an instance what the file added to it.
    pub(super) fn drop_added(&mut self, instance: FileId, added: &[FileId]) -> Result<(), Refusal> {
        let dropped = added.iter().copied().collect();
        self.change_lists(instance, &ListChanges { dropped, ..ListChanges::default() })
    }

    /// What references of the file call something.
    pub(super) fn handle(&mut self, at: Stated) -> Result<FileId, Refusal> {
        match at {
            Stated::Here(id) => Ok(id),
            Stated::Override { instance, target } => {
                let id = self.id_of(at);
                self.stand_in(instance, target, id)
            }
        }
    }

    /// The stripped object that stands for one inside an instance.
    pub(super) fn stand_in(
        &mut self,
        instance: FileId,
        target: FileId,
        by_rule: FileId,
    ) -> Result<FileId, Refusal> {
        if let Some(known) = self.stand_ins.get(&(instance, target)) {
            return Ok(*known);
        }
        let unknown = || Refusal::new("the prefab of this instance is not here");
        let source = self.source_of(instance).ok_or_else(unknown)?;
        let (class, script) = self.class_inside(instance, target).ok_or_else(unknown)?;
        let key = self.key_of(class).unwrap_or("GameObject").to_owned();
        let id = self.stand_in_id(instance, by_rule);
        let inner = Inner { instance, target, class, key, script };
        self.sheet.add(&inner.stripped(id, source, self.is_old));
        self.stand_ins.insert((instance, target), id);
        self.note_stand_in(id, instance, target);
        Ok(id)
    }

    /// The class of something inside an instance; in a model as far as its overrides tell.
    fn class_inside(
        &mut self,
        instance: FileId,
        target: FileId,
    ) -> Option<(ClassId, Option<Reference>)> {
        let Some(tree) = self.source(instance) else {
            return Some((self.class_known(instance, target)?, None));
        };
        let Some(node) = tree.find_by_id(target).filter(|node| node.opaque().is_none()) else {
            return Some((self.class_at_root(instance, target)?, None));
        };
        let components = node.components();
        let held = components.iter().find(|held| held.file_id() == target);
        let class = held.map_or(ClassId::GAME_OBJECT, |held| held.class_id());
        Some((class, held.and_then(|held| held.script())))
    }

    /// In prefabs the rule gives the id, in scenes it is any that is free, near the instance.
    fn stand_in_id(&mut self, instance: FileId, by_rule: FileId) -> FileId {
        let near = (1..64).map(|more| FileId(instance.0 + more));
        let wanted: Vec<FileId> = match self.kind {
            FileKind::Scene => near.collect(),
            _ => vec![by_rule],
        };
        match wanted.into_iter().find(|id| self.sheet.take_id(*id)) {
            Some(id) => id,
            None => self.sheet.fresh_ids(&format!("{instance}/{by_rule}"), 1),
        }
    }
}
