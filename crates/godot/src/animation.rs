//! The tracks of animations: what kinds there are, and how the keys of each are written.
//!
//! Most kinds keep their keys in a dictionary of columns (`times`, `values`, …); tracks of 3D
//! transforms and blend shapes keep all numbers in one row.

use crate::{Number, TupleKind, Variant};

/// Keys nearer to each other than this are one for the engine.
const SAME_TIME: f64 = 0.00001;
/// A key of a Bézier track: its value, and the handles before and behind it.
const BEZIER: usize = 5;

/// What a track animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackKind {
    /// Any property.
    Value,
    /// The position of a `Node3D` or a bone.
    Position3D,
    /// The rotation of a `Node3D` or a bone.
    Rotation3D,
    /// The scale of a `Node3D` or a bone.
    Scale3D,
    /// The weight of a blend shape.
    BlendShape,
    /// Calls of methods.
    Method,
    /// One number along a curve.
    Bezier,
    /// Sounds of a player.
    Audio,
    /// Animations of another player.
    Animation,
}

use TrackKind::*;

const NAMES: [(TrackKind, &str); 9] = [
    (Value, "value"),
    (Position3D, "position_3d"),
    (Rotation3D, "rotation_3d"),
    (Scale3D, "scale_3d"),
    (BlendShape, "blend_shape"),
    (Method, "method"),
    (Bezier, "bezier"),
    (Audio, "audio"),
    (Animation, "animation"),
];

impl TrackKind {
    /// The kind that a file names; nothing for kinds of Godot 3 and unknown ones.
    pub fn of_name(name: &str) -> Option<TrackKind> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// The keys of a track that has none. `discrete` values change at once, others gradually.
    pub fn no_keys(self, discrete: bool) -> Variant {
        if self.width().is_some() {
            return floats(Vec::new());
        }
        let update = (self == Value).then(|| ("update", Variant::int(discrete.into())));
        write_columns(self, &[], &dictionary(update.into_iter().collect()))
    }

    /// How many numbers a value has, when all keys stand in one row.
    fn width(self) -> Option<usize> {
        match self {
            Position3D | Scale3D => Some(3),
            Rotation3D => Some(4),
            BlendShape => Some(1),
            _ => None,
        }
    }

    /// The column of the values.
    fn column(self) -> &'static str {
        match self {
            Bezier => "points",
            Audio | Animation => "clips",
            _ => "values",
        }
    }

    fn has_transitions(self) -> bool {
        matches!(self, Value | Method)
    }
}

/// A key: what is to be at a time.
#[derive(Clone, Debug)]
pub struct Key {
    /// Seconds from the start.
    pub time: f64,
    /// How the value goes on to the next key: 1 evenly, more for a late change, less for an early
    /// one. When nothing, a key that is replaced keeps its own.
    pub transition: Option<f64>,
    /// The value; five numbers for a Bézier track, a dictionary for a call or a sound.
    pub value: Variant,
}

/// Why keys were not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeysError {
    /// They are written in a way that this program does not know.
    #[error("the keys of the track cannot be read")]
    Unreadable,
    /// A value of another kind is needed.
    #[error("a {} track does not take such a value", .0.name())]
    Value(TrackKind),
}

/// A key as it is written.
struct Row {
    time: Number,
    transition: Number,
    handle_mode: Number,
    value: Variant,
}

/// The keys of a track with one more, in the order of their times. True when a key at the same time
/// was replaced.
pub fn set_key(kind: TrackKind, keys: &Variant, key: &Key) -> Result<(Variant, bool), KeysError> {
    let mut rows = read(kind, keys).ok_or(KeysError::Unreadable)?;
    if !fits(kind, &key.value) {
        return Err(KeysError::Value(kind));
    }
    let old = rows.iter().position(|row| (row.time.as_float() - key.time).abs() < SAME_TIME);
    let old = old.map(|at| rows.remove(at));
    let kept = old.as_ref().map(|row| row.transition.clone());
    let row = Row {
        time: Number::component(key.time),
        transition: key.transition.map(Number::component).or(kept).unwrap_or_else(one),
        handle_mode: Number::int(0),
        value: key.value.clone(),
    };
    let place = rows.partition_point(|row| row.time.as_float() < key.time);
    rows.insert(place, row);
    let written = match kind.width() {
        Some(_) => write_row(&rows),
        None => write_columns(kind, &rows, keys),
    };
    Ok((written, old.is_some()))
}

fn one() -> Number {
    Number::int(1)
}

fn fits(kind: TrackKind, value: &Variant) -> bool {
    match kind {
        Value => true,
        Method | Audio => value.as_dictionary().is_some(),
        Animation => value.as_str().is_some(),
        Bezier => numbers(value).is_some_and(|numbers| numbers.len() == BEZIER),
        _ => numbers(value).map(|numbers| numbers.len()) == kind.width(),
    }
}

/// The numbers of a vector, or the one that a number is.
fn numbers(value: &Variant) -> Option<Vec<Number>> {
    match value {
        Variant::Tuple(_, numbers) => Some(numbers.clone()),
        Variant::Number(number) => Some(vec![number.clone()]),
        _ => None,
    }
}

fn read(kind: TrackKind, keys: &Variant) -> Option<Vec<Row>> {
    match kind.width() {
        Some(width) => read_row(width, keys),
        None => read_columns(kind, keys),
    }
}

/// Time, transition and value of each key, one after the other.
fn read_row(width: usize, keys: &Variant) -> Option<Vec<Row>> {
    let Variant::Tuple(_, all) = keys else { return None };
    let chunks = all.chunks_exact(width + 2);
    let is_whole = chunks.remainder().is_empty();
    let rows = chunks.map(|chunk| Row {
        time: chunk[0].clone(),
        transition: chunk[1].clone(),
        handle_mode: Number::int(0),
        value: floats(chunk[2..].to_vec()),
    });
    is_whole.then(|| rows.collect())
}

fn write_row(rows: &[Row]) -> Variant {
    let row = |row: &Row| {
        let value = numbers(&row.value).unwrap_or_default();
        [row.time.clone(), row.transition.clone()].into_iter().chain(value)
    };
    floats(rows.iter().flat_map(row).collect())
}

fn read_columns(kind: TrackKind, keys: &Variant) -> Option<Vec<Row>> {
    keys.as_dictionary()?;
    let times = column(keys, "times")?;
    let count = times.len();
    let fill = |name| match keys.get(name) {
        Some(_) => column(keys, name).filter(|found| found.len() == count),
        None => Some(vec![one(); count]),
    };
    let transitions = fill("transitions")?;
    let handle_modes = match keys.get("handle_modes") {
        Some(_) => fill("handle_modes")?,
        None => vec![Number::int(0); count],
    };
    let values = read_values(kind, keys.get(kind.column())?)?;
    if values.len() != count {
        return None;
    }
    let rows = times.into_iter().zip(transitions).zip(handle_modes).zip(values);
    let row =
        |(((time, transition), handle_mode), value)| Row { time, transition, handle_mode, value };
    Some(rows.map(row).collect())
}

fn column(keys: &Variant, name: &str) -> Option<Vec<Number>> {
    match keys.get(name)? {
        Variant::Tuple(_, numbers) => Some(numbers.clone()),
        _ => None,
    }
}

fn read_values(kind: TrackKind, column: &Variant) -> Option<Vec<Variant>> {
    match (kind, column) {
        (Bezier, Variant::Tuple(_, all)) => {
            let chunks = all.chunks_exact(BEZIER);
            let is_whole = chunks.remainder().is_empty();
            is_whole.then(|| chunks.map(|chunk| floats(chunk.to_vec())).collect())
        }
        (Animation, column) => Some(column.strings().into_iter().map(Variant::String).collect()),
        (_, column) => Some(column.as_array()?.to_vec()),
    }
}

/// The columns in the engine's order; further entries of the dictionary stay.
fn write_columns(kind: TrackKind, rows: &[Row], before: &Variant) -> Variant {
    let values = match kind {
        Bezier => {
            floats(rows.iter().flat_map(|row| numbers(&row.value).unwrap_or_default()).collect())
        }
        Animation => {
            let names = rows.iter().map(|row| row.value.as_str().unwrap_or_default().to_owned());
            Variant::Strings(names.collect())
        }
        _ => Variant::Array(None, rows.iter().map(|row| row.value.clone()).collect()),
    };
    let of = |field: fn(&Row) -> &Number| rows.iter().map(|row| field(row).clone()).collect();
    let mut columns = vec![("times", floats(of(|row| &row.time))), (kind.column(), values)];
    if kind.has_transitions() {
        columns.push(("transitions", floats(of(|row| &row.transition))));
    }
    if kind == Bezier {
        let modes = of(|row| &row.handle_mode);
        columns.push(("handle_modes", Variant::Tuple(TupleKind::PackedInt32Array, modes)));
    }
    let written = |key: &Variant| columns.iter().any(|(name, _)| key.as_str() == Some(name));
    let others = before.as_dictionary().unwrap_or_default().iter();
    let others: Vec<_> = others.filter(|(key, _)| !written(key)).cloned().collect();
    let Variant::Dictionary(_, mut entries) = dictionary(columns) else { return Variant::Nil };
    entries.extend(others);
    // The engine sorts them.
    entries.sort_by(|one, two| one.0.as_str().cmp(&two.0.as_str()));
    Variant::Dictionary(None, entries)
}

fn dictionary(entries: Vec<(&str, Variant)>) -> Variant {
    let entries = entries.into_iter().map(|(key, value)| (Variant::String(key.into()), value));
    Variant::Dictionary(None, entries.collect())
}

fn floats(numbers: Vec<Number>) -> Variant {
    Variant::Tuple(TupleKind::PackedFloat32Array, numbers)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(kind: TrackKind, keys: &str, key: (f64, Option<f64>, &str), expected: Expect) {
        let keys = match keys {
            "" => kind.no_keys(false),
            text => Variant::parse(text).unwrap(),
        };
        let (time, transition, value) = key;
        let key = Key { time, transition, value: Variant::parse(value).unwrap() };
        let shown = match set_key(kind, &keys, &key) {
            Ok((keys, replaced)) => format!("{} {replaced}", keys.to_text(3)).replace('\n', " "),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn keys_stand_in_the_order_of_their_times() {
        let keys = r#"{"times": PackedFloat32Array(0, 0.4), "transitions": PackedFloat32Array(1, 0.5), "update": 1, "values": [1, 2]}"#;
        check(
            Value,
            keys,
            (0.2, None, "9"),
            expect![[
                r#"{ "times": PackedFloat32Array(0, 0.2, 0.4), "transitions": PackedFloat32Array(1, 1, 0.5), "update": 1, "values": [1, 9, 2] } false"#
            ]],
        );
        check(
            Value,
            keys,
            (0.400_001, None, "9"),
            expect![[
                r#"{ "times": PackedFloat32Array(0, 0.400001), "transitions": PackedFloat32Array(1, 0.5), "update": 1, "values": [1, 9] } true"#
            ]],
        );
        check(
            Value,
            r#"{"times": PackedFloat32Array(0), "values": []}"#,
            (0.0, None, "9"),
            expect!["the keys of the track cannot be read"],
        );
    }

    #[test]
    fn each_kind_has_its_own_way() {
        check(
            Position3D,
            "PackedFloat32Array(1, 1, 0, 0, 0)",
            (0.5, Some(2.0), "Vector3(1, 2, 3)"),
            expect!["PackedFloat32Array(0.5, 2, 1, 2, 3, 1, 1, 0, 0, 0) false"],
        );
        check(
            BlendShape,
            "",
            (0.5, None, "0.25"),
            expect!["PackedFloat32Array(0.5, 1, 0.25) false"],
        );
        check(
            Rotation3D,
            "",
            (0.5, None, "Vector3(1, 2, 3)"),
            expect!["a rotation_3d track does not take such a value"],
        );
        check(
            Bezier,
            "",
            (0.5, None, "PackedFloat32Array(3, 0, 0, 0.25, 0)"),
            expect![[
                r#"{ "handle_modes": PackedInt32Array(0), "points": PackedFloat32Array(3, 0, 0, 0.25, 0), "times": PackedFloat32Array(0.5) } false"#
            ]],
        );
        check(
            Animation,
            "",
            (0.5, None, r#""hop""#),
            expect![[
                r#"{ "clips": PackedStringArray("hop"), "times": PackedFloat32Array(0.5) } false"#
            ]],
        );
        check(
            Method,
            "",
            (0.5, None, r#"{"args": [], "method": &"hop"}"#),
            expect![[
                r#"{ "times": PackedFloat32Array(0.5), "transitions": PackedFloat32Array(1), "values": [{ "args": [], "method": &"hop" }] } false"#
            ]],
        );
    }

    #[test]
    fn names_stand_in_the_order_of_the_kinds() {
        for (kind, name) in NAMES {
            assert_eq!(kind.name(), name);
            assert_eq!(TrackKind::of_name(name), Some(kind));
        }
    }
}
