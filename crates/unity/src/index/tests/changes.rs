//! After any change a refreshed snapshot equals one that is built anew.

use super::*;

/// A small random source; the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
}

const FOLDERS: [&str; 6] =
    ["Assets", "Assets/A", "Assets/A/B", "Assets/A B", "Packages/com.b", "ProjectSettings"];

/// Writes a file with a time of its own that is long past, so that its time alone tells of it.
fn write(path: &Path, text: String, random: &mut Random) {
    fs::write(path, text).unwrap();
    let age = Duration::from_millis(3_600_000 + random.below(1 << 30) as u64);
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

/// Changes something on disk and says which paths a watcher would name.
fn edit(root: &Path, random: &mut Random) -> Vec<PathBuf> {
    let folder = root.join(FOLDERS[random.below(FOLDERS.len())]);
    let name = ["x.mat", "y.prefab", "z.png", "w~", "A.mat"][random.below(5)];
    let path = folder.join(name);
    let meta_path = folder.join(format!("{name}.meta"));
    match random.below(8) {
        0..3 => {
            fs::create_dir_all(&folder).unwrap();
            let text = format!(
                "--- !u!{} &{}\nThing:\n  a: {{fileID: 2, guid: {:032x}, type: 2}}\n",
                random.below(300),
                random.below(9) as i64 - 4,
                random.below(6) + 1,
            );
            write(&path, text, random);
            vec![path]
        }
        3..6 => {
            fs::create_dir_all(&folder).unwrap();
            let text = meta(&format!("{:x}", random.below(6) + 1), "XImporter");
            write(&meta_path, text, random);
            vec![meta_path]
        }
        6 => {
            let _ = fs::remove_file(&path);
            vec![path]
        }
        _ => {
            let tree = root.join(FOLDERS[1 + random.below(3)]);
            let _ = fs::remove_dir_all(&tree);
            vec![tree, meta_path]
        }
    }
}

#[test]
fn a_refresh_equals_a_rebuild() {
    for seed in 0..6 {
        let dir = Folder::files("//- Packages/com.b/package.json\n{\"name\": \"com.b\"}\n");
        let store = Store::open(dir.root(), None);
        let mut random = Random(seed);
        let mut pending = Vec::new();
        for step in 0..60 {
            pending.extend(edit(dir.root(), &mut random));
            if random.below(3) > 0 {
                continue;
            }
            let before = store.index();
            let generation = store.generation();
            let named = std::mem::take(&mut pending);
            let now = if random.below(4) == 0 { store.rebuild() } else { store.refresh(&named) };
            let fresh = build(&dir);
            assert_eq!(dump(&now), dump(&fresh), "seed {seed}, step {step}");
            assert_eq!(now.by_guid, fresh.by_guid, "seed {seed}, step {step}");
            for number in 1..7 {
                let guid = guid(&number.to_string());
                let paths =
                    |index: &Index| index.incoming(guid).map(Asset::path).collect::<Vec<_>>();
                assert_eq!(paths(&now), paths(&fresh));
            }
            let changes = store.changes_since(generation);
            assert!(changes.complete);
            assert!(dump(&before) == dump(&now) || !changes.changes.is_empty());
        }
        let cache = dir.path("cache");
        store.index().save(&cache).unwrap();
        let loaded = Index::load(&cache, dir.root()).unwrap();
        assert_eq!(dump(&loaded), dump(&store.index()));
    }
}

#[test]
fn a_long_tail_starts_anew() {
    let dir = Folder::files("//- Assets/a.txt\n");
    let store = Store::open(dir.root(), None);
    let folder = dir.path("Assets/Many");
    fs::create_dir(&folder).unwrap();
    for number in 0..2100 {
        fs::write(folder.join(format!("{number}.cs")), "").unwrap();
    }
    store.refresh(std::slice::from_ref(&folder));
    for name in ["one.cs", "two.cs", "7.cs"] {
        fs::write(folder.join(name), "x").unwrap();
        store.refresh(&[folder.join(name)]);
    }
    assert_eq!(store.index().segments.len(), 3);
    assert_eq!(dump(&store.index()), dump(&build(&dir)));
}

#[test]
fn changes_add_up() {
    let dir = Folder::files("//- Assets/a.txt\n//- Assets/b.txt\n");
    let store = Store::open(dir.root(), None);
    let start = store.generation();
    let path = |name: &str| dir.path("Assets").join(name);
    fs::write(path("c.txt"), "1").unwrap();
    store.refresh(&[path("c.txt")]);
    fs::write(path("c.txt"), "22").unwrap();
    fs::remove_file(path("a.txt")).unwrap();
    store.refresh(&[path("c.txt"), path("a.txt")]);
    let middle = store.generation();
    fs::write(path("b.txt"), "3").unwrap();
    fs::write(path("short.txt"), "").unwrap();
    store.rebuild();
    fs::remove_file(path("short.txt")).unwrap();
    store.rebuild();
    let show = |since| {
        let changes = store.changes_since(since).changes.into_iter();
        let changes: Vec<_> =
            changes.map(|change| format!("{:?} {}", change.kind, change.path)).collect();
        changes.join(", ")
    };
    expect!["Removed Assets/a.txt, Modified Assets/b.txt, Added Assets/c.txt"]
        .assert_eq(&show(start));
    expect!["Modified Assets/b.txt"].assert_eq(&show(middle));
    assert_eq!(show(store.generation()), "");
    assert!(!store.changes_since(0).complete);
    let before = store.generation();
    store.refresh(&[
        path("b.txt"),
        PathBuf::from("Assets/b.txt.meta"),
        PathBuf::from("/elsewhere"),
    ]);
    assert_eq!(store.generation(), before);
}

#[test]
fn a_new_package_is_found() {
    let dir = Folder::files("//- Assets/a.txt\n//- Packages/manifest.json\n{}\n");
    let store = Store::open(dir.root(), None);
    let package = dir.path("Packages/com.new");
    fs::create_dir_all(&package).unwrap();
    fs::write(package.join("package.json"), "{\"name\": \"com.new\"}").unwrap();
    let index = store.refresh(&[package.join("package.json")]);
    assert!(index.package("com.new").unwrap().present);
    assert!(index.by_path("Packages/com.new/package.json").is_some());
}
