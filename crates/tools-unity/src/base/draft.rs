//! Changes of Unity's text files on their way to the door: a file as it was read and as it is to be,
//! and of scenes and prefabs also the objects, anew after each change.

use std::collections::HashSet;
use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Project};
use scenewright_unity::edit::{self, Inner, Manner, New, NewObject, Override, Refused};
use scenewright_unity::hierarchy::{Component, Effective, Hierarchy, Stated};
use scenewright_unity::{ClassId, Document, DocumentKind, FileId, Guid, Object};

use super::{Unity, UnityProject};

/// A text file that is being changed.
pub struct Draft {
    /// The file.
    pub path: ProjectPath,
    before: Vec<u8>,
    now: Arc<Document>,
    manner: Manner,
}

impl Draft {
    /// Reads a file for a change; one that is not Unity's text is refused.
    pub fn open(cx: &Cx, project: &Project, path: &str) -> Result<Draft, ToolError> {
        let path = ProjectPath::parse(project, path)?;
        let before = door::read(cx, project, &path)?;
        let now = Document::parse(&*before);
        let why = match now.kind() {
            DocumentKind::UnityYaml => None,
            DocumentKind::LfsPointer => {
                Some(("is a Git LFS pointer", "run `git lfs pull` for it first"))
            }
            DocumentKind::MergeConflict => Some(("has merge conflicts", "resolve them first")),
            DocumentKind::SerializedFile => Some((
                "is not text",
                "set Asset Serialization to Force Text in Unity and save the project",
            )),
            _ => Some(("is not a text asset of Unity", "name another file")),
        };
        if let Some((why, hint)) = why {
            let text = format!("{path} {why}, so that it cannot be changed here");
            return Err(ToolError::new(ErrorKind::EngineError, text)
                .hint(format!("nothing was changed; {hint}"))
                .detail("path", path.as_str()));
        }
        let habits = project.of::<UnityProject>().map(|unity| unity.settings.habits());
        let manner = Manner::of(&now).in_project(habits.unwrap_or_default());
        Ok(Draft { path, before, now: Arc::new(now), manner })
    }

    /// The file as it is to be so far.
    pub fn document(&self) -> &Document {
        &self.now
    }

    /// How it is written.
    pub fn manner(&self) -> &Manner {
        &self.manner
    }

    /// Gathers edits and makes them.
    pub fn change<T>(
        &mut self,
        make: impl FnOnce(&Document, &Manner, &mut Edits) -> Result<T, Refused>,
    ) -> Result<T, ToolError> {
        let mut edits = Edits::default();
        let made =
            make(&self.now, &self.manner, &mut edits).map_err(|why| refused(&self.path, &why))?;
        self.apply(&edits)?;
        Ok(made)
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), ToolError> {
        if edits.is_empty() {
            return Ok(());
        }
        let after = edits.apply(self.now.as_bytes()).map_err(|error| {
            ToolError::new(ErrorKind::Internal, format!("{} cannot be edited: {error}", self.path))
        })?;
        self.now = Arc::new(Document::parse(after));
        Ok(())
    }

    /// Adds it to a plan.
    pub fn add_to<'a>(&'a self, plan: &mut Plan<'a>) {
        plan.write(&self.path, Some(&self.before), self.now.as_bytes());
    }
}

/// Write drafts: all or none of them.
pub fn commit(
    cx: &Cx,
    project: &Project,
    drafts: &[&Draft],
    dry_run: bool,
) -> Result<Written, ToolError> {
    let mut plan = Plan::new(project);
    drafts.iter().for_each(|draft| draft.add_to(&mut plan));
    commit_plan(cx, project, plan, dry_run)
}

/// The same for a plan that has other files, too.
pub fn commit_plan(
    cx: &Cx,
    project: &Project,
    plan: Plan<'_>,
    dry_run: bool,
) -> Result<Written, ToolError> {
    plan.commit(cx, dry_run, |path, bytes| {
        project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })
}

/// What a file refuses, as an error.
pub fn refused(path: &ProjectPath, why: &Refused) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("{path} cannot be changed: {why}"))
        .hint("nothing was changed")
        .detail("path", path.as_str())
}

/// A scene or prefab that is being changed.
pub struct SceneDraft<'u> {
    unity: &'u Unity<'u>,
    /// Its file.
    pub file: Draft,
    guid: Guid,
    hierarchy: Hierarchy,
}

impl<'u> SceneDraft<'u> {
    /// Opens a scene or prefab; without a name the first enabled scene of the build.
    pub fn open(
        unity: &'u Unity<'u>,
        project: &Project,
        scene: Option<String>,
    ) -> Result<SceneDraft<'u>, ToolError> {
        let scene = unity.active_scene(scene)?;
        // Says what is wrong with a scene that cannot be read, and follows names that can be meant.
        let (path, known) = unity.hierarchy(&scene)?;
        let file = Draft::open(unity.cx, project, &path)?;
        let guid = known.guid();
        let hierarchy = unity.expander.scene(file.now.clone(), guid);
        Ok(SceneDraft { unity, file, guid, hierarchy })
    }

    /// The objects as they are to be so far.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// Gathers edits and makes them.
    pub fn change<T>(
        &mut self,
        make: impl FnOnce(&Document, &Manner, &mut Edits) -> Result<T, Refused>,
    ) -> Result<T, ToolError> {
        let made = self.file.change(make)?;
        self.hierarchy = self.unity.expander.scene(self.file.now.clone(), self.guid);
        Ok(made)
    }

    /// Sets values of a component or GameObject, by its id as the hierarchy has it: in itself, or as
    /// overrides of the instance that it is inside of. There a value that the prefab has, too, is no
    /// override.
    pub fn set(&mut self, id: FileId, values: &[(String, New)]) -> Result<(), ToolError> {
        let missing = || ToolError::failed(format!("{} has no object {id}", self.file.path));
        match self.stated(id).ok_or_else(missing)? {
            Stated::Here(here) => self.change(|document, manner, edits| {
                let object = found(document, here)?;
                values
                    .iter()
                    .try_for_each(|(path, new)| edit::set(object, path, new, manner, edits))
            }),
            Stated::Override { instance, target } => values
                .iter()
                .try_for_each(|(path, value)| self.set_override(id, instance, target, path, value)),
        }
    }

    fn set_override(
        &mut self,
        id: FileId,
        instance: FileId,
        target: FileId,
        path: &str,
        value: &New,
    ) -> Result<(), ToolError> {
        let before = self.file.now.clone();
        // Without the override, what the prefab says is seen.
        self.change(|document, manner, edits| {
            edit::remove_override(found(document, instance)?, target, path, manner, edits)
        })?;
        let inherited = match self.component(id) {
            Some(component) => component.value(path),
            None => self.hierarchy.find_by_id(id).and_then(|node| node.value(path)),
        };
        if inherited.is_some_and(|inherited| is_same(&inherited, value)) {
            return Ok(());
        }
        self.file.now = before;
        let change = Override { target, path: path.to_owned(), value: value.clone() };
        self.change(|document, manner, edits| {
            edit::set_overrides(found(document, instance)?, &[change], manner, edits)
        })
    }

    /// Where the values of a component or GameObject are stated.
    fn stated(&self, id: FileId) -> Option<Stated> {
        match self.component(id) {
            Some(component) => Some(component.stated()),
            None => self.hierarchy.find_by_id(id)?.stated(),
        }
    }

    /// The component with an id, as the hierarchy has it.
    pub fn component(&self, id: FileId) -> Option<Component<'_>> {
        let components = self.hierarchy.owner(id)?.components();
        components.into_iter().find(|component| component.file_id() == id)
    }

    /// Adds an empty GameObject as the last root of a scene, like another one of the file as far as
    /// versions differ; its id comes back.
    pub fn create_object(&mut self, name: &str, position: [f32; 3]) -> Result<FileId, ToolError> {
        if !self.file.path.as_str().ends_with(".unity") {
            let text = format!("{} is no scene, and a prefab has one root only", self.file.path);
            return Err(ToolError::new(ErrorKind::EngineError, text).hint("name a scene"));
        }
        let roots = self.hierarchy.roots().len();
        self.change(|document, manner, edits| {
            let plain = |id: FileId, class: ClassId| {
                document.object(id).filter(|o| o.class_id() == class && !o.is_stripped())
            };
            let transform_of = |object: Object<'_>| {
                let first = object.get("m_Component[0].component")?.as_reference()?;
                plain(first.file_id, ClassId::TRANSFORM)
            };
            let objects = document
                .objects()
                .filter(|o| o.class_id() == ClassId::GAME_OBJECT && !o.is_stripped());
            let model = objects.into_iter().find_map(|o| Some((o, transform_of(o)?)));
            let (object, transform) = model
                .ok_or_else(|| Refused::NoPlace("an object: it has none to be like".into()))?;
            let seed = format!("{name}/{roots}");
            let id = edit::fresh_ids(document, &HashSet::new(), &seed, 2);
            let place = FileId(id.0 + 1);
            edit::insert_copy(object, id, &plain_object(object, name, place), manner, edits)?;
            let values = root_transform(transform, id, position, roots);
            edit::insert_copy(transform, place, &values, manner, edits)?;
            let mut listed = document.objects().filter(|o| o.class_id() == ClassId::SCENE_ROOTS);
            if let Some(list) = listed.next() {
                edit::append(list, "m_Roots", New::local(place), manner, edits)?;
            }
            Ok(id)
        })
    }

    /// Adds a component to a GameObject of the file itself, with its fields behind those that every
    /// component has.
    pub fn add_component(
        &mut self,
        object: FileId,
        class: ClassId,
        key: &str,
        fields: Vec<(String, New)>,
    ) -> Result<FileId, ToolError> {
        let node = self.hierarchy.find_by_id(object);
        if !matches!(node.and_then(|node| node.stated()), Some(Stated::Here(_))) {
            let text =
                format!("a {key} cannot be added here to an object inside of a prefab instance");
            return Err(ToolError::new(ErrorKind::EngineError, text).hint(
                "nothing was changed; name an object of the scene itself, or change the prefab",
            ));
        }
        self.change(|document, manner, edits| {
            let owner = found(document, object)?;
            let seed = format!("{object}/{key}/{}", self_seed(owner));
            let id = edit::fresh_ids(document, &HashSet::new(), &seed, 1);
            let mut all = component_head(owner, object);
            all.extend(fields);
            let key = key.to_owned();
            let new = NewObject { class, id, key, stripped: false, fields: all };
            edit::insert_object(document, &new, manner, edits);
            let entry = New::Map(vec![("component".to_owned(), New::local(id))]);
            edit::append(owner, "m_Component", entry, manner, edits)?;
            Ok(id)
        })
    }

    /// How the file refers to a GameObject.
    pub fn refer_to_object(&mut self, id: FileId) -> Result<FileId, ToolError> {
        let node = self.hierarchy.find_by_id(id);
        match node.and_then(|node| node.stated()) {
            Some(Stated::Override { instance, target }) => {
                let (class, key) = (ClassId::GAME_OBJECT, "GameObject".to_owned());
                let inner = Inner { instance, target, class, key, script: None };
                self.change(|document, manner, edits| {
                    edit::stand_in(document, &inner, manner, edits)
                })
            }
            _ => Ok(id),
        }
    }

    /// How the file refers to a component.
    pub fn refer_to(&mut self, id: FileId) -> Result<FileId, ToolError> {
        let inner = self.component(id).and_then(|component| match component.stated() {
            Stated::Here(_) => None,
            Stated::Override { instance, target } => Some(Inner {
                instance,
                target,
                class: component.class_id(),
                key: component.class_name().into_owned(),
                script: component.script().filter(|script| script.guid.is_some()),
            }),
        });
        match inner {
            Some(inner) => self
                .change(|document, manner, edits| edit::stand_in(document, &inner, manner, edits)),
            None => Ok(id),
        }
    }
}

/// What makes a copy of a GameObject an empty one.
fn plain_object(model: Object<'_>, name: &str, transform: FileId) -> Vec<(&'static str, New)> {
    let first = New::Map(vec![("component".to_owned(), New::local(transform))]);
    let values = [
        ("m_ObjectHideFlags", New::int(0)),
        ("m_Component", New::List(vec![first])),
        ("m_Layer", New::int(0)),
        ("m_Name", New::Text(name.to_owned())),
        ("m_TagString", New::Text("Untagged".to_owned())),
        ("m_Icon", New::local(FileId::NULL)),
        ("m_NavMeshLayer", New::int(0)),
        ("m_StaticEditorFlags", New::int(0)),
        ("m_IsActive", New::int(1)),
    ];
    values.into_iter().filter(|(key, _)| model.get(key).is_some()).collect()
}

/// What makes a copy of a transform that of a new root.
fn root_transform(
    model: Object<'_>,
    object: FileId,
    [x, y, z]: [f32; 3],
    roots: usize,
) -> Vec<(&'static str, New)> {
    let vector = |x, y, z| New::flow([("x", x), ("y", y), ("z", z)]);
    let values = [
        ("m_ObjectHideFlags", New::int(0)),
        ("m_GameObject", New::local(object)),
        ("m_LocalRotation", New::flow([("x", 0.0), ("y", 0.0), ("z", 0.0), ("w", 1.0)])),
        ("m_LocalPosition", vector(x, y, z)),
        ("m_LocalScale", vector(1.0, 1.0, 1.0)),
        ("m_ConstrainProportionsScale", New::int(0)),
        ("m_Children", New::List(Vec::new())),
        ("m_Father", New::local(FileId::NULL)),
        ("m_RootOrder", New::int(roots as i64)),
        ("m_LocalEulerAnglesHint", vector(0.0, 0.0, 0.0)),
    ];
    values.into_iter().filter(|(key, _)| model.get(key).is_some()).collect()
}

/// How many components an object has, so that two of a class get different ids.
fn self_seed(object: Object<'_>) -> usize {
    object.get("m_Component").map_or(0, |list| list.items().count())
}

/// What stands first in every component, by the words of the file's version.
pub fn component_head(owner: Object<'_>, object: FileId) -> Vec<(String, New)> {
    let is_old = owner.get("m_PrefabParentObject").is_some();
    let links: &[&str] = match is_old {
        true => &["m_PrefabParentObject", "m_PrefabInternal"],
        false => &["m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset"],
    };
    let mut head = vec![("m_ObjectHideFlags".to_owned(), New::int(0))];
    head.extend(links.iter().map(|key| ((*key).to_owned(), New::local(FileId::NULL))));
    head.push(("m_GameObject".to_owned(), New::local(object)));
    head
}

/// Whether a value in a file is the one that is wanted. What a reference without a guid means depends
/// on the file, so that only one to nothing is the same anywhere.
fn is_same(value: &Effective, wanted: &New) -> bool {
    match wanted {
        New::Reference(to) => value.reference() == Some(*to) && (to.guid.is_some() || to.is_null()),
        New::Number(text) => value.text().is_some_and(|old| edit::is_same_number(old, text)),
        New::Text(text) => value.text() == Some(text),
        New::List(_) | New::Map(_) | New::Flow(_) => false,
    }
}

fn found(document: &Document, id: FileId) -> Result<Object<'_>, Refused> {
    document.object(id).ok_or_else(|| Refused::NoPlace(format!("the object {id}")))
}
