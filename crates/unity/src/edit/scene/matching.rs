//! The objects of a file that one change of many is about: by tag, layer or component.

use super::fields::Owner;
use super::{Editor, FileKind, Refusal, Seen};
use crate::edit::New;
use crate::edit::address::{parts, path_of};
use crate::hierarchy::Stated;
use crate::{ClassId, FileId, types};

/// What objects have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// This tag.
    Tag(String),
    /// This layer.
    Layer(u32),
    /// A component of this class, short or full.
    Component(String),
}

/// Objects that were found, to be changed alike.
#[derive(Debug, Clone, Default)]
pub struct Matched {
    places: Vec<Stated>,
    /// Objects that cannot be changed here, and why.
    pub left_out: Vec<String>,
}

impl Matched {
    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Where the file states their values.
    pub(super) fn places(&self) -> &[Stated] {
        &self.places
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

impl Editor<'_> {
    /// The objects that have something in common; with everything below them when `below`.
    pub fn matching(&mut self, what: &Match, below: bool) -> Matched {
        let classes = self.project.classes;
        let mut matched = Matched::default();
        // How deep the object is whose children count as well.
        let mut inside: Option<usize> = None;
        let mut objects = self.tree().objects();
        while let Some(node) = objects.next() {
            let depth = objects.depth();
            inside = inside.filter(|outer| depth > *outer);
            // Tags and layers of what cannot be read are not known; only its overrides would be.
            let is_match = inside.is_some()
                || match what {
                    Match::Tag(tag) => node.opaque().is_none() && node.tag() == *tag,
                    Match::Layer(layer) => node.opaque().is_none() && node.layer() == *layer,
                    Match::Component(class) => {
                        Seen::of(&node, classes).is_ok_and(|seen| seen.component(class).is_ok())
                    }
                };
            if !is_match {
                continue;
            }
            if below && inside.is_none() {
                inside = Some(depth);
            }
            match (node.opaque(), node.stated()) {
                (None, Some(at)) => matched.places.push(at),
                (why, _) => {
                    let why = why.map_or_else(String::new, |why| format!(": {why}"));
                    matched.left_out.push(format!("{}{why}", node.path()));
                }
            }
        }
        matched
    }

    /// Put objects on a layer. Returns how many were on another one.
    pub fn set_layer(&mut self, of: &Matched, layer: u32) -> Result<usize, Refusal> {
        self.put_all(of, "m_Layer", &New::int(layer.into()))
    }

    /// Give objects a tag that the project has. Returns how many had another one.
    pub fn set_tag(&mut self, of: &Matched, tag: &str) -> Result<usize, Refusal> {
        self.put_all(of, "m_TagString", &New::Text(tag.to_owned()))
    }

    /// The tree is made anew once, not for every object.
    fn put_all(&mut self, of: &Matched, field: &str, new: &New) -> Result<usize, Refusal> {
        let mut changed = 0;
        for at in &of.places {
            changed += usize::from(self.put(*at, &parts(field), new)?);
        }
        self.forget_tree();
        Ok(changed)
    }

    /// Every object that has a component of a class: its id and the component's, as changes name
    /// them. Of an asset, its objects of that class, or of a script of that name.
    pub fn all_with(&mut self, class: &str) -> Result<Vec<(String, String)>, Refusal> {
        let name = |id: FileId| format!("#{id}");
        if self.kind == FileKind::Asset {
            let id = self.asset_with(class)?;
            return Ok(vec![(name(id), name(id))]);
        }
        let classes = self.project.classes;
        let (mut found, mut known) = (Vec::new(), Vec::new());
        for node in self.tree().objects() {
            let Ok(seen) = Seen::of(&node, classes) else { continue };
            if let Ok(held) = seen.component(class) {
                found.push((name(seen.id), name(held.id)));
            }
            if found.is_empty() {
                known.extend(seen.components.into_iter().map(|held| held.name));
            }
        }
        if found.is_empty() {
            known.sort();
            known.dedup();
            let text = format!("no object of the file has a component {class}");
            return Err(Refusal::new(text).choices(class, known));
        }
        Ok(found)
    }

    /// What the file is for.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// The root of a prefab, as changes name it; a scene has many.
    pub fn root_path(&mut self) -> Result<String, Refusal> {
        if self.kind != FileKind::Prefab {
            let text = "only a prefab has one root, and the change names no object";
            return Err(Refusal::new(text).hint("name the object by its path in the hierarchy"));
        }
        let roots = self.tree().roots();
        let root = roots.first().ok_or_else(|| Refusal::new("the prefab has no root"))?;
        Ok(path_of(root))
    }

    /// The object of an asset that a class means: the main one where several are of it.
    fn asset_with(&self, class: &str) -> Result<FileId, Refusal> {
        let short = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        let owners: Vec<(FileId, Owner)> = {
            let ids = self.sheet.objects().map(|object| object.file_id());
            ids.map(|id| (id, self.owner_of_id(id))).collect()
        };
        let is_it = |owner: &Owner| {
            let exact = match class.contains('.') {
                true => owner.full.eq_ignore_ascii_case(class),
                false => short(&owner.full).eq_ignore_ascii_case(class),
            };
            let is_base = ["ScriptableObject", "UnityEngine.ScriptableObject", "MonoBehaviour"];
            exact
                || (owner.class == ClassId::MONO_BEHAVIOUR && is_base.contains(&class))
                || owner.script.is_none() && owner.class.name() == Some(&short(class))
        };
        let found = owners.iter().filter(|(_, owner)| is_it(owner)).map(|(id, _)| *id);
        let found: Vec<FileId> = found.collect();
        let main = found.iter().find(|id| types::class_of_id(**id).is_some());
        main.or(found.first()).copied().ok_or_else(|| {
            let mut known: Vec<String> =
                owners.iter().map(|(_, owner)| short(&owner.full)).collect();
            known.sort();
            known.dedup();
            Refusal::new(format!("the file has no {class}")).choices(class, known)
        })
    }
}
