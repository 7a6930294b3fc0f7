//! `tree` by the name of a scene, and what it finds in one.

use std::path::Path;
use std::process::Output;

use scenewright_fixture::sample;

use super::{run, stderr, stdout};

fn tree(project: &Path, args: &[&str]) -> Output {
    run(&[&["tree", "--project", project.to_str().unwrap()], args].concat())
}

#[test]
fn a_scene_of_godot_is_found_by_its_name() {
    let godot = sample("godot");
    for name in ["coin.tscn", "res://coin.tscn", "coin", "Coin", "scenes/coins.tscn"] {
        let output = tree(&godot, &[name, "--depth", "0"]);
        assert!(stdout(&output).starts_with("scenes/coin.tscn\n"), "{name}: {}", stderr(&output));
    }
    assert_eq!(stderr(&tree(&godot, &["coin", "--depth", "0"])), "");
    let said = stderr(&tree(&godot, &["scenes/coinage"]));
    assert!(
        said.contains("scene not found: scenes/coinage; did you mean scenes/coin.tscn or"),
        "{said}"
    );
    // Beside a Unity project a name without an ending means a scene of either.
    let both = |name: &str| stdout(&run(&["tree", name, "--sample", "--depth", "0"]));
    assert!(both("coin").starts_with("scenes/coin.tscn\n"));
    assert!(both("Cellar").starts_with("Assets/Scenes/Cellar.unity\n"));
}

#[test]
fn an_object_is_found_with_what_it_is_below_and_its_values() {
    let unity = sample("unity");
    let found = |args: &[&str]| stdout(&tree(&unity, &[&["Main", "--find"], args].concat()));
    assert_eq!(
        found(&["flame"]).lines().take(7).collect::<Vec<_>>(),
        [
            "Assets/Scenes/Main.unity",
            "├─ Player",
            "│  └─ Hand",
            "│     └─ Hand Lantern <Assets/Prefabs/Lantern.prefab>",
            "│        └─ Flame",
            "└─ Lanterns",
            "   ├─ Gate Lantern <Assets/Prefabs/Lantern.prefab>",
        ]
    );
    let values = found(&["directional", "--components"]);
    assert!(values.contains("\n     Light\n"), "{values}");
    assert!(values.contains("\n       m_Intensity: "), "{values}");
    let output = tree(&unity, &["Main", "--find", "Flmae"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("nothing in Assets/Scenes/Main.unity has `Flmae` in its name"), "{said}");
    assert!(said.contains("did you mean Flame?"), "{said}");

    let godot = tree(&sample("godot"), &["main", "--find", "lamp", "--components"]);
    let drawn = stdout(&godot);
    assert!(drawn.contains("color = Color(1, 0.93, 0.7, 1)"), "{drawn}");
    assert!(!drawn.contains("Player"), "{drawn}");
}
