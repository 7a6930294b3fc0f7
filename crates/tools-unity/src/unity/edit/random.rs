//! Random changes of the sample, one after the other, written and taken back: the check finds nothing new
//! after any of them, what is refused changes nothing, and in the end every byte is as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use scenewright_unity::Document;
use scenewright_unity::hierarchy::{Component, Data, Effective, Hierarchy, Node};
use serde_json::{Value, json};

use crate::UnityProject;
use crate::testing::{Site, bench, findings, portrait};

/// Files that are changed, the one that most is in most often.
const FILES: [&str; 8] = [
    "Assets/Scenes/Main.unity",
    "Assets/Scenes/Main.unity",
    "Assets/Scenes/Cellar.unity",
    "Assets/Prefabs/Room.prefab",
    "Assets/Prefabs/GoldenLantern.prefab",
    "Assets/Prefabs/Lantern.prefab",
    "Assets/Materials/Stone.mat",
    "Assets/Data/LanternSettings.asset",
];
const PREFABS: [&str; 3] = [
    "Assets/Prefabs/Lantern.prefab",
    "Assets/Prefabs/GoldenLantern.prefab",
    "Assets/Prefabs/Room.prefab",
];
const CLASSES: [&str; 8] = [
    "BoxCollider",
    "Light",
    "AudioSource",
    "Rigidbody",
    "MeshRenderer",
    "Camera",
    "LanternFlicker",
    "Collectible",
];
const STEPS: usize = 50;

/// Numbers that are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 31)) % most.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

#[test]
fn random_changes_are_taken_back_to_the_byte() {
    let mut tally = BTreeMap::new();
    for seed in 0..2 {
        play(seed, &mut tally);
    }
    for op in [
        "set",
        "create",
        "delete",
        "rename",
        "reparent",
        "duplicate",
        "instantiate",
        "unpack",
        "apply",
    ] {
        assert!(tally.get(op).is_some_and(|count| *count > 0), "{op} was hardly made: {tally:?}");
    }
    for op in ["addComponent", "removeComponent", "revert", "insertItem", "removeItem"] {
        assert!(tally.contains_key(op), "{op} was never made: {tally:?}");
    }
}

fn play(seed: u64, tally: &mut BTreeMap<String, usize>) {
    let site = bench();
    let mut dice = Dice(seed);
    let original = all(&site);
    let mut known = findings(&site);
    let mut written = 0;
    for step in 0..STEPS {
        let path = *dice.pick(&FILES).unwrap();
        let change = change(&site, path, &mut dice);
        let before = all(&site);
        // These change how the file says what it shows, and not that.
        let is_form = matches!(change["op"].as_str(), Some("apply" | "unpack"));
        let shown = is_form.then(|| portrait(&site, path));
        let arguments = json!({ "path": path, "changes": [change] });
        let told = format!("seed {seed}, step {step}, {path}: {change}");
        match site.call("unity.edit", arguments) {
            Ok(output) => {
                let is_written = output["filesChanged"] != 0;
                assert_eq!(is_written, all(&site) != before, "{told}");
                written += usize::from(is_written);
                let object = output["results"][0]["object"].as_str().unwrap_or_default();
                if let Some(shown) = shown {
                    shows_the_same(&shown, &portrait(&site, path), object, &told);
                }
                let op = change["op"].as_str().unwrap().to_owned();
                *tally.entry(op).or_default() += usize::from(is_written);
            }
            Err(error) => {
                assert!(error.hint.is_some(), "{told}: {} says nothing to try", error.message);
                assert_eq!(all(&site), before, "{told}: refused, and something changed");
            }
        }
        let problems = Document::parse(fs::read(site.path(path)).unwrap()).problems();
        assert!(problems.is_empty(), "{told}: {problems:?}");
        known = nothing_new(&site, &known, &told, &change);
    }
    for _ in 0..written {
        site.undo();
    }
    assert_eq!(all(&site), original, "seed {seed}");
}

/// Other instances of a prefab take what is applied to it; the one that it came from stays as it is.
fn shows_the_same(was: &[String], is: &[String], object: &str, told: &str) {
    let part = |lines: &[String]| -> Vec<String> {
        lines.iter().filter(|line| line.starts_with(object)).cloned().collect()
    };
    let (was, is) = (part(was), part(is));
    assert_eq!(was.iter().zip(&is).find(|(was, is)| was != is), None, "{told}");
    assert_eq!(was.len(), is.len(), "{told}");
}

/// Every file that is changed, and no other: the folder as a whole would take long to read each time.
fn all(site: &Site) -> Vec<Vec<u8>> {
    FILES.iter().map(|path| fs::read(site.path(path)).unwrap()).collect()
}

/// What is gone from a prefab may be missed by others, and the answer of the change says so.
fn nothing_new(
    site: &Site,
    before: &BTreeSet<String>,
    told: &str,
    change: &Value,
) -> BTreeSet<String> {
    let after = findings(site);
    let new: Vec<&String> = after.difference(before).collect();
    let takes_away = matches!(change["op"].as_str(), Some("delete" | "removeComponent" | "apply"));
    assert!(new.is_empty() || takes_away, "{told}: {new:#?}");
    after
}

fn change(site: &Site, path: &str, dice: &mut Dice) -> Value {
    let project = site.project();
    let unity = project.of::<UnityProject>().unwrap();
    let (index, expander) = unity.view();
    let document = Arc::new(Document::parse(fs::read(site.path(path)).unwrap()));
    if !path.ends_with(".unity") && !path.ends_with(".prefab") {
        return of_asset(&document, dice);
    }
    let guid = index.by_path(path).and_then(|asset| asset.guid()).unwrap();
    of_scene(&expander.scene(document, guid), dice)
}

fn of_asset(document: &Document, dice: &mut Dice) -> Value {
    let object = document.object_at(0).unwrap();
    let fields: Vec<_> = object.fields().filter(|(_, value)| value.as_f64().is_some()).collect();
    let (key, value) = dice.pick(&fields).unwrap();
    let value = value.as_f64().unwrap();
    json!({ "op": "set", "field": key, "value": if value == 0.0 { 1 } else { 0 } })
}

fn of_scene(tree: &Hierarchy, dice: &mut Dice) -> Value {
    let nodes: Vec<Node<'_>> = tree.objects().collect();
    let id = |node: Option<&Node<'_>>| {
        node.and_then(Node::file_id).map_or_else(|| "nothing".to_owned(), |id| format!("#{id}"))
    };
    let node = dice.pick(&nodes).cloned();
    let object = id(node.as_ref());
    let other = id(dice.pick(&nodes));
    let name = format!("Thing {}", dice.below(5));
    let class = dice.pick(&CLASSES).unwrap();
    let three = [dice.below(9), dice.below(9), dice.below(9)];
    let index = (dice.below(2) == 0).then(|| dice.below(4));
    match dice.below(20) {
        0 | 1 => {
            json!({ "op": "create", "parent": other, "name": name, "components": [class], "position": three, "index": index })
        }
        2 => json!({ "op": "delete", "object": object }),
        3 => json!({ "op": "rename", "object": object, "name": name }),
        4 | 5 => {
            json!({ "op": "reparent", "object": object, "parent": other, "index": index, "keepWorld": dice.below(2) == 0 })
        }
        6 => json!({ "op": "duplicate", "object": object }),
        12 => {
            json!({ "op": "unpack", "object": id(instance(&nodes, dice).or(node).as_ref()), "completely": index.is_some() })
        }
        7 | 8 => json!({ "op": "addComponent", "object": object, "component": class }),
        9 => {
            json!({ "op": "instantiate", "prefab": dice.pick(&PREFABS), "parent": other, "name": name, "position": three, "rotation": [0, 90, 0] })
        }
        17 => json!({ "op": "apply", "object": id(instance(&nodes, dice).or(node).as_ref()) }),
        10 | 15 => of_component(node, dice, "removeComponent"),
        11 | 13 => of_component(overridden(&nodes, dice).or(node), dice, "revert"),
        14 | 16 => of_component(listed(&nodes, dice).or(node), dice, "list"),
        _ => of_component(node, dice, "set"),
    }
}

/// The root of an instance.
fn instance<'h>(nodes: &[Node<'h>], dice: &mut Dice) -> Option<Node<'h>> {
    let all: Vec<&Node<'h>> = nodes.iter().filter(|it| it.is_prefab_instance_root()).collect();
    dice.pick(&all).map(|node| Node::clone(node))
}

/// An object whose prefab's values are overridden.
fn overridden<'h>(nodes: &[Node<'h>], dice: &mut Dice) -> Option<Node<'h>> {
    let is = |node: &&Node<'_>| node.components().iter().any(|held| held.is_overridden());
    let all: Vec<&Node<'h>> = nodes.iter().filter(is).collect();
    dice.pick(&all).map(|node| Node::clone(node))
}

/// An object with a list that has items.
fn listed<'h>(nodes: &[Node<'h>], dice: &mut Dice) -> Option<Node<'h>> {
    let has = |node: &&Node<'_>| node.components().iter().any(|held| held.fields().any(is_list));
    let all: Vec<&Node<'h>> = nodes.iter().filter(has).collect();
    dice.pick(&all).map(|node| Node::clone(node))
}

fn is_list((key, value): (String, Effective)) -> bool {
    matches!(&value.data, Data::List(items) if !items.is_empty()) && key != "m_Children"
}

/// A component of an object removed, reverted, or one of its fields changed.
fn of_component(node: Option<Node<'_>>, dice: &mut Dice, op: &str) -> Value {
    let components = node.as_ref().map(Node::components).unwrap_or_default();
    let fits = |held: &&Component<'_>| match op {
        "list" => held.fields().any(is_list),
        "revert" => held.is_overridden(),
        _ => true,
    };
    let some: Vec<_> = components.iter().filter(fits).collect();
    let some = if some.is_empty() { components.iter().collect() } else { some };
    let Some(component) = dice.pick(&some) else {
        return json!({ "op": "delete", "object": "nothing" });
    };
    let object = format!("#{}", component.node().file_id().unwrap().0);
    let named = format!("#{}", component.file_id());
    let is_tie = |key: &str| key.starts_with("m_Prefab") || key == "m_GameObject";
    let is_meant = |(key, value): &(String, Effective)| match op {
        "list" => is_list((key.clone(), value.clone())),
        "revert" => value.overridden_by.is_some(),
        _ => !is_tie(key),
    };
    let fields: Vec<_> = component.fields().filter(is_meant).collect();
    let Some((field, value)) = dice.pick(&fields) else {
        return json!({ "op": "revert", "object": object });
    };
    let set = |value: Value| json!({ "op": "set", "object": object, "component": named, "field": field, "value": value });
    match (op, &value.data) {
        ("set" | "list", Data::List(items)) if !items.is_empty() => {
            let at = dice.below(items.len());
            match dice.below(3) {
                0 => {
                    json!({ "op": "insertItem", "object": object, "component": named, "field": field, "index": at })
                }
                1 => {
                    json!({ "op": "removeItem", "object": object, "component": named, "field": field, "index": at })
                }
                _ => {
                    json!({ "op": "moveItem", "object": object, "component": named, "field": field, "index": at, "to": 0 })
                }
            }
        }
        ("set", Data::Text(text)) => match text.parse::<f64>() {
            Ok(0.0) => set(json!(1)),
            Ok(_) => set(json!(0)),
            Err(_) => set(json!("some: text")),
        },
        ("set", Data::Reference(_)) => set(Value::Null),
        ("set", Data::Map(parts)) => {
            let numbers = parts.iter().filter(|(_, part)| part.text().is_some());
            set(numbers.map(|(key, _)| (key.clone(), json!(dice.below(3)))).collect())
        }
        ("removeComponent", _) => json!({ "op": op, "object": object, "component": named }),
        _ => json!({ "op": "revert", "object": object, "component": named, "field": field }),
    }
}

#[test]
fn changes_of_one_call_come_to_the_same_as_one_by_one() {
    let set = |object: &str, component: &str, field: &str, value: Value| json!({ "op": "set", "object": object, "component": component, "field": field, "value": value });
    let flame = "Lanterns/Gate Lantern/Flame";
    let mut changes = Vec::new();
    for number in 0..12 {
        let name = format!("Thing {}", number % 3);
        changes.extend([
            json!({ "op": "create", "parent": "Player", "name": name, "components": ["AudioSource"], "position": [number, 0, 0] }),
            json!({ "op": "create", "parent": format!("Player/{name}"), "name": "In/side" }),
            json!({ "op": "addComponent", "object": format!("Player/{name}/In\\/side"), "component": CLASSES[number % 4] }),
            json!({ "op": "create", "parent": "", "name": "Root", "index": number % 2 }),
            set(flame, "Transform", "m_LocalScale", json!({ "y": number })),
            set(flame, "Transform", "localPosition", json!([number, 1, 2])),
            set(flame, "Light", "intensity", json!(number)),
        ]);
    }
    changes.extend([
        json!({ "op": "create", "parent": flame, "name": "Spark" }),
        json!({ "op": "create", "parent": flame, "name": "Spark" }),
        json!({ "op": "delete", "object": "Player/Thing 1[1]" }),
        json!({ "op": "create", "parent": "Player", "name": "Thing 1" }),
        json!({ "op": "rename", "object": "Player/Thing 1[3]", "name": "Last" }),
        json!({ "op": "addComponent", "object": "Ground", "component": "Rigidbody" }),
        set("Ground[0]", "Rigidbody", "mass", json!(3)),
    ]);
    come_to_the_same(&changes, 70);
}

/// What came is there for the next change, also where instances are copied, moved, renamed and deleted.
#[test]
fn instances_of_one_call_come_to_the_same_as_one_by_one() {
    let mut changes = Vec::new();
    for number in 0..6 {
        let name = format!("Coin {number}");
        let in_player = format!("Player/{name}");
        let parent = if number % 2 == 0 { "Player" } else { "" };
        let object = if number % 2 == 0 { &in_player } else { &name };
        let prefab = PREFABS[number % 3];
        changes.extend([
            json!({ "op": "create", "parent": "Player", "name": "Before", "components": ["Light"] }),
            json!({ "op": "instantiate", "prefab": prefab, "parent": parent, "name": name, "position": [number, 1, 0] }),
            json!({ "op": "create", "parent": object, "name": "Added" }),
            json!({ "op": "duplicate", "object": object }),
            json!({ "op": "set", "object": format!("{object} (1)"), "component": "Transform", "field": "m_LocalScale", "value": { "y": number } }),
            json!({ "op": "rename", "object": object, "name": format!("Old {number}") }),
            json!({ "op": "duplicate", "object": "Player", "name": format!("Player {number}") }),
            json!({ "op": "reparent", "object": format!("{object} (1)"), "parent": "Ground", "index": 0 }),
            json!({ "op": "reparent", "object": format!("Ground/{name} (1)"), "parent": "", "index": 1, "keepWorld": true }),
            json!({ "op": "instantiate", "prefab": prefab, "parent": "Ground", "index": 0, "rotation": [0, 90, 0] }),
            json!({ "op": "delete", "object": format!("Player {number}/Before") }),
        ]);
    }
    changes.extend([
        json!({ "op": "delete", "object": "Player 1" }),
        json!({ "op": "delete", "object": "Old 1" }),
        json!({ "op": "duplicate", "object": "Ground" }),
        json!({ "op": "reparent", "object": "Player 2", "parent": "Ground (1)", "keepWorld": true }),
        json!({ "op": "duplicate", "object": "Ground (1)/Player 2" }),
    ]);
    come_to_the_same(&changes, 70);
}

fn come_to_the_same(changes: &[Value], least: usize) {
    // Some of those at the same place are refused the second time.
    let (alone, together) = (bench(), bench());
    let mut made = Vec::new();
    for change in changes {
        let call = json!({ "path": FILES[0], "changes": [change] });
        if alone.call("unity.edit", call).is_ok() {
            made.push(change);
        }
    }
    assert!(made.len() >= least, "{}", made.len());
    together.call("unity.edit", json!({ "path": FILES[0], "changes": made })).unwrap();
    assert_eq!(outline(&together), outline(&alone));
}

/// Every object of the scene with its components and where it is.
fn outline(site: &Site) -> Vec<String> {
    let project = site.project();
    let unity = project.of::<UnityProject>().unwrap();
    let (index, expander) = unity.view();
    let document = Arc::new(Document::parse(fs::read(site.path(FILES[0])).unwrap()));
    let guid = index.by_path(FILES[0]).and_then(|asset| asset.guid()).unwrap();
    let tree = expander.scene(document, guid);
    let line = |node: Node<'_>| {
        let components = node.components();
        let classes: Vec<_> =
            components.iter().map(|held| held.class_name().into_owned()).collect();
        let values = ["m_LocalPosition.x", "m_LocalScale.y"].map(|path| {
            let value = components.first().and_then(|held| held.value(path));
            value.and_then(|value| value.text().map(str::to_owned))
        });
        let prefab = node.prefab().and_then(|prefab| prefab.path);
        format!("{} {classes:?} {values:?} {prefab:?}", node.path())
    };
    tree.objects().map(line).collect()
}
