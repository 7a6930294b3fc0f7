//! Keeps what points to nodes pointing there when paths change.

use super::{Scene, path};
use crate::{ChangeError, Section, Variant, syntax::escape_all};
use scenewright_text::Edits;

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
    /// The old and the new name where nodes are found by unique names.
    pub(super) unique: bool,
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
    fn repoint(&self, base: &str, text: &str) -> Option<String> {
        let names = text.split(':').next().unwrap_or_default();
        let rest = &text[names.len()..];
        if self.unique && names.contains('%') {
            return self.rename_unique(names).map(|names| names + rest);
        }
        let target = path::resolve_path(base, names)?;
        let new_base = self.map(base).unwrap_or_else(|| base.to_owned());
        let new_target = self.map(&target).unwrap_or_else(|| target.clone());
        let leads_there =
            |names: &str| path::resolve_path(&new_base, names).as_deref() == Some(&*new_target);
        if names.is_empty() || leads_there(names) {
            return None;
        }
        let renamed = self.rename_steps(base, names);
        let names = match leads_there(&renamed) {
            true => renamed,
            false => path::relative_path(&new_base, &new_target),
        };
        Some(names + rest)
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

    fn rename_unique(&self, names: &str) -> Option<String> {
        let (old, new) = self.names();
        let is_old = |step: &str| step.strip_prefix('%') == Some(old);
        if old == new || !names.split('/').any(is_old) {
            return None;
        }
        let steps = names.split('/').map(|step| match is_old(step) {
            true => format!("%{new}"),
            false => step.to_owned(),
        });
        Some(steps.collect::<Vec<_>>().join("/"))
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
            let new: Vec<_> =
                found.bases.iter().map(|base| relocation.repoint(base, &found.text)).collect();
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
