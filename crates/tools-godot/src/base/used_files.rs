//! Paths to nodes in the resource files that a scene uses, such as libraries of animations: text
//! files and binary ones, through each other too.

use std::collections::BTreeSet;

use scenewright_godot::{
    BinaryResource, Document, FileEntry, FileKind, Form, MentionKind, Sources, UseKind,
};
use scenewright_toolkit::door::ProjectPath;

use crate::base::followers::names;
use crate::base::{Godot, Leftover};

/// More files than one scene uses; what is behind them is not looked at.
const MAX_FILES: usize = 1000;

/// Paths in the resource files that a scene uses and that name a node which changed.
pub fn in_resources(
    godot: &Godot<'_>,
    scene: &ProjectPath,
    changed: &str,
    found: &mut BTreeSet<Leftover>,
) {
    let name = changed.rsplit('/').next().unwrap_or(changed);
    let Some(scene) = godot.index.by_path(scene.as_str()) else { return };
    let mut seen = BTreeSet::new();
    let mut waiting = used(godot, scene);
    while let Some(path) = waiting.pop() {
        let Some(file) = godot.index.by_path(&path) else { continue };
        if seen.len() >= MAX_FILES || !seen.insert(path) {
            continue;
        }
        if file.kind == FileKind::Resource {
            in_text(godot, file, name, found);
            waiting.extend(used(godot, file));
        } else if file.path.ends_with(".res") {
            waiting.extend(in_binary(godot, file, name, found));
        }
    }
}

fn used(godot: &Godot<'_>, file: &FileEntry) -> Vec<String> {
    let used = file.uses.iter().filter(|used| used.kind == UseKind::ExtResource);
    used.filter_map(|used| godot.index.target_of(used)).map(|file| file.path.clone()).collect()
}

fn in_text(godot: &Godot<'_>, file: &FileEntry, name: &str, found: &mut BTreeSet<Leftover>) {
    let Some(bytes) = Sources::read(godot, &file.res_path()) else { return };
    let document = Document::parse(bytes, Form::Resource);
    let paths = document.mentions().filter(|mention| mention.kind == MentionKind::NodePath);
    for mention in paths.filter(|mention| names(&mention.text, name)) {
        let line = document.position(mention.span.start).0;
        found.insert(Leftover { file: file.path.clone(), line, text: mention.text.into_owned() });
    }
}

/// Those of a binary file, which nobody here rewrites; returns the files that it uses itself.
fn in_binary(
    godot: &Godot<'_>,
    file: &FileEntry,
    name: &str,
    found: &mut BTreeSet<Leftover>,
) -> Vec<String> {
    let mut tell = |text: String| {
        found.insert(Leftover { file: file.path.clone(), line: 0, text });
    };
    let bytes = Sources::read(godot, &file.res_path());
    let read =
        bytes.ok_or("it cannot be read".to_owned()).and_then(|bytes| BinaryResource::parse(&bytes));
    match read {
        Ok(resource) => {
            let paths = resource.node_paths.into_iter().filter(|path| names(&path.path, name));
            paths.for_each(|path| tell(path.path));
            let local = |path: String| path.strip_prefix("res://").map(str::to_owned);
            resource.files.into_iter().filter_map(local).collect()
        }
        Err(why) => {
            tell(format!("not looked at: {why}"));
            Vec::new()
        }
    }
}
