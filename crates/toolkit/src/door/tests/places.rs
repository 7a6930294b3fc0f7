//! Where may be written, and what files keep.

use super::*;

fn create(runner: &Arc<Runner>, name: &str) -> Result<Written, String> {
    let open = project(runner);
    let mut plan = Plan::new(&open);
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
            super::super::read(&cx(&runner), &project(&runner), &path(&runner, name)).is_err(),
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

    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.remove(&path(&runner, "Assets/c.link"), b"through\n");
    let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
    assert_eq!(error.message, "Assets/c.link is a link");
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.rename(&path(&runner, "Assets/c.link"), &path(&runner, "Assets/d.link"));
    let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
    assert_eq!(error.message, "Assets/c.link is a link");

    let open = project(&runner);
    let mut plan = Plan::new(&open);
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
        let error = match ProjectPath::parse(&project(&runner), name) {
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
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.rename(&path(&runner, "Assets/b.txt"), &path(&runner, "Assets/B.txt"));
    plan.commit(&cx(&runner), false, no_check).unwrap();
    let names: Vec<String> = bench.everything().into_keys().collect();
    assert!(
        names.contains(&"Assets/B.txt".to_owned()) && !names.contains(&"Assets/b.txt".to_owned())
    );
    undo(&cx(&runner), &project(&runner), None, false).unwrap();
    assert!(bench.everything().contains_key("Assets/b.txt"));
}

#[test]
fn nothing_is_renamed_over_another_file() {
    let bench = Bench::new();
    let runner = bench.open();
    let open = project(&runner);
    let mut plan = Plan::new(&open);
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
    assert!(error.hint.unwrap().contains("check it out or lock it there (`p4 edit`"));
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
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.remove(&path(&runner, "Assets/b.txt"), b"new");
    plan.commit(&cx(&runner), false, no_check).unwrap();
    assert!(!file.exists());
    undo(&cx(&runner), &project(&runner), None, false).unwrap();
    assert_eq!(mode(), 0o751);
}

#[test]
fn folders_come_and_go() {
    let bench = Bench::new();
    let runner = bench.open();
    let before = bench.everything();
    let open = project(&runner);
    let mut plan = Plan::new(&open);
    plan.create_folder(&path(&runner, "Assets/new/deep"));
    plan.create_folder(&path(&runner, "Assets/sub"));
    plan.remove(&path(&runner, "Assets/sub/c.txt"), b"sea\n");
    plan.remove(&path(&runner, "Assets/sub/d.txt"), b"deep\n");
    plan.remove_folder(&path(&runner, "Assets/sub"));
    plan.commit(&cx(&runner), false, no_check).unwrap();
    let after = bench.everything();
    assert!(after.contains_key("Assets/new/deep") && !after.contains_key("Assets/sub"));
    let (_, undone) = undo(&cx(&runner), &project(&runner), None, false).unwrap();
    assert_eq!(bench.everything(), before);
    undo(&cx(&runner), &project(&runner), undone.undo, false).unwrap();
    assert_eq!(bench.everything(), after);
}

/// A bench whose project protects `Assets/sub`.
fn protecting(config: &str) -> Bench {
    let bench = Bench::new();
    bench.folder.write("scenewright.toml", config);
    bench
}

#[test]
fn nothing_protected_is_written_moved_or_removed() {
    let bench = protecting("[protect]\npaths = [\"Assets/sub\"]\n");
    let runner = bench.open();
    let before = bench.everything();
    let by = "is protected by `Assets/sub` in [protect] paths of scenewright.toml";
    let refused = |plan: Plan<'_>, why: &str| {
        let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
        assert_eq!((error.message.as_str(), error.kind), (why, ErrorKind::Denied));
        assert_eq!(bench.everything(), before);
    };
    let at = |name: &str| path(&runner, name);
    let project = project(&runner);
    let plan = |fill: &dyn Fn(&mut Plan<'_>)| {
        let mut plan = Plan::new(&project);
        fill(&mut plan);
        plan
    };
    let file = format!("Assets/sub/c.txt {by}");
    refused(
        plan(&|plan| plan.write(&at("Assets/sub/c.txt"), Some(b"sea\n"), b"x".to_vec())),
        &file,
    );
    refused(plan(&|plan| plan.remove(&at("Assets/sub/c.txt"), b"sea\n")), &file);
    refused(plan(&|plan| plan.rename(&at("Assets/sub/c.txt"), &at("Assets/c.txt"))), &file);
    let new = format!("Assets/sub/new.txt {by}");
    refused(plan(&|plan| plan.write(&at("Assets/sub/new.txt"), None, b"x".to_vec())), &new);
    refused(plan(&|plan| plan.rename(&at("Assets/b.txt"), &at("Assets/sub/new.txt"))), &new);
    let folder = format!("Assets/sub/deep {by}");
    refused(plan(&|plan| plan.create_folder(&at("Assets/sub/deep"))), &folder);
    let empty = format!("Assets/sub {by}");
    refused(plan(&|plan| plan.remove_folder(&at("Assets/sub"))), &empty);
    let meta = format!("Assets/sub.meta {by}");
    refused(plan(&|plan| plan.write(&at("Assets/sub.meta"), None, b"x".to_vec())), &meta);
    let own = "scenewright.toml is protected, because it says what is protected";
    refused(plan(&|plan| plan.rename(&at("scenewright.toml"), &at("old.toml"))), own);
    assert!(mixed(&runner, true).unwrap_err().message.ends_with(by), "a dry run says it, too");
    set(&runner, "Assets/a.txt", "free").unwrap();
}

#[test]
fn what_is_protected_later_cannot_be_undone_either() {
    let bench = Bench::new();
    let runner = bench.open();
    set(&runner, "Assets/sub/c.txt", "changed").unwrap();
    bench.folder.write("scenewright.toml", "[protect]\npaths = [\"Assets/sub/**\"]\n");
    let error = undo(&cx(&runner), &project(&runner), None, false).unwrap_err();
    assert!(error.message.starts_with("Assets/sub/c.txt is protected by `Assets/sub/**`"));
    bench.folder.write("scenewright.toml", "[protect]\npaths = []\n");
    undo(&cx(&runner), &project(&runner), None, false).unwrap();
    assert_eq!(bench.read("Assets/sub/c.txt"), "sea\n");
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_to_what_is_protected() {
    let bench = protecting("[protect]\npaths = [\"Assets/sub\"]\n");
    let runner = bench.open();
    std::os::unix::fs::symlink("sub", bench.folder.path("Assets/linked")).unwrap();
    std::os::unix::fs::symlink("sub/c.txt", bench.folder.path("Assets/c.link")).unwrap();
    let error = set(&runner, "Assets/c.link", "x").unwrap_err();
    assert!(error.message.starts_with("Assets/sub/c.txt is protected"), "{}", error.message);
    let why = create(&runner, "Assets/linked/new.txt").unwrap_err();
    assert!(why.starts_with("Assets/sub/new.txt is protected"), "{why}");
    let project = project(&runner);
    let mut plan = Plan::new(&project);
    plan.create_folder(&path(&runner, "Assets/linked/deep"));
    let error = plan.commit(&cx(&runner), false, no_check).unwrap_err();
    assert!(error.message.starts_with("Assets/sub/deep is protected"), "{}", error.message);
}

#[test]
fn a_file_that_cannot_be_read_protects_everything() {
    for (config, why) in [
        ("[protect\n", "scenewright.toml has a mistake"),
        ("[protect]\npath = [\"Assets/sub\"]\n", "unknown field `path`"),
        ("[protect]\npaths = [\"Assets\\\\sub\"]\n", "write `/` between folders"),
    ] {
        let bench = protecting(config);
        let error = set(&bench.open(), "Assets/a.txt", "x").unwrap_err();
        assert!(error.message.contains(why), "{}", error.message);
        assert_eq!(bench.read("Assets/a.txt"), "one\ntwo\nthree\n");
    }
}

#[test]
fn the_operator_protects_in_every_project() {
    let bench = Bench::new();
    let workspace = plain::open(&[bench.folder.root()], Some(bench.cache.path("cache")));
    let settings = Settings {
        allow_writes: true,
        protect: vec!["**/*.txt".to_owned()],
        ..Settings::default()
    };
    let runner = plain::runner(workspace, settings, None);
    let error = set(&runner, "Assets/a.txt", "x").unwrap_err();
    assert!(error.message.starts_with("Assets/a.txt is protected by `**/*.txt`"));
}
