//! Components that come and go.

use serde_json::Value;

use super::create::fill;
use super::fields::Owner;
use super::{Done, Editor, Held, NewClass, Refusal, Seen};
use crate::edit::{self, Item, ListChanges, New, NewObject, rules};
use crate::hierarchy::Stated;
use crate::script::simple_name;
use crate::{ClassId, FileId, Reference};

/// The fields of a new component, those of its class that are not known, and whether its `Reset` does more than
/// set them.
type ComponentFields = (Vec<(String, New)>, Vec<String>, bool);

impl Editor<'_> {
    /// Add a component, and what it needs.
    pub fn add_component(
        &mut self,
        object: &str,
        class: &str,
        values: &[(String, Value)],
    ) -> Result<Done, Refusal> {
        let seen = self.find_whole(object)?;
        let class = self.class(class)?;
        let (id, remarks) = self.add_class(&seen, &class, None, values)?;
        let seen = self.find_id(self.id_of(seen.at))?;
        Ok(Done {
            path: seen.path,
            id: Some(self.id_of(seen.at)),
            component: Some((class.name, id)),
            changed: true,
            remarks,
            ..Done::default()
        })
    }

    pub(super) fn add_class(
        &mut self,
        seen: &Seen,
        class: &NewClass,
        id: Option<FileId>,
        values: &[(String, Value)],
    ) -> Result<(FileId, Vec<String>), Refusal> {
        let mut remarks = Vec::new();
        self.check_allowed(seen, class)?;
        let mut seen = seen.clone();
        let (behind, before): (Vec<_>, Vec<_>) =
            self.needs(class).into_iter().partition(rules::Need::is_behind);
        for need in before {
            let has = |name: &String| seen.component(name).is_ok();
            if need.any_of.iter().any(has) {
                continue;
            }
            if let Some(name) = need.any_of.iter().find(|name| may_be_in_model(&seen, name)) {
                remarks.push(format!(
                    "{} needs a {name}; whether the model has one only Unity's importer knows",
                    class.name
                ));
                continue;
            }
            let first = need.any_of.first().map(String::as_str).unwrap_or_default();
            if !need.is_added {
                let names = need.any_of.join(" or ");
                let text = format!("{} needs a {names}, and {} has none", class.name, seen.path);
                return Err(Refusal::new(text).hint("add one of them first"));
            }
            if first == "RectTransform" {
                self.make_rect(&seen)?;
            } else {
                remarks.push(self.add_needed(&seen, class, first)?);
            }
            seen = self.find_id(self.id_of(seen.at))?;
        }
        let seed = format!("{}/{}", seen.path, class.name);
        let id = id.unwrap_or_else(|| self.sheet.fresh_ids(&seed, 1));
        let owner = self.handle(seen.at)?;
        let (fields, unknown, does_more) = self.component_fields(class, owner)?;
        if !unknown.is_empty() {
            let names = unknown.join(", ");
            remarks.push(format!(
                "{} has fields that cannot be known here and that Unity adds: {names}",
                class.name
            ));
        }
        if does_more {
            let name = &class.name;
            remarks.push(format!(
                "{name}.Reset(), which the editor runs when a component is added, does more than is known here"
            ));
        }
        let key = match class.script {
            Some(_) => "MonoBehaviour".to_owned(),
            None => self.key_of(class.class).unwrap_or(&class.name).to_owned(),
        };
        self.sheet.add(&NewObject { class: class.class, id, key, stripped: false, fields });
        self.list_component(&seen, class.class, id)?;
        seen.components.push(Held::new(class, id, self.project.classes));
        match (seen.at, self.tree.is_some()) {
            (Stated::Here(_), true) => self.note(seen.clone()),
            _ => self.forget_tree(),
        }
        for first in behind.iter().filter_map(|need| need.any_of.first()) {
            if seen.component(first).is_err() {
                remarks.push(self.add_needed(&seen, class, first)?);
            }
        }
        for (field, value) in values {
            let owner =
                Owner { shown: format!("{} of {}", class.name, seen.path), ..self.owner_of_id(id) };
            remarks.extend(self.set_field(&owner, field, value)?.remarks);
        }
        Ok((id, remarks))
    }

    /// Add what a class needs, one of its own namespace first; a remark of it. What several
    /// packages have, or none that is known, is left to people.
    fn add_needed(&mut self, seen: &Seen, class: &NewClass, name: &str) -> Result<String, Refusal> {
        let script = class.script.and_then(|script| self.project.classes.script_name(script, ""));
        let beside = script.as_deref().and_then(|full| full.rsplit_once('.'));
        let beside = beside.map(|(namespace, _)| format!("{namespace}.{name}"));
        let beside = beside.and_then(|full| self.project.classes.find(&full).ok());
        let Some(needed) = beside.or_else(|| self.project.classes.find(name).ok()) else {
            return Ok(format!("{} needs a {name}, which is not known here: add one", class.name));
        };
        self.add_class(seen, &needed, None, &[])?;
        Ok(format!("{} was added, which {} needs", needed.name, class.name))
    }

    fn component_fields(
        &self,
        class: &NewClass,
        owner: FileId,
    ) -> Result<ComponentFields, Refusal> {
        let Some(script) = class.script else {
            let mut fields = self.fresh(class.class)?;
            fill(&mut fields, "m_GameObject", New::local(owner));
            return Ok((fields, Vec::new(), false));
        };
        let mut fields = self.links(class.class);
        fields.extend(edit::script_head(owner, script, &self.identifier(class)));
        let Some(known) = self.project.classes.script_fields(script) else {
            return Ok((fields, vec!["all, for its source is not here".to_owned()], false));
        };
        fields.extend(known.values);
        Ok((fields, known.unknown, known.does_more))
    }

    /// What newer versions note beside a script: its assembly and class.
    fn identifier(&self, class: &NewClass) -> String {
        let noted =
            self.sheet.objects().filter(|object| object.class_id() == ClassId::MONO_BEHAVIOUR);
        let same = noted.filter(|object| object.glance_reference("m_Script") == class.script);
        let mut texts = same.filter_map(|object| object.glance("m_EditorClassIdentifier"));
        texts.next().unwrap_or_default().to_owned()
    }

    pub(super) fn list_component(
        &mut self,
        seen: &Seen,
        class: ClassId,
        id: FileId,
    ) -> Result<(), Refusal> {
        self.list_component_at(seen, class, id, None)
    }

    /// The same at a place among the components.
    pub(super) fn list_component_at(
        &mut self,
        seen: &Seen,
        class: ClassId,
        id: FileId,
        place: Option<usize>,
    ) -> Result<(), Refusal> {
        match seen.at {
            Stated::Here(object) => self.edit(object, |object, manner, edits| {
                let list = object.get("m_Component");
                let count = list.map_or(0, |list| list.items().count());
                let is_old = list.and_then(|list| list.items().next()?.fields().next());
                // Old files have the class number as the key.
                let key = match is_old {
                    Some((key, _)) if key != "component" => class.0.to_string(),
                    _ => "component".to_owned(),
                };
                let mut items: Vec<Item> = (0..count).map(Item::Old).collect();
                let at = place.unwrap_or(count).min(count);
                items.insert(at, Item::New(New::Map(vec![(key, New::local(id))])));
                edit::set_list(object, "m_Component", &items, manner, edits)
            }),
            Stated::Override { instance, target } => {
                let place = place.map_or(-1, |place| place as i64);
                self.add_to_instance(instance, "m_AddedComponents", target, id, (place, None))
            }
        }
    }

    fn check_allowed(&self, seen: &Seen, class: &NewClass) -> Result<(), Refusal> {
        if class.class.is_a(ClassId::TRANSFORM) && class.class != ClassId::RECT_TRANSFORM {
            return Err(Refusal::new(format!("{} has its transform already", seen.path)));
        }
        let is_single = || rules::excluded_by(class.class, [class.class]).is_some();
        if may_be_in_model(seen, &class.name) && is_single() {
            let name = &class.name;
            let text =
                format!("whether {} has a {name} only the importer of its model knows", seen.path);
            return Err(Refusal::new(text).hint("add it in the editor"));
        }
        let Some(script) = class.script else {
            let natives = seen.components.iter().filter(|held| held.script.is_none());
            return match rules::excluded_by(class.class, natives.map(|held| held.class)) {
                Some(other) if other == class.class => Err(only_one(seen, class)),
                Some(other) => Err(Refusal::new(format!(
                    "{} has a {}, and a {} cannot be beside it",
                    seen.path,
                    other.name().unwrap_or_default(),
                    class.name
                ))),
                None => Ok(()),
            };
        };
        let rules = self.project.classes.script_rules(script);
        let is_same = |held: Reference| held.guid == script.guid && held.file_id == script.file_id;
        for held in &seen.components {
            let Some(other) = held.script else { continue };
            if is_same(other) && rules.once.is_some() {
                return Err(only_one(seen, class));
            }
            let of_other = self.project.classes.script_rules(other);
            if let Some(base) = rules.both_once(&of_other) {
                let (path, is, new) = (&seen.path, &held.name, &class.name);
                let base = simple_name(base);
                let text = format!("{path} has the component {is}, and {new} cannot be beside it");
                return Err(Refusal::new(text).hint(format!(
                    "both derive from {base}, of which an object can have only one"
                )));
            }
        }
        Ok(())
    }

    /// What a class cannot be without.
    fn needs(&self, class: &NewClass) -> Vec<rules::Need> {
        match class.script {
            None => rules::needs(class.class),
            Some(script) => self.project.classes.script_rules(script).needs,
        }
    }

    pub(super) fn needs_rect(&self, class: &NewClass) -> bool {
        let is_rect = |need: &rules::Need| need.any_of.iter().any(|name| name == "RectTransform");
        class.class == ClassId::RECT_TRANSFORM
            || self.needs(class).iter().any(|need| {
                let inner = need.any_of.first().and_then(|name| self.class(name).ok());
                is_rect(need) || inner.is_some_and(|inner| self.needs(&inner).iter().any(is_rect))
            })
    }

    /// Make the transform of an object one of user interfaces.
    fn make_rect(&mut self, seen: &Seen) -> Result<(), Refusal> {
        let Stated::Here(id) = seen.transform()?.at else {
            let text =
                format!("{} is inside a prefab instance and has a plain Transform", seen.path);
            return Err(Refusal::new(text).hint("give it a RectTransform in the prefab"));
        };
        let mut fields = self.fresh_transform(ClassId::RECT_TRANSFORM)?;
        if let Some(old) = self.sheet.object(id) {
            for (key, value) in old.fields() {
                if key != "serializedVersion" {
                    let data = super::apply::data_of(value);
                    fill(&mut fields, &key, super::encode::new_of(&data));
                }
            }
        }
        self.sheet.remove(id);
        let class = ClassId::RECT_TRANSFORM;
        self.sheet.add(&NewObject {
            class,
            id,
            key: "RectTransform".into(),
            stripped: false,
            fields,
        });
        self.forget_tree();
        Ok(())
    }

    /// Take a component away.
    pub fn remove_component(&mut self, object: &str, class: &str) -> Result<Done, Refusal> {
        self.settle();
        let seen = self.find_whole(object)?;
        let held = match seen.component(class) {
            Ok(held) => held.clone(),
            Err(refusal) if !seen.is_model => return Err(refusal),
            Err(_) => return self.remove_from_model(object, class),
        };
        if held.class.is_a(ClassId::TRANSFORM) {
            return Err(Refusal::new("every object has its transform; delete the object instead"));
        }
        self.check_not_needed(&seen, &held)?;
        let mut remarks = Vec::new();
        match held.at {
            Stated::Here(id) => {
                self.unlist_component(&seen, id)?;
                self.note_left(&[id]);
                self.sheet.remove(id);
                remarks.extend(self.clear_references(&[id])?);
                match seen.at {
                    Stated::Here(owner) => {
                        self.change_tree(|tree| tree.remove_component(owner, id));
                    }
                    Stated::Override { .. } => self.forget_tree(),
                }
            }
            Stated::Override { instance, target } => {
                self.remove_inside(instance, "m_RemovedComponents", target)?;
                remarks.extend(self.take_stand_in(held.at)?);
                self.forget_tree();
            }
        }
        let id = Some(self.id_of(seen.at));
        let component = Some((held.name, held.id));
        Ok(Done { path: seen.path, id, component, changed: true, remarks, ..Done::default() })
    }

    /// Take away what the file knows of a model.
    fn remove_from_model(&mut self, object: &str, class: &str) -> Result<Done, Refusal> {
        let (owner, seen) = self.owner(Some(object), Some(class))?;
        let (Stated::Override { instance, target }, Some(seen)) = (owner.at, seen) else {
            return Err(Refusal::new(format!("{} is not of a model", owner.shown)));
        };
        if owner.class == ClassId::GAME_OBJECT || owner.class.is_a(ClassId::TRANSFORM) {
            return Err(Refusal::new(format!("#{target} is no component that can be removed")));
        }
        self.remove_inside(instance, "m_RemovedComponents", target)?;
        let component = Some((owner.full, self.id_of(owner.at)));
        let remarks = self.take_stand_in(owner.at)?;
        self.forget_tree();
        let (path, id) = (seen.path, Some(seen.id));
        Ok(Done { path, id, component, changed: true, remarks, ..Done::default() })
    }

    fn unlist_component(&mut self, seen: &Seen, id: FileId) -> Result<(), Refusal> {
        match seen.at {
            Stated::Here(object) => self.edit(object, |object, manner, edits| {
                let Some(list) = object.get("m_Component") else { return Ok(()) };
                let is_it = |item: crate::Value<'_>| {
                    let to = item.fields().next().and_then(|(_, to)| to.as_reference());
                    to.is_some_and(|to| to.file_id == id)
                };
                let kept = list.items().enumerate().filter(|(_, item)| !is_it(*item));
                let items: Vec<Item> = kept.map(|(at, _)| Item::Old(at)).collect();
                edit::set_list(object, "m_Component", &items, manner, edits)
            }),
            Stated::Override { instance, .. } => self.drop_added(instance, &[id]),
        }
    }

    fn check_not_needed(&self, seen: &Seen, held: &Held) -> Result<(), Refusal> {
        let others = seen.components.iter().filter(|other| other.at != held.at);
        let is_like = |other: &&Held| other.class == held.class && other.script == held.script;
        if others.clone().any(|other| is_like(&other)) {
            return Ok(());
        }
        for other in others {
            let class =
                NewClass { class: other.class, name: other.name.clone(), script: other.script };
            let needs_it = |need: &rules::Need| {
                let fits = |held: &Held, name: &str| {
                    let only = Seen { components: vec![held.clone()], ..seen.clone() };
                    only.component(name).is_ok()
                };
                let others = seen.components.iter().filter(|one| one.at != held.at);
                need.any_of.iter().any(|name| fits(held, name))
                    && !others.clone().any(|one| need.any_of.iter().any(|name| fits(one, name)))
            };
            if self.needs(&class).iter().any(needs_it) {
                let text = format!("{} needs the {} of {}", other.name, held.name, seen.path);
                return Err(Refusal::new(text).hint(format!("remove {} first", other.name)));
            }
        }
        Ok(())
    }

    /// Note in an instance that something of its prefab is not there.
    pub(super) fn remove_inside(
        &mut self,
        instance: FileId,
        list: &str,
        target: FileId,
    ) -> Result<(), Refusal> {
        if self.source_of(instance).is_none() {
            return Err(Refusal::new(format!("the instance #{instance} names no prefab")));
        }
        if !self.has_list(instance, list) {
            return Err(self.no_list());
        }
        let removed = vec![target];
        let changes = match list {
            "m_RemovedComponents" => {
                ListChanges { removed_components: removed, ..ListChanges::default() }
            }
            _ => ListChanges { removed_objects: removed, ..ListChanges::default() },
        };
        self.change_lists(instance, &changes)
    }

    /// Why nothing can be taken out of an instance. One list alone would be a form that no Unity writes.
    fn no_list(&self) -> Refusal {
        let instead = "set it inactive, or delete it in the prefab";
        match self.project.habits.release.filter(|release| *release >= edit::instance::LISTS_ADDED) {
            Some((year, part)) => Refusal::new(
                "the file was saved by a Unity before 2022.2, whose instances have no list for that",
            )
            .hint(format!("save it once in Unity {year}.{part}, {instead}")),
            None => Refusal::new("a Unity before 2022.2 cannot take objects out of a prefab instance")
                .hint(instead),
        }
    }
}

/// What importers put on the root of a model.
const OF_MODELS: [&str; 7] =
    ["MeshFilter", "Renderer", "Animator", "Animation", "LODGroup", "Light", "Camera"];

/// Whether an object may have a component that nothing here can see.
fn may_be_in_model(seen: &Seen, name: &str) -> bool {
    seen.is_model && OF_MODELS.iter().any(|base| crate::types::is_a(name, base))
}

fn only_one(seen: &Seen, class: &NewClass) -> Refusal {
    let text =
        format!("{} has a {} already, and an object can have only one", seen.path, class.name);
    Refusal::new(text)
}
