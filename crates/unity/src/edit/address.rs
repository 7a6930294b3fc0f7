//! What changes are addressed to: objects by path, components by class, fields by path.

use std::borrow::Cow;

use crate::FileId;
use crate::hierarchy::{Hierarchy, Node};

/// One name of a path, and which of several siblings of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    name: String,
    number: usize,
    /// The same if the brackets belong to the name.
    literal: Option<String>,
}

/// `#1234`.
pub(super) fn id(text: &str) -> Option<FileId> {
    text.trim().strip_prefix('#')?.parse().ok().map(FileId)
}

/// The object of a path: names from the root on, joined by `/`, with `\/` and `\[` for these in a
/// name, and `Name[1]` for the second of equal siblings; or `#fileID`, where an instance is its root.
pub(super) fn object<'h>(hierarchy: &'h Hierarchy, path: &str) -> Option<Node<'h>> {
    if let Some(id) = id(path) {
        return hierarchy.find_by_id(id).or_else(|| hierarchy.instance_root(id));
    }
    let steps = steps(path.trim_matches('/'));
    let mut nodes = hierarchy.roots();
    let mut found: Option<Node<'h>> = None;
    for step in &steps {
        if let Some(node) = &found {
            nodes = node.children();
        }
        found = Some(step.choose(&nodes)?);
    }
    // Names with slashes that nobody marked.
    found.or_else(|| hierarchy.find_by_path(path))
}

/// A path without its last name, and that.
pub(super) fn above(path: &str) -> Option<(&str, &str)> {
    let path = path.trim_matches('/');
    let is_marked = |at: usize| {
        let before = path[..at].bytes().rev();
        before.take_while(|byte| *byte == b'\\').count() % 2 == 1
    };
    let mut slashes = path.rmatch_indices('/').map(|(at, _)| at);
    let at = slashes.find(|at| !is_marked(*at))?;
    Some((&path[..at], &path[at + 1..]))
}

/// The object that the last name of a path means among others, by the names that they have there.
pub(super) fn choose<'h>(
    name: &str,
    nodes: &[Node<'h>],
    name_of: impl Fn(&Node<'h>) -> String,
) -> Option<Node<'h>> {
    steps(name).first()?.choose_by(nodes, name_of)
}

impl Step {
    fn choose<'h>(&self, nodes: &[Node<'h>]) -> Option<Node<'h>> {
        self.choose_by(nodes, Node::name)
    }

    fn choose_by<'h, 'n, N: PartialEq<str>>(
        &self,
        nodes: &'n [Node<'h>],
        name_of: impl Fn(&'n Node<'h>) -> N,
    ) -> Option<Node<'h>> {
        let nth = |name: &str, number: usize| {
            nodes.iter().filter(|node| name_of(node) == *name).nth(number)
        };
        let literal = || self.literal.as_ref().and_then(|name| nth(name, 0));
        nth(&self.name, self.number).or_else(literal).cloned()
    }
}

fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut name = String::new();
    // Where a bracket that counts begins in the name.
    let mut bracket = None;
    let mut letters = path.chars();
    let mut done = |name: &mut String, bracket: &mut Option<usize>| {
        steps.push(step(std::mem::take(name), bracket.take()));
    };
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(next @ ('/' | '[' | ']' | '\\')) => name.push(next),
                Some(next) => name.extend(['\\', next]),
                None => name.push('\\'),
            },
            '/' => done(&mut name, &mut bracket),
            letter => {
                if letter == '[' {
                    bracket = Some(name.len());
                }
                name.push(letter);
            }
        }
    }
    done(&mut name, &mut bracket);
    steps
}

fn step(name: String, bracket: Option<usize>) -> Step {
    let number = bracket.and_then(|at| name[at + 1..].strip_suffix(']')?.parse::<usize>().ok());
    match (number, bracket) {
        (Some(number), Some(at)) => {
            Step { name: name[..at].to_owned(), number, literal: Some(name) }
        }
        _ => Step { name, number: 0, literal: None },
    }
}

/// The path of an object, as [`object`] reads it.
pub(super) fn path_of(node: &Node<'_>) -> String {
    let mut parts = vec![label(node)];
    parts.extend(node.ancestors().map(|node| label(&node)));
    parts.reverse();
    parts.join("/")
}

fn label(node: &Node<'_>) -> String {
    let name = node.name();
    let plain = escape(&name);
    let siblings = match node.parent() {
        Some(parent) => parent.children(),
        None => node.hierarchy().roots(),
    };
    let before = siblings.iter().take_while(|sibling| *sibling != node);
    match before.filter(|sibling| sibling.name() == name).count() {
        0 => plain.into_owned(),
        number => format!("{plain}[{number}]"),
    }
}

/// A name as paths have it.
pub(super) fn escape(name: &str) -> Cow<'_, str> {
    match name.contains(['/', '[', '\\']) {
        false => name.into(),
        true => name.replace('\\', "\\\\").replace('/', "\\/").replace('[', "\\[").into(),
    }
}

/// A class and which of several components of it: `Light[1]`.
pub(super) fn component(text: &str) -> (&str, Option<usize>) {
    let text = text.trim();
    let numbered = text.strip_suffix(']').and_then(|text| {
        let (class, number) = text.rsplit_once('[')?;
        Some((class, Some(number.parse().ok()?)))
    });
    numbered.unwrap_or((text, None))
}

/// One step of the path of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A key.
    Key(String),
    /// An item of a list.
    Item(usize),
    /// How many items a list has.
    Size,
}

/// The steps of `a.b`, `list[2].c`, `list.Array.data[2].c`, `list.Array.size`.
pub(super) fn parts(field: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let words: Vec<&str> = field.trim().split('.').collect();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let next = words.get(at + 1).copied().unwrap_or_default();
        if *word == "Array" && next == "size" {
            parts.push(Part::Size);
            at += 2;
            continue;
        }
        if *word == "Array" && next.starts_with("data[") {
            parts.extend(items(&next["data".len()..]));
            at += 2;
            continue;
        }
        let (key, rest) = match word.find('[').filter(|_| word.ends_with(']')) {
            Some(open) => word.split_at(open),
            None => (*word, ""),
        };
        match rest.is_empty() || items(rest).next().is_some() {
            true => {
                parts.push(Part::Key(key.to_owned()));
                parts.extend(items(rest));
            }
            false => parts.push(Part::Key((*word).to_owned())),
        }
        at += 1;
    }
    parts
}

/// `[1][2]`.
fn items(text: &str) -> impl Iterator<Item = Part> {
    let numbers = text.split(['[', ']']).filter(|part| !part.is_empty());
    numbers.filter_map(|number| number.parse().ok().map(Part::Item))
}

/// Steps as overrides have them: `list.Array.data[2].c`.
pub(super) fn property_path(parts: &[Part]) -> String {
    let mut path = String::new();
    for part in parts {
        let dot = if path.is_empty() { "" } else { "." };
        match part {
            Part::Key(key) => path += &format!("{dot}{key}"),
            Part::Item(at) => path += &format!("{dot}Array.data[{at}]"),
            Part::Size => path += &format!("{dot}Array.size"),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_names_numbers_and_marks() {
        let shown = |path: &str| {
            let steps = steps(path).into_iter();
            steps.map(|step| format!("{}:{}", step.name, step.number)).collect::<Vec<_>>()
        };
        assert_eq!(shown("A/B[2]/C"), ["A:0", "B:2", "C:0"]);
        assert_eq!(shown(r"A\/B/C\[1]"), ["A/B:0", "C[1]:0"]);
        assert_eq!(shown("Cube (1)/X[y]"), ["Cube (1):0", "X[y]:0"]);
        assert_eq!(escape(r"a/b[1]"), r"a\/b\[1]");
    }

    #[test]
    fn fields_are_read_in_every_spelling() {
        let path = |field: &str| property_path(&parts(field));
        assert_eq!(path("a.b"), "a.b");
        assert_eq!(path("list[2].c"), "list.Array.data[2].c");
        assert_eq!(path("list.Array.data[2].c"), "list.Array.data[2].c");
        assert_eq!(path("list.Array.size"), "list.Array.size");
        assert_eq!(path("grid[1][2]"), "grid.Array.data[1].Array.data[2]");
        assert_eq!(path("field of view"), "field of view");
        assert_eq!(component("Light[1]"), ("Light", Some(1)));
        assert_eq!(component("UnityEngine.Light"), ("UnityEngine.Light", None));
    }
}
