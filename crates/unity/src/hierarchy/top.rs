//! The top file of a hierarchy by the ids that it uses: for whoever reads its text and asks what is
//! meant.

use super::frame::At;
use super::locate::{Place, What};
use super::path::Labels;
use super::template::{Child, Slot};
use super::{Hierarchy, Node, read};
use crate::{FileId, Reference};

/// An override that the top file states and that has an effect.
#[derive(Clone, Copy, Debug)]
pub struct Override<'h> {
    /// The number of the prefab instance among those of the file.
    pub instance: u32,
    /// The prefab instance.
    pub stated_by: FileId,
    /// The object inside the source.
    pub target: FileId,
    /// The path of the property.
    pub path: &'h str,
    /// What it refers to, if anything.
    pub reference: Reference,
    /// Where it is written.
    pub offset: usize,
}

impl Hierarchy {
    /// Whether an id of the top file leads to an object that is there and not removed. What may be
    /// inside of a source that cannot be read counts as there.
    pub fn leads_somewhere(&self, id: FileId) -> bool {
        let own = self.document().object(id).filter(|object| !object.is_stripped());
        own.is_some() || self.locate(&self.top, id.0).is_some_and(|place| self.is_there(place))
    }

    fn is_there(&self, place: Place) -> bool {
        match place.what {
            What::Node(At::Opaque) => true,
            What::Node(at) => !self.node(&place.frame, at).is_removed(),
            What::Other(_) => match place.into_component(self) {
                Some(component) => !component.is_removed() && !component.node.is_removed(),
                None => true,
            },
        }
    }

    /// The object of the hierarchy that an object of the top file is, or is a component of.
    pub fn owner(&self, id: FileId) -> Option<Node<'_>> {
        self.locate(&self.top, id.0)?.into_node(self)
    }

    /// The prefab instance that a component was added to, where the object inside is gone.
    pub(crate) fn instance_of(&self, component: FileId) -> Option<Node<'_>> {
        let template = self.top.template()?;
        let owner = read::owner(&template.document, template.document.object(component)?);
        let Some(Slot::StandIn { instance, .. }) = template.slot(owner) else { return None };
        self.expand_slot((self.top.clone(), Child::Instance(instance))).into_iter().next()
    }

    /// The object of the hierarchy that an override is about.
    pub fn overridden(&self, change: &Override<'_>) -> Option<Node<'_>> {
        self.locate_inside(&self.top, change.instance, change.target.0)?.into_node(self)
    }

    /// The overrides of the top file. Those of objects that their source no longer has are left out.
    pub fn overrides(&self) -> impl Iterator<Item = Override<'_>> {
        self.overrides_of(&|_| true)
    }

    /// The same for some prefab instances of the file.
    pub(crate) fn overrides_of(
        &self,
        is_wanted: &dyn Fn(FileId) -> bool,
    ) -> impl Iterator<Item = Override<'_>> {
        let instances = self.top.template().map_or(&[][..], |template| &template.instances);
        let wanted = (0..).zip(instances).filter(|(_, instance)| is_wanted(FileId(instance.id)));
        wanted.flat_map(|(number, instance)| {
            let survey = self.expander.survey(instance.source);
            let alive = move |target: i64| {
                !survey.lacks(target) && instance.removed_components.binary_search(&target).is_err()
            };
            instance.modifications.iter().filter(move |change| alive(change.target)).map(
                move |change| Override {
                    instance: number,
                    stated_by: FileId(instance.id),
                    target: FileId(change.target),
                    path: &change.path,
                    reference: change.reference,
                    offset: change.offset,
                },
            )
        })
    }

    /// Gives the paths of objects; many cost little more than one.
    pub fn paths(&self) -> Paths<'_> {
        Paths(Labels::default())
    }
}

/// Paths of objects, with what they have in common kept.
pub struct Paths<'h>(Labels<'h>);

impl<'h> Paths<'h> {
    /// The path of an object.
    pub fn of(&mut self, node: &Node<'h>) -> String {
        self.0.path(node)
    }
}
