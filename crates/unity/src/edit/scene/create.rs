//! New objects.

use super::attach::Child;
use super::{Done, Editor, Held, NewClass, Refusal, Seen};
use crate::edit::{New, NewObject, fresh, rules};
use crate::hierarchy::Stated;
use crate::pose::{from_euler, to_euler};
use crate::{ClassId, FileId};

/// How something is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Turn {
    /// By angles in degrees.
    Euler([f64; 3]),
    /// By a quaternion.
    Quaternion([f64; 4]),
}

impl Turn {
    /// The quaternion.
    pub fn quaternion(self) -> [f64; 4] {
        match self {
            Turn::Euler(angles) => from_euler(angles),
            Turn::Quaternion(turn) => turn,
        }
    }

    /// The angles that the inspector shows.
    pub fn angles(self) -> [f64; 3] {
        match self {
            Turn::Euler(angles) => angles,
            Turn::Quaternion(turn) => to_euler(turn),
        }
    }
}

/// Where something new is, in its parent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Placed {
    /// Its position.
    pub position: Option<[f64; 3]>,
    /// Its turn.
    pub rotation: Option<Turn>,
    /// Its size.
    pub scale: Option<[f64; 3]>,
}

/// An object to be made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Create {
    /// The path of its parent; empty for the root of a scene.
    pub parent: String,
    /// Its name.
    pub name: String,
    /// The classes of its components.
    pub components: Vec<String>,
    /// Where it is.
    pub placed: Placed,
    /// Its place among its siblings; last by default.
    pub index: Option<usize>,
}

/// An instance of a prefab to be made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instantiate {
    /// The path of the prefab in the project.
    pub prefab: String,
    /// The path of its parent; empty for the root of a scene.
    pub parent: String,
    /// Its name; that of the prefab's root by default.
    pub name: Option<String>,
    /// Where it is.
    pub placed: Placed,
    /// Its place among its siblings; last by default.
    pub index: Option<usize>,
}

impl Editor<'_> {
    /// Make an object.
    pub fn create(&mut self, wanted: &Create) -> Result<Done, Refusal> {
        check_name(&wanted.name)?;
        let parent = self.parent_named(&wanted.parent)?;
        let mut classes = Vec::new();
        for name in &wanted.components {
            classes.push(self.class(name)?);
        }
        let is_transform = |class: &NewClass| class.class.is_a(ClassId::TRANSFORM);
        let wants_rect = classes.iter().any(|class| self.needs_rect(class));
        let in_rect = match &parent {
            Some(parent) => parent.transform()?.class == ClassId::RECT_TRANSFORM,
            None => false,
        };
        let says_plain = classes.iter().any(|class| class.class == ClassId::TRANSFORM);
        let transform = match wants_rect || (in_rect && !says_plain) {
            true => ClassId::RECT_TRANSFORM,
            false => ClassId::TRANSFORM,
        };
        classes.retain(|class| !is_transform(class));
        self.tree_and_came();
        let trees = self.trees;
        let seed = format!("{}/{}", wanted.parent, wanted.name);
        let id = self.sheet.fresh_ids(&seed, 2 + classes.len());
        self.add_object(id, &wanted.name, transform, parent.as_ref())?;
        self.place(Stated::Here(FileId(id.0 + 1)), &wanted.placed, transform)?;
        let child = Child { transform: Stated::Here(FileId(id.0 + 1)), instance: None };
        let (_, is_last) = self.hang(child, parent.as_ref(), wanted.index)?;
        // A tree that was made meanwhile has it already.
        let mut seen = match is_last && self.tree.is_some() && self.trees == trees {
            true => self.note_child(self.new_seen(id, &wanted.name, transform), parent.as_ref()),
            false => {
                self.forget_tree();
                self.find_id(id)?
            }
        };
        for (more, class) in (2..).zip(&classes) {
            // What another one needed may be there already.
            let is_there = seen
                .components
                .iter()
                .any(|held| held.class == class.class && held.script == class.script);
            if !(is_there && (class.script.is_some() || rules::is_once(class.class))) {
                self.add_class(&seen, class, Some(FileId(id.0 + more)), &[])?;
                seen = self.find_id(id)?;
            }
        }
        Ok(Done { path: seen.path, id: Some(id), changed: true, ..Done::default() })
    }

    /// A new object with nothing but its transform.
    fn new_seen(&self, id: FileId, name: &str, transform: ClassId) -> Seen {
        let class = transform.name().unwrap_or("Transform").to_owned();
        let class = NewClass { class: transform, name: class, script: None };
        Seen {
            id,
            at: Stated::Here(id),
            path: name.to_owned(),
            name: name.to_owned(),
            components: vec![Held::new(&class, FileId(id.0 + 1), self.project.classes)],
            root_of: None,
            is_model: false,
        }
    }

    fn add_object(
        &mut self,
        id: FileId,
        name: &str,
        transform: ClassId,
        parent: Option<&Seen>,
    ) -> Result<(), Refusal> {
        let component = New::Map(vec![("component".to_owned(), New::local(FileId(id.0 + 1)))]);
        let layer = match parent {
            Some(parent) => self.data(parent.at, &crate::edit::address::parts("m_Layer")),
            None => None,
        };
        let layer = match layer {
            Some(crate::hierarchy::Data::Text(layer)) => layer,
            _ => "0".to_owned(),
        };
        let mut fields = self.fresh(ClassId::GAME_OBJECT)?;
        fill(&mut fields, "m_Component", New::List(vec![component]));
        fill(&mut fields, "m_Layer", New::Number(layer));
        fill(&mut fields, "m_Name", New::Text(name.to_owned()));
        let class = ClassId::GAME_OBJECT;
        self.sheet.add(&NewObject { class, id, key: "GameObject".into(), stripped: false, fields });
        let mut fields = self.fresh_transform(transform)?;
        fill(&mut fields, "m_GameObject", New::local(id));
        let key = transform.name().unwrap_or("Transform").to_owned();
        let id = FileId(id.0 + 1);
        self.sheet.add(&NewObject { class: transform, id, key, stripped: false, fields });
        Ok(())
    }

    /// The fields of a new transform. In files that number them none has a version, whatever the project's
    /// Unity writes.
    pub(super) fn fresh_transform(&self, class: ClassId) -> Result<Vec<(String, New)>, Refusal> {
        let mut fields = self.fresh(class)?;
        if !self.is_numbered {
            // A newer Unity than the project's saved the file.
            fields.retain(|(key, _)| key != "m_RootOrder");
        } else {
            fields.retain(|(key, _)| key != "serializedVersion");
            if !fields.iter().any(|(key, _)| key == "m_RootOrder") {
                let at = fields.iter().position(|(key, _)| key == "m_LocalEulerAnglesHint");
                let at = at.unwrap_or(fields.len());
                fields.insert(at, ("m_RootOrder".to_owned(), New::int(0)));
            }
        }
        Ok(fields)
    }

    /// The fields of a new object, with the links to prefabs that the file knows.
    pub(super) fn fresh(&self, class: ClassId) -> Result<Vec<(String, New)>, Refusal> {
        let unknown = || {
            let name = class.name().unwrap_or("this class");
            Refusal::new(format!("the project's version of Unity has no {name}"))
        };
        fresh::in_file(class, self.project.version, self.links(class)).ok_or_else(unknown)
    }

    /// What files call objects of a class: by its base where it adds nothing to that, so that a
    /// `FlareLayer` is a `Behaviour`.
    pub(super) fn key_of(&self, class: ClassId) -> Option<&'static str> {
        let tree = crate::types::tree(class, self.project.version);
        tree.map(|tree| tree.type_name()).or(class.name())
    }

    /// A class of components that a change names.
    pub(super) fn class(&self, name: &str) -> Result<NewClass, Refusal> {
        let classes = self.project.classes;
        classes.find(name).map_err(|known| match classes.is_abstract(name) {
            true => {
                let text =
                    format!("{name} is abstract, and components are of what derives from it");
                Refusal::new(text).choices(name, known)
            }
            false => {
                Refusal::new(format!("there is no component class {name}")).choices(name, known)
            }
        })
    }

    /// Put a new transform somewhere.
    pub(super) fn place(
        &mut self,
        transform: Stated,
        placed: &Placed,
        class: ClassId,
    ) -> Result<bool, Refusal> {
        let mut changed = false;
        let key = |key: &str| crate::edit::address::parts(key);
        if let Some(position) = placed.position {
            let mut local = position;
            if class == ClassId::RECT_TRANSFORM {
                let [x, y, _] = position.map(|part| part as f32);
                let pair = New::flow([("x", x), ("y", y)]);
                changed |= self.put(transform, &key("m_AnchoredPosition"), &pair)?;
                // Unity saves what follows from the anchors as nothing.
                local = [0.0, 0.0, position[2]];
            }
            changed |= self.put(transform, &key("m_LocalPosition"), &vector(local))?;
        }
        if let Some(turn) = placed.rotation {
            changed |=
                self.put(transform, &key("m_LocalRotation"), &quaternion(turn.quaternion()))?;
            changed |=
                self.put(transform, &key("m_LocalEulerAnglesHint"), &vector(turn.angles()))?;
        }
        if let Some(scale) = placed.scale {
            changed |= self.put(transform, &key("m_LocalScale"), &vector(scale))?;
        }
        Ok(changed)
    }
}

pub(super) fn vector(parts: [f64; 3]) -> New {
    let [x, y, z] = parts.map(|part| part as f32);
    New::flow([("x", x), ("y", y), ("z", z)])
}

pub(super) fn quaternion(parts: [f64; 4]) -> New {
    let [x, y, z, w] = parts.map(|part| part as f32);
    New::flow([("x", x), ("y", y), ("z", z), ("w", w)])
}

/// Give a field another value; one that is not there is left out.
pub(super) fn fill(fields: &mut [(String, New)], key: &str, value: New) {
    if let Some((_, old)) = fields.iter_mut().find(|(known, _)| known == key) {
        *old = value;
    }
}

pub(super) fn check_name(name: &str) -> Result<(), Refusal> {
    match name.contains(['\n', '\r', '\0']) {
        true => Err(Refusal::new("a name is one line of text")),
        false => Ok(()),
    }
}
