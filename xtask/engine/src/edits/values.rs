//! Values of files as callers give them, and others of the same sort.

use scenewright_unity::{Object, Reference, Value, ValueKind, ValueStyle};
use serde_json::{Map, Value as Json, json};

/// A value as JSON.
pub(super) fn json_of(value: Value<'_>) -> Json {
    if let Some(to) = value.as_reference() {
        return json_of_reference(to);
    }
    match value.kind() {
        ValueKind::Map => {
            let fields = value.fields().filter(|(key, _)| key != "serializedVersion");
            let fields = fields.map(|(key, value)| (key.into_owned(), json_of(value)));
            Json::Object(fields.collect::<Map<_, _>>())
        }
        ValueKind::Sequence => value.items().map(json_of).collect(),
        _ => json_of_text(&value.text()),
    }
}

pub(super) fn json_of_reference(to: Reference) -> Json {
    match to.guid {
        _ if to.is_null() => Json::Null,
        Some(guid) => {
            json!({ "guid": guid.to_string(), "fileID": to.file_id.0, "type": to.kind })
        }
        None => json!({ "fileID": to.file_id.0 }),
    }
}

/// Numbers are numbers, as far as JSON writes them the same way.
pub(super) fn json_of_text(text: &str) -> Json {
    let number: Option<serde_json::Number> = serde_json::from_str(text).ok();
    match number.filter(|number| number.to_string() == text) {
        Some(number) => Json::Number(number),
        None => Json::String(text.to_owned()),
    }
}

/// Values that may stand there instead, the most likely first; none when nothing is known to fit.
pub(super) fn others(value: Value<'_>) -> Vec<Json> {
    if value.as_reference().is_some() {
        return vec![Json::Null];
    }
    if value.kind() == ValueKind::Map {
        let Json::Object(mut fields) = json_of(value) else { return Vec::new() };
        if let Some(first) = fields.values_mut().find(|field| field.is_number()) {
            *first = plus_one(first);
        }
        return vec![Json::Object(fields)];
    }
    match json_of_text(&value.text()) {
        number @ Json::Number(_) => {
            let turned = if number == json!(0) { json!(1) } else { json!(0) };
            vec![plus_one(&number), turned]
        }
        Json::String(text) => match text.parse::<f64>() {
            Ok(number) => vec![json!(number + 1.0), json!(format!("{text} x"))],
            Err(_) => vec![json!(format!("{text} x"))],
        },
        _ => Vec::new(),
    }
}

fn plus_one(number: &Json) -> Json {
    match number.as_i64() {
        Some(number) => json!(number.wrapping_add(1)),
        None => json!(number.as_f64().unwrap_or_default() + 1.0),
    }
}

/// Fields that are what an object is made of, and not set.
pub(super) const TIES: [&str; 13] = [
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "m_GameObject",
    "m_Component",
    "m_Father",
    "m_Children",
    "m_RootOrder",
    "m_Roots",
    "serializedVersion",
];

/// What may be changed in an object: its path and value.
#[derive(Default)]
pub(super) struct Places<'d> {
    pub(super) scalars: Vec<(String, Value<'d>)>,
    pub(super) vectors: Vec<(String, Value<'d>)>,
    pub(super) references: Vec<(String, Value<'d>)>,
    /// Lists with something in them.
    pub(super) lists: Vec<(String, Value<'d>)>,
}

impl<'d> Places<'d> {
    pub(super) fn of(object: Object<'d>) -> Places<'d> {
        let mut places = Places::default();
        for (key, value) in object.fields().filter(|(key, _)| !TIES.contains(&key.as_ref())) {
            places.gather(key.into_owned(), value, 0);
        }
        places
    }

    fn gather(&mut self, path: String, value: Value<'d>, depth: usize) {
        let is_plain = |key: &str| !key.contains(['.', '[', ']', '/']) && !key.is_empty();
        if let Some(to) = value.as_reference() {
            if !to.is_null() {
                self.references.push((path, value));
            }
            return;
        }
        match value.kind() {
            _ if depth > 6 => {}
            ValueKind::Map if value.style() == ValueStyle::Flow => {
                self.vectors.push((path, value));
            }
            ValueKind::Map => {
                for (key, value) in value.fields().filter(|(key, _)| is_plain(key)) {
                    if key != "serializedVersion" {
                        self.gather(format!("{path}.{key}"), value, depth + 1);
                    }
                }
            }
            ValueKind::Sequence if !value.is_empty() => {
                self.lists.push((path.clone(), value));
                for (at, item) in value.items().enumerate().take(8) {
                    self.gather(format!("{path}[{at}]"), item, depth + 1);
                }
            }
            ValueKind::Sequence => {}
            _ => self.scalars.push((path, value)),
        }
    }
}
