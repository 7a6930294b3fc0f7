//! Facts of whole projects, each written as one text.

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;

use super::{engine_version, renderer};
use crate::{Config, Project};

fn check(text: &str, expected: Expect) {
    let dir = Folder::files(text);
    let facts = Project::open(dir.root()).unwrap().facts().unwrap();
    expected.assert_eq(&dir.hide(&format!("{facts:#?}\n")));
}

#[test]
fn reads_a_whole_project() {
    check(
        r#"
//- project.godot
; Engine configuration file.
config_version=5

[application]

config/name="Café"
config/description="One line
and another."
config/version="1.2"
run/main_scene="uid://abc"
config/features=PackedStringArray("4.3", "C#", "Mobile")

[autoload]

Events="*res://events.gd"
Hidden="res://hidden.tscn"
Odd=5

[input]

jump={
"deadzone": 0.5,
"events": [Object(InputEventKey,"resource_name":"","keycode":32,"script":null)
]
}
fire={ "events": [] }

[rendering]

renderer/rendering_method="gl_compatibility"
renderer/rendering_method.mobile="mobile"
//- override.cfg
//- export_presets.cfg
[preset.0]
name="Mine"
platform="Linux"
[preset.0.options]
name="not a preset"
[preset.1]
platform="Web"
name="Site"
"#,
        expect![[r#"
            Facts {
                name: "Café",
                version: Some(
                    "1.2",
                ),
                description: Some(
                    "One line\nand another.",
                ),
                config_version: 5,
                features: [
                    "4.3",
                    "C#",
                    "Mobile",
                ],
                engine_version: Some(
                    "4.3",
                ),
                renderer: Some(
                    "GL Compatibility",
                ),
                main_scene: Some(
                    "uid://abc",
                ),
                autoloads: [
                    Autoload {
                        name: "Events",
                        path: "res://events.gd",
                        singleton: true,
                    },
                    Autoload {
                        name: "Hidden",
                        path: "res://hidden.tscn",
                        singleton: false,
                    },
                ],
                input_actions: [
                    "jump",
                    "fire",
                ],
                export_presets: [
                    ExportPreset {
                        name: "Mine",
                        platform: "Linux",
                    },
                    ExportPreset {
                        name: "Site",
                        platform: "Web",
                    },
                ],
                notes: [
                    "override.cfg is there too; what it changes at run time is not shown",
                    "project.godot:17: the autoload Odd is not a string",
                ],
            }
        "#]],
    );
}

#[test]
fn a_bare_project_has_facts_and_notes() {
    check(
        "//- project.godot\n",
        expect![[r#"
        Facts {
            name: "DIR",
            version: None,
            description: None,
            config_version: 0,
            features: [],
            engine_version: None,
            renderer: None,
            main_scene: None,
            autoloads: [],
            input_actions: [],
            export_presets: [],
            notes: [
                "config_version is absent in project.godot: the Godot version cannot be told from it",
                "no config/name in project.godot: the folder's name, DIR, stands for it",
            ],
        }
    "#]],
    );
}

#[test]
fn reads_a_godot_3_project() {
    check(
        "//- project.godot\n\u{feff}config_version=4\r\n_global_script_classes=[ {\r\n\"base\": \"Node\"\r\n} ]\r\n[application]\r\nconfig/name=\"Old\"\r\n",
        expect![[r#"
            Facts {
                name: "Old",
                version: None,
                description: None,
                config_version: 4,
                features: [],
                engine_version: Some(
                    "3",
                ),
                renderer: Some(
                    "GLES3",
                ),
                main_scene: None,
                autoloads: [],
                input_actions: [],
                export_presets: [],
                notes: [],
            }
        "#]],
    );
}

#[test]
fn problems_become_notes() {
    check(
        "//- project.godot\nconfig_version=\"5\"\nwhat is this\n[application]\nconfig/name=\"A\n//- export_presets.cfg\n[preset.0\n",
        expect![[r#"
            Facts {
                name: "DIR",
                version: None,
                description: None,
                config_version: 0,
                features: [],
                engine_version: None,
                renderer: None,
                main_scene: None,
                autoloads: [],
                input_actions: [],
                export_presets: [],
                notes: [
                    "project.godot:2: `what is this` is neither a section nor `key=value`",
                    "project.godot:4: the value of `config/name`: the text has no closing `\"`",
                    "export_presets.cfg:1: the section `[preset.0` has no `]`",
                    "config_version is not a whole number in project.godot: the Godot version cannot be told from it",
                    "no config/name in project.godot: the folder's name, DIR, stands for it",
                ],
            }
        "#]],
    );
}

#[test]
fn tells_the_engine_version() {
    let version = |features: &[&str], config_version| {
        let features: Vec<String> = features.iter().map(|text| (*text).into()).collect();
        engine_version(&features, config_version)
    };
    assert_eq!(version(&["C#", "4.3"], 5).as_deref(), Some("4.3"));
    assert_eq!(version(&["Mobile"], 5).as_deref(), Some("4"));
    assert_eq!(version(&[], 4).as_deref(), Some("3"));
    assert_eq!(version(&[], 0), None);
}

#[test]
fn tells_the_renderer() {
    let check = |text, features: &[String], config_version| {
        renderer(&Config::parse(text), features, config_version)
    };
    let method = "[rendering]\nrenderer/rendering_method=\"mobile\"\n";
    let compatibility = ["GL Compatibility".to_owned()];
    assert_eq!(check(method, &compatibility, 5).as_deref(), Some("Mobile"));
    assert_eq!(check("", &compatibility, 5).as_deref(), Some("GL Compatibility"));
    assert_eq!(check("", &[], 5).as_deref(), Some("Forward Plus"));
    assert_eq!(check("", &[], 4).as_deref(), Some("GLES3"));
    assert_eq!(check("", &[], 0), None);
}
