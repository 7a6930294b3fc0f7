//! Changes of Unity's text files on their way to the door: a file as it was read and as it is to be,
//! and of scenes and prefabs also the objects, anew after each change.

use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Project};
use scenewright_unity::edit::scene::{Create, Editor, FileKind, Placed, Refusal};
use scenewright_unity::edit::{Manner, New, Refused};
use scenewright_unity::hierarchy::{Component, Hierarchy};
use scenewright_unity::{ClassId, Document, DocumentKind, FileId, Guid};

use super::classes::ProjectClasses;
use super::editing::{self, engine_project};
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

    /// Changes it with the engine of edits.
    fn edit<T>(
        &mut self,
        change: impl FnOnce(&mut Editor<'_>) -> Result<T, Refusal>,
    ) -> Result<T, ToolError> {
        let classes = ProjectClasses::new(self.unity);
        let project = engine_project(self.unity, &classes);
        let kind = match self.file.path.as_str().ends_with(".unity") {
            true => FileKind::Scene,
            false => FileKind::Prefab,
        };
        let path = self.file.path.as_str();
        let refused = |refusal| editing::refused(refusal).detail("path", path);
        let mut editor =
            Editor::open(project, self.file.now.clone(), self.guid, kind).map_err(refused)?;
        let done = change(&mut editor).map_err(refused)?;
        let after = editor.to_bytes();
        if after != self.file.now.as_bytes() {
            self.file.now = Arc::new(Document::parse(after));
            self.hierarchy = self.unity.expander.scene(self.file.now.clone(), self.guid);
        }
        Ok(done)
    }

    /// Sets values of a component or GameObject, by its id as the hierarchy has it: in itself, or as
    /// overrides of the instance that it is inside of. There a value that the prefab has, too, is no
    /// override.
    pub fn set(&mut self, id: FileId, values: &[(String, New)]) -> Result<(), ToolError> {
        self.edit(|editor| editor.put_values(id, values).map(drop))
    }

    /// The component with an id, as the hierarchy has it.
    pub fn component(&self, id: FileId) -> Option<Component<'_>> {
        let components = self.hierarchy.owner(id)?.components();
        components.into_iter().find(|component| component.file_id() == id)
    }

    /// Adds an empty GameObject as the last root of a scene; its id comes back.
    pub fn create_object(&mut self, name: &str, position: [f32; 3]) -> Result<FileId, ToolError> {
        let position = Some(position.map(f64::from));
        let placed = Placed { position, ..Placed::default() };
        let wanted = Create { name: name.to_owned(), placed, ..Create::default() };
        let made = self.edit(|editor| editor.create(&wanted))?;
        made.id.ok_or_else(|| ToolError::failed(format!("{name} was not made")))
    }

    /// Adds a component to a GameObject, with its fields behind those that every component has.
    pub fn add_component(
        &mut self,
        object: FileId,
        class: ClassId,
        key: &str,
        fields: Vec<(String, New)>,
    ) -> Result<FileId, ToolError> {
        self.edit(|editor| editor.add_component_with(object, class, key, fields))
    }

    /// How the file refers to a GameObject or component.
    pub fn refer_to(&mut self, id: FileId) -> Result<FileId, ToolError> {
        self.edit(|editor| editor.refer_to(id))
    }
}
