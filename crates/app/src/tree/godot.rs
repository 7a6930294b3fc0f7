//! Godot scenes for `scenewright tree`, with what instances and base scenes bring.

use scenewright_godot::{NodeState, Tree, TreeNode};
use scenewright_tools_godot::GodotProject;
use serde_json::{Map, Value, json};

use super::LEFT_OUT;

/// JSON that nests deeper is refused by many readers; deeper nodes are left out, which is said.
const MAX_DEPTH: usize = 48;

/// The scene at a path from the project's root, or nothing when there is none.
pub(super) fn dump(project: &GodotProject, path: &str, depth: Option<usize>) -> Option<Value> {
    let local = path.strip_prefix("res://").unwrap_or(path);
    let index = project.store().index();
    let tree = Tree::build(&format!("res://{local}"), &*index)?;
    let mut dump = Dump { tree: &tree, depth: depth.unwrap_or(usize::MAX), count: 0, cut: false };
    let roots: Vec<Value> = tree.root().into_iter().map(|root| dump.node(root, 0)).collect();
    let problems: Vec<String> = tree
        .problems()
        .iter()
        .map(|problem| format!("{}:{}: {}", problem.file, problem.line, problem.message))
        .collect();
    Some(json!({
        "scenePath": local,
        "rootObjects": roots,
        "objectCount": dump.count,
        "truncated": dump.cut,
        "problems": problems,
    }))
}

struct Dump<'a> {
    tree: &'a Tree,
    depth: usize,
    count: usize,
    cut: bool,
}

impl Dump<'_> {
    fn node(&mut self, node: &TreeNode, level: usize) -> Value {
        self.count += 1;
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(node.name));
        object.insert("path".to_owned(), json!(node.path));
        let parts = [
            ("type", node.class.clone()),
            ("script", node.script()),
            ("instance", node.instance.clone()),
            ("state", state(node.state).map(str::to_owned)),
        ];
        object.extend(
            parts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), json!(text?)))),
        );
        if !node.groups.is_empty() {
            object.insert("groups".to_owned(), json!(node.groups));
        }
        let tree = self.tree;
        let is_cut = level >= self.depth.min(MAX_DEPTH);
        let children = tree.children(node).filter(|_| !is_cut);
        let children: Vec<Value> = children.map(|child| self.node(child, level + 1)).collect();
        object.insert("children".to_owned(), children.into());
        if is_cut && !node.children.is_empty() {
            self.cut = true;
            object.insert(LEFT_OUT.to_owned(), json!(node.children.len()));
        }
        object.into()
    }
}

/// What is special about a node, for people.
fn state(state: NodeState) -> Option<&'static str> {
    match state {
        NodeState::Plain => None,
        NodeState::Placeholder => Some("loaded on demand"),
        NodeState::Opaque => Some("no text: what is inside is not known"),
        NodeState::Missing => Some("missing"),
        NodeState::Cycle => Some("inside of itself"),
        NodeState::TooMuch => Some("not built: too many nodes"),
    }
}
