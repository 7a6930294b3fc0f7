//! A field set to something else, and back.

use std::ops::Range;
use std::sync::Arc;

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::edit::scene::{Editor, ListChange, Refusal};
use scenewright_unity::{ClassId, Document, Object, Value, ValueKind};
use serde_json::Value as Json;
use xtask::random::Random;

use super::ground::Ground;
use super::values::{Places, json_of, others};
use super::{Verdict, difference};

/// Files that the folder of projects does not have, which nothing may refer to anew.
pub(super) const LOST: &str = "it refers to a file that is not here";

/// Whether that is why something was refused.
pub(super) fn is_lost(refusal: &Refusal) -> bool {
    refusal.message.contains("leads nowhere")
}

/// How a change names an object: itself, or its GameObject and component.
struct Address {
    object: String,
    component: Option<String>,
}

/// How many objects of a file have fields to set.
pub(super) fn count(document: &Document) -> usize {
    objects(document).count()
}

fn objects(document: &Document) -> impl Iterator<Item = Object<'_>> {
    document
        .objects()
        .filter(|object| !object.is_stripped() && object.class_id() != ClassId::PREFAB_INSTANCE)
}

pub(super) fn judge(
    opened: &mut Opened<'_>,
    ground: &Ground,
    place: usize,
    random: &mut Random,
) -> Option<Verdict> {
    let object = objects(&ground.document).nth(place)?;
    let address = address(opened, ground, object)?;
    let places = Places::of(object);
    let sorts = [&places.scalars, &places.vectors, &places.references, &places.lists];
    let sorts: Vec<_> = sorts.into_iter().filter(|sort| !sort.is_empty()).collect();
    if sorts.is_empty() {
        return None;
    }
    let sort = *random.pick(&sorts);
    let (path, value) = random.pick(sort);
    let change = match std::ptr::eq(sort, &places.lists) {
        true => Change::item(*value, random),
        false => Change::Set(others(*value), json_of(*value)),
    };
    let class = object.class_name();
    let class = if class == "MonoBehaviour" { "a script".into() } else { class };
    Some(change.judge((opened, ground), &address, path, *value, &class))
}

fn address(opened: &Opened<'_>, ground: &Ground, object: Object<'_>) -> Option<Address> {
    let id = object.file_id();
    let is_asset =
        !opened.path.as_str().ends_with(".unity") && !opened.path.as_str().ends_with(".prefab");
    if is_asset {
        return Some(Address { object: format!("#{id}"), component: None });
    }
    let node = ground.tree.owner(id)?;
    let own = node.file_id()?;
    let component = (own != id).then(|| format!("#{id}"));
    Some(Address { object: format!("#{own}"), component })
}

/// A change that can be taken back.
enum Change {
    /// One of these values, and then the first one again.
    Set(Vec<Json>, Json),
    /// An item goes and comes again.
    Item(usize, Json),
}

impl Change {
    fn item(list: Value<'_>, random: &mut Random) -> Change {
        let count = list.items().count();
        let at = random.below(count);
        let item = list.items().nth(at).map(json_of).unwrap_or_default();
        Change::Item(at, item)
    }

    fn judge(
        &self,
        (opened, ground): (&mut Opened<'_>, &Ground),
        address: &Address,
        path: &str,
        value: Value<'_>,
        class: &str,
    ) -> Verdict {
        let head = format!("{class}.{}", without_numbers(path));
        let before = ground.document.as_bytes();
        let there = match self.go(opened, address, path) {
            Ok(bytes) => bytes,
            Err(refusal) => return Verdict::Untold(shorten(&refusal.message)),
        };
        if there == before && value.kind() == ValueKind::Map && value.is_empty() {
            return Verdict::Untold("an empty map has nothing that could be another".into());
        }
        if there == before {
            return Verdict::Other(format!("{head}: nothing changed"));
        }
        if path == "m_LocalRotation" {
            return Verdict::Untold("the angles follow the rotation".into());
        }
        let around = lines_of(before, value);
        if !is_only_there(before, &there, around) {
            let shown = difference(before, &there);
            return Verdict::Other(format!("{head}: something else changed, too\n{shown}"));
        }
        let whole = opened.replace(Arc::new(Document::parse(there)));
        let again = self.come_back(opened, address, path);
        let again = again.map(|bytes| ground.shown(bytes, |_| Some(value.span().start)));
        opened.replace(whole);
        match again {
            Ok(bytes) if bytes == before => Verdict::Same,
            Ok(bytes) => Verdict::Other(format!("{head}: other\n{}", difference(before, &bytes))),
            Err(refusal) if is_lost(&refusal) => Verdict::Untold(LOST.into()),
            Err(refusal) => Verdict::Other(format!("{head}: refused\n{}", refusal.message)),
        }
    }

    fn go(&self, opened: &Opened<'_>, address: &Address, path: &str) -> Result<Vec<u8>, Refusal> {
        match self {
            Change::Set(values, _) => {
                let mut last = Err(Refusal::missing("another value"));
                for value in values {
                    last = made(opened, |editor| address.set(editor, path, value));
                    if last.as_ref().is_ok_and(|bytes| *bytes != opened.before()) {
                        break;
                    }
                }
                last
            }
            Change::Item(at, _) => {
                made(opened, |editor| address.change(editor, path, &ListChange::Remove(*at)))
            }
        }
    }

    fn come_back(
        &self,
        opened: &Opened<'_>,
        address: &Address,
        path: &str,
    ) -> Result<Vec<u8>, Refusal> {
        match self {
            Change::Set(_, first) => made(opened, |editor| address.set(editor, path, first)),
            Change::Item(at, item) => {
                let insert = ListChange::Insert(Some(*at), Some(item));
                made(opened, |editor| address.change(editor, path, &insert))
            }
        }
    }
}

impl Address {
    fn set(&self, editor: &mut Editor<'_>, path: &str, value: &Json) -> Result<(), Refusal> {
        editor.set(Some(&self.object), self.component.as_deref(), path, value).map(drop)
    }

    fn change(
        &self,
        editor: &mut Editor<'_>,
        path: &str,
        change: &ListChange<'_>,
    ) -> Result<(), Refusal> {
        editor.change_list(Some(&self.object), self.component.as_deref(), path, change).map(drop)
    }
}

/// The file after a change.
pub(super) fn made(
    opened: &Opened<'_>,
    change: impl FnOnce(&mut Editor<'_>) -> Result<(), Refusal>,
) -> Result<Vec<u8>, Refusal> {
    let Ok(mut editor) = opened.editor() else { return Err(Refusal::missing("a text file")) };
    change(&mut editor)?;
    Ok(editor.to_bytes())
}

/// The lines that a value stands on, its key's too.
fn lines_of(bytes: &[u8], value: Value<'_>) -> Range<usize> {
    let span = value.span();
    let start = value.key_span().map_or(span.start, |key| key.start.min(span.start));
    let start = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[span.end..].iter().position(|byte| *byte == b'\n');
    start..end.map_or(bytes.len(), |end| span.end + end + 1)
}

fn is_only_there(before: &[u8], after: &[u8], place: Range<usize>) -> bool {
    before[..place.start] == after[..place.start.min(after.len())]
        && after.ends_with(&before[place.end..])
}

/// A path without the numbers of items, so that those of one list are told together.
fn without_numbers(path: &str) -> String {
    path.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// A refusal without what differs from try to try.
pub(super) fn shorten(message: &str) -> String {
    let words = message.split_once(": ").map_or(message, |(_, rest)| rest);
    let words = words.split(", and not").next().unwrap_or(words);
    words.chars().filter(|letter| !letter.is_ascii_digit()).take(90).collect()
}

/// The same as a difference, with all of it for the first one.
pub(super) fn refused(message: &str) -> String {
    format!("refused: {}\n{message}", shorten(message))
}
