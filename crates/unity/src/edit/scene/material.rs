//! Properties of materials by the names that shaders give them.

use serde_json::Value;

use super::fields::Owner;
use super::{Done, Editor, Refusal};
use crate::edit::json_inside;
use crate::edit::material::{self, PropertyKind, Setting};
use crate::hierarchy::Stated;

impl Editor<'_> {
    /// Set a property of a material: `_Color`, `_MainTex`. Nothing when the name is one of the
    /// material's own fields.
    pub(super) fn set_material(
        &mut self,
        owner: &Owner,
        field: &str,
        value: &Value,
    ) -> Result<Option<Done>, Refusal> {
        let Stated::Here(id) = owner.at else { return Ok(None) };
        let Some(object) = self.sheet.object(id) else { return Ok(None) };
        let (name, part) = match field.split_once('.') {
            Some((name, part)) if name.starts_with('_') => (name, Some(part)),
            _ => (field, None),
        };
        let kind = material::property(object, name).map(|property| property.kind);
        if kind.is_none() && !name.starts_with('_') {
            return Ok(None);
        }
        // Of strings only colours and the paths of textures are values.
        let inside = json_inside(value);
        let value = inside.as_ref().unwrap_or(value);
        let value = match part {
            Some(part) => serde_json::json!({ part: value }),
            None => value.clone(),
        };
        // A texture that nothing tells to be one would become a number.
        let kind = kind.or_else(|| match &value {
            Value::String(text) if !text.starts_with('#') => Some(PropertyKind::Texture),
            _ => None,
        });
        let texture = |value: &Value| {
            self.reference(value, Some("Texture")).map_err(|refusal| refusal.message)
        };
        let setting = Setting::read(kind, &value, texture)
            .map_err(|why| Refusal::new(format!("{field} of {}: {why}", owner.shown)))?;
        let changed = self
            .sheet
            .edit(id, |object, manner, edits| {
                material::set_property(object, name, &setting, manner, edits)?;
                Ok(!edits.is_empty())
            })
            .map_err(|refused| Refusal::new(refused.to_string()))?;
        let remarks = match (changed, kind) {
            (false, _) => vec![format!("{name} had this value already")],
            (true, None) => vec![format!(
                "the material did not have {name}; whether its shader has it was not looked at"
            )],
            _ => Vec::new(),
        };
        Ok(Some(Done {
            id: Some(id),
            component: Some(("Material".to_owned(), id)),
            field: Some(name.to_owned()),
            changed,
            remarks,
            ..Done::default()
        }))
    }
}
