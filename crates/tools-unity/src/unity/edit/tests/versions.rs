//! Files that another version saved than that of their project, or several.

use expect_test::{Expect, expect};
use scenewright_contract::ToolError;
use scenewright_fixture::Folder;
use serde_json::{Value, json};

use crate::testing::{bench_on, call_writing, lines_of};

/// A scene of three children; each is a GameObject `n` with a transform `n + 1`.
fn project(numbers: [&str; 3]) -> String {
    let object = |id: i64, name: &str, children: &str, father: i64, number: &str| {
        format!(
            "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {transform}}}\n  m_Name: {name}\n--- !u!4 &{transform}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  m_Children:{children}\n  m_Father: {{fileID: {father}}}\n{number}",
            transform = id + 1
        )
    };
    let number = |at: usize| match numbers[at] {
        "" => String::new(),
        number => format!("  m_RootOrder: {number}\n"),
    };
    let root = if numbers[0].is_empty() { "" } else { "  m_RootOrder: 0\n" };
    let scene = [
        object(10, "Row", "\n  - {fileID: 21}\n  - {fileID: 31}\n  - {fileID: 41}", 0, root),
        object(20, "A", " []", 11, &number(0)),
        object(30, "B", " []", 11, &number(1)),
        object(40, "C", " []", 11, &number(2)),
    ];
    let prefab =
        [object(50, "Lamp", "\n  - {fileID: 61}", 0, ""), object(60, "Bulb", " []", 51, "")]
            .concat();
    let head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
    format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2021.3.6f1\n//- Assets/Main.unity\n{head}{}//- Assets/Main.unity.meta\nguid: 1123456789abcdef0123456789abcdef\n//- Assets/Lamp.prefab\n{head}{prefab}//- Assets/Lamp.prefab.meta\nguid: 2123456789abcdef0123456789abcdef\n",
        scene.concat()
    )
}

fn check(numbers: [&str; 3], changes: Value, expected: Expect) {
    let input = json!({ "path": "Assets/Main.unity", "changes": changes });
    let output = bench_on(&project(numbers)).call("unity.edit", input).expect("it is done");
    let diff = lines_of(output["changes"][0]["diff"].as_str().unwrap_or_default());
    let is_told = |line: &&str| line.contains("Order") || line.contains("m_Added");
    let told: Vec<&str> = diff.lines().filter(is_told).collect();
    expected.assert_eq(&told.join("\n"));
}

#[test]
fn numbers_that_are_not_those_of_their_places_stay() {
    let delete = json!([{ "op": "delete", "object": "Row/A" }]);
    check(
        ["0", "1", "2"],
        delete.clone(),
        expect![[r#"
        -  m_RootOrder: 0
        -  m_RootOrder: 1
        +  m_RootOrder: 0
        -  m_RootOrder: 2
        +  m_RootOrder: 1"#]],
    );
    // The list has the order.
    check(
        ["0", "-1", "2"],
        delete,
        expect![[r#"
        -  m_RootOrder: 0
        -  m_RootOrder: 2
        +  m_RootOrder: 1"#]],
    );
    let move_it = json!([{ "op": "reparent", "object": "Row/A", "index": 1 }]);
    check(
        ["0", "-1", "2"],
        move_it,
        expect![[r#"
        -  m_RootOrder: 0
        +  m_RootOrder: 1"#]],
    );
}

#[test]
fn instances_have_the_lists_of_a_file_that_numbers_nothing() {
    let change = json!([{ "op": "instantiate", "prefab": "Assets/Lamp.prefab", "parent": "Row" }]);
    check(
        ["", "", ""],
        change.clone(),
        expect![[r#"
        +    m_AddedGameObjects: []
        +    m_AddedComponents: []"#]],
    );
    check(["0", "1", "2"], change, expect!["+      propertyPath: m_RootOrder"]);
}

/// The file says what it can have, not the version of the project that has it.
#[test]
fn what_an_older_unity_saved_is_changed_in_its_form() {
    let folder = Folder::unity(&project(["0", "1", "2"]));
    let edit = |change: Value| {
        let input = json!({ "path": "Assets/Main.unity", "changes": [change] });
        call_writing(&folder, "unity.edit", input)
    };
    let instance = json!({ "op": "instantiate", "prefab": "Assets/Lamp.prefab", "parent": "Row" });
    edit(instance).unwrap();
    let delete = || edit(json!({ "op": "delete", "object": "Row/Lamp/Bulb" })).unwrap_err();
    let told = |error: ToolError| format!("{}; {}", error.message, error.hint.unwrap_or_default());
    expect!["change 1 (delete): a Unity before 2022.2 cannot take objects out of a prefab instance; set it inactive, or delete it in the prefab"].assert_eq(&told(delete()));
    let version = folder.path("ProjectSettings/ProjectVersion.txt");
    std::fs::write(version, "m_EditorVersion: 6000.0.23f1\n").unwrap();
    expect!["change 1 (delete): the file was saved by a Unity before 2022.2, whose instances have no list for that; save it once in Unity 6000.0, set it inactive, or delete it in the prefab"].assert_eq(&told(delete()));
    let output = edit(json!({ "op": "create", "parent": "Row", "name": "D" })).unwrap().output;
    let diff = lines_of(output["changes"][0]["diff"].as_str().unwrap_or_default());
    let (_, transform) = diff.split_once("Transform:").unwrap();
    assert!(
        transform.contains("m_RootOrder: 4") && !transform.contains("serializedVersion"),
        "{diff}"
    );
}

/// Before 2018.3 all in a prefab belonged to it, and what is below the root was hidden.
#[test]
fn what_comes_into_an_old_prefab_begins_as_all_in_it() {
    let head = |flags: u8| {
        format!(
            "  m_ObjectHideFlags: {flags}\n  m_PrefabParentObject: {{fileID: 0}}\n  m_PrefabInternal: {{fileID: 100100000}}\n"
        )
    };
    let prefab = format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &100100000\nPrefab:\n  m_ObjectHideFlags: 1\n  serializedVersion: 2\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications: []\n    m_RemovedComponents: []\n  m_ParentPrefab: {{fileID: 0}}\n  m_RootGameObject: {{fileID: 10}}\n  m_IsPrefabParent: 1\n--- !u!1 &10\nGameObject:\n{}  m_Component:\n  - component: {{fileID: 11}}\n  m_Name: Old\n--- !u!4 &11\nTransform:\n{}  m_GameObject: {{fileID: 10}}\n  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  m_Children: []\n  m_Father: {{fileID: 0}}\n  m_RootOrder: 0\n",
        head(0),
        head(1)
    );
    let project = format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2017.4.1f1\n//- Assets/Old.prefab\n{prefab}//- Assets/Old.prefab.meta\nguid: 1123456789abcdef0123456789abcdef\n"
    );
    let changes =
        json!([{ "op": "create", "parent": "Old", "name": "New", "components": ["BoxCollider"] }]);
    let input = json!({ "path": "Assets/Old.prefab", "changes": changes });
    let output = bench_on(&project).call("unity.edit", input).expect("it is done");
    let diff = lines_of(output["changes"][0]["diff"].as_str().unwrap_or_default());
    let added: String = diff.lines().map(|line| format!("{}\n", &line[1..])).collect();
    assert_eq!(added.matches(&head(1)).count(), 3, "{diff}");
    assert_eq!(added.matches("m_PrefabInternal").count(), 3, "{diff}");
}
