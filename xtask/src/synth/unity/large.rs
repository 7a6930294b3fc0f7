//! The shape of large real games: few files, scenes of many megabytes, prefabs five deep in each other,
//! tens of thousands of overrides, and scripts of a package that is not in the checkout.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use super::hierarchy::{Instance, PLAIN, behaviour, behaviour_of, object, scene_roots, stand_in};
use super::{HEADER, Kind, asset, folder_meta, guid, kind, meta, settings};
use crate::synth::mix;

/// The folder's number in guids: the first refers to no other.
const FOLDER: usize = 0;
/// Prefabs of each depth.
const OF_A_LEVEL: usize = 20;
const LEVELS: usize = 5;
/// Prefabs inside of one that nests.
const INSIDE: u64 = 3;
/// Objects of a prefab that nests none.
const OBJECTS: u64 = 6;
/// Overrides of an instance in a scene.
const CHANGES: usize = 14;
const INSTANCE: u64 = 5_500_000_000_000_000;
/// The script of a package that is not here.
const FOREIGN: &str = "f00dfeedf00dfeedf00dfeedf00dfeed";

/// Scenes by name: how many of them, with how many plain objects and instances each.
const SCENES: [(&str, usize, u64, u64); 2] = [("World", 2, 5000, 3100), ("Room", 40, 180, 120)];

/// Write the project into `root`.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    settings(root)?;
    let manifest = "{\n  \"dependencies\": {\n    \"com.example.not-here\": \"1.2.0\"\n  }\n}\n";
    fs::write(root.join("Packages/manifest.json"), manifest)?;
    let dir = root.join("Assets/Game");
    fs::create_dir_all(&dir)?;
    fs::write(root.join("Assets/Game.meta"), folder_meta("Assets/Game"))?;
    let shared = (0..100).filter(|place| !matches!(kind(*place), Kind::Prefab | Kind::Scene));
    for place in shared {
        asset(&dir, FOLDER, place)?;
    }
    for level in 0..LEVELS {
        for number in 0..OF_A_LEVEL {
            let name = format!("Level{level}Prefab{number}.prefab");
            fs::write(dir.join(&name), prefab(level, number))?;
            let text = meta(FOLDER, place(level, number), "PrefabImporter");
            fs::write(dir.join(format!("{name}.meta")), text)?;
        }
    }
    let mut at = place(LEVELS, 0);
    for (name, count, objects, instances) in SCENES {
        for number in 0..count {
            let file = format!("{name}{number}.unity");
            fs::write(dir.join(&file), scene(at, objects, instances))?;
            fs::write(dir.join(format!("{file}.meta")), meta(FOLDER, at, "DefaultImporter"))?;
            at += 1;
        }
    }
    Ok(())
}

/// The place in the folder of a prefab, which its guid tells. Those without instances stand where
/// references to prefabs lead.
fn place(level: usize, number: usize) -> usize {
    PLAIN.start + level * OF_A_LEVEL + number
}

/// Some prefab of a level.
fn source(level: usize, seed: u64) -> String {
    guid(FOLDER, place(level, (mix(seed) % OF_A_LEVEL as u64) as usize))
}

fn prefab(level: usize, number: usize) -> String {
    let mut text = HEADER.to_owned();
    let seed = (level * OF_A_LEVEL + number) as u64;
    let Some(below) = level.checked_sub(1) else {
        let children: Vec<u64> = (2..=OBJECTS).map(|child| child * 1000 + 1).collect();
        object(&mut text, 1000, 0, &children, FOLDER, number % 60);
        for child in 2..=OBJECTS {
            object(&mut text, child * 1000, 1001, &[], FOLDER, number % 60);
        }
        return text;
    };
    let ids: Vec<u64> = (0..INSIDE).map(|inside| INSTANCE + inside * 7919).collect();
    let transforms: Vec<u64> = ids.iter().map(|id| id ^ 1001).collect();
    object(&mut text, 1000, 0, &transforms, FOLDER, number % 60);
    for (inside, id) in ids.iter().enumerate() {
        let source = source(below, seed * 8 + inside as u64);
        let mut instance = Instance::new(*id, &source, 1001);
        instance.moves(inside);
        instance.write(&mut text);
        stand_in(&mut text, 4, "Transform", id ^ 1001, 1001, &source, *id);
    }
    text
}

fn scene(at: usize, objects: u64, instances: u64) -> String {
    let mut text = HEADER.to_owned();
    let mut roots = String::new();
    for number in 0..objects {
        // Ten below each, so that paths are a few names long.
        let base = |number: u64| 10_000_000 + number * 10;
        let parent = number.checked_sub(1).map(|before| base(before / 10) + 1);
        let below = (number * 10 + 1..number * 10 + 11).filter(|child| *child < objects);
        let children: Vec<u64> = below.map(|child| base(child) + 1).collect();
        let place = number as usize % 60;
        object(&mut text, base(number), parent.unwrap_or(0), &children, FOLDER, place);
        if parent.is_none() {
            let _ = write!(roots, "\n  - {{fileID: {}}}", base(number) + 1);
        }
    }
    for number in 0..instances {
        let id = 900_000_000 + number * 10;
        let seed = mix((at as u64) << 20 | number);
        // Most stand on the ground floor, as in games.
        let level = match seed % 100 {
            0..70 => 0,
            70..90 => 1,
            90..98 => 2,
            98 => 3,
            _ => 4,
        };
        let source = source(level, seed);
        let mut instance = Instance::new(id, &source, 0);
        instance.moves(number as usize);
        for change in 4..CHANGES {
            let path = ["m_LocalRotation.x", "m_LocalScale.x", "m_RootOrder"][change % 3];
            instance.change(1001, path, &change.to_string());
        }
        instance.write(&mut text);
        stand_in(&mut text, 1, "GameObject", id + 1, 1000, &source, id);
        // Now and then a field refers to what its prefab no longer has.
        let target = match number == 1 && at.is_multiple_of(7) {
            true => format!("{{fileID: 999, guid: {source}, type: 3}}"),
            false => format!("{{fileID: {}}}", id + 1),
        };
        // One in a few scenes has a component of the absent package.
        match number == 0 && at.is_multiple_of(3) {
            true => behaviour_of(&mut text, id + 2, id + 1, FOREIGN, &target),
            false => behaviour(&mut text, id + 2, id + 1, FOLDER, number as usize % 60, &target),
        }
        let _ = write!(roots, "\n  - {{fileID: {id}}}");
    }
    scene_roots(&mut text, &roots);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_scene_has_the_size_and_overrides_of_real_ones() {
        let (_, _, objects, instances) = SCENES[0];
        let text = scene(place(LEVELS, 0), objects, instances);
        assert!((15_000_000..30_000_000).contains(&text.len()), "{}", text.len());
        assert!(text.matches("propertyPath").count() > 30_000);
    }
}
