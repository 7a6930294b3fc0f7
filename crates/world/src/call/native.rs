//! What the engine's methods do.

use crate::ids::{ComponentId, ObjectId};
use crate::math::{Pose, Quat, Vec3};
use crate::types::MONO_BEHAVIOUR;
use crate::value::Value;
use crate::world::{Refused, World};

/// What a method gives, or nothing when it is none of the engine's.
type Given = Option<Result<Value, Refused>>;

pub(super) fn read(world: &World, target: &Value, name: &str) -> Result<Value, Refused> {
    let found = match target {
        Value::Object(id) => world.object_member(*id, name),
        Value::Component(id) => world.member(*id, name),
        _ => None,
    };
    found.ok_or_else(|| Refused::Other(format!("{} has no member '{name}'", world.type_of(target))))
}

pub(super) fn write(
    world: &mut World,
    target: &Value,
    name: &str,
    value: Value,
) -> Result<(), Refused> {
    match target {
        Value::Object(id) => world.set_object_member(*id, name, value),
        Value::Component(id) => world.set_member(*id, name, value),
        _ => Err(Refused::Other("Member not writable".to_owned())),
    }
}

/// The scripts of an object that have a method without parameters, or of all objects inside it too.
pub(super) fn receivers(
    world: &World,
    target: &Value,
    inside: bool,
    method: &str,
) -> Vec<ComponentId> {
    let Some(owner) = owner_of(world, target) else { return Vec::new() };
    let objects: Vec<_> = match inside {
        true => world.descend(&[owner]).collect(),
        false => world.object(owner).into_iter().collect(),
    };
    let types = world.types();
    let components = objects.into_iter().flat_map(|object| object.components());
    let having = components.filter(|component| {
        let name = component.type_name().unwrap_or_default();
        let mut methods = types.methods(name);
        types.is_a(name, MONO_BEHAVIOUR)
            && methods.any(|(_, known)| &*known.name == method && known.parameters.is_empty())
    });
    having.map(|component| component.id()).collect()
}

fn owner_of(world: &World, target: &Value) -> Option<ObjectId> {
    match target {
        Value::Object(id) => Some(*id),
        Value::Component(id) => world.component(*id).map(|(object, _)| object.id()),
        _ => None,
    }
}

fn done(given: Result<(), Refused>) -> Given {
    Some(given.map(|()| Value::Null))
}

/// A method of an object.
pub(super) fn run(world: &mut World, target: &Value, name: &str, args: &[Value]) -> Given {
    let owner = owner_of(world, target)?;
    match (name, args) {
        ("GetInstanceID", []) => Some(Ok(Value::Int(match target {
            Value::Component(id) => i64::from(id.0),
            _ => i64::from(owner.0),
        }))),
        ("ToString", []) => Some(Ok(Value::text(world.describe(target)))),
        ("SetActive", [Value::Bool(active)]) => done(world.set_active(owner, *active)),
        ("CompareTag", [Value::Text(tag)]) => {
            let has = world.object(owner).is_some_and(|object| object.tag() == &**tag);
            Some(Ok(Value::Bool(has)))
        }
        ("GetComponent", [Value::Text(ty)]) => Some(Ok(component_named(world, owner, ty))),
        ("AddComponent", [Value::Text(ty)]) => {
            let known = world.types().find_component(ty).map(|ty| ty.full_name.clone());
            let added = known.ok_or(Refused::NoType).and_then(|ty| world.add_component(owner, &ty));
            Some(added.map(Value::Component))
        }
        _ => run_transform(world, owner, name, args).or_else(|| run_tree(world, owner, name, args)),
    }
}

fn component_named(world: &World, owner: ObjectId, type_name: &str) -> Value {
    let Some(ty) = world.types().find_component(type_name) else { return Value::Null };
    let mut components = world.object(owner).into_iter().flat_map(|object| object.components());
    let found = components.find(|component| {
        component.type_name().is_some_and(|name| world.types().is_a(name, &ty.full_name))
    });
    found.map_or(Value::Null, |component| Value::Component(component.id()))
}

/// Methods of a transform that are about where it is.
fn run_transform(world: &mut World, owner: ObjectId, name: &str, args: &[Value]) -> Given {
    let pose = world.pose(owner);
    match (name, args) {
        ("Translate", args) => {
            let position = pose.position + pose.rotation.rotate(vector(args)?);
            done(world.set_pose(owner, Pose { position, ..pose }))
        }
        ("Rotate", args) => {
            let local = world.object(owner)?.local();
            let rotation = (local.rotation * Quat::from_euler(vector(args)?)).normalized();
            done(world.set_local(owner, Pose { rotation, ..local }))
        }
        ("LookAt", [at]) => {
            let at = match at {
                Value::Vec3(at) => *at,
                other => match owner_of(world, other) {
                    Some(other) => world.pose(other).position,
                    None => return Some(Err(Refused::NoComponent)),
                },
            };
            let rotation = Quat::looking(at - pose.position, Vec3::UP);
            done(world.set_pose(owner, Pose { rotation, ..pose }))
        }
        ("SetPositionAndRotation", [Value::Vec3(position), Value::Quat(rotation)]) => {
            let (position, rotation) = (*position, rotation.normalized());
            done(world.set_pose(owner, Pose { position, rotation, ..pose }))
        }
        ("TransformPoint", [Value::Vec3(point)]) => Some(Ok(Value::Vec3(pose.point(*point)))),
        ("InverseTransformPoint", [Value::Vec3(point)]) => {
            Some(Ok(Value::Vec3(pose.inverse_point(*point))))
        }
        ("TransformDirection", [Value::Vec3(way)]) => {
            Some(Ok(Value::Vec3(pose.rotation.rotate(*way))))
        }
        ("InverseTransformDirection", [Value::Vec3(way)]) => {
            Some(Ok(Value::Vec3(pose.rotation.inverse().rotate(*way))))
        }
        _ => None,
    }
}

/// Methods of a transform that are about parents and children.
fn run_tree(world: &mut World, owner: ObjectId, name: &str, args: &[Value]) -> Given {
    match (name, args) {
        ("SetParent", [parent, rest @ ..]) => {
            let keep = rest.first() != Some(&Value::Bool(false));
            let outer = owner_of(world, parent);
            if outer.is_none() && *parent != Value::Null {
                return Some(Err(Refused::NoComponent));
            }
            done(world.reparent(owner, outer, keep))
        }
        ("GetChild", [Value::Int(index)]) => {
            let children = world.object(owner)?.children();
            let child = usize::try_from(*index).ok().and_then(|index| children.get(index));
            Some(match child {
                Some(child) => Ok(transform_of(world, *child)),
                None => Err(Refused::Other("Transform child out of bounds".to_owned())),
            })
        }
        ("GetSiblingIndex", []) => {
            let at = world.siblings(owner).iter().position(|id| *id == owner);
            Some(Ok(Value::Int(at.map_or(0, |at| at as i64))))
        }
        ("SetSiblingIndex", [Value::Int(index)]) => {
            done(world.set_sibling_index(owner, usize::try_from(*index).unwrap_or(0)))
        }
        ("SetAsFirstSibling", []) => done(world.set_sibling_index(owner, 0)),
        ("SetAsLastSibling", []) => done(world.set_sibling_index(owner, usize::MAX)),
        ("Find", [Value::Text(path)]) => {
            let found = path.split('/').try_fold(owner, |at, name| world.child(at, name));
            Some(Ok(found.map_or(Value::Null, |found| transform_of(world, found))))
        }
        ("IsChildOf", [outer]) => {
            let outer = owner_of(world, outer);
            Some(
                outer
                    .map(|outer| Value::Bool(world.is_inside(owner, outer)))
                    .ok_or(Refused::NoComponent),
            )
        }
        ("DetachChildren", []) => {
            let children = world.object(owner)?.children().to_vec();
            done(children.into_iter().try_for_each(|child| world.reparent(child, None, true)))
        }
        _ => None,
    }
}

fn vector(args: &[Value]) -> Option<Vec3> {
    match args {
        [Value::Vec3(by)] => Some(*by),
        [Value::Float(x), Value::Float(y), Value::Float(z)] => Some(Vec3::new(*x, *y, *z)),
        _ => None,
    }
}

fn transform_of(world: &World, id: ObjectId) -> Value {
    let transform = world.object(id).and_then(|object| object.components().first());
    transform.map_or(Value::Null, |transform| Value::Component(transform.id()))
}

/// A method that belongs to a class.
pub(super) fn run_static(world: &mut World, name: &str, args: &[Value]) -> Given {
    let object = |found: Option<ObjectId>| Some(Ok(found.map_or(Value::Null, Value::Object)));
    match (name, args) {
        ("Find", [Value::Text(text)]) => object(world.find(text)),
        ("FindWithTag" | "FindGameObjectWithTag", [Value::Text(tag)]) => {
            object(tagged(world, tag).into_iter().next())
        }
        ("FindGameObjectsWithTag", [Value::Text(tag)]) => {
            let found = tagged(world, tag).into_iter().map(Value::Object).collect();
            Some(Ok(Value::list(found)))
        }
        ("Destroy" | "DestroyImmediate", [target]) => done(match target {
            Value::Object(id) => world.destroy(*id),
            Value::Component(id) => world.remove_component(*id),
            _ => Err(Refused::NotFound),
        }),
        ("DontDestroyOnLoad", [target]) => {
            let owner = owner_of(world, target).ok_or(Refused::NotFound);
            done(owner.and_then(|id| world.keep(id)))
        }
        _ => None,
    }
}

fn tagged(world: &World, tag: &str) -> Vec<ObjectId> {
    let roots = world.all_roots();
    let objects = world.descend(&roots);
    let having = objects.filter(|object| object.tag() == tag && world.is_active(object.id()));
    having.map(|object| object.id()).collect()
}
