//! Parts of instances that cannot be looked into, models most of all: their objects are not in any
//! text, but a file knows some of them, since it overrides their values or refers to them. Those can be
//! given values.

use super::fields::Owner;
use super::{Editor, Refusal, Seen, own_instance};
use crate::edit::address::{self, path_of};
use crate::hierarchy::{Hierarchy, Node, Stated};
use crate::{ClassId, FileId, Reference};

/// Something inside that the file knows.
struct Part {
    target: FileId,
    /// What the file calls it, where something stands for it.
    id: Option<FileId>,
    class: Option<ClassId>,
    script: Option<Reference>,
    /// The first fields of it that are overridden.
    fields: Vec<String>,
}

/// Fields by which objects and transforms are known.
const OF_OBJECTS: [&str; 6] =
    ["m_Name", "m_IsActive", "m_Layer", "m_TagString", "m_StaticEditorFlags", "m_Icon"];
const OF_TRANSFORMS: [&str; 5] =
    ["m_LocalPosition", "m_LocalRotation", "m_LocalScale", "m_LocalEulerAnglesHint", "m_RootOrder"];
/// So many parts and fields are told.
const SHOWN: usize = 12;

impl Editor<'_> {
    /// What a change means in an instance that cannot be looked into; nothing where the object is no
    /// such instance.
    pub(super) fn closed_owner(
        &mut self,
        object: &str,
        component: Option<&str>,
    ) -> Option<Result<(Owner, Seen), Refusal>> {
        if !self.may_be(object) {
            return None;
        }
        let tree = self.tree_and_came().clone();
        let node = address::object(&tree, object).filter(|node| node.opaque().is_some())?;
        let instance = own_instance(&node)?;
        // One further inside has no instance here to be overridden in.
        let is_closed = self.source(instance).is_none();
        is_closed.then(|| self.owner_in(&node, instance, component))
    }

    fn owner_in(
        &self,
        node: &Node<'_>,
        instance: FileId,
        component: Option<&str>,
    ) -> Result<(Owner, Seen), Refusal> {
        let path = path_of(node);
        let parts = self.known_parts(instance);
        if let (Some(wanted), Some(seen)) = (component, Seen::closed(node, self.project.classes))
            && let Ok(held) = seen.component(wanted)
            && matches!(held.at, Stated::Here(_))
            && named(&parts, wanted).is_empty()
        {
            return Ok((Owner::of_component(&seen, held), seen));
        }
        let found = match component {
            None => parts.iter().filter(|part| part.is_root(node)).collect(),
            Some(wanted) => named(&parts, wanted),
        };
        let [part] = found.as_slice() else {
            return Err(unknown(node, &path, component, &parts));
        };
        let class = part.class.unwrap_or_default();
        let native = || format!("UnityEngine.{}", class.name().unwrap_or("Object"));
        let script = part.script.and_then(|it| self.project.classes.script_name(it, ""));
        let full = script.unwrap_or_else(native);
        let at = Stated::Override { instance, target: part.target };
        let shown = match component {
            None => path.clone(),
            Some(component) => format!("{component} of {path}"),
        };
        let owner = Owner { at, class, full, script: part.script, shown };
        let id = node.file_id().unwrap_or(instance);
        let name = node.name().into_owned();
        let at = node.stated().unwrap_or(at);
        let seen = Seen {
            id,
            at,
            path,
            name,
            components: Vec::new(),
            root_of: Some(instance),
            is_model: false,
        };
        Ok((owner, seen))
    }

    /// The class of something inside an instance, where the file tells it.
    pub(super) fn class_known(&mut self, instance: FileId, target: FileId) -> Option<ClassId> {
        let parts = self.known_parts(instance);
        let known = parts.iter().find(|part| part.target == target).and_then(|part| part.class);
        known.or_else(|| self.class_at_root(instance, target))
    }

    /// The same for the root of an instance and its transform.
    pub(super) fn class_at_root(&mut self, instance: FileId, target: FileId) -> Option<ClassId> {
        match self.root_ids(instance)? {
            (object, _) if object == target => Some(ClassId::GAME_OBJECT),
            (_, transform) if transform == target => Some(ClassId::TRANSFORM),
            _ => None,
        }
    }

    /// The root of the model of an instance and its transform, as the model calls them.
    pub(super) fn model_root_ids(&self, instance: FileId) -> Option<(FileId, FileId)> {
        let inside = |at: Stated| match at {
            Stated::Override { instance: of, target } => (of == instance).then_some(target),
            Stated::Here(_) => None,
        };
        let ids = |tree: &Hierarchy| {
            let root = tree.objects().find(|node| own_instance(node) == Some(instance))?;
            Some((inside(root.stated()?)?, inside(root.closed_transform()?.stated())?))
        };
        // In the middle of a change no tree is made to stay.
        let found = self.tree.as_ref().and_then(ids);
        found.or_else(|| ids(&self.expander.scene(self.sheet.document(), self.guid)))
    }

    /// What the file knows of the inside of an instance.
    fn known_parts(&self, instance: FileId) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for entry in self.entries_of(instance) {
            let field = entry.path.split(['.', '[']).next().unwrap_or_default().to_owned();
            let at = parts.iter().position(|part| part.target == entry.target);
            let at = at.unwrap_or_else(|| {
                parts.push(Part {
                    target: entry.target,
                    id: None,
                    class: None,
                    script: None,
                    fields: Vec::new(),
                });
                parts.len() - 1
            });
            if !parts[at].fields.contains(&field) {
                parts[at].fields.push(field);
            }
        }
        for part in &mut parts {
            part.class = part.guess();
        }
        let mut stands: Vec<(FileId, FileId)> = self
            .stand_ins
            .iter()
            .filter(|((of, _), _)| *of == instance)
            .map(|((_, target), id)| (*target, *id))
            .collect();
        stands.sort_unstable();
        for (target, id) in stands {
            let Some(object) = self.sheet.object(id) else { continue };
            let fields = match parts.iter().position(|part| part.target == target) {
                Some(at) => parts.remove(at).fields,
                None => Vec::new(),
            };
            let class = Some(object.class_id());
            let script = object.get("m_Script").and_then(|to| to.as_reference());
            parts.push(Part { target, id: Some(id), class, script, fields });
        }
        parts
    }
}

impl Part {
    fn guess(&self) -> Option<ClassId> {
        let has = |known: &[&str]| self.fields.iter().any(|field| known.contains(&field.as_str()));
        match (has(&OF_OBJECTS), has(&OF_TRANSFORMS)) {
            (true, false) => Some(ClassId::GAME_OBJECT),
            (false, true) => Some(ClassId::TRANSFORM),
            _ => None,
        }
    }

    fn is_root(&self, node: &Node<'_>) -> bool {
        matches!(node.stated(), Some(Stated::Override { target, .. }) if target == self.target)
    }

    fn told(&self) -> String {
        let class = self.class.and_then(ClassId::name).unwrap_or("of an unknown class");
        match self.fields.is_empty() {
            true => format!("#{} ({class})", self.target),
            false => format!("#{} ({class}: {})", self.target, self.fields.join(", ")),
        }
    }
}

/// The parts that a name means: an id of the model or of this file, or a class.
fn named<'p>(parts: &'p [Part], wanted: &str) -> Vec<&'p Part> {
    if let Some(id) = address::id(wanted) {
        let is_it = |part: &&Part| part.target == id || part.id == Some(id);
        return parts.iter().filter(is_it).collect();
    }
    let class = crate::types::class_named(wanted.rsplit('.').next().unwrap_or(wanted));
    let is_it = |part: &&Part| class.is_some() && part.class == class;
    parts.iter().filter(is_it).collect()
}

fn unknown(node: &Node<'_>, path: &str, wanted: Option<&str>, parts: &[Part]) -> Refusal {
    let why = node.opaque().map(|why| why.to_string()).unwrap_or_default();
    let what = wanted.unwrap_or("its root");
    let several = wanted.map_or(0, |wanted| named(parts, wanted).len());
    let text = match several {
        0 => format!("{path} cannot be looked into: {why}; the file does not know {what} in it"),
        count => {
            format!("{path} cannot be looked into: {why}; the file knows {count} {what} in it")
        }
    };
    if parts.is_empty() {
        return Refusal::new(text).hint("change it in the editor once, so that the file knows it");
    }
    let shown: Vec<String> = parts.iter().take(SHOWN).map(Part::told).collect();
    Refusal::new(text).hint(format!("name one as component: {}", shown.join("; ")))
}
