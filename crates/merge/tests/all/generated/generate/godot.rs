//! Scenes of Godot, edited by the same functions that the tools use.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use scenewright_godot::{Scene, Variant};
use scenewright_merge::{Choices, Inputs, merge};

use super::{Random, Verdict, verdict};

/// Properties that the engine keeps for every node; new ones have the first two.
const KEYS: [&str; 3] = ["process_priority", "process_physics_priority", "metadata/more"];

#[derive(Debug, Clone)]
enum Edit {
    /// Node by its number, property, value.
    Set(usize, String, i64),
    Unset(usize, String),
    Add(usize, String),
    Remove(usize),
    Rename(usize, String),
    Move(usize, usize),
    Group(usize, String),
}

/// A scene whose nodes carry numbers, by which edits know them after others have moved them.
fn start(random: &mut Random) -> String {
    let mut text =
        "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\nmetadata/number = 0\n"
            .to_owned();
    let mut paths = vec![".".to_owned()];
    for number in 1..=4 + random.below(5) {
        let parent = random.pick(&paths).clone();
        let class = random.pick(&["Node2D", "Sprite2D", "Timer"]);
        text += &format!(
            "\n[node name=\"N{number}\" type=\"{class}\" parent=\"{parent}\"]\nprocess_priority = 1\nprocess_physics_priority = 1\nmetadata/number = {number}\n"
        );
        paths.push(if parent == "." {
            format!("N{number}")
        } else {
            format!("{parent}/N{number}")
        });
    }
    let scene = Scene::parse(text);
    // As the engine writes it: children behind their parents.
    let mut ordered = String::from("[gd_scene format=3]\n");
    let mut open = vec![".".to_owned()];
    while let Some(path) = open.pop() {
        let node = scene.node(&path).expect("it was written");
        let bytes = &scene.as_bytes()[node.section().span()];
        ordered += &format!("\n{}\n", String::from_utf8_lossy(bytes));
        let children: Vec<String> = node.children().map(|child| child.path().to_owned()).collect();
        open.extend(children.into_iter().rev());
    }
    ordered
}

fn path(scene: &Scene, number: usize) -> Option<String> {
    let wanted = number.to_string();
    let node = scene
        .nodes()
        .find(|node| node.property("metadata/number").is_some_and(|value| value.raw() == wanted));
    node.map(|node| node.path().to_owned())
}

fn edit(scene: &mut Scene, edit: &Edit) -> Option<()> {
    match edit {
        Edit::Set(node, key, value) => {
            let path = path(scene, *node)?;
            scene.set_node_property(&path, key, &Variant::int(*value)).ok()?;
        }
        Edit::Unset(node, key) => {
            let path = path(scene, *node)?;
            scene.remove_node_property(&path, key).ok()?;
        }
        Edit::Add(parent, name) => {
            let parent = path(scene, *parent)?;
            let full = if parent == "." { name.clone() } else { format!("{parent}/{name}") };
            if scene.node(&full).is_some() {
                return None;
            }
            let number = name.trim_start_matches("New");
            let line = format!(
                "[node name=\"{name}\" type=\"Node\" parent=\"{parent}\"]\nprocess_priority = 5\nmetadata/number = {number}\n"
            );
            let mut inside = scene.nodes().filter(|node| {
                node.path() == parent
                    || parent == "."
                    || node.path().starts_with(&format!("{parent}/"))
            });
            let end = inside.next_back()?.section().span().end;
            drop(inside);
            let bytes = scene.as_bytes();
            let text = [&bytes[..end], b"\n\n", line.trim_end().as_bytes(), &bytes[end..]].concat();
            *scene = Scene::parse(text);
        }
        Edit::Remove(node) => {
            // What is gone already is gone.
            if let Some(path) = path(scene, *node) {
                scene.remove_node(&path).ok()?;
            }
        }
        Edit::Rename(node, name) => {
            let path = path(scene, *node).filter(|path| path != ".")?;
            scene.rename_node(&path, name).ok()?;
        }
        Edit::Move(node, parent) => {
            let (path, parent) =
                (path(scene, *node).filter(|path| path != ".")?, path(scene, *parent)?);
            let is_there = scene.node(&path)?.parent().is_some_and(|above| above.path() == parent);
            if !is_there {
                scene.move_node(&path, &parent, None).ok()?;
            }
        }
        Edit::Group(node, group) => {
            let path = path(scene, *node)?;
            scene.add_to_group(&path, group).ok()?;
        }
    }
    Some(())
}

fn random_edit(scene: &Scene, random: &mut Random, fresh: &mut usize) -> Edit {
    let numbers: Vec<usize> = scene
        .nodes()
        .filter_map(|node| node.property("metadata/number")?.raw().parse().ok())
        .collect();
    let node = *random.pick(&numbers);
    *fresh += 1;
    match random.below(8) {
        0 | 1 => Edit::Set(node, (*random.pick(&KEYS)).to_owned(), 2 + random.below(50) as i64),
        2 => Edit::Unset(node, (*random.pick(&KEYS[..2])).to_owned()),
        3 => Edit::Add(node, format!("New{fresh}")),
        4 => Edit::Remove(node),
        5 => Edit::Rename(node, format!("R{}", random.below(1000))),
        6 => Edit::Move(node, *random.pick(&numbers)),
        _ => Edit::Group(node, format!("g{}", random.below(3))),
    }
}

/// What a scene means: nodes by path with what is in them, in any order.
fn meaning(text: &[u8]) -> String {
    let scene = Scene::parse(text.to_vec());
    let mut nodes: Vec<String> = scene
        .nodes()
        .map(|node| {
            let mut fields: Vec<String> = node
                .properties()
                .map(|field| format!("{}={}", field.key(), field.value().raw()))
                .collect();
            let mut groups = node.groups();
            fields.sort_unstable();
            groups.sort_unstable();
            format!("{} {:?} {fields:?} {groups:?}", node.path(), node.class())
        })
        .collect();
    nodes.sort_unstable();
    nodes.join("\n")
}

/// One pair of sets of edits.
pub(crate) fn one(random: &mut Random) -> Verdict {
    let base = start(random);
    let mut fresh = 100;
    let mut sets = [Vec::new(), Vec::new()];
    for set in &mut sets {
        let mut scene = Scene::parse(base.clone());
        for _ in 0..1 + random.below(3) {
            let next = random_edit(&scene, random, &mut fresh);
            // What was moved in first would go too, and by that name no other order could do it.
            let moved = set.iter().any(|edit| matches!(edit, Edit::Move(..)));
            let fits = match next {
                Edit::Remove(_) => !moved,
                Edit::Move(node, _) => node < 100,
                _ => true,
            };
            if fits && edit(&mut scene, &next).is_some() {
                set.push(next);
            }
        }
    }
    let applied = |sets: &[&Vec<Edit>]| {
        let mut scene = Scene::parse(base.clone());
        for next in sets.iter().copied().flatten() {
            edit(&mut scene, next)?;
        }
        Some(scene.into_document().to_bytes())
    };
    for set in &mut sets {
        *set = super::net(set, |set| applied(&[set]));
    }
    let [ours, theirs] = [&sets[0], &sets[1]].map(|set| applied(&[set]).expect("it was made"));
    let orders = [applied(&[&sets[0], &sets[1]]), applied(&[&sets[1], &sets[0]])];
    let inputs = Inputs { base: base.as_bytes(), ours: &ours, theirs: &theirs };
    let merged = merge(Path::new("a.tscn"), inputs, &Choices::new()).expect("it can be read");
    let conflicts = format!("{:?}", merged.conflicts);
    if let (true, [Some(one), Some(two)]) = (merged.is_clean(), &orders) {
        keep([&merged.bytes, one, two]);
    }
    let result = merged.is_clean().then(|| meaning(&merged.bytes));
    let orders = orders.map(|order| order.map(|text| meaning(&text)));
    verdict(orders, result, || format!("{sets:?} {conflicts}\n{base}"))
}

/// Leaves a clean merge and what the edits give in either order in a folder, where `cargo xtask engine`
/// wants them for the real engine.
#[allow(clippy::disallowed_methods, reason = "a folder of a task's own")]
fn keep(texts: [&[u8]; 3]) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let Some(folder) = std::env::var_os("SCENEWRIGHT_MERGES_OUT").map(PathBuf::from) else {
        return;
    };
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    for (name, text) in ["merged", "expected", "other"].iter().zip(texts) {
        std::fs::write(folder.join(format!("{number}-{name}.tscn")), text).expect("it is there");
    }
}
