//! What changed between two versions, in words.

use std::path::Path;

use expect_test::{Expect, expect};
use scenewright_merge::diff::{Change, Differences, diff};
use scenewright_merge::render::{FileDiff, html, markdown, stat, tree};

fn differences(name: &str, old: &str, new: &str) -> Differences {
    let assets =
        |guid: &str| (guid == "0123456789abcdef0123456789abcdef").then(|| "Walk.cs".to_owned());
    diff(Path::new(name), old.as_bytes(), new.as_bytes(), &assets).expect("both can be read")
}

fn file(name: &str, old: &str, new: &str) -> FileDiff {
    FileDiff {
        path: name.to_owned(),
        old_path: None,
        change: Change::Changed,
        differences: Ok(differences(name, old, new)),
        reach: None,
    }
}

fn check(name: &str, old: &str, new: &str, expected: Expect) {
    expected.assert_eq(&tree(&[file(name, old, new)], &|_, text| text.to_owned(), false));
}

const SCENE: &str = "\
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &100
GameObject:
  m_Component:
  - component: {fileID: 101}
  - component: {fileID: 102}
  m_Name: Door
  m_IsActive: 1
--- !u!4 &101
Transform:
  m_GameObject: {fileID: 100}
  m_LocalPosition: {x: 1, y: 2, z: 3}
  m_Children:
  - {fileID: 201}
  m_Father: {fileID: 0}
--- !u!114 &102
MonoBehaviour:
  m_GameObject: {fileID: 100}
  m_Script: {fileID: 11500000, guid: 0123456789abcdef0123456789abcdef, type: 3}
  speed: 0.5
  target: {fileID: 0}
--- !u!1 &200
GameObject:
  m_Component:
  - component: {fileID: 201}
  m_Name: Knob
--- !u!4 &201
Transform:
  m_GameObject: {fileID: 200}
  m_Children: []
  m_Father: {fileID: 101}
";

#[test]
fn unity_objects_and_fields_have_names() {
    let new = SCENE
        .replace("{x: 1, y: 2, z: 3}", "{x: 5, y: 2, z: 3}")
        .replace("speed: 0.5", "speed: 0.50000001")
        .replace("target: {fileID: 0}", "target: {fileID: 200}")
        .replace("m_Name: Knob", "m_Name: Handle")
        .replace("  m_IsActive: 1\n", "  m_IsActive: 1\n  m_Layer: 3\n");
    check(
        "a.unity",
        SCENE,
        &new,
        expect![[r#"
            a.unity  ~4 4 fields 1 renamed
              ~ Door
                  + m_Layer: 3
                ~ Transform
                    m_LocalPosition: {x: 1, y: 2, z: 3} → {x: 5, y: 2, z: 3}
                ~ MonoBehaviour Walk.cs
                    target: none → "Door/Handle"
              ~ Door/Handle (was Door/Knob)
                  m_Name: Knob → Handle
              1 values differ only in what is derived or in the last digits
        "#]],
    );
}

#[test]
fn what_moved_came_and_went_is_told_as_that() {
    let moved = SCENE
        .replace("m_Father: {fileID: 101}", "m_Father: {fileID: 0}")
        .replace("  m_Children:\n  - {fileID: 201}\n", "  m_Children: []\n");
    check(
        "a.unity",
        SCENE,
        &moved,
        expect![[r#"
            a.unity  ~1 1 moved
              Knob
                ~ Transform (was Door/Knob)
        "#]],
    );
    let gone = SCENE.split("--- !u!1 &200").next().expect("the scene");
    let counts = differences("a.unity", SCENE, gone).counts();
    assert_eq!(counts, [0, 2, 0]);
    assert_eq!(differences("a.unity", "", SCENE).counts(), [5, 0, 0]);
}

#[test]
fn order_spelling_and_numbers_are_no_changes() {
    let (head, rest) = SCENE.split_at(SCENE.find("--- !u!1 &200").expect("it is there"));
    let start = head.find("--- ").expect("a header");
    let turned = format!("{}{rest}{}", &head[..start], &head[start..]);
    let found = differences(
        "a.unity",
        SCENE,
        &turned.replace('\n', "\r\n").replace("m_Name: Door", "m_Name: 'Door'"),
    );
    assert!(found.is_empty(), "{found:#?}");
    assert!(found.reordered);
    assert_eq!(found.respelt, 1);
    let scene = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1_a\")\n";
    assert!(differences("a.tscn", scene, &scene.replace("1_a", "7_zz")).is_empty());
    assert!(!differences("a.tscn", scene, &scene.replace("a.gd", "b.gd")).is_empty());
}

#[test]
fn godot_nodes_move_and_resources_have_paths() {
    let old = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\n[node name=\"Root\" type=\"Node\"]\n\n[node name=\"A\" type=\"Node\" parent=\".\"]\n\n[node name=\"B\" type=\"Timer\" parent=\".\"]\nwait_time = 2.0\n";
    let new = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\n[node name=\"Root\" type=\"Node\"]\nscript = ExtResource(\"1_a\")\n\n[node name=\"A\" type=\"Node\" parent=\".\"]\n\n[node name=\"B\" type=\"Timer\" parent=\"A\"]\nwait_time = 3.0\n\n[connection signal=\"timeout\" from=\"A/B\" to=\".\" method=\"_go\"]\n";
    check(
        "a.tscn",
        old,
        new,
        expect![[r#"
            a.tscn  +1 ~2 2 fields 1 moved
              ~ .
                  + script: res://a.gd
              ~ A/B (was B)
                  wait_time: 2.0 → 3.0
              timeout A/B . _go
                + connection
        "#]],
    );
}

#[test]
fn many_alike_are_folded() {
    let scene = |value: u32| {
        let mut text = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n".to_owned();
        for number in 0..9 {
            text += &format!(
                "\n[node name=\"N{number}\" type=\"Node\" parent=\".\"]\nlayer = {value}\n"
            );
        }
        text
    };
    let file = file("a.tscn", &scene(1), &scene(2));
    let plain = |_, text: &str| text.to_owned();
    let folded = tree(std::slice::from_ref(&file), &plain, false);
    assert!(folded.contains("… and 6 more with the same changes"), "{folded}");
    assert_eq!(folded.matches("layer: 1 → 2").count(), 3);
    let all = tree(std::slice::from_ref(&file), &plain, true);
    assert_eq!(all.matches("layer: 1 → 2").count(), 9);
    expect!["a.tscn  ~9 9 fields\n"].assert_eq(&stat(&[file], &plain));
}

#[test]
fn remarks_and_pages_are_safe_for_any_text() {
    let scene = |text: &str| {
        format!("[gd_scene format=3]\n\n[node name=\"R\" type=\"Label\"]\ntext = \"{text}\"\n")
    };
    let file = file("a<b>.tscn", &scene("```x"), &scene("<script>alert(1)</script> `````"));
    let page = html(std::slice::from_ref(&file));
    assert!(!page.contains("<script>") && page.contains("&lt;script&gt;"), "{page}");
    let remark = markdown(&[file]);
    assert!(remark.contains("``````diff\n"), "{remark}");
    assert!(remark.contains("<code>a&lt;b&gt;.tscn</code>"));
}

/// A stage, an instance below it, one in that, and a light that was added to the inner one.
fn stage(x: u32, name: &str, intensity: u32) -> String {
    let instance = |id: u32, parent: u32, guid: char, changed: &str| {
        let guid = guid.to_string().repeat(32);
        format!(
            "--- !u!1001 &{id}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: {parent}}}\n    m_Modifications:\n{changed}    m_RemovedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n"
        )
    };
    let set = |path: &str, value: &str| {
        format!(
            "    - target: {{fileID: 7, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}}\n      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}\n"
        )
    };
    let stripped = |class: u32, kind: &str, id: u32, of: u32| {
        format!("--- !u!{class} &{id} stripped\n{kind}:\n  m_PrefabInstance: {{fileID: {of}}}\n")
    };
    [
        "%YAML 1.1\n--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {fileID: 11}\n  m_Name: Stage\n--- !u!4 &11\nTransform:\n  m_GameObject: {fileID: 10}\n  m_Father: {fileID: 0}\n".to_owned(),
        instance(20, 11, 'a', &(set("m_Name", name) + &set("m_LocalPosition.x", &x.to_string()))),
        stripped(4, "Transform", 21, 20),
        instance(30, 21, 'b', &set("m_LocalPosition.x", &x.to_string())),
        stripped(1, "GameObject", 31, 30),
        format!("--- !u!108 &32\nLight:\n  m_GameObject: {{fileID: 31}}\n  m_Intensity: {intensity}\n"),
    ]
    .concat()
}

#[test]
fn an_instance_has_the_path_of_what_it_is_below() {
    let names = |guid: &str| guid.starts_with('b').then(|| "Hat.prefab".to_owned());
    let (old, new) = (stage(2, "Mario", 1), stage(5, "Mario", 3));
    let found = diff(Path::new("a.unity"), old.as_bytes(), new.as_bytes(), &names).unwrap();
    let places: Vec<_> = found.objects.iter().map(|one| (&*one.place, &*one.part)).collect();
    assert_eq!(
        places,
        [
            ("Stage/Mario", "PrefabInstance"),
            ("Stage/Mario/Hat", "PrefabInstance"),
            ("Stage/Mario/Hat/&31", "Light"),
        ]
    );
    let renamed = stage(2, "Luigi", 1);
    let found = diff(Path::new("a.unity"), old.as_bytes(), renamed.as_bytes(), &names).unwrap();
    assert_eq!(found.objects[0].place, "Stage/Luigi");
}

/// Files can say anything.
#[test]
fn instances_inside_each_other_end() {
    let ring = |x: u32| stage(x, "Mario", 1).replace("fileID: 11}", "fileID: 21}");
    let found = diff(Path::new("a.unity"), ring(1).as_bytes(), ring(2).as_bytes(), &|_| None);
    assert!(found.unwrap().objects[0].place.ends_with("Mario"));
}
