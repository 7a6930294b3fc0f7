//! Where may be written, and what files keep.

use super::*;

fn create(runner: &Arc<Runner>, name: &str) -> Result<Written, String> {
    let mut plan = Plan::new(project(runner));
    plan.write(&path(runner, name), None, b"new".to_vec());
    plan.commit(&cx(runner), false, no_check).map_err(|error| error.message)
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    use std::os::unix::fs::symlink;
    let (bench, other) = (Bench::new(), Bench::new());
    let runner = bench.open();
    fs::create_dir(bench.folder.path(".git")).unwrap();
    fs::write(bench.folder.path(".git/config"), "own").unwrap();
    let link = |to: &Path, name: &str| symlink(to, bench.folder.path(name)).unwrap();
    link(&other.folder.path("Assets"), "Assets/out");
    link(&other.folder.path("Assets/a.txt"), "Assets/a.link");
    link(&bench.folder.path(".git/config"), "Assets/config.link");
    link(&bench.folder.path(".git"), "Assets/repository");
    link(Path::new("nowhere"), "Assets/dangling");
    let outside = other.everything();
    for (name, why) in [
        ("Assets/out/new.txt", "Path must be inside the project: Assets/out/new.txt"),
        ("Assets/out/deep/new.txt", "Path must be inside the project: Assets/out/deep/new.txt"),
        ("Assets/a.link", "Path must be inside the project: Assets/a.link"),
        (
            "Assets/config.link",
            "Assets/config.link leads to a place of version control through a link",
        ),
        (
            "Assets/repository/x",
            "Assets/repository/x leads to a place of version control through a link",
        ),
        ("Assets/dangling", "Assets/dangling is a link that leads nowhere"),
        ("Assets/a.txt/x", "Assets/a.txt/x is below a.txt, which is no folder"),
        ("Assets/sub", "Assets/sub is no regular file"),
    ] {
        assert_eq!(create(&runner, name).unwrap_err(), why);
        assert!(
            super::super::read(&cx(&runner), project(&runner), &path(&runner, name)).is_err(),
            "{name}"
        );
    }
    assert_eq!(other.everything(), outside);
}

#[cfg(unix)]
#[test]
fn a_link_inside_is_written_through() {
    let bench = Bench::new();
    let runner = bench.open();
    std::os::unix::fs::symlink("sub/c.txt", bench.folder.path("Assets/c.link")).unwrap();
    std::os::unix::fs::symlink("sub", bench.folder.path("Assets/linked")).unwrap();
    set(&runner, "Assets/c.link", "through\n").unwrap();
    assert_eq!(bench.read("Assets/sub/c.txt"), "through\n");
    assert!(bench.folder.path("Assets/c.link").is_symlink());
    create(&runner, "Assets/linked/new.txt").unwrap();
    assert_eq!(bench.read("Assets/sub/new.txt"), "new");

    let mut plan = Plan::new(project(&runner));
    plan.remove(&path(&runner, "Assets/c.link"), b"through\n");
    let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
    assert_eq!(error.message, "Assets/c.link is a link");
    let mut plan = Plan::new(project(&runner));
    plan.rename(&path(&runner, "Assets/c.link"), &path(&runner, "Assets/d.link"));
    let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
    assert_eq!(error.message, "Assets/c.link is a link");

    let mut plan = Plan::new(project(&runner));
    plan.write(&path(&runner, "Assets/c.link"), Some(b"through\n"), b"1".to_vec());
    plan.write(&path(&runner, "Assets/sub/c.txt"), Some(b"through\n"), b"2".to_vec());
    let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
    assert!(error.message.ends_with("another file of the same change under another name"));
}

#[test]
fn names_clash_also_in_other_letters() {
    let bench = Bench::new();
    let runner = bench.open();
    let why = "Assets/SUB/new.txt differs from Assets/sub only in case";
    assert_eq!(create(&runner, "Assets/SUB/new.txt").unwrap_err(), why);
    let why = create(&runner, "Assets/B.TXT").unwrap_err();
    // Where case does not matter, it is the same file.
    let other = "not written: Assets/B.TXT exists already";
    assert!(why == other || why == "Assets/B.TXT differs from Assets/b.txt only in case", "{why}");
    for name in ["Assets/aux.txt", "Assets/what?.txt", "Assets/x. /y"] {
        let error = match ProjectPath::parse(project(&runner), name) {
            Ok(_) => create(&runner, name).unwrap_err(),
            Err(error) => error.message,
        };
        assert!(error.contains("Windows"), "{error}");
    }
    assert!(!bench.folder.path("Assets/x. ").exists());
}

#[test]
fn a_rename_may_change_the_case_of_a_name() {
    let bench = Bench::new();
    let runner = bench.open();
    let mut plan = Plan::new(project(&runner));
    plan.rename(&path(&runner, "Assets/b.txt"), &path(&runner, "Assets/B.txt"));
    plan.commit(&cx(&runner), false, no_check).unwrap();
    let names: Vec<String> = bench.everything().into_keys().collect();
    assert!(
        names.contains(&"Assets/B.txt".to_owned()) && !names.contains(&"Assets/b.txt".to_owned())
    );
    undo(&cx(&runner), project(&runner), None, false).unwrap();
    assert!(bench.everything().contains_key("Assets/b.txt"));
}

#[test]
fn nothing_is_renamed_over_another_file() {
    let bench = Bench::new();
    let runner = bench.open();
    let mut plan = Plan::new(project(&runner));
    plan.rename(&path(&runner, "Assets/b.txt"), &path(&runner, "Assets/a.txt"));
    let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
    assert_eq!(error.message, "not written: Assets/a.txt exists already");
}

#[test]
fn read_only_files_are_refused() {
    let bench = Bench::new();
    let runner = bench.open();
    let file = bench.folder.path("Assets/b.txt");
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    let writable = permissions.clone();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    let error = set(&runner, "Assets/b.txt", "new").unwrap_err();
    assert_eq!(error.message, "Assets/b.txt is read-only");
    assert_eq!(error.kind, ErrorKind::Denied);
    let error = mixed(&runner, true).unwrap_err();
    assert_eq!(error.message, "Assets/b.txt is read-only");
    fs::set_permissions(&file, writable).unwrap();
    set(&runner, "Assets/b.txt", "new").unwrap();
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let runner = bench.open();
    let file = bench.folder.path("Assets/b.txt");
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
    set(&runner, "Assets/b.txt", "new").unwrap();
    assert_eq!(mode(), 0o751);
    let mut plan = Plan::new(project(&runner));
    plan.remove(&path(&runner, "Assets/b.txt"), b"new");
    plan.commit(&cx(&runner), false, no_check).unwrap();
    assert!(!file.exists());
    undo(&cx(&runner), project(&runner), None, false).unwrap();
    assert_eq!(mode(), 0o751);
}

#[test]
fn folders_come_and_go() {
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    let mut plan = Plan::new(project(&runner));
    plan.create_folder(&path(&runner, "Assets/new/deep"));
    plan.create_folder(&path(&runner, "Assets/sub"));
    plan.remove(&path(&runner, "Assets/sub/c.txt"), b"sea\n");
    plan.remove(&path(&runner, "Assets/sub/d.txt"), b"deep\n");
    plan.remove_folder(&path(&runner, "Assets/sub"));
    plan.commit(&cx(&runner), false, no_check).unwrap();
    let after = bench.everything();
    assert!(after.contains_key("Assets/new/deep") && !after.contains_key("Assets/sub"));
    let (_, undone) = undo(&cx(&runner), project(&runner), None, false).unwrap();
    assert_eq!(bench.everything(), before);
    undo(&cx(&runner), project(&runner), undone.undo, false).unwrap();
    assert_eq!(bench.everything(), after);
}
