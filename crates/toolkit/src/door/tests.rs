//! Plans that are made, refused, broken off, and taken back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use scenewright_contract::{Call, JsonMap, Limits};
use scenewright_fixture::Folder;

use super::*;
use crate::plain::{self, Plain};
use crate::{Runner, Settings};

mod failures;
mod others;
mod places;
mod planted;
mod power_cut;
mod undoing;

const PROJECT: &str = "\
//- Assets/a.txt
one
two
three
//- Assets/b.txt
bee
//- Assets/sub/c.txt
sea
//- Assets/sub/d.txt
deep
";

/// A project with a journal that outlasts the runner.
struct Bench {
    folder: Folder,
    cache: Folder,
}

impl Bench {
    fn new() -> Self {
        Self { folder: Folder::unity(PROJECT), cache: Folder::unity("") }
    }

    fn open(&self) -> Arc<Runner> {
        let cache = Some(self.cache.path("cache"));
        let workspace = plain::open(&[self.folder.root()], cache);
        plain::runner(workspace, Settings { allow_writes: true, ..Settings::default() }, None)
    }

    /// Where the changes of this project are remembered.
    fn history(&self) -> PathBuf {
        let mut folders = fs::read_dir(self.cache.path("cache")).unwrap().flatten();
        let is_history = |path: &PathBuf| path.is_dir();
        folders.find_map(|entry| Some(entry.path()).filter(is_history)).unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path(name)).unwrap()
    }

    /// Every file with its content and every folder, hidden ones as well.
    fn everything(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let mut all = BTreeMap::new();
        let mut open = vec![self.folder.path("")];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                let name = path.strip_prefix(self.folder.path("")).unwrap();
                let name = name.to_str().unwrap().replace('\\', "/");
                if path.is_dir() {
                    open.push(path);
                    all.insert(name, None);
                } else {
                    all.insert(name, Some(fs::read(path).unwrap()));
                }
            }
        }
        all
    }
}

fn cx(runner: &Arc<Runner>) -> Cx {
    Cx::new(runner.clone(), Call::new("test.write", JsonMap::new()), Limits::DEFAULT)
}

fn project(runner: &Runner) -> Arc<Project> {
    runner.workspace().projects()[0].clone()
}

fn path(runner: &Runner, name: &str) -> ProjectPath {
    ProjectPath::parse(&project(runner), name).unwrap()
}

/// Something of each kind: an edit, a new file in new folders, a removal, a move, a move with an
/// edit.
fn mixed(runner: &Arc<Runner>, dry_run: bool) -> Result<Written, ToolError> {
    let project = project(runner);
    let mut edits = Edits::default();
    edits.replace(4..7, "2");
    let mut plan = Plan::new(&project);
    let moved = path(runner, "Assets/sub/C.md");
    plan.edit(&path(runner, "Assets/a.txt"), b"one\ntwo\nthree\n", &edits)?;
    plan.write(&path(runner, "Assets/x/y/new.txt"), None, b"new\n".to_vec());
    plan.remove(&path(runner, "Assets/b.txt"), b"bee\n");
    plan.rename(&path(runner, "Assets/sub/c.txt"), &moved);
    plan.write(&moved, Some(b"sea\n"), b"see\n".to_vec());
    plan.rename(&path(runner, "Assets/sub/d.txt"), &path(runner, "Assets/d.txt"));
    plan.commit(&cx(runner), dry_run, |_, _| Ok(()))
}

/// Replace a file's content with `after`, from whatever is there.
fn set(runner: &Arc<Runner>, name: &str, after: &str) -> Result<Written, ToolError> {
    let before = super::read(&cx(runner), &project(runner), &path(runner, name))?;
    let open = project(runner);
    let mut plan = Plan::new(&open);
    plan.write(&path(runner, name), Some(&before), after.as_bytes());
    plan.commit(&cx(runner), false, |_, _| Ok(()))
}

/// Random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn content(&mut self) -> Vec<u8> {
        let parts: [&[u8]; 6] = [b"a\n", b"b\r\n", b"\0", b"\xff", "ä".as_bytes(), b"\n"];
        (0..self.below(40)).flat_map(|_| parts[self.below(6)].to_vec()).collect()
    }
}

fn no_check(_: &ProjectPath, _: &[u8]) -> Result<(), String> {
    Ok(())
}

#[test]
fn a_change_is_written_and_told() {
    let bench = Bench::new();
    let runner = bench.open();
    let written = mixed(&runner, false).unwrap();
    assert_eq!(written.undo, Some(UndoId(1)));
    let mut told = serde_json::to_value(&written).unwrap();
    for change in told["changes"].as_array_mut().unwrap() {
        change.as_object_mut().unwrap().remove("sha256");
    }
    expect_test::expect![[r#"
        {
          "dryRun": false,
          "filesChanged": 5,
          "changes": [
            {
              "path": "Assets/a.txt",
              "action": "modified",
              "diff": "--- a/Assets/a.txt\n+++ b/Assets/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
              "added": 1,
              "removed": 1,
              "bytes": 12
            },
            {
              "path": "Assets/x/y/new.txt",
              "action": "created",
              "diff": "--- /dev/null\n+++ b/Assets/x/y/new.txt\n@@ -0,0 +1 @@\n+new\n",
              "added": 1,
              "removed": 0,
              "bytes": 4
            },
            {
              "path": "Assets/b.txt",
              "action": "deleted",
              "diff": "--- a/Assets/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bee\n",
              "added": 0,
              "removed": 1,
              "bytes": 4
            },
            {
              "path": "Assets/sub/C.md",
              "action": "renamed",
              "from": "Assets/sub/c.txt",
              "diff": "--- a/Assets/sub/c.txt\n+++ b/Assets/sub/C.md\n@@ -1 +1 @@\n-sea\n+see\n",
              "added": 1,
              "removed": 1,
              "bytes": 4
            },
            {
              "path": "Assets/d.txt",
              "action": "renamed",
              "from": "Assets/sub/d.txt",
              "added": 0,
              "removed": 0,
              "bytes": 5
            }
          ],
          "undo": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&told).unwrap());
    assert_eq!(bench.read("Assets/a.txt"), "one\n2\nthree\n");
    let names: Vec<String> = bench.everything().into_keys().collect();
    let expected = [
        "Assets",
        "Assets/a.txt",
        "Assets/d.txt",
        "Assets/sub",
        "Assets/sub/C.md",
        "Assets/x",
        "Assets/x/y",
        "Assets/x/y/new.txt",
        "Packages",
        "Packages/manifest.json",
        "ProjectSettings",
        "ProjectSettings/ProjectVersion.txt",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        written.changes[1].sha256.as_deref(),
        Some("7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c"),
    );
}

#[test]
fn a_dry_run_tells_the_same_and_writes_nothing() {
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    let tried = mixed(&runner, true).unwrap();
    assert_eq!(bench.everything(), before);
    assert!(!bench.cache.path("cache").exists());
    assert_eq!((tried.dry_run, tried.undo), (true, None));
    assert_eq!(tried.changes, mixed(&runner, false).unwrap().changes);
}

#[test]
fn what_changed_since_it_was_read_is_not_overwritten() {
    let bench = Bench::new();
    let runner = bench.open();
    fs::write(bench.folder.path("Assets/a.txt"), "one\ntwo\nTHREE\n").unwrap();
    fs::remove_file(bench.folder.path("Assets/sub/c.txt")).unwrap();
    fs::create_dir_all(bench.folder.path("Assets/x/y")).unwrap();
    fs::write(bench.folder.path("Assets/x/y/new.txt"), "").unwrap();
    let before = bench.everything();
    for dry_run in [true, false] {
        let error = mixed(&runner, dry_run).unwrap_err();
        assert_eq!(
            error.text(),
            "not written: Assets/a.txt changed since it was read; Assets/x/y/new.txt exists \
             already; Assets/sub/c.txt does not exist any more\nTry: nothing was changed; read the \
             files again and repeat the call"
        );
    }
    assert_eq!(bench.everything(), before);
}

#[test]
fn what_would_not_be_readable_is_not_written() {
    let bench = Bench::new();
    let runner = bench.open();
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.write(&path(&runner, "Assets/a.txt"), Some(b"one\ntwo\nthree\n"), b"bad".to_vec());
    let check = |path: &ProjectPath, bytes: &[u8]| {
        assert_eq!((path.as_str(), bytes), ("Assets/a.txt", &b"bad"[..]));
        Err("line 1: bad".to_owned())
    };
    let error = plan.commit(&cx(&runner), false, check).unwrap_err();
    assert_eq!(error.message, "Assets/a.txt would not be readable any more: line 1: bad");
    assert_eq!(bench.read("Assets/a.txt"), "one\ntwo\nthree\n");
}

#[test]
fn the_same_content_is_no_change() {
    let bench = Bench::new();
    let runner = bench.open();
    let written = set(&runner, "Assets/b.txt", "bee\n").unwrap();
    assert_eq!((written.files_changed, written.undo), (0, None));
}

#[test]
fn one_path_is_changed_once() {
    let bench = Bench::new();
    let runner = bench.open();
    for (first, second) in [("Assets/new.txt", "Assets/new.txt"), ("Assets/n.txt", "Assets/N.txt")]
    {
        let open = project(&runner);
        let mut plan = Plan::new(&open);
        plan.write(&path(&runner, first), None, b"1".to_vec());
        plan.write(&path(&runner, second), None, b"2".to_vec());
        let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
        assert_eq!(error.message, format!("{second} would be changed twice at once"));
    }
}

#[test]
fn writers_take_turns() {
    let bench = Bench::new();
    let runner = bench.open();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let runner = &runner;
            scope.spawn(move || {
                let open = project(runner);
                let mut plan = Plan::new(&open);
                let name = format!("Assets/new/{number}.txt");
                plan.write(&path(runner, &name), None, number.to_string().into_bytes());
                plan.commit(&cx(runner), false, no_check).unwrap();
            });
        }
    });
    let ids: Vec<u64> =
        history(&project(&runner)).unwrap().iter().map(|entry| entry.id.0).collect();
    assert_eq!(ids, [8, 7, 6, 5, 4, 3, 2, 1]);
    assert!((0..8).all(|n| bench.read(&format!("Assets/new/{n}.txt")) == n.to_string()));
}

#[test]
fn the_index_learns_of_a_change_at_once() {
    let bench = Bench::new();
    let runner = bench.open();
    mixed(&runner, false).unwrap();
    let told = &project(&runner).of::<Plain>().unwrap().told.lock().unwrap().clone();
    let root = &project(&runner).root;
    let names = told.iter().map(|path| path.strip_prefix(root).unwrap().to_str().unwrap());
    let mut changed: Vec<String> = names.map(|name| name.replace('\\', "/")).collect();
    changed.sort();
    let expected = [
        "Assets/a.txt",
        "Assets/b.txt",
        "Assets/d.txt",
        "Assets/sub/C.md",
        "Assets/sub/c.txt",
        "Assets/sub/d.txt",
        "Assets/x/y/new.txt",
    ];
    assert_eq!(changed, expected);
}
