//! What is opened below a folder, and what is not.

use scenewright_fixture::Folder;

use super::*;

fn said<T>(result: io::Result<T>) -> String {
    result.map(drop).unwrap_err().to_string()
}

#[test]
fn what_is_below_is_read() {
    let dir = Folder::files("//- game/a/b.txt\nhello\n//- secret.txt\nno\n");
    let root = dir.path("game");
    assert_eq!(read(&root, &root.join("a/b.txt")).unwrap(), b"hello\n");
    assert_eq!(read_to_string(&root, &root.join("a/b.txt")).unwrap(), "hello\n");
    let file = Entry { name: "b.txt".into(), kind: Kind::File };
    let folder = Entry { name: "a".into(), kind: Kind::Folder };
    assert_eq!(list(&root, &root.join("a")).unwrap(), [file]);
    assert_eq!(list(&root, &root).unwrap(), [folder]);
    assert_eq!(read_up_to(&root, &root.join("a/b.txt"), 6).unwrap(), b"hello\n");
    let large = read_up_to(&root, &root.join("a/b.txt"), 5).unwrap_err();
    assert_eq!(large.kind(), io::ErrorKind::FileTooLarge);
    assert_eq!(said(read(&root, &root.join("a"))), "it is a folder, not a file");
    assert_eq!(read(&root, &root.join("none.txt")).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(said(read(&root, &root.join("../secret.txt"))), LEAVES);
    assert_eq!(said(read(&root, &dir.path("secret.txt"))), LEAVES);
}

#[cfg(unix)]
mod links_and_pipes {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn site() -> (Folder, PathBuf) {
        let dir = Folder::files("//- game/a/b.txt\nin\n//- out/b.txt\nsecret\n");
        let root = dir.path("game");
        let link = |to: &str, at: &str| symlink(to, root.join(at)).unwrap();
        link("a/b.txt", "inside.txt");
        link("../out/b.txt", "relative.txt");
        link("relative.txt", "chain.txt");
        link("../out", "folder");
        link("a", "inner");
        symlink(dir.path("out/b.txt"), root.join("absolute.txt")).unwrap();
        symlink(root.join("a/b.txt"), root.join("absolute_inside.txt")).unwrap();
        (dir, root)
    }

    #[test]
    fn links_are_followed_as_long_as_they_stay() {
        let (dir, root) = site();
        for name in ["inside.txt", "inner/b.txt", "absolute_inside.txt"] {
            assert_eq!(read(&root, &root.join(name)).unwrap(), b"in\n", "{name}");
        }
        for name in ["relative.txt", "chain.txt", "folder/b.txt", "absolute.txt"] {
            assert_eq!(said(read(&root, &root.join(name))), LEAVES, "{name}");
        }
        assert_eq!(said(list(&root, &root.join("folder"))), LEAVES);
        symlink(&root, dir.path("alias")).unwrap();
        let alias = dir.path("alias");
        assert_eq!(read(&alias, &alias.join("inside.txt")).unwrap(), b"in\n");
        assert_eq!(read(&alias, &root.join("inside.txt")).unwrap(), b"in\n");
        assert_eq!(said(read(&alias, &alias.join("chain.txt"))), LEAVES);
    }

    #[test]
    fn without_the_systems_call_no_step_is_a_link() {
        let (_dir, root) = site();
        assert!(os::without_the_call(&root, Path::new("a/b.txt")).is_ok());
        for name in ["inside.txt", "inner/b.txt", "folder/b.txt", "absolute.txt", "a/../a/b.txt"] {
            let error = os::without_the_call(&root, Path::new(name)).unwrap_err();
            assert!(os::is_about_links(&error), "{name}: {error}");
        }
    }

    #[test]
    fn pipes_are_not_waited_for() {
        let (_dir, root) = site();
        let pipe = root.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert_eq!(said(read(&root, &pipe)), "it is a pipe, not a file");
        let spot = Spot::find(&root, &pipe).unwrap();
        assert_eq!(said(spot.open()), "it is a pipe, not a file");
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (dir, root) = site();
        assert_eq!(said(Spot::find(&root, &root.join("folder/new.txt"))), LEAVES);
        assert_eq!(said(Spot::find(&root, &root.join("inner/new.txt"))), LEAVES);
        assert_eq!(said(Spot::find(&root, &root.join("../out/new.txt"))), LEAVES);
        // A link at the end is a name like others: it is replaced, not followed.
        let at = |name: &str| Spot::find(&root, &root.join(name)).unwrap();
        assert_eq!(said(at("relative.txt").open()), "it is a link, not a file");
        assert!(at("relative.txt").create_new().is_err());
        at("a/b.txt").rename(&at("relative.txt")).unwrap();
        assert_eq!(read(&root, &root.join("relative.txt")).unwrap(), b"in\n");
        assert_eq!(fs::read(dir.path("out/b.txt")).unwrap(), b"secret\n");
    }

    /// A folder and a link to one outside change places all the time. Whoever asks first and opens after reads the
    /// secret within a few hundred rounds.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_becomes_a_link_is_never_left() {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        let (dir, root) = site();
        let (folder, link) = (root.join("a"), root.join("folder"));
        let done = AtomicBool::new(false);
        let (mut read_inside, mut left) = (0, 0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    renameat_with(CWD, &folder, CWD, &link, RenameFlags::EXCHANGE).unwrap();
                }
            });
            for round in 0..20_000 {
                match read(&root, &folder.join("b.txt")) {
                    Ok(bytes) if bytes == b"in\n" => read_inside += 1,
                    Ok(_) => left += 1,
                    Err(_) => {}
                }
                let spot = Spot::find(&root, &folder.join(format!("{round}.txt")));
                let _ = spot.and_then(|spot| spot.create_new());
            }
            done.store(true, Ordering::Relaxed);
        });
        assert_eq!(left, 0);
        assert!(read_inside > 0, "nothing was read at all");
        assert_eq!(list(&dir.path("out"), &dir.path("out")).unwrap().len(), 1);
    }
}
