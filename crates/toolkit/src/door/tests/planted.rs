//! What others put where records lie: never carried out, never taken back, never waited for, and in
//! nobody's way.

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::*;
use crate::Audit;

const EVIL: &[u8] = b"somebody else's\n";

impl Bench {
    /// Somebody who works on the same project and has another key.
    fn open_as_another(&self) -> Arc<Runner> {
        let workspace = plain::open(&[self.folder.root()], Some(self.cache.path("another")));
        plain::runner(workspace, Settings { allow_writes: true, ..Settings::default() }, None)
    }

    /// Leave a change half done: some of its files are new, others are not.
    fn interrupt(&self, runner: &Arc<Runner>) {
        project(runner).door.disk.fault.set(15, usize::MAX);
        mixed(runner, false).unwrap_err();
        project(runner).door.disk.fault.clear();
        assert_eq!(self.read("Assets/a.txt"), "one\n2\nthree\n");
    }

    fn hot(&self, name: &str) -> PathBuf {
        fs::create_dir_all(self.folder.path(".scenewright")).unwrap();
        self.folder.path(".scenewright").join(name)
    }
}

/// A record in the form that records had without a proof; one file was replaced, another one is to be.
fn without_proof(root: &Path) -> Vec<u8> {
    let stamp = |bytes: &[u8]| {
        let sum = scenewright_text::proof::hex(&Sha256::digest(bytes));
        json!({ "bytes": bytes.len(), "sha256": sum })
    };
    let file = |path: &str, before: &[u8], after: &[u8], staged: &str| {
        json!({
            "path": path, "from": null, "before": stamp(before), "after": stamp(after),
            "same": [0, 0], "mode": null, "staged": staged,
        })
    };
    let (one, other) = (fs::read(root.join("Assets/a.txt")), fs::read(root.join("Assets/b.txt")));
    let (one, other) = (one.unwrap(), other.unwrap());
    let record = json!({
        "format": 2, "root": root, "unix_ms": 1, "tool": "x", "undoes": null,
        "folders": [], "removed": [],
        "files": [
            file("Assets/a.txt", EVIL, &one, "Assets/.scenewright-00.tmp"),
            file("Assets/b.txt", &other, b"zzz", "Assets/.scenewright-01.tmp"),
        ],
    });
    [format!("{record}\n").as_bytes(), EVIL, &other].concat()
}

/// What it gives, if that does not take for ever.
fn soon<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wait) = mpsc::channel();
    std::thread::spawn(move || done.send(work()));
    let result = wait.recv_timeout(Duration::from_secs(10));
    result.unwrap_or_else(|_| panic!("{what}: no answer within ten seconds"))
}

fn undo_last(runner: &Arc<Runner>) -> Result<u64, String> {
    let undone = undo(&cx(runner), &project(runner), None, false);
    undone.map(|(entry, _)| entry.id.0).map_err(|error| error.message)
}

fn ids(runner: &Arc<Runner>) -> Vec<u64> {
    history(&project(runner)).unwrap().iter().map(|entry| entry.id.0).collect()
}

/// Own changes are made, remembered and taken back as if nothing else were there.
fn assert_not_in_the_way(runner: &Arc<Runner>) {
    let first = set(runner, "Assets/sub/c.txt", "first").unwrap().undo.unwrap().0;
    let second = set(runner, "Assets/sub/c.txt", "second").unwrap().undo.unwrap().0;
    assert!(first < second && second < 1000, "{first} {second}");
    assert_eq!(ids(runner), [second, first]);
    assert_eq!(undo_last(runner), Ok(second));
    assert_eq!(undo_last(runner), Ok(first));
    assert_eq!(undo_last(runner).unwrap_err(), "there is no change to take back");
}

#[test]
fn a_record_that_came_with_the_project_is_not_carried_out() {
    let bench = Bench::new();
    let root = bench.folder.root().canonicalize().unwrap();
    fs::write(bench.hot("00000001.intent"), without_proof(&root)).unwrap();
    let before = bench.everything();
    // Also where this user has a key.
    for round in 0..2 {
        let runner = bench.open();
        assert_eq!(bench.everything(), before, "round {round}");
        assert_eq!(
            set_aside(&project(&runner)),
            [
                ".scenewright: 00000001.intent left alone: an earlier version made it, which left no \
              proof; compare the project with version control, then delete it: it cannot be undone \
              any more"
            ]
        );
        assert_not_in_the_way(&runner);
        assert_eq!(bench.read("Assets/a.txt"), "one\ntwo\nthree\n");
        assert_eq!(fs::read(bench.hot("00000001.intent")).unwrap(), without_proof(&root));
        fs::remove_dir_all(bench.history()).unwrap();
        fs::remove_file(bench.hot("lock")).unwrap();
        fs::remove_file(bench.hot(".gitignore")).unwrap();
        let text = fs::read_to_string(bench.folder.path("Assets/sub/c.txt")).unwrap();
        assert_eq!(text, "sea\n");
    }
}

#[test]
fn a_change_that_came_with_the_project_is_not_taken_back() {
    let bench = Bench::new();
    let root = bench.folder.root().canonicalize().unwrap();
    // As another user's program would make it, and as anybody can write it.
    let another = bench.open_as_another();
    set(&another, "Assets/b.txt", "theirs").unwrap();
    let theirs = fs::read_dir(bench.cache.path("another")).unwrap().flatten();
    let theirs = theirs.map(|entry| entry.path()).find(|path| path.is_dir()).unwrap();
    fs::copy(theirs.join("00000001.done"), bench.hot("00000001.done")).unwrap();
    fs::write(bench.hot("1000000000.done"), without_proof(&root)).unwrap();
    let runner = bench.open();
    assert!(ids(&runner).is_empty());
    assert_eq!(undo_last(&runner).unwrap_err(), "there is no change to take back");
    assert_not_in_the_way(&runner);
    assert_eq!(bench.read("Assets/b.txt"), "theirs");
    assert_eq!(set_aside(&project(&runner)).len(), 2);
}

#[test]
fn what_another_user_left_half_done_is_that_users_to_settle() {
    let bench = Bench::new();
    let another = bench.open_as_another();
    let start = bench.everything();
    bench.interrupt(&another);
    let half_done = bench.everything();
    let runner = bench.open();
    assert_eq!(bench.everything(), half_done);
    assert_eq!(
        set_aside(&project(&runner)),
        [
            ".scenewright: 00000001.intent left alone: no key of this user proves that it is of this \
          project; if another user changes this project, that user's next write puts it in order; \
          otherwise it came with the project, and can be deleted"
        ]
    );
    // The number is taken, so ours is the next one.
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.write(&path(&runner, "Assets/ours.txt"), None, b"ours".to_vec());
    assert_eq!(plan.commit(&cx(&runner), false, no_check).unwrap().undo, Some(UndoId(2)));
    assert_eq!(undo_last(&runner), Ok(2));
    look_after(another.workspace().projects(), true, None);
    assert_eq!(bench.everything(), start);
}

#[test]
fn a_record_of_another_project_or_number_is_not_accepted() {
    let bench = Bench::new();
    let other = Bench { folder: Folder::unity(PROJECT), cache: Folder::new() };
    // The same user, so the same key.
    let theirs = plain::open(&[other.folder.root()], Some(bench.cache.path("cache")));
    let settings = Settings { allow_writes: true, ..Settings::default() };
    let theirs = plain::runner(theirs, settings, None);
    other.interrupt(&theirs);
    let record = fs::read(other.hot("00000001.intent")).unwrap();
    // This project is half done in the same way.
    for name in ["Assets", "ProjectSettings", "Packages"] {
        fs::remove_dir_all(bench.folder.path(name)).unwrap();
        scenewright_fixture::copy(&other.folder.path(name), &bench.folder.path(name));
    }
    fs::write(bench.hot("00000001.intent"), &record).unwrap();
    let before = bench.everything();
    bench.open();
    assert_eq!(bench.everything(), before, "it is of another project");
    // And in its own project it has one number.
    fs::rename(other.hot("00000001.intent"), other.hot("00000007.intent")).unwrap();
    let before = other.everything();
    look_after(theirs.workspace().projects(), true, None);
    assert_eq!(other.everything(), before, "it has another number");
    fs::rename(other.hot("00000007.intent"), other.hot("00000001.intent")).unwrap();
    look_after(theirs.workspace().projects(), true, None);
    assert_eq!(other.read("Assets/a.txt"), "one\ntwo\nthree\n", "it is good where it belongs");
}

#[test]
fn a_record_that_differs_in_one_byte_is_not_carried_out() {
    let bench = Bench::new();
    let runner = bench.open();
    bench.interrupt(&runner);
    let file = bench.hot("00000001.intent");
    let whole = fs::read(&file).unwrap();
    let keys = project(&runner).door.keys.known();
    let read = || project(&runner).door.hot.read(UndoId(1), &keys);
    assert!(read().is_ok());
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&file, changed).unwrap();
        let flaw = read().unwrap_err();
        assert!(matches!(flaw, record::Flaw::Doubted(_)), "byte {at}: {flaw:?}");
    }
    fs::write(&file, [&whole[..], b"x"].concat()).unwrap();
    assert!(matches!(read().unwrap_err(), record::Flaw::Doubted(_)));
    for at in [0, whole.len() / 2, whole.len() - 1] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&file, changed).unwrap();
        let before = bench.everything();
        bench.open();
        assert_eq!(bench.everything(), before, "byte {at}");
    }
    fs::write(&file, whole).unwrap();
    bench.open();
    assert_eq!(bench.read("Assets/a.txt"), "one\ntwo\nthree\n");
}

#[test]
fn a_record_of_ours_that_was_kept_and_put_back_is_not_carried_out() {
    let bench = Bench::new();
    let runner = bench.open();
    bench.interrupt(&runner);
    let kept = fs::read(bench.hot("00000001.intent")).unwrap();
    look_after(runner.workspace().projects(), true, None);
    assert_eq!(mixed(&runner, false).unwrap().undo, Some(UndoId(1)));
    // A person edits one file back, so that the change looks half done.
    fs::write(bench.folder.path("Assets/b.txt"), "bee\n").unwrap();
    let before = bench.everything();
    fs::write(bench.hot("00000001.intent"), kept).unwrap();
    drop(runner);
    bench.open();
    assert_eq!(bench.everything(), before);
}

/// Half of a record of ours means nothing: nothing was touched before it was whole.
#[test]
fn a_record_that_breaks_off_is_dropped() {
    let bench = Bench::new();
    let runner = bench.open();
    bench.interrupt(&runner);
    let file = bench.hot("00000001.intent");
    let whole = fs::read(&file).unwrap();
    for length in [0, 5, 21, 150, 300, whole.len() - 1] {
        fs::write(&file, &whole[..length]).unwrap();
        bench.open();
        assert!(!file.exists(), "{length} bytes");
        assert_eq!(bench.read("Assets/a.txt"), "one\n2\nthree\n");
        bench.hot("");
    }
}

#[test]
fn numbers_that_are_none_of_ours_are_passed_over() {
    let bench = Bench::new();
    let record = json!({
        "format": 2, "root": "/", "unix_ms": 1, "tool": "x", "undoes": null, "folders": [],
        "removed": [], "files": [{
            "path": "Assets/a.txt", "from": null, "before": null, "after": null, "same": [0, 0],
            "mode": null, "staged": null,
        }],
    });
    for number in
        ["18446744073709551615", "9007199254740992", "9007199254740991", "1000000000", "+1", "2"]
    {
        for ending in ["done", "intent"] {
            let name = format!("{number}.{ending}");
            fs::write(bench.hot(&name), format!("{record}\n")).unwrap();
        }
    }
    let runner = bench.open();
    assert_not_in_the_way(&runner);
    let said = set_aside(&project(&runner)).join("\n");
    assert!(said.contains("18446744073709551615.done"), "{said}");
    // Also one that is proven has no number that clients cannot keep.
    for name in ["9007199254740992.done", "+0000001.done", "1.done", "00000000.done"] {
        assert_eq!(record::number(name, ".done"), None, "{name}");
    }
    assert_eq!(record::number("9007199254740991.done", ".done"), Some(UndoId((1 << 53) - 1)));
    assert_eq!(UndoId((1 << 53) - 1).next(), None);
}

#[test]
fn a_folder_full_of_files_is_named() {
    let bench = Bench::new();
    for number in 0..4100 {
        fs::write(bench.hot(&format!("{number:08}.intent")), "").unwrap();
    }
    let runner = bench.open();
    let error = set(&runner, "Assets/b.txt", "new").unwrap_err();
    assert!(error.message.contains("has more than 4096 files"), "{error}");
    assert!(set_aside(&project(&runner)).join("\n").contains("has more than 4096 files"));
    assert_eq!(bench.read("Assets/b.txt"), "bee\n");
}

#[test]
fn a_read_only_server_names_what_it_finds_and_changes_nothing() {
    let bench = Bench::new();
    let root = bench.folder.root().canonicalize().unwrap();
    let planted = without_proof(&root);
    bench.interrupt(&bench.open());
    fs::write(bench.hot("00000002.intent"), planted).unwrap();
    fs::write(bench.hot("00000003.intent"), "").unwrap();
    let (before, kept) = (bench.everything(), fs::read_dir(bench.cache.root()).unwrap().count());
    let audit = Audit::open(&bench.cache.path("audit")).unwrap();
    let workspace = plain::open(&[bench.folder.root()], Some(bench.cache.path("cache")));
    plain::runner(workspace, Settings::default(), Some(audit));
    assert_eq!(bench.everything(), before);
    assert_eq!(fs::read_dir(bench.cache.root()).unwrap().count(), kept + 1, "the audit");
    assert_eq!(events(&bench), ["setAside"]);
}

fn events(bench: &Bench) -> Vec<String> {
    let text = fs::read_to_string(bench.cache.path("audit")).unwrap();
    let line = |line| serde_json::from_str::<Value>(line).unwrap();
    text.lines().map(|text| line(text)["event"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_done_about_records_is_audited() {
    let bench = Bench::new();
    let root = bench.folder.root().canonicalize().unwrap();
    let planted = without_proof(&root);
    bench.interrupt(&bench.open());
    fs::write(bench.hot("00000002.intent"), planted).unwrap();
    let audit = Audit::open(&bench.cache.path("audit")).unwrap();
    let workspace = plain::open(&[bench.folder.root()], Some(bench.cache.path("cache")));
    let settings = Settings { allow_writes: true, require_confirm: true, ..Settings::default() };
    let runner = plain::runner(workspace, settings, Some(audit));
    assert_eq!(bench.read("Assets/a.txt"), "one\ntwo\nthree\n");
    assert_eq!(events(&bench), ["setAside", "settled"]);
    // Of one that comes later the next writer hears, once.
    fs::write(bench.hot("00000003.intent"), "somebody else's").unwrap();
    for _ in 0..2 {
        cx(&runner).turn(&project(&runner)).unwrap();
    }
    assert_eq!(events(&bench), ["setAside", "settled", "setAside"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_lock_that_is_no_file_is_refused_and_named() {
        for (kind, what) in [("link", "a link"), ("pipe", "a pipe"), ("folder", "a folder")] {
            let bench = Bench::new();
            let lock = bench.hot("lock");
            match kind {
                "link" => symlink(bench.cache.path("made"), lock).unwrap(),
                "pipe" => bench.folder.pipe(".scenewright/lock"),
                _ => fs::create_dir(lock).unwrap(),
            }
            let runner = bench.open();
            let error = soon(what, move || set(&runner, "Assets/b.txt", "new").unwrap_err());
            assert!(error.message.contains(&format!("lock: it is {what}, not a file")), "{error}");
            assert!(!bench.cache.path("made").exists());
            assert_eq!(bench.read("Assets/b.txt"), "bee\n");
        }
    }

    #[test]
    fn a_record_that_is_no_file_is_passed_over_at_once_and_named() {
        let bench = Bench::new();
        let elsewhere = bench.cache.path("elsewhere");
        fs::write(&elsewhere, "mine").unwrap();
        for (number, ending) in [(1, "intent"), (2, "done")] {
            bench.folder.pipe(&format!(".scenewright/{number:08}.{ending}"));
            fs::create_dir(bench.hot(&format!("{:08}.{ending}", number + 10))).unwrap();
            symlink(&elsewhere, bench.hot(&format!("{:08}.{ending}", number + 20))).unwrap();
            symlink("/dev/zero", bench.hot(&format!("{:08}.{ending}", number + 30))).unwrap();
        }
        let bench = soon("opening, writing and taking back", move || {
            let runner = bench.open();
            assert_not_in_the_way(&runner);
            let said = set_aside(&project(&runner)).join("\n");
            for what in ["a pipe", "a folder", "a link"] {
                assert!(said.contains(&format!("it is {what}, not a file")), "{said}");
            }
            drop(runner);
            bench
        });
        assert_eq!(fs::read_to_string(elsewhere).unwrap(), "mine");
        assert_eq!(fs::read_dir(bench.hot("")).unwrap().count(), 8 + 2);
    }

    #[test]
    fn a_link_in_the_place_of_the_folder_is_not_followed() {
        let (bench, outside) = (Bench::new(), Folder::empty());
        let root = bench.folder.root().canonicalize().unwrap();
        outside.write("00000001.intent", without_proof(&root));
        outside.write("00000002.done", without_proof(&root));
        symlink(outside.root(), bench.folder.path(".scenewright")).unwrap();
        let runner = bench.open();
        let error = set(&runner, "Assets/b.txt", "new").unwrap_err();
        assert!(error.message.contains(".scenewright in the project is no folder"), "{error}");
        assert!(ids(&runner).is_empty());
        assert!(set_aside(&project(&runner))[0].contains("is no folder"));
        assert_eq!(fs::read_dir(outside.root()).unwrap().count(), 2);
    }

    #[test]
    fn folders_of_a_record_are_not_reached_through_a_link() {
        let (bench, outside) = (Bench::new(), Folder::empty());
        fs::create_dir(outside.path("deep")).unwrap();
        fs::create_dir(outside.path("gone")).unwrap();
        // As anybody can write it.
        symlink(outside.root(), bench.folder.path("Assets/ln")).unwrap();
        let record = json!({
            "format": 2, "root": bench.folder.root(), "unix_ms": 1, "tool": "x", "undoes": null,
            "folders": ["Assets/ln/deep"], "removed": ["Assets/ln/gone"], "files": [],
        });
        fs::write(bench.hot("00000001.intent"), format!("{record}\n")).unwrap();
        let runner = bench.open();
        assert!(outside.path("gone").is_dir() && outside.path("deep").is_dir());
        // One of ours, where a folder gave way to a link after the interruption.
        let open = project(&runner);
        let mut plan = Plan::new(&open);
        plan.create_folder(&path(&runner, "Assets/new/deep"));
        plan.write(&path(&runner, "Assets/b.txt"), Some(b"bee\n"), b"new\n".to_vec());
        project(&runner).door.disk.fault.set(4, usize::MAX);
        plan.commit(&cx(&runner), false, no_check).unwrap_err();
        assert!(bench.hot("00000002.intent").exists());
        fs::remove_dir_all(bench.folder.path("Assets/new")).unwrap();
        symlink(outside.root(), bench.folder.path("Assets/new")).unwrap();
        bench.open();
        assert!(!bench.hot("00000002.intent").exists(), "it was settled");
        assert!(outside.path("deep").is_dir());
    }

    #[test]
    fn a_link_in_the_place_of_a_temporary_file_is_not_followed() {
        let bench = Bench::new();
        bench.interrupt(&bench.open());
        let files = fs::read_dir(bench.folder.path("Assets")).unwrap().flatten();
        let is_staged = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "tmp");
        let staged = files.map(|entry| entry.path()).filter(is_staged);
        fs::write(bench.folder.path("Assets/precious.txt"), "mine").unwrap();
        let mut links = 0;
        for path in staged {
            fs::remove_file(&path).unwrap();
            symlink("precious.txt", path).unwrap();
            links += 1;
        }
        assert!(links > 0);
        bench.open();
        assert_eq!(bench.read("Assets/precious.txt"), "mine");
    }
}
