//! Values of JSON as files have them, by what a field holds.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Editor, Refusal};
use crate::edit::kind::Kind;
use crate::edit::{New, fresh, hex_color, json_inside};
use crate::hierarchy::Data;
use crate::pose::from_euler;

/// Keys of structures that stand on one line.
const FLOW: [&[&str]; 5] =
    [&["x", "y"], &["x", "y", "z"], &["x", "y", "z", "w"], &["r", "g", "b", "a"], &["r", "g", "b"]];

impl Editor<'_> {
    /// A value for a field that has `now`.
    pub(super) fn encode(
        &mut self,
        kind: &Kind,
        value: &Value,
        now: Option<&Data>,
    ) -> Result<New, Refusal> {
        let value = self.read_text(kind, value, now);
        self.encode_as_given(kind, &value, now)
    }

    /// The value that is meant: a string that the field does not take may have JSON in it that it does
    /// take. Models and command lines write `"[1, 2, 3]"` for a vector.
    pub(super) fn read_text<'v>(
        &mut self,
        kind: &Kind,
        value: &'v Value,
        now: Option<&Data>,
    ) -> Cow<'v, Value> {
        let inside = json_inside(value).filter(|inside| {
            self.encode_as_given(kind, value, now).is_err()
                && self.encode_as_given(kind, inside, now).is_ok()
        });
        inside.map_or(Cow::Borrowed(value), Cow::Owned)
    }

    fn encode_as_given(
        &mut self,
        kind: &Kind,
        value: &Value,
        now: Option<&Data>,
    ) -> Result<New, Refusal> {
        let wrong = || wrong(kind, value);
        match kind {
            Kind::Unknown => self.encode_unknown(value, now),
            Kind::Bool => bool_of(value).map(New::bool).ok_or_else(wrong),
            Kind::Int(low, high) => {
                let number = int_of(value).or_else(|| bool_of(value).map(i64::from));
                let number = number.filter(|number| (*low..=*high).contains(number));
                number.map(New::int).ok_or_else(wrong)
            }
            Kind::Long => match value.as_u64().or_else(|| value.as_str()?.parse().ok()) {
                Some(number) => Ok(New::Number(number.to_string())),
                None => Err(wrong()),
            },
            Kind::Float => number_of(value).and_then(float).ok_or_else(wrong),
            Kind::Double => number_of(value).map(New::double).ok_or_else(wrong),
            Kind::Text => text_of(value).map(New::Text).ok_or_else(wrong),
            Kind::Enum(members, (low, high)) => {
                let number =
                    enum_of(members, value).filter(|number| (*low..=*high).contains(number));
                number.map(New::int).ok_or_else(wrong)
            }
            Kind::Reference(class) => self.reference(value, class.as_deref()).map(New::Reference),
            Kind::Inline(keys) => inline(keys, value, float).ok_or_else(wrong),
            Kind::Turn => turn(value).ok_or_else(wrong),
            Kind::InlineInt(keys) => inline(keys, value, whole).ok_or_else(wrong),
            Kind::LayerMask => self.layer_mask(value).ok_or_else(wrong),
            Kind::Fields(_) | Kind::Native(_) => self.encode_structure(kind, value, now),
            Kind::List(item) => self.encode_list(item, value, now).unwrap_or_else(|| Err(wrong())),
            Kind::Event => self.encode_event(value),
            Kind::Managed(class) => self.encode_managed(value, class.as_deref()),
        }
    }

    fn layer_mask(&self, value: &Value) -> Option<New> {
        let bit = |name: &Value| {
            let at = match name {
                Value::String(name) => self.project.classes.layer(name)?,
                _ => return None,
            };
            Some(1u32 << at.min(31))
        };
        let bits = match value {
            Value::Array(names) => {
                names.iter().try_fold(0, |bits, name| Some(bits | bit(name)?))?
            }
            Value::String(name) if name == "Everything" => u32::MAX,
            Value::String(name) if name == "Nothing" => 0,
            Value::String(_) => bit(value)?,
            Value::Object(map) => return self.layer_mask(map.get("m_Bits")?),
            number => match int_of(number)? {
                -1 => u32::MAX,
                bits => u32::try_from(bits).ok()?,
            },
        };
        Some(New::Map(vec![("m_Bits".to_owned(), New::int(bits.into()))]))
    }

    fn encode_structure(
        &mut self,
        kind: &Kind,
        value: &Value,
        now: Option<&Data>,
    ) -> Result<New, Refusal> {
        if let Some(curve) = curve(kind, value) {
            return Ok(curve);
        }
        if let Some(color) = packed_color(kind, value) {
            return Ok(color);
        }
        if let Some(constant) = constant(kind, value) {
            return self.encode(kind, &constant, now);
        }
        let keys: Vec<String> =
            kind.keys().into_iter().filter(|key| key != "serializedVersion").collect();
        let given: Vec<(String, &Value)> = match value {
            Value::Object(map) => {
                let mut given = Vec::new();
                for (key, value) in map.iter().filter(|(key, _)| *key != "serializedVersion") {
                    let found = keys.iter().find(|known| *known == key).map(String::as_str);
                    let found =
                        found.or_else(|| super::fields::like(key, keys.iter().map(String::as_str)));
                    let Some(found) = found else {
                        let text = format!("there is no {key} in this value");
                        return Err(Refusal::new(text).choices(key, keys));
                    };
                    given.push((found.to_owned(), value));
                }
                given
            }
            Value::Array(items) if items.len() == keys.len() => {
                keys.iter().cloned().zip(items).collect()
            }
            _ => return Err(wrong(kind, value)),
        };
        let mut fields = Vec::new();
        for (key, value) in given {
            let inner = kind.field(&key).unwrap_or_default();
            let now = field_of(now, &key);
            fields.push((key, self.encode(&inner, value, now)?));
        }
        Ok(New::Map(fields))
    }

    /// A list; each item is whole, with what the value leaves out as it is or as it begins.
    fn encode_list(
        &mut self,
        item: &Arc<Kind>,
        value: &Value,
        now: Option<&Data>,
    ) -> Option<Result<New, Refusal>> {
        let Value::Array(values) = value else { return None };
        let old = |at: usize| match now {
            Some(Data::List(items)) => items.get(at).map(|item| &item.data),
            _ => None,
        };
        let all = values.iter().enumerate().map(|(at, value)| {
            let like = old(at).or_else(|| old(0));
            self.item(item, value, old(at), like)
        });
        Some(all.collect::<Result<Vec<_>, _>>().map(New::List))
    }

    /// One whole item of a list, in the form of another one where the file has an older form than
    /// the class.
    pub(super) fn item(
        &mut self,
        kind: &Kind,
        value: &Value,
        now: Option<&Data>,
        like: Option<&Data>,
    ) -> Result<New, Refusal> {
        if let Some(like) = like.filter(|like| !kind.fits(like)) {
            let new = self.encode(&Kind::Unknown, value, now.or(Some(like)))?;
            return Ok(match new {
                New::Map(given) => overlaid(new_of(like), New::Map(given)),
                new => new,
            });
        }
        let value = &*self.read_text(kind, value, now);
        if let Value::Object(map) = value
            && let (Some((name, value)), true) = (map.iter().next(), map.len() == 1)
            && kind.is_pair()
            && name != "first"
        {
            let second = kind.field("second").unwrap_or_default();
            let whole = self.item(&second, value, field_of(now, name), None)?;
            return Ok(New::Map(vec![(name.clone(), whole)]));
        }
        let new = self.encode(kind, value, now)?;
        if !matches!(new, New::Map(_) | New::Flow(_)) {
            return Ok(new);
        }
        let base = match now {
            Some(data @ Data::Map(_)) => new_of(data),
            _ => zero(kind),
        };
        Ok(overlaid(base, new))
    }

    /// By what the file has there, or by the looks of the value. A text may be the name of an asset or
    /// of a member of an enum as well, where the file does not show that texts stand there.
    fn encode_unknown(&mut self, value: &Value, now: Option<&Data>) -> Result<New, Refusal> {
        let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
        if let Value::String(text) = value
            && !is_number(text)
        {
            let why = match now {
                Some(Data::Text(now)) if is_number(now) => "the file has a number",
                None => "the file has no value of it yet",
                Some(_) => "",
            };
            if !why.is_empty() {
                let text = format!("the type of the field is not known here; {why}");
                let hint = "give a number, for an enum that of the member, or a reference such as \
                            {\"asset\": \"Assets/…\"}";
                return Err(Refusal::new(text).hint(hint));
            }
        }
        let shape = now.map(|now| (now, self.shape(now)));
        match shape {
            Some((now, Some(kind))) => self.encode(&kind, value, Some(now)),
            _ => self.encode_plain(value),
        }
    }

    /// What a value of a file looks like; nothing where anything may stand.
    fn shape(&self, now: &Data) -> Option<Kind> {
        match now {
            Data::Reference(_) => Some(Kind::Reference(None)),
            Data::Map(fields) => {
                let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
                let flow = FLOW.iter().find(|known| ***known == *keys);
                let kinds = fields
                    .iter()
                    .map(|(key, value)| (key.clone(), self.shape(&value.data).unwrap_or_default()));
                Some(match flow {
                    Some(keys) => Kind::Inline(keys),
                    None if is_event(&keys) => Kind::Event,
                    None => Kind::Fields(Arc::new(kinds.collect())),
                })
            }
            Data::List(items) => {
                let item = items.first().and_then(|item| self.shape(&item.data));
                Some(Kind::List(Arc::new(item.unwrap_or_default())))
            }
            Data::Text(text) if text == "[]" => Some(Kind::List(Arc::default())),
            Data::Text(_) => None,
        }
    }

    fn encode_plain(&mut self, value: &Value) -> Result<New, Refusal> {
        Ok(match value {
            Value::Null => return Err(Refusal::new("null is only for references")),
            Value::Bool(is) => New::bool(*is),
            Value::Number(number) => match number.as_i64() {
                Some(number) => New::int(number),
                None => New::float(number.as_f64().unwrap_or_default() as f32),
            },
            Value::String(text) => New::Text(text.clone()),
            Value::Array(items) => {
                let items = items.iter().map(|item| self.encode_plain(item));
                New::List(items.collect::<Result<_, _>>()?)
            }
            Value::Object(map) if is_reference(map) => New::Reference(self.reference(value, None)?),
            Value::Object(map) => {
                let is_flow = FLOW.iter().any(|keys| {
                    keys.len() == map.len() && keys.iter().all(|key| map.contains_key(*key))
                });
                let mut fields = Vec::new();
                for (key, value) in map {
                    fields.push((key.clone(), self.encode_plain(value)?));
                }
                if is_flow { New::Flow(fields) } else { New::Map(fields) }
            }
        })
    }
}

fn is_reference(map: &Map<String, Value>) -> bool {
    ["asset", "guid", "fileID", "object"].iter().any(|key| map.contains_key(*key))
}

fn is_event(keys: &[&str]) -> bool {
    keys.contains(&"m_PersistentCalls")
}

/// The value of a key.
pub(super) fn field_of<'d>(data: Option<&'d Data>, key: &str) -> Option<&'d Data> {
    let Some(Data::Map(fields)) = data else { return None };
    fields.iter().find(|(known, _)| known == key).map(|(_, value)| &value.data)
}

/// A value that is there, to be written again.
pub(super) fn new_of(data: &Data) -> New {
    match data {
        Data::Text(text) if text == "[]" => New::List(Vec::new()),
        Data::Text(text) => New::Text(text.clone()),
        Data::Reference(to) => New::Reference(*to),
        Data::List(items) => New::List(items.iter().map(|item| new_of(&item.data)).collect()),
        Data::Map(fields) => {
            let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
            let new =
                fields.iter().map(|(key, value)| (key.clone(), new_of(&value.data))).collect();
            match FLOW.iter().any(|known| **known == *keys) {
                true => New::Flow(new),
                false => New::Map(new),
            }
        }
    }
}

/// What a field holds at the start.
pub(super) fn zero(kind: &Kind) -> New {
    let flow = |keys: &[&str]| {
        New::Flow(keys.iter().map(|key| ((*key).to_owned(), New::int(0))).collect())
    };
    match kind {
        Kind::Unknown | Kind::Text => New::Text(String::new()),
        Kind::Bool | Kind::Int(..) | Kind::Long | Kind::Float | Kind::Double | Kind::Enum(..) => {
            New::int(0)
        }
        Kind::Reference(_) => New::local(crate::FileId::NULL),
        Kind::Inline(keys) | Kind::InlineInt(keys) => flow(keys),
        Kind::Turn => flow(Kind::TURN),
        Kind::LayerMask => New::Map(vec![
            ("serializedVersion".into(), New::int(2)),
            ("m_Bits".into(), New::int(0)),
        ]),
        Kind::Fields(fields) => {
            New::Map(fields.iter().map(|(key, kind)| (key.clone(), zero(kind))).collect())
        }
        Kind::Native(node) => fresh::zero(*node),
        Kind::List(_) => New::List(Vec::new()),
        Kind::Event => super::event::empty(),
        Kind::Managed(_) => New::Map(vec![("rid".into(), New::int(-2))]),
    }
}

/// One structure with the values of another over it.
pub(super) fn overlaid(base: New, over: New) -> New {
    match (base, over) {
        (New::Map(mut base), New::Map(over) | New::Flow(over)) => {
            for (key, value) in over {
                match base.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, old)) => *old = overlaid(old.clone(), value),
                    None => base.push((key, value)),
                }
            }
            New::Map(base)
        }
        (New::Flow(base), over @ (New::Map(_) | New::Flow(_))) => {
            match overlaid(New::Map(base), over) {
                New::Map(fields) => New::Flow(fields),
                other => other,
            }
        }
        (_, over) => over,
    }
}

pub(super) fn wrong(kind: &Kind, value: &Value) -> Refusal {
    let shown: String = value.to_string().chars().take(80).collect();
    Refusal::new(format!("the field takes {}, and not {shown}", kind.words()))
}

fn bool_of(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is) => Some(*is),
        Value::Number(number) => match number.as_f64()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" => Some(true),
            "false" | "0" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn int_of(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

pub(super) fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.trim() {
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            "NaN" => Some(f64::NAN),
            text => text.parse().ok().filter(|number: &f64| number.is_finite()),
        },
        _ => None,
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A member by name or number, or several of flags: `A, B`, `A|B`, or a list.
/// What particles take where a number, two of them or a colour is given, and curves and ranges could be.
fn constant(kind: &Kind, value: &Value) -> Option<Value> {
    let keys = kind.keys();
    let has = |all: &[&str]| all.iter().all(|key| keys.iter().any(|known| known == key));
    match value {
        Value::Number(_) if has(&["minMaxState", "scalar"]) => {
            Some(json!({ "minMaxState": 0, "scalar": value }))
        }
        Value::Array(two) if two.len() == 2 && has(&["minMaxState", "scalar", "minScalar"]) => {
            Some(json!({ "minMaxState": 3, "scalar": two[1], "minScalar": two[0] }))
        }
        Value::String(_) | Value::Array(_) if has(&["minMaxState", "maxColor"]) => {
            Some(json!({ "minMaxState": 0, "maxColor": value }))
        }
        // Sizes of the shapes that they come from.
        Value::Number(_) if has(&["value", "mode", "spread"]) => Some(json!({ "value": value })),
        _ => None,
    }
}

pub(super) fn enum_of(members: &[(String, i64)], value: &Value) -> Option<i64> {
    let named = |name: &str| {
        let name = name.trim();
        let name = name.rsplit('.').next().unwrap_or(name);
        let found = members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, number)| *number).or_else(|| name.parse().ok())
    };
    match value {
        Value::String(text) => {
            text.split([',', '|']).map(named).try_fold(0, |all, one| Some(all | one?))
        }
        Value::Array(names) => names
            .iter()
            .map(|name| name.as_str().and_then(named).or_else(|| name.as_i64()))
            .try_fold(0, |all, one| Some(all | one?)),
        Value::Bool(is) => Some(i64::from(*is)),
        number => int_of(number),
    }
}

/// A number of single precision; nothing for one that is too large to be one.
fn float(number: f64) -> Option<New> {
    let single = number as f32;
    (single.is_finite() || !number.is_finite()).then(|| New::float(single))
}

fn whole(number: f64) -> Option<New> {
    let is_whole = number.fract() == 0.0 && (i32::MIN.into()..=i32::MAX.into()).contains(&number);
    is_whole.then(|| New::int(number as i64))
}

/// A rotation from its four numbers, or from three angles as the inspector shows them.
fn turn(value: &Value) -> Option<New> {
    let is_angles = match value {
        Value::Array(items) => items.len() == 3,
        Value::Object(map) => map.len() == 3 && !map.contains_key("w") && !map.contains_key("W"),
        _ => false,
    };
    if !is_angles {
        return inline(Kind::TURN, value, float);
    }
    let part = |at: usize, key: &str| number_of(value.get(at).or_else(|| value.get(key))?);
    let angles = [part(0, "x")?, part(1, "y")?, part(2, "z")?];
    let parts = Kind::TURN.iter().zip(from_euler(angles));
    let parts = parts.map(|(key, part)| Some(((*key).to_owned(), float(part)?)));
    parts.collect::<Option<_>>().map(New::Flow)
}

/// A structure on one line, from a list, an object with some of its keys, or a colour as in style
/// sheets.
fn inline(keys: &[&str], value: &Value, number: impl Fn(f64) -> Option<New>) -> Option<New> {
    let part = |value: &Value| number_of(value).and_then(&number);
    let fields: Vec<(String, New)> = match value {
        Value::Array(items) if items.len() == keys.len() => {
            let pairs = keys.iter().zip(items);
            pairs
                .map(|(key, item)| Some(((*key).to_owned(), part(item)?)))
                .collect::<Option<_>>()?
        }
        Value::Array(items) if items.len() == 3 && keys == ["r", "g", "b", "a"] => {
            let pairs = keys.iter().zip(items);
            let mut fields: Vec<_> = pairs
                .map(|(key, item)| Some(((*key).to_owned(), part(item)?)))
                .collect::<Option<_>>()?;
            fields.push(("a".to_owned(), number(1.0)?));
            fields
        }
        Value::Object(map) => {
            let one = |(key, value): (&String, &Value)| {
                let key = key.to_lowercase();
                keys.contains(&key.as_str()).then_some(())?;
                Some((key, part(value)?))
            };
            map.iter().map(one).collect::<Option<_>>()?
        }
        Value::String(text) if keys.first() == Some(&"r") => {
            let parts = hex_color(text)?.map(|part| number(f64::from(f32::from(part) / 255.0)));
            let parts = keys.iter().zip(parts);
            parts.map(|(key, part)| Some(((*key).to_owned(), part?))).collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some(New::Flow(fields))
}

/// A colour of 32 bits, which files have as one number.
fn packed_color(kind: &Kind, value: &Value) -> Option<New> {
    let Kind::Native(node) = kind else { return None };
    node.child("rgba").filter(|_| node.type_name() == "ColorRGBA")?;
    let bytes = match inline(&["r", "g", "b", "a"], value, float)? {
        New::Flow(parts) => parts,
        _ => return None,
    };
    let byte = |(_, part): &(String, New)| match part {
        New::Number(text) => {
            text.parse::<f32>().ok().map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u32)
        }
        _ => None,
    };
    let packed = bytes.iter().rev().map(byte).try_fold(0u32, |all, one| Some(all << 8 | one?))?;
    Some(New::Map(vec![("rgba".to_owned(), New::int(packed.into()))]))
}

/// A curve from its keys: `[[time, value], …]`, or objects with `time`, `value` and slopes.
fn curve(kind: &Kind, value: &Value) -> Option<New> {
    let Kind::Native(node) = kind else { return None };
    let list = node.child("m_Curve").filter(|_| node.type_name() == "AnimationCurve")?;
    let keys = match value {
        Value::Array(keys) => keys,
        Value::Object(map) => map.get("keys")?.as_array()?,
        _ => return None,
    };
    let frame = zero(&Kind::of(list.element()?));
    let number = |value: &Value| number_of(value).map(|number| New::float(number as f32));
    let key = |value: &Value| {
        let mut over = Vec::new();
        match value {
            Value::Array(pair) if pair.len() >= 2 => {
                over.push(("time".to_owned(), number(&pair[0])?));
                over.push(("value".to_owned(), number(&pair[1])?));
            }
            Value::Object(map) => {
                for (key, value) in map {
                    let key = match key.as_str() {
                        "inTangent" => "inSlope",
                        "outTangent" => "outSlope",
                        other => other,
                    };
                    over.push((key.to_owned(), number(value)?));
                }
            }
            _ => return None,
        }
        Some(overlaid(frame.clone(), New::Map(over)))
    };
    let keys = keys.iter().map(key).collect::<Option<Vec<_>>>()?;
    Some(New::Map(vec![("m_Curve".to_owned(), New::List(keys))]))
}
