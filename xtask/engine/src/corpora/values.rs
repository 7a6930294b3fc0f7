//! Random values for properties: as a caller gives them and as the engine reads them.

use serde_json::{Value, json};
use xtask::random::Random;

use super::survey::Property;

/// A value for a property.
#[derive(Debug, Clone)]
pub(super) struct Given {
    /// What the tool is given.
    pub(super) json: Value,
    /// The same as the engine writes it.
    pub(super) text: String,
    /// Whether the inspector offers it, so that nobody may refuse it.
    pub(super) is_offered: bool,
    /// Whether it means nothing, even where the engine keeps it: no choice, a path to nowhere.
    pub(super) is_senseless: bool,
}

// Numbers of `Variant.Type` and `PropertyHint`.
const BOOL: i64 = 1;
const INT: i64 = 2;
const FLOAT: i64 = 3;
const STRING: i64 = 4;
const VECTOR2: i64 = 5;
const VECTOR2I: i64 = 6;
const VECTOR3: i64 = 9;
const COLOR: i64 = 20;
const STRING_NAME: i64 = 21;
const HINT_NONE: i64 = 0;
const HINT_RANGE: i64 = 1;
const HINT_ENUM: i64 = 2;
const HINT_FLAGS: i64 = 6;

/// A value that the inspector could give a property.
pub(super) fn offered(random: &mut Random, property: &Property) -> Option<Given> {
    let number = random.below(2000) as f64 / 10.0 - 50.0;
    let given = |json: Value, text: String| {
        Some(Given { json, text, is_offered: true, is_senseless: false })
    };
    match (property.kind, property.hint) {
        (BOOL, _) => {
            let truth = random.below(2) == 0;
            given(json!(truth), truth.to_string())
        }
        (INT, HINT_ENUM) => {
            let value = *choices(&property.hint_string)
                .get(random.below(64) % choices(&property.hint_string).len().max(1))?;
            given(json!(value), value.to_string())
        }
        (INT, HINT_FLAGS) => {
            let value: i64 =
                flags(&property.hint_string).iter().filter(|_| random.below(2) == 0).sum();
            given(json!(value), value.to_string())
        }
        (INT, HINT_RANGE) => {
            let (low, high) = range(&property.hint_string)?;
            let (low, high) = (low.max(-1000.0) as i64, high.min(1000.0) as i64);
            let value = low + random.below(usize::try_from(high - low).ok()? + 1) as i64;
            given(json!(value), value.to_string())
        }
        (INT, HINT_NONE) => {
            let value = random.below(100);
            given(json!(value), value.to_string())
        }
        (FLOAT, HINT_RANGE) => {
            let (low, high) = range(&property.hint_string)?;
            let (low, high) = (low.max(-1000.0), high.min(1000.0));
            // Angles are offered in degrees and kept in radians.
            let scale = if property.hint_string.contains("radians") { 0.017 } else { 1.0 };
            let part = random.below(100) as f64 / 100.0;
            let value = ((low + (high - low) * part) * scale * 1000.0).round() / 1000.0;
            given(json!(value), format!("{value:?}"))
        }
        (FLOAT, HINT_NONE) => given(json!(number), format!("{number:?}")),
        (STRING, HINT_NONE) => given(json!("a \"b\"\\ c"), r#""a \"b\"\\ c""#.to_owned()),
        (STRING_NAME, HINT_NONE) => given(json!("name 1"), r#"&"name 1""#.to_owned()),
        (VECTOR2, _) => tuple(random, "Vector2", 2, true),
        (VECTOR2I, _) => tuple(random, "Vector2i", 2, false),
        (VECTOR3, _) => tuple(random, "Vector3", 3, true),
        (COLOR, _) => {
            let text = "Color(0.5, 0.25, 1, 0.75)";
            given(json!(text), text.to_owned())
        }
        _ => None,
    }
}

fn tuple(random: &mut Random, name: &str, length: usize, is_split: bool) -> Option<Given> {
    let mut number = || match (random.below(100) as i64, is_split) {
        (whole, true) => format!("{:?}", whole as f64 / 4.0),
        (whole, false) => whole.to_string(),
    };
    let numbers: Vec<String> = (0..length).map(|_| number()).collect();
    let text = format!("{name}({})", numbers.join(", "));
    Some(Given { json: json!(text), text, is_offered: true, is_senseless: false })
}

/// A value of the right type that the inspector does not offer; the engine may take it or not.
pub(super) fn odd(random: &mut Random, property: &Property) -> Option<Given> {
    let text = match (property.kind, property.hint) {
        (INT, HINT_ENUM) => (*random.pick(&[-1, 42, 1000])).to_string(),
        (INT | FLOAT, HINT_RANGE) => {
            let (low, high) = range(&property.hint_string)?;
            let value = *random.pick(&[low - 1.0, high + 1.0, -5.0, 1e6]);
            if property.kind == INT { (value as i64).to_string() } else { format!("{value:?}") }
        }
        (INT, HINT_NONE) => "-3".to_owned(),
        (FLOAT, HINT_NONE) => (*random.pick(&["-7.5", "1e9"])).to_owned(),
        _ => return None,
    };
    let json: Value = serde_json::from_str(&text).ok()?;
    let is_senseless = property.hint == HINT_ENUM;
    Some(Given { json, text, is_offered: false, is_senseless })
}

/// The numbers of an enum: `Left,Right` or `A:2,B:5`.
fn choices(hint: &str) -> Vec<i64> {
    let mut next = 0;
    let mut out = Vec::new();
    for choice in hint.split(',').filter(|choice| !choice.is_empty()) {
        let number = choice.rsplit_once(':').and_then(|(_, number)| number.parse().ok());
        let value = number.unwrap_or(next);
        out.push(value);
        next = value + 1;
    }
    out
}

/// The numbers of flags: `First,Second` or `A:64,B:128`.
fn flags(hint: &str) -> Vec<i64> {
    let numbers = hint.split(',').take(20).enumerate().map(|(at, flag)| {
        let number = flag.rsplit_once(':').and_then(|(_, number)| number.parse().ok());
        number.unwrap_or(1 << at)
    });
    numbers.collect()
}

/// The bounds of `0,100,1,or_greater`.
fn range(hint: &str) -> Option<(f64, f64)> {
    let mut parts = hint.split(',').map(|part| part.trim().parse::<f64>());
    let (low, high) = (parts.next()?.ok()?, parts.next()?.ok()?);
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_as_the_engine_writes_them() {
        assert_eq!(choices("Left,Center:5,Right"), [0, 5, 6]);
        assert_eq!(flags("A,B,C"), [1, 2, 4]);
        assert_eq!(flags("A:64,B:128"), [64, 128]);
        assert_eq!(range("0.01,4096,0.01,or_greater"), Some((0.01, 4096.0)));
        assert_eq!(range("a"), None);
    }
}
