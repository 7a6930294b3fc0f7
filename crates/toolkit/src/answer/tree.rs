//! Trees: one line per node, its children indented below it.

use serde_json::{Map, Value};

use super::scalar;

/// The member that has what is below a node.
pub(crate) const CHILDREN: &str = "children";
/// How many children a node has, where not all of them are shown.
const COUNTS: [&str; 3] = ["childCount", "childrenNotShown", "hiddenChildren"];
/// What a page has of a tree whose top an earlier page has: lists of children, and what they are below.
const REST: &str = "rest";
/// Deeper nodes get no further indentation.
const MAX_INDENT: usize = 120;

/// The line of a node, without its children. The second argument is the path that its name and the names above it make.
pub type Label = dyn Fn(&Map<String, Value>, &str) -> String;

/// Whether a value is a node of a tree.
pub(super) fn is_node(value: &Value) -> bool {
    value.get(CHILDREN).is_some_and(Value::is_array)
}

/// The text of an output whose members of these names are trees. The other members come first, and trees that go on from
/// an earlier page last.
pub fn with_tree(output: &Value, trees: &[&str], label: &Label) -> String {
    let Value::Object(members) = output else { return super::text(output) };
    let is_tree = |key: &str| key == REST || trees.contains(&key);
    let head = members.iter().filter(|(key, _)| !is_tree(key));
    let head: Map<String, Value> = head.map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut out = if head.is_empty() { String::new() } else { super::text(&head.into()) + "\n" };
    for key in trees {
        match members.get(*key) {
            Some(Value::Array(nodes)) => out.push_str(&tree(nodes, 0, label)),
            Some(node @ Value::Object(_)) => {
                out.push_str(&tree(std::slice::from_ref(node), 0, label));
            }
            _ => {}
        }
    }
    for cut in members.get(REST).and_then(Value::as_array).into_iter().flatten() {
        let under = cut.get("under").and_then(Value::as_str).unwrap_or_default();
        let nodes = cut.get(CHILDREN).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let head =
            if under.is_empty() { "more roots:".to_owned() } else { format!("more of {under}:") };
        out.push_str(&format!("{head}\n"));
        write(&mut out, nodes, 2, under, label);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Nodes and everything below them.
pub(super) fn tree(nodes: &[Value], indent: usize, label: &Label) -> String {
    let mut out = String::new();
    write(&mut out, nodes, indent, "", label);
    out
}

/// The same with all members of each node behind its name.
pub(super) fn generic(nodes: &[Value], indent: usize) -> String {
    tree(nodes, indent, &plain_label)
}

fn write(out: &mut String, nodes: &[Value], indent: usize, above: &str, label: &Label) {
    for node in nodes {
        let Value::Object(members) = node else {
            out.push_str(&format!("{:indent$}{}\n", "", scalar::plain(node)));
            continue;
        };
        let name = name(members);
        let path = if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
        let children = members.get(CHILDREN).and_then(Value::as_array);
        let children = children.map_or(&[][..], Vec::as_slice);
        out.push_str(&format!("{:indent$}{}", "", label(members, &path)));
        let count = COUNTS.iter().find_map(|key| members.get(*key)).and_then(Value::as_u64);
        if let Some(count) = count {
            match children.is_empty() {
                true => out.push_str(&format!(" … {count} children")),
                false => out.push_str(&format!(" … {} of {count} children", shown(children))),
            }
        }
        out.push('\n');
        // A node that names its own path is where the paths below it begin.
        let own = members.get("path").or_else(|| members.get("nodePath")).and_then(Value::as_str);
        let below = match own {
            Some(".") => "",
            own => own.unwrap_or(&path),
        };
        write(out, children, (indent + 2).min(MAX_INDENT), below, label);
    }
}

/// How many nodes some lines are about.
fn shown(nodes: &[Value]) -> u64 {
    nodes.iter().map(|node| node.get("alike").and_then(Value::as_u64).unwrap_or(1)).sum()
}

/// The name of a node.
fn name(members: &Map<String, Value>) -> &str {
    members.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// Whether a path is the one that the names above a node make.
pub fn leads_to(value: &Value, path: &str) -> bool {
    value.as_str().is_some_and(|value| value.strip_prefix("./").unwrap_or(value) == path)
}

fn plain_label(members: &Map<String, Value>, path: &str) -> String {
    let says_more = |key: &str, value: &Value| match key {
        "name" | CHILDREN => false,
        "path" | "nodePath" => !leads_to(value, path),
        _ if COUNTS.contains(&key) || value.is_null() => false,
        _ => value.as_array().is_none_or(|items| !items.is_empty()),
    };
    let mut others = members
        .iter()
        .filter(|(key, value)| says_more(key, value))
        .map(|(key, value)| (Some(key.as_str()), value))
        .peekable();
    let name = name(members);
    if others.peek().is_none() {
        return name.to_owned();
    }
    let others = scalar::inline(others, usize::MAX).unwrap_or_default();
    format!("{name} {others}").trim_start().to_owned()
}
