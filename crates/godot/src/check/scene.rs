//! A scene as the engine would build it: parents, names, paths of nodes and connections.

use std::collections::{HashMap, HashSet};

use super::reach::{Way, follow};
use super::script::Chain;
use super::{FindingKind, Findings, Project, members};
use crate::classes::Builtin;
use crate::{Connection, Node, NodeState, Scene, Tree, TreeNode, TreeProblemKind};

/// Judge a scene that is written so.
pub(super) fn check(project: &Project<'_>, written: &Scene, findings: &mut Findings<'_>) {
    if !written.is_sound() {
        // What could not be read may be what others need.
        return;
    }
    let Some(tree) = Tree::build(&findings.file.res_path(), &project.scenes) else { return };
    let by_section: HashMap<usize, &TreeNode> =
        tree.nodes().iter().filter_map(|node| Some((node.section?, node))).collect();
    check_structure(&tree, written, findings);
    for node in written.nodes() {
        let Some(built) = by_section.get(&node.section().index()) else { continue };
        members::check_node(project, written, node, built, findings);
        check_node_paths(project, &tree, node, built, findings);
    }
    check_tracks(&tree, written, findings);
    for connection in written.connections() {
        check_connection(project, &tree, connection, findings);
    }
    check_editables(&tree, written, findings);
}

fn check_structure(tree: &Tree, written: &Scene, findings: &mut Findings<'_>) {
    let own = findings.file.res_path();
    for problem in tree.problems().iter().filter(|problem| problem.file == own) {
        let kind = match problem.kind {
            TreeProblemKind::LostOverride => FindingKind::LostOverride,
            TreeProblemKind::LostParent => FindingKind::MissingParent,
            TreeProblemKind::StaleName => FindingKind::StaleName,
            TreeProblemKind::TooMuch => FindingKind::NotRead,
            // The declaration of the resource is a finding of its own, and a cycle may close elsewhere.
            TreeProblemKind::MissingScene | TreeProblemKind::Cycle => continue,
        };
        findings.add(kind, problem.line, Some(&problem.node), "", problem.message.clone());
    }
    check_cycles(tree, &own, written, findings);
    let mut names = HashSet::new();
    for node in tree.nodes().iter().filter(|node| node.parent.is_some()) {
        if !names.insert((node.parent, &node.name)) && node.section.is_some() {
            let message = format!("another child of the same node is called `{}` too", node.name);
            let line = line_of(written, node);
            findings.add(FindingKind::DuplicateName, line, Some(&node.path), "", message);
        }
    }
}

/// The line of a node in the scene that is judged; where it is made may be another file.
fn line_of(written: &Scene, node: &TreeNode) -> Option<usize> {
    Some(written.section(node.section?)?.line())
}

/// Instances of the scene in itself, told at the node that brings them.
fn check_cycles(tree: &Tree, own: &str, written: &Scene, findings: &mut Findings<'_>) {
    let is_own = |node: &&TreeNode| node.instance.as_deref() == Some(own);
    let again = tree.nodes().iter().filter(|node| node.state == NodeState::Cycle).filter(is_own);
    for inner in again {
        let up = |node: &&TreeNode| node.parent.map(|parent| &tree.nodes()[parent]);
        let Some(outer) =
            std::iter::successors(Some(inner), up).find(|node| node.section.is_some())
        else {
            continue;
        };
        let message = format!("the scene is inside of itself, as `{}`", inner.path);
        let line = line_of(written, outer);
        findings.add(FindingKind::Cycle, line, Some(&outer.path), &inner.path, message);
    }
}

/// Paths in properties that the engine follows from the node itself.
fn check_node_paths(
    project: &Project<'_>,
    tree: &Tree,
    node: Node<'_>,
    built: &TreeNode,
    findings: &mut Findings<'_>,
) {
    let followed = node.node_path_properties();
    for field in node.properties() {
        // Most values are numbers and vectors, and no class need be asked of those.
        if !may_be_path(field.value().raw_bytes()) {
            continue;
        }
        let key = field.key();
        let is_of_class = || {
            let class = built.class.as_deref().zip(project.classes);
            let property = class.and_then(|(class, classes)| classes.property(class, &key));
            property.is_some_and(|found| found.value.builtin() == Some(Builtin::NodePath))
        };
        // Root motion starts at the root of the animations, which may be in a model.
        let is_elsewhere = key == "root_motion_track";
        if is_elsewhere || !followed.iter().any(|name| *name == key) && !is_of_class() {
            continue;
        }
        let paths = field.value().decode();
        let paths = match paths.as_array() {
            Some(items) => items.iter().filter_map(|item| item.as_str()).collect(),
            None => paths.as_str().into_iter().collect::<Vec<_>>(),
        };
        for path in paths {
            if let Way::Broken(step) = follow(tree, built, path) {
                let message = format!("`{key}` leads to `{path}`, and there is no `{step}`");
                let line = field.line();
                let (kind, object) = (FindingKind::BrokenNodePath, Some(&*built.path));
                findings.add(kind, line, object, &format!("{key} {path}"), message);
            }
        }
    }
}

/// Whether a value can be a path or a list of some, by how it begins: `NodePath("A")`, `["A"]`, `"A"`,
/// `Array[NodePath]([…])`, `PackedStringArray(…)`.
fn may_be_path(value: &[u8]) -> bool {
    let is_word = |word: &[u8]| value.starts_with(word);
    match value.first() {
        Some(b'0'..=b'9' | b'-' | b't' | b'f' | b'n' | b'V' | b'C' | b'T' | b'R' | b'Q' | b'B') => {
            false
        }
        _ => !is_word(b"ExtResource(") && !is_word(b"SubResource("),
    }
}

/// Tracks of animations, from the nodes whose players play them.
fn check_tracks(tree: &Tree, written: &Scene, findings: &mut Findings<'_>) {
    for used in written.path_uses() {
        let Some(section) = written.section(used.section) else { continue };
        let is_animation = section.attribute_text("type").as_deref() == Some("Animation");
        let ways =
            used.bases.iter().filter_map(|base| Some(follow(tree, tree.node(base)?, &used.text)));
        let broken: Option<Vec<String>> = ways
            .map(|way| match way {
                Way::Broken(step) => Some(step),
                _ => None,
            })
            .collect();
        // Players that share an animation need not all have what it moves.
        let Some(step) = broken.filter(|_| is_animation).and_then(|steps| steps.into_iter().next())
        else {
            continue;
        };
        let line = written.position(used.span.start).0;
        let id = section.attribute_text("id").unwrap_or_default();
        let message = format!("a track leads to `{}`, and there is no `{step}`", used.text);
        findings.add(FindingKind::BrokenNodePath, line, Some(&id), &used.text, message);
    }
}

fn check_editables(tree: &Tree, written: &Scene, findings: &mut Findings<'_>) {
    let Some(root) = tree.root() else { return };
    for section in written.sections().filter(|section| section.name() == "editable") {
        let path = section.attribute_text("path").unwrap_or_default();
        if let Way::Broken(step) = follow(tree, root, &path) {
            let message = format!("the editable instance `{path}` is not there: no `{step}`");
            findings.add(FindingKind::BrokenNodePath, section.line(), Some(&path), "", message);
        }
    }
}

fn check_connection(
    project: &Project<'_>,
    tree: &Tree,
    connection: Connection<'_>,
    findings: &mut Findings<'_>,
) {
    let Some(root) = tree.root() else { return };
    let (from, to) = (connection.from(), connection.to());
    let mut end = |what: &str, path: &str| match follow(tree, root, path) {
        Way::Node(node) => Some(node),
        Way::Unknown => None,
        // Since Godot 4.6 ids beside the path hold when a node is renamed.
        Way::Broken(_) if connection.0.attribute(&format!("{what}_uid_path")).is_some() => None,
        Way::Broken(_) => {
            let message = format!(
                "`{}` is connected {what} `{path}`, which is not there",
                connection.signal()
            );
            let line = connection.0.line();
            let subject = format!("{} {what}", connection.signal());
            findings.add(FindingKind::BrokenConnection, line, Some(path), &subject, message);
            None
        }
    };
    let sender = end("from", &from);
    // One node that is not there is one mistake.
    let target = if from == to { sender } else { end("to", &to) };
    if let Some(sender) = sender {
        check_signal(project, sender, connection, findings);
    }
    if let Some(target) = target {
        check_method(project, target, connection, findings);
    }
}

fn check_signal(
    project: &Project<'_>,
    sender: &TreeNode,
    connection: Connection<'_>,
    findings: &mut Findings<'_>,
) {
    let (Some(classes), Some(class)) = (project.classes, sender.class.as_deref()) else { return };
    let signal = connection.signal();
    let mut all = project.all_classes();
    let is_known = classes.class(class).is_none()
        || all.any(|classes| classes.signal(class, &signal).is_some())
        || scripts_of(project, sender).may_have_signal(&signal);
    if !is_known {
        let line = connection.0.line();
        let message = format!("neither {class} nor a script of the node has a signal `{signal}`");
        findings.add(FindingKind::UnknownSignal, line, Some(&sender.path), &signal, message);
    }
}

fn check_method(
    project: &Project<'_>,
    target: &TreeNode,
    connection: Connection<'_>,
    findings: &mut Findings<'_>,
) {
    let Some(class) = target.class.as_deref() else { return };
    let method = connection.method();
    let is_of_class = match project.classes {
        Some(classes) => {
            let mut all = project.all_classes();
            classes.class(class).is_none()
                || all.any(|classes| classes.method(class, &method).is_some())
        }
        // Methods of Godot 3's classes are not known; those of scripts usually start so.
        None => !method.starts_with('_'),
    };
    let scripts = scripts_of(project, target);
    if is_of_class || scripts.may_have_method(project, &method) {
        return;
    }
    let who = match scripts.is_empty() {
        true => "the node has no script, and its class",
        false => "neither the script of the node nor its class",
    };
    let verb = if scripts.is_empty() { "has no" } else { "has a" };
    let message = format!("{who} {class} {verb} method `{method}`");
    let line = connection.0.line();
    findings.add(FindingKind::MissingMethod, line, Some(&target.path), &method, message);
}

/// The scripts of a node, wherever its `script` is set.
pub(super) fn scripts_of<'a>(project: &Project<'a>, node: &TreeNode) -> Chain<'a> {
    let Some(origin) = node.property("script").map(|property| &property.origin) else {
        return Chain::default();
    };
    let scene = origin.scene();
    let section = scene.section(origin.section()).expect("an origin is a section of its file");
    Chain::of_section(project, scene, origin.path(), section)
}
