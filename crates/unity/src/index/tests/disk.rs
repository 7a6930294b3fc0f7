//! Links, files that cannot be read, and what is opened again.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[cfg(unix)]
#[test]
fn links_are_followed_but_not_in_circles() {
    use std::os::unix::fs::symlink;
    let dir = Folder::files("//- game/Assets/A/x.cs\n//- game/Shared/y.cs\n");
    let assets = dir.path("game/Assets");
    symlink(&assets, assets.join("A/loop")).unwrap();
    symlink("../Shared", assets.join("Other")).unwrap();
    symlink(assets.join("gone"), assets.join("broken.cs")).unwrap();
    symlink(&assets, dir.path("game/Shared/back")).unwrap();
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
        LinkLoop Assets/Other/back"#]]
    .assert_eq(&links.join("\n"));
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_project_are_named_and_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = Folder::files(
        "//- game/Assets/own.cs\nclass Own {}\n//- game/Assets/m.mat\n\
         //- out/y.cs\nclass Secret {}\n//- out/y.cs.meta\nguid: 0123456789abcdef0123456789abcdef\n\
         //- out/package.json\n{ \"name\": \"com.secret\" }\n",
    );
    let (game, out) = (dir.path("game"), dir.path("out"));
    symlink(&out, game.join("Assets/Folder")).unwrap();
    symlink(out.join("y.cs"), game.join("Assets/absolute.cs")).unwrap();
    symlink("../../out/y.cs", game.join("Assets/relative.cs")).unwrap();
    symlink("relative.cs", game.join("Assets/chain.cs")).unwrap();
    symlink("own.cs", game.join("Assets/inside.cs")).unwrap();
    symlink(out.join("y.cs.meta"), game.join("Assets/m.mat.meta")).unwrap();
    fs::create_dir_all(game.join("Packages")).unwrap();
    symlink(&out, game.join("Packages/com.secret")).unwrap();
    symlink(&out, game.join("ProjectSettings")).unwrap();
    let index = Index::build(&game, None, &()).unwrap();
    let mut shown = String::new();
    for asset in index.assets() {
        let read = asset.read().map_or_else(|error| error.to_string(), |_| "read".into());
        shown += &format!("{}: {read}\n", asset.path());
    }
    for problem in index.problems() {
        if problem.kind == ProblemKind::LinkOutside {
            shown += &format!("{:?} {}\n", problem.kind, problem.path);
        }
    }
    expect![[r#"
        Assets/Folder: a link that leaves the project, which is not followed
        Assets/absolute.cs: a link that leaves the project, which is not followed
        Assets/chain.cs: a link that leaves the project, which is not followed
        Assets/inside.cs: read
        Assets/m.mat: read
        Assets/own.cs: read
        Assets/relative.cs: a link that leaves the project, which is not followed
        LinkOutside Assets/Folder
        LinkOutside Assets/absolute.cs
        LinkOutside Assets/chain.cs
        LinkOutside Assets/m.mat.meta
        LinkOutside Assets/relative.cs
        LinkOutside ProjectSettings
    "#]]
    .assert_eq(&shown);
    assert!(index.package("com.secret").is_none());
    assert_eq!(index.by_path("Assets/m.mat").unwrap().guid(), None);
}

#[cfg(unix)]
#[test]
fn a_snapshot_from_disk_learns_that_a_file_became_a_link_out() {
    use std::os::unix::fs::symlink;
    let dir = Folder::files(
        "//- game/Assets/a.mat\n//- game/Assets/F/b.cs\n//- out/a.mat\n//- out/b.cs\n",
    );
    let game = dir.path("game");
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    for file in ["game/Assets/a.mat", "game/Assets/F/b.cs", "out/a.mat", "out/b.cs"] {
        let file = File::options().write(true).open(dir.path(file)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let cache = dir.path("cache");
    Index::build(&game, None, &()).unwrap().save(&cache).unwrap();
    fs::remove_file(game.join("Assets/a.mat")).unwrap();
    fs::remove_dir_all(game.join("Assets/F")).unwrap();
    symlink(dir.path("out/a.mat"), game.join("Assets/a.mat")).unwrap();
    symlink(dir.path("out"), game.join("Assets/F")).unwrap();
    let kept = Index::load(&cache, &game).unwrap();
    // Neither file differs in size or time, and still neither is opened by the old snapshot.
    assert!(kept.by_path("Assets/F/b.cs").unwrap().read().is_err());
    let index = Index::build(&game, Some(&kept), &()).unwrap();
    assert!(index.by_path("Assets/F/b.cs").is_none());
    let flags = index.by_path("Assets/a.mat").unwrap().flags();
    assert!(flags.contains(Flags::UNREADABLE));
}

#[cfg(unix)]
#[test]
fn a_package_elsewhere_may_not_leave_its_folder() {
    use std::os::unix::fs::symlink;
    let dir = Folder::files(
        "//- game/Assets/a.cs\n//- game/Packages/manifest.json\n\
         { \"dependencies\": { \"com.shared\": \"file:../../shared\" } }\n\
         //- shared/package.json\n{ \"name\": \"com.shared\" }\n//- shared/own.cs\n//- out/y.cs\n",
    );
    symlink("own.cs", dir.path("shared/inside.cs")).unwrap();
    symlink("../out/y.cs", dir.path("shared/outside.cs")).unwrap();
    let index = Index::build(&dir.path("game"), None, &()).unwrap();
    let read = |path| index.by_path(path).unwrap().read().is_ok();
    assert!(read("../shared/own.cs") && read("../shared/inside.cs"));
    assert!(!read("../shared/outside.cs"));
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
