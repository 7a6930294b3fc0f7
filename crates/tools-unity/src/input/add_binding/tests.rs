//! The exact diff of each change to a file of input actions, by all tools of the theme, and what is
//! refused.

use expect_test::expect;
use scenewright_toolkit::testing::call;
use serde_json::{Value, json};

use super::EXAMPLE;
use crate::testing::{Site, bench_on};

const PATH: &str = "Assets/Controls.inputactions";

/// A project with the file of the examples.
fn site() -> Site {
    let input: Value = serde_json::from_str(EXAMPLE.input).unwrap();
    let site = bench_on("//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n");
    site.write(PATH, input["content"].as_str().unwrap());
    site
}

/// Arguments for the file.
fn of(more: Value) -> Value {
    let mut input = json!({ "path": PATH });
    let more = more.as_object().unwrap().clone();
    input.as_object_mut().unwrap().extend(more);
    input
}

/// A diff with its new ids counted instead of told.
fn told(site: &Site, tool: &str, more: Value) -> String {
    let mut input = of(more);
    input["diff"] = json!("full");
    let diff = site.diff(tool, input);
    let mut count = 0;
    let lines = diff.lines().map(|line| match line.split_once("\"id\": \"") {
        Some((head, id)) if !EXAMPLE.input.contains(id.trim_end_matches([',', '"'])) => {
            count += 1;
            let id = id.trim_end_matches([',', '"']);
            let letters = id.bytes().filter(|byte| byte.is_ascii_hexdigit()).count();
            assert!(letters == 32 && id.len() == 36 && id == id.to_lowercase(), "{id}");
            format!("{head}\"id\": \"({count})\",\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn a_map_comes_last() {
    expect![[r#"
        --- a/Assets/Controls.inputactions
        +++ b/Assets/Controls.inputactions
        @@ -28,6 +28,12 @@
                             "isPartOfComposite": false
                         }
                     ]
        +        },
        +        {
        +            "name": "UI",
        +            "id": "(1)",
        +            "actions": [],
        +            "bindings": []
                 }
             ],
             "controlSchemes": [
    "#]]
    .assert_eq(&told(&site(), "input.addActionMap", json!({ "name": "UI" })));
}

#[test]
fn an_action_comes_with_its_bindings() {
    let more = json!({
        "map": "player",
        "name": "Jump",
        "bindings": ["<Keyboard>/space", "<Gamepad>/buttonSouth"],
        "groups": ["Gamepad"],
        "interactions": "Hold"
    });
    expect![[r#"
        --- a/Assets/Controls.inputactions
        +++ b/Assets/Controls.inputactions
        @@ -13,6 +13,15 @@
                             "processors": "",
                             "interactions": "",
                             "initialStateCheck": true
        +                },
        +                {
        +                    "name": "Jump",
        +                    "type": "Button",
        +                    "id": "(1)",
        +                    "expectedControlType": "Button",
        +                    "processors": "",
        +                    "interactions": "Hold",
        +                    "initialStateCheck": false
                         }
                     ],
                     "bindings": [
        @@ -26,4 +35,26 @@
                             "action": "Move",
                             "isComposite": false,
                             "isPartOfComposite": false
        +                },
        +                {
        +                    "name": "",
        +                    "id": "(2)",
        +                    "path": "<Keyboard>/space",
        +                    "interactions": "",
        +                    "processors": "",
        +                    "groups": "Gamepad",
        +                    "action": "Jump",
        +                    "isComposite": false,
        +                    "isPartOfComposite": false
        +                },
        +                {
        +                    "name": "",
        +                    "id": "(3)",
        +                    "path": "<Gamepad>/buttonSouth",
        +                    "interactions": "",
        +                    "processors": "",
        +                    "groups": "Gamepad",
        +                    "action": "Jump",
        +                    "isComposite": false,
        +                    "isPartOfComposite": false
                         }
    "#]]
    .assert_eq(&told(&site(), "input.addAction", more));
    let more = json!({ "map": "Player", "name": "Look", "type": "Value", "expectedControlType": "Vector2" });
    let site = site();
    expect![[r#"
        --- a/Assets/Controls.inputactions
        +++ b/Assets/Controls.inputactions
        @@ -13,6 +13,15 @@
                             "processors": "",
                             "interactions": "",
                             "initialStateCheck": true
        +                },
        +                {
        +                    "name": "Look",
        +                    "type": "Value",
        +                    "id": "(1)",
        +                    "expectedControlType": "Vector2",
        +                    "processors": "",
        +                    "interactions": "",
        +                    "initialStateCheck": true
                         }
                     ],
                     "bindings": [
    "#]]
    .assert_eq(&told(&site, "input.addAction", more));
    site.undo();
    assert_eq!(site.read(PATH), self::site().read(PATH));
}

#[test]
fn bindings_stand_behind_those_of_their_action() {
    let site = site();
    site.call(
        "input.addAction",
        of(json!({ "map": "Player", "name": "Jump", "bindings": ["<Keyboard>/space"] })),
    )
    .unwrap();
    let more = json!({
        "map": "Player",
        "action": "Move",
        "composite": {
            "type": "2DVector",
            "parts": { "Right": { "binding": "<Keyboard>/d", "processors": "Invert" }, "up": ["<Keyboard>/w", "<Keyboard>/upArrow"] }
        },
        "groups": ["Gamepad"],
        "processors": "NormalizeVector2"
    });
    expect![[r#"
        --- a/Assets/Controls.inputactions
        +++ b/Assets/Controls.inputactions
        @@ -37,6 +37,50 @@
                             "isPartOfComposite": false
                         },
                         {
        +                    "name": "2D Vector",
        +                    "id": "(1)",
        +                    "path": "2DVector",
        +                    "interactions": "",
        +                    "processors": "NormalizeVector2",
        +                    "groups": "",
        +                    "action": "Move",
        +                    "isComposite": true,
        +                    "isPartOfComposite": false
        +                },
        +                {
        +                    "name": "up",
        +                    "id": "(2)",
        +                    "path": "<Keyboard>/w",
        +                    "interactions": "",
        +                    "processors": "",
        +                    "groups": "Gamepad",
        +                    "action": "Move",
        +                    "isComposite": false,
        +                    "isPartOfComposite": true
        +                },
        +                {
        +                    "name": "up",
        +                    "id": "(3)",
        +                    "path": "<Keyboard>/upArrow",
        +                    "interactions": "",
        +                    "processors": "",
        +                    "groups": "Gamepad",
        +                    "action": "Move",
        +                    "isComposite": false,
        +                    "isPartOfComposite": true
        +                },
        +                {
        +                    "name": "right",
        +                    "id": "(4)",
        +                    "path": "<Keyboard>/d",
        +                    "interactions": "",
        +                    "processors": "Invert",
        +                    "groups": "Gamepad",
        +                    "action": "Move",
        +                    "isComposite": false,
        +                    "isPartOfComposite": true
        +                },
        +                {
                             "name": "",
                             "id": "(5)",
                             "path": "<Keyboard>/space",
    "#]]
    .assert_eq(&told(&site, "input.addBinding", more));
    let more = json!({ "map": "Player", "action": "Jump", "binding": "*/{Submit}" });
    expect![[r#"
        --- a/Assets/Controls.inputactions
        +++ b/Assets/Controls.inputactions
        @@ -90,6 +90,17 @@
                             "action": "Jump",
                             "isComposite": false,
                             "isPartOfComposite": false
        +                },
        +                {
        +                    "name": "",
        +                    "id": "(1)",
        +                    "path": "*/{Submit}",
        +                    "interactions": "",
        +                    "processors": "",
        +                    "groups": "",
        +                    "action": "Jump",
        +                    "isComposite": false,
        +                    "isPartOfComposite": false
                         }
                     ]
                 }
    "#]]
    .assert_eq(&told(&site, "input.addBinding", more));
}

#[test]
fn a_control_scheme_comes_last() {
    let more = json!({
        "name": "Keys",
        "bindingGroup": "Keyboard",
        "devices": ["<Keyboard>", { "path": "<Mouse>", "optional": true }]
    });
    let site = site();
    expect![[r#"
        --- a/Assets/Controls.inputactions
        +++ b/Assets/Controls.inputactions
        @@ -35,6 +35,22 @@
                     "name": "Gamepad",
                     "bindingGroup": "Gamepad",
                     "devices": []
        +        },
        +        {
        +            "name": "Keys",
        +            "bindingGroup": "Keyboard",
        +            "devices": [
        +                {
        +                    "devicePath": "<Keyboard>",
        +                    "isOptional": false,
        +                    "isOR": false
        +                },
        +                {
        +                    "devicePath": "<Mouse>",
        +                    "isOptional": true,
        +                    "isOR": false
        +                }
        +            ]
                 }
             ]
         }
        \ No newline at end of file
    "#]]
    .assert_eq(&told(&site, "input.addControlScheme", more));
    site.call("input.remove", of(json!({ "scheme": "Keys" }))).unwrap();
    assert_eq!(site.read(PATH), self::site().read(PATH));
}

#[test]
fn what_is_removed_takes_along_what_is_its_own() {
    let site = site();
    let before = site.read(PATH);
    let made = site
        .call(
            "input.addBinding",
            of(json!({
                "map": "Player",
                "action": "Move",
                "composite": { "type": "1DAxis", "parts": { "negative": "<Keyboard>/a", "positive": "<Keyboard>/d" } }
            })),
        )
        .unwrap();
    let id = made["bindingIds"][0].as_str().unwrap();
    let gone = site
        .call("input.remove", of(json!({ "map": "Player", "action": "Move", "bindingId": id })));
    assert_eq!(gone.unwrap()["bindingsRemoved"], 3);
    assert_eq!(site.read(PATH), before);
    let action = json!({ "map": "Player", "action": "Move" });
    expect![[r#"
        --- a/Assets/Controls.inputactions
        +++ b/Assets/Controls.inputactions
        @@ -4,30 +4,8 @@
                 {
                     "name": "Player",
                     "id": "0e22eb1c-8c6e-4cec-8364-2a9f0e3ef769",
        -            "actions": [
        -                {
        -                    "name": "Move",
        -                    "type": "Value",
        -                    "id": "d35725fa-073a-4e1c-9052-2c45b8ef0b4c",
        -                    "expectedControlType": "Vector2",
        -                    "processors": "",
        -                    "interactions": "",
        -                    "initialStateCheck": true
        -                }
        -            ],
        -            "bindings": [
        -                {
        -                    "name": "",
        -                    "id": "3e67c7ae-ca6c-4345-8f61-8df16fb87fec",
        -                    "path": "<Gamepad>/leftStick",
        -                    "interactions": "",
        -                    "processors": "",
        -                    "groups": "Gamepad",
        -                    "action": "Move",
        -                    "isComposite": false,
        -                    "isPartOfComposite": false
        -                }
        -            ]
        +            "actions": [],
        +            "bindings": []
                 }
             ],
             "controlSchemes": [
    "#]]
    .assert_eq(&told(&site, "input.remove", action));
    let gone = site.call("input.remove", of(json!({ "map": "Player" }))).unwrap();
    assert_eq!((&gone["actionsRemoved"], &gone["filesChanged"]), (&json!(0), &json!(1)));
    assert!(site.read(PATH).contains("\"maps\": [],\n"));
}

#[test]
fn a_file_is_told_in_short() {
    let site = site();
    let more = json!({
        "map": "Player",
        "action": "Move",
        "composite": { "type": "1DAxis", "parts": { "negative": "<Keyboard>/a", "positive": "<Keyboard>/d" } }
    });
    site.call("input.addBinding", of(more)).unwrap();
    let mut output = site.call("input.read", of(json!({ "map": "Player" }))).unwrap();
    output["maps"][0]["actions"][0]["bindings"][1]["id"] = json!("");
    expect![[r#"
        [
          {
            "name": "Player",
            "actions": [
              {
                "name": "Move",
                "type": "Value",
                "controlType": "Vector2",
                "bindings": [
                  {
                    "path": "<Gamepad>/leftStick",
                    "groups": "Gamepad",
                    "id": "3e67c7ae-ca6c-4345-8f61-8df16fb87fec"
                  },
                  {
                    "path": "1DAxis",
                    "parts": [
                      "negative <Keyboard>/a",
                      "positive <Keyboard>/d"
                    ],
                    "id": ""
                  }
                ]
              }
            ]
          }
        ]"#]]
    .assert_eq(&serde_json::to_string_pretty(&output["maps"]).unwrap());
}

#[test]
fn line_ends_and_what_is_behind_the_end_stay() {
    let site = site();
    let odd =
        format!("\u{feff}{}\r\n", site.read(PATH).replace('\n', "\r\n").replace("    ", "\t"));
    site.write(PATH, &odd);
    site.call("input.addActionMap", of(json!({ "name": "UI" }))).unwrap();
    let after = site.read(PATH);
    let start = odd.find("\r\n\t],\r\n\t\"controlSchemes\"").unwrap();
    assert!(after.starts_with(&odd[..start]) && after.ends_with(&odd[start..]));
    assert!(
        after[start..].starts_with(",\r\n\t\t{\r\n\t\t\t\"name\": \"UI\",\r\n\t\t\t\"id\": \"")
    );
    assert!(!after.replace("\r\n", "").contains('\n'));
}

#[test]
fn files_of_older_versions_keep_their_form() {
    let site = site();
    let old = site.read(PATH).replace(",\n                    \"initialStateCheck\": true", "");
    site.write(PATH, &old);
    site.call("input.addAction", of(json!({ "map": "Player", "name": "Jump" }))).unwrap();
    assert!(!site.read(PATH).contains("initialStateCheck"));
    site.write(PATH, &old.replace("\"type\": \"Value\",\n", ""));
    expect!["Assets/Controls.inputactions: the file has the form that previews of the Input System saved; nothing was changed; open it in Unity and save it first"]
        .assert_eq(&site.error("input.addAction", of(json!({ "map": "Player", "name": "Jump" }))));
}

#[test]
fn what_is_wrong_is_told() {
    let site = site();
    let error = |tool: &str, more: Value| site.error(tool, of(more));
    let bind = |more: Value| {
        let mut input = json!({ "map": "Player", "action": "Move" });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        error("input.addBinding", input)
    };
    let errors = [
        error("input.addActionMap", json!({ "name": "player" })),
        error("input.addActionMap", json!({ "name": "" })),
        error("input.addActionMap", json!({ "name": "a/b" })),
        error("input.addAction", json!({ "map": "Plyer", "name": "Jump" })),
        error("input.addAction", json!({ "map": "Player", "name": "move" })),
        error("input.addAction", json!({ "map": "Player", "name": "Jump", "type": "Axis" })),
        error("input.addAction", json!({ "map": "Player", "name": "Jump", "bindings": ["space"] })),
        error(
            "input.addBinding",
            json!({ "map": "Player", "action": "Mov", "binding": "<Keyboard>/w" }),
        ),
        bind(json!({})),
        bind(json!({ "binding": "w" })),
        bind(json!({ "binding": "<Keyboard>/w", "groups": ["Gampad"] })),
        bind(json!({ "composite": { "type": "2DVector", "parts": { "top": "<Keyboard>/w" } } })),
        bind(json!({ "composite": { "type": "2DVector", "parts": { "up": 1 } } })),
        bind(json!({ "composite": { "type": "2DVector", "parts": {} } })),
        error("input.addControlScheme", json!({ "name": "Gamepad", "devices": [] })),
        error("input.addControlScheme", json!({ "name": "Keys", "devices": ["Keyboard"] })),
        error("input.remove", json!({ "map": "Player", "bindingId": "x" })),
        error("input.remove", json!({ "scheme": "Gampad" })),
        error("input.remove", json!({ "scheme": "Gamepad", "map": "Player" })),
        site.error("input.read", json!({ "path": "Assets/Other.inputactions" })),
        site.error("input.read", json!({ "path": "ProjectSettings/ProjectVersion.txt" })),
    ];
    expect![[r#"
        Assets/Controls.inputactions: the file has the action map Player already; nothing was changed; choose another name
        Assets/Controls.inputactions: the action map cannot be called ''; a name is on one line, without / and not empty
        Assets/Controls.inputactions: the action map cannot be called 'a/b'; a name is on one line, without / and not empty
        Assets/Controls.inputactions: the file has no action map Plyer; did you mean Player?
        Assets/Controls.inputactions: the file has the action Move already; nothing was changed; choose another name
        Invalid tool arguments: type must be "Value", "Button" or "PassThrough"
        Assets/Controls.inputactions: 'space' is no path of a control; nothing was changed; one begins with a device: <Keyboard>/w, <Gamepad>/buttonSouth
        Assets/Controls.inputactions: Player has no action Mov; did you mean Move?
        either binding or composite has to be given; binding is one control, such as <Keyboard>/space; composite has several
        Assets/Controls.inputactions: 'w' is no path of a control; nothing was changed; one begins with a device: <Keyboard>/w, <Gamepad>/buttonSouth
        Assets/Controls.inputactions: no control scheme has the binding group Gampad; did you mean Gamepad?
        Assets/Controls.inputactions: 2DVector has no part top; there is down, left, right, up
        Invalid tool arguments: composite.parts.up must be a control, such as <Keyboard>/w, or a list of some
        Assets/Controls.inputactions: 2DVector has no parts; parts has the control of each: {"up": "<Keyboard>/w", …}
        Assets/Controls.inputactions: the file has the control scheme Gamepad already; nothing was changed; choose another name
        Assets/Controls.inputactions: 'Keyboard' is no path of a control; nothing was changed; one begins with a device: <Keyboard>/w, <Gamepad>/buttonSouth
        Assets/Controls.inputactions: Player has no binding x; nothing was changed; input_read lists them
        Assets/Controls.inputactions: the file has no control scheme Gampad; did you mean Gamepad?
        either map or scheme has to be given; input_read lists them
        file not found: Assets/Other.inputactions; project_listFiles shows what is there
        ProjectSettings/ProjectVersion.txt is no file of input actions; nothing was changed; project_listFiles shows those that end in .inputactions"#]].assert_eq(&errors.join("\n"));
    let before = site.read(PATH);
    let broken = [&before[..before.len() - 1], "{\"actions\": []}", "{\"maps\": 1}", ""];
    let errors = broken.map(|text| {
        site.write(PATH, text);
        error("input.addActionMap", json!({ "name": "UI" }))
    });
    expect![[r#"
        Assets/Controls.inputactions: it is no file of input actions: EOF while parsing an object at line 40 column 0; nothing was changed
        Assets/Controls.inputactions: it is no file of input actions: it has no maps; nothing was changed
        Assets/Controls.inputactions: it is no file of input actions: invalid type: integer `1`, expected a sequence at line 1 column 10; nothing was changed
        Assets/Controls.inputactions: it is no file of input actions: EOF while parsing a value at line 1 column 0; nothing was changed"#]].assert_eq(&errors.join("\n"));
}

#[test]
fn a_list_of_two_controls_is_not_read_as_a_control_with_an_interaction() {
    let paths = |controls: Value| {
        let site = site();
        let composite = json!({ "type": "2DVector", "parts": { "right": controls } });
        let more = json!({ "map": "Player", "action": "Move", "composite": composite });
        site.call("input.addBinding", of(more)).unwrap();
        let output = site.call("input.read", of(json!({ "map": "Player" }))).unwrap();
        output["maps"][0]["actions"][0]["bindings"][1]["parts"].to_string()
    };
    expect![[r#"["right <Keyboard>/d","right <Keyboard>/rightArrow"]"#]]
        .assert_eq(&paths(json!(["<Keyboard>/d", "<Keyboard>/rightArrow"])));
    expect![[r#"["right <Keyboard>/d","right <Keyboard>/e","right <Keyboard>/f"]"#]]
        .assert_eq(&paths(json!(["<Keyboard>/d", "<Keyboard>/e", { "binding": "<Keyboard>/f" }])));
    let devices = json!({ "name": "Keys", "devices": [["<Keyboard>", true]] });
    expect![[r#"Invalid tool arguments: devices.0 is not valid: ["<Keyboard>",true] is not valid under any of the schemas listed in the 'anyOf' keyword"#]].assert_eq(&site().error("input.addControlScheme", of(devices)));
}

#[test]
fn a_composite_of_an_unknown_type_is_told() {
    let told = |kind: &str| {
        let composite = json!({ "type": kind, "parts": { "negative": "<Keyboard>/a" } });
        let more = json!({ "map": "Player", "action": "Move", "composite": composite });
        let site = site();
        call(site.runner(), "input.addBinding", of(more)).unwrap().diagnostics.join("\n")
    };
    expect!["1DAxs is no composite of the Input System, and works only where code registers one of that name: did you mean 1DAxis?"].assert_eq(&told("1DAxs(whichSideWins=1)"));
    expect![[""]].assert_eq(&told("1daxis"));
}
