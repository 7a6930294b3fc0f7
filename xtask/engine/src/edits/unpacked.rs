//! An instance of a prefab unpacked: the file has to show what it showed.

use std::sync::Arc;

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::hierarchy::{Hierarchy, Node};
use scenewright_unity::index::AssetKind;
use scenewright_unity::{ClassId, Document, FileId, Object};
use xtask::random::Random;

use super::field::{made, refused, shorten};
use super::ground::{Ground, value_behind};
use super::{Verdict, difference};

/// How many instances a file has.
pub(super) fn count(document: &Document) -> usize {
    document.objects().filter(is_instance).count()
}

pub(super) fn is_instance(object: &Object<'_>) -> bool {
    object.class_id() == ClassId::PREFAB_INSTANCE
}

pub(super) fn judge(
    opened: &mut Opened<'_>,
    ground: &Ground,
    place: usize,
    random: &mut Random,
) -> Option<Verdict> {
    let Ground { document, tree, .. } = ground;
    let instance = document.objects().filter(is_instance).nth(place)?.file_id();
    let source = document.object(instance)?.get("m_SourcePrefab")?.as_reference()?.guid?;
    if opened.unity.index.by_guid(source)?.kind() != AssetKind::Prefab {
        return None;
    }
    let path = path_of(tree, instance)?;
    let completely = random.below(2) == 0;
    let made = made(opened, |editor| editor.unpack(&path, completely).map(drop));
    let bytes = match made {
        Err(refusal) => {
            return Some(Verdict::Other(refused(&refusal.message)));
        }
        Ok(bytes) => bytes,
    };
    if let Err(why) = opened.check(&bytes) {
        return Some(Verdict::Other(format!("check: {}", shorten(&why))));
    }
    let value = |bytes: &[u8]| value_behind(bytes, "\nTransform:\n", "  m_LocalPosition: ");
    let after = Document::parse(ground.shown(bytes, value));
    if after.object(instance).is_some() {
        return Some(Verdict::Other("the instance is still there".into()));
    }
    let now = opened.unity.expander.scene(Arc::new(after), opened.guid());
    Some(compare(tree, &now, ""))
}

/// The path of the root of an instance.
pub(super) fn path_of(tree: &Hierarchy, instance: FileId) -> Option<String> {
    let is_root = |node: &Node<'_>| {
        node.outer_instance() == Some(instance)
            && node.prefab().is_some_and(|prefab| prefab.instance == instance)
    };
    let mut objects = tree.objects();
    while let Some(node) = objects.next() {
        if is_root(&node) {
            return Some(objects.path());
        }
    }
    None
}

/// Whether two hierarchies show the same at a path and below.
pub(super) fn compare(before: &Hierarchy, after: &Hierarchy, path: &str) -> Verdict {
    let part = |tree: &Hierarchy| -> Vec<String> {
        let lines = tree.portrait().into_iter();
        let is_there = |line: &String| {
            let rest = line.strip_prefix(path);
            // `Lamp (1)` is another than `Lamp`.
            rest.is_some_and(|rest| path.is_empty() || !rest.starts_with(" ("))
        };
        lines.filter(is_there).collect()
    };
    let (was, is) = (part(before), part(after));
    if was == is {
        return Verdict::Same;
    }
    let first = was.iter().zip(&is).position(|(was, is)| was != is).unwrap_or_default();
    let line = was.get(first).map_or("", String::as_str);
    let what = line.rsplit_once(" = ").map_or(line, |(head, _)| head);
    let what = what.rsplit(' ').next().unwrap_or_default();
    let shown = difference(was.join("\n").as_bytes(), is.join("\n").as_bytes());
    Verdict::Other(format!("{what} is other\n{path}\n{shown}"))
}
