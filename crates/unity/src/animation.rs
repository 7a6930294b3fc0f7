//! Animation clips: curves and events that come to a file.
//!
//! A clip has every curve twice: as it is played, where the three axes of a transform are one, and as it
//! is edited, each number by itself.

use std::sync::Arc;

use scenewright_text::Edits;

use crate::edit::scene::Refusal;
use crate::edit::{self, Habits, Item, Manner, New, NewObject, Refused, Sheet, fresh};
use crate::types::{self, Node, Version};
use crate::{ClassId, Document, FileId, Object, Reference, Value};

const CLIP: ClassId = ClassId(74);
const MAIN_ID: FileId = FileId(7_400_000);
/// The weight of a slope that nobody gave another.
const THIRD: f32 = 0.333_333_34;
const AXES: [&str; 3] = ["x", "y", "z"];

/// How a curve goes from key to key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ease {
    /// Round, and never beyond its keys.
    #[default]
    Smooth,
    /// Straight.
    Linear,
    /// Each value stays until the next key.
    Constant,
}

/// A key of one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// When, in seconds.
    pub time: f32,
    /// The value.
    pub value: f32,
    /// Slopes before and behind, where they are given.
    pub slopes: Option<[f32; 2]>,
    /// The number in files of how the editor keeps slopes, where it is given.
    pub tangents: Option<u32>,
}

/// What a curve moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The object, from the one that has the Animator; empty for that itself.
    pub path: String,
    /// The class of the component.
    pub class: ClassId,
    /// Its script, of one that is no native class.
    pub script: Option<Reference>,
}

/// The parts of a transform that have lists of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `m_LocalPosition`.
    Position,
    /// `localEulerAnglesRaw`.
    Rotation,
    /// `m_LocalScale`.
    Scale,
}

impl Part {
    /// The list, the attribute as it is edited, and the number of the attribute and of its kind.
    fn words(self) -> (&'static str, &'static str, i64, i64) {
        match self {
            Part::Position => ("m_PositionCurves", "m_LocalPosition", 1, 0),
            Part::Rotation => ("m_EulerCurves", "localEulerAnglesRaw", 4, 14),
            Part::Scale => ("m_ScaleCurves", "m_LocalScale", 3, 0),
        }
    }
}

/// An event of a clip.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event {
    /// When, in seconds.
    pub time: f32,
    /// The method.
    pub function: String,
    /// What it is given, as far as it takes that.
    pub text: String,
    /// The same as a number.
    pub float: f32,
    /// The same as a whole number.
    pub int: i64,
}

/// The text of a new clip without curves.
pub fn new_clip(
    name: &str,
    rate: f32,
    is_looped: bool,
    version: Version,
    habits: Habits,
) -> Option<String> {
    let mut fields = fresh::native(CLIP, version)?;
    fresh::put(&mut fields, "m_Name", New::Text(name.to_owned()));
    fresh::put(&mut fields, "m_SampleRate", New::float(rate));
    fresh::put(&mut fields, "m_AnimationClipSettings.m_LoopTime", New::bool(is_looped));
    let key = "AnimationClip".to_owned();
    let object = NewObject { class: CLIP, id: MAIN_ID, key, stripped: false, fields };
    Some(edit::new_file(&object, habits))
}

/// A clip while it is changed.
pub struct Clip {
    sheet: Sheet,
    tree: Node<'static>,
    id: FileId,
}

impl Clip {
    /// Open a file; refused when it has no clip.
    pub fn open(
        document: Arc<Document>,
        version: Version,
        habits: Habits,
    ) -> Result<Clip, Refusal> {
        let found = document.objects().find(|object| object.class_id() == CLIP);
        let id = found.map(|object| object.file_id());
        let id = id.ok_or_else(|| Refusal::new("the file has no animation clip"))?;
        let tree = types::tree(CLIP, version);
        let tree = tree
            .ok_or_else(|| Refusal::new("clips of this version of Unity are not written here"))?;
        let manner = Manner::of(&document).in_project(habits);
        Ok(Clip { sheet: Sheet::new(document, manner, true), tree, id })
    }

    /// The file as it is now.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.sheet.to_bytes()
    }

    /// What the file calls the clip.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Give a number a curve, in place of the one that it has. True when it had one.
    pub fn set_number(
        &mut self,
        target: &Target,
        attribute: &str,
        keys: &[Key],
        ease: Ease,
    ) -> Result<bool, Refusal> {
        let item = self.number_curve("m_FloatCurves", target, attribute, keys, ease)?;
        let had = self.put("m_FloatCurves", target, Some(attribute), item)?;
        let item = self.number_curve("m_EditorCurves", target, attribute, keys, ease)?;
        self.put("m_EditorCurves", target, Some(attribute), item)?;
        // What a build makes of others is not known; Unity makes it when it loads the clip.
        let kind = match (target.class, attribute) {
            (ClassId::GAME_OBJECT, "m_IsActive") => Some(0),
            (ClassId::RECT_TRANSFORM, _) => Some(28),
            _ => None,
        };
        if let Some(kind) = kind.filter(|_| !had) {
            self.bind(target, i64::from(crc32(attribute.as_bytes())), kind)?;
        }
        self.stop()?;
        Ok(had)
    }

    /// Give a part of a transform curves for its three axes. True when it had some.
    pub fn set_part(
        &mut self,
        target: &Target,
        part: Part,
        keys: &[[Key; 3]],
        ease: Ease,
    ) -> Result<bool, Refusal> {
        let (list, attribute, number, kind) = part.words();
        let axis = |at: usize| keys.iter().map(|key| key[at]).collect::<Vec<_>>();
        let [x, y, z] = [axis(0), axis(1), axis(2)].map(|keys| sloped(&keys, ease));
        let mut items = Vec::new();
        for ((x, y), z) in x.into_iter().zip(y).zip(z) {
            let own = [x, y, z];
            let three = |of: fn(&Sloped) -> f32| {
                let [x, y, z] = [of(&own[0]), of(&own[1]), of(&own[2])];
                New::flow([("x", x), ("y", y), ("z", z)])
            };
            let values = [
                ("time", New::float(own[0].time)),
                ("value", three(|key| key.value)),
                ("inSlope", three(|key| key.slopes[0])),
                ("outSlope", three(|key| key.slopes[1])),
                ("inWeight", three(|key| key.weight)),
                ("outWeight", three(|key| key.weight)),
            ];
            items.push(self.key(list, &values)?);
        }
        let mut item = self.item(list)?;
        put_all(
            &mut item,
            &[("curve.m_Curve", New::List(items)), ("path", New::Text(target.path.clone()))],
        );
        let had = self.put(list, target, None, item)?;
        for (at, axis) in AXES.iter().enumerate() {
            let attribute = format!("{attribute}.{axis}");
            let keys: Vec<Key> = keys.iter().map(|key| key[at]).collect();
            let item = self.number_curve("m_EditorCurves", target, &attribute, &keys, ease)?;
            self.put("m_EditorCurves", target, Some(&attribute), item)?;
        }
        if !had {
            self.bind(target, number, kind)?;
        }
        if target.path.is_empty() {
            self.set("m_HasGenericRootTransform", New::int(1))?;
        }
        self.stop()?;
        Ok(had)
    }

    /// Add an event, in the order of time; its place among them.
    pub fn add_event(&mut self, event: &Event) -> Result<usize, Refusal> {
        let mut item = self.item("m_Events")?;
        put_all(
            &mut item,
            &[
                ("time", New::float(event.time)),
                ("functionName", New::Text(event.function.clone())),
                ("data", New::Text(event.text.clone())),
                ("floatParameter", New::float(event.float)),
                ("intParameter", New::int(event.int)),
            ],
        );
        let times = self.list("m_Events", |value| number(value, "time"));
        let place = times.iter().take_while(|time| **time <= f64::from(event.time)).count();
        let old = (0..times.len()).map(Item::Old);
        let mut items: Vec<Item> = old.collect();
        items.insert(place, Item::New(item));
        self.edit(|object, manner, edits| {
            edit::set_list(object, "m_Events", &items, manner, edits)
        })?;
        self.stop()?;
        Ok(place)
    }

    /// How long it is: until its last key or event.
    pub fn length(&self) -> f64 {
        let lists = [
            "m_FloatCurves",
            "m_PositionCurves",
            "m_EulerCurves",
            "m_ScaleCurves",
            "m_RotationCurves",
            "m_PPtrCurves",
        ];
        let last = |value: Value<'_>| {
            let keys = value.get("curve.m_Curve").or_else(|| value.get("curve"));
            let keys = keys.into_iter().flat_map(Value::items);
            keys.map(|key| number(key, "time")).fold(0.0, f64::max)
        };
        let curves = lists.iter().flat_map(|list| self.list(list, last));
        let events = self.list("m_Events", |value| number(value, "time"));
        curves.chain(events).fold(0.0, f64::max)
    }

    fn stop(&mut self) -> Result<(), Refusal> {
        let length = self.length() as f32;
        // A clip of no length is one second long.
        let length = if length > 0.0 { length } else { 1.0 };
        self.set("m_AnimationClipSettings.m_StopTime", New::float(length))
    }

    fn number_curve(
        &self,
        list: &str,
        target: &Target,
        attribute: &str,
        keys: &[Key],
        ease: Ease,
    ) -> Result<New, Refusal> {
        let mut items = Vec::new();
        for key in sloped(keys, ease) {
            let values = [
                ("time", New::float(key.time)),
                ("value", New::float(key.value)),
                ("inSlope", New::float(key.slopes[0])),
                ("outSlope", New::float(key.slopes[1])),
                ("tangentMode", New::int(key.tangents.into())),
                ("inWeight", New::float(key.weight)),
                ("outWeight", New::float(key.weight)),
            ];
            items.push(self.key(list, &values)?);
        }
        let mut item = self.item(list)?;
        let mut values = vec![
            ("curve.m_Curve", New::List(items)),
            ("attribute", New::Text(attribute.to_owned())),
            ("path", New::Text(target.path.clone())),
            ("classID", New::int(target.class.0.into())),
        ];
        values.extend(target.script.map(|script| ("script", New::Reference(script))));
        put_all(&mut item, &values);
        Ok(item)
    }

    /// Put a curve in place of that of the same number, or last.
    fn put(
        &mut self,
        list: &str,
        target: &Target,
        attribute: Option<&str>,
        item: New,
    ) -> Result<bool, Refusal> {
        let is_it = |value: Value<'_>| {
            let text = |key: &str| value.get(key).map(|value| value.text().into_owned());
            text("path").unwrap_or_default() == target.path
                && attribute.is_none_or(|attribute| {
                    text("attribute").as_deref() == Some(attribute)
                        && number(value, "classID") == f64::from(target.class.0)
                        && value
                            .get("script")
                            .and_then(Value::as_reference)
                            .filter(|script| !script.is_null())
                            == target.script
                })
        };
        let known = self.list(list, is_it);
        let had = known.contains(&true);
        let old = known.iter().enumerate().map(|(at, is_it)| match is_it {
            true => Item::New(item.clone()),
            false => Item::Old(at),
        });
        let mut items: Vec<Item> = old.collect();
        if !had {
            items.push(Item::New(item));
        }
        self.edit(|object, manner, edits| edit::set_list(object, list, &items, manner, edits))?;
        Ok(had)
    }

    fn bind(&mut self, target: &Target, attribute: i64, kind: i64) -> Result<(), Refusal> {
        const LIST: &str = "m_ClipBindingConstant.genericBindings";
        let mut item = self.item(LIST)?;
        let path = if target.path.is_empty() { 0 } else { crc32(target.path.as_bytes()) };
        let class = New::int(target.class.0.into());
        put_all(
            &mut item,
            &[
                ("path", New::int(path.into())),
                ("attribute", New::int(attribute)),
                ("typeID", class.clone()),
                ("classID", class),
                ("customType", New::int(kind)),
            ],
        );
        self.edit(|object, manner, edits| edit::append(object, LIST, item, manner, edits))
    }

    /// A new item of a list.
    fn item(&self, list: &str) -> Result<New, Refusal> {
        Ok(fresh::zero(self.element(list)?))
    }

    fn key(&self, list: &str, values: &[(&str, New)]) -> Result<New, Refusal> {
        let keys =
            self.element(list)?.child("curve").and_then(|curve| curve.child("m_Curve")?.element());
        let mut key =
            fresh::zero(keys.ok_or_else(|| Refusal::new(format!("{list} has no curves")))?);
        put_all(&mut key, values);
        Ok(key)
    }

    fn element(&self, list: &str) -> Result<Node<'static>, Refusal> {
        let node = list.split('.').try_fold(self.tree, |node, key| node.child(key));
        let element = node.and_then(|node| node.element());
        element
            .ok_or_else(|| Refusal::new(format!("clips of this version of Unity have no {list}")))
    }

    fn list<T>(&self, list: &str, one: impl Fn(Value<'_>) -> T) -> Vec<T> {
        let object = self.sheet.object(self.id);
        let items = object.and_then(|object| object.get(list)).into_iter().flat_map(Value::items);
        items.map(one).collect()
    }

    fn set(&mut self, path: &str, value: New) -> Result<(), Refusal> {
        self.edit(|object, manner, edits| match object.get(path) {
            Some(_) => edit::set(object, path, &value, manner, edits),
            None => Ok(()),
        })
    }

    fn edit(
        &mut self,
        change: impl FnOnce(Object<'_>, &Manner, &mut Edits) -> Result<(), Refused>,
    ) -> Result<(), Refusal> {
        let refused = |refused: Refused| Refusal::new(refused.to_string());
        self.sheet.edit(self.id, change).map_err(refused)
    }
}

/// A key as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sloped {
    time: f32,
    value: f32,
    slopes: [f32; 2],
    tangents: u32,
    weight: f32,
}

/// Keys in the order of time, with their slopes.
fn sloped(keys: &[Key], ease: Ease) -> Vec<Sloped> {
    let mut keys = keys.to_vec();
    keys.sort_by(|one, other| one.time.total_cmp(&other.time));
    let rise = |from: &Key, to: &Key| {
        let time = to.time - from.time;
        if time > 0.0 { (to.value - from.value) / time } else { 0.0 }
    };
    let one = |(at, key): (usize, &Key)| {
        let before = at.checked_sub(1).map(|at| rise(&keys[at], key));
        let behind = keys.get(at + 1).map(|next| rise(key, next));
        let (slopes, tangents, weight) = match ease {
            Ease::Constant => ([f32::INFINITY; 2], 103, 0.0),
            Ease::Linear => {
                let first = before.or(behind).unwrap_or(0.0);
                ([first, behind.unwrap_or(first)], 69, THIRD)
            }
            Ease::Smooth => ([level(before, behind); 2], 136, THIRD),
        };
        Sloped {
            time: key.time,
            value: key.value,
            slopes: key.slopes.unwrap_or(slopes),
            tangents: key.tangents.unwrap_or(if key.slopes.is_some() { 0 } else { tangents }),
            weight,
        }
    };
    keys.iter().enumerate().map(one).collect()
}

/// The slope of a round curve that goes beyond no key: level at its ends and turns, elsewhere between
/// the rises beside it, which it may exceed three times at most (Fritsch and Carlson).
fn level(before: Option<f32>, behind: Option<f32>) -> f32 {
    match (before, behind) {
        (Some(before), Some(behind)) if before * behind > 0.0 => {
            let least = 3.0 * before.abs().min(behind.abs());
            ((before + behind) / 2.0).clamp(-least, least)
        }
        _ => 0.0,
    }
}

fn put_all(item: &mut New, values: &[(&str, New)]) {
    if let New::Map(fields) = item {
        for (key, value) in values {
            fresh::put(fields, key, value.clone());
        }
    }
}

fn number(value: Value<'_>, key: &str) -> f64 {
    value.get(key).and_then(Value::as_f64).unwrap_or(0.0)
}

/// What Unity makes of names in clips.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f32, value: f32) -> Key {
        Key { time, value, slopes: None, tangents: None }
    }

    #[test]
    fn names_have_the_numbers_of_real_clips() {
        assert_eq!(crc32(b"m_IsActive"), 2_086_281_974);
        assert_eq!(crc32(b"m_AnchoredPosition.x"), 1_460_864_421);
        assert_eq!(crc32(b"Canvas/Background"), 1_754_301_062);
    }

    #[test]
    fn slopes_are_those_of_the_ease() {
        let keys = [key(1.0, 4.0), key(0.0, 0.0), key(2.0, 5.0), key(3.0, 0.0)];
        let slopes = |ease| sloped(&keys, ease).iter().map(|key| key.slopes).collect::<Vec<_>>();
        assert_eq!(slopes(Ease::Linear), [[4.0, 4.0], [4.0, 1.0], [1.0, -5.0], [-5.0, -5.0]]);
        assert_eq!(slopes(Ease::Smooth), [[0.0; 2], [2.5; 2], [0.0; 2], [0.0; 2]]);
        assert_eq!(slopes(Ease::Constant), [[f32::INFINITY; 2]; 4]);
    }
}
