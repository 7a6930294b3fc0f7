//! Members of objects and components: what C# code reads and sets by name.

mod convert;
mod defaults;
mod json;
mod known;

use std::collections::HashSet;
use std::sync::Arc;

use crate::ids::{ComponentId, ObjectId};
use crate::math::Vec3;
use crate::object::{Component, Data};
use crate::types::{
    Initial, Member, MemberKind, Source, Types, is_housekeeping, property_name, short_name,
};
use crate::value::{EnumValue, Value};
use crate::world::{Refused, World};

pub(crate) use convert::{cast, default_of, from_data};
pub use json::BadValue;

impl World {
    /// The members of a component: those of its class, then saved fields that no class tells of.
    pub fn members(&self, id: ComponentId) -> Vec<Member> {
        let Some((_, component)) = self.component(id) else { return Vec::new() };
        let Some(type_name) = component.type_name() else { return Vec::new() };
        let mut members: Vec<Member> =
            self.types().members(type_name).into_iter().cloned().collect();
        members.extend(untold(self.types(), component, &self.told_by(type_name)));
        // C# has fields first; the order is otherwise the class's own.
        members.sort_by_key(|member| member.kind == MemberKind::Property);
        members
    }

    /// The saved fields that a class tells of.
    pub fn told_by(&self, type_name: &str) -> Told<'_> {
        let paths = self.types().members(type_name).into_iter().filter_map(path_of);
        Told(paths.filter_map(|path| path.split('.').next()).collect())
    }

    /// The members of a component that its class does not tell of; they are the last in its list.
    pub fn untold_members(&self, id: ComponentId, told: &Told<'_>) -> Vec<Member> {
        let component = self.component(id).map(|(_, component)| component);
        component.map_or_else(Vec::new, |component| untold(self.types(), component, told))
    }

    /// The value of a component's member; nothing when it has none of that name.
    pub fn member(&self, id: ComponentId, name: &str) -> Option<Value> {
        let (_, component) = self.component(id)?;
        let type_name = component.type_name()?;
        match self.types().member(type_name, name) {
            Some(member) => self.value_of(id, component, member),
            None => {
                let member = untold(self.types(), component, &self.told_by(type_name))
                    .into_iter()
                    .find(|member| &*member.name == name)?;
                self.value_of(id, component, &member)
            }
        }
    }

    fn value_of(&self, id: ComponentId, component: &Component, member: &Member) -> Option<Value> {
        match &member.source {
            Source::World => self.known_member(id, &member.name),
            Source::Memory => Some(match component.changed.get(&member.name) {
                Some(value) => value.clone(),
                None => self.initial(member),
            }),
            Source::Saved(path) => Some(match component.changed.get(path) {
                Some(value) => value.clone(),
                None => match self.saved_value(component, path) {
                    Some(data) => convert::from_data(&data, &member.type_name, self.types()),
                    None => {
                        let class = component.type_name().unwrap_or_default();
                        defaults::of(class, path, &member.type_name, self.types())
                            .unwrap_or_else(|| self.initial(member))
                    }
                },
            }),
        }
    }

    /// What a member has before anything sets it: what its declaration says, or its type.
    fn initial(&self, member: &Member) -> Value {
        let given = match &member.initial {
            Some(Initial::Value(value)) => Some(value.clone()),
            Some(Initial::Code(code)) => (self.initials)(self.types(), code, &member.type_name),
            None => None,
        };
        given
            .and_then(|value| cast(value, &member.type_name, self.types()))
            .unwrap_or_else(|| convert::default_of(&member.type_name, self.types()))
    }

    /// The value of a static member: what was set, or what it has to begin with; nothing when there is no such member.
    pub fn static_member(&self, type_name: &str, name: &str) -> Option<(Arc<str>, Value)> {
        let member = self.types().member(type_name, name).filter(|member| member.is_static)?;
        let known = self.statics.get(&(type_name.into(), name.into()));
        let value = known.cloned().unwrap_or_else(|| self.initial(member));
        Some((member.type_name.clone(), value))
    }

    /// Set a static member.
    pub fn set_static_member(&mut self, type_name: &str, name: &str, value: Value) {
        self.statics.insert((type_name.into(), name.into()), value);
    }

    /// What the file of a component says at a path.
    pub(crate) fn saved_value(&self, component: &Component, path: &str) -> Option<Data> {
        let saved = component.saved.as_ref()?;
        saved.value(path, &|file_id| self.numbered(component.id(), file_id))
    }

    /// The value at the path of a saved field, by its looks: what was set, what the file says, or
    /// what the class has from the start.
    pub(crate) fn field(&self, component: &Component, path: &str) -> Option<Value> {
        if let Some(value) = component.changed.get(path) {
            return Some(value.clone());
        }
        if let Some(data) = self.saved_value(component, path) {
            return Some(convert::from_data(&data, "", self.types()));
        }
        defaults::of(component.type_name()?, path, "", self.types())
    }

    /// A member as a number; zero when it is none.
    pub(crate) fn number(&self, id: ComponentId, name: &str) -> f32 {
        self.member(id, name).and_then(|value| value.as_f64()).unwrap_or(0.0) as f32
    }

    /// A member as a yes or no; saved fields that no class tells of are numbers.
    pub(crate) fn flag(&self, id: ComponentId, name: &str) -> bool {
        match self.member(id, name) {
            Some(Value::Bool(flag)) => flag,
            Some(value) => value.as_f64().is_some_and(|number| number != 0.0),
            None => false,
        }
    }

    /// A member as a vector; zero when it is none.
    pub(crate) fn vector(&self, id: ComponentId, name: &str) -> Vec3 {
        match self.member(id, name) {
            Some(Value::Vec3(vector)) => vector,
            _ => Vec3::ZERO,
        }
    }

    /// Set a component's member. The value must fit the member's type.
    pub fn set_member(&mut self, id: ComponentId, name: &str, value: Value) -> Result<(), Refused> {
        let (_, component) = self.component(id).ok_or(Refused::NoComponent)?;
        let type_name = component.type_name.clone().ok_or(Refused::NoComponent)?;
        let member = self.types().member(&type_name, name).cloned();
        let member = member
            .or_else(|| {
                untold(self.types(), component, &self.told_by(&type_name))
                    .into_iter()
                    .find(|member| &*member.name == name)
            })
            .ok_or_else(|| Refused::Other(format!("{type_name} has no member '{name}'")))?;
        if !member.can_write {
            return Err(Refused::Other("Member not writable".to_owned()));
        }
        let value = cast(value, &member.type_name, self.types()).ok_or_else(|| {
            Refused::Other(format!("the value is no {}", short_name(&member.type_name)))
        })?;
        let key = match &member.source {
            Source::World => return self.set_known_member(id, name, value),
            Source::Saved(path) => path.clone(),
            Source::Memory => member.name.clone(),
        };
        let component = self.component_mut(id).ok_or(Refused::NoComponent)?;
        component.changed.insert(key, value);
        Ok(())
    }

    /// The component of a class on an object: of exactly this class, or the only one derived from
    /// it.
    pub fn component_of(&self, id: ObjectId, type_name: &str) -> Result<ComponentId, Refused> {
        let object = self.object(id).ok_or(Refused::NotFound)?;
        if let Some(component) = object.component(type_name) {
            return Ok(component.id());
        }
        let is_one = |component: &&Component| {
            component.type_name().is_some_and(|name| self.types().is_a(name, type_name))
        };
        let mut derived = object.components().iter().filter(is_one);
        match (derived.next(), derived.next()) {
            (Some(component), None) => Ok(component.id()),
            (Some(_), Some(_)) => Err(Refused::Other("Ambiguous component type".to_owned())),
            (None, _) => Err(Refused::NoComponent),
        }
    }

    /// A member of an enum by its number.
    pub fn enum_value(&self, type_name: &str, number: i64) -> Value {
        convert::enum_value(type_name, number, self.types())
    }

    /// What `ToString()` gives.
    pub fn describe(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Object(id) => match self.object(*id) {
                Some(object) => format!("{} (UnityEngine.GameObject)", object.name()),
                None => "null".to_owned(),
            },
            Value::Component(id) => match self.component(*id) {
                Some((object, component)) => {
                    format!("{} ({})", object.name(), component.type_name().unwrap_or("null"))
                }
                None => "null".to_owned(),
            },
            other => other.plain_text(),
        }
    }

    /// Full name of the type of a value.
    pub fn type_of(&self, value: &Value) -> Arc<str> {
        match value {
            Value::Null | Value::Struct(_) => match value {
                Value::Struct(value) if !value.type_name.is_empty() => value.type_name.clone(),
                _ => "System.Object".into(),
            },
            Value::Bool(_) => "System.Boolean".into(),
            Value::Int(_) => "System.Int32".into(),
            Value::Float(_) => "System.Single".into(),
            Value::Double(_) => "System.Double".into(),
            Value::Text(_) => "System.String".into(),
            Value::Vec2(_) => "UnityEngine.Vector2".into(),
            Value::Vec3(_) => "UnityEngine.Vector3".into(),
            Value::Vec4(_) => "UnityEngine.Vector4".into(),
            Value::Quat(_) => "UnityEngine.Quaternion".into(),
            Value::Color(_) => "UnityEngine.Color".into(),
            Value::Enum(value) => value.type_name.clone(),
            Value::Object(_) => "UnityEngine.GameObject".into(),
            Value::Component(id) => self
                .component(*id)
                .and_then(|(_, component)| component.type_name.clone())
                .unwrap_or_else(|| "UnityEngine.Component".into()),
            Value::Asset(asset) => asset.type_name.clone(),
            Value::List(_) => "System.Collections.Generic.List`1[System.Object]".into(),
        }
    }

    /// Read a JSON value as the type of a component's member.
    pub fn value_from_json(
        &self,
        json: &serde_json::Value,
        type_name: &str,
    ) -> Result<Value, BadValue> {
        json::read(self, json, type_name)
    }
}

/// Names of the saved fields that a class tells of.
pub struct Told<'w>(HashSet<&'w str>);

/// Saved fields that no member of the class stands for, under the names that C# most likely has.
fn untold(types: &Types, component: &Component, told: &Told<'_>) -> Vec<Member> {
    let Some(saved) = &component.saved else { return Vec::new() };
    let Some(type_name) = component.type_name() else { return Vec::new() };
    if types.is_a(type_name, "UnityEngine.Transform") {
        return Vec::new();
    }
    let names = saved.names().into_iter();
    let names = names.filter(|name| !is_housekeeping(name) && !told.0.contains(&**name));
    names
        .map(|name| Member {
            name: property_name(&name).into(),
            kind: MemberKind::Property,
            type_name: "".into(),
            can_write: true,
            is_static: false,
            source: Source::Saved(name.into()),
            initial: None,
        })
        .collect()
}

fn path_of(member: &Member) -> Option<&Arc<str>> {
    match &member.source {
        Source::Saved(path) => Some(path),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
