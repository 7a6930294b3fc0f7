//! Projects that nobody would make on purpose, through the real binary: every tool answers in
//! time, and says of which file it cannot say all.

use std::fmt::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use scenewright_fixture::Folder;

/// How deep prefabs nest, and objects.
const DEEP: usize = 10_000;
/// No answer takes longer, on any machine, without optimization.
const PATIENCE: Duration = Duration::from_secs(120);

/// A Unity project that is gone at the end of the test.
struct Project(Folder);

impl Project {
    fn new() -> Self {
        Self(Folder::unity(""))
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.write(name, content);
    }

    /// A file of objects, and its meta with the guid of this number.
    fn asset(&self, name: &str, guid: usize, objects: &str) {
        self.write(name, format!("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{objects}"));
        self.meta(name, guid);
    }

    fn meta(&self, name: &str, guid: usize) {
        let meta = format!("fileFormatVersion: 2\nguid: {}\n", hex(guid));
        self.write(&format!("{name}.meta"), meta);
    }

    /// What the binary answers, with its exit code.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
        let cache = self.0.path("cache");
        command.current_dir(self.0.root()).env("XDG_CACHE_HOME", &cache).env("HOME", &cache);
        command.args(arguments).arg("--project").arg(self.0.root()).stdin(Stdio::null());
        let Output { status, stdout, stderr } = command.output().unwrap();
        let took = start.elapsed();
        assert!(took < PATIENCE, "{arguments:?} took {took:?}");
        let both = [stdout, stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (status.code(), both)
    }

    /// A tool that has an answer.
    fn call(&self, tool: &str, arguments: &[&str]) -> String {
        let (code, said) = self.run(&[&["call", tool], arguments].concat());
        assert_eq!(code, Some(0), "{tool} {arguments:?}: {said}");
        said
    }

    fn check(&self) -> String {
        self.run(&["check", "--all"]).1
    }

    /// A scene as all tools that show one show it.
    fn shows(&self, scene: &str, expected: &[&str]) {
        let scene = format!("scenePath={scene}");
        let dump = self.call("scene.hierarchy.dump", &[&scene]);
        let found = self.call("scene.objects.find", &[&scene]);
        for expected in expected {
            assert!(dump.contains(expected), "{scene} has no {expected}: {}", start_of(&dump));
            assert!(found.contains(expected), "{scene} has no {expected}: {}", start_of(&found));
        }
    }
}

fn start_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(2000)]
}

fn hex(guid: usize) -> String {
    format!("abcd{guid:028x}")
}

/// An object with a transform, whose id is one more.
fn object(id: usize, name: &str, father: usize, child: Option<usize>) -> String {
    let mut text = format!(
        "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {transform}}}\n  m_Name: {name}\n\
         --- !u!4 &{transform}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_Father: {{fileID: {father}}}\n",
        transform = id + 1
    );
    match child {
        Some(child) => write!(text, "  m_Children:\n  - {{fileID: {child}}}\n").unwrap(),
        None => text += "  m_Children: []\n",
    }
    text
}

fn instance(id: usize, prefab: usize, parent: usize) -> String {
    format!(
        "--- !u!1001 &{id}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: {parent}}}\n    \
         m_Modifications: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {}, type: 3}}\n",
        hex(prefab)
    )
}

#[test]
fn prefabs_that_contain_themselves() {
    let project = Project::new();
    let prefab = |name: &str, inner| object(10, name, 0, None) + &instance(50, inner, 11);
    project.asset("Assets/Self.prefab", 1, &prefab("Self", 1));
    project.asset("Assets/A.prefab", 2, &prefab("A", 3));
    project.asset("Assets/B.prefab", 3, &prefab("B", 2));
    project.asset("Assets/Loop.unity", 4, &(instance(7, 1, 0) + &instance(8, 2, 0)));
    project.shows("Assets/Loop.unity", &["Self", "A/B"]);
    project.shows("Assets/Self.prefab", &["Self/Self"]);
    let dump = project.call("scene.hierarchy.dump", &["scenePath=Assets/Self.prefab"]);
    assert!(dump.contains("the prefab contains itself"), "{dump}");
    let usages = project.call("asset.usages", &["assetPath=Assets/A.prefab"]);
    assert!(usages.contains("Assets/B.prefab") && usages.contains("Assets/Loop.unity"), "{usages}");
    project.call("project.references.missing", &[]);
    let check = project.check();
    for file in ["Assets/Self.prefab", "Assets/A.prefab", "Assets/B.prefab"] {
        assert!(check.contains(file), "{file} is not in {check}");
    }
}

/// A scene of one prefab, which has one in it, and so on.
fn chain(length: usize) -> Project {
    let project = Project::new();
    for number in 0..length {
        let inner = if number + 1 < length { instance(50, number + 1, 11) } else { String::new() };
        let objects = object(10, &format!("C{number}"), 0, None) + &inner;
        project.asset(&format!("Assets/C{number}.prefab"), number, &objects);
    }
    project.asset("Assets/Chain.unity", length, &instance(7, 0, 0));
    project
}

#[test]
fn prefabs_nested_ten_thousand_deep() {
    let project = chain(DEEP);
    project.shows("Assets/Chain.unity", &["C0/C1/C2"]);
    let last = ["scenePath=Assets/Chain.unity", "namePattern=C64"];
    let found = project.call("scene.objects.find", &last);
    assert!(found.contains("C62/C63/C64"), "{found}");
    assert!(
        found.contains("1 prefab instances could not be looked into, such as C0/C1"),
        "{found}"
    );
    assert!(found.contains("(prefabs are nested too deep)"), "{found}");
    let usages = project.call("asset.usages", &["assetPath=Assets/C9999.prefab"]);
    assert!(usages.contains("C9998/C9999: instance"), "{usages}");
    project.call("project.references.missing", &["scope=scenes"]);
}

#[test]
fn prefabs_nested_too_deep_are_found_by_a_check() {
    let check = chain(200).check();
    for file in ["Assets/Chain.unity", "Assets/C0.prefab", "Assets/C100.prefab"] {
        assert!(check.contains(file), "{file} is not in {check}");
    }
    assert!(check.contains("nested 200 deep"), "{check}");
    assert!(!check.contains("Assets/C199.prefab"), "nothing is in that one");
}

#[test]
fn objects_nested_ten_thousand_deep() {
    let project = Project::new();
    let mut scene = String::new();
    for number in 0..DEEP {
        let father = if number == 0 { 0 } else { number * 10 + 1 };
        let child = (number + 1 < DEEP).then_some(number * 10 + 21);
        scene += &object(number * 10 + 10, &format!("N{number}"), father, child);
    }
    project.asset("Assets/Deep.unity", 1, &scene);
    project.shows("Assets/Deep.unity", &["N0/N1/N2"]);
    let dump = project.call("scene.hierarchy.dump", &["scenePath=Assets/Deep.unity"]);
    assert!(dump.contains(r#""truncated":true"#), "{}", start_of(&dump));
    let last =
        project.call("scene.objects.find", &["scenePath=Assets/Deep.unity", "namePattern=N9999"]);
    assert!(last.contains("N9998/N9999"), "{}", start_of(&last));
    project.call("project.references.missing", &[]);
    assert!(!project.check().contains("Deep.unity"), "nothing is wrong with it");
}

#[test]
fn names_that_are_no_text_and_files_cut_short() {
    let project = Project::new();
    project.asset("Assets/Bytes.unity", 1, "");
    let bytes = object(10, "ab\u{1}cd", 0, None).into_bytes();
    let bytes: Vec<u8> = bytes.into_iter().map(|b| if b == 1 { 0xff } else { b }).collect();
    project.write("Assets/Bytes.unity", [b"%YAML 1.1\n".as_slice(), &bytes].concat());
    project.shows("Assets/Bytes.unity", &["ab\u{fffd}cd"]);
    let whole = object(10, "Whole", 0, Some(21)) + &object(20, "Part", 11, None);
    project.asset("Assets/Cut.unity", 2, &whole[..whole.len() - 90]);
    project.shows("Assets/Cut.unity", &["Whole", "Part"]);
    assert!(project.check().contains("Assets/Cut.unity"), "an object is cut off");
    project.call("project.references.missing", &[]);
}

#[test]
fn files_that_are_no_files() {
    let project = Project::new();
    std::fs::create_dir_all(project.0.path("Assets/Folder.prefab")).unwrap();
    project.meta("Assets/Folder.prefab", 1);
    project.meta("Assets/Gone.prefab", 2);
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", project.0.path("Assets/Gone.prefab")).unwrap();
    project.asset("Assets/Uses.unity", 3, &(instance(7, 1, 0) + &instance(8, 2, 0)));
    project.shows("Assets/Uses.unity", &["Folder", "Gone"]);
    for file in ["Assets/Folder.prefab", "Assets/Gone.prefab"] {
        let (code, said) =
            project.run(&["call", "scene.hierarchy.dump", &format!("scenePath={file}")]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(&format!("{file} cannot be read")), "{said}");
        let usages = project.call("asset.usages", &[&format!("assetPath={file}")]);
        assert!(usages.contains("Assets/Uses.unity"), "{usages}");
    }
    let missing = project.call("project.references.missing", &[]);
    assert!(missing.contains("Assets/Uses.unity"), "{missing}");
    let check = project.check();
    assert!(check.contains("Assets/Gone.prefab") && check.contains("Assets/Uses.unity"), "{check}");
}
