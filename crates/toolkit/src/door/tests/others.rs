//! What others do to the same files at the same time, and what they may have left for us.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

use super::*;

/// How another program saves a file.
#[derive(Debug, Clone, Copy)]
enum Save {
    /// A new file takes its place, as most editors do it.
    ByRename,
    /// The file is opened and written.
    InPlace,
    /// The same, and its time is set back to what it was.
    TimeKept,
}

impl Save {
    fn save(self, path: &Path, text: &str) {
        match self {
            Self::ByRename => {
                let other = path.with_extension("theirs");
                fs::write(&other, text).unwrap();
                fs::rename(other, path).unwrap();
            }
            Self::InPlace => fs::write(path, text).unwrap(),
            Self::TimeKept => {
                let time: SystemTime = fs::metadata(path).unwrap().modified().unwrap();
                fs::write(path, text).unwrap();
                fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
            }
        }
    }
}

/// Edits and foreign saves of the same length in a race. Every save must be found again: by the next
/// edit, which takes it for what was there, or in the end.
fn race(save: Save) -> (usize, usize) {
    let bench = Bench::new();
    let runner = bench.open();
    let file = bench.folder.path("Assets/b.txt");
    fs::write(&file, "start").unwrap();
    let (done, edits) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (seen, saved) = std::thread::scope(|scope| {
        let saver = scope.spawn(|| {
            let mut saved = Vec::new();
            for n in 0..60 {
                let text = format!("s{n:04}");
                save.save(&file, &text);
                // While an edit is under way the file may be out of its place for a moment; what
                // counts is how it is once that edit is over.
                let is_there = || fs::read_to_string(&file).is_ok_and(|now| now == text);
                for _ in 0..20 {
                    let edit = edits.load(Ordering::SeqCst);
                    while edits.load(Ordering::SeqCst) < edit + 2 {
                        std::thread::yield_now();
                    }
                    if !is_there() {
                        break;
                    }
                }
                saved.push(text);
            }
            done.store(true, Ordering::SeqCst);
            saved
        });
        let mut seen = std::collections::HashSet::new();
        let mut n = 0;
        while !done.load(Ordering::SeqCst) {
            let before =
                super::super::read(&cx(&runner), &project(&runner), &path(&runner, "Assets/b.txt"));
            let before = before.unwrap();
            let text = String::from_utf8(before.clone()).unwrap();
            n += 1;
            let open = project(&runner);
            let mut plan = Plan::new(&open);
            plan.write(
                &path(&runner, "Assets/b.txt"),
                Some(&before),
                format!("w{n:04}").into_bytes(),
            );
            if plan.commit(&cx(&runner), false, no_check).is_ok() {
                seen.insert(text);
            }
            edits.fetch_add(1, Ordering::SeqCst);
        }
        seen.insert(bench.read("Assets/b.txt"));
        (seen, saver.join().unwrap())
    });
    let lost = saved.iter().filter(|text| !seen.contains(*text)).count();
    (saved.len(), lost)
}

#[test]
fn a_save_of_somebody_else_is_never_lost() {
    for save in [Save::ByRename, Save::InPlace, Save::TimeKept] {
        assert_eq!(race(save), (60, 0), "{save:?}");
    }
}

/// Nobody can know when such a program writes, and its bytes would go with the old file.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_another_program_keeps_open_for_writing_stays_its() {
    use std::io::Write;
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    let mut theirs =
        fs::File::options().write(true).open(bench.folder.path("Assets/a.txt")).unwrap();
    let error = mixed(&runner, false).unwrap_err();
    assert!(error.message.contains("another program has it open"), "{error}");
    assert_eq!(bench.everything(), before);
    theirs.write_all(b"ONE").unwrap();
    assert_eq!(bench.read("Assets/a.txt"), "ONE\ntwo\nthree\n");
    drop(theirs);
    // Who only reads it is in nobody's way.
    let _reader = fs::File::open(bench.folder.path("Assets/a.txt")).unwrap();
    let now = super::super::read(&cx(&runner), &project(&runner), &path(&runner, "Assets/a.txt"))
        .unwrap();
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.write(&path(&runner, "Assets/a.txt"), Some(&now), b"ours".to_vec());
    plan.commit(&cx(&runner), false, no_check).unwrap();
    assert_eq!(bench.read("Assets/a.txt"), "ours");
}

#[test]
fn who_writes_into_a_file_that_was_just_exchanged_is_heard() {
    use std::io::Write;
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    // Opened before the exchange, written after it: when the last folder is synced.
    let theirs = fs::File::options().write(true).open(bench.folder.path("Assets/a.txt")).unwrap();
    let late = std::sync::Mutex::new(Some(theirs));
    project(&runner).door.disk.fault.at(22, move || {
        if let Some(mut theirs) = late.lock().unwrap().take() {
            theirs.write_all(b"ONE").unwrap();
        }
    });
    let error = mixed(&runner, false).unwrap_err();
    assert!(error.message.contains("somebody else changed it"), "{error}");
    assert_eq!(bench.read("Assets/a.txt"), "ONE\ntwo\nthree\n");
    let mut now = bench.everything();
    now.insert("Assets/a.txt".to_owned(), before["Assets/a.txt"].clone());
    assert_eq!(now, before);
}

#[test]
fn a_record_that_somebody_put_into_the_project_harms_nothing() {
    let bench = Bench::new();
    let outside = bench.cache.path("outside.txt");
    fs::write(&outside, "mine").unwrap();
    fs::create_dir(bench.cache.path("empty")).unwrap();
    fs::create_dir(bench.folder.path(".scenewright")).unwrap();
    let up = format!("../{}", bench.cache.root().file_name().unwrap().to_str().unwrap());
    for (number, staged) in
        [format!("{up}/outside.txt"), "Assets/a.txt".to_owned(), "Assets/../../x".to_owned()]
            .iter()
            .enumerate()
    {
        let record = serde_json::json!({
            "format": 2, "root": "/anywhere", "unix_ms": 1, "tool": "evil", "undoes": null,
            "folders": [format!("{up}/empty"), "../x"], "removed": [],
            "files": [{
                "path": "Assets/b.txt", "from": null, "before": null, "after": null,
                "same": [0, 0], "mode": null, "staged": staged,
            }],
        });
        let name = format!(".scenewright/{number:08}.intent");
        fs::write(bench.folder.path(&name), format!("{record}\n")).unwrap();
    }
    let runner = bench.open();
    set(&runner, "Assets/sub/c.txt", "changed").unwrap();
    assert_eq!(bench.read("Assets/a.txt"), "one\ntwo\nthree\n");
    assert_eq!(bench.read("Assets/b.txt"), "bee\n");
    assert_eq!(fs::read_to_string(outside).unwrap(), "mine");
    assert!(bench.cache.path("empty").is_dir());
}

#[test]
fn each_writer_plans_on_what_the_one_before_left() {
    let bench = Bench::new();
    // Two servers that share nothing but the project.
    let servers = [bench.open(), bench.open()];
    fs::write(bench.folder.path("Assets/b.txt"), "").unwrap();
    std::thread::scope(|scope| {
        for runner in &servers {
            for _ in 0..32 {
                scope.spawn(move || {
                    let cx = cx(runner).writing(true, false);
                    let name = path(runner, "Assets/b.txt");
                    let before = super::super::read(&cx, &project(runner), &name).unwrap();
                    let open = project(runner);
                    let mut plan = Plan::new(&open);
                    plan.write(&name, Some(&before), [&before[..], b"x"].concat());
                    plan.commit(&cx, false, no_check).unwrap();
                });
            }
        }
    });
    assert_eq!(bench.read("Assets/b.txt"), "x".repeat(64));
    assert!(!bench.folder.path(".scenewright").exists());
    // Each knows of what the other did.
    for runner in &servers {
        cx(runner).turn(&project(runner)).unwrap();
        let open = project(runner);
        let told = open.of::<Plain>().unwrap().told.lock().unwrap();
        assert!(told.len() >= 32 && told.iter().all(|path| path.ends_with("Assets/b.txt")));
    }
}
