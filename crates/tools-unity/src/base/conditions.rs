//! Conditions on the effective values of objects and components.

use scenewright_contract::ToolError;
use scenewright_unity::hierarchy::{Component, Data, Effective, Node, Target};
use scenewright_unity::{Guid, Reference, types};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Unity;

/// A condition on one field.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// As in C# or in the file: `intensity`, `m_LocalPosition.x`.
    #[serde(deserialize_with = "field_path")]
    pub field: String,
    /// A missing field meets only `exists` with `false`.
    op: Op,
    /// For `refersTo` an asset, or an object of the file; `false` inverts `exists` and `isNull`.
    #[serde(default)]
    #[schemars(schema_with = "scalar")]
    value: Option<Value>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "camelCase")]
enum Op {
    Equals,
    NotEquals,
    Contains,
    Less,
    Greater,
    Exists,
    IsNull,
    RefersTo,
}

fn scalar(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": ["string", "number", "boolean"] })
}

/// A path as Unity has it. Many write the items of a list as members: `m_Calls.0.m_Target`.
fn field_path<'de, D: Deserializer<'de>>(text: D) -> Result<String, D::Error> {
    String::deserialize(text).map(|path| with_brackets(&path))
}

fn with_brackets(path: &str) -> String {
    let mut unity = String::new();
    for (number, part) in path.split('.').enumerate() {
        let is_item = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        match (number, is_item) {
            (0, _) => unity += part,
            (_, true) => unity += &format!("[{part}]"),
            (_, false) => unity += &format!(".{part}"),
        }
    }
    unity
}

impl Condition {
    /// Refuses a condition that cannot hold for any value.
    pub fn check(&self) -> Result<(), ToolError> {
        let Condition { field, op, value } = self;
        let fits = match (op, value) {
            (Op::Exists | Op::IsNull, value) => {
                value.as_ref().is_none_or(Value::is_boolean).then_some(()).ok_or("true or false")
            }
            (_, None) => Err("a value"),
            (Op::Less | Op::Greater, Some(value)) => number(value).map(|_| ()).ok_or("a number"),
            (Op::RefersTo | Op::Contains, Some(value)) => {
                value.as_str().map(|_| ()).ok_or("text as value")
            }
            (Op::Equals | Op::NotEquals, Some(_)) => Ok(()),
        };
        fits.map_err(|needed| {
            ToolError::bad_argument("where", &format!("the condition on {field} needs {needed}"))
        })
    }

    /// The value of its field in a part, overrides applied: by the name that the file has, or that C# has.
    pub fn value(&self, part: &Part<'_, '_>) -> Option<Effective> {
        let by_csharp = || self.paths_in(part).iter().find_map(|path| part.value(path));
        part.value(&self.field).or_else(by_csharp)
    }

    /// What files may call the field.
    fn paths_in(&self, part: &Part<'_, '_>) -> Vec<String> {
        let class = match part {
            Part::Object(_) if ["active", "activeSelf", "isActive"].contains(&&*self.field) => {
                return vec!["m_IsActive".to_owned()];
            }
            Part::Object(_) => "GameObject",
            Part::Component(component) => component.class_id().name().unwrap_or_default(),
        };
        let mut letters = self.field.chars();
        let Some(first) = letters.next().filter(|_| !self.field.starts_with("m_")) else {
            return Vec::new();
        };
        let own = format!("m_{}{}", first.to_uppercase(), letters.as_str());
        let property = types::property_field(class, &self.field).map(|(field, _)| field.to_owned());
        let others = types::other_paths(class, &self.field);
        [own].into_iter().chain(property).chain(others).collect()
    }

    /// Whether it holds for `value`, which is that of its field in `part`.
    pub fn holds(&self, unity: &Unity<'_>, part: &Part<'_, '_>, value: Option<&Effective>) -> bool {
        let yes = self.value != Some(Value::Bool(false));
        let Some(value) = value else { return self.op == Op::Exists && !yes };
        let wanted = self.value.as_ref().unwrap_or(&Value::Null);
        let compared = || Some((value.text()?.trim().parse::<f64>().ok()?, number(wanted)?));
        match self.op {
            Op::Exists => yes,
            Op::IsNull => value.reference().is_some_and(|reference| reference.is_null() == yes),
            Op::Equals => equals(unity, value, wanted),
            Op::NotEquals => !equals(unity, value, wanted),
            Op::Less => compared().is_some_and(|(have, limit)| have < limit),
            Op::Greater => compared().is_some_and(|(have, limit)| have > limit),
            Op::Contains => match &value.data {
                Data::Text(text) => wanted.as_str().is_some_and(|part| text.contains(part)),
                Data::List(items) => items.iter().any(|item| equals(unity, item, wanted)),
                Data::Reference(_) | Data::Map(_) => false,
            },
            Op::RefersTo => {
                let wanted = wanted.as_str().unwrap_or_default();
                let is_wanted = |r: &Reference| r.guid.is_some_and(|g| is_asset(unity, g, wanted));
                let is_local = |r: &Reference| r.guid.is_none() && !r.is_null();
                // To find out what a local reference means takes much longer.
                mentions(value, &is_wanted)
                    || mentions(value, &is_local) && self.refers_to_object(part, wanted)
            }
        }
    }

    /// Whether the field, or something in it, refers to the object at a path of the hierarchy.
    fn refers_to_object(&self, part: &Part<'_, '_>, wanted: &str) -> bool {
        let Part::Component(component) = part else { return false };
        let is_within = |path: &str| {
            let rest = path.strip_prefix(&self.field);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let links = component.node().references().into_iter();
        links.filter(|link| link.component == **component && is_within(&link.path)).any(|link| {
            match link.target {
                Target::Node(node) | Target::Opaque(node) => node.path() == wanted,
                Target::Component(target) => target.node().path() == wanted,
                _ => false,
            }
        })
    }
}

/// Whether a reference in `value` is such a one.
fn mentions(value: &Effective, is_such: &dyn Fn(&Reference) -> bool) -> bool {
    match &value.data {
        Data::Text(_) => false,
        Data::Reference(reference) => is_such(reference),
        Data::List(items) => items.iter().any(|item| mentions(item, is_such)),
        Data::Map(fields) => fields.iter().any(|(_, value)| mentions(value, is_such)),
    }
}

/// What conditions are about.
pub enum Part<'a, 'h> {
    /// An object.
    Object(&'a Node<'h>),
    /// A component.
    Component(&'a Component<'h>),
}

impl Part<'_, '_> {
    /// The value at a path, overrides applied.
    pub fn value(&self, field: &str) -> Option<Effective> {
        match self {
            Part::Object(node) => node.value(field),
            Part::Component(component) => component.value(field),
        }
    }

    /// Whether the object itself is written in `file`.
    pub fn is_in(&self, file: Guid) -> bool {
        match self {
            Part::Object(node) => !node.is_in_prefab_instance(),
            Part::Component(component) => component.location().file == file,
        }
    }
}

/// Numbers by value, `true` and `false` as Unity writes them, references by asset.
fn equals(unity: &Unity<'_>, value: &Effective, wanted: &Value) -> bool {
    match &value.data {
        Data::Text(text) => match text.trim().parse::<f64>().ok().zip(number(wanted)) {
            Some((have, wanted)) => have == wanted,
            None => wanted.as_str().is_some_and(|wanted| text == wanted),
        },
        Data::Reference(reference) => {
            let wanted = wanted.as_str().unwrap_or_default();
            reference.guid.is_some_and(|guid| is_asset(unity, guid, wanted))
        }
        Data::List(_) | Data::Map(_) => false,
    }
}

fn is_asset(unity: &Unity<'_>, guid: Guid, wanted: &str) -> bool {
    Guid::parse(wanted) == Some(guid) || unity.path_of(guid) == wanted
}

/// A number or a truth value as Unity writes it.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(on) => Some(f64::from(u8::from(*on))),
        Value::String(text) => match text.trim() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            text => text.parse().ok(),
        },
        other => other.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::with_brackets;

    #[test]
    fn items_may_be_written_as_members() {
        assert_eq!(with_brackets("m_Calls.0.m_Target"), "m_Calls[0].m_Target");
        assert_eq!(with_brackets("a.1.2"), "a[1][2]");
        for same in ["m_Calls.Array.data[0].m_Target", "m_LocalPosition.x", "3d", "a.2d"] {
            assert_eq!(with_brackets(same), same);
        }
    }
}
