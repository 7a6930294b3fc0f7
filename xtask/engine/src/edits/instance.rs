//! An instance of a prefab deleted, and instantiated again.

use std::collections::{BTreeMap, BTreeSet};

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::edit::scene::{Instantiate, Placed, Turn};
use scenewright_unity::hierarchy::{Hierarchy, Node};
use scenewright_unity::index::AssetKind;
use scenewright_unity::{ClassId, Document, FileId, Object, Value};
use xtask::random::Random;

use super::field::{LOST, made, refused};
use super::ground::{Ground, LIST, value_behind};
use super::orders::Key;
use super::{Verdict, difference};

/// What the call says of the root, and what Unity writes of it in any case.
const SAID: [&str; 11] = [
    "m_Name",
    "m_LocalPosition.",
    "m_LocalRotation.",
    "m_LocalEulerAnglesHint.",
    "m_LocalScale.",
    "m_RootOrder",
    "m_Pivot.",
    "m_AnchorM",
    "m_SizeDelta.",
    "m_AnchoredPosition.",
    LOCK,
];

const LOCK: &str = "m_ConstrainProportionsScale";

/// How many instances of a file say all that there is to them.
pub(super) fn count(document: &Document) -> usize {
    document.objects().filter(|object| is_bare(*object)).count()
}

pub(super) fn judge(
    opened: &mut Opened<'_>,
    ground: &Ground,
    place: usize,
    _: &mut Random,
) -> Option<Verdict> {
    let Ground { document, tree, .. } = ground;
    let instance = document.objects().filter(|object| is_bare(*object)).nth(place)?;
    let id = instance.file_id();
    let source = instance.get("m_SourcePrefab")?.as_reference()?.guid?;
    let asset = opened.unity.index.by_guid(source)?;
    if asset.kind() != AssetKind::Prefab || stand_ins(document, id).iter().any(is_part) {
        return None;
    }
    let root = root_of(tree, id)?;
    if is_wanted(document, id, root.parent().as_ref()) {
        return None;
    }
    let siblings = root.parent().map_or_else(|| tree.roots(), |parent| parent.children());
    let overrides = Overrides::of(instance, &root)?;
    let wanted = Instantiate {
        prefab: asset.path(),
        parent: root
            .parent()
            .and_then(|it| it.file_id())
            .map_or_else(String::new, |id| format!("#{id}")),
        name: Some(root.name().into_owned()),
        placed: overrides.placed(),
        index: siblings.iter().position(|sibling| *sibling == root),
    };
    if root.parent().is_none() && opened.path.as_str().ends_with(".prefab") {
        return None;
    }
    let name = format!("#{}", root.file_id()?);
    let made = made(opened, |editor| {
        editor.delete(&name, false)?;
        let done = editor.instantiate(&wanted)?;
        // A lock on the proportions of its size is a field like others, which no call has a word for.
        let Some(locked) = overrides.number(LOCK) else { return Ok(()) };
        let object = done.id.map(|id| format!("#{id}"));
        editor.set(object.as_deref(), Some("Transform"), LOCK, &locked.into()).map(drop)
    });
    Some(match made {
        Err(refusal) if refusal.message.contains("source prefab is missing") => {
            Verdict::Untold(LOST.into())
        }
        Err(refusal) => Verdict::Other(refused(&refusal.message)),
        Ok(bytes) => {
            let new = added(document, &Document::parse(bytes.as_slice()));
            let value = |bytes: &[u8]| {
                let start = format!("--- !u!1001 &{}", new?);
                let path = value_behind(bytes, &start, "propertyPath: m_LocalPosition.x")?;
                Some(path + value_behind(&bytes[path..], "", "value: ")?)
            };
            let bytes = ground.shown(bytes, value);
            compare(ground, &Document::parse(bytes), id, &overrides)
        }
    })
}

/// An instance that nothing was added to or removed from.
fn is_bare(object: Object<'_>) -> bool {
    let lists =
        ["m_RemovedComponents", "m_RemovedGameObjects", "m_AddedGameObjects", "m_AddedComponents"];
    let is_empty = |list: &&str| {
        object.get(&format!("m_Modification.{list}")).is_none_or(|list| list.is_empty())
    };
    object.class_id() == ClassId::PREFAB_INSTANCE && lists.iter().all(is_empty)
}

/// What stands for parts of an instance.
fn stand_ins(document: &Document, instance: FileId) -> Vec<Object<'_>> {
    let is_of = |object: &Object<'_>| {
        object.is_stripped()
            && object.glance_reference("m_PrefabInstance").is_some_and(|to| to.file_id == instance)
    };
    document.objects().filter(is_of).collect()
}

/// Whether it stands for anything but a transform, so that the instance is referred to.
fn is_part(object: &Object<'_>) -> bool {
    !object.class_id().is_a(ClassId::TRANSFORM)
}

/// Whether anything refers to what stands for its parts, beyond what has it as a child.
fn is_wanted(document: &Document, instance: FileId, parent: Option<&Node<'_>>) -> bool {
    let own: BTreeSet<FileId> =
        stand_ins(document, instance).iter().map(|object| object.file_id()).collect();
    if own.is_empty() {
        return false;
    }
    let ties: BTreeSet<FileId> = parent
        .into_iter()
        .flat_map(|parent| parent.components())
        .filter(|held| held.class_id().is_a(ClassId::TRANSFORM))
        .map(|held| held.file_id())
        .chain(parent.and_then(|parent| parent.outer_instance()))
        .collect();
    document.objects().any(|object| {
        object.class_id() != ClassId::SCENE_ROOTS
            && !own.contains(&object.file_id())
            && !ties.contains(&object.file_id())
            && object.references().any(|(_, to)| to.guid.is_none() && own.contains(&to.file_id))
    })
}

fn root_of(tree: &Hierarchy, instance: FileId) -> Option<Node<'_>> {
    let is_root = |node: &Node<'_>| {
        node.outer_instance() == Some(instance)
            && node.prefab().is_some_and(|prefab| prefab.instance == instance)
    };
    tree.objects().find(is_root)
}

/// What an instance says of its root.
struct Overrides {
    /// Target, path and value, in order.
    said: Vec<(FileId, String, String)>,
    transform: FileId,
    name: FileId,
    /// What the prefab has where the instance says nothing.
    shown: BTreeMap<String, f64>,
}

impl Overrides {
    fn of(instance: Object<'_>, root: &Node<'_>) -> Option<Overrides> {
        use scenewright_unity::hierarchy::Stated;
        let target = |stated: Stated| match stated {
            Stated::Override { target, .. } => Some(target),
            Stated::Here(_) => None,
        };
        let transform = match root.opaque() {
            Some(_) => root.closed_transform()?.stated(),
            None => root.components().first()?.stated(),
        };
        let transform = target(transform)?;
        let name = target(root.stated()?)?;
        let shown = shown(root);
        let mut all = Overrides { said: said(instance, name, transform), transform, name, shown };
        // A call says all of a size or nothing; parts of it were set by hand.
        if all.three("m_LocalScale").is_none() {
            all.said.retain(|(_, path, _)| !path.starts_with("m_LocalScale"));
        }
        Some(all)
    }

    fn number(&self, path: &str) -> Option<f64> {
        let is_it = |(target, known, _): &&(FileId, String, String)| {
            *target == self.transform && known == path
        };
        self.said.iter().find(is_it)?.2.parse().ok()
    }

    fn three(&self, field: &str) -> Option<[f64; 3]> {
        let part = |part: &str| self.number(&format!("{field}.{part}"));
        Some([part("x")?, part("y")?, part("z")?])
    }

    /// The same where the instance says some of the parts, and the prefab the others.
    fn three_shown(&self, field: &str) -> Option<[f64; 3]> {
        let is_said = |part: &&str| self.number(&format!("{field}.{part}")).is_some();
        ["x", "y", "z"].iter().any(is_said).then_some(())?;
        let part = |part: &str| {
            let path = format!("{field}.{part}");
            self.number(&path).or_else(|| self.shown.get(&path).copied())
        };
        Some([part("x")?, part("y")?, part("z")?])
    }

    fn placed(&self) -> Placed {
        let w = self.number("m_LocalRotation.w");
        let turn = self.three("m_LocalRotation").zip(w).map(|([x, y, z], w)| [x, y, z, w]);
        // The angles that somebody typed, where they are those of the quaternion.
        let angles = self.three("m_LocalEulerAnglesHint").map(Turn::Euler);
        let typed = angles.filter(|angles| turn.is_some_and(|turn| is_near(*angles, turn)));
        Placed {
            position: self.three_shown("m_LocalPosition"),
            rotation: typed.or(turn.map(Turn::Quaternion)),
            scale: self.three("m_LocalScale"),
        }
    }
}

/// Where the root of an instance is.
fn shown(root: &Node<'_>) -> BTreeMap<String, f64> {
    let components = root.components();
    let closed = root.closed_transform();
    let value = |path: &str| -> Option<f64> {
        match &closed {
            Some(transform) => transform.value(path)?.parse().ok(),
            None => components.first()?.value(path)?.text()?.parse().ok(),
        }
    };
    let paths = ["x", "y", "z"].map(|part| format!("m_LocalPosition.{part}"));
    paths.into_iter().filter_map(|path| Some((path.clone(), value(&path)?))).collect()
}

/// Whether angles and a quaternion turn the same way.
fn is_near(angles: Turn, turn: [f64; 4]) -> bool {
    let product: f64 = angles.quaternion().iter().zip(turn).map(|(one, other)| one * other).sum();
    // The opposite quaternion turns the same way, but has other bytes.
    (product - 1.0).abs() < 1e-6
}

fn said(instance: Object<'_>, name: FileId, transform: FileId) -> Vec<(FileId, String, String)> {
    let items = instance.get(LIST).into_iter().flat_map(Value::items);
    let read = |item: Value<'_>| {
        let target = item.get("target")?.as_reference()?.file_id;
        let path = item.get("propertyPath")?.text().into_owned();
        let is_said = SAID.iter().any(|said| path.starts_with(said));
        let is_root = if path == "m_Name" { target == name } else { target == transform };
        (is_said && is_root).then_some(())?;
        let value = item.get("value")?.text().into_owned();
        // A zero has two spellings, which are one value.
        Some((target, path, if value == "-0" { "0".to_owned() } else { value }))
    };
    items.filter_map(read).collect()
}

/// The instance that only the second of two files has.
fn added(before: &Document, after: &Document) -> Option<FileId> {
    let instances = after.objects().filter(|it| it.class_id() == ClassId::PREFAB_INSTANCE);
    instances.map(|object| object.file_id()).find(|id| before.object(*id).is_none())
}

fn compare(ground: &Ground, after: &Document, old: FileId, overrides: &Overrides) -> Verdict {
    let before = &*ground.document;
    let new = added(before, after).and_then(|id| after.object(id));
    let Some(new) = new else { return Verdict::Other("there is no instance".into()) };
    let mut names = BTreeMap::from([(new.file_id(), old)]);
    let (were, are) = (stand_ins(before, old), stand_ins(after, new.file_id()));
    if are.len() < were.len() {
        return Verdict::Untold("something stands for it that nothing refers to".into());
    }
    if were.len() != are.len() {
        let text = format!("{} stand for parts of it, and were {}", are.len(), were.len());
        return Verdict::Other(text);
    }
    names.extend(were.iter().zip(&are).map(|(was, is)| (is.file_id(), was.file_id())));
    let texts = |document: &Document, names: &BTreeMap<FileId, FileId>| {
        let mut texts = BTreeMap::new();
        for object in document.objects() {
            let text = String::from_utf8_lossy(&document.as_bytes()[object.span()]).into_owned();
            let id = object.file_id();
            texts.insert(*names.get(&id).unwrap_or(&id), renamed(text, names));
        }
        texts
    };
    let (was, is) = (texts(before, &BTreeMap::new()), texts(after, &names));
    for (id, text) in &was {
        let now = is.get(id).map_or("", String::as_str);
        if *id != old && now != text {
            let kind = text.lines().nth(1).unwrap_or_default();
            let shown = difference(text.as_bytes(), now.as_bytes());
            return Verdict::Other(format!("{kind} is other\n{shown}"));
        }
    }
    compare_instances(ground, (&was[&old], &is[&old]), new, overrides)
}

/// The lines beside the overrides, and those overrides that the call speaks of.
fn compare_instances(
    ground: &Ground,
    (was, is): (&str, &str),
    new: Object<'_>,
    overrides: &Overrides,
) -> Verdict {
    // Texts of several lines stand deeper than the next key does.
    let frame = |text: &str| -> String {
        let mut is_list = false;
        let lines = text.lines().filter(|line| {
            is_list &= !(line.starts_with("    m_") || line.starts_with("  m_"));
            let is_beside = !is_list;
            is_list |= line.starts_with("    m_Modifications:");
            is_beside
        });
        lines.map(|line| format!("{line}\n")).collect()
    };
    let (frame_was, frame_is) = (frame(was), frame(is));
    if frame_was != frame_is {
        let shown = difference(frame_was.as_bytes(), frame_is.as_bytes());
        if !was.contains("m_AddedGameObjects") && is.contains("m_AddedGameObjects") {
            return Verdict::Untold("the instance is of an older version".into());
        }
        return Verdict::Other(format!("lines beside the overrides\n{shown}"));
    }
    let mut now = said(new, overrides.name, overrides.transform);
    let has = |path: &str| overrides.said.iter().any(|(_, known, _)| known.starts_with(path));
    if !has("m_Name") || !has("m_LocalEulerAnglesHint") {
        return Verdict::Untold("the instance is of an older version".into());
    }
    for (_, path, value) in &mut now {
        let was = overrides.said.iter().find(|(_, known, _)| known == path);
        let is_near = |was: &str, value: &str| {
            let number = |text: &str| text.parse::<f64>().ok();
            let (was, value) = number(was).zip(number(value)).unwrap_or((0.0, 1.0));
            (was - value).abs() < 1e-5 * was.abs().max(1.0)
        };
        let is_ours =
            path.starts_with("m_LocalP") || path.starts_with("m_LocalS") || path == "m_Name";
        // What nobody said of a user interface, angles beside a turn, and the last digit of a turn.
        if let Some((_, _, was)) = was
            && !is_ours
            && (!path.starts_with("m_LocalRotation") || is_near(was, value))
        {
            *value = was.clone();
        }
    }
    if now == overrides.said {
        return Verdict::Same;
    }
    let paths = |said: &[(FileId, String, String)]| -> Vec<String> {
        said.iter().map(|(_, path, _)| path.clone()).collect()
    };
    let (mut old_paths, mut new_paths) = (paths(&overrides.said), paths(&now));
    let mut lost: Vec<_> =
        old_paths.iter().filter(|path| !new_paths.contains(path)).cloned().collect();
    let added: Vec<_> =
        new_paths.iter().filter(|path| !old_paths.contains(path)).cloned().collect();
    let values = now.iter().filter(|it| !overrides.said.contains(it) && old_paths.contains(&it.1));
    let values: Vec<String> = values
        .map(|(_, path, value)| {
            let was = overrides.said.iter().find(|(_, known, _)| known == path);
            format!("{path} {} -> {value}", was.map_or("", |(_, _, was)| was))
        })
        .collect();
    if values.is_empty() && lost == ["m_RootOrder"] {
        return Verdict::Untold("the instance is of an older version".into());
    }
    lost.retain(|path| path != "m_RootOrder" || !added.is_empty() || !values.is_empty());
    let is_same_size = |path: &String| path.starts_with("m_LocalScale");
    if added.is_empty() && values.is_empty() && !lost.is_empty() && lost.iter().all(is_same_size) {
        return Verdict::Untold("the prefab has the same size".into());
    }
    if lost.is_empty() && added.is_empty() && values.is_empty() {
        old_paths.sort();
        new_paths.sort();
        let moved = overrides.said.iter().zip(&now).find(|(was, is)| was.1 != is.1);
        let moved = moved.map_or_else(String::new, |(was, is)| {
            let part = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
            format!("{} where {} was", part(&is.1), part(&was.1))
        });
        let keys = |said: &[(FileId, String, String)]| -> Vec<Key> {
            said.iter().map(|(target, path, _)| (*target, path.clone())).collect()
        };
        return if old_paths == new_paths {
            ground.moved(&keys(&overrides.said), &keys(&now), moved)
        } else {
            Verdict::Other("twice".into())
        };
    }
    let which: Vec<&str> = values.iter().filter_map(|text| text.split('.').next()).collect();
    let which: BTreeSet<&str> = which.into_iter().collect();
    Verdict::Other(format!(
        "overrides: lost {lost:?} added {added:?} values of {which:?}\n{}",
        values.join("\n")
    ))
}

/// A text with the ids that it had before.
pub(super) fn renamed(mut text: String, names: &BTreeMap<FileId, FileId>) -> String {
    for (new, old) in names {
        text = text.replace(&format!("fileID: {new}}}"), &format!("fileID: {old}}}"));
        text = text.replace(&format!("&{new}"), &format!("&{old}"));
    }
    text
}
