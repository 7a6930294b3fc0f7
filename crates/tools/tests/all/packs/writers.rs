//! Calls that write one file at the same time.

use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::Settings;
use scenewright_toolkit::testing::call;
use scenewright_tools::{new_runner, open};
use serde_json::json;

#[test]
fn calls_on_one_scene_queue_and_all_succeed() {
    let folder = Folder::copy_of(&sample("godot"));
    let settings = Settings { allow_writes: true, ..Settings::default() };
    // Two servers, and each has nodes of its own to add.
    let server = || new_runner(open(&[folder.path("")]).unwrap(), settings.clone(), None, &[]);
    let servers = [server(), server()];
    std::thread::scope(|scope| {
        for (name, runner) in ["A", "B"].iter().zip(&servers) {
            for n in 0..32 {
                scope.spawn(move || {
                    let arguments = json!({
                        "scenePath": "res://scenes/main.tscn",
                        "nodeName": format!("{name}{n}"),
                        "nodeType": "Node2D",
                    });
                    call(runner, "add_node", arguments).unwrap();
                });
            }
        }
    });
    let scene = folder.read("scenes/main.tscn");
    for n in 0..32 {
        for name in ["A", "B"] {
            let line = format!("[node name=\"{name}{n}\" ");
            assert_eq!(scene.matches(&line).count(), 1, "{line}");
        }
    }
}
