//! Godot's text to the merge: nodes by path, resources by what they are, properties by key.

pub(crate) mod align;
pub(crate) mod derive;
pub(crate) mod inline;
pub(crate) mod moves;
pub(crate) mod numbered;
pub(crate) mod tiles;
pub(crate) mod verify;

use std::borrow::Cow;
use std::collections::HashMap;

use scenewright_godot::{Document, Form, Section, Variant};

use crate::assemble::TAG;
use crate::language::{KeyOf, ListRule, squeezed};
use crate::model::{Item, Kind, Layout, Node, Parts, Step, Version};
use crate::refusal::Refusal;

pub(crate) use tiles::cells;

/// The identity of the first section of scenes and resources.
pub(crate) const HEADER: &str = "header";

/// What a large scene takes while it is merged, in bytes of text and of what is known of it. A server, which
/// has many files open at once, reads less of one.
const MAX_WEIGHT: usize = 512 << 20;

/// A version of a file, whole.
pub(crate) fn parse(text: impl Into<Vec<u8>>, form: Form) -> Document {
    Document::parse_within(text, form, MAX_WEIGHT)
}

/// Whether all of a file could be read.
pub(crate) fn readable(document: &Document) -> Result<(), Refusal> {
    match document.first_unread() {
        Some(problem) if !document.as_bytes().is_empty() => {
            let text = format!("line {}: {}", problem.line, problem.message);
            Err(Refusal::NotReadable(text))
        }
        _ => Ok(()),
    }
}

/// Cuts a file into its sections.
pub(crate) fn cut(document: &Document) -> Result<Parts, Refusal> {
    readable(document)?;
    let bytes = document.as_bytes();
    if bytes.is_empty() {
        return Ok(Parts::default());
    }
    let mut items: Vec<Item> = Vec::with_capacity(document.sections().len());
    for section in document.sections() {
        let start = if section.index() == 0 { 0 } else { section.tag_span().start };
        if let Some(last) = items.last_mut() {
            last.span.end = last.span.end.min(start);
            last.gap = last.span.end..start;
        }
        let end = line_end(bytes, section.span().end.max(start));
        let key = key_of(document.form(), section);
        items.push(Item { key, span: start..end, gap: end..bytes.len() });
    }
    Ok(Parts { bytes: document.shared_bytes(), head: 0..0, items })
}

/// The sections by their identity. Some may be there several times, as connections are.
pub(crate) fn version(parts: Parts, near: Option<&Version>) -> Result<Version, Refusal> {
    let again = match Version::new(parts, near) {
        Ok(version) => return Ok(version),
        Err(twice) => twice.parts,
    };
    let mut parts = again;
    number_again(&mut parts.items);
    Version::new(parts, near)
        .map_err(|twice| Refusal::NotReadable(format!("`{}` is in it twice", twice.key)))
}

/// Gives sections that are there several times a number. References by an id that is there twice would
/// lead to either, so that those stay as they are.
fn number_again(items: &mut [Item]) {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(items.len());
    let mut again = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let times = seen.entry(&item.key).or_insert(0);
        *times += 1;
        if *times > 1 && !item.key.starts_with("ext ") && !item.key.starts_with("sub ") {
            again.push((place, *times));
        }
    }
    for (place, times) in again {
        let key = &mut items[place].key;
        *key = format!("{key} #{times}");
    }
}

/// Behind the line break of the line that an offset is in.
fn line_end(bytes: &[u8], at: usize) -> usize {
    if at == 0 {
        return 0;
    }
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1)
}

/// The identity of a section.
pub(crate) fn key_of(form: Form, section: Section<'_>) -> String {
    let name = section.name();
    if form == Form::Config {
        return ["section ", &name].concat();
    }
    let text = |key: &str| section.attribute_text(key).unwrap_or_default();
    match &*name {
        "gd_scene" | "gd_resource" => HEADER.into(),
        "ext_resource" => ["ext ", &text("id")].concat(),
        "sub_resource" => ["sub ", &text("id")].concat(),
        "node" => path_behind("node ", section),
        "connection" => {
            let ends = [text("signal"), text("from"), text("to"), text("method")];
            ["connection ", &ends.join(" ")].concat()
        }
        "editable" => ["editable ", &text("path")].concat(),
        other => other.to_owned(),
    }
}

/// The path of a node from the root, which itself is `.`.
pub(crate) fn node_path(section: Section<'_>) -> String {
    path_behind("", section)
}

/// The same with a word before it, in one piece: large scenes have very many.
fn path_behind(word: &str, section: Section<'_>) -> String {
    let name = section.attribute_text("name").unwrap_or_default();
    match section.attribute_text("parent") {
        None => [word, "."].concat(),
        Some(parent) if parent == "." => [word, &name].concat(),
        Some(parent) => [word, &parent, "/", &name].concat(),
    }
}

/// The tag and the properties of a section.
pub(crate) fn tree(version: &Version, item: &Item) -> Node {
    let text = version.text(item);
    let form = if item.key.starts_with("section ") { Form::Config } else { Form::Resource };
    let document = Document::parse(text, form);
    let base = item.span.start;
    let at = |range: std::ops::Range<usize>| base + range.start..base + range.end;
    let mut root = Node {
        key: String::new(),
        kind: Kind::Map,
        span: item.span.clone(),
        inner: item.span.clone(),
        layout: Layout::Lines,
        children: Vec::new(),
    };
    let Some(section) = document.sections().find(|section| !section.tag_span().is_empty()) else {
        // Keys before the first section of settings.
        let section = document.sections().next();
        let properties: Vec<_> = section.into_iter().flat_map(Section::properties).collect();
        let start =
            properties.first().map_or(text.len(), |field| line_start(text, field.key_span().start));
        root.children.push(Node::atom(TAG, at(0..start), at(0..start)));
        push_properties(&mut root, text, base, properties.into_iter());
        return root;
    };
    let first = section.properties().next().map_or(text.len(), |field| field.key_span().start);
    let start = if first == text.len() { first } else { line_start(text, first) };
    root.children.push(tag(section, start, text, base, form));
    push_properties(&mut root, text, base, section.properties());
    root
}

fn tag(section: Section<'_>, end: usize, text: &[u8], base: usize, form: Form) -> Node {
    let tag = section.tag_span();
    let at = |range: std::ops::Range<usize>| base + range.start..base + range.end;
    if form == Form::Config {
        return Node::atom(TAG, at(0..end), at(tag));
    }
    let children: Vec<Node> = section
        .attributes()
        .map(|field| inline::node(text, &field.key(), field.span(), field.value().span(), base))
        .collect();
    let inside = match (children.first(), children.last()) {
        (Some(first), Some(last)) => first.span.start..last.span.end,
        _ => base + tag.end - 1..base + tag.end - 1,
    };
    Node {
        key: TAG.into(),
        kind: Kind::Map,
        span: at(0..end),
        inner: inside,
        layout: Layout::Inline,
        children,
    }
}

fn push_properties<'d>(
    root: &mut Node,
    text: &[u8],
    base: usize,
    properties: impl Iterator<Item = scenewright_godot::Field<'d>>,
) {
    let fields: Vec<_> = properties.collect();
    let starts: Vec<usize> =
        fields.iter().map(|field| line_start(text, field.key_span().start)).collect();
    for (place, field) in fields.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(text.len());
        let lines = starts[place]..end;
        root.children.push(inline::node(text, &field.key(), lines, field.value().span(), base));
    }
}

fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &text[..at]).map_or(0, |line_break| line_break + 1)
}

/// Lists that are sets: groups, and the names of properties that hold nodes.
pub(crate) fn list_rule(path: &[Step]) -> ListRule {
    match path {
        [Step::Key(tag), Step::Key(key)]
            if tag == TAG && matches!(&**key, "groups" | "node_paths") =>
        {
            ListRule::Keyed(KeyOf::Value, false)
        }
        _ => ListRule::Free,
    }
}

/// Values that the engine makes from others. In a container it lays out what is in it.
pub(crate) fn is_derived(path: &[Step], in_container: bool) -> bool {
    match path {
        [Step::Key(tag), Step::Key(key)] if tag == TAG => {
            matches!(&**key, "uid" | "load_steps" | "index" | "unique_id" | "parent_id_path")
        }
        [Step::Key(key)] if in_container => matches!(
            &**key,
            "margin_left"
                | "margin_top"
                | "margin_right"
                | "margin_bottom"
                | "offset_left"
                | "offset_top"
                | "offset_right"
                | "offset_bottom"
                | "rect_position"
                | "rect_size"
        ),
        _ => false,
    }
}

/// Whether a node is laid out by its parent.
pub(crate) fn is_contained(version: &Version, key: &str) -> bool {
    let Some(path) = key.strip_prefix("node ") else { return false };
    let parent = match path.rsplit_once('/') {
        Some((parent, _)) => parent,
        None if path == "." => return false,
        None => ".",
    };
    let Some(item) = version.find(&format!("node {parent}")) else { return false };
    let document = Document::parse(version.text(item), Form::Resource);
    let class = document
        .sections()
        .next()
        .and_then(|section| Some(section.attribute_text("type")?.into_owned()));
    class.is_some_and(|class| class.ends_with("Container"))
}

/// What an atom says: blanks between its parts do not count.
pub(crate) fn canonical(raw: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(raw.trim_ascii());
    if text.starts_with('"') || !text.contains([' ', '\n', '\t']) {
        return text;
    }
    if text.contains('"') {
        return squeezed(&text).into();
    }
    text.split_ascii_whitespace().collect::<String>().into()
}

/// The text of a string.
pub(crate) fn text(raw: &[u8]) -> Option<String> {
    let raw = std::str::from_utf8(raw.trim_ascii()).ok()?;
    match raw.starts_with('"').then(|| Variant::parse(raw)) {
        Some(Ok(Variant::String(text))) => Some(text),
        _ => None,
    }
}

/// A string as Godot writes it.
pub(crate) fn spell(text: &str, _instead_of: &[u8]) -> Vec<u8> {
    Variant::String(text.to_owned()).to_text(3).into_bytes()
}

/// The kind of section, and its name.
pub(crate) fn label(item: &Item) -> (String, String) {
    match item.key.split_once(' ') {
        Some((kind, name)) => (kind.to_owned(), name.to_owned()),
        None => (item.key.clone(), String::new()),
    }
}

/// Where a section stands among the kinds of sections.
pub(crate) fn rank(key: &str) -> usize {
    match key.split(' ').next().unwrap_or_default() {
        "header" => 0,
        "ext" => 1,
        "sub" => 2,
        "resource" => 3,
        "node" => 4,
        "connection" => 5,
        "editable" => 6,
        _ => 7,
    }
}

/// Two versions cut into objects, and what moved: its key now, and its path before.
pub(crate) type Cut = ([Version; 2], Vec<(String, String)>);

/// Two versions with one id for each resource and one path for each node.
pub(crate) fn pair(
    kind: crate::FileKind,
    old: Cow<'_, [u8]>,
    new: Cow<'_, [u8]>,
) -> Result<Cut, Refusal> {
    let form = if kind == crate::FileKind::Godot { Form::Resource } else { Form::Config };
    let (edits, old) = rayon::join(|| derive::edits(&old, &new), || parse(&*old, form));
    let mut new = derive::made(&old, edits, &new);
    readable(&old)?;
    readable(&new)?;
    let (mut old, mut moved) = (old, Vec::new());
    if form == Form::Resource && !old.as_bytes().is_empty() && !new.as_bytes().is_empty() {
        let ([aligned, side, _], _) = align::align([old.clone(), new, old]);
        (old, moved) = moves::applied(aligned, &side);
        new = side;
    }
    let (cut_old, cut_new) = rayon::join(|| version(cut(&old)?, None), || cut(&new));
    let old = cut_old?;
    let new = version(cut_new?, Some(&old))?;
    Ok(([old, new], moved))
}
