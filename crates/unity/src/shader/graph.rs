//! The properties of a shader graph: JSON objects one after the other, of which some are properties.

use serde_json::{Deserializer, Value as Json};

use super::{Declared, NO_TEXTURE, Shader};
use crate::edit::material::{PropertyKind, Setting};

/// Reads a graph of the form that Unity writes since 2020.2; nothing for another text. The shader is
/// named by the graph's menu path and the file's name.
pub fn parse_graph(file_name: &str, text: &str) -> Option<Shader> {
    let mut folder = None;
    let mut properties = Vec::new();
    for part in Deserializer::from_str(text).into_iter::<Json>() {
        let Ok(part) = part else { break };
        let Some(kind) = part["m_Type"].as_str() else { continue };
        if kind == "UnityEditor.ShaderGraph.GraphData" {
            folder = Some(part["m_Path"].as_str().unwrap_or_default().to_owned());
        } else if let Some(class) = kind.strip_suffix("ShaderProperty") {
            properties.extend(declared(class, &part));
        }
    }
    let folder = folder?;
    let name =
        if folder.is_empty() { file_name.to_owned() } else { format!("{folder}/{file_name}") };
    Some(Shader { name, properties })
}

/// The property of an object, whose class is named without its end.
fn declared(class: &str, part: &Json) -> Option<Declared> {
    let name = |key: &str| part[key].as_str().filter(|name| !name.is_empty());
    let name = name("m_OverrideReferenceName").or_else(|| name("m_DefaultReferenceName"))?;
    let value = &part["m_Value"];
    let number = |value: &Json| value.as_f64().map_or(0.0, |number| number as f32);
    let class = class.rsplit('.').next()?;
    let (kind, default) = match class {
        "Vector1" => (PropertyKind::Float, Setting::Float(number(value))),
        "Boolean" => {
            let is_on = value.as_bool().unwrap_or_default();
            (PropertyKind::Float, Setting::Float(f32::from(u8::from(is_on))))
        }
        "Color" => {
            let parts = ["r", "g", "b", "a"].map(|key| Some(number(&value[key])));
            (PropertyKind::Color, Setting::Color(parts))
        }
        "Vector2" | "Vector3" | "Vector4" => {
            let parts = ["x", "y", "z", "w"].map(|key| Some(number(&value[key])));
            (PropertyKind::Color, Setting::Color(parts))
        }
        "Texture2D" | "Texture3D" | "Texture2DArray" | "Cubemap" => {
            (PropertyKind::Texture, NO_TEXTURE)
        }
        _ => return None,
    };
    let is_vector = matches!(class, "Vector2" | "Vector3" | "Vector4");
    Some(Declared { name: name.to_owned(), kind, default, is_vector, switch: None })
}
