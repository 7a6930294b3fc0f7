//! Members of components: read, set, converted.

use std::sync::Arc;

use serde_json::json;

use crate::math::Vec3;
use crate::object::{Data, Saved};
use crate::scene::{ComponentData, ObjectData, SceneData};
use crate::value::Value;
use crate::{ComponentId, ObjectId, Refused, World};

#[derive(Debug)]
struct Fields(Vec<(&'static str, Data)>);

impl Saved for Fields {
    fn value(&self, path: &str, _: &dyn Fn(i64) -> Value) -> Option<Data> {
        let (_, data) = self.0.iter().find(|(name, _)| *name == path)?;
        Some(data.clone())
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| (*name).to_owned()).collect()
    }
}

fn text(text: &str) -> Data {
    Data::Text(text.to_owned())
}

/// An object with a light.
fn lamp() -> (World, ObjectId, ComponentId) {
    let color = ["r", "g", "b", "a"].map(|key| (key.to_owned(), text("1")));
    let fields = Fields(vec![
        ("m_GameObject", text("")),
        ("m_Type", text("2")),
        ("m_Color", Data::Map(color.to_vec())),
        ("m_Intensity", text("1.5")),
        ("m_Lightmapping", text("4")),
    ]);
    let component = |file_id, type_name: &str, saved| ComponentData {
        file_id,
        number: file_id as i32,
        type_name: Some(type_name.into()),
        enabled: None,
        saved,
    };
    let mut world = World::default();
    world
        .load(
            SceneData {
                name: "Room".into(),
                path: "Assets/Room.unity".into(),
                objects: vec![ObjectData {
                    file_id: 1,
                    number: 1,
                    parent: None,
                    name: "Lamp".into(),
                    tag: "Untagged".into(),
                    layer: 0,
                    active: true,
                    is_static: false,
                    local: Default::default(),
                    rect: None,
                    components: vec![
                        component(2, "UnityEngine.Transform", None),
                        component(3, "UnityEngine.Light", Some(Arc::new(fields) as Arc<dyn Saved>)),
                    ],
                }],
                origin: None,
            },
            false,
        )
        .unwrap();
    let object = world.find("Lamp").unwrap();
    let light = world.object(object).unwrap().components()[1].id();
    (world, object, light)
}

#[test]
fn saved_fields_have_their_names_and_types_in_code() {
    let (world, _, light) = lamp();
    let json = |name: &str| world.member(light, name).map(|value| value.to_json());
    assert_eq!(json("type"), Some(json!("Point")));
    assert_eq!(json("intensity"), Some(json!(1.5)));
    assert_eq!(json("color"), Some(json!({ "r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0 })));
    // Nothing tells of this one, so it has the name it most likely has.
    assert_eq!(json("lightmapping"), Some(json!(4)));
    assert_eq!(json("range"), Some(json!(10.0)), "as a new light has it");
    assert_eq!(json("name"), Some(json!("Lamp")));
    assert_eq!(json("nothing"), None);
    let names: Vec<_> = world.members(light).into_iter().map(|member| member.name).collect();
    assert!(names.contains(&"lightmapping".into()) && !names.contains(&"gameObject2".into()));
}

#[test]
fn what_is_set_is_read_back() {
    let (mut world, object, light) = lamp();
    let set = |world: &mut World, name: &str, value| world.set_member(light, name, value);
    set(&mut world, "intensity", Value::Int(3)).unwrap();
    assert_eq!(world.member(light, "intensity"), Some(Value::Float(3.0)));
    set(&mut world, "type", Value::Int(1)).unwrap();
    assert_eq!(world.describe(&world.member(light, "type").unwrap()), "Directional");
    set(&mut world, "enabled", Value::Bool(false)).unwrap();
    assert_eq!(world.member(light, "isActiveAndEnabled"), Some(Value::Bool(false)));
    assert!(set(&mut world, "intensity", Value::text("bright")).is_err());
    assert!(set(&mut world, "gameObject", Value::Null).is_err());
    assert!(set(&mut world, "nothing", Value::Null).is_err());
    let transform = world.component_of(object, "UnityEngine.Transform").unwrap();
    let to = world.value_from_json(&json!([1, 2, 3]), "UnityEngine.Vector3").unwrap();
    world.set_member(transform, "position", to).unwrap();
    let position = world.member(transform, "localPosition").unwrap();
    assert_eq!(position.to_json(), json!({ "x": 1.0, "y": 2.0, "z": 3.0 }));
}

#[test]
fn json_that_does_not_fit_says_what_would() {
    let (world, object, _) = lamp();
    let read = |json, ty| world.value_from_json(&json, ty).map(|value| value.plain_text());
    assert_eq!(read(json!({ "X": 1, "y": 2 }), "UnityEngine.Vector2").unwrap(), "(1.00, 2.00)");
    assert_eq!(read(json!("directional"), "UnityEngine.LightType").unwrap(), "Directional");
    assert_eq!(
        read(json!(object.to_string()), "UnityEngine.GameObject").unwrap(),
        object.to_string()
    );
    assert_eq!(
        read(json!("red"), "UnityEngine.Color").unwrap_err().to_string(),
        r#"a Color is expected, as {"r":1,"g":0.5,"b":0,"a":1}; found "red""#
    );
    assert!(read(json!([1, "x", 3]), "UnityEngine.Vector3").is_err());
    assert!(read(json!({ "a": 1 }), "UnityEngine.Light").is_err());
}

#[test]
fn what_no_file_can_hold_is_refused() {
    let (mut world, lamp, _) = lamp();
    let transform = world.object(lamp).unwrap().components()[0].id();
    let huge = world.value_from_json(&json!({ "x": 1e40, "y": 0, "z": 0 }), "UnityEngine.Vector3");
    assert!(huge.is_err(), "too large for a float");
    for odd in [f32::NAN, f32::INFINITY] {
        for member in ["localScale", "position", "eulerAngles"] {
            let set = world.set_member(transform, member, Value::Vec3(Vec3::new(odd, 1.0, 1.0)));
            assert_eq!(set, Err(Refused::NoNumber), "{member}");
        }
    }
    assert_eq!(world.member(transform, "localScale"), Some(Value::Vec3(Vec3::ONE)));
    let tag = |world: &mut World, tag: &str| world.set_object_member(lamp, "tag", Value::text(tag));
    assert_eq!(tag(&mut world, "Anything"), Ok(()), "nobody knows the tags");
    world.set_tags(vec!["Untagged".into(), "Enemy".into()]);
    assert_eq!(tag(&mut world, "Enemy"), Ok(()));
    let message = "Tag: Nobody is not defined. Defined are Enemy, Untagged";
    assert_eq!(tag(&mut world, "Nobody"), Err(Refused::Other(message.into())));
}

#[test]
fn what_looks_somewhere_stays_upright() {
    let (mut world, lamp, _) = lamp();
    let transform = world.object(lamp).unwrap().components()[0].id();
    world.set_member(transform, "forward", Value::Vec3(Vec3::ONE)).unwrap();
    let Some(Value::Vec3(right)) = world.member(transform, "right") else { panic!("a vector") };
    assert!(right.y.abs() < 1e-6, "{right:?}");
    let Some(Value::Vec3(angles)) = world.member(transform, "eulerAngles") else { panic!() };
    assert!((angles.y - 45.0).abs() < 1e-3 && angles.z.abs() < 1e-3, "{angles:?}");
}
