//! New nodes: where they go in the file, and what is refused.

use super::{Scene, check_node_name, path};
use crate::{ChangeError, ResourceId, Section, Variant};

/// A node to be made.
#[derive(Clone, Debug)]
pub struct NewNode<'a> {
    /// The name; no sibling may have it.
    pub name: &'a str,
    /// The path of the parent; it may be inside an instance, and is not looked up there.
    pub parent: &'a str,
    /// What the node is.
    pub source: NodeSource<'a>,
    /// The place among the siblings that are written in this file; behind them when nothing.
    pub position: Option<usize>,
    /// Groups it is in.
    pub groups: &'a [&'a str],
    /// Properties, in the order they are written.
    pub properties: &'a [(&'a str, Variant)],
}

/// What a new node is.
#[derive(Clone, Debug)]
pub enum NodeSource<'a> {
    /// A node of a class.
    Class(&'a str),
    /// An instance of a scene, which is an external resource of the file.
    Instance(&'a ResourceId),
    /// Changes of a node that an instance or the base scene brings. Whether there is one is for
    /// the caller to know; the position is its place there.
    Override,
}

impl Scene {
    /// A file with nothing but a root.
    ///
    /// ```
    /// let scene = scenewright_godot::Scene::new("Main", "Node2D", None).unwrap();
    /// assert_eq!(scene.as_bytes(), b"[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node2D\"]\n");
    /// ```
    pub fn new(name: &str, class: &str, uid: Option<&str>) -> Result<Scene, ChangeError> {
        check_node_name(name)?;
        let uid = uid.map_or(String::new(), |uid| format!(" uid={}", path::quoted(uid)));
        let (name, class) = (path::quoted(name), path::quoted(class));
        let text = format!("[gd_scene format=3{uid}]\n\n[node name={name} type={class}]\n");
        Ok(Scene::parse(text))
    }

    /// Makes a node and returns its path.
    pub fn add_node(&mut self, new: &NewNode<'_>) -> Result<String, ChangeError> {
        self.document.check_writable()?;
        check_node_name(new.name)?;
        let parent = self.parent_path(new.parent)?;
        let path = path::join(&parent, new.name);
        if self.number(&path).is_some() {
            return Err(ChangeError::exists("node", path));
        }
        if let NodeSource::Instance(id) = new.source
            && self.document.ext_resource(id).is_none()
        {
            return Err(ChangeError::not_found("ext_resource", &*id.0));
        }
        if matches!(new.source, NodeSource::Override) && !self.has_foreign_children(&parent) {
            let message = format!("`{parent}` has no nodes from another scene to be changed");
            return Err(ChangeError::Refused(message));
        }
        let text = self.node_text(new, &parent);
        let after = self.place_of_child(&parent, new.position);
        let needed = new.properties.iter().map(|(_, value)| value.needed_format()).max();
        self.change(|document| {
            document.insert_after(after, &text)?;
            document.raise_format(needed.unwrap_or(3))
        })?;
        Ok(path)
    }

    /// Gives a node that an instance or the base scene brings a section in this file, in which it
    /// can be changed. `index` is its place among its siblings, which Godot writes there.
    pub fn add_override(&mut self, path: &str, index: usize) -> Result<(), ChangeError> {
        self.document.check_writable()?;
        if self.number(path).is_some() {
            return Ok(());
        }
        let missing = || ChangeError::not_found("node", path);
        let (parent, name) = path::split(path).ok_or_else(missing)?;
        let parent = self.parent_path(parent)?;
        if !self.has_foreign_children(&parent) {
            return Err(missing());
        }
        let (name, written) = (path::quoted(name), path::quoted(&parent));
        let text = format!("[node name={name} parent={written} index=\"{index}\"]");
        let is_behind = |node: &super::Node<'_>| {
            path::split(node.path()).is_some_and(|(above, _)| above == parent)
                && node.position().is_some_and(|place| place > index)
        };
        let behind = self.nodes().find(is_behind).map(|node| node.section().index());
        let after = match behind {
            Some(section) => section.saturating_sub(1),
            None => self.place_of_child(&parent, None),
        };
        self.change(|document| document.insert_after(after, &text))
    }

    /// A parent as it is written. One that is not in this file must be inside an instance.
    pub(super) fn parent_path(&self, path: &str) -> Result<String, ChangeError> {
        if let Some(node) = self.node(path) {
            return Ok(node.path().to_owned());
        }
        let clean = path::clean(path).into_owned();
        let mut above = &*clean;
        while let Some((parent, _)) = path::split(above) {
            if self.node(parent).is_some_and(|node| node.instance().is_some()) {
                return Ok(clean);
            }
            above = parent;
        }
        Err(ChangeError::not_found("node", path))
    }

    fn node_text(&self, new: &NewNode<'_>, parent: &str) -> String {
        let text = |value: &Variant| self.document.value_text(value);
        let mut tag = format!("[node name={}", path::quoted(new.name));
        if let NodeSource::Class(class) = new.source {
            tag += &format!(" type={}", path::quoted(class));
        }
        tag += &format!(" parent={}", path::quoted(parent));
        // Among nodes that come from elsewhere only a number tells the place.
        if let Some(position) = new.position.filter(|_| self.has_foreign_children(parent)) {
            tag += &format!(" index=\"{position}\"");
        }
        // An override would need the number of the node that it changes.
        let is_own = !matches!(new.source, NodeSource::Override);
        if let Some(id) = self.new_unique_id(&path::join(parent, new.name)).filter(|_| is_own) {
            tag += &format!(" unique_id={id}");
        }
        if !new.groups.is_empty() {
            let groups = new.groups.iter().map(|group| Variant::String((*group).into())).collect();
            tag += &format!(" groups={}", text(&Variant::Array(None, groups)));
        }
        if let NodeSource::Instance(id) = new.source {
            tag += &format!(" instance={}", text(&Variant::ExtResource(id.clone())));
        }
        tag += "]";
        for (key, value) in new.properties {
            tag += self.document.newline();
            tag += &self.document.property_line(key, &text(value));
        }
        tag
    }

    /// True when a node may have children that are not in this file.
    pub(super) fn has_foreign_children(&self, path: &str) -> bool {
        let node = self.node(path);
        node.is_none_or(|node| node.instance().is_some() || node.is_override())
    }

    /// A number for a new node, when the file has such numbers. The same file and path give the
    /// same one.
    pub(super) fn new_unique_id(&self, path: &str) -> Option<i64> {
        let used: Vec<i64> = self.nodes().filter_map(|node| node.unique_id()).collect();
        if used.is_empty() {
            return None;
        }
        let mut ids = (0..).map(|salt| (self.document.hash(path, salt) & 0x7fff_ffff) as i64);
        ids.find(|id| *id != 0 && !used.contains(id))
    }

    /// The section behind which a child belongs: behind all below its last sibling before it.
    pub(super) fn place_of_child(&self, parent: &str, position: Option<usize>) -> usize {
        let siblings: Vec<_> = self
            .nodes()
            .filter(|node| path::split(node.path()).is_some_and(|(above, _)| above == parent))
            .collect();
        let above = match position {
            Some(0) => None,
            Some(position) => siblings.get(position.min(siblings.len()).wrapping_sub(1)),
            None => siblings.last(),
        };
        let start = above.map_or(parent, |sibling| sibling.path());
        let last = match above {
            None if position == Some(0) => self.node(parent),
            _ => self.subtree(start).last(),
        };
        // A parent inside an instance may have nothing of its own in this file.
        let last = last.or_else(|| self.subtree(self.nearest(parent)).last());
        let last = last.or_else(|| self.nodes().last()).map(|node| node.section());
        let any = || self.document.sections().last();
        last.or_else(any).map_or(0, Section::index)
    }

    /// The path itself or what is above it, whichever is in this file.
    fn nearest<'a>(&self, path: &'a str) -> &'a str {
        let mut path = path;
        while self.node(path).is_none() {
            match path::split(path) {
                Some((parent, _)) => path = parent,
                None => break,
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_has_its_place_and_no_number_of_its_own() {
        let text = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"1\"]\n\n[node name=\"A\" unique_id=7 instance=ExtResource(\"1\")]\n";
        let mut scene = Scene::parse(text);
        let new = NewNode {
            name: "B",
            parent: ".",
            source: NodeSource::Override,
            position: Some(2),
            groups: &[],
            properties: &[("x", Variant::int(1))],
        };
        assert_eq!(scene.add_node(&new).as_deref(), Ok("B"));
        let added = String::from_utf8_lossy(&scene.as_bytes()[text.len()..]).into_owned();
        assert_eq!(added, "\n[node name=\"B\" parent=\".\" index=\"2\"]\nx = 1\n");
        assert!(scene.node("B").is_some_and(|node| node.is_override()));
    }
}
