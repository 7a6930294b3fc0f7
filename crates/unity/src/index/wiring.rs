//! Whether the objects of a scene or prefab agree with each other, told while its references are
//! read.
//!
//! Nearly every file is in order, and expanding it only to learn that would cost many times the
//! reading. What is unusual here counts as unsound; then the expansion decides.
//!
//! The two mistakes are not alike. A good file that is called unsound only costs an expansion; a
//! broken one that is called sound is passed over by every check (`check/screen.rs`), and nobody
//! hears of it. So every doubt counts against the file: a key that is not written as Unity writes it
//! (`see` compares bytes and parses nothing), a key that occurs twice, a list item that points to
//! another file. Whatever `hierarchy` newly calls a problem must be refused here too; whatever it
//! newly tolerates may stay refused.
//!
//! The steps of `is_sound` build on each other. Ids must be unique before any is looked up, because
//! `find` gives any of those that are equal. Each object is checked by itself first, which notes the
//! transform of every GameObject. What `check_lists` found listed is where `check_components` goes
//! on: a component that no GameObject lists is right only when an instance was given it.

use super::segment::Traits;
use crate::{ClassId, Guid, Header, Reference};

/// What the objects of one file say about each other. The memory is used again for the next.
#[derive(Default)]
pub(super) struct Wiring {
    /// The ids and the objects that have them, sorted once all are known.
    ids: Vec<(i64, u32)>,
    objects: Vec<Object>,
    /// What objects list: children of transforms, roots of the scene.
    children: Vec<(u32, i64)>,
    /// The components that GameObjects list.
    components: Vec<i64>,
    /// All other references inside the file.
    locals: Vec<i64>,
    /// By object: the walk that came by, and whether a list has it.
    walked: Vec<u32>,
    listed: Vec<bool>,
    is_odd: bool,
    removes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Object {
    id: i64,
    role: Role,
    /// The GameObject of a component, the instance of a stand-in.
    owner: Option<i64>,
    /// The father of a transform, the parent of an instance.
    parent: Option<i64>,
    /// The prefab of an instance, the object that a stand-in stands for.
    source: Option<(Guid, i64)>,
    /// The file whose objects an instance changes.
    changed: Option<Guid>,
    /// The transform of a GameObject is known.
    is_whole: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    GameObject,
    Transform,
    Instance,
    StandIn,
    Roots,
    Other,
}

/// Where something hangs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    Root,
    /// Under the transform or the instance that is this object of the file.
    Under(u32),
}

impl Wiring {
    /// Starts with the headers of a file.
    pub(super) fn start(&mut self, headers: &[Header]) {
        self.ids.clear();
        self.objects.clear();
        self.children.clear();
        self.components.clear();
        self.locals.clear();
        (self.is_odd, self.removes) = (false, false);
        for (header, number) in headers.iter().zip(0..) {
            let role = match header.class_id {
                _ if header.stripped => Role::StandIn,
                ClassId::GAME_OBJECT => Role::GameObject,
                ClassId::TRANSFORM | ClassId::RECT_TRANSFORM => Role::Transform,
                ClassId::PREFAB_INSTANCE => Role::Instance,
                ClassId::SCENE_ROOTS => Role::Roots,
                _ => Role::Other,
            };
            let id = header.file_id.0;
            self.ids.push((id, number));
            self.objects.push(Object {
                id,
                role,
                owner: None,
                parent: None,
                source: None,
                changed: None,
                is_whole: false,
            });
        }
        if !self.ids.is_sorted() {
            self.ids.sort_unstable();
        }
    }

    /// Takes note of a reference in an object; `line` is what stands before it on its line, perhaps
    /// with quotes. True for the prefab of an instance and for what a stripped object stands for.
    pub(super) fn see(
        &mut self,
        number: usize,
        line: &[u8],
        has_quotes: bool,
        to: &Reference,
    ) -> bool {
        let (id, number) = (to.file_id.0, number as u32);
        let object = &mut self.objects[number as usize];
        let (indent, key) = split(line);
        // A reference that starts its line, or has a quoted key, is not Unity's way.
        if key.is_empty() || has_quotes {
            self.is_odd = true;
            return false;
        }
        let is_item = key.starts_with(b"-");
        let place = match (object.role, key) {
            (Role::StandIn, b"m_CorrespondingSourceObject:" | b"m_PrefabParentObject:") => {
                let source = to.guid.map(|guid| (guid, id));
                self.is_odd |= source.is_none() || object.source.is_some();
                object.source = source;
                return source.is_some();
            }
            (Role::StandIn, b"m_PrefabInstance:" | b"m_PrefabInternal:") => &mut object.owner,
            (Role::Instance, b"m_SourcePrefab:" | b"m_ParentPrefab:") => {
                self.is_odd |= object.source.is_some();
                object.source = to.guid.filter(|guid| !guid.is_zero()).map(|guid| (guid, id));
                return object.source.is_some();
            }
            (Role::Instance, b"- target:" | b"- targetCorrespondingSourceObject:") => {
                let is_other = object.changed.is_some_and(|guid| Some(guid) != to.guid);
                self.is_odd |= to.guid.is_none() || is_other;
                object.changed = to.guid;
                return false;
            }
            (Role::Instance, b"m_TransformParent:") => &mut object.parent,
            (Role::Instance, b"-") => {
                self.removes = true;
                return false;
            }
            (Role::Transform, b"m_Father:") => &mut object.parent,
            (Role::Transform | Role::Other, b"m_GameObject:") => {
                self.is_odd |= indent != 2;
                &mut object.owner
            }
            _ if to.guid.is_some() => {
                // What makes the hierarchy is all in one file.
                self.is_odd |= is_item && object.role != Role::Other;
                return false;
            }
            (Role::GameObject, _) if is_item => {
                self.components.push(id);
                return false;
            }
            (Role::Transform | Role::Roots, _) if is_item => {
                self.children.push((number, id));
                return false;
            }
            _ => {
                self.is_odd |= object.role == Role::Roots;
                if id != 0 {
                    self.locals.push(id);
                }
                return false;
            }
        };
        // Of two equal keys nobody knows which counts.
        self.is_odd |= place.is_some() || to.guid.is_some();
        *place = Some(id);
        false
    }

    /// Whether two texts say the same of their objects, but for references that make no hierarchy.
    pub(super) fn is_like(&self, other: &Wiring) -> bool {
        self.objects == other.objects
            && self.children == other.children
            && self.components == other.components
            && (self.is_odd, self.removes) == (other.is_odd, other.removes)
    }

    /// Whether everything is written as Unity writes it, so that nothing was passed over.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_odd
    }

    /// Those references, as far as they stay inside of the file.
    pub(super) fn locals(&self) -> &[i64] {
        &self.locals
    }

    /// What can be said of the file.
    pub(super) fn judge(&mut self) -> Traits {
        let mut traits = Traits::default();
        if self.removes {
            traits = traits.with(Traits::REMOVES);
        }
        if self.has_free_ids() {
            traits = traits.with(Traits::FREE_IDS);
        }
        let is_sound = !self.is_odd && self.is_sound().is_some();
        if is_sound { traits.with(Traits::SOUND) } else { traits }
    }

    /// True when a stand-in has another id than the rule of nested prefabs gives it.
    fn has_free_ids(&self) -> bool {
        let mut stand_ins = self.objects.iter().filter(|object| object.role == Role::StandIn);
        stand_ins.any(|object| {
            let (Some(instance), Some((_, inner))) = (object.owner, object.source) else {
                return true;
            };
            object.id != (instance ^ inner) & i64::MAX
        })
    }

    /// Nothing when two objects contradict each other.
    fn is_sound(&mut self) -> Option<()> {
        let has_twins = self.ids.windows(2).any(|pair| pair[0].0 == pair[1].0);
        (!has_twins).then_some(())?;
        for number in 0..self.objects.len() {
            self.check_object(number)?;
        }
        let is_whole = |object: &Object| object.role != Role::GameObject || object.is_whole;
        self.objects.iter().all(is_whole).then_some(())?;
        self.check_circles()?;
        self.check_lists()?;
        self.check_components()?;
        self.locals.iter().all(|id| self.find(*id).is_some()).then_some(())
    }

    /// What one object says about itself alone.
    fn check_object(&mut self, number: usize) -> Option<()> {
        let object = self.objects[number];
        match object.role {
            Role::GameObject | Role::Roots | Role::Other => {}
            Role::Transform => {
                let owner = self.find(object.owner?)?;
                let owner = &mut self.objects[owner as usize];
                let is_first = owner.role == Role::GameObject && !owner.is_whole;
                is_first.then_some(())?;
                owner.is_whole = true;
                self.parent(&object)?;
                object.parent?;
            }
            Role::Instance => {
                self.parent(&object)?;
                let is_own = |guid| object.source.is_some_and(|(source, _)| source == guid);
                object.changed.is_none_or(is_own).then_some(())?;
            }
            Role::StandIn => {
                self.instance(&object)?;
            }
        }
        Some(())
    }

    /// The instance of a stand-in that makes sense.
    fn instance(&self, stand_in: &Object) -> Option<u32> {
        let number = self.find(stand_in.owner?)?;
        let instance = &self.objects[number as usize];
        let ((guid, inner), (source, _)) = (stand_in.source?, instance.source?);
        (instance.role == Role::Instance && guid == source && inner != 0).then_some(number)
    }

    fn parent(&self, object: &Object) -> Option<Parent> {
        let id = object.parent.unwrap_or(0);
        if id == 0 {
            return Some(Parent::Root);
        }
        let number = self.find(id)?;
        let parent = &self.objects[number as usize];
        match parent.role {
            Role::Transform => Some(Parent::Under(number)),
            Role::StandIn => self.instance(parent).map(Parent::Under),
            _ => None,
        }
    }

    /// Nothing may be its own ancestor.
    fn check_circles(&mut self) -> Option<()> {
        self.walked.clear();
        self.walked.resize(self.objects.len(), 0);
        for start in 0..self.objects.len() {
            let walk = start as u32 + 1;
            let mut at = start;
            while self.walked[at] == 0 {
                self.walked[at] = walk;
                let object = &self.objects[at];
                if !matches!(object.role, Role::Transform | Role::Instance) {
                    break;
                }
                let Parent::Under(next) = self.parent(object)? else { break };
                at = next as usize;
                (self.walked[at] != walk).then_some(())?;
            }
        }
        Some(())
    }

    /// What is listed as a child or a root must say so itself, and be listed once.
    fn check_lists(&mut self) -> Option<()> {
        self.listed.clear();
        self.listed.resize(self.objects.len(), false);
        for (lister, id) in &self.children {
            let mut number = self.find(*id)?;
            if self.objects[number as usize].role == Role::StandIn {
                number = self.instance(&self.objects[number as usize])?;
            }
            let child = &self.objects[number as usize];
            // Only an instance that has a prefab is one.
            let is_child = match child.role {
                Role::Transform => true,
                Role::Instance => child.source.is_some(),
                _ => false,
            };
            let expected = match self.objects[*lister as usize].role {
                Role::Roots => Parent::Root,
                _ => Parent::Under(*lister),
            };
            let is_listed = std::mem::replace(&mut self.listed[number as usize], true);
            (is_child && !is_listed && self.parent(child)? == expected).then_some(())?;
        }
        Some(())
    }

    /// Components that are listed must be there, and those there must be listed, or be added to an
    /// instance.
    fn check_components(&mut self) -> Option<()> {
        for id in &self.components {
            let number = self.find(*id)?;
            self.listed[number as usize] = true;
        }
        let unlisted = self.objects.iter().zip(&self.listed).filter(|(_, listed)| !**listed);
        for (object, _) in unlisted.filter(|(object, _)| object.role == Role::Other) {
            let owner = object.owner.filter(|owner| *owner != 0);
            let Some(owner) = owner else { continue };
            let owner = self.find(owner)?;
            (self.objects[owner as usize].role == Role::StandIn).then_some(())?;
        }
        Some(())
    }

    fn find(&self, id: i64) -> Option<u32> {
        let at = self.ids.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.ids[at].1)
    }
}

/// The indentation of a line and what is behind it.
fn split(line: &[u8]) -> (usize, &[u8]) {
    let indent = line.iter().take_while(|byte| **byte == b' ').count();
    (indent, line[indent..].trim_ascii_end())
}
