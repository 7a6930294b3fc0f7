//! Links, files that cannot be read, and what is opened again.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[cfg(unix)]
#[test]
fn links_are_followed_but_not_in_circles() {
    use std::os::unix::fs::symlink;
    let dir = Folder::files("//- game/Assets/A/x.cs\n//- other/y.cs\n");
    let assets = dir.path("game/Assets");
    symlink(&assets, assets.join("A/loop")).unwrap();
    symlink(dir.path("other"), assets.join("Other")).unwrap();
    symlink(assets.join("gone"), assets.join("broken.cs")).unwrap();
    symlink(&assets, dir.path("other/back")).unwrap();
    let index = Index::build(&dir.path("game"), None, &()).unwrap();
    let paths: Vec<_> = index.assets().map(Asset::path).collect();
    expect![[r#"
        Assets/A
        Assets/A/loop
        Assets/A/x.cs
        Assets/Other
        Assets/Other/back
        Assets/Other/y.cs
        Assets/broken.cs"#]]
    .assert_eq(&paths.join("\n"));
    let links = index.problems().into_iter().filter(|problem| problem.asset.is_none());
    let links: Vec<_> = links.map(|link| format!("{:?} {}", link.kind, link.path)).collect();
    expect![[r#"
        LinkLoop Assets/A/loop
        LinkOutside Assets/Other
        LinkLoop Assets/Other/back"#]]
    .assert_eq(&links.join("\n"));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_said() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::UnixListener;
    let dir = Folder::files("//- Assets/a.mat\n--- !u!21 &2100000\nMaterial:\n//- Assets/b.mat\n");
    let _socket = UnixListener::bind(dir.path("Assets/b.asset")).unwrap();
    fs::set_permissions(dir.path("Assets/a.mat"), fs::Permissions::from_mode(0o0)).unwrap();
    let huge = File::options().write(true).open(dir.path("Assets/b.mat")).unwrap();
    huge.set_len((512 << 20) + 1).unwrap();
    let index = build(&dir);
    let flags = |path| index.by_path(path).unwrap().flags();
    assert!(flags("Assets/b.mat").contains(Flags::TOO_LARGE));
    assert!(flags("Assets/b.asset").contains(Flags::UNREADABLE));
    // The superuser reads everything.
    let is_refused = File::open(dir.path("Assets/a.mat")).is_err();
    assert_eq!(flags("Assets/a.mat").contains(Flags::UNREADABLE), is_refused);
}

#[test]
fn a_missing_project_is_empty() {
    let index = Index::build(Path::new("/does/not/exist"), None, &()).unwrap();
    assert!(index.is_empty());
    assert_eq!(index.incoming(Guid::default()).len(), 0);
}

#[test]
fn unchanged_files_are_not_opened() {
    let dir = Folder::files(SCENE);
    age(&dir);
    let first = build(&dir);
    // Other content of the same size and time: only opening the file would show it.
    let path = dir.path("Assets/Main.unity");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let text = fs::read_to_string(&path).unwrap().replace("!u!4 &9", "!u!4 &8");
    fs::write(&path, text).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let second = Index::build(dir.root(), Some(&first), &()).unwrap();
    assert_eq!(dump(&first), dump(&second));
    assert_ne!(dump(&first), dump(&build(&dir)));
}

#[test]
fn fresh_files_are_opened_again() {
    let dir = Folder::files(SCENE);
    let first = build(&dir);
    let path = dir.path("Assets/Main.unity");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let text = fs::read_to_string(&path).unwrap().replace("!u!4 &9", "!u!4 &8");
    fs::write(&path, text).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let second = Index::build(dir.root(), Some(&first), &()).unwrap();
    assert_eq!(dump(&second), dump(&build(&dir)));
}

#[test]
fn progress_counts_and_cancels() {
    struct Count(AtomicUsize, bool);
    impl Progress for Count {
        fn report(&self, done: usize, total: usize) {
            assert!(done <= total);
            self.0.store(done, Ordering::Relaxed);
        }
        fn is_cancelled(&self) -> bool {
            self.1
        }
    }
    let dir = Folder::files(SCENE);
    let count = Count(AtomicUsize::new(0), false);
    let index = Index::build(dir.root(), None, &count).unwrap();
    assert_eq!(count.0.into_inner(), index.len());
    let stop = Count(AtomicUsize::new(0), true);
    assert!(matches!(Index::build(dir.root(), None, &stop), Err(Cancelled)));
}
