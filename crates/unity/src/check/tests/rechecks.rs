//! A check after a change says what a first check of the same files would say.

use super::*;

const BASE: u32 = 0xb0000001;

fn write(dir: &Folder, path: &str, content: &str) {
    dir.write(&format!("Assets/{path}"), content);
}

/// Refreshes what changed, checks, and compares with a check that remembers nothing.
fn compare(dir: &Folder, store: &Store, changed: &[&str]) -> String {
    let paths: Vec<_> = changed.iter().map(|path| dir.path("Assets").join(path)).collect();
    store.refresh(&paths);
    let again = said(&run(store));
    assert_eq!(again, said(&run(&Store::open(dir.root(), None))), "after {changed:?}");
    again
}

#[test]
fn changes_reach_every_file_they_concern() {
    let text = [
        file("Door.cs", DOOR, DOOR_CS),
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file("Variant.prefab", 0xb0000002, &instance(BASE, &change(BASE, 3))),
        file("Main.unity", 0xb0000003, &instance(0xb0000002, &change(0xb0000002, 100 ^ 3))),
        file("a.asmdef", 0xb0000004, "{\"name\": \"A\", \"references\": [\"B\"]}"),
    ];
    let dir = Folder::unity(&text.concat());
    let store = Store::open(dir.root(), None);
    assert_eq!(said(&run(&store)), "");
    assert_eq!(compare(&dir, &store, &[]), "");

    // The component that the variant and the scene change is gone two files away.
    let whole = prefab("Base", DOOR, "");
    write(&dir, "Base.prefab", &whole.replace("&3", "&4").replace("{fileID: 3}", "{fileID: 4}"));
    let stale = compare(&dir, &store, &["Base.prefab"]);
    assert_eq!(stale.matches("StaleOverride").count(), 2, "{stale}");
    write(&dir, "Base.prefab", &whole);
    assert_eq!(compare(&dir, &store, &["Base.prefab"]), "");

    // The script of a prefab goes, loses its class, and comes back.
    fs::remove_file(dir.path("Assets/Door.cs")).unwrap();
    let gone = compare(&dir, &store, &["Door.cs"]);
    assert_eq!(gone.matches("MissingScript").count(), 1, "{gone}");
    write(&dir, "Door.cs", "class Gate {}");
    let nameless = compare(&dir, &store, &["Door.cs"]);
    assert_eq!(nameless.matches("ScriptWithoutClass").count(), 1, "{nameless}");
    write(&dir, "Door.cs", DOOR_CS);
    assert_eq!(compare(&dir, &store, &["Door.cs"]), "");

    // A second file takes the guid of the prefab.
    write(&dir, "Copy.prefab", &whole);
    write(&dir, "Copy.prefab.meta", &format!("guid: {}\n", guid(BASE)));
    let twice = compare(&dir, &store, &["Copy.prefab", "Copy.prefab.meta"]);
    assert_eq!(twice.matches("DuplicateGuid").count(), 2, "{twice}");
    for name in ["Copy.prefab", "Copy.prefab.meta"] {
        fs::remove_file(dir.path("Assets").join(name)).unwrap();
    }
    assert_eq!(compare(&dir, &store, &["Copy.prefab", "Copy.prefab.meta"]), "");

    // Two assemblies come to need each other.
    write(&dir, "Base.asmdef", "{\"name\": \"B\", \"references\": [\"A\"]}");
    write(&dir, "Base.asmdef.meta", &format!("guid: {}\n", guid(0xb0000005)));
    let circle = compare(&dir, &store, &["Base.asmdef", "Base.asmdef.meta"]);
    assert_eq!(circle.matches("AssemblyCycle").count(), 1, "{circle}");
}

#[test]
fn an_object_that_goes_from_a_file_concerns_all_that_refer_to_it() {
    let to = |number: u32, id: i64| {
        prefab("A", DOOR, &format!("  to: {{fileID: {id}, guid: {}, type: 2}}", guid(number)))
    };
    let notes = |id: i64| format!("%YAML 1.1\n--- !u!114 &{id}\nMonoBehaviour:\n  m_Name: N\n");
    let sheet = |id: i64| {
        format!(
            "guid: {}\nTextureImporter:\n  internalIDToNameTable:\n  - first:\n      213: {id}\n    second: a\n  spriteMode: 2\n",
            guid(0xb0000004)
        )
    };
    let text = [
        file("Door.cs", DOOR, DOOR_CS),
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file("Variant.prefab", 0xb0000002, &instance(BASE, " []")),
        file("Notes.asset", 0xb0000003, &notes(7)),
        format!("//- Assets/Sheet.png\nx\n//- Assets/Sheet.png.meta\n{}", sheet(5012000000001)),
        file("ToVariant.prefab", 0xa0000001, &to(0xb0000002, 100 ^ 3)),
        file("ToNotes.prefab", 0xa0000002, &to(0xb0000003, 7)),
        file("ToSheet.prefab", 0xa0000003, &to(0xb0000004, 5012000000001)),
    ];
    let dir = Folder::unity(&text.concat());
    let store = Store::open(dir.root(), None);
    assert_eq!(said(&run(&store)), "");
    let broken = |path: &str, content: &str, whole: &str| {
        write(&dir, path, content);
        let told = compare(&dir, &store, &[path]);
        assert_eq!(told.matches("BrokenReference").count(), 1, "{path}: {told}");
        write(&dir, path, whole);
        assert_eq!(compare(&dir, &store, &[path]), "", "{path}");
    };
    broken("Notes.asset", &notes(8), &notes(7));
    broken("Sheet.png.meta", &sheet(5012000000002), &sheet(5012000000001));
    let base = prefab("Base", DOOR, "");
    let other = base.replace("&3", "&4").replace("{fileID: 3}", "{fileID: 4}");
    broken("Base.prefab", &other, &base);
}

#[test]
fn another_class_in_a_script_and_another_version_are_noticed() {
    let version = |text: &str| format!("m_EditorVersion: {text}\n");
    let text = format!(
        "//- ProjectSettings/ProjectVersion.txt\n{}{}{}",
        version("2021.3.4f1"),
        file("Wall.cs", DOOR, "class Gate : MonoBehaviour {}"),
        file("A.prefab", 0xa0000001, &prefab("A", DOOR, ""))
    );
    let dir = Folder::unity(&text);
    let store = Store::open(dir.root(), None);
    assert!(said(&run(&store)).contains("declares Gate"));
    write(&dir, "Wall.cs", "class Fence : MonoBehaviour {}");
    assert!(compare(&dir, &store, &["Wall.cs"]).contains("declares Fence"));
    dir.write("ProjectSettings/ProjectVersion.txt", version("6000.0.1f1"));
    store.refresh(&[dir.path("ProjectSettings/ProjectVersion.txt")]);
    assert_eq!(compare(&dir, &store, &[]), "");
}

#[test]
fn a_check_that_was_stopped_is_not_taken_for_whole() {
    struct Hasty;
    impl Watcher for Hasty {
        fn step(&self, _: usize, _: usize) -> bool {
            false
        }
    }
    let text = file("A.prefab", 0xa0000001, &prefab("A", 0xdead, ""));
    let dir = Folder::unity(&text);
    let store = Store::open(dir.root(), None);
    let index = store.index();
    let expander = Expander::new(Arc::new(Files(index.clone())));
    let report = super::super::project(&store, &index, &expander, &[], &Hasty);
    assert!(report.checked < report.total);
    assert_eq!(said(&run(&store)).matches("MissingScript").count(), 1);
}

#[test]
fn a_check_stops_inside_of_a_file_that_stands_for_millions() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Impatient(AtomicUsize);
    impl Watcher for Impatient {
        fn step(&self, _: usize, _: usize) -> bool {
            true
        }
        fn stop(&self) -> Box<dyn Fn() -> bool + Sync + '_> {
            Box::new(|| self.0.fetch_add(1, Ordering::Relaxed) >= 3)
        }
    }
    // Each has ten of the next, so that the first stands for a hundred million objects.
    let next = |number: u32| 0xa0000001 + number;
    let nested = |number: u32| -> String {
        let one = instance(next(number + 1), " []");
        let ten = (0..10).map(|at| one.replace("&100", &format!("&{}", 100 + at)));
        prefab("N", 0xdead, "") + "\n" + &ten.collect::<Vec<_>>().join("\n")
    };
    let files =
        (0..8).map(|number| file(&format!("{number}.prefab"), next(number), &nested(number)));
    let last = file("8.prefab", next(8), &prefab("N", 0xdead, ""));
    let dir = Folder::unity(&(files.collect::<String>() + &last));
    let store = Store::open(dir.root(), None);
    let index = store.index();
    let expander = Expander::new(Arc::new(Files(index.clone())));
    let watcher = Impatient(AtomicUsize::new(0));
    let report = super::super::project(&store, &index, &expander, &[], &watcher);
    assert!(report.checked < report.total, "{} of {}", report.checked, report.total);
    // Every file that was being judged looks once more; without a look each takes a million steps.
    assert!(watcher.0.into_inner() < 32);
}
