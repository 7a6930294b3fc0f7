//! Objects of scripts: their keys, order and forms compared with what the source says is saved.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use anyhow::Result;
use scenewright_unity::edit::New;
use scenewright_unity::edit::script_fields::script_values;
use scenewright_unity::script::{self, ScriptFile, ScriptSet, TypeRef};
use scenewright_unity::{ClassId, Document, Guid, Object, Value, ValueKind, ValueStyle, scan_guid};

use super::{Project, Tally, files};

/// What every object of a script has before its own fields.
const LAST_OF_ALL: &str = "m_EditorClassIdentifier";

/// What was found over all projects.
#[derive(Default)]
struct Found {
    whole: Tally,
    /// Of classes whose source does not tell all.
    partly: Tally,
    /// Saved before a field was added or removed.
    older: usize,
    /// Keys that the source has and an object does not, and those that some object has.
    lacking: BTreeMap<String, usize>,
    seen: BTreeSet<String>,
}

/// The sources of a folder, and which file has which guid.
struct Sources {
    files: Vec<ScriptFile>,
    stems: Vec<String>,
    by_guid: HashMap<Guid, usize>,
}

pub(super) fn run(projects: &[Project]) -> Result<()> {
    let mut found = Found::default();
    let around: BTreeSet<_> = projects.iter().map(|project| &project.around).collect();
    for around in around {
        let sources = Sources::read(around);
        let set = ScriptSet::new(&sources.files);
        for project in projects.iter().filter(|project| project.around == *around) {
            judge(project, &sources, &set, &mut found);
        }
    }
    println!("of classes whose source does not tell all, as far as it does\n");
    found.partly.print("objects have the fields that are known");
    println!("\nof classes whose source is here\n");
    found.whole.print("objects have exactly the fields of their source");
    println!("{} were saved before a field came or went and not judged", found.older);
    let never = found.lacking.iter().filter(|(key, _)| !found.seen.contains(*key));
    let mut never: Vec<_> = never.collect();
    never.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    println!("\nfields of sources that no object has, {} in all", never.len());
    for (key, count) in never.into_iter().take(30) {
        println!("  {key} in {count}");
    }
    Ok(())
}

impl Sources {
    fn read(dir: &Path) -> Sources {
        let (mut all, mut stems, mut by_guid) = (Vec::new(), Vec::new(), HashMap::new());
        for path in files(dir, &["cs"]) {
            let Ok(bytes) = fs::read(&path) else { continue };
            let mut meta = path.clone().into_os_string();
            meta.push(".meta");
            if let Some(guid) = fs::read(meta).ok().and_then(|meta| scan_guid(&meta)) {
                by_guid.insert(guid, all.len());
            }
            all.push(script::parse_declarations(&String::from_utf8_lossy(&bytes)));
            stems.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        }
        Sources { files: all, stems, by_guid }
    }

    /// The class of an object.
    fn class<'a>(&'a self, set: &ScriptSet<'a>, object: Object<'_>) -> Option<TypeRef<'a>> {
        let guid = object.glance_reference("m_Script")?.guid?;
        let at = *self.by_guid.get(&guid)?;
        Some(set.main_type(&self.files[at], &self.stems[at])?.ty)
    }
}

fn judge<'a>(project: &Project, sources: &'a Sources, set: &ScriptSet<'a>, found: &mut Found) {
    let mut made: HashMap<String, (Vec<(String, New)>, bool)> = HashMap::new();
    for path in files(&project.root, &["unity", "prefab", "asset"]) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let document = Document::parse(bytes);
        for object in document
            .objects()
            .filter(|object| object.class_id() == ClassId::MONO_BEHAVIOUR && !object.is_stripped())
        {
            let Some(ty) = sources.class(set, object) else { continue };
            let name = ty.decl.full_name();
            let (fields, is_whole) = made.entry(name.clone()).or_insert_with(|| {
                let (fields, unknown) = script_values(set, ty, project.version);
                (fields, unknown.is_empty())
            });
            let place = path.file_name().unwrap_or_default().to_string_lossy();
            let place = format!("{place} &{}", object.file_id());
            found.add(object, &name, fields, *is_whole, &place, declared(set, ty));
        }
    }
}

/// The names that a class and its bases declare.
fn declared<'a>(set: &ScriptSet<'a>, ty: TypeRef<'a>) -> BTreeSet<&'a str> {
    let all = set.base_types(ty).into_iter().chain([ty]);
    let parts = all.flat_map(|ty| set.parts(ty));
    parts.flat_map(|part| part.decl.fields.iter().map(|field| field.name.as_str())).collect()
}

impl Found {
    fn add(
        &mut self,
        object: Object<'_>,
        name: &str,
        fields: &[(String, New)],
        is_whole: bool,
        place: &str,
        declared: BTreeSet<&str>,
    ) {
        let all: Vec<_> = object.fields().collect();
        let Some(start) = all.iter().position(|(key, _)| key == LAST_OF_ALL) else { return };
        let real: Vec<&str> = all[start + 1..].iter().map(|(key, _)| key.as_ref()).collect();
        self.seen.extend(real.iter().map(|key| format!("{name}.{key}")));
        let ours: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
        let extra: Vec<_> = real.iter().filter(|key| !ours.contains(key)).collect();
        let lacking: Vec<_> = ours.iter().filter(|key| !real.contains(key)).collect();
        for key in &lacking {
            *self.lacking.entry(format!("{name}.{key}")).or_default() += 1;
        }
        let common = |keys: &[&'_ str], others: &[&str]| -> Vec<String> {
            keys.iter().filter(|key| others.contains(key)).map(|key| (*key).to_owned()).collect()
        };
        let is_in_order = common(&real, &ours) == common(&ours, &real);
        let forgotten = extra.iter().find(|key| declared.contains(**key));
        let difference = match forgotten {
            _ if !is_in_order => Some(format!("  {place}\n  real {real:?}\n  made {ours:?}")),
            Some(key) if is_whole => Some(format!("  {place}: {key} is declared and not made")),
            _ => all[start + 1..].iter().find_map(|(key, value)| {
                let (_, new) = fields.iter().find(|(known, _)| known == key)?;
                let form = other_form(*value, new)?;
                Some(format!("  {place}: {key} has {form}"))
            }),
        };
        let is_older = !lacking.is_empty() || !extra.is_empty();
        match is_whole {
            true if difference.is_none() && is_older => self.older += 1,
            true => self.whole.add(name, difference, Vec::new(), ours.len()),
            false => self.partly.add(name, difference, Vec::new(), ours.len()),
        }
    }
}

/// In which way a value of a file has another form than a new one: what a field holds changes, and
/// how it is written does not.
fn other_form(value: Value<'_>, new: &New) -> Option<String> {
    let is_flow = value.style() == ValueStyle::Flow && !value.is_empty();
    match (value.kind(), new) {
        (ValueKind::Map, New::Reference(_)) => match value.as_reference() {
            Some(_) => None,
            None => Some("no reference".to_owned()),
        },
        (ValueKind::Map, New::Flow(fields)) => match is_flow {
            true => keys_differ(value, fields),
            false => Some("lines of its own".to_owned()),
        },
        (ValueKind::Map, New::Map(fields)) => match is_flow {
            true => Some("one line".to_owned()),
            false => keys_differ(value, fields).or_else(|| {
                let mut inner = value.fields();
                inner.find_map(|(key, value)| {
                    let (_, new) = fields.iter().find(|(known, _)| *known == key)?;
                    other_form(value, new).map(|form| format!("{key} with {form}"))
                })
            }),
        },
        (ValueKind::Sequence, New::List(_))
        | (ValueKind::Scalar, New::Number(_) | New::Text(_)) => None,
        (kind, new) => Some(format!("{kind:?} for {new:?}")),
    }
}

/// Fields come and go in nested classes, too; only their order is certain.
fn keys_differ(value: Value<'_>, fields: &[(String, New)]) -> Option<String> {
    let real: Vec<String> = value.fields().map(|(key, _)| key.into_owned()).collect();
    let ours: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
    let common: Vec<_> = real.iter().filter(|key| ours.contains(&key.as_str())).collect();
    let expected: Vec<_> =
        ours.iter().filter(|key| real.iter().any(|known| known == *key)).collect();
    let is_same = common.iter().map(|key| key.as_str()).eq(expected.iter().map(|key| **key));
    let has_any = !common.is_empty() || ours.is_empty() || real.is_empty();
    (!is_same || !has_any).then(|| format!("{real:?} for {ours:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many are the same, differ and are older, of an object with these fields, when `speed` and
    /// then `at` are made.
    fn check(fields: &str, expected: [usize; 3]) {
        let head = "--- !u!114 &1\nMonoBehaviour:\n  m_EditorClassIdentifier: \n";
        let document = Document::parse(format!("{head}{fields}"));
        let made = [("speed", New::int(0)), ("at", New::flow([("x", 0.0), ("y", 0.0)]))];
        let made = made.map(|(key, new)| (key.to_owned(), new));
        let mut found = Found::default();
        let object = document.objects().next().expect("an object");
        found.add(object, "Door", &made, true, "a.prefab", BTreeSet::from(["speed", "hidden"]));
        let [same, other] =
            found.whole.rows.get("Door").map_or([0; 2], |row| [row.same, row.other]);
        assert_eq!([same, other, found.older], expected, "{fields}");
    }

    #[test]
    fn the_judge_notices_what_differs() {
        check("  speed: 3\n  at: {x: 1, y: 2}\n", [1, 0, 0]);
        check("  at: {x: 1, y: 2}\n  speed: 3\n", [0, 1, 0]);
        check("  speed: 3\n  at:\n    x: 1\n    y: 2\n", [0, 1, 0]);
        check("  speed: 3\n  at: {r: 1, g: 2}\n", [0, 1, 0]);
        check("  speed: 3\n  at: {x: 1, y: 2}\n  hidden: 1\n", [0, 1, 0]);
        check("  speed: 3\n", [0, 0, 1]);
        check("  speed: 3\n  at: {x: 1, y: 2}\n  gone: 1\n", [0, 0, 1]);
    }
}
