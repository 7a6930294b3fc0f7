//! Scenes and prefabs, changed step by step.
//!
//! Each change is made to the file as it is after those before it: the [`Sheet`] has its objects, and
//! the tree of it follows in place, or is made anew where that is not so simple. What is inside an instance of a
//! prefab is changed by overrides of that instance, everything else where it stands.

mod apply;
mod apply_back;
mod apply_source;
mod attach;
mod by_id;
mod came;
mod closed;
mod components;
mod copy;
mod copy_inside;
mod create;
mod delete;
mod encode;
mod event;
mod extract;
mod fields;
mod inside;
mod instance;
mod items;
mod managed;
mod maps;
mod matching;
mod material;
mod named;
mod old;
mod packed;
mod place;
mod prefab_order;
mod reference;
mod replace_source;
mod report;
mod revert;
mod seen;
mod stand_ins;
mod twins;
mod unpack;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{Habits, Manner, Refused, Sheet, address};
use crate::hierarchy::{Component, Expander, Hierarchy, Node};
use crate::index::Index;
use crate::types::Version;
use crate::{ClassId, Document, DocumentKind, FileId, Guid, Object, Reference};

pub use apply::every_instance_states;
pub use apply_back::Apply;
pub use apply_source::{FromInstances, Given};
pub use create::{Create, Instantiate, Placed, Turn};
pub use extract::Extracted;
pub use fields::Property;
pub use items::ListChange;
pub use managed::ManagedClass;
pub use matching::{Match, Matched};
pub use replace_source::Replaced;
pub use report::{Done, Refusal};
pub(super) use seen::{Held, Seen};

/// What classes are called, and what their members are: known from sources and tables that are not
/// here.
pub trait Classes {
    /// The class of a component as people know it, and with its namespace.
    fn names(&self, component: &Component<'_>) -> (String, String);

    /// A native class with its namespace.
    fn native_name(&self, class: &str) -> String;

    /// The class that a script of a file is of, with its namespace.
    fn script_name(&self, script: Reference, identifier: &str) -> Option<String>;

    /// A component class that a call names; or names that are like it.
    fn find(&self, name: &str) -> Result<NewClass, Vec<String>>;

    /// The saved field of a member that C# has, and the members of its enum.
    fn property(&self, class: &str, name: &str) -> Option<Property>;

    /// The members of an enum of the engine, or of a script.
    fn enum_of(&self, class: &str, field: &str) -> Option<Vec<(String, i64)>>;

    /// The saved fields of a script, bases first, as a new component has them; and what could not
    /// be known.
    fn script_fields(&self, script: Reference) -> Option<super::ScriptFields>;

    /// Whether something names a class of components that no component is of itself.
    fn is_abstract(&self, name: &str) -> bool;

    /// What a script asks of the object that it is put on.
    fn script_rules(&self, script: Reference) -> super::rules::ScriptRules;

    /// The methods and setters of a script, bases first to last, with the types of their parameters; nothing
    /// where its source is not here.
    fn methods(&self, script: Reference) -> Option<Methods>;

    /// The setters that are known of a class of the engine, by its full name, and of its bases.
    fn setters(&self, class: &str) -> Vec<Method>;

    /// Whether objects of a script are of a class, or of one that derives from it; nothing where a source
    /// that would tell is not here.
    fn script_is(&self, script: Reference, class: &str) -> Option<bool>;

    /// A class that objects of `[SerializeReference]` fields can be of.
    fn managed(&self, name: &str) -> Option<ManagedClass>;

    /// The assembly of a script.
    fn assembly(&self, script: Reference) -> String;

    /// The number of a layer.
    fn layer(&self, name: &str) -> Option<u32>;

    /// The names of all layers.
    fn layers(&self) -> Vec<String>;

    /// The layers that sprites are sorted by, back to front, with their numbers; none when they are not
    /// known.
    fn sorting_layers(&self) -> Vec<(String, i64)>;

    /// All tags; none when they are not known.
    fn tags(&self) -> Vec<String>;
}

/// What events can call of a script.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Methods {
    /// Those of the class itself first.
    pub all: Vec<Method>,
    /// The class and its bases as far as they are known, with their namespaces, and their assemblies.
    pub classes: Vec<(String, String)>,
    /// Whether all of them are here with all of their methods.
    pub is_whole: bool,
}

/// A method or setter.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// Its name; of a property `set_name`.
    pub name: String,
    /// The types of its parameters.
    pub takes: Vec<String>,
    /// The class that declares it, with its namespace.
    pub of: String,
}

/// A class of components that can be added.
#[derive(Debug, Clone, PartialEq)]
pub struct NewClass {
    /// The native class.
    pub class: ClassId,
    /// Its name without namespace.
    pub name: String,
    /// The script, of one that is no native class.
    pub script: Option<Reference>,
}

/// The project that a file belongs to.
#[derive(Clone, Copy)]
pub struct Project<'a> {
    /// Its assets.
    pub index: &'a Index,
    /// Its prefabs.
    pub expander: &'a Expander,
    /// Its version of Unity.
    pub version: Version,
    /// How its editor writes.
    pub habits: Habits,
    /// What its classes are.
    pub classes: &'a dyn Classes,
}

/// A scene, prefab or other asset while it is changed.
pub struct Editor<'a> {
    project: Project<'a>,
    /// Its prefabs, with those that were changed here.
    expander: Expander,
    /// Those: what was read, and what comes of it.
    others: BTreeMap<Guid, (Arc<Document>, Vec<u8>)>,
    sheet: Sheet,
    guid: Guid,
    kind: FileKind,
    /// The file before 2018.3, which has other names for links to prefabs.
    is_old: bool,
    /// What hangs beside each other has numbers, as before 2022.2.
    is_numbered: bool,
    /// What orders the roots of a scene since then.
    roots: Option<FileId>,
    tree: Option<Hierarchy>,
    /// What came since that was made.
    came: came::Came,
    /// Instances whose overrides changed since then.
    stale: HashSet<FileId>,
    /// How often it was made.
    trees: usize,
    /// `SceneRoots` leaves out roots of this tree, as merges do. Unity shows them behind those that it lists, so that the
    /// place of a new root in the list is not its place among all.
    hides_roots: bool,
    /// Stripped objects: by instance, and id in its source.
    stand_ins: HashMap<(FileId, FileId), FileId>,
    /// Those of them that something referred to which went.
    left: BTreeSet<FileId>,
    /// What values of instances refer to inside of them: instance and id in its source, by the id here.
    inside: HashMap<FileId, (FileId, FileId)>,
    /// What is to be known of the change that is being made.
    said: Vec<String>,
    /// Objects of `[SerializeReference]` fields that were made and stand nowhere yet, by their numbers.
    managed: Vec<(i64, super::New)>,
    /// Prefabs that instances of the file are made of.
    sources: HashMap<Guid, Option<Hierarchy>>,
}

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Many roots.
    Scene,
    /// One root.
    Prefab,
    /// Objects that are not in a hierarchy.
    Asset,
}

impl<'a> Editor<'a> {
    /// Open a file.
    pub fn open(
        project: Project<'a>,
        document: Arc<Document>,
        guid: Guid,
        kind: FileKind,
    ) -> Result<Editor<'a>, Refusal> {
        let refused = |why: &str, hint: &str| Err(Refusal::new(why).hint(hint));
        match document.kind() {
            DocumentKind::UnityYaml => {}
            DocumentKind::MergeConflict => {
                return refused(
                    "the file has conflict markers of a merge",
                    "resolve the conflict first",
                );
            }
            DocumentKind::LfsPointer => {
                return refused(
                    "the file is a Git LFS pointer; its content is not here",
                    "run `git lfs pull`",
                );
            }
            DocumentKind::SerializedFile | DocumentKind::Binary => {
                let hint = "save the project with Asset Serialization set to Force Text";
                return refused("the file is binary, and only Unity can write that", hint);
            }
            other => {
                return refused(
                    &format!("the file is no text of Unity's ({other:?})"),
                    "name a scene, a prefab or an asset",
                );
            }
        }
        Ok(Editor::on(project, document, guid, kind))
    }

    /// The same for a file that is known to be text.
    fn on(project: Project<'a>, document: Arc<Document>, guid: Guid, kind: FileKind) -> Editor<'a> {
        // All look through the whole file, and nearly every change needs the tree: it takes the longest,
        // so it is begun first.
        let expander = project.expander;
        let (tree, (manner, is_old)) = rayon::join(
            || (kind != FileKind::Asset).then(|| expander.scene(document.clone(), guid)),
            || (Manner::of(&document).in_project(project.habits), super::is_old(&document)),
        );
        let stand_ins = super::stand_ins(&document);
        let is_numbered = attach::is_numbered(&document, project.version);
        let roots = attach::scene_roots(&document);
        let sheet = Sheet::new(document, manner, kind != FileKind::Scene);
        let mut editor = Editor {
            project,
            expander: project.expander.clone(),
            others: BTreeMap::new(),
            sheet,
            guid,
            kind,
            is_old,
            is_numbered,
            roots,
            trees: usize::from(tree.is_some()),
            hides_roots: false,
            tree,
            came: came::Came::default(),
            stale: HashSet::new(),
            stand_ins,
            left: BTreeSet::new(),
            inside: HashMap::new(),
            sources: HashMap::new(),
            said: Vec::new(),
            managed: Vec::new(),
        };
        editor.look_for_hidden_roots();
        editor
    }

    /// The file as it is now.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.sheet.to_bytes()
    }

    /// Other files that changed with it: the asset, what was read, and what comes of it.
    pub fn others(&self) -> impl Iterator<Item = (Guid, &Arc<Document>, &[u8])> {
        let others = self.others.iter();
        others.map(|(guid, (before, after))| (*guid, before, after.as_slice()))
    }

    /// The prefabs of the project, as they are after these changes.
    pub fn expander(&self) -> &Expander {
        &self.expander
    }

    /// The hierarchy as it is now.
    fn tree(&mut self) -> &Hierarchy {
        self.settle();
        self.tree_and_came()
    }

    /// The hierarchy as it was when it was made: what came since is noted beside it.
    fn tree_and_came(&mut self) -> &Hierarchy {
        if self.tree.is_none() {
            self.tree = Some(self.expander.scene(self.sheet.document(), self.guid));
            self.trees += 1;
            self.look_for_hidden_roots();
        }
        self.tree.as_ref().expect("it was just made")
    }

    fn look_for_hidden_roots(&mut self) {
        let listed = self
            .roots
            .and_then(|list| self.sheet.object(list))
            .map(|object| object.get("m_Roots").map_or(0, |list| list.items().count()));
        let shown = self.tree.as_ref().map(Hierarchy::root_count);
        self.hides_roots = listed.is_some_and(|listed| shown.is_some_and(|shown| listed < shown));
    }

    /// Something of the file itself came, went, moved, or has another name; `patch` does the same to the
    /// tree, where it can. What was noted before is to be settled before the file is changed.
    fn change_tree(&mut self, patch: impl FnOnce(&mut Hierarchy) -> bool) {
        let is_current = self.came.is_empty() && self.settle_overrides();
        let tree = self.tree.as_mut().filter(|_| is_current);
        match tree.is_some_and(patch) {
            // What was counted in it may be other now.
            true => self.came.clear(),
            false => self.forget_tree(),
        }
        debug_assert!(self.is_tree_true(), "the tree is not that of the file");
    }

    /// Whether the tree says what one made anew would say.
    fn is_tree_true(&self) -> bool {
        let told = |tree: &Hierarchy| -> Vec<_> {
            let components = |node: &Node<'_>| -> Vec<FileId> {
                node.components().iter().map(Component::file_id).collect()
            };
            let told = |node: Node<'_>| {
                let name = node.name().into_owned();
                (node.depth(), name, node.file_id(), components(&node))
            };
            tree.objects().map(told).collect()
        };
        let anew = || self.expander.scene(self.sheet.document(), self.guid);
        self.tree.as_ref().is_none_or(|tree| told(tree) == told(&anew()))
    }

    /// Objects came, went or moved.
    fn forget_tree(&mut self) {
        self.tree = None;
        self.came.clear();
        self.stale.clear();
    }

    /// An object that a change names.
    fn find(&mut self, path: &str) -> Result<Seen, Refusal> {
        if let Some(known) = self.came.find(path) {
            return Ok(known.clone());
        }
        if !self.may_be(path) {
            return Err(self.no_object(path));
        }
        let classes = self.project.classes;
        if let Some(node) = address::object(self.tree_and_came(), path) {
            let seen = Seen::of(&node, classes)?;
            return Ok(self.came.now(seen.id).cloned().unwrap_or(seen));
        }
        // It may be something that came, named in another way.
        match address::object(self.tree(), path) {
            Some(node) => Seen::of(&node, classes),
            None => Err(self.no_object(path)),
        }
    }

    fn no_object(&mut self, path: &str) -> Refusal {
        let tree = self.tree();
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let text = format!("there is no object {path} in the file");
        // What stands where it was looked for tells most.
        let beside = match above.is_empty() {
            true => tree.roots(),
            false => address::object(tree, above).map(|node| node.children()).unwrap_or_default(),
        };
        let known: Vec<String> = beside.iter().map(address::path_of).collect();
        let mut named: Vec<String> = Vec::new();
        let mut others = std::collections::BTreeSet::new();
        for node in tree.objects().take(20_000) {
            if node.name() == name {
                named.push(address::path_of(&node));
            } else if others.len() < 5_000 {
                others.insert(node.name().into_owned());
            }
            if named.len() == 3 {
                break;
            }
        }
        match (named.is_empty(), known.is_empty()) {
            (false, _) => Refusal::new(text).hint(format!("did you mean {}?", named.join(" or "))),
            (true, false) => Refusal::new(text).choices(path, known),
            (true, true) => Refusal::new(text).choices(name, others.into_iter().collect()),
        }
    }

    /// The prefab of an instance of the file, expanded.
    fn source(&mut self, instance: FileId) -> Option<Hierarchy> {
        let guid = self.source_of(instance)?.guid?;
        let expander = &self.expander;
        self.sources.entry(guid).or_insert_with(|| expander.expand(guid).ok()).clone()
    }

    /// What an instance of the file is made of.
    fn source_of(&self, instance: FileId) -> Option<Reference> {
        let object = self.sheet.object(instance)?;
        let found = ["m_SourcePrefab", "m_ParentPrefab"].iter().find_map(|key| object.get(key));
        found?.as_reference().filter(|source| source.guid.is_some_and(|guid| !guid.is_zero()))
    }

    /// Edit an object of the file.
    fn edit(
        &mut self,
        id: FileId,
        change: impl FnOnce(Object<'_>, &Manner, &mut scenewright_text::Edits) -> Result<(), Refused>,
    ) -> Result<(), Refusal> {
        self.sheet.edit(id, change).map_err(|refused| Refusal::new(refused.to_string()))
    }
}

/// Whether a node is the root of an instance that the top file has.
fn own_instance(node: &Node<'_>) -> Option<FileId> {
    let outer = node.outer_instance()?;
    node.prefab().filter(|prefab| prefab.instance == outer).map(|_| outer)
}
