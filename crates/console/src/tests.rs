//! Tests of the console over a small scene, the town; tables of sources and what they give.

mod engine;
mod errors;
mod language;
mod library;
mod limits;
mod page;
mod syntax;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use scenewright_world::math::Pose;
use scenewright_world::types::{EnumType, Member, MemberKind, Method, Source, Type, Types};
use scenewright_world::{ComponentData, Data, ObjectData, Saved, SceneData, World};

use super::{EvalError, Limits, eval};

/// What a source gives over the town.
fn run(source: &str) -> Result<String, EvalError> {
    let mut world = town();
    // Steps end it, not the time that a busy machine takes for them.
    let limits = Limits { time: Duration::from_secs(300), ..Limits::default() };
    eval(&mut world, source, &limits).map(|given| given.text)
}

/// Each source with the text that it gives.
fn check(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (source, wanted) in table {
        let given = match run(source) {
            Ok(text) => text,
            Err(error) => format!("! {error}"),
        };
        if given != *wanted {
            wrong.push(format!("{source}\n   gives {given}\n  not   {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each source with the error that it gives, as it is written.
fn check_errors(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (source, wanted) in table {
        let given = match run(source) {
            Ok(text) => format!("no error but {text}"),
            Err(error) => error.to_string(),
        };
        if given != *wanted {
            wrong.push(format!("{source}\n   gives {given}\n  not   {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[derive(Debug)]
struct Fields(Vec<(&'static str, Data)>);

impl Saved for Fields {
    fn value(&self, path: &str, _: &dyn Fn(i64) -> scenewright_world::Value) -> Option<Data> {
        self.0.iter().find(|(name, _)| *name == path).map(|(_, data)| data.clone())
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| (*name).to_owned()).collect()
    }
}

fn field(name: &str, type_name: &str, is_static: bool) -> Member {
    Member {
        name: name.into(),
        kind: MemberKind::Field,
        type_name: type_name.into(),
        can_write: true,
        is_static,
        source: if is_static { Source::Memory } else { Source::Saved(name.into()) },
        initial: None,
    }
}

fn method(returns: &str, name: &str, parameters: &[(&str, &str)]) -> Method {
    Method {
        name: name.into(),
        returns: returns.into(),
        parameters: parameters.iter().map(|(ty, name)| ((*ty).into(), (*name).into())).collect(),
        is_static: false,
        is_virtual: false,
    }
}

/// The engine's classes, and a script `Game.Enemy`.
pub(crate) fn types() -> Types {
    let mut types = Types::default();
    types.add_enum(EnumType {
        full_name: "Game.Mood".into(),
        members: vec![("Calm".into(), 0), ("Angry".into(), 1)],
    });
    types.add(Type {
        full_name: "Game.Enemy".into(),
        base: Some("UnityEngine.MonoBehaviour".into()),
        assembly: "Assembly-CSharp".into(),
        is_static: false,
        members: vec![
            field("health", "System.Int32", false),
            field("speed", "System.Single", false),
            field("offset", "UnityEngine.Vector3", false),
            field("mood", "Game.Mood", false),
            field("scores", "System.Int32[]", false),
            field("names", "List<System.String>", false),
            field("target", "UnityEngine.GameObject", false),
            field("Count", "System.Int32", true),
        ],
        methods: vec![
            method("System.Void", "Hit", &[("System.Int32", "damage")]),
            method("System.Void", "Hit", &[("System.Single", "part")]),
            method("System.Int32", "GetLevel", &[]),
        ],
    });
    types
}

/// `/Town` with `/Town/House/Door`, `/Town/Lamp` with a light, an enemy, and a camera.
pub(crate) fn town() -> World {
    let text = |text: &str| Data::Text(text.to_owned());
    let list = |items: &[&str]| Data::List(items.iter().map(|item| text(item)).collect());
    let light = Fields(vec![
        ("m_Type", text("2")),
        ("m_Intensity", text("1.5")),
        ("m_Lightmapping", text("4")),
    ]);
    let enemy = Fields(vec![
        ("health", text("100")),
        ("speed", text("2.5")),
        ("mood", text("1")),
        ("scores", list(&["3", "1", "2"])),
        ("names", list(&["Ork"])),
    ]);
    let camera = Fields(vec![("field of view", text("60"))]);
    type Part = (&'static str, Option<usize>, &'static str, Option<(&'static str, Fields)>);
    let parts: [Part; 6] = [
        ("Town", None, "Untagged", None),
        ("House", Some(0), "Untagged", None),
        ("Door", Some(1), "Respawn", None),
        ("Lamp", Some(0), "Respawn", Some(("UnityEngine.Light", light))),
        ("Ork", None, "Enemy", Some(("Game.Enemy", enemy))),
        ("Main Camera", None, "MainCamera", Some(("UnityEngine.Camera", camera))),
    ];
    let mut objects = Vec::new();
    for (index, (name, parent, tag, extra)) in parts.into_iter().enumerate() {
        let component =
            |file_id: i64, type_name: &str, saved: Option<Arc<dyn Saved>>| ComponentData {
                file_id,
                number: file_id as i32,
                type_name: Some(type_name.into()),
                enabled: saved.is_some().then_some(true),
                saved,
            };
        let number = index as i64;
        let mut components = vec![component(number + 100, "UnityEngine.Transform", None)];
        if let Some((type_name, saved)) = extra {
            components.push(component(number + 200, type_name, Some(Arc::new(saved))));
        }
        objects.push(ObjectData {
            file_id: number + 1,
            number: (number + 1) as i32,
            parent,
            name: name.into(),
            tag: tag.into(),
            layer: 0,
            active: true,
            is_static: false,
            local: Pose {
                position: scenewright_world::math::Vec3::new(1.0, 0.0, 0.0),
                ..Pose::default()
            },
            rect: None,
            components,
        });
    }
    static TYPES: LazyLock<Arc<Types>> = LazyLock::new(|| Arc::new(types()));
    let mut world = World::new(TYPES.clone());
    let scene =
        SceneData { name: "Town".into(), path: "Assets/Town.unity".into(), objects, origin: None };
    world.load(scene, false).expect("the town is small");
    world
}
