//! The exact lines of each kind of asset and what is refused.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::{bench, bench_on, lines_of};

#[test]
fn a_folder_and_a_pattern_stand_for_what_has_the_component() {
    for paths in [json!("Assets/Prefabs"), json!(["Assets/Prefabs/**/*.prefab"])] {
        let bench = bench();
        let arguments = json!({ "assetPaths": paths, "componentType": "Light",
            "propertyPath": "intensity", "value": 3 });
        let output = bench.call("batch.setProperty", arguments).unwrap();
        assert_eq!((&output["matchedCount"], &output["modifiedCount"]), (&json!(3), &json!(1)));
    }
    let arguments = json!({ "assetPaths": ["Assets/Scripts"], "componentType": "Light",
        "propertyPath": "intensity", "value": 3 });
    let error = bench().call("batch.setProperty", arguments).unwrap_err();
    assert_eq!(error.message, "Assets/Scripts has no prefab, scene, material or asset");
}

#[test]
fn metas_without_their_asset_are_passed_over_in_folders_and_refused_by_name() {
    let bench = bench();
    bench.write("Assets/Prefabs/Gone.prefab.meta", "guid: ab000000000000000000000000000001\n");
    let set = |paths: Value| json!({ "assetPaths": paths, "componentType": "Light", "propertyPath": "intensity", "value": 3 });
    let before = bench.read("Assets/Prefabs/Lantern.prefab");
    for paths in [json!(["Assets/Prefabs"]), json!(["Assets/Prefabs/*.prefab"])] {
        let output = bench.call("batch.setProperty", set(paths)).unwrap();
        assert_eq!((&output["matchedCount"], &output["modifiedCount"]), (&json!(3), &json!(1)));
        let told = "Assets/Prefabs/Gone.prefab: passed over, only its .meta is there";
        assert_eq!(output["remarks"][0], told);
        bench.undo();
    }
    let named = json!(["Assets/Prefabs/Lantern.prefab", "Assets/Prefabs/Gone.prefab"]);
    expect!["The property cannot be set on one or more assets: Assets/Prefabs/Gone.prefab: file not found: Assets/Prefabs/Gone.prefab; project_listFiles shows what is there; nothing was changed"].assert_eq(&bench.error("batch.setProperty", set(named)));
    let alone = bench.error("batch.setProperty", set(json!(["Assets/Prefabs/Gon*.prefab"])));
    expect!["Assets/Prefabs/Gon*.prefab has no prefab, scene, material or asset; project_listFiles shows what is there"].assert_eq(&alone);
    assert_eq!(bench.read("Assets/Prefabs/Lantern.prefab"), before);
}

fn check(arguments: Value, expected: Expect) {
    let bench = bench();
    expected.assert_eq(&lines_of(&bench.diff("batch.setProperty", arguments)));
}

#[test]
fn prefabs_and_variants_scenes_materials_and_assets_are_changed_alike() {
    check(
        json!({ "assetPaths": ["Assets/Prefabs/Lantern.prefab", "Assets/Prefabs/GoldenLantern.prefab", "Assets/Scenes/Main.unity"],
                "componentType": "Light", "propertyPath": "intensity", "value": 3 }),
        expect![[r#"
            Assets/Prefabs/Lantern.prefab
            -  m_Intensity: 1.5
            +  m_Intensity: 3
            Assets/Scenes/Main.unity
            -  m_Intensity: 0.4
            +  m_Intensity: 3
        "#]],
    );
    check(
        json!({ "assetPaths": ["Assets/Materials/Stone.mat", "Assets/Materials/Flame.mat"],
                "componentType": "Material", "propertyPath": "_Color", "value": [1, 0, 0, 1] }),
        expect![[r#"
            Assets/Materials/Stone.mat
            -    - _Color: {r: 0.42, g: 0.43, b: 0.46, a: 1}
            +    - _Color: {r: 1, g: 0, b: 0, a: 1}
            Assets/Materials/Flame.mat
            -    - _Color: {r: 1, g: 0.62, b: 0.2, a: 1}
            +    - _Color: {r: 1, g: 0, b: 0, a: 1}
        "#]],
    );
    check(
        json!({ "assetPaths": ["Assets/Data/LanternSettings.asset"], "componentType": "LanternSettings",
                "propertyPath": "m_Name", "value": "Lamps" }),
        expect![[r#"
            Assets/Data/LanternSettings.asset
            -  m_Name: LanternSettings
            +  m_Name: Lamps
        "#]],
    );
    check(
        json!({ "assetPaths": ["Assets/Prefabs/Lantern.prefab", "Assets/Prefabs/Room.prefab"],
                "componentType": "GameObject", "propertyPath": "layer", "value": "Ground" }),
        expect![[r#"
            Assets/Prefabs/Lantern.prefab
            -  m_Layer: 6
            +  m_Layer: 7
            Assets/Prefabs/Room.prefab
            -  m_Layer: 0
            +  m_Layer: 7
        "#]],
    );
}

#[test]
fn all_or_nothing_is_changed_and_one_undo_takes_it_back() {
    let bench = bench();
    let files = ["Assets/Prefabs/Lantern.prefab", "Assets/Prefabs/GoldenLantern.prefab"];
    let read = || files.map(|file| bench.read(file));
    let before = read();
    let set = |paths: Value, class: &str, field: &str, more: Value| {
        let mut input = json!({ "assetPaths": paths, "componentType": class,
                                "propertyPath": field, "value": 7 });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        input
    };
    let both = json!(files);
    let error = |input: Value| bench.error("batch.setProperty", input);
    let with_room = json!([files[0], "Assets/Materials/Stone.mat"]);
    expect!["The property cannot be set on one or more assets: Assets/Materials/Stone.mat: the file has no Light; there is Material; nothing was changed"].assert_eq(&error(set(with_room, "Light", "m_Range", json!({}))));
    expect!["Component not found on one or more assets: Assets/Prefabs/Lantern.prefab: no object of the file has a component Ligth (and 1 more); did you mean Light?; nothing was changed"].assert_eq(&error(set(both.clone(), "Ligth", "m_Range", json!({}))));
    expect!["The property cannot be set on one or more assets: Assets/Prefabs/Lantern.prefab: Light of Lantern/Flame has no field m_Rnage (and 1 more); nothing was changed"].assert_eq(&error(set(both.clone(), "Light", "m_Rnage", json!({}))));
    let nowhere = json!([files[0], "Assets/Prefabs/Lantrn.prefab"]);
    expect!["Invalid asset path: Assets/Prefabs/Lantrn.prefab; did you mean Assets/Prefabs/Lantern.prefab or Assets/Prefabs/GoldenLantern.prefab or Assets/Prefabs/Room.prefab?"].assert_eq(&error(set(nowhere, "Light", "m_Range", json!({}))));
    expect!["Asset count exceeds maxAssets limit: 2 assets, at most 1; pass maxAssets: 2"]
        .assert_eq(&error(set(both.clone(), "Light", "m_Range", json!({ "maxAssets": 1 }))));
    assert_eq!(read(), before, "a refused call changes nothing");
    let shown = bench
        .call("batch.setProperty", set(both.clone(), "Light", "m_Range", json!({ "dryRun": true })))
        .unwrap();
    // The variant has it from its prefab, and needs no override.
    assert_eq!((&shown["filesChanged"], &shown["modifiedCount"]), (&json!(1), &json!(1)));
    assert_eq!(read(), before, "a dry run changes nothing");
    // A file that is named twice is one file.
    let twice = json!([files[0], files[1], files[0]]);
    let done = bench.call("batch.setProperty", set(twice, "Light", "m_Range", json!({}))).unwrap();
    assert_eq!((&done["filesChanged"], &done["modifiedCount"]), (&json!(1), &json!(1)));
    let first = json!([files[0]]);
    let again = bench.call("batch.setProperty", set(first, "Light", "m_Range", json!({}))).unwrap();
    assert_eq!((&again["filesChanged"], &again["modifiedCount"]), (&json!(0), &json!(0)));
    bench.undo();
    assert_eq!(read(), before);
}

#[test]
fn the_same_call_once_more_changes_nothing_in_prefabs_and_what_is_made_of_them() {
    // The variant comes first in the call, and is made of the other all the same.
    let files = [
        "Assets/Scenes/Main.unity",
        "Assets/Prefabs/GoldenLantern.prefab",
        "Assets/Prefabs/Lantern.prefab",
    ];
    for (field, value) in [("m_Color", json!("#ffd080")), ("m_Intensity", json!(3))] {
        let bench = bench();
        let input = json!({ "assetPaths": files, "componentType": "Light",
                            "propertyPath": field, "value": value });
        let done = bench.call("batch.setProperty", input.clone()).unwrap();
        assert_ne!(done["filesChanged"], json!(0), "{field}");
        let after = files.map(|file| bench.read(file));
        let again = bench.call("batch.setProperty", input).unwrap();
        assert_eq!(again["filesChanged"], json!(0), "{field}");
        assert_eq!(again["modifiedCount"], json!(0), "{field}");
        assert_eq!(files.map(|file| bench.read(file)), after);
    }
}

#[test]
fn many_prefabs_are_one_change() {
    let lantern = include_str!("../../../../../samples/unity/Assets/Prefabs/Lantern.prefab");
    let bench = bench_on("//- Assets/keep.txt\n.\n");
    let paths: Vec<String> = (0..60).map(|at| format!("Assets/P/L{at}.prefab")).collect();
    for (at, path) in paths.iter().enumerate() {
        bench.write(path, lantern);
        let guid = format!("fileFormatVersion: 2\nguid: {at:032x}\n");
        bench.write(&format!("{path}.meta"), &guid.replace("guid: 0", "guid: a"));
    }
    let input = json!({ "assetPaths": paths, "componentType": "Light", "propertyPath": "m_Range",
                        "value": 9, "maxAssets": 1000 });
    let done = bench.call("batch.setProperty", input).unwrap();
    assert_eq!((&done["modifiedCount"], &done["filesChanged"]), (&json!(60), &json!(60)));
    assert!(bench.read("Assets/P/L59.prefab").contains("m_Range: 9\n"));
    bench.undo();
    assert!(paths.iter().all(|path| bench.read(path) == lantern));
}
