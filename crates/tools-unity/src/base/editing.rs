//! One file of Unity's, changed by the engine of edits and written through the door.

mod several;

pub use several::{Failed, Several};

use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::Cx;
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_unity::edit::scene::{self, Done, Editor, FileKind, Refusal};
use scenewright_unity::hierarchy::Expander;
use scenewright_unity::index::{AssetKind, only_values_differ};
use scenewright_unity::{Document, FileId, Guid};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::assets::NewFiles;
use super::classes::ProjectClasses;
use super::{InUnity, Unity};

/// What one change came to.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeDone {
    /// The object's path in the hierarchy afterwards.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub object: String,
    /// What the file calls the object.
    #[serde(rename = "fileID", skip_serializing_if = "Option::is_none")]
    pub file_id: Option<i64>,
    /// The class of the component that was meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// What the file calls the component.
    #[serde(rename = "componentFileID", skip_serializing_if = "Option::is_none")]
    pub component_file_id: Option<i64>,
    /// The field as the file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// False when everything was so already.
    pub changed: bool,
    /// What else is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl From<Done> for ChangeDone {
    fn from(done: Done) -> ChangeDone {
        let (component, component_file_id) = done.component.map(|(name, id)| (name, id.0)).unzip();
        ChangeDone {
            object: done.path,
            file_id: done.id.map(|id| id.0),
            component,
            component_file_id,
            field: done.field,
            changed: done.changed,
            remarks: done.remarks,
        }
    }
}

/// A field of an object of an asset, and what it is to be.
pub struct SetField {
    /// What the file calls the object.
    pub object: FileId,
    /// The field.
    pub field: String,
    /// What it is to be.
    pub value: Value,
}

/// A file that a call is about to change.
pub struct Opened<'u> {
    /// The project.
    pub unity: &'u Unity<'u>,
    /// Where it is.
    pub path: ProjectPath,
    /// What was read.
    document: Arc<Document>,
    guid: Guid,
    kind: FileKind,
    classes: ProjectClasses<'u>,
    /// The prefabs that it is made of.
    expander: Arc<Expander>,
}

impl<'u> Opened<'u> {
    /// Read a scene, prefab or asset to change it.
    pub fn new(unity: &'u Unity<'u>, path: &str) -> Result<Opened<'u>, ToolError> {
        let project = unity.project;
        let asset = unity.asset(Some(path), None).ok();
        let path = match asset {
            Some(asset) => ProjectPath::parse(project, &asset.path())?,
            None => ProjectPath::parse(project, path)?,
        };
        let before = match (door::read(unity.cx, project, &path), asset) {
            (Ok(before), _) => before,
            // Who wrote only a part of its path, or misspelt it, is told the whole.
            (Err(error), None) if error.details.contains_key("file") => {
                return Err(unity.with_paths_like(error, path.as_str()));
            }
            (Err(error), _) => return Err(error),
        };
        let kind = match asset.map(|asset| asset.kind()) {
            Some(AssetKind::Scene) => FileKind::Scene,
            Some(AssetKind::Prefab) => FileKind::Prefab,
            _ => FileKind::Asset,
        };
        let guid = asset.and_then(|asset| asset.guid()).unwrap_or_default();
        let classes = ProjectClasses::new(unity);
        let expander = unity.expander.clone();
        let document = Arc::new(Document::parse(before));
        Ok(Opened { unity, path, document, guid, kind, classes, expander })
    }

    /// What was read.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Its bytes.
    pub fn before(&self) -> &[u8] {
        self.document.as_bytes()
    }

    /// The same for an asset that must be there; the error has names that are like it.
    fn named(unity: &'u Unity<'u>, path: &str) -> Result<Opened<'u>, ToolError> {
        unity.asset(Some(path), None)?;
        Opened::new(unity, path)
    }

    /// Has it begin with another text, for who tries out what would come of that. Returns the one before.
    pub fn replace(&mut self, document: Arc<Document>) -> Arc<Document> {
        std::mem::replace(&mut self.document, document)
    }

    /// The guid of the asset; zero where it has none.
    pub fn guid(&self) -> Guid {
        self.guid
    }

    /// The engine of edits on it.
    pub fn editor(&self) -> Result<Editor<'_>, ToolError> {
        let project = engine_project(self.unity, &self.classes);
        let project = scene::Project { expander: &self.expander, ..project };
        Editor::open(project, self.document.clone(), self.guid, self.kind)
            .map_err(|refusal| refused(refusal).detail("path", self.path.as_str()))
    }

    /// The same file after a change of its own, with fields that the engine of edits sets: it knows
    /// what references mean.
    pub fn with_fields(&self, after: Vec<u8>, fields: &[SetField]) -> Result<Vec<u8>, ToolError> {
        if fields.is_empty() {
            return Ok(after);
        }
        let project = engine_project(self.unity, &self.classes);
        let document = Arc::new(Document::parse(after));
        let mut editor = Editor::open(project, document, self.guid, self.kind).map_err(refused)?;
        for SetField { object, field, value } in fields {
            let object = format!("#{object}");
            editor.set(Some(&object), None, field, value).map_err(refused)?;
        }
        Ok(editor.to_bytes())
    }

    /// How it is checked, with new files beside it.
    pub fn with_files(&self, files: &NewFiles) -> Checked<'_> {
        Checked { expander: Some(Expander::clone(&self.unity.with(files).expander)), opened: self }
    }

    /// Whether what came of it can be read as it should; a reason otherwise.
    pub fn check(&self, after: &[u8]) -> Result<(), String> {
        Checked { expander: None, opened: self }.check(after)
    }

    /// Write what came of it.
    pub fn commit_bytes(&self, after: Vec<u8>, dry_run: bool) -> Result<Written, ToolError> {
        let mut plan = Plan::new(self.unity.project);
        plan.write(&self.path, Some(self.before()), after);
        plan.commit(self.unity.cx, dry_run, |_, bytes| self.check(bytes))
    }

    /// Write it, and the files that changed with it.
    pub fn commit(&self, editor: &mut Editor<'_>, dry_run: bool) -> Result<Written, ToolError> {
        editor.sweep();
        let unity = self.unity;
        let mut plan = Plan::new(unity.project);
        plan.write(&self.path, Some(self.before()), editor.to_bytes());
        let mut others = Vec::new();
        for (guid, before, after) in editor.others() {
            let mut other = Opened::new(unity, &unity.path_of(guid))?;
            // What the engine read counts: somebody may have saved it since.
            other.replace(before.clone());
            plan.write(&other.path, Some(before.as_bytes()), after);
            others.push(other);
        }
        plan.commit(unity.cx, dry_run, |path, bytes| {
            let opened = others.iter().find(|other| other.path == *path).unwrap_or(self);
            let expander = (!others.is_empty()).then(|| editor.expander().clone());
            Checked { expander, opened }.check(bytes)
        })
    }
}

/// The project as the engine of edits sees it.
pub fn engine_project<'p>(
    unity: &'p Unity<'_>,
    classes: &'p ProjectClasses<'_>,
) -> scene::Project<'p> {
    scene::Project {
        index: &unity.index,
        expander: &unity.expander,
        version: unity.version(),
        habits: unity.unity.settings.habits(),
        classes,
    }
}

/// A file that is checked as it would be beside others that come with it.
pub struct Checked<'o> {
    /// The prefabs as they will be, where others change with the file.
    expander: Option<Expander>,
    opened: &'o Opened<'o>,
}

impl Checked<'_> {
    /// Whether what came of the file can be read as it should; a reason otherwise.
    pub fn check(&self, after: &[u8]) -> Result<(), String> {
        let Opened { expander, document, guid, kind, .. } = self.opened;
        let before = document.as_bytes();
        // Nearly always there is nothing to compare.
        if self.expander.is_none() && only_values_differ(before, after) || self.is_sound(after) {
            return Ok(());
        }
        let after = problems(self.expander(), Document::parse(after).into(), *guid, *kind);
        let before = problems(expander, document.clone(), *guid, *kind);
        match after.iter().find(|problem| !before.contains(problem)) {
            Some((message, ..)) if before.len() < after.len() => Err(message.clone()),
            _ => Ok(()),
        }
    }

    fn expander(&self) -> &Expander {
        self.expander.as_ref().unwrap_or(&self.opened.expander)
    }

    /// Whether nothing is wrong with what changed, nor with the tree.
    fn is_sound(&self, after: &[u8]) -> bool {
        let Opened { guid, kind, .. } = self.opened;
        let document = Arc::new(Document::parse(after));
        let (text, tree) = rayon::join(
            || document.problems_beside(self.opened.before()).is_empty(),
            || {
                *kind == FileKind::Asset
                    || self.expander().scene(document.clone(), *guid).problems().is_empty()
            },
        );
        text && tree
    }
}

/// What is wrong with a file, in words, and the objects that these are about.
fn problems(
    expander: &Expander,
    document: Arc<Document>,
    guid: Guid,
    kind: FileKind,
) -> Vec<(String, Option<FileId>, Option<FileId>)> {
    let text = document.problems().into_iter().map(|problem| (problem.message, None, None));
    let mut found: Vec<_> = text.collect();
    if kind != FileKind::Asset {
        let tree = expander.scene(document, guid);
        let problems = tree.problems().into_iter();
        found.extend(problems.map(|problem| (problem.message, problem.stated_by, problem.gone)));
    }
    found
}

/// A refusal of the engine of edits, as an error of a call.
pub fn refused(refusal: Refusal) -> ToolError {
    let error = ToolError::new(ErrorKind::EngineError, refusal.message);
    match (refusal.choices, refusal.hint) {
        (Some((wanted, known)), _) => {
            // Layers without a name are among the layers.
            let known = known.iter().map(String::as_str).filter(|known| !known.is_empty());
            error.hint(suggest::did_you_mean(&wanted, known, "nothing was changed"))
        }
        (None, Some(hint)) => error.hint(hint),
        (None, None) => error.hint("nothing was changed"),
    }
}

/// Make changes to one file and write it. Returns its path, what came of them, and what was written.
pub fn edit_file<T>(
    cx: &Cx,
    project: Option<&str>,
    path: &str,
    dry_run: bool,
    change: impl FnOnce(&mut Editor<'_>) -> Result<T, Refusal>,
) -> Result<(String, T, Written), ToolError> {
    let unity = cx.unity(project)?;
    let opened = Opened::new(&unity, path)?;
    let mut editor = opened.editor()?;
    let done = change(&mut editor).map_err(refused)?;
    let written = opened.commit(&mut editor, dry_run)?;
    Ok((opened.path.to_string(), done, written))
}

/// A new file with the values that a call gives, set as in one that is there already.
pub fn with_values(
    unity: &Unity<'_>,
    text: String,
    values: &Map<String, Value>,
) -> Result<Vec<u8>, ToolError> {
    let classes = ProjectClasses::new(unity);
    let document = Arc::new(Document::parse(text));
    let project = engine_project(unity, &classes);
    let mut editor =
        Editor::open(project, document, Guid::default(), FileKind::Asset).map_err(refused)?;
    for (field, value) in values {
        let done = editor.set(None, None, field, value);
        done.map_err(|refusal| refused(refusal).detail("field", field.as_str()))?;
    }
    Ok(editor.to_bytes())
}

/// The same for the scene that a call means: the first one of the build settings without a name.
pub fn edit_scene<T>(
    cx: &Cx,
    project: Option<&str>,
    scene: Option<String>,
    dry_run: bool,
    change: impl FnOnce(&mut Editor<'_>) -> Result<T, Refusal>,
) -> Result<(String, T, Written), ToolError> {
    let scene = cx.unity(project)?.active_scene(scene)?;
    edit_file(cx, project, &scene, dry_run, change)
}

/// A value that a call gives, null too.
pub fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    serde::Deserialize::deserialize(from).map(Some)
}
