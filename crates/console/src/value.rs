//! Values while code runs. Lists, maps, functions and exceptions are places in the heap of the run, so
//! that two names may mean one; everything else is copied.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use scenewright_world::math::{Color, Quat, Vec2, Vec3, Vec4};
use scenewright_world::{AssetRef, ComponentId, EnumValue, ObjectId, SceneKey, StructValue};

use super::ir::Code;
use super::ty::{Int, Ty};

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Val {
    Null,
    Bool(bool),
    Char(u16),
    Int(Int, i64),
    Float(f32),
    Double(f64),
    Text(Rc<str>),
    Vec2(Vec2),
    Vec3(Vec3),
    Vec4(Vec4),
    Quat(Quat),
    Color(Color),
    Enum(Arc<EnumValue>),
    Object(ObjectId),
    Component(ComponentId),
    Asset(Arc<AssetRef>),
    Struct(Arc<StructValue>),
    Scene(SceneKey),
    Type(Ty),
    Tuple(Rc<Parts>),
    /// A key with a value.
    Pair(Rc<Parts>),
    /// Something in the heap.
    Ref(usize),
}

/// The values that a tuple or a pair is made of. They hold each other by value, so that comparing
/// two looks at everything inside; `weight` keeps that small.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    items: Box<[Val]>,
    weight: u32,
}

/// Values in a tuple, those of tuples inside it among them.
const MAX_WEIGHT: u32 = 4096;

impl Parts {
    /// Nothing when it were too heavy.
    pub(super) fn new(items: Vec<Val>) -> Option<Rc<Parts>> {
        let weight = |item: &Val| match item {
            Val::Tuple(parts) | Val::Pair(parts) => parts.weight,
            _ => 1,
        };
        let weight = items.iter().map(weight).fold(1, u32::saturating_add);
        (weight <= MAX_WEIGHT).then(|| Rc::new(Parts { items: items.into(), weight }))
    }
}

impl std::ops::Deref for Parts {
    type Target = [Val];
    fn deref(&self) -> &[Val] {
        &self.items
    }
}

/// A variable.
pub(super) type Cell = Rc<RefCell<Val>>;

/// What has an identity. Values may point to each other in circles: who looks after the heap asks
/// what variables lead to.
#[derive(Debug)]
pub(super) enum Thing {
    List(List),
    Map(Map),
    Func(Rc<Closure>),
    Exception(Exception),
    Builder(String),
}

#[derive(Debug, Clone)]
pub(super) struct List {
    pub kind: ListKind,
    pub item: Ty,
    pub items: Vec<Val>,
    /// Where the list came from, when it is a member of a component: changes go back there.
    pub origin: Option<(ComponentId, Arc<str>)>,
    /// What the items are sorted by, for a `ThenBy` to follow: keys of each item, and whether each
    /// goes down.
    pub sorted: Option<(Vec<Vec<Val>>, Vec<bool>)>,
    /// The key of a group.
    pub key: Option<Val>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKind {
    Array,
    List,
    /// What LINQ gives.
    Sequence,
}

/// A dictionary, or a set, whose values are nothing. Entries stay in the order they came.
#[derive(Debug, Clone)]
pub(super) struct Map {
    pub is_set: bool,
    pub key: Ty,
    pub value: Ty,
    pub places: HashMap<Key, usize>,
    pub entries: Vec<Option<(Val, Val)>>,
}

#[derive(Debug)]
pub(super) struct Closure {
    pub code: ClosureCode,
    /// The variables around it.
    pub cells: Vec<Cell>,
}

#[derive(Debug)]
pub(super) enum ClosureCode {
    Lambda(Arc<Code>),
    Function(usize),
}

#[derive(Debug, Clone)]
pub(super) struct Exception {
    pub ty: Arc<str>,
    pub message: String,
}

/// A value by which others are found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Null,
    Bool(bool),
    Char(u16),
    Int(i64),
    Real(u64),
    Text(Rc<str>),
    Reals(Vec<u32>),
    Enum(Arc<str>, i64),
    Id(i32),
    Scene(SceneKey),
    Ref(usize),
    Type(Ty),
    Several(Vec<Key>),
}

impl Val {
    pub(super) fn text(text: impl Into<Rc<str>>) -> Val {
        Val::Text(text.into())
    }

    pub(super) fn int(value: i64) -> Val {
        Val::Int(Int::I32, value)
    }

    /// As a number, when it is one.
    pub(super) fn as_f64(&self) -> Option<f64> {
        Some(match self {
            Val::Int(_, value) => *value as f64,
            Val::Char(value) => f64::from(*value),
            Val::Float(value) => f64::from(*value),
            Val::Double(value) => *value,
            _ => return None,
        })
    }

    /// As a whole number, when it is one.
    pub(super) fn as_int(&self) -> Option<i64> {
        match self {
            Val::Int(_, value) => Some(*value),
            Val::Char(value) => Some(i64::from(*value)),
            Val::Enum(value) => Some(value.number),
            _ => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<&Rc<str>> {
        match self {
            Val::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The numbers that a vector, a rotation or a colour is made of.
    pub(super) fn reals(&self) -> Option<Vec<f32>> {
        Some(match self {
            Val::Vec2(v) => vec![v.x, v.y],
            Val::Vec3(v) => vec![v.x, v.y, v.z],
            Val::Vec4(v) => vec![v.x, v.y, v.z, v.w],
            Val::Quat(q) => vec![q.x, q.y, q.z, q.w],
            Val::Color(c) => vec![c.r, c.g, c.b, c.a],
            _ => return None,
        })
    }

    /// A value of the same type made of other numbers.
    pub(super) fn with_reals(&self, n: &[f32]) -> Val {
        let at = |index: usize| n.get(index).copied().unwrap_or(0.0);
        match self {
            Val::Vec2(_) => Val::Vec2(Vec2::new(at(0), at(1))),
            Val::Vec3(_) => Val::Vec3(Vec3::new(at(0), at(1), at(2))),
            Val::Vec4(_) => Val::Vec4(Vec4 { x: at(0), y: at(1), z: at(2), w: at(3) }),
            Val::Quat(_) => Val::Quat(Quat { x: at(0), y: at(1), z: at(2), w: at(3) }),
            Val::Color(_) => Val::Color(Color { r: at(0), g: at(1), b: at(2), a: at(3) }),
            other => other.clone(),
        }
    }

    /// The value by which it is found in dictionaries and sets.
    pub(super) fn key(&self) -> Key {
        match self {
            Val::Null => Key::Null,
            Val::Bool(value) => Key::Bool(*value),
            Val::Char(value) => Key::Char(*value),
            Val::Int(_, value) => Key::Int(*value),
            Val::Float(value) => Key::Real((f64::from(*value) + 0.0).to_bits()),
            Val::Double(value) => Key::Real((*value + 0.0).to_bits()),
            Val::Text(text) => Key::Text(text.clone()),
            Val::Vec2(_) | Val::Vec3(_) | Val::Vec4(_) | Val::Quat(_) | Val::Color(_) => {
                let reals = self.reals().unwrap_or_default();
                Key::Reals(reals.into_iter().map(|real| (real + 0.0).to_bits()).collect())
            }
            Val::Enum(value) => Key::Enum(value.type_name.clone(), value.number),
            Val::Object(ObjectId(id)) | Val::Component(ComponentId(id)) => Key::Id(*id),
            Val::Asset(asset) => Key::Id(asset.id),
            Val::Struct(value) => Key::Text(format!("{value:?}").into()),
            Val::Scene(key) => Key::Scene(*key),
            Val::Type(ty) => Key::Type(ty.clone()),
            Val::Tuple(parts) | Val::Pair(parts) => {
                Key::Several(parts.iter().map(Val::key).collect())
            }
            Val::Ref(index) => Key::Ref(*index),
        }
    }

    /// How many bytes it takes, roughly.
    pub(super) fn size(&self) -> usize {
        std::mem::size_of::<Val>()
            + match self {
                Val::Text(text) => text.len(),
                Val::Tuple(parts) => parts.len() * std::mem::size_of::<Val>(),
                _ => 0,
            }
    }
}

impl List {
    pub(super) fn new(kind: ListKind, item: Ty, items: Vec<Val>) -> List {
        List { kind, item, items, origin: None, sorted: None, key: None }
    }

    pub(super) fn ty(&self) -> Ty {
        let item = self.item.clone();
        match (self.kind, &self.key) {
            (_, Some(_)) => Ty::generic("IGrouping", [Ty::dynamic(), item]),
            (ListKind::Array, _) => Ty::array(item),
            (ListKind::List, _) => Ty::list(item),
            (ListKind::Sequence, _) => Ty::seq(item),
        }
    }
}

impl Map {
    pub(super) fn new(is_set: bool, key: Ty, value: Ty) -> Map {
        Map { is_set, key, value, places: HashMap::new(), entries: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Val> {
        let place = *self.places.get(key)?;
        self.entries.get(place)?.as_ref().map(|(_, value)| value)
    }

    /// Put a value at a key; whether the key is new.
    pub(super) fn set(&mut self, key: Val, value: Val) -> bool {
        let found = key.key();
        if let Some(place) = self.places.get(&found) {
            self.entries[*place] = Some((key, value));
            return false;
        }
        self.places.insert(found, self.entries.len());
        self.entries.push(Some((key, value)));
        true
    }

    pub(super) fn remove(&mut self, key: &Key) -> bool {
        let Some(place) = self.places.remove(key) else { return false };
        self.entries[place] = None;
        true
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.entries.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Val, Val)> {
        self.entries.iter().flatten()
    }

    pub(super) fn ty(&self) -> Ty {
        match self.is_set {
            true => Ty::generic("HashSet", [self.key.clone()]),
            false => Ty::generic("Dictionary", [self.key.clone(), self.value.clone()]),
        }
    }
}
