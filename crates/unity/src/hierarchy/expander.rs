//! The way from a guid to its expansion: files are read once, and each instance is entered when
//! someone looks inside.
//!
//! A prefab that contains itself, and files that hold each other so often that no memory would do,
//! are ordinary input. So [`Expander::enter`] is the only way inwards: it refuses a guid that is
//! already on the way from the top, and a way that is too long. Whoever went past it would not end.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::frame::{At, Content, Frame};
use super::shelf::Shelf;
use super::survey::Survey;
use super::template::{Child, Slot, Template};
use super::{MAX_NESTING, Node, Objects, Problem, problem};
use crate::{Document, DocumentKind, FileId, Guid};

/// Where the files of a project come from.
pub trait Source: Send + Sync {
    /// The asset of this guid, read.
    fn document(&self, guid: Guid) -> Loaded;

    /// The path of the asset in the project, for messages and names.
    fn path(&self, guid: Guid) -> Option<String>;

    /// The root of a model, where its meta tells it.
    fn model_root(&self, _guid: Guid) -> Option<ModelRoot> {
        None
    }
}

/// The ids that an importer gave to the root of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelRoot {
    /// Of the GameObject.
    pub object: FileId,
    /// Of its transform.
    pub transform: FileId,
}

impl ModelRoot {
    /// In every model whose ids are made of names: as hashes they cannot be anything else.
    pub const HASHED: ModelRoot =
        ModelRoot { object: FileId(919132149155446097), transform: FileId(-8679921383154817045) };
}

/// What a [`Source`] has for a guid.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// A file that was read; one that is not Unity's text is then taken as opaque.
    Document(Arc<Document>),
    /// An asset whose objects no text states.
    Opaque(Opaque),
    /// No asset has this guid.
    Missing,
}

/// Why nothing is known of what is inside a prefab instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    /// A model such as `.fbx`, whose objects only the importer knows.
    Model,
    /// Unity's binary form, or another file that is no text.
    Binary,
    /// Git LFS keeps the content and it was not fetched.
    LfsPointer,
    /// Text, but not Unity's.
    NotUnity,
    /// No asset has the guid.
    Missing,
    /// The prefab contains itself.
    Cycle,
    /// It is nested in more prefabs than Unity or we follow.
    TooDeep,
    /// It has more bytes or objects than are read.
    TooLarge,
    /// It would be too much beside the files that are open already.
    NoRoom,
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Opaque::Model => "the source is a model, whose objects only the importer knows",
            Opaque::Binary => "the source is a binary file",
            Opaque::LfsPointer => "the source is a Git LFS pointer; its content was not fetched",
            Opaque::NotUnity => "the source is not a text file of Unity",
            Opaque::Missing => "the source prefab is missing",
            Opaque::Cycle => "the prefab contains itself",
            Opaque::TooDeep => "prefabs are nested too deep",
            Opaque::TooLarge => "the source is too large to be read here",
            Opaque::NoRoom => "the files of this scene are too large to be open together",
        })
    }
}

/// Expands scenes and prefabs, and keeps what it read of each file. Clones share that.
///
/// It holds files as they were when first asked; see [`forget`](Expander::forget).
#[derive(Clone)]
pub struct Expander {
    inner: Arc<Inner>,
}

/// Beyond so many ids of all files together, no object is called missing any more.
const MAX_SURVEYED: usize = 8_000_000;

struct Inner {
    source: Arc<dyn Source>,
    contents: Shelf,
    surveys: RwLock<HashMap<Guid, Arc<Survey>>>,
    /// Models that were asked for.
    models: RwLock<HashMap<Guid, Option<ModelRoot>>>,
    /// How many ids all surveys hold.
    surveyed: AtomicUsize,
    #[cfg(test)]
    entered: AtomicUsize,
}

impl Expander {
    /// An expander that has read nothing yet.
    pub fn new(source: Arc<dyn Source>) -> Expander {
        Expander {
            inner: Arc::new(Inner {
                source,
                contents: Default::default(),
                surveys: Default::default(),
                models: Default::default(),
                surveyed: Default::default(),
                #[cfg(test)]
                entered: Default::default(),
            }),
        }
    }

    /// The same project, with some of its files other than they are. What was read is read again.
    pub fn with(&self, files: HashMap<Guid, Arc<Document>>) -> Expander {
        Expander::new(Arc::new(Changed { under: self.inner.source.clone(), files }))
    }

    /// The prefab or scene of a guid.
    pub fn expand(&self, guid: Guid) -> Result<Hierarchy, Opaque> {
        match self.content(guid) {
            Content::Template(template) => Ok(self.hierarchy(template)),
            Content::Opaque(reason) => Err(reason),
        }
    }

    /// The same, without keeping the file: for a look at many, one after the other.
    pub fn expand_once(&self, guid: Guid) -> Result<Hierarchy, Opaque> {
        let known = self.inner.contents.get(guid);
        match known.unwrap_or_else(|| self.load(guid)) {
            Content::Template(template) => Ok(self.hierarchy(template)),
            Content::Opaque(reason) => Err(reason),
        }
    }

    /// A scene or prefab that is at hand, such as one with unsaved changes. The guid names it in
    /// problems and overrides; all zeros when it has none.
    pub fn scene(&self, document: Arc<Document>, guid: Guid) -> Hierarchy {
        self.hierarchy(Arc::new(Template::build(document, guid)))
    }

    /// Reads a file anew when it is next asked for. A [`Hierarchy`] made before stays as it is.
    pub fn forget(&self, guid: Guid) {
        self.inner.contents.forget(guid);
        write(&self.inner.models).remove(&guid);
        // Others may have counted the objects of this file among theirs.
        write(&self.inner.surveys).clear();
        self.inner.surveyed.store(0, Ordering::Relaxed);
    }

    fn hierarchy(&self, template: Arc<Template>) -> Hierarchy {
        Hierarchy { expander: self.clone(), top: Arc::new(Frame::top(template)) }
    }

    pub(super) fn path(&self, guid: Guid) -> Option<String> {
        self.inner.source.path(guid)
    }

    pub(super) fn model_root(&self, guid: Guid) -> Option<ModelRoot> {
        if let Some(known) = read(&self.inner.models).get(&guid) {
            return *known;
        }
        let root = self.inner.source.model_root(guid);
        write(&self.inner.models).insert(guid, root);
        root
    }

    pub(super) fn content(&self, guid: Guid) -> Content {
        if let Some(content) = self.inner.contents.get(guid) {
            return content;
        }
        // Two threads may read the same file; that costs less than one waiting for all others.
        let content = self.load(guid);
        self.inner.contents.keep(guid, content)
    }

    fn load(&self, guid: Guid) -> Content {
        match self.inner.source.document(guid) {
            // A conflict is shown as far as it can be read.
            Loaded::Document(document) => match document.kind_by_start() {
                DocumentKind::UnityYaml | DocumentKind::MergeConflict => {
                    self.inner.contents.open(document, guid)
                }
                DocumentKind::LfsPointer => Content::Opaque(Opaque::LfsPointer),
                DocumentKind::Binary | DocumentKind::SerializedFile => {
                    Content::Opaque(Opaque::Binary)
                }
                _ => Content::Opaque(Opaque::NotUnity),
            },
            Loaded::Opaque(reason) => Content::Opaque(reason),
            Loaded::Missing => Content::Opaque(Opaque::Missing),
        }
    }

    pub(super) fn known_survey(&self, guid: Guid) -> Option<Arc<Survey>> {
        read(&self.inner.surveys).get(&guid).cloned()
    }

    pub(super) fn keep_survey(&self, guid: Guid, survey: Survey) -> Arc<Survey> {
        let before = self.inner.surveyed.fetch_add(survey.len(), Ordering::Relaxed);
        let survey = if before > MAX_SURVEYED { survey.without_ids() } else { survey };
        write(&self.inner.surveys).entry(guid).or_insert(Arc::new(survey)).clone()
    }

    /// The way into one instance of a frame's file.
    pub(super) fn enter(&self, outer: &Arc<Frame>, index: u32) -> Arc<Frame> {
        #[cfg(test)]
        self.inner.entered.fetch_add(1, Ordering::Relaxed);
        let instance = outer.instance(index);
        let guid = instance.source;
        let mut frames =
            std::iter::successors(Some(outer), |frame| frame.outer.as_ref().map(|o| &o.0));
        let content = if frames.any(|frame| frame.guid == guid && !guid.is_zero()) {
            Content::Opaque(Opaque::Cycle)
        } else if outer.depth as usize >= MAX_NESTING {
            Content::Opaque(Opaque::TooDeep)
        } else {
            self.content(guid)
        };
        Arc::new(Frame {
            depth: outer.depth + 1,
            reshaped: outer.reshaped || instance.reshapes(),
            reordered: outer.reordered || instance.reorders,
            outer: Some((outer.clone(), index)),
            guid,
            content,
        })
    }

    #[cfg(test)]
    pub(super) fn entered(&self) -> usize {
        self.inner.entered.load(Ordering::Relaxed)
    }
}

/// The files of a project, some of them changed.
struct Changed {
    under: Arc<dyn Source>,
    files: HashMap<Guid, Arc<Document>>,
}

impl Source for Changed {
    fn document(&self, guid: Guid) -> Loaded {
        match self.files.get(&guid) {
            Some(document) => Loaded::Document(document.clone()),
            None => self.under.document(guid),
        }
    }

    fn path(&self, guid: Guid) -> Option<String> {
        self.under.path(guid)
    }

    fn model_root(&self, guid: Guid) -> Option<ModelRoot> {
        self.under.model_root(guid)
    }
}

impl fmt::Debug for Expander {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expander({} files)", self.inner.contents.len())
    }
}

// A panic elsewhere leaves the maps whole: entries are added in one step.
fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// One scene or prefab, expanded as far as asked.
#[derive(Clone)]
pub struct Hierarchy {
    pub(super) expander: Expander,
    pub(super) top: Arc<Frame>,
}

impl Hierarchy {
    /// The guid of the file.
    pub fn guid(&self) -> Guid {
        self.top.guid
    }

    /// The file itself.
    pub fn document(&self) -> &Document {
        &self.top.template().expect("a hierarchy is made of a file that was read").document
    }

    /// The expander that made it.
    pub fn expander(&self) -> &Expander {
        &self.expander
    }

    /// How many roots it has.
    pub(crate) fn root_count(&self) -> usize {
        self.top.root_slots().len()
    }

    /// The objects without a parent, in display order.
    pub fn roots(&self) -> Vec<Node<'_>> {
        let slots = self.top.root_slots();
        self.expand_slots(slots)
    }

    /// All objects, parents before children, as the editor lists them. Nothing is expanded before
    /// it is reached; after [`MAX_OBJECTS`](super::MAX_OBJECTS) it ends.
    pub fn objects(&self) -> Objects<'_> {
        Objects::new(self)
    }

    /// How many objects there are. This walks them all.
    pub fn count(&self) -> usize {
        self.objects().count()
    }

    /// The object of a path such as `Lanterns/Lantern[1]/Flame`, as [`Node::path`] spells it.
    /// Without a number the first of several siblings is meant.
    pub fn find_by_path(&self, path: &str) -> Option<Node<'_>> {
        super::path::find(self, path)
    }

    /// The object with this id, or the one that has the component with this id: an id of this file,
    /// or the id that an object inside an instance has seen from this file.
    pub fn find_by_id(&self, id: FileId) -> Option<Node<'_>> {
        self.locate(&self.top, id.0)?.into_node(self).filter(|node| !node.is_removed())
    }

    /// The root of a prefab instance of this file.
    pub fn instance_root(&self, instance: FileId) -> Option<Node<'_>> {
        let Some(Slot::Instance(index)) = self.top.template()?.slot(instance.0) else {
            return None;
        };
        self.expand_slot((self.top.clone(), Child::Instance(index))).into_iter().next()
    }

    /// What is wrong in this file, and what kept its expansion from being complete. Problems
    /// inside the prefabs it uses are told by their own hierarchies.
    pub fn problems(&self) -> Vec<Problem> {
        problem::problems(self)
    }

    pub(super) fn node(&self, frame: &Arc<Frame>, at: At) -> Node<'_> {
        Node { hierarchy: self, frame: frame.clone(), at }
    }
}

impl fmt::Debug for Hierarchy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hierarchy({})", self.top.guid)
    }
}
