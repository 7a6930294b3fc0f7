//! The door, with someone in it who writes down what passes.

use super::*;
use crate::math::Vec3;

/// Who passes, and what is let through.
#[derive(Default)]
struct Doorkeeper {
    seen: Vec<String>,
    property: &'static str,
    stops: &'static str,
}

impl Watch for Doorkeeper {
    fn watches(&self, _: &World, accessor: &str, property: &str) -> bool {
        format!("{accessor}{property}") == self.property
    }

    fn call(&mut self, world: &mut World, call: Call) -> Result<Value, Refused> {
        self.seen.push(call.method.signature(&call.owner));
        match *call.method.name == *self.stops {
            true => Ok(world.nothing(&call.method.returns)),
            false => call.run(world, self),
        }
    }
}

fn lamp() -> (World, Value) {
    let mut world = World::default();
    let lamp = world.create("Lamp", None).unwrap();
    (world, Value::Object(lamp))
}

#[test]
fn every_call_passes_the_door() {
    let (mut world, lamp) = lamp();
    let mut watch = Doorkeeper::default();
    world.call(&lamp, "SetActive", vec![Value::Bool(false)], &mut watch).unwrap();
    assert_eq!(
        world.call_static("UnityEngine.GameObject", "Find", vec![Value::text("Lamp")], &mut watch),
        Ok(Value::Null)
    );
    assert_eq!(
        watch.seen,
        [
            "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)",
            "static UnityEngine.GameObject UnityEngine.GameObject::Find(System.String name)",
        ]
    );
}

#[test]
fn who_stands_in_the_door_may_stop_a_call() {
    let (mut world, lamp) = lamp();
    let mut watch = Doorkeeper { stops: "CompareTag", ..Doorkeeper::default() };
    let tag = || vec![Value::text("Untagged")];
    assert_eq!(world.call(&lamp, "CompareTag", tag(), &mut watch), Ok(Value::Bool(false)));
    watch.stops = "";
    assert_eq!(world.call(&lamp, "CompareTag", tag(), &mut watch), Ok(Value::Bool(true)));
}

#[test]
fn accessors_are_called_only_when_they_are_watched() {
    let (mut world, lamp) = lamp();
    let mut watch = Doorkeeper { property: "set_position", ..Doorkeeper::default() };
    let transform = world.get_property(&lamp, "transform", &mut watch).unwrap();
    world.set_property(&transform, "position", Value::Vec3(Vec3::UP), &mut watch).unwrap();
    let position = world.get_property(&transform, "position", &mut watch);
    assert_eq!(position, Ok(Value::Vec3(Vec3::UP)));
    let set = "System.Void UnityEngine.Transform::set_position(UnityEngine.Vector3 value)";
    assert_eq!(watch.seen, [set]);
}

#[test]
fn what_is_not_there_cannot_be_called() {
    let (mut world, lamp) = lamp();
    let mut watch = Doorkeeper::default();
    let refused = |text: &str| Err(Refused::Other(text.to_owned()));
    assert_eq!(world.call(&lamp, "Fly", vec![], &mut watch), refused("Method not found"));
    assert_eq!(
        world.call(&lamp, "SetActive", vec![Value::Null], &mut watch),
        refused("Method overload not found")
    );
    assert_eq!(world.call(&Value::Null, "Fly", vec![], &mut watch), Err(Refused::NotFound));
    assert_eq!(watch.seen, Vec::<String>::new());
}
