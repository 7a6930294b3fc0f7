//! Changes taken back, and done again.

use super::*;

fn undo_last(runner: &Arc<Runner>) -> Result<u64, String> {
    undo(&cx(runner), &project(runner), None, false)
        .map(|(entry, _)| entry.id.0)
        .map_err(|error| error.text())
}

fn undo_id(runner: &Arc<Runner>, id: u64) -> Result<Option<UndoId>, String> {
    undo(&cx(runner), &project(runner), Some(UndoId(id)), false)
        .map(|(_, written)| written.undo)
        .map_err(|error| error.text())
}

#[test]
fn undo_goes_back_step_by_step_and_redo_forward() {
    let bench = Bench::new();
    let mut runner = bench.open();
    let start = bench.everything();
    set(&runner, "Assets/b.txt", "1").unwrap();
    set(&runner, "Assets/b.txt", "2").unwrap();
    assert_eq!(undo_last(&runner), Ok(2));
    assert_eq!(bench.read("Assets/b.txt"), "1");
    runner = bench.open();
    assert_eq!(undo_last(&runner), Ok(1));
    assert_eq!(bench.everything(), start);
    assert_eq!(
        undo_last(&runner).unwrap_err(),
        "there is no change to take back\nTry: project_history lists changes; taking back an undo \
         does its change again"
    );
    // 3 took back 2, and 4 took back 1; back through both.
    assert_eq!(undo_id(&runner, 4), Ok(Some(UndoId(5))));
    assert_eq!(bench.read("Assets/b.txt"), "1");
    assert_eq!(undo_id(&runner, 3), Ok(Some(UndoId(6))));
    assert_eq!(bench.read("Assets/b.txt"), "2");
    let history = history(&project(&runner)).unwrap();
    let states: Vec<(u64, Option<u64>, bool)> =
        history.iter().map(|e| (e.id.0, e.undoes.map(|id| id.0), e.undone)).collect();
    let expected = [
        (6, Some(3), false),
        (5, Some(4), false),
        (4, Some(1), true),
        (3, Some(2), true),
        (2, None, false),
        (1, None, false),
    ];
    assert_eq!(states, expected);
    assert_eq!(undo_last(&runner), Ok(2));
}

#[test]
fn undo_refuses_when_files_changed_since() {
    let bench = Bench::new();
    let runner = bench.open();
    set(&runner, "Assets/b.txt", "1").unwrap();
    set(&runner, "Assets/b.txt", "2").unwrap();
    assert_eq!(
        undo_id(&runner, 1).unwrap_err(),
        "changed since change 1: Assets/b.txt\nTry: nothing was changed; take back change 2 first"
    );
    fs::write(bench.folder.path("Assets/b.txt"), "mine").unwrap();
    assert_eq!(
        undo_last(&runner).unwrap_err(),
        "changed since change 2: Assets/b.txt\nTry: nothing was changed; somebody else edited the \
         files, so edit them back by hand"
    );
    assert_eq!(bench.read("Assets/b.txt"), "mine");
    assert!(undo_id(&runner, 7).unwrap_err().starts_with("change not found: 7"));
}

#[test]
fn a_change_is_not_taken_back_twice() {
    let bench = Bench::new();
    let runner = bench.open();
    set(&runner, "Assets/b.txt", "1").unwrap();
    undo_id(&runner, 1).unwrap();
    assert!(undo_id(&runner, 1).unwrap_err().starts_with("change 1 has been taken back already"));
}

#[test]
fn a_dry_undo_tells_and_changes_nothing() {
    let bench = Bench::new();
    let runner = bench.open();
    set(&runner, "Assets/b.txt", "1\n").unwrap();
    let (entry, written) = undo(&cx(&runner), &project(&runner), None, true).unwrap();
    assert_eq!((entry.id, written.undo, written.dry_run), (UndoId(1), None, true));
    assert!(written.changes[0].diff.ends_with("@@ -1 +1 @@\n-1\n+bee\n"));
    assert_eq!(bench.read("Assets/b.txt"), "1\n");
}

#[test]
fn the_journal_keeps_the_last_changes_and_little_of_each() {
    let bench = Bench::new();
    let runner = bench.open();
    let mut large: Vec<u8> = (0..20_000).flat_map(|n| format!("{n}\n").into_bytes()).collect();
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.write(&path(&runner, "Assets/large.txt"), None, large.clone());
    plan.commit(&cx(&runner), false, no_check).unwrap();
    for n in 0..52 {
        let before = large.clone();
        large[50_000] = b'a' + n % 26;
        let open = project(&runner);
        let mut plan = Plan::new(&open);
        plan.write(&path(&runner, "Assets/large.txt"), Some(&before), large.clone());
        plan.commit(&cx(&runner), false, no_check).unwrap();
    }
    let list = project(&runner).door.journal.list().unwrap();
    assert_eq!((list.len(), list[0], list[49]), (50, UndoId(53), UndoId(4)));
    let records = fs::read_dir(bench.history()).unwrap().flatten();
    let sizes: Vec<u64> = records.map(|record| record.metadata().unwrap().len()).collect();
    assert!(sizes.len() == 50 && sizes.iter().all(|bytes| *bytes < 1000), "{sizes:?}");
}

#[test]
fn damaged_records_are_passed_over() {
    let bench = Bench::new();
    let runner = bench.open();
    for n in 1..=4 {
        set(&runner, "Assets/b.txt", &n.to_string()).unwrap();
    }
    let cache = bench.history();
    let record = |n: u32| cache.join(format!("{n:08}.done"));
    fs::write(record(4), "nothing of ours").unwrap();
    let whole = fs::read(record(3)).unwrap();
    fs::write(record(3), &whole[..whole.len() - 1]).unwrap();
    fs::write(cache.join("x.done"), "").unwrap();
    let other = String::from_utf8(fs::read(record(2)).unwrap()).unwrap();
    fs::write(record(2), other.replacen("\"root\":\"/", "\"root\":\"_", 1)).unwrap();
    let ids: Vec<u64> = history(&project(&runner)).unwrap().iter().map(|e| e.id.0).collect();
    assert_eq!(ids, [1]);
    // What is kept of a file is looked at when it is needed.
    let mut whole = fs::read(record(1)).unwrap();
    *whole.last_mut().unwrap() ^= 1;
    fs::write(record(1), whole).unwrap();
    fs::write(bench.folder.path("Assets/b.txt"), "1").unwrap();
    let error = undo_last(&runner).unwrap_err();
    assert_eq!(error, "the undo journal cannot be read: it is not as it was written");
}

#[test]
fn without_a_state_folder_the_history_stays_in_the_project() {
    let bench = Bench::new();
    let open = || {
        let settings = Settings { allow_writes: true, ..Settings::default() };
        plain::runner(plain::open(&[bench.folder.root()], None), settings, None)
    };
    set(&open(), "Assets/b.txt", "1").unwrap();
    let names: Vec<String> =
        bench.everything().into_keys().filter(|n| n.starts_with('.')).collect();
    assert_eq!(
        names,
        [
            ".scenewright",
            ".scenewright/.gitignore",
            ".scenewright/00000001.done",
            ".scenewright/lock"
        ]
    );
    assert_eq!(bench.read(".scenewright/.gitignore"), "*\n");
    // Another server; and none where the project has moved, because a record is of one place.
    let history_of = |root: &Path| {
        let runner = plain::runner(plain::open(&[root], None), Settings::default(), None);
        let found = project(&runner);
        (history(&found).unwrap().len(), set_aside(&found))
    };
    assert_eq!(history_of(bench.folder.root()), (1, Vec::new()));
    let moved = Folder::copy_of(bench.folder.root());
    let (remembered, said) = history_of(moved.root());
    assert_eq!(remembered, 0);
    assert!(said[0].starts_with(".scenewright: 00000001.done left alone: no key of"), "{said:?}");
    assert_eq!(undo_last(&open()), Ok(1));
    assert_eq!(bench.read("Assets/b.txt"), "bee\n");
}

#[test]
fn any_change_taken_back_gives_the_same_bytes() {
    let bench = Bench::new();
    let runner = bench.open();
    let project = project(&runner);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..15 {
        let before = bench.everything();
        let mut plan = Plan::new(&project);
        for n in 0..4 {
            let name = path(&runner, &format!("Assets/{n}/f{n}.bin"));
            let elsewhere = path(&runner, &format!("Assets/{n}/moved/g{n}.bin"));
            let (here, there) = match before.get(elsewhere.as_str()) {
                Some(_) => (&elsewhere, &name),
                None => (&name, &elsewhere),
            };
            let Some(Some(old)) = before.get(here.as_str()) else {
                plan.write(&name, None, random.content());
                continue;
            };
            match random.below(5) {
                0 => plan.remove(here, old),
                1 => plan.rename(here, there),
                2 => {
                    plan.rename(here, there);
                    plan.write(there, Some(old), random.content());
                }
                _ => plan.write(here, Some(old), random.content()),
            }
        }
        plan.commit(&cx(&runner), false, no_check).unwrap();
        let after = bench.everything();
        let (_, undone) = undo(&cx(&runner), &project, None, false).unwrap();
        assert_eq!(bench.everything(), before, "round {round}");
        undo(&cx(&runner), &project, undone.undo, false).unwrap();
        assert_eq!(bench.everything(), after, "round {round}, done again");
    }
}
