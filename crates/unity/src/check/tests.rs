//! Findings in small projects, each written as one text.

use std::fs;

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;

use super::*;
use crate::Guid;
use crate::hierarchy::{Loaded, Source};
use crate::index::Flags;

mod again;
mod binary;
mod broken;
mod doubts;
mod overrides;
mod rechecks;
mod references;
mod words;

struct Files(Arc<Index>);

impl Source for Files {
    fn document(&self, guid: Guid) -> Loaded {
        let asset = self.0.by_guid(guid);
        let there = asset.filter(|asset| !asset.flags().contains(Flags::ASSET_MISSING));
        let document = there.and_then(|asset| asset.document().ok());
        document.map_or(Loaded::Missing, |document| Loaded::Document(Arc::new(document)))
    }

    fn path(&self, guid: Guid) -> Option<String> {
        self.0.by_guid(guid).map(|asset| asset.path())
    }
}

struct Patient;

impl Watcher for Patient {
    fn step(&self, _: usize, _: usize) -> bool {
        true
    }
}

fn run(store: &Store) -> Report {
    let index = store.index();
    let expander = Expander::new(Arc::new(Files(index.clone())));
    super::project(store, &index, &expander, &[], &Patient)
}

/// What a check says, one line each.
fn said(report: &Report) -> String {
    let mut lines: Vec<String> = report
        .findings
        .iter()
        .map(|f| {
            let line = f.line.map_or(String::new(), |line| format!(":{line}"));
            let object = f.object.as_ref().map_or(String::new(), |path| format!(" [{path}]"));
            format!("{:?} {}{line}{object} {}\n", f.kind, f.file, f.message)
        })
        .collect();
    lines.sort();
    lines.concat()
}

fn check(text: &str, expected: Expect) {
    let dir = Folder::unity(text);
    expected.assert_eq(&said(&run(&Store::open(dir.root(), None))));
}

/// A guid; its upper half must not be zero, or it is one of the engine's own.
fn guid(number: u32) -> String {
    format!("abc{number:029x}")
}

/// A file and its meta; `number` becomes the guid.
fn file(path: &str, number: u32, content: &str) -> String {
    let guid = guid(number);
    let importer = match path.rsplit('.').next() {
        Some("prefab" | "asset" | "mat") => "NativeFormatImporter:\n",
        _ => "",
    };
    format!("//- Assets/{path}\n{content}\n//- Assets/{path}.meta\nguid: {guid}\n{importer}")
}

/// A prefab of one object with a script.
fn prefab(name: &str, script: u32, more: &str) -> String {
    let script = guid(script);
    format!(
        "%YAML 1.1\n--- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {{fileID: 2}}\n  - component: {{fileID: 3}}\n  m_Name: {name}\n\
         --- !u!4 &2\nTransform:\n  m_GameObject: {{fileID: 1}}\n  m_Children: []\n  m_Father: {{fileID: 0}}\n\
         --- !u!114 &3\nMonoBehaviour:\n  m_GameObject: {{fileID: 1}}\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n{more}"
    )
}

const DOOR: u32 = 0xd0000001;
const DOOR_CS: &str = "public class Door : MonoBehaviour {}";

/// An instance of the prefab with this guid, as the only content of a file.
fn instance(source: u32, changes: &str) -> String {
    let source = guid(source);
    format!(
        "%YAML 1.1\n--- !u!1001 &100\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:{changes}\n    m_RemovedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {source}, type: 3}}"
    )
}

fn change(source: u32, id: i64) -> String {
    let source = guid(source);
    format!(
        "\n    - target: {{fileID: {id}, guid: {source}, type: 3}}\n      propertyPath: m_Name\n      value: x\n      objectReference: {{fileID: 0}}"
    )
}

#[test]
fn a_script_without_its_class_is_told() {
    let text = [
        file("Door.cs", DOOR, "class Gate : MonoBehaviour {} class Fence : MonoBehaviour {}"),
        file("A.prefab", 0xa0000001, &prefab("A", DOOR, "")),
        // Unity 6 notes the class itself; this one is in the file, the other is not.
        file(
            "B.prefab",
            0xa0000002,
            &prefab("B", DOOR, "  m_EditorClassIdentifier: Game::My.Gate"),
        ),
        file(
            "C.prefab",
            0xa0000003,
            &prefab("C", DOOR, "  m_EditorClassIdentifier: Game::My.Wall"),
        ),
        file(
            "D.asset",
            0xa0000004,
            &format!(
                "--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {}, type: 3}}",
                guid(DOOR)
            ),
        ),
    ];
    check(
        &text.concat(),
        expect![[r#"
            ScriptWithoutClass Assets/A.prefab:16 [A] Missing script component at index 1 on GameObject 'A': its script Assets/Door.cs has no class Door
            ScriptWithoutClass Assets/C.prefab:16 [C] Missing script component at index 1 on GameObject 'C': its script Assets/Door.cs has no class Door
            ScriptWithoutClass Assets/D.asset:3 its script Assets/Door.cs has no class Door
        "#]],
    );
}

#[test]
fn a_script_may_stand_in_the_file_of_its_component() {
    let inside = "--- !u!115 &9\nMonoScript:\n  m_ClassName: Gate\n  m_Namespace: My\n";
    let scene = |id: i64| {
        let script = format!("m_Script: {{fileID: 11500000, guid: {}, type: 3}}", guid(DOOR));
        let local = format!("m_Script: {{fileID: {id}}}");
        file("A.unity", 0xa0000001, &(prefab("A", DOOR, inside).replace(&script, &local)))
    };
    check(&scene(9), expect![""]);
    // An object that is none, and one that is not there.
    for id in [2, 8] {
        check(
            &scene(id),
            expect![[r#"
                MissingScript Assets/A.unity:16 [A] Missing script component at index 1 on GameObject 'A': its script is lost
            "#]],
        );
    }
}

#[test]
fn a_scene_of_the_build_that_was_moved_is_found_by_its_guid() {
    let told = |path: &str, number: Option<u32>| {
        let dir = Folder::unity(&(file("New.unity", 1, "%YAML 1.1") + &file("A.mat", 2, "")));
        let store = Store::open(dir.root(), None);
        let index = store.index();
        let expander = Expander::new(Arc::new(Files(index.clone())));
        let scene =
            crate::BuildScene { path: path.to_owned(), guid: number.map(guid), enabled: true };
        let report = super::project(&store, &index, &expander, &[scene], &Patient);
        report.findings.iter().any(|found| found.kind == FindingKind::MissingBuildScene)
    };
    assert!(!told("Assets/New.unity", None));
    assert!(!told("Assets/Old.unity", Some(1)));
    for number in [None, Some(2), Some(3)] {
        assert!(told("Assets/Old.unity", number), "{number:?}");
    }
}

#[test]
fn assemblies_in_a_circle_are_told_once() {
    let assembly = |name: &str, uses: &str| {
        format!("{{\n  \"name\": \"{name}\",\n  \"references\": [{uses}]\n}}")
    };
    let link = |number: u32| format!("\"GUID:{}\"", guid(number));
    let text = [
        file("a/A.asmdef", 0xa1, &assembly("A", &link(0xb1))),
        file("b/B.asmdef", 0xb1, &assembly("B", "\"C\"")),
        file("c/C.asmdef", 0xc1, &assembly("C", "\"A\", \"D\"")),
        file("d/D.asmdef", 0xd1, &assembly("D", "\"Unknown\"")),
    ];
    let metas = ["a", "b", "c", "d"].map(|name| {
        format!("//- Assets/{name}.meta\nguid: {}\n", guid(u32::from(name.as_bytes()[0])))
    });
    check(
        &(text.concat() + &metas.concat()),
        expect![[r#"
            AssemblyCycle Assets/a/A.asmdef:3 the assemblies need each other: A -> B -> C -> A
        "#]],
    );
}

#[test]
fn without_a_manifest_a_guid_that_no_file_has_is_not_judged() {
    let asset = |script: &str| {
        format!(
            "//- Assets/A.asset\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n\
             //- Assets/A.asset.meta\nguid: {}\n",
            guid(1)
        )
    };
    let judged = |version: &str, script: &str| {
        let dir = Folder::files(&asset(script));
        dir.write("ProjectSettings/ProjectVersion.txt", format!("m_EditorVersion: {version}\n"));
        let report = run(&Store::open(dir.root(), None));
        said(&report) + &report.notes.join("\n")
    };
    let lost = guid(0xdead);
    expect![[r#"
        UnknownScript Assets/A.asset:3 no script has the guid abc0000000000000000000000000dead; it may be in a package, and Packages/manifest.json, which names them, is not here
        Packages/manifest.json is not here, so which packages the project has is not known; scripts of Unity's own packages are known by their guids, and 1 reference in 1 file that may lead into a package (Assets/A.asset is one of the files) are not judged"#]].assert_eq(&judged("2022.3.20f1", &lost));
    // Known by its guid: the Image of com.unity.ugui.
    expect!["Packages/manifest.json is not here, so which packages the project has is not known; scripts of Unity's own packages are known by their guids, and references into a package (none is in doubt) are not judged"].assert_eq(&judged("2022.3.20f1", "fe87c0e1cc204ed48ad3b37840f39efc"));
    // There were no packages yet.
    expect![[r#"
        MissingScript Assets/A.asset:3 no script has the guid abc0000000000000000000000000dead
    "#]]
    .assert_eq(&judged("5.6.1f1", &lost));
}

#[test]
fn a_deleted_script_is_missing_for_certain_where_the_history_knows_it() {
    let text = [
        file("Door.cs", DOOR, "class Door : MonoBehaviour {}"),
        file("A.prefab", 0xa0000001, &prefab("A", DOOR, "")),
        "//- Packages/manifest.json\n{ \"dependencies\": { \"com.vendor.parts\": \"1.0.0\" } }\n"
            .into(),
    ];
    let judged = |has_history: bool| {
        let dir = Folder::unity(&text.concat());
        let git = |args: &[&str]| scenewright_fixture::git_done(dir.root(), args);
        if has_history {
            git(&["init", "--quiet"]);
            git(&["add", "--all"]);
            git(&["commit", "--quiet", "-m", "All"]);
        }
        assert_eq!(said(&run(&Store::open(dir.root(), None))), "");
        fs::remove_file(dir.path("Assets/Door.cs")).unwrap();
        fs::remove_file(dir.path("Assets/Door.cs.meta")).unwrap();
        said(&run(&Store::open(dir.root(), None)))
    };
    expect![[r#"
        MissingScript Assets/A.prefab:16 [A] Missing script component at index 1 on GameObject 'A': no script has the guid abc000000000000000000000d0000001; Assets/Door.cs had it and is deleted
    "#]].assert_eq(&judged(true));
    expect![[r#"
        UnknownScript Assets/A.prefab:16 [A] Missing script component at index 1 on GameObject 'A': no script has the guid abc000000000000000000000d0000001; it may be in com.vendor.parts, which is not here
    "#]].assert_eq(&judged(false));
}
