//! Nodes that one side renamed or moved: in all versions they get one path before anything is compared,
//! so that what the other side changed in them, or added below them, follows.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use scenewright_godot::{Document, Node, Scene};

use super::derive::pieces;
use crate::fields::Choices;
use crate::report::{Choice, Conflict, ConflictKind, Note};

/// The versions with one path for each node, and what is to be said about it.
pub(crate) struct Followed {
    pub(crate) versions: [Document; 3],
    pub(crate) notes: Vec<Note>,
    pub(crate) conflicts: Vec<Conflict>,
    /// Nodes that stay or go as in one version.
    pub(crate) kept: HashMap<String, Choice>,
}

/// How often it is looked for more that moved.
const ROUNDS: usize = 16;
/// More nodes than this are not looked for one by one.
const MAX_GONE: usize = 2000;
/// So many bytes are written anew at most, for each move that is followed all of the file. Beyond that, what
/// moved is what went and what came, which at worst is asked about.
const MAX_WORK: usize = 2 << 30;

/// Follows the nodes that a side renamed or moved.
pub(crate) fn follow(versions: [Document; 3], choices: &Choices) -> Followed {
    let [base, ours, theirs] = &versions;
    if tags(base).eq(tags(ours)) && tags(base).eq(tags(theirs)) {
        return Followed {
            versions,
            notes: Vec::new(),
            conflicts: Vec::new(),
            kept: HashMap::new(),
        };
    }
    let scenes = versions.map(Scene::of);
    let by_theirs: HashMap<String, String> = moves(&scenes[0], &scenes[2]).into_iter().collect();
    let others = [&scenes[0], &scenes[2], &scenes[1]].map(|other| changed(&scenes[0], other));
    let mut following = Following {
        scenes,
        others,
        work: MAX_WORK,
        notes: Vec::new(),
        conflicts: Vec::new(),
        kept: HashMap::new(),
        choices,
    };
    // What was renamed inside of what was moved is found only after that has its new place.
    for side in [1, 2] {
        let mut done = HashSet::new();
        for _ in 0..ROUNDS {
            let found = moves(&following.scenes[0], &following.scenes[side]);
            let fresh: Vec<_> = found.into_iter().filter(|one| done.insert(one.clone())).collect();
            for (from, to) in &fresh {
                let elsewhere = by_theirs.get(from).filter(|_| side == 1);
                following.moved(from, to, elsewhere.map(String::as_str), side);
            }
            if fresh.is_empty() {
                break;
            }
        }
    }
    Followed {
        versions: following.scenes.map(Scene::into_document),
        notes: following.notes,
        conflicts: following.conflicts,
        kept: following.kept,
    }
}

struct Following<'a> {
    scenes: [Scene; 3],
    /// For each side, all that the other one changed.
    others: [Vec<u8>; 3],
    /// How many bytes may still be written.
    work: usize,
    notes: Vec<Note>,
    conflicts: Vec<Conflict>,
    kept: HashMap<String, Choice>,
    choices: &'a Choices,
}

impl Following<'_> {
    /// A node of base that one side has elsewhere; perhaps the other as well, and where.
    fn moved(&mut self, from: &str, to: &str, by_other: Option<&str>, side: usize) {
        let other = 3 - side;
        match by_other {
            Some(same) if same == to => {
                relocate(&mut self.scenes[0], from, to);
            }
            Some(elsewhere) => {
                let choice = self.conflict(from, ConflictKind::Moved, Some(to), Some(elsewhere));
                let (place, left, side) = match choice {
                    Choice::Theirs => (elsewhere, to, 1),
                    _ => (to, elsewhere, 2),
                };
                relocate(&mut self.scenes[0], from, place);
                relocate(&mut self.scenes[side], left, place);
            }
            None if self.scenes[other].node(from).is_some() => {
                let mut moved = self.scenes[other].clone();
                let is_followed = match self.concerns(from, to, side) {
                    false => true,
                    true if self.work < moved.as_bytes().len() => false,
                    true => {
                        self.work -= moved.as_bytes().len();
                        relocate(&mut moved, from, to) && relocate(&mut self.scenes[0], from, to)
                    }
                };
                if is_followed {
                    self.scenes[other] = moved;
                    let who = ["base", "ours", "theirs"][side];
                    self.notes.push(Note {
                        object: format!("node {to}"),
                        field: String::new(),
                        text: format!("{who} has it here; it was `{from}`"),
                        is_warning: false,
                    });
                }
            }
            None => {
                let (ours, theirs) = if side == 1 { (Some(to), None) } else { (None, Some(to)) };
                let choice = self.conflict(from, ConflictKind::DeletedObject, ours, theirs);
                relocate(&mut self.scenes[0], from, to);
                self.kept.insert(format!("node {to}"), choice);
            }
        }
    }

    /// Whether anything that the other side changed may have to follow. A node that only has another name
    /// concerns nobody who does not write its name: it is then what went on one side and is as it was on the
    /// other.
    fn concerns(&self, from: &str, to: &str, side: usize) -> bool {
        let parent = |path: &str| path.rfind('/').map(|end| path[..end].to_owned());
        let name = from.rsplit('/').next().unwrap_or_default();
        let is_renamed = parent(from) == parent(to) && from != ".";
        let others = &self.others[side];
        // An escape may be any letter of the name.
        let has_escapes = || memchr::memchr(b'\\', others).is_some();
        !is_renamed || memchr::memmem::find(others, name.as_bytes()).is_some() || has_escapes()
    }

    fn conflict(
        &mut self,
        from: &str,
        kind: ConflictKind,
        ours: Option<&str>,
        theirs: Option<&str>,
    ) -> Choice {
        let object = format!("node {from}");
        let choice = self.choices.get(&object).copied();
        self.conflicts.push(Conflict {
            id: object.clone(),
            kind,
            object,
            class: "node".into(),
            name: from.to_owned(),
            field: String::new(),
            base: Some(from.to_owned()),
            ours: ours.map(str::to_owned),
            theirs: theirs.map(str::to_owned),
            detail: match kind {
                ConflictKind::Moved => "both moved or renamed it, to other places".into(),
                _ => "one side moved or renamed it, the other deleted it".into(),
            },
            choice,
        });
        choice.unwrap_or(Choice::Ours)
    }
}

/// Gives a node and all below it another path in one version; false when that is not possible, and then
/// nothing changed. Its section stays where it is, for the order is decided later.
fn relocate(scene: &mut Scene, from: &str, to: &str) -> bool {
    let is_unique = scene.node(from).is_some_and(Node::has_unique_name);
    scene.node(to).is_none() && scene.follow(from, to, is_unique.then_some(".")).is_ok()
}

/// The nodes of base that a version has under another path: old path, new path.
fn moves(base: &Scene, side: &Scene) -> Vec<(String, String)> {
    // Where all nodes are told in the same words none is elsewhere, and no table is needed to know it.
    if tags(base).eq(tags(side)) {
        return Vec::new();
    }
    let in_side: HashSet<&str> = side.nodes().map(Node::path).collect();
    let in_base: HashSet<&str> = base.nodes().map(Node::path).collect();
    let traits = |scene, others: &HashSet<&str>| -> Vec<Traits<'_>> {
        let nodes = Scene::nodes(scene).filter(|node| !others.contains(node.path()));
        nodes.take(MAX_GONE + 1).map(Traits::of).collect()
    };
    let (gone, new) = (traits(base, &in_side), traits(side, &in_base));
    if gone.is_empty() || new.is_empty() || gone.len() > MAX_GONE || new.len() > MAX_GONE {
        return Vec::new();
    }
    let mut found: Vec<(String, String)> = Vec::new();
    let (mut from, mut taken) = (HashSet::new(), HashSet::new());
    for node in &gone {
        let path = node.path;
        // Those below a node that moved go with it.
        let is_below = path.match_indices('/').any(|(end, _)| from.contains(&path[..end]));
        if is_below || node.is_override {
            continue;
        }
        let Some(target) = best(&new, |other| likeness(node, other)) else { continue };
        let is_mutual =
            best(&gone, |other| likeness(other, target)).is_some_and(|back| back.path == path);
        if is_mutual && path != "." && taken.insert(target.path) {
            from.insert(path);
            found.push((path.to_owned(), target.path.to_owned()));
        }
    }
    found
}

/// What tells whether a node is another one, read once: each is compared with very many.
struct Traits<'n> {
    path: &'n str,
    name: Cow<'n, str>,
    parent: Option<Cow<'n, str>>,
    unique_id: Option<i64>,
    is_override: bool,
    /// Its class, what it is an instance of, and its script.
    kind: [Option<String>; 3],
    /// Digests of its properties and of the names of its children.
    inside: Vec<u64>,
}

impl<'n> Traits<'n> {
    fn of(node: Node<'n>) -> Traits<'n> {
        let digest = |text: &str| scenewright_unity::xxh64(text.as_bytes());
        let fields = node
            .properties()
            .map(|field| digest(&[&field.key(), "=", &field.value().raw()].concat()));
        let children = node.children().map(|child| digest(&child.name()));
        Traits {
            path: node.path(),
            name: node.name(),
            parent: node.parent_path(),
            unique_id: node.unique_id(),
            is_override: node.is_override(),
            kind: [
                node.class().map(|class| class.into_owned()),
                node.instance().map(|instance| instance.to_string()),
                node.script().map(|script| script.raw().into_owned()),
            ],
            inside: fields.chain(children).collect(),
        }
    }
}

/// All sections of a version that base does not have, and those of base that it does not have.
fn changed(base: &Document, side: &Document) -> Vec<u8> {
    fn sections(document: &Document) -> HashSet<&[u8]> {
        let bytes = document.as_bytes();
        pieces(bytes).into_iter().map(|piece| &bytes[piece]).collect()
    }
    sections(base)
        .symmetric_difference(&sections(side))
        .flat_map(|text| text.iter().copied())
        .collect()
}

/// The first lines of all nodes, which say where they are.
fn tags(scene: &Document) -> impl Iterator<Item = &[u8]> {
    let nodes = scene.sections().filter(|section| section.is_named("node"));
    nodes.map(|node| &scene.as_bytes()[node.tag_span()])
}

/// The node that is like it the most; nothing when none is, or two are.
fn best<'t, 'n>(
    nodes: &'t [Traits<'n>],
    like: impl Fn(&Traits<'n>) -> Option<usize>,
) -> Option<&'t Traits<'n>> {
    let mut found: Option<(usize, &Traits<'n>)> = None;
    let mut is_tie = false;
    for node in nodes {
        let Some(score) = like(node) else { continue };
        match &found {
            Some((most, _)) if score < *most => {}
            Some((most, _)) if score == *most => is_tie = true,
            _ => (found, is_tie) = (Some((score, node)), false),
        }
    }
    found.filter(|_| !is_tie).map(|(_, node)| node)
}

/// How sure it is that two nodes of two versions are one: by the number that newer engines give each
/// node, by name and class elsewhere, or by most of what is in it under another name. Nothing when
/// they are not.
fn likeness(old: &Traits<'_>, new: &Traits<'_>) -> Option<usize> {
    if let (Some(old), Some(new)) = (old.unique_id, new.unique_id) {
        return (old == new).then_some(usize::MAX);
    }
    let is_named = old.name == new.name;
    // Elsewhere under its name, or here under another.
    if is_named == (old.parent == new.parent) || old.kind != new.kind || new.is_override {
        return None;
    }
    let shared = old.inside.iter().filter(|part| new.inside.contains(part)).count();
    if is_named {
        return Some(1_000_000 + shared);
    }
    // One side may have renamed it and changed something in it.
    let most = old.inside.len().max(new.inside.len());
    (shared > 1 && shared * 2 >= most).then_some(shared)
}

/// The old version with the paths of the new one for what moved, and what that is: key now, path
/// before.
pub(crate) fn applied(old: Document, new: &Document) -> (Document, Vec<(String, String)>) {
    let (mut old, new) = (Scene::of(old), Scene::of(new.clone()));
    let mut moved = Vec::new();
    let mut work = MAX_WORK;
    for _ in 0..ROUNDS {
        let before = moved.len();
        for (from, to) in moves(&old, &new) {
            let Some(left) = work.checked_sub(old.as_bytes().len()) else { break };
            work = left;
            if relocate(&mut old, &from, &to) {
                moved.push((format!("node {to}"), from));
            }
        }
        if moved.len() == before {
            break;
        }
    }
    (old.into_document(), moved)
}
