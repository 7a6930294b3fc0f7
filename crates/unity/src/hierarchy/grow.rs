//! What came into the top file, taken into its tree in place.
//!
//! What comes is a tree of its own first, made of its text alone, and is hung into the other as a whole:
//! so nothing here says a second time how objects are linked. As in `patch`, the answer is false where the
//! tree is to be made anew, and then nothing was changed.

use std::sync::Arc;

use scenewright_text::Shared;

use super::frame::Content;
use super::instance::Instance;
use super::template::{Child, Parent, Slot, Template};
use super::{Hierarchy, link, read};
use crate::{Document, FileId};

/// Where something that came hangs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hung {
    /// The object that it is in; none for a root.
    pub(crate) parent: Option<FileId>,
    /// Its place among what hangs there then.
    pub(crate) place: usize,
    /// What its parent calls it, if it is the root of an instance.
    pub(crate) handle: FileId,
}

/// Whether siblings hang in the order that overrides state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// They were put so.
    Done,
    /// Nobody looked.
    Unknown,
}

impl Hierarchy {
    /// Whether it has an instance of the file itself.
    pub(crate) fn has_instance(&self, id: FileId) -> bool {
        let slot = self.top.template().and_then(|template| template.slot(id.0));
        matches!(slot, Some(Slot::Instance(_)))
    }

    /// Take in an object or an instance, by the text of everything that the file has of it.
    pub(crate) fn take_in(&mut self, text: &[u8], hung: Hung) -> bool {
        let guid = self.top.guid;
        let take_in = |template: &mut Template| {
            let more = Template::build(Arc::new(Document::parse(text)), guid);
            template.take_in(text, more, hung)
        };
        self.own().and_then(take_in).is_some()
    }

    /// Take in components of an object of the file, by their text; it has these now.
    pub(crate) fn take_components(
        &mut self,
        owner: FileId,
        text: &[u8],
        components: &[FileId],
    ) -> bool {
        let take = |template: &mut Template| {
            let index = template.object(owner)?;
            template.push_objects(text)?;
            template.objects[index].components = components.iter().map(|id| id.0).collect();
            Some(())
        };
        self.own().and_then(take).is_some()
    }

    /// Take in the overrides that an instance of the file has now. What orders siblings is not among those
    /// that changed, unless they hang in that order already.
    pub(crate) fn take_overrides(&mut self, instance: FileId, text: &[u8], order: Order) -> bool {
        let take = |template: &mut Template| {
            let Slot::Instance(index) = template.slot(instance.0)? else { return None };
            template.instances[index as usize].take_overrides(text, order)
        };
        self.own().and_then(take).is_some()
    }

    /// Take in what stands for something inside an instance.
    pub(crate) fn take_stand_in(
        &mut self,
        id: FileId,
        instance: FileId,
        target: FileId,
        text: &[u8],
    ) -> bool {
        let take = |template: &mut Template| {
            let Slot::Instance(index) = template.slot(instance.0)? else { return None };
            let is_new = template.slot(id.0).is_none();
            template.push_objects(text).filter(|()| is_new)?;
            template.give(id.0, Slot::StandIn { instance: index, source: target.0 });
            template.instances[index as usize].stand_in(target.0, id.0);
            Some(())
        };
        self.own().and_then(take).is_some()
    }

    /// What the tree was made of, unless somebody else looks at it.
    pub(super) fn own(&mut self) -> Option<&mut Template> {
        match &mut Arc::get_mut(&mut self.top)?.content {
            Content::Template(template) => Arc::get_mut(template),
            Content::Opaque(_) => None,
        }
    }
}

impl Template {
    fn take_in(&mut self, text: &[u8], more: Template, hung: Hung) -> Option<()> {
        let [top] = *more.roots.as_slice() else { return None };
        let parent = self.parent_of(hung)?;
        if more.slots.iter().any(|(id, _)| self.slot(*id).is_some()) {
            return None;
        }
        self.push_objects(text)?;
        let behind =
            Behind { objects: self.objects.len() as u32, instances: self.instances.len() as u32 };
        let top = behind.child(top);
        for (id, slot) in more.slots {
            self.give(id, behind.slot(slot));
        }
        for mut object in more.objects {
            object.parent = behind.parent(object.parent);
            object.children.iter_mut().for_each(|child| *child = behind.child(*child));
            self.objects.push(object);
        }
        for mut instance in more.instances {
            instance.parent = behind.parent(instance.parent);
            for added in &mut instance.added_children {
                added.what = behind.child(added.what);
            }
            self.instances.push(instance);
        }
        self.hang(top, parent, hung)
    }

    /// Let an id stand for something.
    fn give(&mut self, id: i64, slot: Slot) {
        let at = self.slots.partition_point(|(known, _)| *known < id);
        self.slots.insert(at, (id, slot));
    }

    /// Know the text of more objects. The file that the tree was made of stays as it is for all others.
    fn push_objects(&mut self, text: &[u8]) -> Option<()> {
        if Arc::get_mut(&mut self.document).is_none() {
            self.document = Arc::new(Document::parse(self.document.as_bytes()));
        }
        Arc::get_mut(&mut self.document)?.push_objects(text);
        Some(())
    }
}

impl Instance {
    /// Take the overrides of a text, unless it says more than other values.
    fn take_overrides(&mut self, text: &[u8], order: Order) -> Option<()> {
        let document = Document::parse(text);
        let raw = read::read_instance(document.object_at(0)?, 0, &mut Shared::default())?;
        let mut now = link::make_instance((&raw, &self.parent));
        now.take_lists(raw);
        let is_same = now.source == self.source
            && now.removed_components == self.removed_components
            && now.removed_objects == self.removed_objects
            && now.reorders == self.reorders
            && (order == Order::Done || now.orders().eq(self.orders()));
        is_same.then(|| self.modifications = now.modifications)
    }

    fn orders(&self) -> impl Iterator<Item = (i64, &str)> {
        let orders = self.modifications.iter().filter(|change| &*change.path == "m_RootOrder");
        orders.map(|change| (change.target, &*change.value))
    }

    fn stand_in(&mut self, inner: i64, outer: i64) {
        let at = self.stand_ins.partition_point(|(known, _)| *known < inner);
        self.stand_ins.insert(at, (inner, outer));
    }
}

/// The places of what comes behind all that there is.
#[derive(Clone, Copy)]
struct Behind {
    objects: u32,
    instances: u32,
}

impl Behind {
    fn child(self, child: Child) -> Child {
        match child {
            Child::Object(index) => Child::Object(index + self.objects),
            Child::Instance(index) => Child::Instance(index + self.instances),
        }
    }

    fn parent(self, parent: Parent) -> Parent {
        match parent {
            Parent::Root => Parent::Root,
            Parent::Object(index) => Parent::Object(index + self.objects),
            Parent::Inside { instance, source } => {
                Parent::Inside { instance: instance + self.instances, source }
            }
        }
    }

    fn slot(self, slot: Slot) -> Slot {
        match slot {
            Slot::Object(index) => Slot::Object(index + self.objects),
            Slot::Transform(index) => Slot::Transform(index + self.objects),
            Slot::Instance(index) => Slot::Instance(index + self.instances),
            Slot::StandIn { instance, source } => {
                Slot::StandIn { instance: instance + self.instances, source }
            }
        }
    }
}
