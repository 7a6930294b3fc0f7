//! Settings of metas that are found, set and refused.

use expect_test::{Expect, expect};
use serde_json::json;

use super::sprites::Sprite;
use super::*;
use crate::types::Version;

const META: &str = "fileFormatVersion: 2
guid: abc00000000000000000000000000001
TextureImporter:
  internalIDToNameTable: []
  externalObjects: {}
  serializedVersion: 12
  mipmaps:
    mipMapMode: 0
    enableMipMap: 1
    sRGBTexture: 1
  isReadable: 0
  maxTextureSize: 2048
  textureSettings:
    serializedVersion: 2
    filterMode: 1
    aniso: 1
    wrapU: 0
    wrapV: 0
    wrapW: 0
  spriteMode: 1
  spritePivot: {x: 0.5, y: 0.5}
  spritePixelsToUnits: 100
  textureType: 0
  platformSettings:
  - serializedVersion: 3
    buildTarget: DefaultTexturePlatform
    maxTextureSize: 2048
    textureCompression: 1
    overridden: 0
  - serializedVersion: 3
    buildTarget: Standalone
    maxTextureSize: 2048
    textureCompression: 1
    overridden: 0
  spriteSheet:
    serializedVersion: 2
    sprites: []
    outline: []
    nameFileIdTable: {}
  userData: 
";

fn check(before: &str, edit: impl Fn(&Importer<'_>, &mut Edits), expected: Expect) -> String {
    let run = |text: &str| {
        let document = Document::parse(text);
        let mut edits = Edits::default();
        edit(&Importer::of(&document).unwrap(), &mut edits);
        let after = String::from_utf8(edits.apply(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(Document::parse(after.as_str()).problems(), [], "{after}");
        after
    };
    let after = run(before);
    assert_eq!(run(&before.replace('\n', "\r\n")), after.replace('\n', "\r\n"));
    let diff = scenewright_text::diff::unified(before.as_bytes(), after.as_bytes(), "a", "b", 0);
    let lines = diff.text.lines().skip(2).filter(|line| !line.starts_with("@@"));
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
    after
}

#[test]
fn settings_are_set_by_the_names_of_the_file_and_of_the_api() {
    check(
        META,
        |importer, edits| {
            for (name, value) in [
                ("readable", json!(true)),
                ("mipmapEnabled", json!(false)),
                ("filterMode", json!("point")),
                ("wrapMode", json!("Clamp")),
                ("textureType", json!("Sprite")),
                ("maxTextureSize", json!(512)),
                ("spritePivot", json!([0, 1])),
                ("pixelsPerUnit", json!(16)),
                ("aniso", json!(1)),
                ("userData", json!("mine: yes")),
            ] {
                importer.set(name, &value, edits).unwrap();
            }
        },
        expect![[r#"
            -    enableMipMap: 1
            +    enableMipMap: 0
            -  isReadable: 0
            +  isReadable: 1
            -    filterMode: 1
            +    filterMode: 0
            -    wrapU: 0
            -    wrapV: 0
            -    wrapW: 0
            +    wrapU: 1
            +    wrapV: 1
            +    wrapW: 1
            -  spritePivot: {x: 0.5, y: 0.5}
            -  spritePixelsToUnits: 100
            -  textureType: 0
            +  spritePivot: {x: 0, y: 1}
            +  spritePixelsToUnits: 16
            +  textureType: 8
            -    maxTextureSize: 2048
            +    maxTextureSize: 512
            -  userData: 
            +  userData: 'mine: yes'
        "#]],
    );
}

#[test]
fn platforms_have_settings_of_their_own() {
    check(
        META,
        |importer, edits| {
            let size = json!(256);
            importer.set_platform("Windows", &[("maxSize", &size)], edits).unwrap();
        },
        expect![[r#"
            -    maxTextureSize: 2048
            +    maxTextureSize: 256
            -    overridden: 0
            +    overridden: 1
        "#]],
    );
    check(
        META,
        |importer, edits| {
            let compression = json!("CompressedHQ");
            importer.set_platform("iOS", &[("compression", &compression)], edits).unwrap();
        },
        expect![[r#"
            +  - serializedVersion: 3
            +    buildTarget: iPhone
            +    maxTextureSize: 2048
            +    textureCompression: 2
            +    overridden: 1
        "#]],
    );
}

#[test]
fn what_is_not_there_or_does_not_fit_is_refused() {
    let document = Document::parse(META);
    let importer = Importer::of(&document).unwrap();
    let told = |name: &str, value: Json| {
        importer.set(name, &value, &mut Edits::default()).unwrap_err().to_string()
    };
    let size = json!(1);
    let refused = [
        told("isReadible", json!(true)),
        told("filterMode", json!("Smooth")),
        told("maxTextureSize", json!("large")),
        told("spritePivot", json!([1, 2, 3])),
        told("isReadable", json!(null)),
        importer
            .set_platform("Android", &[("aniso", &size)], &mut Edits::default())
            .unwrap_err()
            .to_string(),
    ];
    expect![[r#"
        TextureImporter has no setting isReadible
        filterMode cannot be "Smooth": there is Point, Bilinear, Trilinear
        maxTextureSize cannot be "large": it is a number
        spritePivot cannot be [1,2,3]: it has other parts
        isReadable cannot be null: a value is needed
        TextureImporter has no setting aniso"#]]
    .assert_eq(&refused.join("\n"));
    assert!(Importer::of(&Document::parse("fileFormatVersion: 2\nguid: 0\n")).is_none());
}

#[test]
fn sprites_have_ids_and_keep_them() {
    let sprite = |name: &str, x| Sprite {
        name: name.into(),
        rect: [x, 0, 16, 16],
        pivot: None,
        border: None,
    };
    let version = Version::parse("2022.3.20f1").unwrap();
    let slice = |sprites: Vec<Sprite>| {
        move |importer: &Importer<'_>, edits: &mut Edits| {
            importer.set_sprites(&sprites, version, "seed", edits).unwrap();
        }
    };
    let cut = check(
        META,
        slice(vec![sprite("a", 0), Sprite { pivot: Some([0.0, 1.0]), ..sprite("b: c", 16) }]),
        expect![[r#"
            -  internalIDToNameTable: []
            +  internalIDToNameTable:
            +  - first:
            +      213: -264656173679664779
            +    second: a
            +  - first:
            +      213: -2016364636714556388
            +    second: 'b: c'
            -  spriteMode: 1
            +  spriteMode: 2
            -  textureType: 0
            +  textureType: 8
            -    sprites: []
            +    sprites:
            +    - serializedVersion: 2
            +      name: a
            +      rect:
            +        serializedVersion: 2
            +        x: 0
            +        y: 0
            +        width: 16
            +        height: 16
            +      alignment: 0
            +      pivot: {x: 0.5, y: 0.5}
            +      border: {x: 0, y: 0, z: 0, w: 0}
            +      outline: []
            +      physicsShape: []
            +      tessellationDetail: 0
            +      bones: []
            +      spriteID: 571a53cbc90c35cf0800000000000000
            +      internalID: -264656173679664779
            +      vertices: []
            +      indices: 
            +      edges: []
            +      weights: []
            +    - serializedVersion: 2
            +      name: 'b: c'
            +      rect:
            +        serializedVersion: 2
            +        x: 16
            +        y: 0
            +        width: 16
            +        height: 16
            +      alignment: 9
            +      pivot: {x: 0, y: 1}
            +      border: {x: 0, y: 0, z: 0, w: 0}
            +      outline: []
            +      physicsShape: []
            +      tessellationDetail: 0
            +      bones: []
            +      spriteID: c1428facb0f6404e0800000000000000
            +      internalID: -2016364636714556388
            +      vertices: []
            +      indices: 
            +      edges: []
            +      weights: []
            -    nameFileIdTable: {}
            +    nameFileIdTable:
            +      a: -264656173679664779
            +      'b: c': -2016364636714556388
        "#]],
    );
    check(
        &cut,
        slice(vec![sprite("b: c", 32)]),
        expect![[r#"
        -      213: -264656173679664779
        -    second: a
        -  - first:
        -      name: a
        -      rect:
        -        serializedVersion: 2
        -        x: 0
        -        y: 0
        -        width: 16
        -        height: 16
        -      alignment: 0
        -      pivot: {x: 0.5, y: 0.5}
        -      border: {x: 0, y: 0, z: 0, w: 0}
        -      outline: []
        -      physicsShape: []
        -      tessellationDetail: 0
        -      bones: []
        -      spriteID: 571a53cbc90c35cf0800000000000000
        -      internalID: -264656173679664779
        -      vertices: []
        -      indices: 
        -      edges: []
        -      weights: []
        -    - serializedVersion: 2
        -        x: 16
        +        x: 32
        -      a: -264656173679664779
    "#]],
    );
    let old = META.replace("  internalIDToNameTable: []\n", "  fileIDToRecycleName: {}\n");
    let document = Document::parse(old);
    let importer = Importer::of(&document).unwrap();
    let refused =
        importer.set_sprites(&[sprite("a", 0)], version, "", &mut Edits::default()).unwrap_err();
    expect!["sprites cannot be 1 rectangles: the meta is of a Unity before 2019.2, which names sprites in another way"].assert_eq(&refused.to_string());
}

#[test]
fn models_are_readable_where_their_metas_say_it() {
    let meta = "fileFormatVersion: 2\nModelImporter:\n  animations:\n    animationCompression: 1\n    isReadable: 0\n  meshes:\n    globalScale: 1\n";
    let document = Document::parse(meta);
    let importer = Importer::of(&document).unwrap();
    for name in ["isReadable", "readable", "animations.isReadable"] {
        assert_eq!(importer.find(name).as_deref(), Ok("animations.isReadable"));
    }
}

#[test]
fn sounds_of_old_versions_have_their_quality_beside_the_rest() {
    let meta = "fileFormatVersion: 2\nAudioImporter:\n  serializedVersion: 4\n  format: -1\n  quality: -1\n  stream: 1\n  userData: \n";
    check(
        meta,
        |importer, edits| {
            assert_eq!(importer.set("quality", &json!(7), edits).as_deref(), Ok("quality"));
            assert_eq!(
                importer.find("loadType").unwrap_err().to_string(),
                "AudioImporter has no setting loadType"
            );
        },
        expect![[r#"
            -  quality: -1
            +  quality: 7
        "#]],
    );
    // Where there are both, the newer place counts.
    let both =
        "fileFormatVersion: 2\nAudioImporter:\n  quality: -1\n  defaultSettings:\n    quality: 1\n";
    let document = Document::parse(both);
    let found = Importer::of(&document).unwrap().find("quality");
    assert_eq!(found.as_deref(), Ok("defaultSettings.quality"));
}

#[test]
fn formats_and_alignments_have_names() {
    let meta = "fileFormatVersion: 2\nTextureImporter:\n  alignment: 0\n  platformSettings:\n  - buildTarget: DefaultTexturePlatform\n    textureFormat: -1\n    overridden: 0\n";
    check(
        meta,
        |importer, edits| {
            importer.set("alignment", &json!("BottomCenter"), edits).unwrap();
            importer.set("format", &json!("ASTC_6x6"), edits).unwrap();
        },
        expect![[r#"
            -  alignment: 0
            +  alignment: 7
            -    textureFormat: -1
            +    textureFormat: 50
        "#]],
    );
}
