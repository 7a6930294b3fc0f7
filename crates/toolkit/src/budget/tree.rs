//! A tree that is too large, level by level as far as there is room: an overview says more than all of
//! its first branch.

use serde_json::{Map, Value, json};

use super::page::{form, len, member_len};

/// What is below a thing.
const CHILDREN: &str = "children";
/// What an answer calls the nodes of a tree when it counts them.
pub(super) const OBJECTS: &str = "objects";
/// This many leaves with the same name but for a number, and nothing else that differs, are one line.
const ALIKE: usize = 4;
/// What alike things differ in.
const NAMES: [&str; 6] = ["name", "path", "nodePath", "instanceId", "id", "children"];
/// What the count of children takes.
const COUNT: usize = 20;

/// A tree as far as it has room.
pub(super) struct Folded<'v> {
    /// The answer with the upper part of its tree.
    pub(super) shown: Value,
    cuts: Vec<Cut<'v>>,
    /// How many things were left out.
    pub(super) left_out: usize,
}

impl Folded<'_> {
    /// What was left out, under the paths of what it belongs to. Of a large tree that is much, and the
    /// first answer needs none of it.
    pub(super) fn rest(&self) -> Value {
        let rest = self.cuts.iter().map(|cut| json!({ "under": cut.under, CHILDREN: cut.nodes }));
        json!({ "rest": rest.collect::<Vec<_>>() })
    }

    /// The form of every rest at its top.
    pub(super) fn form() -> u32 {
        form(&json!({ "rest": [] }), &[])
    }
}

/// The upper part of the tree in an answer; nothing when it has none, or when that is not what makes
/// it large.
pub(super) fn fold(whole: &Value, room: usize) -> Option<Folded<'_>> {
    let members = whole.as_object()?;
    let (key, value) = members.iter().max_by_key(|(_, value)| len(value))?;
    let others: usize = members
        .iter()
        .filter(|(other, _)| *other != key)
        .map(|(key, value)| member_len(key, value))
        .sum();
    let roots = roots(value);
    if !has_children(&roots) || others > room / 2 {
        return None;
    }
    let mut growth = Growth { nodes: Vec::new(), room: room - others, cuts: Vec::new() };
    growth.grow(&roots);
    let shown = growth.write(&growth.tops());
    let mut top =
        Some(if value.is_array() { Value::Array(shown) } else { shown.into_iter().next()? });
    let folded = members.iter().map(|(other, value)| match other == key {
        true => (key.clone(), top.take().unwrap_or_default()),
        false => (other.clone(), value.clone()),
    });
    let folded = Value::Object(folded.collect());
    let left_out = growth.cuts.iter().flat_map(|cut| &cut.nodes).map(|node| size(node)).sum();
    Some(Folded { shown: folded, cuts: growth.cuts, left_out })
}

/// How many nodes the tree of an answer has.
pub(super) fn total(whole: &Value) -> usize {
    let members = whole.as_object().into_iter().flatten();
    let trees = members.map(|(_, value)| roots(value)).filter(|roots| has_children(roots));
    trees.map(|roots| roots.into_iter().map(size).sum()).max().unwrap_or(0)
}

fn roots(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        one => vec![one],
    }
}

fn has_children(roots: &[&Value]) -> bool {
    roots.iter().any(|root| !children(root).is_empty())
}

fn children(node: &Value) -> &[Value] {
    node.get(CHILDREN).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A thing and all below it.
fn size(node: &Value) -> usize {
    1 + children(node).iter().map(size).sum::<usize>()
}

struct Node<'v> {
    value: &'v Value,
    path: String,
    parent: Option<usize>,
    /// Stands for so many that are alike.
    alike: usize,
    last: &'v Value,
    /// Where its children begin among all, when they are shown.
    below: Vec<usize>,
}

/// Things that are not shown, and what they are below.
struct Cut<'v> {
    under: String,
    nodes: Vec<&'v Value>,
}

struct Growth<'v> {
    nodes: Vec<Node<'v>>,
    room: usize,
    cuts: Vec<Cut<'v>>,
}

impl<'v> Growth<'v> {
    fn grow(&mut self, roots: &[&'v Value]) {
        self.add(None, roots);
        let mut at = 0;
        while at < self.nodes.len() {
            let below: Vec<&Value> = children(self.nodes[at].value).iter().collect();
            if !below.is_empty() {
                self.add(Some(at), &below);
            }
            at += 1;
        }
    }

    /// Shows as many of these as there is room for.
    fn add(&mut self, parent: Option<usize>, values: &[&'v Value]) {
        let under = parent.map_or_else(String::new, |parent| self.nodes[parent].path.clone());
        let mut at = 0;
        while at < values.len() {
            let alike = alike(&values[at..]);
            let value = values[at];
            let bytes = own_len(value) + COUNT;
            if bytes > self.room {
                break;
            }
            self.room -= bytes;
            let path = path_of(value, &under);
            if let Some(parent) = parent {
                let index = self.nodes.len();
                self.nodes[parent].below.push(index);
            }
            let last = values[at + alike - 1];
            self.nodes.push(Node { value, path, parent, alike, last, below: Vec::new() });
            at += alike;
        }
        if at < values.len() {
            self.cuts.push(Cut { under, nodes: values[at..].to_vec() });
        }
    }

    fn tops(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|at| self.nodes[*at].parent.is_none()).collect()
    }

    fn write(&self, nodes: &[usize]) -> Vec<Value> {
        nodes.iter().map(|at| self.write_one(&self.nodes[*at])).collect()
    }

    fn write_one(&self, node: &Node<'_>) -> Value {
        let mut written = Map::new();
        let Value::Object(members) = node.value else { return node.value.clone() };
        for (key, value) in members {
            // A path can be read off the names above it.
            let is_derived = node.parent.is_some() && (key == "path" || key == "nodePath");
            let is_empty = value.as_array().is_some_and(Vec::is_empty) || value.is_null();
            if key != CHILDREN && !is_derived && !is_empty {
                written.insert(key.clone(), value.clone());
            }
        }
        if node.alike > 1 {
            let name = format!("{} … {}", name_of(node.value), name_of(node.last));
            written.insert("name".to_owned(), json!(name));
            written.insert("alike".to_owned(), json!(node.alike));
            written.shift_remove("instanceId");
        }
        let (all, shown) = (children(node.value).len(), self.shown_below(node));
        if shown < all {
            written.insert("childCount".to_owned(), json!(all));
        }
        if !node.below.is_empty() {
            written.insert(CHILDREN.to_owned(), Value::Array(self.write(&node.below)));
        }
        Value::Object(written)
    }

    fn shown_below(&self, node: &Node<'_>) -> usize {
        node.below.iter().map(|at| self.nodes[*at].alike).sum()
    }
}

/// What a thing takes without what is below it.
fn own_len(node: &Value) -> usize {
    let Value::Object(members) = node else { return len(node) };
    let own = members.iter().filter(|(key, _)| *key != CHILDREN);
    own.map(|(key, value)| member_len(key, value)).sum::<usize>() + CHILDREN.len() + 6
}

fn name_of(node: &Value) -> &str {
    node.get("name").and_then(Value::as_str).unwrap_or_default()
}

fn path_of(node: &Value, under: &str) -> String {
    let said = node.get("path").or_else(|| node.get("nodePath")).and_then(Value::as_str);
    match said {
        Some(path) => path.to_owned(),
        None if under.is_empty() => name_of(node).to_owned(),
        None => format!("{under}/{}", name_of(node)),
    }
}

/// How many at the front are leaves that differ in a number in their names alone; 1 when they are too few.
/// Other names are never left out: no page would have them.
fn alike(values: &[&Value]) -> usize {
    let Some(first) = values.first().filter(|first| children(first).is_empty()) else { return 1 };
    let stem = stem(name_of(first));
    let is_alike = |other: &&Value| {
        children(other).is_empty() && stem == self::stem(name_of(other)) && same(first, other)
    };
    let count = values.iter().copied().take_while(|other| is_alike(other)).count();
    if count >= ALIKE { count } else { 1 }
}

/// A name without the number at its end: `Coin (3)` and `Coin12` are coins.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '(' | ')' | '_'))
}

fn told(node: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    node.iter().filter(|(key, _)| !NAMES.contains(&key.as_str()))
}

fn same(one: &Value, two: &Value) -> bool {
    let (Some(one), Some(two)) = (one.as_object(), two.as_object()) else { return false };
    one.len() == two.len() && told(one).eq(told(two))
}
