//! Paths of objects: names from the root on, with a number where siblings share a name.

use std::collections::HashMap;

use super::frame::At;
use super::{Hierarchy, Node};

/// A name has no more bytes in a path: it is repeated by everything below it.
const MAX_NAME: usize = 1000;

/// The names of children with their numbers, kept so that many paths cost little more than one.
#[derive(Default)]
pub(super) struct Labels<'h> {
    by_parent: HashMap<Option<Key>, Vec<(Node<'h>, String)>>,
}

/// The instances on the way to a node, and the node.
type Key = (Vec<u32>, Option<u32>);

impl<'h> Labels<'h> {
    pub(super) fn path(&mut self, node: &Node<'h>) -> String {
        let mut names = Vec::new();
        let mut next = Some(node.clone());
        while let Some(node) = next {
            next = node.parent();
            names.push(self.label(&node, next.as_ref()));
        }
        names.reverse();
        names.join("/")
    }

    fn label(&mut self, node: &Node<'h>, parent: Option<&Node<'h>>) -> String {
        let siblings = self.by_parent.entry(parent.map(key)).or_insert_with(|| {
            let nodes = parent.map_or_else(|| node.hierarchy.roots(), Node::children);
            let labels = labels(&nodes);
            nodes.into_iter().zip(labels).collect()
        });
        let found = siblings.iter().find(|(other, _)| other == node);
        // An object that is removed here has a parent, but is not among its children.
        found.map_or_else(|| shown(node), |(_, label)| label.clone())
    }
}

fn key(node: &Node<'_>) -> Key {
    let outer = std::iter::successors(node.frame.outer.as_ref(), |(frame, _)| frame.outer.as_ref());
    let at = match node.at {
        At::Object(index) => Some(index),
        At::Opaque => None,
    };
    (outer.map(|(_, index)| *index).collect(), at)
}

/// The names of siblings, with numbers where several have the same.
pub fn labels(nodes: &[Node<'_>]) -> Vec<String> {
    if let [only] = nodes {
        return vec![shown(only)];
    }
    let numbered = numbers(nodes);
    numbered
        .into_iter()
        .map(|(name, number, count)| match count {
            1 => name,
            _ => format!("{name}[{number}]"),
        })
        .collect()
}

/// The name of an object as paths have it. A cut one leads to the object all the same.
fn shown(node: &Node<'_>) -> String {
    let name = node.name();
    match name.len() > MAX_NAME {
        true => format!("{}…", &name[..name.floor_char_boundary(MAX_NAME)]),
        false => name.into_owned(),
    }
}

/// The name of each sibling, its number among those of that name, and how many there are.
fn numbers(nodes: &[Node<'_>]) -> Vec<(String, usize, usize)> {
    let names: Vec<String> = nodes.iter().map(shown).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut numbers = Vec::with_capacity(names.len());
    for name in &names {
        let count = counts.entry(name).or_default();
        numbers.push(*count);
        *count += 1;
    }
    let totals: Vec<usize> = names.iter().map(|name| counts[name.as_str()]).collect();
    let parts = names.into_iter().zip(numbers).zip(totals);
    parts.map(|((name, number), total)| (name, number, total)).collect()
}

pub(super) fn find<'h>(hierarchy: &'h Hierarchy, path: &str) -> Option<Node<'h>> {
    let path = path.strip_prefix('/').unwrap_or(path);
    // Names may have slashes in them, so that more than one way may have to be tried.
    let mut open = matches(hierarchy.roots(), path);
    while let Some((node, rest)) = open.pop() {
        match rest {
            None => return Some(node),
            Some(rest) => open.extend(matches(node.children(), rest)),
        }
    }
    None
}

/// The siblings that a path may start with and what is behind them, the best one last.
fn matches<'h, 'p>(nodes: Vec<Node<'h>>, path: &'p str) -> Vec<(Node<'h>, Option<&'p str>)> {
    let mut found = Vec::new();
    for (node, (name, number, _)) in nodes.iter().zip(numbers(&nodes)) {
        let Some(behind) = path.strip_prefix(&name) else { continue };
        let numbered = behind.strip_prefix(&format!("[{number}]"));
        let plain = Some(behind).filter(|_| number == 0);
        for (is_numbered, rest) in [(true, numbered), (false, plain)] {
            match rest {
                Some("") => found.push((is_numbered, node.clone(), None)),
                Some(rest) if rest.starts_with('/') => {
                    found.push((is_numbered, node.clone(), Some(&rest[1..])));
                }
                _ => {}
            }
        }
    }
    found.sort_by_key(|(is_numbered, ..)| *is_numbered);
    found.into_iter().map(|(_, node, rest)| (node, rest)).collect()
}
