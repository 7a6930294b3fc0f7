//! Questions and the fields that they are about.

use std::path::Path;

use scenewright_toolkit::{Kept, Workspace};
use scenewright_tools_godot::ENGINE as GODOT;
use scenewright_tools_unity::ENGINE as UNITY;

use super::super::wish;
use super::*;

fn members(engine: &str) -> Members {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(engine);
    let engines: &'static [scenewright_toolkit::Engine] = Box::leak(Box::new([UNITY, GODOT]));
    of(&Workspace::open(engines, &[sample], Kept::default()).unwrap())
}

fn check(engine: &str, questions: &[(&str, &str)]) {
    let members = members(engine);
    for (question, expected) in questions {
        let asked = words::asked(question, 24, &|name| members.has(name));
        let about = members
            .about(&asked, wish::asked_deed(question) == Some(wish::Deed::Change))
            .map(|about| {
                let field = about.field.map(|field| format!(".{}", field.path)).unwrap_or_default();
                format!("{}{field}", about.class.name)
            });
        assert_eq!(about.as_deref().unwrap_or_default(), *expected, "{question}");
    }
}

#[test]
fn words_lead_to_fields_of_unity() {
    check(
        "unity",
        &[
            ("particle system start colour", "ParticleSystem.startColor"),
            (
                "change quality settings shadow distance",
                "QualitySettings.m_QualitySettings[0].shadowDistance",
            ),
            ("make the rigidbody kinematic", "Rigidbody.isKinematic"),
            ("near clip plane of the camera", "Camera.near clip plane"),
            ("cook a pizza", ""),
        ],
    );
}

#[test]
fn words_lead_to_properties_of_godot() {
    check(
        "godot",
        &[
            ("set the zoom of the Camera2D", "Camera2D.zoom"),
            ("volume_db of the AudioStreamPlayer", "AudioStreamPlayer.volume_db"),
            ("flip a sprite horizontally", "Sprite2D.flip_h"),
            ("cook a pizza", ""),
        ],
    );
}

#[test]
fn an_example_is_of_the_field() {
    let members = members("unity");
    let asked = words::asked("particle system start colour", 24, &|_| false);
    let example =
        members.about(&asked, false).and_then(|about| about.example("unity.edit")).unwrap();
    let change = &example["changes"][0];
    assert_eq!(
        (&change["component"], &change["field"]),
        (&json!("ParticleSystem"), &json!("startColor"))
    );
}
