//! Members whose values the world knows itself.

use std::sync::Arc;

use crate::ids::{ComponentId, ObjectId};
use crate::layout::Rect;
use crate::math::{Quat, Vec2, Vec3};
use crate::object::RectData;
use crate::value::{StructValue, Value};
use crate::world::{Refused, World};

impl World {
    pub(super) fn known_member(&self, id: ComponentId, name: &str) -> Option<Value> {
        let (object, component) = self.component(id)?;
        let owner = object.id();
        Some(match name {
            "enabled" => Value::Bool(component.is_enabled()),
            "isActiveAndEnabled" => Value::Bool(component.is_enabled() && self.is_active(owner)),
            "hideFlags" => self.enum_value("UnityEngine.HideFlags", 0),
            _ if component.id() == object.components().first()?.id() => {
                match self.transform_member(owner, name) {
                    Some(value) => value,
                    None => return self.object_member(owner, name),
                }
            }
            _ => return self.object_member(owner, name),
        })
    }

    /// A member of a GameObject.
    pub fn object_member(&self, id: ObjectId, name: &str) -> Option<Value> {
        let object = self.object(id)?;
        Some(match name {
            "name" => Value::text(object.name()),
            "tag" => Value::text(object.tag()),
            "layer" => Value::Int(i64::from(object.layer())),
            "activeSelf" => Value::Bool(object.is_active_self()),
            "activeInHierarchy" => Value::Bool(self.is_active(id)),
            "isStatic" => Value::Bool(object.is_static()),
            "gameObject" => Value::Object(id),
            "transform" => Value::Component(object.components().first()?.id()),
            "hideFlags" => self.enum_value("UnityEngine.HideFlags", 0),
            "scene" => {
                let scene = self.scenes().iter().find(|scene| scene.key() == object.scene());
                let name = scene.map_or("DontDestroyOnLoad", |scene| scene.name());
                let path = scene.map_or("", |scene| scene.path());
                structure(
                    "UnityEngine.SceneManagement.Scene",
                    [("name", Value::text(name)), ("path", Value::text(path))],
                )
            }
            _ => return None,
        })
    }

    /// Set a member of a GameObject.
    pub fn set_object_member(
        &mut self,
        id: ObjectId,
        name: &str,
        value: Value,
    ) -> Result<(), Refused> {
        if let ("tag", Value::Text(tag)) = (name, &value) {
            self.check_tag(tag)?;
        }
        let object = self.object_mut(id).ok_or(Refused::NotFound)?;
        match (name, value) {
            ("name", Value::Text(name)) => return self.rename(id, &name),
            ("tag", Value::Text(tag)) => object.tag = tag,
            ("layer", Value::Int(layer)) if (0..32).contains(&layer) => object.layer = layer as i32,
            ("isStatic", Value::Bool(value)) => object.is_static = value,
            ("name" | "tag" | "layer" | "isStatic", value) => {
                let found = value.plain_text();
                return Err(Refused::Other(format!("{name} cannot be '{found}'")));
            }
            _ => return Err(Refused::Other("Member not writable".to_owned())),
        }
        Ok(())
    }

    /// A tag must be one of the project's, as far as they are known.
    fn check_tag(&self, tag: &str) -> Result<(), Refused> {
        match &self.tags {
            Some(tags) if !tags.iter().any(|known| **known == *tag) => {
                let mut tags: Vec<&str> = tags.iter().map(|tag| &**tag).take(20).collect();
                tags.sort_unstable();
                let message = format!("Tag: {tag} is not defined. Defined are {}", tags.join(", "));
                Err(Refused::Other(message))
            }
            _ => Ok(()),
        }
    }

    fn transform_member(&self, id: ObjectId, name: &str) -> Option<Value> {
        let object = self.object(id)?;
        let local = self.local_pose(id);
        let transform_of = |id: ObjectId| {
            let transform = self.object(id).and_then(|object| object.components().first());
            transform.map_or(Value::Null, |transform| Value::Component(transform.id()))
        };
        Some(match name {
            "position" => Value::Vec3(self.pose(id).position),
            "localPosition" => Value::Vec3(local.position),
            "rotation" => Value::Quat(self.pose(id).rotation),
            "localRotation" => Value::Quat(local.rotation),
            "eulerAngles" => Value::Vec3(self.pose(id).rotation.to_euler()),
            "localEulerAngles" => Value::Vec3(local.rotation.to_euler()),
            "localScale" => Value::Vec3(local.scale),
            "lossyScale" => Value::Vec3(self.pose(id).scale),
            "forward" => Value::Vec3(self.pose(id).rotation.rotate(Vec3::FORWARD)),
            "up" => Value::Vec3(self.pose(id).rotation.rotate(Vec3::UP)),
            "right" => Value::Vec3(self.pose(id).rotation.rotate(Vec3::RIGHT)),
            "parent" => object.parent().map_or(Value::Null, transform_of),
            "root" => transform_of(self.line(id).last()?.id()),
            "childCount" => Value::Int(object.children().len() as i64),
            "hasChanged" => Value::Bool(false),
            _ => return self.rect_member(id, &self.laid_rect(object)?, name),
        })
    }

    fn rect_member(&self, id: ObjectId, rect: &RectData, name: &str) -> Option<Value> {
        Some(match name {
            "anchorMin" => Value::Vec2(rect.anchor_min),
            "anchorMax" => Value::Vec2(rect.anchor_max),
            "anchoredPosition" => Value::Vec2(rect.anchored_position),
            "sizeDelta" => Value::Vec2(rect.size_delta),
            "pivot" => Value::Vec2(rect.pivot),
            "offsetMin" => Value::Vec2(rect.corner(Vec2::new(0.0, 0.0))),
            "offsetMax" => Value::Vec2(rect.corner(Vec2::new(1.0, 1.0))),
            "rect" => {
                let Rect { min, size } = self.placed(id).rect?;
                let fields = [("x", min.x), ("y", min.y), ("width", size.x), ("height", size.y)];
                structure(
                    "UnityEngine.Rect",
                    fields.map(|(name, value)| (name, Value::Float(value))),
                )
            }
            _ => return None,
        })
    }

    pub(super) fn set_known_member(
        &mut self,
        id: ComponentId,
        name: &str,
        value: Value,
    ) -> Result<(), Refused> {
        let owner = self.component(id).ok_or(Refused::NoComponent)?.0.id();
        match (name, value) {
            ("enabled", Value::Bool(enabled)) => {
                self.component_mut(id).ok_or(Refused::NoComponent)?.enabled = Some(enabled);
                Ok(())
            }
            ("parent", Value::Null) => self.reparent(owner, None, true),
            ("parent", Value::Component(parent)) => {
                let parent = self.component(parent).ok_or(Refused::NoComponent)?.0.id();
                self.reparent(owner, Some(parent), true)
            }
            (_, Value::Vec3(value)) => self.set_vector(owner, name, value),
            (_, Value::Quat(value)) => self.set_rotation(owner, name, value.normalized()),
            (_, Value::Vec2(value)) => self.set_rect_member(owner, name, value),
            (_, value) => self.set_object_member(owner, name, value),
        }
    }

    fn set_vector(&mut self, id: ObjectId, name: &str, value: Vec3) -> Result<(), Refused> {
        let (mut local, mut world) = (self.local_pose(id), self.pose(id));
        match name {
            "localPosition" => local.position = value,
            "localScale" => local.scale = value,
            "localEulerAngles" => local.rotation = Quat::from_euler(value),
            "position" => {
                world.position = value;
                return self.set_pose(id, world);
            }
            "eulerAngles" => {
                world.rotation = Quat::from_euler(value);
                return self.set_pose(id, world);
            }
            // As Unity does it: looking there stays upright, the other two turn the shortest way.
            "forward" | "up" | "right" => {
                let world_rotation = match name {
                    "forward" => Quat::looking(value, Vec3::UP),
                    "up" => Quat::between(Vec3::UP, value),
                    _ => Quat::between(Vec3::RIGHT, value),
                };
                return self.set_rotation(id, "rotation", world_rotation);
            }
            _ => return Err(Refused::Other("Member not writable".to_owned())),
        }
        self.set_local(id, local)
    }

    fn set_rotation(&mut self, id: ObjectId, name: &str, value: Quat) -> Result<(), Refused> {
        let mut local = self.local_pose(id);
        if name == "localRotation" {
            local.rotation = value;
            return self.set_local(id, local);
        }
        let world = crate::math::Pose { rotation: value, ..self.pose(id) };
        self.set_pose(id, world)
    }

    fn set_rect_member(&mut self, id: ObjectId, name: &str, value: Vec2) -> Result<(), Refused> {
        if !(value.x.is_finite() && value.y.is_finite()) {
            return Err(Refused::NoNumber);
        }
        let object = self.object_mut(id).ok_or(Refused::NotFound)?;
        let rect = object.rect.as_mut().ok_or(Refused::NoComponent)?;
        match name {
            "anchorMin" => rect.anchor_min = value,
            "anchorMax" => rect.anchor_max = value,
            "anchoredPosition" => rect.anchored_position = value,
            "sizeDelta" => rect.size_delta = value,
            "pivot" => rect.pivot = value,
            // One corner moves and the other stays.
            "offsetMin" => {
                let by = value - rect.corner(Vec2::new(0.0, 0.0));
                rect.size_delta = rect.size_delta - by;
                rect.anchored_position = rect.anchored_position + by - by.scale(rect.pivot);
            }
            "offsetMax" => {
                let by = value - rect.corner(Vec2::new(1.0, 1.0));
                rect.size_delta = rect.size_delta + by;
                rect.anchored_position = rect.anchored_position + by.scale(rect.pivot);
            }
            _ => return Err(Refused::Other("Member not writable".to_owned())),
        }
        Ok(())
    }
}

fn structure<const N: usize>(type_name: &str, fields: [(&str, Value); N]) -> Value {
    Value::Struct(Arc::new(StructValue {
        type_name: type_name.into(),
        fields: fields.into_iter().map(|(name, value)| (Arc::from(name), value)).collect(),
    }))
}
