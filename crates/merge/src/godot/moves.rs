//! Nodes that one side renamed or moved: in all versions they get one path before anything is compared,
//! so that what the other side changed in them, or added below them, follows.

use std::collections::{HashMap, HashSet};

use scenewright_godot::{Document, Node, Scene};

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
    let mut following = Following {
        scenes,
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
                if relocate(&mut moved, from, to) && relocate(&mut self.scenes[0], from, to) {
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
    let gone: Vec<Node<'_>> = base.nodes().filter(|node| !in_side.contains(node.path())).collect();
    let new: Vec<Node<'_>> = side.nodes().filter(|node| !in_base.contains(node.path())).collect();
    if gone.is_empty() || new.is_empty() || gone.len() > MAX_GONE || new.len() > MAX_GONE {
        return Vec::new();
    }
    let mut found: Vec<(String, String)> = Vec::new();
    for node in &gone {
        let path = node.path();
        // Those below a node that moved go with it.
        if found.iter().any(|(from, _)| is_below(path, from)) || node.is_override() {
            continue;
        }
        let Some(target) = best(&new, |other| likeness(*node, other)) else { continue };
        let is_mutual =
            best(&gone, |other| likeness(other, target)).is_some_and(|back| back.path() == path);
        let is_free = !found.iter().any(|(_, to)| to == target.path());
        if is_mutual && is_free && path != "." {
            found.push((path.to_owned(), target.path().to_owned()));
        }
    }
    found
}

/// The first lines of all nodes, which say where they are.
fn tags(scene: &Document) -> impl Iterator<Item = &[u8]> {
    let nodes = scene.sections().filter(|section| section.is_named("node"));
    nodes.map(|node| &scene.as_bytes()[node.tag_span()])
}

/// The node that is like it the most; nothing when none is, or two are.
fn best<'n>(nodes: &[Node<'n>], like: impl Fn(Node<'n>) -> Option<usize>) -> Option<Node<'n>> {
    let mut found: Option<(usize, Node<'n>)> = None;
    let mut is_tie = false;
    for node in nodes {
        let Some(score) = like(*node) else { continue };
        match &found {
            Some((most, _)) if score < *most => {}
            Some((most, _)) if score == *most => is_tie = true,
            _ => (found, is_tie) = (Some((score, *node)), false),
        }
    }
    found.filter(|_| !is_tie).map(|(_, node)| node)
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

/// How sure it is that two nodes of two versions are one: by the number that newer engines give each
/// node, by name and class elsewhere, or by most of what is in it under another name. Nothing when
/// they are not.
fn likeness(old: Node<'_>, new: Node<'_>) -> Option<usize> {
    if let (Some(old), Some(new)) = (old.unique_id(), new.unique_id()) {
        return (old == new).then_some(usize::MAX);
    }
    let kind = |node: Node<'_>| {
        let script = node.script().map(|script| script.raw().into_owned());
        (node.class().map(|class| class.into_owned()), node.instance(), script)
    };
    if kind(old) != kind(new) || new.is_override() {
        return None;
    }
    let inside = |node: Node<'_>| {
        let fields =
            node.properties().map(|field| format!("{}={}", field.key(), field.value().raw()));
        let children = node.children().map(|child| child.name().into_owned());
        fields.chain(children).collect::<Vec<String>>()
    };
    let (before, now) = (inside(old), inside(new));
    let shared = before.iter().filter(|part| now.contains(part)).count();
    let parent = |node: Node<'_>| node.parent_path().map(|path| path.into_owned());
    if old.name() == new.name() {
        return (parent(old) != parent(new)).then_some(1_000_000 + shared);
    }
    // One side may have renamed it and changed something in it.
    let is_like = shared > 1 && shared * 2 >= before.len().max(now.len());
    (parent(old) == parent(new) && is_like).then_some(shared)
}

/// The old version with the paths of the new one for what moved, and what that is: key now, path
/// before.
pub(crate) fn applied(old: Document, new: &Document) -> (Document, Vec<(String, String)>) {
    let (mut old, new) = (Scene::of(old), Scene::of(new.clone()));
    let mut moved = Vec::new();
    for _ in 0..ROUNDS {
        let before = moved.len();
        for (from, to) in moves(&old, &new) {
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
