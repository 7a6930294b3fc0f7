//! Properties and keywords of materials in each of their spellings.

use expect_test::{Expect, expect};
use scenewright_text::Edits;
use serde_json::json;

use super::*;
use crate::{Document, FileId, Guid, Reference};

const NEW: &str = "%YAML 1.1
--- !u!21 &2100000
Material:
  serializedVersion: 8
  m_Name: Stone
  m_ValidKeywords: []
  m_InvalidKeywords:
  - _OLD
  m_SavedProperties:
    serializedVersion: 3
    m_TexEnvs:
    - _BumpMap:
        m_Texture: {fileID: 0}
        m_Scale: {x: 1, y: 1}
        m_Offset: {x: 0, y: 0}
    m_Ints: []
    m_Floats:
    - _Cutoff: 0.5
    - _Glossiness: 0.1
    m_Colors:
    - _Color: {r: 0.42, g: 0.43, b: 0.46, a: 1}
  m_BuildTextureStacks: []
";

const PAIRS: &str = "--- !u!21 &2100000
Material:
  m_ShaderKeywords: _B
  m_SavedProperties:
    serializedVersion: 2
    m_TexEnvs:
    - first:
        name: _MainTex
      second:
        m_Texture: {fileID: 0}
        m_Scale: {x: 1, y: 1}
        m_Offset: {x: 0, y: 0}
    m_Floats:
    - first:
        name: _Metallic
      second: 0
    m_Colors:
    - first:
        name: _Color
      second: {r: 0.5, g: 0.5, b: 0.5, a: 1}
";

fn texture(value: &serde_json::Value) -> Result<Reference, String> {
    match value.as_str() {
        Some("a.png") => {
            Ok(Reference { file_id: FileId(2_800_000), guid: Some(Guid([7; 16])), kind: 3 })
        }
        _ => Err(format!("no texture {value}")),
    }
}

/// The lines that differ with these values, with CRLF as well as with LF.
fn check(before: &str, values: serde_json::Value, expected: Expect) {
    let run = |text: &str| {
        let document = Document::parse(text);
        let object = document.object(FileId(2_100_000)).unwrap();
        let mut edits = Edits::default();
        let settings: Vec<(&str, Setting)> = values
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| {
                let kind = property(object, name).map(|property| property.kind);
                (name.as_str(), Setting::read(kind, value, texture).unwrap())
            })
            .collect();
        set_properties(object, &settings, &Manner::of(&document), &mut edits).unwrap();
        String::from_utf8(edits.apply(text.as_bytes()).unwrap()).unwrap()
    };
    let after = run(before);
    assert_eq!(run(&before.replace('\n', "\r\n")), after.replace('\n', "\r\n"));
    assert_eq!(Document::parse(after.clone()).problems(), []);
    expected.assert_eq(&difference(before, &after));
}

fn difference(before: &str, after: &str) -> String {
    let diff = scenewright_text::diff::unified(before.as_bytes(), after.as_bytes(), "a", "b", 0);
    let lines = diff.text.lines().skip(2).filter(|line| !line.starts_with("@@"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn properties_that_are_there_change_and_only_they() {
    check(
        NEW,
        json!({ "_Color": { "a": 0.5 }, "_Glossiness": 0.1, "_Cutoff": 0.25, "_BumpMap": { "texture": "a.png", "scale": [2, 3] } }),
        expect![[r#"
            -        m_Texture: {fileID: 0}
            -        m_Scale: {x: 1, y: 1}
            +        m_Texture: {fileID: 2800000, guid: 07070707070707070707070707070707, type: 3}
            +        m_Scale: {x: 2, y: 3}
            -    - _Cutoff: 0.5
            +    - _Cutoff: 0.25
            -    - _Color: {r: 0.42, g: 0.43, b: 0.46, a: 1}
            +    - _Color: {r: 0.42, g: 0.43, b: 0.46, a: 0.5}
        "#]],
    );
    check(
        PAIRS,
        json!({ "_Color": "#ff0000", "_Metallic": 1, "_MainTex": "a.png" }),
        expect![[r#"
            -        m_Texture: {fileID: 0}
            +        m_Texture: {fileID: 2800000, guid: 07070707070707070707070707070707, type: 3}
            -      second: 0
            +      second: 1
            -      second: {r: 0.5, g: 0.5, b: 0.5, a: 1}
            +      second: {r: 1, g: 0, b: 0, a: 1}
        "#]],
    );
}

#[test]
fn properties_that_are_not_there_are_added_in_order() {
    check(
        NEW,
        json!({ "_EmissionColor": [1, 0.5, 0], "_Metallic": 0.5, "_DetailAlbedoMap": null, "_A": true, "_Blend": 2, "unity_X": { "scale": 2 } }),
        expect![[r#"
            +    - _DetailAlbedoMap:
            +        m_Texture: {fileID: 0}
            +        m_Scale: {x: 1, y: 1}
            +        m_Offset: {x: 0, y: 0}
            +    - unity_X:
            +        m_Texture: {fileID: 0}
            +        m_Scale: {x: 2, y: 2}
            +        m_Offset: {x: 0, y: 0}
            +    - _A: 1
            +    - _Blend: 2
            +    - _Metallic: 0.5
            +    - _EmissionColor: {r: 1, g: 0.5, b: 0, a: 1}
        "#]],
    );
    check(
        PAIRS,
        json!({ "_Cutoff": 0.5, "_Z": 0.5, "_BumpMap": "a.png", "_Spec": "#336" }),
        expect![[r#"
        +        name: _BumpMap
        +      second:
        +        m_Texture: {fileID: 2800000, guid: 07070707070707070707070707070707, type: 3}
        +        m_Scale: {x: 1, y: 1}
        +        m_Offset: {x: 0, y: 0}
        +    - first:
        +        name: _Cutoff
        +      second: 0.5
        +    - first:
        +    - first:
        +        name: _Z
        +      second: 0.5
        +    - first:
        +        name: _Spec
        +      second: {r: 0.2, g: 0.2, b: 0.4, a: 1}
    "#]],
    );
}

#[test]
fn whole_numbers_have_their_list_since_2021_only() {
    let run = |before: &str| {
        let document = Document::parse(before);
        let object = document.object(FileId(2_100_000)).unwrap();
        let mut edits = Edits::default();
        let setting = Setting::Int(3);
        set_property(object, "_Ref", &setting, &Manner::of(&document), &mut edits).unwrap();
        let after = edits.apply(before.as_bytes()).unwrap();
        difference(before, std::str::from_utf8(&after).unwrap())
    };
    expect![[r#"
        -    m_Ints: []
        +    m_Ints:
        +    - _Ref: 3
    "#]]
    .assert_eq(&run(NEW));
    expect![[r#"
        +    - first:
        +        name: _Ref
        +      second: 3
    "#]]
    .assert_eq(&run(PAIRS));
}

#[test]
fn values_that_do_not_fit_are_refused_with_what_fits() {
    let told = |kind, value| Setting::read(Some(kind), &value, texture).unwrap_err();
    expect![[r##"
        "much" is no number
        1e+300 is too large
        0.5 is no whole number
        "red" is no colour; a colour is [r, g, b, a] with numbers from 0 to 1, {"r": 1, …} or "#rrggbb"
        [1,2,3,4,5] is no colour; a colour is [r, g, b, a] with numbers from 0 to 1, {"r": 1, …} or "#rrggbb"
        a colour has no part q; a colour is [r, g, b, a] with numbers from 0 to 1, {"r": 1, …} or "#rrggbb"
        no texture "b.png"
        a texture has no part tiling; it has texture, scale and offset
        scale is [x, y], not [1,2,3]"##]].assert_eq(&[
        told(PropertyKind::Float, json!("much")),
        told(PropertyKind::Float, json!(1e300)),
        told(PropertyKind::Int, json!(0.5)),
        told(PropertyKind::Color, json!("red")),
        told(PropertyKind::Color, json!([1, 2, 3, 4, 5])),
        told(PropertyKind::Color, json!({ "q": 1 })),
        told(PropertyKind::Texture, json!("b.png")),
        told(PropertyKind::Texture, json!({ "texture": null, "tiling": 1 })),
        told(PropertyKind::Texture, json!({ "scale": [1, 2, 3] })),
    ].join("\n"));
}

#[test]
fn a_property_of_the_same_name_and_another_kind_stays() {
    let document = Document::parse(NEW);
    let object = document.object(FileId(2_100_000)).unwrap();
    let set = |name: &str, setting: Setting| {
        let mut edits = Edits::default();
        set_property(object, name, &setting, &Manner::of(&document), &mut edits).unwrap();
        let after = edits.apply(NEW.as_bytes()).unwrap();
        difference(NEW, std::str::from_utf8(&after).unwrap())
    };
    assert_eq!(set("_Color", Setting::Float(1.0)), "+    - _Color: 1\n");
    assert_eq!(set("_Cutoff", Setting::Int(1)), "-    - _Cutoff: 0.5\n+    - _Cutoff: 1\n");
}

#[test]
fn materials_of_unity_4_can_be_read_and_set_but_nothing_added() {
    let before = "--- !u!21 &2100000\nMaterial:\n  m_SavedProperties:\n    serializedVersion: 2\n    m_Floats:\n      data:\n        first:\n          name: _A\n        second: 1\n      data:\n        first:\n          name: _B\n        second: 2\n";
    check(
        before,
        json!({ "_B": 3 }),
        expect![[r#"
        -        second: 2
        +        second: 3
    "#]],
    );
    let document = Document::parse(before);
    let object = document.object(FileId(2_100_000)).unwrap();
    let added = set_property(
        object,
        "_C",
        &Setting::Float(1.0),
        &Manner::of(&document),
        &mut Edits::default(),
    );
    assert_eq!(added, Err(Refused::NoPlace("_C".into())));
}

#[test]
fn keywords_go_on_and_off() {
    let run = |before: &str, on: &[&str], off: &[&str]| {
        let document = Document::parse(before);
        let object = document.object(FileId(2_100_000)).unwrap();
        let mut edits = Edits::default();
        set_keywords(object, on, off, &Manner::of(&document), &mut edits).unwrap();
        let after = edits.apply(before.as_bytes()).unwrap();
        difference(before, std::str::from_utf8(&after).unwrap())
    };
    expect![[r#"
        -  m_ValidKeywords: []
        +  m_ValidKeywords:
        +  - _EMISSION
        +  - _NORMALMAP
    "#]]
    .assert_eq(&run(NEW, &["_NORMALMAP", "_EMISSION", "_OLD"], &[]));
    expect![[r#"
        -  m_InvalidKeywords:
        -  - _OLD
        +  m_InvalidKeywords: []
    "#]]
    .assert_eq(&run(NEW, &[], &["_OLD", "_NEVER"]));
    expect![[r#"
        -  m_ShaderKeywords: _B
        +  m_ShaderKeywords: _A _B _C
    "#]]
    .assert_eq(&run(PAIRS, &["_C", "_A"], &[]));
    expect![[r#"
        -  m_ShaderKeywords: _B
        +  m_ShaderKeywords: 
    "#]]
    .assert_eq(&run(PAIRS, &["_B"], &["_B"]));
    assert_eq!(run(NEW, &[], &[]), "");
    let document = Document::parse(NEW);
    assert_eq!(keywords(document.object(FileId(2_100_000)).unwrap()), ["_OLD"]);
}
