//! What instances have, applied: this file shows the same, the prefab has it, and so have others.

use std::fs;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::{Site, bench, findings, lines_of, portrait};

const CELLAR: &str = "Assets/Scenes/Cellar.unity";
const MAIN: &str = "Assets/Scenes/Main.unity";
const FILES: [&str; 5] = [
    CELLAR,
    MAIN,
    "Assets/Prefabs/Room.prefab",
    "Assets/Prefabs/GoldenLantern.prefab",
    "Assets/Prefabs/Lantern.prefab",
];

fn bytes(site: &Site) -> Vec<String> {
    FILES.map(|file| fs::read_to_string(site.path(file)).unwrap()).to_vec()
}

/// Apply: the file shows the same, the check finds nothing new, one undo brings every byte back. Returns
/// the remarks and what changed.
fn apply(site: &Site, scene: &str, wanted: &Value) -> (String, String) {
    apply_within(site, scene, wanted, "")
}

/// The same where only one part of the file has to show the same, since another takes it, too.
fn apply_within(site: &Site, scene: &str, wanted: &Value, within: &str) -> (String, String) {
    let (before, shown, found) = (bytes(site), portrait(site, scene), findings(site));
    let mut input = wanted.clone();
    input["scenePath"] = scene.into();
    let output = site.call("prefab.apply", input).unwrap_or_else(|error| panic!("{error:?}"));
    same(&shown, &portrait(site, scene), within);
    let new: Vec<_> = findings(site).difference(&found).cloned().collect();
    assert!(new.is_empty(), "{wanted}: {new:?}");
    let diffs = output["changes"].as_array().unwrap().iter();
    let lines: String = diffs.map(|it| lines_of(it["diff"].as_str().unwrap_or_default())).collect();
    let remarks = output["remarks"].as_array().unwrap().iter();
    let remarks = remarks.map(|it| format!("{}\n", it.as_str().unwrap())).collect();
    if output["changed"] == true {
        assert_ne!(bytes(site), before, "{wanted}");
        site.undo();
    }
    assert_eq!(bytes(site), before, "{wanted}");
    (remarks, lines)
}

fn same(before: &[String], after: &[String], within: &str) {
    let part = |all: &[String]| -> Vec<String> {
        all.iter().filter(|line| line.starts_with(within)).cloned().collect()
    };
    let (before, after) = (part(before), part(after));
    let first = before.iter().zip(&after).find(|(was, is)| was != is);
    assert_eq!(first, None);
    assert_eq!(before.len(), after.len());
}

fn check(site: &Site, scene: &str, wanted: Value, remarks: Expect, lines: Expect) {
    let (told, diff) = apply(site, scene, &wanted);
    remarks.assert_eq(&told);
    lines.assert_eq(&diff);
}

fn edit(site: &Site, path: &str, changes: Value) {
    let input = json!({ "path": path, "changes": changes });
    site.call("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"));
}

#[test]
fn one_value_goes_into_the_prefab_or_further_down() {
    let site = bench();
    let key = json!({ "hierarchyPath": "Storage Room/Key", "component": "Collectible", "field": "value" });
    check(
        &site,
        CELLAR,
        key,
        expect![[r#"
        Assets/Prefabs/Room.prefab takes 1 values and 0 objects or components
    "#]],
        expect![[r#"
        Assets/Scenes/Cellar.unity
        -    - target: {fileID: 6355778995408404967, guid: f755b277b36ec092bed9651617f3a926, type: 3}
        -      propertyPath: value
        -      value: 3
        -      objectReference: {fileID: 0}
        Assets/Prefabs/Room.prefab
        -  value: 1
        +  value: 3
    "#]],
    );
    let flame = |to: &str| json!({ "hierarchyPath": "Storage Room/GoldenLantern/Flame", "component": "Light", "field": "intensity", "to": to });
    for prefab in &FILES[2..] {
        // The other lantern of the room takes the last one, which is its prefab as well.
        let part = "Storage Room/GoldenLantern";
        let (remarks, lines) = apply_within(&site, CELLAR, &flame(prefab), part);
        assert!(remarks.starts_with(&format!("{prefab} takes 1 values")), "{remarks}");
        assert!(lines.contains("2.5") && lines.contains(prefab), "{lines}");
    }
    site.call("prefab.apply", {
        let mut input = flame(FILES[4]);
        input["scenePath"] = CELLAR.into();
        input
    })
    .unwrap();
    let shown = portrait(&site, CELLAR);
    let other = "Storage Room/Wall Lantern/Flame 3:Light m_Intensity = 2.5";
    assert!(shown.iter().any(|line| line == other));
    site.undo();
    let mut wrong = flame("Assets/Prefabs/Other.prefab");
    wrong["scenePath"] = CELLAR.into();
    let error = site.call("prefab.apply", wrong).unwrap_err();
    let told = format!("{}; {}", error.message, error.hint.unwrap_or_default());
    expect!["Assets/Prefabs/Other.prefab does not take what is changed there; what can take it: Assets/Prefabs/Room.prefab, Assets/Prefabs/GoldenLantern.prefab, Assets/Prefabs/Lantern.prefab"].assert_eq(&told);
}

#[test]
fn a_whole_instance_is_applied_with_what_was_added_and_removed() {
    let site = bench();
    edit(
        &site,
        CELLAR,
        json!([
            { "op": "addComponent", "object": "Storage Room/Key", "component": "AudioSource" },
            { "op": "removeComponent", "object": "Storage Room/Floor", "component": "BoxCollider" },
            { "op": "create", "parent": "Storage Room", "name": "Shelf", "components": ["BoxCollider"] },
            { "op": "instantiate", "prefab": "Assets/Prefabs/Lantern.prefab", "parent": "Storage Room/Key", "name": "Key Light" },
            { "op": "set", "object": "Storage Room/Key", "component": "Collectible", "field": "lantern", "value": "Storage Room/Key/Key Light" },
        ]),
    );
    let whole = json!({ "hierarchyPath": "Storage Room" });
    let (remarks, _) = apply(&site, CELLAR, &whole);
    expect![[r#"
        Assets/Prefabs/Room.prefab takes 4 values and 4 objects or components
    "#]]
    .assert_eq(&remarks);
    for one in ["Storage Room/Shelf", "Storage Room/Key/Key Light", "Storage Room/Key"] {
        apply(&site, CELLAR, &json!({ "hierarchyPath": one }));
    }
    let removed = json!({ "hierarchyPath": "Storage Room/Floor", "component": "BoxCollider" });
    let (remarks, _) = apply(&site, CELLAR, &removed);
    assert!(remarks.contains("1 objects or components"), "{remarks}");
    let input = json!({ "scenePath": CELLAR, "hierarchyPath": "Storage Room" });
    site.call("prefab.apply", input.clone()).unwrap();
    let left = site.call("prefab.overrides", input).unwrap();
    let own = |one: &&Value| one["alwaysKept"] != true;
    assert_eq!(left["overrides"].as_array().unwrap().iter().filter(own).count(), 0, "{left}");
    for list in ["addedObjects", "removedObjects", "addedComponents", "removedComponents"] {
        assert_eq!(left[list], json!([]), "{list}");
    }
}

#[test]
fn what_the_prefab_cannot_have_stays_and_is_told() {
    let site = bench();
    edit(
        &site,
        CELLAR,
        json!([
            { "op": "create", "parent": "", "name": "Elsewhere" },
            { "op": "create", "parent": "Storage Room", "name": "Pointer", "components": ["LanternFlicker"] },
            { "op": "addComponent", "object": "Storage Room/Key", "component": "HingeJoint" },
            { "op": "addComponent", "object": "Elsewhere", "component": "Rigidbody" },
            { "op": "set", "object": "Storage Room/Key", "component": "HingeJoint", "field": "m_ConnectedBody", "value": "Elsewhere" },
        ]),
    );
    let (remarks, _) = apply(&site, CELLAR, &json!({ "hierarchyPath": "Storage Room" }));
    assert!(
        remarks.contains("1 references to what only this file has stay overrides"),
        "{remarks}"
    );
    let mut place = json!({ "hierarchyPath": "Storage Room", "component": "Transform", "field": "m_LocalPosition" });
    place["scenePath"] = CELLAR.into();
    let error = site.call("prefab.apply", place).unwrap_err();
    expect!["m_LocalPosition.x cannot be applied: every instance has its own"]
        .assert_eq(&error.message);
    let plain = json!({ "scenePath": CELLAR, "hierarchyPath": "Elsewhere" });
    let error = site.call("prefab.apply", plain).unwrap_err();
    expect!["Elsewhere is neither in a prefab instance nor added to one; prefab_overrides lists what can be applied"].assert_eq(&format!("{}; {}", error.message, error.hint.unwrap_or_default()));
}

#[test]
fn later_changes_of_a_call_see_what_was_applied() {
    let site = bench();
    let before = bytes(&site);
    edit(
        &site,
        CELLAR,
        json!([
            { "op": "apply", "object": "Storage Room/Key", "component": "Collectible", "field": "value" },
            { "op": "set", "object": "Storage Room/Key", "component": "Collectible", "field": "value", "value": 3 },
            { "op": "revert", "object": "Storage Room/Key", "component": "Collectible", "field": "value" },
        ]),
    );
    let shown = portrait(&site, CELLAR);
    assert!(shown.iter().any(|line| line.ends_with("MonoBehaviour value = 3")), "{shown:#?}");
    site.undo();
    assert_eq!(bytes(&site), before);
}
