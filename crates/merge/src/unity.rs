//! Unity's YAML to the merge: objects by file id, fields by key, the lists that are sets.

pub(crate) mod twins;
pub(crate) mod verify;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use memchr::memrchr;
use scenewright_unity::edit::{Manner, New};
use scenewright_unity::{Document, DocumentKind, FileId, Value, ValueKind, ValueStyle};

use crate::language::{KeyOf, ListRule, squeezed};
use crate::model::{Item, Kind, Layout, Node, Parts, Step, Version};
use crate::refusal::Refusal;
use crate::same::At;

/// The identity of all of a file that has no objects, such as a meta.
pub(crate) const WHOLE: &str = "meta";

/// Cuts a file into its objects.
pub(crate) fn cut(text: Cow<'_, [u8]>) -> Result<Parts, Refusal> {
    let document = Document::parse(text);
    let mut items = Vec::with_capacity(document.objects().len());
    let head = match document.kind() {
        DocumentKind::UnityYaml => {
            for object in document.objects() {
                let span = object.span();
                items.push(Item {
                    key: object.file_id().to_string(),
                    gap: span.end..span.end,
                    span,
                });
            }
            document.preamble()
        }
        DocumentKind::Meta => {
            let span = document.preamble();
            items.push(Item { key: WHOLE.into(), gap: span.end..span.end, span: span.clone() });
            span.start..span.start
        }
        _ => return Err(Refusal::NotReadable("it is not Unity's YAML".into())),
    };
    // The values are read where they are compared.
    let problems = match document.kind() {
        DocumentKind::UnityYaml => document.outline_problems(),
        _ => document.problems(),
    };
    if let Some(problem) = problems.first() {
        return Err(not_readable(problem.line, &problem.message));
    }
    Ok(Parts { bytes: Arc::new(document.into_bytes()), head, items })
}

/// The objects by their ids.
pub(crate) fn version(parts: Parts, near: Option<&Version>) -> Result<Version, Refusal> {
    Version::new(parts, near)
        .map_err(|twice| Refusal::NotReadable(format!("two objects have the id {}", twice.key)))
}

fn not_readable(line: usize, message: &str) -> Refusal {
    Refusal::NotReadable(format!("line {line}: {message}"))
}

/// Whether all can be read that a version does not have as base has it.
pub(crate) fn changed_readable(base: &Version, side: &Version) -> Result<(), Refusal> {
    let mut likely = 0;
    for item in &side.items {
        let text = side.text(item);
        let before = base.place_near(&item.key, likely);
        likely = before.map_or(likely, |place| place + 1);
        if before.is_some_and(|place| base.text(&base.items[place]) == text) {
            continue;
        }
        if let Some(problem) = Document::parse(text).problems().first() {
            let above = memchr::memchr_iter(b'\n', &side.bytes[..item.span.start]).count();
            return Err(not_readable(above + problem.line, &problem.message));
        }
    }
    Ok(())
}

/// The values of an object, or of a whole meta.
pub(crate) fn tree(version: &Version, item: &Item) -> Node {
    let text = version.text(item);
    let document = Document::parse(text);
    let mut builder = Builder { text, base: item.span.start };
    let mut root = match document.object_at(0) {
        Some(object) => {
            let body = object.body_span();
            let mut root = builder.block("", whole_body(&document), body.clone(), Layout::Lines);
            // The header is a field as well: classes and `stripped` may change.
            let header = builder.at(object.header_span());
            let line = item.span.start..item.span.start + body.start;
            root.children.insert(0, Node::atom("---", line, header));
            root
        }
        None => builder.block("", document.root(), 0..text.len(), Layout::Lines),
    };
    root.span = item.span.clone();
    root.inner = item.span.clone();
    root
}

/// Whether ours and theirs have an object as other classes, as before and after an upgrade of the editor that
/// gave one another name. Where only base has the old name, its fields are those below the new one.
pub(crate) fn class_differs([base, ours, theirs]: &mut [Option<Node>; 3]) -> bool {
    fn class(tree: &Option<Node>) -> Option<&str> {
        match tree.as_ref()?.children.as_slice() {
            [header, body] if header.key == "---" => Some(&body.key),
            _ => None,
        }
    }
    let (Some(in_ours), Some(in_theirs)) = (class(ours), class(theirs)) else { return false };
    if in_ours != in_theirs {
        return true;
    }
    if class(base).is_some_and(|in_base| in_base != in_ours)
        && let Some(body) = base.as_mut().and_then(|base| base.children.last_mut())
    {
        body.key = in_ours.to_owned();
    }
    false
}

/// What is behind the header: a map with the class as its one key.
fn whole_body(document: &Document) -> Value<'_> {
    document.object_at(0).expect("the caller saw the object").root()
}

struct Builder<'t> {
    text: &'t [u8],
    /// Where the text starts in its file.
    base: usize,
}

impl Builder<'_> {
    fn at(&self, range: Range<usize>) -> Range<usize> {
        self.base + range.start..self.base + range.end
    }

    fn line_start(&self, at: usize) -> usize {
        memrchr(b'\n', &self.text[..at]).map_or(0, |line_break| line_break + 1)
    }

    /// A value whose lines are known.
    fn node(&mut self, key: &str, value: Value<'_>, lines: Range<usize>) -> Node {
        let is_empty_list = value.kind() == ValueKind::Sequence && value.items().next().is_none();
        match (value.kind(), value.style()) {
            (ValueKind::Map | ValueKind::Sequence, ValueStyle::Block) => {
                self.block(key, value, lines, Layout::Lines)
            }
            (ValueKind::Sequence, ValueStyle::Flow) if is_empty_list && !key.is_empty() => Node {
                key: key.into(),
                kind: Kind::List,
                inner: self.at(lines.end..lines.end),
                span: self.at(lines),
                layout: Layout::Lines,
                children: Vec::new(),
            },
            _ => Node::atom(key, self.at(lines), self.at(value.span())),
        }
    }

    /// A map or list on lines of its own. What does not look as Unity writes it is one atom.
    fn block(&mut self, key: &str, value: Value<'_>, lines: Range<usize>, layout: Layout) -> Node {
        let as_atom = || Node::atom(key, self.at(lines.clone()), self.at(value.span()));
        let parts: Vec<(String, Value<'_>, usize)> = match value.kind() {
            ValueKind::Map => value
                .fields()
                .map(|(key, value)| {
                    let start = value.key_span().map_or(value.span().start, |span| span.start);
                    (key.into_owned(), value, start)
                })
                .collect(),
            _ => value.items().map(|item| (String::new(), item, item.span().start)).collect(),
        };
        let starts: Vec<usize> =
            parts.iter().map(|(_, _, start)| self.line_start(*start)).collect();
        let is_list = value.kind() == ValueKind::Sequence;
        let usual = parts.iter().zip(&starts).enumerate().all(|(place, ((_, _, start), line))| {
            let shares_dash = !is_list && place == 0 && matches!(layout, Layout::Dash(_));
            is_lead(&self.text[*line..*start], is_list || shares_dash)
        });
        let rises = starts.windows(2).all(|pair| pair[0] < pair[1]);
        if parts.is_empty() || !usual || !rises || starts[0] < lines.start {
            return as_atom();
        }
        let mut children = Vec::with_capacity(parts.len());
        for (place, (key, value, _)) in parts.iter().enumerate() {
            let end = starts.get(place + 1).copied().unwrap_or(lines.end);
            let child = starts[place]..end;
            children.push(match is_list {
                true => self.item(*value, child),
                false => self.node(key, *value, child),
            });
        }
        Node {
            key: key.into(),
            kind: if is_list { Kind::List } else { Kind::Map },
            inner: self.at(starts[0]..lines.end),
            span: self.at(lines),
            layout,
            children,
        }
    }

    fn item(&mut self, value: Value<'_>, lines: Range<usize>) -> Node {
        match (value.kind(), value.style()) {
            (ValueKind::Map, ValueStyle::Block) => {
                let line = &self.text[lines.clone()];
                let column = line.iter().take_while(|byte| **byte == b' ').count();
                self.block("", value, lines, Layout::Dash(column))
            }
            _ => Node::atom("", self.at(lines), self.at(value.span())),
        }
    }
}

/// Whether nothing stands before a key or item but blanks, with one dash where that belongs.
fn is_lead(lead: &[u8], has_dash: bool) -> bool {
    let rest = &lead[lead.iter().take_while(|byte| **byte == b' ').count()..];
    match has_dash {
        true => matches!(rest, b"- " | b"-"),
        false => rest.is_empty(),
    }
}

/// Lists that are sets, by the key above them.
pub(crate) fn list_rule(path: &[Step]) -> ListRule {
    let Some(Step::Key(key)) = path.last() else { return ListRule::Free };
    match key.as_str() {
        "m_Component" | "m_Children" | "m_Roots" => ListRule::Keyed(KeyOf::Reference, true),
        "m_RemovedComponents" | "m_RemovedGameObjects" => ListRule::Keyed(KeyOf::Reference, false),
        "m_AddedGameObjects" | "m_AddedComponents" => ListRule::Keyed(
            KeyOf::Fields(&["targetCorrespondingSourceObject", "addedObject"]),
            false,
        ),
        "m_Modifications" => ListRule::Keyed(KeyOf::Fields(&["target", "propertyPath"]), false),
        "m_TexEnvs" | "m_Floats" | "m_Colors" | "m_Ints" => ListRule::Keyed(KeyOf::FirstKey, false),
        "m_ValidKeywords" | "m_InvalidKeywords" | "disabledShaderPasses" => {
            ListRule::Keyed(KeyOf::Value, false)
        }
        "m_SerializeEntries" => ListRule::Keyed(KeyOf::Fields(&["m_GUID"]), false),
        "m_Scenes" => ListRule::Keyed(KeyOf::Fields(&["path"]), true),
        "RefIds" => ListRule::Keyed(KeyOf::Fields(&["rid"]), false),
        "m_Materials"
        | "m_QualitySettings"
        | "m_Axes"
        | "tags"
        | "layers"
        | "m_SortingLayers"
        | "m_RenderingLayers"
        | "m_LayerCollisionMatrix"
        | "m_SharedMaterials" => ListRule::Indexed,
        _ => ListRule::Free,
    }
}

/// Values that the editor makes from others.
pub(crate) fn is_derived(path: &[Step]) -> bool {
    let last = path.iter().rev().find_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        _ => None,
    });
    match last {
        Some("m_RootOrder" | "m_LocalEulerAnglesHint") => true,
        Some("value" | "objectReference" | "m_Modifications") => {
            path.iter().any(|step| match step {
                Step::Item(key) => {
                    let property = key.rsplit(' ').next().unwrap_or_default();
                    property == "m_RootOrder" || property.starts_with("m_LocalEulerAnglesHint")
                }
                _ => false,
            })
        }
        _ => false,
    }
}

/// What a value says: folded lines joined, quotes and escapes resolved.
pub(crate) fn canonical(raw: &[u8]) -> Cow<'_, str> {
    let is_simple = !raw.contains(&b'\n') && !matches!(raw.first(), Some(b'"' | b'\''));
    if is_simple {
        return String::from_utf8_lossy(raw.trim_ascii());
    }
    if matches!(raw.first(), Some(b'{' | b'[')) {
        return squeezed(&String::from_utf8_lossy(raw)).into();
    }
    let document = Document::parse([b"--- !u!1 &1\nA:\n  a: ", raw, b"\n"].concat());
    let text =
        document.object(FileId(1)).and_then(|object| Some(object.get("a")?.text().into_owned()));
    text.unwrap_or_else(|| String::from_utf8_lossy(raw).into_owned()).into()
}

/// A text of several lines as Unity writes it, in the place of another.
pub(crate) fn spell(text: &str, instead_of: At<'_>) -> Option<Vec<u8>> {
    let start = instead_of.node.inner.start;
    let line = memrchr(b'\n', &instead_of.bytes[..start]).map_or(0, |at| at + 1);
    let indent = instead_of.bytes[line..start].iter().take_while(|byte| **byte == b' ').count();
    let manner = Manner::of(&Document::parse(instead_of.bytes));
    let spelled = New::Text(text.to_owned()).spelled(start - line, indent, manner);
    (canonical(spelled.as_bytes()) == text).then(|| spelled.into_bytes())
}

/// The class of an object and its name: that of its game object for a component.
pub(crate) fn label(version: &Version, item: &Item) -> (String, String) {
    if item.key == WHOLE {
        return (String::new(), String::new());
    }
    let document = Document::parse(version.text(item));
    let Some(object) = document.object_at(0) else { return Default::default() };
    let class = object.class_name().into_owned();
    let own = object.get("m_Name").map(|name| name.text().into_owned());
    if let Some(own) = own.filter(|name| !name.is_empty()) {
        return (class, own);
    }
    let owner = object.glance_reference("m_GameObject").filter(|owner| owner.guid.is_none());
    let owner = owner.and_then(|owner| version.find(&owner.file_id.to_string()));
    let name = owner.and_then(|owner| {
        let document = Document::parse(version.text(owner));
        Some(document.object_at(0)?.get("m_Name")?.text().into_owned())
    });
    (class, name.unwrap_or_default())
}
