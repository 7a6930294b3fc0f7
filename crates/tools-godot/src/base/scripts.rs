//! Scripts on nodes.

use scenewright_contract::ToolError;
use scenewright_godot::{Scene, Script, TreeNode, Unused, Variant};
use scenewright_toolkit::door::ProjectPath;

use crate::base::{Godot, OpenScene, refused};

/// Give a node a script, or none. Values of variables that only the script before had go with it;
/// their names are returned. So do resources that nothing else uses.
pub fn put_script(
    godot: &Godot<'_>,
    open: &mut OpenScene,
    node: &TreeNode,
    script: Option<&ProjectPath>,
) -> Result<Vec<String>, ToolError> {
    let unused = open.scene.unused_resources();
    override_node(godot, open, node)?;
    let path = node.path.as_str();
    let new = script.map(|script| format!("res://{script}"));
    let removed = remove_values(godot, &mut open.scene, node, new.as_deref())?;
    match &new {
        Some(new) => {
            let id = open.scene.change(|document| godot.reference(document, new, "Script"))?;
            let value = Variant::ExtResource(id);
            open.scene.set_node_property(path, "script", &value).map_err(refused)?;
        }
        None => {
            open.scene.remove_node_property(path, "script").map_err(refused)?;
            // What an instance or a base scene gives is taken away by saying so.
            let tree = godot.tree_of(open);
            if tree.node(path).is_some_and(|node| node.script().is_some()) {
                open.scene.set_node_property(path, "script", &Variant::Nil).map_err(refused)?;
            }
        }
    }
    drop_unused(&mut open.scene, &unused)?;
    Ok(removed)
}

/// A script and those that it extends, the nearest first.
pub fn script_chain<'a>(godot: &'a Godot<'_>, path: &'a str) -> Vec<&'a Script> {
    let mut chain = Vec::new();
    let mut next = godot.index.find(path);
    // A script that extends itself would lead round and round.
    while let Some(script) = next.and_then(|file| file.script.as_ref()).filter(|_| chain.len() < 16)
    {
        chain.push(script);
        let base = script.base.as_deref().unwrap_or_default();
        next = godot.index.class(base).or_else(|| godot.index.find(base));
    }
    chain
}

/// Have a section for a node in the file, also for one that an instance brings.
fn override_node(
    godot: &Godot<'_>,
    open: &mut OpenScene,
    node: &TreeNode,
) -> Result<(), ToolError> {
    if open.scene.node(&node.path).is_some() {
        return Ok(());
    }
    let tree = godot.tree_of(open);
    let parent = node.parent.and_then(|at| tree.nodes().get(at));
    let place =
        parent.and_then(|parent| tree.children(parent).position(|child| child.path == node.path));
    open.scene.add_override(&node.path, place.unwrap_or(0)).map_err(refused)?;
    // The editor keeps changes inside of an instance only when its children are editable.
    let owner = node.owner.and_then(|at| tree.nodes().get(at)).filter(|owner| owner.path != ".");
    match owner.filter(|owner| open.scene.node(&owner.path).is_some()) {
        Some(owner) => open.scene.set_editable(&owner.path, true).map_err(refused),
        None => Ok(()),
    }
}

fn remove_values(
    godot: &Godot<'_>,
    scene: &mut Scene,
    node: &TreeNode,
    new: Option<&str>,
) -> Result<Vec<String>, ToolError> {
    let before = node.script().map(|script| godot.export_names(&script)).unwrap_or_default();
    let after = new.map(|script| godot.export_names(script)).unwrap_or_default();
    let mut removed = Vec::new();
    for name in before.into_iter().filter(|name| !after.contains(name)) {
        if scene.remove_node_property(&node.path, &name).map_err(refused)? {
            removed.push(name);
        }
    }
    // Exported nodes are listed in the node's tag as well.
    let Some(written) = scene.node(&node.path) else { return Ok(removed) };
    let listed = written.node_path_properties();
    let kept: Vec<String> = listed.iter().filter(|name| !removed.contains(name)).cloned().collect();
    if kept.len() != listed.len() {
        let section = written.section().index();
        scene
            .change(|document| match kept.is_empty() {
                true => document.remove_attribute(section, "node_paths").map(drop),
                false => document.set_attribute(section, "node_paths", &Variant::Strings(kept)),
            })
            .map_err(refused)?;
    }
    Ok(removed)
}

/// Remove resources that were used before a change and no longer are.
fn drop_unused(scene: &mut Scene, before: &Unused) -> Result<(), ToolError> {
    let mut now = scene.unused_resources();
    now.ext.retain(|id| !before.ext.contains(id));
    now.sub.retain(|id| !before.sub.contains(id));
    if now == Unused::default() {
        return Ok(());
    }
    scene.change(|document| document.remove_resources(&now)).map_err(refused)
}
