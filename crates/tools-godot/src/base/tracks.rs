//! What the tracks of an animation point to.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::classes::{Builtin, Property};
use scenewright_godot::{NodeState, Tree, TreeNode, relative_path};

use crate::base::{Animations, Expected, Godot, OpenScene, engine_property};

/// The node that a track is about, and its path as tracks write it.
pub struct Target {
    /// From the root node of the player.
    pub path: String,
    /// The class; nothing when the node is inside something that is no text.
    pub class: Option<String>,
    /// The `res://` path of its script.
    pub script: Option<String>,
}

/// The node that a call or a track names: from the root node of the player, as tracks have it, or
/// from the root of the scene.
pub fn find_target(
    godot: &Godot<'_>,
    open: &OpenScene,
    animations: &Animations,
    text: &str,
) -> Result<Target, ToolError> {
    let tree = godot.tree_of(open);
    let root = root_node(&tree, &animations.player).ok_or_else(|| {
        ToolError::new(
            ErrorKind::EngineError,
            format!("the root_node of {} leads nowhere", animations.player),
        )
        .hint("edit_node sets root_node to the node that the tracks start from")
    })?;
    if let Some(node) = tree.resolve(root, text) {
        return Ok(Target::of(text, node));
    }
    if is_below_opaque(&tree, root, text) {
        return Ok(Target { path: text.to_owned(), class: None, script: None });
    }
    let path = godot.node(open, text)?;
    let node = tree.node(&path).ok_or_else(|| ToolError::not_found("node", text))?;
    Ok(Target::of(&relative_path(&root.path, &path), node))
}

/// The node that the tracks of a player start from.
fn root_node<'a>(tree: &'a Tree, player: &str) -> Option<&'a TreeNode> {
    let player = tree.node(player)?;
    let set = player.property("root_node").map(|property| property.decode());
    let path = set.as_ref().and_then(|path| path.as_str()).unwrap_or("..");
    // The root of a scene may be a player; what is above it is not known.
    tree.resolve(player, path)
}

/// Whether a path leads into an imported model, whose nodes no text tells.
fn is_below_opaque(tree: &Tree, root: &TreeNode, text: &str) -> bool {
    let mut above = text;
    while let Some((parent, _)) = above.rsplit_once('/') {
        above = parent;
        if let Some(node) = tree.resolve(root, above) {
            return node.state == NodeState::Opaque;
        }
    }
    root.state == NodeState::Opaque
}

impl Target {
    fn of(path: &str, node: &TreeNode) -> Target {
        Target { path: path.to_owned(), class: node.class.clone(), script: node.script() }
    }

    /// What has the property.
    pub fn expected(&self) -> Option<Expected<'_>> {
        let class = self.class.as_deref()?;
        Some(Expected { class, script: self.script.as_deref() })
    }

    /// The type of what a track animates; nothing when it is not known. An error when the node has
    /// no such property.
    pub fn value_type(
        &self,
        godot: &Godot<'_>,
        property: &str,
    ) -> Result<Option<Builtin>, ToolError> {
        let Some(expected) = self.expected() else { return Ok(None) };
        let mut parts = property.split(':');
        let name = parts.next().unwrap_or_default();
        let found = engine_property(godot, expected, name)?;
        let whole = found.and_then(|found: &Property| found.value.builtin());
        Ok(match parts.next() {
            None => whole,
            Some(_) => whole.and_then(component),
        })
    }
}

/// The type of the parts of a vector or colour.
fn component(whole: Builtin) -> Option<Builtin> {
    use Builtin::*;
    match whole {
        Vector2 | Vector3 | Vector4 | Quaternion | Color | Plane => Some(Float),
        Vector2i | Vector3i | Vector4i => Some(Int),
        _ => None,
    }
}

/// Whether values of a type change gradually between keys, as the editor sees it.
pub fn is_gradual(value: Builtin) -> bool {
    use Builtin::*;
    matches!(
        value,
        Float
            | Vector2
            | Rect2
            | Vector3
            | Vector4
            | Aabb
            | Quaternion
            | Color
            | Plane
            | Basis
            | Transform2D
            | Transform3D
    )
}
