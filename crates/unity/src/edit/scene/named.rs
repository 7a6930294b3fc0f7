//! Values that are given by the names a project has for them: layers, tags, flags.

use serde_json::Value;

use super::fields::Owner;
use super::{Editor, Refusal};
use crate::ClassId;
use crate::edit::address::{Part, property_path};
use crate::edit::json_inside;

impl Editor<'_> {
    /// Layers by name, flags of static objects by a truth value, tags that there are.
    pub(super) fn by_name(
        &self,
        owner: &Owner,
        at: &[Part],
        value: &Value,
    ) -> Result<Value, Refusal> {
        if owner.class != ClassId::GAME_OBJECT {
            return match value.is_null() && property_path(at) == "m_Script" {
                true => Err(Refusal::new(format!("without its script {} is lost", owner.shown))
                    .hint("removeComponent takes a component away")),
                false => Ok(value.clone()),
            };
        }
        match (property_path(at).as_str(), value) {
            ("m_Layer", Value::String(name)) => match self.project.classes.layer(name) {
                Some(layer) => Ok(layer.into()),
                None if json_inside(value).is_some_and(|inside| inside.is_u64()) => {
                    self.by_name(owner, at, &json_inside(value).unwrap_or_default())
                }
                None => {
                    let known = self.project.classes.layers();
                    Err(Refusal::new(format!("the project has no layer {name}"))
                        .choices(name, known))
                }
            },
            ("m_Layer", Value::Number(number))
                if number.as_u64().is_none_or(|layer| layer > 31) =>
            {
                Err(Refusal::new(format!("{number} is no layer")).hint("layers are 0 to 31"))
            }
            ("m_TagString", Value::String(tag)) => {
                let known = self.project.classes.tags();
                match known.is_empty() || known.contains(tag) {
                    true => Ok(value.clone()),
                    false => {
                        Err(Refusal::new(format!("the project has no tag {tag}"))
                            .choices(tag, known))
                    }
                }
            }
            ("m_StaticEditorFlags", Value::String(name)) if name.parse::<u32>().is_err() => {
                static_flags(&[name.as_str().into()])
            }
            ("m_StaticEditorFlags", Value::Array(names)) => static_flags(names),
            ("m_StaticEditorFlags", Value::Bool(is)) => Ok(if *is { u32::MAX } else { 0 }.into()),
            _ => Ok(value.clone()),
        }
    }
}

/// What objects that stay in place are used for, by the bits of their flags.
const STATIC: [&str; 7] = [
    "ContributeGI",
    "OccluderStatic",
    "BatchingStatic",
    "NavigationStatic",
    "OccludeeStatic",
    "OffMeshLinkGeneration",
    "ReflectionProbeStatic",
];

/// The number of some of them, or of one that stands for none or all.
fn static_flags(names: &[Value]) -> Result<Value, Refusal> {
    let bit = |name: &Value| {
        let wanted = name.as_str().unwrap_or_default();
        let at = STATIC.iter().position(|known| *known == wanted);
        match (wanted, at) {
            ("Nothing", _) => Ok(0),
            ("Everything", _) => Ok(u32::MAX),
            (_, Some(at)) => Ok(1 << at),
            (_, None) => {
                let known = STATIC.iter().chain(&["Nothing", "Everything"]);
                let known = known.map(|known| (*known).to_owned()).collect();
                let text = format!("objects are not static for {name}");
                Err(Refusal::new(text).choices(wanted, known))
            }
        }
    };
    names.iter().try_fold(0, |all: u32, name| Ok(all | bit(name)?)).map(Value::from)
}
