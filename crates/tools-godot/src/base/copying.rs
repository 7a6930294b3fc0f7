//! Resources from one file in another.

use std::collections::HashMap;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{Document, ResourceId, TypeName, Variant, absolute_path};

use crate::base::refused;

/// Resources in resources, and values in values.
const MAX_DEPTH: usize = 64;

/// Copies values with the resources that they name. What was copied once is shared.
pub struct Copier<'a> {
    target: &'a mut Document,
    /// New ids of inner resources, by file and id.
    known: HashMap<(String, String), ResourceId>,
}

impl<'a> Copier<'a> {
    /// Copies into this file.
    pub fn new(target: &'a mut Document) -> Self {
        Self { target, known: HashMap::new() }
    }

    /// A value of the file at a `res://` path, as the target can hold it.
    pub fn copy(
        &mut self,
        source: &Document,
        file: &str,
        value: &Variant,
    ) -> Result<Variant, ToolError> {
        self.value(source, file, value, 0)
    }

    /// A copy of an inner resource of the source with one property changed.
    pub fn copy_with(
        &mut self,
        source: &Document,
        file: &str,
        id: &ResourceId,
        key: &str,
        value: Variant,
    ) -> Result<Variant, ToolError> {
        let (class, mut properties) = self.properties(source, file, id, 0)?;
        match properties.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => *known = value,
            None => properties.push((key.to_owned(), value)),
        }
        self.make(&class, &properties).map(Variant::SubResource)
    }

    fn value(
        &mut self,
        source: &Document,
        file: &str,
        value: &Variant,
        depth: usize,
    ) -> Result<Variant, ToolError> {
        if depth > MAX_DEPTH {
            return Err(ToolError::new(
                ErrorKind::EngineError,
                format!("{file} has resources nested more than {MAX_DEPTH} deep"),
            ));
        }
        let mut deeper = |value: &Variant| self.value(source, file, value, depth + 1);
        Ok(match value {
            Variant::Array(name, items) => {
                let items = items.iter().map(deeper).collect::<Result<_, _>>()?;
                Variant::Array(name.clone().filter(is_plain), items)
            }
            Variant::Dictionary(names, pairs) => {
                let pairs = pairs.iter().map(|(key, value)| Ok((deeper(key)?, deeper(value)?)));
                let pairs = pairs.collect::<Result<_, ToolError>>()?;
                let names = names.clone().filter(|(key, value)| is_plain(key) && is_plain(value));
                Variant::Dictionary(names, pairs)
            }
            Variant::ExtResource(id) => {
                let found = source.ext_resource(id).ok_or_else(|| missing(file, id))?;
                let path = absolute_path(file, &found.path());
                let id =
                    self.target.add_ext_resource(&found.class(), &path, found.uid().as_deref());
                Variant::ExtResource(id.map_err(refused)?)
            }
            Variant::SubResource(id) => {
                let key = (file.to_owned(), id.0.clone());
                if let Some(known) = self.known.get(&key) {
                    return Ok(Variant::SubResource(known.clone()));
                }
                let (class, properties) = self.properties(source, file, id, depth + 1)?;
                let new = self.make(&class, &properties)?;
                self.known.insert(key, new.clone());
                Variant::SubResource(new)
            }
            other => other.clone(),
        })
    }

    fn properties(
        &mut self,
        source: &Document,
        file: &str,
        id: &ResourceId,
        depth: usize,
    ) -> Result<(String, Vec<(String, Variant)>), ToolError> {
        let found = source.sub_resource(id).ok_or_else(|| missing(file, id))?;
        let mut properties = Vec::new();
        for field in found.0.properties() {
            let value = self.value(source, file, &field.value().decode(), depth + 1)?;
            properties.push((field.key().into_owned(), value));
        }
        Ok((found.class().into_owned(), properties))
    }

    fn make(
        &mut self,
        class: &str,
        properties: &[(String, Variant)],
    ) -> Result<ResourceId, ToolError> {
        let properties: Vec<(&str, Variant)> =
            properties.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        self.target.add_sub_resource(class, &properties, None).map_err(refused)
    }
}

/// A type that is named by a script's id belongs to the file it comes from; the engine finds it
/// again when it loads the list.
fn is_plain(name: &TypeName) -> bool {
    matches!(name, TypeName::Name(_))
}

fn missing(file: &str, id: &ResourceId) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("{file} names the resource {id} and has none"))
        .hint("repair the file first: project_check tells what is broken")
}
