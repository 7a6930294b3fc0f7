//! Fields that say one thing in two ways, so that one is not set without the other.

use serde_json::Value;

use super::fields::{Owner, like};
use super::{Done, Editor, Refusal, Seen};
use crate::edit::address::{self, property_path};

/// The layer that a renderer is sorted by: its number, and how far it stands from the default layer,
/// which is number 0.
const LAYER: [&str; 2] = ["m_SortingLayerID", "m_SortingLayer"];
/// Names that people have for it.
const LAYER_NAMES: [&str; 4] =
    ["sortingLayerName", "sortingLayer", "sortingLayerID", "m_SortingLayerID"];

impl Editor<'_> {
    /// Set the layer that something is sorted by, by its name or number; nothing where another field is
    /// meant.
    pub(super) fn set_sorting(
        &mut self,
        owner: &Owner,
        seen: Option<&Seen>,
        field: &str,
        value: &Value,
    ) -> Result<Option<Done>, Refusal> {
        let is_meant = owner.script.is_none() && like(field, LAYER_NAMES.into_iter()).is_some();
        if !is_meant || !self.has(owner, LAYER[0]) {
            return Ok(None);
        }
        let layers = self.project.classes.sorting_layers();
        if layers.is_empty() {
            return Ok(None);
        }
        let found = match value {
            Value::String(name) => layers.iter().position(|(known, _)| known == name),
            // A number in `m_SortingLayer` itself is the place.
            Value::Number(_) if address::parts(field) == address::parts(LAYER[1]) => {
                return Ok(None);
            }
            Value::Number(number) => {
                layers.iter().position(|(_, known)| Some(*known) == number.as_i64())
            }
            _ => return Ok(None),
        };
        let Some(at) = found else {
            let known: Vec<String> = layers.into_iter().map(|(name, _)| name).collect();
            let wanted = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let text = format!("the project has no sorting layer {wanted}");
            return Err(Refusal::new(text).choices(&wanted, known));
        };
        let mut done = self.set_value(owner, seen, LAYER[0], &layers[at].1.into())?;
        let default = layers.iter().position(|(_, number)| *number == 0);
        if let Some(default) = default.filter(|_| self.has(owner, LAYER[1])) {
            let away = at as i64 - default as i64;
            done.changed |= self.set_value(owner, seen, LAYER[1], &away.into())?.changed;
        }
        Ok(Some(done))
    }

    /// Set what says the same as a field that was set.
    pub(super) fn set_twin(
        &mut self,
        owner: &Owner,
        path: &[address::Part],
        value: &Value,
    ) -> Result<bool, Refusal> {
        // Unity 6 plays the resource, which may be another than a clip.
        const RESOURCE: &str = "m_Resource";
        let is_clip = property_path(path) == "m_audioClip" && owner.script.is_none();
        if !is_clip || !self.has(owner, RESOURCE) {
            return Ok(false);
        }
        Ok(self.set_value(owner, None, RESOURCE, value)?.changed)
    }

    fn has(&mut self, owner: &Owner, key: &str) -> bool {
        self.data(owner.at, &address::parts(key)).is_some()
    }
}
