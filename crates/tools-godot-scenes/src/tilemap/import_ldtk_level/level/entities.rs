//! Entities as nodes.

use std::collections::BTreeMap;

use scenewright_contract::ToolError;
use scenewright_godot::{Document, Variant};
use scenewright_tools_godot::base::{Expected, Godot};
use serde_json::Value;

use super::super::Mapping;
use super::super::read::{Field, Layer};
use super::{Kind, Writer, canvas_properties, vector};

/// Values of fields that nest deeper are left out.
const MAX_DEPTH: usize = 16;

/// What each entity becomes.
pub(super) struct Entities {
    mapped: BTreeMap<String, Mapped>,
}

struct Mapped {
    kind: Kind,
    /// Whether nodes of this class have a place.
    has_position: bool,
    properties: Vec<(String, Variant)>,
}

impl Entities {
    /// Looks at the mapping once; the resources it needs are added to the document.
    pub(super) fn new(
        godot: &Godot<'_>,
        mapping: &[Mapping],
        document: &mut Document,
    ) -> Result<Self, ToolError> {
        let mut mapped = BTreeMap::new();
        for one in mapping {
            mapped.insert(one.ldtk_identifier.clone(), map(godot, one, document)?);
        }
        Ok(Self { mapped })
    }

    /// A node for every entity of a layer, below one for the layer.
    pub(super) fn add(&mut self, writer: &mut Writer, layer: &Layer) {
        let properties = canvas_properties(layer);
        let parent = writer.add(&layer.identifier, ".", Kind::Class("Node2D"), properties);
        for entity in &layer.entity_instances {
            let mapped = self.mapped.get(&entity.identifier);
            let kind = match mapped.map(|mapped| &mapped.kind) {
                Some(Kind::Class(class)) => Kind::Class(class),
                Some(Kind::Instance(scene)) => Kind::Instance(scene.clone()),
                None => Kind::Class("Marker2D"),
            };
            let mut properties = Vec::new();
            if mapped.is_none_or(|mapped| mapped.has_position) {
                let place = vector(entity.px.0, entity.px.1);
                properties.push(("position".to_owned(), place));
            }
            let own = mapped.map(|mapped| mapped.properties.clone()).unwrap_or_default();
            properties.retain(|(key, _)| own.iter().all(|(other, _)| other != key));
            properties.extend(own);
            if !entity.iid.is_empty() {
                let iid = Variant::String(entity.iid.clone());
                properties.push(("metadata/ldtk_iid".to_owned(), iid));
            }
            if entity.width > 0.0 && entity.height > 0.0 {
                let size = vector(entity.width, entity.height);
                properties.push(("metadata/ldtk_size".to_owned(), size));
            }
            add_fields(&mut properties, &entity.field_instances);
            writer.add(&entity.identifier, &parent, kind, properties);
            writer.built.entities += 1;
        }
    }
}

fn map(godot: &Godot<'_>, one: &Mapping, document: &mut Document) -> Result<Mapped, ToolError> {
    let wanted = one.godot_node_type.as_str();
    let is_scene = wanted.contains("://") || wanted.ends_with(".tscn");
    let (kind, class, script) = match is_scene {
        false => {
            let class = godot.class_below(wanted, "Node")?;
            (Kind::Class(class), class.to_owned(), None)
        }
        true => {
            let id = godot.reference(document, wanted, "PackedScene")?;
            let tree = godot.tree(&godot.path(wanted)?).unwrap_or_default();
            let root = tree.root();
            let class = root.and_then(|root| root.class.clone()).unwrap_or("Node2D".to_owned());
            (Kind::Instance(Variant::ExtResource(id)), class, root.and_then(|root| root.script()))
        }
    };
    let of = Expected { class: &class, script: script.as_deref() };
    let properties = godot.values(document, of, &one.properties)?;
    let classes = godot.classes();
    Ok(Mapped {
        kind,
        has_position: ["Node2D", "Control"].iter().any(|base| classes.inherits(&class, base)),
        properties: properties.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
    })
}

/// Fields as one dictionary of metadata.
pub(super) fn add_fields(properties: &mut Vec<(String, Variant)>, fields: &[Field]) {
    if fields.is_empty() {
        return;
    }
    let pairs = fields
        .iter()
        .map(|field| (Variant::String(field.identifier.clone()), variant(&field.value, 0)));
    let fields = Variant::Dictionary(None, pairs.collect());
    properties.push(("metadata/ldtk_fields".to_owned(), fields));
}

fn variant(value: &Value, depth: usize) -> Variant {
    match value {
        Value::Bool(truth) => Variant::Bool(*truth),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Variant::int(whole),
            None => Variant::float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Variant::String(text.clone()),
        Value::Array(items) if depth < MAX_DEPTH => {
            Variant::Array(None, items.iter().map(|item| variant(item, depth + 1)).collect())
        }
        Value::Object(members) if depth < MAX_DEPTH => Variant::Dictionary(
            None,
            members
                .iter()
                .map(|(key, value)| (Variant::String(key.clone()), variant(value, depth + 1)))
                .collect(),
        ),
        _ => Variant::Nil,
    }
}
