//! What real files showed to be wrong when their values were made again (`cargo xtask remake`).

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::{Site, bench};

/// The lines that a change adds and removes.
fn check(site: &Site, path: &str, change: Value, expected: Expect) {
    let call = json!({ "path": path, "changes": [change], "dryRun": true });
    let diff = site.diff("unity.edit", call);
    let is_change = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-'))
            && !line.contains(" a/")
            && !line.contains(" b/")
    };
    let lines: String = diff.lines().filter(is_change).map(|line| format!("{line}\n")).collect();
    expected.assert_eq(&lines);
}

const MAIN: &str = "Assets/Scenes/Main.unity";
const STONE: &str = "Assets/Materials/Stone.mat";

#[test]
fn an_entry_of_a_dictionary_has_its_name_as_the_key() {
    let insert = |field: &str, value: Value| json!({ "op": "insertItem", "field": field, "value": value, "index": 0 });
    let floats = insert("m_SavedProperties.m_Floats", json!({ "_Wear": 0.5 }));
    check(
        &bench(),
        STONE,
        floats,
        expect![[r#"
        +    - _Wear: 0.5
    "#]],
    );
    let textures = insert("m_SavedProperties.m_TexEnvs", json!({ "_Moss": { "m_Texture": null } }));
    check(
        &bench(),
        STONE,
        textures,
        expect![[r#"
        +    - _Moss:
        +        m_Texture: {fileID: 0}
        +        m_Scale: {x: 1, y: 1}
        +        m_Offset: {x: 0, y: 0}
    "#]],
    );
}

#[test]
fn items_are_written_in_the_form_of_an_older_version() {
    let site = bench();
    let text = site.read(STONE);
    let (head, _) = text.split_once("    m_TexEnvs:\n").unwrap();
    let entry = "    - first:\n        name: _MainTex\n      second:\n        m_Texture: {fileID: 0}\n        m_Scale: {x: 1, y: 1}\n        m_Offset: {x: 0, y: 0}\n";
    site.write(
        STONE,
        &format!("{head}    m_TexEnvs:\n{entry}    m_Floats: []\n    m_Colors: []\n"),
    );
    let value = json!({ "first": { "name": "_BumpMap" }, "second": { "m_Scale": [2, 2] } });
    let change =
        json!({ "op": "insertItem", "field": "m_SavedProperties.m_TexEnvs", "value": value });
    check(
        &site,
        STONE,
        change,
        expect![[r#"
        +    - first:
        +        name: _BumpMap
        +      second:
        +        m_Texture: {fileID: 0}
        +        m_Scale: {x: 2, y: 2}
        +        m_Offset: {x: 0, y: 0}
    "#]],
    );
}

#[test]
fn an_override_stands_where_the_parts_of_its_value_are() {
    let site = bench();
    let text = site.read(MAIN);
    let target = "    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}\n      propertyPath: m_LocalPosition.y\n";
    let start = text.find(target).unwrap();
    let end = start + text[start + 4..].find("    - target").unwrap() + 4;
    site.write(MAIN, &format!("{}{}", &text[..start], &text[end..]));
    let entry = &text[start..end];
    let value = entry.split("value: ").nth(1).unwrap().lines().next().unwrap();
    let change = json!({ "op": "set", "object": "Lanterns/Gate Lantern", "component": "Transform", "field": "m_LocalPosition.y", "value": value.parse::<f64>().unwrap() });
    site.call("unity.edit", json!({ "path": MAIN, "changes": [change] })).unwrap();
    assert_eq!(site.read(MAIN), text);
}

#[test]
fn a_place_counts_siblings_that_cannot_be_looked_into() {
    let site = bench();
    std::fs::remove_file(site.path("Assets/Prefabs/Lantern.prefab")).unwrap();
    let listed = || {
        let text = site.read(MAIN);
        let name = text.find("  m_Name: Lanterns\n").unwrap();
        let list = text[name..].split("  m_Children:\n").nth(1).unwrap().to_owned();
        list.lines()
            .take_while(|line| line.starts_with("  - "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let before = listed();
    assert!(before.len() > 1, "{before:?}");
    let change = json!({ "op": "create", "parent": "Lanterns", "name": "Second", "index": 1 });
    site.call("unity.edit", json!({ "path": MAIN, "changes": [change] })).unwrap();
    let after = listed();
    assert_eq!((after.len(), &after[0], &after[2..]), (before.len() + 1, &before[0], &before[1..]));
}

#[test]
fn the_renderer_of_particles_is_behind_them() {
    let make =
        json!({ "op": "create", "parent": "", "name": "Smoke", "components": ["ParticleSystem"] });
    let site = bench();
    site.call("unity.edit", json!({ "path": MAIN, "changes": [make] })).unwrap();
    let listed = site.call("component.list", json!({ "hierarchyPath": "Smoke" }));
    let text = listed.unwrap().to_string();
    let at = |class: &str| text.find(&format!("\"{class}\"")).unwrap_or_else(|| panic!("{text}"));
    assert!(at("ParticleSystem") < at("ParticleSystemRenderer"));
}
