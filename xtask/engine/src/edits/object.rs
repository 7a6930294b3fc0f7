//! An object deleted, and created again with the same components and values.

use std::collections::{BTreeMap, BTreeSet};

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::edit::scene::{Create, Editor, Refusal};
use scenewright_unity::{ClassId, Document, FileId, Object, Value};
use serde_json::{Value as Json, json};
use xtask::random::Random;

use super::field::{LOST, is_lost, made, refused};
use super::ground::{Ground, value_behind};
use super::instance::renamed;
use super::values::{TIES, json_of};
use super::{Verdict, difference};

/// How many objects a file has.
pub(super) fn count(document: &Document) -> usize {
    objects(document).count()
}

fn objects(document: &Document) -> impl Iterator<Item = Object<'_>> {
    document.objects().filter(|it| it.class_id() == ClassId::GAME_OBJECT && !it.is_stripped())
}

pub(super) fn judge(
    opened: &mut Opened<'_>,
    ground: &Ground,
    place: usize,
    _: &mut Random,
) -> Option<Verdict> {
    let Ground { document, tree, .. } = ground;
    let object = objects(document).nth(place)?;
    let is_hidden = object.get("m_ObjectHideFlags").is_some_and(|flags| flags.text() != "0");
    let parts = components(document, object).filter(|_| !is_hidden)?;
    let own: BTreeSet<FileId> =
        parts.iter().map(|part| part.file_id()).chain([object.file_id()]).collect();
    let node = tree.owner(object.file_id())?;
    if !node.children().is_empty() || is_wanted(document, &own) {
        return None;
    }
    let parent = node.parent();
    if parent.is_none() && opened.path.as_str().ends_with(".prefab") {
        return None;
    }
    let siblings = parent.as_ref().map_or_else(|| tree.roots(), |parent| parent.children());
    let classes = parts.iter().filter_map(|part| part.class_id().name()).map(str::to_owned);
    let wanted = Create {
        parent: parent.and_then(|it| it.file_id()).map_or_else(String::new, |id| format!("#{id}")),
        name: node.name().into_owned(),
        components: classes.collect(),
        index: siblings.iter().position(|sibling| *sibling == node),
        ..Create::default()
    };
    let mut names = BTreeMap::new();
    let made = made(opened, |editor| {
        editor.delete(&format!("#{}", object.file_id()), false)?;
        let id = editor.create(&wanted)?.id.ok_or_else(|| Refusal::missing("an id"))?;
        names = named(&Document::parse(editor.to_bytes()), object, &parts, id)?;
        fill(editor, &names, object, &parts)
    });
    Some(match made {
        Err(refusal) if is_lost(&refusal) => Verdict::Untold(LOST.into()),
        Err(refusal) if refusal.message.contains("each item a whole number") => {
            Verdict::Untold("a list is written as one number".into())
        }
        Err(refusal) if is_of_another(&refusal.message) => {
            Verdict::Untold("it has the fields of another version".into())
        }
        Err(refusal) if refusal.message.contains("source prefab is missing") => {
            Verdict::Untold(LOST.into())
        }
        Err(refusal) if refusal.message.contains("the project has no tag") => {
            Verdict::Untold("the tags of the project are not here".into())
        }
        Err(refusal) => Verdict::Other(refused(&refusal.message)),
        Ok(bytes) => {
            let new = names.iter().find(|(_, old)| **old == object.file_id()).map(|(new, _)| *new);
            let start = format!("--- !u!1 &{}", new.unwrap_or_default());
            let bytes = ground.shown(bytes, |bytes| value_behind(bytes, &start, "  m_Layer: "));
            compare(document, &Document::parse(bytes), &names, object, &parts)
        }
    })
}

/// Fields, or parts of one, that the version of the project does not have.
fn is_of_another(message: &str) -> bool {
    message.contains("has no field") || message.contains(" in this value")
}

/// The components of an object, all of them native and few.
fn components<'d>(document: &'d Document, object: Object<'d>) -> Option<Vec<Object<'d>>> {
    let list = object.get("m_Component")?;
    let read = |item: Value<'_>| document.object(item.get("component")?.as_reference()?.file_id);
    let parts: Vec<Object<'d>> = list.items().map(read).collect::<Option<_>>()?;
    let is_native = |part: &Object<'_>| {
        part.class_id() != ClassId::MONO_BEHAVIOUR
            && part.class_id().name().is_some()
            && !part.is_stripped()
            && part.glance_reference("m_CorrespondingSourceObject").is_none_or(|to| to.is_null())
    };
    (parts.len() < 8 && parts.iter().all(is_native)).then_some(parts)
}

/// Whether anything else refers to it, beyond what ties it to its parent.
fn is_wanted(document: &Document, own: &BTreeSet<FileId>) -> bool {
    let others = document.objects().filter(|object| !own.contains(&object.file_id()));
    let mut counted = others.filter(|object| {
        let is_tie =
            object.class_id().is_a(ClassId::TRANSFORM) || object.class_id() == ClassId::SCENE_ROOTS;
        !is_tie && object.references().any(|(_, to)| to.guid.is_none() && own.contains(&to.file_id))
    });
    counted.next().is_some()
}

/// The new ids, each with the one that it stands for.
fn named(
    after: &Document,
    object: Object<'_>,
    parts: &[Object<'_>],
    id: FileId,
) -> Result<BTreeMap<FileId, FileId>, Refusal> {
    let new = after.object(id).and_then(|new| components(after, new)).unwrap_or_default();
    let classes = |parts: &[Object<'_>]| -> Vec<ClassId> {
        parts.iter().map(|part| part.class_id()).collect()
    };
    if classes(&new) != classes(parts) {
        let names = |parts: &[Object<'_>]| -> Vec<String> {
            parts.iter().map(|part| part.class_name().into_owned()).collect()
        };
        let words = format!("{} as {}", names(parts).join(" "), names(&new).join(" "));
        return Err(Refusal::missing(&words));
    }
    let pairs = new.iter().zip(parts).map(|(new, old)| (new.file_id(), old.file_id()));
    Ok(pairs.chain([(id, object.file_id())]).collect())
}

fn fill(
    editor: &mut Editor<'_>,
    names: &BTreeMap<FileId, FileId>,
    object: Object<'_>,
    parts: &[Object<'_>],
) -> Result<(), Refusal> {
    let new: BTreeMap<FileId, FileId> = names.iter().map(|(new, old)| (*old, *new)).collect();
    let holder = format!("#{}", new[&object.file_id()]);
    for part in parts.iter().copied().chain([object]) {
        let own =
            (part.file_id() != object.file_id()).then(|| format!("#{}", new[&part.file_id()]));
        let fields = part.fields().filter(|(key, _)| !TIES.contains(&key.as_ref()));
        for (key, value) in fields {
            let value = mapped(json_of(value), &new);
            editor.set(Some(&holder), own.as_deref(), &key, &value)?;
        }
    }
    Ok(())
}

/// A value whose references lead to what is new.
fn mapped(value: Json, new: &BTreeMap<FileId, FileId>) -> Json {
    match value {
        Json::Object(map) if map.len() == 1 && map.contains_key("fileID") => {
            let id = map["fileID"].as_i64().map(FileId);
            match id.and_then(|id| new.get(&id)) {
                Some(new) => json!({ "fileID": new.0 }),
                None => Json::Object(map),
            }
        }
        Json::Object(map) => {
            Json::Object(map.into_iter().map(|(key, value)| (key, mapped(value, new))).collect())
        }
        Json::Array(items) => items.into_iter().map(|item| mapped(item, new)).collect(),
        other => other,
    }
}

fn compare(
    before: &Document,
    after: &Document,
    names: &BTreeMap<FileId, FileId>,
    object: Object<'_>,
    parts: &[Object<'_>],
) -> Verdict {
    let texts = |document: &Document, names: &BTreeMap<FileId, FileId>| {
        let text = |object: Object<'_>| {
            let text = String::from_utf8_lossy(&document.as_bytes()[object.span()]).into_owned();
            let id = object.file_id();
            // A zero has two spellings, which are one value.
            let text = renamed(text, names).replace(": -0,", ": 0,").replace(": -0}", ": 0}");
            (*names.get(&id).unwrap_or(&id), text)
        };
        document.objects().map(text).collect::<BTreeMap<_, _>>()
    };
    let (was, is) = (texts(before, &BTreeMap::new()), texts(after, names));
    let own =
        |id: &FileId| *id == object.file_id() || parts.iter().any(|part| part.file_id() == *id);
    for (id, text) in &was {
        let now = is.get(id).map_or("", String::as_str);
        if now == text {
            continue;
        }
        let kind = text.lines().nth(1).unwrap_or_default();
        let is_older = own(id) && keys(text) != keys(now);
        let shown = difference(text.as_bytes(), now.as_bytes());
        return match is_older {
            true => Verdict::Untold(format!("{kind} has the fields of another version")),
            false => Verdict::Other(format!("{kind} is other\n{shown}")),
        };
    }
    Verdict::Same
}

/// The keys of an object, with the versions of its parts.
fn keys(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let key = |line: &'_ str| line.find(':').map_or(line.len(), |at| at);
    lines
        .filter(|line| !line.starts_with("  -"))
        .map(|line| if line.contains("serializedVersion") { line } else { &line[..key(line)] })
        .collect()
}
