//! The parts of `extension_api.json` and of our property dump that the table is made of.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Api {
    pub(super) header: Header,
    pub(super) global_constants: Vec<Constant>,
    pub(super) global_enums: Vec<Enum>,
    pub(super) utility_functions: Vec<Named>,
    pub(super) builtin_classes: Vec<Named>,
    pub(super) classes: Vec<Class>,
    pub(super) singletons: Vec<Argument>,
}

#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) version_major: u32,
    pub(super) version_minor: u32,
}

#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) name: String,
}

#[derive(Deserialize)]
pub(super) struct Class {
    pub(super) name: String,
    #[serde(default)]
    pub(super) inherits: String,
    pub(super) is_instantiable: bool,
    pub(super) api_type: String,
    #[serde(default)]
    pub(super) properties: Vec<Property>,
    #[serde(default)]
    pub(super) signals: Vec<Signal>,
    #[serde(default)]
    pub(super) methods: Vec<Method>,
    #[serde(default)]
    pub(super) enums: Vec<Enum>,
    #[serde(default)]
    pub(super) constants: Vec<Constant>,
}

#[derive(Deserialize)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) r#type: String,
    #[serde(default)]
    pub(super) getter: String,
    pub(super) setter: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Signal {
    pub(super) name: String,
    #[serde(default)]
    pub(super) arguments: Vec<Argument>,
}

#[derive(Deserialize)]
pub(super) struct Method {
    pub(super) name: String,
    #[serde(default)]
    pub(super) arguments: Vec<Argument>,
    pub(super) return_value: Option<Return>,
    pub(super) is_const: bool,
    pub(super) is_static: bool,
    pub(super) is_vararg: bool,
    pub(super) is_virtual: bool,
}

#[derive(Deserialize)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) r#type: String,
    pub(super) default_value: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Return {
    pub(super) r#type: String,
}

#[derive(Deserialize)]
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) is_bitfield: bool,
    pub(super) values: Vec<Constant>,
}

#[derive(Deserialize)]
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) value: i64,
}

/// What `godot_properties.gd` tells of one class.
#[derive(Deserialize)]
pub(super) struct PropertyFacts {
    pub(super) own: Vec<Row>,
    /// Properties that an instance lists beyond those of its class.
    #[serde(default)]
    pub(super) added: Vec<Row>,
    /// Default values as text, inherited properties included.
    #[serde(default)]
    pub(super) defaults: BTreeMap<String, String>,
}

#[derive(Clone, Deserialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) r#type: String,
    pub(super) class: String,
    pub(super) hint: u32,
    pub(super) hint_text: String,
    pub(super) usage: u32,
}
