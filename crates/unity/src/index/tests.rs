//! Snapshots of small projects, as text.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;

use super::*;
use crate::FileId;

mod changes;
mod disk;

fn build(dir: &Folder) -> Index {
    Index::build(dir.root(), None, &()).unwrap()
}

/// Everything an index says but the times, as text.
fn dump(index: &Index) -> String {
    let mut text = String::new();
    for asset in index.assets() {
        let guid = asset.guid().map_or("-".to_owned(), |guid| guid.to_string());
        let short = guid.trim_start_matches('0');
        text += &format!("{} {:?} {short}", asset.path(), asset.kind());
        text += &asset.importer().map_or(String::new(), |importer| format!(" {importer}"));
        text += &asset.main_class_name().map_or(String::new(), |class| format!(" <{class}>"));
        if !asset.flags().is_empty() {
            text += &format!(" [{}]", asset.flags());
        }
        text += "\n";
        for object in asset.objects() {
            let stripped = if object.stripped { " stripped" } else { "" };
            let script = object.script.map_or(String::new(), |to| format!(" script {}", show(to)));
            text += &format!("    {} &{}{stripped}{script}\n", object.class_id, object.file_id);
        }
        for Outgoing { target, count } in asset.outgoing() {
            text += &format!("    -> {} x{count}\n", show(target));
        }
    }
    for IndexProblem { path, kind, line, detail, .. } in index.problems() {
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        text += format!("{kind:?} {path}{line} {detail}").trim_end();
        text += "\n";
    }
    text
}

fn show(target: Target) -> String {
    format!("{}#{}", target.guid.to_string().trim_start_matches('0'), target.file_id)
}

fn check(text: &str, expected: Expect) {
    let dir = Folder::files(text);
    expected.assert_eq(&dir.hide(&dump(&build(&dir))));
}

fn guid(text: &str) -> Guid {
    Guid::parse(format!("{text:0>32}")).unwrap()
}

fn meta(guid: &str, importer: &str) -> String {
    format!("fileFormatVersion: 2\nguid: {guid:0>32}\n{importer}:\n  userData: \n")
}

/// Makes all files old enough to be trusted by their time alone.
fn age(dir: &Folder) {
    fn walk(folder: &Path, time: SystemTime) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => walk(&entry.path(), time),
                false => {
                    let file = File::options().write(true).open(entry.path()).unwrap();
                    file.set_modified(time).unwrap();
                }
            }
        }
    }
    walk(dir.root(), SystemTime::now() - Duration::from_secs(3600));
}

const SCENE: &str = "//- Assets/Main.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &7
GameObject:
  m_Name: Door
--- !u!114 &-3
MonoBehaviour:
  m_GameObject: {fileID: 7}
  m_Script: {fileID: 11500000, guid: a0000000000000000000000000000001,
    type: 3}
  other: {fileID: 2100000, guid: a0000000000000000000000000000002, type: 2}
  again: {fileID: 2100000, guid: a0000000000000000000000000000002, type: 2}
  m_AssetGUID: a0000000000000000000000000000003
--- !u!4 &9 stripped
Transform:
  m_PrefabInstance: {fileID: 1}
//- Assets/Main.unity.meta
fileFormatVersion: 2
guid: a0000000000000000000000000000000
DefaultImporter:
  userData: 
";

#[test]
fn reads_objects_and_references() {
    check(
        SCENE,
        expect![[r#"
            Assets/Main.unity Scene a0000000000000000000000000000000 DefaultImporter <SceneAsset>
                114 &-3 script a0000000000000000000000000000001#11500000
                1 &7
                4 &9 stripped
                -> a0000000000000000000000000000001#11500000 x1
                -> a0000000000000000000000000000002#2100000 x2
                -> a0000000000000000000000000000003#0 x1
        "#]],
    );
}

/// No editor writes that; a bad merge or another tool may.
#[test]
fn a_reference_in_the_line_of_a_header_ends_nothing() {
    for header in [
        "--- !u!1 &7 {fileID: 2}",
        "--- !u!114 &7 {fileID: 1, guid: b0000000000000000000000000000001}",
    ] {
        let dir = Folder::files(&SCENE.replace("--- !u!1 &7", header));
        let index = build(&dir);
        let scene = index.by_path("Assets/Main.unity").unwrap();
        assert!(scene.objects().any(|object| object.class_id == ClassId(4)), "{header}");
    }
}

/// A first build asks files for size and time as it opens them, or without opening them.
#[test]
fn knows_size_and_time_of_every_file() {
    let dir = Folder::files(
        "//- Assets/a.mat\n--- !u!21 &2100000\nMaterial:\n//- Assets/a.mat.meta\nguid: a0\n\
         //- Assets/small.png\nx\n//- Assets/b.shader\nShader\n//- Assets/C.cs\nclass C {}\n\
         //- Assets/d.dat\nx\n//- Assets/e.asmdef\n{}\n//- Assets/gone.txt.meta\nguid: a1\n",
    );
    fs::write(dir.path("Assets/large.png"), [1; 5000]).unwrap();
    age(&dir);
    let index = build(&dir);
    let time = |path: &str| fs::metadata(dir.path(path)).ok()?.modified().ok();
    assert!(index.len() > 7, "{}", index.len());
    for asset in index.assets() {
        let path = asset.path();
        let size = fs::metadata(dir.path(&path)).map_or(0, |file| file.len());
        assert_eq!((asset.size(), asset.modified()), (size, time(&path)), "{path}");
        assert_eq!(asset.meta_modified(), time(&format!("{path}.meta")), "{path}");
    }
}

#[test]
fn names_every_problem() {
    check(
        &[
            "//- ProjectSettings/EditorSettings.asset\n--- !u!159 &1\nEditorSettings:\n  m_SerializationMode: 2\n",
            "//- Assets/a.mat\n<<<<<<< HEAD\n=======\n>>>>>>> x\n//- Assets/a.mat.meta\n",
            "fileFormatVersion: 2\n<<<<<<< HEAD\nguid: 00000000000000000000000000000a01\n=======\nguid: 00000000000000000000000000000a02\n>>>>>>> x\nNativeFormatImporter:\n",
            "//- Assets/b.png\nversion https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            "//- Assets/b.png.meta\n",
            &meta("b", "TextureImporter"),
            "//- Assets/c.png.meta\n",
            &meta("b", "TextureImporter"),
            "//- Assets/d.asset\n\0\0\0\x01\0\0\0\x14\0\0\0\x11\0\0\0\0abcd//- Assets/d.asset.meta\n",
            &meta("d", "NativeFormatImporter"),
            "//- Assets/e.txt\n//- Assets/f.txt\n//- Assets/f.txt.meta\nnot yet\n",
            "//- Assets/Gone.meta\nfileFormatVersion: 2\nguid: 0000000000000000000000000000000e\nfolderAsset: yes\nDefaultImporter:\n",
        ]
        .concat(),
        expect![[r#"
            Assets/Gone Folder e DefaultImporter [asset missing]
            Assets/a.mat Material a01 NativeFormatImporter [conflict, meta conflict]
            Assets/b.png Texture b TextureImporter [lfs pointer, duplicate guid]
            Assets/c.png Texture b TextureImporter [asset missing, duplicate guid]
            Assets/d.asset Asset d NativeFormatImporter [binary]
            Assets/e.txt Text - [meta missing]
            Assets/f.txt Text - [no guid]
            ProjectSettings/EditorSettings.asset Asset - <EditorSettings>
                159 &1
            MergeConflict Assets/a.mat:1
            MergeConflict Assets/a.mat.meta
            LfsPointer Assets/b.png
            DuplicateGuid Assets/b.png.meta Assets/c.png
            DuplicateGuid Assets/c.png.meta Assets/b.png
            MetaWithoutAsset Assets/c.png.meta
            BinaryUnderForceText Assets/d.asset
            AssetWithoutMeta Assets/e.txt
            MetaWithoutGuid Assets/f.txt.meta
        "#]],
    );
}

#[test]
fn what_the_ignore_rules_leave_out_needs_no_meta() {
    check(
        "//- .gitignore\n/Assets/Made/\n!*.txt\n//- Assets/Made/a.txt\n//- Assets/Lib/.gitignore\n**/*.meta\n\
         //- Assets/Lib/Deep/b.txt\n//- Assets/c.txt\n",
        expect![[r#"
            Assets/Lib Folder - [meta missing]
            Assets/Lib/Deep Folder - [meta missing]
            Assets/Lib/Deep/b.txt Text - [meta missing]
            Assets/Made Folder - [meta missing]
            Assets/Made/a.txt Text - [meta missing]
            Assets/c.txt Text - [meta missing]
            AssetWithoutMeta Assets/Lib
            AssetWithoutMeta Assets/c.txt
        "#]],
    );
}

#[test]
fn skips_what_unity_skips() {
    check(
        "//- Assets/Samples~/a.cs\n//- Assets/Samples~.meta\n//- Assets/.hidden/b.cs\n\
         //- Assets/CVS/c.cs\n//- Assets/d.tmp\n//- Assets/d.tmp.meta\n//- Assets/e.cs\n",
        expect![[r#"
            Assets/e.cs Script - [meta missing]
            AssetWithoutMeta Assets/e.cs
        "#]],
    );
}

#[test]
fn reads_guids_in_other_notations() {
    check(
        "//- Assets/a.asmdef\n{ \"references\": [\"GUID:b0000000000000000000000000000001\"] }\n\
         //- Assets/b.uxml\n<ui:Template src=\"project://database/x.uxml?fileID=91&amp;guid=b0000000000000000000000000000002&amp;type=3\" />\n\
         //- Assets/c.shadergraph\n\"m_Texture\": \"{\\\"guid\\\":\\\"b0000000000000000000000000000003\\\"}\"\n\
         //- ProjectSettings/EditorBuildSettings.asset\n--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n    guid: b0000000000000000000000000000004\n",
        expect![[r#"
            Assets/a.asmdef AsmDef - [meta missing]
                -> b0000000000000000000000000000001#0 x1
            Assets/b.uxml Text - [meta missing]
                -> b0000000000000000000000000000002#0 x1
            Assets/c.shadergraph Shader - [meta missing]
                -> b0000000000000000000000000000003#0 x1
            ProjectSettings/EditorBuildSettings.asset Asset - <EditorBuildSettings>
                1045 &1
                -> b0000000000000000000000000000004#0 x1
            AssetWithoutMeta Assets/a.asmdef
            AssetWithoutMeta Assets/b.uxml
            AssetWithoutMeta Assets/c.shadergraph
        "#]],
    );
}

#[test]
fn walks_packages_wherever_they_are() {
    let dir = Folder::files(
        "//- game/Packages/manifest.json\n{\"dependencies\": {\"com.a\": \"file:../../shared/a\", \"com.c\": \"1.0.0\",\n\
         \"com.gone\": \"2.0.0\", \"com.unity.modules.ui\": \"1.0.0\"}}\n\
         //- game/Packages/packages-lock.json\n{\"dependencies\": {\"com.c\": {\"version\": \"1.0.0\", \"source\": \"registry\"}}}\n\
         //- game/Packages/com.b/package.json\n{\"name\": \"com.b\"}\n\
         //- game/Packages/no-package/x.cs\n\
         //- shared/a/package.json\n{\"name\": \"com.a\"}\n//- shared/a/A.cs\n\
         //- game/Library/PackageCache/com.c@0.9.0/package.json\n{\"name\": \"com.c\"}\n\
         //- game/Library/PackageCache/com.c@1.0.0/package.json\n{\"name\": \"com.c\"}\n\
         //- game/Library/PackageCache/com.b@1.0.0/package.json\n{\"name\": \"com.b\"}\n",
    );
    let index = Index::build(&dir.path("game"), None, &()).unwrap();
    let paths: Vec<_> =
        index.assets().map(|asset| [asset.path(), asset.unity_path()].join(" = ")).collect();
    expect![[r#"
        ../shared/a/A.cs = Packages/com.a/A.cs
        ../shared/a/package.json = Packages/com.a/package.json
        Library/PackageCache/com.c@1.0.0/package.json = Packages/com.c/package.json
        Packages/com.b/package.json = Packages/com.b/package.json
        Packages/manifest.json = Packages/manifest.json
        Packages/packages-lock.json = Packages/packages-lock.json"#]]
    .assert_eq(&paths.join("\n"));
    let absent: Vec<_> = index.absent_packages().map(|package| &*package.name).collect();
    assert_eq!(absent, ["com.gone"]);
    let script = index.by_path("../shared/a/A.cs").unwrap();
    assert_eq!(script.package().unwrap().source, PackageSource::Local);
    assert!(script.disk_path().unwrap().is_file());
}

#[test]
fn finds_by_path_guid_and_target() {
    let dir = Folder::files(
        &[SCENE, "//- Assets/Door.cs\n//- Assets/Door.cs.meta\n", &meta("7", "MonoImporter")]
            .concat(),
    );
    let index = build(&dir);
    let path = |path: &str| index.by_path(path).map(Asset::path);
    assert_eq!(path("Assets/Main.unity.meta").as_deref(), Some("Assets/Main.unity"));
    assert_eq!(path("assets/MAIN.unity").as_deref(), Some("Assets/Main.unity"));
    assert_eq!(path("Assets/Main"), None);
    let script = Guid::parse("a0000000000000000000000000000001").unwrap();
    let users: Vec<_> = index.incoming(script).map(Asset::path).collect();
    assert_eq!(users, ["Assets/Main.unity"]);
    assert_eq!(index.incoming(guid("1234")).len(), 0);
    let main = index.by_guid(Guid::parse("a0000000000000000000000000000000").unwrap()).unwrap();
    assert!(main.find_object(FileId(-3)).unwrap().script.is_some());
    assert!(main.find_object(FileId(8)).is_none());
    assert_eq!(index.of_kind(AssetKind::Script).count(), 1);
    assert_eq!(index.with_class(ClassId::MONO_BEHAVIOUR).count(), 1);
    assert_eq!(index.under("Assets").len(), 2);
    // Nothing tells which packages there are.
    assert!(matches!(index.guid_status(script), GuidStatus::Undecided { absent: 0 }));
    assert!(matches!(index.guid_status(guid("f000000000000000")), GuidStatus::BuiltIn));
}

#[test]
fn names_sub_assets() {
    let dir = Folder::files(
        "//- Assets/a.png\n//- Assets/a.png.meta\nfileFormatVersion: 2\nguid: 0000000000000000000000000000000a\n\
         TextureImporter:\n  internalIDToNameTable:\n  - first:\n      213: -21300000\n    second: left\n\
         \x20 spriteSheet:\n    nameFileIdTable:\n      left: -21300000\n      right: 5\n\
         //- Assets/b.fbx\n//- Assets/b.fbx.meta\nfileFormatVersion: 2\nguid: 0000000000000000000000000000000b\n\
         ModelImporter:\n  fileIDToRecycleName:\n    100000: Root\n    4300000: Cube\n",
    );
    let index = build(&dir);
    let names = |path| {
        let names = index.sub_asset_names(index.by_path(path).unwrap()).into_iter();
        let names: Vec<_> = names
            .map(|sub| format!("{}:{} {}", sub.class_id.unwrap(), sub.file_id, sub.name))
            .collect();
        names.join(", ")
    };
    assert_eq!(names("Assets/a.png"), "213:-21300000 left, 213:5 right");
    assert_eq!(names("Assets/b.fbx"), "1:100000 Root, 43:4300000 Cube");
}

#[test]
fn the_sample_has_these() {
    let root = scenewright_fixture::sample("unity");
    let index = Index::build(&root, None, &()).unwrap();
    let Counts { assets, metas, objects, references, occurrences, by_kind, .. } = index.counts();
    assert_eq!((assets, metas, objects, references, occurrences), (56, 42, 165, 139, 239));
    let kinds = by_kind.into_iter().filter(|(_, count)| *count > 0);
    let kinds: Vec<_> = kinds.map(|(kind, count)| format!("{kind:?} {count}")).collect();
    expect!["Folder 12, Scene 2, Prefab 3, Material 2, Asset 28, Script 5, AsmDef 1, Text 3"]
        .assert_eq(&kinds.join(", "));
    assert_eq!(index.problems(), []);
    let absent: Vec<_> = index.absent_packages().map(|package| &*package.name).collect();
    assert_eq!(
        absent.join(" "),
        "com.unity.addressables com.unity.localization com.unity.nuget.newtonsoft-json \
         com.unity.scriptablebuildpipeline com.unity.ugui"
    );
    // Every reference leads somewhere.
    for to in index.assets().flat_map(Asset::outgoing) {
        assert!(!matches!(index.guid_status(to.target.guid), GuidStatus::Unknown), "{to:?}");
    }
}
