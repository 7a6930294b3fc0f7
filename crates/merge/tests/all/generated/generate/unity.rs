//! Scenes of Unity: game objects with transforms and components, a prefab instance with overrides.

use std::collections::BTreeMap;
use std::path::Path;

use scenewright_merge::{Choices, Inputs, merge};

use super::{Random, Verdict, verdict};

/// A scene as what it means.
#[derive(Clone, Default)]
struct Scene {
    /// Name, layer, components.
    objects: BTreeMap<i64, (String, u32, Vec<i64>)>,
    /// By the id of the object: father, children (both objects), position.
    places: BTreeMap<i64, (i64, Vec<i64>, [u32; 3])>,
    /// Owner, speed, a list, whom it refers to.
    scripts: BTreeMap<i64, (i64, u32, Vec<u32>, i64)>,
    /// By property.
    overrides: Vec<(String, u32)>,
}

#[derive(Debug, Clone)]
enum Edit {
    Name(i64, String),
    Layer(i64, u32),
    Move(i64, u32),
    Speed(i64, u32),
    Refer(i64, i64),
    Push(i64, u32),
    AddScript(i64, i64),
    RemoveScript(i64),
    AddObject(i64, i64),
    Delete(i64),
    Parent(i64, i64),
    Override(String, u32),
    RemoveOverride(String),
}

const TRANSFORM: i64 = 100_000;

impl Scene {
    fn new(random: &mut Random) -> Scene {
        let mut scene = Scene::default();
        for id in 1..=5 + random.below(6) as i64 {
            let father = if random.below(3) == 0 { 0 } else { random.below(id as usize) as i64 };
            scene.add(father, id);
            if random.below(2) == 0 {
                let script = 1000 + id;
                scene.scripts.insert(script, (id, 1, vec![1, 2, 3], 0));
                scene.objects.get_mut(&id).expect("it was just added").2.push(script);
            }
        }
        scene.overrides = (0..4).map(|number| (format!("field{number}"), 1)).collect();
        scene
    }

    fn add(&mut self, father: i64, id: i64) {
        self.objects.insert(id, (format!("Object{id}"), 0, Vec::new()));
        self.places.insert(id, (father, Vec::new(), [0; 3]));
        if let Some(father) = self.places.get_mut(&father) {
            father.1.push(id);
        }
    }

    fn is_below(&self, id: i64, above: i64) -> bool {
        let mut next = id;
        while next != 0 {
            if next == above {
                return true;
            }
            next = self.places.get(&next).map_or(0, |place| place.0);
        }
        false
    }

    fn unlink(&mut self, id: i64) {
        let father = self.places[&id].0;
        if let Some(father) = self.places.get_mut(&father) {
            father.1.retain(|child| *child != id);
        }
    }

    /// Nothing when the edit cannot be made.
    fn edit(&mut self, edit: &Edit) -> Option<()> {
        match edit {
            Edit::Name(id, name) => self.objects.get_mut(id)?.0.clone_from(name),
            Edit::Layer(id, layer) => self.objects.get_mut(id)?.1 = *layer,
            Edit::Move(id, value) => self.places.get_mut(id)?.2 = [*value; 3],
            Edit::Speed(id, speed) => self.scripts.get_mut(id)?.1 = *speed,
            Edit::Push(id, value) => self.scripts.get_mut(id)?.2.push(*value),
            Edit::Refer(id, to) => {
                self.objects.get(to)?;
                self.scripts.get_mut(id)?.3 = *to;
            }
            Edit::AddScript(owner, id) => {
                self.objects.get_mut(owner)?.2.push(*id);
                self.scripts.insert(*id, (*owner, *id as u32, vec![7], 0));
            }
            Edit::RemoveScript(id) => {
                // What is gone already is gone.
                let (owner, ..) = self.scripts.remove(id).unwrap_or_default();
                if let Some(owner) = self.objects.get_mut(&owner) {
                    owner.2.retain(|script| script != id);
                }
            }
            Edit::AddObject(father, id) => {
                self.objects.get(father)?;
                self.add(*father, *id);
            }
            Edit::Delete(id) => self.delete(*id)?,
            Edit::Parent(id, to) => {
                self.objects.get(id)?;
                self.objects.get(to)?;
                if self.places[id].0 == *to {
                    return Some(());
                }
                if self.is_below(*to, *id) {
                    return None;
                }
                self.unlink(*id);
                self.places.get_mut(id)?.0 = *to;
                self.places.get_mut(to)?.1.push(*id);
            }
            Edit::Override(path, value) => {
                match self.overrides.iter_mut().find(|one| one.0 == *path) {
                    Some(one) => one.1 = *value,
                    None => self.overrides.push((path.clone(), *value)),
                }
            }
            Edit::RemoveOverride(path) => {
                self.overrides.retain(|one| one.0 != *path);
            }
        }
        Some(())
    }

    /// With all below it; who refers to it no longer does, which the editor writes when it saves.
    fn delete(&mut self, id: i64) -> Option<()> {
        if !self.objects.contains_key(&id) {
            return Some(());
        }
        let gone: Vec<i64> =
            self.objects.keys().copied().filter(|other| self.is_below(*other, id)).collect();
        if self.scripts.values().any(|script| gone.contains(&script.3) && !gone.contains(&script.0))
        {
            return None;
        }
        self.unlink(id);
        for id in gone {
            self.objects.remove(&id);
            self.places.remove(&id);
            self.scripts.retain(|_, script| script.0 != id);
        }
        Some(())
    }

    fn random_edit(&self, random: &mut Random, fresh: &mut i64) -> Edit {
        let objects: Vec<i64> = self.objects.keys().copied().collect();
        let scripts: Vec<i64> = self.scripts.keys().copied().collect();
        let value = 2 + random.below(40) as u32;
        if objects.is_empty() {
            return Edit::Override("field0".into(), value);
        }
        let object = *random.pick(&objects);
        let script = if scripts.is_empty() { 0 } else { *random.pick(&scripts) };
        *fresh += 1;
        match random.below(13) {
            0 => Edit::Name(object, format!("Renamed{value}")),
            1 => Edit::Layer(object, value),
            2 => Edit::Move(object, value),
            3 => Edit::Speed(script, value),
            4 => Edit::Refer(script, *random.pick(&objects)),
            5 => Edit::Push(script, *fresh as u32),
            6 => Edit::AddScript(object, *fresh),
            7 => Edit::RemoveScript(script),
            8 => Edit::AddObject(object, *fresh),
            9 => Edit::Delete(object),
            10 => Edit::Parent(object, *random.pick(&objects)),
            11 => Edit::Override(format!("field{}", random.below(8)), value),
            _ => Edit::RemoveOverride(format!("field{}", random.below(4))),
        }
    }

    fn text(&self) -> String {
        let mut text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n".to_owned();
        let transform = |id: i64| if id == 0 { 0 } else { TRANSFORM + id };
        for (id, (name, layer, scripts)) in &self.objects {
            text += &format!(
                "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {}}}\n",
                transform(*id)
            );
            for script in scripts {
                text += &format!("  - component: {{fileID: {script}}}\n");
            }
            text += &format!("  m_Layer: {layer}\n  m_Name: {name}\n");
        }
        for (id, (father, children, [x, y, z])) in &self.places {
            text += &format!(
                "--- !u!4 &{}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_LocalPosition: {{x: {x}, y: {y}, z: {z}}}\n",
                transform(*id)
            );
            let items: String = children
                .iter()
                .map(|child| format!("  - {{fileID: {}}}\n", transform(*child)))
                .collect();
            text += &if items.is_empty() {
                "  m_Children: []\n".to_owned()
            } else {
                format!("  m_Children:\n{items}")
            };
            text += &format!("  m_Father: {{fileID: {}}}\n", transform(*father));
        }
        for (id, (owner, speed, list, to)) in &self.scripts {
            text += &format!(
                "--- !u!114 &{id}\nMonoBehaviour:\n  m_GameObject: {{fileID: {owner}}}\n  speed: {speed}\n  list:\n"
            );
            list.iter().for_each(|item| text += &format!("  - {item}\n"));
            text += &format!("  target: {{fileID: {to}}}\n");
        }
        text += "--- !u!1001 &900\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n";
        for (path, value) in &self.overrides {
            text += &format!(
                "    - target: {{fileID: 5, guid: 0123456789abcdef0123456789abcdef, type: 3}}\n      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}\n"
            );
        }
        text + "    m_RemovedComponents: []\n  m_SourcePrefab: {fileID: 1, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
    }
}

/// What a text means: objects by id, and within them lines whatever their order, for both sides may
/// have added to one list. Lists of numbers keep what is in them.
fn meaning(text: &str) -> String {
    let mut objects: Vec<String> = text
        .split("--- ")
        .skip(1)
        .map(|object| {
            // An override is one line of its own.
            let joined = object.replace("\n      ", " ");
            let mut lines: Vec<&str> = joined.lines().collect();
            lines[1..].sort_unstable();
            lines.join("\n")
        })
        .collect();
    objects.sort_unstable();
    objects.join("\n")
}

/// One pair of sets of edits.
pub(crate) fn one(random: &mut Random) -> Verdict {
    let base = Scene::new(random);
    let mut fresh = 5000;
    let mut sets = [Vec::new(), Vec::new()];
    for set in &mut sets {
        let mut scene = base.clone();
        for _ in 0..1 + random.below(4) {
            let edit = scene.random_edit(random, &mut fresh);
            // What was moved in first would go too, and by that name no other order could do it.
            let moved = set.iter().any(|edit| matches!(edit, Edit::Parent(..)));
            let fits = match edit {
                Edit::Delete(_) => !moved,
                Edit::Parent(id, _) => id < 5000,
                _ => true,
            };
            if fits && scene.edit(&edit).is_some() {
                set.push(edit);
            }
        }
    }
    let applied = |sets: &[&Vec<Edit>]| {
        let mut scene = base.clone();
        for edit in sets.iter().copied().flatten() {
            scene.edit(edit)?;
        }
        Some(scene.text())
    };
    for set in &mut sets {
        *set = super::net(set, |set| applied(&[set]));
    }
    let [ours, theirs] = [&sets[0], &sets[1]].map(|set| applied(&[set]).expect("it was made"));
    let orders = [applied(&[&sets[0], &sets[1]]), applied(&[&sets[1], &sets[0]])];
    let text = base.text();
    let inputs = Inputs { base: text.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    let merged = merge(Path::new("a.unity"), inputs, &Choices::new()).expect("it can be read");
    let conflicts = format!("{:?}", merged.conflicts);
    let result = merged.is_clean().then(|| meaning(&String::from_utf8_lossy(&merged.bytes)));
    let orders = orders.map(|order| order.map(|text| meaning(&text)));
    verdict(orders, result, || format!("{sets:?} {conflicts}"))
}
