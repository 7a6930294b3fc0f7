//! What must hold in a file of Godot: ids that are declared once, parents and ends of connections
//! that are there.

use std::collections::HashSet;

use scenewright_godot::{Document, MentionKind, resolve_path};

use super::{key_of, node_path};
use crate::verify::{Breach, Finding, Touched};

/// What is wrong in a file: all of it, or what can be wrong because of what was touched.
pub(crate) fn findings(document: &Document, touched: Option<&Touched>) -> HashSet<Finding> {
    let mut found = HashSet::new();
    let keys: Vec<String> =
        document.sections().map(|section| key_of(document.form(), section)).collect();
    let mut declared: HashSet<&str> = HashSet::with_capacity(keys.len());
    let mut instances: HashSet<&str> = HashSet::new();
    for (section, key) in document.sections().zip(&keys) {
        let node = key.strip_prefix("node ");
        let is_unique = node.is_some() || key.starts_with("ext ") || key.starts_with("sub ");
        if !declared.insert(key) && is_unique {
            found.insert(Finding::of(Breach::Twice, key, ""));
        }
        let brings = section.attribute("instance").is_some()
            || section.attribute("instance_placeholder").is_some();
        instances.extend(node.filter(|_| brings));
    }
    let is_there = |path: &str| {
        // What an instance brings is not written here.
        declared.contains(["node ", path].concat().as_str())
            || instances.contains(".")
            || path.match_indices('/').any(|(end, _)| instances.contains(&path[..end]))
    };
    // Where nothing went, only what changed can lead to what is not there.
    let changed = touched.filter(|touched| touched.gone.is_empty()).map(|touched| &touched.changed);
    for (section, key) in document.sections().zip(&keys) {
        if changed.is_some_and(|changed| !changed.contains(key)) {
            continue;
        }
        for mention in section.mentions() {
            let kind = match mention.kind {
                MentionKind::ExtResource => "ext",
                MentionKind::SubResource => "sub",
                MentionKind::NodePath if section.is_named("node") => {
                    let target = resolve_path(&node_path(section), &mention.text);
                    if let Some(target) = target.filter(|target| !is_there(target)) {
                        let target = format!("node {target}");
                        found.insert(Finding::of(Breach::Dangling, key, &target));
                    }
                    continue;
                }
                _ => continue,
            };
            let target = format!("{kind} {}", mention.text);
            if !declared.contains(target.as_str()) {
                found.insert(Finding::of(Breach::Dangling, key, &target));
            }
        }
        let ends: &[&str] = match &*section.name() {
            "node" => &["parent"],
            "connection" => &["from", "to"],
            "editable" => &["path"],
            _ => &[],
        };
        for end in ends {
            let Some(path) = section.attribute_text(end) else { continue };
            let path = resolve_path(".", &path).unwrap_or_else(|| path.into_owned());
            if !is_there(&path) {
                let breach = if *end == "parent" { Breach::Orphan } else { Breach::Dangling };
                found.insert(Finding::of(breach, key, &format!("node {path}")));
            }
        }
    }
    found
}
