//! What a hierarchy shows, told by names alone: two files that show the same tell the same, whatever
//! ids they have and whichever of them state the values. Changes of form are judged by it.

use std::collections::HashMap;

use super::{Component, Data, Effective, Hierarchy, Node, Target};

/// Fields that make the hierarchy, or tell of the file and not of what it shows.
const FORM: [&str; 14] = [
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "m_GameObject",
    "m_Father",
    "m_Children",
    "m_RootOrder",
    "m_Component",
    "serializedVersion",
    "m_EditorHideFlags",
    "m_ConstrainProportionsScale",
];

impl Hierarchy {
    /// A line for each object in order, for each of its components, and for each value of those.
    pub fn portrait(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut objects = self.objects();
        while let Some(node) = objects.next() {
            let path = objects.path();
            match node.opaque() {
                Some(why) => lines.push(format!("{path}: {why}")),
                None => lines.push(path.clone()),
            }
            for (key, value) in node.fields().filter(|(key, _)| !FORM.contains(&key.as_str())) {
                tell(&format!("{path} {key}"), "", &value, &HashMap::new(), &mut lines);
            }
            for (at, component) in node.components().iter().enumerate() {
                component.tell(&format!("{path} {at}:{}", component.class_name()), &mut lines);
            }
        }
        lines
    }
}

impl Component<'_> {
    fn tell(&self, label: &str, lines: &mut Vec<String>) {
        lines.push(label.to_owned());
        let links = self.references().into_iter();
        let links = links.map(|link| (link.path, named(&link.target))).collect();
        for (key, value) in self.fields().filter(|(key, _)| !FORM.contains(&key.as_str())) {
            tell(label, &key, &value, &links, lines);
        }
    }
}

fn tell(
    label: &str,
    path: &str,
    value: &Effective,
    links: &HashMap<String, String>,
    lines: &mut Vec<String>,
) {
    match &value.data {
        // A list without items is written as a text; an item that is set where no list is makes one.
        Data::Text(text) if text == "[]" => {}
        Data::List(items) if items.is_empty() => {}
        // A zero has two spellings, which are one value.
        Data::Text(text) if text == "-0" => lines.push(format!("{label} {path} = 0")),
        Data::Text(text) => lines.push(format!("{label} {path} = {text}")),
        Data::Reference(to) => {
            let named = links.get(path).cloned();
            let named = named.unwrap_or_else(|| format!("{:?} {}", to.guid, to.file_id));
            lines.push(format!("{label} {path} = {named}"));
        }
        Data::List(items) => {
            lines.push(format!("{label} {path} = {} items", items.len()));
            for (at, item) in items.iter().enumerate() {
                tell(label, &format!("{path}.Array.data[{at}]"), item, links, lines);
            }
        }
        Data::Map(fields) => {
            for (key, value) in fields.iter().filter(|(key, _)| key != "serializedVersion") {
                tell(label, &format!("{path}.{key}"), value, links, lines);
            }
        }
    }
}

/// What a reference leads to, by names.
fn named(target: &Target<'_>) -> String {
    let at = |component: &Component<'_>| {
        let components = component.node().components();
        components.iter().position(|other| other == component).unwrap_or(components.len())
    };
    match target {
        Target::Null | Target::BrokenLocal { .. } => "nothing".to_owned(),
        Target::Node(node) => node.path(),
        Target::Component(held) => {
            format!("{} {}:{}", Node::path(held.node()), at(held), held.class_name())
        }
        Target::Opaque(node) => format!("something in {}", node.path()),
        Target::Object { file, file_id } => format!("{file} {file_id}"),
        Target::OtherAsset { guid, file_id } => format!("{guid} {file_id}"),
    }
}
