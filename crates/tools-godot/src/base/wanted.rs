//! Nodes and resources with their properties, written where and as Godot's editor would.

use scenewright_contract::{ErrorKind, JsonMap, ToolError};
use scenewright_godot::classes::{Class, Classes};
use scenewright_godot::{ChangeError, Document, NewNode, NodeSource, Tree, Variant};
use scenewright_toolkit::door::Written;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::base::values::{Among, check_among};
use crate::base::{Expected, Godot, InScene, OpenScene, Write, find_node, refused};

/// Properties that the editor writes although they have their first value.
const ALWAYS_WRITTEN: [&str; 2] = ["layout_mode", "anchors_preset"];

/// A node to be made, its properties as a caller would give them.
pub struct Wanted<'a> {
    /// The engine's class.
    pub class: &'a str,
    /// The name; no sibling may have it.
    pub name: &'a str,
    /// The parent, as callers write paths.
    pub parent: &'a str,
    /// Values by Godot's names.
    pub properties: &'a JsonMap,
}

/// What tools answer that make one node.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeMade {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Its class.
    node_type: String,
    #[serde(flatten)]
    written: Written,
}

/// The properties that a call gives, by Godot's names; the others are left out.
pub fn given<const N: usize>(properties: [(&str, Option<Value>); N]) -> JsonMap {
    let given = properties.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    given.collect()
}

impl Godot<'_> {
    /// Make one node in a scene and write it.
    pub fn make_only(
        &self,
        scene: &InScene,
        wanted: &Wanted<'_>,
        write: Write,
    ) -> Result<NodeMade, ToolError> {
        let mut open = self.open_scene(scene)?;
        let node_path = self.make_node(&mut open, wanted)?;
        let written = open.save(self, write)?;
        Ok(NodeMade { success: true, node_path, node_type: wanted.class.to_owned(), written })
    }

    /// Make a node and return its path.
    pub fn make_node(
        &self,
        open: &mut OpenScene,
        wanted: &Wanted<'_>,
    ) -> Result<String, ToolError> {
        let class = self.class_below(wanted.class, "Node")?;
        let tree = self.tree_near(open, wanted.parent);
        let parent = find_node(self.cx, &tree, &open.path, wanted.parent)?;
        let path = child_path(&parent.path, wanted.name);
        // Instances bring children that the file does not name.
        if tree.node(&path).is_some() {
            return Err(refused(ChangeError::Exists { what: "node", name: path }));
        }
        let of = Expected { class, script: None };
        let mut values =
            open.scene.change(|document| self.values(document, of, wanted.properties))?;
        let among =
            Among { node: None, parent: Some(parent), scene: "", is_put_here: true, children: 0 };
        check_among(self.classes(), class, among, &values)?;
        values.retain(|(key, value)| !is_default(self.classes(), class, key, value));
        values.sort_by_key(|(key, _)| rank(self.classes(), class, key));
        let new = NewNode {
            name: wanted.name,
            parent: &parent.path,
            source: NodeSource::Class(class),
            position: None,
            groups: &[],
            properties: &values,
        };
        let path = open.scene.add_node(&new).map_err(refused)?;
        self.check_node_paths(open, &path, of, &values)?;
        Ok(path)
    }

    /// Set properties of the node at a path. One that comes from another scene is overridden here.
    pub fn set_node(
        &self,
        open: &mut OpenScene,
        path: &str,
        properties: &JsonMap,
    ) -> Result<(), ToolError> {
        let tree = self.tree_of(open);
        let node = tree.node(path).ok_or_else(|| ToolError::not_found("node", path))?;
        let class = node.class.as_deref().unwrap_or("Node");
        let script = node.script();
        let of = Expected { class, script: script.as_deref() };
        let mut values = open.scene.change(|document| self.values(document, of, properties))?;
        values.sort_by_key(|(key, _)| rank(self.classes(), class, key));
        if open.scene.node(path).is_none() {
            return override_node(open, &tree, path, &values);
        }
        for (key, value) in &values {
            let section = open.scene.node(path).map(|node| (node.section().index(), node.class()));
            let (section, own) = section.ok_or_else(|| ToolError::not_found("node", path))?;
            // What another scene sets must be set back here, not left out.
            let is_made_here = own.is_some();
            open.scene.change(|document| {
                self.set_value(document, section, class, (key, value), is_made_here)
            })?;
        }
        Ok(())
    }

    /// Set properties of the resource that a file is.
    pub fn set_resource(
        &self,
        document: &mut Document,
        class: &str,
        properties: &JsonMap,
    ) -> Result<(), ToolError> {
        let of = Expected { class, script: None };
        let mut values = self.values(document, of, properties)?;
        values.sort_by_key(|(key, _)| rank(self.classes(), class, key));
        for (key, value) in &values {
            let section = document.main_resource().map(|section| section.index());
            let section = section.ok_or_else(|| ToolError::failed("the file has no [resource]"))?;
            self.set_value(document, section, class, (key, value), true)?;
        }
        Ok(())
    }

    /// Set one property of a section, where the editor would write it. With `leave_out` a value
    /// that the class has anyway is not written.
    pub fn set_value(
        &self,
        document: &mut Document,
        section: usize,
        class: &str,
        (key, value): (&str, &Variant),
        leave_out: bool,
    ) -> Result<(), ToolError> {
        let classes = self.classes();
        if leave_out && is_default(classes, class, key, value) {
            return document.remove_property(section, key).map(drop).map_err(refused);
        }
        let place = rank(classes, class, key);
        let above = document.section(section).and_then(|section| {
            let mut keys = section.properties().map(|field| field.key());
            keys.find(|other| rank(classes, class, other) > place)
        });
        let above = above.map(|key| key.into_owned());
        document.set_property_before(section, key, value, above.as_deref()).map_err(refused)
    }
}

/// Change a node that is made in another scene.
fn override_node(
    open: &mut OpenScene,
    tree: &Tree,
    path: &str,
    values: &[(&str, Variant)],
) -> Result<(), ToolError> {
    let node = tree.node(path).ok_or_else(|| ToolError::not_found("node", path))?;
    let parent = node.parent.map(|parent| &tree.nodes()[parent]);
    let parent = parent.ok_or_else(|| ToolError::failed("the root is not in its own scene"))?;
    let mut owner = node.owner.filter(|owner| *owner > 0).map(|owner| &tree.nodes()[owner]);
    while let Some(instance) = owner {
        // The editor keeps changes below an instance only while its children are editable.
        if !instance.editable {
            open.scene.set_editable(&instance.path, true).map_err(|error| {
                let refusal = ToolError::new(ErrorKind::EngineError, error.to_string());
                refusal.hint(format!("change the node in its own scene, {}", node.origin.path()))
            })?;
        }
        owner = instance.owner.filter(|owner| *owner > 0).map(|owner| &tree.nodes()[owner]);
    }
    let position = tree.children(parent).position(|child| child.path == path);
    let new = NewNode {
        name: &node.name,
        parent: &parent.path,
        source: NodeSource::Override,
        position,
        groups: &[],
        properties: values,
    };
    open.scene.add_node(&new).map(drop).map_err(refused)
}

/// The path of a child.
pub fn child_path(parent: &str, name: &str) -> String {
    if parent == "." { name.to_owned() } else { format!("{parent}/{name}") }
}

/// Whether an object of the class has the value without being told.
pub fn is_default(classes: &Classes, class: &str, key: &str, value: &Variant) -> bool {
    !ALWAYS_WRITTEN.contains(&key) && classes.default(class, key) == Some(&*value.to_text(3))
}

/// The place of a property among those that the engine saves: those of base classes first, and
/// those that no table knows last.
fn rank(classes: &Classes, class: &str, key: &str) -> usize {
    let ancestors: Vec<&Class> = classes.ancestors(class).collect();
    let mut all = ancestors.iter().rev().flat_map(|class| class.properties());
    all.position(|property| property.name == key).unwrap_or(usize::MAX)
}
