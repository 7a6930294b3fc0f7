//! Values that the engine gives to members which no file states and nobody has set.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::convert::from_data;
use crate::object::Data;
use crate::types::Types;
use crate::value::Value;

/// Texts of values by class and field.
static DEFAULTS: LazyLock<HashMap<(&str, &str), &str>> = LazyLock::new(|| {
    let mut class = "";
    let mut all = HashMap::new();
    for line in include_str!("../../data/defaults.txt").lines() {
        match line.strip_prefix("  ") {
            Some(field) => {
                all.extend(read_field(field).map(|(path, value)| ((class, path), value)))
            }
            None => class = line,
        }
    }
    all
});

/// Names of fields may have spaces in them, values only in braces.
fn read_field(text: &str) -> Option<(&str, &str)> {
    let at = text.find(" {").or_else(|| text.rfind(' '))?;
    Some((&text[..at], text[at..].trim_start()))
}

/// The value that a saved field of a component has from the start, when it is not zero or nothing.
pub(super) fn of(class: &str, path: &str, type_name: &str, types: &Types) -> Option<Value> {
    let text = types.chain(class).find_map(|ty| DEFAULTS.get(&(&*ty.full_name, path)))?;
    Some(from_data(&data(text), type_name, types))
}

/// `{x: 1, y: 1}`, or a plain value.
fn data(text: &str) -> Data {
    let plain = |text: &str| Data::Text(text.to_owned());
    match text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        None => plain(text),
        Some(fields) => {
            let fields = fields.split(", ").filter_map(|field| field.split_once(": "));
            Data::Map(fields.map(|(key, value)| (key.to_owned(), plain(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec2, Vec3};
    use crate::types::Source;

    #[test]
    fn every_default_of_the_own_table_fits_its_member() {
        let types = Types::default();
        for ((class, path), _) in DEFAULTS.iter() {
            let members = types.members(class);
            let member =
                members.iter().find(|member| member.source == Source::Saved((*path).into()));
            let Some(member) = member else { continue };
            let value = of(class, path, &member.type_name, &types).expect("it is in the table");
            let cast = super::super::cast(value.clone(), &member.type_name, &types);
            assert_eq!(cast, Some(value), "{class}.{path}");
        }
    }

    #[test]
    fn values_are_read_as_files_write_them() {
        let types = Types::default();
        let of = |class: &str, path: &str, ty: &str| of(class, path, ty, &types);
        let (single, whole) = ("System.Single", "System.Int32");
        let camera = "UnityEngine.Camera";
        assert_eq!(of(camera, "field of view", single), Some(Value::Float(60.0)));
        assert_eq!(of(camera, "m_CullingMask.m_Bits", whole), Some(Value::Int(-1)));
        assert_eq!(of(camera, "m_Depth", single), None);
        let size = of("UnityEngine.BoxCollider", "m_Size", "UnityEngine.Vector3");
        assert_eq!(size, Some(Value::Vec3(Vec3::ONE)));
        let scaler = "UnityEngine.UI.CanvasScaler";
        let size = of(scaler, "m_ReferenceResolution", "UnityEngine.Vector2");
        assert_eq!(size, Some(Value::Vec2(Vec2::new(800.0, 600.0))));
        let image = of("UnityEngine.UI.Image", "m_RaycastTarget", "System.Boolean");
        assert_eq!(image, Some(Value::Bool(true)));
    }
}
