//! Native objects, made again from what a new one of their class has.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use scenewright_text::Edits;
use scenewright_unity::edit::{Manner, New, NewObject, fresh, insert_object, links};
use scenewright_unity::types;
use scenewright_unity::{ClassId, Document, Object};

use super::read::read;
use super::{ENDINGS, MOST, Project, Tally, difference, files};

pub(super) fn run(projects: &[Project]) -> Result<()> {
    let (mut components, mut assets) = (Tally::default(), Tally::default());
    let (mut older, mut is_awake) = (0, false);
    for project in projects {
        let mut judged: BTreeMap<ClassId, usize> = BTreeMap::new();
        for path in files(&project.root, &ENDINGS) {
            let Ok(bytes) = fs::read(&path) else { continue };
            let document = Document::parse(bytes);
            let manner = Manner::of(&document).in_release(project.release);
            for object in document.objects().filter(|object| is_native(object)) {
                let count = judged.entry(object.class_id()).or_default();
                if *count >= MOST {
                    continue;
                }
                let Some((made, set)) = remade(object, project) else {
                    older += 1;
                    continue;
                };
                *count += 1;
                if !is_awake {
                    notice(object, &made, &manner, &path)?;
                    is_awake = true;
                }
                let fields = made.fields.len();
                let difference = compare(object, &made, &manner, &path);
                let component =
                    ClassId::find("Component").is_some_and(|base| made.class.is_a(base));
                let is_in_scene = component || made.class == ClassId::GAME_OBJECT;
                let tally = if is_in_scene { &mut components } else { &mut assets };
                tally.add(&object.class_name(), difference, set, fields);
            }
        }
    }
    assets.print("other objects are the same");
    println!();
    components.print("objects and components are the same");
    println!("{older} were saved by another version of Unity and not judged");
    Ok(())
}

fn is_native(object: &Object<'_>) -> bool {
    !object.is_stripped() && object.class_id() != ClassId::MONO_BEHAVIOUR
}

/// Before anything else the judge has to notice objects that were broken on purpose.
fn notice(object: Object<'_>, made: &NewObject, manner: &Manner, path: &Path) -> Result<()> {
    let broken = |break_it: fn(&mut Vec<(String, New)>)| {
        let mut broken = made.clone();
        break_it(&mut broken.fields);
        compare(object, &broken, manner, path).is_some()
    };
    ensure!(broken(|fields| fields.swap(0, 1)), "two keys change places and nobody notices");
    ensure!(broken(|fields| drop(fields.pop())), "a key is gone and nobody notices");
    let other = |fields: &mut Vec<(String, New)>| fields[0].1 = New::int(7);
    ensure!(broken(other), "a value is another and nobody notices");
    Ok(())
}

/// The object made again, and which fields had to be set; nothing when another version than that
/// of its project wrote it.
fn remade(object: Object<'_>, project: &Project) -> Option<(NewObject, Vec<String>)> {
    let class = object.class_id();
    let tree = types::tree(class, project.version)?;
    let is_linked = object.get("m_PrefabInstance").is_some();
    let mut fields = match is_linked {
        true => fresh::in_file(class, project.version, links(false))?,
        false => fresh::native(class, project.version)?,
    };
    let is_key = |key: &str| key != "serializedVersion";
    let keys: Vec<_> = object.fields().map(|(key, _)| key).filter(|key| is_key(key)).collect();
    let expected = fields.iter().map(|(key, _)| key.as_str()).filter(|key| is_key(key));
    if !expected.eq(keys.iter().map(AsRef::as_ref)) {
        return None;
    }
    let number = object.get("serializedVersion").and_then(|value| value.as_i64());
    if number.is_some_and(|number| number != i64::from(tree.version())) {
        return None;
    }
    let mut set = Vec::new();
    for (key, value) in object.fields().filter(|(key, _)| is_key(key)) {
        let new = read(value, tree.child(&key)?)?;
        let (_, field) = fields.iter_mut().find(|(known, _)| *known == key)?;
        if *field != new {
            *field = new;
            set.push(key.into_owned());
        }
    }
    let key = fresh::key(class, project.version)?.to_owned();
    Some((NewObject { class, id: object.file_id(), key, stripped: false, fields }, set))
}

fn compare(object: Object<'_>, made: &NewObject, manner: &Manner, path: &Path) -> Option<String> {
    let empty = Document::parse("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n");
    let mut edits = Edits::default();
    insert_object(&empty, made, manner, &mut edits);
    let after = edits.apply(empty.as_bytes()).ok()?;
    let made = String::from_utf8_lossy(&after[empty.as_bytes().len()..]).into_owned();
    let bytes = object.document().as_bytes();
    let real = String::from_utf8_lossy(&bytes[object.span()]).into_owned();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    difference(&format!("{name} &{}", object.file_id()), real.trim_end(), made.trim_end())
}
