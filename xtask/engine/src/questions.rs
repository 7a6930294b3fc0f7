//! What we read from files, put so that the engine can be asked about it.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use scenewright_godot::{
    Config, Connection, Document, Field, Form, Index, MentionKind, NodeState, ResourceId, Scene,
    Sources, Tree,
};
use serde::{Deserialize, Serialize};

use crate::sandbox::{Files, Sandbox};

/// What `engine_judge.gd` reads.
#[derive(Serialize)]
pub(crate) struct Questions {
    files: Vec<String>,
    values: Vec<Row>,
}

impl Questions {
    /// How many values are asked for.
    pub(crate) fn values(&self) -> usize {
        self.values.len()
    }
}

/// A value and where it stands.
#[derive(Serialize)]
struct Row {
    file: String,
    kind: Kind,
    /// The path of a node, the id of an inner resource or the name of a section; or nothing.
    place: String,
    key: String,
    /// As the engine reads it on its own: resources by their paths.
    text: String,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Node,
    Resource,
    Setting,
    Config,
}

/// A scene as either side makes it, each line a node or a connection.
#[derive(Debug, Default, PartialEq, Deserialize)]
pub(crate) struct Made {
    pub(crate) nodes: Vec<String>,
    pub(crate) connections: Vec<String>,
}

/// The questions about a project, and the scenes as we read them.
pub(crate) struct Expected {
    pub(crate) questions: Questions,
    pub(crate) scenes: BTreeMap<String, Made>,
    /// Nodes inside of which only the engine can look, by scene.
    pub(crate) opaque: BTreeMap<String, Vec<String>>,
}

pub(crate) fn ask(sandbox: &Sandbox, files: &Files) -> Result<Expected> {
    let index = Index::build(&sandbox.root(), None);
    let mut expected = Expected {
        questions: Questions {
            files: files.all.iter().map(|path| res(path)).collect(),
            values: vec![],
        },
        scenes: BTreeMap::new(),
        opaque: BTreeMap::new(),
    };
    for path in files.all.iter().filter(|path| path.ends_with(".tscn")).map(|path| res(path)) {
        let tree = Tree::build(&path, &index).with_context(|| format!("{path} is not indexed"))?;
        let bytes = index.read(&path).with_context(|| format!("{path} cannot be read"))?;
        let opaque = tree.nodes().iter().filter(|node| node.state == NodeState::Opaque);
        expected.opaque.insert(path.clone(), opaque.map(|node| node.path.clone()).collect());
        expected.scenes.insert(path, made(&tree, &Scene::parse(bytes)));
    }
    for path in &files.close {
        let bytes = fs::read(sandbox.root().join(path)).with_context(|| path.clone())?;
        expected.questions.values.extend(values(path, bytes, &index));
    }
    Ok(expected)
}

fn made(tree: &Tree, scene: &Scene) -> Made {
    let nodes = tree.nodes().iter().filter(|node| {
        // The engine leaves these out, and says so.
        !matches!(node.state, NodeState::Missing | NodeState::Cycle | NodeState::TooMuch)
    });
    let node = |node: &scenewright_godot::TreeNode| {
        format!("{}|{}", node.path, node.class.as_deref().unwrap_or("?"))
    };
    Made { nodes: nodes.map(node).collect(), connections: scene.connections().map(line).collect() }
}

fn line(connection: Connection<'_>) -> String {
    let new = connection.to_new();
    let (from, to) = (new.from.trim_start_matches("./"), new.to.trim_start_matches("./"));
    let (flags, unbinds, binds) = (new.flags, new.unbinds, new.binds.len());
    format!("{from}|{}|{to}|{}|{flags}|{unbinds}|{binds}", new.signal, new.method)
}

/// Every value of a file, unless it is no text of Godot's.
fn values(path: &str, bytes: Vec<u8>, index: &Index) -> Vec<Row> {
    match Form::of_path(path.as_ref()) {
        Some(Form::Config) => settings(path, &Config::parse(bytes)),
        Some(Form::Resource) => resource_values(path, Scene::parse(bytes), index),
        None => Vec::new(),
    }
}

fn settings(path: &str, config: &Config) -> Vec<Row> {
    let kind = if path == "project.godot" { Kind::Setting } else { Kind::Config };
    // What stands before the first section is about the file and not a setting of the engine.
    let entries = config.entries().filter(|(section, _)| !section.is_empty());
    let row = |(section, field): (std::borrow::Cow<'_, str>, Field<'_>)| Row {
        file: res(path),
        kind,
        place: section.into_owned(),
        key: field.key().into_owned(),
        text: field.value().raw().into_owned(),
    };
    entries.map(row).collect()
}

fn resource_values(path: &str, scene: Scene, index: &Index) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |kind: Kind, place: &str, field: Field<'_>| {
        rows.push(Row {
            file: res(path),
            kind,
            place: place.to_owned(),
            key: field.key().into_owned(),
            text: by_path(path, &scene, field, index),
        });
    };
    for inner in scene.sub_resources() {
        inner.0.properties().for_each(|field| add(Kind::Resource, &inner.id().0, field));
    }
    for field in scene.main_resource().into_iter().flat_map(|main| main.properties()) {
        add(Kind::Resource, "", field);
    }
    for node in scene.nodes() {
        node.properties().for_each(|field| add(Kind::Node, node.path(), field));
    }
    rows
}

/// The text of a value with `Resource("path")` for every resource that only its file can name.
fn by_path(path: &str, document: &Document, field: Field<'_>, index: &Index) -> String {
    let value = field.value();
    let text = value.raw().into_owned();
    let mut out = String::new();
    let mut done = 0;
    for mention in document.mentions_in(value.span()) {
        let id = ResourceId(mention.text.into_owned());
        let (word, target) = match mention.kind {
            MentionKind::ExtResource => ("ExtResource", external(document, &id, index)),
            MentionKind::SubResource => ("SubResource", Some(format!("{}::{id}", res(path)))),
            _ => continue,
        };
        let (start, end) =
            (mention.span.start - value.span().start, mention.span.end - value.span().start);
        let (Some(target), Some(from)) = (target, text[done..start].rfind(word)) else { continue };
        let Some(length) = text[end..].find(')') else { continue };
        out += &format!("{}Resource(\"{target}\")", &text[done..done + from]);
        done = end + length + 1;
    }
    out + &text[done..]
}

fn external(document: &Document, id: &ResourceId, index: &Index) -> Option<String> {
    let found = document.ext_resource(id)?;
    let known = found.uid().and_then(|uid| index.find_uid(&uid));
    Some(known.unwrap_or_else(|| found.path().into_owned()))
}

fn res(path: &str) -> String {
    format!("res://{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_named_by_their_paths() {
        let scene = Scene::parse(
            r#"[gd_scene format=3]
[ext_resource type="Script" path="res://a.gd" id="1_a"]
[sub_resource type="Gradient" id="G"]
[node name="Root" type="Node"]
x = [ExtResource("1_a"), {"k": SubResource( "G" )}, NodePath("G")]
"#,
        );
        let index = Index::build("no such folder".as_ref(), None);
        let field = scene.root().and_then(|root| root.properties().next()).expect("it has one");
        assert_eq!(
            by_path("b.tscn", &scene, field, &index),
            r#"[Resource("res://a.gd"), {"k": Resource("res://b.tscn::G")}, NodePath("G")]"#
        );
    }
}
