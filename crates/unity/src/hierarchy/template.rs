//! One file as a tree of its own objects, shared by all expansions that use it. It knows nothing of
//! the files around it: what they change is found by a [`Frame`](super::frame::Frame).

use std::sync::Arc;

use super::instance::Instance;
use super::link;
use super::problem::ProblemKind;
use super::read::{self, Raw};
use super::shelf::Share;
use crate::{Document, Guid};

/// One file, its objects linked as a tree. What is inside instances is left to their own files.
pub(super) struct Template {
    pub(super) guid: Guid,
    pub(super) document: Arc<Document>,
    pub(super) objects: Vec<GameObject>,
    pub(super) instances: Vec<Instance>,
    pub(super) roots: Vec<Child>,
    pub(super) faults: Vec<Fault>,
    /// What the ids of the file stand for, sorted; components are not among them.
    pub(super) slots: Vec<(i64, Slot)>,
    /// Its part of the memory, where that is counted.
    pub(super) _share: Option<Share>,
}

pub(super) struct GameObject {
    pub(super) id: i64,
    /// Zero when the file has none for it.
    pub(super) transform: i64,
    pub(super) name: Box<str>,
    pub(super) active: bool,
    pub(super) components: Vec<i64>,
    pub(super) children: Vec<Child>,
    pub(super) parent: Parent,
}

/// A place in a list of siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Child {
    Object(u32),
    Instance(u32),
}

/// Where an object or an instance hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    Root,
    Object(u32),
    /// Under a transform inside an instance, which has this id in the instance's source.
    Inside {
        instance: u32,
        source: i64,
    },
}

/// What an id of the file stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Object(u32),
    /// The transform of an object.
    Transform(u32),
    Instance(u32),
    /// A stripped object.
    StandIn {
        instance: u32,
        source: i64,
    },
}

/// A problem of the file itself.
pub(super) struct Fault {
    pub(super) kind: ProblemKind,
    pub(super) offset: usize,
    pub(super) about: Option<Child>,
    pub(super) message: String,
    /// The id inside of an instance that is gone; zero where it is about something else.
    pub(super) gone: i64,
}

impl Template {
    pub(super) fn build(document: Arc<Document>, guid: Guid) -> Template {
        let raw: Raw = read::read(&document);
        link::link(document, guid, raw)
    }

    pub(super) fn sharing(self, share: Share) -> Template {
        Template { _share: Some(share), ..self }
    }

    pub(super) fn slot(&self, id: i64) -> Option<Slot> {
        let at = self.slots.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.slots[at].1)
    }

    pub(super) fn parent(&self, child: Child) -> Parent {
        match child {
            Child::Object(index) => self.objects[index as usize].parent,
            Child::Instance(index) => self.instances[index as usize].parent,
        }
    }
}
