//! Fields that say one thing in two ways, so that one is not set without the other.

use serde_json::{Map, Value};

use super::encode::enum_of;
use super::fields::{Owner, like};
use super::{Done, Editor, Refusal, Seen};
use crate::edit::address::{self, Part};
use crate::edit::kind::Kind;
use crate::hierarchy::{Data, Effective};

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

    /// Set how a text of TextMesh Pro stands by the one name that C# has for it; nothing where another field
    /// is meant, or a version that has one field for it.
    pub(super) fn set_alignment(
        &mut self,
        owner: &Owner,
        seen: Option<&Seen>,
        field: &str,
        value: &Value,
    ) -> Result<Option<Done>, Refusal> {
        const BOTH: &str = "m_textAlignment";
        let is_meant = owner.script.is_some() && field == "alignment";
        if !is_meant || !self.has(owner, "m_HorizontalAlignment") || !self.has(owner, BOTH) {
            return Ok(None);
        }
        let Kind::Enum(members, _) = self.field(owner, BOTH)?.kind else { return Ok(None) };
        let Some(number) = enum_of(&members, value) else {
            let known = members.iter().map(|(name, _)| name.clone()).collect();
            let text = format!("{value} is no alignment of a text");
            return Err(Refusal::new(text).choices(value.as_str().unwrap_or_default(), known));
        };
        let (across, along) = (number & 0xff, number & 0xff00);
        let mut done = self.set_value(owner, seen, "m_HorizontalAlignment", &across.into())?;
        done.changed |= self.set_value(owner, seen, "m_VerticalAlignment", &along.into())?.changed;
        Ok(Some(done))
    }

    /// Set what says the same as a field that was set.
    pub(super) fn set_twin(
        &mut self,
        owner: &Owner,
        path: &[Part],
        value: &Value,
    ) -> Result<bool, Refusal> {
        let Some(Part::Key(first)) = path.first() else { return Ok(false) };
        let (twin, value) = match (first.as_str(), owner.script.is_some()) {
            // Unity 6 plays the resource, which may be another than a clip.
            ("m_audioClip", false) => ("m_Resource", value.clone()),
            // A text of TextMesh Pro is drawn in one of these, and the other is as it.
            ("m_fontColor", true) => match self.number_keys(owner, path) {
                Some(color) => ("m_fontColor32", color),
                None => return Ok(false),
            },
            ("m_fontSize", true) if self.is_zero(owner, "m_enableAutoSizing") => {
                ("m_fontSizeBase", value.clone())
            }
            _ => return Ok(false),
        };
        Ok(self.has(owner, twin) && self.set_value(owner, None, twin, &value)?.changed)
    }

    /// What a field of numbers has now, whole.
    fn number_keys(&mut self, owner: &Owner, path: &[Part]) -> Option<Value> {
        let Data::Map(keys) = self.data(owner.at, &path[..1])? else { return None };
        let number = |(key, value): (String, Effective)| {
            let number: f64 = value.text()?.parse().ok()?;
            Some((key, number.into()))
        };
        keys.into_iter().map(number).collect::<Option<Map<_, _>>>().map(Value::Object)
    }

    fn is_zero(&mut self, owner: &Owner, key: &str) -> bool {
        matches!(self.data(owner.at, &address::parts(key)), Some(Data::Text(text)) if text == "0")
    }

    fn has(&mut self, owner: &Owner, key: &str) -> bool {
        self.data(owner.at, &address::parts(key)).is_some()
    }
}
