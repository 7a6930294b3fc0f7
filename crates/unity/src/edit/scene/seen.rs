//! An object of the tree with its components, to keep while the file is changed.

use super::{Classes, Editor, NewClass, Refusal, own_instance};
use crate::edit::address;
use crate::hierarchy::{Component, Node, Stated};
use crate::{ClassId, FileId, Reference, types};

/// An object as it was found.
#[derive(Debug, Clone)]
pub(in crate::edit) struct Seen {
    /// What the file calls it, or would.
    pub(super) id: FileId,
    /// Where the file states its values.
    pub(super) at: Stated,
    pub(super) path: String,
    pub(super) name: String,
    pub(super) components: Vec<Held>,
    /// The instance of the file that it is the root of.
    pub(super) root_of: Option<FileId>,
    /// It has more components, which only the importer of its model knows.
    pub(super) is_model: bool,
}

/// A component as it was found.
#[derive(Debug, Clone)]
pub(in crate::edit) struct Held {
    pub(super) at: Stated,
    pub(super) id: FileId,
    pub(super) class: ClassId,
    /// Its class, and that with its namespace.
    pub(super) name: String,
    pub(super) full: String,
    pub(super) script: Option<Reference>,
}

impl Seen {
    pub(super) fn of(node: &Node<'_>, classes: &dyn Classes) -> Result<Seen, Refusal> {
        let path = address::path_of(node);
        let (Some(at), Some(id), None) = (node.stated(), node.file_id(), node.opaque()) else {
            let why = node.opaque().map(|why| why.to_string()).unwrap_or_default();
            return Err(Refusal::new(format!("{path} cannot be looked into: {why}")));
        };
        let components = node.components();
        let components = components.iter().map(|component| Held::of(component, classes)).collect();
        let (name, root_of) = (node.name().into_owned(), own_instance(node));
        Ok(Seen { id, at, path, name, components, root_of, is_model: false })
    }

    /// The root of an instance that cannot be looked into, as far as the file that has it tells: with
    /// its transform and what was added to it.
    pub(super) fn closed(node: &Node<'_>, classes: &dyn Classes) -> Option<Seen> {
        let transform = node.closed_transform()?;
        let held = Held {
            at: transform.stated(),
            id: transform.file_id(),
            class: ClassId::TRANSFORM,
            name: "Transform".to_owned(),
            full: "UnityEngine.Transform".to_owned(),
            script: None,
        };
        let components = node.components();
        let added = components.iter().map(|component| Held::of(component, classes));
        Some(Seen {
            id: node.file_id()?,
            at: node.stated()?,
            path: address::path_of(node),
            name: node.name().into_owned(),
            components: [held].into_iter().chain(added).collect(),
            root_of: Some(own_instance(node)?),
            is_model: true,
        })
    }

    /// An object, or the root of an instance that cannot be looked into.
    fn whole(node: &Node<'_>, classes: &dyn Classes) -> Result<Seen, Refusal> {
        Seen::closed(node, classes).map_or_else(|| Seen::of(node, classes), Ok)
    }

    /// The ids of the object and of its components.
    pub(super) fn own_ids(&self) -> impl Iterator<Item = FileId> {
        std::iter::once(self.id).chain(self.components.iter().map(|held| held.id))
    }

    /// Its transform.
    pub(super) fn transform(&self) -> Result<&Held, Refusal> {
        let found = self.components.iter().find(|held| held.class.is_a(ClassId::TRANSFORM));
        found.ok_or_else(|| Refusal::new(format!("{} has no transform in the file", self.path)))
    }

    /// The component that a change names.
    pub(super) fn component(&self, wanted: &str) -> Result<&Held, Refusal> {
        if let Some(id) = address::id(wanted) {
            let found = self.components.iter().find(|held| held.id == id);
            return found.ok_or_else(|| self.no_component(wanted));
        }
        let (class, number) = address::component(wanted);
        let exact: Vec<&Held> = self.components.iter().filter(|held| held.is(class)).collect();
        let found = match exact.is_empty() {
            false => exact,
            true => self.components.iter().filter(|held| held.derives_from(class)).collect(),
        };
        found.get(number.unwrap_or(0)).copied().ok_or_else(|| self.no_component(wanted))
    }

    fn no_component(&self, wanted: &str) -> Refusal {
        let known = self.components.iter().map(|held| held.name.clone()).collect();
        Refusal::new(format!("{} has no component {wanted}", self.path)).choices(wanted, known)
    }
}

impl Held {
    /// A new component of the file.
    pub(super) fn new(class: &NewClass, id: FileId, classes: &dyn Classes) -> Held {
        let full = match class.script {
            Some(script) => classes.script_name(script, ""),
            None => Some(classes.native_name(&class.name)),
        };
        Held {
            at: Stated::Here(id),
            id,
            class: class.class,
            name: class.name.clone(),
            full: full.unwrap_or_else(|| class.name.clone()),
            script: class.script,
        }
    }

    fn of(component: &Component<'_>, classes: &dyn Classes) -> Held {
        let (name, full) = classes.names(component);
        Held {
            at: component.stated(),
            id: component.file_id(),
            class: component.class_id(),
            name,
            full,
            script: component.script(),
        }
    }

    fn is(&self, class: &str) -> bool {
        self.name.eq_ignore_ascii_case(class) || self.full.eq_ignore_ascii_case(class)
    }

    /// `Collider` means a box collider, too, and `Transform` the one of a user interface.
    fn derives_from(&self, class: &str) -> bool {
        let short = class.rsplit('.').next().unwrap_or(class);
        self.script.is_none() && types::class_named(short).is_some_and(|base| self.class.is_a(base))
    }
}

impl Editor<'_> {
    /// The children of an object, models as wholes. Refused where there is one of which nothing is known:
    /// who asks means all of them.
    pub(super) fn children(&mut self, of: &Seen) -> Result<Vec<Seen>, Refusal> {
        let (classes, id) = (self.project.classes, self.id_of(of.at));
        self.settle();
        let nodes = self.nodes_in(Some(id));
        nodes.iter().map(|node| Seen::whole(node, classes)).collect()
    }

    /// The parent of an object; none for a root.
    pub(super) fn parent(&mut self, of: &Seen) -> Result<Option<Seen>, Refusal> {
        let (classes, id) = (self.project.classes, self.id_of(of.at));
        let tree = self.tree();
        let parent = tree.find_by_id(id).and_then(|node| node.parent());
        parent.map(|node| Seen::whole(&node, classes)).transpose()
    }

    /// What the file calls something, or would by Unity's rule.
    pub(super) fn id_of(&self, at: Stated) -> FileId {
        match at {
            Stated::Here(id) => id,
            Stated::Override { instance, target } => {
                let by_rule = FileId((instance.0 ^ target.0) & i64::MAX);
                self.stand_ins.get(&(instance, target)).copied().unwrap_or(by_rule)
            }
        }
    }

    /// An object that a change means as a whole: an instance of a model is one, too.
    pub(super) fn find_whole(&mut self, path: &str) -> Result<Seen, Refusal> {
        let refusal = match self.find(path) {
            Ok(seen) => return Ok(seen),
            Err(refusal) => refusal,
        };
        if !self.may_be(path) {
            return Err(refusal);
        }
        let classes = self.project.classes;
        let node = address::object(self.tree(), path);
        node.and_then(|node| Seen::closed(&node, classes)).ok_or(refusal)
    }

    /// Whether a path is none by an id, or the file knows of the id: any other could be that of something in a
    /// model, whose inside no file tells.
    pub(super) fn may_be(&mut self, path: &str) -> bool {
        let Some(id) = address::id(path).filter(|id| self.sheet.object(*id).is_none()) else {
            return true;
        };
        // Not settled: each lookup would make the tree anew.
        let tree = self.tree_and_came();
        let Some(node) = tree.find_by_id(id) else { return true };
        if node.opaque().is_none() || node.file_id() == Some(id) {
            return true;
        }
        let Some(Stated::Override { instance, target }) = tree.stated(id) else { return true };
        let is_root = self.root_ids(instance);
        let is_root =
            is_root.is_some_and(|(object, transform)| [object, transform].contains(&target));
        is_root || self.tells_of(instance, target)
    }

    /// Whether an instance says anything of something in its source.
    fn tells_of(&self, instance: FileId, target: FileId) -> bool {
        let Some(object) = self.sheet.object(instance) else { return false };
        object.references().any(|(_, to)| to.guid.is_some() && to.file_id == target)
    }

    /// An object that the file has under this id, as a whole.
    pub(super) fn find_id(&mut self, id: FileId) -> Result<Seen, Refusal> {
        self.find_whole(&format!("#{id}"))
    }
}
