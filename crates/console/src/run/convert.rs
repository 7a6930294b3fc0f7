//! Values to other types, and to and from the world's, which has fewer: functions become null there.

use std::sync::Arc;

use scenewright_world::Value;
use scenewright_world::math::{Color, Quat, Vec2, Vec3, Vec4};
use scenewright_world::types::Types;

use super::{Ran, Run};
use crate::library;
use crate::ty::{Int, Ty};
use crate::value::{List, ListKind, Thing, Val};

/// Lists in lists beyond this become null.
const MAX_NESTING: usize = 16;
/// Values that become the world's at once; what comes after them becomes null.
const MAX_VALUES: usize = 1_000_000;

impl Run<'_, '_> {
    /// As a cast does.
    pub(super) fn convert(&mut self, value: Val, to: &Ty) -> Ran<Val> {
        if to.is_dynamic() || to.is("System.Object") || to.is_void() || to.is_parameter() {
            return Ok(value);
        }
        if to.is("System.Nullable") {
            return match value {
                Val::Null => Ok(Val::Null),
                other => self.convert(other, &to.arg(0)),
            };
        }
        if let Some(kind) = to.int_kind() {
            return self.as_whole_number(value, kind);
        }
        match &*to.name {
            "System.Single" => return self.as_real(value).map(|real| Val::Float(real as f32)),
            "System.Double" => return self.as_real(value).map(Val::Double),
            "System.Char" => {
                return self.as_whole_number(value, Int::U16).map(|value| match value {
                    Val::Int(_, unit) => Val::Char(unit as u16),
                    other => other,
                });
            }
            "System.Boolean" => match value {
                Val::Bool(_) => return Ok(value),
                Val::Object(_) | Val::Component(_) | Val::Asset(_) => {
                    return Ok(Val::Bool(!self.is_nothing(&value)));
                }
                _ => {}
            },
            _ => {}
        }
        if let Some(converted) = to_vector(&value, to) {
            return Ok(converted);
        }
        if self.types().get_enum(&to.name).is_some() {
            return match value.as_int() {
                Some(number) => self.enum_of(&to.name, number),
                None => self.bad_cast(&value, to),
            };
        }
        match value {
            Val::Null if self.is_plain(to) => self.null(),
            Val::Null => Ok(value),
            _ if self.is_of(&value, to) => Ok(value),
            _ => self.bad_cast(&value, to),
        }
    }

    fn bad_cast<T>(&self, value: &Val, to: &Ty) -> Ran<T> {
        if matches!(value, Val::Null) {
            return self.null();
        }
        let message =
            format!("Unable to cast object of type '{}' to type '{}'.", self.type_of(value), to);
        self.throw("System.InvalidCastException", message)
    }

    fn as_whole_number(&mut self, value: Val, kind: Int) -> Ran<Val> {
        match value {
            Val::Int(_, number) => Ok(Val::Int(kind, kind.wrap(number))),
            // Rust saturates where C# leaves open what happens.
            Val::Float(number) => Ok(Val::Int(kind, kind.wrap(number as i64))),
            Val::Double(number) => Ok(Val::Int(kind, kind.wrap(number as i64))),
            Val::Char(unit) => Ok(Val::Int(kind, kind.wrap(i64::from(unit)))),
            Val::Enum(value) => Ok(Val::Int(kind, kind.wrap(value.number))),
            other => self.bad_cast(&other, &Ty::of(kind.name())),
        }
    }

    fn as_real(&mut self, value: Val) -> Ran<f64> {
        match (&value, value.as_f64()) {
            (_, Some(real)) => Ok(real),
            (Val::Enum(value), _) => Ok(value.number as f64),
            _ => self.bad_cast(&value, &Ty::of("System.Double")),
        }
    }

    pub(super) fn types(&self) -> &Arc<Types> {
        self.world.types()
    }

    pub(super) fn is_plain(&self, ty: &Ty) -> bool {
        ty.is_plain(|name| self.types().get_enum(name).is_some())
    }

    pub(super) fn enum_of(&mut self, type_name: &str, number: i64) -> Ran<Val> {
        let value = self.world.enum_value(type_name, number);
        self.value_from(&value, None)
    }

    pub(super) fn default_of(&mut self, ty: &Ty) -> Ran<Val> {
        if let Some(kind) = ty.int_kind() {
            return Ok(Val::Int(kind, 0));
        }
        if let Some(made) = super::vectors::make(ty, &[]) {
            return Ok(made);
        }
        Ok(match &*ty.name {
            "System.Boolean" => Val::Bool(false),
            "System.Char" => Val::Char(0),
            "System.Single" => Val::Float(0.0),
            "System.Double" => Val::Double(0.0),
            "UnityEngine.SceneManagement.Scene" => Val::Scene(scenewright_world::SceneKey::NONE),
            "KeyValuePair" => {
                let (key, value) = (self.default_of(&ty.arg(0))?, self.default_of(&ty.arg(1))?);
                self.pair(key, value)?
            }
            _ if ty.is_tuple() => {
                let parts =
                    ty.args.iter().map(|part| self.default_of(part)).collect::<Ran<Vec<_>>>()?;
                self.tuple(parts)?
            }
            name if self.types().get_enum(name).is_some() => self.enum_of(name, 0)?,
            _ => Val::Null,
        })
    }

    /// Whether a value is one of a type; null is of none.
    pub(super) fn is_of(&self, value: &Val, ty: &Ty) -> bool {
        if matches!(value, Val::Null) {
            return false;
        }
        let ty = ty.bare();
        if ty.is_dynamic() || ty.is("System.Object") {
            return true;
        }
        let own = self.type_of(value);
        if let Val::Ref(_) = value {
            if own.is_func() || ty.is_func() {
                return own.is_func() && ty.is_func();
            }
            if self.is_exception(&own.name, "System.Exception") {
                return self.is_exception(&own.name, &ty.name);
            }
            let same_items = || {
                own.args
                    .iter()
                    .zip(ty.args.iter())
                    .all(|(a, b)| a == b || a.is_dynamic() || b.is_dynamic() || !self.is_plain(a))
            };
            return match &*ty.name {
                "IEnumerable" => self.list(value).is_some() || self.map(value).is_some(),
                name => *own.name == *name && same_items(),
            };
        }
        if own.is_tuple() {
            return ty.is_tuple() && own.args.len() == ty.args.len();
        }
        own.name == ty.name
            || self.types().is_a(&own.name, &ty.name)
            || (ty.is("UnityEngine.Object") && matches!(value, Val::Asset(_)))
            || (ty.is("System.Enum") && matches!(value, Val::Enum(_)))
            || (ty.is("IEnumerable") && matches!(value, Val::Text(_) | Val::Component(_)))
    }

    pub(super) fn is_exception(&self, ty: &str, base: &str) -> bool {
        let mut name = ty.to_owned();
        for _ in 0..16 {
            if name == base {
                return true;
            }
            match library::section(&name).and_then(|section| section.base.as_ref()) {
                Some(base) => name = base.name.to_string(),
                None => return false,
            }
        }
        false
    }

    /// The type of a value.
    pub(super) fn type_of(&self, value: &Val) -> Ty {
        Ty::of(match value {
            Val::Null => "System.Object",
            Val::Bool(_) => "System.Boolean",
            Val::Char(_) => "System.Char",
            Val::Int(kind, _) => kind.name(),
            Val::Float(_) => "System.Single",
            Val::Double(_) => "System.Double",
            Val::Text(_) => "System.String",
            Val::Vec2(_) => "UnityEngine.Vector2",
            Val::Vec3(_) => "UnityEngine.Vector3",
            Val::Vec4(_) => "UnityEngine.Vector4",
            Val::Quat(_) => "UnityEngine.Quaternion",
            Val::Color(_) => "UnityEngine.Color",
            Val::Object(_) => "UnityEngine.GameObject",
            Val::Scene(_) => "UnityEngine.SceneManagement.Scene",
            Val::Type(_) => "System.Type",
            Val::Enum(value) => &value.type_name,
            Val::Asset(asset) => &asset.type_name,
            Val::Struct(value) => &value.type_name,
            Val::Component(id) => return Ty::of(&self.world.type_of(&Value::Component(*id))),
            Val::Tuple(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.type_of(part)).collect();
                return Ty::generic("()", parts);
            }
            Val::Pair(pair) => {
                return Ty::generic(
                    "KeyValuePair",
                    [self.type_of(&pair[0]), self.type_of(&pair[1])],
                );
            }
            Val::Ref(_) => match self.thing(value) {
                Some(Thing::List(list)) => return list.ty(),
                Some(Thing::Map(map)) => return map.ty(),
                Some(Thing::Exception(exception)) => &exception.ty,
                Some(Thing::Builder(_)) => "System.Text.StringBuilder",
                Some(Thing::Func(_)) => return Ty::generic("Func", [Ty::dynamic()]),
                None => "System.Object",
            },
        })
    }

    /// The value as the world holds it; null for what it cannot hold.
    pub(super) fn to_value(&self, value: &Val) -> Value {
        let mut left = MAX_VALUES;
        self.to_value_at(value, 0, &mut left)
    }

    /// `left` counts down: a list that holds itself twice is endless in both directions.
    fn to_value_at(&self, value: &Val, depth: usize, left: &mut usize) -> Value {
        *left = left.saturating_sub(1);
        match value {
            Val::Null | Val::Type(_) => match value {
                Val::Type(ty) => Value::text(&*ty.name),
                _ => Value::Null,
            },
            Val::Bool(value) => Value::Bool(*value),
            Val::Char(unit) => Value::text(String::from_utf16_lossy(&[*unit])),
            Val::Int(_, value) => Value::Int(*value),
            Val::Float(value) => Value::Float(*value),
            Val::Double(value) => Value::Double(*value),
            Val::Text(text) => Value::text(&**text),
            Val::Vec2(v) => Value::Vec2(*v),
            Val::Vec3(v) => Value::Vec3(*v),
            Val::Vec4(v) => Value::Vec4(*v),
            Val::Quat(q) => Value::Quat(*q),
            Val::Color(c) => Value::Color(*c),
            Val::Enum(value) => Value::Enum(value.clone()),
            Val::Object(id) => Value::Object(*id),
            Val::Component(id) => Value::Component(*id),
            Val::Asset(asset) => Value::Asset(asset.clone()),
            Val::Struct(value) => Value::Struct(value.clone()),
            Val::Scene(key) => {
                let scene = self.world.scenes().iter().find(|scene| scene.key() == *key);
                scene.map_or(Value::Null, |scene| Value::text(scene.name()))
            }
            _ if depth >= MAX_NESTING || *left == 0 => Value::Null,
            Val::Tuple(parts) | Val::Pair(parts) => {
                let parts = parts.iter();
                Value::list(parts.map(|part| self.to_value_at(part, depth + 1, left)).collect())
            }
            Val::Ref(_) => match self.thing(value) {
                Some(Thing::List(list)) => {
                    let items = list.items.iter();
                    Value::list(items.map(|item| self.to_value_at(item, depth + 1, left)).collect())
                }
                Some(Thing::Map(map)) => {
                    let entries = map.iter().map(|(key, value)| match map.is_set {
                        true => self.to_value_at(key, depth + 1, left),
                        false => Value::list(vec![
                            self.to_value_at(key, depth + 1, left),
                            self.to_value_at(value, depth + 1, left),
                        ]),
                    });
                    Value::list(entries.collect())
                }
                Some(Thing::Exception(exception)) => {
                    Value::text(format!("{}: {}", exception.ty, exception.message))
                }
                Some(Thing::Builder(text)) => Value::text(text.as_str()),
                _ => Value::Null,
            },
        }
    }

    /// A value of the world, as one of a type when that is known.
    pub(super) fn value_from(&mut self, value: &Value, ty: Option<&Ty>) -> Ran<Val> {
        let made = match value {
            Value::Null => Val::Null,
            Value::Bool(value) => Val::Bool(*value),
            Value::Int(value) => {
                let small = i32::try_from(*value).is_ok();
                Val::Int(if small { Int::I32 } else { Int::I64 }, *value)
            }
            Value::Float(value) => Val::Float(*value),
            Value::Double(value) => Val::Double(*value),
            Value::Text(text) => match ty.is_some_and(|ty| ty.is("System.Char")) {
                true => Val::Char(text.encode_utf16().next().unwrap_or(0)),
                false => {
                    self.take(text.len())?;
                    Val::text(&**text)
                }
            },
            Value::Vec2(v) => Val::Vec2(*v),
            Value::Vec3(v) => Val::Vec3(*v),
            Value::Vec4(v) => Val::Vec4(*v),
            Value::Quat(q) => Val::Quat(*q),
            Value::Color(c) => Val::Color(*c),
            Value::Enum(value) => Val::Enum(value.clone()),
            Value::Object(id) => Val::Object(*id),
            Value::Component(id) => Val::Component(*id),
            Value::Asset(asset) => Val::Asset(asset.clone()),
            Value::Struct(given) => self.scene_of(value).unwrap_or(Val::Struct(given.clone())),
            Value::List(items) => {
                let item = ty
                    .filter(|ty| ty.is("List") || ty.is("Array"))
                    .map_or_else(Ty::dynamic, |ty| ty.arg(0));
                self.work(items.len() as u64)?;
                let items = items
                    .iter()
                    .map(|value| self.deeper(|run| run.value_from(value, Some(&item))))
                    .collect::<Ran<Vec<_>>>()?;
                let is_list = ty.is_some_and(|ty| ty.is("List"));
                let kind = if is_list { ListKind::List } else { ListKind::Array };
                self.take(items.iter().map(Val::size).sum())?;
                return self.add(Thing::List(List::new(kind, item, items)));
            }
        };
        // Numbers of the world do not tell an int from a long; their members do.
        match ty {
            Some(ty) if ty.bare().is_number() && made.as_f64().is_some() => self.convert(made, ty),
            _ => Ok(made),
        }
    }

    /// A `Scene`, which the world gives as a struct.
    fn scene_of(&self, value: &Value) -> Option<Val> {
        let Value::Struct(given) = value else { return None };
        if &*given.type_name != "UnityEngine.SceneManagement.Scene" {
            return None;
        }
        let path = given.fields.iter().find(|(name, _)| &**name == "path");
        let path = path.map(|(_, value)| value.plain_text()).unwrap_or_default();
        let scene = self.world.scenes().iter().find(|scene| scene.path() == path);
        Some(Val::Scene(
            scene.map_or(scenewright_world::SceneKey::DONT_DESTROY, |scene| scene.key()),
        ))
    }
}

/// Vectors and colours as one another.
fn to_vector(value: &Val, to: &Ty) -> Option<Val> {
    let reals = value.reals()?;
    let at = |index: usize| reals.get(index).copied().unwrap_or(0.0);
    Some(match (&*to.name, value) {
        ("UnityEngine.Vector2", _) => Val::Vec2(Vec2::new(at(0), at(1))),
        ("UnityEngine.Vector3", _) => Val::Vec3(Vec3::new(at(0), at(1), at(2))),
        ("UnityEngine.Vector4", _) => Val::Vec4(Vec4 { x: at(0), y: at(1), z: at(2), w: at(3) }),
        ("UnityEngine.Color", _) => Val::Color(Color { r: at(0), g: at(1), b: at(2), a: at(3) }),
        ("UnityEngine.Quaternion", Val::Quat(_)) => {
            Val::Quat(Quat { x: at(0), y: at(1), z: at(2), w: at(3) })
        }
        _ => return None,
    })
}
