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

/// More nodes than this are not looked for one by one.
const MAX_GONE: usize = 2000;

/// Follows the nodes that a side renamed or moved.
pub(crate) fn follow(versions: [Document; 3], choices: &Choices) -> Followed {
    let scenes = versions.map(Scene::of);
    let by_ours = moves(&scenes[0], &scenes[1]);
    let by_theirs = moves(&scenes[0], &scenes[2]);
    let mut following = Following {
        scenes,
        notes: Vec::new(),
        conflicts: Vec::new(),
        kept: HashMap::new(),
        choices,
    };
    let theirs: HashMap<&str, &str> =
        by_theirs.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    let ours: HashSet<&str> = by_ours.iter().map(|(from, _)| from.as_str()).collect();
    for (from, to) in &by_ours {
        following.moved(from, to, theirs.get(from.as_str()).copied(), 1);
    }
    for (from, to) in by_theirs.iter().filter(|(from, _)| !ours.contains(from.as_str())) {
        following.moved(from, to, None, 2);
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

/// Moves a node in one version; false when that is not possible, and then nothing changed.
fn relocate(scene: &mut Scene, from: &str, to: &str) -> bool {
    let before = scene.clone();
    let split = |path: &str| match path.rsplit_once('/') {
        Some((parent, name)) => (parent.to_owned(), name.to_owned()),
        None => (".".to_owned(), path.to_owned()),
    };
    let ((old_parent, old_name), (parent, name)) = (split(from), split(to));
    let mut steps = || -> Option<()> {
        let mut at = from.to_owned();
        if old_parent != parent {
            at = scene.move_node(&at, &parent, None).ok()?.0;
        }
        if old_name != name {
            scene.rename_node(&at, &name).ok()?;
        }
        Some(())
    };
    let done = steps().is_some();
    if !done {
        *scene = before;
    }
    done
}

/// The nodes of base that a version has under another path: old path, new path.
fn moves(base: &Scene, side: &Scene) -> Vec<(String, String)> {
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
        let mut candidates = new.iter().filter(|other| is_one(*node, **other));
        let (first, second) = (candidates.next(), candidates.next());
        let Some(target) = first.filter(|_| second.is_none()) else { continue };
        let rivals = gone.iter().filter(|other| is_one(**other, *target)).count();
        let is_free = !found.iter().any(|(_, to)| to == target.path());
        if rivals == 1 && is_free && path != "." {
            found.push((path.to_owned(), target.path().to_owned()));
        }
    }
    found
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether two nodes of two versions are one: by the number that newer engines give each node, by
/// name and class elsewhere, or by all that is in it under another name.
fn is_one(old: Node<'_>, new: Node<'_>) -> bool {
    if let (Some(old), Some(new)) = (old.unique_id(), new.unique_id()) {
        return old == new;
    }
    let kind = |node: Node<'_>| {
        let script = node.script().map(|script| script.raw().into_owned());
        (node.class().map(|class| class.into_owned()), node.instance(), script)
    };
    if kind(old) != kind(new) || new.is_override() {
        return false;
    }
    let parent = |node: Node<'_>| node.parent_path().map(|path| path.into_owned());
    if old.name() == new.name() {
        return parent(old) != parent(new);
    }
    let inside = |node: Node<'_>| {
        let fields: Vec<(String, String)> = node
            .properties()
            .map(|field| (field.key().into_owned(), field.value().raw().into_owned()))
            .collect();
        let children: Vec<String> =
            node.children().map(|child| child.name().into_owned()).collect();
        (fields, children)
    };
    let (old_inside, new_inside) = (inside(old), inside(new));
    let tells = old_inside.0.len() + old_inside.1.len() > 1;
    parent(old) == parent(new) && tells && old_inside == new_inside
}

/// The old version with the paths of the new one for what moved, and what that is: key now, path
/// before.
pub(crate) fn applied(old: Document, new: &Document) -> (Document, Vec<(String, String)>) {
    let (mut old, new) = (Scene::of(old), Scene::of(new.clone()));
    let mut moved = Vec::new();
    for (from, to) in moves(&old, &new) {
        if relocate(&mut old, &from, &to) {
            moved.push((format!("node {to}"), from));
        }
    }
    (old.into_document(), moved)
}
