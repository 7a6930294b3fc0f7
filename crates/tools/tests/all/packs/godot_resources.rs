//! `godot://` resources, as clients read them.

use expect_test::{Expect, expect};
use scenewright_contract::ErrorKind;
use scenewright_toolkit::resources::{list, read};

use crate::packs::GodotSample;

fn check(uri: &str, expected: Expect) {
    check_alike(&[uri], expected);
}

/// Several spellings of one resource.
fn check_alike(uris: &[&str], expected: Expect) {
    let sample = GodotSample::new();
    // The folder of the copy is its id and differs in every run.
    let id = sample.runner().workspace().projects()[0].id.to_string();
    let show = |uri: &&str| {
        let found = read(sample.runner(), uri).unwrap();
        format!("{}\n{}\n", found.mime, found.text.replace(&id, "ID"))
    };
    let shown: Vec<String> = uris.iter().map(show).collect();
    assert!(shown.iter().all(|other| *other == shown[0]), "{shown:#?}");
    expected.assert_eq(&shown[0]);
}

fn check_missing(uri: &str, expected: Expect) {
    check_refused(uri, ErrorKind::ResourceNotFound, expected);
}

fn check_refused(uri: &str, kind: ErrorKind, expected: Expect) {
    let sample = GodotSample::new();
    let error = read(sample.runner(), uri).unwrap_err();
    assert_eq!(error.kind, kind);
    let id = sample.runner().workspace().projects()[0].id.to_string();
    let shown = format!("{}; {}", error.message, error.hint.unwrap_or_default());
    expected.assert_eq(&shown.replace(&id, "ID"));
}

#[test]
fn lists_what_is_there() {
    let sample = GodotSample::new();
    let uris: Vec<String> =
        list(sample.runner()).into_iter().skip(2).map(|info| info.uri).collect();
    expect![[r#"
        godot://project/info
        godot://project/settings
        godot://export/presets
        godot://system/version
        godot://scenes
        godot://scripts
        godot://script/errors
        godot://assets
        godot://resources
        godot://debug/output
        godot://debug/stream
        godot://debug/breakpoints
        godot://debug/stack
        godot://debug/variables
        godot://project/settings/application
        godot://project/settings/autoload
        godot://project/settings/display
        godot://project/settings/input
        godot://project/settings/layer_names
        godot://project/settings/rendering
        godot://scene/scenes/actor.tscn
        godot://scene/scenes/actor.tscn/tree
        godot://scene/scenes/coin.tscn
        godot://scene/scenes/coin.tscn/tree
        godot://scene/scenes/level.tscn
        godot://scene/scenes/level.tscn/tree
        godot://scene/scenes/main.tscn
        godot://scene/scenes/main.tscn/tree
        godot://scene/scenes/player.tscn
        godot://scene/scenes/player.tscn/tree
        godot://script/autoload/game_state.gd
        godot://script/scripts/actor.gd
        godot://script/scripts/coin.gd
        godot://script/scripts/coin_settings.gd
        godot://script/scripts/main.gd
        godot://script/scripts/player.gd
        godot-template://character-controller
        godot-template://state-machine
        godot-template://singleton-autoload"#]]
    .assert_eq(&uris.join("\n"));
}

#[test]
fn every_listed_resource_reads_with_its_type() {
    let sample = GodotSample::new();
    for info in list(sample.runner()) {
        let found = read(sample.runner(), &info.uri);
        let found = found.unwrap_or_else(|error| panic!("{}: {}", info.uri, error.text()));
        assert_eq!((found.mime, found.text.is_empty()), (info.mime, false), "{}", info.uri);
    }
}

#[test]
fn settings_are_read_with_and_without_the_slash() {
    check_alike(
        &["godot://project/settings/display", "godot://project/settingsdisplay"],
        expect![[r#"
            application/json
            {
              "window/size/viewport_width": 640,
              "window/size/viewport_height": 360,
              "window/size/window_width_override": 1280,
              "window/size/window_height_override": 720,
              "window/stretch/mode": "canvas_items"
            }
        "#]],
    );
    check_missing(
        "godot://project/settings/displai",
        expect!["Resource not found: godot://project/settings/displai; did you mean display?"],
    );
}

#[test]
fn files_are_read_by_path_and_uid() {
    check_alike(
        &[
            "godot://scene/scenes/coin.tscn/tree",
            "godot://scene/scenes%2Fcoin.tscn/tree",
            "godot://scene/res://scenes/coin.tscn/tree",
            "godot://scene/uid://da5dy46gvq05t/tree",
        ],
        expect![[r#"
            application/json
            {
              "path": "scenes/coin.tscn",
              "nodeCount": 3,
              "root": {
                "name": "Coin",
                "type": "Area2D",
                "path": ".",
                "script": "res://scripts/coin.gd",
                "children": [
                  {
                    "name": "Shape",
                    "type": "CollisionShape2D",
                    "path": "Shape"
                  },
                  {
                    "name": "Face",
                    "type": "Polygon2D",
                    "path": "Face"
                  }
                ]
              },
              "problems": []
            }
        "#]],
    );
    let sample = GodotSample::new();
    let found = read(sample.runner(), "godot://scene/scenes/coin.tscn").unwrap();
    assert_eq!((found.mime, found.text), ("text/x-godot-scene", sample.read("scenes/coin.tscn")));
    let found = read(sample.runner(), "godot://script/scripts/coin.gd").unwrap();
    assert_eq!((found.mime, found.text), ("text/x-gdscript", sample.read("scripts/coin.gd")));
}

#[test]
fn other_projects_are_named() {
    let sample = GodotSample::new();
    let id = sample.runner().workspace().projects()[0].id.to_string();
    let found = read(sample.runner(), &format!("godot://scenes?project={id}")).unwrap();
    assert_eq!(found.text, read(sample.runner(), "godot://scenes").unwrap().text);
    check_missing(
        "godot://scenes?project=nope",
        expect!["Resource not found: godot://scenes?project=nope; the open projects are ID"],
    );
}

#[test]
fn lists_tell_what_the_files_are() {
    check(
        "godot://scripts",
        expect![[r#"
        application/json
        {
          "count": 6,
          "truncated": false,
          "scripts": [
            {
              "path": "autoload/game_state.gd",
              "className": null,
              "extends": "Node",
              "tool": false,
              "uid": "uid://bw6f7dxiufo2s"
            },
            {
              "path": "scripts/actor.gd",
              "className": "Actor",
              "extends": "CharacterBody2D",
              "tool": false,
              "uid": "uid://dfj8q1gjnywwd"
            },
            {
              "path": "scripts/coin.gd",
              "className": "Coin",
              "extends": "Area2D",
              "tool": false,
              "uid": "uid://lgq4s0tugd20"
            },
            {
              "path": "scripts/coin_settings.gd",
              "className": "CoinSettings",
              "extends": "Resource",
              "tool": false,
              "uid": "uid://ne2ahhq53jtv"
            },
            {
              "path": "scripts/main.gd",
              "className": null,
              "extends": "Node2D",
              "tool": false,
              "uid": "uid://by2cu0umwb6qr"
            },
            {
              "path": "scripts/player.gd",
              "className": "Player",
              "extends": "Actor",
              "tool": false,
              "uid": "uid://disjhmid1oh4h"
            }
          ]
        }
    "#]],
    );
    check(
        "godot://assets",
        expect![[r#"
        application/json
        {
          "total": 19,
          "categories": {
            "images": 2,
            "audio": 0,
            "models": 0,
            "fonts": 0,
            "shaders": 1,
            "resources": 4,
            "scenes": 5,
            "scripts": 6,
            "data": 1
          }
        }
    "#]],
    );
    check(
        "godot://assets/images",
        expect![[r#"
        application/json
        {
          "count": 2,
          "truncated": false,
          "images": [
            {
              "path": "art/tiles.png",
              "size": 255,
              "mimeType": "image/png",
              "uid": "uid://d3e45u6gwk2sl"
            },
            {
              "path": "icon.svg",
              "size": 537,
              "mimeType": "image/svg+xml",
              "uid": "uid://dr6nbosst7erv"
            }
          ]
        }
    "#]],
    );
    check(
        "godot://resources",
        expect![[r#"
        application/json
        {
          "count": 4,
          "truncated": false,
          "resources": [
            {
              "path": "default_bus_layout.tres",
              "type": "AudioBusLayout",
              "uid": "uid://dmak8l1ae63sj"
            },
            {
              "path": "resources/coin_settings.tres",
              "type": "Resource",
              "uid": "uid://b7462o8n3dnq3"
            },
            {
              "path": "resources/theme.tres",
              "type": "Theme",
              "uid": "uid://6m4sb6iad44t"
            },
            {
              "path": "resources/tiles.tres",
              "type": "TileSet",
              "uid": "uid://bun8qkv1mtnsr"
            }
          ]
        }
    "#]],
    );
    check(
        "godot://uid/scripts/coin.gd",
        expect![[r#"
        application/json
        {
          "path": "scripts/coin.gd",
          "uid": "uid://lgq4s0tugd20"
        }
    "#]],
    );
    check(
        "godot://export/presets",
        expect![[r#"
        application/json
        {
          "presets": [
            {
              "name": "Linux",
              "platform": "Linux",
              "runnable": true,
              "exportPath": "build/linux/lighthouse_run.x86_64"
            },
            {
              "name": "Web",
              "platform": "Web",
              "runnable": true,
              "exportPath": "build/web/index.html"
            }
          ]
        }
    "#]],
    );
    check(
        "godot://system/version",
        expect![[r#"
        application/json
        {
          "projectVersion": "4.4",
          "configVersion": 5,
          "features": [
            "4.4",
            "GL Compatibility"
          ],
          "classTable": "4.4",
          "note": "from the project's settings; no engine was asked"
        }
    "#]],
    );
    check(
        "godot://script/errors",
        expect![[r#"
        application/json
        {
          "errors": [],
          "note": "found in the files; only the engine's own compiler finds the rest"
        }
    "#]],
    );
    check(
        "godot://debug/output",
        expect![[r#"
        application/json
        {
          "available": false,
          "reason": "no game was started by this server"
        }
    "#]],
    );
    check(
        "godot://debug/stream",
        expect![[r#"
        application/json
        {
          "success": true,
          "running": false,
          "clientCount": 0
        }
    "#]],
    );
    check(
        "godot://debug/stack",
        expect![[r#"
            application/json
            {
              "available": false,
              "reason": "no debugger is connected to a running game, so there is no stack"
            }
        "#]],
    );
}

/// Whoever asked is told of it as of anything that is not there; the audit is told why.
#[test]
fn what_is_outside_is_refused() {
    check_refused(
        "godot://scene/../../secret.tscn",
        ErrorKind::Denied,
        expect![
            "../../secret.tscn is not read: it leads out of the project; name the file by its path from the project's root"
        ],
    );
    check_refused(
        "godot://scene/%2e%2e%2fsecret.tscn",
        ErrorKind::Denied,
        expect![
            "../secret.tscn is not read: it leads out of the project; name the file by its path from the project's root"
        ],
    );
}

#[test]
fn what_is_not_there_is_said() {
    check_missing(
        "godot://scene/scenes/coyn.tscn",
        expect![
            "Resource not found: godot://scene/scenes/coyn.tscn; did you mean scenes/coin.tscn?"
        ],
    );
    check_missing(
        "godot://scene/scripts/coin.gd",
        expect![
            "Resource not found: godot://scene/scripts/coin.gd; godot://scenes and godot://scripts list what can be read so"
        ],
    );
    check_missing(
        "godot://script/scripts/coin.gd/tree",
        expect![
            "Resource not found: godot://script/scripts/coin.gd/tree; did you mean scripts/coin.gd or scripts/coin.gd.uid or scripts/main.gd?"
        ],
    );
    check_missing(
        "godot://assets/pictures",
        expect![
            "Resource not found: godot://assets/pictures; the categories are images, audio, models, fonts, shaders, resources, scenes, scripts, data"
        ],
    );
    check_missing(
        "godot://class/Spatial",
        expect!["Resource not found: godot://class/Spatial; it is called Node3D since Godot 4"],
    );
    check_missing(
        "godot://projekt",
        expect![
            "Resource not found: godot://projekt; did you mean project/info or project/settings?"
        ],
    );
    check_missing(
        "godot-template://none",
        expect![
            "Resource not found: godot-template://none; there is project/info, project/settings, assets, debug/stack, debug/stream, scenes, script/errors, system/version, debug/variables, debug/breakpoints, resources, debug/output and 2 more; resources/list and resources/templates/list name them"
        ],
    );
}
