//! Files that are not as they should be, and calls that ask for what cannot be: a clear error that names
//! what to try and changes nothing, or it works.

use std::fs;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::{Site, bench};

const MAIN: &str = "Assets/Scenes/Main.unity";
const LANTERN: &str = "Assets/Prefabs/Lantern.prefab";
const GOLDEN: &str = "Assets/Prefabs/GoldenLantern.prefab";

/// A refused call leaves every byte as it was, also of what was to be changed before.
fn refused(site: &Site, path: &str, change: Value, expected: Expect) {
    let before = fs::read(site.path(path)).unwrap();
    let first = json!({ "op": "create", "parent": "", "name": "Half" });
    let changes = match path == MAIN {
        true => json!([first, change]),
        false => json!([change]),
    };
    let said = site.error("unity.edit", json!({ "path": path, "changes": changes }));
    assert_eq!(fs::read(site.path(path)).unwrap(), before, "{said}");
    expected.assert_eq(&said);
}

fn set(object: &str, component: &str, field: &str, value: Value) -> Value {
    json!({ "op": "set", "object": object, "component": component, "field": field, "value": value })
}

fn intensity() -> Value {
    set("Directional Light", "Light", "intensity", json!(2.5))
}

#[test]
fn words_that_a_change_does_not_have_are_refused() {
    let site = bench();
    let check = |change: Value, expected: Expect| refused(&site, MAIN, change, expected);
    check(
        json!({ "op": "create", "name": "Crate", "positon": [1, 2, 3] }),
        expect!["Invalid tool arguments: changes.1.positon is not known: did you mean position?"],
    );
    check(
        json!({ "op": "set", "object": "Player", "position": [1, 2, 3] }),
        expect![
            "change 2 (set): it does not take position; set localPosition, localRotation or localScale of its Transform; position, rotation and scale are of new objects"
        ],
    );
    let said = site.error("unity.edit", json!({ "path": "Main.unity", "changes": [intensity()] }));
    expect!["file not found: Main.unity; did you mean Assets/Scenes/Main.unity?"].assert_eq(&said);
}

#[test]
fn keys_that_an_operation_would_pass_over_are_refused() {
    let site = bench();
    let check = |change: Value, expected: Expect| refused(&site, MAIN, change, expected);
    check(
        json!({ "op": "delete", "object": "Player", "component": "Rigidbody" }),
        expect![
            "change 2 (delete): it does not take component; delete takes the whole object; removeComponent takes a component away"
        ],
    );
    check(
        json!({ "op": "addComponent", "object": "Player", "component": "Light", "value": { "m_Intensity": 3 } }),
        expect![
            "change 2 (addComponent): it does not take value; addComponent takes object, component, values"
        ],
    );
    check(
        json!({ "op": "create", "name": "Lamp", "component": "Light" }),
        expect![
            "change 2 (create): it does not take component; create takes parent, name, components, position, rotation, scale, index"
        ],
    );
    check(
        json!({ "op": "duplicate", "object": "Player", "position": [9, 9, 9] }),
        expect!["change 2 (duplicate): it does not take position; duplicate takes object, name"],
    );
    check(
        json!({ "op": "reparent", "object": "Player", "to": "Ground" }),
        expect![
            "change 2 (reparent): it does not take to; reparent takes object, parent, index, keepWorld"
        ],
    );
}

#[test]
fn several_fields_are_set_by_values() {
    let change = json!({ "op": "set", "object": "Directional Light", "component": "Light", "values": { "intensity": 2.5, "m_Color": "#ff0000" } });
    let site = bench();
    let done = site.call("unity.edit", json!({ "path": MAIN, "changes": [change] })).unwrap();
    assert_eq!(done["results"][0]["changed"], true, "{done}");
    let text = fs::read_to_string(site.path(MAIN)).unwrap();
    assert!(text.contains("  m_Color: {r: 1, g: 0, b: 0, a: 1}\n"), "{done}");
    assert!(text.contains("  m_Intensity: 2.5\n"), "{done}");
}

#[test]
fn of_an_abstract_class_the_ones_that_there_are_are_told() {
    let change = json!({ "op": "addComponent", "object": "Player", "component": "Joint" });
    refused(
        &bench(),
        MAIN,
        change,
        expect![
            "change 2 (addComponent): Joint is abstract, and components are of what derives from it; there is HingeJoint, SpringJoint, ConfigurableJoint, FixedJoint, CharacterJoint"
        ],
    );
}

#[test]
fn calls_of_events_that_would_call_nothing_are_refused() {
    let site = bench();
    let call = |call: Value| set("UI/Start Button", "Button", "onClick", json!([call]));
    let check = |one: Value, expected: Expect| refused(&site, MAIN, call(one), expected);
    check(
        json!({ "gameObject": "Player", "method": "Respawn" }),
        expect![
            "change 2 (set): onClick of Button of UI/Start Button: a call of a UnityEvent has no gameObject; there is object, argument, target, method, mode, component, when"
        ],
    );
    check(
        json!({ "method": "Respawn" }),
        expect![[
            r#"change 2 (set): onClick of Button of UI/Start Button: a call of a UnityEvent needs a target; {"object": path, "component": class}, or null for none"#
        ]],
    );
    check(
        json!({ "target": { "object": "Player", "component": "PlayerController" }, "method": "Respwn" }),
        expect![
            "change 2 (set): onClick of Button of UI/Start Button: PlayerController has no method Respwn; did you mean Respawn?"
        ],
    );
    check(
        json!({ "target": { "object": "Player", "component": "PlayerController" }, "method": "Heal" }),
        expect![[
            r#"change 2 (set): onClick of Button of UI/Start Button: PlayerController has Heal(int), and is given no argument; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
    check(
        json!({ "target": "Player", "method": "Explode" }),
        expect![[
            r#"change 2 (set): onClick of Button of UI/Start Button: a GameObject has no method Explode; name the component: {"object": path, "component": class}; Player has Transform, CapsuleCollider, Rigidbody, PlayerController"#
        ]],
    );
}

#[test]
fn calls_of_events_find_the_component_and_the_mode_that_the_method_takes() {
    let site = bench();
    let calls = json!([
        { "object": "Player", "component": "PlayerController", "method": "Respawn" },
        { "target": "Player", "method": "Heal", "argument": 3 },
        { "target": "Player", "method": "SetActive", "argument": false },
        { "target": { "object": "Player", "component": "PlayerController" }, "method": "set_enabled", "argument": true },
        { "target": { "object": "Player", "component": "Rigidbody" }, "method": "set_mass", "argument": 2.5 },
    ]);
    let change = set("UI/Start Button", "Button", "onClick", calls);
    site.call("unity.edit", json!({ "path": MAIN, "changes": [change] })).unwrap();
    let text = fs::read_to_string(site.path(MAIN)).unwrap();
    let (_, calls) = text.split_once("      m_Calls:\n").unwrap();
    let told = |key: &str| -> Vec<String> {
        let lines = calls
            .lines()
            .take(80)
            .filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(key));
        lines.map(|text| text.trim().to_owned()).take(5).collect()
    };
    assert_eq!(told("m_MethodName:"), ["Respawn", "Heal", "SetActive", "set_enabled", "set_mass"]);
    assert_eq!(told("m_Mode:"), ["1", "3", "6", "6", "4"]);
    let player = "{fileID: 1540250448}";
    let script = "{fileID: 1540250452}";
    assert_eq!(told("m_Target:")[..4], [script, script, player, script]);
}

/// A script is what its source says, and not what a class of the engine with its name is.
#[test]
fn scripts_fit_fields_of_their_bases_and_not_those_of_the_engines_namesakes() {
    let site = bench();
    let script = |name: &str, body: &str, digit: &str| {
        let text = format!("using UnityEngine;\npublic class {name} {body}\n");
        site.write(&format!("Assets/Scripts/{name}.cs"), &text);
        let meta = format!("fileFormatVersion: 2\nguid: {}\n", digit.repeat(32));
        site.write(&format!("Assets/Scripts/{name}.cs.meta"), &meta);
    };
    script("GameManager", ": MonoBehaviour { public int lives = 3; }", "a");
    script("LevelManager", ": GameManager { }", "b");
    script(
        "Holder",
        ": MonoBehaviour { public GameManager game; public MonoBehaviour any; public Collider wall; }",
        "c",
    );
    let changes = json!([
        { "op": "create", "name": "Level", "components": ["LevelManager"] },
        { "op": "create", "name": "Holder", "components": ["Holder"] },
        set("Holder", "Holder", "game", json!({ "object": "Level", "component": "LevelManager" })),
        set("Holder", "Holder", "any", json!("Level")),
    ]);
    let done = site.call("unity.edit", json!({ "path": MAIN, "changes": changes })).unwrap();
    assert_eq!(done["results"][3]["changed"], true, "{done}");
    refused(
        &site,
        MAIN,
        set("Holder", "Holder", "wall", json!({ "object": "Level", "component": "LevelManager" })),
        expect![
            "change 2 (set): wall of Holder of Holder: the field takes a Collider, and Level is a LevelManager; nothing was changed"
        ],
    );
    refused(
        &site,
        MAIN,
        set("Holder", "Holder", "game", json!({ "object": "Holder", "component": "Holder" })),
        expect![
            "change 2 (set): game of Holder of Holder: the field takes a GameManager, and Holder is a Holder; nothing was changed"
        ],
    );
}

#[test]
fn other_words_for_the_parts_of_a_change_are_taken() {
    let change = json!({ "operation": "set", "gameObject": "Directional Light", "componentType": "Light", "propertyPath": "intensity", "value": 2.5 });
    let arguments = json!({ "scenePath": MAIN, "changes": change, "dryRun": true });
    let done = bench().call("unity.edit", arguments).unwrap();
    assert_eq!(done["results"][0]["changed"], true, "{done}");
}

#[test]
fn values_that_a_field_does_not_take_are_refused() {
    let site = bench();
    let check = |change: Value, expected: Expect| refused(&site, MAIN, change, expected);
    check(
        set("Directional Light", "Light", "color", json!("reddish")),
        expect![[
            r#"change 2 (set): color of Light of Directional Light: the field takes [r, g, b, a] or an object with these keys, or #rrggbb, and not "reddish"; nothing was changed"#
        ]],
    );
    check(
        set("Player", "Transform", "localPosition", json!([1, 2])),
        expect![
            "change 2 (set): localPosition of Transform of Player: the field takes [x, y, z] or an object with these keys, and not [1,2]; nothing was changed"
        ],
    );
    check(
        set("Player", "Transform", "localPosition", json!({ "x": 1, "q": 2 })),
        expect![[
            r#"change 2 (set): localPosition of Transform of Player: the field takes [x, y, z] or an object with these keys, and not {"x":1,"q":2}; nothing was changed"#
        ]],
    );
    check(
        set("Directional Light", "Light", "shadows", json!("Fuzzy")),
        expect![[
            r#"change 2 (set): shadows of Light of Directional Light: the field takes one of None, Hard, Soft, or its number, and not "Fuzzy"; nothing was changed"#
        ]],
    );
    check(
        set("Directional Light", "Light", "m_Lightmapping", json!(1.5)),
        expect![
            "change 2 (set): m_Lightmapping of Light of Directional Light: the field takes one of Mixed, Baked, Realtime, or its number, and not 1.5; nothing was changed"
        ],
    );
    check(
        set("Ground", "MeshRenderer", "m_Materials", json!("Assets/Materials")),
        expect![[
            r#"change 2 (set): m_Materials of MeshRenderer of Ground: the field takes a list, each item a reference to a Material, and not "Assets/Materials"; nothing was changed"#
        ]],
    );
    check(
        set("Ground", "MeshRenderer", "m_Materials[7]", json!(null)),
        expect![
            "change 2 (set): m_Materials[7] of MeshRenderer of Ground: the file has no place for Array.data[7]; nothing was changed"
        ],
    );
    check(
        set("Player", "PlayerController", "startMode", json!("Flying")),
        expect![[
            r#"change 2 (set): startMode of PlayerController of Player: the field takes one of Walking, Sneaking, Running, or its number, and not "Flying"; nothing was changed"#
        ]],
    );
    check(
        json!({ "op": "set", "object": "Player", "field": "layer", "value": 32 }),
        expect!["change 2 (set): 32 is no layer; layers are 0 to 31"],
    );
    check(
        json!({ "op": "set", "object": "Player", "field": "tag", "value": "Hero" }),
        expect![
            "change 2 (set): the project has no tag Hero; there is EditorOnly, GameController, Respawn, Collectible, Finish, Lantern, MainCamera, Player, Untagged"
        ],
    );
    check(
        json!({ "op": "rename", "object": "Player", "name": "two\nlines" }),
        expect!["change 2 (rename): a name is one line of text; nothing was changed"],
    );
    check(
        json!({ "op": "set", "object": "Player", "field": "m_Name" }),
        expect!["change 2 (set): value is missing; nothing was changed"],
    );
}

#[test]
fn references_to_the_wrong_class_or_to_nothing_are_refused() {
    let site = bench();
    let check = |value: Value, expected: Expect| {
        let change = set("Player", "PlayerController", "heldLantern", value);
        refused(&site, MAIN, change, expected);
    };
    check(
        json!("Ground"),
        expect![[
            r#"change 2 (set): heldLantern of PlayerController of Player: the field takes a LanternFlicker, and Ground is a GameObject without one; name the component: {"object": path, "component": class}"#
        ]],
    );
    check(
        json!("Assets/Materials/Stone.mat"),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: the field takes a LanternFlicker, and Assets/Materials/Stone.mat is a Material; nothing was changed"
        ],
    );
    check(
        json!("Assets/Materials/Ston.mat"),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: there is no asset Assets/Materials/Ston.mat; did you mean Assets/Materials/Stone.mat?"
        ],
    );
    check(
        json!({ "object": "Lanterns/Gate Lantrn" }),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: there is no object Lanterns/Gate Lantrn in the file; did you mean Lanterns/Gate Lantern or Lanterns/Altar Lantern?"
        ],
    );
    check(
        json!({ "guid": "fdfcc7ccef48ae2203d1f34e6c873cd7", "fileID": 999, "type": 2 }),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: the reference leads nowhere: Assets/Materials/Stone.mat has no object 999; nothing was changed"
        ],
    );
    check(
        json!({ "fileID": 1540250449 }),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: the field takes a LanternFlicker, and #1540250449 is a Transform; nothing was changed"
        ],
    );
    check(
        json!({ "object": "Player", "component": "PlayerController" }),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: the field takes a LanternFlicker, and Player is a LanternKeep.PlayerController; nothing was changed"
        ],
    );
    // The only script of an object is not what the field takes, either.
    check(
        json!("Player"),
        expect![[
            r#"change 2 (set): heldLantern of PlayerController of Player: the field takes a LanternFlicker, and Player is a GameObject without one; name the component: {"object": path, "component": class}"#
        ]],
    );
    check(
        json!({ "fileID": 4711 }),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: the file has no object 4711; nothing was changed"
        ],
    );
    check(
        json!({ "asset": MAIN }),
        expect![
            "change 2 (set): heldLantern of PlayerController of Player: the field takes a LanternFlicker, and Assets/Scenes/Main.unity is a SceneAsset; nothing was changed"
        ],
    );
    check(
        json!(12),
        expect![[
            r#"change 2 (set): heldLantern of PlayerController of Player: 12 is no reference; a path of an asset or object, {"asset": …, "sub": …}, {"object": …, "component": …}, {"guid", "fileID", "type"} or null"#
        ]],
    );
}

#[test]
fn circles_and_seconds_are_refused() {
    let site = bench();
    let check =
        |path: &str, change: Value, expected: Expect| refused(&site, path, change, expected);
    check(
        MAIN,
        json!({ "op": "reparent", "object": "Player", "parent": "Player" }),
        expect![
            "change 2 (reparent): Player cannot go into itself or into what is in it; nothing was changed"
        ],
    );
    let golden_in_lantern = json!({ "op": "instantiate", "prefab": GOLDEN, "parent": "Lantern" });
    check(
        LANTERN,
        golden_in_lantern,
        expect![
            "change 1 (instantiate): Assets/Prefabs/GoldenLantern.prefab contains this prefab, so it cannot be put into it; nothing was changed"
        ],
    );
    check(
        MAIN,
        json!({ "op": "addComponent", "object": "Player", "component": "Rigidbody" }),
        expect![
            "change 2 (addComponent): Player has a Rigidbody already, and an object can have only one; nothing was changed"
        ],
    );
    check(
        MAIN,
        json!({ "op": "addComponent", "object": "Player", "component": "Transform" }),
        expect!["change 2 (addComponent): Player has its transform already; nothing was changed"],
    );
    check(
        MAIN,
        json!({ "op": "addComponent", "object": "Player", "component": "LanternSettings" }),
        expect![
            "change 2 (addComponent): there is no component class LanternSettings; did you mean LanternFlicker?"
        ],
    );
    check(
        MAIN,
        json!({ "op": "removeComponent", "object": "Player", "component": "Transform" }),
        expect![
            "change 2 (removeComponent): every object has its transform; delete the object instead; nothing was changed"
        ],
    );
    check(
        LANTERN,
        json!({ "op": "delete", "object": "Lantern" }),
        expect![
            "change 1 (delete): Lantern is the root of the prefab; asset_delete deletes the whole prefab"
        ],
    );
    check(
        MAIN,
        json!({ "op": "instantiate", "prefab": MAIN, "parent": "" }),
        expect![
            "change 2 (instantiate): Assets/Scenes/Main.unity is no prefab; nothing was changed"
        ],
    );
    check(
        MAIN,
        json!({ "op": "reparent", "object": "Lanterns/Gate Lantern/Flame", "parent": "Player" }),
        expect![
            "change 2 (reparent): Lanterns/Gate Lantern/Flame is inside a prefab instance and stays where the prefab has it; move it in the prefab itself"
        ],
    );
}

#[test]
fn an_instance_whose_prefab_is_gone_is_not_looked_into() {
    let site = bench();
    fs::remove_file(site.path(LANTERN)).unwrap();
    let flame = set("Lanterns/Gate Lantern/Flame", "Light", "intensity", json!(1));
    refused(
        &site,
        MAIN,
        flame,
        expect![
            "change 2 (set): there is no object Lanterns/Gate Lantern/Flame in the file; there is Label, Player, Lanterns, Gilded Ring, Main Camera, Debug Marker, Gate Lantern, Hand Lantern, Well Lantern, Hand, Half, EventSystem and 5 more; nothing was changed"
        ],
    );
    let change = json!({ "op": "instantiate", "prefab": LANTERN, "parent": "" });
    refused(
        &site,
        MAIN,
        change,
        expect![
            "change 2 (instantiate): Assets/Prefabs/Lantern.prefab cannot be used: the source prefab is missing; nothing was changed"
        ],
    );
    // What does not need it can be changed.
    let arguments = json!({ "path": MAIN, "changes": [intensity()] });
    assert_eq!(site.call("unity.edit", arguments).unwrap()["filesChanged"], 1);
}

#[test]
fn what_is_no_text_of_unity_is_refused() {
    let check = |content: &[u8], expected: Expect| {
        let site = bench();
        fs::write(site.path(MAIN), content).unwrap();
        let said = site.error("unity.edit", json!({ "path": MAIN, "changes": [intensity()] }));
        assert_eq!(fs::read(site.path(MAIN)).unwrap(), content);
        expected.assert_eq(&said);
    };
    check(b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n", expect!["the file is a Git LFS pointer; its content is not here; run `git lfs pull`"]);
    check(
        b"\0\0\0\x01binary\xff\xfe\0\0",
        expect![
            "the file is binary, and only Unity can write that; save the project with Asset Serialization set to Force Text"
        ],
    );
    check(
        b"",
        expect!["the file is no text of Unity's (Empty); name a scene, a prefab or an asset"],
    );
    check(
        b"some words\n",
        expect!["the file is no text of Unity's (OtherText); name a scene, a prefab or an asset"],
    );
    let text = bench().read(MAIN);
    let (head, tail) = text.split_once("  m_Intensity: ").unwrap();
    let conflict = format!(
        "{head}<<<<<<< HEAD\n  m_Intensity: 1\n=======\n  m_Intensity: 2\n>>>>>>> other\n  m_Intensity: {tail}"
    );
    check(
        conflict.as_bytes(),
        expect!["the file has conflict markers of a merge; resolve the conflict first"],
    );
}

#[test]
fn breaks_of_lines_and_a_byte_order_mark_stay() {
    let changes = json!([
        intensity(),
        { "op": "create", "parent": "Player", "name": "Marker", "components": ["BoxCollider"] },
        { "op": "instantiate", "prefab": LANTERN, "parent": "Player", "name": "New" },
        set("Lanterns/Gate Lantern/Flame", "Light", "m_Range", json!(3)),
    ]);
    let edited = |form: &dyn Fn(String) -> String| {
        let site = bench();
        site.write(MAIN, &form(site.read(MAIN)));
        site.call("unity.edit", json!({ "path": MAIN, "changes": changes })).unwrap();
        site.read(MAIN)
    };
    let plain = edited(&|text| text);
    let windows = |text: String| text.replace('\n', "\r\n");
    let marked = |text: String| format!("\u{feff}{text}");
    assert_eq!(edited(&windows), windows(plain.clone()));
    assert_eq!(edited(&marked), marked(plain.clone()));
    assert_eq!(edited(&|text| text.trim_end().to_owned()), plain.trim_end());
}

#[test]
fn of_two_classes_in_a_script_the_one_with_its_name_is_meant() {
    let site = bench();
    let two = "using UnityEngine;\nclass Helper : MonoBehaviour { public int other = 1; }\npublic class Twins : MonoBehaviour { public int count = 7; }\n";
    site.write("Assets/Scripts/Twins.cs", two);
    let meta = "fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef\n";
    site.write("Assets/Scripts/Twins.cs.meta", meta);
    let add = |class: &str| json!({ "op": "addComponent", "object": "Ground", "component": class });
    refused(
        &site,
        MAIN,
        add("Helper"),
        expect![
            "change 2 (addComponent): there is no component class Helper; there is MeshFilter, SphereCollider, BlendShapeAffordanceReceiver, SplineExtrude, MaterialHelperBase, Slider, DecalProjector, HDProbe, SelectionRoot, ARPlanesChangedListener, TeleportationArea, TestDeletePrimary and 1021 more; nothing was changed"
        ],
    );
    let diff = site.diff("unity.edit", json!({ "path": MAIN, "changes": [add("Twins")] }));
    assert!(diff.contains("+  count: 7\n") && !diff.contains("other"), "{diff}");
}

#[test]
fn new_ids_never_meet_old_ones() {
    let site = bench();
    let make = json!({ "op": "create", "parent": "", "name": "Marker" });
    let arguments = json!({ "path": MAIN, "changes": [make], "dryRun": true });
    let wanted = site.call("unity.edit", arguments).unwrap()["results"][0]["fileID"].to_string();
    // An object that has the id already which the new one would get.
    let text = site.read(MAIN);
    let taken = text.replace("1684365706", &wanted);
    assert_ne!(taken, text);
    site.write(MAIN, &taken);
    let arguments = json!({ "path": MAIN, "changes": [make, make] });
    site.call("unity.edit", arguments).unwrap();
    let after = site.read(MAIN);
    let mut ids: Vec<&str> = after.lines().filter(|line| line.starts_with("--- ")).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn more_changes_than_a_call_makes_are_refused() {
    let site = bench();
    let changes: Vec<Value> = (0..10_001).map(|_| intensity()).collect();
    let said = site.error("unity.edit", json!({ "path": MAIN, "changes": changes }));
    expect!["Invalid tool arguments: changes has 10001 items, at most 10000 are taken"]
        .assert_eq(&said);
}
