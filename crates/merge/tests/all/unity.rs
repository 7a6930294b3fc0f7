//! Scenes, prefabs and settings of Unity, merged: what goes together, and what a person decides.

use std::path::Path;

use scenewright_merge::{Choice, Choices, Inputs, Merged, Refusal, merge};

const SCENE: &str = "\
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &100
GameObject:
  m_Component:
  - component: {fileID: 101}
  - component: {fileID: 102}
  m_Layer: 0
  m_Name: Door
  m_IsActive: 1
--- !u!4 &101
Transform:
  m_GameObject: {fileID: 100}
  m_LocalPosition: {x: 1, y: 2, z: 3}
  m_LocalScale: {x: 1, y: 1, z: 1}
  m_Children: []
  m_Father: {fileID: 0}
  m_RootOrder: 0
--- !u!114 &102
MonoBehaviour:
  m_GameObject: {fileID: 100}
  speed: 1
  text: 'one

    two

    three

    four

'
  points:
  - 1
  - 2
  stops:
  - at: 1
    wait: 5
  - at: 2
    wait: 6
  target: {fileID: 0}
--- !u!1 &200
GameObject:
  m_Component:
  - component: {fileID: 201}
  m_Name: Wall
--- !u!4 &201
Transform:
  m_GameObject: {fileID: 200}
  m_Children: []
  m_Father: {fileID: 0}
";

fn merged(ours: &str, theirs: &str) -> Merged {
    chosen(SCENE, ours, theirs, &Choices::new())
}

fn chosen(base: &str, ours: &str, theirs: &str, choices: &Choices) -> Merged {
    let inputs = Inputs { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    merge(Path::new("a.unity"), inputs, choices).expect("it can be merged")
}

fn text(merged: &Merged) -> String {
    String::from_utf8(merged.bytes.clone()).expect("text")
}

/// Both replacements are in the result of either order, and nothing else changed.
fn goes_together(ours: (&str, &str), theirs: (&str, &str)) {
    let one = SCENE.replacen(ours.0, ours.1, 1);
    let two = SCENE.replacen(theirs.0, theirs.1, 1);
    assert!(one != SCENE && two != SCENE, "the edits change something");
    let both = one.replacen(theirs.0, theirs.1, 1);
    for (ours, theirs) in [(&one, &two), (&two, &one)] {
        let merged = merged(ours, theirs);
        assert!(merged.is_clean(), "{:#?}", merged.conflicts);
        assert_eq!(text(&merged), both);
    }
}

/// The conflicts as `object#field`, and ours stands in the file but for comments.
fn conflicts(ours: &str, theirs: &str) -> Vec<String> {
    let merged = merged(ours, theirs);
    assert!(!merged.is_clean());
    assert!(text(&merged).contains("# <<<<<<< "), "the file tells of it");
    merged.conflicts.into_iter().map(|conflict| conflict.id).collect()
}

#[test]
fn fields_of_one_object_go_together() {
    goes_together(("m_Layer: 0", "m_Layer: 5"), ("m_Name: Door", "m_Name: Gate"));
    goes_together(
        ("{x: 1, y: 2, z: 3}", "{x: 9, y: 2, z: 3}"),
        ("{x: 1, y: 1, z: 1}", "{x: 2, y: 1, z: 1}"),
    );
    goes_together(("  m_Layer: 0\n", ""), ("m_IsActive: 1", "m_IsActive: 0"));
    goes_together(("    wait: 5", "    wait: 7"), ("  - at: 2", "  - at: 3"));
    goes_together(("'one", "'ONE"), ("    four", "    FOUR"));
}

#[test]
fn objects_and_their_entries_in_lists_come_and_go() {
    let add = |id: u32, file: &str| {
        let entry = format!("  - component: {{fileID: 102}}\n  - component: {{fileID: {id}}}\n");
        let object = format!(
            "--- !u!65 &{id}\nBoxCollider:\n  m_GameObject: {{fileID: 100}}\n  m_Size: {id}\n"
        );
        file.replace("  - component: {fileID: 102}\n", &entry)
            .replace("--- !u!1 &200\n", &format!("{object}--- !u!1 &200\n"))
    };
    let merged = merged(&add(103, SCENE), &add(104, SCENE));
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    let text = text(&merged);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    assert!(at("{fileID: 103}") < at("{fileID: 104}"));
    assert!(at("&103") < at("&104") && at("&104") < at("&200"));
}

#[test]
fn an_object_that_one_deleted_and_nobody_changed_is_gone() {
    let without = SCENE.split("--- !u!1 &200").next().expect("the scene").to_owned();
    let renamed = SCENE.replace("m_Name: Door", "m_Name: Gate");
    let merged = merged(&renamed, &without);
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    assert_eq!(text(&merged), without.replace("m_Name: Door", "m_Name: Gate"));
}

#[test]
fn the_same_field_is_a_conflict_as_small_as_the_field() {
    let ours = SCENE.replace("speed: 1", "speed: 2").replace("m_Layer: 0", "m_Layer: 4");
    let theirs = SCENE.replace("speed: 1", "speed: 3").replace("m_Name: Wall", "m_Name: Hedge");
    assert_eq!(conflicts(&ours, &theirs), ["102#MonoBehaviour.speed"]);
    let merged = merged(&ours, &theirs);
    assert_eq!(merged.conflicts[0].name, "Door");
    assert_eq!(merged.conflicts[0].base.as_deref(), Some("1"));
    let plain: String = text(&merged)
        .lines()
        .filter(|line| !line.contains("<<<<<<<"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(plain, ours.replace("m_Name: Wall", "m_Name: Hedge"));
    for (choice, value) in
        [(Choice::Theirs, "speed: 3"), (Choice::Base, "speed: 1"), (Choice::Ours, "speed: 2")]
    {
        let choices = Choices::from([("102#MonoBehaviour.speed".to_owned(), choice)]);
        let merged = chosen(SCENE, &ours, &theirs, &choices);
        assert!(merged.is_clean());
        assert!(text(&merged).contains(value) && !text(&merged).contains("<<<<<<<"));
    }
}

#[test]
fn deleted_and_changed_is_a_conflict_and_what_is_kept_is_whole() {
    let without = SCENE.split("--- !u!1 &200").next().expect("the scene").to_owned();
    let changed = SCENE.replace("m_Name: Wall", "m_Name: Hedge");
    assert_eq!(conflicts(&without, &changed), ["200"]);
    assert_eq!(conflicts(&changed, &without), ["200"]);
    // Ours in place keeps the transform of the object, which theirs deleted and nobody changed.
    assert!(text(&merged(&changed, &without)).contains("&201"));
    let choices = Choices::from([("200".to_owned(), Choice::Theirs)]);
    assert_eq!(text(&chosen(SCENE, &changed, &without, &choices)), without);
    assert_eq!(text(&chosen(SCENE, &without, &changed, &choices)), changed);
}

#[test]
fn a_reference_to_what_the_other_deleted_is_a_conflict() {
    let without = SCENE.split("--- !u!1 &200").next().expect("the scene").to_owned();
    let points = SCENE.replace("target: {fileID: 0}", "target: {fileID: 200}");
    let merged = merged(&without, &points);
    assert_eq!(merged.conflicts.len(), 1, "{:#?}", merged.conflicts);
    assert_eq!(merged.conflicts[0].id, "102->200");
    let choices = Choices::from([("102->200".to_owned(), Choice::Theirs)]);
    let merged = chosen(SCENE, &without, &points, &choices);
    assert!(merged.is_clean());
    assert_eq!(text(&merged), points);
}

#[test]
fn lists_without_names_go_together_where_they_do_not_touch() {
    goes_together(
        ("  - 1\n  - 2\n", "  - 0\n  - 1\n  - 2\n"),
        ("  - 2\n  stops", "  - 2\n  - 3\n  stops"),
    );
    let both = |ours: &str, theirs: &str| {
        let edit = |list: &str| SCENE.replace("  - 1\n  - 2\n", list);
        merged(&edit(ours), &edit(theirs))
    };
    let appended = both("  - 1\n  - 2\n  - 3\n", "  - 1\n  - 2\n  - 4\n");
    assert!(appended.is_clean() && appended.notes.iter().any(|note| note.is_warning));
    assert!(text(&appended).contains("  - 2\n  - 3\n  - 4\n"));
    assert!(!both("  - 7\n  - 2\n", "  - 8\n  - 2\n").is_clean());
    assert!(!both("  - 2\n", "  - 9\n  - 2\n").is_clean());
    // Emptied by both, in parts.
    let emptied = both("  - 2\n", "  - 1\n");
    assert!(!emptied.is_clean() || text(&emptied).contains("points: []"));
}

#[test]
fn what_is_derived_and_noise_is_no_conflict() {
    let ours = SCENE
        .replace("m_RootOrder: 0", "m_RootOrder: 3")
        .replace("x: 1, y: 2", "x: 1.0000001, y: 2");
    let theirs =
        SCENE.replace("m_RootOrder: 0", "m_RootOrder: 4").replace("x: 1, y: 2", "x: 7, y: 2");
    let merged = merged(&ours, &theirs);
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    assert!(text(&merged).contains("m_RootOrder: 3") && text(&merged).contains("{x: 7, y: 2"));
}

#[test]
fn twins_are_united_and_both_is_said() {
    let add = |id: u32| {
        let entry = format!("  - component: {{fileID: 102}}\n  - component: {{fileID: {id}}}\n");
        format!(
            "{}--- !u!65 &{id}\nBoxCollider:\n  m_GameObject: {{fileID: 100}}\n  m_Size: 1\n",
            SCENE.replace("  - component: {fileID: 102}\n", &entry)
        )
    };
    let merged = merged(&add(501), &add(502));
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    assert_eq!(text(&merged), add(501));
    assert!(merged.notes.iter().any(|note| note.is_warning && note.text.contains("502")));
}

#[test]
fn line_ends_mark_and_last_break_are_ours() {
    let ours = format!("\u{feff}{}", SCENE.replace("speed: 1", "speed: 2").replace('\n', "\r\n"));
    let ours = ours.trim_end();
    let theirs = SCENE.replace("m_Name: Wall", "m_Name: Hedge");
    let merged = merged(ours, &theirs);
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    assert_eq!(text(&merged), ours.replace("m_Name: Wall", "m_Name: Hedge"));
}

#[test]
fn overrides_are_told_apart_by_target_and_path() {
    let prefab = |lines: &[(&str, &str)]| {
        let mut text =
            "%YAML 1.1\n--- !u!1001 &1\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n"
                .to_owned();
        for (path, value) in lines {
            text += &format!(
                "    - target: {{fileID: 7, guid: 0123456789abcdef0123456789abcdef,\n        type: 3}}\n      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}\n"
            );
        }
        text + "    m_RemovedComponents: []\n  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
    };
    let base = prefab(&[("a", "1"), ("b", "1")]);
    let ours = prefab(&[("a", "1"), ("b", "1"), ("c", "5")]);
    let theirs = prefab(&[("d", "5"), ("b", "2"), ("a", "1")]);
    let merged = chosen(&base, &ours, &theirs, &Choices::new());
    assert!(merged.is_clean(), "{:#?}", merged.conflicts);
    let text = text(&merged);
    for part in ["propertyPath: c", "propertyPath: d", "propertyPath: b\n      value: 2"] {
        assert_eq!(text.matches(part).count(), 1, "{part} in {text}");
    }
    let theirs = prefab(&[("a", "1")]);
    let ours = prefab(&[("a", "1"), ("b", "9")]);
    let merged = chosen(&base, &ours, &theirs, &Choices::new());
    assert_eq!(merged.conflicts.len(), 1, "deleted and changed");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let refused = |ours: &str| {
        let inputs =
            Inputs { base: SCENE.as_bytes(), ours: ours.as_bytes(), theirs: SCENE.as_bytes() };
        merge(Path::new("a.unity"), inputs, &Choices::new()).expect_err("it is refused").reason
    };
    assert_eq!(
        refused(&SCENE.replace("speed: 1", "speed: 1\n<<<<<<< HEAD\n=======\n>>>>>>> x")),
        Refusal::ConflictMarkers
    );
    assert_eq!(
        refused("version https://git-lfs.github.com/spec/v1\noid sha256:00\n"),
        Refusal::LfsPointer
    );
    assert_eq!(refused("%YAML\0"), Refusal::Binary);
    assert!(matches!(refused("{ not yaml"), Refusal::NotReadable(_)));
    assert!(matches!(
        refused(&format!("{SCENE}--- !u!1 &100\nGameObject:\n  m_Name: Twice\n")),
        Refusal::NotReadable(_)
    ));
    let inputs = Inputs { base: b"", ours: b"a", theirs: b"b" };
    let unknown = merge(Path::new("a.png"), inputs, &Choices::new()).expect_err("unknown");
    assert_eq!(unknown.reason, Refusal::UnknownKind);
}

#[test]
fn a_file_that_both_added_has_no_base() {
    let merged_same = chosen("", SCENE, SCENE, &Choices::new());
    assert_eq!(text(&merged_same), SCENE);
    let theirs = SCENE.replace("m_Name: Wall", "m_Name: Hedge");
    let merged = chosen("", SCENE, &theirs, &Choices::new());
    let ids: Vec<&str> = merged.conflicts.iter().map(|conflict| conflict.id.as_str()).collect();
    assert_eq!(ids, ["200"]);
}
