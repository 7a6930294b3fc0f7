//! In which order instances list their overrides.
//!
//! Learned from 15,000 instances of 30 public projects. Since 2020.3 the list is in order whenever an
//! instance is saved: by target, then by the length of the path, then by the path; what leads to other
//! files than the source stands behind all that. So `m_LocalRotation.w` comes before its `x`, and
//! `m_RootOrder` before `m_LocalPosition`. Not one list that lists added objects (2022.2 and later) is in
//! another order. Versions before put targets in order, and what is new of one behind what was there: a
//! time that nobody can know afterwards. There, values stand where the other lists of the file have them.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Entry, LIST, Override, source};
use crate::{ClassId, Document, FileId, Object, Reference, Value};

/// So often two paths are seen in other lists before their order is known.
const SEEN: usize = 64;
/// So many lists have to agree where overrides of different objects stand.
const AGREED: i64 = 2;

/// By what a list is in order.
fn key(target: FileId, path: &str) -> (FileId, usize, &str) {
    (target, path.len(), path)
}

/// Put overrides of a new instance into the order that its file has; `sorts` when that is the order of
/// paths.
pub(super) fn sort(overrides: &mut [Override], sorts: bool) {
    match sorts {
        true => overrides
            .sort_by(|one, other| key(one.target, &one.path).cmp(&key(other.target, &other.path))),
        false => overrides.sort_by_key(|one| (one.target, first_written(&one.path))),
    }
}

/// The order of paths that most other instances of the same source have; nothing where none has all of
/// them.
pub(super) fn of_its_like<'d>(
    overrides: &[Override],
    of: Reference,
    objects: impl Iterator<Item = Object<'d>>,
) -> Option<Vec<String>> {
    let mut orders: HashMap<Vec<String>, usize> = HashMap::new();
    for instance in objects.filter(|it| it.class_id() == ClassId::PREFAB_INSTANCE) {
        let Some(source) = source(instance).filter(|source| source.guid == of.guid) else {
            continue;
        };
        let items = instance.get(LIST).into_iter().flat_map(Value::items);
        let entries: Vec<Entry<'_>> = items.map(|item| Entry::read(item, source)).collect();
        let place = |change: &Override| entries.iter().position(|entry| entry.is(change));
        let places: Option<Vec<(usize, &str)>> =
            overrides.iter().map(|change| Some((place(change)?, change.path.as_str()))).collect();
        let Some(mut places) = places else { continue };
        places.sort_unstable();
        let order = places.into_iter().map(|(_, path)| path.to_owned()).collect();
        *orders.entry(order).or_default() += 1;
    }
    // Of two that are as frequent always the same one.
    let most = orders.into_iter().max_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
    most.map(|(order, _)| order)
}

/// Whether a file has the name of an instance behind the rest, whatever the order by target: some
/// versions before 2020.3 wrote so, others did not, and hardly any file has both.
pub(super) fn names_come_last<'d>(objects: impl Iterator<Item = Object<'d>>) -> bool {
    let shown = |instance: Object<'_>| {
        let source = source(instance)?;
        let items = instance.get(LIST).into_iter().flat_map(Value::items);
        let entries: Vec<Entry<'_>> = items.map(|item| Entry::read(item, source)).collect();
        let find = |path: &str| entries.iter().position(|entry| entry.path == path);
        let (name, root) = (find("m_Name")?, find("m_RootOrder")?);
        (entries[name].target < entries[root].target).then_some(root < name)
    };
    let mut instances = objects.filter(|it| it.class_id() == ClassId::PREFAB_INSTANCE);
    instances.find_map(shown).unwrap_or(false)
}

/// Whether the overrides of a list that count are in order.
pub(super) fn is_sorted(entries: &[Entry<'_>]) -> bool {
    let own = entries.iter().filter_map(|entry| Some(key(entry.target?, &entry.path)));
    own.is_sorted()
}

/// Before which entry of a list that is in order a new one goes.
pub(super) fn place_sorted(entries: &[Entry<'_>], change: &Override) -> usize {
    let wanted = key(change.target, &change.path);
    let is_before =
        |entry: &Entry<'_>| entry.target.is_some_and(|target| key(target, &entry.path) < wanted);
    entries.iter().rposition(is_before).map_or(0, |at| at + 1)
}

/// The same for a list that is not: among those of its target behind the last one that comes before it,
/// or behind all where nothing tells. One without others of its target goes where the other lists of the
/// file have it; else where the order by target has it, or at the end.
pub(super) fn place_among(entries: &[Entry<'_>], change: &Override, file: &Document) -> usize {
    let target = change.target;
    let Some(last) = entries.iter().rposition(|entry| entry.target == Some(target)) else {
        return place_alone(entries, change, file);
    };
    let is_root = is_root(entries.iter().map(|entry| (entry.target, entry.path.as_ref())), target);
    let elsewhere = elsewhere(file, &change.path, Mates::Own { is_root });
    let order_of = |at: &usize| {
        let known = Some(&entries[*at]).filter(|entry| entry.target == Some(target))?;
        let by_parts = order(&known.path, &change.path);
        let tells = |order: &Ordering| *order != Ordering::Equal;
        let learned = elsewhere.get(&without_numbers(&known.path)).map(|known| 0.cmp(&known.sum));
        let told = by_parts.filter(tells).or(learned.filter(tells)).or(by_parts);
        told.or_else(|| order_of_fields(&known.path, &change.path, is_root))
    };
    // Parts of one item keep the order that they came in.
    let is_before = |at: &usize| order_of(at).is_some_and(Ordering::is_le);
    let before = (0..=last).rev().find(is_before);
    let behind = (0..=last).find(|at| order_of(at) == Some(Ordering::Greater));
    before.map(|at| at + 1).or(behind).unwrap_or(last + 1)
}

/// The same for the first override of its target.
fn place_alone(entries: &[Entry<'_>], change: &Override, file: &Document) -> usize {
    let target = Some(change.target);
    let by_target = entries
        .is_sorted_by_key(|entry| entry.target)
        .then(|| entries.partition_point(|entry| entry.target < target));
    let elsewhere = elsewhere(file, &change.path, Mates::Others);
    let agreed = |entry: &Entry<'_>| {
        let known = elsewhere.get(&without_numbers(&entry.path))?;
        (known.seen >= AGREED && known.sum.abs() == known.seen).then_some(0.cmp(&known.sum))
    };
    let is = |order: Ordering| move |entry: &Entry<'_>| agreed(entry) == Some(order);
    let first = entries.iter().rposition(is(Ordering::Less)).map(|at| at + 1);
    let last = entries.iter().position(is(Ordering::Greater));
    let range = first.unwrap_or(0)..=last.unwrap_or(entries.len());
    match by_target {
        Some(at) if range.contains(&at) || range.is_empty() => at,
        _ => first.or(last).unwrap_or(entries.len()),
    }
}

/// Whether something is the root of an instance, of which versions before 2020.3 always state the place.
fn is_root<'p>(
    mut entries: impl Iterator<Item = (Option<FileId>, &'p str)>,
    target: FileId,
) -> bool {
    entries.any(|(of, path)| of == Some(target) && path == "m_RootOrder")
}

/// With which overrides of a list one is compared.
#[derive(Clone, Copy)]
enum Mates {
    /// Those of its target, in lists where that is the root of the instance, or is not.
    Own { is_root: bool },
    /// Those of other targets, where it is the first one of its own.
    Others,
}

/// How other lists have a path beside another one.
#[derive(Default)]
struct Learned {
    /// Above zero where it comes before that, more often than behind it.
    sum: i64,
    seen: i64,
}

/// How the lists of a file have other paths beside this one.
fn elsewhere(file: &Document, path: &str, mates: Mates) -> HashMap<String, Learned> {
    let wanted = without_numbers(path);
    let mut learned: HashMap<String, Learned> = HashMap::new();
    let mut seen = 0;
    // Most lists of a large scene do not name a rare field, and need not be read for that.
    let field = path.split(['.', '[']).next().filter(|field| without_numbers(field) == *field);
    let names_it = |instance: &Object<'_>| {
        let text = &file.as_bytes()[instance.span()];
        field.is_none_or(|field| memchr::memmem::find(text, field.as_bytes()).is_some())
    };
    let instances = file.objects().filter(|it| it.class_id() == ClassId::PREFAB_INSTANCE);
    for instance in instances.filter(names_it) {
        let Some(source) = source(instance) else { continue };
        let items = instance.get(LIST).into_iter().flat_map(Value::items);
        let entries: Vec<(Option<FileId>, String)> = items
            .map(|item| Entry::read(item, source))
            .map(|entry| (entry.target, without_numbers(&entry.path)))
            .collect();
        let all = || entries.iter().map(|(target, path)| (*target, path.as_str()));
        for (at, (target, _)) in entries.iter().enumerate().filter(|(_, it)| it.1 == wanted) {
            let Some(own) = *target else { continue };
            let is_like = match mates {
                Mates::Own { is_root: root } => is_root(all(), own) == root,
                Mates::Others => !entries[..at].iter().any(|(of, _)| of == target),
            };
            if !is_like {
                continue;
            }
            seen += 1;
            let is_mate =
                |of: Option<FileId>| (of == *target) == matches!(mates, Mates::Own { .. });
            for (other, (_, path)) in entries.iter().enumerate().filter(|(_, it)| is_mate(it.0)) {
                if *path != wanted {
                    let known = learned.entry(path.clone()).or_default();
                    known.sum += if other < at { 1 } else { -1 };
                    known.seen += 1;
                }
            }
        }
        if seen > SEEN {
            break;
        }
    }
    learned
}

/// A path as that of any item of its lists.
fn without_numbers(path: &str) -> String {
    path.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// What versions before 2020.3 wrote of the root of every new instance, in that order.
const FIRST: [&str; 9] = [
    "m_LocalPosition",
    "m_LocalRotation",
    "m_RootOrder",
    "m_LocalEulerAnglesHint",
    "m_AnchoredPosition",
    "m_SizeDelta",
    "m_AnchorMin",
    "m_AnchorMax",
    "m_Pivot",
];
/// The order in which the inspector sets those of another transform.
const INSIDE: [&str; 8] = [
    "m_LocalPosition",
    "m_LocalRotation",
    "m_RootOrder",
    "m_LocalEulerAnglesHint",
    "m_AnchorMin",
    "m_AnchorMax",
    "m_AnchoredPosition",
    "m_SizeDelta",
];

fn first_written(path: &str) -> (usize, Option<usize>) {
    let field = path.split('.').next();
    let at = FIRST.iter().position(|known| field == Some(known));
    (at.unwrap_or(FIRST.len()), path.chars().last().and_then(|part| "xyzw".find(part)))
}

/// Which of two paths of an object comes first, where files nearly always have them in one order: parts
/// of a value, the size of a list and its items, where something is and how it is turned.
fn order(one: &str, other: &str) -> Option<Ordering> {
    let split = |path: &str| path.rfind(['.', '[']).unwrap_or(0);
    let (head, tail) = one.split_at(split(one));
    let (other_head, other_tail) = other.split_at(split(other));
    if head == other_head
        && !head.is_empty()
        && let (Some(one), Some(other)) = (rank(tail), rank(other_tail))
    {
        return Some(one.cmp(&other));
    }
    let list = |path: &str| path.find(".Array.").map(|at| path[..at].to_owned());
    if let (Some(one_list), Some(other_list)) = (list(one), list(other))
        && one_list == other_list
    {
        return Some(item(&one[one_list.len()..]).cmp(&item(&other[other_list.len()..])));
    }
    match (one == "m_Name", other == "m_Name") {
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        _ => None,
    }
}

/// The same by what is written first of a transform: of the root of an instance, or of one inside.
fn order_of_fields(one: &str, other: &str, is_root: bool) -> Option<Ordering> {
    let known: &[&str] = if is_root { &FIRST } else { &INSIDE };
    let field = |path: &str| known.iter().position(|it| path.split('.').next() == Some(it));
    Some(field(one)?.cmp(&field(other)?))
}

/// The place of the last step of a path among its like.
fn rank(step: &str) -> Option<i64> {
    match step.as_bytes() {
        [b'.', one] => "xyzw".find(char::from(*one)).or("rgba".find(char::from(*one))),
        [b'[', ..] => return step.trim_matches(['[', ']']).parse().ok(),
        _ => None,
    }
    .and_then(|at| i64::try_from(at).ok())
}

/// Which item of a list a path behind its name is about: its size comes before all.
fn item(rest: &str) -> i64 {
    let number = rest.strip_prefix(".Array.data[").and_then(|rest| rest.split(']').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::New;

    fn sorted(paths: &[&str], sorts: bool) -> String {
        let made = |path: &&str| Override {
            target: FileId(if *path == "m_Name" { 9 } else { 5 }),
            path: (*path).to_owned(),
            value: New::int(0),
        };
        let mut all: Vec<Override> = paths.iter().map(made).collect();
        sort(&mut all, sorts);
        all.iter().map(|one| one.path.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_are_in_the_order_of_the_version() {
        let paths = [
            "m_Name",
            "m_LocalEulerAnglesHint.x",
            "m_Pivot.x",
            "m_RootOrder",
            "m_LocalRotation.x",
            "m_LocalRotation.w",
            "m_LocalPosition.z",
            "m_SizeDelta.y",
        ];
        assert_eq!(
            sorted(&paths, true),
            "m_Pivot.x m_RootOrder m_SizeDelta.y m_LocalPosition.z m_LocalRotation.w \
             m_LocalRotation.x m_LocalEulerAnglesHint.x m_Name"
        );
        assert_eq!(
            sorted(&paths, false),
            "m_LocalPosition.z m_LocalRotation.x m_LocalRotation.w m_RootOrder \
             m_LocalEulerAnglesHint.x m_SizeDelta.y m_Pivot.x m_Name"
        );
    }

    #[test]
    fn the_name_of_an_instance_comes_last_where_the_file_has_it_so() {
        let file = |first: &str, second: &str| {
            let guid = "c57a184794a05b349955e5023bbf7e99";
            let entry = |path: &str| {
                let target = if path == "m_Name" { 5 } else { 9 };
                format!(
                    "    - target: {{fileID: {target}, guid: {guid}, type: 3}}\n      propertyPath: {path}\n      value: 0\n"
                )
            };
            let entries = entry(first) + &entry(second);
            Document::parse(format!(
                "--- !u!1001 &1\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n{entries}  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n"
            ))
        };
        assert!(names_come_last(file("m_RootOrder", "m_Name").objects()));
        assert!(!names_come_last(file("m_Name", "m_RootOrder").objects()));
        assert!(!names_come_last(Document::parse("").objects()));
    }

    #[test]
    fn lists_as_they_came_have_new_entries_where_their_like_are() {
        let list = |id: i64, paths: &[&str]| {
            list(id, &paths.iter().map(|path| (5, *path)).collect::<Vec<_>>())
        };
        let place = |file: String| place(file, 5, "speed");
        let own = list(1, &["m_IsTrigger", "m_Mass", "color"]);
        assert_eq!(place(own.clone()), 3, "nothing tells");
        assert_eq!(place(own + &list(2, &["m_IsTrigger", "speed", "color"])), 1);
    }

    /// A list of overrides: the target and path of each.
    fn list(id: i64, entries: &[(i64, &str)]) -> String {
        let guid = "c57a184794a05b349955e5023bbf7e99";
        let entry = |(target, path): &(i64, &str)| {
            format!(
                "    - target: {{fileID: {target}, guid: {guid}, type: 3}}\n      propertyPath: {path}\n      value: 0\n      objectReference: {{fileID: 0}}\n"
            )
        };
        let entries: String = entries.iter().map(entry).collect();
        format!(
            "--- !u!1001 &{id}\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n{entries}  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n"
        )
    }

    /// Where an override goes in the first list of a file.
    fn place(file: String, target: i64, path: &str) -> usize {
        let document = Document::parse(file);
        let instance = document.object(FileId(1)).unwrap();
        let source = source(instance).unwrap();
        let entries: Vec<Entry<'_>> =
            instance.get(LIST).unwrap().items().map(|item| Entry::read(item, source)).collect();
        let (target, path) = (FileId(target), path.to_owned());
        place_among(&entries, &Override { target, path, value: New::int(1) }, &document)
    }

    #[test]
    fn the_first_override_of_an_object_goes_where_other_lists_have_it() {
        let named = [(4, "m_RootOrder"), (1, "m_Name"), (9, "m_Sprite")];
        let own = list(1, &[(4, "m_RootOrder"), (9, "m_Sprite")]);
        let others = |count: i64| (2..2 + count).map(|id| list(id, &named)).collect::<String>();
        assert_eq!(place(own.clone(), 1, "m_Name"), 0, "by target, where nothing tells");
        assert_eq!(place(own.clone() + &others(1), 1, "m_Name"), 0, "one alone tells nothing");
        assert_eq!(place(own.clone() + &others(2), 1, "m_Name"), 1);
        let turned = list(7, &[(4, "m_RootOrder"), (9, "m_Sprite"), (1, "m_Name")]);
        assert_eq!(
            place(own.clone() + &others(2) + &turned, 1, "m_Name"),
            1,
            "both behind the root"
        );
        let first = list(8, &[(1, "m_Name"), (4, "m_RootOrder"), (9, "m_Sprite")]);
        assert_eq!(place(own + &others(2) + &first, 1, "m_Name"), 0, "they do not agree");
        let mixed = list(1, &[(9, "m_Sprite"), (4, "m_RootOrder")]);
        assert_eq!(place(mixed, 1, "m_Name"), 2, "nothing tells, and there is no order");
    }

    #[test]
    fn a_new_instance_is_in_the_order_that_most_of_its_like_have() {
        let like = |lists: &[String]| {
            let document = Document::parse(lists.concat());
            let change = |target: i64, path: &str| Override {
                target: FileId(target),
                path: path.to_owned(),
                value: New::int(0),
            };
            let wanted =
                [change(5, "m_LocalPosition.x"), change(5, "m_RootOrder"), change(1, "m_Name")];
            let of = document.objects().next().and_then(source)?;
            of_its_like(&wanted, of, document.objects())
        };
        let root_first =
            [(5, "m_RootOrder"), (5, "m_LocalPosition.x"), (9, "speed"), (1, "m_Name")];
        let name_first = [(1, "m_Name"), (5, "m_LocalPosition.x"), (5, "m_RootOrder")];
        let lists = [list(1, &root_first), list(2, &name_first), list(3, &root_first)];
        let order = like(&lists).unwrap();
        assert_eq!(order, ["m_RootOrder", "m_LocalPosition.x", "m_Name"]);
        let other = lists[0].replace("c57a", "0000");
        let of_others = [lists[1].clone(), other.clone(), other.replace("&1\n", "&4\n")];
        assert_eq!(like(&of_others).unwrap()[0], "m_Name", "others say nothing of it");
        assert_eq!(like(&[list(1, &root_first[..2])]), None, "not all of them are there");
    }

    #[test]
    fn transforms_of_roots_and_of_others_have_an_order_each() {
        let root = [(4, "m_RootOrder"), (4, "m_AnchorMin.x")];
        assert_eq!(place(list(1, &root), 4, "m_SizeDelta.x"), 1);
        let inside = [(4, "m_AnchorMin.y"), (4, "m_AnchorMax.y"), (4, "m_SizeDelta.x")];
        assert_eq!(place(list(1, &inside), 4, "m_AnchoredPosition.x"), 2);
        // What the roots of the file show says nothing of the others.
        let others =
            list(2, &[(4, "m_RootOrder"), (4, "m_AnchoredPosition.x"), (4, "m_AnchorMin.y")]);
        assert_eq!(place(list(1, &inside) + &others, 4, "m_AnchoredPosition.x"), 2);
    }

    #[test]
    fn parts_of_a_value_are_in_order() {
        let is = |one: &str, other: &str, expected: Option<Ordering>| {
            let fields = |one, other| order_of_fields(one, other, false);
            let order = |one, other| order(one, other).or_else(|| fields(one, other));
            assert_eq!(order(one, other), expected, "{one} {other}");
            assert_eq!(order(other, one), expected.map(Ordering::reverse), "{other} {one}");
        };
        is("m_LocalPosition.x", "m_LocalPosition.z", Some(Ordering::Less));
        is("m_LocalRotation.x", "m_LocalRotation.w", Some(Ordering::Less));
        is("m_LocalPosition.z", "m_LocalRotation.w", Some(Ordering::Less));
        is("m_LocalEulerAnglesHint.x", "m_LocalRotation.z", Some(Ordering::Greater));
        is("m_RootOrder", "m_LocalEulerAnglesHint.x", Some(Ordering::Less));
        is("tint.r", "tint.a", Some(Ordering::Less));
        is("list.Array.size", "list.Array.data[0]", Some(Ordering::Less));
        is("list.Array.data[2].x", "list.Array.data[10].x", Some(Ordering::Less));
        is("m_Name", "m_IsActive", Some(Ordering::Less));
        is("m_LocalScale.x", "m_LocalPosition.x", None);
        is("speed", "tint.r", None);
        is("a.Array.data[0]", "b.Array.data[1]", None);
        is("list.Array.data[0].key", "list.Array.data[0].value", Some(Ordering::Equal));
    }
}
