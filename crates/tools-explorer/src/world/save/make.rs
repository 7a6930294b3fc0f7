//! Objects that the file does not have yet.

use std::any::Any;

use scenewright_unity::edit::{Inner, New, NewObject, fresh_ids, links, script_head};
use scenewright_unity::hierarchy::Component as FileComponent;
use scenewright_unity::{ClassId, FileId, Guid, Object as FileObject, Reference};
use scenewright_world::types::short_name;
use scenewright_world::{Component, ComponentId, Object, ObjectId};

use super::super::saved::SavedFields;
use super::components::listed;
use super::draft::Draft;
use super::parts::{pair, rounded, vector};

/// The script in a C# file.
const SCRIPT: FileId = FileId(11_500_000);
/// Versions of classes as every supported editor reads them, for files that show no newer one.
const VERSIONS: [(&str, i64); 7] = [
    ("AudioSource", 4),
    ("BoxCollider", 2),
    ("Camera", 2),
    ("Canvas", 3),
    ("Light", 8),
    ("MeshCollider", 3),
    ("SphereCollider", 2),
];

/// What a component is in a file.
struct Class {
    id: ClassId,
    key: String,
    script: Option<Reference>,
}

impl Draft<'_> {
    /// Give ids to everything that is new, so that values can refer to it.
    pub(super) fn number_new(&mut self) {
        for id in self.made.clone() {
            let Some(object) = self.world.object(id) else { continue };
            let seed = format!("{}/{}", self.world.path(id), self.taken.len());
            let first = fresh_ids(self.document, &self.taken, &seed, object.components().len() + 1);
            self.taken.extend((0..=object.components().len() as i64).map(|more| first.0 + more));
            self.new_ids.insert(id, first);
            for (more, component) in (1..).zip(object.components()) {
                self.new_components.insert(component.id(), FileId(first.0 + more));
            }
        }
        for id in self.alive.clone().into_iter().flatten() {
            let Some(object) = self.world.object(id).filter(|object| object.is_touched()) else {
                continue;
            };
            let new = object.components().iter().filter(|component| component.origin().is_none());
            for component in new {
                let seed = format!("{}/{}", self.world.path(id), component.id().0);
                let fresh = fresh_ids(self.document, &self.taken, &seed, 1);
                self.taken.insert(fresh.0);
                self.new_components.insert(component.id(), fresh);
            }
        }
    }

    /// Write the new objects.
    pub(super) fn make_objects(&mut self) {
        for id in self.made.clone() {
            let Some(object) = self.world.object(id) else { continue };
            match self.make_object(object) {
                Ok(made) => {
                    let new = self.new_ids[&id];
                    self.new_objects.extend(made);
                    self.claims.made.insert(new.0);
                    let parent = object.parent().and_then(|parent| self.home(parent).ok());
                    self.claims.parents.push((new.0, parent.map(|parent| parent.id.0)));
                    let path = [("m_Name", New::Text(object.name().to_owned()))];
                    let path = path.into_iter().map(|(path, new)| (path.to_owned(), new));
                    self.claims
                        .values
                        .extend(path.map(|(path, value)| (new.0, new.0, path, value)));
                    self.say(id, "created");
                }
                Err(why) => self.refuse(id, "the object", &why),
            }
        }
    }

    fn make_object(&mut self, object: &Object) -> Result<Vec<NewObject>, String> {
        let id = self.new_ids[&object.id()];
        let mut made = Vec::new();
        let mut components = vec![listed(FileId(id.0 + 1))];
        for component in object.components().iter().skip(1) {
            let name = short_name(component.type_name().unwrap_or("missing script")).to_owned();
            let new = self.new_components[&component.id()];
            match self.component_object(component, id, new) {
                Ok(written) => {
                    self.claims.components.push((id.0, new.0));
                    components.push(listed(new));
                    made.push(written);
                }
                Err(why) => {
                    self.new_components.remove(&component.id());
                    self.refuse(object.id(), &name, &why);
                }
            }
        }
        let flags = if object.is_static() { 4_294_967_295 } else { 0 };
        let mut fields = links(self.is_old);
        fields.extend(
            [
                ("serializedVersion", New::int(6)),
                ("m_Component", New::List(components)),
                ("m_Layer", New::int(object.layer().into())),
                ("m_Name", New::Text(object.name().to_owned())),
                ("m_TagString", New::Text(object.tag().to_owned())),
                ("m_Icon", New::local(FileId::NULL)),
                ("m_NavMeshLayer", New::int(0)),
                ("m_StaticEditorFlags", New::int(flags)),
                ("m_IsActive", New::bool(object.is_active_self())),
            ]
            .map(owned),
        );
        let class = ClassId::GAME_OBJECT;
        let fields = self.as_others(class, fields);
        let key = "GameObject".to_owned();
        made.insert(0, NewObject { class, id, key, stripped: false, fields });
        made.insert(1, self.make_transform(object, id)?);
        Ok(made)
    }

    fn make_transform(&mut self, object: &Object, owner: FileId) -> Result<NewObject, String> {
        let (father, order) = (self.father(object)?, self.sibling_index(object.id()));
        let children = self.child_handles(Some(object.id()));
        let children = children.into_iter().map(|(_, handle)| New::local(handle)).collect();
        let local = object.local();
        let turn = local.rotation;
        let mut fields = links(self.is_old);
        fields.push(owned(("m_GameObject", New::local(owner))));
        if object.rect().is_none() {
            fields.push(owned(("serializedVersion", New::int(2))));
        }
        let rotation = New::flow([("x", turn.x), ("y", turn.y), ("z", turn.z), ("w", turn.w)]);
        fields.extend(
            [
                ("m_LocalRotation", rotation),
                ("m_LocalPosition", vector(local.position)),
                ("m_LocalScale", vector(local.scale)),
                ("m_ConstrainProportionsScale", New::int(0)),
                ("m_Children", New::List(children)),
                ("m_Father", New::local(father)),
                ("m_LocalEulerAnglesHint", vector(rounded(turn.to_euler()))),
            ]
            .map(owned),
        );
        if self.has_root_order() {
            let at = fields.len() - 1;
            fields.insert(at, owned(("m_RootOrder", New::int(order))));
        }
        let mut class = ClassId::TRANSFORM;
        if let Some(rect) = object.rect() {
            class = ClassId::RECT_TRANSFORM;
            fields.extend(
                [
                    ("m_AnchorMin", pair(rect.anchor_min)),
                    ("m_AnchorMax", pair(rect.anchor_max)),
                    ("m_AnchoredPosition", pair(rect.anchored_position)),
                    ("m_SizeDelta", pair(rect.size_delta)),
                    ("m_Pivot", pair(rect.pivot)),
                ]
                .map(owned),
            );
        }
        let key = class.name().unwrap_or("Transform").to_owned();
        let fields = self.as_others(class, fields);
        let id = FileId(owner.0 + 1);
        for path in ["m_LocalPosition", "m_LocalRotation", "m_LocalScale"] {
            if let Some((_, value)) = fields.iter().find(|(key, _)| key == path) {
                self.claims.values.push((owner.0, id.0, path.to_owned(), value.clone()));
            }
        }
        Ok(NewObject { class, id, key, stripped: false, fields })
    }

    /// A new component: a copy of another with what was set since, or one with nothing but that.
    pub(super) fn component_object(
        &mut self,
        component: &Component,
        owner: FileId,
        id: FileId,
    ) -> Result<NewObject, String> {
        let saved = component.saved().map(|saved| &**saved as &dyn Any);
        let saved = saved.and_then(|saved| saved.downcast_ref::<SavedFields>());
        let (class, mut fields) = match saved {
            Some(saved) => self.copied(component.id(), &saved.component(), owner)?,
            None => self.plain(component, owner)?,
        };
        if let Some(enabled) = component.enabled() {
            assign(&mut fields, "m_Enabled", New::bool(enabled));
        }
        for member in self.world.set_members(component.id()) {
            let Some(path) = &member.path else {
                if let Some((owner, _)) = self.world.component(component.id()) {
                    let class = component.type_name().map_or("", short_name);
                    let what = format!("{class}.{}", member.name);
                    self.refuse(owner.id(), &what, "Unity does not save this member");
                }
                continue;
            };
            let new = self.encode_at(path, &member.now, &member.type_name, None)?;
            assign(&mut fields, path, new);
            self.settled.push((component.id(), path.clone()));
        }
        Ok(NewObject { class: class.id, id, key: class.key, stripped: false, fields })
    }

    fn copied(
        &mut self,
        copy: ComponentId,
        from: &FileComponent<'_>,
        owner: FileId,
    ) -> Result<(Class, Vec<(String, New)>), String> {
        let mut fields = Vec::new();
        for (key, value) in from.fields() {
            let new = match key.as_str() {
                "m_GameObject" => New::local(owner),
                "m_CorrespondingSourceObject"
                | "m_PrefabInstance"
                | "m_PrefabAsset"
                | "m_PrefabParentObject"
                | "m_PrefabInternal" => New::local(FileId::NULL),
                _ => self.flatten(copy, from, &value)?,
            };
            fields.push((key, new));
        }
        let class =
            Class { id: from.class_id(), key: from.class_name().into_owned(), script: None };
        Ok((class, fields))
    }

    /// A component with the fields that every one has; the editor completes it.
    fn plain(
        &mut self,
        component: &Component,
        owner: FileId,
    ) -> Result<(Class, Vec<(String, New)>), String> {
        let class = self.class_of(component)?;
        let mut fields = links(self.is_old);
        let mut head = vec![owned(("m_GameObject", New::local(owner)))];
        if component.enabled().is_some() {
            head.push(owned(("m_Enabled", New::bool(true))));
        }
        match class.script {
            Some(script) => fields.extend(script_head(owner, script, "")),
            None => {
                fields.extend(head);
                let example = self.example(class.id);
                let shown = example.and_then(|example| example.glance("serializedVersion"));
                let known = VERSIONS.iter().find(|(name, _)| *name == class.key);
                let version = shown.and_then(|text| text.parse().ok());
                if let Some(version) = version.or(known.map(|(_, version)| *version)) {
                    fields.push(owned(("serializedVersion", New::int(version))));
                }
            }
        }
        Ok((class, fields))
    }

    fn class_of(&self, component: &Component) -> Result<Class, String> {
        let full = component.type_name().ok_or("its script is missing")?;
        if !self.world.is_script(full) {
            let id = ClassId::find(short_name(full)).ok_or("its class has no number in files")?;
            return Ok(Class { id, key: short_name(full).to_owned(), script: None });
        }
        let guid = self.unity.script_of(full).ok_or("the script of its class was not found")?;
        let script = Reference { file_id: SCRIPT, guid: Some(guid), kind: 3 };
        let key = "MonoBehaviour".to_owned();
        Ok(Class { id: ClassId::MONO_BEHAVIOUR, key, script: Some(script) })
    }

    fn example(&self, class: ClassId) -> Option<FileObject<'_>> {
        let mut objects = self.document.objects();
        objects.find(|object| object.class_id() == class && !object.is_stripped())
    }

    /// Fields in the order and the versions of other objects of the class; those that no other has
    /// are left out.
    fn as_others(&self, class: ClassId, fields: Vec<(String, New)>) -> Vec<(String, New)> {
        let Some(example) = self.example(class) else { return fields };
        let mut ordered = Vec::new();
        for (key, value) in example.fields() {
            match fields.iter().find(|(known, _)| *known == key) {
                Some((_, New::Number(_))) if key == "serializedVersion" => {
                    ordered.push((key.into_owned(), New::Number(value.text().into_owned())));
                }
                Some(field) => ordered.push(field.clone()),
                None => {}
            }
        }
        ordered
    }

    /// The stripped object that stands for one inside an instance.
    pub(super) fn stand_in_object(
        &mut self,
        instance: FileId,
        target: FileId,
    ) -> Result<FileId, String> {
        let (class, key) = (ClassId::GAME_OBJECT, "GameObject".to_owned());
        self.stand_in(&Inner { instance, target, class, key, script: None })
    }

    /// The same for a component.
    pub(super) fn stand_in_component(
        &mut self,
        instance: FileId,
        target: FileId,
        component: &FileComponent<'_>,
    ) -> Result<FileId, String> {
        let (class, key) = (component.class_id(), component.class_name().into_owned());
        self.stand_in(&Inner { instance, target, class, key, script: component.script() })
    }

    fn stand_in(&mut self, inner: &Inner) -> Result<FileId, String> {
        let key = (inner.instance, inner.target);
        if let Some(known) = self.stand_ins.get(&key) {
            return Ok(*known);
        }
        let source = self.source(key.0).ok_or("the prefab of its instance is not known")?;
        // So that it is called as it was when no object stood for it.
        let mut id = inner.id_by_rule();
        if self.document.object(id).is_some() || !self.taken.insert(id.0) {
            let seed = format!("{}/{}", key.0, key.1);
            id = fresh_ids(self.document, &self.taken, &seed, 1);
            self.taken.insert(id.0);
        }
        self.stand_ins.insert(key, id);
        self.new_objects.push(inner.stripped(id, source, self.is_old));
        Ok(id)
    }

    /// The prefab of an instance.
    pub(super) fn source(&self, instance: FileId) -> Option<Reference> {
        let instance = self.document.object(instance)?;
        let found = ["m_SourcePrefab", "m_ParentPrefab"].iter().find_map(|key| instance.get(key));
        found?
            .as_reference()
            .filter(|source| source.guid.is_some_and(|guid| guid != Guid::default()))
    }

    /// The place of an object among those beside it.
    pub(super) fn sibling_index(&self, id: ObjectId) -> i64 {
        let place = self.world.siblings(id).iter().position(|sibling| *sibling == id);
        place.map_or(0, |place| place as i64)
    }
}

pub(super) fn owned((key, value): (&str, New)) -> (String, New) {
    (key.to_owned(), value)
}

/// Puts a value at a path; what is not there yet comes last.
fn assign(fields: &mut Vec<(String, New)>, path: &str, new: New) {
    if let Some((_, value)) = fields.iter_mut().find(|(key, _)| key == path) {
        *value = new;
        return;
    }
    if let Some((head, rest)) = path.split_once('.') {
        if !fields.iter().any(|(key, _)| key == head) {
            fields.push((head.to_owned(), New::Map(Vec::new())));
        }
        let inner = fields.iter_mut().find(|(key, _)| key == head);
        if let Some((_, New::Map(inner) | New::Flow(inner))) = inner {
            assign(inner, rest, new);
        }
        return;
    }
    fields.push((path.to_owned(), new));
}
