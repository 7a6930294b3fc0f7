//! What an `AnimationTree` plays: its state machine or blend tree.

use std::collections::BTreeSet;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{Document, ResourceId, TupleKind, Unused, Variant};

use crate::base::animations::animation_names;
use crate::base::held::section_of;
use crate::base::{Godot, Held, OpenScene, refused};

/// The class of the usual root.
pub const STATE_MACHINE: &str = "AnimationNodeStateMachine";
/// The root that mixes its nodes.
pub const BLEND_TREE: &str = "AnimationNodeBlendTree";
/// The state that every machine begins in.
pub const START: &str = "Start";
/// The state that every machine ends in.
pub const END: &str = "End";
/// A transition that is taken by itself.
pub const AUTO: i64 = 2;

/// An `AnimationTree` of the scene, and its root.
pub struct AnimationGraph {
    /// The path of the node.
    pub tree: String,
    /// The root resource.
    pub root: Held,
    /// The class of the root.
    pub class: String,
    /// The animations that it can play, as far as they are known.
    pub animations: Option<BTreeSet<String>>,
}

/// A transition between two states.
#[derive(Clone)]
pub struct Transition {
    /// The state that it leads from.
    pub from: String,
    /// The state that it leads to.
    pub to: String,
    /// Its conditions and times.
    pub resource: Variant,
}

impl Godot<'_> {
    /// The tree that a call names. One without a root gets a state machine.
    pub fn animation_graph(
        &self,
        open: &mut OpenScene,
        text: &str,
    ) -> Result<AnimationGraph, ToolError> {
        let tree = self.own_node(open, text, "AnimationTree")?;
        let animations = playable(self, open, &tree);
        let root = open.scene.node(&tree).and_then(|node| node.property("tree_root"));
        let root = root.map(|root| root.decode()).unwrap_or(Variant::Nil);
        let root = match Held::of_scene(self, open, &root)? {
            Some(root) => root,
            None => self.add_state_machine(open, &tree)?,
        };
        let class = root.class(open);
        Ok(AnimationGraph { tree, root, class, animations })
    }

    fn add_state_machine(&self, open: &mut OpenScene, tree: &str) -> Result<Held, ToolError> {
        let id = open.scene.change(|document| {
            document.add_sub_resource(STATE_MACHINE, &[], None).map_err(refused)
        })?;
        let section = open.scene.node(tree).map(|node| node.section().index());
        let section = section.ok_or_else(|| ToolError::not_found("node", tree))?;
        let value = Variant::SubResource(id.clone());
        open.scene.change(|document| {
            self.set_value(document, section, "AnimationTree", ("tree_root", &value), false)
        })?;
        Ok(Held::in_scene(id))
    }
}

/// The animations of the player that a tree names, or of its own libraries.
fn playable(godot: &Godot<'_>, open: &OpenScene, tree: &str) -> Option<BTreeSet<String>> {
    let nodes = godot.tree_of(open);
    let node = nodes.node(tree)?;
    let player = node.property("anim_player").map(|property| property.decode());
    let player = player.as_ref().and_then(Variant::as_str).filter(|path| !path.is_empty());
    let names = match player {
        Some(path) => animation_names(godot, nodes.resolve(node, path)?)?,
        None => animation_names(godot, node)?,
    };
    // A tree that is not wired up yet may be given any name.
    (player.is_some() || !names.is_empty()).then_some(names)
}

impl AnimationGraph {
    /// An error unless the root is a state machine.
    pub fn expect_state_machine(&self) -> Result<(), ToolError> {
        if self.class == STATE_MACHINE {
            return Ok(());
        }
        Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("the tree_root of {} is {}, no {STATE_MACHINE}", self.tree, self.class),
        )
        .hint("create_animation_tree makes a tree with a state machine"))
    }

    /// The nodes of the root by name: `states/walk/node`, or `nodes/walk/node` of a blend tree.
    pub fn nodes(&self, open: &OpenScene) -> Vec<String> {
        let keys = self.root.keys(open);
        let start = self.prefix();
        let names = keys.iter().filter_map(|key| {
            let name = key.strip_prefix(start)?.strip_suffix("/node")?;
            (name != START && name != END && name != "output").then(|| name.to_owned())
        });
        names.collect()
    }

    /// The resource of a node.
    pub fn node(&self, open: &OpenScene, name: &str) -> Option<(ResourceId, String)> {
        let value = self.root.property(open, &format!("{}{name}/node", self.prefix()))?;
        let Variant::SubResource(id) = value else { return None };
        let class = self.root.document(open).sub_resource(&id)?.class().into_owned();
        Some((id, class))
    }

    fn prefix(&self) -> &'static str {
        if self.class == BLEND_TREE { "nodes/" } else { "states/" }
    }

    /// Make a resource that the root is going to use.
    pub fn add_resource(
        &mut self,
        open: &mut OpenScene,
        class: &str,
        properties: &[(&str, Variant)],
    ) -> Result<ResourceId, ToolError> {
        self.root.change(open, |document, root| {
            document.add_sub_resource(class, properties, root).map_err(refused)
        })
    }

    /// Have a node of this name; a new one gets a place beside the others.
    pub fn set_node(
        &mut self,
        open: &mut OpenScene,
        name: &str,
        resource: &ResourceId,
    ) -> Result<(), ToolError> {
        let count = self.nodes(open).len();
        let key = format!("{}{name}/node", self.prefix());
        let place = format!("{}{name}/position", self.prefix());
        let is_new = self.root.property(open, &key).is_none();
        let above = self.key_behind(open, name);
        self.root.change(open, |document, root| {
            let mut set = |key: &str, value: &Variant| {
                let section = section_of(document, root)
                    .ok_or_else(|| ToolError::failed("the root of the tree is gone"))?;
                document.set_property_before(section, key, value, above.as_deref()).map_err(refused)
            };
            set(&key, &Variant::SubResource(resource.clone()))?;
            if is_new {
                set(&place, &position(count))?;
            }
            Ok(())
        })
    }

    /// The property above which those of a new node stand: the engine sorts nodes by name, and
    /// reads them before what connects them.
    fn key_behind(&self, open: &OpenScene, name: &str) -> Option<String> {
        let start = self.prefix();
        let is_behind = |key: &String| match key.strip_prefix(start) {
            Some(rest) => rest.split('/').next().is_some_and(|other| other > name),
            None => matches!(key.as_str(), "transitions" | "node_connections" | "graph_offset"),
        };
        self.root.keys(open).into_iter().find(is_behind)
    }

    /// The transitions of a state machine.
    pub fn transitions(&self, open: &OpenScene) -> Vec<Transition> {
        let value = self.root.property(open, "transitions");
        let items = value.as_ref().and_then(Variant::as_array).unwrap_or_default();
        let read = |three: &[Variant]| {
            Some(Transition {
                from: three[0].as_str()?.to_owned(),
                to: three[1].as_str()?.to_owned(),
                resource: three[2].clone(),
            })
        };
        items.chunks_exact(3).filter_map(read).collect()
    }

    /// Write the transitions, behind the states.
    pub fn set_transitions(
        &mut self,
        open: &mut OpenScene,
        transitions: &[Transition],
    ) -> Result<(), ToolError> {
        let items = transitions.iter().flat_map(|transition| {
            let Transition { from, to, resource } = transition.clone();
            [Variant::String(from), Variant::String(to), resource]
        });
        self.set_list(open, "transitions", items.collect())
    }

    /// Write a property that connects nodes.
    pub fn set_list(
        &mut self,
        open: &mut OpenScene,
        key: &str,
        items: Vec<Variant>,
    ) -> Result<(), ToolError> {
        self.root.change(open, |document, root| {
            let section = section_of(document, root)
                .ok_or_else(|| ToolError::failed("the root of the tree is gone"))?;
            let value = Variant::Array(None, items);
            let result = document.set_property_before(section, key, &value, Some("graph_offset"));
            result.map_err(refused)
        })
    }

    /// Set properties of an inner resource; those that the class has anyway are left out.
    pub fn set_properties(
        &mut self,
        open: &mut OpenScene,
        godot: &Godot<'_>,
        id: &ResourceId,
        properties: &[(&str, Variant)],
    ) -> Result<(), ToolError> {
        self.root.change(open, |document, _| {
            for (key, value) in properties {
                let (section, class) = inner(document, id)?;
                godot.set_value(document, section, &class, (key, value), true)?;
            }
            Ok(())
        })
    }

    /// Run a change, and remove the inner resources that nothing uses any more because of it.
    pub fn replacing<T>(
        &mut self,
        open: &mut OpenScene,
        change: impl FnOnce(&mut Self, &mut OpenScene) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let before = self.root.document(open).unused_resources().sub;
        let result = change(self, open)?;
        let mut left = self.root.document(open).unused_resources().sub;
        left.retain(|id| !before.contains(id));
        if !left.is_empty() {
            let left = Unused { sub: left, ..Unused::default() };
            self.root
                .change(open, |document, _| document.remove_resources(&left).map_err(refused))?;
        }
        Ok(result)
    }
}

fn inner(document: &Document, id: &ResourceId) -> Result<(usize, String), ToolError> {
    let found = document.sub_resource(id);
    let found = found.ok_or_else(|| ToolError::not_found("sub_resource", &id.0))?;
    Ok((found.0.index(), found.class().into_owned()))
}

/// Places in rows of three, between those of Start and End.
fn position(count: usize) -> Variant {
    let (row, column) = ((count / 3) as f64, (count % 3) as f64);
    let place = [380.0 + 160.0 * column, 100.0 + 100.0 * row];
    Variant::tuple(TupleKind::Vector2, &place).expect("a vector has two numbers")
}

/// An error unless a node of a state machine or blend tree can have this name.
pub fn check_name(name: &str) -> Result<(), ToolError> {
    if [START, END, "output"].contains(&name) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("'{name}' is there already and cannot be set"),
        )
        .hint("name Start and End in transitions, or give startState"));
    }
    if name.is_empty() || name.contains(['/', '.', '"', ':']) || name.contains(char::is_control) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("'{name}' cannot be the name of a state"),
        )
        .hint("names are not empty and have no / . : or quotes"));
    }
    Ok(())
}
