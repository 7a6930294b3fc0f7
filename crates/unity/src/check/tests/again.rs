//! A scene that changes again and again is judged as if it were read whole each time.

use std::fs::File;
use std::time::{Duration, SystemTime};

use super::*;

const BASE: u32 = 0xb0000001;
const SKIN: u32 = 0xb0000002;
const SCENE: &str = "Assets/Main.unity";

/// A small random source; the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// Ten objects, each under the one before, with a script, a mesh and a field, and an instance.
fn scene() -> String {
    let mut text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n".to_owned();
    let (door, skin, base) = (guid(DOOR), guid(SKIN), guid(BASE));
    for number in 1..=10 {
        let id = number * 10;
        let (father, child) = (if number == 1 { 0 } else { id - 9 }, id + 11);
        let children = match number {
            10 => " []".to_owned(),
            5 => format!("\n  - {{fileID: {child}}}\n  - {{fileID: 502}}"),
            _ => format!("\n  - {{fileID: {child}}}"),
        };
        text += &format!(
            "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {}}}\n  - component: {{fileID: {}}}\n  - component: {{fileID: {}}}\n  m_Name: Thing {}\n  m_IsActive: 1\n",
            id + 1,
            id + 2,
            id + 3,
            number / 2
        );
        text += &format!(
            "--- !u!4 &{}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_LocalPosition: {{x: {number}, y: 0, z: 0}}\n  m_Children:{children}\n  m_Father: {{fileID: {father}}}\n  m_RootOrder: 0\n",
            id + 1
        );
        text += &format!(
            "--- !u!114 &{}\nMonoBehaviour:\n  m_GameObject: {{fileID: {id}}}\n  m_Script: {{fileID: 11500000, guid: {door}, type: 3}}\n  skin: {{fileID: 2100000, guid: {skin}, type: 2}}\n  near: {{fileID: {}}}\n  words: 'it''s {{fileID: 77}}'\n",
            id + 2,
            id + 1
        );
        text += &format!(
            "--- !u!33 &{}\nMeshFilter:\n  m_GameObject: {{fileID: {id}}}\n  m_Mesh: {{fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}}\n",
            id + 3
        );
    }
    text += &format!(
        "--- !u!4 &502 stripped\nTransform:\n  m_CorrespondingSourceObject: {{fileID: 2, guid: {base}, type: 3}}\n  m_PrefabInstance: {{fileID: 500}}\n"
    );
    text + &instance(BASE, &change(BASE, 1))
        .replace("%YAML 1.1\n", "")
        .replace("&100", "&500")
        .replace("m_TransformParent: {fileID: 0}", "m_TransformParent: {fileID: 51}")
        + "\n"
}

/// Replaces one of the places that a text has, or leaves it alone when there is none.
fn replace_one(text: &mut String, old: &str, new: &str, random: &mut Random) {
    let places: Vec<usize> = text.match_indices(old).map(|(at, _)| at).collect();
    if !places.is_empty() {
        let at = places[random.below(places.len())];
        text.replace_range(at..at + old.len(), new);
    }
}

fn edit(text: &mut String, random: &mut Random) {
    let (door, skin) = (guid(DOOR), guid(SKIN));
    let script = format!("m_Script: {{fileID: 11500000, guid: {door}, type: 3}}");
    let field = format!("skin: {{fileID: 2100000, guid: {skin}, type: 2}}");
    let gone = guid(0xdead);
    match random.below(16) {
        0 | 1 => replace_one(text, "{x: ", random.one(&["{x: 1", "{x: -"]), random),
        2 => replace_one(text, &script, "m_Script: {fileID: 0}", random),
        3 => replace_one(text, &format!("guid: {door}"), &format!("guid: {gone}"), random),
        4 => replace_one(text, &format!("guid: {gone}"), &format!("guid: {door}"), random),
        5 => replace_one(
            text,
            &field,
            &format!("skin: {{fileID: 7, guid: {skin}, type: 2}}"),
            random,
        ),
        6 => replace_one(
            text,
            "near: {fileID: ",
            random.one(&["near: {fileID: 9", "near: {fileID: 502}\n  far: {fileID: "]),
            random,
        ),
        7 => replace_one(
            text,
            "m_Name: Thing",
            random.one(&["m_Name: Other", "m_Name: Thing\n  extra: 1"]),
            random,
        ),
        8 => replace_one(
            text,
            "  words: ",
            random.one(&[
                "  more: 1\n  words: ",
                "  more: \"a\n\n    b {fileID: 8}\"\n  words: ",
                "  more: 'open\n  words: ",
            ]),
            random,
        ),
        9 => replace_one(text, "  more: 1\n", "", random),
        10 => replace_one(text, "m_RootOrder: 0", "m_RootOrder: 3", random),
        11 => replace_one(
            text,
            "m_Mesh: {fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}",
            &format!("m_Mesh: {{fileID: 2100000, guid: {skin}, type: 2}}"),
            random,
        ),
        12 => replace_one(
            text,
            "propertyPath: m_Name",
            random.one(&["propertyPath: doorSpeed", "propertyPath: m_Layer"]),
            random,
        ),
        13 => replace_one(text, "m_Father: {fileID: 51}", "m_Father: {fileID: 41}", random),
        14 => replace_one(
            text,
            "--- !u!33 &",
            random.one(&[
                "--- !u!33 &9",
                "--- !u!23 &",
                "--- !u!33 &7 stripped\nMeshFilter:\n  a: 1\n--- !u!33 &",
            ]),
            random,
        ),
        _ => replace_one(
            text,
            "  m_IsActive: 1\n",
            random.one(&[
                "  m_IsActive: 0\n",
                "<<<<<<< ours\n",
                "  m_IsActive: 1\n  lone: GUID:abc0000000000000000000000b000002\n",
            ]),
            random,
        ),
    }
}

/// Writes a file with a time of its own that is long past, so that its time alone tells of it.
fn write(dir: &Folder, path: &str, text: Option<&str>, step: u64) {
    if let Some(text) = text {
        dir.write(path, text);
    }
    let file = File::options().write(true).open(dir.path(path)).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + step);
    file.set_modified(time).unwrap();
}

fn shown(store: &Store) -> String {
    let index = store.index();
    let scene = index.by_path(SCENE).unwrap();
    let objects: Vec<_> = scene.objects().collect();
    let outgoing: Vec<_> = scene.outgoing().map(|out| (out.target, out.count)).collect();
    let traits = [
        scene.is_sound(),
        scene.removes_objects(),
        scene.has_free_ids(),
        scene.is_amiss(),
        scene.has_foreign_overrides(),
    ];
    format!("{objects:?}\n{outgoing:?}\n{traits:?}")
}

#[test]
fn a_scene_that_changes_is_judged_as_if_it_were_read_whole() {
    let (mut parts, mut known) = (0, 0);
    for seed in 0..5 {
        // What leads nowhere may be in a package, or is certainly gone.
        let needs = if seed % 2 == 0 { "\"com.vendor.parts\": \"1.0.0\"" } else { "" };
        let text = [
            file("Door.cs", DOOR, DOOR_CS),
            file("Skin.mat", SKIN, "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Skin"),
            file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
            file("Main.unity", 0xb0000003, &scene()),
            format!("//- Packages/manifest.json\n{{ \"dependencies\": {{ {needs} }} }}\n"),
        ];
        let dir = Folder::unity(&text.concat());
        let whole = fs::read_to_string(dir.path(SCENE)).unwrap();
        write(&dir, &format!("{SCENE}.meta"), None, 0);
        let store = Store::open(dir.root(), None);
        assert_eq!(said(&run(&store)), "");
        let (mut random, mut now) = (Random(seed), whole.clone());
        for step in 1..120 {
            edit(&mut now, &mut random);
            if random.below(6) == 0 {
                now.clone_from(&whole);
            }
            write(&dir, SCENE, Some(&now), step);
            store.refresh(&[dir.path(SCENE)]);
            if random.below(5) == 0 {
                // Another file, too, so that more than the scene is to be judged.
                dir.write("Assets/Door.cs", if step % 2 == 0 { DOOR_CS } else { "class Gate {}" });
                store.refresh(&[dir.path("Assets/Door.cs")]);
            }
            let fresh = Store::open(dir.root(), None);
            let asked = format!("seed {seed}, step {step}");
            assert_eq!(shown(&store), shown(&fresh), "{asked}");
            let index = store.index();
            let recent = store.recent().of(index.by_path(SCENE).unwrap());
            parts += usize::from(recent.is_some_and(|(_, part)| part.is_some()));
            if random.below(5) > 0 {
                let (report, expected) = (run(&store), run(&fresh));
                assert_eq!(said(&report), said(&expected), "{asked}");
                assert_eq!(report.notes, expected.notes, "{asked}");
                known += usize::from(store.checked().as_ref().unwrap().is_known());
            }
        }
    }
    // A test in which nothing is taken over from the text before would tell nothing.
    assert!(parts > 100 && known > 40, "{parts} parts, {known} judged by them");
}
