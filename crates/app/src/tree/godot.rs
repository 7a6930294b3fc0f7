//! Godot scenes for `scenewright tree`, with what instances and base scenes bring.

use scenewright_contract::{ToolError, suggest};
use scenewright_godot::{NodeState, Tree, TreeNode, TreeProperty};
use scenewright_toolkit::names;
use scenewright_tools_godot::GodotProject;
use serde_json::{Map, Value, json};

use super::{LEFT_OUT, VALUES};

/// JSON that nests deeper is refused by many readers; deeper nodes are left out, which is said.
const MAX_DEPTH: usize = 48;
/// A longer value is cut: tile maps and meshes.
const MAX_VALUE: usize = 100;

/// Whether a path is that of a scene, by its ending.
pub(super) fn is_scene(path: &str) -> bool {
    [".tscn", ".escn"].iter().any(|end| path.ends_with(end))
}

/// Whether a project has a scene of this path or name.
pub(super) fn has(project: &GodotProject, path: &str) -> bool {
    find(project, path).is_ok()
}

/// The path of a scene, or of the one that can only be meant: of this name in another folder, or a slip
/// of the pen away.
fn find(project: &GodotProject, path: &str) -> Result<String, ToolError> {
    let path = path.strip_prefix("res://").unwrap_or(path).trim_start_matches("./");
    let index = project.store().index();
    let known = || index.files().map(|file| file.path.as_str()).filter(|path| is_scene(path));
    let meant = match names::same_file(path, known()).as_slice() {
        _ if known().any(|other| other == path) => Some(path),
        [only] => Some(*only),
        [] => suggest::meant(path, known()),
        _ => None,
    };
    let missing = || {
        let hint = match names::same_file(path, known()).as_slice() {
            [] if known().next().is_none() => "the project has no scene".to_owned(),
            [] => suggest::did_you_mean(path, known(), "`scenewright call list_scenes` lists all"),
            several => format!("did you mean {}?", several.join(" or ")),
        };
        ToolError::not_found("scene", path).hint(hint)
    };
    meant.map(str::to_owned).ok_or_else(missing)
}

/// The scene of this path or name, with what is set on each node where `values` are asked for.
pub(super) fn dump(
    project: &GodotProject,
    path: &str,
    depth: Option<usize>,
    values: bool,
) -> Result<Value, ToolError> {
    let local = find(project, path)?;
    let index = project.store().index();
    let tree = Tree::build(&format!("res://{local}"), &*index)
        .ok_or_else(|| ToolError::not_found("scene", &local))?;
    let depth = depth.unwrap_or(usize::MAX);
    let mut dump = Dump { tree: &tree, depth, values, count: 0, cut: false };
    let roots: Vec<Value> = tree.root().into_iter().map(|root| dump.node(root, 0)).collect();
    let problems: Vec<String> = tree
        .problems()
        .iter()
        .map(|problem| format!("{}:{}: {}", problem.file, problem.line, problem.message))
        .collect();
    Ok(json!({
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
    values: bool,
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
        if self.values {
            let value = |set: &TreeProperty| {
                let text = set.text().split_whitespace().collect::<Vec<_>>().join(" ");
                format!("{} = {}", set.key, super::find::shortened(&text, MAX_VALUE))
            };
            object.insert(VALUES.to_owned(), node.properties.iter().map(value).collect());
        }
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
        NodeState::Opaque => Some("not a text file: what is inside is not known"),
        NodeState::Missing => Some("missing"),
        NodeState::Cycle => Some("inside itself"),
        NodeState::TooMuch => Some("not built: too many nodes"),
    }
}
