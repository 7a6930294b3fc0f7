//! Metas of new assets, against those of the sample and of real projects.

use expect_test::{Expect, expect};
use scenewright_fixture::sample;

use super::*;
use crate::scan_guid;

const GUID: Guid = Guid([0xab; 16]);

fn version(text: &str) -> EditorVersion {
    EditorVersion { text: text.into(), revision: None }
}

fn check(path: &str, editor: &str, expected: Expect) {
    let meta = meta_for(path, GUID, &version(editor));
    // A blank at the end of a line would be lost on the way here.
    expected.assert_eq(&meta.unwrap_or_else(|| "nothing".into()).replace(" \n", " |\n"));
}

/// All files below a folder.
fn files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn metas_of_the_sample_are_made_again_as_they_are() {
    let root = sample("unity");
    let editor = crate::Project::open(&root).unwrap().version;
    let mut found = Vec::new();
    files(&root.join("Assets"), &mut found);
    let metas = found.iter().filter(|path| path.extension().is_some_and(|end| end == "meta"));
    let mut count = 0;
    for file in metas {
        let meta = std::fs::read(file).unwrap();
        let guid = scan_guid(&meta).unwrap();
        let asset = file.with_extension("");
        let name = asset.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let made = match asset.is_dir() {
            true => meta_for_folder(guid, &editor),
            false => {
                let content = std::fs::read(&asset).unwrap();
                meta_for_content(&name, &content, guid, &editor).unwrap()
            }
        };
        assert_eq!(made, String::from_utf8(meta).unwrap(), "{name}");
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn each_kind_has_its_importer() {
    check(
        "Assets/A.cs",
        "2022.3.20f1",
        expect![[r#"
            fileFormatVersion: 2
            guid: abababababababababababababababab
            MonoImporter:
              externalObjects: {}
              serializedVersion: 2
              defaultReferences: []
              executionOrder: 0
              icon: {instanceID: 0}
              userData: |
              assetBundleName: |
              assetBundleVariant: |
        "#]],
    );
    check(
        "Assets/Main.uss",
        "2022.3.20f1",
        expect![[r#"
            fileFormatVersion: 2
            guid: abababababababababababababababab
            ScriptedImporter:
              internalIDToNameTable: []
              externalObjects: {}
              serializedVersion: 2
              userData: |
              assetBundleName: |
              assetBundleVariant: |
              script: {fileID: 12385, guid: 0000000000000000e000000000000000, type: 0}
              disableValidation: 0
        "#]],
    );
    check("Assets/A.png", "2022.3.20f1", expect!["nothing"]);
    check("Assets/.hidden.txt", "2022.3.20f1", expect!["nothing"]);
    check("Assets/Samples~/A.cs", "2022.3.20f1", expect!["nothing"]);
    check("ProjectSettings/A.asset", "2022.3.20f1", expect!["nothing"]);
}

#[test]
fn old_versions_have_their_own() {
    check(
        "Assets/A.prefab",
        "2018.1.0f2",
        expect![[r#"
            fileFormatVersion: 2
            guid: abababababababababababababababab
            NativeFormatImporter:
              externalObjects: {}
              mainObjectFileID: 100100000
              userData: |
              assetBundleName: |
              assetBundleVariant: |
        "#]],
    );
    check(
        "Assets/A.mat",
        "5.6.7f1",
        expect![[r#"
            fileFormatVersion: 2
            guid: abababababababababababababababab
            NativeFormatImporter:
              userData: |
              assetBundleName: |
              assetBundleVariant: |
        "#]],
    );
}

#[test]
fn a_copy_has_another_guid_and_nothing_else() {
    let meta =
        b"\xef\xbb\xbffileFormatVersion: 2\r\nguid: 00112233445566778899aabbccddeeff\r\nX: 1\r\n";
    let copy = with_guid(meta, GUID).unwrap();
    assert_eq!(copy.len(), meta.len());
    let expected = "guid: abababababababababababababababab\r\nX: 1\r\n";
    assert!(String::from_utf8(copy).unwrap().ends_with(expected));
    assert_eq!(with_guid(b"fileFormatVersion: 2\n", GUID), None);
}

#[test]
fn the_main_object_is_the_one_with_the_name_of_the_file() {
    let main = |path: &str, text: &str, known: Option<i64>| {
        let document = Document::parse(text);
        main_object(&document, path, known.map(FileId)).map(|object| object.file_id().0)
    };
    let controller = "%YAML 1.1\n--- !u!1102 &-5\nAnimatorState:\n  m_Name: A\n--- !u!91 &9100000\nAnimatorController:\n  m_Name: C\n";
    assert_eq!(main("Assets/C.controller", controller, None), Some(9_100_000));
    assert_eq!(main("Assets/C.controller", controller, Some(-5)), Some(-5));
    let prefab = "%YAML 1.1\n--- !u!1 &100000\nGameObject:\n  m_Name: P\n";
    assert_eq!(main("Assets/P.prefab", prefab, None), None);
    let layer = "%YAML 1.1\n--- !u!1953259897 &8574412962073106934\nTerrainLayer:\n  m_Name: L\n";
    assert_eq!(main("Assets/L.terrainlayer", layer, None), Some(8_574_412_962_073_106_934));
    assert_eq!(main("Assets/C.cs", "class C {}", None), None);
}
