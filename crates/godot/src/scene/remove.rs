//! A node taken away, and what still points to it.

use super::{Scene, path};
use crate::{ChangeError, Document, Section, Variant};

/// What went with a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Nodes, the one itself included.
    pub nodes: Vec<String>,
    /// Connections from and to them.
    pub connections: usize,
    /// Node paths that still lead to them.
    pub dangling: Vec<Dangling>,
}

/// A node path that leads to nothing now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// The node or the inner resource that holds it.
    pub holder: String,
    /// The path as written.
    pub path: String,
    /// The line of the holder, from 1.
    pub line: usize,
}

/// Writes the places that nodes have among their siblings.
pub(super) fn set_places(
    document: &mut Document,
    places: &[(usize, usize)],
) -> Result<(), ChangeError> {
    for (section, place) in places {
        document.set_attribute(*section, "index", &Variant::String(place.to_string()))?;
    }
    Ok(())
}

impl Scene {
    /// Removes a node with all below it, their connections, and the shown instances among them.
    pub fn remove_node(&mut self, node: &str) -> Result<Removed, ChangeError> {
        let target = self.expect_node(node)?.path().to_owned();
        if target == "." {
            return Err(ChangeError::Refused("the root cannot be removed".into()));
        }
        let mut removed = Removed { dangling: self.dangling(&target), ..Removed::default() };
        let mut indexes = Vec::new();
        for node in self.subtree(&target) {
            indexes.push(node.section().index());
            removed.nodes.push(node.path().to_owned());
        }
        let is_gone = |path: &str| path::is_within(&path::clean(path), &target);
        for connection in self.connections() {
            if is_gone(&connection.from()) || is_gone(&connection.to()) {
                indexes.push(connection.0.index());
                removed.connections += 1;
            }
        }
        let editables = self
            .sections_named("editable")
            .filter(|section| section.attribute_text("path").is_some_and(|path| is_gone(&path)));
        indexes.extend(editables.map(Section::index));
        let behind = self.places_behind(&target);
        self.change(|document| {
            set_places(document, &behind)?;
            document.remove_sections(&indexes)
        })?;
        Ok(removed)
    }

    /// The sections of this file's own siblings behind a node, and the places that they have once
    /// it is gone. Only where nodes of another scene are among them do they tell their places, and
    /// would slip behind the next of those otherwise.
    pub(super) fn places_behind(&self, node: &str) -> Vec<(usize, usize)> {
        let place = self.nodes().find(|found| found.path() == node).and_then(|it| it.position());
        match (place, path::split(node)) {
            (Some(place), Some((parent, _))) => self.shifted_places(parent, place, -1),
            _ => Vec::new(),
        }
    }

    /// Lets the nodes of this file move up that stand behind a place below a node: what stood there
    /// goes, in a scene that this one is made of.
    pub fn close_place(&mut self, parent: &str, place: usize) -> Result<(), ChangeError> {
        let behind = self.shifted_places(parent, place, -1);
        self.change(|document| set_places(document, &behind))
    }

    /// Lets the nodes of this file move down that stand behind a place below a node: something comes
    /// there, in a scene that this one is made of.
    pub fn open_place(&mut self, parent: &str, place: usize) -> Result<(), ChangeError> {
        let behind = self.shifted_places(parent, place, 1);
        self.change(|document| set_places(document, &behind))
    }

    fn shifted_places(&self, parent: &str, place: usize, by: isize) -> Vec<(usize, usize)> {
        let siblings = self.nodes().filter(|other| {
            !other.is_override()
                && path::split(other.path()).is_some_and(|(above, _)| above == parent)
        });
        let behind = siblings.filter_map(|other| {
            let now = other.position().filter(|now| *now > place)?;
            Some((other.section().index(), now.saturating_add_signed(by)))
        });
        behind.collect()
    }

    /// Node paths outside of a subtree that lead into it.
    pub fn dangling(&self, target: &str) -> Vec<Dangling> {
        let mut dangling = Vec::new();
        for found in self.path_uses() {
            let leads_there = |base: &String| {
                !path::is_within(base, target)
                    && self
                        .find_target(base, &found.text)
                        .is_some_and(|to| path::is_within(&to, target))
            };
            if !found.bases.iter().any(leads_there) {
                continue;
            }
            let node = self.nodes().find(|node| node.section().index() == found.section);
            let section = self.document.section(found.section);
            let holder = match node {
                Some(node) => node.path().to_owned(),
                None => {
                    let id = section.and_then(|section| section.attribute_text("id"));
                    id.unwrap_or_default().into_owned()
                }
            };
            let line = section.map_or(1, Section::line);
            dangling.push(Dangling { holder, path: found.text, line });
        }
        dangling
    }

    /// Where a node path leads from a node, unique names included; nothing when that is not known
    /// from this file.
    pub fn find_target(&self, base: &str, text: &str) -> Option<String> {
        let names = text.split(':').next().unwrap_or_default();
        let Some((unique, rest)) =
            names.strip_prefix('%').map(|names| names.split_once('/').unwrap_or((names, ".")))
        else {
            return path::resolve_path(base, names);
        };
        let node = self.nodes().find(|node| node.has_unique_name() && node.name() == unique)?;
        path::resolve_path(node.path(), rest)
    }
}
