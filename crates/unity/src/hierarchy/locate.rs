//! From an id to the object, which is the way against the grain: ids are made going outward.

use std::sync::Arc;

use super::frame::{At, Content, Frame};
use super::template::{Parent, Slot};
use super::{Component, Hierarchy, Node, Stated, read};
use crate::{ClassId, FileId};

/// What an id of a frame stands for.
pub(super) struct Place {
    pub(super) frame: Arc<Frame>,
    pub(super) what: What,
}

pub(super) enum What {
    Node(At),
    /// The position in the document of an object that is no GameObject.
    Other(usize),
}

impl Hierarchy {
    /// What an id means in a frame. An id that no file has, but that may belong to a source which
    /// cannot be read, gives that source.
    pub(super) fn locate(&self, frame: &Arc<Frame>, id: i64) -> Option<Place> {
        let (mut frame, mut id) = (frame.clone(), id);
        loop {
            let Content::Template(template) = &frame.content else {
                return Some(Place { frame, what: What::Node(At::Opaque) });
            };
            let (index, inner) = match template.slot(id) {
                Some(Slot::Object(index)) => {
                    return Some(Place { frame, what: What::Node(At::Object(index)) });
                }
                Some(Slot::StandIn { instance, source }) => (instance, source),
                Some(Slot::Transform(_) | Slot::Instance(_)) | None => {
                    let object = template.document.object(FileId(id));
                    // A stripped object without an instance stands for nothing itself.
                    if let Some(object) = object.filter(|object| !object.is_stripped()) {
                        let what = What::Other(object.index());
                        return Some(Place { frame, what });
                    }
                    self.search_instances(&frame, id)?
                }
            };
            (frame, id) = (self.expander.enter(&frame, index), inner);
        }
    }

    /// Where the top file states what an id of it means, also where that cannot be looked into.
    pub(crate) fn stated(&self, id: FileId) -> Option<Stated> {
        let template = self.top.template()?;
        let own = template.document.object(id).filter(|object| !object.is_stripped());
        let (index, target) = match template.slot(id.0) {
            Some(Slot::StandIn { instance, source }) => (instance, source),
            _ if own.is_some() => return Some(Stated::Here(id)),
            _ => self.search_instances(&self.top, id.0)?,
        };
        let instance = FileId(self.top.instance(index).id);
        Some(Stated::Override { instance, target: FileId(target) })
    }

    /// What an id of an instance's source means.
    pub(super) fn locate_inside(&self, frame: &Arc<Frame>, index: u32, id: i64) -> Option<Place> {
        self.locate(&self.expander.enter(frame, index), id)
    }

    /// The instance that has an id by the rule alone, and the id inside.
    fn search_instances(&self, frame: &Arc<Frame>, id: i64) -> Option<(u32, i64)> {
        let template = frame.template()?;
        let mut guess: Option<(u8, u32, i64)> = None;
        for (index, instance) in (0..).zip(&template.instances) {
            let survey = self.expander.survey(instance.source);
            let inward = instance.inward(id);
            if let Some(inner) = inward.into_iter().find(|inner| survey.has(*inner)) {
                return Some((index, inner));
            }
            // An id with overrides is there; old importers count from 100000, others make hashes.
            let is_told = |inner: &i64| !instance.modifications_of(*inner).is_empty();
            let told = inward.into_iter().find(is_told);
            let inner = told.unwrap_or(inward[0]);
            let chance = match told {
                Some(_) => 2,
                None => u8::from(inner < i64::from(u32::MAX)),
            };
            if survey.is_open && guess.is_none_or(|(best, ..)| chance > best) {
                guess = Some((chance, index, inner));
            }
        }
        guess.map(|(_, index, inner)| (index, inner))
    }

    /// The parent of what hangs somewhere in a frame's file.
    pub(super) fn parent_at(&self, frame: &Arc<Frame>, parent: Parent) -> Option<Node<'_>> {
        let (mut frame, mut parent) = (frame, parent);
        loop {
            match parent {
                Parent::Object(index) => return Some(self.node(frame, At::Object(index))),
                Parent::Inside { instance, source } => {
                    return self.locate_inside(frame, instance, source)?.into_node(self);
                }
                Parent::Root => {
                    let (outer, index) = frame.outer.as_ref()?;
                    (frame, parent) = (outer, outer.instance(*index).parent);
                }
            }
        }
    }
}

impl Place {
    pub(super) fn at_opaque(&self) -> bool {
        matches!(self.what, What::Node(At::Opaque))
    }

    /// The node itself, or the one that has the component.
    pub(super) fn into_node<'h>(self, hierarchy: &'h Hierarchy) -> Option<Node<'h>> {
        match self.what {
            What::Node(at) => Some(hierarchy.node(&self.frame, at)),
            What::Other(index) => {
                let template = self.frame.template()?;
                let object = template.document.object_at(index)?;
                if let Some(Slot::Transform(owner)) = template.slot(object.file_id().0) {
                    return Some(hierarchy.node(&self.frame, At::Object(owner)));
                }
                let owner = read::owner(&template.document, object);
                // One step only: an owner that is itself a component would be a broken file.
                let place = (owner != 0).then(|| hierarchy.locate(&self.frame, owner))??;
                match place.what {
                    What::Node(at) => Some(hierarchy.node(&place.frame, at)),
                    What::Other(_) => None,
                }
            }
        }
    }

    /// The component, unless it is something else.
    pub(super) fn into_component<'h>(self, hierarchy: &'h Hierarchy) -> Option<Component<'h>> {
        let What::Other(index) = self.what else { return None };
        let frame = self.frame.clone();
        let class = frame.object(index)?.class_id();
        if matches!(class, ClassId::PREFAB_INSTANCE | ClassId::SCENE_ROOTS) {
            return None;
        }
        let node = self.into_node(hierarchy)?;
        Some(Component { node, frame, index })
    }
}
