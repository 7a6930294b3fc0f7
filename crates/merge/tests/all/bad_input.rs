//! Input that nobody wishes for: a right result, or a refusal that leaves git's own merge in place.

use std::collections::HashSet;
use std::path::Path;

use scenewright_merge::{Choice, Choices, Inputs, Merged, Refusal, Refused, merge};

const UNITY: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &100\nGameObject:\n  m_Layer: 0\n  m_Name: Door\n  m_IsActive: 1\n";
const GODOT: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\nrotation = 1.0\nz_index = 1\n";

fn merged(name: &str, [base, ours, theirs]: [&[u8]; 3]) -> Result<Merged, Refused> {
    merge(Path::new(name), Inputs { base, ours, theirs }, &Choices::new())
}

fn clean(name: &str, versions: [&[u8]; 3]) -> String {
    let merged = merged(name, versions).expect("it can be read");
    assert!(merged.is_clean(), "{:?}", merged.conflicts);
    String::from_utf8(merged.bytes).expect("it is text")
}

#[test]
fn both_added_a_file_without_a_base() {
    let same = clean("a.unity", [b"", UNITY.as_bytes(), UNITY.as_bytes()]);
    assert_eq!(same, UNITY);
    let other = UNITY.replace("m_Layer: 0", "m_Layer: 1");
    let both = merged("a.unity", [b"", UNITY.as_bytes(), other.as_bytes()]).expect("it is read");
    assert_eq!(both.conflicts.len(), 1);
    let other = GODOT.replace("z_index = 1", "z_index = 2");
    let both = merged("a.tscn", [b"", GODOT.as_bytes(), other.as_bytes()]).expect("it is read");
    assert!(!both.is_clean());
}

#[test]
fn a_side_that_cannot_be_read_is_refused_by_its_name() {
    let ours = UNITY.replace("m_Layer: 0", "m_Layer: 1");
    for (name, base, good, bad) in [
        ("a.unity", UNITY, ours.as_str(), UNITY.replace("m_Name: Door", "m_Name: \"Door")),
        ("a.tscn", GODOT, GODOT, GODOT.replace("Vector2(1, 2)", "Vector2(1, ")),
    ] {
        let refused = merged(name, [base, good, &bad].map(str::as_bytes)).expect_err("broken");
        assert_eq!(refused.version, "theirs", "{refused}");
        let refused = merged(name, [base, &bad, good].map(str::as_bytes)).expect_err("broken");
        assert_eq!(refused.version, "ours", "{refused}");
        assert!(matches!(refused.reason, Refusal::NotReadable(_)), "{refused}");
    }
}

#[test]
fn line_ends_and_marks_are_those_of_ours() {
    for (name, base, mine, other) in [
        ("a.unity", UNITY, ["m_Layer: 0", "m_Layer: 5"], ["m_IsActive: 1", "m_IsActive: 0"]),
        ("a.tscn", GODOT, ["rotation = 1.0", "rotation = 2.0"], ["z_index = 1", "z_index = 7"]),
    ] {
        let ours = base.replace(mine[0], mine[1]);
        let theirs = base.replace(other[0], other[1]);
        let both = ours.replace(other[0], other[1]);
        let crlf = |text: &str| text.replace('\n', "\r\n");
        let marked = |text: &str| format!("\u{feff}{text}");
        let of = |versions: [&str; 3]| clean(name, versions.map(str::as_bytes));
        assert_eq!(of([base, &crlf(&ours), &theirs]), crlf(&both));
        assert_eq!(of([base, &ours, &crlf(&theirs)]), both);
        assert_eq!(of([base, &marked(&ours), &theirs]), marked(&both));
        assert_eq!(of([base, &ours, &marked(&theirs)]), both);
    }
}

#[test]
fn markers_and_formats_of_two_times_are_refused() {
    let marked = UNITY
        .replace("  m_Layer: 0", "<<<<<<< HEAD\n  m_Layer: 0\n=======\n  m_Layer: 1\n>>>>>>> x");
    let refused = merged("a.unity", [UNITY, UNITY, &marked].map(str::as_bytes));
    assert_eq!(refused.expect_err("markers").reason, Refusal::ConflictMarkers);
    let old = GODOT.replace("format=3", "format=2");
    let refused = merged("a.tscn", [&old, &old, GODOT].map(str::as_bytes)).expect_err("formats");
    assert!(matches!(refused.reason, Refusal::OtherFormat(_)), "{refused}");
}

/// An instance of a prefab as Unity wrote it before 2018.3, and since.
fn instance(class: &str, source: &str, layer: u32, extra: &str) -> String {
    format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &100\n{class}:\n  m_ObjectHideFlags: {layer}\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications: []\n    m_RemovedComponents: []\n  {source}: {{fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 2}}\n{extra}"
    )
}

#[test]
fn an_upgrade_of_unity_against_a_change_before_it_is_asked_about_as_a_whole() {
    let old = |flags| instance("Prefab", "m_ParentPrefab", flags, "");
    let new = |flags| instance("PrefabInstance", "m_SourcePrefab", flags, "");
    let of = |versions: [&String; 3]| {
        merged("a.unity", versions.map(|text| text.as_bytes())).expect("all can be read")
    };
    // Who changed nothing is not in the way of who upgraded.
    for versions in [[&old(0), &new(1), &old(0)], [&old(0), &old(0), &new(1)]] {
        let merged = of(versions);
        assert!(merged.is_clean(), "{:?}", merged.conflicts);
        assert_eq!(String::from_utf8_lossy(&merged.bytes), new(1));
    }
    // Both upgraded, and one changed something: that is all that differs.
    for versions in [[&old(0), &new(0), &new(1)], [&old(0), &new(1), &new(0)]] {
        let merged = of(versions);
        assert!(merged.is_clean(), "{:?}", merged.conflicts);
        assert_eq!(String::from_utf8_lossy(&merged.bytes), new(1));
    }
    // One upgraded, the other changed the object as it was: ours stays whole, and it can be decided.
    for (ours, theirs) in [(new(0), old(1)), (old(1), new(0))] {
        let both = of([&old(0), &ours, &theirs]);
        let [conflict] = both.conflicts.as_slice() else { panic!("{:?}", both.conflicts) };
        assert_eq!((conflict.id.as_str(), conflict.field.as_str()), ("100", ""));
        assert!(conflict.detail.contains("other classes"), "{conflict:?}");
        let text = String::from_utf8_lossy(&both.bytes);
        let unmarked: String =
            text.split_inclusive('\n').filter(|line| !line.starts_with("# <<<<<<<")).collect();
        assert_eq!((unmarked, text.matches("# <<<<<<<").count()), (ours.clone(), 1), "{text}");
        for (choice, expected) in [(Choice::Ours, &ours), (Choice::Theirs, &theirs)] {
            let choices = Choices::from([("100".to_owned(), choice)]);
            let inputs = [&old(0), &ours, &theirs].map(|text| text.as_bytes().to_vec());
            let [base, ours, theirs] = inputs.each_ref().map(Vec::as_slice);
            let decided = merge(Path::new("a.unity"), Inputs { base, ours, theirs }, &choices);
            let decided = decided.expect("all can be read");
            assert!(decided.is_clean());
            assert_eq!(&String::from_utf8_lossy(&decided.bytes), expected);
        }
    }
}

#[test]
fn many_changed_objects_of_both_sides_go_together() {
    let object = |id: usize, layer: usize, active: usize| {
        format!(
            "--- !u!1 &{id}\nGameObject:\n  m_Layer: {layer}\n  m_Name: O{id}\n  m_IsActive: {active}\n"
        )
    };
    let scene = |layer: usize, active: usize| {
        let objects: String = (1..=2_000).map(|id| object(id, layer, active)).collect();
        format!("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{objects}")
    };
    let [base, ours, theirs] = [scene(0, 1), scene(3, 1), scene(0, 0)];
    let both = clean("a.unity", [&base, &ours, &theirs].map(|text| text.as_bytes()));
    assert_eq!(both, scene(3, 0));
    let node = |id: usize, z: usize, y: usize| {
        format!(
            "\n[node name=\"N{id}\" type=\"Node2D\" parent=\".\"]\nz_index = {z}\ny_sort_enabled = {y}\n"
        )
    };
    let scene = |z: usize, y: usize| {
        let nodes: String = (0..2_000).map(|id| node(id, z, y)).collect();
        format!("[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n{nodes}")
    };
    let [base, ours, theirs] = [scene(0, 1), scene(3, 1), scene(0, 0)];
    let both = clean("a.tscn", [&base, &ours, &theirs].map(|text| text.as_bytes()));
    assert_eq!(both, scene(3, 0));
}

/// A Godot scene with so many inner resources, each used by a node, under names that end in a word.
fn godot_of_resources(count: usize, word: &str) -> String {
    let inner: String = (0..count)
        .map(|id| format!("[sub_resource type=\"BoxShape3D\" id=\"B_{id}{word}\"]\nsize = Vector3({id}, 1, 1)\n\n"))
        .collect();
    let nodes: String = (0..count)
        .map(|id| format!("\n[node name=\"N{id}{word}\" type=\"CollisionShape3D\" parent=\".\"]\nshape = SubResource(\"B_{id}{word}\")\n"))
        .collect();
    format!("[gd_scene format=3]\n\n{inner}[node name=\"Root\" type=\"Node3D\"]\n{nodes}")
}

#[test]
fn thousands_of_new_resources_of_both_sides_go_together() {
    let base = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node3D\"]\n";
    let [ours, theirs] = ["a", "b"].map(|word| godot_of_resources(3_000, word));
    let both = clean("a.tscn", [base, &ours, &theirs].map(str::as_bytes));
    let count = |text: &str, what: &str| text.matches(what).count();
    assert_eq!(count(&both, "[sub_resource"), 6_000);
    assert_eq!(count(&both, "[node"), 6_001);
    let sections: HashSet<&str> = both.split("\n\n").map(str::trim_end).collect();
    for section in ours.split("\n\n").chain(theirs.split("\n\n")) {
        assert!(sections.contains(section.trim_end()), "{section}");
    }
    // The same resources under other ids of both are the same, one by one.
    let same = clean("a.tscn", [base, &ours, &ours].map(str::as_bytes));
    assert_eq!(same, ours);
}

#[test]
fn hundreds_of_renamed_nodes_are_followed_where_the_other_side_needs_it() {
    let node = |name: &str, number: usize, z: usize| {
        format!(
            "\n[node name=\"{name}{number}\" type=\"Node2D\" parent=\".\"]\nz_index = {z}\nx = {number}\ny = {number}\n"
        )
    };
    let scene = |name: &str, changed: &[usize]| {
        let nodes = (0..400)
            .map(|number| node(name, number, if changed.contains(&number) { 7 } else { 1 }));
        let nodes: String = nodes.collect();
        format!("[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n{nodes}")
    };
    let (base, ours, theirs) = (scene("Old", &[]), scene("New", &[]), scene("Old", &[3, 300]));
    let both = clean("a.tscn", [&base, &ours, &theirs].map(|text| text.as_bytes()));
    assert_eq!(both, scene("New", &[3, 300]));
    let both = clean("a.tscn", [&base, &theirs, &ours].map(|text| text.as_bytes()));
    assert_eq!(both, scene("New", &[3, 300]));
    // A connection that only the other side has leads to the new name.
    let connection = "\n[connection signal=\"a\" from=\"Old7\" to=\".\" method=\"b\"]\n";
    let theirs = format!("{base}{connection}");
    let both = clean("a.tscn", [&base, &ours, &theirs].map(|text| text.as_bytes()));
    assert_eq!(both, format!("{ours}{}", connection.replace("Old7", "New7")));
}
