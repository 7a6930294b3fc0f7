//! What happens when a step fails, or the process ends.

use super::*;

/// Folders of Unity projects hold no temporary files of ours, and no change is left half done.
fn assert_settled(bench: &Bench, runner: &Runner) {
    let names = bench.everything().into_keys();
    assert_eq!(names.filter(|name| name.contains(".scenewright")).count(), 0);
    assert!(history(&project(runner)).unwrap().iter().all(|entry| !entry.interrupted));
}

#[test]
fn a_failure_at_any_step_leaves_every_file_as_before() {
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    let mut failures = 0;
    loop {
        project(&runner).door.disk.fault.set(failures, 1);
        let result = mixed(&runner, false);
        project(&runner).door.disk.fault.clear();
        let Err(error) = result else { break };
        assert_eq!(bench.everything(), before, "after {failures} good steps: {error}");
        assert!(error.message.contains("the disk is full"), "{error}");
        assert_settled(&bench, &runner);
        failures += 1;
    }
    // Three contents compared; a record and the two folders around it; two folders made; three files
    // staged; five put, of which two set a file aside and compare it; four folders synced; three files
    // read back; three old ones compared and removed. A record that cannot be closed in the state folder
    // is closed in the project.
    assert_eq!(failures, 3 + 3 + 2 + 3 + 8 + 4 + 3 + 6);
    assert_ne!(bench.everything(), before);
}

#[test]
fn a_crash_at_any_step_is_settled_at_the_next_start() {
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    let mut steps = 0;
    loop {
        // Nothing works any more from here on, as if the process were gone.
        project(&runner).door.disk.fault.set(steps, usize::MAX);
        let survived = mixed(&runner, false).is_ok();
        project(&runner).door.disk.fault.clear();
        look_after(runner.workspace().projects(), true, None);
        assert_settled(&bench, &runner);
        let after = bench.everything();
        if after != before {
            assert!(
                after.contains_key("Assets/x/y/new.txt") && !after.contains_key("Assets/b.txt")
            );
            undo(&cx(&runner), &project(&runner), None, false).unwrap();
            assert_eq!(bench.everything(), before, "after {steps} good steps and undo");
        }
        assert!(!survived || after != before);
        if survived {
            break;
        }
        steps += 1;
    }
    assert_eq!(steps, 33, "as many as can fail, and the record");
}

#[test]
fn a_read_only_server_leaves_an_interrupted_change_and_tells_of_it() {
    let bench = Bench::new();
    let crashing = bench.open();
    // Far enough that some files are new and others are not.
    project(&crashing).door.disk.fault.set(15, usize::MAX);
    mixed(&crashing, false).unwrap_err();
    drop(crashing);
    let half_done = bench.everything();
    let workspace = plain::open(&[bench.folder.root()], Some(bench.cache.path("cache")));
    let reading = plain::runner(workspace, Settings::default(), None);
    assert_eq!(bench.everything(), half_done);
    assert!(history(&project(&reading)).unwrap()[0].interrupted);
}

#[test]
fn a_write_first_settles_what_another_process_left() {
    let bench = Bench::new();
    let before = bench.everything();
    let (runner, crashing) = (bench.open(), bench.open());
    project(&crashing).door.disk.fault.set(15, usize::MAX);
    mixed(&crashing, false).unwrap_err();
    assert_ne!(bench.everything(), before);
    let cx = cx(&runner);
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.write(&path(&runner, "Assets/new.txt"), None, Vec::new());
    plan.commit(&cx, false, no_check).unwrap();
    assert_eq!(
        cx.take_diagnostics(),
        ["Change 1 by test.write was interrupted; the project is as before it, or complete"]
    );
    drop(cx);
    fs::remove_file(bench.folder.path("Assets/new.txt")).unwrap();
    assert_eq!(bench.everything(), before);
}

#[test]
fn what_somebody_else_wrote_meanwhile_is_not_taken_back() {
    let bench = Bench::new();
    let crashing = bench.open();
    project(&crashing).door.disk.fault.set(15, usize::MAX);
    mixed(&crashing, false).unwrap_err();
    drop(crashing);
    assert_eq!(bench.read("Assets/a.txt"), "one\n2\nthree\n");
    fs::write(bench.folder.path("Assets/a.txt"), "mine").unwrap();
    let runner = bench.open();
    assert_eq!(bench.read("Assets/a.txt"), "mine");
    assert_eq!(bench.read("Assets/b.txt"), "bee\n");
    assert_settled(&bench, &runner);
}

#[test]
fn a_cancelled_call_writes_nothing() {
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    let cx = cx(&runner);
    cx.cancel().cancel();
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.write(&path(&runner, "Assets/new.txt"), None, Vec::new());
    let error = plan.commit(&cx, false, no_check).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Cancelled);
    drop(cx);
    assert_eq!(bench.everything(), before);
}

#[test]
fn without_a_journal_nothing_is_written() {
    let bench = Bench::new();
    fs::write(bench.folder.path(".scenewright"), "a file where the folder should be").unwrap();
    let runner = bench.open();
    let error = set(&runner, "Assets/b.txt", "changed").unwrap_err();
    assert!(error.message.starts_with("the undo journal could not be written"), "{error}");
    assert_eq!(bench.read("Assets/b.txt"), "bee\n");
}
