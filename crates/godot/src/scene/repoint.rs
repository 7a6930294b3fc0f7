//! Keeps what points to nodes pointing there when paths change.

use scenewright_text::Edits;

use super::{Scene, path};
use crate::syntax::escape_all;
use crate::{ChangeError, Section, Variant};

/// What was changed so that it still points to the same nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repointed {
    /// `parent` and `owner` attributes of nodes.
    pub nodes: usize,
    /// Ends of connections.
    pub connections: usize,
    /// Node paths in values, tracks of animations included.
    pub paths: usize,
    /// Instances with shown children.
    pub editables: usize,
    /// Node paths that name what changed, but from where is not known; they were left alone.
    pub unsure: Vec<String>,
}

/// The new path of a node and of all below it.
pub(super) struct Relocation<'a> {
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    /// For a node with a unique name, the root of the scene in which it is found by that.
    pub(super) unique: Option<&'a str>,
}

impl Relocation<'_> {
    fn map(&self, path: &str) -> Option<String> {
        let path = path::clean(path);
        if self.from == "." || !path::is_within(&path, self.from) {
            return None;
        }
        Some(format!("{}{}", self.to, &path[self.from.len()..]))
    }

    fn names(&self) -> (&str, &str) {
        let name = |path| path::split(path).map_or(path, |(_, name)| name);
        (name(self.from), name(self.to))
    }

    /// The text of a node path after the change; nothing when it stays.
    fn repoint(&self, scene: &Scene, base: &str, text: &str) -> Option<String> {
        let names = text.split(':').next().unwrap_or_default();
        let rest = &text[names.len()..];
        let new = match names.contains('%') {
            true => self.repoint_unique(scene, base, names),
            false => self.repoint_names(base, names),
        };
        new.map(|names| names + rest)
    }

    fn repoint_names(&self, base: &str, names: &str) -> Option<String> {
        let Some(target) = path::resolve_path(base, names) else {
            return self.repoint_above(base, names);
        };
        let new_base = self.map(base).unwrap_or_else(|| base.to_owned());
        let new_target = self.map(&target).unwrap_or_else(|| target.clone());
        let leads_there =
            |names: &str| path::resolve_path(&new_base, names).as_deref() == Some(&*new_target);
        if names.is_empty() || leads_there(names) {
            return None;
        }
        let renamed = self.rename_steps(base, names);
        Some(match leads_there(&renamed) {
            true => renamed,
            false => path::relative_path(&new_base, &new_target),
        })
    }

    /// A path that leads out of the scene: whoever has this scene in theirs is as far above its root
    /// as before, when the node is deeper in it or less deep.
    fn repoint_above(&self, base: &str, names: &str) -> Option<String> {
        let new_base = self.map(base)?;
        let (depth, new_depth) = (path::parts(base).count(), path::parts(&new_base).count());
        let ups = path::parts(names).take_while(|step| *step == "..").count();
        if names.starts_with('/') || ups <= depth || depth == new_depth {
            return None;
        }
        let up = std::iter::repeat_n("..", ups - depth + new_depth);
        Some(path::of_parts(&up.chain(path::parts(names).skip(ups)).collect::<Vec<_>>()))
    }

    /// The path with the new name where it passes the node, otherwise as written.
    fn rename_steps(&self, base: &str, names: &str) -> String {
        let (_, new) = self.names();
        let mut walked = base.to_owned();
        let steps = names.split('/').map(|step| {
            walked = path::resolve_path(&walked, step).unwrap_or_default();
            let is_name = !matches!(step, "" | "." | "..");
            if is_name && walked == self.from { new } else { step }
        });
        steps.collect::<Vec<_>>().join("/")
    }

    /// A path with a unique name: that name may change, or what follows it.
    fn repoint_unique(&self, scene: &Scene, base: &str, names: &str) -> Option<String> {
        let renamed = self.rename_unique(scene, base, names);
        let now = renamed.as_deref().unwrap_or(names);
        let Some((unique, rest)) =
            now.split_once('/').filter(|(head, rest)| head.starts_with('%') && !rest.contains('%'))
        else {
            return renamed;
        };
        let holder = match renamed {
            Some(_) => Some(self.from.to_owned()),
            None => scene.find_target(base, unique),
        };
        match holder.and_then(|holder| self.repoint_names(&holder, rest)) {
            // A way back out of the holder would be no better than the path itself.
            Some(rest) if !rest.starts_with("..") => Some(format!("{unique}/{rest}")),
            _ => renamed,
        }
    }

    fn rename_unique(&self, scene: &Scene, base: &str, names: &str) -> Option<String> {
        let owner = self.unique?;
        let (old, new) = self.names();
        let steps: Vec<&str> = names.split('/').collect();
        let at = steps.iter().position(|step| step.strip_prefix('%') == Some(old))?;
        let is_the_one = match at {
            0 => owner == ".",
            // What stands before it tells in which scene the name is looked up.
            _ => {
                let before = path::resolve_path(base, &steps[..at].join("/"))?;
                let is_other = |node: super::Node<'_>| node.instance().is_some();
                path::is_within(&before, owner)
                    && (owner != "." || before == "." || !scene.node(&before).is_some_and(is_other))
            }
        };
        if old == new || !is_the_one {
            return None;
        }
        let unique = format!("%{new}");
        let step =
            |(index, step): (usize, &&str)| if index == at { &*unique } else { *step }.to_owned();
        Some(steps.iter().enumerate().map(step).collect::<Vec<_>>().join("/"))
    }
}

impl Scene {
    /// Repoints everything but the name of the node itself.
    pub(super) fn repoint(
        &self,
        relocation: &Relocation<'_>,
        edits: &mut Edits,
    ) -> Result<Repointed, ChangeError> {
        let mut done = Repointed::default();
        for node in self.nodes() {
            for key in ["parent", "owner"] {
                // The node's own parent is its mover's affair.
                let is_own = key == "parent" && node.path() == relocation.from;
                let count = usize::from(
                    !is_own && self.map_attribute(node.section(), key, relocation, edits)?,
                );
                done.nodes += count;
            }
        }
        for connection in self.connections() {
            for key in ["from", "to"] {
                done.connections +=
                    usize::from(self.map_attribute(connection.0, key, relocation, edits)?);
            }
        }
        for section in self.sections_named("editable") {
            done.editables += usize::from(self.map_attribute(section, "path", relocation, edits)?);
        }
        self.repoint_values(relocation, edits, &mut done);
        Ok(done)
    }

    fn map_attribute(
        &self,
        section: Section<'_>,
        key: &str,
        relocation: &Relocation<'_>,
        edits: &mut Edits,
    ) -> Result<bool, ChangeError> {
        let Some(value) = section.attribute(key) else { return Ok(false) };
        let decoded = value.decode();
        let Some(new) = decoded.as_str().and_then(|path| relocation.map(path)) else {
            return Ok(false);
        };
        // Godot 3 sometimes has `NodePath("…")` here, which stays one.
        let new = match decoded {
            Variant::NodePath(_) => Variant::NodePath(new),
            _ => Variant::String(new),
        };
        self.document.edit_attribute(section, key, Some(&self.document.value_text(&new)), edits)?;
        Ok(true)
    }

    fn repoint_values(&self, relocation: &Relocation<'_>, edits: &mut Edits, done: &mut Repointed) {
        for found in self.path_uses() {
            let new: Vec<_> = found
                .bases
                .iter()
                .map(|base| relocation.repoint(self, base, &found.text))
                .collect();
            let (name, _) = relocation.names();
            match new.first() {
                // What several nodes share can only follow when it does so for all.
                Some(Some(first)) if new.iter().all(|other| other.as_ref() == Some(first)) => {
                    edits.replace(found.span, format!("\"{}\"", escape_all(first)));
                    done.paths += 1;
                }
                Some(_) if new.iter().all(Option::is_none) => {}
                None if !path::parts(&found.text)
                    .any(|part| part.split(':').next() == Some(name)) => {}
                _ => done.unsure.push(found.text),
            }
        }
    }
}
