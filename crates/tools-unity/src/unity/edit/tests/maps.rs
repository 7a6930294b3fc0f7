//! Maps of settings: entries by platform, added in order, set and taken away.

use expect_test::expect;
use serde_json::{Value, json};

use super::{check, refused};
use crate::testing::{bench_on, lines_of};

const PLAYER: &str = "ProjectSettings/ProjectSettings.asset";

fn set(field: &str, value: Value) -> Value {
    json!([{ "op": "set", "field": field, "value": value }])
}

#[test]
fn an_entry_comes_where_unity_has_it() {
    check(
        PLAYER,
        set("applicationIdentifier.iOS", json!("a.b.c")),
        expect![[r#"
        +    iPhone: a.b.c
    "#]],
    );
    check(
        PLAYER,
        set("applicationIdentifier.Lumin", json!("a.b.c")),
        expect![[r#"
        +    Lumin: a.b.c
    "#]],
    );
    check(
        PLAYER,
        set("scriptingDefineSymbols.13", json!("A;B")),
        expect![[r#"
        +    WebGL: A;B
    "#]],
    );
    check(
        PLAYER,
        set("il2cppCompilerConfiguration.android", json!(2)),
        expect![[r#"
        -  il2cppCompilerConfiguration: {}
        +  il2cppCompilerConfiguration:
        +    Android: 2
    "#]],
    );
    check(
        PLAYER,
        set("scriptingBackend.Switch", json!(1)),
        expect![[r#"
        +    Nintendo Switch: 1
    "#]],
    );
}

#[test]
fn an_entry_is_set_and_goes() {
    check(
        PLAYER,
        set("applicationIdentifier.Android", json!("a.b.c")),
        expect![[r#"
        -    Android: org.scenewright.samples.lanternkeep
        +    Android: a.b.c
    "#]],
    );
    check(
        PLAYER,
        set("applicationIdentifier.Android", Value::Null),
        expect![[r#"
        -    Android: org.scenewright.samples.lanternkeep
    "#]],
    );
    check(
        PLAYER,
        set("mobileMTRendering.Android", Value::Null),
        expect![[r#"
        -  mobileMTRendering:
        -    Android: 1
        +  mobileMTRendering: {}
    "#]],
    );
    check(PLAYER, set("mobileMTRendering.Android", json!(1)), expect![[""]]);
}

#[test]
fn an_object_is_the_whole_map() {
    let value = json!({ "WebGL": "w", "iOS": "i", "Android": "LANTERN_KEEP" });
    check(
        PLAYER,
        set("scriptingDefineSymbols", value),
        expect![[r#"
        -    Standalone: LANTERN_KEEP;LANTERN_DESKTOP
        +    WebGL: w
        +    iPhone: i
    "#]],
    );
    check(
        PLAYER,
        set("scriptingDefineSymbols", json!({})),
        expect![[r#"
        -  scriptingDefineSymbols:
        -    Android: LANTERN_KEEP
        -    Standalone: LANTERN_KEEP;LANTERN_DESKTOP
        +  scriptingDefineSymbols: {}
    "#]],
    );
    let object = json!({ "a.b": { "asset": "Assets/Materials/Stone.mat" } });
    check(
        "ProjectSettings/EditorBuildSettings.asset",
        set("m_configObjects", object),
        expect![[r#"
            -    com.unity.addressableassets: {fileID: 11400000, guid: 2ef3c5c21e44a8549ec4da3a399cc643, type: 2}
            -    com.unity.localization.settings: {fileID: 11400000, guid: 06deda18c5a86794d64509cc49973e7b, type: 2}
            +    a.b: {fileID: 2100000, guid: fdfcc7ccef48ae2203d1f34e6c873cd7, type: 2}
        "#]],
    );
    let field = "m_configObjects.com.example.settings";
    let asset = json!("Assets/Materials/Stone.mat");
    check(
        "ProjectSettings/EditorBuildSettings.asset",
        set(field, asset),
        expect![[r#"
        +    com.example.settings: {fileID: 2100000, guid: fdfcc7ccef48ae2203d1f34e6c873cd7, type: 2}
    "#]],
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    refused(
        PLAYER,
        set("scriptingBackend.Android", json!("il2cpp")),
        expect![[
            r#"change 1 (set): scriptingBackend.Android of PlayerSettings: the field takes a whole number from -2147483648 to 4294967295, and not "il2cpp"; nothing was changed"#
        ]],
    );
    refused(
        PLAYER,
        set("scriptingBackend.WebGL", json!([1])),
        expect![
            "change 1 (set): scriptingBackend.WebGL of PlayerSettings: the field takes a whole number from -2147483648 to 4294967295, and not [1]; nothing was changed"
        ],
    );
    refused(
        PLAYER,
        set("applicationIdentifier.Andorid", json!("a")),
        expect!["change 1 (set): there is no platform Andorid; did you mean Android?"],
    );
    refused(
        PLAYER,
        set("applicationIdentifier", json!(["a"])),
        expect![[
            r#"change 1 (set): applicationIdentifier of PlayerSettings: the field takes an object, each value text, and not ["a"]; nothing was changed"#
        ]],
    );
    refused(
        PLAYER,
        set("applicationIdentifier", json!({ "iOS": "a", "iPhone": "b" })),
        expect![
            "change 1 (set): applicationIdentifier of PlayerSettings: iPhone is in the value twice; nothing was changed"
        ],
    );
    refused(
        PLAYER,
        set("applicationIdentifier", json!({ "iOS": { "a": 1 } })),
        expect![[
            r#"change 1 (set): applicationIdentifier of PlayerSettings: the field takes text, and not {"a":1}; nothing was changed"#
        ]],
    );
}

#[test]
fn files_with_numbers_take_names() {
    let bench = bench_on(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2019.4.40f1\n//- ProjectSettings/ProjectSettings.asset\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!129 &1\nPlayerSettings:\n  serializedVersion: 20\n  applicationIdentifier:\n    iOS: a.b\n  scriptingDefineSymbols:\n    1: A\n    7: B\n    14: C\n  platformArchitecture: {}\n",
    );
    let diff = |changes: Value| {
        let input = json!({ "path": PLAYER, "changes": changes, "dryRun": true });
        lines_of(&bench.diff("unity.edit", input))
    };
    expect![[r#"
        ProjectSettings/ProjectSettings.asset
        +    13: W
    "#]]
    .assert_eq(&diff(set("scriptingDefineSymbols.WebGL", json!("W"))));
    expect![[r#"
        ProjectSettings/ProjectSettings.asset
        -    7: B
        +    7: W
    "#]]
    .assert_eq(&diff(set("scriptingDefineSymbols.Android", json!("W"))));
    expect![[r#"
        ProjectSettings/ProjectSettings.asset
        -    1: A
        -    14: C
        +    25: T
    "#]]
    .assert_eq(&diff(set("scriptingDefineSymbols", json!({ "tvOS": "T", "Android": "B" }))));
    // Files of that time have it as `iOS`.
    expect![[r#"
        ProjectSettings/ProjectSettings.asset
        -    iOS: a.b
        +    iOS: c.d
    "#]]
    .assert_eq(&diff(set("applicationIdentifier.iPhone", json!("c.d"))));
    let error = bench.error(
        "unity.edit",
        json!({ "path": PLAYER, "changes": set("scriptingDefineSymbols.Server", json!("S")) }),
    );
    expect!["change 1 (set): there is no platform Server; there is GameCoreScarlett, WebPlayer, GameCoreXboxOne, BlackBerry, PS3, PS4, PS5, PSM, EmbeddedLinux, LinuxHeadlessSimulation, PSP2, tvOS and 19 more; nothing was changed"].assert_eq(&error);
}
