//! References whose target is a file that is there, and an object that is not; and scripts whose
//! class is somewhere else.

use super::*;

const BASE: u32 = 0xb0000001;
const NOTES: u32 = 0xb0000002;
const SKIN: u32 = 0xb0000003;

/// A project with a prefab, an asset, a material, and another file.
fn project(path: &str, content: &str) -> String {
    let asset = "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Notes\n--- !u!114 &7\nMonoBehaviour:\n  m_Name: Inner\n";
    let skin = "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Skin\n";
    let files = [
        file("Door.cs", DOOR, DOOR_CS),
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file("Notes.asset", NOTES, asset),
        file("Skin.mat", SKIN, skin),
        file(path, 0xa0000009, content),
    ];
    files.concat()
}

fn to(number: u32, id: i64) -> String {
    format!("{{fileID: {id}, guid: {}, type: 2}}", guid(number))
}

#[test]
fn an_object_that_its_file_does_not_have_is_told_with_the_field() {
    let more = |number, id| {
        format!("  a: {{fileID: 2}}\n  events:\n  - first: 1\n    target: {}", to(number, id))
    };
    for (number, id) in
        [(NOTES, 11400000), (NOTES, 7), (SKIN, 2100000), (BASE, 3), (BASE, 100100000)]
    {
        check(&project("A.prefab", &prefab("A", DOOR, &more(number, id))), expect![""]);
    }
    check(
        &project("A.prefab", &prefab("A", DOOR, &more(NOTES, 8))),
        expect![[r#"
            BrokenReference Assets/A.prefab:20 [A] Door.events[0].target is missing: Assets/Notes.asset has no object 8
        "#]],
    );
    check(
        &project("A.prefab", &prefab("A", DOOR, &more(BASE, 4))),
        expect![[r#"
            BrokenReference Assets/A.prefab:20 [A] Door.events[0].target is missing: Assets/Base.prefab has no object 4
        "#]],
    );
}

#[test]
fn an_object_that_an_asset_itself_does_not_have_is_told() {
    let material = |id| {
        format!(
            "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: B\n  m_Parent: {{fileID: {id}}}\n"
        )
    };
    check(&project("B.mat", &material(2100000)), expect![""]);
    check(
        &project("B.mat", &material(5)),
        expect![[r#"
            BrokenReference Assets/B.mat:5 Material.m_Parent is missing: the object is not in the file
        "#]],
    );
}

#[test]
fn overrides_and_added_objects_that_are_not_there_are_told() {
    let change = |value: &str| {
        format!(
            "\n    - target: {}\n      propertyPath: target\n      value: \n      objectReference: {value}",
            to(BASE, 3)
        )
    };
    check(
        &project("C.prefab", &instance(BASE, &change(&to(NOTES, 7)))),
        expect![[r#"
        UnknownOverride Assets/C.prefab:8 [Base] the override of target has no effect: Door has no field target
    "#]],
    );
    check(
        &project("C.prefab", &instance(BASE, &change(&to(NOTES, 9)))),
        expect![[r#"
            BrokenReference Assets/C.prefab:7 [Base] the override of Door.target is missing: Assets/Notes.asset has no object 9
            UnknownOverride Assets/C.prefab:8 [Base] the override of target has no effect: Door has no field target
        "#]],
    );
    check(
        &project("C.prefab", &instance(BASE, &change("{fileID: 55}"))),
        expect![[r#"
            BrokenReference Assets/C.prefab:7 [Base] the override of Door.target is missing: the object is not in the file
            UnknownOverride Assets/C.prefab:8 [Base] the override of target has no effect: Door has no field target
        "#]],
    );
    let added = format!(
        "\n    - target: {}\n      propertyPath: m_Name\n      value: D\n      objectReference: {{fileID: 0}}\n    m_AddedGameObjects:\n    - targetCorrespondingSourceObject: {}\n      insertIndex: -1\n      addedObject: {{fileID: 77}}",
        to(BASE, 1),
        to(BASE, 2)
    );
    check(
        &project("D.prefab", &instance(BASE, &added)),
        expect![[r#"
            BrokenReference Assets/D.prefab:14 PrefabInstance.m_Modification.m_AddedGameObjects[0].addedObject is missing: the object is not in the file
        "#]],
    );
}

#[test]
fn objects_of_nested_prefabs_are_known_by_the_rule() {
    // The object 3 of the base, as the file of the instance 100 calls it.
    let inner = 100 ^ 3;
    let variant = file("Variant.prefab", 0xb0000009, &instance(BASE, " []"));
    let user = |id| prefab("A", DOOR, &format!("  target: {}", to(0xb0000009, id)));
    check(&(project("A.prefab", &user(inner)) + &variant), expect![""]);
    check(
        &(project("A.prefab", &user(100 ^ 4)) + &variant),
        expect![[r#"
            BrokenReference Assets/A.prefab:17 [A] Door.target is missing: Assets/Variant.prefab has no object 96
        "#]],
    );
}

#[test]
fn sprites_are_known_by_the_table_of_the_meta() {
    let meta = |mode: u32| {
        format!(
            "//- Assets/Sheet.png\nx\n//- Assets/Sheet.png.meta\nguid: {}\nTextureImporter:\n  internalIDToNameTable:\n  - first:\n      213: 5012\n    second: a\n  spriteMode: {mode}\n",
            guid(0xb0000008)
        )
    };
    let user = |id| prefab("A", DOOR, &format!("  sprite: {}", to(0xb0000008, id)));
    for (mode, id) in [(2, 5012), (2, 2800000), (1, 21300000), (0, 21300000)] {
        check(&(project("A.prefab", &user(id)) + &meta(mode)), expect![""]);
    }
    check(
        &(project("A.prefab", &user(-77)) + &meta(2)),
        expect![[r#"
            BrokenReference Assets/A.prefab:17 [A] Door.sprite is missing: Assets/Sheet.png has no object -77
        "#]],
    );
}

#[test]
fn a_sheet_has_no_single_sprite() {
    let sheet = |id: i64| {
        format!(
            "//- Assets/Sheet.png\nx\n//- Assets/Sheet.png.meta\nguid: {}\nTextureImporter:\n  internalIDToNameTable: []\n  spriteMode: 2\n  spriteSheet:\n    sprites:\n    - name: a\n      internalID: {id}\n",
            guid(0xb0000008)
        )
    };
    let user = prefab("A", DOOR, &format!("  sprite: {}", to(0xb0000008, 21300000)));
    // Ids of 0 are made of names, which are not known here.
    for id in [21300000, 0] {
        check(&(project("A.prefab", &user) + &sheet(id)), expect![""]);
    }
    check(
        &(project("A.prefab", &user) + &sheet(5012)),
        expect![[r#"
            BrokenReference Assets/A.prefab:17 [A] Door.sprite is missing: Assets/Sheet.png has no Sprite 21300000
        "#]],
    );
}

/// A prefab with this script, in a project of this version with these packages.
fn scripted(version: &str, packages: &str, script: &str) -> String {
    let prefab = prefab("A", DOOR, "");
    format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: {version}\n//- Packages/manifest.json\n{{\"dependencies\": {{{packages}}}}}\n{}{}",
        file("A.prefab", 0xa0000001, &prefab.replace(&guid(DOOR), script)),
        file("Wall.cs", DOOR, "public class Gate : MonoBehaviour {}"),
    )
}

#[test]
fn the_only_class_of_a_script_is_its_class_since_unity_6() {
    check(&scripted("6000.0.23f1", "", &guid(DOOR)), expect![""]);
    check(
        &scripted("2021.3.4f1", "", &guid(DOOR)),
        expect![[r#"
            ScriptNameDiffers Assets/A.prefab:16 [A] Script component at index 1 on GameObject 'A': its script Assets/Wall.cs declares Gate; before Unity 6 the file must be called Gate.cs
        "#]],
    );
}

#[test]
fn scripts_of_old_libraries_and_packages_are_there() {
    let ui = "f70555f144d8491a825f0804e09c671c";
    let rider = r#""com.unity.ide.rider": "3.0.7", "com.unity.ugui": "1.0.0""#;
    check(&scripted("2018.4.1f1", "", ui), expect![""]);
    // The Image of com.unity.ugui.
    check(&scripted("2021.3.4f1", rider, "fe87c0e1cc204ed48ad3b37840f39efc"), expect![""]);
    let gone = guid(0xdead);
    check(
        &scripted("2021.3.4f1", rider, &gone),
        expect![[r#"
            MissingScript Assets/A.prefab:16 [A] Missing script component at index 1 on GameObject 'A': no script has the guid abc0000000000000000000000000dead
        "#]],
    );
    let other = format!(r#"{rider}, "com.example.tools": "1.0.0""#);
    check(
        &scripted("2021.3.4f1", &other, &gone),
        expect![[r#"
            UnknownScript Assets/A.prefab:16 [A] Missing script component at index 1 on GameObject 'A': no script has the guid abc0000000000000000000000000dead; it may be in com.example.tools, which is not here
        "#]],
    );
}

#[test]
fn a_scene_of_the_build_that_left_its_meta_is_gone() {
    let meta = |name: &str, more: &str| {
        format!("//- Assets/{name}.meta\nguid: {}\n{more}", guid(u32::from(name.as_bytes()[0])))
    };
    // Git keeps no empty folders, and their metas stay.
    let text = meta("A.unity", "") + &meta("Empty", "folderAsset: yes\n");
    let dir = Folder::unity(&text);
    let store = Store::open(dir.root(), None);
    let (index, nothing) = (store.index(), Files(store.index()));
    let path = "Assets/A.unity".to_owned();
    let scenes = [crate::BuildScene { path, guid: None, enabled: true }];
    let expander = Expander::new(Arc::new(nothing));
    let report = super::super::project(&store, &index, &expander, &scenes, &Patient);
    expect![[r#"
        MetaWithoutAsset Assets/A.unity.meta a meta without its asset
        MissingBuildScene ProjectSettings/EditorBuildSettings.asset Assets/A.unity is in the build settings and is not there
    "#]]
    .assert_eq(&said(&report));
    // The build leaves a disabled one out.
    let scenes = scenes.map(|scene| crate::BuildScene { enabled: false, ..scene });
    let report = super::super::project(&store, &index, &expander, &scenes, &Patient);
    expect![[r#"
        MetaWithoutAsset Assets/A.unity.meta a meta without its asset
        MissingUnusedScene ProjectSettings/EditorBuildSettings.asset Assets/A.unity is in the build settings, disabled, and is not there
    "#]]
    .assert_eq(&said(&report));
}

#[test]
fn a_prefab_that_is_gone_is_told_as_what_it_is() {
    let gone = format!("//- Assets/Gone.fbx.meta\nguid: {}\nModelImporter:\n", guid(0xdead));
    let package =
        "//- Packages/manifest.json\n{\"dependencies\": {\"com.example.tools\": \"1.0.0\"}}\n";
    let user = file("A.prefab", 0xa0000001, &instance(0xdead, " []"));
    check(
        &(user.clone() + &gone),
        expect![[r#"
            MetaWithoutAsset Assets/Gone.fbx.meta a meta without its asset
            MissingPrefab Assets/A.prefab:2 [Gone] Assets/Gone.fbx is gone
        "#]],
    );
    check(
        &(user + package),
        expect![[r#"
            UnknownPrefab Assets/A.prefab:2 [Missing Prefab] no asset has the guid abc0000000000000000000000000dead; it may be in a package that is not here
        "#]],
    );
}

#[test]
fn an_object_of_another_class_than_the_field_takes_is_told() {
    let object = |mesh: &str, skin: &str| {
        let listed = "  - component: {fileID: 3}\n";
        let more =
            format!("{listed}  - component: {{fileID: 33}}\n  - component: {{fileID: 23}}\n");
        prefab("A", DOOR, "").replace(listed, &more)
            + &format!(
                "--- !u!33 &33\nMeshFilter:\n  m_GameObject: {{fileID: 1}}\n  m_Mesh: {mesh}\n\
                 --- !u!23 &23\nMeshRenderer:\n  m_GameObject: {{fileID: 1}}\n  m_Materials:\n  - {skin}\n  - {skin}\n  m_ProbeAnchor: {{fileID: 2}}\n"
            )
    };
    let cube = "{fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}";
    let skin = to(SKIN, 2100000);
    check(&project("A.prefab", &object(cube, &skin)), expect![[r#""#]]);
    check(
        &project("A.prefab", &object(&skin, &to(NOTES, 11400000))),
        expect![[r#"
        MismatchedReference Assets/A.prefab:22 [A] MeshFilter.m_Mesh leads to an object of another class: it takes a Mesh, and this is a Material
        MismatchedReference Assets/A.prefab:27 [A] MeshRenderer.m_Materials[0] leads to an object of another class: it takes a Material, and this is a MonoBehaviour
        MismatchedReference Assets/A.prefab:28 [A] MeshRenderer.m_Materials[1] leads to an object of another class: it takes a Material, and this is a MonoBehaviour
    "#]],
    );
    // Inside of a file the class is known whatever the id.
    let anchor =
        object(cube, &skin).replace("m_ProbeAnchor: {fileID: 2}", "m_ProbeAnchor: {fileID: 33}");
    check(
        &project("A.prefab", &anchor),
        expect![[r#"
        MismatchedReference Assets/A.prefab:29 [A] MeshRenderer.m_ProbeAnchor leads to an object of another class: it takes a Transform, and this is a MeshFilter
    "#]],
    );
}

#[test]
fn what_a_package_that_is_not_here_may_have_is_counted() {
    let lost = prefab("A", DOOR, &format!("  skin: {}", to(0xdead, 2100000)));
    let judged = |manifest: &str| {
        let manifest = format!("//- Packages/manifest.json\n{manifest}\n");
        let dir = Folder::unity(&(project("A.prefab", &lost) + &manifest));
        let store = Store::open(dir.root(), None);
        let index = store.index();
        let expander = Expander::new(Arc::new(Files(index.clone())));
        let report = references(&index, &expander, Scope::All, &Patient);
        said(&report) + &report.notes.join("\n")
    };
    expect![[r#"
        1 package has no files here, so 1 reference in 1 file that may lead into it (Assets/A.prefab is one of the files) are not judged"#]].assert_eq(&judged(r#"{ "dependencies": { "com.vendor.parts": "1.0.0" } }"#));
    expect![[r#"
        BrokenReference Assets/A.prefab:17 [A] Door.skin is missing: no asset has the guid abc0000000000000000000000000dead
    "#]].assert_eq(&judged(r#"{ "dependencies": {} }"#));
}

#[test]
fn a_check_says_how_much_it_did_not_judge() {
    let lost = prefab("A", DOOR, &format!("  skin: {}", to(0xdead, 2100000)));
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    let text = project("A.prefab", &lost)
        + &file("B.prefab", 0xa0000007, &lost.replace("m_Name: A", "m_Name: B"))
        + &file("Sky.png", 0xa0000008, pointer)
        + "//- Packages/manifest.json\n{ \"dependencies\": { \"com.vendor.parts\": \"1.0.0\" } }\n";
    let dir = Folder::unity(&text);
    let store = Store::open(dir.root(), None);
    let notes = |store: &Store| run(store).notes.join("\n");
    let two = notes(&store);
    expect![[r#"
        1 package has no files here, so 2 references in 2 files that may lead into it (Assets/A.prefab is one of the files) are not judged
        1 files are pointers that Git LFS has not fetched, so what is in them is not judged"#]]
    .assert_eq(&two);
    // One of them no longer has any, and the file was fetched.
    dir.write("Assets/A.prefab", prefab("A", DOOR, ""));
    dir.write("Assets/Sky.png", "fetched");
    store.refresh(&[dir.path("Assets/A.prefab"), dir.path("Assets/Sky.png")]);
    expect!["1 package has no files here, so 1 reference in 1 file that may lead into it (Assets/B.prefab is one of the files) are not judged"]
        .assert_eq(&notes(&store));
    assert_eq!(notes(&store), notes(&Store::open(dir.root(), None)));
    dir.write("Assets/B.prefab", prefab("B", DOOR, ""));
    store.refresh(&[dir.path("Assets/B.prefab")]);
    expect!["1 package has no files here, so references into it (none is in doubt) are not judged"]
        .assert_eq(&notes(&store));
}

#[test]
fn what_version_control_leaves_out_may_be_there_on_another_machine() {
    let text = prefab("A", 0xdead0001, &format!("  skin: {}", to(0xdead, 2100000)));
    let judged = |rules: &str, more: &str| {
        let files = project("A.prefab", &text)
            + "//- Packages/manifest.json\n{ \"dependencies\": {} }\n"
            + &format!("//- .gitignore\n{rules}\n{more}");
        let dir = Folder::unity(&files);
        let report = run(&Store::open(dir.root(), None));
        said(&report) + &report.notes.join("\n")
    };
    expect![[r#"
        UnknownScript Assets/A.prefab:16 [A] Missing script component at index 1 on GameObject 'A': no script has the guid abc000000000000000000000dead0001; it may be in Assets/Paid, which .gitignore leaves out and which is not here; saved fields: skin
        .gitignore leaves out Assets/Paid, which is not here, so 2 references in 1 file that may lead there (Assets/A.prefab is one of the files) are not judged"#]]
    .assert_eq(&judged("/[Aa]ssets/Paid/", ""));
    assert!(judged("**/Assets/ThirdParty*", "").contains("leaves out Assets/ThirdParty,"));
    let all_is_here = expect![[r#"
        BrokenReference Assets/A.prefab:17 [A] MonoBehaviour.skin is missing: no asset has the guid abc0000000000000000000000000dead
        MissingScript Assets/A.prefab:16 [A] Missing script component at index 1 on GameObject 'A': no script has the guid abc000000000000000000000dead0001; saved fields: skin
    "#]];
    // The folder is here, the usual lists, a rule taken back, a name that may be anywhere, a key.
    all_is_here.assert_eq(&judged("/Assets/Paid/", &file("Paid/New.txt", 0xb0000009, "new\n")));
    for rules in [
        "/[Aa]ssets/AssetStoreTools*",
        "/Assets/Paid/\n!/Assets/Paid/",
        "Paid/",
        "/Assets/user.keystore",
        "# /Assets/Paid/",
    ] {
        all_is_here.assert_eq(&judged(rules, ""));
    }
}
